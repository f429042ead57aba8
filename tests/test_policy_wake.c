#include "tests/policy_unit.h"

static const struct sov_balance low[] = { { "inventory/SKU-TEA", 2 }, { "reserved/SKU-TEA", 0 } },
                                full[] = { { "inventory/SKU-TEA", 3 }, { "reserved/SKU-TEA", 0 } };
static const struct sov_fact tea[] = { { "reorder_point", 3 } };

/* Everything right: it fires. */
static struct sov_wake_inputs due(const struct sov_policy *policy)
{
    return (struct sov_wake_inputs){
        .policy = policy,
        .rule = policy->wake,
        .subject = "SKU-TEA",
        .outcome_count = 1,
        .outcome = "OUT-1",
        .outcome_state = SOV_OUTCOME_ACTIVE,
        .books = { low, 2, tea, 1 },
        .planner_active = true,
        .planner_role = "master",
        .worker_active = true,
        .worker_role = "operator",
        .worker_separate = true,
        .open_sows = 15,
        .now_ms = 1000000,
    };
}

/* One wrong thing a row, in the order of the questions; with more than one the first answers. */
enum wrong { Q1, Q2A, Q2B, Q3, Q4A, Q4B, Q4C, Q4D, Q5, Q6A, Q6B, Q6C, Q6D, Q6E, Q7, NOTHING };
static const struct {
    enum sov_wake_decision decision;
    const char *reason, *outcome, *waits_on, *waits_state;
    int64_t until_ms;
} answers[] = {
    [Q1] = { SOV_WAKE_IGNORE, "no_rule", NULL, NULL, NULL, 0 },
    [Q2A] = { SOV_WAKE_IGNORE, "no_outcome", NULL, NULL, NULL, 0 },
    [Q2B] = { SOV_WAKE_IGNORE, "ambiguous_outcome", NULL, NULL, NULL, 0 },
    [Q3] = { SOV_WAKE_IGNORE, "condition_false", "OUT-1", NULL, NULL, 0 },
    [Q4A] = { SOV_WAKE_DEFER, "outcome_not_active", "OUT-1", "OUT-1", "PROPOSED", 0 },
    [Q4B] = { SOV_WAKE_DEFER, "outcome_blocked", "OUT-1", "OUT-1", "BLOCKED", 0 },
    [Q4C] = { SOV_WAKE_DEFER, "outcome_accepted", "OUT-1", "OUT-1", "ACCEPTED", 0 },
    [Q4D] = { SOV_WAKE_DEFER, "outcome_violated", "OUT-1", "OUT-1", "VIOLATED", 0 },
    [Q5] = { SOV_WAKE_DUPLICATE, "live_sow", "OUT-1", "SOW-1", NULL, 0 },
    [Q6A] = { SOV_WAKE_DEFER, "planner_unavailable", "OUT-1", NULL, NULL, 1300000 },
    [Q6B] = { SOV_WAKE_DEFER, "planner_unavailable", "OUT-1", NULL, NULL, 1300000 },
    [Q6C] = { SOV_WAKE_DEFER, "worker_unavailable", "OUT-1", NULL, NULL, 1300000 },
    [Q6D] = { SOV_WAKE_DEFER, "worker_unavailable", "OUT-1", NULL, NULL, 1300000 },
    [Q6E] = { SOV_WAKE_DEFER, "worker_unavailable", "OUT-1", NULL, NULL, 1300000 },
    [Q7] = { SOV_WAKE_DEFER, "limit_open_sows", "OUT-1", NULL, NULL, 1300000 },
    [NOTHING] = { SOV_WAKE_FIRE, "need_open", "OUT-1", NULL, NULL, 0 },
};

static void spoil(struct sov_wake_inputs *in, enum wrong how, struct sov_wake_rule *closed)
{
    switch (how) {
    case Q1:
        in->rule = NULL;
        break;
    case Q2A:
        in->outcome_count = 0;
        break;
    case Q2B:
        in->outcome_count = 2;
        break;
    case Q3:
        in->books.balances = full;
        break;
    case Q4A:
        in->outcome_state = SOV_OUTCOME_PROPOSED;
        break;
    case Q4B:
        in->outcome_state = SOV_OUTCOME_BLOCKED;
        break;
    case Q4C:
        in->outcome_state = SOV_OUTCOME_ACCEPTED;
        break;
    case Q4D:
        in->outcome_state = SOV_OUTCOME_VIOLATED;
        in->rule = closed;
        break;
    case Q5:
        in->live_sow = "SOW-1";
        break;
    case Q6A:
        in->planner_active = false;
        break;
    case Q6B:
        in->planner_role = "operator";
        break;
    case Q6C:
        in->worker_active = false;
        break;
    case Q6D:
        in->worker_role = "master";
        break;
    case Q6E:
        in->worker_separate = false;
        break;
    case Q7:
        in->open_sows = 16;
        break;
    case NOTHING:
        break;
    }
}

