#ifndef SOV_LEDGER_DOSSIER_H
#define SOV_LEDGER_DOSSIER_H
/*
 * What an acceptance stands on: the events that its signers' judgement read, and what led to them.
 * Owns: which events these are. Not here: proofs of them (proof.h), files (cli/).
 */
#include "ledger/acceptance.h"
#include "ledger/outcome.h"
#include "ledger/receipt.h"

enum { SOV_DOSSIER_MAX = 4096 }; /* events: more is a log, not a case */

struct sov_dossier {
    struct sov_outcome outcome; /* as it is now */
    int64_t term;
    const struct sov_acceptance *signatures; /* of one case, by number: the last is the one asked */
    size_t signature_count;
    int64_t accepted_seq; /* of outcome.accepted behind it; 0: it was not complete with these */
    const int64_t *seqs;  /* ascending, event 1 among them */
    size_t count;
    const struct sov_receipt *receipts; /* those that were read, by number */
    size_t receipt_count;
};
/* The streams of the judgement are read again from the log at its basis: head_mismatch (6) if they
 * are not what the acceptance names. Of an account the newest posting stands for all before it.
 * too_large (2). no_such_id (3). */
SOV_MUST_USE bool sov_dossier_of(const struct sov_ledger *ledger, int64_t acceptance,
                                 struct sov_arena *arena, struct sov_dossier *dossier_out,
                                 struct sov_error *err);
#endif
