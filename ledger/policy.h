#ifndef SOV_LEDGER_POLICY_H
#define SOV_LEDGER_POLICY_H
/* The policy in force: adopted by an event, parsed once a handle (model.md 2). */
#include "ledger/commit.h"
#include "ledger/key.h"
#include "policy/policy.h"

#define SOV_ADOPT_TAG "sov.adopt.v1"
struct sov_adoption {
    int64_t seq;
    struct sov_hash digest;
    struct sov_bytes document; /* canonical */
    const char *adopter, *reason;
    struct sov_signed_by by;
};
/* The newest one; parsed, borrowed from the handle until the next commit or close. */
SOV_MUST_USE bool sov_policy_load(struct sov_ledger *ledger, const struct sov_policy **policy_out,
                                  struct sov_error *err);
/* In force at a seq (0: now), parsed into the arena. */
SOV_MUST_USE bool sov_policy_at(const struct sov_ledger *ledger, int64_t seq,
                                struct sov_arena *arena, const struct sov_policy **policy_out,
                                struct sov_error *err);
SOV_MUST_USE bool sov_policy_adoption(const struct sov_ledger *ledger, int64_t seq,
                                      struct sov_arena *arena, struct sov_adoption *adoption_out,
                                      struct sov_error *err);
/* The statement to sign before the commit: tag sov.adopt.v1. */
void sov_policy_statement(const struct sov_ledger *ledger, const struct sov_hash *digest,
                          struct sov_buf *out);
/* `document` canonical. Strict: policy_invalid; policy_orphans_role, policy_locks_out. */
SOV_MUST_USE bool sov_policy_adopt(struct sov_commit *commit, struct sov_bytes document,
                                   const char *reason, const struct sov_signed_by *by,
                                   struct sov_done *done_out, struct sov_error *err);
#endif
