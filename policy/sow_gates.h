#ifndef SOV_POLICY_SOW_GATES_H
#define SOV_POLICY_SOW_GATES_H
/* Private: gates 15 to 28 of an acceptance, each asked of one SOW. */
#include "policy/judge.h"

#define SOV_SOW_GATES(X)                                                                           \
    X(15, "execution_missing", NULL, not_executed, "it has a COMPLETED assignment")                \
    X(16, "receipt_missing", "receipt_unbound", no_receipt, "its execution has its own receipt")   \
    X(17, "receipt_not_completed", NULL, not_completed, "the receipt is completed")                \
    X(18, "deliverable_unsafe", NULL, path_unsafe, "each declared path is a safe relative path")   \
    X(19, "deliverable_missing", NULL, path_missing, "each is in the receipt, its blob there")     \
    X(20, "deliverable_changed", NULL, path_changed, "each has the digest bound in the receipt")   \
    X(21, "effect_missing", NULL, no_effect, "a required effect was committed by the execution")   \
    X(22, "effect_uncorroborated", NULL, effect_wrong,                                             \
      "its postings are those that policy and facts give")                                         \
    X(23, "boundary_violated", NULL, is_violated,                                                  \
      "nothing outside the boundary changed, or a ruling waives it")                               \
    X(24, "verification_missing", "verification_failed", not_verified,                             \
      "the execution's current verification passed")                                               \
    X(25, "definition_changed", NULL, is_redefined, "it was made under the definition of today")   \
    X(26, "review_missing", NULL, not_reviewed, "as many distinct reviewers as asked accepted it") \
    X(27, "review_dissent", NULL, is_disputed, "no review of it says otherwise")                   \
    X(28, "review_invalid", NULL, review_wrong, "each review's statement and signature verify")

enum { SOV_SOW_GATE_FIRST = 15, SOV_SOW_GATE_COUNT = 14 };
/* Adds what is shut for this SOW, in order. */
void sov_judge_sow(struct sov_judge *judge, const struct sov_case_sow *sow);
#endif
