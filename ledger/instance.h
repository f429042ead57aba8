#ifndef SOV_LEDGER_INSTANCE_H
#define SOV_LEDGER_INSTANCE_H
/*
 * Instances: running programs, each with a claim on itself, so that two under one name cannot pass
 * for one (model.md 11). Owns: state_instance, instance.*, and what a claim does to an instance.
 */
#include "ledger/claim.h"
#include "policy/policy.h"

struct sov_instance {
    int64_t n;
    const char *label, *actor; /* actor: who registered it, and alone may claim it */
    enum sov_instance_state state;
    int64_t seq;
};
SOV_MUST_USE bool sov_instance_find(const struct sov_ledger *ledger, int64_t n,
                                    struct sov_arena *arena, struct sov_instance *instance_out,
                                    bool *found_out, struct sov_error *err);

SOV_MUST_USE bool sov_instance_register(struct sov_commit *commit, const char *label,
                                        struct sov_done *done_out, struct sov_error *err);
/* not_addressed, claim_held. ttl_s 0: the policy's. */
SOV_MUST_USE bool sov_instance_claim(struct sov_commit *commit, int64_t n, int64_t ttl_s,
                                     const struct sov_who *who, int64_t *fence_out,
                                     struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_instance_renew(struct sov_commit *commit, int64_t n, int64_t fence,
                                     int64_t ttl_s, const struct sov_who *who,
                                     struct sov_done *done_out, struct sov_error *err);
SOV_MUST_USE bool sov_instance_retire(struct sov_commit *commit, int64_t n, int64_t fence,
                                      const char *reason, struct sov_done *done_out,
                                      struct sov_error *err);
#endif
