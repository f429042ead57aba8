#ifndef SOV_CLI_GATES_H
#define SOV_CLI_GATES_H
/* The gate tables of review and acceptance, as they stand now. */
#include "cli/verb.h"
#include "policy/policy.h"

/* A list of {gate, holds, codes, title, detail} from a verdict; it is also printed as lines unless
 * `shut_only` leaves out what holds. */
struct sov_node *sov_gates_node(struct sov_call *call, const struct sov_gate *gates, size_t count,
                                const struct sov_verdict *verdict);
void sov_gates_print(struct sov_call *call, const struct sov_node *list, bool shut_only);
#endif
