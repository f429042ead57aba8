#include "base/db.h"

#include <assert.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/db_inside.h"

/* ---- errors ---- */

/* Behind a failed COMMIT the library has not asked, and no call has failed since the one that did.
 */
static int system_error(sqlite3 *lib)
{
    int number = sqlite3_system_errno(lib);

    /* Elsewhere errno is of some call long before. */
    if (!number && (sqlite3_errcode(lib) & 0xff) == SQLITE_IOERR) number = errno;
    return number;
}

static bool no_room_left(sqlite3 *lib)
{
    int error = system_error(lib);

    return error == ENOSPC || error == EDQUOT;
}

/* What the disk did to us: nothing after it can be believed, so the handle remembers. */
static bool poison(struct sov_db *db, enum sov_exit exit, const char *code, struct sov_error *err)
{
    int number = system_error(db->lib);
    char text[300];

    snprintf(text, sizeof text, "%s (sqlite %d%s%s)", sqlite3_errmsg(db->lib),
             sqlite3_extended_errcode(db->lib), number ? ", " : "", number ? strerror(number) : "");
    return sov_db_poison(db, exit, code, text, err);
}

static bool fail_constraint(struct sov_db *db, int rc, struct sov_error *err)
{
    const char *text = sqlite3_errmsg(db->lib);

    if (rc == SQLITE_CONSTRAINT_COMMITHOOK)
        return sov_fail(err, SOV_INTEGRITY, "refused_by_schema",
                        "a commit outside of the transaction function");
    if (rc == SQLITE_CONSTRAINT_TRIGGER && sov_db_ends_with(text, "stale fence"))
        return sov_fail(err, SOV_CONFLICT, "stale_fence", "%s", text);
    return sov_fail(err, SOV_INTEGRITY, "refused_by_schema", "%s", text);
}

static bool fail_readonly(struct sov_db *db, int rc, struct sov_error *err)
{
    if (rc == SQLITE_READONLY_DBMOVED) return poison(db, SOV_UNABLE, "io_error", err);
    if (rc == SQLITE_READONLY_ROLLBACK || rc == SQLITE_READONLY_RECOVERY ||
        rc == SQLITE_READONLY_CANTINIT || rc == SQLITE_READONLY_CANTLOCK)
        return sov_fail(err, SOV_UNABLE, "needs_recovery",
                        "%s: an interrupted write must be rolled back by a writer first", db->path);
    return sov_fail(err, SOV_INTEGRITY, "refused_by_schema", "%s", sqlite3_errmsg(db->lib));
}

static bool fail_lib(struct sov_db *db, int rc, struct sov_error *err)
{
    switch (rc & 0xff) {
    case SQLITE_NOMEM:
        abort();
    case SQLITE_BUSY:
    case SQLITE_PROTOCOL:
        if (sov_pause_stopped(&db->pause, err)) return false;
        return sov_fail(err, SOV_UNABLE, "busy", "%s: %s after waiting %lld ms", db->path,
                        sqlite3_errmsg(db->lib), (long long)sov_pause_waited_ms(&db->pause));
    case SQLITE_FULL:
        return poison(db, SOV_UNABLE, "disk_full", err);
    case SQLITE_IOERR:
        if (rc == SQLITE_IOERR_NOMEM) abort();
        return poison(db, SOV_UNABLE, no_room_left(db->lib) ? "disk_full" : "io_error", err);
    case SQLITE_CANTOPEN: /* a journal, the file itself is open: a reader may make none */
        if (db->mode == SOV_DB_READ && sqlite3_system_errno(db->lib) == ENOENT)
            return fail_readonly(db, SQLITE_READONLY_CANTINIT, err);
        return poison(db, SOV_UNABLE, no_room_left(db->lib) ? "disk_full" : "io_error", err);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: /* also said of a schema of which a page could not be read */
        if (errno && errno != ENOENT) return poison(db, SOV_UNABLE, "io_error", err);
        return poison(db, SOV_INTEGRITY, "corrupt", err);
    case SQLITE_READONLY:
        return fail_readonly(db, rc, err);
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
        return fail_constraint(db, rc, err);
    case SQLITE_AUTH:
        return sov_fail(err, SOV_INTEGRITY, "refused_by_schema", "authorizer: %s",
                        sqlite3_errmsg(db->lib));
    default: /* SQLite's codes: the statement does not fit the schema of this file */
        return sov_fail(err, SOV_INTEGRITY, "schema", "%s: %s (sqlite %d)", db->path,
                        sqlite3_errmsg(db->lib), rc);
    }
}

