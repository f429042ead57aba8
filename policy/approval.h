#ifndef SOV_POLICY_APPROVAL_H
#define SOV_POLICY_APPROVAL_H
/*
 * Approvals: who may vote, when enough have, and whether one allows the act that is about to be
 * done (model.md 9). States and arrows are in lifecycle.h.
 */
#include "base/crypto.h"
#include "policy/document.h"
#include "policy/lifecycle.h"

/* What an approval is about and until when, as requested. */
struct sov_approval_facts {
    enum sov_approval_state state;
    struct sov_hash args, policy; /* digests: of the exact arguments, of the policy in force then */
    int64_t expires_ms;
};

/* A life as asked for, from now on: 1 s to the longer of ttl.approval and ttl.max, else bad_value.
 */
SOV_MUST_USE bool sov_policy_approval_life(const struct sov_policy *policy, int64_t life_ms,
                                           struct sov_error *err);
/* In this order: person_required, self_approve, already_voted (also one who is the same as one who
 * has), approval_expired. `at_ms` is the vote's own. */
SOV_MUST_USE bool sov_policy_approval_vote(const struct sov_policy *policy,
                                           const struct sov_person_facts *voter,
                                           const struct sov_person_facts *requester,
                                           const struct sov_people *voters, int64_t expires_ms,
                                           int64_t at_ms, struct sov_error *err);
/* Those who granted, pairwise not the same, are as many as asked, persons among them. */
bool sov_policy_approval_completes(int64_t quorum, int64_t persons,
                                   const struct sov_people *granted);
/* Does this one allow an act with these arguments, at that time, under that policy? In this order:
 * approval_mismatch, approval_expired, approval_policy_changed, approval_used; approval_missing if
 * it is not GRANTED. */
SOV_MUST_USE bool sov_policy_approval_allows(const struct sov_approval_facts *approval,
                                             const struct sov_hash *args, int64_t at_ms,
                                             const struct sov_hash *policy, struct sov_error *err);
/* The first that allows it, of those for one action and resource, oldest first: its place. If none
 * does, the answer of the newest that is for these arguments, else of the newest; approval_missing
 * if there is none at all. */
SOV_MUST_USE bool sov_policy_approval_choose(const struct sov_approval_facts *approvals,
                                             size_t count, const struct sov_hash *args,
                                             int64_t at_ms, const struct sov_hash *policy,
                                             size_t *chosen_out, struct sov_error *err);
#endif
