/* Transactions, and a whole file in the place of another. */
#include <assert.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "base/db_inside.h"

static bool run_fixed(struct sov_db *db, const char *sql, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    return sov_stmt_open(&stmt, db, sql, err) && sov_stmt_run(&stmt, err);
}

static const char begin_write_sql[] = "BEGIN IMMEDIATE", begin_read_sql[] = "BEGIN";
static const char commit_sql[] = "COMMIT", rollback_sql[] = "ROLLBACK";

static bool begin(struct sov_txn *txn, struct sov_db *db, const char *sql, struct sov_error *err)
{
    assert(txn && !txn->open && !db->in_txn);
    if (!sov_db_answers(db, err)) return false;
    sov_pause_anew(&db->pause);
    db->in_txn = true; /* before: BEGIN waits on the deadline of its transaction */
    if (!run_fixed(db, sql, err)) {
        db->in_txn = false;
        return false;
    }
    txn->db = db;
    txn->open = true;
    return true;
}

bool sov_txn_begin(struct sov_txn *txn, struct sov_db *db, struct sov_error *err)
{
    return begin(txn, db, db->mode == SOV_DB_READ ? begin_read_sql : begin_write_sql, err);
}

bool sov_txn_look(struct sov_txn *txn, struct sov_db *db, struct sov_error *err)
{
    return begin(txn, db, begin_read_sql, err);
}

bool sov_txn_commit(struct sov_txn *txn, struct sov_error *err)
{
    struct sov_db *db = txn->db;
    bool done;

    assert(txn->open && db->in_txn && db->pid == getpid() && db->mode != SOV_DB_TRY);
    db->unbegun = true;
    if (!sov_db_answers(db, err) || !sov_db_forget(db, false, err)) return false;
    db->committing = true;
    do done = run_fixed(db, commit_sql, err);
    while (!done && !db->poisoned && strcmp(err->code, "busy") == 0 && sov_pause_once(&db->pause));
    db->committing = false;
    /* Its transaction is still open: the COMMIT has not even begun. */
    db->unbegun = !done && !sqlite3_get_autocommit(db->lib);
    if (!done) return false;
    db->in_txn = false;
    txn->open = false;
    (void)!sov_db_forget(db, true, err); /* it is committed, whatever a reader holds back */
    return true;
}

void sov_txn_end(struct sov_txn *txn)
{
    struct sov_db *db = txn->db;
    struct sov_error kept; /* by the handle */
    int rc = SQLITE_OK;

    if (!txn->open) return;
    assert(db->pid == getpid());
    txn->open = false;
    db->in_txn = false;
    /* Some errors have rolled back by themselves. If this one fails, closing does it, or the
     * journal: nothing else may be begun in what is still open. */
    if (!sqlite3_get_autocommit(db->lib))
        rc = sqlite3_exec(db->lib, rollback_sql, NULL, NULL, NULL);
    if (rc != SQLITE_OK && !db->poisoned) (void)sov_db_fail(db, rc, &kept);
}

bool sov_db_is_undone(struct sov_db *db, const char *sql, int64_t before)
{
    sqlite3_stmt *made = NULL;
    bool undone;
    int rc;

    assert(!db->in_txn);
    if (db->unbegun) return true;
    rc = sqlite3_prepare_v2(db->lib, sql, -1, &made, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_step(made);
    if (rc == SQLITE_ROW)
        undone = sqlite3_column_int64(made, 0) == before;
    else /* whoever reads writes only to roll back what was interrupted: it waits for that */
        undone = rc == SQLITE_FULL || rc == SQLITE_IOERR_WRITE || rc == SQLITE_IOERR_FSYNC ||
                 rc == SQLITE_IOERR_TRUNCATE;
    sqlite3_finalize(made);
    return undone;
}

bool sov_db_copy(struct sov_db *to, struct sov_db *from, struct sov_error *err)
{
    enum { SLICE = 2048, SLICES = 64 };
    sqlite3_backup *copy = sqlite3_backup_init(to->lib, "main", from->lib, "main");
    int rc, turns = 0;
    char mode[16];

    if (!copy) return sov_db_fail(to, sqlite3_extended_errcode(to->lib), err);
    sov_pause_anew(&from->pause);
    do {
        int enough = SLICES + 2 * (sqlite3_backup_pagecount(copy) / SLICE);

        /* Each commit of another makes it begin anew: at last nobody is let in between. */
        rc = sqlite3_backup_step(copy, turns++ < enough ? SLICE : -1);
    } while (rc == SQLITE_OK || (rc == SQLITE_BUSY && sov_pause_once(&from->pause)));
    (void)sqlite3_backup_finish(copy);
    if (rc != SQLITE_DONE) return sov_db_fail((rc & 0xff) == SQLITE_BUSY ? from : to, rc, err);
    return sov_db_ask(to, "PRAGMA main.journal_mode = DELETE", mode, sizeof mode, err);
}
