/* Declared checks: what a spec may say, and the digest of a definition. */
#include "tests/unit.h"

#include <string.h>

#include "ledger/check.h"

static struct sov_arena arena;

static int setup(void **state)
{
    (void)state;
    sov_arena_init(&arena, 16 << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    sov_arena_release(&arena);
    return 0;
}

#define SPEC(kind, params) "[{\"id\":\"c\",\"kind\":\"" kind "\",\"params\":{" params "}}]"
#define BALANCE(params) SPEC("balance-at-least", params)
#define TERMS "\"terms\":[[\"inventory/{subject}\",1],[\"cash\",-2]]"
#define DIGEST "\"sha256\":\"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\""

static void specs_of_each_kind_are_read(void **state)
{
    static const struct {
        const char *text;
        enum sov_check_kind kind;
        bool needs_subject;
    } rows[] = {
        { BALANCE("\"min\":\"reorder_point\"," TERMS), SOV_CHECK_BALANCE_AT_LEAST, true },
        { BALANCE("\"min\":3,\"terms\":[[\"cash\",1]]"), SOV_CHECK_BALANCE_AT_LEAST, false },
        { BALANCE("\"min\":\"f\",\"terms\":[[\"cash\",1]]"), SOV_CHECK_BALANCE_AT_LEAST, true },
        { SPEC("postings-match", "\"kind\":\"replenishment\""), SOV_CHECK_POSTINGS_MATCH, true },
        { SPEC("effect-present", "\"kind\":\"replenishment\""), SOV_CHECK_EFFECT_PRESENT, true },
        { SPEC("effect-present", "\"count\":2,\"kind\":\"a\""), SOV_CHECK_EFFECT_PRESENT, true },
        { SPEC("file-exists", "\"path\":\"docs/a.md\""), SOV_CHECK_FILE_EXISTS, false },
        { SPEC("file-digest", "\"path\":\"a\"," DIGEST), SOV_CHECK_FILE_DIGEST, false },
        { SPEC("json-equals", "\"path\":\"a\",\"pointer\":\"/a~0b/0\",\"value\":null"),
          SOV_CHECK_JSON_EQUALS, false },
        { SPEC("json-equals", "\"path\":\"a\",\"pointer\":\"\",\"value\":true"),
          SOV_CHECK_JSON_EQUALS, false },
        { SPEC("command", "\"argv\":[\"make\",\"check\"]"), SOV_CHECK_COMMAND, false },
        { SPEC("command", "\"argv\":[\"t\",\"\"],\"exit\":255,\"observe\":\"stdout\","
                          "\"timeout_ms\":600000"),
          SOV_CHECK_COMMAND, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_error err = { 0 };
        struct sov_checks checks;

        if (!sov_checks_read(sov_bytes_text(rows[i].text), &arena, &checks, &err))
            fail_msg("%s: %s", rows[i].text, err.what);
        assert_int_equal(checks.count, 1);
        assert_int_equal(checks.at[0].kind, rows[i].kind);
        assert_int_equal(checks.at[0].needs_subject, rows[i].needs_subject);
        assert_string_equal(checks.at[0].id, "c");
        assert_int_equal(checks.at[0].spec.size, strlen(rows[i].text) - 2);
    }
}

static void what_is_not_said_has_its_default(void **state)
{
    struct sov_error err = { 0 };
    struct sov_checks checks;

    (void)state;
    assert_true(sov_checks_read(
        sov_bytes_text("[{\"id\":\"a\",\"kind\":\"command\",\"params\":{\"argv\":[\"t\"]}},"
                       "{\"id\":\"b\",\"kind\":\"effect-present\",\"params\":{\"kind\":\"k\"}}]"),
        &arena, &checks, &err));
    assert_int_equal(checks.at[0].exit, 0);
    assert_int_equal(checks.at[0].timeout_ms, 60000);
    assert_false(checks.at[0].observe_stdout);
    assert_int_equal(checks.at[1].count, 1);
    assert_string_equal(checks.at[1].effect, "k");
}

static void a_balance_is_a_sum_of_terms(void **state)
{
    struct sov_error err = { 0 };
    struct sov_checks checks;

    (void)state;
    assert_true(sov_checks_read(sov_bytes_text(BALANCE("\"min\":\"reorder_point\"," TERMS)), &arena,
                                &checks, &err));
    assert_int_equal(checks.at[0].term_count, 2);
    assert_string_equal(checks.at[0].terms[0].account, "inventory/{subject}");
    assert_int_equal(checks.at[0].terms[1].times, -2);
    assert_string_equal(checks.at[0].min.fact, "reorder_point");
}

static const struct {
    const char *code, *text;
} none[] = {
    { "checks_missing", "[]" },
    { "check_invalid", "{}" },
    { "check_invalid", "[1]" },
    { "check_invalid", "[{\"kind\":\"file-exists\",\"params\":{\"path\":\"a\"}}]" },
    { "check_invalid", "[{\"id\":\"A\",\"kind\":\"file-exists\",\"params\":{}}]" },
    { "check_invalid", "[{\"id\":\"a\",\"kind\":\"file-exists\"}]" },
    { "check_invalid", "[{\"id\":\"a\",\"kind\":\"file-exists\",\"params\":[]}]" },
    { "check_invalid",
      "[{\"id\":\"a\",\"kind\":\"file-exists\",\"more\":1,\"params\":{\"path\":\"a\"}}]" },
    { "check_invalid", SPEC("file-gone", "\"path\":\"a\"") },
    { "check_invalid", SPEC("FILE-EXISTS", "\"path\":\"a\"") },
    /* the params of the kind, all that are due, and no others */
    { "check_invalid", SPEC("file-exists", "") },
    { "check_invalid", SPEC("file-exists", "\"path\":\"a\",\"size\":1") },
    { "check_invalid", SPEC("file-exists", "\"path\":\"../a\"") },
    { "check_invalid", SPEC("file-exists", "\"path\":\"/etc/passwd\"") },
    { "check_invalid", SPEC("file-exists", "\"path\":\".git/config\"") },
    { "check_invalid", SPEC("file-exists", "\"path\":1") },
    { "check_invalid", SPEC("file-digest", "\"path\":\"a\"") },
    { "check_invalid", SPEC("file-digest", "\"path\":\"a\",\"sha256\":\"00\"") },
    { "check_invalid",
      SPEC("file-digest", "\"path\":\"a\",\"sha256\":"
                          "\"000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F\"") },
    { "check_invalid", SPEC("json-equals", "\"path\":\"a\",\"pointer\":\"\"") },
    { "check_invalid", SPEC("json-equals", "\"path\":\"a\",\"pointer\":\"a\",\"value\":1") },
    { "check_invalid", SPEC("json-equals", "\"path\":\"a\",\"pointer\":\"/~2\",\"value\":1") },
    { "check_invalid", SPEC("json-equals", "\"path\":\"a\",\"pointer\":\"/~\",\"value\":1") },
    { "check_invalid", SPEC("json-equals", "\"path\":\"a\",\"pointer\":\"\",\"value\":[]") },
    { "check_invalid", SPEC("json-equals", "\"path\":\"a\",\"pointer\":\"\",\"value\":{}") },
    { "check_invalid", BALANCE(TERMS) },
    { "check_invalid", BALANCE("\"min\":1") },
    { "check_invalid", BALANCE("\"min\":1,\"terms\":[]") },
    { "check_invalid", BALANCE("\"min\":1,\"terms\":[[\"cash\"]]") },
    { "check_invalid", BALANCE("\"min\":1,\"terms\":[[\"cash\",1,1]]") },
    { "check_invalid", BALANCE("\"min\":1,\"terms\":[[\"cash\",0]]") },
    { "check_invalid", BALANCE("\"min\":1,\"terms\":[[\"ca sh\",1]]") },
    { "check_invalid", BALANCE("\"min\":1,\"terms\":[[\"a/b/c/d/e\",1]]") },
    { "check_invalid", BALANCE("\"min\":1,\"terms\":[[\"a/{signal}\",1]]") },
    { "check_invalid", BALANCE("\"min\":1,\"terms\":[[\"a{subject}\",1]]") },
    { "check_invalid", BALANCE("\"min\":1,\"terms\":[[\"cash\",1],[\"cash\",1]]") },
    { "check_invalid", BALANCE("\"min\":true," TERMS) },
    { "check_invalid", BALANCE("\"min\":\"Fact\"," TERMS) },
    { "check_invalid", SPEC("postings-match", "\"kind\":\"R\"") },
    { "check_invalid", SPEC("postings-match", "\"count\":1,\"kind\":\"a\"") },
    { "check_invalid", SPEC("effect-present", "\"count\":0,\"kind\":\"a\"") },
    { "check_invalid", SPEC("command", "\"argv\":[]") },
    { "check_invalid", SPEC("command", "\"argv\":[\"\"]") },
    { "check_invalid", SPEC("command", "\"argv\":\"make\"") },
    { "check_invalid", SPEC("command", "\"argv\":[1]") },
    { "check_invalid", SPEC("command", "\"argv\":[\"t\"],\"exit\":-1") },
    { "check_invalid", SPEC("command", "\"argv\":[\"t\"],\"exit\":256") },
    { "check_invalid", SPEC("command", "\"argv\":[\"t\"],\"timeout_ms\":0") },
    { "check_invalid", SPEC("command", "\"argv\":[\"t\"],\"timeout_ms\":600001") },
    { "check_invalid", SPEC("command", "\"argv\":[\"t\"],\"observe\":\"stderr\"") },
    { "check_invalid", "[{\"id\":\"a\",\"kind\":\"file-exists\",\"params\":{\"path\":\"a\"}},"
                       "{\"id\":\"a\",\"kind\":\"file-exists\",\"params\":{\"path\":\"b\"}}]" },
};

static void specs_that_are_none_are_refused(void **state)
{

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct sov_checks checks = { NULL, 77 };
        struct sov_error err = { 0 };

        if (sov_checks_read(sov_bytes_text(none[i].text), &arena, &checks, &err))
            fail_msg("passed: %s", none[i].text);
        assert_string_equal(err.code, none[i].code);
        assert_int_equal(err.exit, SOV_USAGE);
        assert_int_equal(checks.count, 77);
    }
}

static void thirty_two_checks_are_enough(void **state)
{
    struct sov_error err = { 0 };
    struct sov_checks checks;
    struct sov_buf text;

    (void)state;
    sov_buf_init(&text, 1 << 16);
    for (int count = 32; count <= 33; count++) {
        sov_buf_clear(&text);
        for (int i = 0; i < count; i++)
            sov_buf_printf(&text,
                           "%s{\"id\":\"c%d\",\"kind\":\"file-exists\",\"params\":{\"path\":"
                           "\"a\"}}",
                           i ? "," : "[", i);
        sov_buf_add_text(&text, "]");
        assert_int_equal(sov_checks_read(sov_buf_bytes(&text), &arena, &checks, &err), count == 32);
    }
    assert_string_equal(err.code, "too_large");
    sov_buf_release(&text);
}

/* The expectations were computed apart, with Python's hashlib over the octets written out. */
static void a_definition_digest_covers_checks_state_and_subject(void **state)
{
    static const char checks[] = SPEC("file-exists", "\"path\":\"a\"");
    static const struct {
        const char *subject, *hex;
    } rows[] = {
        { "SKU-TEA", "abbe5140c9e2285f81691054a61f2c7d936cb5434128924ce3af879f1b9c5f4a" },
        { NULL, "216b78c7248154a29eb51222407a53ea4bcc21b9471af3038e976b6396185a65" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char hex[SOV_HEX_HASH + 1];
        struct sov_hash hash = sov_definition_digest(
            sov_bytes_text(checks), sov_bytes_text("enough \"tea\""), rows[i].subject);

        sov_hex(sov_hash_bytes(&hash), hex);
        assert_string_equal(hex, rows[i].hex);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs_of_each_kind_are_read),
        cmocka_unit_test(what_is_not_said_has_its_default),
        cmocka_unit_test(a_balance_is_a_sum_of_terms),
        cmocka_unit_test(specs_that_are_none_are_refused),
        cmocka_unit_test(thirty_two_checks_are_enough),
        cmocka_unit_test(a_definition_digest_covers_checks_state_and_subject),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
