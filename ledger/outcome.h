#ifndef SOV_LEDGER_OUTCOME_H
#define SOV_LEDGER_OUTCOME_H
/*
 * Outcomes: desired, checkable, standing conditions of the world, and their terms (model.md 3).
 * Owns: state_outcome and every outcome.* event. Not here: running the checks (verify/), the gates
 * of acceptance (policy/gates.h).
 */
#include "ledger/check.h"
#include "ledger/commit.h"
#include "policy/policy.h"

struct sov_outcome {
    int64_t n;
    const char *title, *desired_state, *owner;
    const char *subject;     /* NULL: none */
    struct sov_bytes checks; /* canonical list, for sov_checks_read */
    struct sov_hash definition_digest;
    enum sov_outcome_state state;
    enum sov_outcome_state blocked_from; /* of a BLOCKED one; else NONE */
    int64_t term, term_seq;              /* 0 before activation; seq of the event that began it */
    int64_t acceptance, successor;       /* numbers; 0: none */
    int64_t seq;                         /* of outcome.defined */
};
struct sov_outcomes {
    const struct sov_outcome *at;
    size_t count;
};
/* In the arena; *found_out false if there is none. */
SOV_MUST_USE bool sov_outcome_find(const struct sov_ledger *ledger, int64_t n,
                                   struct sov_arena *arena, struct sov_outcome *outcome_out,
                                   bool *found_out, struct sov_error *err);
/* The same, no_such_id (3) if there is none. */
SOV_MUST_USE bool sov_outcome_get(const struct sov_ledger *ledger, int64_t n,
                                  struct sov_arena *arena, struct sov_outcome *outcome_out,
                                  struct sov_error *err);
/* All, by number. */
SOV_MUST_USE bool sov_outcome_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                                   struct sov_outcomes *outcomes_out, struct sov_error *err);
/* Those about a subject (its text, or the id of the one itself) that are neither FAILED nor
 * CANCELLED, by number. */
SOV_MUST_USE bool sov_outcome_about(const struct sov_ledger *ledger, const char *subject,
                                    struct sov_arena *arena, struct sov_outcomes *outcomes_out,
                                    struct sov_error *err);
/* outcome_not_open, unless ACTIVE or VERIFYING. */
SOV_MUST_USE bool sov_outcome_open(const struct sov_outcome *outcome, struct sov_error *err);

/* ---- operations ---- */
struct sov_outcome_request {
    const char *title, *desired_state;
    const char *subject;     /* NULL: none */
    const char *owner;       /* an actor; NULL: who defines, and later who it was */
    struct sov_bytes checks; /* canonical list */
    const char *reason;      /* of a revision */
};
SOV_MUST_USE bool sov_outcome_define(struct sov_commit *commit,
                                     const struct sov_outcome_request *request,
                                     struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_outcome_revise(struct sov_commit *commit, int64_t n,
                                     const struct sov_outcome_request *request,
                                     struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_outcome_activate(struct sov_commit *commit, int64_t n,
                                       struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_outcome_block(struct sov_commit *commit, int64_t n, const char *reason,
                                    struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_outcome_unblock(struct sov_commit *commit, int64_t n, const char *reason,
                                      struct sov_done *done_out, struct sov_error *err);
/* From VIOLATED with `steer`; from ACCEPTED with `close` and the newest unrevoked ruling with
 * effect reopen on it, else ruling_missing. */
SOV_MUST_USE bool sov_outcome_reopen(struct sov_commit *commit, int64_t n, const char *reason,
                                     struct sov_done *done_out, struct sov_error *err);
/* successor 0: none. With the closing cascade. */
SOV_MUST_USE bool sov_outcome_fail(struct sov_commit *commit, int64_t n, const char *reason,
                                   int64_t successor, struct sov_done *done_out,
                                   struct sov_error *err);
SOV_MUST_USE bool sov_outcome_cancel(struct sov_commit *commit, int64_t n, const char *reason,
                                     int64_t successor, struct sov_done *done_out,
                                     struct sov_error *err);

/* ---- consequences, by host behind a lead of this commit; each asks its arrow (wrong_state) ----
 */
/* Behind wake.decided, when the rule says reopen. */
SOV_MUST_USE bool sov_outcome_follow_reopened(struct sov_commit *commit, int64_t n,
                                              const char *reason, struct sov_error *err);
/* Only if it is VERIFYING, else nothing: behind a new or retried SOW, a new assignment, a
 * verification that failed, a wake decision. `why` is a short word: "sow.created". */
SOV_MUST_USE bool sov_outcome_follow_resumed(struct sov_commit *commit, int64_t n, const char *why,
                                             struct sov_error *err);
/* Behind verification.recorded. `verification` is its number. */
SOV_MUST_USE bool sov_outcome_follow_verifying(struct sov_commit *commit, int64_t n,
                                               int64_t verification, struct sov_error *err);
SOV_MUST_USE bool sov_outcome_follow_violated(struct sov_commit *commit, int64_t n,
                                              int64_t verification, const char *const *failing,
                                              size_t failing_count, struct sov_error *err);
/* Behind acceptance.signed. */
SOV_MUST_USE bool sov_outcome_follow_accepted(struct sov_commit *commit, int64_t n,
                                              int64_t acceptance,
                                              const struct sov_hash *case_digest,
                                              struct sov_error *err);
#endif
