/* The pulse: the eight questions end to end, and when a signal is due again (model.md 6). */
#include "tests/pulse_unit.h"

/* Step 3 of model.md 14. */
static void a_low_stock_becomes_assigned_work(void **state)
{
    struct fixture *f = *state;
    int64_t outcome = tea(f), head, seq;
    struct sov_assignment assignment;
    struct sov_sow sow;
    struct sov_pulseds pulsed;
    struct sov_error err = { 0 };

    world_sale(f, "SKU-TEA", 2);
    head = fixture_head(f);
    pulsed = pulse(f);
    assert_int_equal(pulsed.count, 1);
    assert_answer(&pulsed.at[0], 1, "fire", "need_open");
    seq = pulsed.at[0].seq;
    assert_int_equal(seq, head + 1);
    assert_int_equal(pulsed.at[0].event_count, 5);
    assert_string_equal(pulsed.at[0].wake.rule, "restock-low");
    assert_int_equal(pulsed.at[0].wake.outcome, outcome);
    assert_string_equal(types_after(f, head), "wake.decided sow.created sow.readied "
                                              "assignment.created sow.assigned");
    assert_true(sov_sow_get(f->ledger, pulsed.at[0].wake.sow, &f->arena, &sow, &err));
    assert_string_equal(sow.title, "Restock SKU-TEA");
    assert_string_equal(sow.scope, "Order SKU-TEA for SIG-1.");
    assert_string_equal(sow.origin, "pulse");
    assert_int_equal(sow.origin_seq, seq);
    assert_string_equal(sow.author, "host");
    assert_string_equal(sow.on_behalf, "master");
    assert_string_equal(sow.effect, "replenishment");
    assert_true(sow.effect_required);
    assert_string_equal(sow.role, "operator");
    assert_int_equal(sow.state, SOV_SOW_ASSIGNED);
    assert_true(sov_assignment_get(f->ledger, sow.assignment, &f->arena, &assignment, &err));
    assert_string_equal(assignment.actor, "operator");
    assert_string_equal(assignment.author, "host");
    assert_string_equal(assignment.on_behalf, "master");
    assert_int_equal(signal_of(f, 1).sow, sow.n);
    assert_silent(f);
}

static void the_walk_from_signal_to_assignment_closes(void **state)
{
    struct fixture *f = *state;
    struct sov_event wake, sow, assignment;
    struct sov_error err = { 0 };
    int64_t seq;

    tea(f);
    world_sale(f, "SKU-TEA", 2);
    seq = pulse(f).at[0].seq;
    assert_true(sov_log_event(f->ledger, seq, &f->arena, &wake, &err));
    assert_true(sov_log_event(f->ledger, seq + 1, &f->arena, &sow, &err));
    assert_true(sov_log_event(f->ledger, seq + 3, &f->arena, &assignment, &err));
    assert_true(cites(&wake, signal_of(f, 1).seq));
    assert_true(cites(&sow, seq));
    assert_true(cites(&assignment, sow.seq));
}

static void a_signal_without_a_rule_is_ignored(void **state)
{
    struct fixture *f = *state;

    tea(f);
    world_sale(f, "SKU-TEA", 1); /* 3 left: info */
    assert_answer(&pulse(f).at[0], 1, "ignore", "no_rule");
    assert_int_equal(signal_of(f, 1).outcome, 0);
    assert_null(signal_of(f, 1).rule);
    assert_silent(f);
}

static void exactly_one_outcome_is_about_a_need(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;
    int64_t second;

    world_sale(f, "SKU-TEA", 2);
    assert_answer(&pulse(f).at[0], 1, "ignore", "no_outcome");
    tea(f);
    second = tea(f);
    world_sale(f, "SKU-TEA", 1);
    assert_answer(&pulse(f).at[0], 2, "ignore", "ambiguous_outcome");
    BY(f, "principal", NULL, sov_outcome_cancel(&commit, second, "one is enough", 0, &done, &err));
    world_sale(f, "SKU-TEA", 1);
    assert_answer(&pulse(f).at[0], 3, "fire", "need_open");
}

static void a_condition_that_is_false_now_is_ignored(void **state)
{
    struct fixture *f = *state;
    struct sov_signal_request request = {
        .kind = "inventory.changed", .source = "sale", .subject = "SKU-TEA", .severity = SOV_WARNING
    };
    struct sov_done done;

    tea(f);
    BY(f, "operator", NULL, sov_signal_record(&commit, &request, &done, &err));
    assert_answer(&pulse(f).at[0], 1, "ignore", "condition_false");
    assert_int_equal(signal_of(f, 1).outcome, 1);
    assert_silent(f);
}

