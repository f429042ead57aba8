#ifndef SOV_VERIFY_KEPT_H
#define SOV_VERIFY_KEPT_H
/* Deliverables that still lie in the folder of their run, compared with what the receipt binds: the
 * half of gate 20 that the ledger cannot see. A folder that was reclaimed is no difference. */
#include "base/file.h"
#include "ledger/ledger.h"

/* Of the current executions of an outcome's SOWs that count; `home` is the open .sovereign. In the
 * arena. Fails only if ledger or folder cannot be read at all. */
SOV_MUST_USE bool sov_kept_changes(const struct sov_ledger *ledger, int64_t outcome,
                                   const struct sov_folder *home, struct sov_arena *arena,
                                   const struct sov_workspace_change **changes_out,
                                   size_t *count_out, struct sov_error *err);
#endif
