#ifndef SOV_LEDGER_JUDGED_H
#define SOV_LEDGER_JUDGED_H
/*
 * What verification, review and acceptance ask alike: the current execution of a SOW, the evidence
 * of a batch, holds and waivers, what has moved. Private to ledger/.
 */
#include "ledger/assignment.h"
#include "ledger/outcome.h"
#include "ledger/reads.h"
#include "ledger/sow.h"
#include "ledger/verification.h"
#include "policy/policy.h"

enum { SOV_JUDGED_ID_SIZE = 40 };
/* "SOW-7" into the caller's room, which is returned. */
const char *sov_judged_id(enum sov_stream_kind kind, int64_t n, char id_out[SOV_JUDGED_ID_SIZE]);
const char *sov_judged_name(enum sov_stream_kind kind, int64_t n, struct sov_arena *arena);
/* "key":"SOW-7", or nothing for 0. */
void sov_judged_put(struct sov_writer *w, const char *key, enum sov_stream_kind kind, int64_t n);
/* A digest field of a valid event. */
struct sov_hash sov_judged_hash(const struct sov_event *event, const char *key);
/* The hash of the event at a seq. */
SOV_MUST_USE bool sov_judged_event_hash(const struct sov_ledger *ledger, int64_t seq,
                                        struct sov_arena *arena, struct sov_hash *hash_out,
                                        struct sov_error *err);

/* The current execution of a SOW: its newest COMPLETED assignment. */
SOV_MUST_USE bool sov_judged_execution(const struct sov_ledger *ledger, int64_t sow,
                                       struct sov_arena *arena,
                                       struct sov_assignment *execution_out, bool *found_out,
                                       struct sov_error *err);
/* The evidence that a verification lists, in its order; what is not there is left out. */
SOV_MUST_USE bool sov_judged_evidence(const struct sov_ledger *ledger,
                                      const struct sov_verification *verification,
                                      struct sov_arena *arena, struct sov_evidences *list_out,
                                      struct sov_error *err);
/* A verification with its evidence, judged. */
struct sov_judged {
    bool there, passed; /* passed: it says so, and so does each evidence that it lists */
    bool aggregate_same;
    struct sov_verification verification;
    struct sov_evidences evidence;
};
SOV_MUST_USE bool sov_judged_verification(const struct sov_ledger *ledger,
                                          const struct sov_verification *verification,
                                          struct sov_arena *arena, struct sov_judged *judged_out,
                                          struct sov_error *err);

/* Its evidence is its own, and of exactly the declared checks, in their order. */
bool sov_judged_is_whole(const struct sov_judged *judged, struct sov_bytes checks);

/* Those of these streams that an unrevoked hold lies on, as ids, in the order given. */
SOV_MUST_USE bool sov_judged_holds(const struct sov_ledger *ledger,
                                   const struct sov_stream *streams, size_t count,
                                   struct sov_arena *arena, struct sov_names *holds_out,
                                   struct sov_error *err);
/* The streams of a list whose newest event lies after the basis. */
void sov_judged_moved(const struct sov_reads *reads, int64_t basis, struct sov_arena *arena,
                      struct sov_names *moved_out);
/* How a statement stands that an actor is said to have signed; now, or at an earlier seq. */
struct sov_signed_by;
SOV_MUST_USE bool sov_judged_signature(const struct sov_ledger *ledger, const char *actor,
                                       const char *tag, struct sov_bytes statement,
                                       const struct sov_signed_by *by, int64_t seq,
                                       enum sov_signature_state *state_out, struct sov_error *err);
#endif
