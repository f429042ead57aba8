/* Acceptances: each gate that legal operations reach, provoked, with nothing changed after. */
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

static void revise(struct judging *j, const char *id, const char *role, const char *represents)
{
    struct sov_actor_request request = {
        .id = id, .role = role, .represents = represents, .reason = "moves"
    };

    FIXTURE_DO(&j->f, "principal", j->done, sov_actor_revise(&commit, &request, &j->done, &err));
}

static const char *out(struct judging *j, int64_t n)
{
    return sov_arena_printf(&j->f.arena, "OUT-%lld", (long long)n);
}

static struct sov_acceptance find(struct judging *j, int64_t n)
{
    struct sov_acceptance row = { 0 };
    struct sov_error err = { 0 };
    bool found = false;

    assert_true(sov_acceptance_find(j->f.ledger, n, &j->f.arena, &row, &found, &err));
    assert_true(found);
    return row;
}

static void what_holds_is_accepted(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), head, n;
    struct sov_observations seen;
    struct sov_acceptance row;
    struct sov_error err = { 0 };
    bool accepted = false;

    j->fact[1] = 5;
    judging_ready(j, outcome);
    head = fixture_head(&j->f);
    n = judging_accept(j, "principal", outcome, &accepted, NULL);
    assert_true(accepted);
    assert_string_equal(judging_events(j, head), "acceptance.signed outcome.accepted");
    assert_int_equal(judging_outcome_state(j, outcome), SOV_OUTCOME_ACCEPTED);
    row = find(j, n);
    assert_int_equal(row.outcome, outcome);
    assert_int_equal(row.term, 1);
    assert_int_equal(row.basis, head);
    assert_string_equal(row.signer, "principal");
    assert_true(sov_bytes_is(row.signers, "[\"principal\"]"));
    assert_null(row.reason);
    assert_true(sov_acceptance_observations(&row, &j->f.arena, &seen, &err));
    assert_int_equal(seen.count, 2);
    assert_string_equal(seen.at[1].check, "second");
    assert_true(seen.at[1].success);
    judging_accept(j, "principal", outcome, NULL, "already_accepted");
}

/* Folded to its basis, with the observations it recorded, the same case holds again. */
static void an_acceptance_is_judged_again_from_the_log(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL);
    struct sov_acceptance_request request = { .outcome = outcome };
    struct sov_acceptance_prepared prepared;
    struct sov_observations seen;
    struct sov_ledger *then = NULL;
    struct sov_acceptance row;
    struct sov_error err = { 0 };

    judging_ready(j, outcome);
    row = find(j, judging_accept(j, "principal", outcome, NULL, NULL));
    assert_true(sov_acceptance_observations(&row, &j->f.arena, &seen, &err));
    assert_true(sov_ledger_fold_to(j->f.ledger, row.basis, &then, &err));
    request.observations = &seen;
    assert_true(sov_acceptance_prepare(then, row.signer, &request, &j->f.arena, &prepared, &err));
    assert_int_equal(prepared.verdict.count, 0);
    assert_memory_equal(&prepared.case_digest, &row.case_digest, sizeof row.case_digest);
    assert_memory_equal(&prepared.reads_digest, &row.reads_digest, sizeof row.reads_digest);
    assert_true(prepared.suffices);
    assert_true(sov_statement_check(j->f.ledger, row.signer, SOV_ACCEPT_TAG, prepared.statement,
                                    &row.by, row.seq, &err));
    sov_ledger_close(then);
}

static void a_preview_needs_neither_actor_nor_world(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL);
    struct sov_acceptance_request request = { .outcome = outcome };
    struct sov_acceptance_prepared prepared;
    struct sov_error err = { 0 };

    assert_true(sov_acceptance_prepare(j->f.ledger, NULL, &request, &j->f.arena, &prepared, &err));
    assert_string_equal(prepared.verdict.shut[0].code, "sow_missing");
    judging_ready(j, outcome);
    assert_true(sov_acceptance_prepare(j->f.ledger, NULL, &request, &j->f.arena, &prepared, &err));
    assert_int_equal(prepared.verdict.count, 0);
}

