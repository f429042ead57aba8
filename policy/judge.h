#ifndef SOV_POLICY_JUDGE_H
#define SOV_POLICY_JUDGE_H
/* Private: collects the gates that are shut. */
#include "policy/gates.h"

struct sov_judge {
    const struct sov_policy *policy;
    struct sov_arena *arena;
    struct sov_shut *shut;
    size_t count, room;
    const char *detail; /* what the predicate has to say; it answers with its code, or NULL */
};

void sov_judge_init(struct sov_judge *judge, const struct sov_policy *policy,
                    struct sov_arena *arena, size_t room);
void sov_judge_add(struct sov_judge *judge, int gate, const char *code, const char *sow);
/* Sets the detail and passes the code on, so that a predicate is one return. */
const char *sov_judge_shut(struct sov_judge *judge, const char *code, const char *detail);
/* "a, b and 3 more" */
const char *sov_judge_list(struct sov_judge *judge, const struct sov_names *names);
/* A gate that the functions of separation.h answer. */
const char *sov_judge_error(struct sov_judge *judge, const struct sov_error *err);
#endif
