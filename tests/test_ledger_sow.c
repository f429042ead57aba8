/* Statements of work: scope, rounds, retries, ends; each refusal in its order. */
#include "tests/ledger_work.h"

#define EFFECTS                                                                                    \
    "\"effects\":[{\"constraints\":[],\"emits\":[],\"kind\":\"replenishment\","                    \
    "\"origin\":\"assignment\",\"postings\":[{\"account\":\"inventory/{subject}\",\"factors\":["   \
    "\"quantity\"],\"sign\":1}],\"quantity\":{\"max\":50,\"min\":1},\"subject\":\"SKU-*\","        \
    "\"unit\":\"unit\"}]"

static void a_sow_is_created_as_it_was_asked(void **state)
{
    static const char *const non_goals[] = { "no \"coffee\"", "no milk" };
    struct fixture *f = *state;
    int64_t n = work_outcome(f);
    struct sov_sow_request request = work_scope(n);
    struct sov_sow sow;
    struct sov_done done;

    request.non_goals = non_goals;
    request.non_goal_count = 2;
    FIXTURE_DO(f, "master", &done, sov_sow_create(&commit, &request, &done, &err));
    sow = work_see_sow(f, 1);
    assert_int_equal(sow.outcome, n);
    assert_int_equal(sow.term, 1);
    assert_string_equal(sow.scope, "Order tea");
    assert_string_equal(sow.deliverables[0], "report.json");
    assert_string_equal(sow.non_goals[0], "no \"coffee\"");
    assert_int_equal(sow.non_goal_count, 2);
    assert_null(sow.effect);
    assert_string_equal(sow.origin, "manual");
    assert_string_equal(sow.author, "master");
    assert_int_equal(sow.state, SOV_SOW_DRAFT);
    assert_int_equal(sow.rounds, 0);
    assert_int_equal(sow.seq, done.seq);
}

static void a_scope_that_is_none_is_refused(void **state)
{
    static const char *const unsafe[] = { "../up" };
    static const char *const twice[] = { "a.md", "A.md" };
    static const char *const blank[] = { "" };
    struct fixture *f = *state;
    struct sov_sow_request good = work_scope(work_outcome(f));
    struct sov_sow_request rows[9];
    static const char *const codes[] = {
        "bad_value",          "bad_value",          "bad_value",    "bad_value",  "role_unknown",
        "deliverable_unsafe", "deliverable_unsafe", "kind_unknown", "no_such_id",
    };
    struct sov_done done;

    for (size_t i = 0; i < 9; i++) rows[i] = good;
    rows[0].title = "";
    rows[1].done_when = NULL;
    rows[2].role = "Captain";
    rows[3].non_goals = blank;
    rows[3].non_goal_count = 1;
    rows[4].role = "captain";
    rows[4].deliverables = unsafe; /* asked after */
    rows[5].deliverables = unsafe;
    rows[5].effect = "replenishment"; /* asked after */
    rows[6].deliverables = twice;
    rows[6].deliverable_count = 2;
    rows[7].effect = "replenishment";
    rows[8].outcome = 9;
    for (size_t i = 0; i < 9; i++)
        FIXTURE_REFUSED(f, "master", codes[i], &done,
                        sov_sow_create(&commit, &rows[i], &done, &err));
}

