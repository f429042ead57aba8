#include "base/canonical.h"

#include <string.h>

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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
