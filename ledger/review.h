#ifndef SOV_LEDGER_REVIEW_H
#define SOV_LEDGER_REVIEW_H
/*
 * Reviews: a distinct actor's signed decision on a SOW's current verification (model.md 5).
 * Two phases: prepare (facts, verdict, statement), sign, then decide inside the transaction.
 */
#include "ledger/key.h"
#include "ledger/reads.h"
#include "policy/policy.h"

#define SOV_REVIEW_TAG "sov.review.v1"

struct sov_review {
    int64_t n, sow, verification, receipt;
    const char *reviewer, *decision, *rationale;
    struct sov_hash aggregate_digest, reads_digest, hash; /* hash: of its event */
    struct sov_signed_by by;
    int64_t basis, seq;
};
struct sov_reviews {
    const struct sov_review *at;
    size_t count;
};
SOV_MUST_USE bool sov_review_find(const struct sov_ledger *ledger, int64_t n,
                                  struct sov_arena *arena, struct sov_review *review_out,
                                  bool *found_out, struct sov_error *err);
/* Of a SOW, oldest first. */
SOV_MUST_USE bool sov_review_list(const struct sov_ledger *ledger, int64_t sow,
                                  struct sov_arena *arena, struct sov_reviews *list_out,
                                  struct sov_error *err);
/* Statement and signature hold at its seq, and its digests are the log's: review_invalid. */
SOV_MUST_USE bool sov_review_check(const struct sov_ledger *ledger, const struct sov_review *review,
                                   struct sov_arena *arena, struct sov_error *err);

struct sov_review_request {
    int64_t sow;
    int64_t verification; /* the one meant; 0: the current one */
    enum sov_decision decision;
    const char *rationale; /* NULL: none */
};
struct sov_review_prepared {
    struct sov_review_request request;
    int64_t basis, verification, receipt; /* 0: there is none */
    struct sov_hash aggregate_digest, reads_digest;
    struct sov_verdict verdict; /* a preview: everything but the signature */
    struct sov_bytes statement; /* canonical, to be signed under SOV_REVIEW_TAG; empty if there is
                                   no verification to decide on */
};
/* Fails only if the SOW is not there or the log cannot be read. Everything is in the arena. */
SOV_MUST_USE bool sov_review_prepare(const struct sov_ledger *ledger, const char *actor,
                                     const struct sov_review_request *request,
                                     struct sov_arena *arena,
                                     struct sov_review_prepared *prepared_out,
                                     struct sov_error *err);
/* review.decided and what follows for the SOW. `by` NULL: not signed, for a preparation that is
 * shut: the first gate answers, or the earlier answer of the same idempotency key. */
SOV_MUST_USE bool sov_review_decide(struct sov_commit *commit,
                                    const struct sov_review_prepared *prepared,
                                    const struct sov_signed_by *by, struct sov_done *done_out,
                                    struct sov_error *err);
#endif
