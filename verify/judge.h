#ifndef SOV_VERIFY_JUDGE_H
#define SOV_VERIFY_JUDGE_H
/* What the steps of one verification share. Private to verify/. */
#include "ledger/ledger.h"
#include "projections/projections.h"
#include "verify/findings.h"
#include "verify/verify.h"

/* The live fence of each claimed thing, folded from the claim events alone. */
struct sov_fences {
    uint64_t *resource; /* open addressing; 0: free */
    int64_t *fence;     /* 0: none live */
    size_t room, used;
};
/* Who may do what at the event looked at: roster and policy folded so far, answers remembered. */
enum { SOV_ROSTER_CACHE = 16 };
struct sov_roster {
    struct sov_ledger *memory;
    struct {
        char actor[64];
        bool there, active;
        uint32_t may;
    } cache[SOV_ROSTER_CACHE];
    size_t cached;
    bool has_policy;
};
/* The rows of state_history: as the events give them, summed up along the chain. */
struct sov_rows_sum {
    uint64_t lane[2];
    int64_t rows;
};
struct sov_sums {
    uint8_t key[SOV_KEYED_HASH_KEY];
    struct sov_rows_sum due;
    bool doubt; /* the rows are not what the events say: fold them all and compare */
};
/* The events of the commit looked at: what a consequence may stand behind. */
struct sov_batch {
    int64_t first, last; /* by the checkpoints; last 0: after the newest one */
    struct sov_batched { /* those that could be read, ascending */
        int64_t seq;
        enum sov_event_type type;
    } * kept;
    size_t room, count;
};

/* Postings that an effect or a change says, until they have come. */
enum { SOV_OWED_MAX = 16 };
struct sov_owed {
    int64_t seq;
    char account[SOV_OWED_MAX][256];
    int64_t delta[SOV_OWED_MAX];
    size_t count, at;
};

/* What a vote decided, due at the next event. */
struct sov_due {
    int64_t seq, approval; /* of the vote; seq 0: nothing is due */
    enum sov_event_type type;
};

/* Content that events name and that is not there, until it is known whether a restore lost it. */
struct sov_gone {
    struct {
        int64_t seq;
        struct sov_hash digest;
    } at[SOV_FINDINGS_MAX];
    int64_t count; /* those beyond the room are of no event before the last one in it */
    int64_t beyond, beyond_seq; /* how many, and the seq of the newest */
};
/* The blobs, looked at before the events that name them. */
struct sov_blobs {
    int64_t last; /* n from 1 to here were looked at */
    int64_t *bad; /* n of those that are not what their row says, up to SOV_FINDINGS_MAX */
    size_t bad_count;
    uint8_t *named;        /* a bit for each: an event named it */
    struct sov_gone *gone; /* NULL: nothing is missing yet */
};

/* The restores that the log records, in the order of seq. */
struct sov_restores {
    struct sov_restore_seen {
        int64_t seq, from_size, lost_last; /* 0: nothing was known to be lost */
    } * at;
    size_t count, room;
    size_t pins;           /* found to be of what was lost */
    int64_t regressed_seq; /* of the newest clock.regressed, and the root of what came before it */
    struct sov_hash before_regressed;
};

/* A root of this ledger that somebody outside knows, and what the events give at its size. */
struct sov_known {
    const char *kind, *name; /* "pin", "checkpoint"; for messages */
    int64_t size;
    struct sov_hash root, seen;
    bool reached; /* `seen` is known: the events go so far */
};

/* What the git history of the tree said of this ledger. */
struct sov_history {
    bool asked, whole, bad;   /* bad: one of its roots is not of this log */
    int64_t forked, ahead;    /* roots that are no prefix, and of a larger log */
    const char *why;          /* it is no anchor because */
    int64_t foreign, strange; /* checkpoints of other ledgers; files that are none */
    int64_t count, newest;    /* checkpoints of this ledger */
};

