#include "tests/unit.h"

#include <stdio.h>

#include "base/text.h"

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define OCTETS(text)                                                                               \
    {                                                                                              \
        (const uint8_t *)(text), sizeof(text) - 1                                                  \
    } /* in a table */
#define LITERAL(text) sov_bytes(text, sizeof(text) - 1)
#define TEXT62 "a23456789012345678901234567890123456789012345678901234567890ab"

static void utf8_is_told_from_what_only_looks_like_it(void **state)
{
    static const struct {
        struct sov_bytes text;
        bool good;
    } rows[] = {
        { OCTETS(""), true },
        { OCTETS("plain"), true },
        { OCTETS("nul \0 inside"), true },
        { OCTETS("\xC2\x80 \xDF\xBF \xE0\xA0\x80 \xEF\xBF\xBF"), true },
        { OCTETS("\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"), true },
        { OCTETS("\x80"), false },
        { OCTETS("\xC0\x80"), false },         /* overlong NUL */
        { OCTETS("\xC1\xBF"), false },         /* overlong DEL */
        { OCTETS("\xE0\x9F\xBF"), false },     /* overlong U+07FF */
        { OCTETS("\xF0\x8F\xBF\xBF"), false }, /* overlong U+FFFF */
        { OCTETS("\xED\xA0\x80"), false },     /* first surrogate */
        { OCTETS("\xED\xBF\xBF"), false },     /* last surrogate */
        { OCTETS("\xF4\x90\x80\x80"), false }, /* beyond U+10FFFF */
        { OCTETS("\xF5\x80\x80\x80"), false },
        { OCTETS("\xFF"), false },
        { OCTETS("cut \xE2\x82"), false },
        { OCTETS("cut \xE2\x28\xA1"), false },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        if (sov_text_is_utf8(rows[i].text) != rows[i].good) fail_msg("row %zu", i);
}

static void a_code_point_is_decoded_or_left_alone(void **state)
{
    uint32_t point = 7;

    (void)state;
    assert_int_equal(sov_text_decode(LITERAL("\xF0\x9F\x8D\xB5"), 0, &point), 4);
    assert_int_equal(point, 0x1F375);
    assert_int_equal(sov_text_decode(LITERAL("a\xC3\xA9"), 1, &point), 2);
    assert_int_equal(point, 0xE9);
    point = 7;
    assert_int_equal(sov_text_decode(LITERAL("a\xC3\xA9"), 2, &point), 0);
    assert_int_equal(sov_text_decode(LITERAL("a"), 1, &point), 0);
    assert_int_equal(sov_text_decode(LITERAL("\xED\xA0\x80"), 0, &point), 0);
    assert_int_equal(point, 7);
}

static void blank_is_nothing_but_white_space(void **state)
{
    (void)state;
    assert_true(sov_text_is_blank(LITERAL("")));
    assert_true(sov_text_is_blank(LITERAL(" \t\r\n\v\f\xC2\x85\xC2\xA0\xE3\x80\x80\xE2\x80\xA8")));
    assert_false(sov_text_is_blank(LITERAL("  .")));
    assert_false(sov_text_is_blank(LITERAL(" \xFF")));
    assert_false(sov_text_is_blank(LITERAL("\0")));
    assert_false(sov_text_is_blank(LITERAL("\xE2\x80\x8B"))); /* zero-width: shown by its name */
}

static void ids_names_and_accounts_keep_to_their_grammar(void **state)
{
    static const struct {
        const char *text;
        bool id, name, account;
    } rows[] = {
        { "a", true, true, true },
        { "builder-3", true, true, true },
        { "ci.run_2", true, true, true },
        { "a" TEXT62, true, true, true },
        { "aa" TEXT62, false, false, false },
        { "", false, false, false },
        { "3builder", false, true, true },
        { "SKU-TEA", false, true, true },
        { "aB", false, true, true },
        { "-a", false, false, false },
        { ".a", false, false, false },
        { "_a", false, false, false },
        { "a b", false, false, false },
        { "a\n", false, false, false },
        { "\xC3\xA9", false, false, false },
        { "a\xC3\xA9", false, false, false },
        { "inventory/SKU-TEA", false, false, true },
        { "a/b/c/d", false, false, true },
        { "a/b/c/d/e", false, false, false },
        { "a/", false, false, false },
        { "/a", false, false, false },
        { "a//b", false, false, false },
        { "a/.b", false, false, false },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct sov_bytes text = sov_bytes_text(rows[i].text);

        if (sov_text_is_id(text) != rows[i].id) fail_msg("id %s", rows[i].text);
        if (sov_text_is_name(text) != rows[i].name) fail_msg("name %s", rows[i].text);
        if (sov_text_is_account(text) != rows[i].account) fail_msg("account %s", rows[i].text);
    }
    assert_false(sov_text_is_id(LITERAL("a\0b")));
    assert_false(sov_text_is_account(sov_bytes(NULL, 0)));
}

static void only_ascii_letters_fold(void **state)
{
    (void)state;
    assert_true(sov_text_fold_equal(LITERAL("aBz[@"), LITERAL("AbZ[@")));
    assert_false(sov_text_fold_equal(LITERAL("a"), LITERAL("ab")));
    assert_false(sov_text_fold_equal(LITERAL("["), LITERAL("{")));
    assert_false(sov_text_fold_equal(LITERAL("\xC3\x89"), LITERAL("\xC3\xA9")));
}

static void an_unsafe_path_is_refused_whatever_its_disguise(void **state)
{
    static const struct {
        struct sov_bytes path;
        bool good;
    } rows[] = {
        { OCTETS("out/report.md"), true },
        { OCTETS("a"), true },
        { OCTETS(".github/workflows/ci.yml"), true },
        { OCTETS("a/.sovereign"), true }, /* only the first segment is ours */
        { OCTETS("..."), false },
        { OCTETS("..a/b"), true },
        { OCTETS("t\xC3\xA9/\xF0\x9F\x8D\xB5"), true },
        { OCTETS("100%/a%20b"), true },
        { OCTETS(""), false },
        { OCTETS("/etc/passwd"), false },
        { OCTETS("a//b"), false },
        { OCTETS("a/"), false },
        { OCTETS("."), false },
        { OCTETS("a/./b"), false },
        { OCTETS(".."), false },
        { OCTETS("a/../b"), false },
        { OCTETS("a\\b"), false },
        { OCTETS("a\0b"), false },
        { OCTETS("a\nb"), false },
        { OCTETS("a\tb"), false },
        { OCTETS("a\x7F"), false },
        { OCTETS("a/b "), false },
        { OCTETS("a /b"), false },
        { OCTETS("a./b"), false },
        { OCTETS("a/b\r"), false },
        { OCTETS("a/.GiT/config"), false },
        { OCTETS(".git"), false },
        { OCTETS("GIT~1/config"), false },
        { OCTETS(".g\xE2\x80\x8Cit/config"), false }, /* HFS+ drops the joiner */
        { OCTETS("a\xE2\x80\xAE"
                 "b"),
          false },
        { OCTETS("a\xEF\xBB\xBF"), false },
        { OCTETS("a\xFF"), false },
        { OCTETS("a/\xED\xA0\x80"), false },
        { OCTETS(".sovereign/organization.db"), false },
        { OCTETS(".sovereignty"), false },
        { OCTETS(".SOVEREIGN/x"), false },
        { OCTETS("a/%2e%2e/b"), false },
        { OCTETS("a%2Fb"), false },
        { OCTETS("a%5Cb"), false },
        { OCTETS("e\xCC\x81\xCC\x81\xCC\x81\xCC\x81"), true },
        { OCTETS("e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81"), false }, /* a fifth mark */
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        if (sov_text_is_safe_path(rows[i].path) != rows[i].good) fail_msg("row %zu", i);
}

static void a_path_is_measured(void **state)
{
    char path[1026], segment[257];

    (void)state;
    memset(segment, 'a', sizeof segment);
    assert_true(sov_text_is_safe_path(sov_bytes(segment, 255)));
    assert_false(sov_text_is_safe_path(sov_bytes(segment, 256)));
    for (size_t i = 0; i < sizeof path; i++) path[i] = i % 2 ? '/' : 'a';
    assert_true(sov_text_is_safe_path(sov_bytes(path, 63)));  /* 32 segments */
    assert_false(sov_text_is_safe_path(sov_bytes(path, 65))); /* 33 */
    memset(path, 'a', sizeof path);
    for (size_t i = 200; i < sizeof path; i += 200) path[i] = '/';
    assert_true(sov_text_is_safe_path(sov_bytes(path, 1024)));
    assert_false(sov_text_is_safe_path(sov_bytes(path, 1025)));
}

static void characters_have_their_class_and_width(void **state)
{
    static const struct {
        uint32_t point;
        bool active, combining;
        unsigned width;
    } rows[] = {
        { 0x00, true, false, 0 },     { 0x09, true, false, 0 },     { 0x0A, true, false, 0 },
        { 0x1B, true, false, 0 },     { 0x1F, true, false, 0 },     { 0x20, false, false, 1 },
        { 0x41, false, false, 1 },    { 0x7E, false, false, 1 },    { 0x7F, true, false, 0 },
        { 0x80, true, false, 0 },     { 0x9B, true, false, 0 },     { 0x9F, true, false, 0 },
        { 0xA0, false, false, 1 },    { 0xAD, true, false, 0 },     { 0xE9, false, false, 1 },
        { 0x300, false, true, 0 },    { 0x34F, true, false, 0 },    { 0x489, false, true, 0 },
        { 0x61C, true, false, 0 },    { 0x1161, false, true, 0 },   { 0x115F, true, false, 0 },
        { 0x200B, true, false, 0 },   { 0x200D, true, false, 0 },   { 0x200E, true, false, 0 },
        { 0x2028, true, false, 0 },   { 0x2029, true, false, 0 },   { 0x202A, true, false, 0 },
        { 0x202E, true, false, 0 },   { 0x2039, false, false, 1 },  { 0x2060, true, false, 0 },
        { 0x2066, true, false, 0 },   { 0x2069, true, false, 0 },   { 0x20DD, false, true, 0 },
        { 0x3042, false, false, 2 },  { 0x3164, true, false, 0 },   { 0xD800, true, false, 0 },
        { 0xE000, true, false, 0 },   { 0xF8FF, true, false, 0 },   { 0xFDD0, true, false, 0 },
        { 0xFE0F, true, false, 0 },   { 0xFE20, false, true, 0 },   { 0xFEFF, true, false, 0 },
        { 0xFF21, false, false, 2 },  { 0xFFA0, true, false, 0 },   { 0xFFFB, true, false, 0 },
        { 0xFFFD, false, false, 1 },  { 0xFFFE, true, false, 0 },   { 0xFFFF, true, false, 0 },
        { 0x1F375, false, false, 2 }, { 0x20000, false, false, 2 }, { 0xE0001, true, false, 0 },
        { 0xE0041, true, false, 0 },  { 0xE01EF, true, false, 0 },  { 0x10FFFD, true, false, 0 },
        { 0x10FFFF, true, false, 0 }, { 0x110000, true, false, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        if (sov_text_is_active(rows[i].point) != rows[i].active)
            fail_msg("active U+%04X", rows[i].point);
        if (sov_text_is_combining(rows[i].point) != rows[i].combining)
            fail_msg("combining U+%04X", rows[i].point);
        if (sov_text_width(rows[i].point) != rows[i].width) fail_msg("width U+%04X", rows[i].point);
    }
}

#define MARK "\xCC\x81"
static void outside_text_is_made_visible(void **state)
{
    static const struct {
        struct sov_bytes text;
        unsigned flags;
        const char *visible;
    } rows[] = {
        { OCTETS(""), 0, "" },
        { OCTETS("plain t\xC3\xA9 \xF0\x9F\x8D\xB5"), 0, "plain t\xC3\xA9 \xF0\x9F\x8D\xB5" },
        { OCTETS("a\x1B[31mb"), 0, "a‹U+001B›[31mb" },
        { OCTETS("a\x1B[31mb"), SOV_VISIBLE_ASCII, "a<U+001B>[31mb" },
        { OCTETS("a\0b\x7F"), 0, "a‹U+0000›b‹U+007F›" },
        { OCTETS("1\n2\t3\r"), 0, "1‹U+000A›2‹U+0009›3‹U+000D›" },
        { OCTETS("1\n2\t3\r"), SOV_VISIBLE_BLOCK, "1\n2\t3‹U+000D›" },
        { OCTETS("\xC2\x9B"
                 "31m"),
          0, "‹U+009B›31m" },
        { OCTETS("gnp.\xE2\x80\xAE"
                 "exe"),
          0, "gnp.‹U+202E›exe" },
        { OCTETS("\xF3\xA0\x81\x81"), 0, "‹U+E0041›" },
        { OCTETS("\xF4\x8F\xBF\xBF"), 0, "‹U+10FFFF›" },
        { OCTETS("a\xFF\xC3"), 0, "a‹0xFF›‹0xC3›" },
        { OCTETS("\xED\xA0\x80"), SOV_VISIBLE_ASCII, "<0xED><0xA0><0x80>" },
        { OCTETS("e" MARK MARK MARK MARK "x"), 0, "e" MARK MARK MARK MARK "x" },
        { OCTETS("e" MARK MARK MARK MARK MARK MARK "x"), 0, "e" MARK MARK MARK MARK "…x" },
        { OCTETS("e" MARK MARK MARK MARK MARK), SOV_VISIBLE_ASCII, "e" MARK MARK MARK MARK "..." },
        { OCTETS("e" MARK MARK MARK MARK "\xFF"
                 "x"),
          0, "e" MARK MARK MARK MARK "‹0xFF›x" },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct sov_buf out;

        sov_buf_init(&out, 1000);
        sov_text_visible(rows[i].text, rows[i].flags, &out);
        if (!sov_bytes_is(sov_buf_bytes(&out), rows[i].visible))
            fail_msg("row %zu: %.*s", i, (int)out.size, (const char *)out.data);
        sov_buf_release(&out);
    }
}

/* Every code point at once, each twice, and every octet that begins none. */
static void everything_becomes_visible_and_stays_so(void **state)
{
    struct sov_buf all, once, twice;
    uint32_t point;

    (void)state;
    sov_buf_init(&all, 16u << 20);
    sov_buf_init(&once, 64u << 20);
    sov_buf_init(&twice, 64u << 20);
    for (unsigned octet = 0; octet < 256; octet++) sov_buf_add_byte(&all, (uint8_t)octet);
    for (point = 0x800; point < 0x110000; point++) {
        uint8_t four[] = { (uint8_t)(0xF0 | point >> 18), (uint8_t)(0x80 | (point >> 12 & 0x3F)),
                           (uint8_t)(0x80 | (point >> 6 & 0x3F)),
                           (uint8_t)(0x80 | (point & 0x3F)) };
        uint8_t three[] = { (uint8_t)(0xE0 | (point >> 12 & 0xF)), four[2], four[3] };

        sov_buf_add(&all, point < 0x10000 ? sov_bytes(three, 3) : sov_bytes(four, 4));
    }
    for (unsigned flags = 0; flags < 4; flags++) {
        struct sov_bytes text;

        sov_buf_clear(&once);
        sov_buf_clear(&twice);
        sov_text_visible(sov_buf_bytes(&all), flags, &once);
        text = sov_buf_bytes(&once);
        for (size_t at = 0, size, marks = 0; at < text.size; at += size) {
            size = sov_text_decode(text, at, &point);
            assert_true(size > 0);
            assert_true(!sov_text_is_active(point) ||
                        ((flags & SOV_VISIBLE_BLOCK) && (point == '\n' || point == '\t')));
            marks = sov_text_is_combining(point) ? marks + 1 : 0;
            assert_true(marks <= 4);
        }
        sov_text_visible(text, flags, &twice);
        assert_false(once.cut || twice.cut);
        assert_true(sov_bytes_equal(text, sov_buf_bytes(&twice)));
    }
    sov_buf_release(&all);
    sov_buf_release(&once);
    sov_buf_release(&twice);
}

static void a_slip_of_the_finger_is_near(void **state)
{
    static const struct {
        const char *a, *b;
        unsigned limit, distance;
    } rows[] = {
        { "accept", "accept", 2, 0 },
        { "acept", "accept", 2, 1 },
        { "acecpt", "accept", 2, 1 },
        { "accept", "except", 2, 2 },
        { "", "ab", 2, 2 },
        { "ab", "", 2, 2 },
        { "", "", 2, 0 },
        { "sow", "verify", 2, 3 },
        { "ca", "abc", 5, 2 },
        { "kitten", "sitting", 5, 3 },
        { "kitten", "sitting", 2, 3 },
        { "a", "b", 0, 1 },
        { "a" TEXT62 "xyz", "a" TEXT62 "xyz", 2, 0 },
        { "a" TEXT62 "xyz", "a" TEXT62 "xyy", 2, 3 },
        { "a" TEXT62 "x", "a" TEXT62 "y", 2, 1 },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        unsigned found = sov_text_distance(rows[i].a, rows[i].b, rows[i].limit);

        if (found != rows[i].distance) fail_msg("%s to %s is %u", rows[i].a, rows[i].b, found);
        assert_int_equal(found, sov_text_distance(rows[i].b, rows[i].a, rows[i].limit));
    }
}

/* How many there are of each kind, and the sum of them, as the Unicode data of python3 has it: the
 * end of no range may move unseen. */
static void the_whole_table_is_that_of_unicode_14(void **state)
{
    uint64_t count[3] = { 0 }, sum[3] = { 0 };

    (void)state;
    for (uint32_t point = 0; point <= 0x10FFFF; point++) {
        size_t kind = sov_text_is_active(point)      ? 0
                      : sov_text_is_combining(point) ? 1
                      : sov_text_width(point) == 2   ? 2
                                                     : 3;

        if (kind == 3) continue;
        count[kind]++;
        sum[kind] += point;
    }
    assert_true(count[0] == 969847 && sum[0] == 605975865305);
    assert_true(count[1] == 1931 && sum[1] == 74810761);
    assert_true(count[2] == 117188 && sum[2] == 13181041418);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_told_from_what_only_looks_like_it),
        cmocka_unit_test(a_code_point_is_decoded_or_left_alone),
        cmocka_unit_test(blank_is_nothing_but_white_space),
        cmocka_unit_test(ids_names_and_accounts_keep_to_their_grammar),
        cmocka_unit_test(only_ascii_letters_fold),
        cmocka_unit_test(an_unsafe_path_is_refused_whatever_its_disguise),
        cmocka_unit_test(a_path_is_measured),
        cmocka_unit_test(characters_have_their_class_and_width),
        cmocka_unit_test(outside_text_is_made_visible),
        cmocka_unit_test(everything_becomes_visible_and_stays_so),
        cmocka_unit_test(a_slip_of_the_finger_is_near),
        cmocka_unit_test(the_whole_table_is_that_of_unicode_14),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
