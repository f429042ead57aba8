#ifndef SOV_LEDGER_RECEIPT_H
#define SOV_LEDGER_RECEIPT_H
/*
 * Receipts: the host's verdict on one attempt, exactly one for each that started (model.md 3).
 * Owns: state_receipt and receipt.recorded. Not here: how the verdict comes about
 * (policy/run_verdict.h), who asks for it (run.h, supervise.h).
 */
#include "ledger/blob.h"
#include "ledger/commit.h"
#include "policy/policy.h"

struct sov_deliverable {
    const char *path;
    struct sov_hash digest; /* of the public blob that holds its content */
    int64_t size;
};
struct sov_number { /* a name and an integer: usage, limits, counts */
    const char *name;
    int64_t n;
};
struct sov_boundary {
    bool scoped; /* repository_without_runs_and_ledger, else none */
    bool computed, violated;
    struct sov_blob_ref report; /* media_type NULL: none */
};
struct sov_receipt {
    int64_t n, assignment, attempt, fence;
    enum sov_receipt_status status;
    const char *category; /* of a failed one, else NULL */
    const char *message;  /* may be empty */
    bool has_report;
    struct sov_hash report_digest;          /* SHA-256 of the report's octets as received */
    const char *provider, *adapter, *model; /* as used and reported; NULL: not known */
    int64_t adapter_version;
    struct sov_bytes usage; /* canonical {"name":n,...} */
    const struct sov_deliverable *deliverables;
    size_t deliverable_count;
    const int64_t *effects; /* numbers of EFF-n, in the report's order */
    size_t effect_count;
    bool effects_unknown;
    struct sov_boundary boundary;
    struct sov_hash hash; /* of its event: what reviews and cases bind */
    int64_t seq;
};
struct sov_receipts {
    const struct sov_receipt *at;
    size_t count;
};
/* In the arena; *found_out false if there is none. */
SOV_MUST_USE bool sov_receipt_find(const struct sov_ledger *ledger, int64_t n,
                                   struct sov_arena *arena, struct sov_receipt *receipt_out,
                                   bool *found_out, struct sov_error *err);
/* The same, no_such_id (3) if there is none. */
SOV_MUST_USE bool sov_receipt_get(const struct sov_ledger *ledger, int64_t n,
                                  struct sov_arena *arena, struct sov_receipt *receipt_out,
                                  struct sov_error *err);
/* By number. assignment 0: of all. */
SOV_MUST_USE bool sov_receipt_list(const struct sov_ledger *ledger, int64_t assignment,
                                   struct sov_arena *arena, struct sov_receipts *receipts_out,
                                   struct sov_error *err);
/* Those that bind a deliverable of this digest, by number. Looks at every receipt. */
SOV_MUST_USE bool sov_receipt_holding(const struct sov_ledger *ledger,
                                      const struct sov_hash *digest, struct sov_arena *arena,
                                      struct sov_receipts *receipts_out, struct sov_error *err);
/* The one of an attempt, by its fence. */
SOV_MUST_USE bool sov_receipt_of(const struct sov_ledger *ledger, int64_t assignment, int64_t fence,
                                 struct sov_arena *arena, struct sov_receipt *receipt_out,
                                 bool *found_out, struct sov_error *err);

/* A consequence of run.finished (fenced) or claim.expired (`fenced` false). `n`, `hash` and `seq`
 * of the draft are ignored; the number and the seq are handed out. */
SOV_MUST_USE bool sov_receipt_follow(struct sov_commit *commit, const struct sov_receipt *draft,
                                     bool fenced, int64_t *n_out, int64_t *seq_out,
                                     struct sov_error *err);
#endif
