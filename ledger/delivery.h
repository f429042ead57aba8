#ifndef SOV_LEDGER_DELIVERY_H
#define SOV_LEDGER_DELIVERY_H
/*
 * Deliveries: content that somebody sends out, between a recorded start and a recorded end
 * (model.md 11). Nothing here sends. One that was started and whose end nobody told is UNKNOWN, and
 * is not sent again until a person has said what became of it. Owns: state_delivery, delivery.*,
 * and what a claim does to a delivery.
 */
#include "ledger/blob.h"
#include "ledger/claim.h"
#include "policy/policy.h"

enum { SOV_DELIVERY_MAX = 25 << 20 };

struct sov_delivery {
    int64_t n;
    const char *channel, *receiver_key; /* the key: sent along, so that repeats can be dropped */
    struct sov_blob_ref content;
    int64_t session; /* 0: of none */
    int64_t max_attempts, attempts;
    int64_t after_ms; /* not before; 0: at once */
    enum sov_delivery_state state;
    int64_t seq;
};
struct sov_deliveries {
    const struct sov_delivery *at;
    size_t count;
};
SOV_MUST_USE bool sov_delivery_find(const struct sov_ledger *ledger, int64_t n,
                                    struct sov_arena *arena, struct sov_delivery *delivery_out,
                                    bool *found_out, struct sov_error *err);
SOV_MUST_USE bool sov_delivery_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                                    struct sov_deliveries *list_out, struct sov_error *err);
/* Seconds to wait behind so many failed attempts: doubling, up to a limit. */
int64_t sov_delivery_backoff(const struct sov_policy *policy, int64_t attempts);

struct sov_delivery_request {
    const char *channel, *receiver_key; /* receiver_key NULL: the delivery's own id */
    struct sov_bytes content;
    const char *media_type;
    int64_t session; /* 0: of none */
};
SOV_MUST_USE bool sov_delivery_queue(struct sov_commit *commit,
                                     const struct sov_delivery_request *request,
                                     struct sov_done *done_out, struct sov_error *err);
/* claim_held; wrong_state also before its time. */
SOV_MUST_USE bool sov_delivery_claim(struct sov_commit *commit, int64_t n, int64_t ttl_s,
                                     const struct sov_who *who, int64_t *fence_out,
                                     struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_delivery_start(struct sov_commit *commit, int64_t n, int64_t fence,
                                     struct sov_done *done_out, struct sov_error *err);
/* `receiver_ref` may be NULL. */
SOV_MUST_USE bool sov_delivery_succeed(struct sov_commit *commit, int64_t n, int64_t fence,
                                       const char *receiver_ref, struct sov_done *done_out,
                                       struct sov_error *err);
/* *state_out: QUEUED again, or DEAD at the limit of attempts. */
SOV_MUST_USE bool sov_delivery_fail(struct sov_commit *commit, int64_t n, int64_t fence,
                                    const char *error, enum sov_delivery_state *state_out,
                                    struct sov_done *done_out, struct sov_error *err);
/* By a person: person_required. Out of UNKNOWN or DEAD. */
SOV_MUST_USE bool sov_delivery_resolve(struct sov_commit *commit, int64_t n, bool delivered,
                                       const char *reason, struct sov_done *done_out,
                                       struct sov_error *err);
#endif
