#ifndef SOV_LEDGER_WITNESS_H
#define SOV_LEDGER_WITNESS_H
/*
 * This ledger's host as a witness of other logs (c2sp.org/tlog-witness): a key of its own beside
 * the ledger key, and for each log the newest checkpoint that it cosigned.
 *   <keys>/<ledger id>/witness.key                      the key
 *   <keys>/<ledger id>/witness/<SHA-256 of the origin>  that checkpoint, as the log signed it
 * The folder is made with the key. Without it nothing is signed, and what is in it is never taken
 * back: of one log no two roots of one size, and no size below one that was cosigned.
 * Owns: answering one request. Not here: how a request comes and an answer goes (cli/).
 */
#include "base/arena.h"
#include "base/trust.h"
#include "base/seams.h"

struct sov_ledger;

struct sov_cosign_answer {
    int status;            /* of HTTP: 200 400 403 404 409 422 */
    struct sov_bytes body; /* 200: lines of cosignatures; 409: a size; else why, in words */
    struct sov_checkpoint checkpoint; /* 200 only */
};
/* Makes key and folder where they are not yet; the public half of the one that is there else. */
SOV_MUST_USE bool sov_witness_make(const struct sov_ledger *ledger, const struct sov_random *random,
                                   struct sov_note_key *key_out, bool *made_out,
                                   struct sov_error *err);
/* What a request leads to; `logs` of the policy are those that are witnessed. What is remembered is
 * on the disk before the signature is made. Fails no_key (3), key_exposed (4), witness_state (7:
 * what is remembered is damaged, or its folder gone), busy, io_error: then there is no answer. In
 * the arena. */
SOV_MUST_USE bool sov_witness_answer(const struct sov_ledger *ledger,
                                     const struct sov_trust *policy, struct sov_bytes request,
                                     const struct sov_seams *seams, int64_t wait_ms,
                                     struct sov_arena *arena, struct sov_cosign_answer *answer_out,
                                     struct sov_error *err);
/* What is sent to a witness that cosigned `old` (0: nothing yet) to get `size` cosigned: both have
 * a checkpoint here, else no_such_id (3). */
SOV_MUST_USE bool sov_witness_request(const struct sov_ledger *ledger, int64_t old, int64_t size,
                                      struct sov_arena *arena, struct sov_buf *out,
                                      struct sov_error *err);
#endif
