#ifndef SOV_LEDGER_SUPERVISE_H
#define SOV_LEDGER_SUPERVISE_H
/*
 * The ledger's part of a supervise pass: overdue claims are ended, by fence, each in its own
 * commit (model.md 7). It creates no work, no signal, no success. Not here: interrupted
 * publications, left-over files (cli adds them).
 */
#include "base/arena.h"
#include "ledger/claim.h"
#include "ledger/commit.h"

struct sov_supervise_act {
    struct sov_claim claim;            /* as it was judged */
    const char *ground;                /* boot_clock, other_boot, wall_clock */
    int64_t receipt;                   /* of the lost run; 0: none had started */
    int64_t seq;                       /* of claim.expired; 0: would */
    const struct sov_appended *newest; /* events of its commit, newest first; NULL for would */
};
struct sov_supervise_fault {
    int64_t assignment, fence;
    struct sov_error error;
};
struct sov_supervised {
    const struct sov_supervise_act *acts;
    size_t act_count;
    const struct sov_supervise_fault *faults; /* the rest went on */
    size_t fault_count;
    int64_t waiting; /* overdue ones beyond the limit */
};
/* One bounded pass; limit 0: policy's supervise_acts. `pid` and `start` name this process. A second
 * pass over the same log and clocks appends nothing. False only if nothing could be judged. */
SOV_MUST_USE bool sov_supervise(struct sov_ledger *ledger, int64_t limit, bool dry, int64_t pid,
                                int64_t start, struct sov_arena *arena,
                                struct sov_supervised *supervised_out, struct sov_error *err);
#endif
