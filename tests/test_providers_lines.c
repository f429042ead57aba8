#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "providers/lines.h"

/* What came out, as text: the objects, then the counts and the failure. */
struct seen {
    struct sov_buf text;
    const char *refuse; /* an object the adapter does not want */
};

static bool take(void *self, struct sov_bytes object, enum sov_line_kind *kind_out,
                 struct sov_error *err)
{
    struct seen *seen = self;

    if (seen->refuse && sov_bytes_is(object, seen->refuse))
        return sov_lines_fail(err, "the adapter says no");
    sov_buf_add(&seen->text, object);
    sov_buf_add_byte(&seen->text, '\n');
    *kind_out = object.size > 5 && object.data[2] == 'u'   ? SOV_LINE_UNKNOWN
                : object.size > 5 && object.data[2] == 't' ? SOV_LINE_TERMINAL
                                                           : SOV_LINE_KNOWN;
    return true;
}

enum { SMALL_LINE = 200, CHUNK_MOST = 97 };

/* All of the input in chunks of `step`; text_out tells everything that can be seen. */
static void play(enum sov_lines_mode mode, struct sov_bytes input, size_t step, bool exited_zero,
                 const char *refuse, struct sov_buf *text_out)
{
    SOV_CLEANUP(sov_lines_release) struct sov_lines lines = { 0 };
    struct seen seen = { .refuse = refuse };
    struct sov_error err = { 0 };
    bool ok = true;

    sov_buf_init(&seen.text, 1 << 20);
    sov_lines_init(&lines, mode, SMALL_LINE, &seen, take);
    for (size_t at = 0; ok && at < input.size; at += step) {
        size_t left = input.size - at;
        uint8_t *chunk = sov_alloc(step); /* of its own: an overrun is seen by the sanitizer */

        memcpy(chunk, input.data + at, left < step ? left : step);
        ok = sov_lines_feed(&lines, sov_bytes(chunk, left < step ? left : step), &err);
        sov_free(chunk);
    }
    ok = ok && sov_lines_finish(&lines, exited_zero, &err);
    sov_buf_add(text_out, sov_buf_bytes(&seen.text));
    sov_buf_printf(text_out, "%d%d%d%d%d", (int)lines.counts.lines, (int)lines.counts.unknown,
                   (int)lines.counts.noise, (int)lines.counts.after_terminal,
                   lines.counts.partial_line);
    if (!ok) sov_buf_printf(text_out, " %d %s: %s", err.exit, err.code, err.what);
    sov_buf_release(&seen.text);
}

/* A wanted end is compared as the beginning of what follows the objects: the counts, and for a
 * failure its code and sentence. */
static void assert_played(enum sov_lines_mode mode, struct sov_bytes input, bool exited_zero,
                          const char *refuse, const char *wanted, const char *name)
{
    struct sov_buf whole;

    sov_buf_init(&whole, 1 << 20);
    play(mode, input, input.size + 1, exited_zero, refuse, &whole);
    if (whole.size < strlen(wanted) || memcmp(whole.data, wanted, strlen(wanted)) != 0)
        fail_msg("%s: got %.*s", name, (int)whole.size, (const char *)whole.data);
    if (!strstr(wanted, "malformed") && whole.size != strlen(wanted))
        fail_msg("%s: got %.*s", name, (int)whole.size, (const char *)whole.data);
    for (size_t step = 1; step <= CHUNK_MOST; step++) {
        struct sov_buf split;

        sov_buf_init(&split, 1 << 20);
        play(mode, input, step, exited_zero, refuse, &split);
        if (!sov_bytes_equal(sov_buf_bytes(&split), sov_buf_bytes(&whole)))
            fail_msg("%s: in chunks of %zu got %.*s", name, step, (int)split.size,
                     (const char *)split.data);
        sov_buf_release(&split);
    }
    sov_buf_release(&whole);
}

#define BAD " 1 malformed_stream: line "
#define OBJECT "{\"a\":1}\n"
#define LAST "{\"t\":1}\n"
#define DEEP_63 "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
#define SHUT_63 "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"

