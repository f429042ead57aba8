#include "policy/wake.h"

#include <assert.h>
#include <string.h>

static const char *const decision_words[] = { "ignore", "defer", "duplicate", "fire" };
static const char *const severity_words[SOV_SEVERITY_COUNT] = { "info", "warning", "resolved" };

const char *sov_policy_wake_word(enum sov_wake_decision decision)
{
    return decision_words[decision];
}

bool sov_policy_wake_decision(const char *word, enum sov_wake_decision *decision_out)
{
    for (enum sov_wake_decision d = SOV_WAKE_IGNORE; d <= SOV_WAKE_FIRE; d++) {
        if (strcmp(decision_words[d], word) != 0) continue;
        *decision_out = d;
        return true;
    }
    return false;
}

const char *sov_policy_severity_word(enum sov_severity severity)
{
    assert(severity < SOV_SEVERITY_COUNT);
    return severity_words[severity];
}

bool sov_policy_severity(struct sov_bytes word, enum sov_severity *severity_out)
{
    for (enum sov_severity s = 0; s < SOV_SEVERITY_COUNT; s++) {
        if (!sov_bytes_is(word, severity_words[s])) continue;
        *severity_out = s;
        return true;
    }
    return false;
}

static bool source_matches(const struct sov_wake_rule *rule, const char *source)
{
    for (size_t i = 0; i < rule->source_count; i++)
        if (sov_policy_matches(rule->sources[i], source)) return true;
    return false;
}

const struct sov_wake_rule *sov_policy_wake_rule(const struct sov_policy *policy, const char *kind,
                                                 const char *source, enum sov_severity severity,
                                                 const char *subject)
{
    const struct sov_wake_rule *best = NULL;

    assert(severity < SOV_SEVERITY_COUNT);
    for (size_t i = 0; i < policy->wake_count; i++) {
        const struct sov_wake_rule *rule = &policy->wake[i];

        if (!rule->enabled || strcmp(rule->kind, kind) != 0 || !rule->severities[severity] ||
            !source_matches(rule, source) || !sov_policy_matches(rule->subject, subject))
            continue;
        if (!best || rule->priority > best->priority ||
            (rule->priority == best->priority && strcmp(rule->id, best->id) < 0))
            best = rule;
    }
    return best;
}

int sov_policy_wake_worker(const struct sov_wake_candidate *candidates, size_t count)
{
    int best = -1;

    for (size_t i = 0; i < count; i++) {
        const struct sov_wake_candidate *c = &candidates[i];

        if (best < 0 || c->live_assignments < candidates[best].live_assignments ||
            (c->live_assignments == candidates[best].live_assignments &&
             strcmp(c->id, candidates[best].id) < 0))
            best = (int)i;
    }
    return best;
}

static void decide(struct sov_wake_verdict *v, enum sov_wake_decision decision, const char *reason)
{
    v->decision = decision;
    v->reason = reason;
}

/* Question 4: the reason to wait for the outcome, NULL if it may be worked on. */
static const char *outcome_waits(enum sov_outcome_state state, bool reopen)
{
    switch (state) {
    case SOV_OUTCOME_ACTIVE:
    case SOV_OUTCOME_VERIFYING:
        return NULL;
    case SOV_OUTCOME_PROPOSED:
        return "outcome_not_active";
    case SOV_OUTCOME_BLOCKED:
        return "outcome_blocked";
    case SOV_OUTCOME_ACCEPTED:
        return "outcome_accepted";
    case SOV_OUTCOME_VIOLATED:
        return reopen ? NULL : "outcome_violated";
    case SOV_OUTCOME_NONE:
    case SOV_OUTCOME_FAILED:
    case SOV_OUTCOME_CANCELLED:
    case SOV_OUTCOME_STATE_COUNT:
        break;
    }
    return "outcome_not_active"; /* counted by no caller: fail closed */
}

static const char *unavailable(const struct sov_wake_inputs *in)
{
    if (!in->planner_active || !sov_policy_may(in->policy, in->planner_role, SOV_MAY_PLAN) ||
        !sov_policy_may(in->policy, in->planner_role, SOV_MAY_ASSIGN))
        return "planner_unavailable";
    if (!in->worker_active || !sov_policy_may(in->policy, in->worker_role, SOV_MAY_WORK) ||
        !in->worker_separate)
        return "worker_unavailable";
    return NULL;
}

/* Questions 4 to 8, for one outcome whose conditions hold. */
static void decide_work(const struct sov_wake_inputs *in, struct sov_wake_verdict *v)
{
    const char *waits = outcome_waits(in->outcome_state, in->rule->reopen);

    if (waits) {
        decide(v, SOV_WAKE_DEFER, waits);
        v->waits_on = in->outcome;
        v->waits_state = sov_policy_outcome_name(in->outcome_state);
        return;
    }
    if (in->live_sow) {
        decide(v, SOV_WAKE_DUPLICATE, "live_sow");
        v->waits_on = in->live_sow;
        return;
    }
    waits = unavailable(in);
    if (!waits && in->open_sows >= in->policy->limits_open_sows) waits = "limit_open_sows";
    if (waits) {
        decide(v, SOV_WAKE_DEFER, waits);
        v->until_ms = in->now_ms + in->policy->ttl_defer * 1000;
        return;
    }
    decide(v, SOV_WAKE_FIRE, "need_open");
}

bool sov_policy_wake(const struct sov_wake_inputs *in, struct sov_wake_verdict *verdict_out,
                     struct sov_error *err)
{
    struct sov_wake_verdict v = { SOV_WAKE_IGNORE, "no_rule", NULL, NULL, NULL, 0 };
    bool hold = false;

    if (!in->rule) {
        *verdict_out = v;
        return true;
    }
    if (in->outcome_count != 1) {
        v.reason = in->outcome_count ? "ambiguous_outcome" : "no_outcome";
        *verdict_out = v;
        return true;
    }
    v.outcome = in->outcome;
    if (!sov_policy_conditions(in->rule->when, in->rule->when_count, in->subject, &in->books, &hold,
                               err))
        return false;
    if (hold)
        decide_work(in, &v);
    else
        v.reason = "condition_false";
    *verdict_out = v;
    return true;
}

bool sov_policy_wake_due(const struct sov_policy *policy, const struct sov_wake_past *past,
                         int64_t signal_at_ms, int64_t now_ms)
{
    bool young = now_ms - signal_at_ms < policy->limits_signal_horizon * 1000;

    if (!past) return true;
    if (past->decision != SOV_WAKE_FIRE && young &&
        !sov_hash_equal(&past->rules_digest, &policy->rules_digest))
        return true;
    if (past->waits_on_outcome && past->outcome_state != past->waits_state) return true;
    if (past->decision == SOV_WAKE_DUPLICATE && past->has_sow &&
        !sov_policy_sow_is_live(past->sow_state))
        return true;
    if (past->until_ms && now_ms >= past->until_ms) return true;
    return past->decision == SOV_WAKE_FIRE && past->has_sow &&
           (past->sow_state == SOV_SOW_WITHDRAWN || past->sow_state == SOV_SOW_SUPERSEDED);
}
