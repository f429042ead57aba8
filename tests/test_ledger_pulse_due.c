/* The pulse: rules that change, faults, limits, dry passes, who is chosen to work. */
#include "tests/pulse_unit.h"

#define ZEROS "\"0000000000000000000000000000000000000000000000000000000000000000\""
#define CI_RULE(id, priority, worker, deliverable)                                                 \
    "{\"id\":\"" id "\",\"priority\":" priority                                                    \
    ",\"enabled\":true,\"on\":{\"kind\":\"ci.failed\","                                            \
    "\"sources\":[\"git*\"],\"severities\":[\"warning\"]},\"subject\":\"*\",\"when\":[],"          \
    "\"planner\":\"master\",\"worker\":\"" worker "\",\"reopen\":false,"                           \
    "\"sow\":{\"title\":\"Mend the build\",\"scope\":\"{subject} says {signal}\","                 \
    "\"effect\":null,\"deliverables\":[\"" deliverable "\"],\"non_goals\":[],"                     \
    "\"done_when\":\"it is green\"}}"
#define CI_STORE(worker, deliverable)                                                              \
    DOCUMENT(SALE "," REPLENISHMENT, RESTOCK "," CI_RULE("ci", "5", worker, deliverable))

static void ci(struct fixture *f, const char *subject, const char *key)
{
    struct sov_signal_request request = { .kind = "ci.failed",
                                          .source = "github",
                                          .subject = subject,
                                          .severity = SOV_WARNING,
                                          .dedupe_key = key };
    struct sov_done done;

    BY(f, "operator", NULL, sov_signal_record(&commit, &request, &done, &err));
}

static void changed_rules_decide_each_signal_once_more(void **state)
{
    struct fixture *f = *state;
    struct sov_pulseds pulsed;

    tea(f);
    world_sale(f, "SKU-TEA", 1); /* info: no rule */
    world_sale(f, "SKU-TEA", 1); /* fires */
    world_sale(f, "SKU-TEA", 1); /* duplicate */
    assert_int_equal(pulse(f).count, 3);
    assert_silent(f);
    work_policy(f, "\"heartbeat_stale\":900", "\"heartbeat_stale\":901");
    assert_silent(f); /* the rules are the same */
    work_policy(f, "\"severities\":[\"warning\"]", "\"severities\":[\"info\",\"warning\"]");
    pulsed = pulse(f);
    assert_int_equal(pulsed.count, 2);
    assert_answer(&pulsed.at[0], 1, "duplicate", "live_sow");
    assert_answer(&pulsed.at[1], 3, "duplicate", "live_sow");
    assert_silent(f);
    work_policy(f, "\"severities\":[\"info\",\"warning\"]", "\"severities\":[\"warning\"]");
    pulsed = pulse(f);
    assert_int_equal(pulsed.count, 2);
    assert_answer(&pulsed.at[0], 1, "ignore", "no_rule");
    assert_silent(f);
}

static void a_signal_past_the_horizon_is_left_as_it_was_decided(void **state)
{
    struct fixture *f = *state;

    tea(f);
    world_sale(f, "SKU-TEA", 1);
    fixture_tick(f, 1000);
    world_sale(f, "SKU-TEA", 1);
    assert_int_equal(pulse(f).count, 2);
    fixture_tick(f, INT64_C(2592000) * 1000 - 1000);
    work_policy(f, "\"priority\":10", "\"priority\":11");
    assert_silent(f); /* SIG-1 is too old, SIG-2 fired */
    world_sale(f, "SKU-TEA", 1);
    assert_answer(&pulse(f).at[0], 3, "duplicate", "live_sow");
}

static void an_undecided_signal_has_no_horizon(void **state)
{
    struct fixture *f = *state;

    tea(f);
    world_sale(f, "SKU-TEA", 2);
    fixture_tick(f, INT64_C(2592000) * 2000);
    assert_answer(&pulse(f).at[0], 1, "fire", "need_open");
}

