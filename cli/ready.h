#ifndef SOV_CLI_READY_H
#define SOV_CLI_READY_H
/* What an actor may do now, for `ready` and `status`. */
#include "cli/verb.h"
#include "policy/policy.h"

/* Rows {id, state, what, next}. actor NULL: by role alone, without assignments of somebody. */
SOV_MUST_USE bool sov_ready_put(struct sov_call *call, const char *actor, const char *role,
                                struct sov_node *rows, struct sov_error *err);
#endif
