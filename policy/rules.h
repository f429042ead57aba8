#ifndef SOV_POLICY_RULES_H
#define SOV_POLICY_RULES_H
/* Private: the parts of the policy document that are lists of rules. `policy` has its roles, and
 * for the wake rules its effects. */
#include "policy/document.h"
#include "policy/read.h"

SOV_MUST_USE bool sov_read_effects(struct sov_reader *r, struct sov_value value,
                                   struct sov_policy *policy);
SOV_MUST_USE bool sov_read_wake(struct sov_reader *r, struct sov_value value,
                                struct sov_policy *policy);
/* Conditions of a rule, an effect's constraints, an emission's when. */
SOV_MUST_USE bool sov_read_conditions(struct sov_reader *r, const char *key, struct sov_value value,
                                      size_t least, const struct sov_condition **conditions_out,
                                      size_t *count_out);
#endif
