#ifndef SOV_LEDGER_RESTORE_H
#define SOV_LEDGER_RESTORE_H
/*
 * A lost ledger file, made again from a backup or from the published log. Owns: what counts as
 * lost, the making, the event `ledger.restored` and the name that the damaged file is kept under.
 * Not here: whether the source is right (verify/ is asked before), who confirmed it (cli/).
 *
 * Nothing of a source's file is taken but its rows: each event passes the guards of a new file and
 * is folded again, each checkpoint is held against the tree and the ledger key. It is made in a
 * folder of its own and gets its name last, so that there is no ledger, or the whole of it.
 */
#include "base/arena.h"
#include "base/crypto.h"
#include "base/error.h"
#include "base/seams.h"

struct sov_ledger;
struct sov_places;

enum sov_lost {
    SOV_LOST_NOTHING, /* a ledger is there, and can be read */
    SOV_LOST_FILE,    /* there is no file */
    SOV_LOST_CONTENT  /* there is one, and it is CORRUPT */
};
/* Whether the file at that place is lost. A hot journal is rolled back first, unless `dry`: then
 * needs_recovery (7). *id_out: the ledger that a damaged file says it is of, if *named_out. What is
 * neither sound nor CORRUPT, a changed schema say, is an error: it is evidence, not a loss. */
SOV_MUST_USE bool sov_ledger_lost(const struct sov_places *places, const struct sov_seams *seams,
                                  int64_t wait_ms, bool dry, enum sov_lost *lost_out,
                                  struct sov_hash *id_out, bool *named_out, struct sov_error *err);

/* A file that sov_ledger_backup made, or any other copy of a ledger, to be read: its schema must be
 * the one of this release, for what else stands in it nobody knows. */
SOV_MUST_USE bool sov_backup_open(const char *path, const struct sov_places *places,
                                  const struct sov_seams *seams, int64_t wait_ms,
                                  struct sov_ledger **ledger_out, struct sov_error *err);

struct sov_restore {
    const struct sov_ledger *source; /* of a backup or a published log */
    const char *pins;                /* where the newest checkpoint seen here is kept */
    const char *actor, *reason;
    bool dry;                               /* all of it is done in memory */
    bool (*goes_on)(struct sov_error *err); /* asked now and then; NULL: never */
};
struct sov_restored {
    int64_t size; /* of the source: how many events came back */
    struct sov_hash root;
    int64_t lost_first, lost_last; /* known to have been there, by the pin; 0: none */
    int64_t seq;                   /* of ledger.restored */
    const char *kept;              /* the damaged file's name now, in the home; NULL: none */
};
/* Whoever comes second finds a ledger: not_lost (5). no_key (3): the ledger key is not at hand;
 * fork (6): the pin, or the damaged file, is of another history; head_mismatch, bad_signature,
 * event_invalid, blob_mismatch (6): the source is not what was signed. A pin is never moved. */
SOV_MUST_USE bool sov_ledger_restore(const struct sov_places *places,
                                     const struct sov_restore *restore,
                                     const struct sov_seams *seams, int64_t wait_ms,
                                     struct sov_arena *arena, struct sov_restored *restored_out,
                                     struct sov_error *err);
/* What a restore that was killed left in the home; *removed_out. Under the locks of a restore. */
SOV_MUST_USE bool sov_restore_tidy(const struct sov_places *places, bool dry, size_t *removed_out,
                                   struct sov_error *err);
#endif
