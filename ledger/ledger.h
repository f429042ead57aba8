#ifndef SOV_LEDGER_LEDGER_H
#define SOV_LEDGER_LEDGER_H
/*
 * The ledger: one append-only log of events in one SQLite file, and the state folded from it.
 * Owns: the tables event, blob, checkpoint and every state_*. Nothing else writes them.
 * Not here: what is allowed (policy/), how it looks (projections/), what runs (providers/).
 *
 * This is the door. The parts that it opens:
 */
#include "base/note.h"
#include "ledger/acceptance.h"   /* signatures that a case holds */
#include "ledger/account.h"      /* named balances and their postings */
#include "ledger/actor.h"        /* who may act */
#include "ledger/approval.h"     /* leave for one exact act */
#include "ledger/assignment.h"   /* one actor bound to a SOW */
#include "ledger/attest.h"       /* signatures under what leaves the log */
#include "ledger/backup.h"       /* the whole file, copied online */
#include "ledger/blob.h"         /* large, foreign, confidential octets */
#include "ledger/change.h"       /* what happened outside any assignment */
#include "ledger/check.h"        /* declared checks of an outcome */
#include "ledger/claim.h"        /* claims and fences */
#include "ledger/commit.h"       /* the commit scope and who acts */
#include "ledger/copy.h"         /* a ledger in memory, made of a published log */
#include "ledger/delivery.h"     /* what is handed out, and tried */
#include "ledger/dossier.h"      /* what an acceptance stands on */
#include "ledger/effect.h"       /* effects of attempts on accounts */
#include "ledger/event.h"        /* octets, registry, streams */
#include "ledger/heartbeat.h"    /* that a recorder was there */
#include "ledger/instance.h"     /* programs that run */
#include "ledger/key.h"          /* keys of actors, signed statements */
#include "ledger/message.h"      /* the mailbox between actors */
#include "ledger/mirror.h"       /* a ledger that is written elsewhere */
#include "ledger/observation.h"  /* what checks saw, as values */
#include "ledger/organization.h" /* the founding */
#include "ledger/outcome.h"      /* outcomes and their terms */
#include "ledger/pin.h"          /* what was seen before, outside */
#include "ledger/policy.h"       /* the policy in force */
#include "ledger/proof.h"        /* that an event stands in the log */
#include "ledger/provider.h"     /* who can be asked to work, and probes */
#include "ledger/reads.h"        /* what a judgement looks at */
#include "ledger/receipt.h"      /* the verdict on an attempt */
#include "ledger/reclaim.h"      /* folders of runs that have ended */
#include "ledger/restore.h"      /* a lost file, made again */
#include "ledger/review.h"       /* signed decisions on work */
#include "ledger/ruling.h"       /* signed decisions by authority */
#include "ledger/run.h"          /* attempts, late results */
#include "ledger/schema.h"       /* the schema as it was built */
#include "ledger/sets.h"         /* the four sets of a term */
#include "ledger/session.h"      /* what a program carries on */
#include "ledger/signal.h"       /* reports that the world changed */
#include "ledger/signed.h"       /* statements, made again */
#include "ledger/sow.h"          /* statements of work */
#include "ledger/subject.h"      /* what outcomes are about, with facts */
#include "ledger/supervise.h"    /* ending overdue claims */
#include "ledger/verification.h" /* batches of checks, evidence */
#include "ledger/wake.h"         /* the pulse */
#include "ledger/witness.h"      /* of other logs: one request, one answer */

/* Where a ledger lives. Absolute paths, borrowed until the handle is closed. */
struct sov_places {
    const char *home; /* .sovereign: organization.db, lock, runs/ */
    const char *keys; /* $XDG_DATA_HOME/sov/keys */
};

