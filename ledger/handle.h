#ifndef SOV_LEDGER_HANDLE_H
#define SOV_LEDGER_HANDLE_H
/* Making a handle, for the founding and for folds in memory. Private to ledger/. */
#include "base/db.h"
#include "base/file.h"
#include "ledger/ledger.h"

#define SOV_LEDGER_FILE "organization.db"
#define SOV_LEDGER_FILE_NEW "organization.db.new"

struct sov_db_options sov_ledger_db_options(enum sov_db_mode mode, const struct sov_seams *seams,
                                            int64_t wait_ms);
struct sov_ledger *sov_ledger_new(const struct sov_places *places, const struct sov_seams *seams,
                                  int64_t wait_ms, bool writes);
/* What a founding or a first import that was killed left: no ledger, for it never got its name. */
SOV_MUST_USE bool sov_ledger_leftovers_remove(const struct sov_folder *home, struct sov_error *err);
/* Origin line and key name of checkpoints: the name in a-z 0-9 -, a slash, the ledger id. */
void sov_origin_write(const char *name, const struct sov_hash *id, char *origin_out, size_t room);
#endif
