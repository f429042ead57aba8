#ifndef SOV_LEDGER_BACKUP_H
#define SOV_LEDGER_BACKUP_H
/*
 * A copy of the whole ledger file, made while others go on writing. Owns: the copying. Not here:
 * whether what was copied is true (verify/), where it ends up (cli/).
 */
#include "base/arena.h"
#include "base/error.h"

struct sov_ledger;

/* Into `home`, an empty folder named by its real path: like a .sovereign then, with nothing but the
 * ledger in it, of mode 0600. A clone has no file to copy: no_ledger (3). */
SOV_MUST_USE bool sov_ledger_backup(const struct sov_ledger *ledger, const char *home,
                                    struct sov_error *err);
#endif
