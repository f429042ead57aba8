#include "base/db.h"

#include <assert.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/db_schema.sql.h"
#include "base/pause.h"

enum {
    APPLICATION_ID = 0x736f7631, /* "sov1" */
    PAGE_CACHE_KIB = 8 * 1024,
    PAGE_SIZE = 4096,
    JOURNAL_SIZE_MAX = 32 * 1024 * 1024, /* what a long transaction may leave behind */
    FIRST_ROOM = 64
};

struct entry {
    const char *sql; /* the key; NULL for a second statement of the same text */
    sqlite3_stmt *stmt;
    bool taken;
    int64_t changes;
};

struct sov_db {
    sqlite3 *lib;
    char *path;
    pid_t pid;
    enum sov_db_mode mode;
    const struct sov_db_law *law;
    unsigned lifted; /* base's own fixed statements are running: the seal lets them pass */
    bool in_txn, committing;
    struct sov_pause pause;
    bool poisoned;
    struct sov_error poison;
    struct entry **table; /* open addressing by the address of the text; a power of two */
    size_t room, count;
    char journal[16];
};

/* ---- errors ---- */

static bool no_room_left(sqlite3 *lib)
{
    int error = sqlite3_system_errno(lib);

    return error == ENOSPC || error == EDQUOT;
}

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);

    return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

static bool fail_poisoned(const struct sov_db *db, struct sov_error *err)
{
    return sov_fail(err, db->poison.exit, db->poison.code, "%s", db->poison.what);
}

/* What the disk did to us: nothing after it can be believed, so the handle remembers. */
static bool poison(struct sov_db *db, enum sov_exit exit, const char *code, struct sov_error *err)
{
    int rc = sqlite3_extended_errcode(db->lib), number = sqlite3_system_errno(db->lib);

    db->poisoned = true;
    sov_error_set(&db->poison, exit, code, "%s: %s (sqlite %d%s%s)", db->path,
                  sqlite3_errmsg(db->lib), rc, number ? ", " : "", number ? strerror(number) : "");
    return fail_poisoned(db, err);
}

static bool fail_constraint(struct sov_db *db, int rc, struct sov_error *err)
{
    const char *text = sqlite3_errmsg(db->lib);

    if (rc == SQLITE_CONSTRAINT_COMMITHOOK)
        return sov_fail(err, SOV_INTEGRITY, "refused_by_schema",
                        "a commit outside of the transaction function");
    if (rc == SQLITE_CONSTRAINT_TRIGGER && ends_with(text, "stale fence"))
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
    case SQLITE_NOTADB:
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

static bool listed(const char *const *list, const char *table, const char *column)
{
    size_t size = strlen(table);

    for (; list && *list; list++) {
        if (!column && strcmp(*list, table) == 0) return true;
        if (column && strncmp(*list, table, size) == 0 && (*list)[size] == '.' &&
            strcmp(*list + size + 1, column) == 0)
            return true;
    }
    return false;
}

static int deny_if(bool wrong)
{
    return wrong ? SQLITE_DENY : SQLITE_OK;
}

/* Lists what is allowed: whatever SQLite learns later is denied until someone thought about it. */
static int seal(void *arg, int action, const char *a, const char *b, const char *schema,
                const char *trigger)
{
    const struct sov_db *db = arg;
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
        return deny_if(internal || (listed(db->law->frozen, a, NULL) &&
                                    !listed(db->law->erasable, a, b ? b : "")));
    case SQLITE_DELETE:
        return deny_if(internal || listed(db->law->frozen, a, NULL));
    default: /* SQLite's codes: DROP, ALTER, ATTACH, PRAGMA, TEMP and whatever it learns later */
        return SQLITE_DENY;
    }
}

static int on_commit(void *arg)
{
    const struct sov_db *db = arg;

    return !db->committing && !db->lifted;
}

/* ---- statements ---- */

static bool answers(struct sov_db *db, struct sov_error *err)
{
    assert(db && err && db->pid == getpid());
    return db->poisoned ? fail_poisoned(db, err) : true;
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

static struct entry **slot(struct entry **table, size_t room, const char *sql)
{
    uint64_t hash = (uint64_t)(uintptr_t)sql * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 32) & (room - 1);

    while (table[i] && table[i]->sql != sql) i = (i + 1) & (room - 1);
    return &table[i];
}

