#ifndef SOV_LEDGER_READS_H
#define SOV_LEDGER_READS_H
/*
 * The streams that a judgement reads, with their versions at its basis (model.md 4): a verifier
 * rebuilds the list from the log, and what has moved since the basis is named.
 */
#include "base/arena.h"
#include "base/crypto.h"
#include "ledger/commit.h"

struct sov_read {
    const char *stream; /* "sow/SOW-7" */
    int64_t sv, seq;    /* of its newest event */
};
struct sov_reads {
    const struct sov_read *at; /* by stream, in byte order, each once */
    size_t count;
    struct sov_hash digest; /* SHA-256 over sov.reads.v1, line feed, [[stream,sv],...] */
};
/* Everything that a judgement on this outcome's present term looks at: the outcome, SOWs of the
 * term, their assignments, receipts, effects, verifications and reviews, the rulings on any of
 * these, accounts and subjects that its checks name, the policy, and the actors of the four sets
 * with `actor` (NULL: nobody), whom they represent, and all keys of theirs. no_such_id. */
SOV_MUST_USE bool sov_reads_of(const struct sov_ledger *ledger, int64_t outcome, const char *actor,
                               struct sov_arena *arena, struct sov_reads *reads_out,
                               struct sov_error *err);
#endif
