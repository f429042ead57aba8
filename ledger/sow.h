#ifndef SOV_LEDGER_SOW_H
#define SOV_LEDGER_SOW_H
/*
 * Statements of work: one bounded unit toward an outcome (model.md 3).
 * Owns: state_sow and every sow.* event. Not here: who does it (assignment.h).
 */
#include "base/crypto.h"
#include "ledger/commit.h"
#include "policy/policy.h"

struct sov_sow {
    int64_t n, outcome, term;
    const char *title, *scope, *role, *done_when;
    const char *effect; /* kind; NULL: none */
    bool effect_required;
    const char *const *deliverables, *const *non_goals;
    size_t deliverable_count, non_goal_count;
    const char *origin;    /* "manual" or "pulse" */
    int64_t origin_seq;    /* of the wake decision; 0: manual */
    const char *author;    /* actor of sow.created: "host" for the pulse */
    const char *on_behalf; /* the planner a pulse acted for; NULL: none */
    enum sov_sow_state state;
    int64_t rounds;         /* assignments so far */
    int64_t assignment;     /* the newest one; 0: none */
    int64_t receipt;        /* newest one it was submitted, blocked or failed with; 0: none */
    int64_t successor;      /* of a SUPERSEDED one */
    const char *inspection; /* of the newest retry: canonical object; NULL: none */
    int64_t seq;            /* of sow.created */
};
struct sov_sows {
    const struct sov_sow *at;
    size_t count;
};
SOV_MUST_USE bool sov_sow_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                               struct sov_sow *sow_out, bool *found_out, struct sov_error *err);
/* The same, no_such_id (3) if there is none. */
SOV_MUST_USE bool sov_sow_get(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                              struct sov_sow *sow_out, struct sov_error *err);
/* By number. outcome 0: of all outcomes; term 0: of all terms. */
SOV_MUST_USE bool sov_sow_list(const struct sov_ledger *ledger, int64_t outcome, int64_t term,
                               struct sov_arena *arena, struct sov_sows *sows_out,
                               struct sov_error *err);
/* Live ones of an outcome, whatever the term. */
SOV_MUST_USE bool sov_sow_count_live(const struct sov_ledger *ledger, int64_t outcome,
                                     int64_t *count_out, struct sov_error *err);

/* ---- operations ---- */
struct sov_sow_request {
    int64_t outcome; /* of a new one */
    const char *title, *scope, *role, *done_when;
    const char *effect; /* NULL: none */
    bool effect_required;
    const char *const *deliverables, *const *non_goals;
    size_t deliverable_count, non_goal_count;
    const char *reason; /* of a revision */
};
SOV_MUST_USE bool sov_sow_create(struct sov_commit *commit, const struct sov_sow_request *request,
                                 struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_sow_revise(struct sov_commit *commit, int64_t n,
                                 const struct sov_sow_request *request, struct sov_done *done_out,
                                 struct sov_error *err);
SOV_MUST_USE bool sov_sow_ready(struct sov_commit *commit, int64_t n, struct sov_done *done_out,
                                struct sov_error *err);
struct sov_inspection {
    const char *found; /* happened, did_not_happen, irrelevant */
    const char *text;
};
/* inspection NULL: none. */
SOV_MUST_USE bool sov_sow_retry(struct sov_commit *commit, int64_t n, const char *reason,
                                const struct sov_inspection *inspection, struct sov_done *done_out,
                                struct sov_error *err);
SOV_MUST_USE bool sov_sow_withdraw(struct sov_commit *commit, int64_t n, const char *reason,
                                   struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_sow_supersede(struct sov_commit *commit, int64_t n, int64_t successor,
                                    const char *reason, struct sov_done *done_out,
                                    struct sov_error *err);

/* rounds_exhausted: an assignment more than policy allows. */
SOV_MUST_USE bool sov_sow_rounds_left(struct sov_commit *commit, const struct sov_sow *sow,
                                      struct sov_error *err);

/* ---- consequences, by host behind a lead of this commit; each asks its arrow (wrong_state) ----
 */
/* Behind wake.decided, in that order; `wake` is its seq. Own preconditions of sov_sow_create hold
 * here too. */
SOV_MUST_USE bool sov_sow_follow_created(struct sov_commit *commit,
                                         const struct sov_sow_request *request, int64_t wake,
                                         const char *on_behalf, int64_t *n_out,
                                         struct sov_error *err);
SOV_MUST_USE bool sov_sow_follow_readied(struct sov_commit *commit, int64_t n,
                                         struct sov_error *err);
/* Behind assignment.created (`cause`: its seq) or wake.decided. */
SOV_MUST_USE bool sov_sow_follow_assigned(struct sov_commit *commit, int64_t n, int64_t assignment,
                                          int64_t round, int64_t cause, struct sov_error *err);
/* Behind claim.acquired. */
SOV_MUST_USE bool sov_sow_follow_started(struct sov_commit *commit, int64_t n, int64_t assignment,
                                         int64_t attempt, struct sov_error *err);
/* Behind run.finished, under the fence. `cause`: seq of the receipt. */
SOV_MUST_USE bool sov_sow_follow_submitted(struct sov_commit *commit, int64_t n, int64_t assignment,
                                           int64_t receipt, int64_t fence, int64_t cause,
                                           struct sov_error *err);
SOV_MUST_USE bool sov_sow_follow_blocked(struct sov_commit *commit, int64_t n, int64_t assignment,
                                         int64_t receipt, int64_t fence, int64_t cause,
                                         struct sov_error *err);
/* Behind run.finished (fence), claim.expired (fence 0) or a review that rejects (fence 0). Numbers
 * of 0 are left out. `why` is a short word: a receipt's category, "rejected". */
struct sov_sow_failure {
    int64_t assignment, receipt, review, fence, cause;
    const char *why;
};
SOV_MUST_USE bool sov_sow_follow_failed(struct sov_commit *commit, int64_t n,
                                        const struct sov_sow_failure *failure,
                                        struct sov_error *err);
/* To READY (behind assignment.cancelled) or ASSIGNED (behind claim.released, claim.expired). */
SOV_MUST_USE bool sov_sow_follow_returned(struct sov_commit *commit, int64_t n, int64_t assignment,
                                          enum sov_sow_state to, const char *why,
                                          struct sov_error *err);
/* Behind verification.recorded. */
SOV_MUST_USE bool sov_sow_follow_reverified(struct sov_commit *commit, int64_t n,
                                            int64_t verification, struct sov_error *err);
/* Behind review.decided; numbers of the reviews that decided it, ascending. */
SOV_MUST_USE bool sov_sow_follow_accepted(struct sov_commit *commit, int64_t n,
                                          const int64_t *reviews, size_t count,
                                          struct sov_error *err);
SOV_MUST_USE bool sov_sow_follow_changes_requested(struct sov_commit *commit, int64_t n,
                                                   const int64_t *reviews, size_t count,
                                                   struct sov_error *err);
#endif
