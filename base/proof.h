#ifndef SOV_BASE_PROOF_H
#define SOV_BASE_PROOF_H
/*
 * A proof about a log as a file that stands alone (base/merkle.h has the arithmetic).
 * Of inclusion, C2SP tlog-proof:          Of consistency, the same shape with both checkpoints:
 *   c2sp.org/tlog-proof@v1                  sov.consistency-proof@v1
 *   extra BASE64                            extra BASE64
 *   index N                                 BASE64 of a hash, each
 *   BASE64 of a hash, from the leaf up
 *                                           the older checkpoint, a signed note
 *   the checkpoint, a signed note
 *                                           the newer one
 * Owns: writing and the strict reading of that text. Not here: whether it holds, what `extra` is.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/merkle.h"

enum { SOV_PROOF_EXTRA_MAX = 135000, SOV_PROOF_SIZE_MAX = 200000 };

enum sov_proof_kind { SOV_PROOF_INCLUSION, SOV_PROOF_CONSISTENCY };
struct sov_tree_proof {
    enum sov_proof_kind kind;
    struct sov_bytes extra;    /* .data NULL: there is none */
    uint64_t index;            /* of inclusion: from 0 */
    struct sov_bytes old_note; /* of consistency */
    struct sov_bytes note;     /* neither is parsed here */
    struct sov_hash hashes[SOV_PROOF_HASHES];
    size_t count;
};
void sov_proof_write(const struct sov_tree_proof *proof, struct sov_buf *out);
/* Slices are borrowed from the text or in the arena. Fails proof_invalid (6). */
SOV_MUST_USE bool sov_proof_read(struct sov_bytes text, struct sov_arena *arena,
                                 struct sov_tree_proof *proof_out, struct sov_error *err);
#endif