/* ---- lifecycle ---- */
enum sov_ledger_mode {
    SOV_LEDGER_READ,
    SOV_LEDGER_WRITE,
    SOV_LEDGER_TRY /* for acts that are dry alone: not an octet of any file changes */
};
/* no_ledger (3) if there is none; needs_recovery, newer_format (7), corrupt, schema_changed (6). */
SOV_MUST_USE bool sov_ledger_open(const struct sov_places *places, enum sov_ledger_mode mode,
                                  const struct sov_seams *seams, int64_t wait_ms,
                                  struct sov_ledger **ledger_out, struct sov_error *err);
void sov_ledger_close(struct sov_ledger *ledger); /* NULL is fine */
void sov_ledger_end(struct sov_ledger **ledger);  /* for SOV_CLEANUP */
/* True if a ledger file is there. */
SOV_MUST_USE bool sov_ledger_there(const struct sov_places *places, bool *there_out,
                                   struct sov_error *err);

/* ---- the log, read ---- */
struct sov_identity {
    struct sov_hash id; /* SHA-256 of the octets of event 1 */
    const char *name, *origin;
    struct sov_public_key key;
};
/* Reading verbs take a const ledger, so projections/ and verify/ cannot append. */
void sov_ledger_identity(const struct sov_ledger *ledger, struct sov_identity *identity_out);
SOV_MUST_USE bool sov_ledger_head(const struct sov_ledger *ledger, int64_t *seq_out,
                                  struct sov_error *err);
/* The seq up to which this handle has committed; 0: it has not. */
int64_t sov_ledger_committed(const struct sov_ledger *ledger);
/* The seq of a commit of which the disk left open whether it stands (commit_unknown); 0: none. */
int64_t sov_ledger_in_doubt(const struct sov_ledger *ledger);
/* The newest head that this handle verified or wrote itself: of its last commit; of one that was
 * folded, what its events gave. */
void sov_ledger_known_head(const struct sov_ledger *ledger, int64_t *seq_out,
                           struct sov_hash *root_out);
/* One moment for several reads, until the scope ends (sov_txn_end). Not for long work. */
SOV_MUST_USE bool sov_ledger_hold(const struct sov_ledger *ledger, struct sov_txn *txn,
                                  struct sov_error *err);
/* The folder of the ledger; false for one that was folded in memory. */
bool sov_ledger_place(const struct sov_ledger *ledger, const struct sov_folder **home_out);
struct sov_stored {
    int64_t seq, fence;
    struct sov_bytes hash, octets, resource; /* borrowed until the next row */
};
/* A forward cursor over [first, last] (last 0: to the end). In slices: it holds no transaction. */
struct sov_log_cursor {
    const struct sov_ledger *ledger;
    int64_t next, last;
    struct sov_stmt stmt;
    unsigned left; /* of the slice */
};
void sov_log_begin(struct sov_log_cursor *cursor, const struct sov_ledger *ledger, int64_t first,
                   int64_t last);
SOV_MUST_USE bool sov_log_next(struct sov_log_cursor *cursor, struct sov_stored *row_out,
                               bool *found_out, struct sov_error *err);
void sov_log_end(struct sov_log_cursor *cursor); /* for SOV_CLEANUP */
/* The event of a row: event_invalid (6), with the row's seq. Borrows its octets. */
SOV_MUST_USE bool sov_stored_decode(const struct sov_stored *row, struct sov_event *event_out,
                                    struct sov_error *err);
/* One event, decoded, its octets in the arena; no_such_id (3), or event_invalid (6) if the log goes
 * on behind it. */
SOV_MUST_USE bool sov_log_event(const struct sov_ledger *ledger, int64_t seq,
                                struct sov_arena *arena, struct sov_event *event_out,
                                struct sov_error *err);
/* The same of a seq that a derived row names. SOV_EVENT_TYPE_COUNT: any type. None, or one of
 * another type, is state_damaged (6). */
SOV_MUST_USE bool sov_log_named(const struct sov_ledger *ledger, int64_t seq,
                                enum sov_event_type type, struct sov_arena *arena,
                                struct sov_event *event_out, struct sov_error *err);