static void work_is_for_open_outcomes_only(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_define(f, NULL);
    struct sov_sow_request request = work_scope(n);
    struct sov_done done;

    request.role = "captain"; /* asked after */
    FIXTURE_REFUSED(f, "master", "outcome_not_open", &done,
                    sov_sow_create(&commit, &request, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_outcome_activate(&commit, n, &done, &err));
    work_draft(f, n);
    FIXTURE_DO(f, "master", &done, sov_outcome_block(&commit, n, "wait", &done, &err));
    FIXTURE_REFUSED(f, "master", "outcome_not_open", &done,
                    sov_sow_create(&commit, &request, &done, &err));
    FIXTURE_REFUSED(f, "master", "outcome_not_open", &done, sov_sow_ready(&commit, 1, &done, &err));
    request.reason = "x";
    FIXTURE_REFUSED(f, "master", "outcome_not_open", &done,
                    sov_sow_revise(&commit, 1, &request, &done, &err));
    /* What is hopeless may be given up all the same. */
    FIXTURE_DO(f, "master", &done, sov_sow_withdraw(&commit, 1, "hopeless", &done, &err));
}

static void an_effect_must_fit_the_subject_of_the_outcome(void **state)
{
    struct fixture *f = *state;
    int64_t a = work_define(f, "SKU-TEA"), b = work_define(f, "CASH-BOX");
    struct sov_sow_request request;
    struct sov_done done;

    work_policy(f, "\"effects\":[]", EFFECTS);
    for (int64_t n = a; n <= b; n++)
        FIXTURE_DO(f, "master", &done, sov_outcome_activate(&commit, n, &done, &err));
    request = work_scope(b);
    request.effect = "replenishment";
    request.effect_required = true;
    FIXTURE_REFUSED(f, "master", "subject_not_allowed", &done,
                    sov_sow_create(&commit, &request, &done, &err));
    request.outcome = a;
    FIXTURE_DO(f, "master", &done, sov_sow_create(&commit, &request, &done, &err));
    assert_string_equal(work_see_sow(f, 1).effect, "replenishment");
    assert_true(work_see_sow(f, 1).effect_required);
    /* The kind goes away under the draft: it is not declared ready any more. */
    work_policy(f, EFFECTS, "\"effects\":[]");
    FIXTURE_REFUSED(f, "master", "kind_unknown", &done, sov_sow_ready(&commit, 1, &done, &err));
}

static void an_outcome_has_only_so_many_live_sows(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f);
    struct sov_sow_request request = work_scope(n);
    struct sov_done done;

    work_policy(f, "\"open_sows\":16", "\"open_sows\":2");
    work_draft(f, n);
    work_draft(f, n);
    FIXTURE_REFUSED(f, "master", "limit_open_sows", &done,
                    sov_sow_create(&commit, &request, &done, &err));
    request.effect = "replenishment"; /* asked before */
    FIXTURE_REFUSED(f, "master", "kind_unknown", &done,
                    sov_sow_create(&commit, &request, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_sow_withdraw(&commit, 1, "x", &done, &err));
    work_draft(f, n);
}

static void only_a_draft_is_revised_or_declared_ready(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_draft(f, n);
    struct sov_sow_request request = work_scope(0);
    struct sov_done done;

    FIXTURE_REFUSED(f, "master", "reason_missing", &done,
                    sov_sow_revise(&commit, sow, &request, &done, &err));
    request.reason = "more";
    request.scope = "Order more tea";
    FIXTURE_DO(f, "master", &done, sov_sow_revise(&commit, sow, &request, &done, &err));
    assert_string_equal(work_see_sow(f, sow).scope, "Order more tea");
    FIXTURE_DO(f, "master", &done, sov_sow_ready(&commit, sow, &done, &err));
    FIXTURE_REFUSED(f, "master", "wrong_state", &done, sov_sow_ready(&commit, sow, &done, &err));
    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_sow_revise(&commit, sow, &request, &done, &err));
    assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_READY);
}

static void new_work_takes_a_verifying_outcome_back(void **state)
{
    static const struct sov_inspection looked = { "irrelevant", "nothing was ordered" };
    struct fixture *f = *state;
    int64_t n = work_outcome(f), failed = work_sow(f, n), ready = work_sow(f, n), head;
    struct sov_sow_request request = work_scope(n);
    struct sov_assignment_request assign = { ready, "operator", NULL };
    struct sov_done done;

    work_round(f, failed, SOV_ASSIGNMENT_FAILED);
    work_force(f, n, SOV_OUTCOME_VERIFYING);
    head = fixture_head(f);
    FIXTURE_DO(f, "master", &done, sov_sow_create(&commit, &request, &done, &err));
    work_assert_events(f, head + 1, "sow.created outcome.resumed");
    work_force(f, n, SOV_OUTCOME_VERIFYING);
    head = fixture_head(f);
    FIXTURE_DO(f, "master", &done, sov_sow_retry(&commit, failed, "x", &looked, &done, &err));
    work_assert_events(f, head + 1, "sow.retried outcome.resumed");
    work_force(f, n, SOV_OUTCOME_VERIFYING);
    head = fixture_head(f);
    FIXTURE_DO(f, "master", &done, sov_assignment_create(&commit, &assign, &done, &err));
    work_assert_events(f, head + 1, "assignment.created sow.assigned outcome.resumed");
    assert_int_equal(work_see_outcome(f, n).state, SOV_OUTCOME_ACTIVE);
}

