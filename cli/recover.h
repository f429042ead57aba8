#ifndef SOV_CLI_RECOVER_H
#define SOV_CLI_RECOVER_H
/* `recover --from`: a lost ledger, made again. Owns: where the source is found, how it is judged,
 * and the confirmation. Not here: the making (ledger/restore.h), what comes after (verb_recover.c).
 */
#include "cli/report.h"

struct sov_recovery {
    struct sov_report source; /* what was found wrong with it: then nothing was made */
    struct sov_restored restored;
    bool made; /* or, of a dry run, would be */
};
SOV_MUST_USE bool sov_recover_from(struct sov_call *call, struct sov_recovery *recovery_out,
                                   struct sov_error *err);
#endif
