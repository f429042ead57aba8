#ifndef SOV_LEDGER_ASSIGNMENT_H
#define SOV_LEDGER_ASSIGNMENT_H
/*
 * Assignments: one actor and one workspace bound to a SOW (model.md 3).
 * Owns: state_assignment and the assignment.* events. Not here: the claim on one (claim.h), its
 * runs (run.h), its receipt (receipt.h).
 */
#include "base/crypto.h"
#include "ledger/commit.h"
#include "policy/policy.h"

struct sov_outcome;
struct sov_sow;

struct sov_assignment {
    int64_t n, sow, outcome;
    const char *actor;
    const char *workspace_policy; /* keep, archive, remove, none */
    const char *workspace_id;
    int64_t round;
    struct sov_hash prompt_digest;
    const char *author;    /* actor of assignment.created: "host" for the pulse */
    const char *on_behalf; /* NULL: none */
    enum sov_assignment_state state;
    int64_t attempts; /* claims so far */
    int64_t fence;    /* of the live claim; 0: none */
    int64_t receipt;  /* that ended it; 0: none */
    int64_t seq;      /* of assignment.created */
};
struct sov_assignments {
    const struct sov_assignment *at;
    size_t count;
};
SOV_MUST_USE bool sov_assignment_find(const struct sov_ledger *ledger, int64_t n,
                                      struct sov_arena *arena,
                                      struct sov_assignment *assignment_out, bool *found_out,
                                      struct sov_error *err);
/* The same, no_such_id (3) if there is none. */
SOV_MUST_USE bool sov_assignment_get(const struct sov_ledger *ledger, int64_t n,
                                     struct sov_arena *arena, struct sov_assignment *assignment_out,
                                     struct sov_error *err);
/* By number. sow 0: of all SOWs. */
SOV_MUST_USE bool sov_assignment_list(const struct sov_ledger *ledger, int64_t sow,
                                      struct sov_arena *arena,
                                      struct sov_assignments *assignments_out,
                                      struct sov_error *err);
/* CREATED or RUNNING ones of an actor. */
SOV_MUST_USE bool sov_assignment_count_live(const struct sov_ledger *ledger, const char *actor,
                                            int64_t *count_out, struct sov_error *err);
/* What the worker is asked, as it stood when the assignment was made: SHA-256 over "sov.prompt.v1"
 * LF and canonical {deliverables, desired_state, done_when, effect?, non_goals, outcome, role,
 * scope, sow, subject?, title}. */
struct sov_hash sov_prompt_digest(const struct sov_sow *sow, const struct sov_outcome *outcome);

/* ---- operations ---- */
struct sov_assignment_request {
    int64_t sow;
    const char *actor;
    const char *workspace; /* policy; NULL: archive, or none for a person */
};
SOV_MUST_USE bool sov_assignment_create(struct sov_commit *commit,
                                        const struct sov_assignment_request *request,
                                        struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_assignment_cancel(struct sov_commit *commit, int64_t n, const char *reason,
                                        struct sov_done *done_out, struct sov_error *err);

/* Is this worker the right one: inactive, of another role, without `work`, in another set of the
 * term, without answerable where policy asks? worker_inactive, role_mismatch,
 * worker_not_authorised, self_assign, answerable_missing. The pulse asks it before it fires. */
SOV_MUST_USE bool sov_assignment_worker(struct sov_commit *commit, const char *actor,
                                        const char *role, int64_t outcome, int64_t term,
                                        struct sov_error *err);

/* ---- consequences, by host behind a lead of this commit; each asks its arrow (wrong_state) ----
 */
/* assignment.created, then sow.assigned, behind wake.decided; all preconditions of
 * sov_assignment_create hold here too. The outcome's `outcome.resumed` is the caller's to follow.
 */
SOV_MUST_USE bool sov_assignment_follow_created(struct sov_commit *commit,
                                                const struct sov_assignment_request *request,
                                                const char *on_behalf, int64_t *n_out,
                                                struct sov_error *err);
/* The one terminal write of a run, which ends the claim: COMPLETED, BLOCKED or FAILED. `fence` 0
 * only for FAILED behind claim.expired. `cause`: seq of the receipt. */
SOV_MUST_USE bool sov_assignment_follow_ended(struct sov_commit *commit, int64_t n,
                                              enum sov_assignment_state to, int64_t receipt,
                                              int64_t fence, int64_t cause, struct sov_error *err);
/* If the assignment is CREATED or RUNNING: assignment.cancelled, and claim.released if its claim is
 * live. Behind sow.withdrawn, sow.superseded, outcome.failed, outcome.cancelled. */
SOV_MUST_USE bool sov_assignment_follow_cancelled(struct sov_commit *commit, int64_t n,
                                                  const char *reason, struct sov_error *err);
#endif
