/* An acceptance is a theorem about the log: a well-formed, rightly signed event is not enough. */
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#include "tests/judgement_fixture.h"
#include "verify/verify.h"

static int setup(void **state)
{
    struct judging *j = calloc(1, sizeof *j);

    judging_open(j);
    *state = j;
    return 0;
}

static int teardown(void **state)
{
    judging_close(*state);
    free(*state);
    return 0;
}

static struct sov_report judged(struct judging *j)
{
    struct sov_verify_options options = {
        .places = &j->f.places, .seams = &j->f.seams, .wait_ms = 1000, .no_anchor = true
    };
    struct sov_report report;
    struct sov_error err = { 0 };

    sov_ledger_close(j->f.ledger);
    j->f.ledger = NULL;
    if (!sov_verify(&options, &j->f.arena, &report, &err)) fail_msg("%s", err.what);
    fixture_reopen(&j->f);
    return report;
}

static bool found(const struct sov_report *report, const char *kind, int64_t seq)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->findings[i].class == SOV_CLASS_TAMPER && report->findings[i].seq == seq &&
            strcmp(report->findings[i].kind, kind) == 0)
            return true;
    return false;
}

static void an_acceptance_that_was_earned_is_decided_the_same_again(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL);
    struct sov_report report;

    judging_ready(j, outcome);
    judging_accept(j, "principal", outcome, NULL, NULL);
    report = judged(j);
    for (size_t i = 0; i < report.count; i++) print_message("%s\n", report.findings[i].message);
    assert_int_equal(report.exit, SOV_OK);
}

/* Signs whatever is prepared, shut or not, and appends the event past the operation. */
static int64_t forge(struct judging *j, int64_t outcome, bool case_wrong, bool reads_wrong)
{
    struct sov_observations seen = judging_see(j, outcome);
    struct sov_acceptance_request request = { .outcome = outcome, .observations = &seen };
    struct sov_acceptance_prepared prepared;
    struct sov_error err = { 0 };
    struct sov_signed_by by;
    struct sov_bytes statement;
    char signature[2 * SOV_SIGNATURE_SIZE + 1];

    assert_true(
        sov_acceptance_prepare(j->f.ledger, "principal", &request, &j->f.arena, &prepared, &err));
    if (case_wrong) prepared.case_digest.octets[0] ^= 1;
    if (reads_wrong) prepared.reads_digest.octets[0] ^= 1;
    statement =
        sov_acceptance_statement(j->f.ledger, &prepared.case_digest, outcome, 1, &j->f.arena);
    assert_true(
        sov_statement_sign(j->f.ledger, "principal", NULL, SOV_ACCEPT_TAG, statement, &by, &err));
    sov_hex(sov_bytes(by.signature.octets, SOV_SIGNATURE_SIZE), signature);
    judging_forge(
        j, "principal", SOV_EVENT_ACCEPTANCE_SIGNED, SOV_STREAM_ACCEPTANCE, 1, 0,
        judging_text(j,
                     "{\"basis\":%lld,\"case_digest\":\"%s\",\"observations\":[{\"check\":\"%s\","
                     "\"digest\":\"%s\",\"success\":true},{\"check\":\"%s\",\"digest\":\"%s\","
                     "\"success\":true}],\"outcome\":\"OUT-%lld\",\"reads_digest\":\"%s\","
                     "\"sig\":{\"key\":\"%s\",\"signature\":\"%s\",\"statement\":\"%s\"},"
                     "\"signers\":[\"principal\"],\"term\":1}",
                     (long long)prepared.basis, judging_hex(j, &prepared.case_digest),
                     seen.at[0].check, judging_hex(j, &seen.at[0].digest), seen.at[1].check,
                     judging_hex(j, &seen.at[1].digest), (long long)outcome,
                     judging_hex(j, &prepared.reads_digest), by.key, signature,
                     judging_hex(j, &by.statement)));
    return fixture_head(&j->f);
}

static void a_signed_acceptance_over_a_shut_gate_is_named(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), seq;
    struct sov_report report;

    judging_work(j, outcome); /* neither verified nor reviewed */
    seq = forge(j, outcome, false, false);
    report = judged(j);
    assert_int_equal(report.exit, SOV_INTEGRITY);
    assert_true(found(&report, "decision", seq));
    assert_int_equal(report.first_bad_seq, seq);
}

static void a_signed_acceptance_of_another_case_or_other_reads_is_named(void **state)
{
    for (int other = 0; other < 2; other++) {
        struct judging *j;
        void *fresh = NULL;
        struct sov_report report;
        int64_t outcome, seq;

        setup(&fresh);
        j = fresh;
        outcome = judging_outcome(j, NULL);
        judging_ready(j, outcome);
        seq = forge(j, outcome, other == 0, other == 1);
        report = judged(j);
        assert_int_equal(report.exit, SOV_INTEGRITY);
        assert_true(found(&report, other == 0 ? "case" : "reads", seq));
        teardown(&fresh);
    }
    (void)state;
}