static void who_may_not_accept_is_refused(void **state)
{
    struct judging *j = *state;
    struct sov_actor_request keyless = {
        .id = "keyless", .kind = "person", .role = "principal", .provider = "human"
    };
    int64_t outcome = judging_outcome(j, NULL);

    FIXTURE_DO(&j->f, "principal", j->done, sov_actor_register(&commit, &keyless, &j->done, &err));
    judging_actor(j, "bot", "robot", "principal", NULL);
    judging_actor(j, "away", "person", "principal", NULL);
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_actor_change(&commit, "away", SOV_ACTOR_SUSPEND, "away", &j->done, &err));
    judging_ready(j, outcome);
    judging_accept(j, "nobody", outcome, NULL, "no_such_id");
    judging_accept(j, "away", outcome, NULL, "actor_inactive");
    judging_accept(j, "master", outcome, NULL, "not_authorised");
    judging_accept(j, "bot", outcome, NULL, "person_required");
    judging_accept(j, "keyless", outcome, NULL, "no_key");
    judging_accept(j, "principal", 99, NULL, "no_such_id");
    judging_accept(j, "principal", outcome, NULL, NULL);
}

static void a_robot_signs_where_policy_names_it_and_is_no_person(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL);
    bool accepted = true;

    judging_actor(j, "bot", "robot", "principal", NULL);
    judging_policy(j, "\"robots\":[]", "\"robots\":[\"bot\"]");
    judging_ready(j, outcome);
    judging_accept(j, "bot", outcome, &accepted, NULL);
    assert_false(accepted);
    judging_accept(j, "principal", outcome, &accepted, NULL);
    assert_true(accepted);
}

static void an_outcome_in_another_state_is_not_accepted(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL);

    judging_ready(j, outcome);
    FIXTURE_DO(&j->f, "master", j->done,
               sov_outcome_block(&commit, outcome, "wait", &j->done, &err));
    judging_accept(j, "principal", outcome, NULL, "wrong_state");
    FIXTURE_DO(&j->f, "master", j->done,
               sov_outcome_unblock(&commit, outcome, "go on", &j->done, &err));
    judging_accept(j, "principal", outcome, NULL, "outcome_not_verified");
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_outcome_fail(&commit, outcome, "no more", 0, &j->done, &err));
    judging_accept(j, "principal", outcome, NULL, "wrong_state");
}

static void a_hold_refuses_until_it_is_revoked(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_ready(j, outcome), ruling;

    ruling = judging_rule(j, "principal", "hold", out(j, outcome), 0, NULL);
    judging_accept(j, "principal", outcome, NULL, "ruling_hold");
    judging_revoke(j, "principal", ruling, NULL);
    ruling = judging_rule(j, "principal", "hold",
                          sov_arena_printf(&j->f.arena, "SOW-%lld", (long long)sow), 0, NULL);
    judging_accept(j, "principal", outcome, NULL, "ruling_hold");
    judging_revoke(j, "principal", ruling, NULL);
    judging_accept(j, "principal", outcome, NULL, NULL);
}

/* Nine cases but those by a shared key, which no legal operation reaches. */
static void nobody_accepts_what_he_had_a_hand_in(void **state)
{
    static const char *const hands[] = { "operator", "verifier", "sparring" };
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL);

    judging_actor(j, "alice", "person", "principal", "team/blue");
    judging_policy(j, "\"robots\":[]", "\"robots\":[\"operator\",\"verifier\",\"sparring\"]");
    judging_ready(j, outcome);
    for (size_t i = 0; i < sizeof hands / sizeof *hands; i++) {
        revise(j, hands[i], NULL, "team/blue");
        judging_accept(j, "alice", outcome, NULL, "self_accept");
        revise(j, hands[i], "principal", "team/other");
        judging_accept(j, hands[i], outcome, NULL, "self_accept");
        revise(j, hands[i], NULL,
               hands[i][0] == 'o'   ? "team/o"
               : hands[i][0] == 'v' ? "team/v"
                                    : "team/s");
    }
    judging_accept(j, "alice", outcome, NULL, NULL);
}

static void roles_are_distinct_by_the_facts_of_today(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL);

    judging_ready(j, outcome);
    revise(j, "sparring", NULL, "team/blue");
    revise(j, "operator", NULL, "team/blue");
    judging_accept(j, "principal", outcome, NULL, "roles_not_distinct");
    revise(j, "operator", NULL, "team/red");
    judging_accept(j, "principal", outcome, NULL, NULL);
}