static int on_busy(void *arg, int count)
{
    struct sov_db *db = arg;

    (void)count;
    return sov_pause_once(&db->pause);
}

/* ---- the law on the connection ---- */

static int deny_if(bool wrong)
{
    return wrong ? SQLITE_DENY : SQLITE_OK;
}

/* Lists what is allowed: whatever SQLite learns later is denied until someone thought about it. */
static int seal(void *arg, int action, const char *a, const char *b, const char *schema,
                const char *trigger)
{
    struct sov_db *db = arg;
    bool internal = a && strncmp(a, "sqlite_", 7) == 0;

    (void)schema;
    (void)trigger;
    if (db->lifted) return SQLITE_OK;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE:
    case SQLITE_TRANSACTION: /* a COMMIT still has to pass the hook */
        return SQLITE_OK;
    case SQLITE_INSERT:
        return deny_if(internal);
    case SQLITE_UPDATE:
        db->erases |= sov_db_listed(db->law->erasable, a, b ? b : "");
        return deny_if(internal || (sov_db_listed(db->law->frozen, a, NULL) &&
                                    !sov_db_listed(db->law->erasable, a, b ? b : "")));
    case SQLITE_DELETE:
        return deny_if(internal || sov_db_listed(db->law->frozen, a, NULL));
    default: /* SQLite's codes: DROP, ALTER, ATTACH, PRAGMA, TEMP and whatever it learns later */
        return SQLITE_DENY;
    }
}

/* ---- statements ---- */

static bool answers(struct sov_db *db, struct sov_error *err)
{
    /* Inside a transaction its beginning and its commit have looked: a look is a system call, and
     * there it would cost more than the statement. */
    assert(db && err && (db->in_txn || db->pid == getpid()));
    errno = 0;
    return db->poisoned ? sov_db_fail_poisoned(db, err) : true;
}

static bool prepare(struct sov_db *db, const char *sql, unsigned flags, sqlite3_stmt **stmt_out,
                    struct sov_error *err)
{
    const char *tail = NULL;
    int rc = sqlite3_prepare_v3(db->lib, sql, -1, flags, stmt_out, &tail);

    if (rc != SQLITE_OK) return fail_lib(db, rc, err);
    assert(*stmt_out && strspn(tail, " \n;") == strlen(tail)); /* one statement */
    return true;
}

struct sov_db_origin sov_db_origin(const struct sov_db *db, sqlite3_stmt *made, int n)
{
    struct sov_db_origin origin = { .table = sqlite3_column_table_name(made, n),
                                    .column = sqlite3_column_origin_name(made, n) };
    int required = 0;

    if (!origin.table || !origin.column) return (struct sov_db_origin){ 0 };
    if (sqlite3_table_column_metadata(db->lib, "main", origin.table, origin.column, &origin.type,
                                      NULL, &required, NULL, NULL) != SQLITE_OK)
        return (struct sov_db_origin){ 0 };
    origin.required = required;
    return origin;
}

bool sov_stmt_open(struct sov_stmt *stmt, struct sov_db *db, const char *sql, struct sov_error *err)
{
    struct sov_db_entry *entry;
    sqlite3_stmt *made = NULL;
    bool known;

    assert(stmt && !stmt->entry && sql);
    if (!answers(db, err)) return false;
    entry = sov_db_entry_find(db, sql);
    known = entry != NULL;
    if (!entry || entry->taken) {
        if (!prepare(db, sql, SQLITE_PREPARE_PERSISTENT, &made, err)) return false;
        entry = sov_alloc(sizeof *entry);
        entry->stmt = made;
        entry->columns = sov_db_columns(db, made, sqlite3_column_count(made));
        if (!known) {
            entry->sql = sql;
            sov_db_entry_keep(db, entry);
        }
    }
    entry->taken = true;
    entry->changes = 0;
    stmt->db = db;
    stmt->entry = entry;
    return true;
}

void sov_stmt_close(struct sov_stmt *stmt)
{
    struct sov_db_entry *entry = stmt->entry;

    if (!entry) return;
    stmt->entry = NULL;
    if (!entry->sql) {
        sqlite3_finalize(entry->stmt);
        sov_free(entry->columns);
        sov_free(entry);
        return;
    }
    /* Its status repeats an error that was already told. Bindings are borrowed: let go of them. */
    (void)sqlite3_reset(entry->stmt);
    (void)sqlite3_clear_bindings(entry->stmt);
    entry->taken = false;
}

