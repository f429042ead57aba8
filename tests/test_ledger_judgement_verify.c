/* Verifications: what is recorded, what follows, what is refused. */
#include "tests/judgement_fixture.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static struct sov_verification find(struct judging *j, int64_t n)
{
    struct sov_verification row = { 0 };
    struct sov_error err = { 0 };
    bool found = false;

    assert_true(sov_verification_find(j->f.ledger, n, &j->f.arena, &row, &found, &err));
    assert_true(found);
    return row;
}

static void a_batch_is_recorded_with_its_evidence(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome), n, head;
    struct sov_verification row;
    struct sov_evidences evidence;
    struct sov_hash aggregate;
    struct sov_error err = { 0 };

    j->fact[0] = 7;
    j->fails[1] = true;
    head = fixture_head(&j->f);
    n = judging_verify(j, "verifier", sow, 0, false, NULL);
    assert_string_equal(judging_events(j, head),
                        "verification.recorded evidence.recorded evidence.recorded");
    row = find(j, n);
    assert_string_equal(row.scope, "sow");
    assert_int_equal(row.outcome, outcome);
    assert_int_equal(row.sow, sow);
    assert_int_equal(row.term, 1);
    assert_int_equal(row.assignment, 1);
    assert_int_equal(row.receipt, 1);
    assert_int_equal(row.basis, head);
    assert_false(row.passed);
    assert_string_equal(row.actor, "verifier");
    assert_true(sov_evidence_list(j->f.ledger, n, &j->f.arena, &evidence, &err));
    assert_int_equal(evidence.count, 2);
    assert_string_equal(evidence.at[0].check, "first");
    assert_string_equal(evidence.at[0].kind, "file-exists");
    assert_true(evidence.at[0].success);
    assert_true(sov_bytes_is(evidence.at[0].observed, "{\"fact\":7}"));
    assert_string_equal(evidence.at[1].check, "second");
    assert_false(evidence.at[1].success);
    aggregate = sov_aggregate_digest(&row, &evidence);
    assert_memory_equal(&aggregate, &row.aggregate_digest, sizeof aggregate);
}

static void the_list_of_reads_can_be_rebuilt_from_the_log(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, "SKU-TEA"), sow = judging_work(j, outcome);
    struct sov_verification row;
    struct sov_ledger *then = NULL;
    struct sov_reads reads;
    struct sov_error err = { 0 };

    row = find(j, judging_verify(j, "verifier", sow, 0, false, NULL));
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    assert_true(sov_ledger_fold_to(j->f.ledger, row.basis, &then, &err));
    assert_true(sov_reads_of(then, outcome, "verifier", &j->f.arena, &reads, &err));
    assert_memory_equal(&reads.digest, &row.reads_digest, sizeof reads.digest);
    for (size_t i = 1; i < reads.count; i++)
        assert_true(strcmp(reads.at[i - 1].stream, reads.at[i].stream) < 0);
    sov_ledger_close(then);
}

static void an_outcome_is_verifying_while_its_newest_batch_passed(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), head;

    judging_work(j, outcome);
    head = fixture_head(&j->f);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    assert_string_equal(
        judging_events(j, head),
        "verification.recorded evidence.recorded evidence.recorded outcome.verifying");
    assert_int_equal(judging_outcome_state(j, outcome), SOV_OUTCOME_VERIFYING);
    head = fixture_head(&j->f);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    assert_string_equal(judging_events(j, head),
                        "verification.recorded evidence.recorded evidence.recorded");
    j->fails[0] = true;
    head = fixture_head(&j->f);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    assert_string_equal(
        judging_events(j, head),
        "verification.recorded evidence.recorded evidence.recorded outcome.resumed");
    assert_int_equal(judging_outcome_state(j, outcome), SOV_OUTCOME_ACTIVE);
    head = fixture_head(&j->f);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    assert_string_equal(judging_events(j, head),
                        "verification.recorded evidence.recorded evidence.recorded");
}

