#include "base/scan.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/scan_char.h"
#include "tests/unit.h"

#define TEXT(s)                                                                                    \
    {                                                                                              \
        (const uint8_t *)(s), sizeof(s) - 1                                                        \
    }
#define COUNT(a) (sizeof(a) / sizeof *(a))
#define FACE "\xf0\x9f\x98\x80"

enum { OWN = 1, FOREIGN = 2, CANONICAL = 4 };

static bool passes(int how, struct sov_bytes text, struct sov_error *err)
{
    const struct sov_scan_rules *rules = how == FOREIGN ? &sov_scan_foreign : &sov_scan_own;
    struct sov_error before;
    bool passed;

    memset(err, 0x5a, sizeof *err);
    before = *err;
    passed = how == CANONICAL ? sov_scan_canonical(text, rules, err) : sov_scan(text, rules, err);
    if (passed) {
        assert_memory_equal(&before, err, sizeof before);
    } else {
        assert_string_equal(err->code, "bad_json");
        assert_int_equal(err->exit, SOV_USAGE);
    }
    return passed;
}

static const struct {
    struct sov_bytes text;
    int passes; /* bits of who lets it through */
} rows[] = {
    /* whole values */
    { TEXT("null"), OWN | FOREIGN | CANONICAL },
    { TEXT("true"), OWN | FOREIGN | CANONICAL },
    { TEXT("false"), OWN | FOREIGN | CANONICAL },
    { TEXT("\"\""), OWN | FOREIGN | CANONICAL },
    { TEXT("{}"), OWN | FOREIGN | CANONICAL },
    { TEXT("[]"), OWN | FOREIGN | CANONICAL },
    { TEXT("[[],{},[{}]]"), OWN | FOREIGN | CANONICAL },
    { TEXT("{\"a\":{\"b\":[1,2,{\"c\":null}]},\"b\":true}"), OWN | FOREIGN | CANONICAL },
    { TEXT(" [ 1 , 2 ] "), OWN | FOREIGN },
    { TEXT("\t{\r\n\"a\" : 1 }\n"), OWN | FOREIGN },
    { TEXT("{\"a\":1 }"), OWN | FOREIGN },
    { TEXT("{\"a\": 1}"), OWN | FOREIGN },
    { TEXT("null\n"), OWN | FOREIGN },
    { TEXT(" null"), OWN | FOREIGN },
    { TEXT(""), 0 },
    { TEXT(" "), 0 },
    { TEXT("nul"), 0 },
    { TEXT("nulL"), 0 },
    { TEXT("nullx"), 0 },
    { TEXT("True"), 0 },
    { TEXT("NaN"), 0 },
    { TEXT("Infinity"), 0 },
    { TEXT("undefined"), 0 },
    { TEXT("null null"), 0 },
    { TEXT("{}{}"), 0 },
    { TEXT("{},"), 0 },
    { TEXT("[]]"), 0 },
    { TEXT("null\0"), 0 },
    { TEXT("\0"), 0 },
    { TEXT("\xef\xbb\xbf{}"), 0 },
    { TEXT("\xff\xfe{\0}\0"), 0 },
    { TEXT("{\0}\0"), 0 },
    { TEXT("\v1"), 0 },
    { TEXT("\xc2\xa0"
           "1"),
      0 },
    { TEXT("/* c */1"), 0 },
    { TEXT("1 // c"), 0 },
    /* lists and objects */
    { TEXT("["), 0 },
    { TEXT("[1"), 0 },
    { TEXT("[1,"), 0 },
    { TEXT("[1,]"), 0 },
    { TEXT("[,1]"), 0 },
    { TEXT("[,]"), 0 },
    { TEXT("[1,,2]"), 0 },
    { TEXT("[1 2]"), 0 },
    { TEXT("[1}"), 0 },
    { TEXT("[\"a\":1]"), 0 },
    { TEXT("]"), 0 },
    { TEXT("}"), 0 },
    { TEXT(","), 0 },
    { TEXT(":"), 0 },
    { TEXT("{"), 0 },
    { TEXT("{]"), 0 },
    { TEXT("{\"a\""), 0 },
    { TEXT("{\"a\":"), 0 },
    { TEXT("{\"a\":1"), 0 },
    { TEXT("{\"a\":1,"), 0 },
    { TEXT("{\"a\":1,}"), 0 },
    { TEXT("{\"a\" 1}"), 0 },
    { TEXT("{\"a\",1}"), 0 },
    { TEXT("{\"a\":}"), 0 },
    { TEXT("{a:1}"), 0 },
    { TEXT("{'a':1}"), 0 },
    { TEXT("{1:1}"), 0 },
    { TEXT("{null:1}"), 0 },
    { TEXT("{,\"a\":1}"), 0 },
    { TEXT("{\"a\":1]"), 0 },
    { TEXT("{\"a\":1:2}"), 0 },
    /* keys */
    { TEXT("{\"\":0,\"a\":1}"), OWN | FOREIGN | CANONICAL },
    { TEXT("{\"a\":1,\"b\":2,\"c\":3}"), OWN | FOREIGN | CANONICAL },
    { TEXT("{\"a\":1,\"ab\":2,\"b\":3}"), OWN | FOREIGN | CANONICAL },
    { TEXT("{\"b\":1,\"a\":2}"), OWN | FOREIGN },
    { TEXT("{\"ab\":1,\"a\":2}"), OWN | FOREIGN },
    { TEXT("{\"a\":{\"z\":1},\"b\":{\"a\":1}}"), OWN | FOREIGN | CANONICAL },
    { TEXT("[{\"z\":1},{\"a\":1}]"), OWN | FOREIGN | CANONICAL },
    { TEXT("{\"a\":1,\"a\":1}"), 0 },
    { TEXT("{\"\":1,\"\":1}"), 0 },
    { TEXT("{\"a\":1,\"b\":2,\"a\":3}"), 0 },
    { TEXT("{\"a\":1,\"\\u0061\":2}"), 0 },
    { TEXT("{\"a\":{\"b\":1,\"c\":{},\"b\":2}}"), 0 },
    { TEXT("{\"\xc3\xa9\":1,\"\\u00e9\":2}"), 0 },
    { TEXT("{\"/\":1,\"\\/\":2}"), 0 },
    { TEXT("{\"\\n\":1,\"\\u000A\":2}"), 0 },
    { TEXT("{\"" FACE "\":1,\"\\ud83d\\ude00\":2}"), 0 },
    { TEXT("{\"\\uD83D\\uDE00\":1,\"\\ud83d\\ude00\":2}"), 0 },
    { TEXT("{\"\xc3\xa9\":1,\"e\xcc\x81\":2}"), OWN | FOREIGN }, /* no normalisation */
    { TEXT("{\"e\xcc\x81\":1,\"\xc3\xa9\":2}"), OWN | FOREIGN | CANONICAL },
    /* U+1F600 comes before U+E000 and U+FFFF by UTF-16 units, though not by code points */
    { TEXT("{\"" FACE "\":1,\"\xee\x80\x80\":2,\"\xef\xbf\xbf\":3}"), OWN | FOREIGN | CANONICAL },
    { TEXT("{\"\xed\x9f\xbf\":1,\"" FACE "\":2}"), OWN | FOREIGN | CANONICAL },
    { TEXT("{\"\xef\xac\xb3\":1,\"" FACE "\":2}"), OWN | FOREIGN },
    { TEXT("{\"\xee\x80\x80\":1,\"" FACE "\":2}"), OWN | FOREIGN },
    { TEXT("{\"x" FACE "\":1,\"x\xef\xac\xb3\":2}"), OWN | FOREIGN | CANONICAL },
    /* an escape stands for its character, not for its backslash */
    { TEXT("{\"\\n\":1,\"A\":2}"), OWN | FOREIGN | CANONICAL },
    { TEXT("{\"A\":1,\"\\n\":2}"), OWN | FOREIGN },
    { TEXT("{\"\\\"\":1,\"A\":2,\"\\\\\":3,\"a\":4}"), OWN | FOREIGN | CANONICAL },
    { TEXT("{\"\\t\":1,\"\\n\":2,\"\\u000b\":3,\" \":4}"), OWN | FOREIGN | CANONICAL },
    { TEXT("{\"x\\u001f\":1,\"x!\":2,\"x\\\"\":3,\"x#\":4}"), OWN | FOREIGN | CANONICAL },
    { TEXT("{\"x!\":1,\"x\\u001f\":2}"), OWN | FOREIGN },
    /* numbers */
    { TEXT("0"), OWN | FOREIGN | CANONICAL },
    { TEXT("-1"), OWN | FOREIGN | CANONICAL },
    { TEXT("1234567890"), OWN | FOREIGN | CANONICAL },
    { TEXT("9007199254740991"), OWN | FOREIGN | CANONICAL },
    { TEXT("-9007199254740991"), OWN | FOREIGN | CANONICAL },
    { TEXT("9007199254740992"), FOREIGN },
    { TEXT("-9007199254740992"), FOREIGN },
    { TEXT("9999999999999999"), FOREIGN },
    { TEXT("10000000000000000"), FOREIGN },
    { TEXT("18446744073709551617"), FOREIGN },
    { TEXT("-0"), FOREIGN },
    { TEXT("0.0"), FOREIGN },
    { TEXT("-0.0"), FOREIGN },
    { TEXT("1.0"), FOREIGN },
    { TEXT("1.5"), FOREIGN },
    { TEXT("1e2"), FOREIGN },
    { TEXT("1E400"), FOREIGN },
    { TEXT("1e-400"), FOREIGN },
    { TEXT("1.25e+10"), FOREIGN },
    { TEXT("0e0"), FOREIGN },
    { TEXT("00"), 0 },
    { TEXT("01"), 0 },
    { TEXT("-01"), 0 },
    { TEXT("-"), 0 },
    { TEXT("--1"), 0 },
    { TEXT("+1"), 0 },
    { TEXT("1."), 0 },
    { TEXT(".5"), 0 },
    { TEXT("1.e2"), 0 },
    { TEXT("1e"), 0 },
    { TEXT("1e+"), 0 },
    { TEXT("1e1.5"), 0 },
    { TEXT("0x10"), 0 },
    { TEXT("1_000"), 0 },
    { TEXT("1a"), 0 },
    { TEXT("-a"), 0 },
    { TEXT("\xef\xbc\x91"), 0 },
    /* strings */
    { TEXT("\"plain text of some length, longer than eight\""), OWN | FOREIGN | CANONICAL },
    { TEXT("\"\\\"\\\\\\b\\f\\n\\r\\t\""), OWN | FOREIGN | CANONICAL },
    { TEXT("\"\\u0001\\u001f\\u000b\""), OWN | FOREIGN | CANONICAL },
    { TEXT("\"/<>&'\x7f\""), OWN | FOREIGN | CANONICAL },
    { TEXT("\"\xc2\x80 \xe2\x82\xac \xe2\x80\xa8 \xef\xbb\xbf \xef\xbf\xbf " FACE "\""),
      OWN | FOREIGN | CANONICAL },
    { TEXT("\"\xf4\x8f\xbf\xbf\""), OWN | FOREIGN | CANONICAL },
    { TEXT("\"\\/\""), OWN | FOREIGN },
    { TEXT("\"\\u0041\""), OWN | FOREIGN },
    { TEXT("\"\\u001F\""), OWN | FOREIGN },
    { TEXT("\"\\u000a\""), OWN | FOREIGN },
    { TEXT("\"\\u0008\""), OWN | FOREIGN },
    { TEXT("\"\\u0022\""), OWN | FOREIGN },
    { TEXT("\"\\u005c\""), OWN | FOREIGN },
    { TEXT("\"\\u007f\""), OWN | FOREIGN },
    { TEXT("\"\\u20ac\""), OWN | FOREIGN },
    { TEXT("\"\\ud83d\\ude00\""), OWN | FOREIGN },
    { TEXT("\"\\u0000\""), FOREIGN },
    { TEXT("\"\\ud800\""), FOREIGN },
    { TEXT("\"\\udc00\""), FOREIGN },
    { TEXT("\"\\ud800\\ud800\""), FOREIGN },
    { TEXT("\"\\ud800\\u0041\""), FOREIGN },
    { TEXT("\"\\ud800x\""), FOREIGN },
    { TEXT("\"\\udc00\\ud800\""), FOREIGN },
    { TEXT("{\"\\ud800\":1,\"a\":2}"), FOREIGN },
    { TEXT("{\"\\ud800\":1,\"\\udfff\":2}"), 0 }, /* both would read as U+FFFD */
    { TEXT("{\"\\u0000\":1,\"\xef\xbf\xbd\":2}"), 0 },
    { TEXT("\""), 0 },
    { TEXT("\"a"), 0 },
    { TEXT("\"\\"), 0 },
    { TEXT("\"\\\""), 0 },
    { TEXT("\"a\"b\""), 0 },
    { TEXT("'a'"), 0 },
    { TEXT("\"\\a\""), 0 },
    { TEXT("\"\\'\""), 0 },
    { TEXT("\"\\x41\""), 0 },
    { TEXT("\"\\U0041\""), 0 },
    { TEXT("\"\\0\""), 0 },
    { TEXT("\"\\u\""), 0 },
    { TEXT("\"\\u00\""), 0 },
    { TEXT("\"\\u004\""), 0 },
    { TEXT("\"\\u004g\""), 0 },
    { TEXT("\"\\u+041\""), 0 },
    { TEXT("\"\\u00"), 0 },
    { TEXT("\"\n\""), 0 },
    { TEXT("\"\t\""), 0 },
    { TEXT("\"\x1f\""), 0 },
    { TEXT("\"a\0b\""), 0 },
    { TEXT("\"long enough for eight\x01\""), 0 },
    { TEXT("\"\x80\""), 0 },
    { TEXT("\"\xbf\""), 0 },
    { TEXT("\"\xc0\x80\""), 0 },
    { TEXT("\"\xc0\xaf\""), 0 },
    { TEXT("\"\xc1\xbf\""), 0 },
    { TEXT("\"\xc3\""), 0 },
    { TEXT("\"\xc3"), 0 },
    { TEXT("\"\xe0\x9f\xbf\""), 0 },
    { TEXT("\"\xe2\x82\""), 0 },
    { TEXT("\"\xe2\x82"), 0 },
    { TEXT("\"\xed\xa0\x80\""), 0 },
    { TEXT("\"\xed\xbf\xbf\""), 0 },
    { TEXT("\"\xf0\x8f\xbf\xbf\""), 0 },
    { TEXT("\"\xf0\x9f\x98\""), 0 },
    { TEXT("\"\xf4\x90\x80\x80\""), 0 },
    { TEXT("\"\xf5\x80\x80\x80\""), 0 },
    { TEXT("\"\xff\""), 0 },
    { TEXT("\"12345678\xff\""), 0 },
    { TEXT("{\"\xff\":1}"), 0 },
};