struct sov_judge {
    const struct sov_verify_options *options;
    struct sov_report *report;
    const struct sov_ledger *ledger;
    int64_t head;  /* fixed at the start; later events are not looked at */
    int64_t since; /* events up to here were not read: a pin stands for them (since.c); else 0 */
    int64_t slice; /* numbered entities of a kind that are folded at once */
    struct sov_range range;
    struct sov_fences fences;
    struct sov_roster roster;
    struct sov_batch batch;
    struct sov_sums sums;
    struct sov_blobs blobs;
    struct sov_restores restores;
    struct sov_owed owed;
    struct sov_due due;
    int64_t numbers[SOV_STREAM_COUNT]; /* the newest of each kind */
    struct sov_arena scratch;          /* rewound after each event */
    struct sov_instant at;             /* of the event before */
    int64_t wrong;     /* the newest event that is not the one that was hashed, or was missing */
    int64_t good_size; /* the newest stored checkpoint whose root was found equal */
    bool names_blobs[SOV_EVENT_TYPE_COUNT];
    int64_t regressed_seq, regressed_ms; /* of the newest clock.regressed */
    const struct sov_ledger *before; /* folded so far; the file's tables only where it is partial */
    bool partial;                    /* the state folded along the chain is a part of it only */
    uint32_t key_id;                 /* of the ledger key, as checkpoints name it */
    bool chain_broken;               /* roots after the first difference say nothing more */
    /* Of a published log: there is no ledger file, and of it only what was published is known. */
    bool published;
    struct sov_clone clone;
    int64_t unfolded;         /* the first event that the copy could not fold; 0: none */
    const char *unfolded_why; /* in the arena of the report */
    int64_t blobs_elsewhere;  /* named by events, not published */
    struct sov_known *known;  /* by size */
    size_t known_count, known_next, known_room;
    struct sov_history history;
};

/* chain.c: one pass over the events; folds into `slice` (may be NULL) what belongs to it. */
SOV_MUST_USE bool sov_judge_chain(struct sov_judge *judge, struct sov_ledger *slice,
                                  int64_t slice_last, struct sov_error *err);
/* roster.c */
SOV_MUST_USE bool sov_roster_open(struct sov_judge *judge, struct sov_error *err);
SOV_MUST_USE bool sov_roster_event(struct sov_judge *judge, const struct sov_event *event,
                                   struct sov_error *err);
void sov_roster_close(struct sov_roster *roster);
/* fences.c */
void sov_fences_event(struct sov_judge *judge, const struct sov_event *event);
void sov_fences_release(struct sov_fences *fences);
/* sums.c: the history of streams */
SOV_MUST_USE bool sov_sums_prepare(struct sov_judge *judge, struct sov_error *err);
void sov_sums_event(struct sov_judge *judge, const struct sov_event *event);
/* After the last event, against the stored rows. *largest_out: the largest number of a stream. */
SOV_MUST_USE bool sov_sums_end(struct sov_judge *judge, int64_t *largest_out,
                               struct sov_error *err);
void sov_sums_doubt(struct sov_judge *judge); /* an event was not folded */
/* batch.c: causes and commits */
SOV_MUST_USE bool sov_batch_event(struct sov_judge *judge, const struct sov_event *event,
                                  struct sov_error *err);
void sov_batch_release(struct sov_batch *batch);
/* decisions.c: `before` is the whole state before the event */
SOV_MUST_USE bool sov_judge_decision(struct sov_judge *judge, struct sov_ledger *before,
                                     const struct sov_event *event, struct sov_error *err);
/* For the parts of it. What is wrong with an event that was decided again; always true. */
bool sov_decided_wrong(struct sov_judge *judge, const struct sov_event *event, const char *kind,
                       const char *what);
/* What could not be read is the log's fault and reported, unless it is the machine's: false. */
SOV_MUST_USE bool sov_decided_unread(struct sov_judge *judge, const struct sov_event *event,
                                     struct sov_error *err);
bool sov_decided_digest_is(const struct sov_event *event, const char *key,
                           const struct sov_hash *hash);
/* approvals.c: the same for approvals and the effects that they allowed */
SOV_MUST_USE bool sov_judge_approval(struct sov_judge *judge, struct sov_ledger *before,
                                     const struct sov_event *event, struct sov_error *err);
/* Before each event, and behind the last with NULL: what the vote before it decided has come. */
void sov_votes_event(struct sov_judge *judge, const struct sov_event *event);
/* followed.c: the part of it that stands behind work and judgement */
SOV_MUST_USE bool sov_judge_followed(struct sov_judge *judge, struct sov_ledger *before,
                                     const struct sov_event *event, struct sov_error *err);
/* mail.c: the same for messages */
SOV_MUST_USE bool sov_judge_mail(struct sov_judge *judge, struct sov_ledger *before,
                                 const struct sov_event *event, struct sov_error *err);
