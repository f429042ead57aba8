#ifndef SOV_LEDGER_LOG_H
#define SOV_LEDGER_LOG_H
/*
 * The inside of an append, for the entities of this folder: the checks C1 to C6 that every
 * operation begins with, insertion, re-reading, folding. Private to ledger/.
 */
#include "ledger/commit.h"
#include "ledger/ledger.h"
#include "ledger/versions.h"
#include "policy/policy.h"

/* A signed head and the range it is the root of; size 0: none. */
struct sov_head {
    struct sov_range range;
    struct sov_hash root;
    struct sov_signature signature;
};

struct sov_ledger {
    struct sov_db *db;      /* the file: events, blobs, checkpoints */
    struct sov_db *state;   /* the folded tables: the same, or a memory of an earlier size */
    int64_t size_limit;     /* events above it do not exist for this handle; 0: all */
    struct sov_seams seams;
    struct sov_folder home; /* .sovereign */
    struct sov_arena arena; /* lives as long as the handle */
    const char *keys_path;
    int64_t wait_ms;
    bool writes, tries;     /* tries: every act is dry */
    bool borrowed;          /* db belongs to the handle this one was folded from */
    bool mirror;            /* the home bears the mark of one: nothing is committed (mirror.h) */
    bool copy;              /* db is in memory, filled from a published log (copy.c) */
    struct sov_range copied;
    struct sov_txn txn;     /* of a fold in memory, until it is closed */
    const char *name;
    bool founded;           /* name, public_key, id and origin are known */
    char origin[SOV_KEY_NAME_MAX + 1];
    struct sov_hash id;
    struct sov_public_key public_key;
    struct sov_secret *secret;     /* of the ledger key; loaded by the first append */
    int64_t data_version;          /* at which the fingerprint was compared last; -1: never */
    int64_t committed;             /* the newest seq of a commit of this handle; 0: none */
    int64_t in_doubt;              /* the seq of one that ended in commit_unknown; 0: none */
    struct sov_head head;          /* the newest that was verified or written by this handle */
    int64_t policy_seq;            /* of `policy`; 0: not loaded */
    const struct sov_policy *policy;
    struct sov_arena policy_arena, fold_arena;
    bool sliced;                   /* numbered streams have `versions`, no rows of history */
    struct sov_versions versions;
};

/* An event to append. */
struct sov_addition {
    enum sov_event_type type;
    struct sov_stream stream;
    struct sov_bytes data;  /* canonical; empty: {} */
    const char *actor;      /* NULL: the act's actor for a lead, host for a consequence */
    int64_t cause[8];       /* beyond the lead, which a consequence always cites; 0 ends */
    int64_t fence;          /* 0: none */
};

/*
 * The first half of an operation: C1 payload well-formed (host's own fields may hold placeholders),
 * C2 idempotency key, C3 actor active, C4 authority ("" in the registry: none asked; a pass: none).
 * *again_out: the same request was committed before; *done_out says so and nothing is to be done.
 */
SOV_MUST_USE bool sov_commit_ask(struct sov_commit *commit, enum sov_event_type type,
                                 const struct sov_stream *stream, struct sov_bytes data,
                                 struct sov_done *done_out, bool *again_out,
                                 struct sov_error *err);
/* C1 and C2 alone, for an operation whose gates ask the rest in an order of their own. */
SOV_MUST_USE bool sov_commit_repeats(struct sov_commit *commit, enum sov_event_type type,
                                     const struct sov_stream *stream, struct sov_bytes data,
                                     struct sov_done *done_out, bool *again_out,
                                     struct sov_error *err);
/* C4 alone, for an operation whose authority depends on its arguments. */
SOV_MUST_USE bool sov_commit_authorise(struct sov_commit *commit, enum sov_authority authority,
                                       struct sov_error *err);
/* C6: head and version as expected; `stream` NULL for a new entity. */
SOV_MUST_USE bool sov_commit_expect(struct sov_commit *commit, const struct sov_stream *stream,
                                    struct sov_error *err);
/* The number of the next entity of a kind. */
SOV_MUST_USE bool sov_commit_next(struct sov_commit *commit, enum sov_stream_kind kind,
                                  struct sov_stream *stream_out, struct sov_error *err);
/* Appends the lead event of an operation; from here on consequences cite it. */
SOV_MUST_USE bool sov_commit_lead(struct sov_commit *commit, const struct sov_addition *addition,
                                  struct sov_done *done_out, struct sov_error *err);
/* Appends a consequence, by host unless an actor is named; *seq_out may be NULL. The registry lets
 * it stand behind the lead, or behind another consequence that it cites: else internal_error, for
 * the log would be one that verify calls tampered with. */
