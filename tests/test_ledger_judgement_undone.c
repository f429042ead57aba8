/* Work that is accepted in the log but was never done, or not as it says. */
#include "tests/judgement_fixture.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/log.h"

#define ZERO "0000000000000000000000000000000000000000000000000000000000000000"

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

static void an_accepted_sow_is_verified(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome);

    judging_sow_accepted(j, sow);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_accept(j, "principal", outcome, NULL, "verification_missing");

    outcome = judging_outcome(j, NULL);
    sow = judging_work(j, outcome);
    j->fails[0] = true;
    judging_verify(j, "verifier", sow, 0, false, NULL);
    j->fails[0] = false;
    judging_sow_accepted(j, sow);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_accept(j, "principal", outcome, NULL, "verification_failed");
}

static bool claim(struct judging *j, struct sov_commit *commit, int64_t assignment,
                  int64_t *fence_out, struct sov_error *err)
{
    struct sov_who who = sov_who_now(commit, 100, 200);

    return sov_claim_acquire(commit, assignment, 0, &who, fence_out, &j->done, err);
}

/* An assignment of the SOW, claimed, its run started and finished; its fence. */
static int64_t claimed(struct judging *j, int64_t sow, int64_t *assignment_out)
{
    struct sov_run_start start = { .provider = "scripted",
                                   .adapter = "scripted",
                                   .adapter_version = 1,
                                   .egress = "public",
                                   .sandbox = "none" };

    start.assignment = *assignment_out = judging_assign(j, sow, "operator");
    FIXTURE_DO(&j->f, "operator", j->done, claim(j, &commit, *assignment_out, &start.fence, &err));
    FIXTURE_DO(&j->f, "operator", j->done, sov_run_start(&commit, &start, &j->done, &err));
    return start.fence;
}

static void forge_finish(struct judging *j, int64_t assignment, int64_t fence)
{
    judging_forge(j, "operator", SOV_EVENT_RUN_FINISHED, SOV_STREAM_ASSIGNMENT, assignment, fence,
                  "{\"also\":[],\"counts\":{},\"credential_seen\":[],\"ended_by\":\"self\","
                  "\"message\":\"\",\"proposals\":[],\"status\":\"completed\"}");
}

static void forge_receipt(struct judging *j, int64_t n, int64_t assignment, int64_t attempt,
                          int64_t fence, const char *status)
{
    judging_forge(
        j, "operator", SOV_EVENT_RECEIPT_RECORDED, SOV_STREAM_RECEIPT, n, fence,
        judging_text(
            j,
            "{\"assignment\":\"ASG-%lld\",\"attempt\":%lld,\"boundary\":{\"computed\":true,"
            "\"scope\":\"none\",\"violated\":false},%s\"claim\":%lld,\"deliverables\":[],"
            "\"effects\":[],\"effects_unknown\":false,\"message\":\"\",\"status\":\"%s\","
            "\"usage\":{}}",
            (long long)assignment, (long long)attempt,
            strcmp(status, "failed") == 0 ? "\"category\":\"timed_out\"," : "", (long long)fence,
            status));
}

/* Ends the attempt as if it had completed with this receipt. */
static void forge_end(struct judging *j, int64_t sow, int64_t assignment, int64_t receipt,
                      int64_t fence)
{
    forge_finish(j, assignment, fence);
    judging_forge(j, "operator", SOV_EVENT_SOW_SUBMITTED, SOV_STREAM_SOW, sow, fence,
                  judging_text(j, "{\"assignment\":\"ASG-%lld\",\"receipt\":\"RCP-%lld\"}",
                               (long long)assignment, (long long)receipt));
    judging_forge(j, "operator", SOV_EVENT_ASSIGNMENT_COMPLETED, SOV_STREAM_ASSIGNMENT, assignment,
                  fence, judging_text(j, "{\"receipt\":\"RCP-%lld\"}", (long long)receipt));
    judging_sow_accepted(j, sow);
}

