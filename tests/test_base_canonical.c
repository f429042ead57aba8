#include "base/canonical.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scan.h"
#include "tests/unit.h"

struct bench {
    struct sov_buf buf;
    struct sov_writer w;
};

static void begin(struct bench *b, size_t size_max)
{
    sov_buf_init(&b->buf, size_max);
    sov_writer_init(&b->w, &b->buf);
}

static void ends_as(struct bench *b, const char *wanted)
{
    struct sov_error err;

    assert_true(sov_writer_done(&b->w));
    assert_true(sov_buf_whole(&b->buf, "it", &err));
    assert_int_equal(b->buf.size, strlen(wanted));
    assert_memory_equal(b->buf.data, wanted, b->buf.size);
    assert_true(sov_scan_canonical(sov_buf_bytes(&b->buf), &sov_scan_own, &err));
    sov_buf_release(&b->buf);
}

static void an_object_of_every_kind_is_written(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 1000);
    sov_write_object(&b.w);
    sov_put_bool(&b.w, "a", true);
    sov_put_bool(&b.w, "b", false);
    sov_put_bytes(&b.w, "c", sov_bytes("x\"y", 3));
    sov_put_hex(&b.w, "d", sov_bytes("\x00\x9f\xff", 3));
    sov_put_int(&b.w, "e", -12);
    sov_put_list(&b.w, "f");
    sov_write_int(&b.w, 1);
    sov_write_null(&b.w);
    sov_write_list(&b.w);
    sov_write_end(&b.w);
    sov_write_object(&b.w);
    sov_write_end(&b.w);
    sov_write_end(&b.w);
    sov_put_object(&b.w, "g");
    sov_put_text(&b.w, "", "");
    sov_write_end(&b.w);
    sov_put_raw(&b.w, "h", sov_bytes_text("{\"z\":[1,2]}"));
    sov_put_text(&b.w, "i", "end");
    assert_false(sov_writer_done(&b.w));
    sov_write_end(&b.w);
    ends_as(&b, "{\"a\":true,\"b\":false,\"c\":\"x\\\"y\",\"d\":\"009fff\",\"e\":-12,"
                "\"f\":[1,null,[],{}],\"g\":{\"\":\"\"},\"h\":{\"z\":[1,2]},\"i\":\"end\"}");
}

static void a_lone_scalar_is_a_whole_value(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 100);
    assert_false(sov_writer_done(&b.w));
    sov_write_int(&b.w, INT64_C(9007199254740991));
    ends_as(&b, "9007199254740991");
    begin(&b, 100);
    sov_write_int(&b.w, -INT64_C(9007199254740991));
    ends_as(&b, "-9007199254740991");
    begin(&b, 100);
    sov_write_text(&b.w, (struct sov_bytes){ 0 });
    ends_as(&b, "\"\"");
}

/* RFC 8785, 3.2.2.2 and the shortest escapes of ECMAScript. */
static void texts_have_the_shortest_escapes(void **state)
{
    static const char text[] = "\xe2\x82\xac$\x0f\nA'B\"\\\\\"/\b\f\r\t\x1f\x7f\xe2\x80\xa8";
    struct bench b;

    (void)state;
    begin(&b, 200);
    sov_write_text(&b.w, sov_bytes_text(text));
    ends_as(&b,
            "\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\\b\\f\\r\\t\\u001f\x7f\xe2\x80\xa8\"");
}

static void every_control_is_escaped_as_the_scan_wants_it(void **state)
{
    (void)state;
    for (unsigned c = 1; c < 0x80; c++) {
        const uint8_t text[] = { 'x', (uint8_t)c, 'y' };
        uint8_t back[8];
        struct sov_error err;
        struct bench b;
        struct sov_value value;

        begin(&b, 100);
        sov_write_text(&b.w, sov_bytes(text, sizeof text));
        value = sov_value(sov_buf_bytes(&b.buf));
        assert_true(sov_scan_canonical(value.octets, &sov_scan_own, &err));
        assert_int_equal(sov_value_text(value, back, sizeof back), sizeof text);
        assert_memory_equal(back, text, sizeof text);
        sov_buf_release(&b.buf);
    }
}

static void the_deepest_nesting_is_sixteen(void **state)
{
    struct bench b;

    (void)state;
    begin(&b, 100);
    for (int i = 0; i < SOV_WRITER_DEPTH; i++) sov_write_list(&b.w);
    for (int i = 0; i < SOV_WRITER_DEPTH; i++) sov_write_end(&b.w);
    ends_as(&b, "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]");
}

static void what_does_not_fit_is_told_once_at_the_end(void **state)
{
    struct sov_error err;
    struct bench b;

    (void)state;
    begin(&b, 10);
    sov_write_object(&b.w);
    sov_put_text(&b.w, "a", "a text that is too long");
    sov_put_int(&b.w, "b", 1);
    sov_put_int(&b.w, "c", 1);
    sov_write_end(&b.w);
    assert_true(sov_writer_done(&b.w));
    assert_false(sov_buf_whole(&b.buf, "the payload", &err));
    assert_string_equal(err.code, "too_large");
    sov_buf_release(&b.buf);
}

