/*
 * Logs that no legal operation makes: events appended past the operations, each well-formed and
 * folded like any other. What the operations would have refused, the gates refuse again.
 */
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

static struct sov_outcome outcome_row(struct judging *j, int64_t n)
{
    struct sov_outcome row = { 0 };
    struct sov_error err = { 0 };

    assert_true(sov_outcome_get(j->f.ledger, n, &j->f.arena, &row, &err));
    return row;
}

/* ---- verifications that no verifier made ---- */

struct forged_batch {
    int64_t outcome, sow, receipt, assignment; /* sow 0: at outcome level */
    const char *evidence;                      /* list of ids */
    bool failing, aggregate_wrong, no_evidence;
    bool honest; /* with its own evidence, two checks as the fixture sees them */
};

/* Appends verification.recorded and its evidence in one commit. */
static bool batch_append(struct sov_commit *commit, struct judging *j,
                         const struct forged_batch *batch, struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_VERIFICATION_RECORDED };
    struct sov_outcome outcome = outcome_row(j, batch->outcome);
    struct sov_observations seen = judging_see(j, batch->outcome);
    struct sov_verification row = { .scope = batch->sow ? "sow" : "outcome",
                                    .outcome = batch->outcome,
                                    .term = outcome.term,
                                    .sow = batch->sow,
                                    .assignment = batch->assignment,
                                    .receipt = batch->receipt,
                                    .definition_digest = outcome.definition_digest };
    struct sov_evidence evidence[JUDGING_CHECKS];
    struct sov_evidences list = { evidence, seen.count };
    struct sov_stream first;
    struct sov_hash aggregate;
    const char *of_sow = "", *sow = "", *ids = batch->evidence;

    if (!sov_commit_next(commit, SOV_STREAM_VERIFICATION, &lead.stream, err) ||
        !sov_commit_next(commit, SOV_STREAM_EVIDENCE, &first, err))
        return false;
    for (size_t i = 0; i < seen.count; i++)
        evidence[i] = (struct sov_evidence){ .check = seen.at[i].check,
                                             .success = !batch->failing,
                                             .observation_digest = seen.at[i].digest };
    aggregate = sov_aggregate_digest(&row, &list);
    if (batch->aggregate_wrong) aggregate.octets[0] ^= 1;
    if (!ids)
        ids = judging_text(j, "[\"EVD-%lld\",\"EVD-%lld\"]", (long long)first.n,
                           (long long)first.n + 1);
    if (batch->sow) {
        of_sow = judging_text(j, "\"assignment\":\"ASG-%lld\",", (long long)batch->assignment);
        sow = judging_text(j, "\"receipt\":\"RCP-%lld\",", (long long)batch->receipt);
    }
    lead.data = sov_bytes_text(judging_text(
        j,
        "{\"aggregate_digest\":\"%s\",%s\"basis\":1,\"definition_digest\":\"%s\","
        "\"evidence\":%s,\"outcome\":\"OUT-%lld\",\"passed\":true,\"reads_digest\":\"" ZERO
        "\",%s\"scope\":\"%s\",%s\"term\":%lld}",
        judging_hex(j, &aggregate), of_sow, judging_hex(j, &outcome.definition_digest), ids,
        (long long)batch->outcome, sow, row.scope,
        batch->sow ? judging_text(j, "\"sow\":\"SOW-%lld\",", (long long)batch->sow) : "",
        (long long)outcome.term));
    if (!sov_commit_lead(commit, &lead, &j->done, err)) return false;
    for (size_t i = 0; i < seen.count && !batch->evidence; i++) {
        struct sov_addition addition = {
            .type = SOV_EVENT_EVIDENCE_RECORDED,
            .stream = sov_stream_numbered(SOV_STREAM_EVIDENCE, first.n + (int64_t)i),
        };

        addition.data = sov_bytes_text(judging_text(
            j,
            "{\"artifacts\":[],\"check\":\"%s\",\"kind\":\"%s\",\"observation_digest\":"
            "\"%s\",\"observed\":{\"fact\":0},\"success\":%s,\"verification\":\"VER-%lld\"}",
            seen.at[i].check, seen.at[i].kind, judging_hex(j, &seen.at[i].digest),
            batch->failing ? "false" : "true", (long long)lead.stream.n));
        if (!sov_commit_follow(commit, &addition, NULL, err)) return false;
    }
    return true;
}

