#ifndef SOV_LEDGER_COMMIT_H
#define SOV_LEDGER_COMMIT_H
/*
 * The commit scope: one decision, or a batch of them, is one BEGIN IMMEDIATE with one checkpoint.
 *   begin  lock, transaction, schema fingerprint, head against the newest signed checkpoint
 *   ...    governed operations, each appending its events
 *   finish extends the tree, signs, COMMITs; only then is anything acknowledged
 *   end    (scope cleanup) rolls back what was not finished
 * An operation that fails leaves the scope good for nothing but end: nothing of it is kept.
 */
#include "base/arena.h"
#include "base/db.h"
#include "base/file.h"
#include "base/merkle.h"
#include "base/seams.h"
#include "ledger/event.h"

struct sov_ledger;
struct sov_policy;

/* Who asks, and what must still hold. Borrowed until the scope ends. */
struct sov_act {
    const char *actor;      /* id; NULL: a pass, which acts as host */
    const char *key;        /* idempotency key; NULL: none */
    int64_t expect_seq;     /* head before the commit; -1: not asked */
    int64_t expect_version; /* sv of the entity acted on; -1: not asked */
    bool dry;               /* decide everything, append nothing */
};

/* What an operation did. */
enum sov_effect_word { SOV_CREATED, SOV_NOOP, SOV_WOULD };
struct sov_done {
    char id[SOV_NAME_MAX + 1]; /* "SOW-7": the entity of the lead event */
    int64_t seq;               /* of the lead event; of the earlier one for a noop; 0 for would */
    enum sov_effect_word effect;
};

/* An event of this commit, for those who print it. */
struct sov_appended {
    int64_t seq;
    enum sov_event_type type;
    const char *id; /* of its stream; in the commit's arena */
    const struct sov_appended *before;
};

struct sov_commit {
    struct sov_ledger *ledger;
    struct sov_act act;
    struct sov_lock lock;
    struct sov_txn txn;
    struct sov_arena arena; /* the decision's memory, until end */
    struct sov_now now;     /* read once, at begin */
    struct sov_instant at;  /* now, never before the newest event */
    struct sov_range range;
    struct sov_buf octets, payload;
    int64_t head;                      /* seq before the commit */
    int64_t seq;                       /* newest of the commit, head if none */
    int64_t behind_ms;                 /* how far the clock is behind the head */
    int64_t lead;                      /* seq of the operation's lead event */
    enum sov_event_type lead_type;     /* of it: what the registry lets stand behind */
    const struct sov_policy *policy;   /* in force; ledger/policy.c */
    const struct sov_appended *newest; /* events of this commit, newest first */
    int64_t next[SOV_STREAM_COUNT];    /* number of the next entity of a kind; 0: not asked yet */
    const void *valid;                 /* payload that C1 found well-formed */
    const char *asker, *asker_role;    /* actor that C3 found active, until the roster changes */
    bool open, touched;
};

SOV_MUST_USE bool sov_commit_begin(struct sov_commit *commit, struct sov_ledger *ledger,
                                   const struct sov_act *act, struct sov_error *err);
/* *seq_out: the new head. Without an event in it, and for a dry act, everything is rolled back. */
SOV_MUST_USE bool sov_commit_finish(struct sov_commit *commit, int64_t *seq_out,
                                    struct sov_error *err);
void sov_commit_end(struct sov_commit *commit);
/* The events of the scope so far, ascending, copied into the arena; `before` is NULL in them. */
const struct sov_appended *sov_commit_events(const struct sov_commit *commit,
                                             struct sov_arena *arena, size_t *count_out);
#endif
