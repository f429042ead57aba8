#include "tests/policy_unit.h"

/* Copied by hand from providers.md 3, group C downwards, left to right. */
static const char *const order[] = {
    "interrupted",         "spawn_failed",        "output_limit",     "timeout",
    "idle_timeout",        "malformed_stream",    "auth_error",       "rate_limited",
    "context_length",      "invocation_error",    "transport_error",  "cut_off",
    "provider_refused",    "provider_error",      "nonzero_exit",     "missing_terminal",
    "missing_session",     "missing_report",      "invalid_report",   "actor_reported_failure",
    "missing_deliverable", "invalid_deliverable", "proposal_refused", "boundary_unchecked",
    "internal_error",
};
enum { ORDERED = sizeof order / sizeof *order, AFTER_REPORT = 20 };

static void the_first_that_holds_is_the_category(void **state)
{
    enum sov_run_category c = SOV_RUN_TIMEOUT;

    (void)state;
    assert_int_equal(ORDERED + 2, SOV_RUN_CATEGORY_COUNT); /* and worker_lost, claim_lost */
    for (size_t first = 0; first < ORDERED; first++)
        for (size_t second = first; second < ORDERED; second++) {
            struct sov_run_observed seen = { .report = SOV_REPORT_COMPLETED };
            struct sov_run_verdict v;

            assert_true(sov_policy_category(order[second], &c));
            seen.holds[c] = true;
            assert_true(sov_policy_category(order[first], &c));
            seen.holds[c] = true;
            v = sov_policy_run(&seen);
            assert_int_equal(v.status, SOV_RECEIPT_FAILED);
            assert_string_equal(sov_policy_category_word(v.category), order[first]);
            assert_int_equal(v.also_count, second > first);
            if (second > first)
                assert_string_equal(sov_policy_category_word(v.also[0]), order[second]);
        }
    assert_false(sov_policy_category("Timeout", &c));
}

static void a_run_is_completed_only_if_nothing_holds_and_a_report_says_so(void **state)
{
    struct sov_run_observed seen = { .report = SOV_REPORT_COMPLETED };
    struct sov_run_verdict v = sov_policy_run(&seen);

    (void)state;
    assert_int_equal(v.status, SOV_RECEIPT_COMPLETED);
    assert_int_equal(v.also_count, 0);
    assert_false(v.effects_unknown);
    seen.report = SOV_REPORT_FAILED;
    v = sov_policy_run(&seen);
    assert_int_equal(v.status, SOV_RECEIPT_FAILED);
    assert_int_equal(v.category, SOV_RUN_ACTOR_REPORTED_FAILURE);
    assert_false(v.effects_unknown);
    seen.report = SOV_REPORT_NONE; /* nothing seen, nothing reported: no success is guessed */
    v = sov_policy_run(&seen);
    assert_int_equal(v.status, SOV_RECEIPT_FAILED);
    assert_int_equal(v.category, SOV_RUN_INTERNAL_ERROR);
    assert_true(v.effects_unknown);
}

static void a_blocked_run_owes_no_file_but_an_end_of_its_own(void **state)
{
    enum sov_run_category c = SOV_RUN_TIMEOUT;

    (void)state;
    for (size_t i = 0; i < ORDERED; i++) {
        struct sov_run_observed seen = { .report = SOV_REPORT_BLOCKED };
        bool after = i >= AFTER_REPORT && strcmp(order[i], "internal_error") != 0;
        struct sov_run_verdict v;

        assert_true(sov_policy_category(order[i], &c));
        seen.holds[c] = true;
        v = sov_policy_run(&seen);
        assert_int_equal(v.status, after ? SOV_RECEIPT_BLOCKED : SOV_RECEIPT_FAILED);
        assert_int_equal(v.also_count, after);
        assert_int_equal(v.effects_unknown,
                         i < AFTER_REPORT - 1 || !strcmp(order[i], "internal_error"));
    }
}

static void what_supervise_and_the_fence_say_is_no_verdict_on_a_run(void **state)
{
    struct sov_run_observed seen = { .report = SOV_REPORT_COMPLETED };

    (void)state;
    seen.holds[SOV_RUN_WORKER_LOST] = seen.holds[SOV_RUN_CLAIM_LOST] = true;
    assert_int_equal(sov_policy_run(&seen).status, SOV_RECEIPT_COMPLETED);
    assert_int_equal(sov_policy_run(&seen).also_count, 0);
    seen.report = SOV_REPORT_NONE;
    assert_int_equal(sov_policy_run(&seen).category, SOV_RUN_INTERNAL_ERROR);
}

static void a_run_without_a_report_that_counts_has_unknown_effects(void **state)
{
    struct sov_run_observed seen = { .report = SOV_REPORT_NONE };

    (void)state;
    seen.holds[SOV_RUN_TIMEOUT] = true;
    assert_true(sov_policy_run(&seen).effects_unknown);
    seen.report = SOV_REPORT_COMPLETED; /* it came, but the run did not end as it should */
    assert_true(sov_policy_run(&seen).effects_unknown);
    seen.holds[SOV_RUN_TIMEOUT] = false;
    seen.holds[SOV_RUN_PROPOSAL_REFUSED] = true;
    assert_false(sov_policy_run(&seen).effects_unknown);
}

static void receipt_words_are_read_back(void **state)
{
    enum sov_receipt_status status = SOV_RECEIPT_BLOCKED;

    (void)state;
    for (enum sov_receipt_status s = 0; s < SOV_RECEIPT_STATUS_COUNT; s++) {
        assert_true(sov_policy_receipt_status(sov_policy_receipt_word(s), &status));
        assert_int_equal(status, s);
    }
    assert_false(sov_policy_receipt_status("COMPLETED", &status));
    assert_int_equal(status, SOV_RECEIPT_FAILED);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_that_holds_is_the_category),
        cmocka_unit_test(a_run_is_completed_only_if_nothing_holds_and_a_report_says_so),
        cmocka_unit_test(a_blocked_run_owes_no_file_but_an_end_of_its_own),
        cmocka_unit_test(what_supervise_and_the_fence_say_is_no_verdict_on_a_run),
        cmocka_unit_test(a_run_without_a_report_that_counts_has_unknown_effects),
        cmocka_unit_test(receipt_words_are_read_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