SOV_MUST_USE bool sov_commit_follow(struct sov_commit *commit, const struct sov_addition *addition,
                                    int64_t *seq_out, struct sov_error *err);
/* A canonical writer over the commit's payload buffer, emptied; sov_commit_payload ends it and
 * copies the octets into the arena. */
struct sov_writer sov_commit_writer(struct sov_commit *commit);
SOV_MUST_USE bool sov_commit_payload(struct sov_commit *commit, struct sov_bytes *data_out,
                                     struct sov_error *err);
/* A payload of one text, or of nothing (text NULL). */
SOV_MUST_USE bool sov_commit_payload_text(struct sov_commit *commit, const char *key,
                                          const char *text, struct sov_bytes *data_out,
                                          struct sov_error *err);
/* An earlier answer, as a noop. */
void sov_done_noop(const struct sov_stream *stream, int64_t seq, struct sov_done *done_out);

/* One row of the log, under whatever the guards ask; read back, and compared. */
SOV_MUST_USE bool sov_log_insert(struct sov_db *db, const struct sov_event *event,
                                 const struct sov_hash *hash, struct sov_error *err);

/* Newest sv and seq of a stream; both 0 if it has no event. */
SOV_MUST_USE bool sov_stream_newest(struct sov_db *state, const struct sov_stream *stream,
                                    int64_t *sv_out, int64_t *seq_out, struct sov_error *err);
/* The same of any handle, sliced ones too. */
SOV_MUST_USE bool sov_ledger_newest(const struct sov_ledger *ledger,
                                    const struct sov_stream *stream, int64_t *sv_out,
                                    int64_t *seq_out, struct sov_error *err);

/* ---- folding (fold.c) ---- */
/* One event into the state tables: history, idempotency, then its entity's own tables. The entity
 * folds are pure: they read the event and rows of its own stream, nothing else. */
struct sov_fold {
    struct sov_db *db;
    struct sov_arena *arena;       /* rewound after each event */
    struct sov_versions *versions; /* of numbered streams, in place of their history; or NULL */
};
SOV_MUST_USE bool sov_fold_event(struct sov_fold *fold, const struct sov_event *event,
                                 struct sov_error *err);
/* sov_<entity>_fold of each entity file; the registry's column `fold` names it. */
#define FOLD(name)                                                                                 \
    SOV_MUST_USE bool sov_##name##_fold(struct sov_fold *fold, const struct sov_event *event,      \
                                        struct sov_error *err)
FOLD(organization); FOLD(policy); FOLD(key); FOLD(actor); FOLD(provider); FOLD(blob);
FOLD(subject); FOLD(account); FOLD(change); FOLD(signal); FOLD(outcome); FOLD(sow);
FOLD(assignment); FOLD(claim); FOLD(run); FOLD(reclaim);
FOLD(effect); FOLD(receipt); FOLD(verification);
FOLD(evidence); FOLD(review); FOLD(acceptance); FOLD(ruling); FOLD(heartbeat); FOLD(approval);
FOLD(message); FOLD(instance); FOLD(session); FOLD(delivery);
#undef FOLD
/* A fold met a row that its own stream cannot have made: event_invalid (6). */
#define sov_fold_fail(err, event, ...)                                                             \
    (sov_error_set((err), SOV_INTEGRITY, "event_invalid", __VA_ARGS__),                            \
     sov_error_seq((err), (event)->seq), false)
void sov_error_seq(struct sov_error *err, int64_t seq);

/* ---- checkpoints (checkpoint.c) and schema (schema.c) ---- */
SOV_MUST_USE bool sov_head_check(struct sov_ledger *ledger, struct sov_range *range_out,
                                 struct sov_error *err);
SOV_MUST_USE bool sov_checkpoint_append(struct sov_ledger *ledger, const struct sov_range *range,
                                        struct sov_error *err);
/* The compact range under a checkpoint, which is believed: head_mismatch, event_invalid (6) if the
 * events give another root. */
SOV_MUST_USE bool sov_range_of(const struct sov_ledger *ledger,
                               const struct sov_checkpoint *checkpoint,
                               struct sov_range *range_out, struct sov_error *err);
SOV_MUST_USE bool sov_range_write(struct sov_db *db, const struct sov_range *range,
                                  struct sov_error *err); /* rebuild */
SOV_MUST_USE bool sov_schema_check(struct sov_ledger *ledger, struct sov_error *err);
/* Loads id, key, origin from event 1 (state_organization); sets `founded`. */
SOV_MUST_USE bool sov_ledger_identify(struct sov_ledger *ledger, struct sov_error *err);
#endif
