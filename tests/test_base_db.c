/* The SQLite seam: settings, seal, commit hook, transactions, statements, stamps. */
#include "tests/unit.h"

#include "base/db.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const steps[] = {
    "CREATE TABLE event (seq INTEGER PRIMARY KEY CHECK (seq > 0), body TEXT NOT NULL) STRICT;"
    "CREATE TRIGGER event_next BEFORE INSERT ON event "
    "WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event) "
    "BEGIN SELECT raise(ABORT, 'event: seq must be the next one'); END;"
    "CREATE TRIGGER event_no_update BEFORE UPDATE ON event "
    "BEGIN SELECT raise(ABORT, 'event: never changed'); END;"
    "CREATE TRIGGER event_no_delete BEFORE DELETE ON event "
    "BEGIN SELECT raise(ABORT, 'event: never removed'); END;",
    "CREATE TABLE blob (n INTEGER PRIMARY KEY, size INTEGER NOT NULL, content BLOB) STRICT;"
    "CREATE TABLE claim (resource TEXT PRIMARY KEY, fence INTEGER NOT NULL) STRICT;"
    "CREATE TRIGGER claim_fence BEFORE UPDATE ON claim WHEN NEW.fence < OLD.fence "
    "BEGIN SELECT raise(ABORT, 'claim: stale fence'); END;",
};
enum { STEPS = sizeof steps / sizeof *steps };
static const char *const frozen[] = { "event", "blob", NULL };
static const char *const erasable[] = { "blob.content", NULL };
static const struct sov_db_law law = { frozen, erasable };

struct place {
    char folder[64], path[96];
};

static struct sov_db_options options(enum sov_db_mode mode)
{
    return (struct sov_db_options){
        .mode = mode, .busy_ms = 20, .law = &law, .migrations = steps, .migration_count = STEPS
    };
}

static struct sov_db *opened(const char *path, enum sov_db_mode mode)
{
    struct sov_db_options how = options(mode);
    struct sov_db *db = NULL;
    struct sov_error err;

    if (!sov_db_open(path, &how, &db, &err)) fail_msg("%s: %s", err.code, err.what);
    return db;
}

static void place_make(struct place *place)
{
    snprintf(place->folder, sizeof place->folder, "/tmp/sov-test-db-%s",
             "XX"
             "XX"
             "XX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, sizeof place->path, "%s/a.db", place->folder);
}

static void place_clear(const struct place *place)
{
    char path[160];
    static const char *const tails[] = { "a.db", "a.db-journal", "a.db-wal", "a.db-shm", "b.db" };

    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        snprintf(path, sizeof path, "%s/%s", place->folder, tails[i]);
        (void)unlink(path);
    }
    assert_int_equal(rmdir(place->folder), 0);
}

static void must(bool ok, const struct sov_error *err)
{
    if (!ok) fail_msg("%s: %s", err->code, err->what);
}

/* One statement in a transaction of its own. */
static bool act(struct sov_db *db, const char *sql, struct sov_error *err)
{
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };

    return sov_txn_begin(&txn, db, err) && sov_db_exec(db, sql, err) && sov_txn_commit(&txn, err);
}

static int64_t number(struct sov_db *db, const char *sql)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_error err;
    bool found = false;

    must(sov_stmt_open(&stmt, db, sql, &err) && sov_stmt_row(&stmt, &found, &err), &err);
    assert_true(found);
    return sov_column_int(&stmt, 0);
}

static const char count_sql[] = "SELECT count(*) FROM event";
static const char add_one[] = "INSERT INTO event VALUES (1, 'one')";
static const char add_two[] = "INSERT INTO event VALUES (2, 'two')";

static void a_file_is_made_written_and_read(void **state)
{
    struct place place;
    struct sov_db *db;
    struct sov_error err;

    (void)state;
    place_make(&place);
    db = opened(place.path, SOV_DB_CREATE);
    must(act(db, add_one, &err), &err);
    sov_db_close(db);
    db = opened(place.path, SOV_DB_WRITE);
    must(act(db, add_two, &err), &err);
    sov_db_close(db);
    db = opened(place.path, SOV_DB_READ);
    assert_int_equal(number(db, count_sql), 2);
    sov_db_close(db);
    place_clear(&place);
}

static void a_memory_handle_needs_no_law(void **state)
{
    struct sov_db_options how = { .mode = SOV_DB_MEMORY };
    struct sov_db *db = NULL;
    struct sov_error err;

    (void)state;
    must(sov_db_open(NULL, &how, &db, &err), &err);
    assert_string_equal(sov_db_journal_mode(db), "memory");
    must(act(db, "CREATE TABLE t (a) ", &err), &err);
    sov_db_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_made_written_and_read),
        cmocka_unit_test(a_memory_handle_needs_no_law),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