static void an_accepted_sow_that_is_verified_again_is_back_in_review(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_ready(j, outcome), head;

    assert_int_equal(judging_sow_state(j, sow), SOV_SOW_ACCEPTED);
    head = fixture_head(&j->f);
    judging_verify(j, "verifier", sow, 0, false, NULL);
    assert_string_equal(judging_events(j, head),
                        "verification.recorded evidence.recorded evidence.recorded sow.reverified");
    assert_int_equal(judging_sow_state(j, sow), SOV_SOW_REVIEW);
    judging_accept(j, "principal", outcome, NULL, "sow_open");
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_accept(j, "principal", outcome, NULL, NULL);
}

static void a_recheck_that_fails_violates_what_was_accepted(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), head;
    struct sov_event event;
    struct sov_error err = { 0 };

    judging_ready(j, outcome);
    judging_verify(j, "verifier", 0, outcome, true, "wrong_state");
    judging_accept(j, "principal", outcome, NULL, NULL);
    judging_verify(j, "verifier", 0, outcome, false, "outcome_not_open");
    head = fixture_head(&j->f);
    judging_verify(j, "verifier", 0, outcome, true, NULL);
    assert_string_equal(judging_events(j, head),
                        "verification.recorded evidence.recorded evidence.recorded");
    assert_int_equal(judging_outcome_state(j, outcome), SOV_OUTCOME_ACCEPTED);
    j->fails[1] = true;
    head = fixture_head(&j->f);
    judging_verify(j, "verifier", 0, outcome, true, NULL);
    assert_string_equal(
        judging_events(j, head),
        "verification.recorded evidence.recorded evidence.recorded outcome.violated");
    assert_int_equal(judging_outcome_state(j, outcome), SOV_OUTCOME_VIOLATED);
    assert_true(sov_log_event(j->f.ledger, fixture_head(&j->f), &j->f.arena, &event, &err));
    assert_true(sov_bytes_is(sov_data(&event, "failing").octets, "[\"second\"]"));
    head = fixture_head(&j->f);
    judging_verify(j, "verifier", 0, outcome, true, NULL);
    assert_string_equal(judging_events(j, head),
                        "verification.recorded evidence.recorded evidence.recorded");
    judging_accept(j, "principal", outcome, NULL, "wrong_state");
}

static void what_cannot_be_verified_is_refused(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_sow(j, outcome, NULL, NULL);

    judging_verify(j, "verifier", 99, 0, false, "no_such_id");
    judging_verify(j, "verifier", 0, 99, false, "no_such_id");
    judging_verify(j, "verifier", 0, 99, true, "no_such_id");
    judging_verify(j, "nobody", sow, 0, false, "no_such_id");
    judging_verify(j, "master", sow, 0, false, "not_authorised");
    judging_verify(j, "verifier", sow, 0, false, "wrong_state");
    judging_verify(j, "verifier", 0, outcome, false, "execution_missing");
    judging_run(j, judging_assign(j, sow, "operator"), "operator", &(struct judging_run){ 0 });
    FIXTURE_DO(&j->f, "master", j->done,
               sov_outcome_block(&commit, outcome, "wait", &j->done, &err));
    judging_verify(j, "verifier", sow, 0, false, "outcome_not_open");
    judging_verify(j, "verifier", 0, outcome, false, "outcome_not_open");
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_actor_change(&commit, "verifier", SOV_ACTOR_SUSPEND, "away", &j->done, &err));
    judging_verify(j, "verifier", sow, 0, false, "actor_inactive");
}

/* By id, after a change of role; by answerable. A key on two actors is refused when registered. */
static void nobody_verifies_own_work(void **state)
{
    struct judging *j = *state;
    struct sov_actor_request revision = { .id = "operator", .role = "verifier", .reason = "moves" };
    int64_t outcome = judging_outcome(j, NULL), sow, other;

    judging_actor(j, "worker", "robot", "operator", "team/blue");
    judging_actor(j, "checker", "robot", "verifier", "team/blue");
    sow = judging_work(j, outcome);
    FIXTURE_DO(&j->f, "principal", j->done, sov_actor_revise(&commit, &revision, &j->done, &err));
    judging_verify(j, "operator", sow, 0, false, "self_verify");
    judging_verify(j, "operator", 0, outcome, false, "self_verify");
    judging_verify(j, "checker", sow, 0, false, NULL);
    other = judging_outcome(j, NULL);
    sow = judging_sow(j, other, NULL, NULL);
    judging_run(j, judging_assign(j, sow, "worker"), "worker", &(struct judging_run){ 0 });
    judging_verify(j, "checker", sow, 0, false, "self_verify");
}

