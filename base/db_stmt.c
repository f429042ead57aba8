/* Statements: prepared, bound, stepped, read; and what base asks for itself, past the seal. */
#include <assert.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/db_inside.h"

bool sov_db_answers(struct sov_db *db, struct sov_error *err)
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

    if (rc != SQLITE_OK) return sov_db_fail(db, rc, err);
    assert(*stmt_out && strspn(tail, " \n;") == strlen(tail)); /* one statement */
    return true;
}

struct sov_db_origin sov_db_origin(struct sov_db *db, sqlite3_stmt *made, int n)
{
    struct sov_db_origin origin = { .table = sqlite3_column_table_name(made, n),
                                    .column = sqlite3_column_origin_name(made, n) };
    struct sov_error kept; /* by the handle */
    int required = 0, rc;

    if (!origin.table || !origin.column) return (struct sov_db_origin){ 0 };
    rc = sqlite3_table_column_metadata(db->lib, "main", origin.table, origin.column, &origin.type,
                                       NULL, &required, NULL, NULL);
    if (rc == SQLITE_NOMEM) (void)sov_db_fail(db, rc, &kept);
    if (rc != SQLITE_OK) return (struct sov_db_origin){ 0 };
    origin.required = required;
    return origin;
}

static void drop(struct sov_db_entry *entry)
{
    sqlite3_finalize(entry->stmt);
    sov_free(entry->columns);
    sov_free(entry);
}

bool sov_stmt_open(struct sov_stmt *stmt, struct sov_db *db, const char *sql, struct sov_error *err)
{
    struct sov_db_entry *entry;
    sqlite3_stmt *made = NULL;
    bool known;

    assert(stmt && !stmt->entry && sql);
    if (!sov_db_answers(db, err)) return false;
    entry = sov_db_entry_find(db, sql);
    known = entry != NULL;
    if (!entry || entry->taken) {
        if (!prepare(db, sql, SQLITE_PREPARE_PERSISTENT, &made, err)) return false;
        entry = sov_alloc(sizeof *entry);
        entry->stmt = made;
        entry->columns = sov_db_columns(db, made, sqlite3_column_count(made));
        if (db->poisoned) { /* where its columns come from is not known */
            drop(entry);
            return sov_db_fail_poisoned(db, err);
        }
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
        drop(entry);
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
    /* Else: no such parameter, or a row is still open. What is borrowed takes no memory. */
    assert(rc == SQLITE_OK);
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

/* Each value as it will be read: whoever has a row cannot run out of memory over it. */
static bool has_values(sqlite3_stmt *made)
{
    int count = sqlite3_data_count(made);

    for (int i = 0; i < count; i++) {
        int class = sqlite3_column_type(made, i);

        if (class == SQLITE_TEXT && !sqlite3_column_text(made, i)) return false;
        /* Its size first: a blob for which there was no memory is a NULL from then on. */
        if (class == SQLITE_BLOB && sqlite3_column_bytes(made, i) && !sqlite3_column_blob(made, i))
            return false;
    }
    return true;
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
    if (rc == SQLITE_ROW && !has_values(made)) rc = SQLITE_NOMEM;
    if (rc == SQLITE_ROW || rc == SQLITE_DONE) {
        if (rc == SQLITE_ROW && !sov_db_row_fits(stmt, err)) {
            (void)sqlite3_reset(made);
            return false;
        }
        *found_out = rc == SQLITE_ROW;
        if (rc == SQLITE_DONE) (void)sqlite3_reset(made);
        return true;
    }
    (void)sov_db_fail(db, rc, err);
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
    if (!text) abort(); /* a number in the place of a text, in a file that somebody edited */
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
    if (!sov_db_answers(db, err) || !prepare(db, sql, 0, &made, err)) return false;
    if (!db->in_txn) sov_pause_anew(&db->pause);
    do rc = sqlite3_step(made);
    while (rc == SQLITE_ROW);
    if (rc != SQLITE_DONE) (void)sov_db_fail(db, rc, err);
    sqlite3_finalize(made);
    return rc == SQLITE_DONE;
}

/* ---- past the seal ---- */

bool sov_db_ask(struct sov_db *db, const char *sql, char *text_out, size_t room,
                struct sov_error *err)
{
    sqlite3_stmt *made = NULL;
    const char *text = NULL;
    int rc = SQLITE_ERROR;

    if (!sov_db_answers(db, err)) return false;
    db->lifted++;
    if (prepare(db, sql, 0, &made, err)) {
        if (!db->in_txn) sov_pause_anew(&db->pause);
        rc = sqlite3_step(made);
        if (rc == SQLITE_ROW) text = (const char *)sqlite3_column_text(made, 0);
        if (rc == SQLITE_ROW && !text) rc = SQLITE_NOMEM; /* none of these is NULL */
        if (rc == SQLITE_ROW)
            snprintf(text_out, room, "%s", text);
        else if (rc == SQLITE_DONE)
            snprintf(text_out, room, "0");
        else
            (void)sov_db_fail(db, rc, err);
        sqlite3_finalize(made);
    }
    db->lifted--;
    return rc == SQLITE_ROW || rc == SQLITE_DONE;
}

bool sov_db_exec_all(struct sov_db *db, const char *sql, struct sov_error *err)
{
    int rc;

    if (!sov_db_answers(db, err)) return false;
    db->lifted++;
    rc = sqlite3_exec(db->lib, sql, NULL, NULL, NULL);
    db->lifted--;
    return rc == SQLITE_OK ? true : sov_db_fail(db, rc, err);
}
