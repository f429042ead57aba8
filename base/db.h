#ifndef SOV_BASE_DB_H
#define SOV_BASE_DB_H
/*
 * The SQLite seam: none but its files include sqlite3.h. One process, one connection, no threads.
 * Owns: opening with every protective setting set and read back, the journal mode by linked
 * version, the authorizer ("seal") and the commit hook, transactions, cached statements,
 * migrations, the schema fingerprint, the busy deadline. Not here: any table (they are handed in),
 * any decision.
 *
 * Errors: busy, disk_full, io_error, no_memory (SQLite's allocator got none), needs_recovery,
 * newer_format, older_format (exit 7), corrupt, schema (6: the statement does not fit this file),
 * no_such_file (3), exists (5), file_unsafe (4: a link at any place of the path, so give the real
 * path of the folder; no regular file; more than one name). A RAISE(ABORT) of a trigger or any
 * constraint is `refused_by_schema` (6), with SQLite's text alone in `what`, and so is what the
 * authorizer, the commit hook or a reading handle refuses; "... : stale fence" is `stale_fence`
 * (5). A handle used by another pid than the one that opened it is a caller's bug. Memory that we
 * ask for ourselves and that is not there ends the process.
 */
#include "base/bytes.h"
#include "base/crypto.h"
#include "base/error.h"

struct sov_db;
struct sov_column_form; /* the law's own */

/* What the connection enforces beyond the triggers in the file. Borrowed until close. */
struct sov_db_law {
    const char *const *frozen;   /* tables never updated or deleted from; NULL-ended */
    const char *const *erasable; /* "table.column" entries of frozen tables that UPDATE may touch */
    /* What the values of a column must be for a row of it to be given out, beyond the type that
     * its table declares; `required`: NOT NULL; NULL: they are taken as they are. */
    const struct sov_column_form *(*form)(const char *table, const char *column);
    bool (*fits)(const struct sov_column_form *form, int class, bool required,
                 struct sov_bytes octets);
};
enum sov_db_mode {
    SOV_DB_READ,   /* no file is created or changed; a hot journal fails needs_recovery */
    SOV_DB_WRITE,  /* the file must be there; heals a hot journal */
    SOV_DB_TRY,    /* as WRITE for whoever never commits (a caller's bug): no octet of database,
                      journal or WAL changes; a hot journal fails needs_recovery */
    SOV_DB_CREATE, /* the file must not be there */
    SOV_DB_MEMORY  /* path ignored; no law needed */
};
struct sov_db_options {
    enum sov_db_mode mode;
    const char *vfs;               /* NULL: the default */
    int64_t busy_ms;               /* one deadline for all waits of a transaction together */
    int64_t page_cache_kib;        /* 0: 8 MiB */
    int64_t page_size;             /* CREATE and MEMORY only; 0: 4096 */
    const struct sov_db_law *law;  /* NULL: not sealed */
    const char *const *migrations; /* SQL texts, in order; the file must be stamped with the count
                                      (CREATE, MEMORY: they are run, each in its own transaction).
                                      More: newer_format. Fewer: `older_format` (7) */
    size_t migration_count;
};

SOV_MUST_USE bool sov_db_open(const char *path, const struct sov_db_options *options,
                              struct sov_db **db_out, struct sov_error *err);
void sov_db_close(struct sov_db *db); /* NULL is fine */
void sov_db_end(struct sov_db **db);  /* for SOV_CLEANUP */

const char *
sov_db_journal_mode(const struct sov_db *db); /* as read back: "persist", "wal", "memory" */
const char *sov_db_library_version(void);     /* of the linked library: "3.40.1" */
const char *sov_db_library_source(void);      /* its source id */
/* The rule itself, for tests: may this release use WAL (3.51.3 on but 3.52.0, 3.50.7+, 3.44.6+)? */
bool sov_db_wal_is_sound(int version_number);

/* "main" and (type, name, tbl_name, sql) of sqlite_schema in the order of name, then type, internal
 * objects too; then "temp" and the same of sqlite_temp_schema. Each part is preceded by its length,
 * 8 octets, big-endian, all ones for NULL, so that nothing can shift. Handed over piece by piece.
 */
SOV_MUST_USE bool sov_db_schema(struct sov_db *db,
                                void (*take)(void *self, struct sov_bytes octets), void *self,
                                struct sov_error *err);
/* SHA-256 over just that. */
SOV_MUST_USE bool sov_db_fingerprint(struct sov_db *db, struct sov_hash *hash_out,
                                     struct sov_error *err);
