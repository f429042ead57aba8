/* Reviews and rulings: each gate that legal operations reach, provoked, with nothing changed. */
#include "tests/judgement_fixture.h"

#include "tests/unit.h"

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

/* A SOW in REVIEW whose work was verified. */
static int64_t verified(struct judging *j, int64_t outcome)
{
    int64_t sow = judging_work(j, outcome);

    judging_verify(j, "verifier", sow, 0, false, NULL);
    return sow;
}

static void revise_role(struct judging *j, const char *id, const char *role)
{
    struct sov_actor_request request = { .id = id, .role = role, .reason = "moves" };

    FIXTURE_DO(&j->f, "principal", j->done, sov_actor_revise(&commit, &request, &j->done, &err));
}

static void a_decision_moves_the_sow(void **state)
{
    static const struct {
        enum sov_decision decision;
        const char *events;
        enum sov_sow_state to;
    } rows[] = {
        { SOV_REVIEW_ACCEPTED, "review.decided sow.accepted", SOV_SOW_ACCEPTED },
        { SOV_REVIEW_CHANGES_REQUESTED, "review.decided sow.changes_requested message.sent",
          SOV_SOW_CHANGES_REQUESTED },
        { SOV_REVIEW_REJECTED, "review.decided sow.failed message.sent", SOV_SOW_FAILED },
    };
    struct judging *j = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t sow = verified(j, judging_outcome(j, NULL)), head = fixture_head(&j->f), n;
        struct sov_review row;
        struct sov_error err = { 0 };
        bool found;

        n = judging_review(j, "sparring", sow, rows[i].decision, NULL);
        assert_string_equal(judging_events(j, head), rows[i].events);
        assert_int_equal(judging_sow_state(j, sow), rows[i].to);
        assert_true(sov_review_find(j->f.ledger, n, &j->f.arena, &row, &found, &err));
        assert_true(found);
        assert_int_equal(row.sow, sow);
        assert_int_equal(row.basis, head);
        assert_string_equal(row.decision, sov_policy_decision_word(rows[i].decision));
        assert_string_equal(row.rationale, "it was looked at");
        assert_true(sov_review_check(j->f.ledger, &row, &j->f.arena, &err));
        judging_review(j, "sparring", sow, rows[i].decision, "wrong_state");
    }
}

static void as_many_distinct_reviewers_as_policy_asks(void **state)
{
    struct judging *j = *state;
    int64_t sow;

    judging_actor(j, "second", "robot", "sparring", "team/blue");
    judging_actor(j, "third", "robot", "sparring", "team/blue");
    judging_policy(j, "\"review\":{\"count\":1", "\"review\":{\"count\":2");
    sow = verified(j, judging_outcome(j, NULL));
    judging_review(j, "second", sow, SOV_REVIEW_ACCEPTED, NULL);
    assert_int_equal(judging_sow_state(j, sow), SOV_SOW_REVIEW);
    judging_review(j, "second", sow, SOV_REVIEW_ACCEPTED, "already_reviewed");
    judging_review(j, "third", sow, SOV_REVIEW_REJECTED, "already_reviewed");
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    assert_int_equal(judging_sow_state(j, sow), SOV_SOW_ACCEPTED);
    sow = verified(j, judging_outcome(j, NULL));
    judging_review(j, "second", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_CHANGES_REQUESTED, NULL);
    assert_int_equal(judging_sow_state(j, sow), SOV_SOW_CHANGES_REQUESTED);
}

static void a_policy_may_ask_for_persons(void **state)
{
    struct judging *j = *state;
    int64_t sow;

    judging_actor(j, "alice", "person", "sparring", NULL);
    judging_policy(j, "\"review\":{\"count\":1,\"persons\":0}",
                   "\"review\":{\"count\":1,\"persons\":1}");
    sow = verified(j, judging_outcome(j, NULL));
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    assert_int_equal(judging_sow_state(j, sow), SOV_SOW_REVIEW);
    judging_review(j, "alice", sow, SOV_REVIEW_ACCEPTED, NULL);
    assert_int_equal(judging_sow_state(j, sow), SOV_SOW_ACCEPTED);
}

static void who_may_not_review_is_refused(void **state)
{
    struct judging *j = *state;
    struct sov_actor_request keyless = {
        .id = "keyless", .kind = "robot", .role = "sparring", .provider = "scripted"
    };
    int64_t outcome = judging_outcome(j, NULL), sow;

    FIXTURE_DO(&j->f, "principal", j->done, sov_actor_register(&commit, &keyless, &j->done, &err));
    sow = judging_work(j, outcome);
    judging_review(j, "sparring", 99, SOV_REVIEW_ACCEPTED, "no_such_id");
    judging_review(j, "nobody", sow, SOV_REVIEW_ACCEPTED, "no_such_id");
    judging_review(j, "master", sow, SOV_REVIEW_ACCEPTED, "not_authorised");
    judging_review(j, "keyless", sow, SOV_REVIEW_REJECTED, "no_key");
    judging_review(j, "sparring", sow, SOV_REVIEW_REJECTED, "verification_missing");
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_actor_change(&commit, "sparring", SOV_ACTOR_SUSPEND, "away", &j->done, &err));
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, "actor_inactive");
}

