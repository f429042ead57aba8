#ifndef SOV_PROJECTIONS_WORK_H
#define SOV_PROJECTIONS_WORK_H
/*
 * Everything that the log says about one SOW, and about one outcome in its present term: read once,
 * for pages, facts, gates and pictures alike. Owns: which events touch these two (`last`);
 * registry.c says the same of each event. Not here: how any of it looks.
 */
#include "projections/projections.h"

struct sov_try { /* an assignment and what came of it */
    struct sov_assignment row;
    const char *kind; /* of its actor: person, robot, service */
    struct sov_claims claims;
    struct sov_receipts receipts;
    struct sov_effects effects;
    struct sov_refuseds refused;
    struct sov_stales stales;
};
struct sov_batch { /* a verification and its evidence */
    struct sov_verification row;
    const char *kind;
    struct sov_evidences evidence;
    size_t holds; /* how many of them are a success */
};
struct sov_batches {
    const struct sov_batch *at;
    size_t count;
};
struct sov_opinion {
    struct sov_review row;
    const char *kind;
};
struct sov_remark { /* a reason that was given, and what an inspection found */
    int64_t seq;
    const char *type, *actor, *text;
    const char *found, *inspection; /* NULL: none */
};
struct sov_remarks {
    struct sov_remark *at;
    size_t count;
};
struct sov_work {
    struct sov_sow sow;
    const char *author_kind;
    bool has_signal; /* the one that the pulse made it for */
    struct sov_signal signal;
    const struct sov_try *tries;
    size_t try_count;
    struct sov_batches batches;
    const struct sov_opinion *opinions;
    size_t opinion_count;
    const struct sov_ruling *rulings; /* on the SOW, and on its receipts */
    size_t ruling_count;
    const struct sov_try *execution;   /* the newest COMPLETED one; NULL: none */
    const struct sov_receipt *receipt; /* of it; NULL: none */
    const struct sov_batch *current;   /* newest verification of that receipt; NULL: none */
    struct sov_remarks remarks;
    bool held, waived;             /* by an unrevoked ruling: the SOW; that receipt */
    const struct sov_hash *erased; /* deliverables whose content was erased */
    size_t erased_count;
    int64_t last;
};
SOV_MUST_USE bool sov_work_read(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                                struct sov_work *work_out, struct sov_error *err);
bool sov_work_is_erased(const struct sov_work *work, const struct sov_hash *digest);
/* The newest attempt's receipt of the whole SOW; NULL: none. */
const struct sov_receipt *sov_work_newest_receipt(const struct sov_work *work);
/* The reviews of the current verification that say `decision`. */
size_t sov_work_opinions(const struct sov_work *work, const char *decision);

struct sov_signature_seen { /* an acceptance and who signed it */
    struct sov_acceptance row;
    const char *kind;
};
struct sov_story {
    struct sov_outcome row;
    const char *owner_kind;
    struct sov_checks checks;
    const struct sov_work *works; /* of the present term, by number */
    size_t work_count;
    struct sov_batches batches;        /* at outcome level in the present term, rechecks too */
    const struct sov_batch *current;   /* newest of scope outcome; NULL: none */
    const struct sov_batch *rechecked; /* the newest recheck, if it came later; NULL: none */
    const struct sov_signature_seen *signatures; /* of the present term */
    size_t signature_count;
    const struct sov_acceptance *before; /* the last of each of some terms before, newest first */
    size_t before_count;
    struct sov_rulings rulings; /* on the outcome */
    bool held;
    struct sov_remarks remarks; /* of this term */
    int64_t last;
};
SOV_MUST_USE bool sov_story_read(const struct sov_ledger *ledger, int64_t n,
                                 struct sov_arena *arena, struct sov_story *story_out,
                                 struct sov_error *err);

/* Seq of the newest event of a stream that a view shows: lease renewals are in the log only. */
SOV_MUST_USE bool sov_stream_last(const struct sov_ledger *ledger, enum sov_stream_kind kind,
                                  int64_t n, struct sov_arena *arena, int64_t *seq_out,
                                  struct sov_error *err);
/* Reasons of the newest events of a stream, from a seq on. */
SOV_MUST_USE bool sov_remarks_read(const struct sov_ledger *ledger, const struct sov_stream *stream,
                                   int64_t from_seq, struct sov_arena *arena,
                                   struct sov_remarks *remarks_out, struct sov_error *err);
/* Verifications with their evidence. */
SOV_MUST_USE bool sov_batches_read(const struct sov_ledger *ledger,
                                   const struct sov_verifications *rows, struct sov_arena *arena,
                                   struct sov_batches *batches_out, int64_t *last,
                                   struct sov_error *err);
#endif
