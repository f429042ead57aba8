#ifndef SOV_LEDGER_CLAIM_H
#define SOV_LEDGER_CLAIM_H
/*
 * Claims: the exclusive, expiring right to act on something, and its fence, the seq of its
 * claim.acquired (model.md 7). A claim is live from that event until one ends it; no clock is
 * asked. Owns: state_claim and the claim.* events. Not here: what a claim does to the thing it is
 * on (its own file; claim_kind.h says what that file must give).
 */
#include "ledger/commit.h"
#include "policy/policy.h"

/* A program: where it runs, and since when. */
struct sov_who {
    char machine[SOV_MACHINE_SIZE + 1], boot[SOV_BOOT_ID_SIZE + 1];
    int64_t boot_ms, pid, start; /* start: of the process, as the kernel counts it */
};
/* The program that speaks, by the commit's clock. */
struct sov_who sov_who_now(const struct sov_commit *commit, int64_t pid, int64_t start);
void sov_who_put(struct sov_writer *w, const char *key, const struct sov_who *who);
SOV_MUST_USE bool sov_who_read(struct sov_value value, struct sov_arena *arena,
                               struct sov_who *who_out);

struct sov_claim {
    struct sov_stream resource; /* what it is on: numbered */
    int64_t assignment;         /* its number, if it is on one, else 0 */
    int64_t fence;
    bool live;
    const char *holder;
    int64_t attempt;           /* 1, 2, ... of an assignment; else 0 */
    int64_t ttl_s, at_ms;      /* of the newest claim.acquired or claim.renewed */
    struct sov_who who;        /* likewise */
    int64_t started, finished; /* seqs of run.started and run.finished; 0: none */
    int64_t end_seq;           /* of the event that ended it; 0: live */
    bool doubted;              /* claim.anomalous since the newest sign of life */
    struct sov_who doubt;      /* who judged so: machine, boot, boot_ms */
};
struct sov_claims {
    const struct sov_claim *at;
    size_t count;
};
/* One claim of an assignment; fence 0: the live one. */
SOV_MUST_USE bool sov_claim_find(const struct sov_ledger *ledger, int64_t assignment, int64_t fence,
                                 struct sov_arena *arena, struct sov_claim *claim_out,
                                 bool *found_out, struct sov_error *err);
/* The same of anything that can be claimed. */
SOV_MUST_USE bool sov_claim_find_on(const struct sov_ledger *ledger,
                                    const struct sov_stream *resource, int64_t fence,
                                    struct sov_arena *arena, struct sov_claim *claim_out,
                                    bool *found_out, struct sov_error *err);
/* The live one of that fence, whatever it is on. */
SOV_MUST_USE bool sov_claim_live(const struct sov_ledger *ledger, int64_t fence,
                                 struct sov_arena *arena, struct sov_claim *claim_out,
                                 bool *found_out, struct sov_error *err);
/* All of an assignment (0: of all, and on everything else too), by fence; `live`: only the live
 * ones. */
SOV_MUST_USE bool sov_claim_list(const struct sov_ledger *ledger, int64_t assignment, bool live,
                                 struct sov_arena *arena, struct sov_claims *claims_out,
                                 struct sov_error *err);
/* Live claims of an actor on assignments. */
SOV_MUST_USE bool sov_claim_count_live(const struct sov_ledger *ledger, const char *holder,
                                       int64_t *count_out, struct sov_error *err);

/* ---- operations ---- */
/* ttl_s 0: the policy's. *fence_out: the fence, also of a noop. */
SOV_MUST_USE bool sov_claim_acquire(struct sov_commit *commit, int64_t assignment, int64_t ttl_s,
                                    const struct sov_who *who, int64_t *fence_out,
                                    struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_claim_renew(struct sov_commit *commit, int64_t assignment, int64_t fence,
                                  int64_t ttl_s, const struct sov_who *who,
                                  struct sov_done *done_out, struct sov_error *err);
/* Only while no run has started: already_started. */
SOV_MUST_USE bool sov_claim_release(struct sov_commit *commit, int64_t assignment, int64_t fence,
                                    const char *reason, struct sov_done *done_out,
                                    struct sov_error *err);
/* The fence is the assignment's live one, else stale_fence; the commit's actor holds it, else
 * not_addressed. For whatever is done under a claim. */
SOV_MUST_USE bool sov_claim_held(struct sov_commit *commit, int64_t assignment, int64_t fence,
                                 struct sov_claim *claim_out, struct sov_error *err);
/* The same of anything that can be claimed. */
SOV_MUST_USE bool sov_claim_held_on(struct sov_commit *commit, const struct sov_stream *resource,
                                    int64_t fence, struct sov_claim *claim_out,
                                    struct sov_error *err);
/* Judges a live claim by policy, on the facts of the log and `gone`: its process was looked for, on
 * its own machine and boot, and is not there. */
enum sov_claim_verdict sov_claim_judge(const struct sov_policy *policy,
                                       const struct sov_claim *claim, bool gone,
                                       const struct sov_now *now, int64_t newest_at_ms,
                                       const char **ground_out);
/* A pass records that no clock can judge a live claim: claim.anomalous. */
SOV_MUST_USE bool sov_claim_doubt(struct sov_commit *commit, const struct sov_claim *claim,
                                  const struct sov_who *judge, struct sov_done *done_out,
                                  struct sov_error *err);
/* What became of the thing whose claim expired. */
struct sov_expired {
    const char *state; /* the word of its state now */
    int64_t receipt;   /* of a run that was lost; else 0 */
};
/* A pass ends a live claim, judged overdue by sov_policy_claim on this `ground` by `judge`.
 * Leads: claim.expired; what follows is that of the kind (claim_kind.h). stale_fence if the claim
 * is live no more. */
SOV_MUST_USE bool sov_claim_expire(struct sov_commit *commit, const struct sov_claim *claim,
                                   const char *ground, const struct sov_who *judge,
                                   struct sov_expired *expired_out, struct sov_done *done_out,
                                   struct sov_error *err);
#endif