static void a_reviewer_or_accepter_does_not_verify(void **state)
{
    struct judging *j = *state;
    struct sov_actor_request reviewer = { .id = "sparring", .role = "verifier", .reason = "moves" };
    struct sov_actor_request accepter = { .id = "second", .role = "verifier", .reason = "moves" };
    int64_t outcome = judging_outcome(j, NULL);

    judging_actor(j, "second", "person", "principal", NULL);
    judging_ready(j, outcome);
    judging_accept(j, "second", outcome, NULL, NULL);
    FIXTURE_DO(&j->f, "principal", j->done, sov_actor_revise(&commit, &reviewer, &j->done, &err));
    FIXTURE_DO(&j->f, "principal", j->done, sov_actor_revise(&commit, &accepter, &j->done, &err));
    judging_verify(j, "sparring", 0, outcome, true, "self_verify");
    judging_verify(j, "second", 0, outcome, true, "self_verify");
    judging_verify(j, "verifier", 0, outcome, true, NULL);
}

static void work_of_an_earlier_term_is_not_verified_again(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_ready(j, outcome);

    judging_accept(j, "principal", outcome, NULL, NULL);
    j->fails[0] = true;
    judging_verify(j, "verifier", 0, outcome, true, NULL);
    FIXTURE_DO(&j->f, "master", j->done,
               sov_outcome_reopen(&commit, outcome, "again", &j->done, &err));
    judging_verify(j, "verifier", sow, 0, false, "outcome_not_open");
    judging_verify(j, "verifier", 0, outcome, false, "execution_missing");
}

static struct sov_verification_prepared prepare(struct judging *j, int64_t sow, int64_t outcome,
                                                struct sov_observations *seen)
{
    struct sov_verification_request request = { .sow = sow };
    struct sov_verification_prepared prepared;
    struct sov_error err = { 0 };

    *seen = judging_see(j, outcome);
    assert_true(sov_verification_prepare(j->f.ledger, "verifier", &request, seen, &j->f.arena,
                                         &prepared, &err));
    return prepared;
}

static void observations_of_other_checks_are_refused(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome);
    struct sov_verification_prepared prepared;
    struct sov_observation changed[JUDGING_CHECKS];
    struct sov_observations seen;

    prepared = prepare(j, sow, outcome, &seen);
    memcpy(changed, seen.at, sizeof changed);
    prepared.observations.at = changed;
    prepared.observations.count = 1;
    FIXTURE_REFUSED(&j->f, "verifier", "bad_value", j->done,
                    sov_verification_record(&commit, &prepared, &j->done, &err));
    prepared.observations.count = 2;
    changed[1].check = "third";
    FIXTURE_REFUSED(&j->f, "verifier", "bad_value", j->done,
                    sov_verification_record(&commit, &prepared, &j->done, &err));
    changed[1] = seen.at[1];
    changed[1].observed = sov_bytes_text("{\"fact\":8}");
    FIXTURE_REFUSED(&j->f, "verifier", "bad_value", j->done,
                    sov_verification_record(&commit, &prepared, &j->done, &err));
    changed[1] = seen.at[1];
    FIXTURE_DO(&j->f, "verifier", j->done,
               sov_verification_record(&commit, &prepared, &j->done, &err));
}

