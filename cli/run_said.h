#ifndef SOV_CLI_RUN_SAID_H
#define SOV_CLI_RUN_SAID_H
/* What the end of a run says, whoever drove it: the verbs `run` and `report`. */
#include "cli/verb.h"
#include "providers/providers.h"

#define SOV_RUN_FIELDS                                                                             \
    "id:s? effect:s seqs:a next:s? assignment:s fence:i status:s? category:s? code:s? message:s? " \
    "provider:s? adapter:s? effects:a boundary_violated:b"
/* Lines and data; the call's first word is the assignment. A result without a fence could run. */
void sov_run_said(struct sov_call *call, const struct sov_run_result *result,
                  struct sov_node *data);
#endif