static void a_receipt_is_there_bound_and_completed(void **state)
{
    struct judging *j = *state;
    int64_t outcome, sow, assignment, fence;

    outcome = judging_outcome(j, NULL);
    judging_ready(j, outcome); /* RCP-1 of ASG-1 */
    sow = judging_sow(j, outcome, NULL, NULL);
    fence = claimed(j, sow, &assignment);
    forge_end(j, sow, assignment, 99, fence);
    judging_accept(j, "principal", outcome, NULL, "receipt_missing");

    outcome = judging_outcome(j, NULL);
    sow = judging_sow(j, outcome, NULL, NULL);
    fence = claimed(j, sow, &assignment);
    forge_end(j, sow, assignment, 1, fence);
    judging_accept(j, "principal", outcome, NULL, "receipt_unbound");

    outcome = judging_outcome(j, NULL);
    sow = judging_sow(j, outcome, NULL, NULL);
    fence = claimed(j, sow, &assignment);
    forge_receipt(j, 2, assignment, 7, fence, "completed"); /* of no attempt of it */
    forge_end(j, sow, assignment, 2, fence);
    judging_accept(j, "principal", outcome, NULL, "receipt_unbound");

    outcome = judging_outcome(j, NULL);
    sow = judging_sow(j, outcome, NULL, NULL);
    fence = claimed(j, sow, &assignment);
    forge_receipt(j, 3, assignment, 1, fence, "failed");
    forge_end(j, sow, assignment, 3, fence);
    judging_accept(j, "principal", outcome, NULL, "receipt_not_completed");
    judging_accept(j, "principal", outcome, NULL, "receipt_not_completed");
}

static void a_failed_receipt_is_not_accepted_in_review(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_sow(j, outcome, NULL, NULL);
    int64_t assignment, fence = claimed(j, sow, &assignment);

    forge_finish(j, assignment, fence);
    forge_receipt(j, 1, assignment, 1, fence, "failed");
    judging_forge(j, "operator", SOV_EVENT_SOW_SUBMITTED, SOV_STREAM_SOW, sow, fence,
                  "{\"assignment\":\"ASG-1\",\"receipt\":\"RCP-1\"}");
    judging_forge(j, "operator", SOV_EVENT_ASSIGNMENT_COMPLETED, SOV_STREAM_ASSIGNMENT, assignment,
                  fence, "{\"receipt\":\"RCP-1\"}");
    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, "receipt_not_completed");
    judging_review(j, "sparring", sow, SOV_REVIEW_CHANGES_REQUESTED, NULL);
}

/* The SOW says that it was worked on; the assignment is another's and runs still. */
static void an_execution_is_an_assignment_of_the_sow(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), first = judging_sow(j, outcome, NULL, NULL);
    int64_t second = judging_sow(j, outcome, NULL, NULL), assignment;
    int64_t fence = claimed(j, first, &assignment);

    judging_forge(j, "master", SOV_EVENT_SOW_ASSIGNED, SOV_STREAM_SOW, second, 0,
                  "{\"assignment\":\"ASG-1\",\"round\":1}");
    judging_forge(j, "operator", SOV_EVENT_SOW_STARTED, SOV_STREAM_SOW, second, 0,
                  "{\"assignment\":\"ASG-1\",\"attempt\":1}");
    judging_forge(j, "operator", SOV_EVENT_SOW_SUBMITTED, SOV_STREAM_SOW, second, fence,
                  "{\"assignment\":\"ASG-1\",\"receipt\":\"RCP-1\"}");
    judging_sow_accepted(j, second);
    FIXTURE_DO(&j->f, "master", j->done,
               sov_sow_withdraw(&commit, first, "not needed", &j->done, &err));
    judging_accept(j, "principal", outcome, NULL, "execution_missing");
}