static const struct row {
    struct sov_bytes input;
    const char *strict, *vendor;
} rows[] = {
#define ROW(text, strict, vendor)                                                                  \
    {                                                                                              \
        { (const uint8_t *)text, sizeof text - 1 }, strict, vendor                                 \
    }
    ROW("", "00000", "00000"),
    ROW(OBJECT, OBJECT "10000", OBJECT "10000"),
    ROW("{\"a\":1}\r\n" OBJECT, OBJECT OBJECT "20000", OBJECT OBJECT "20000"),
    ROW("{\"a\":1}\r\r\n", "{\"a\":1}\r\n10000", "{\"a\":1}\r\n10000"),
    /* empty, noise */
    ROW("\n" OBJECT, "00000" BAD "1 is empty", OBJECT "10000"),
    ROW(OBJECT "\r\n\r\n", OBJECT "10000" BAD "2 is empty", OBJECT "10000"),
    ROW("hint\n" OBJECT, "00000" BAD "1 is no JSON object", OBJECT "10100"),
    ROW(" " OBJECT, "00000" BAD "1 is no JSON object", "00100"),
    ROW("[1]\n\"x\"\n", "00000" BAD "1 is no JSON object", "00200"),
    /* malformed for anyone */
    ROW("{\"a\":1}{}\n", "00000" BAD "1: ", "00000" BAD "1: "),
    ROW("{\"a\":1} 1\n", "00000" BAD "1: ", "00000" BAD "1: "),
    ROW("{\"a\":1,\"a\":2}\n", "00000" BAD "1: ", "00000" BAD "1: "),
    ROW("{\"a\":1,\"\\u0061\":2}\n", "00000" BAD "1: ", "00000" BAD "1: "),
    ROW("{\"a\":}\n", "00000" BAD "1: ", "00000" BAD "1: "),
    ROW("{\n", "00000" BAD "1: ", "00000" BAD "1: "),
    ROW("{\"a\":\"\0\"}\n", "00000" BAD "1: ", "00000" BAD "1: "),
    ROW("{\"a\":\"\xff\"}\n", "00000" BAD "1: ", "00000" BAD "1: "),
    ROW("{\"a\":\"\xed\xa0\x80\"}\n", "00000" BAD "1: ", "00000" BAD "1: "),
    ROW("x\0y\n", "00000" BAD "1 is no JSON object", "00000" BAD "1 has a NUL"),
    ROW("x\xffy\n", "00000" BAD "1 is no JSON object", "00000" BAD "1 is no UTF-8"),
    ROW("\xef\xbb\xbf" OBJECT, "00000" BAD "1 is no", "00000" BAD "1 begins with a byte order"),
    ROW("{\"a\":" DEEP_63 SHUT_63 "}\n", "{\"a\":" DEEP_63 SHUT_63 "}\n10000",
        "{\"a\":" DEEP_63 SHUT_63 "}\n10000"),
    ROW("{\"a\":[" DEEP_63 SHUT_63 "]}\n", "00000" BAD "1: ", "00000" BAD "1: "),
    ROW(OBJECT "{\"a\":x}\n" OBJECT, OBJECT "10000" BAD "2: ", OBJECT "10000" BAD "2: "),
    /* what tool output and costs have */
    ROW("{\"a\":\"\\u0000\"}\n", "00000" BAD "1: ", "{\"a\":\"\\u0000\"}\n10000"),
    ROW("{\"a\":\"\\ud800\"}\n", "00000" BAD "1: ", "{\"a\":\"\\ud800\"}\n10000"),
    ROW("{\"a\":1.5}\n", "00000" BAD "1: ", "{\"a\":1.5}\n10000"),
    ROW("{\"a\":1e3}\n", "00000" BAD "1: ", "{\"a\":1e3}\n10000"),
    ROW("{\"u\":1}\n", "{\"u\":1}\n10000" BAD "1 is of no known type", "{\"u\":1}\n11000"),
    /* the terminal event */
    ROW(OBJECT LAST, OBJECT LAST "20000", OBJECT LAST "20000"),
    ROW(LAST OBJECT, LAST OBJECT "20010", LAST OBJECT "20010"),
    ROW(LAST "hint\n{\"u\":1}\n", LAST "10000" BAD "2 is no", LAST "{\"u\":1}\n21120"),
    ROW(LAST LAST, LAST LAST "20000" BAD "2 is a second", LAST LAST "20000" BAD "2 is a second"),
    /* the adapter's own refusal */
    ROW(OBJECT "{\"no\":1}\n" OBJECT, OBJECT "20000 1 malformed_stream: the adapter says no",
        OBJECT "20000 1 malformed_stream: the adapter says no"),
};

static void any_chunks_give_the_lines_counts_and_failure_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[40];

        snprintf(name, sizeof name, "row %zu strict", i);
        assert_played(SOV_LINES_STRICT, rows[i].input, true, "{\"no\":1}", rows[i].strict, name);
        snprintf(name, sizeof name, "row %zu vendor", i);
        assert_played(SOV_LINES_VENDOR, rows[i].input, true, "{\"no\":1}", rows[i].vendor, name);
    }
}

