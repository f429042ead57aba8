#ifndef SOV_CLI_SELF_OPTIONS_H
#define SOV_CLI_SELF_OPTIONS_H
/* The flags of one that drives itself: `claim start` and `report`. */
#include "cli/verb.h"
#include "providers/providers.h"

/* All but actor and pages. verb_report.c */
SOV_MUST_USE bool sov_self_options_of(struct sov_call *call, struct sov_self_options *options_out,
                                      struct sov_error *err);
#endif