static void a_proposed_outcome_is_waited_for(void **state)
{
    struct fixture *f = *state;
    int64_t outcome = work_define(f, "SKU-TEA");
    struct sov_done done;

    world_sale(f, "SKU-TEA", 2);
    assert_answer(&pulse(f).at[0], 1, "defer", "outcome_not_active");
    assert_string_equal(signal_of(f, 1).waits_on, "OUT-1");
    assert_string_equal(signal_of(f, 1).waits_state, "PROPOSED");
    fixture_tick(f, 3600 * 1000);
    assert_silent(f);
    BY(f, "master", NULL, sov_outcome_activate(&commit, outcome, &done, &err));
    assert_answer(&pulse(f).at[0], 1, "fire", "need_open");
}

static void a_blocked_outcome_is_waited_for(void **state)
{
    struct fixture *f = *state;
    int64_t outcome = tea(f);
    struct sov_done done;

    BY(f, "master", NULL, sov_outcome_block(&commit, outcome, "no supplier", &done, &err));
    world_sale(f, "SKU-TEA", 2);
    assert_answer(&pulse(f).at[0], 1, "defer", "outcome_blocked");
    assert_silent(f);
    BY(f, "master", NULL, sov_outcome_unblock(&commit, outcome, "found one", &done, &err));
    assert_answer(&pulse(f).at[0], 1, "fire", "need_open");
}

/* Steps 9 to 11 of model.md 14. */
static void an_accepted_outcome_is_reopened_once_it_is_violated(void **state)
{
    static const char *const failing[] = { "there" };
    struct fixture *f = *state;
    int64_t outcome = tea(f), head;
    struct sov_outcome row;
    struct sov_error why = { 0 };

    work_force(f, outcome, SOV_OUTCOME_ACCEPTED);
    world_sale(f, "SKU-TEA", 2);
    assert_answer(&pulse(f).at[0], 1, "defer", "outcome_accepted");
    assert_silent(f);
    BY(f, "principal", NULL,
       work_lead(&commit, SOV_EVENT_VERIFICATION_RECORDED, &err) &&
           sov_outcome_follow_violated(&commit, outcome, 2, failing, 1, &err));
    head = fixture_head(f);
    assert_answer(&pulse(f).at[0], 1, "fire", "need_open");
    assert_string_equal(types_after(f, head), "wake.decided outcome.reopened sow.created "
                                              "sow.readied assignment.created sow.assigned");
    assert_true(sov_outcome_get(f->ledger, outcome, &f->arena, &row, &why));
    assert_int_equal(row.term, 2);
    assert_int_equal(row.state, SOV_OUTCOME_ACTIVE);
    assert_silent(f);
}

static void a_rule_without_reopen_waits_for_a_violated_outcome(void **state)
{
    struct fixture *f = *state;
    int64_t outcome = tea(f);
    struct sov_done done;

    work_policy(f, "\"reopen\":true", "\"reopen\":false");
    work_force(f, outcome, SOV_OUTCOME_VIOLATED);
    world_sale(f, "SKU-TEA", 2);
    assert_answer(&pulse(f).at[0], 1, "defer", "outcome_violated");
    BY(f, "master", NULL, sov_outcome_reopen(&commit, outcome, "by hand", &done, &err));
    assert_answer(&pulse(f).at[0], 1, "fire", "need_open");
}

static void a_verifying_outcome_is_resumed_by_a_new_need(void **state)
{
    struct fixture *f = *state;
    int64_t outcome = tea(f), head;

    work_force(f, outcome, SOV_OUTCOME_VERIFYING);
    world_sale(f, "SKU-TEA", 2);
    head = fixture_head(f);
    assert_answer(&pulse(f).at[0], 1, "fire", "need_open");
    assert_string_equal(types_after(f, head), "wake.decided sow.created sow.readied "
                                              "assignment.created sow.assigned outcome.resumed");
}

static void two_signals_of_one_need_are_one_sow(void **state)
{
    struct fixture *f = *state;
    struct sov_pulseds pulsed;

    tea(f);
    world_sale(f, "SKU-TEA", 2);
    world_sale(f, "SKU-TEA", 1);
    pulsed = pulse(f);
    assert_int_equal(pulsed.count, 2);
    assert_answer(&pulsed.at[0], 1, "fire", "need_open");
    assert_answer(&pulsed.at[1], 2, "duplicate", "live_sow");
    assert_int_equal(signal_of(f, 2).sow, 1);
    assert_string_equal(signal_of(f, 2).waits_on, "SOW-1");
    assert_string_equal(signal_of(f, 2).waits_state, "ASSIGNED");
    fixture_tick(f, 3600 * 1000);
    assert_silent(f);
}