static void each_question_of_the_pulse_answers_before_the_next(void **state)
{
    const struct sov_policy *policy = policy_of(STORE, *state);
    struct sov_wake_rule closed = policy->wake[0];

    closed.reopen = false;
    for (enum wrong first = 0; first <= NOTHING; first++)
        for (enum wrong second = first; second <= NOTHING; second++) {
            struct sov_wake_inputs in = due(policy);
            struct sov_wake_verdict v;
            struct sov_error err = { 0 };

            spoil(&in, second, &closed);
            spoil(&in, first, &closed);
            assert_true(sov_policy_wake(&in, &v, &err));
            if (v.decision != answers[first].decision ||
                strcmp(v.reason, answers[first].reason) != 0)
                fail_msg("%d and %d: %s", first, second, v.reason);
            assert_int_equal(v.until_ms, answers[first].until_ms);
            if (answers[first].outcome)
                assert_string_equal(v.outcome, answers[first].outcome);
            else
                assert_null(v.outcome);
            if (answers[first].waits_on)
                assert_string_equal(v.waits_on, answers[first].waits_on);
            else
                assert_null(v.waits_on);
            if (answers[first].waits_state)
                assert_string_equal(v.waits_state, answers[first].waits_state);
            else
                assert_null(v.waits_state);
        }
}

static void a_rule_that_may_reopen_fires_on_a_violated_outcome(void **state)
{
    struct sov_wake_inputs in = due(policy_of(STORE, *state));
    struct sov_wake_verdict v;
    struct sov_error err = { 0 };

    in.outcome_state = SOV_OUTCOME_VIOLATED;
    assert_true(sov_policy_wake(&in, &v, &err));
    assert_int_equal(v.decision, SOV_WAKE_FIRE);
    in.outcome_state = SOV_OUTCOME_VERIFYING;
    assert_true(sov_policy_wake(&in, &v, &err));
    assert_int_equal(v.decision, SOV_WAKE_FIRE);
}

static void a_condition_that_cannot_be_evaluated_decides_nothing(void **state)
{
    struct sov_wake_inputs in = due(policy_of(STORE, *state));
    struct sov_wake_verdict v = { .reason = "untouched" };
    struct sov_error err = { 0 };

    in.books.balance_count = 1;
    assert_refused(sov_policy_wake(&in, &v, &err), &err, "account_unknown");
    in.books = (struct sov_books){ low, 2, NULL, 0 };
    assert_refused(sov_policy_wake(&in, &v, &err), &err, "fact_missing");
    assert_string_equal(v.reason, "untouched");
}

#define RULE(id, priority, enabled, kind, source, severity, subject)                               \
    "{\"id\":\"" id "\",\"priority\":" priority ",\"enabled\":" enabled                            \
    ",\"on\":{\"kind\":\"" kind "\",\"sources\":[\"" source "\"],\"severities\":[\"" severity      \
    "\"]},\"subject\":\"" subject                                                                  \
    "\",\"when\":[],\"planner\":\"master\",\"worker\":\"operator\",\"reopen\":false,\"sow\":{"     \
    "\"title\":\"t\",\"scope\":\"s\",\"effect\":null,\"deliverables\":[],\"non_goals\":[],"        \
    "\"done_when\":\"d\"}}"

static void the_highest_priority_then_the_lowest_id_is_the_rule(void **state)
{
    const struct sov_policy *policy = policy_of(
        DOCUMENT(
            "",
            RULE("b", "5", "true", "k", "ci", "warning", "S*") "," RULE(
                "a", "5", "true", "k", "ci", "warning",
                "S*") "," RULE("z", "9", "true", "k", "c*", "warning",
                               "SX") "," RULE("off", "99", "false", "k", "*", "warning",
                                              "*") "," RULE("i", "1", "true", "k", "*", "info",
                                                            "*") "," RULE("c", "5", "true", "m",
                                                                          "ci", "warning",
                                                                          "*") "," RULE("d", "5",
                                                                                        "true", "m",
                                                                                        "ci",
                                                                                        "warning",
                                                                                        "*")),
        *state);
    static const struct {
        const char *kind, *source, *subject, *rule; /* rule NULL: none */
        enum sov_severity severity;
    } rows[] = {
        { "k", "ci", "S1", "a", SOV_WARNING },   { "k", "ci", "SX", "z", SOV_WARNING },
        { "k", "cron", "SX", "z", SOV_WARNING }, { "k", "cron", "S1", NULL, SOV_WARNING },
        { "k", "ci", "T", NULL, SOV_WARNING },   { "l", "ci", "S1", NULL, SOV_WARNING },
        { "k", "ci", "S1", NULL, SOV_RESOLVED }, { "k", "any", "thing", "i", SOV_INFO },
        { "m", "ci", "S1", "c", SOV_WARNING },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sov_wake_rule *rule = sov_policy_wake_rule(
            policy, rows[i].kind, rows[i].source, rows[i].severity, rows[i].subject);

        if (!rows[i].rule) {
            assert_null(rule);
            continue;
        }
        assert_non_null(rule);
        assert_string_equal(rule->id, rows[i].rule);
    }
}