static void what_is_too_long_for_an_event_is_kept_as_a_blob(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome), n;
    struct sov_verification_prepared prepared;
    struct sov_observation changed[JUDGING_CHECKS];
    struct sov_observations seen;
    struct sov_evidences evidence;
    struct sov_outcome row;
    struct sov_error why = { 0 };
    struct sov_value spec;
    struct sov_blob blob;
    size_t at = 0;
    bool found;

    prepared = prepare(j, sow, outcome, &seen);
    memcpy(changed, seen.at, sizeof changed);
    changed[0].observed =
        sov_bytes_text(sov_arena_printf(&j->f.arena, "{\"fact\":\"%0*d\"}", SOV_TEXT_OBSERVED, 1));
    assert_true(sov_outcome_get(j->f.ledger, outcome, &j->f.arena, &row, &why));
    assert_true(sov_value_item(sov_value(row.checks), &at, &spec));
    changed[0].digest = sov_observation_digest(spec.octets, changed[0].observed);
    prepared.observations.at = changed;
    FIXTURE_DO(&j->f, "verifier", j->done,
               sov_verification_record(&commit, &prepared, &j->done, &err));
    n = sov_id_number(sov_bytes_text(j->done.id), SOV_STREAM_VERIFICATION);
    assert_true(sov_evidence_list(j->f.ledger, n, &j->f.arena, &evidence, &why));
    assert_null(evidence.at[0].observed.data);
    assert_non_null(evidence.at[1].observed.data);
    assert_true(sov_blob_find(j->f.ledger, &evidence.at[0].observed_blob, &j->f.arena, &blob,
                              &found, &why));
    assert_true(found && sov_bytes_equal(blob.content, changed[0].observed));
}

static void a_repeated_request_has_the_earlier_answer(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome), seq = 0;
    struct sov_act act = { "verifier", "once", -1, -1, false };
    struct sov_verification_prepared prepared;
    struct sov_observations seen;
    struct sov_done first, again;
    struct sov_error err = { 0 };

    for (int i = 0; i < 2; i++) {
        SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };

        prepared = prepare(j, sow, outcome, &seen);
        assert_true(sov_commit_begin(&commit, j->f.ledger, &act, &err));
        assert_true(sov_verification_record(&commit, &prepared, i ? &again : &first, &err));
        assert_true(sov_commit_finish(&commit, &seq, &err));
    }
    assert_int_equal(first.effect, SOV_CREATED);
    assert_int_equal(again.effect, SOV_NOOP);
    assert_string_equal(first.id, again.id);
    assert_int_equal(first.seq, again.seq);
}

/* The same key for another outcome is no repeat. */
static void a_key_is_not_used_for_another_outcome(void **state)
{
    struct judging *j = *state;
    struct sov_verification_request request = { 0 };
    struct sov_verification_prepared prepared;
    struct sov_observations seen;
    struct sov_error err = { 0 };
    struct sov_act act = { "verifier", "once", -1, -1, false };
    int64_t seq;

    for (int i = 0; i < 2; i++) {
        SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };

        request.outcome = judging_outcome(j, NULL);
        judging_work(j, request.outcome);
        seen = judging_see(j, request.outcome);
        assert_true(sov_verification_prepare(j->f.ledger, "verifier", &request, &seen, &j->f.arena,
                                             &prepared, &err));
        assert_true(sov_commit_begin(&commit, j->f.ledger, &act, &err));
        if (i == 0) {
            assert_true(sov_verification_record(&commit, &prepared, &j->done, &err));
            assert_true(sov_commit_finish(&commit, &seq, &err));
            continue;
        }
        assert_false(sov_verification_record(&commit, &prepared, &j->done, &err));
        assert_string_equal(err.code, "key_reused");
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_batch_is_recorded_with_its_evidence),
        TEST(the_list_of_reads_can_be_rebuilt_from_the_log),
        TEST(an_outcome_is_verifying_while_its_newest_batch_passed),
        TEST(an_accepted_sow_that_is_verified_again_is_back_in_review),
        TEST(a_recheck_that_fails_violates_what_was_accepted),
        TEST(what_cannot_be_verified_is_refused),
        TEST(nobody_verifies_own_work),
        TEST(a_reviewer_or_accepter_does_not_verify),
        TEST(work_of_an_earlier_term_is_not_verified_again),
        TEST(observations_of_other_checks_are_refused),
        TEST(what_is_too_long_for_an_event_is_kept_as_a_blob),
        TEST(a_repeated_request_has_the_earlier_answer),
        TEST(a_key_is_not_used_for_another_outcome),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