static void every_text_is_judged_as_its_row_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int how = OWN; how <= CANONICAL; how *= 2) {
            struct sov_error err;

            if (passes(how, rows[i].text, &err) != ((rows[i].passes & how) != 0))
                fail_msg("row %zu, %.*s, scan %d", i, (int)rows[i].text.size,
                         (const char *)rows[i].text.data, how);
        }
}

/* Memory tools see a read behind the end only where the block ends there. */
static void no_beginning_of_a_text_is_read_past_its_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t size = 1; size <= rows[i].text.size; size++) {
            uint8_t *copy = sov_alloc(size);
            struct sov_error err;

            memcpy(copy, rows[i].text.data, size);
            for (int how = OWN; how <= CANONICAL; how *= 2)
                (void)passes(how, sov_bytes(copy, size), &err);
            sov_free(copy);
        }
}

static void a_refusal_says_where(void **state)
{
    static const struct {
        const char *text, *strict, *canonical;
    } at[] = {
        { "", "line 1, column 1: the text is empty", "offset 0: the text is empty" },
        { "[1,\n 2,\n x]", "line 3, column 2: a value is expected",
          "offset 3: a value is expected" },
        { "[\"\xe2\x82\xac\xc3\xa9\",x]", "line 1, column 7: a value is expected",
          "offset 9: a value is expected" },
        { "[1,2", "line 1, column 5: the text ends inside a list or object",
          "offset 4: a comma or the end of the list or object is expected" },
        { "{\"a\":1,\r\n\"b\":2,\r\n\"b\":3,\"b\":4}",
          "line 3, column 1: a key comes twice in its object", "offset 7: a key is expected" },
        { "{\"b\":2,\"a\":3,\"b\":4}", "line 1, column 14: a key comes twice in its object",
          "offset 7: a key is doubled or out of order" },
        { "[1.5]", "line 1, column 2: a number has a fraction or an exponent",
          "offset 2: a comma or the end of the list or object is expected" },
        { "[9007199254740992]", "line 1, column 2: a number is out of range",
          "offset 1: a number is out of range" },
        { "\"a\xff\"", "line 1, column 3: a string is not UTF-8",
          "offset 2: a string is not UTF-8" },
        { "\xef\xbb\xbf{}", "line 1, column 1: the text begins with a byte order mark",
          "offset 0: a value is expected" },
        { "\"\\ud800\"", "line 1, column 2: a string has a lone surrogate",
          "offset 1: an escape is not the shortest" },
        { "1 1", "line 1, column 3: something follows the value",
          "offset 1: something follows the value" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(at); i++) {
        struct sov_error err;

        assert_false(passes(OWN, sov_bytes_text(at[i].text), &err));
        assert_string_equal(err.what, at[i].strict);
        assert_false(passes(CANONICAL, sov_bytes_text(at[i].text), &err));
        assert_string_equal(err.what, at[i].canonical);
    }
}

static void depth_is_limited_by_the_rules(void **state)
{
    (void)state;
    for (unsigned depth_max = 0; depth_max <= 64; depth_max++)
        for (unsigned depth = 0; depth <= depth_max + 1; depth++) {
            struct sov_scan_rules rules = { 1000, depth_max, depth_max % 2 };
            struct sov_error err;
            uint8_t text[131];

            memset(text, '[', depth);
            text[depth] = '1';
            memset(text + depth + 1, ']', depth);
            assert_int_equal(sov_scan(sov_bytes(text, depth * 2 + 1), &rules, &err),
                             depth <= depth_max);
            assert_int_equal(sov_scan_canonical(sov_bytes(text, depth * 2 + 1), &rules, &err),
                             depth <= depth_max);
        }
}

static void a_text_over_the_size_is_too_large_before_it_is_read(void **state)
{
    static const struct sov_scan_rules rules = { 4, 16, false };
    struct sov_error err;

    (void)state;
    assert_true(sov_scan(sov_bytes_text("null"), &rules, &err));
    assert_true(sov_scan_canonical(sov_bytes_text("null"), &rules, &err));
    assert_false(sov_scan(sov_bytes_text("xxxxx"), &rules, &err));
    assert_string_equal(err.code, "too_large");
    assert_string_equal(err.what, "the text is over 4 bytes");
    assert_false(sov_scan_canonical(sov_bytes_text("xxxxx"), &rules, &err));
    assert_string_equal(err.code, "too_large");
}

/* ---- many keys ---- */

static size_t many_keys(uint8_t *text, size_t count, size_t doubled)
{
    size_t size = 0;

    text[size++] = '{';
    for (size_t i = 0; i < count; i++)
        size += (size_t)snprintf((char *)text + size, 24, "%s\"k%zx\":0", i ? "," : "",
                                 i == count - 1 ? doubled : i * 2654435761u % 4294967291u);
    text[size++] = '}';
    return size;
}

static void a_doubled_key_is_found_among_any_number_of_keys(void **state)
{
    enum { MOST = 100000 };
    uint8_t *text = sov_alloc(MOST * 24);
    static const size_t counts[] = { 2, 3, 15, 16, 17, 18, 31, 32, 33, 34, 63, 65, 500, MOST };

    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++) {
        size_t count = counts[i];
        struct sov_error err;

        for (size_t twin = 0; twin < count - 1; twin += count / 9 + 1)
            assert_false(passes(
                FOREIGN, sov_bytes(text, many_keys(text, count, twin * 2654435761u % 4294967291u)),
                &err));
        assert_true(passes(FOREIGN, sov_bytes(text, many_keys(text, count, SIZE_MAX)), &err));
    }
    sov_free(text);
}

