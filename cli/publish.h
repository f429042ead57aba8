#ifndef SOV_CLI_PUBLISH_H
#define SOV_CLI_PUBLISH_H
/* Publication from the command line: the views of the working tree, then the pin. */
#include "cli/verb.h"
#include "projections/projections.h"

/* Publishes or restores, moves the pin, and says so. The ledger is open; a clone's pin stays. */
SOV_MUST_USE bool sov_publish_tree(struct sov_call *call, enum sov_publishing what, bool dry,
                                   struct sov_published *published_out, struct sov_error *err);
/* If a publication was interrupted it is finished; a row is added for each path. */
SOV_MUST_USE bool sov_publication_finish(struct sov_call *call, bool dry, struct sov_node *rows,
                                         struct sov_error *err);
/* The published size of the working tree; 0: none. */
SOV_MUST_USE bool sov_published_size(struct sov_call *call, int64_t *size_out,
                                     struct sov_error *err);
#endif