static void the_third_signer_is_not_the_first_again(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), n;
    bool accepted = true;

    judging_actor(j, "alice", "person", "principal", "team/blue");
    judging_actor(j, "bob", "person", "principal", NULL);
    judging_actor(j, "carol", "person", "principal", "team/blue");
    judging_policy(j, "\"signers\":1", "\"signers\":3");
    judging_ready(j, outcome);
    judging_accept(j, "alice", outcome, &accepted, NULL);
    assert_false(accepted);
    n = judging_accept(j, "bob", outcome, &accepted, NULL);
    assert_false(accepted);
    assert_true(sov_bytes_is(find(j, n).signers, "[\"alice\",\"bob\"]"));
    judging_accept(j, "carol", outcome, NULL, "already_signed");
    judging_accept(j, "alice", outcome, NULL, "already_signed");
    assert_int_equal(judging_outcome_state(j, outcome), SOV_OUTCOME_VERIFYING);
    n = judging_accept(j, "principal", outcome, &accepted, NULL);
    assert_true(accepted);
    assert_true(sov_bytes_is(find(j, n).signers, "[\"alice\",\"bob\",\"principal\"]"));
}

static void a_signature_on_an_older_case_does_not_count(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL);
    bool accepted = true;

    judging_actor(j, "alice", "person", "principal", NULL);
    judging_policy(j, "\"signers\":1", "\"signers\":2");
    judging_ready(j, outcome);
    judging_accept(j, "alice", outcome, NULL, NULL);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_accept(j, "principal", outcome, &accepted, NULL);
    assert_false(accepted);
    judging_accept(j, "alice", outcome, &accepted, NULL);
    assert_true(accepted);
}

static void work_must_be_there_and_accepted(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow;

    judging_accept(j, "principal", outcome, NULL, "sow_missing");
    sow = judging_sow(j, outcome, NULL, NULL);
    judging_accept(j, "principal", outcome, NULL, "sow_open");
    FIXTURE_DO(&j->f, "master", j->done,
               sov_sow_withdraw(&commit, sow, "not needed", &j->done, &err));
    judging_accept(j, "principal", outcome, NULL, "sow_missing");
    judging_ready(j, outcome);
    sow = judging_sow(j, outcome, NULL, NULL);
    judging_run(j, judging_assign(j, sow, "operator"), "operator",
                &(struct judging_run){ .failed = true });
    assert_int_equal(judging_sow_state(j, sow), SOV_SOW_FAILED);
    judging_accept(j, "principal", outcome, NULL, "sow_open");
    FIXTURE_DO(&j->f, "master", j->done,
               sov_sow_withdraw(&commit, sow, "a way out", &j->done, &err));
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_accept(j, "principal", outcome, NULL, NULL);
}

static void the_world_comes_before_the_paperwork(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL);

    judging_ready(j, outcome);
    j->fails[1] = true;
    judging_accept(j, "principal", outcome, NULL, "check_failed");
    j->fails[1] = false;
    j->fact[1] = 1; /* passes still, but shows another fact */
    judging_accept(j, "principal", outcome, NULL, "evidence_stale");
    j->fact[1] = 0;
    fixture_tick(&j->f, 3600000);
    judging_accept(j, "principal", outcome, NULL, NULL);
}

static void deliverables_lie_as_the_receipt_says(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_sow(j, outcome, NULL, "report.json");
    struct sov_acceptance_request request = { .outcome = outcome };
    struct sov_workspace_change change = { 0, "report.json" };
    struct sov_acceptance_prepared prepared;
    struct sov_observations seen;
    struct sov_receipt receipt;
    struct sov_error why = { 0 };

    change.receipt = judging_run(j, judging_assign(j, sow, "operator"), "operator",
                                 &(struct judging_run){ .path = "report.json", .content = "{}" });
    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    seen = judging_see(j, outcome);
    request.observations = &seen;
    request.changes = &change;
    request.change_count = 1;
    assert_true(
        sov_acceptance_prepare(j->f.ledger, "principal", &request, &j->f.arena, &prepared, &why));
    assert_int_equal(prepared.verdict.count, 1);
    assert_string_equal(prepared.verdict.shut[0].code, "deliverable_changed");
    assert_int_equal(prepared.verdict.shut[0].gate, 20);
    assert_true(sov_receipt_get(j->f.ledger, change.receipt, &j->f.arena, &receipt, &why));
    assert_int_equal(receipt.deliverable_count, 1);
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_blob_erase(&commit, &receipt.deliverables[0].digest, "law", &j->done, &err));
    judging_accept(j, "principal", outcome, NULL, "deliverable_missing");
}

