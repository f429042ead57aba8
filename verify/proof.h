#ifndef SOV_VERIFY_PROOF_H
#define SOV_VERIFY_PROOF_H
/*
 * Judges a proof that came as a file, without any ledger: the ledger id fixes event 1, event 1 the
 * root key and the origin, the key the checkpoint, the checkpoint the root, the root the event.
 */
#include "ledger/ledger.h"
#include "verify/findings.h"

struct sov_proof_options {
    const struct sov_hash *ledger_id; /* it must be of this ledger; NULL: not asked */
    const char *pins;                 /* folder of pins; NULL: none is looked at */
    bool no_anchor;                   /* UNANCHORED alone is success */
};
/* What the proof shows, if the report has no finding that gives 6. */
struct sov_proven {
    enum sov_proof_kind kind;
    struct sov_event event; /* of inclusion; its octets are the caller's or in the arena */
    int64_t size, old_size; /* the last of consistency */
    struct sov_hash root, old_root;
};
/* Findings are the report's; whoever asks for nothing but the exit reads report_out->exit. */
void sov_proof_judge(struct sov_bytes file, const struct sov_proof_options *options,
                     struct sov_arena *arena, struct sov_report *report_out,
                     struct sov_proven *proven_out);
#endif
