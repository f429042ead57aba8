#ifndef SOV_LEDGER_COPY_H
#define SOV_LEDGER_COPY_H
/*
 * A ledger in memory, filled from octets that somebody published: what a clone without the ledger
 * file reads. Owns: putting events, checkpoints and blobs into it. Not here: where the octets come
 * from (projections/clone.c), whether they are true (verify/).
 *
 * The guards of a ledger's file ask a writer; here nothing was decided, so resource and fence stand
 * beside no event. The folded state is whatever could be folded.
 */
#include "base/note.h"
#include "base/seams.h"

struct sov_ledger;

/* An empty one, to be closed like any other. */
SOV_MUST_USE bool sov_copy_begin(const struct sov_seams *seams, const char *keys,
                                 struct sov_ledger **ledger_out, struct sov_error *err);
/* The next event, kept as it is. What cannot be decoded or folded is kept too: `flaw_out` says why
 * (its exit is not SOV_OK then). Fails event_invalid for octets that no event can have, and for a
 * first event that founds no ledger. */
SOV_MUST_USE bool sov_copy_event(struct sov_ledger *copy, struct sov_bytes octets,
                                 struct sov_error *flaw_out, struct sov_error *err);
/* Whose signature was verified; sizes ascend. */
SOV_MUST_USE bool sov_copy_checkpoint(struct sov_ledger *copy,
                                      const struct sov_checkpoint *checkpoint,
                                      const struct sov_signature *signature, struct sov_error *err);
/* A public one, whose digest was compared; each once. */
SOV_MUST_USE bool sov_copy_blob(struct sov_ledger *copy, const struct sov_hash *digest,
                                struct sov_bytes content, struct sov_error *err);
/* No more comes: from here on it is read. */
SOV_MUST_USE bool sov_copy_end(struct sov_ledger *copy, struct sov_error *err);
/* The newest checkpoint is of the last event, its root that of the events: head_mismatch (6). */
SOV_MUST_USE bool sov_copy_is_whole(struct sov_ledger *copy, struct sov_error *err);
bool sov_ledger_is_copy(const struct sov_ledger *ledger);
#endif