static sqlite3_stmt *of(const struct sov_stmt *stmt)
{
    const struct sov_db_entry *entry = stmt->entry;

    assert(entry);
    return entry->stmt;
}

static void bound(int rc)
{
    if (rc == SQLITE_NOMEM) abort();
    assert(rc == SQLITE_OK); /* else: no such parameter, or a row is still open */
}

void sov_bind_int(struct sov_stmt *stmt, int n, int64_t value)
{
    bound(sqlite3_bind_int64(of(stmt), n, value));
}

void sov_bind_null(struct sov_stmt *stmt, int n)
{
    bound(sqlite3_bind_null(of(stmt), n));
}

void sov_bind_text(struct sov_stmt *stmt, int n, struct sov_bytes text)
{
    bound(sqlite3_bind_text64(of(stmt), n, (const char *)text.data, text.size, SQLITE_STATIC,
                              SQLITE_UTF8));
}

void sov_bind_blob(struct sov_stmt *stmt, int n, struct sov_bytes blob)
{
    bound(sqlite3_bind_blob64(of(stmt), n, blob.data, blob.size, SQLITE_STATIC));
}

bool sov_stmt_row(struct sov_stmt *stmt, bool *found_out, struct sov_error *err)
{
    struct sov_db *db = stmt->db;
    sqlite3_stmt *made = of(stmt);
    int rc;

    if (db->poisoned) return sov_db_fail_poisoned(db, err);
    /* Only the first row of a statement waits for a lock; the others hold it. */
    if (!db->in_txn && !sqlite3_stmt_busy(made)) sov_pause_anew(&db->pause);
    errno = 0;
    rc = sqlite3_step(made);
    if (rc == SQLITE_ROW || rc == SQLITE_DONE) {
        if (rc == SQLITE_ROW && !sov_db_row_fits(stmt, err)) {
            (void)sqlite3_reset(made);
            return false;
        }
        *found_out = rc == SQLITE_ROW;
        if (rc == SQLITE_DONE) (void)sqlite3_reset(made);
        return true;
    }
    (void)fail_lib(db, rc, err);
    (void)sqlite3_reset(made);
    return false;
}

bool sov_stmt_run(struct sov_stmt *stmt, struct sov_error *err)
{
    struct sov_db_entry *entry = stmt->entry;
    bool found;

    if (!sov_stmt_row(stmt, &found, err)) return false;
    assert(!found);
    entry->changes = sqlite3_stmt_readonly(entry->stmt) ? 0 : sqlite3_changes64(stmt->db->lib);
    return true;
}

int64_t sov_column_int(const struct sov_stmt *stmt, int n)
{
    return sqlite3_column_int64(of(stmt), n);
}

bool sov_column_is_null(const struct sov_stmt *stmt, int n)
{
    return sqlite3_column_type(of(stmt), n) == SQLITE_NULL;
}

struct sov_bytes sov_column_text(const struct sov_stmt *stmt, int n)
{
    sqlite3_stmt *made = of(stmt);
    const void *text;

    if (sqlite3_column_type(made, n) == SQLITE_NULL) return sov_bytes(NULL, 0);
    text = sqlite3_column_text(made, n);
    if (!text) abort();
    return sov_bytes(text, (size_t)sqlite3_column_bytes(made, n));
}

struct sov_bytes sov_column_blob(const struct sov_stmt *stmt, int n)
{
    sqlite3_stmt *made = of(stmt);
    const void *blob;

    if (sqlite3_column_type(made, n) == SQLITE_NULL) return sov_bytes(NULL, 0);
    blob = sqlite3_column_blob(made, n);
    /* SQLite gives no pointer for an empty one, and that would read as NULL. */
    return blob ? sov_bytes(blob, (size_t)sqlite3_column_bytes(made, n)) : sov_bytes("", 0);
}

int sov_column_count(const struct sov_stmt *stmt)
{
    return sqlite3_column_count(of(stmt));
}