static void an_unknown_end_is_not_redone_without_an_inspection(void **state)
{
    static const struct sov_inspection rows[] = {
        { "perhaps", "x" }, { NULL, "x" }, { "happened", "" }, { "happened", NULL }
    };
    static const struct sov_inspection good = { "did_not_happen", "the shelf is empty" };
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n);
    struct sov_done done;

    work_round(f, sow, SOV_ASSIGNMENT_FAILED);
    FIXTURE_REFUSED(f, "master", "unknown_outcome", &done,
                    sov_sow_retry(&commit, sow, "again", NULL, &done, &err));
    FIXTURE_REFUSED(f, "master", "reason_missing", &done,
                    sov_sow_retry(&commit, sow, "", &good, &done, &err));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        FIXTURE_REFUSED(f, "master", "bad_value", &done,
                        sov_sow_retry(&commit, sow, "again", &rows[i], &done, &err));
    FIXTURE_DO(f, "master", &done, sov_sow_retry(&commit, sow, "again", &good, &done, &err));
    assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_READY);
    assert_string_equal(work_see_sow(f, sow).inspection,
                        "{\"found\":\"did_not_happen\",\"text\":\"the shelf is empty\"}");
    /* A report that came back blocked is known: no inspection is due. */
    work_round(f, sow, SOV_ASSIGNMENT_BLOCKED);
    FIXTURE_DO(f, "master", &done, sov_sow_retry(&commit, sow, "again", NULL, &done, &err));
    assert_null(work_see_sow(f, sow).inspection);
}

static void rounds_come_to_an_end(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n);
    struct sov_assignment_request assign = { sow, "operator", NULL };
    struct sov_done done;

    work_policy(f, "\"assignments_per_sow\":4", "\"assignments_per_sow\":2");
    work_round(f, sow, SOV_ASSIGNMENT_BLOCKED);
    FIXTURE_DO(f, "master", &done, sov_sow_retry(&commit, sow, "again", NULL, &done, &err));
    work_round(f, sow, SOV_ASSIGNMENT_FAILED);
    assert_int_equal(work_see_sow(f, sow).rounds, 2);
    /* Asked before the inspection. */
    FIXTURE_REFUSED(f, "master", "rounds_exhausted", &done,
                    sov_sow_retry(&commit, sow, "again", NULL, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_outcome_block(&commit, n, "wait", &done, &err));
    FIXTURE_REFUSED(f, "master", "outcome_not_open", &done,
                    sov_sow_retry(&commit, sow, "again", NULL, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_outcome_unblock(&commit, n, "go on", &done, &err));
    sow = assign.sow = work_sow(f, n);
    for (int i = 0; i < 2; i++) {
        int64_t assignment = work_assign(f, sow, "operator");

        FIXTURE_DO(f, "master", &done,
                   sov_assignment_cancel(&commit, assignment, "x", &done, &err));
    }
    FIXTURE_REFUSED(f, "master", "rounds_exhausted", &done,
                    sov_assignment_create(&commit, &assign, &done, &err));
}

static void a_withdrawn_sow_takes_its_assignment_along(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n), other = work_sow(f, n), assignment, head;
    struct sov_done done;

    assignment = work_assign(f, sow, "operator");
    head = fixture_head(f);
    FIXTURE_DO(f, "master", &done, sov_sow_withdraw(&commit, sow, "x", &done, &err));
    work_assert_events(f, head + 1, "sow.withdrawn assignment.cancelled");
    assert_int_equal(work_see_assignment(f, assignment).state, SOV_ASSIGNMENT_CANCELLED);
    assignment = work_assign(f, other, "operator");
    work_start(f, assignment, work_claim(f, assignment, "operator"), "operator");
    sow = work_draft(f, n);
    head = fixture_head(f);
    FIXTURE_DO(f, "master", &done, sov_sow_supersede(&commit, other, sow, "x", &done, &err));
    work_assert_events(f, head + 1, "sow.superseded assignment.cancelled claim.released");
    assert_int_equal(work_see_sow(f, other).successor, sow);
    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_sow_withdraw(&commit, other, "x", &done, &err));
    FIXTURE_REFUSED(f, "master", "reason_missing", &done,
                    sov_sow_withdraw(&commit, sow, "  ", &done, &err));
    fixture_assert_refold_equal(f);
}

