#ifndef SOV_LEDGER_ASSIGNMENT_FOLD_H
#define SOV_LEDGER_ASSIGNMENT_FOLD_H
/*
 * What the folds of an assignment's stream share: assignment.*, claim.*, run.* stand in it, and
 * each may read what the others made of it. Private to ledger/.
 */
#include "ledger/claim_kind.h"
#include "policy/policy.h"

/* The rows of the event's own stream. */
struct sov_assignment_row {
    enum sov_assignment_state state; /* NONE: no assignment yet */
    const char *actor;
    int64_t attempts, fence; /* fence 0: no live claim */
    struct sov_claim_row claim;
};
SOV_MUST_USE bool sov_assignment_row(struct sov_fold *fold, const struct sov_event *event,
                                     struct sov_assignment_row *row_out, struct sov_error *err);
/* The arrow of this event from here; the fold fails where there is none. */
SOV_MUST_USE bool sov_assignment_step(const struct sov_event *event,
                                      const struct sov_assignment_row *row,
                                      enum sov_assignment_by by, enum sov_assignment_state to,
                                      struct sov_error *err);
SOV_MUST_USE bool sov_assignment_state_set(struct sov_fold *fold, const struct sov_event *event,
                                           enum sov_assignment_state to, struct sov_error *err);
/* The event's claim is live no more. */
SOV_MUST_USE bool sov_assignment_free(struct sov_fold *fold, const struct sov_event *event,
                                      struct sov_error *err);
#endif