struct sov_bytes sov_column_any(const struct sov_stmt *stmt, int n, int *class_out,
                                int64_t *integer)
{
    sqlite3_stmt *made = of(stmt);
    const void *blob;

    *class_out = sqlite3_column_type(made, n);
    if (*class_out == SQLITE_NULL) return sov_bytes(NULL, 0);
    if (*class_out == SQLITE_INTEGER) {
        *integer = sqlite3_column_int64(made, n);
        return sov_bytes(integer, sizeof *integer);
    }
    blob = sqlite3_column_blob(made, n);
    return blob ? sov_bytes(blob, (size_t)sqlite3_column_bytes(made, n)) : sov_bytes("", 0);
}

bool sov_db_exec(struct sov_db *db, const char *sql, struct sov_error *err)
{
    sqlite3_stmt *made = NULL;
    int rc;

    assert(sql);
    if (!answers(db, err) || !prepare(db, sql, 0, &made, err)) return false;
    if (!db->in_txn) sov_pause_anew(&db->pause);
    do rc = sqlite3_step(made);
    while (rc == SQLITE_ROW);
    if (rc != SQLITE_DONE) (void)fail_lib(db, rc, err);
    sqlite3_finalize(made);
    return rc == SQLITE_DONE;
}

/* ---- past the seal ---- */

bool sov_db_ask(struct sov_db *db, const char *sql, char *text_out, size_t room,
                struct sov_error *err)
{
    sqlite3_stmt *made = NULL;
    int rc = SQLITE_ERROR;

    if (!answers(db, err)) return false;
    db->lifted++;
    if (prepare(db, sql, 0, &made, err)) {
        if (!db->in_txn) sov_pause_anew(&db->pause);
        rc = sqlite3_step(made);
        if (rc == SQLITE_ROW)
            snprintf(text_out, room, "%s", (const char *)sqlite3_column_text(made, 0));
        else if (rc == SQLITE_DONE)
            snprintf(text_out, room, "0");
        else
            (void)fail_lib(db, rc, err);
        sqlite3_finalize(made);
    }
    db->lifted--;
    return rc == SQLITE_ROW || rc == SQLITE_DONE;
}

bool sov_db_exec_all(struct sov_db *db, const char *sql, struct sov_error *err)
{
    int rc;

    if (!answers(db, err)) return false;
    db->lifted++;
    rc = sqlite3_exec(db->lib, sql, NULL, NULL, NULL);
    db->lifted--;
    return rc == SQLITE_OK ? true : fail_lib(db, rc, err);
}

/* ---- transactions ---- */

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
    if (!answers(db, err)) return false;
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
    if (!answers(db, err) || !sov_db_forget(db, false, err)) return false;
    db->committing = true;
    do done = run_fixed(db, commit_sql, err);
    while (!done && !db->poisoned && strcmp(err->code, "busy") == 0 && sov_pause_once(&db->pause));
    db->committing = false;
    if (!done) return false;
    db->in_txn = false;
    txn->open = false;
    (void)!sov_db_forget(db, true, err); /* it is committed, whatever a reader holds back */
    return true;
}

void sov_txn_end(struct sov_txn *txn)
{
    struct sov_db *db = txn->db;

    if (!txn->open) return;
    assert(db->pid == getpid());
    txn->open = false;
    db->in_txn = false;
    /* Some errors have rolled back by themselves. If this one fails, the journal does it. */
    if (!sqlite3_get_autocommit(db->lib))
        (void)sqlite3_exec(db->lib, rollback_sql, NULL, NULL, NULL);
}

bool sov_db_is_undone(struct sov_db *db, const char *sql, int64_t before)
{
    sqlite3_stmt *made = NULL;
    int rc = sqlite3_prepare_v2(db->lib, sql, -1, &made, NULL);
    bool undone;

    assert(!db->in_txn);
    if (rc == SQLITE_OK) rc = sqlite3_step(made);
    if (rc == SQLITE_ROW)
        undone = sqlite3_column_int64(made, 0) == before;
    else /* whoever reads writes only to roll back what was interrupted: it waits for that */
        undone = rc == SQLITE_FULL || rc == SQLITE_IOERR_WRITE || rc == SQLITE_IOERR_FSYNC ||
                 rc == SQLITE_IOERR_TRUNCATE;
    sqlite3_finalize(made);
    return undone;
}

/* ---- all of it ---- */

