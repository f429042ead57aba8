/* Single characters of JSON strings, at the ends of every range. */
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#include "base/scan_char.h"
#include "base/text.h"

#define ROWS(table) (sizeof(table) / sizeof *(table))

static bool is_surrogate(uint32_t point)
{
    return point >= 0xd800 && point <= 0xdfff;
}

static void every_code_point_is_encoded_as_it_is_decoded(void **state)
{
    (void)state;
    for (uint32_t point = 0; point <= 0x10ffff; point++) {
        uint8_t octets[4];
        const uint8_t *at = octets;
        uint32_t back = 0;
        size_t size;

        if (is_surrogate(point)) continue;
        size = sov_scan_encode(point, octets);
        if (sov_text_decode(sov_bytes(octets, size), 0, &back) != size || back != point)
            fail_msg("U+%04X is encoded in %zu octets", point, size);
        if (point == '\\') continue; /* begins an escape */
        if (sov_scan_char(&at, octets + size) != point || at != octets + size)
            fail_msg("U+%04X is not read as it is", point);
    }
}

static void four_hexadecimal_digits_are_a_number_and_nothing_else_is(void **state)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    static const uint8_t text[] = "fffe";

    (void)state;
    for (unsigned place = 0; place < 4; place++)
        for (unsigned letter = 0; letter < 256; letter++) {
            const char *found = letter ? strchr(digits, (int)letter) : NULL;
            int32_t value = !found ? -1 : (int32_t)(found - digits), want;
            uint8_t four[] = { '0', '0', '0', '0' };

            if (value > 15) value -= 6; /* the large letters stand behind the small */
            want = found ? value << 4 * (3 - place) : -1;
            four[place] = (uint8_t)letter;
            if (sov_scan_hex4(four, four + 4) != want) fail_msg("octet %u at %u", letter, place);
        }
    assert_int_equal(sov_scan_hex4(text, text + 4), 0xfffe);
    assert_int_equal(sov_scan_hex4(text, text + 3), -1);
}

/* Reads one character of `text`; how many octets it took is left in *taken_out. */
static uint32_t read_one(const char *text, size_t *taken_out)
{
    const uint8_t *begin = (const uint8_t *)text, *at = begin;
    uint32_t point = sov_scan_char(&at, begin + strlen(text));

    *taken_out = (size_t)(at - begin);
    return point;
}

static void every_escaped_unit_alone_is_its_character_or_the_replacement(void **state)
{
    (void)state;
    for (uint32_t unit = 0; unit <= 0xffff; unit++) {
        char text[16];
        size_t taken;

        snprintf(text, sizeof text, "\\u%04x", unit);
        if (read_one(text, &taken) != (unit == 0 || is_surrogate(unit) ? 0xfffd : unit))
            fail_msg("%s", text);
        assert_int_equal(taken, 6);
    }
}

static void two_escaped_surrogates_are_one_character_and_others_are_none(void **state)
{
    static const struct {
        const char *text;
        uint32_t point;
        size_t taken;
    } rows[] = {
        { "\\ud800\\udc00", 0x10000, 12 },  { "\\ud800\\udfff", 0x103ff, 12 },
        { "\\udbff\\udc00", 0x10fc00, 12 }, { "\\udbff\\udfff", 0x10ffff, 12 },
        { "\\uD83D\\uDE00", 0x1f600, 12 },  { "\\ud83d\\ude00x", 0x1f600, 12 },
        { "\\ud800\\udbff", 0xfffd, 6 },    { "\\ud800\\ue000", 0xfffd, 6 },
        { "\\udbff\\ud800", 0xfffd, 6 },    { "\\ud800\\u0000", 0xfffd, 6 },
        { "\\udc00\\udc00", 0xfffd, 6 },    { "\\ud7ff\\udc00", 0xd7ff, 6 },
        { "\\ue000\\udc00", 0xe000, 6 },    { "\\ud800xudc00", 0xfffd, 6 },
        { "\\ud800\\ndc00", 0xfffd, 6 },    { "\\ud800udc00", 0xfffd, 6 },
        { "\\ud800\\n", 0xfffd, 6 },        { "\\ud800", 0xfffd, 6 },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t taken;
        uint32_t point = read_one(rows[i].text, &taken);

        if (point != rows[i].point || taken != rows[i].taken)
            fail_msg("%s: U+%04X of %zu", rows[i].text, point, taken);
    }
}