static void a_successor_counts_in_the_same_term_of_the_same_outcome(void **state)
{
    struct fixture *f = *state;
    int64_t a = work_outcome(f), b = work_outcome(f), gone = work_draft(f, a);
    int64_t foreign = work_draft(f, b), sow = work_draft(f, a);
    struct sov_done done;

    FIXTURE_DO(f, "master", &done, sov_sow_withdraw(&commit, gone, "x", &done, &err));
    FIXTURE_REFUSED(f, "master", "successor_invalid", &done,
                    sov_sow_supersede(&commit, sow, sow, "x", &done, &err));
    FIXTURE_REFUSED(f, "master", "successor_invalid", &done,
                    sov_sow_supersede(&commit, sow, gone, "x", &done, &err));
    FIXTURE_REFUSED(f, "master", "successor_invalid", &done,
                    sov_sow_supersede(&commit, sow, foreign, "x", &done, &err));
    FIXTURE_REFUSED(f, "master", "no_such_id", &done,
                    sov_sow_supersede(&commit, sow, 77, "x", &done, &err));
    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_sow_supersede(&commit, gone, sow, "x", &done, &err));
}

static void the_pulse_makes_a_whole_chain_behind_its_decision(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), head = fixture_head(f), sow = 0, assignment = 0;
    struct sov_sow_request request = work_scope(n);
    struct sov_assignment_request assign = { 0, "operator", NULL };
    int done = 0;

    FIXTURE_DO(f, "principal", done,
               work_lead(&commit, SOV_EVENT_WAKE_DECIDED, &err) &&
                   sov_sow_follow_created(&commit, &request, commit.lead, "master", &sow, &err) &&
                   sov_sow_follow_readied(&commit, sow, &err) && (assign.sow = sow) &&
                   sov_assignment_follow_created(&commit, &assign, "master", &assignment, &err) &&
                   sov_outcome_follow_resumed(&commit, n, "wake.decided", &err));
    work_assert_events(
        f, head + 1, "filesystem.allowed sow.created sow.readied assignment.created sow.assigned");
    assert_string_equal(work_see_sow(f, sow).origin, "pulse");
    assert_int_equal(work_see_sow(f, sow).origin_seq, head + 1);
    assert_string_equal(work_see_sow(f, sow).author, "host");
    assert_string_equal(work_see_sow(f, sow).on_behalf, "master");
    assert_string_equal(work_see_assignment(f, assignment).on_behalf, "master");
    assert_int_equal(work_see_sow(f, sow).assignment, assignment);
    fixture_assert_refold_equal(f);
}

static void reviews_and_verifications_move_a_sow(void **state)
{
    static const int64_t reviews[] = { 1, 2 };
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f));
    struct sov_sow_failure rejected = { .review = 3, .why = "rejected" };
    int done = 0;

    FIXTURE_REFUSED(f, "principal", "wrong_state", done,
                    work_lead(&commit, SOV_EVENT_REVIEW_DECIDED, &err) &&
                        sov_sow_follow_accepted(&commit, sow, reviews, 2, &err));
    work_round(f, sow, SOV_ASSIGNMENT_COMPLETED);
    FIXTURE_DO(f, "principal", done,
               work_lead(&commit, SOV_EVENT_REVIEW_DECIDED, &err) &&
                   sov_sow_follow_accepted(&commit, sow, reviews, 2, &err));
    assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_ACCEPTED);
    FIXTURE_DO(f, "principal", done,
               work_lead(&commit, SOV_EVENT_VERIFICATION_RECORDED, &err) &&
                   sov_sow_follow_reverified(&commit, sow, 2, &err));
    FIXTURE_DO(f, "principal", done,
               work_lead(&commit, SOV_EVENT_REVIEW_DECIDED, &err) &&
                   sov_sow_follow_changes_requested(&commit, sow, reviews, 1, &err));
    assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_CHANGES_REQUESTED);
    work_round(f, sow, SOV_ASSIGNMENT_COMPLETED);
    FIXTURE_DO(f, "principal", done,
               work_lead(&commit, SOV_EVENT_REVIEW_DECIDED, &err) &&
                   sov_sow_follow_failed(&commit, sow, &rejected, &err));
    assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_FAILED);
    fixture_assert_refold_equal(f);
}

#define T(name) cmocka_unit_test_setup_teardown(name, work_setup, work_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_sow_is_created_as_it_was_asked),
        T(a_scope_that_is_none_is_refused),
        T(work_is_for_open_outcomes_only),
        T(an_effect_must_fit_the_subject_of_the_outcome),
        T(an_outcome_has_only_so_many_live_sows),
        T(only_a_draft_is_revised_or_declared_ready),
        T(new_work_takes_a_verifying_outcome_back),
        T(an_unknown_end_is_not_redone_without_an_inspection),
        T(rounds_come_to_an_end),
        T(a_withdrawn_sow_takes_its_assignment_along),
        T(a_successor_counts_in_the_same_term_of_the_same_outcome),
        T(the_pulse_makes_a_whole_chain_behind_its_decision),
        T(reviews_and_verifications_move_a_sow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