static void writing_goes_on_behind_what_the_buffer_holds(void **state)
{
    struct bench b;

    (void)state;
    sov_buf_init(&b.buf, 100);
    sov_buf_add_text(&b.buf, "tag\n");
    sov_writer_init(&b.w, &b.buf);
    sov_write_object(&b.w);
    sov_put_int(&b.w, "b", 1);
    sov_put_int(&b.w, "c", 2);
    sov_write_end(&b.w);
    assert_true(sov_bytes_is(sov_buf_bytes(&b.buf), "tag\n{\"b\":1,\"c\":2}"));
    sov_buf_release(&b.buf);
}

/* ---- a caller's bug ends the process; each in a child, which is silent ---- */

static void key_out_of_order(struct sov_writer *w)
{
    sov_write_object(w);
    sov_put_int(w, "b", 1);
    sov_put_int(w, "a", 1);
}

static void key_twice(struct sov_writer *w)
{
    sov_write_object(w);
    sov_put_int(w, "a", 1);
    sov_put_int(w, "a", 1);
}

static void key_out_of_order_behind_a_scope(struct sov_writer *w)
{
    sov_write_object(w);
    sov_put_object(w, "b");
    sov_put_int(w, "z", 1);
    sov_write_end(w);
    sov_put_int(w, "a", 1);
}

static void key_with_a_quote(struct sov_writer *w)
{
    sov_write_object(w);
    sov_put_int(w, "a\"", 1);
}

static void key_not_ascii(struct sov_writer *w)
{
    sov_write_object(w);
    sov_put_int(w, "\xc3\xa9", 1);
}

static void key_in_a_list(struct sov_writer *w)
{
    sov_write_list(w);
    sov_write_key(w, "a");
}

static void key_at_the_top(struct sov_writer *w)
{
    sov_write_key(w, "a");
}

static void two_keys_in_a_row(struct sov_writer *w)
{
    sov_write_object(w);
    sov_write_key(w, "a");
    sov_write_key(w, "b");
}

static void value_without_a_key(struct sov_writer *w)
{
    sov_write_object(w);
    sov_write_null(w);
}

static void end_behind_a_key(struct sov_writer *w)
{
    sov_write_object(w);
    sov_write_key(w, "a");
    sov_write_end(w);
}

static void end_of_nothing(struct sov_writer *w)
{
    sov_write_end(w);
}

static void two_values(struct sov_writer *w)
{
    sov_write_null(w);
    sov_write_null(w);
}

static void int_out_of_range(struct sov_writer *w)
{
    sov_write_int(w, INT64_C(9007199254740992));
}

static void negative_out_of_range(struct sov_writer *w)
{
    sov_write_int(w, -INT64_C(9007199254740992));
}

static void text_not_utf8(struct sov_writer *w)
{
    sov_write_text(w, sov_bytes_text("a\xed\xa0\x80"));
}

static void text_with_a_nul(struct sov_writer *w)
{
    sov_write_text(w, sov_bytes("a\0b", 3));
}

static void raw_not_canonical(struct sov_writer *w)
{
    sov_write_raw(w, sov_bytes_text("[1, 2]"));
}

static void raw_too_deep(struct sov_writer *w)
{
    for (int i = 0; i < SOV_WRITER_DEPTH; i++) sov_write_list(w);
    sov_write_raw(w, sov_bytes_text("[]"));
}

static void nested_too_deep(struct sov_writer *w)
{
    for (int i = 0; i <= SOV_WRITER_DEPTH; i++) sov_write_list(w);
}

static bool aborts(void (*bug)(struct sov_writer *w))
{
    pid_t child = fork();
    int status = 0;

    assert_true(child >= 0);
    if (!child) {
        const struct rlimit no_core = { 0, 0 };
        struct bench b;

        signal(SIGABRT, SIG_DFL);
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        begin(&b, 1000);
        bug(&b.w);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void a_callers_bug_ends_the_process(void **state)
{
    static void (*const bugs[])(struct sov_writer * w) = {
        key_out_of_order,      key_twice,         key_out_of_order_behind_a_scope,
        key_with_a_quote,      key_not_ascii,     key_in_a_list,
        key_at_the_top,        two_keys_in_a_row, value_without_a_key,
        end_behind_a_key,      end_of_nothing,    two_values,
        int_out_of_range,      text_not_utf8,     text_with_a_nul,
        raw_not_canonical,     raw_too_deep,      nested_too_deep,
        negative_out_of_range,
    };

    (void)state;
    for (size_t i = 0; i < sizeof bugs / sizeof *bugs; i++)
        if (!aborts(bugs[i])) fail_msg("bug %zu goes unseen", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_of_every_kind_is_written),
        cmocka_unit_test(a_lone_scalar_is_a_whole_value),
        cmocka_unit_test(texts_have_the_shortest_escapes),
        cmocka_unit_test(every_control_is_escaped_as_the_scan_wants_it),
        cmocka_unit_test(the_deepest_nesting_is_sixteen),
        cmocka_unit_test(what_does_not_fit_is_told_once_at_the_end),
        cmocka_unit_test(writing_goes_on_behind_what_the_buffer_holds),
        cmocka_unit_test(a_callers_bug_ends_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