/* The seqs of a stream, ascending, at least one. no_such_id if there is none. */
SOV_MUST_USE bool sov_stream_history(const struct sov_ledger *ledger,
                                     const struct sov_stream *stream, struct sov_arena *arena,
                                     const int64_t **seqs_out, size_t *count_out,
                                     struct sov_error *err);
/* All streams of a kind: numbered ones by number, named ones by name, in byte order. */
struct sov_streams {
    const struct sov_stream *at;
    size_t count;
};
SOV_MUST_USE bool sov_stream_list(const struct sov_ledger *ledger, enum sov_stream_kind kind,
                                  struct sov_arena *arena, struct sov_streams *streams_out,
                                  struct sov_error *err);
/* The newest checkpoint of at most this size (0: the newest of all): *found_out. */
SOV_MUST_USE bool sov_checkpoint_at(const struct sov_ledger *ledger, int64_t size,
                                    struct sov_checkpoint *checkpoint_out,
                                    struct sov_signature *signature_out, bool *found_out,
                                    struct sov_error *err);
/* Its signature is the ledger key's: bad_signature (6). */
SOV_MUST_USE bool sov_checkpoint_vouched(const struct sov_ledger *ledger,
                                         const struct sov_checkpoint *checkpoint,
                                         const struct sov_signature *signature,
                                         struct sov_error *err);
/* A note that somebody keeps, read: fork (6: by its first line it is another ledger's),
 * checkpoint_invalid, bad_signature (6). Whether its root is one of this log is not asked. */
SOV_MUST_USE bool sov_checkpoint_read(const struct sov_ledger *ledger, struct sov_bytes note,
                                      struct sov_checkpoint *checkpoint_out,
                                      struct sov_signature *signature_out, struct sov_error *err);
/* The signed note of one. */
SOV_MUST_USE bool sov_checkpoint_note(const struct sov_ledger *ledger, int64_t size,
                                      struct sov_buf *out, struct sov_error *err);

/* ---- state ---- */
/* Empties and refolds every derived table, in one transaction; the log is not touched. */
SOV_MUST_USE bool sov_ledger_rebuild(struct sov_ledger *ledger, int64_t *events_out,
                                     struct sov_error *err);
/* A read-only handle on the same log, folded in memory to `size`; closed like any other, before
 * the one it was made from. */
SOV_MUST_USE bool sov_ledger_fold_to(const struct sov_ledger *ledger, int64_t size,
                                     struct sov_ledger **ledger_out, struct sov_error *err);
/* The same with nothing folded yet: for those who fold event by event; without indexes for those
 * who only read the tables whole. */
SOV_MUST_USE bool sov_ledger_memory(const struct sov_ledger *ledger, int64_t size, bool indexed,
                                    struct sov_ledger **ledger_out, struct sov_error *err);
/* The same for the entities numbered first to last of each kind alone, with no rows of their
 * history: of a stream only the newest version is known. */
SOV_MUST_USE bool sov_ledger_slice(const struct sov_ledger *ledger, int64_t size, bool indexed,
                                   int64_t first, int64_t last, struct sov_ledger **ledger_out,
                                   struct sov_error *err);
SOV_MUST_USE bool sov_ledger_fold_event(struct sov_ledger *memory, const struct sov_event *event,
                                        struct sov_error *err);
/* Every derived table, made of the migrations: read whole in the order of its key, and emptied. */
struct sov_state_table {
    const char *name, *rows, *clear;
    char reach; /* N: rows of $1 <= n <= $2; H: the same, named streams are 0; C: claims, the number
                   stands in the resource; S: all of it, named entities */
};
const struct sov_state_table *sov_state_tables(size_t *count_out);
/* The derived and the canonical tables, to be read and compared (verify/). */
struct sov_db *sov_ledger_tables(const struct sov_ledger *ledger);
struct sov_db *sov_ledger_file(const struct sov_ledger *ledger);
#endif
