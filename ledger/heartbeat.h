#ifndef SOV_LEDGER_HEARTBEAT_H
#define SOV_LEDGER_HEARTBEAT_H
/*
 * Heartbeats: a recorder reached the ledger then, and no more (model.md 10).
 * Owns: state_heartbeat, heartbeat.recorded. Not here: the verdict, which is computed when asked
 * (sov_policy_heartbeat) and never stored.
 */
#include "ledger/claim.h"
#include "ledger/commit.h"

struct sov_heartbeat {
    const char *source;
    int64_t seq, at_ms; /* of the newest beat */
    const char *actor, *machine;
    const char *note; /* NULL: none */
};
struct sov_heartbeats {
    const struct sov_heartbeat *at;
    size_t count;
};
/* The newest beat of a source, in the arena; *found_out false if it has none. */
SOV_MUST_USE bool sov_heartbeat_find(const struct sov_ledger *ledger, const char *source,
                                     struct sov_arena *arena, struct sov_heartbeat *beat_out,
                                     bool *found_out, struct sov_error *err);
/* The newest of each source, by source. */
SOV_MUST_USE bool sov_heartbeat_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                                     struct sov_heartbeats *beats_out, struct sov_error *err);

/* ---- operations ---- */
/* note NULL: none. A noop within the policy's minimum interval of the newest beat. */
SOV_MUST_USE bool sov_heartbeat_record(struct sov_commit *commit, const char *source,
                                       const char *note, const struct sov_who *who,
                                       struct sov_done *done_out, struct sov_error *err);
#endif