static void a_closed_outcome_is_not_reviewed(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = verified(j, outcome);

    FIXTURE_DO(&j->f, "master", j->done,
               sov_outcome_block(&commit, outcome, "wait", &j->done, &err));
    judging_review(j, "sparring", sow, SOV_REVIEW_REJECTED, "outcome_not_open");
}

static void nobody_reviews_own_work(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow;

    judging_actor(j, "worker", "robot", "operator", "team/blue");
    judging_actor(j, "critic", "robot", "sparring", "team/blue");
    sow = judging_sow(j, outcome, NULL, NULL);
    judging_run(j, judging_assign(j, sow, "worker"), "worker", &(struct judging_run){ 0 });
    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "critic", sow, SOV_REVIEW_ACCEPTED, "self_review");
    revise_role(j, "worker", "sparring");
    judging_review(j, "worker", sow, SOV_REVIEW_ACCEPTED, "self_review");
    revise_role(j, "verifier", "sparring");
    judging_review(j, "verifier", sow, SOV_REVIEW_REJECTED, "self_review");
}

static void an_accepter_of_the_term_does_not_review(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow;

    judging_actor(j, "second", "person", "principal", NULL);
    judging_actor(j, "third", "person", "principal", NULL);
    judging_policy(j, "\"signers\":1", "\"signers\":2");
    sow = judging_ready(j, outcome);
    judging_accept(j, "second", outcome, NULL, NULL);
    judging_verify(j, "verifier", sow, 0, false, NULL);
    revise_role(j, "second", "sparring");
    judging_review(j, "second", sow, SOV_REVIEW_ACCEPTED, "self_review");
}

static bool decide(struct sov_commit *commit, struct judging *j, int64_t sow, int64_t verification,
                   const char *rationale, struct sov_error *err)
{
    struct sov_review_request request = { sow, verification, SOV_REVIEW_REJECTED, rationale };
    struct sov_review_prepared prepared;
    struct sov_signed_by by;

    return sov_review_prepare(j->f.ledger, "sparring", &request, &j->f.arena, &prepared, err) &&
           sov_statement_sign(j->f.ledger, "sparring", NULL, SOV_REVIEW_TAG, prepared.statement,
                              &by, err) &&
           sov_review_decide(commit, &prepared, &by, &j->done, err);
}

static void a_review_needs_a_rationale_and_the_current_verification(void **state)
{
    struct judging *j = *state;
    int64_t sow = verified(j, judging_outcome(j, NULL));
    int64_t newest = judging_verify(j, "verifier", sow, 0, false, NULL);
    char *large = calloc(1, 4002);

    memset(large, 'x', 4001);
    FIXTURE_REFUSED(&j->f, "sparring", "rationale_missing", j->done,
                    decide(&commit, j, sow, 0, NULL, &err));
    FIXTURE_REFUSED(&j->f, "sparring", "rationale_missing", j->done,
                    decide(&commit, j, sow, 0, " \n\t", &err));
    FIXTURE_REFUSED(&j->f, "sparring", "too_large", j->done,
                    decide(&commit, j, sow, 0, large, &err));
    FIXTURE_REFUSED(&j->f, "sparring", "bad_text", j->done,
                    decide(&commit, j, sow, 0, "\xff", &err));
    FIXTURE_REFUSED(&j->f, "sparring", "moved", j->done,
                    decide(&commit, j, sow, newest - 1, "why", &err));
    FIXTURE_REFUSED(&j->f, "sparring", "moved", j->done, decide(&commit, j, sow, 99, "why", &err));
    FIXTURE_DO(&j->f, "sparring", j->done, decide(&commit, j, sow, newest, "why", &err));
    free(large);
}