static void an_unfinished_last_line_is_forgiven_a_vendor_that_failed(void **state)
{
    struct sov_bytes cut = sov_bytes_text(OBJECT "{\"a\":"), full = sov_bytes_text("{\"a\":1}");
    static const char not_finished[] = OBJECT "10000" BAD "2 is not finished";

    (void)state;
    assert_played(SOV_LINES_STRICT, cut, true, NULL, not_finished, "strict 0");
    assert_played(SOV_LINES_STRICT, cut, false, NULL, not_finished, "strict 3");
    assert_played(SOV_LINES_VENDOR, cut, true, NULL, not_finished, "vendor 0");
    assert_played(SOV_LINES_VENDOR, cut, false, NULL, OBJECT "10001", "vendor 3");
    /* A whole object without its line feed is cut all the same: more could have come. */
    assert_played(SOV_LINES_VENDOR, full, false, NULL, "00001", "whole");
}

/* One object of exactly `size` octets. */
static struct sov_bytes long_line(uint8_t *out, size_t size)
{
    memset(out, 'x', size);
    memcpy(out, "{\"a\":\"", 6);
    memcpy(out + size - 2, "\"}\n", 3);
    return sov_bytes(out, size + 1);
}

static void a_line_may_have_the_limit_and_not_one_octet_more(void **state)
{
    uint8_t octets[SMALL_LINE + 8];
    static const enum sov_lines_mode modes[] = { SOV_LINES_STRICT, SOV_LINES_VENDOR };
    char wanted[SMALL_LINE + 20];
    struct sov_bytes line;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        line = long_line(octets, SMALL_LINE);
        snprintf(wanted, sizeof wanted, "%.*s10000", (int)line.size, (const char *)line.data);
        assert_played(modes[i], line, true, NULL, wanted, "at the limit");
        line = long_line(octets, SMALL_LINE + 1);
        assert_played(modes[i], line, true, NULL, "00000" BAD "1 is too long", "over it");
        line.size--; /* unfinished, and an exit that would forgive it */
        assert_played(modes[i], line, false, NULL, "00000" BAD "1 is too long", "unfinished");
    }
}

static bool count_only(void *self, struct sov_bytes object, enum sov_line_kind *kind_out,
                       struct sov_error *err)
{
    (void)self;
    (void)object;
    (void)kind_out;
    (void)err;
    return true;
}

static void four_mebibytes_are_a_line_and_memory_stays_bounded(void **state)
{
    SOV_CLEANUP(sov_lines_release) struct sov_lines lines = { 0 };
    struct sov_error err = { 0 };
    uint8_t *octets = sov_alloc(SOV_LINES_LINE + 2);
    struct sov_bytes line = long_line(octets, SOV_LINES_LINE);

    (void)state;
    sov_lines_init(&lines, SOV_LINES_STRICT, SOV_LINES_LINE, NULL, count_only);
    assert_true(sov_lines_feed(&lines, sov_bytes(line.data, 1000), &err));
    assert_true(sov_lines_feed(&lines, sov_bytes(line.data + 1000, line.size - 1000), &err));
    assert_int_equal(lines.counts.lines, 1);
    /* One octet more, and again after it was given up: nothing is kept. */
    assert_true(sov_lines_feed(&lines, sov_bytes(line.data, 1), &err));
    for (int i = 0; i < 3; i++) {
        assert_false(sov_lines_feed(&lines, sov_bytes(line.data, SOV_LINES_LINE), &err));
        assert_string_equal(err.code, "malformed_stream");
    }
    assert_false(sov_lines_finish(&lines, false, &err));
    assert_true(lines.carry.size <= SOV_LINES_LINE && lines.carry.room <= SOV_LINES_LINE);
    assert_int_equal(lines.counts.lines, 1);
    sov_free(octets);
}

static void a_thousand_lines_of_noise_are_borne(void **state)
{
    SOV_CLEANUP(sov_lines_release) struct sov_lines lines = { 0 };
    struct sov_error err = { 0 };

    (void)state;
    sov_lines_init(&lines, SOV_LINES_VENDOR, SMALL_LINE, NULL, count_only);
    for (int i = 0; i < 1000; i++)
        assert_true(sov_lines_feed(&lines, sov_bytes_text("update available\n\n"), &err));
    assert_true(sov_lines_feed(&lines, sov_bytes_text(OBJECT), &err));
    assert_int_equal(lines.counts.noise, 1000);
    assert_int_equal(lines.counts.lines, 1);
    assert_false(sov_lines_feed(&lines, sov_bytes_text("update available\n"), &err));
    assert_string_equal(err.code, "malformed_stream");
    assert_int_equal(err.exit, SOV_NO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_chunks_give_the_lines_counts_and_failure_of_the_table),
        cmocka_unit_test(an_unfinished_last_line_is_forgiven_a_vendor_that_failed),
        cmocka_unit_test(a_line_may_have_the_limit_and_not_one_octet_more),
        cmocka_unit_test(four_mebibytes_are_a_line_and_memory_stays_bounded),
        cmocka_unit_test(a_thousand_lines_of_noise_are_borne),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
