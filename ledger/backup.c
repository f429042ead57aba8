#include "ledger/backup.h"

#include "base/place.h"
#include "ledger/handle.h"
#include "ledger/log.h"

bool sov_ledger_backup(const struct sov_ledger *ledger, const char *home, struct sov_error *err)
{
    struct sov_db_options options =
        sov_ledger_db_options(SOV_DB_CREATE, &ledger->seams, ledger->wait_ms);
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    SOV_CLEANUP(sov_db_end) struct sov_db *copy = NULL;

    if (ledger->copy)
        return sov_fail(err, SOV_ABSENT, "no_ledger", "a published log is no ledger file");
    sov_arena_init(&arena, 16384);
    options.migration_count = 0; /* schema and stamp are copied, too */
    return sov_folder_open(&folder, home, err) &&
           sov_db_open(sov_arena_printf(&arena, "%s/%s", home, SOV_LEDGER_FILE), &options, &copy,
                       err) &&
           sov_file_set_mode(&folder, SOV_LEDGER_FILE, 0600, err) &&
           sov_db_copy(copy, ledger->db, err);
}