/* sessions.c: the same for sessions and deliveries */
SOV_MUST_USE bool sov_judge_session(struct sov_judge *judge, struct sov_ledger *before,
                                    const struct sov_event *event, struct sov_error *err);
/* blobs.c */
SOV_MUST_USE bool sov_judge_blobs(struct sov_judge *judge, struct sov_error *err);
void sov_blobs_release(struct sov_blobs *blobs);
void sov_blobs_end(struct sov_judge *judge);     /* behind the last event: what is not there */
void sov_blobs_prepare(struct sov_judge *judge); /* which types name blobs at all */
SOV_MUST_USE bool sov_blobs_event(struct sov_judge *judge, const struct sov_event *event,
                                  struct sov_error *err);
/* tree.c: called after each event; compares the stored checkpoint of that size, if there is one */
void sov_tree_prepare(struct sov_judge *judge); /* the key id that checkpoints must name */
SOV_MUST_USE bool sov_judge_tree(struct sov_judge *judge, int64_t seq, struct sov_error *err);
SOV_MUST_USE bool sov_judge_head(struct sov_judge *judge, struct sov_error *err);
/* state.c: refold in slices and compare; the first slice was folded by the chain's pass */
enum { SOV_SLICE = 120000 }; /* numbered entities of a kind in one slice */
SOV_MUST_USE bool sov_judge_state(struct sov_judge *judge, struct sov_ledger **first,
                                  struct sov_error *err);
/* The stored compact range against the one that was computed. */
SOV_MUST_USE bool sov_judge_range(struct sov_judge *judge, struct sov_error *err);
bool sov_in_slice(const struct sov_stream *stream, int64_t first, int64_t last);
/* views.c: only if a tree is asked */
SOV_MUST_USE bool sov_judge_views(struct sov_judge *judge, struct sov_error *err);
/* published.c: the copy of a published log; what is wrong with it by itself is reported */
SOV_MUST_USE bool sov_published_open(struct sov_judge *judge, struct sov_ledger **ledger_out,
                                     struct sov_error *err);
void sov_published_close(struct sov_judge *judge); /* what is known after the chain only */
/* history.c: every checkpoint that was ever committed, among the known ones */
SOV_MUST_USE bool sov_history_gather(struct sov_judge *judge, struct sov_error *err);
void sov_history_judge(struct sov_judge *judge, const struct sov_known *known);
void sov_history_close(struct sov_judge *judge, bool *anchored_out);
/* restored.c: told of each event before the range has it */
void sov_restored_event(struct sov_judge *judge, const struct sov_event *event);
/* The seq of the restore that says of exactly this size that it was lost; 0: none does. */
int64_t sov_restored_lost(const struct sov_judge *judge, int64_t size);
/* The seq of the newest one through which the event of that seq came back; 0: none. */
int64_t sov_restored_before(const struct sov_judge *judge, int64_t seq);
/* anchors.c: gathered before the events are read, told of each, judged after them. One that cannot
 * be read fails, and the others are known nevertheless. */
SOV_MUST_USE bool sov_anchors_gather(struct sov_judge *judge, struct sov_error *err);
void sov_anchors_event(struct sov_judge *judge, int64_t seq);
void sov_anchor_add(struct sov_report *report, const struct sov_known *known, const char *result);
void sov_known_add(struct sov_judge *judge, const struct sov_known *known);
SOV_MUST_USE bool sov_judge_anchors(struct sov_judge *judge, struct sov_error *err);
enum { SOV_COSIGNED_MAX = 1 << 20 }; /* names in the folder */
/* witnesses.c: what witnesses cosigned, among the known ones; and whether they are enough */
SOV_MUST_USE bool sov_witnesses_gather(struct sov_judge *judge, struct sov_error *err);
/* since.c: from the range of the pin, only what came behind it */
SOV_MUST_USE bool sov_judge_since(struct sov_judge *judge, struct sov_error *err);
/* signatures.c */
SOV_MUST_USE bool sov_judge_signature(struct sov_judge *judge, const struct sov_event *event,
                                      struct sov_error *err);
/* postings.c: `before` is the whole state before the event, or NULL */
SOV_MUST_USE bool sov_postings_event(struct sov_judge *judge, const struct sov_ledger *before,
                                     const struct sov_event *event, struct sov_error *err);
void sov_postings_end(struct sov_judge *judge);
#endif
