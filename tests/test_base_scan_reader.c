#include "base/scan.h"

#include <string.h>

#include "tests/unit.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define FACE "\xf0\x9f\x98\x80"

static struct sov_value read(const char *text)
{
    struct sov_error err;

    assert_true(sov_scan_canonical(sov_bytes_text(text), &sov_scan_own, &err));
    return sov_value(sov_bytes_text(text));
}

static bool spells(struct sov_value value, const char *text)
{
    return sov_value_there(value) && sov_bytes_is(value.octets, text);
}

static const char document[] =
    "{\"a\":[1,[2,\"]\"],{\"x\":\"}\"},-3,true,null,\"\"],\"b\":{},\"c\":\"q\\\"\\\\\","
    "\"d\":false,\"e\":{\"f\":[],\"g\":{\"h\":12}}}";

/* The search ends behind the place where the key would stand, whatever escapes lie on the way. */
static void the_search_for_a_member_ends_no_earlier_than_it_may(void **state)
{
    static const char *const keys[] = { "\\n", "!", "\\\"", "Z", "\\\\", "b", "ba", "\xc3\xa9" };
    static const char *const absent[] = { "\\t", " ",  "#", "A",        "Y",       "[",
                                          "a",   "bb", "c", "\xc3\xa8", "\xc3\xaa" };
    struct sov_value root =
        read("{\"\\n\":0,\"!\":1,\"\\\"\":2,\"Z\":3,\"\\\\\":4,\"b\":5,\"ba\":6,"
             "\"\xc3\xa9\":7}");

    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++)
        assert_int_equal(sov_value_int(sov_value_get(root, keys[i])), i);
    for (size_t i = 0; i < COUNT(absent); i++)
        assert_false(sov_value_there(sov_value_get(root, absent[i])));
}

static void members_are_found_by_name(void **state)
{
    struct sov_value root = read(document), e = sov_value_get(root, "e");

    (void)state;
    assert_true(spells(sov_value_get(root, "b"), "{}"));
    assert_true(spells(sov_value_get(root, "c"), "\"q\\\"\\\\\""));
    assert_true(spells(sov_value_get(root, "d"), "false"));
    assert_true(spells(sov_value_get(e, "f"), "[]"));
    assert_true(spells(sov_value_get(sov_value_get(e, "g"), "h"), "12"));
    assert_false(sov_value_there(sov_value_get(root, "f")));
    assert_false(sov_value_there(sov_value_get(root, "")));
    assert_false(sov_value_there(sov_value_get(sov_value_get(root, "none"), "a")));
    assert_false(sov_value_there(sov_value_get(sov_value_get(root, "a"), "a")));
    assert_false(sov_value_there(sov_value_get(sov_value_get(root, "d"), "a")));
}

static void a_list_is_stepped_through_in_order(void **state)
{
    static const char *const items[] = { "1",    "[2,\"]\"]", "{\"x\":\"}\"}", "-3",
                                         "true", "null",      "\"\"" };
    struct sov_value list = sov_value_get(read(document), "a"), item = { 0 };
    size_t at = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(items); i++) {
        assert_true(sov_value_item(list, &at, &item));
        assert_true(spells(item, items[i]));
    }
    assert_false(sov_value_item(list, &at, &item));
    assert_false(sov_value_item(list, &at, &item));
    assert_true(spells(item, "\"\""));
    assert_int_equal(sov_value_count(list), COUNT(items));
    at = 0;
    assert_false(sov_value_item(read("[]"), &at, &item));
    assert_int_equal(sov_value_count(read("[]")), 0);
}

static void members_are_split_if_they_fit(void **state)
{
    struct sov_member members[5], none[1];
    size_t count = 99, at = 0;

    (void)state;
    assert_false(sov_value_members(read(document), members, 4, &count));
    assert_int_equal(count, 99);
    assert_true(sov_value_members(read(document), members, 5, &count));
    assert_int_equal(count, 5);
    assert_true(sov_bytes_is(members[0].key, "a"));
    assert_true(sov_bytes_is(members[4].key, "e"));
    assert_true(spells(members[4].value, "{\"f\":[],\"g\":{\"h\":12}}"));
    assert_int_equal(sov_value_count(read(document)), 5);
    assert_true(sov_value_members(read("{}"), none, 0, &count));
    assert_int_equal(count, 0);
    assert_false(sov_value_member(read("{}"), &at, none));
}

static void every_kind_is_told_apart(void **state)
{
    (void)state;
    assert_int_equal(sov_value_kind(read("null")), SOV_JSON_NULL);
    assert_int_equal(sov_value_kind(read("true")), SOV_JSON_BOOL);
    assert_int_equal(sov_value_kind(read("false")), SOV_JSON_BOOL);
    assert_int_equal(sov_value_kind(read("0")), SOV_JSON_INT);
    assert_int_equal(sov_value_kind(read("-1")), SOV_JSON_INT);
    assert_int_equal(sov_value_kind(read("\"\"")), SOV_JSON_TEXT);
    assert_int_equal(sov_value_kind(read("[]")), SOV_JSON_LIST);
    assert_int_equal(sov_value_kind(read("{}")), SOV_JSON_OBJECT);
}

static void scalars_read_as_what_they_stand_for(void **state)
{
    (void)state;
    assert_int_equal(sov_value_int(read("0")), 0);
    assert_int_equal(sov_value_int(read("-17")), -17);
    assert_true(sov_value_int(read("9007199254740991")) == INT64_C(9007199254740991));
    assert_true(sov_value_int(read("-9007199254740991")) == -INT64_C(9007199254740991));
    assert_true(sov_value_bool(read("true")));
    assert_false(sov_value_bool(read("false")));
}

static void a_text_is_borrowed_or_unescaped(void **state)
{
    static const char wanted[] = "a\"\\\b\f\n\r\t\x01/\xc3\xa9" FACE;
    struct sov_value text = read("\"a\\\"\\\\\\b\\f\\n\\r\\t\\u0001/\xc3\xa9" FACE "\"");
    struct sov_bytes plain = sov_value_plain(read("\"\xc3\xa9 b\""));
    uint8_t out[64];

    (void)state;
    assert_true(sov_bytes_is(plain, "\xc3\xa9 b"));
    assert_non_null(sov_value_plain(read("\"\"")).data);
    assert_int_equal(sov_value_plain(read("\"\"")).size, 0);
    assert_null(sov_value_plain(text).data);
    assert_int_equal(sov_value_text_size(text), sizeof wanted - 1);
    assert_int_equal(sov_value_text(text, out, sizeof wanted - 1), sizeof wanted - 1);
    assert_memory_equal(out, wanted, sizeof wanted - 1);
    assert_int_equal(sov_value_text_size(read("\"\"")), 0);
    assert_int_equal(sov_value_text(read("\"\""), out, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_found_by_name),
        cmocka_unit_test(the_search_for_a_member_ends_no_earlier_than_it_may),
        cmocka_unit_test(a_list_is_stepped_through_in_order),
        cmocka_unit_test(members_are_split_if_they_fit),
        cmocka_unit_test(every_kind_is_told_apart),
        cmocka_unit_test(scalars_read_as_what_they_stand_for),
        cmocka_unit_test(a_text_is_borrowed_or_unescaped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