static int64_t forge_batch(struct judging *j, const struct forged_batch *batch)
{
    FIXTURE_DO(&j->f, "verifier", j->done, batch_append(&commit, j, batch, &err));
    return sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_VERIFICATION);
}

static void a_review_recomputes_the_aggregate(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome);
    struct forged_batch batch = { .outcome = outcome, .sow = sow, .receipt = 1, .assignment = 1 };

    batch.aggregate_wrong = true;
    forge_batch(j, &batch);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, "aggregate_mismatch");
    batch.aggregate_wrong = false;
    batch.failing = true; /* says passed, its evidence says no */
    forge_batch(j, &batch);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, "verification_failed");
    batch.failing = false;
    forge_batch(j, &batch);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
}

/* A verification that names a sibling's execution is none of this SOW's. */
static void a_sow_borrows_no_execution_of_a_sibling(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), first = judging_work(j, outcome);
    int64_t second = judging_work(j, outcome);
    struct forged_batch batch = {
        .outcome = outcome, .sow = second, .receipt = 1, .assignment = 1
    };

    forge_batch(j, &batch);
    judging_review(j, "sparring", second, SOV_REVIEW_ACCEPTED, "verification_missing");
    batch.receipt = 2; /* its own receipt, but the other's assignment */
    forge_batch(j, &batch);
    judging_review(j, "sparring", second, SOV_REVIEW_ACCEPTED, "verification_missing");
    (void)first;
}

/* Nor its evidence, nor does a part of the declared checks do. */
static void a_sow_borrows_no_evidence_of_a_sibling(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), first = judging_work(j, outcome);
    int64_t second = judging_work(j, outcome);
    struct forged_batch batch = {
        .outcome = outcome, .sow = second, .receipt = 2, .assignment = 2
    };

    judging_verify(j, "verifier", first, 0, false, NULL); /* evidence 1 and 2 */
    batch.evidence = "[\"EVD-1\",\"EVD-2\"]";
    forge_batch(j, &batch);
    judging_review(j, "sparring", second, SOV_REVIEW_ACCEPTED, "verification_failed");
    batch.evidence = "[]";
    forge_batch(j, &batch);
    judging_review(j, "sparring", second, SOV_REVIEW_ACCEPTED, "aggregate_mismatch");
    judging_verify(j, "verifier", second, 0, false, NULL);
    judging_review(j, "sparring", second, SOV_REVIEW_ACCEPTED, NULL);
}

static void evidence_is_whole_own_and_adds_up(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), other = judging_outcome(j, NULL);
    struct forged_batch batch = { .outcome = outcome };

    judging_ready(j, other); /* evidence 1 to 4 */
    judging_ready(j, outcome);
    judging_sign(j, "principal", outcome, &(struct judging_signing){ 0 });
    batch.evidence = "[]";
    forge_batch(j, &batch);
    judging_accept(j, "principal", outcome, NULL, "evidence_missing");
    batch.evidence = "[\"EVD-99\",\"EVD-98\"]";
    forge_batch(j, &batch);
    judging_accept(j, "principal", outcome, NULL, "evidence_missing");
    batch.evidence = "[\"EVD-3\",\"EVD-4\"]"; /* the other outcome's own */
    forge_batch(j, &batch);
    judging_accept(j, "principal", outcome, NULL, "evidence_foreign");
    batch.evidence = "[\"EVD-5\",\"EVD-6\"]"; /* of its SOW's batch */
    forge_batch(j, &batch);
    judging_accept(j, "principal", outcome, NULL, "evidence_foreign");
    batch.evidence = NULL;
    batch.failing = true;
    forge_batch(j, &batch);
    judging_accept(j, "principal", outcome, NULL, "evidence_failing");
    batch.failing = false;
    batch.aggregate_wrong = true;
    forge_batch(j, &batch);
    judging_accept(j, "principal", outcome, NULL, "aggregate_mismatch");
    batch.aggregate_wrong = false;
    forge_batch(j, &batch);
    judging_accept(j, "principal", outcome, NULL, NULL);
}