static void a_duplicate_is_due_when_the_work_is_done_and_the_fire_is_closed(void **state)
{
    static const int64_t reviews[] = { 1 };
    struct fixture *f = *state;
    struct sov_pulseds pulsed;
    int64_t fence;

    tea(f);
    world_sale(f, "SKU-TEA", 2);
    world_sale(f, "SKU-TEA", 1);
    assert_int_equal(pulse(f).count, 2);
    fence = work_claim(f, 1, "operator");
    work_start(f, 1, fence, "operator");
    assert_silent(f);
    BY(f, "operator", NULL, work_end(&commit, 1, 1, fence, SOV_ASSIGNMENT_COMPLETED, &err));
    assert_silent(f);
    BY(f, "principal", NULL,
       work_lead(&commit, SOV_EVENT_REVIEW_DECIDED, &err) &&
           sov_sow_follow_accepted(&commit, 1, reviews, 1, &err));
    pulsed = pulse(f);
    assert_int_equal(pulsed.count, 1);
    assert_answer(&pulsed.at[0], 2, "fire", "need_open"); /* nothing was restocked */
    assert_silent(f);
}

static void a_fault_leaves_nothing_and_the_next_is_taken(void **state)
{
    struct fixture *f = *state;
    struct sov_pulseds pulsed;
    int64_t head;

    world_adopt(f, CI_STORE("operator", "{subject}/report.json"));
    work_define(f, "../up");
    activate(f, 1);
    tea(f);
    ci(f, "../up", "one");
    world_sale(f, "SKU-TEA", 2);
    head = fixture_head(f);
    pulsed = pulse(f);
    assert_int_equal(pulsed.count, 2);
    assert_int_equal(pulsed.at[0].signal, 1);
    assert_true(pulsed.at[0].faulted);
    assert_string_equal(pulsed.at[0].fault.code, "deliverable_unsafe");
    assert_int_equal(pulsed.at[0].event_count, 0);
    assert_answer(&pulsed.at[1], 2, "fire", "need_open");
    assert_int_equal(pulsed.at[1].seq, head + 1);
    assert_int_equal(fixture_head(f), head + 5);
    assert_int_equal(signal_of(f, 1).decided_seq, 0);
    head = fixture_head(f);
    pulsed = pulse(f); /* it is still due, and faults again */
    assert_int_equal(pulsed.count, 1);
    assert_true(pulsed.at[0].faulted);
    assert_int_equal(fixture_head(f), head);
}

static void a_condition_on_an_account_that_is_not_open_is_a_fault(void **state)
{
    struct fixture *f = *state;
    struct sov_signal_request request = { .kind = "inventory.changed",
                                          .source = "sale",
                                          .subject = "SKU-MILK",
                                          .severity = SOV_WARNING };
    struct sov_pulseds pulsed;
    struct sov_done done;

    work_define(f, "SKU-MILK");
    BY(f, "operator", NULL, sov_signal_record(&commit, &request, &done, &err));
    pulsed = pulse(f);
    assert_true(pulsed.at[0].faulted);
    assert_string_equal(pulsed.at[0].fault.code, "account_unknown");
}

static void a_fault_does_not_use_up_the_pass(void **state)
{
    struct fixture *f = *state;
    struct sov_pulseds pulsed;

    world_adopt(f, CI_STORE("operator", "{subject}/report.json"));
    work_define(f, "../up");
    activate(f, 1);
    tea(f);
    ci(f, "../up", "one");
    world_sale(f, "SKU-TEA", 2);
    world_sale(f, "SKU-TEA", 1);
    pulsed = pulse_by(f, (struct sov_pulse_options){ .limit = 1 });
    assert_int_equal(pulsed.count, 2);
    assert_true(pulsed.at[0].faulted);
    assert_answer(&pulsed.at[1], 2, "fire", "need_open");
    pulsed = pulse_by(f, (struct sov_pulse_options){ .limit = 1 });
    assert_int_equal(pulsed.count, 2);
    assert_answer(&pulsed.at[1], 3, "duplicate", "live_sow");
    assert_int_equal(pulse_by(f, (struct sov_pulse_options){ .limit = 1 }).count, 1);
}

static void a_pass_takes_the_oldest_up_to_its_limit(void **state)
{
    struct fixture *f = *state;
    struct sov_pulseds pulsed;

    tea(f);
    for (int i = 0; i < 4; i++) world_sale(f, "SKU-TEA", 1);
    pulsed = pulse_by(f, (struct sov_pulse_options){ .limit = 2 });
    assert_int_equal(pulsed.count, 2);
    assert_answer(&pulsed.at[0], 1, "ignore", "no_rule");
    assert_answer(&pulsed.at[1], 2, "fire", "need_open");
    work_policy(f, "\"pulse_signals\":256", "\"pulse_signals\":1");
    assert_int_equal(pulse(f).count, 1);
    assert_answer(&pulse(f).at[0], 4, "duplicate", "live_sow");
    assert_silent(f);
}