static void too_many_keys_at_once_are_too_large(void **state)
{
    enum { MOST = 1 << 20 };
    uint8_t *text = sov_alloc((MOST + 1) * 24);
    size_t size = many_keys(text, MOST + 1, SIZE_MAX);
    struct sov_error err;

    (void)state;
    assert_true(size <= sov_scan_foreign.size_max);
    assert_false(sov_scan(sov_bytes(text, size), &sov_scan_foreign, &err));
    assert_string_equal(err.code, "too_large");
    sov_free(text);
}

/* What stands behind a key in its text is no part of it. */
static void keys_are_compared_as_utf16_to_their_ends(void **state)
{
    static const struct {
        struct sov_bytes a, b;
        int order;
    } keys[] = {
        { { (const uint8_t *)"az", 1 }, { (const uint8_t *)"ab", 2 }, -1 },
        { TEXT("ab"), TEXT("\\u0061\\u0062"), 0 },
        { TEXT("\\u00e9"), TEXT("\xc3\xa9"), 0 },
        { TEXT(FACE), TEXT("\xef\xbf\xbd"), -1 }, /* U+1F600 before U+FFFD */
        { TEXT("\\ud83d\\ude00"), TEXT(FACE), 0 },
        { TEXT(""), TEXT("a"), -1 },
        { TEXT(""), TEXT(""), 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        int order = sov_scan_compare(keys[i].a, keys[i].b);

        assert_int_equal((order > 0) - (order < 0), keys[i].order);
        order = sov_scan_compare(keys[i].b, keys[i].a);
        assert_int_equal((order > 0) - (order < 0), -keys[i].order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_is_judged_as_its_row_says),
        cmocka_unit_test(no_beginning_of_a_text_is_read_past_its_end),
        cmocka_unit_test(a_refusal_says_where),
        cmocka_unit_test(depth_is_limited_by_the_rules),
        cmocka_unit_test(a_text_over_the_size_is_too_large_before_it_is_read),
        cmocka_unit_test(a_doubled_key_is_found_among_any_number_of_keys),
        cmocka_unit_test(too_many_keys_at_once_are_too_large),
        cmocka_unit_test(keys_are_compared_as_utf16_to_their_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