static void the_least_busy_worker_is_taken(void **state)
{
    static const struct sov_wake_candidate c[] = {
        { "dan", 2 }, { "cat", 1 }, { "bob", 1 }, { "ann", 3 }
    };
    static const struct sov_wake_candidate first[] = { { "ann", 1 }, { "bob", 1 }, { "cat", 2 } };

    (void)state;
    assert_int_equal(sov_policy_wake_worker(c, 4), 2);
    assert_int_equal(sov_policy_wake_worker(c, 1), 0);
    assert_int_equal(sov_policy_wake_worker(first, 3), 0);
    assert_int_equal(sov_policy_wake_worker(c, 0), -1);
}

static void a_signal_is_due_by_these_rules_alone(void **state)
{
    const struct sov_policy *policy = policy_of(STORE, *state);
    const int64_t horizon = policy->limits_signal_horizon * 1000;
    struct sov_hash same = policy->rules_digest, other = sov_sha256(sov_bytes_text("other"));
    const struct {
        struct sov_wake_past past;
        int64_t age;
        bool due;
    } rows[] = {
        /* (a) rules changed, no fire, young */
        { { SOV_WAKE_IGNORE, other, false, 0, 0, false, 0, 0 }, horizon - 1, true },
        { { SOV_WAKE_IGNORE, other, false, 0, 0, false, 0, 0 }, horizon, false },
        { { SOV_WAKE_IGNORE, same, false, 0, 0, false, 0, 0 }, 1, false },
        { { SOV_WAKE_DEFER, other, false, 0, 0, false, 0, 0 }, 1, true },
        { { SOV_WAKE_FIRE, other, false, 0, 0, true, SOV_SOW_RUNNING, 0 }, 1, false },
        /* (b) what it waits on */
        { { SOV_WAKE_DEFER, same, true, SOV_OUTCOME_BLOCKED, SOV_OUTCOME_BLOCKED, false, 0, 0 },
          1,
          false },
        { { SOV_WAKE_DEFER, same, true, SOV_OUTCOME_BLOCKED, SOV_OUTCOME_ACTIVE, false, 0, 0 },
          horizon * 2,
          true },
        { { SOV_WAKE_DUPLICATE, same, false, 0, 0, true, SOV_SOW_REVIEW, 0 }, 1, false },
        { { SOV_WAKE_DUPLICATE, same, false, 0, 0, true, SOV_SOW_ACCEPTED, 0 }, 1, true },
        { { SOV_WAKE_DUPLICATE, same, false, 0, 0, true, SOV_SOW_WITHDRAWN, 0 }, 1, true },
        /* (c) until */
        { { SOV_WAKE_DEFER, same, false, 0, 0, false, 0, horizon * 3 + 1 }, 1, false },
        { { SOV_WAKE_DEFER, same, false, 0, 0, false, 0, horizon * 3 }, 1, true },
        /* (d) a fire whose work was given up */
        { { SOV_WAKE_FIRE, same, false, 0, 0, true, SOV_SOW_WITHDRAWN, 0 }, 1, true },
        { { SOV_WAKE_FIRE, same, false, 0, 0, true, SOV_SOW_SUPERSEDED, 0 }, 1, true },
        { { SOV_WAKE_FIRE, same, false, 0, 0, true, SOV_SOW_ACCEPTED, 0 }, 1, false },
        { { SOV_WAKE_FIRE, same, false, 0, 0, true, SOV_SOW_FAILED, 0 }, 1, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sov_policy_wake_due(policy, &rows[i].past, horizon * 3 - rows[i].age, horizon * 3) !=
            rows[i].due)
            fail_msg("row %zu", i);
    assert_true(sov_policy_wake_due(policy, NULL, 0, horizon * 3));
}

static void the_words_of_the_pulse_are_read_back(void **state)
{
    enum sov_wake_decision decision = SOV_WAKE_DEFER;
    enum sov_severity severity = SOV_WARNING;

    (void)state;
    for (enum sov_wake_decision d = SOV_WAKE_IGNORE; d <= SOV_WAKE_FIRE; d++) {
        assert_true(sov_policy_wake_decision(sov_policy_wake_word(d), &decision));
        assert_int_equal(decision, d);
    }
    for (enum sov_severity s = 0; s < SOV_SEVERITY_COUNT; s++) {
        assert_true(sov_policy_severity(sov_bytes_text(sov_policy_severity_word(s)), &severity));
        assert_int_equal(severity, s);
    }
    assert_false(sov_policy_wake_decision("Fire", &decision));
    assert_false(sov_policy_severity(sov_bytes_text("critical"), &severity));
    assert_int_equal(decision, SOV_WAKE_FIRE);
    assert_int_equal(severity, SOV_RESOLVED);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_ARENA(each_question_of_the_pulse_answers_before_the_next),
        WITH_ARENA(a_rule_that_may_reopen_fires_on_a_violated_outcome),
        WITH_ARENA(a_condition_that_cannot_be_evaluated_decides_nothing),
        WITH_ARENA(the_highest_priority_then_the_lowest_id_is_the_rule),
        cmocka_unit_test(the_least_busy_worker_is_taken),
        WITH_ARENA(a_signal_is_due_by_these_rules_alone),
        cmocka_unit_test(the_words_of_the_pulse_are_read_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
