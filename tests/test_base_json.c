#include "base/json.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json_plain.h"
#include "tests/unit.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define FACE "\xf0\x9f\x98\x80"

/* ---- canonical form ---- */

/* RFC 8785 sections 3.2.2 and 3.2.3, and the published test data beside it; where these have a
 * fraction or an exponent the row comes a second time without. */
static const struct {
    const char *text, *canonical; /* NULL: refused */
} forms[] = {
    { "{\"numbers\": [333333333.33333329, 1E30, 4.50,\n 2e-3, 0.000000000000000000000000001],\n"
      "\"string\": \"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\",\n"
      "\"literals\": [null, true, false]}",
      NULL },
    { "{\"string\": \"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\",\n"
      "\"literals\": [null, true, false]}",
      "{\"literals\":[null,true,false],"
      "\"string\":\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}" },
    { "{\"\\u20ac\": \"Euro Sign\", \"\\r\": \"Carriage Return\",\n"
      "\"\\ufb33\": \"Hebrew Letter Dalet With Dagesh\", \"1\": \"One\",\n"
      "\"\\ud83d\\ude00\": \"Emoji: Grinning Face\", \"\\u0080\": \"Control\",\n"
      "\"\\u00f6\": \"Latin Small Letter O With Diaeresis\"}",
      "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xc2\x80\":\"Control\","
      "\"\xc3\xb6\":\"Latin Small Letter O With Diaeresis\",\"\xe2\x82\xac\":\"Euro Sign\","
      "\"" FACE "\":\"Emoji: Grinning Face\","
      "\"\xef\xac\xb3\":\"Hebrew Letter Dalet With Dagesh\"}" },
    { "[56, {\"d\": true, \"10\": null, \"1\": [ ]}]", "[56,{\"1\":[],\"10\":null,\"d\":true}]" },
    { "{\"peach\": \"This sorting order\", \"p\xc3\xa9"
      "ch\xc3\xa9\": \"is wrong\",\n"
      "\"p\xc3\xaa"
      "che\": \"MUST\", \"sin\": \"ignore locale\"}",
      "{\"peach\":\"This sorting order\",\"p\xc3\xa9"
      "ch\xc3\xa9\":\"is wrong\","
      "\"p\xc3\xaa"
      "che\":\"MUST\",\"sin\":\"ignore locale\"}" },
    { "{\"1\": {\"f\": {\"f\": \"hi\", \"F\": 5}, \"\\n\": 56.0}}", NULL },
    { "{\"1\": {\"f\": {\"f\": \"hi\", \"F\": 5}, \"\\n\": 56}, \"10\": { }, \"\": \"empty\",\n"
      "\"a\": { }, \"111\": [ {\"e\": \"yes\", \"E\": \"no\"} ], \"A\": { }}",
      "{\"\":\"empty\",\"1\":{\"\\n\":56,\"f\":{\"F\":5,\"f\":\"hi\"}},\"10\":{},"
      "\"111\":[{\"E\":\"no\",\"e\":\"yes\"}],\"A\":{},\"a\":{}}" },
    { "{\"Unnormalized Unicode\":\"A\\u030a\"}", "{\"Unnormalized Unicode\":\"A\xcc\x8a\"}" },
    { "{\"numbers\":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]}", NULL },
    { "{\"\\u20ac\": \"Euro Sign\", \"\\r\": \"Carriage Return\", \"\\u000a\": \"Newline\",\n"
      "\"1\": \"One\", \"\\u0080\": \"Control\\u007f\", \"\\ud83d\\ude02\": \"Smiley\",\n"
      "\"</script>\": \"Browser Challenge\"}",
      "{\"\\n\":\"Newline\",\"\\r\":\"Carriage Return\",\"1\":\"One\","
      "\"</script>\":\"Browser Challenge\",\"\xc2\x80\":\"Control\x7f\","
      "\"\xe2\x82\xac\":\"Euro Sign\",\"\xf0\x9f\x98\x82\":\"Smiley\"}" },
    /* RFC 8785, appendix B: of its numbers, those that are ours */
    { "[0, -9007199254740991, 9007199254740991]", "[0,-9007199254740991,9007199254740991]" },
    { "[-0]", NULL },
    { "[9007199254740992]", NULL },
    { "[295147905179352830000]", NULL },
    /* integers that a float would lose, and the whole range near it */
    { "[9007199254740989, 9007199254740990, -9007199254740990]",
      "[9007199254740989,9007199254740990,-9007199254740990]" },
};