/* ---- reviews that no reviewer decided ---- */

struct forged_review {
    int64_t sow; /* said */
    int64_t of;  /* whose work is prepared and signed for; 0: the same */
    const char *who;
    enum sov_decision decision;
    bool signature_wrong, aggregate_wrong;
    const char *rationale; /* other than the signed one; NULL: the same */
};

static void forge_review(struct judging *j, const struct forged_review *forged)
{
    struct sov_review_request request = { forged->of ? forged->of : forged->sow, 0,
                                          forged->decision, "looked at" };
    struct sov_review_prepared prepared;
    struct sov_signed_by by;
    struct sov_error why = { 0 };
    char signature[2 * SOV_SIGNATURE_SIZE + 1];
    struct sov_stream next = { 0 };

    assert_true(
        sov_review_prepare(j->f.ledger, forged->who, &request, &j->f.arena, &prepared, &why));
    assert_true(sov_statement_sign(j->f.ledger, forged->who, NULL, SOV_REVIEW_TAG,
                                   prepared.statement, &by, &why));
    if (forged->signature_wrong) by.signature.octets[9] ^= 1;
    if (forged->aggregate_wrong) prepared.aggregate_digest.octets[9] ^= 1;
    sov_hex(sov_bytes(by.signature.octets, SOV_SIGNATURE_SIZE), signature);
    FIXTURE_DO(&j->f, forged->who, j->done,
               sov_commit_next(&commit, SOV_STREAM_REVIEW, &next, &err));
    judging_forge(
        j, forged->who, SOV_EVENT_REVIEW_DECIDED, SOV_STREAM_REVIEW, next.n, 0,
        judging_text(
            j,
            "{\"aggregate_digest\":\"%s\",\"basis\":1,\"decision\":\"%s\",\"rationale\":\"%s\","
            "\"reads_digest\":\"" ZERO "\",\"receipt\":\"RCP-%lld\",\"sig\":{\"key\":\"%s\","
            "\"signature\":\"%s\",\"statement\":\"%s\"},\"sow\":\"SOW-%lld\","
            "\"verification\":\"VER-%lld\"}",
            judging_hex(j, &prepared.aggregate_digest), sov_policy_decision_word(forged->decision),
            forged->rationale ? forged->rationale : "looked at", (long long)prepared.receipt,
            by.key, signature, judging_hex(j, &by.statement), (long long)forged->sow,
            (long long)prepared.verification));
}

static void a_review_is_believed_only_if_it_verifies(void **state)
{
    static const struct {
        struct forged_review review;
        const char *code;
    } rows[] = {
        { { .signature_wrong = true }, "review_invalid" },
        { { .aggregate_wrong = true }, "review_invalid" },
        { { .rationale = "it was not looked at" }, "review_invalid" },
        { { .decision = SOV_REVIEW_REJECTED }, "review_missing" },
        { { 0 }, NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct judging *j = *state;
        int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome);
        struct forged_review review = rows[i].review;

        judging_verify(j, "verifier", sow, 0, false, NULL);
        review.sow = sow;
        review.who = "sparring";
        forge_review(j, &review);
        judging_sow_accepted(j, sow);
        judging_verify(j, "verifier", 0, outcome, false, NULL);
        judging_accept(j, "principal", outcome, NULL, rows[i].code);
    }
}