static void cache(struct sov_db *db, struct entry *entry)
{
    if (db->count * 2 >= db->room) {
        size_t room = db->room ? db->room * 2 : FIRST_ROOM;
        struct entry **table = sov_alloc_array(room, sizeof(struct entry *));

        for (size_t i = 0; i < db->room; i++)
            if (db->table[i]) *slot(table, room, db->table[i]->sql) = db->table[i];
        sov_free(db->table);
        db->table = table;
        db->room = room;
    }
    *slot(db->table, db->room, entry->sql) = entry;
    db->count++;
}

bool sov_stmt_open(struct sov_stmt *stmt, struct sov_db *db, const char *sql, struct sov_error *err)
{
    struct entry *entry;
    sqlite3_stmt *made = NULL;
    bool known;

    assert(stmt && !stmt->entry && sql);
    if (!answers(db, err)) return false;
    entry = db->room ? *slot(db->table, db->room, sql) : NULL;
    known = entry != NULL;
    if (!entry || entry->taken) {
        if (!prepare(db, sql, SQLITE_PREPARE_PERSISTENT, &made, err)) return false;
        entry = sov_alloc(sizeof *entry);
        entry->stmt = made;
        if (!known) {
            entry->sql = sql;
            cache(db, entry);
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
    struct entry *entry = stmt->entry;

    if (!entry) return;
    stmt->entry = NULL;
    if (!entry->sql) {
        sqlite3_finalize(entry->stmt);
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
    const struct entry *entry = stmt->entry;

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

    if (db->poisoned) return fail_poisoned(db, err);
    if (!db->in_txn) sov_pause_anew(&db->pause);
    rc = sqlite3_step(made);
    if (rc == SQLITE_ROW || rc == SQLITE_DONE) {
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
    struct entry *entry = stmt->entry;
    bool found;

    if (!sov_stmt_row(stmt, &found, err)) return false;
    assert(!found);
    entry->changes = sqlite3_stmt_readonly(entry->stmt) ? 0 : sqlite3_changes64(stmt->db->lib);
    return true;
}

int64_t sov_stmt_changes(const struct sov_stmt *stmt)
{
    const struct entry *entry = stmt->entry;

    assert(entry);
    return entry->changes;
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

/* ---- transactions ---- */

static bool run_fixed(struct sov_db *db, const char *sql, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    return sov_stmt_open(&stmt, db, sql, err) && sov_stmt_run(&stmt, err);
}

static const char begin_write_sql[] = "BEGIN IMMEDIATE";
static const char begin_read_sql[] = "BEGIN";
static const char commit_sql[] = "COMMIT";
static const char rollback_sql[] = "ROLLBACK";

bool sov_txn_begin(struct sov_txn *txn, struct sov_db *db, struct sov_error *err)
{
    assert(txn && !txn->open && !db->in_txn);
    if (!answers(db, err)) return false;
    sov_pause_anew(&db->pause);
    db->in_txn = true; /* before: BEGIN waits on the deadline of its transaction */
    if (!run_fixed(db, db->mode == SOV_DB_READ ? begin_read_sql : begin_write_sql, err)) {
        db->in_txn = false;
        return false;
    }
    txn->db = db;
    txn->open = true;
    return true;
}

bool sov_txn_commit(struct sov_txn *txn, struct sov_error *err)
{
    struct sov_db *db = txn->db;
    bool done;

    assert(txn->open && db->in_txn);
    if (!answers(db, err)) return false;
    db->committing = true;
    do done = run_fixed(db, commit_sql, err);
    while (!done && !db->poisoned && strcmp(err->code, "busy") == 0 && sov_pause_once(&db->pause));
    db->committing = false;
    if (!done) return false;
    db->in_txn = false;
    txn->open = false;
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

/* ---- what base itself asks, past the seal ---- */

static bool ask_int(struct sov_db *db, const char *sql, int64_t *n_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found = false, ok;

    db->lifted++;
    ok = sov_stmt_open(&stmt, db, sql, err) && sov_stmt_row(&stmt, &found, err);
    db->lifted--;
    if (!ok) return false;
    *n_out = found ? sov_column_int(&stmt, 0) : 0; /* no row: not known to this file system */
    return true;
}

static bool exec_lifted(struct sov_db *db, const char *sql, struct sov_error *err)
{
    bool ok;

    db->lifted++;
    ok = sov_db_exec(db, sql, err);
    db->lifted--;
    return ok;
}

static void add_part(struct sov_sha256 *sum, struct sov_bytes part)
{
    uint64_t size = part.data ? part.size : UINT64_MAX; /* NULL is not empty */
    uint8_t octets[8];

    for (int i = 0; i < 8; i++) octets[i] = (uint8_t)(size >> (56 - 8 * i));
    sov_sha256_add(sum, sov_bytes(octets, sizeof octets));
    if (part.size) sov_sha256_add(sum, part);
}

static bool add_schema(struct sov_db *db, const char *name, const char *sql, struct sov_sha256 *sum,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    add_part(sum, sov_bytes_text(name));
    if (!sov_stmt_open(&stmt, db, sql, err)) return false;
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) return true;
        for (int i = 0; i < 4; i++) add_part(sum, sov_column_text(&stmt, i));
    }
}

bool sov_db_fingerprint(struct sov_db *db, struct sov_hash *hash_out, struct sov_error *err)
{
    struct sov_sha256 sum;
    bool ok;

    if (!answers(db, err)) return false;
    sov_sha256_begin(&sum);
    db->lifted++;
    ok = add_schema(db, "main", schema_main_sql, &sum, err) &&
         add_schema(db, "temp", schema_temp_sql, &sum, err);
    db->lifted--;
    if (!ok) return false;
    *hash_out = sov_sha256_end(&sum);
    return true;
}

bool sov_db_schema_version(struct sov_db *db, int64_t *version_out, struct sov_error *err)
{
    static const char of_main[] = "PRAGMA main.schema_version";
    static const char of_temp[] = "PRAGMA temp.schema_version";
    int64_t in_file, temporary;

    if (!ask_int(db, of_main, &in_file, err) || !ask_int(db, of_temp, &temporary, err))
        return false;
    *version_out = (int64_t)((uint64_t)in_file << 32 | (uint32_t)temporary);
    return true;
}

bool sov_db_quick_check(struct sov_db *db, struct sov_error *err)
{
    static const char check[] = "PRAGMA main.quick_check(1)";
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found = false, ok;
    struct sov_bytes text;

    db->lifted++;
    ok = sov_stmt_open(&stmt, db, check, err) && sov_stmt_row(&stmt, &found, err);
    db->lifted--;
    if (!ok) return false;
    text = found ? sov_column_text(&stmt, 0) : sov_bytes_text("no answer");
    if (sov_bytes_is(text, "ok")) return true;
    db->poisoned = true;
    sov_error_set(&db->poison, SOV_INTEGRITY, "corrupt", "%s: %.*s", db->path,
                  (int)(text.size < 300 ? text.size : 300), (const char *)text.data);
    return fail_poisoned(db, err);
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

const char *sov_db_library_source(void)
{
    return sqlite3_sourceid();
}

/* Releases before can lose committed data in this mode; 3.52.0 was withdrawn. */
bool sov_db_wal_is_sound(int version_number)
{
    int release = version_number / 1000;

    if (release == 3044) return version_number >= 3044006;
    if (release == 3050) return version_number >= 3050007;
    return version_number >= 3051003 && version_number != 3052000;
}

/* The first column of the first row as text; without a row "0": the file system has no such thing.
 * Not cached. */
static bool ask(struct sov_db *db, const char *sql, char *text_out, size_t room,
                struct sov_error *err)
{
    sqlite3_stmt *made = NULL;
    bool ok;
    int rc;

    db->lifted++;
    ok = prepare(db, sql, 0, &made, err);
    db->lifted--;
    if (!ok) return false;
    rc = sqlite3_step(made);
    if (rc == SQLITE_ROW)
        snprintf(text_out, room, "%s", (const char *)sqlite3_column_text(made, 0));
    else if (rc == SQLITE_DONE)
        snprintf(text_out, room, "0");
    else
        (void)fail_lib(db, rc, err);
    sqlite3_finalize(made);
    return rc == SQLITE_ROW || rc == SQLITE_DONE;
}

/* Only constants of this file come here: a pragma takes no parameters. */
static bool pragma(struct sov_db *db, const char *name, int64_t n, struct sov_error *err)
{
    char sql[80];

    snprintf(sql, sizeof sql, "PRAGMA %s = %lld", name, (long long)n);
    return exec_lifted(db, sql, err);
}

static bool set(struct sov_db *db, const char *name, int64_t n, struct sov_error *err)
{
    char sql[80], want[24], got[24];

    snprintf(sql, sizeof sql, "PRAGMA %s", name);
    snprintf(want, sizeof want, "%lld", (long long)n);
    if (!pragma(db, name, n, err) || !ask(db, sql, got, sizeof got, err)) return false;
    if (strcmp(got, want) != 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "%s: %s is %s and cannot be set to %s",
                        db->path, name, got, want);
    return true;
}

static bool set_switches(struct sov_db *db, struct sov_error *err)
{
    static const struct {
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
    };

    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        int got = -1, rc = sqlite3_db_config(db->lib, switches[i].which, switches[i].want, &got);

        if (rc != SQLITE_OK || got != switches[i].want)
            return sov_fail(err, SOV_UNABLE, "io_error", "%s: cannot switch %s %s", db->path,
                            switches[i].name, switches[i].want ? "on" : "off");
    }
    (void)sqlite3_limit(db->lib, SQLITE_LIMIT_ATTACHED, 0);
    return true;
}

static bool set_journal(struct sov_db *db, struct sov_error *err)
{
    static const char asked[] = "PRAGMA main.journal_mode";
    static const char wal[] = "PRAGMA main.journal_mode = WAL";
    static const char persist[] = "PRAGMA main.journal_mode = PERSIST";
    bool sound = sov_db_wal_is_sound(sqlite3_libversion_number());
    const char *want = sound ? "wal" : "persist";
    int persistent = 1;

    if (!ask(db, asked, db->journal, sizeof db->journal, err)) return false;
    if (db->mode == SOV_DB_MEMORY) want = "memory";
    /* A reader writes no journal; to leave WAL it would have to write into the file. */
    if (db->mode == SOV_DB_READ && strcmp(db->journal, "wal") == 0) return true;
    if (db->mode == SOV_DB_READ) want = "persist";
    if (strcmp(db->journal, want) != 0 &&
        !ask(db, strcmp(want, "wal") == 0 ? wal : persist, db->journal, sizeof db->journal, err))
        return false;
    if (strcmp(db->journal, want) != 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "%s: the journal is %s and cannot be made %s",
                        db->path, db->journal, want);
    /* With the WAL and its index always there, a reader has nothing to create. */
    if (db->mode != SOV_DB_READ && strcmp(want, "wal") == 0)
        (void)sqlite3_file_control(db->lib, "main", SQLITE_FCNTL_PERSIST_WAL, &persistent);
    return true;
}

/* Set, then read back: several of these fail without a word. */
static bool set_all(struct sov_db *db, const struct sov_db_options *options, struct sov_error *err)
{
    static const struct {
        const char *name;
        int64_t want;
    } settings[] = {
        { "foreign_keys", 1 },
        { "recursive_triggers", 1 },
        { "trusted_schema", 0 },
        { "writable_schema", 0 },
        { "ignore_check_constraints", 0 },
        { "cell_size_check", 1 },
        { "read_uncommitted", 0 },
        { "secure_delete", 1 }, /* an erased blob must leave its pages */
        { "synchronous", 2 },   /* FULL: the only one that lost no acknowledged commit */
        { "temp_store", 2 },    /* memory: no file beside the one we were given */
        { "mmap_size", 0 },
        { "journal_size_limit", JOURNAL_SIZE_MAX },
    };
    bool fresh = options->mode == SOV_DB_CREATE || options->mode == SOV_DB_MEMORY;
    int64_t cache_kib = options->page_cache_kib ? options->page_cache_kib : PAGE_CACHE_KIB;

    if (!set_switches(db, err)) return false;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (!set(db, settings[i].name, settings[i].want, err)) return false;
    return set(db, "cache_size", -cache_kib, err) &&
           (!fresh ||
            (set(db, "page_size", options->page_size ? options->page_size : PAGE_SIZE, err) &&
             set(db, "auto_vacuum", 0, err))) &&
           set_journal(db, err) && set(db, "query_only", options->mode == SOV_DB_READ, err);
}

/* One step, whole or not at all: its statements and the number of the steps done. */
static bool migrate(struct sov_db *db, const char *sql, size_t number, struct sov_error *err)
{
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    int rc;

    if (!sov_txn_begin(&txn, db, err)) return false;
    db->lifted++;
    rc = sqlite3_exec(db->lib, sql, NULL, NULL, NULL);
    db->lifted--;
    if (rc != SQLITE_OK) return fail_lib(db, rc, err);
    return pragma(db, "application_id", APPLICATION_ID, err) &&
           pragma(db, "user_version", (int64_t)number, err) && sov_txn_commit(&txn, err);
}

static bool migrate_all(struct sov_db *db, const struct sov_db_options *options,
                        struct sov_error *err)
{
    if (options->migration_count == 0 && !migrate(db, "", 0, err)) return false;
    for (size_t i = 0; i < options->migration_count; i++)
        if (!migrate(db, options->migrations[i], i + 1, err)) return false;
    return true;
}

static bool check_stamp(struct sov_db *db, size_t count, struct sov_error *err)
{
    static const char application_id_sql[] = "PRAGMA main.application_id";
    static const char user_version_sql[] = "PRAGMA main.user_version";
    int64_t application, version;

    if (!ask_int(db, application_id_sql, &application, err) ||
        !ask_int(db, user_version_sql, &version, err))
        return false;
    if (application != APPLICATION_ID)
        return sov_fail(err, SOV_INTEGRITY, "corrupt", "%s is no file of sov", db->path);
    if (version > (int64_t)count)
        return sov_fail(err, SOV_UNABLE, "newer_format",
                        "%s has format %lld, this program knows %zu", db->path, (long long)version,
                        count);
    if (version < (int64_t)count)
        return sov_fail(err, SOV_UNABLE, "older_format",
                        "%s has format %lld, this program wants %zu", db->path, (long long)version,
                        count);
    return true;
}

/* Looks without opening: a descriptor of ours, closed again, would drop SQLite's locks. */
static bool place_is_plain(const char *path, enum sov_db_mode mode, struct sov_error *err)
{
    struct stat facts;

    if (lstat(path, &facts) != 0) return true; /* absent, or known to another file system */
    if (mode == SOV_DB_CREATE)
        return sov_fail(err, SOV_CONFLICT, "exists", "%s is there already", path);
    if (!S_ISREG(facts.st_mode) || facts.st_nlink != 1)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is no regular file with one name",
                        path);
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

static bool plain_in_uri(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("/._-", c);
}

/* A name that SQLite cannot take for anything but a path, whatever is in it. */
static char *uri_of(const struct sov_db *db)
{
    static const char digit[] = "0123456789ABCDEF";
    /* A reader makes no index of the WAL either. */
    const char *tail = db->mode == SOV_DB_READ ? "?readonly_shm=1" : "";
    size_t room = 3 * strlen(db->path) + 32;
    char *uri = sov_alloc(room);
    size_t size = (size_t)snprintf(uri, room, "file:%s", db->path[0] == '/' ? "" : "./");

    for (const char *c = db->path; *c; c++) {
        if (plain_in_uri(*c)) {
            uri[size++] = *c;
            continue;
        }
        uri[size++] = '%';
        uri[size++] = digit[(uint8_t)*c >> 4];
        uri[size++] = digit[(uint8_t)*c & 15];
    }
    snprintf(uri + size, room - size, "%s", tail);
    return uri;
}

static bool open_lib(struct sov_db *db, const struct sov_db_options *options, struct sov_error *err)
{
    bool memory = db->mode == SOV_DB_MEMORY;
    int flags = SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX;
    char *uri;
    int rc;

    if (!memory && !place_is_plain(db->path, db->mode, err)) return false;
    if (db->mode == SOV_DB_CREATE && !create_new(db->path, options->vfs, err)) return false;
    uri = memory ? sov_alloc_text(":memory:") : uri_of(db);
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
    (void)sqlite3_commit_hook(db->lib, on_commit, db);
    return true;
}

bool sov_db_open(const char *path, const struct sov_db_options *options, struct sov_db **db_out,
                 struct sov_error *err)
{
    SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;
    bool fresh;

    assert(options && db_out && err && (path || options->mode == SOV_DB_MEMORY));
    fresh = options->mode == SOV_DB_CREATE || options->mode == SOV_DB_MEMORY;
    db = sov_alloc(sizeof *db);
    db->path = sov_alloc_text(options->mode == SOV_DB_MEMORY ? "memory" : path);
    db->pid = getpid();
    db->mode = options->mode;
    db->law = options->law;
    sov_pause_init(&db->pause, options->busy_ms);
    if (!open_lib(db, options, err) || !set_all(db, options, err)) return false;
    if (fresh && !migrate_all(db, options, err)) return false;
    if (!check_stamp(db, options->migration_count, err)) return false;
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
        sov_free(db->table[i]);
    }
    rc = sqlite3_close(db->lib);
    assert(rc == SQLITE_OK); /* else a statement of the caller is still open */
    (void)rc;
    sov_free(db->table);
    sov_free(db->path);
    sov_free(db);
}

void sov_db_end(struct sov_db **db)
{
    sov_db_close(*db);
}
