#ifndef SOV_CLI_RUN_PAGES_H
#define SOV_CLI_RUN_PAGES_H
/* Pages that were published while a run went on: no work of the provider's. */
#include "cli/verb.h"
#include "providers/providers.h"

/* As struct sov_run_pages asks; self is the call. Every file under governance/ that is exactly what
 * this ledger says at the published size; none if nothing is published. */
SOV_MUST_USE bool sov_run_pages_list(void *self, struct sov_arena *arena,
                                     const struct sov_boundary_page **pages_out, size_t *count_out,
                                     struct sov_error *err);
#endif