static void a_declared_path_is_safe_and_in_the_receipt(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow, assignment, fence;

    sow = judging_sow(j, outcome, NULL, "report.json");
    fence = claimed(j, sow, &assignment);
    forge_receipt(j, 1, assignment, 1, fence, "completed");
    forge_end(j, sow, assignment, 1, fence);
    judging_accept(j, "principal", outcome, NULL, "deliverable_missing");

    outcome = judging_outcome(j, NULL);
    sow++;
    judging_forge(
        j, "master", SOV_EVENT_SOW_CREATED, SOV_STREAM_SOW, sow, 0,
        judging_text(
            j,
            "{\"deliverables\":[\"../etc/passwd\"],\"done_when\":\"x\",\"non_goals\":[],"
            "\"origin\":{\"by\":\"manual\"},\"outcome\":\"OUT-%lld\",\"role\":\"operator\","
            "\"scope\":\"x\",\"term\":1,\"title\":\"x\"}",
            (long long)outcome));
    judging_forge(j, "master", SOV_EVENT_SOW_READIED, SOV_STREAM_SOW, sow, 0, "{}");
    fence = claimed(j, sow, &assignment);
    forge_receipt(j, 2, assignment, 1, fence, "completed");
    forge_end(j, sow, assignment, 2, fence);
    judging_accept(j, "principal", outcome, NULL, "deliverable_unsafe");
}

static void an_effect_without_its_postings_is_none(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, "SKU-TEA");
    int64_t sow = judging_sow(j, outcome, "replenishment", NULL);
    int64_t assignment, fence = claimed(j, sow, &assignment);
    const struct sov_policy *policy;
    struct sov_error why = { 0 };

    assert_true(sov_policy_at(j->f.ledger, 0, &j->f.arena, &policy, &why));
    judging_forge(
        j, "operator", SOV_EVENT_EFFECT_COMMITTED, SOV_STREAM_EFFECT, 1, fence,
        judging_text(j,
                     "{\"assignment\":\"ASG-1\",\"facts\":{\"unit_cost\":120},\"kind\":"
                     "\"replenishment\",\"policy\":\"%s\",\"postings\":[{\"account\":"
                     "\"inventory/SKU-TEA\",\"delta\":6},{\"account\":\"cash\",\"delta\":-720}],"
                     "\"quantity\":6,\"subject\":\"SKU-TEA\"}",
                     judging_hex(j, &policy->digest)));
    forge_receipt(j, 1, assignment, 1, fence, "completed");
    forge_end(j, sow, assignment, 1, fence);
    judging_accept(j, "principal", outcome, NULL, "effect_uncorroborated");
}

static void an_outcome_declares_a_check(void **state)
{
    struct judging *j = *state;
    int64_t sow;

    judging_forge(j, "principal", SOV_EVENT_OUTCOME_DEFINED, SOV_STREAM_OUTCOME, 1, 0,
                  "{\"checks\":[],\"definition_digest\":\"" ZERO "\",\"desired_state\":\"x\","
                  "\"owner\":\"principal\",\"title\":\"x\"}");
    FIXTURE_DO(&j->f, "master", j->done, sov_outcome_activate(&commit, 1, &j->done, &err));
    sow = judging_work(j, 1);
    judging_sow_accepted(j, sow);
    judging_accept(j, "principal", 1, NULL, "checks_missing");
    judging_verify(j, "verifier", 0, 1, false, NULL);
    assert_int_equal(judging_outcome_state(j, 1), SOV_OUTCOME_ACTIVE); /* no check, no pass */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_accepted_sow_is_verified),
        TEST(a_receipt_is_there_bound_and_completed),
        TEST(a_failed_receipt_is_not_accepted_in_review),
        TEST(an_execution_is_an_assignment_of_the_sow),
        TEST(a_declared_path_is_safe_and_in_the_receipt),
        TEST(an_effect_without_its_postings_is_none),
        TEST(an_outcome_declares_a_check),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