/* Gates 7, 9, 11, 12 bind accepting alone: asking for changes stays possible behind each. */
static void what_does_not_hold_is_not_accepted_in_review(void **state)
{
    struct judging *j = *state;
    struct sov_outcome_request revised = { "Tea", "Enough tea", NULL, NULL, { 0 }, "better words" };
    int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome), hold;
    struct sov_error why = { 0 };
    struct sov_outcome row;

    j->fails[0] = true;
    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, "verification_failed");
    judging_review(j, "sparring", sow, SOV_REVIEW_CHANGES_REQUESTED, NULL);
    j->fails[0] = false;

    outcome = judging_outcome(j, NULL);
    sow = verified(j, outcome);
    assert_true(sov_outcome_get(j->f.ledger, outcome, &j->f.arena, &row, &why));
    revised.checks = row.checks;
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_outcome_revise(&commit, outcome, &revised, &j->done, &err));
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, "definition_changed");
    judging_review(j, "sparring", sow, SOV_REVIEW_REJECTED, NULL);

    outcome = judging_outcome(j, NULL);
    sow = verified(j, outcome);
    hold = judging_rule(j, "principal", "hold",
                        sov_arena_printf(&j->f.arena, "SOW-%lld", (long long)sow), 0, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, "ruling_hold");
    judging_revoke(j, "principal", hold, NULL);
    judging_rule(j, "principal", "hold",
                 sov_arena_printf(&j->f.arena, "outcome/OUT-%lld", (long long)outcome), 0, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, "ruling_hold");
    judging_review(j, "sparring", sow, SOV_REVIEW_CHANGES_REQUESTED, NULL);
}

static void a_violated_boundary_is_accepted_only_under_a_waiver(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_sow(j, outcome, NULL, NULL), ruling;
    int64_t receipt = judging_run(j, judging_assign(j, sow, "operator"), "operator",
                                  &(struct judging_run){ .violated = true });

    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, "boundary_violated");
    ruling = judging_rule(j, "principal", "waive_boundary", "SOW-1", receipt, NULL);
    judging_revoke(j, "principal", ruling, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, "boundary_violated");
    judging_rule(j, "principal", "waive_boundary", "RCP-1", receipt, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
}

/* ---- signatures and moves ---- */

struct review_signing {
    struct sov_review_prepared prepared;
    struct sov_signed_by by;
};

static struct review_signing sign(struct judging *j, const char *who, int64_t sow)
{
    struct sov_review_request request = { sow, 0, SOV_REVIEW_ACCEPTED, "fine" };
    struct review_signing out;
    struct sov_error err = { 0 };

    assert_true(
        sov_review_prepare(j->f.ledger, "sparring", &request, &j->f.arena, &out.prepared, &err));
    assert_int_equal(out.prepared.verdict.count, 0);
    assert_true(sov_statement_sign(j->f.ledger, who, NULL, SOV_REVIEW_TAG, out.prepared.statement,
                                   &out.by, &err));
    return out;
}

static void a_forged_signature_is_refused(void **state)
{
    struct judging *j = *state;
    int64_t sow = verified(j, judging_outcome(j, NULL)), other;
    struct review_signing good = sign(j, "sparring", sow), bad = good;

    FIXTURE_REFUSED(&j->f, "sparring", "bad_signature", j->done,
                    sov_review_decide(&commit, &good.prepared, NULL, &j->done, &err));
    bad.by.signature.octets[5] ^= 1;
    FIXTURE_REFUSED(&j->f, "sparring", "bad_signature", j->done,
                    sov_review_decide(&commit, &bad.prepared, &bad.by, &j->done, &err));
    bad = sign(j, "principal", sow);
    FIXTURE_REFUSED(&j->f, "sparring", "key_invalid", j->done,
                    sov_review_decide(&commit, &bad.prepared, &bad.by, &j->done, &err));
    other = verified(j, judging_outcome(j, NULL));
    bad = sign(j, "sparring", other);
    bad.by = good.by;
    FIXTURE_REFUSED(&j->f, "sparring", "bad_signature", j->done,
                    sov_review_decide(&commit, &bad.prepared, &bad.by, &j->done, &err));
    FIXTURE_DO(&j->f, "sparring", j->done,
               sov_review_decide(&commit, &good.prepared, &good.by, &j->done, &err));
}

static void a_key_that_was_revoked_signs_nothing(void **state)
{
    struct judging *j = *state;
    int64_t sow = verified(j, judging_outcome(j, NULL));
    struct review_signing signing = sign(j, "sparring", sow);

    FIXTURE_DO(&j->f, "sparring", j->done,
               sov_key_rotate(&commit, "sparring", "routine", NULL, &j->done, &err));
    FIXTURE_REFUSED(&j->f, "sparring", "key_invalid", j->done,
                    sov_review_decide(&commit, &signing.prepared, &signing.by, &j->done, &err));
}

static void what_moved_since_the_basis_is_named(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = verified(j, outcome);
    struct review_signing signing = sign(j, "sparring", sow);

    judging_sow(j, outcome, NULL, NULL);
    FIXTURE_REFUSED(&j->f, "sparring", "moved", j->done,
                    sov_review_decide(&commit, &signing.prepared, &signing.by, &j->done, &err));
    signing = sign(j, "sparring", sow);
    judging_verify(j, "verifier", sow, 0, false, NULL);
    FIXTURE_REFUSED(&j->f, "sparring", "moved", j->done,
                    sov_review_decide(&commit, &signing.prepared, &signing.by, &j->done, &err));
}

