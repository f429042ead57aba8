#ifndef SOV_LEDGER_SUPERVISE_H
#define SOV_LEDGER_SUPERVISE_H
/*
 * The ledger's part of a supervise pass (model.md 7): whatever the log itself shows to be over is
 * ended, kind by kind (care.h), each act in its own commit. It creates no work, no signal, no
 * success. Not here: interrupted publications, left-over files, workspaces (cli adds them).
 */
#include "base/arena.h"
#include "ledger/claim.h"
#include "ledger/commit.h"

struct sov_supervise_act {
    const char *act;   /* the type of its lead event: "claim.expired" */
    const char *id;    /* of what it was done to: "ASG-12" */
    const char *state; /* the word of its state now */
    /* of a claim, as it was judged; elsewhere as far as it applies, else 0 and NULL */
    struct sov_stream what;
    int64_t fence;
    const char *holder;
    int64_t since_ms;
    const char *ground;                /* a word of claim.expired; "anomalous" of a doubt, too */
    int64_t receipt;                   /* of a lost run */
    int64_t seq;                       /* of the lead event; 0: would */
    const struct sov_appended *newest; /* events of its commit, newest first; NULL for would */
};
struct sov_supervise_fault {
    const char *id;
    int64_t fence;
    struct sov_error error;
};
struct sov_supervised {
    const struct sov_supervise_act *acts;
    size_t act_count;
    const struct sov_supervise_fault *faults; /* the rest went on */
    size_t fault_count;
    int64_t waiting; /* due ones beyond the limit */
};
/* Whether a process that a claim names is there no more, or its number is another's now; called
 * only for one of this machine and boot. NULL: nobody looks. */
struct sov_presence {
    void *self;
    bool (*is_gone)(void *self, int64_t pid, int64_t start);
};
struct sov_supervise_options {
    int64_t limit; /* 0: policy's supervise_acts */
    bool dry;
    int64_t pid, start; /* of this process */
    struct sov_presence presence;
};
/* One bounded pass. A second one over the same log and clocks appends nothing. False only if
 * nothing could be judged. */
SOV_MUST_USE bool sov_supervise(struct sov_ledger *ledger,
                                const struct sov_supervise_options *options,
                                struct sov_arena *arena, struct sov_supervised *supervised_out,
                                struct sov_error *err);
#endif