static void published_examples_have_their_published_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct sov_error err;
        struct sov_buf out;

        sov_buf_init(&out, 4096);
        sov_buf_add_text(&out, "before");
        if (sov_json_canonical(sov_bytes_text(forms[i].text), &sov_scan_own, &out, &err)) {
            struct sov_bytes got = sov_bytes(out.data + 6, out.size - 6);

            if (!forms[i].canonical || !sov_bytes_is(got, forms[i].canonical))
                fail_msg("row %zu is %.*s", i, (int)got.size, (const char *)got.data);
            assert_true(sov_scan_canonical(got, &sov_scan_own, &err));
        } else {
            if (forms[i].canonical) fail_msg("row %zu: %s", i, err.what);
            assert_string_equal(err.code, "bad_json");
            assert_int_equal(out.size, 6);
        }
        sov_buf_release(&out);
    }
}

static void what_does_not_fit_leaves_the_buffer_as_it_was(void **state)
{
    struct sov_error err;
    struct sov_buf out;

    (void)state;
    sov_buf_init(&out, 16);
    sov_buf_add_text(&out, "before");
    assert_false(sov_json_canonical(sov_bytes_text("[1,2,3,4,5,6]"), &sov_scan_own, &out, &err));
    assert_string_equal(err.code, "too_large");
    assert_true(sov_bytes_is(sov_buf_bytes(&out), "before"));
    sov_buf_release(&out);
}

/* ---- foreign texts ---- */

static struct sov_json *parsed(const char *text)
{
    struct sov_json *json = NULL;
    struct sov_error err;

    if (!sov_json_parse(sov_bytes_text(text), &sov_scan_foreign, &json, &err))
        fail_msg("%s: %s", text, err.what);
    return json;
}

static void a_delivery_is_read_by_names_and_numbers(void **state)
{
    struct sov_json *json = parsed("{\"run\":{\"id\":7,\"ok\":true,\"who\":\"x\",\"none\":null},"
                                   "\"alerts\":[{\"n\":1},2,\"three\"],\"Run\":0,\"f\":1.5}");
    const struct sov_json_node *root = sov_json_root(json), *alerts, *child;
    bool yes = false;
    int64_t n = 0;

    (void)state;
    assert_true(sov_json_is_object(root));
    assert_true(sov_json_at(root, NULL) == root);
    assert_true(sov_json_int(sov_json_at(root, "run", "id", NULL), &n));
    assert_int_equal(n, 7);
    assert_true(sov_json_bool(sov_json_at(root, "run", "ok", NULL), &yes));
    assert_true(yes);
    assert_string_equal(sov_json_text(sov_json_at(root, "run", "who", NULL)), "x");
    assert_null(sov_json_at(root, "RUN", NULL));
    assert_null(sov_json_at(root, "run", "id", "deeper", NULL));
    assert_null(sov_json_at(root, "none", "deeper", NULL));
    assert_null(sov_json_at(NULL, "a", NULL));
    alerts = sov_json_at(root, "alerts", NULL);
    assert_true(sov_json_is_list(alerts));
    assert_null(sov_json_at(alerts, "n", NULL));
    assert_int_equal(sov_json_count(alerts), 3);
    assert_true(sov_json_int(sov_json_at(sov_json_item(alerts, 0), "n", NULL), &n));
    assert_int_equal(n, 1);
    assert_string_equal(sov_json_text(sov_json_item(alerts, 2)), "three");
    assert_null(sov_json_item(alerts, 3));
    assert_null(sov_json_item(root, 0));
    assert_int_equal(sov_json_count(root), 4);
    assert_string_equal(sov_json_key(root, 2), "Run");
    assert_null(sov_json_key(root, 4));
    assert_null(sov_json_key(alerts, 0));
    child = sov_json_next(sov_json_first(root));
    assert_string_equal(sov_json_name(child), "alerts");
    assert_null(sov_json_name(sov_json_first(alerts)));
    assert_true(sov_json_next(sov_json_next(sov_json_first(alerts))) == sov_json_item(alerts, 2));
    assert_null(sov_json_next(sov_json_item(alerts, 2)));
    sov_json_close(json);
    sov_json_close(NULL);
}

static void a_node_of_another_kind_or_none_is_refused(void **state)
{
    struct sov_json *json = parsed("[null,true,1,\"t\",[],{},1.5]");
    bool yes = true;
    int64_t n = 99;

    (void)state;
    for (size_t i = 0; i <= 7; i++) {
        const struct sov_json_node *node = sov_json_item(sov_json_root(json), i);

        assert_int_equal(node != NULL, i < 7);
        if (i != 1) assert_false(sov_json_bool(node, &yes));
        if (i != 2) assert_false(sov_json_int(node, &n));
        if (i != 3) assert_null(sov_json_text(node));
        assert_int_equal(sov_json_is_list(node), i == 4);
        assert_int_equal(sov_json_is_object(node), i == 5);
        assert_int_equal(sov_json_count(node), 0);
        assert_null(sov_json_first(node));
    }
    assert_true(yes);
    assert_int_equal(n, 99);
    assert_null(sov_json_next(NULL));
    assert_null(sov_json_name(NULL));
    sov_json_close(json);
}

