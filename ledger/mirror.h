#ifndef SOV_LEDGER_MIRROR_H
#define SOV_LEDGER_MIRROR_H
/*
 * A mirror: a ledger that is written elsewhere, and here only taken in. Owns: the mark in the home
 * that says so (`mirror`: the ledger id, a line), and taking in a continuation, octet for octet.
 * Not here: where the octets come from (cli/), what is judged afterwards (verify/).
 *
 * No act is committed in a mirror, whatever keys are at hand: is_mirror (4). What is taken in is
 * what the ledger key signed, in order, without a gap; it passes the guards of the file and is
 * folded like any other.
 */
#include "base/note.h"
#include "base/seams.h"

struct sov_ledger;
struct sov_places;

/* Marks a home, which is made; a home that holds a ledger or another mark: exists (5).
 * *made_out: it was not marked before. */
SOV_MUST_USE bool sov_mirror_make(const struct sov_places *places, const struct sov_hash *id,
                                  bool dry, bool *made_out, struct sov_error *err);
/* *found_out false: the home bears no mark. One that is none: corrupt (6). */
SOV_MUST_USE bool sov_mirror_find(const struct sov_places *places, struct sov_hash *id_out,
                                  bool *found_out, struct sov_error *err);
bool sov_ledger_is_mirror(const struct sov_ledger *ledger);

/* A continuation, piece by piece. */
struct sov_import_source {
    void *self;
    /* The octets of the next event, borrowed until the next call; false in *found_out at the end.
     */
    bool (*next)(void *self, struct sov_bytes *octets_out, bool *found_out, struct sov_error *err);
    const struct sov_bytes *notes; /* signed notes; one is of the last event */
    size_t note_count;
    const struct sov_bytes *blobs; /* public content that views quote */
    size_t blob_count;
};
struct sov_import_result {
    int64_t before, size, events; /* size of the mirror before and after; how many were taken in */
    int64_t again;                /* events that were there already, and are the same */
    struct sov_hash root;
};
/* All of it in one commit, or nothing. not_mirror (4); import_gap (5): it does not go on where the
 * mirror ends; fork (6): another ledger, other octets for an event that is there, a root that is no
 * prefix; head_mismatch, bad_signature, checkpoint_invalid, event_invalid (6). */
SOV_MUST_USE bool sov_import(const struct sov_places *places, const struct sov_seams *seams,
                             int64_t wait_ms, bool dry, const struct sov_import_source *source,
                             struct sov_import_result *imported_out, struct sov_error *err);
#endif