static void each_short_escape_is_its_character(void **state)
{
    static const char escapes[] = "bfnrt\"\\/", characters[] = "\b\f\n\r\t\"\\/";

    (void)state;
    for (size_t i = 0; i < sizeof escapes - 1; i++) {
        const char text[] = { '\\', escapes[i], 'x', 0 };
        size_t taken;

        assert_int_equal(read_one(text, &taken), characters[i]);
        assert_int_equal(taken, 2);
    }
}

/* ---- the order of keys ---- */

/* -1, 0 or 1 by the UTF-16 units, as RFC 8785 has it. */
static int order_of(uint32_t a, uint32_t b)
{
    uint32_t units[2][2] = { { a, 0 }, { b, 0 } };

    for (int i = 0; i < 2; i++) {
        uint32_t point = units[i][0];

        if (point < 0x10000) continue;
        units[i][0] = 0xd800 + ((point - 0x10000) >> 10);
        units[i][1] = 0xdc00 + ((point - 0x10000) & 0x3ff);
    }
    if (units[0][0] != units[1][0]) return units[0][0] < units[1][0] ? -1 : 1;
    return (units[0][1] > units[1][1]) - (units[0][1] < units[1][1]);
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static void keys_are_in_the_order_of_their_utf16_units(void **state)
{
    static const uint32_t points[] = {
        0x1,     0x41,    0x7f,    0x80,    0x7ff,    0x800,    0xfff,  0x1000,
        0xcfff,  0xd000,  0xd7ff,  0xe000,  0xefff,   0xf000,   0xfffd, 0xffff,
        0x10000, 0x103ff, 0x10400, 0x40000, 0x10fc00, 0x10ffff,
    };

    (void)state;
    for (size_t i = 0; i < ROWS(points); i++)
        for (size_t j = 0; j < ROWS(points); j++) {
            uint8_t a[9] = { 'k' }, b[9] = { 'k' }; /* a character before it, and one behind */
            size_t a_size = 1 + sov_scan_encode(points[i], a + 1);
            size_t b_size = 1 + sov_scan_encode(points[j], b + 1);
            int want = order_of(points[i], points[j]);

            a[a_size] = b[b_size] = 'z';
            for (size_t more = 0; more < 2; more++) {
                struct sov_bytes x = sov_bytes(a, a_size + more), y = sov_bytes(b, b_size + more);

                if (sign(sov_scan_compare_plain(x, y)) != want ||
                    sign(sov_scan_compare(x, y)) != want)
                    fail_msg("U+%04X and U+%04X", points[i], points[j]);
            }
        }
}

static void the_shorter_key_comes_first_where_one_begins_the_other(void **state)
{
    static const struct {
        const char *a, *b;
        int order;
    } rows[] = {
        { "", "", 0 }, { "", "a", -1 }, { "a", "ab", -1 }, { "ab", "ab", 0 }, { "b", "ab", 1 },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct sov_bytes a = sov_bytes_text(rows[i].a), b = sov_bytes_text(rows[i].b);

        assert_int_equal(sign(sov_scan_compare_plain(a, b)), rows[i].order);
        assert_int_equal(sign(sov_scan_compare_plain(b, a)), -rows[i].order);
        assert_int_equal(sign(sov_scan_compare(a, b)), rows[i].order);
        assert_int_equal(sign(sov_scan_compare(b, a)), -rows[i].order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point_is_encoded_as_it_is_decoded),
        cmocka_unit_test(four_hexadecimal_digits_are_a_number_and_nothing_else_is),
        cmocka_unit_test(every_escaped_unit_alone_is_its_character_or_the_replacement),
        cmocka_unit_test(two_escaped_surrogates_are_one_character_and_others_are_none),
        cmocka_unit_test(each_short_escape_is_its_character),
        cmocka_unit_test(keys_are_in_the_order_of_their_utf16_units),
        cmocka_unit_test(the_shorter_key_comes_first_where_one_begins_the_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
