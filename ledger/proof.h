#ifndef SOV_LEDGER_PROOF_H
#define SOV_LEDGER_PROOF_H
/*
 * Proofs made of the log: that an event stands in it, that an older log is a prefix of it.
 * The extra data of each is in the form of the published log: the octets of event 1, whose SHA-256
 * is the ledger id and which names the root key, a line feed, and for an event that is not event 1
 * its own octets and a line feed. Not here: judging one (verify/).
 */
#include "base/proof.h"
#include "ledger/event.h"

struct sov_ledger;
struct sov_identity;
/* Event `seq` under the newest checkpoint: no_such_id (3). Slices are in the arena. Nothing that
 * does not hold is given out: head_mismatch, bad_signature (6). */
SOV_MUST_USE bool sov_prove_event(const struct sov_ledger *ledger, int64_t seq,
                                  struct sov_arena *arena, struct sov_tree_proof *proof_out,
                                  struct sov_error *err);
/* The checkpoint of size `from` is a prefix of that of size `to`, from <= to: no_such_id (3) if no
 * checkpoint has exactly that size. */
SOV_MUST_USE bool sov_prove_between(const struct sov_ledger *ledger, int64_t from, int64_t to,
                                    struct sov_arena *arena, struct sov_tree_proof *proof_out,
                                    struct sov_error *err);
/* Id, name, origin and root key of the ledger that these octets found: event_invalid (6). */
SOV_MUST_USE bool sov_identity_read(struct sov_bytes octets, struct sov_arena *arena,
                                    struct sov_identity *identity_out, struct sov_error *err);
#endif