/* The pulse answered nothing of the kind: no rule of the store is about such a signal. */
static void an_answer_that_the_pulse_would_not_give_is_named(void **state)
{
    static const char digest[] = "0000000000000000000000000000000000000000000000000000000000000000";
    struct sov_signal_request request = {
        .kind = "weather.rain", .source = "sky", .subject = "roof", .severity = SOV_INFO
    };
    struct judging *j = *state;
    struct sov_report report;
    int64_t seq;

    FIXTURE_DO(&j->f, "operator", &j->done, sov_signal_record(&commit, &request, &j->done, &err));
    judging_forge(j, "host", SOV_EVENT_WAKE_DECIDED, SOV_STREAM_SIGNAL, 1, 0,
                  judging_text(j,
                               "{\"decision\":\"defer\",\"inputs_digest\":\"%s\",\"reason\":"
                               "\"planner_unavailable\",\"rules_digest\":\"%s\",\"subject\":"
                               "\"roof\"}",
                               digest, digest));
    seq = fixture_head(&j->f);
    report = judged(j);
    assert_int_equal(report.exit, SOV_INTEGRITY);
    assert_true(found(&report, "decision", seq));
}

static int64_t claimed(struct judging *j)
{
    int64_t outcome = judging_outcome(j, NULL);
    int64_t n = judging_assign(j, judging_sow(j, outcome, NULL, NULL), "operator"), fence;
    struct sov_who who = { .pid = 7, .start = 70, .boot_ms = j->f.now.boot_ms };

    memcpy(who.machine, j->f.now.machine, sizeof who.machine);
    memcpy(who.boot, j->f.now.boot, sizeof who.boot);
    FIXTURE_DO(&j->f, "operator", j->done,
               sov_claim_acquire(&commit, n, 0, &who, &fence, &j->done, &err));
    return fence;
}

/* By a judge on this boot, so much later. */
static void forge_end(struct judging *j, int64_t fence, const char *ground, int64_t later_ms)
{
    judging_forge(j, "host", SOV_EVENT_CLAIM_EXPIRED, SOV_STREAM_ASSIGNMENT, 1, fence,
                  judging_text(j,
                               "{\"ground\":\"%s\",\"who\":{\"boot\":\"%s\",\"boot_ms\":%lld,"
                               "\"machine\":\"%s\",\"pid\":1,\"start\":1}}",
                               ground, j->f.now.boot, (long long)(j->f.now.boot_ms + later_ms),
                               j->f.now.machine));
}

static void an_end_of_a_claim_that_its_clocks_do_not_give_is_named(void **state)
{
    static const struct {
        const char *ground;
        int64_t later_ms;
        bool holds;
    } rows[] = {
        { "boot_clock", 905000, false }, { "boot_clock", 905001, true },
        { "process_gone", 1, true },     { "process_gone", 905001, false },
        { "wall_clock", 905001, false }, { "other_boot", 905001, false },
        { "anomalous", 905001, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judging j;
        struct sov_report report;

        judging_open(&j);
        forge_end(&j, claimed(&j), rows[i].ground, rows[i].later_ms);
        report = judged(&j);
        if (found(&report, "decision", fixture_head(&j.f)) == rows[i].holds) fail_msg("row %zu", i);
        judging_close(&j);
    }
}

/* What a pass itself appends under clocks that jump, verify decides the same. */
static void a_doubt_and_the_end_behind_it_are_decided_the_same_again(void **state)
{
    struct judging *j = *state;
    struct sov_supervise_options options = { .pid = 9, .start = 90 };
    struct sov_supervised out;
    struct sov_report report;
    struct sov_error err = { 0 };

    j->f.now.wall.ms += INT64_C(3652) * 24 * 3600 * 1000;
    claimed(j);
    j->f.now.wall.ms -= INT64_C(3652) * 24 * 3600 * 1000;
    j->f.now.machine[0] ^= 1;
    j->f.now.boot[0] ^= 1;
    for (int i = 0; i < 2; i++) {
        assert_true(sov_supervise(j->f.ledger, &options, &j->f.arena, &out, &err));
        assert_int_equal(out.act_count, 1);
        fixture_tick(&j->f, 1200001);
    }
    report = judged(j);
    for (size_t i = 0; i < report.count; i++) print_message("%s\n", report.findings[i].message);
    assert_int_equal(report.exit, SOV_OK);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(an_acceptance_that_was_earned_is_decided_the_same_again),
        T(a_signed_acceptance_over_a_shut_gate_is_named),
        T(an_answer_that_the_pulse_would_not_give_is_named),
        T(a_doubt_and_the_end_behind_it_are_decided_the_same_again),
        cmocka_unit_test(an_end_of_a_claim_that_its_clocks_do_not_give_is_named),
        cmocka_unit_test(a_signed_acceptance_of_another_case_or_other_reads_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