bool sov_db_copy(struct sov_db *to, struct sov_db *from, struct sov_error *err)
{
    enum { SLICE = 2048, SLICES = 64 };
    sqlite3_backup *copy = sqlite3_backup_init(to->lib, "main", from->lib, "main");
    int rc, turns = 0;
    char mode[16];

    if (!copy) return fail_lib(to, sqlite3_extended_errcode(to->lib), err);
    sov_pause_anew(&from->pause);
    do {
        int enough = SLICES + 2 * (sqlite3_backup_pagecount(copy) / SLICE);

        /* Each commit of another makes it begin anew: at last nobody is let in between. */
        rc = sqlite3_backup_step(copy, turns++ < enough ? SLICE : -1);
    } while (rc == SQLITE_OK || (rc == SQLITE_BUSY && sov_pause_once(&from->pause)));
    (void)sqlite3_backup_finish(copy);
    if (rc != SQLITE_DONE) return fail_lib((rc & 0xff) == SQLITE_BUSY ? from : to, rc, err);
    return sov_db_ask(to, "PRAGMA main.journal_mode = DELETE", mode, sizeof mode, err);
}

/* ---- opening ---- */

const char *sov_db_journal_mode(const struct sov_db *db)
{
    return db->journal;
}

const char *sov_db_library_version(void)
{
    return sqlite3_libversion();
}

int sov_db_library_number(void)
{
    return sqlite3_libversion_number();
}

const char *sov_db_library_source(void)
{
    return sqlite3_sourceid();
}

static bool set_switches(struct sov_db *db, struct sov_error *err)
{
    const struct {
        int which, want;
        const char *name;
    } switches[] = {
        { SQLITE_DBCONFIG_DEFENSIVE, 1, "defensive mode" },
        { SQLITE_DBCONFIG_ENABLE_FKEY, 1, "foreign keys" },
        { SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, "triggers" },
        { SQLITE_DBCONFIG_ENABLE_VIEW, 1, "views" },
        { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, "trusted schema" },
        { SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, "writable schema" },
        { SQLITE_DBCONFIG_DQS_DML, 0, "double-quoted strings" },
        { SQLITE_DBCONFIG_DQS_DDL, 0, "double-quoted strings in a schema" },
        { SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, "extensions" },
        { SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 0, "legacy ALTER TABLE" },
        { SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, db->mode == SOV_DB_TRY, "checkpoints kept for others" },
    };

    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        int got = -1, rc = sqlite3_db_config(db->lib, switches[i].which, switches[i].want, &got);

        if (rc != SQLITE_OK || got != switches[i].want)
            return sov_fail(err, SOV_UNABLE, "io_error", "%s: cannot switch %s %s", db->path,
                            switches[i].name, switches[i].want ? "on" : "off");
    }
    (void)sqlite3_limit(db->lib, SQLITE_LIMIT_ATTACHED, 0);
    /* Each insert runs the triggers, and each trigger takes a frame larger than a default slot:
     * without room for it here, that is two turns of the heap an event. */
    (void)sqlite3_db_config(db->lib, SQLITE_DBCONFIG_LOOKASIDE, NULL, 4096, 64);
    return true;
}

static bool fail_open(const char *path, int rc, int error, struct sov_error *err)
{
    int kind = rc & 0xff;

    if (kind == SQLITE_NOMEM) abort();
    if (rc == SQLITE_CANTOPEN_SYMLINK || rc == SQLITE_OK_SYMLINK)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "a link stands in the way to %s", path);
    if (kind == SQLITE_CANTOPEN && (error == ENOENT || error == ENOTDIR))
        return sov_fail(err, SOV_ABSENT, "no_such_file", "no file %s", path);
    if (error == ENOSPC || error == EDQUOT)
        return sov_fail(err, SOV_UNABLE, "disk_full", "cannot make %s: disk full", path);
    return sov_fail(err, SOV_UNABLE, "io_error", "cannot open %s: %s (sqlite %d)", path,
                    error ? strerror(error) : sqlite3_errstr(rc), rc);
}