/* Moves with every commit that did not go through this handle, whatever it wrote: a schema edited
 * as rows, too, which leaves SQLite's own schema cookie as it was. A sealed handle changes no
 * schema itself, so an equal version means the schema that it has seen. */
SOV_MUST_USE bool sov_db_data_version(struct sov_db *db, int64_t *version_out,
                                      struct sov_error *err);
SOV_MUST_USE bool sov_db_quick_check(struct sov_db *db,
                                     struct sov_error *err); /* corrupt,
                                                   or what kept it from reading */
/* All of another database in the place of this one, which was just made (CREATE, no migrations):
 * online, in slices between which others may write; what is copied is one moment. Left behind is
 * one file, without a journal or a WAL. */
SOV_MUST_USE bool sov_db_copy(struct sov_db *to, struct sov_db *from, struct sov_error *err);

/* A deferred BEGIN, also of a writer, for several reads of one moment: ended, never committed. */
struct sov_txn;
SOV_MUST_USE bool sov_txn_look(struct sov_txn *txn, struct sov_db *db, struct sov_error *err);
/* BEGIN IMMEDIATE for writers (waits up to the deadline), BEGIN for readers. end() rolls back
 * unless committed. A COMMIT that this function did not issue is refused by the hook. A busy COMMIT
 * is retried to the deadline. After io_error, disk_full, no_memory or corrupt the handle answers
 * only close. One of the commit itself may have come behind its last octet: sov_db_is_undone.
 */
struct sov_txn {
    struct sov_db *db;
    bool open;
};
SOV_MUST_USE bool sov_txn_begin(struct sov_txn *txn, struct sov_db *db, struct sov_error *err);
SOV_MUST_USE bool sov_txn_commit(struct sov_txn *txn, struct sov_error *err);
/* Behind a commit that the disk did not let end, and the end of its transaction: true if nothing of
 * it can stand. `sql` is one number that it would have changed from `before`; what is asked is the
 * file itself, whatever happened to the handle. */
bool sov_db_is_undone(struct sov_db *db, const char *sql, int64_t before);
void sov_txn_end(struct sov_txn *txn);

/* One cached statement; `sql` is a generated string constant and its address is the cache key.
 * Parameters are $1, $2 ...; bind before the first row. Columns are borrowed until the next row. */
struct sov_stmt {
    struct sov_db *db;
    void *entry; /* the seam's own */
    bool as_is;  /* set before a row: values are compared, not read, so no form is asked */
};
SOV_MUST_USE bool sov_stmt_open(struct sov_stmt *stmt, struct sov_db *db, const char *sql,
                                struct sov_error *err);
void sov_stmt_close(struct sov_stmt *stmt); /* for SOV_CLEANUP; back to the cache */
void sov_bind_int(struct sov_stmt *stmt, int n, int64_t value);
void sov_bind_null(struct sov_stmt *stmt, int n);
/* Borrowed until the statement is closed or bound again. .data NULL binds NULL. */
void sov_bind_text(struct sov_stmt *stmt, int n, struct sov_bytes text);
void sov_bind_blob(struct sov_stmt *stmt, int n, struct sov_bytes blob);
/* Steps: *found_out false when there are no more rows (the statement is reset then). A row with a
 * value that has not the form of its column fails state_damaged (6). */
SOV_MUST_USE bool sov_stmt_row(struct sov_stmt *stmt, bool *found_out, struct sov_error *err);
/* Steps once and expects no row. */
SOV_MUST_USE bool sov_stmt_run(struct sov_stmt *stmt, struct sov_error *err);
int64_t sov_stmt_changes(const struct sov_stmt *stmt);      /* rows changed by the last run */
int64_t sov_column_int(const struct sov_stmt *stmt, int n); /* 0 for NULL */
bool sov_column_is_null(const struct sov_stmt *stmt, int n);
struct sov_bytes sov_column_text(const struct sov_stmt *stmt, int n); /* .data NULL for NULL */
struct sov_bytes sov_column_blob(const struct sov_stmt *stmt, int n);
/* Whatever it is, for comparisons: its storage class and its octets (an integer as 8 octets of the
 * machine, into `integer`). Equal values have equal class and octets. */
enum { SOV_COLUMN_INTEGER = 1, SOV_COLUMN_TEXT = 3, SOV_COLUMN_BLOB = 4, SOV_COLUMN_NULL = 5 };
int sov_column_count(const struct sov_stmt *stmt);
struct sov_bytes sov_column_any(const struct sov_stmt *stmt, int n, int *class_out,
                                int64_t *integer);

/* One statement without parameters or rows; for tests and the shell of the attack list. */
SOV_MUST_USE bool sov_db_exec(struct sov_db *db, const char *sql, struct sov_error *err);
#endif