static void dissent_is_not_passed_over(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome);
    struct forged_review review = { .sow = sow,
                                    .who = "second",
                                    .decision = SOV_REVIEW_CHANGES_REQUESTED };

    judging_actor(j, "second", "robot", "sparring", NULL);
    judging_verify(j, "verifier", sow, 0, false, NULL);
    forge_review(j, &review);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    assert_int_equal(judging_sow_state(j, sow), SOV_SOW_REVIEW);
    judging_sow_accepted(j, sow);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_accept(j, "principal", outcome, NULL, "review_dissent");
}

/* A review of the sibling's verification, said to be of this SOW, counts for neither. */
static void a_sow_borrows_no_review_of_a_sibling(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), first = judging_work(j, outcome);
    int64_t second = judging_work(j, outcome);
    struct forged_review review = { .sow = second, .of = first, .who = "sparring" };

    judging_verify(j, "verifier", first, 0, false, NULL);
    judging_verify(j, "verifier", second, 0, false, NULL);
    judging_review(j, "sparring", first, SOV_REVIEW_ACCEPTED, NULL);
    forge_review(j, &review);
    judging_sow_accepted(j, second);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_accept(j, "principal", outcome, NULL, "review_missing");
}

/* Back in REVIEW by force, in a term that is over. */
static void work_of_an_earlier_term_is_not_reviewed(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_ready(j, outcome);

    judging_accept(j, "principal", outcome, NULL, NULL);
    j->fails[0] = true;
    judging_verify(j, "verifier", 0, outcome, true, NULL);
    FIXTURE_DO(&j->f, "master", j->done,
               sov_outcome_reopen(&commit, outcome, "again", &j->done, &err));
    judging_forge(j, "verifier", SOV_EVENT_SOW_REVERIFIED, SOV_STREAM_SOW, sow, 0,
                  "{\"verification\":\"VER-1\"}");
    judging_review(j, "sparring", sow, SOV_REVIEW_REJECTED, "outcome_not_open");
}

/* Two actors with one key cannot be: not even a forged log folds into it. */
static void a_key_stands_under_one_name(void **state)
{
    struct judging *j = *state;
    struct sov_addition event = { .type = SOV_EVENT_KEY_REGISTERED };
    struct sov_actor_keys keys;
    struct sov_error why = { 0 };
    struct sov_hash octets;

    assert_true(sov_key_list(j->f.ledger, "operator", &j->f.arena, &keys, &why));
    memcpy(octets.octets, keys.at[0].key.octets, sizeof octets.octets);
    event.data = sov_bytes_text(judging_text(j,
                                             "{\"actor\":\"principal\",\"algorithm\":\"ed25519\","
                                             "\"proof\":\"" ZERO ZERO "\",\"public_key\":\"%s\"}",
                                             judging_hex(j, &octets)));
    event.stream = sov_stream_named(SOV_STREAM_KEY, sov_bytes_text(keys.at[0].id));
    FIXTURE_REFUSED(&j->f, "principal", "event_invalid", j->done,
                    sov_commit_lead(&commit, &event, &j->done, &err));
    event.stream = sov_stream_named(SOV_STREAM_KEY, sov_bytes_text("k000000000000000000000000"));
    FIXTURE_REFUSED(&j->f, "principal", "event_invalid", j->done,
                    sov_commit_lead(&commit, &event, &j->done, &err));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_review_recomputes_the_aggregate),
        TEST(a_sow_borrows_no_execution_of_a_sibling),
        TEST(a_sow_borrows_no_evidence_of_a_sibling),
        TEST(evidence_is_whole_own_and_adds_up),
        TEST(a_review_is_believed_only_if_it_verifies),
        TEST(dissent_is_not_passed_over),
        TEST(a_sow_borrows_no_review_of_a_sibling),
        TEST(work_of_an_earlier_term_is_not_reviewed),
        TEST(a_key_stands_under_one_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