static void only_whole_numbers_in_range_are_ints(void **state)
{
    static const struct {
        const char *number;
        bool whole;
        int64_t n;
    } rows[] = {
        { "0", true, 0 },
        { "-0", true, 0 },
        { "-0.000e9", true, 0 },
        { "0e99999999999999999999", true, 0 },
        { "12", true, 12 },
        { "-12", true, -12 },
        { "1.0", true, 1 },
        { "1e3", true, 1000 },
        { "1E+3", true, 1000 },
        { "1e0000000000000000000000003", true, 1000 },
        { "1.5e1", true, 15 },
        { "1500e-2", true, 15 },
        { "0.0000015e7", true, 15 },
        { "100200.00", true, 100200 },
        { "1000000000000000000000000e-20", true, 10000 },
        { "1e15", true, INT64_C(1000000000000000) },
        { "9e15", true, INT64_C(9000000000000000) },
        { "9007199254740991", true, INT64_C(9007199254740991) },
        { "-9007199254740991.0", true, -INT64_C(9007199254740991) },
        { "9007199254740990e0", true, INT64_C(9007199254740990) },
        { "90071992547409910000e-4", true, INT64_C(9007199254740991) },
        { "9.007199254740991e15", true, INT64_C(9007199254740991) },
        { "9007199254740992", false, 0 },
        { "9007199254740991.4", false, 0 },
        { "9007199254740999", false, 0 },
        { "-9007199254740992", false, 0 },
        { "1e16", false, 0 },
        { "10e15", false, 0 },
        { "1e400", false, 0 },
        { "1e99999999999999999999", false, 0 },
        { "1e-1", false, 0 },
        { "1e-99999999999999999999", false, 0 },
        { "0.5", false, 0 },
        { "1.00000000000000000001", false, 0 },
        { "1.0000000000000000000000000000000000000000000000000000000000000000000001", false, 0 },
        { "1.0000000000000000000000000000000000000000000000000000000000000000000000", true, 1 },
        { "123456789012345678901234567890123456789012345678901234567890123456789012", false, 0 },
        { "18446744073709551617", false, 0 },
        { "9223372036854775808", false, 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sov_json *json = parsed(rows[i].number);
        int64_t n = 77;

        if (sov_json_int(sov_json_root(json), &n) != rows[i].whole ||
            n != (rows[i].whole ? rows[i].n : 77))
            fail_msg("%s gave %lld", rows[i].number, (long long)n);
        sov_json_close(json);
    }
}

static void nul_and_lone_surrogates_read_as_the_replacement_character(void **state)
{
    static const struct {
        const char *text, *reads;
    } rows[] = {
        { "\"a\\u0000b\"", "a\xef\xbf\xbd"
                           "b" },
        { "\"\\u0000\"", "\xef\xbf\xbd" },
        { "\"\\ud800\"", "\xef\xbf\xbd" },
        { "\"\\udfff!\"", "\xef\xbf\xbd!" },
        { "\"\\ud83d\\ud83d\\ude00\"", "\xef\xbf\xbd" FACE },
        { "\"\\ud83d\\u0041\"", "\xef\xbf\xbd"
                                "A" },
        { "\"\\ud83d\\n\"", "\xef\xbf\xbd\n" },
        { "\"\\\\u0000\"", "\\u0000" },
        { "\"\\\\\\u0000\\\"\"", "\\\xef\xbf\xbd\"" },
        { "\"\\ufffd\\u00e9\\/\\b\"", "\xef\xbf\xbd\xc3\xa9/\b" },
        { "\"12:e, [{\"", "12:e, [{" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sov_json *json = parsed(rows[i].text);

        assert_string_equal(sov_json_text(sov_json_root(json)), rows[i].reads);
        sov_json_close(json);
    }
}

static void a_refused_delivery_leaves_no_document(void **state)
{
    static const char *const refused[] = { "", "{\"a\":1,\"a\":2}", "{\"a\":1", "\"\x01\"",
                                           "\xef\xbb\xbf{}" };
    struct sov_json *json = (struct sov_json *)&refused, *before = json;
    struct sov_error err;

    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        assert_false(sov_json_parse(sov_bytes_text(refused[i]), &sov_scan_foreign, &json, &err));
        assert_string_equal(err.code, "bad_json");
        assert_true(json == before);
    }
}

static void a_tree_of_too_many_values_is_too_large(void **state)
{
    size_t size = SOV_JSON_VALUES * 2 + 1;
    uint8_t *text = sov_alloc(size);
    struct sov_json *json = NULL;
    struct sov_error err;

    (void)state;
    for (size_t i = 0; i < size; i++) text[i] = i % 2 ? '0' : ',';
    text[0] = '[';
    text[size - 1] = ']'; /* a list of 2^20 zeros */
    assert_false(sov_json_parse(sov_bytes(text, size), &sov_scan_foreign, &json, &err));
    assert_string_equal(err.code, "too_large");
    assert_null(json);
    text[size - 3] = ']';
    text[size - 2] = text[size - 1] = ' ';
    assert_true(sov_json_parse(sov_bytes(text, size), &sov_scan_foreign, &json, &err));
    assert_int_equal(sov_json_count(sov_json_root(json)), SOV_JSON_VALUES - 1);
    sov_json_close(json);
    sov_free(text);
}

static void keys_do_not_count_as_values(void **state)
{
    static const char member[] = "{\"k\":0},";
    const size_t count = SOV_JSON_VALUES / 2 - 1, each = sizeof member - 1;
    uint8_t *text = sov_alloc(count * each + 1);
    struct sov_json *json = NULL;
    struct sov_error err;

    (void)state;
    text[0] = '[';
    for (size_t i = 0; i < count; i++) memcpy(text + 1 + i * each, member, each);
    text[count * each] = ']';
    assert_true(sov_json_parse(sov_bytes(text, count * each + 1), &sov_scan_foreign, &json, &err));
    assert_int_equal(sov_json_count(sov_json_root(json)), count);
    sov_json_close(json);
    sov_free(text);
}

/* ---- pointers ---- */

/* the document and most pointers of RFC 6901, section 5 */
static const char pointed[] =
    "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,\"g|h\":4,\"i\\\\j\":5,"
    "\"k\\\"l\":6,\" \":7,\"m~n\":8,\"~1\":9,\"o\":{\"p\":[[10]]},\"\xc3\xa9\":11}";
static const struct {
    const char *pointer, *value;
} pointers[] = {
    { "/foo", "[\"bar\",\"baz\"]" },
    { "/foo/0", "\"bar\"" },
    { "/foo/1", "\"baz\"" },
    { "/", "0" },
    { "/a~1b", "1" },
    { "/c%d", "2" },
    { "/e^f", "3" },
    { "/g|h", "4" },
    { "/i\\j", "5" },
    { "/k\"l", "6" },
    { "/ ", "7" },
    { "/m~0n", "8" },
    { "/~01", "9" },
    { "/o/p/0/0", "10" },
    { "/\xc3\xa9", "11" },
    { "foo", NULL },
    { "/foo/2", NULL },
    { "/foo/-", NULL },
    { "/foo/00", NULL },
    { "/foo/01", NULL },
    { "/foo/+1", NULL },
    { "/foo/", NULL },
    { "/foo/18446744073709551616", NULL },
    { "/foo/0/0", NULL },
    { "/foo/bar", NULL },
    { "/a/b", NULL },
    { "/m~n", NULL },
    { "/m~", NULL },
    { "/m~2n", NULL },
    { "/fo", NULL },
    { "/fooo", NULL },
    { "//", NULL },
    { "/o/p/", NULL },
    { "/absent/deeper", NULL },
    { "#/foo", NULL },
};

static void a_pointer_finds_its_value_or_none(void **state)
{
    struct sov_buf out;
    struct sov_error err;
    struct sov_value root;

    (void)state;
    sov_buf_init(&out, sizeof pointed);
    assert_true(sov_json_canonical(sov_bytes_text(pointed), &sov_scan_own, &out, &err));
    root = sov_value(sov_buf_bytes(&out));
    assert_true(sov_json_pointer(root, sov_bytes_text("")).octets.data == out.data);
    for (size_t i = 0; i < COUNT(pointers); i++) {
        struct sov_value got = sov_json_pointer(root, sov_bytes_text(pointers[i].pointer));

        if (sov_value_there(got) != (pointers[i].value != NULL) ||
            (pointers[i].value && !sov_bytes_is(got.octets, pointers[i].value)))
            fail_msg("%s", pointers[i].pointer);
    }
    sov_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_examples_have_their_published_form),
        cmocka_unit_test(what_does_not_fit_leaves_the_buffer_as_it_was),
        cmocka_unit_test(a_delivery_is_read_by_names_and_numbers),
        cmocka_unit_test(a_node_of_another_kind_or_none_is_refused),
        cmocka_unit_test(only_whole_numbers_in_range_are_ints),
        cmocka_unit_test(nul_and_lone_surrogates_read_as_the_replacement_character),
        cmocka_unit_test(a_refused_delivery_leaves_no_document),
        cmocka_unit_test(a_tree_of_too_many_values_is_too_large),
        cmocka_unit_test(keys_do_not_count_as_values),
        cmocka_unit_test(a_pointer_finds_its_value_or_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
