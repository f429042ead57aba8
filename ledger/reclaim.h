#ifndef SOV_LEDGER_RECLAIM_H
#define SOV_LEDGER_RECLAIM_H
/*
 * Workspaces of runs that have ended, as the log has them (providers.md 6.4).
 * Owns: the events workspace.archived, .reclaimed, .flagged and what state_run keeps of them. Not
 * here: the folders themselves, and whether one may go (providers/).
 */
#include "ledger/blob.h"
#include "ledger/claim.h"
#include "ledger/commit.h"
#include "ledger/receipt.h"

/* A run that has ended, whose policy is `archive` or `remove` and whose folder is not reclaimed. */
struct sov_reclaim {
    int64_t assignment, fence;
    bool removes; /* `remove`, else `archive` */
    bool stale;   /* a result came under its fence when that was dead */
    bool archived;
    const char *flagged; /* why it was left, the last time; NULL: never */
    uint64_t device, inode;
    int64_t ended_ms;   /* `at` of what ended its claim */
    struct sov_who who; /* of the claim's newest sign of life */
    struct sov_receipt receipt;
};
struct sov_reclaims {
    const struct sov_reclaim *at;
    size_t count;
};
/* By fence; at most `most`. Runs without a folder are left out. */
SOV_MUST_USE bool sov_reclaim_list(const struct sov_ledger *ledger, int64_t most,
                                   struct sov_arena *arena, struct sov_reclaims *reclaims_out,
                                   struct sov_error *err);

/* ---- by a pass; wrong_state if the folder is reclaimed already ---- */
/* The archive becomes a confidential blob. */
SOV_MUST_USE bool sov_reclaim_archive(struct sov_commit *commit, const struct sov_reclaim *reclaim,
                                      struct sov_bytes archive, struct sov_done *done_out,
                                      struct sov_error *err);
SOV_MUST_USE bool sov_reclaim_finish(struct sov_commit *commit, const struct sov_reclaim *reclaim,
                                     struct sov_done *done_out, struct sov_error *err);
/* A noop if that is what it is flagged with now. */
SOV_MUST_USE bool sov_reclaim_flag(struct sov_commit *commit, const struct sov_reclaim *reclaim,
                                   const char *why, struct sov_done *done_out,
                                   struct sov_error *err);
#endif
