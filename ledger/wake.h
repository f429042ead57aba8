#ifndef SOV_LEDGER_WAKE_H
#define SOV_LEDGER_WAKE_H
/*
 * The pulse: a bounded pass that answers each due signal once, and turns a need into governed work
 * (model.md 6). Owns: wake.decided and what follows it in its commit. Not here: the eight questions
 * (policy/wake.h), the signals themselves (signal.h).
 */
#include "ledger/signal.h"

/* What one due signal is answered, with everything that was read for it. */
struct sov_wake {
    int64_t signal;
    const char *subject;
    enum sov_wake_decision decision;
    const char *reason;
    const char *rule;     /* NULL: none matched */
    int64_t outcome;      /* number; 0: none */
    int64_t sow;          /* duplicate: the live one; fire: the new one, 0 until it is made */
    const char *waits_on; /* "OUT-1", "SOW-2"; NULL: none */
    const char *waits_state;
    int64_t until_ms; /* 0: none */
    struct sov_hash rules_digest, inputs_digest;
    /* For a fire: */
    const char *planner, *worker; /* actors; NULL: none */
    bool reopen;                  /* the outcome is VIOLATED */
};
/* Decides from the folded state of a ledger at an instant, changing nothing: the pulse inside its
 * commit, and a verifier on the state before a wake.decided, at that event's own `at`. */
SOV_MUST_USE bool sov_wake_decide(const struct sov_ledger *ledger, const struct sov_policy *policy,
                                  const struct sov_signal *signal, int64_t at_ms,
                                  struct sov_arena *arena, struct sov_wake *wake_out,
                                  struct sov_error *err);
/* Is it due at this instant? */
SOV_MUST_USE bool sov_wake_due(const struct sov_ledger *ledger, const struct sov_policy *policy,
                               const struct sov_signal *signal, int64_t at_ms,
                               struct sov_arena *arena, bool *due_out, struct sov_error *err);
/* Numbers of all due signals, oldest first, at most `most`. */
SOV_MUST_USE bool sov_wake_due_list(const struct sov_ledger *ledger,
                                    const struct sov_policy *policy, int64_t at_ms, size_t most,
                                    struct sov_arena *arena, const int64_t **signals_out,
                                    size_t *count_out, struct sov_error *err);

/* One signal of a pass: decided, or left due by a fault. */
struct sov_pulsed {
    int64_t signal;
    bool faulted;
    struct sov_error fault;            /* of a faulted one; nothing of it was appended */
    struct sov_wake wake;              /* else */
    int64_t seq;                       /* of wake.decided; 0 of a dry pass */
    const struct sov_appended *events; /* of its commit, ascending */
    size_t event_count;
};
struct sov_pulseds {
    const struct sov_pulsed *at;
    size_t count;
};
struct sov_pulse_options {
    int64_t signal; /* this one only, if it is due: no_such_id; 0: all due ones */
    int64_t limit;  /* decides at most so many; 0: the policy's. Those that fault do not count */
    bool dry;       /* decide, append nothing */
};
/* A pass, as host: each due signal in a commit of its own. A second one over the same log and
 * instant is silent. False only if the pass itself could not go on (head wrong, busy, disk). */
SOV_MUST_USE bool sov_pulse(struct sov_ledger *ledger, const struct sov_pulse_options *options,
                            struct sov_arena *arena, struct sov_pulseds *pulsed_out,
                            struct sov_error *err);
#endif
