#ifndef SOV_POLICY_WAKE_H
#define SOV_POLICY_WAKE_H
/*
 * The pulse's decision about one signal (model.md 6): is it due, which rule, which of the eight
 * answers. Two steps, because what must be looked up depends on the rule: sov_policy_wake_rule,
 * then sov_policy_wake with the facts.
 */
#include "policy/effect.h"
#include "policy/lifecycle.h"

enum sov_wake_decision { SOV_WAKE_IGNORE, SOV_WAKE_DEFER, SOV_WAKE_DUPLICATE, SOV_WAKE_FIRE };
const char *sov_policy_wake_word(enum sov_wake_decision decision);
bool sov_policy_wake_decision(const char *word, enum sov_wake_decision *decision_out);
const char *sov_policy_severity_word(enum sov_severity severity);
bool sov_policy_severity(struct sov_bytes word, enum sov_severity *severity_out);

/* The enabled rule that matches, of highest priority, then lowest id; NULL: none. */
const struct sov_wake_rule *sov_policy_wake_rule(const struct sov_policy *policy, const char *kind,
                                                 const char *source, enum sov_severity severity,
                                                 const char *subject);

struct sov_wake_candidate {
    const char *id;
    int64_t live_assignments;
};
/* Of the active actors of a role, the one with the fewest live assignments, ties by id; -1: none.
 */
int sov_policy_wake_worker(const struct sov_wake_candidate *candidates, size_t count);

struct sov_wake_inputs {
    const struct sov_policy *policy;
    const struct sov_wake_rule *rule; /* NULL: none matched */
    const char *subject;              /* of the signal */
    /* Outcomes about the subject, or named by it, neither FAILED nor CANCELLED. */
    size_t outcome_count;
    const char *outcome; /* the one, if there is exactly one */
    enum sov_outcome_state outcome_state;
    struct sov_books books;
    const char *live_sow; /* for the need (outcome, subject); NULL: none */
    bool planner_active;
    const char *planner_role;
    bool worker_active; /* false too if the role has no active actor */
    const char *worker_role;
    bool worker_separate; /* sov_policy_separate held, and answerable if policy asks */
    int64_t open_sows;    /* live ones of the outcome */
    int64_t now_ms;
};
struct sov_wake_verdict {
    enum sov_wake_decision decision;
    const char *reason;      /* need_open, no_rule ... */
    const char *outcome;     /* NULL before question 2 is answered */
    const char *waits_on;    /* the outcome or SOW waited for; NULL: none */
    const char *waits_state; /* its state then */
    int64_t until_ms;        /* 0: none */
};
/* Fails only where a condition cannot be evaluated (account_unknown, fact_missing,
 * amount_overflow): then nothing is decided and the signal stays due. waits_state of a duplicate is
 * NULL: that of the SOW is the caller's to add. */
SOV_MUST_USE bool sov_policy_wake(const struct sov_wake_inputs *in,
                                  struct sov_wake_verdict *verdict_out, struct sov_error *err);

/* The newest decision of a signal, beside what it waits for today. */
struct sov_wake_past {
    enum sov_wake_decision decision;
    struct sov_hash rules_digest;
    bool waits_on_outcome;
    enum sov_outcome_state waits_state, outcome_state; /* recorded; today */
    bool has_sow;                                      /* of a duplicate or a fire */
    enum sov_sow_state sow_state;                      /* today */
    int64_t until_ms;                                  /* 0: none */
};
/* `past` NULL: never decided. */
bool sov_policy_wake_due(const struct sov_policy *policy, const struct sov_wake_past *past,
                         int64_t signal_at_ms, int64_t now_ms);
#endif
