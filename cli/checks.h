#ifndef SOV_CLI_CHECKS_H
#define SOV_CLI_CHECKS_H
/* Check specs as they are typed, and running the declared checks of an outcome from the top of the
 * working tree. */
#include "cli/verb.h"

enum { SOV_SPECS_MAX = 256 << 10 };

/* A spec as JSON, or @FILE, appended in canonical form. */
SOV_MUST_USE bool sov_spec_read(struct sov_call *call, const char *spec, struct sov_buf *out,
                                struct sov_error *err);
/* Runs them against the ledger and the working tree. */
SOV_MUST_USE bool sov_look(struct sov_call *call, int64_t outcome,
                           struct sov_observations *observations_out, struct sov_error *err);
#endif
