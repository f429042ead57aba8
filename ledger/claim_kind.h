#ifndef SOV_LEDGER_CLAIM_KIND_H
#define SOV_LEDGER_CLAIM_KIND_H
/*
 * What a claim does to the thing it is on, kind by kind: a row of CLAIMABLE in event_types.def and
 * two functions in that entity's own file. state_claim itself is kept by claim_fold.c. Private to
 * ledger/.
 *
 * A kind's operations ask C1 to C7 in the order of its own table and then append claim.acquired or
 * claim.released by themselves; sov_claim_life gives the payload of the first. The event that ends
 * a claim in another way (message.done) calls sov_claim_row_end in its own fold.
 */
#include "ledger/claim.h"
#include "ledger/log.h"

/* Both of each kind:
 * _claim_fold     claim.acquired .renewed .released .expired, into the entity's row and, by the
 *                 sov_claim_row_* functions, into state_claim
 * _claim_expired  behind the claim.expired just appended: the consequences, in the same commit */
#define CLAIMABLE(stream, entity, authority)                                                       \
    SOV_MUST_USE bool sov_##entity##_claim_fold(                                                   \
        struct sov_fold *fold, const struct sov_event *event, struct sov_error *err);              \
    SOV_MUST_USE bool sov_##entity##_claim_expired(                                                \
        struct sov_commit *commit, const struct sov_claim *claim, struct sov_expired *expired_out, \
        struct sov_error *err);
#include "ledger/event_types.def"
#undef CLAIMABLE

/* ---- folds: the newest claim on the event's own stream ---- */
struct sov_claim_row {
    bool there, live;
    int64_t fence, started, finished; /* seqs, 0: not */
};
SOV_MUST_USE bool sov_claim_row(struct sov_fold *fold, const struct sov_event *event,
                                struct sov_claim_row *row_out, struct sov_error *err);
/* The event carries the fence of the live claim. */
SOV_MUST_USE bool sov_claim_row_under(const struct sov_event *event,
                                      const struct sov_claim_row *row, struct sov_error *err);
/* claim.acquired; attempt 0: none is counted. */
SOV_MUST_USE bool sov_claim_row_add(struct sov_fold *fold, const struct sov_event *event,
                                    int64_t attempt, struct sov_error *err);
/* claim.renewed. */
SOV_MUST_USE bool sov_claim_row_renew(struct sov_fold *fold, const struct sov_event *event,
                                      struct sov_error *err);
/* Whatever ended it: the claim of the event's fence is live no more. */
SOV_MUST_USE bool sov_claim_row_end(struct sov_fold *fold, const struct sov_event *event,
                                    struct sov_error *err);

/* ---- operations ---- */
struct sov_claim_life {
    int64_t attempt;        /* 0: left out, as in a renewal */
    int64_t instance_fence; /* of a session's instance; 0: left out */
    int64_t ttl_s;
    const struct sov_who *who;
};
/* The payload of claim.acquired and claim.renewed. */
SOV_MUST_USE bool sov_claim_life(struct sov_commit *commit, const struct sov_claim_life *life,
                                 struct sov_bytes *data_out, struct sov_error *err);
/* Renews, for any kind that lets its holder: C1 to C6, the fence, the ttl (0: `ttl_usual`). */
SOV_MUST_USE bool sov_claim_renew_on(struct sov_commit *commit, const struct sov_stream *resource,
                                     int64_t fence, int64_t ttl_s, int64_t ttl_usual,
                                     const struct sov_who *who, struct sov_done *done_out,
                                     struct sov_error *err);
/* The noop of a repeated request under `fence`; key_reused if it was made under another one: the
 * fence is part of the request. */
SOV_MUST_USE bool sov_claim_repeated(struct sov_commit *commit, const struct sov_done *done,
                                     int64_t fence, struct sov_error *err);
#endif
