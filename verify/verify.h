#ifndef SOV_VERIFY_VERIFY_H
#define SOV_VERIFY_VERIFY_H
/*
 * The independent judge: it trusts bytes and writes nothing.
 * Owns: re-derivation and comparison, and running declared checks against the world.
 * Not here: recording what was seen (ledger/), printing (cli/).
 *
 * This is the door. The parts that it opens:
 */
#include "base/trust.h"
#include "ledger/ledger.h"
#include "verify/checks.h"   /* declared checks -> observations */
#include "verify/findings.h" /* classes, findings, the report */
#include "verify/kept.h"     /* deliverables in kept run folders */
#include "verify/proof.h"    /* a proof that came as a file */

/* A signed note that vouches from outside, as the caller read it. */
struct sov_known_note {
    const char *name; /* of the file */
    struct sov_bytes octets;
};

struct sov_verify_options {
    const struct sov_places *places;
    const struct sov_seams *seams;
    int64_t wait_ms;
    const struct sov_ledger *opened;  /* judged as it is, borrowed; NULL: the place is opened */
    const char *pins;                 /* folder of pins; NULL: none is looked at */
    const struct sov_hash *ledger_id; /* the ledger must be this one; NULL: not asked */
    /* Only events behind the pin are read, from its compact range on: that they, the pin and the
     * newest signed root belong together, each event by itself, no more. Needs `pins`. */
    bool from_pin;
    bool makes_pin;      /* the report holds a pin of the newest checkpoint, if nothing was found */
    bool no_anchor;      /* UNANCHORED alone is success */
    bool all_signatures; /* every checkpoint's, not only the newest one's */
    const struct sov_folder *tree; /* top of the working tree; NULL: views are not asked */
    /* The tree whose published log is judged where there is no ledger file; NULL: none is. */
    const struct sov_folder *clone;
    bool published;                     /* judged so even if there is a ledger file */
    const struct sov_known_note *notes; /* checkpoints that were kept elsewhere */
    size_t note_count;
    const char
        *repository; /* whose git history vouches, by its absolute path; NULL: none is asked */
    /* Who witnesses: cosigned checkpoints under governance/cosigned of `clone` are anchors, and as
     * many witnesses as it asks for must have cosigned one; NULL: they are not looked at. */
    const struct sov_trust *witnesses;
    bool fresh;    /* a tree behind the head is DRIFT */
    int64_t slice; /* entities of a kind folded at once; 0: the usual number */
    /* Called now and then; false cancels: `interrupted`. NULL: never. */
    bool (*progress)(void *self, const char *phase, int64_t done, int64_t of);
    void *self;
};
/* Findings are the report's, not errors: false only if it was cancelled. Texts live in the arena.
 */
SOV_MUST_USE bool sov_verify(const struct sov_verify_options *options, struct sov_arena *arena,
                             struct sov_report *report_out, struct sov_error *err);
#endif