/* ---- rulings ---- */

static void a_ruling_that_does_not_fit_is_refused(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome), ruling;

    judging_rule(j, "principal", "hold", "not an id", 0, "bad_value");
    judging_rule(j, "principal", "hold", "RCP-1", 0, "bad_value");
    judging_rule(j, "principal", "reopen", "SOW-1", 0, "bad_value");
    judging_rule(j, "principal", "waive_boundary", "SOW-1", 0, "bad_value");
    judging_rule(j, "principal", "hold", "OUT-1", 1, "bad_value");
    judging_rule(j, "principal", "everything", "OUT-1", 0, "bad_value");
    judging_rule(j, "principal", "hold", "OUT-99", 0, "no_such_id");
    judging_rule(j, "principal", "waive_boundary", "SOW-1", 99, "no_such_id");
    judging_rule(j, "master", "hold", "OUT-1", 0, "not_authorised");
    judging_rule(j, "sparring", "waive_boundary", "SOW-1", 1, "not_authorised");
    judging_rule(j, "sparring", "reopen", "OUT-1", 0, "not_authorised");
    judging_rule(j, "principal", "waive_boundary", "SOW-1", 1, "nothing_to_waive");
    ruling = judging_rule(j, "sparring", NULL, "SOW-1", 0, NULL);
    judging_revoke(j, "principal", 99, "no_such_id");
    judging_revoke(j, "master", ruling, "not_authorised");
    judging_revoke(j, "sparring", ruling, NULL);
    judging_revoke(j, "sparring", ruling, "wrong_state");
    ruling = judging_rule(j, "principal", "reopen", "OUT-1", 0, NULL);
    judging_revoke(j, "sparring", ruling, "not_authorised");
    (void)sow;
}

static void a_performer_waives_nothing(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_sow(j, outcome, NULL, NULL), receipt;

    judging_actor(j, "boss", "person", "operator", NULL);
    receipt = judging_run(j, judging_assign(j, sow, "boss"), "boss",
                          &(struct judging_run){ .violated = true });
    revise_role(j, "boss", "principal");
    judging_rule(j, "boss", "waive_boundary", "SOW-1", receipt, "self_waive");
    judging_rule(j, "principal", "waive_boundary", "SOW-1", receipt, NULL);
}

static void a_ruling_is_signed(void **state)
{
    struct judging *j = *state;
    struct sov_ruling_request request = { "q", "d", "r", "OUT-1", "hold", 0 };
    struct sov_bytes statement;
    struct sov_signed_by by;
    struct sov_error why = { 0 };

    judging_outcome(j, NULL);
    FIXTURE_REFUSED(&j->f, "principal", "bad_signature", j->done,
                    sov_ruling_decide(&commit, &request, NULL, &j->done, &err));
    assert_true(sov_ruling_statement(j->f.ledger, &request, &j->f.arena, &statement, &why));
    assert_true(
        sov_statement_sign(j->f.ledger, "principal", NULL, SOV_RULING_TAG, statement, &by, &why));
    request.decision = "the contrary";
    FIXTURE_REFUSED(&j->f, "principal", "bad_signature", j->done,
                    sov_ruling_decide(&commit, &request, &by, &j->done, &err));
    request.decision = "d";
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_ruling_decide(&commit, &request, &by, &j->done, &err));
    /* The signature of the decision is none of the revocation. */
    FIXTURE_REFUSED(&j->f, "principal", "bad_signature", j->done,
                    sov_ruling_revoke(&commit, 1, "why", &by, &j->done, &err));
    FIXTURE_REFUSED(&j->f, "principal", "reason_missing", j->done,
                    sov_ruling_revoke(&commit, 1, " ", &by, &j->done, &err));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_decision_moves_the_sow),
        TEST(as_many_distinct_reviewers_as_policy_asks),
        TEST(a_policy_may_ask_for_persons),
        TEST(who_may_not_review_is_refused),
        TEST(a_closed_outcome_is_not_reviewed),
        TEST(nobody_reviews_own_work),
        TEST(an_accepter_of_the_term_does_not_review),
        TEST(a_review_needs_a_rationale_and_the_current_verification),
        TEST(what_does_not_hold_is_not_accepted_in_review),
        TEST(a_violated_boundary_is_accepted_only_under_a_waiver),
        TEST(a_forged_signature_is_refused),
        TEST(a_key_that_was_revoked_signs_nothing),
        TEST(what_moved_since_the_basis_is_named),
        TEST(a_ruling_that_does_not_fit_is_refused),
        TEST(a_performer_waives_nothing),
        TEST(a_ruling_is_signed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