/* sqlite3_open_v2 would take an existing file for a new one, so the file system is asked itself. */
static bool create_new(const char *path, const char *vfs_name, struct sov_error *err)
{
    static const int flags = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                             SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_NOFOLLOW;
    sqlite3_vfs *vfs = sqlite3_vfs_find(vfs_name);
    sqlite3_file *file;
    char *full;
    const char *name;
    int rc, error = 0, got = 0;

    assert(vfs);
    full = sov_alloc((size_t)vfs->mxPathname + 1);
    rc = vfs->xFullPathname(vfs, path, vfs->mxPathname, full);
    name = sqlite3_create_filename(full, "", "", 0, NULL);
    file = sov_alloc((size_t)vfs->szOsFile);
    if (!name) abort();
    if (rc == SQLITE_OK) {
        rc = vfs->xOpen(vfs, name, file, flags, &got);
        error = rc != SQLITE_OK && vfs->xGetLastError ? vfs->xGetLastError(vfs, 0, NULL) : 0;
        if (file->pMethods) file->pMethods->xClose(file);
    }
    sqlite3_free_filename(name);
    sov_free(file);
    sov_free(full);
    if (rc != SQLITE_OK) return fail_open(path, rc, error, err);
    if (!(got & SQLITE_OPEN_READWRITE)) /* the existing file, opened as second choice */
        return sov_fail(err, SOV_CONFLICT, "exists", "%s is there already", path);
    return true;
}

static bool open_lib(struct sov_db *db, const struct sov_db_options *options, struct sov_error *err)
{
    bool memory = db->mode == SOV_DB_MEMORY;
    int flags = SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX;
    char *uri;
    int rc;

    if (!memory && !sov_db_place_check(db->path, db->mode, err)) return false;
    if (db->mode == SOV_DB_CREATE && !create_new(db->path, options->vfs, err)) return false;
    uri = memory ? sov_alloc_text(":memory:") : sov_db_uri(db->path, db->mode);
    flags |= memory ? 0 : SQLITE_OPEN_URI;
    flags |= db->mode == SOV_DB_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    rc = sqlite3_open_v2(uri, &db->lib, flags, options->vfs);
    sov_free(uri);
    if (!db->lib) abort();
    if (rc != SQLITE_OK) return fail_open(db->path, rc, sqlite3_system_errno(db->lib), err);
    if (db->mode != SOV_DB_READ && sqlite3_db_readonly(db->lib, "main") != 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "%s may not be written", db->path);
    (void)sqlite3_extended_result_codes(db->lib, 1);
    (void)sqlite3_busy_handler(db->lib, on_busy, db);
    (void)sqlite3_commit_hook(db->lib, sov_db_on_commit, db);
    return true;
}

/* A reader is told what a writer would heal. */
static bool is_whole(const char *path, const struct sov_db_options *options, struct sov_error *err)
{
    SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;
    struct sov_db_options reader = *options;

    reader.mode = SOV_DB_READ;
    return sov_db_open(path, &reader, &db, err);
}

bool sov_db_open(const char *path, const struct sov_db_options *options, struct sov_db **db_out,
                 struct sov_error *err)
{
    SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;
    int keep = 1; /* a WAL that is always there: a reader has nothing to create */
    bool fresh;

    assert(options && db_out && err && (path || options->mode == SOV_DB_MEMORY));
    fresh = options->mode == SOV_DB_CREATE || options->mode == SOV_DB_MEMORY;
    if (options->mode == SOV_DB_TRY && !is_whole(path, options, err)) return false;
    db = sov_alloc(sizeof *db);
    db->path = sov_alloc_text(options->mode == SOV_DB_MEMORY ? "memory" : path);
    db->pid = getpid();
    db->mode = options->mode;
    db->law = options->law;
    sov_pause_init(&db->pause, options->busy_ms);
    if (!open_lib(db, options, err) || !set_switches(db, err) || !sov_db_set_all(db, options, err))
        return false;
    if (db->mode != SOV_DB_READ)
        (void)sqlite3_file_control(db->lib, "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
    if (fresh && !sov_db_migrate(db, options, err)) return false;
    if (!sov_db_check_stamp(db, options->migration_count, err)) return false;
    if (db->law) (void)sqlite3_set_authorizer(db->lib, seal, db);
    *db_out = db;
    db = NULL;
    return true;
}

void sov_db_close(struct sov_db *db)
{
    int rc;

    if (!db) return;
    assert(db->pid == getpid() && !db->in_txn);
    for (size_t i = 0; i < db->room; i++) {
        if (!db->table[i]) continue;
        assert(!db->table[i]->taken);
        sqlite3_finalize(db->table[i]->stmt);
        sov_free(db->table[i]->columns);
        sov_free(db->table[i]);
    }
    rc = sqlite3_close(db->lib);
    assert(rc == SQLITE_OK); /* else a statement of the caller is still open */
    (void)rc;
    sov_free(db->table);
    sov_free(db->path);
    sov_free(db);
}
