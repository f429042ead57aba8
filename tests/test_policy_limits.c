#include "tests/policy_unit.h"

static struct sov_bytes letters(size_t size)
{
    static const char text[] =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    return sov_bytes(text, size);
}

static void a_text_is_valid_not_blank_and_within_its_limit(void **state)
{
    const struct {
        struct sov_bytes text;
        const char *code; /* NULL: it passes */
    } rows[] = {
        { letters(1), NULL },
        { letters(20), NULL },
        { letters(21), "too_large" },
        { letters(0), "bad_value" },
        { sov_bytes_text(" \t\n"), "bad_value" },
        { sov_bytes("a\xff", 2), "bad_text" },
        { sov_bytes_text(" a "), NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_error err = { 0 };
        bool ok = sov_policy_text("title", rows[i].text, 20, &err);

        if (rows[i].code)
            assert_refused(ok, &err, rows[i].code);
        else
            assert_true(ok);
    }
}

static void a_reason_is_written(void **state)
{
    struct sov_error err = { 0 };
    char *long_reason = test_malloc(SOV_TEXT_REASON + 1);

    (void)state;
    memset(long_reason, 'a', SOV_TEXT_REASON + 1);
    assert_true(sov_policy_reason(sov_bytes(long_reason, SOV_TEXT_REASON), &err));
    assert_refused(sov_policy_reason(sov_bytes(long_reason, SOV_TEXT_REASON + 1), &err), &err,
                   "too_large");
    memset(long_reason, ' ', SOV_TEXT_REASON + 1);
    assert_refused(sov_policy_reason(sov_bytes(long_reason, SOV_TEXT_REASON), &err), &err,
                   "reason_missing");
    assert_refused(sov_policy_reason(sov_bytes(long_reason, SOV_TEXT_REASON + 1), &err), &err,
                   "too_large");
    assert_refused(sov_policy_reason(sov_bytes(NULL, 0), &err), &err, "reason_missing");
    assert_string_equal(err.what, "no reason is given");
    assert_refused(sov_policy_reason(sov_bytes_text("  "), &err), &err, "reason_missing");
    assert_refused(sov_policy_reason(sov_bytes("\xc0", 1), &err), &err, "bad_text");
    test_free(long_reason);
}

static void deliverables_are_safe_distinct_and_few(void **state)
{
    static const char *const good[] = { "report.json", "out/a.txt" }, *const up[] = { "a", "../a" },
                             *const twice[] = { "a", "b", "A" };
    const char *many[SOV_DELIVERABLES_MAX + 1];
    struct sov_arena *arena = *state;
    struct sov_error err = { 0 };
    char longest[1001];

    assert_true(sov_policy_deliverables(good, 2, &err));
    assert_true(sov_policy_deliverables(NULL, 0, &err));
    assert_refused(sov_policy_deliverables(up, 2, &err), &err, "deliverable_unsafe");
    assert_refused(sov_policy_deliverables(twice, 3, &err), &err, "deliverable_unsafe");
    for (size_t i = 0; i <= SOV_DELIVERABLES_MAX; i++) many[i] = sov_arena_printf(arena, "f%zu", i);
    assert_true(sov_policy_deliverables(many, SOV_DELIVERABLES_MAX, &err));
    assert_refused(sov_policy_deliverables(many, SOV_DELIVERABLES_MAX + 1, &err), &err,
                   "too_large");
    memset(longest, 'a', 1000);
    longest[1000] = 0;
    for (size_t i = 0; i < 1000; i += 200) longest[i] = '/';
    for (size_t i = 0; i < 17; i++) many[i] = sov_arena_printf(arena, "d%zu%s", i, longest);
    assert_true(sov_policy_deliverables(many, 16, &err));
    assert_refused(sov_policy_deliverables(many, 17, &err), &err, "too_large");
}

static void the_paths_of_a_sow_have_16384_bytes_together(void **state)
{
    enum { COUNT = 32, EACH = SOV_DELIVERABLE_PATHS_MAX / COUNT };
    const char *paths[COUNT];
    struct sov_error err = { 0 };
    char filled[EACH + 1];

    memset(filled, 'a', EACH);
    filled[EACH] = 0;
    for (size_t i = 200; i < EACH; i += 200) filled[i] = '/';
    for (size_t i = 0; i < COUNT; i++) {
        paths[i] = sov_arena_printf(*state, "%02zu%s", i, filled + 2);
        assert_int_equal(strlen(paths[i]), EACH);
    }
    assert_true(sov_policy_deliverables(paths, COUNT, &err));
    paths[7] = sov_arena_printf(*state, "%sb", paths[7]);
    assert_refused(sov_policy_deliverables(paths, COUNT, &err), &err, "too_large");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_valid_not_blank_and_within_its_limit),
        cmocka_unit_test(a_reason_is_written),
        WITH_ARENA(deliverables_are_safe_distinct_and_few),
        WITH_ARENA(the_paths_of_a_sow_have_16384_bytes_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