static void a_sow_borrows_no_effect_of_a_sibling(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, "SKU-TEA");
    int64_t first = judging_sow(j, outcome, "replenishment", NULL);
    int64_t second = judging_sow(j, outcome, "replenishment", NULL);

    judging_run(j, judging_assign(j, first, "operator"), "operator",
                &(struct judging_run){ .quantity = 6 });
    judging_run(j, judging_assign(j, second, "operator"), "operator", &(struct judging_run){ 0 });
    judging_verify(j, "verifier", first, 0, false, NULL);
    judging_verify(j, "verifier", second, 0, false, NULL);
    judging_review(j, "sparring", first, SOV_REVIEW_ACCEPTED, NULL);
    judging_review(j, "sparring", second, SOV_REVIEW_ACCEPTED, NULL);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_accept(j, "principal", outcome, NULL, "effect_missing");
    FIXTURE_DO(&j->f, "master", j->done,
               sov_sow_supersede(&commit, second, first, "done there", &j->done, &err));
}

static void the_work_of_term_one_gives_no_credit_in_term_two(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, "SKU-TEA"), sow;

    sow = judging_sow(j, outcome, "replenishment", NULL);
    judging_run(j, judging_assign(j, sow, "operator"), "operator",
                &(struct judging_run){ .quantity = 6 });
    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_accept(j, "principal", outcome, NULL, NULL);
    j->fails[0] = true;
    judging_verify(j, "verifier", 0, outcome, true, NULL);
    j->fails[0] = false;
    FIXTURE_DO(&j->f, "master", j->done,
               sov_outcome_reopen(&commit, outcome, "again", &j->done, &err));
    judging_accept(j, "principal", outcome, NULL, "sow_missing");
    sow = judging_sow(j, outcome, "replenishment", NULL);
    judging_run(j, judging_assign(j, sow, "operator"), "operator", &(struct judging_run){ 0 });
    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_accept(j, "principal", outcome, NULL, "effect_missing");
}

static void a_waiver_that_is_revoked_counts_no_more(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_sow(j, outcome, NULL, NULL), ruling;
    int64_t receipt = judging_run(j, judging_assign(j, sow, "operator"), "operator",
                                  &(struct judging_run){ .violated = true });

    judging_verify(j, "verifier", sow, 0, false, NULL);
    ruling = judging_rule(j, "principal", "waive_boundary", "RCP-1", receipt, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_revoke(j, "principal", ruling, NULL);
    judging_accept(j, "principal", outcome, NULL, "boundary_violated");
    judging_rule(j, "principal", "waive_boundary", "RCP-1", receipt, NULL);
    judging_accept(j, "principal", outcome, NULL, NULL);
}

static void a_definition_that_changed_needs_new_evidence(void **state)
{
    struct judging *j = *state;
    struct sov_outcome_request revised = { "Tea", "Other words", NULL, NULL, { 0 }, "clearer" };
    int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome);
    struct sov_error why = { 0 };
    struct sov_outcome row;

    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    assert_true(sov_outcome_get(j->f.ledger, outcome, &j->f.arena, &row, &why));
    revised.checks = row.checks;
    FIXTURE_DO(&j->f, "principal", j->done,
               sov_outcome_revise(&commit, outcome, &revised, &j->done, &err));
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_accept(j, "principal", outcome, NULL, "definition_changed");
    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_accept(j, "principal", outcome, NULL, NULL);
}

static void reviews_are_counted_by_the_policy_of_today(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL);

    judging_ready(j, outcome);
    judging_policy(j, "\"review\":{\"count\":1", "\"review\":{\"count\":2");
    judging_accept(j, "principal", outcome, NULL, "review_missing");
}

