/* A connection: opened, set, sealed, closed. */
#include "base/db.h"

#include <assert.h>
#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/db_inside.h"
#include "base/file.h"

enum { DB_FILE_MODE = 0600 }; /* its journal takes it over */

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

    if (kind == SQLITE_NOMEM || rc == SQLITE_IOERR_NOMEM)
        return sov_fail(err, SOV_UNABLE, "no_memory", "%s: SQLite got no memory", path);
    if (rc == SQLITE_CANTOPEN_SYMLINK || rc == SQLITE_OK_SYMLINK)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "a link stands in the way to %s", path);
    if (kind == SQLITE_CANTOPEN && (error == ENOENT || error == ENOTDIR))
        return sov_fail(err, SOV_ABSENT, "no_such_file", "no file %s", path);
    if (error == ENOSPC || error == EDQUOT || error == EFBIG)
        return sov_fail(err, SOV_UNABLE, "disk_full", "cannot make %s: disk full", path);
    return sov_fail(err, SOV_UNABLE, "io_error", "cannot open %s: %s (sqlite %d)", path,
                    error ? strerror(error) : sqlite3_errstr(rc), rc);
}

/* SQLite would take an existing file for a new one; and what it cannot make it asks for again, only
 * to read it, which loses why. */
static bool create_new(const char *path, const char *vfs_name, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    sqlite3_vfs *vfs = sqlite3_vfs_find(vfs_name);
    const char *name = strrchr(path, '/');
    char *full, *parent;
    bool ok;
    int rc;

    /* An unknown name is a caller's bug; else the library could not begin. */
    assert(vfs || !vfs_name);
    if (!vfs) return fail_open(path, SQLITE_NOMEM, 0, err);
    full = sov_alloc((size_t)vfs->mxPathname + 1);
    rc = vfs->xFullPathname(vfs, path, vfs->mxPathname, full); /* a link on the way is told here */
    sov_free(full);
    if (rc != SQLITE_OK) return fail_open(path, rc, 0, err);
    parent = sov_db_parent(path);
    if (!sov_db_is_folder(parent))
        ok = fail_open(path, SQLITE_CANTOPEN, ENOENT, err);
    else
        ok = sov_folder_open(&folder, parent, err) &&
             sov_file_create(&folder, name ? name + 1 : path, DB_FILE_MODE, sov_bytes("", 0), err);
    sov_free(parent);
    return ok;
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
    if (!db->lib) rc = SQLITE_NOMEM;
    if (rc != SQLITE_OK)
        return fail_open(db->path, rc, db->lib ? sqlite3_system_errno(db->lib) : 0, err);
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