static void work_that_a_person_planned_covers_the_need(void **state)
{
    struct fixture *f = *state;

    work_sow(f, tea(f));
    world_sale(f, "SKU-TEA", 2);
    assert_answer(&pulse(f).at[0], 1, "duplicate", "live_sow");
}

static void a_need_is_not_lost_with_the_work_that_was_withdrawn(void **state)
{
    struct fixture *f = *state;
    struct sov_pulseds pulsed;
    struct sov_done done;

    tea(f);
    world_sale(f, "SKU-TEA", 2);
    world_sale(f, "SKU-TEA", 1);
    (void)pulse(f);
    BY(f, "master", NULL, sov_sow_withdraw(&commit, 1, "wrong supplier", &done, &err));
    pulsed = pulse(f);
    assert_int_equal(pulsed.count, 2);
    assert_answer(&pulsed.at[0], 1, "fire", "need_open");
    assert_answer(&pulsed.at[1], 2, "duplicate", "live_sow");
    assert_int_equal(signal_of(f, 2).sow, 2);
    assert_silent(f);
}

static void a_planner_or_worker_who_cannot_is_waited_for(void **state)
{
    static const struct {
        const char *actor, *reason;
    } row[] = { { "master", "planner_unavailable" }, { "operator", "worker_unavailable" } };
    struct fixture *f = *state;
    struct sov_done done;

    tea(f);
    world_sale(f, "SKU-TEA", 2);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        BY(f, "principal", NULL,
           sov_actor_change(&commit, row[i].actor, SOV_ACTOR_SUSPEND, "away", &done, &err));
        assert_answer(&pulse(f).at[0], 1, "defer", row[i].reason);
        assert_int_equal(signal_of(f, 1).until_ms, f->now.wall.ms + 300 * 1000);
        fixture_tick(f, 299999);
        assert_silent(f);
        fixture_tick(f, 1);
        assert_answer(&pulse(f).at[0], 1, "defer", row[i].reason);
        BY(f, "principal", NULL,
           sov_actor_change(&commit, row[i].actor, SOV_ACTOR_RESUME, "back", &done, &err));
        assert_silent(f);
        fixture_tick(f, 300000);
    }
    assert_answer(&pulse(f).at[0], 1, "fire", "need_open");
}

static bool answer_for(struct sov_commit *commit, const char *id, const char *represents,
                       struct sov_done *done, struct sov_error *err)
{
    struct sov_actor_request request = { .id = id,
                                         .represents = represents,
                                         .reason = "someone answers for it" };

    return sov_actor_revise(commit, &request, done, err);
}

static void a_robot_that_answers_to_nobody_waits_where_policy_asks(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;

    tea(f);
    world_sale(f, "SKU-TEA", 2);
    work_policy(f, "\"answerable_required\":false", "\"answerable_required\":true");
    assert_answer(&pulse(f).at[0], 1, "defer", "worker_unavailable");
    BY(f, "principal", NULL, answer_for(&commit, "operator", "team/shelf", &done, &err));
    fixture_tick(f, 300000);
    assert_answer(&pulse(f).at[0], 1, "fire", "need_open");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PULSE(a_low_stock_becomes_assigned_work),
        PULSE(the_walk_from_signal_to_assignment_closes),
        PULSE(a_signal_without_a_rule_is_ignored),
        PULSE(exactly_one_outcome_is_about_a_need),
        PULSE(a_condition_that_is_false_now_is_ignored),
        PULSE(a_proposed_outcome_is_waited_for),
        PULSE(a_blocked_outcome_is_waited_for),
        PULSE(an_accepted_outcome_is_reopened_once_it_is_violated),
        PULSE(a_rule_without_reopen_waits_for_a_violated_outcome),
        PULSE(a_verifying_outcome_is_resumed_by_a_new_need),
        PULSE(two_signals_of_one_need_are_one_sow),
        PULSE(work_that_a_person_planned_covers_the_need),
        PULSE(a_need_is_not_lost_with_the_work_that_was_withdrawn),
        PULSE(a_planner_or_worker_who_cannot_is_waited_for),
        PULSE(a_robot_that_answers_to_nobody_waits_where_policy_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