static void the_outcome_is_verified_after_its_newest_work(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), sow = judging_work(j, outcome), late, assignment;

    judging_verify(j, "verifier", sow, 0, false, NULL);
    judging_review(j, "sparring", sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_accept(j, "principal", outcome, NULL, "outcome_not_verified");
    j->fails[0] = true;
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    j->fails[0] = false;
    judging_accept(j, "principal", outcome, NULL, "outcome_not_verified");
    late = judging_sow(j, outcome, NULL, NULL);
    assignment = judging_assign(j, late, "operator");
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_run(j, assignment, "operator", &(struct judging_run){ .failed = true });
    FIXTURE_DO(&j->f, "master", j->done,
               sov_sow_withdraw(&commit, late, "not needed", &j->done, &err));
    judging_accept(j, "principal", outcome, NULL, "verification_too_old");
    judging_verify(j, "verifier", 0, outcome, false, NULL);
    judging_accept(j, "principal", outcome, NULL, NULL);
}

static void a_forged_signature_accepts_nothing(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), other = judging_outcome(j, NULL);
    struct judging_signing good, bad, foreign;

    judging_actor(j, "alice", "person", "principal", NULL);
    judging_ready(j, outcome);
    judging_ready(j, other);
    judging_sign(j, "principal", outcome, &good);
    bad = good;
    bad.prepared.request.observations = &bad.seen;
    good.prepared.request.observations = &good.seen;
    bad.is_signed = false;
    judging_append(j, "principal", &bad, NULL, "bad_signature");
    bad = good;
    bad.by.signature.octets[0] ^= 1;
    judging_append(j, "principal", &bad, NULL, "bad_signature");
    judging_sign(j, "alice", outcome, &foreign);
    bad = good;
    bad.by = foreign.by;
    judging_append(j, "principal", &bad, NULL, "key_invalid");
    judging_sign(j, "principal", other, &foreign);
    bad.by = foreign.by;
    judging_append(j, "principal", &bad, NULL, "bad_signature");
    judging_append(j, "principal", &good, NULL, NULL);
}

static void a_repeated_acceptance_has_the_earlier_answer(void **state)
{
    struct judging *j = *state;
    int64_t outcome = judging_outcome(j, NULL), seq = 0;
    struct sov_act act = { "principal", "once", -1, -1, false };
    struct judging_signing signing;
    struct sov_done first, again;
    struct sov_error err = { 0 };
    bool accepted;

    judging_ready(j, outcome);
    for (int i = 0; i < 2; i++) {
        SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };

        judging_sign(j, "principal", outcome, &signing);
        assert_true(sov_commit_begin(&commit, j->f.ledger, &act, &err));
        assert_true(sov_acceptance_sign(&commit, &signing.prepared, i ? NULL : &signing.by,
                                        i ? &again : &first, &accepted, &err));
        assert_true(sov_commit_finish(&commit, &seq, &err));
    }
    assert_int_equal(again.effect, SOV_NOOP);
    assert_string_equal(first.id, again.id);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_holds_is_accepted),
        TEST(an_acceptance_is_judged_again_from_the_log),
        TEST(a_preview_needs_neither_actor_nor_world),
        TEST(who_may_not_accept_is_refused),
        TEST(a_robot_signs_where_policy_names_it_and_is_no_person),
        TEST(an_outcome_in_another_state_is_not_accepted),
        TEST(a_hold_refuses_until_it_is_revoked),
        TEST(nobody_accepts_what_he_had_a_hand_in),
        TEST(roles_are_distinct_by_the_facts_of_today),
        TEST(the_third_signer_is_not_the_first_again),
        TEST(a_signature_on_an_older_case_does_not_count),
        TEST(work_must_be_there_and_accepted),
        TEST(the_world_comes_before_the_paperwork),
        TEST(deliverables_lie_as_the_receipt_says),
        TEST(a_sow_borrows_no_effect_of_a_sibling),
        TEST(the_work_of_term_one_gives_no_credit_in_term_two),
        TEST(a_waiver_that_is_revoked_counts_no_more),
        TEST(a_definition_that_changed_needs_new_evidence),
        TEST(reviews_are_counted_by_the_policy_of_today),
        TEST(the_outcome_is_verified_after_its_newest_work),
        TEST(a_forged_signature_accepts_nothing),
        TEST(a_repeated_acceptance_has_the_earlier_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
