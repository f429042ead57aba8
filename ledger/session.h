#ifndef SOV_LEDGER_SESSION_H
#define SOV_LEDGER_SESSION_H
/*
 * Sessions: what an actor carries on through one instance at a time (model.md 11). Its claim is
 * taken under the live fence of that instance, and nothing is said under it once the time of either
 * is over, by the date of what is said. Owns: state_session, session.*, its claim's part.
 */
#include "ledger/blob.h"
#include "ledger/claim.h"
#include "policy/policy.h"

struct sov_session {
    int64_t n;
    const char *actor, *purpose;
    enum sov_session_state state;
    int64_t incarnation;    /* how often it was claimed */
    int64_t instance_fence; /* of the instance that has it; 0: none has */
    int64_t seq;
};
struct sov_sessions {
    const struct sov_session *at;
    size_t count;
};
SOV_MUST_USE bool sov_session_find(const struct sov_ledger *ledger, int64_t n,
                                   struct sov_arena *arena, struct sov_session *session_out,
                                   bool *found_out, struct sov_error *err);
SOV_MUST_USE bool sov_session_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                                   struct sov_sessions *list_out, struct sov_error *err);

SOV_MUST_USE bool sov_session_open(struct sov_commit *commit, const char *actor,
                                   const char *purpose, struct sov_done *done_out,
                                   struct sov_error *err);
/* not_addressed, session_closed, claim_held, instance_fence, claim_overdue. ttl_s 0: the policy's.
 */
struct sov_session_claim {
    int64_t session, instance, instance_fence, ttl_s;
    const struct sov_who *who;
};
SOV_MUST_USE bool sov_session_claim(struct sov_commit *commit,
                                    const struct sov_session_claim *asked, int64_t *fence_out,
                                    int64_t *incarnation_out, struct sov_done *done_out,
                                    struct sov_error *err);
/* session_closed, stale_fence, instance_fence, claim_overdue. */
SOV_MUST_USE bool sov_session_renew(struct sov_commit *commit, int64_t n, int64_t fence,
                                    int64_t ttl_s, const struct sov_who *who,
                                    struct sov_done *done_out, struct sov_error *err);
struct sov_session_close {
    int64_t session, fence;
    bool abandoned;          /* else completed */
    const char *reason;      /* NULL: none */
    struct sov_bytes result; /* .data NULL: none */
};
SOV_MUST_USE bool sov_session_close(struct sov_commit *commit,
                                    const struct sov_session_close *asked,
                                    struct sov_done *done_out, struct sov_error *err);
/* What stands in the way of a callback at that time, by the ledger: the fence of the session, that
 * of its instance, the time of either. For operations, and to ask again. */
SOV_MUST_USE bool sov_session_goes_on(const struct sov_ledger *ledger,
                                      const struct sov_session *session, int64_t fence,
                                      int64_t at_ms, struct sov_arena *arena,
                                      struct sov_error *err);
/* The instance claim of this fence is live at that time, and this actor holds it. */
SOV_MUST_USE bool sov_session_instance(const struct sov_ledger *ledger, int64_t instance_fence,
                                       const char *actor, int64_t at_ms, struct sov_arena *arena,
                                       int64_t *instance_out, struct sov_error *err);
#endif
