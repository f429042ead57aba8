#ifndef SOV_BASE_DB_INSIDE_H
#define SOV_BASE_DB_INSIDE_H
/*
 * What the files of the SQLite seam share, and nobody else. Four speak to the library: db.c opens
 * and closes, db_stmt.c runs statements, db_txn.c transactions, db_error.c says what its codes
 * mean. db_settings.c knows what is set and stamped, db_schema.c what stands in the schema,
 * db_place.c the name of the file, db_table.c which statements are prepared already, db_form.c what
 * is asked of a row.
 */
#include "base/db.h"

#include <sys/types.h>

#include "base/pause.h"

struct sov_db {
    struct sqlite3 *lib;
    char *path;
    pid_t pid;
    enum sov_db_mode mode;
    const struct sov_db_law *law;
    unsigned lifted; /* base's own fixed statements are running: the seal lets them pass */
    bool in_txn, committing;
    bool unbegun; /* a commit failed before anything of it could count */
    bool erases;  /* a statement that nulls an erasable column was prepared */
    struct sov_pause pause;
    bool poisoned;
    struct sov_error poison;
    struct sov_db_entry **table; /* open addressing by address of the text; a power of two */
    size_t room, count;
    char journal[16];
};

/* db_error.c: a code of SQLite, and a line of its quick check; both are always false. */
bool sov_db_fail(struct sov_db *db, int rc, struct sov_error *err);
bool sov_db_fail_check(struct sov_db *db, const char *text, struct sov_error *err);
/* Not another process, not poisoned: before each call that may fail. */
SOV_MUST_USE bool sov_db_answers(struct sov_db *db, struct sov_error *err);

/* db_form.c */
bool sov_db_ends_with(const char *text, const char *end);
int sov_db_on_commit(void *db);

struct sqlite3_stmt;
/* Where a column of a result comes from. `table` NULL: from no column, it is an expression; or the
 * handle is poisoned. */
struct sov_db_origin {
    const char *table, *column, *type; /* borrowed until the next row */
    bool required;                     /* NOT NULL */
};
struct sov_db_origin sov_db_origin(struct sov_db *db, struct sqlite3_stmt *made, int n);
/* What a row must be to be given out. */
struct sov_db_column {
    const struct sov_column_form *form; /* NULL: nothing is asked */
    int class;
    bool required;
};
struct sov_db_column *sov_db_columns(struct sov_db *db, struct sqlite3_stmt *made, int count);
SOV_MUST_USE bool sov_db_row_fits(const struct sov_stmt *stmt, struct sov_error *err);

/* db_table.c: the statements of a handle, found by the address of their text. */
struct sov_db_entry {
    const char *sql; /* the key; NULL for a second statement of the same text */
    struct sqlite3_stmt *stmt;
    bool taken;
    int64_t changes;
    struct sov_db_column *columns; /* of a result; NULL: no form is asked of any */
};
struct sov_db_entry *sov_db_entry_find(const struct sov_db *db, const char *sql);
void sov_db_entry_keep(struct sov_db *db, struct sov_db_entry *entry);

/* Whether a list of the law names the table, or with a column "table.column". */
bool sov_db_listed(const char *const *list, const char *table, const char *column);

/* The first column of the first row, as text; without a row "0": no such thing in this file
 * system. Past the seal, not cached. */
SOV_MUST_USE bool sov_db_ask(struct sov_db *db, const char *sql, char *text_out, size_t room,
                             struct sov_error *err);
/* Any number of statements, past the seal. */
SOV_MUST_USE bool sov_db_exec_all(struct sov_db *db, const char *sql, struct sov_error *err);
/* Before and behind a commit: if something was erased, what it was does not stay in the journal. */
SOV_MUST_USE bool sov_db_forget(struct sov_db *db, bool committed, struct sov_error *err);
/* What was done to it once fails every call from then on; both are always false. */
bool sov_db_fail_poisoned(const struct sov_db *db, struct sov_error *err);
bool sov_db_poison(struct sov_db *db, enum sov_exit exit, const char *code, const char *text,
                   struct sov_error *err);

int sov_db_library_number(void); /* of the linked library: 3040001 */

/* Set, then read back: several settings fail without a word. */
SOV_MUST_USE bool sov_db_set_all(struct sov_db *db, const struct sov_db_options *options,
                                 struct sov_error *err);
SOV_MUST_USE bool sov_db_migrate(struct sov_db *db, const struct sov_db_options *options,
                                 struct sov_error *err);
SOV_MUST_USE bool sov_db_check_stamp(struct sov_db *db, size_t count, struct sov_error *err);

/* One name, a regular file, absent before CREATE. Looks without opening: a descriptor of ours,
 * closed again, would drop SQLite's locks. */
SOV_MUST_USE bool sov_db_place_check(const char *path, enum sov_db_mode mode,
                                     struct sov_error *err);
/* The folder that the name is in; the caller's to free. */
char *sov_db_parent(const char *path);
bool sov_db_is_folder(const char *path); /* links followed */
/* A name that SQLite cannot take for anything but a path; the caller's to free. */
char *sov_db_uri(const char *path, enum sov_db_mode mode);
#endif