static void one_signal_may_be_asked_for(void **state)
{
    struct fixture *f = *state;
    struct sov_pulseds pulsed = { NULL, 7 };
    struct sov_error err = { 0 };

    tea(f);
    world_sale(f, "SKU-TEA", 2);
    world_sale(f, "SKU-TEA", 1);
    pulsed = pulse_by(f, (struct sov_pulse_options){ .signal = 2 });
    assert_int_equal(pulsed.count, 1);
    assert_answer(&pulsed.at[0], 2, "fire", "need_open");
    assert_int_equal(pulse_by(f, (struct sov_pulse_options){ .signal = 2 }).count, 0);
    assert_false(
        sov_pulse(f->ledger, &(struct sov_pulse_options){ .signal = 9 }, &f->arena, &pulsed, &err));
    assert_string_equal(err.code, "no_such_id");
    assert_false(
        sov_pulse(f->ledger, &(struct sov_pulse_options){ .limit = -1 }, &f->arena, &pulsed, &err));
    assert_string_equal(err.code, "bad_value");
    assert_int_equal(pulsed.count, 1);
    assert_answer(&pulse(f).at[0], 1, "duplicate", "live_sow");
}

static void a_dry_pass_says_what_would_be_and_changes_nothing(void **state)
{
    struct fixture *f = *state;
    struct sov_hash before, after;
    struct sov_pulseds pulsed;

    tea(f);
    world_sale(f, "SKU-TEA", 2);
    before = fixture_digest(f);
    pulsed = pulse_by(f, (struct sov_pulse_options){ .dry = true });
    assert_int_equal(pulsed.count, 1);
    assert_answer(&pulsed.at[0], 1, "fire", "need_open");
    assert_int_equal(pulsed.at[0].event_count, 5);
    assert_int_equal(pulsed.at[0].seq, 0);
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

static void what_a_fire_sets_free_is_answered_in_the_same_pass(void **state)
{
    struct fixture *f = *state;
    struct sov_pulseds pulsed;

    world_adopt(f, CI_STORE("operator", "log.txt"));
    work_force(f, tea(f), SOV_OUTCOME_VIOLATED);
    ci(f, "OUT-1", "one"); /* its rule does not reopen */
    world_sale(f, "SKU-TEA", 2);
    pulsed = pulse(f);
    assert_int_equal(pulsed.count, 3);
    assert_answer(&pulsed.at[0], 1, "defer", "outcome_violated");
    assert_answer(&pulsed.at[1], 2, "fire", "need_open");
    assert_answer(&pulsed.at[2], 1, "fire", "need_open"); /* named by id: a need of its own */
    assert_silent(f);
}

static void an_outcome_may_be_named_by_its_id_and_its_live_work_is_limited(void **state)
{
    struct fixture *f = *state;

    world_adopt(f, CI_STORE("operator", "log.txt"));
    tea(f);
    work_policy(f, "\"open_sows\":16", "\"open_sows\":1");
    ci(f, "OUT-1", "one");
    assert_answer(&pulse(f).at[0], 1, "fire", "need_open");
    ci(f, "OUT-1", "two");
    assert_answer(&pulse(f).at[0], 2, "duplicate", "live_sow");
    world_sale(f, "SKU-TEA", 2);
    assert_answer(&pulse(f).at[0], 3, "defer", "limit_open_sows");
    fixture_tick(f, 299999);
    assert_silent(f);
    fixture_tick(f, 1);
    assert_answer(&pulse(f).at[0], 3, "defer", "limit_open_sows");
}

static void the_higher_priority_then_the_lower_id_decides(void **state)
{
    struct fixture *f = *state;

    world_adopt(f, DOCUMENT(SALE "," REPLENISHMENT, RESTOCK
                            "," CI_RULE("b", "5", "operator",
                                        "log.txt") "," CI_RULE("a", "5", "operator", "log.txt")));
    tea(f);
    ci(f, "OUT-1", "one");
    assert_string_equal(pulse(f).at[0].wake.rule, "a");
}

static void of_a_role_the_actor_with_the_least_work_is_taken(void **state)
{
    struct fixture *f = *state;

    world_adopt(f, CI_STORE("role/operator", "log.txt"));
    work_actor(f, "helper", "robot", "operator", NULL);
    tea(f);
    ci(f, "OUT-1", "one");
    assert_string_equal(pulse(f).at[0].wake.worker, "helper"); /* none has work: by id */
    work_define(f, "SKU-MILK");
    activate(f, 2);
    ci(f, "OUT-2", "two");
    assert_string_equal(pulse(f).at[0].wake.worker, "operator");
}

static void a_role_without_an_active_actor_is_waited_for(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;

    world_adopt(f, CI_STORE("role/operator", "log.txt"));
    tea(f);
    ci(f, "OUT-1", "one");
    BY(f, "principal", NULL,
       sov_actor_change(&commit, "operator", SOV_ACTOR_SUSPEND, "away", &done, &err));
    assert_answer(&pulse(f).at[0], 1, "defer", "worker_unavailable");
}

/* As a verifier would have said it: who verifies in the term may not work in it. */
static bool verified(struct sov_commit *commit, struct sov_error *err)
{
    struct sov_addition lead = {
        .type = SOV_EVENT_VERIFICATION_RECORDED,
        .stream = sov_stream_numbered(SOV_STREAM_VERIFICATION, 1),
        .data = sov_bytes_text("{\"aggregate_digest\":" ZEROS
                               ",\"basis\":1,\"definition_digest\":" ZEROS
                               ",\"evidence\":[],\"outcome\":\"OUT-1\",\"passed\":false,"
                               "\"reads_digest\":" ZEROS ",\"scope\":\"outcome\",\"term\":1}")
    };
    struct sov_done done;

    return sov_commit_lead(commit, &lead, &done, err);
}

static void a_worker_who_judges_in_the_term_is_not_taken(void **state)
{
    struct fixture *f = *state;

    tea(f);
    world_sale(f, "SKU-TEA", 2);
    BY(f, "operator", NULL, verified(&commit, &err));
    assert_answer(&pulse(f).at[0], 1, "defer", "worker_unavailable");
}

static void a_new_term_is_open_to_who_judged_in_the_one_before(void **state)
{
    struct fixture *f = *state;
    int64_t outcome = tea(f);

    BY(f, "operator", NULL, verified(&commit, &err));
    work_force(f, outcome, SOV_OUTCOME_VIOLATED);
    world_sale(f, "SKU-TEA", 2);
    assert_answer(&pulse(f).at[0], 1, "fire", "need_open");
}

static void a_signal_that_is_due_for_two_reasons_is_listed_once(void **state)
{
    struct fixture *f = *state;
    const struct sov_policy *policy;
    const int64_t *listed;
    struct sov_error why = { 0 };
    struct sov_done done;
    size_t count;

    tea(f);
    world_sale(f, "SKU-TEA", 2);
    world_sale(f, "SKU-TEA", 1);
    BY(f, "principal", NULL,
       sov_actor_change(&commit, "operator", SOV_ACTOR_SUSPEND, "away", &done, &err));
    assert_int_equal(pulse(f).count, 2);
    work_policy(f, "\"priority\":10", "\"priority\":11");
    assert_true(sov_policy_at(f->ledger, 0, &f->arena, &policy, &why));
    assert_true(sov_wake_due_list(f->ledger, policy, f->now.wall.ms + 300000, 10, &f->arena,
                                  &listed, &count, &why));
    assert_int_equal(count, 2);
    assert_int_equal(listed[0], 1);
    assert_int_equal(listed[1], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PULSE(changed_rules_decide_each_signal_once_more),
        PULSE(a_signal_past_the_horizon_is_left_as_it_was_decided),
        PULSE(an_undecided_signal_has_no_horizon),
        PULSE(a_duplicate_is_due_when_the_work_is_done_and_the_fire_is_closed),
        PULSE(a_fault_leaves_nothing_and_the_next_is_taken),
        PULSE(a_condition_on_an_account_that_is_not_open_is_a_fault),
        PULSE(a_fault_does_not_use_up_the_pass),
        PULSE(a_pass_takes_the_oldest_up_to_its_limit),
        PULSE(one_signal_may_be_asked_for),
        PULSE(a_dry_pass_says_what_would_be_and_changes_nothing),
        PULSE(what_a_fire_sets_free_is_answered_in_the_same_pass),
        PULSE(an_outcome_may_be_named_by_its_id_and_its_live_work_is_limited),
        PULSE(the_higher_priority_then_the_lower_id_decides),
        PULSE(of_a_role_the_actor_with_the_least_work_is_taken),
        PULSE(a_role_without_an_active_actor_is_waited_for),
        PULSE(a_worker_who_judges_in_the_term_is_not_taken),
        PULSE(a_new_term_is_open_to_who_judged_in_the_one_before),
        PULSE(a_signal_that_is_due_for_two_reasons_is_listed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
