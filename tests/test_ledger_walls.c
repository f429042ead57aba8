/*
 * The walls around the canonical tables: what a plain SQLite program, with default settings, may
 * not do to the file, and what makes the next append stop.
 */
#include "tests/unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ledger_fixture.h"

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct sov_blob_ref ref;
    struct sov_done done;
    struct sov_actor_request request = { "builder", "robot", "operator", "scripted", NULL, NULL };

    fixture_open(f);
    FIXTURE_DO(f, "principal", &done,
               sov_blob_put(&commit, sov_bytes_text("kept"), "text/plain", false, &ref, &err) &&
                   sov_actor_register(&commit, &request, &done, &err));
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

/* A program of somebody else: the library's defaults, nothing sealed. The handle of the test is
 * closed first, for a second descriptor in one process would drop its locks. */
static sqlite3 *stranger(struct fixture *f)
{
    char path[160];
    sqlite3 *db;

    sov_ledger_close(f->ledger);
    f->ledger = NULL;
    snprintf(path, sizeof path, "%s/organization.db", f->home);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    return db;
}

#define EVENT_ROW(seq) "(seq, hash, octets) VALUES (" seq ", zeroblob(32), x'7b7d')"
#define BLOB_ROW(n, digest)                                                                        \
    "(n, digest, size, media_type, content) VALUES (" n ", " digest ", 1, 'a', x'00')"
#define POINT_ROW(size)                                                                            \
    "(size, root, key, signature) VALUES (" size ", zeroblob(32), 1, zeroblob(64))"

static void every_statement_of_the_bypass_table_is_refused(void **state)
{
    static const char *const attack[] = {
        "DELETE FROM event",
        "DELETE FROM event WHERE seq = 1",
        "UPDATE event SET octets = x'7b7d'",
        "UPDATE event SET seq = 100 WHERE seq = 13",
        "UPDATE OR REPLACE event SET seq = 1 WHERE seq = 13",
        "UPDATE OR IGNORE event SET octets = x'7b7d'",
        "INSERT INTO event (seq, hash, octets) VALUES (1, zeroblob(32), x'7b7d') "
        "ON CONFLICT (seq) DO UPDATE SET octets = x'7b7d'",
        "INSERT OR REPLACE INTO event " EVENT_ROW("1"),
        "INSERT OR REPLACE INTO event " EVENT_ROW("13"),
        "REPLACE INTO event " EVENT_ROW("2"),
        "INSERT INTO event " EVENT_ROW("15"),
        "INSERT INTO event " EVENT_ROW("-5"),
        "INSERT INTO event " EVENT_ROW("0"),
        "INSERT INTO event " EVENT_ROW("9223372036854775807"),
        "INSERT INTO event (hash, octets) VALUES (zeroblob(32), x'7b7d')",
        "INSERT OR IGNORE INTO event " EVENT_ROW("15"),
        "INSERT INTO event (rowid, seq, hash, octets) VALUES (1, 1, zeroblob(32), x'7b7d')",
        "INSERT INTO event (seq, hash, octets, resource, fence) VALUES (14, zeroblob(32), x'7b7d', "
        "'assignment/ASG-1', 7)",
        "DELETE FROM blob",
        "UPDATE blob SET content = x'00'",
        "UPDATE blob SET content = NULL, salt = NULL",
        "UPDATE OR REPLACE blob SET n = 1",
        "INSERT OR REPLACE INTO blob " BLOB_ROW("1", "zeroblob(32)"),
        "INSERT OR REPLACE INTO blob " BLOB_ROW("2", "(SELECT digest FROM blob)"),
        "INSERT OR REPLACE INTO blob " BLOB_ROW("3", "zeroblob(32)"),
        "INSERT OR IGNORE INTO blob " BLOB_ROW("1", "zeroblob(32)"),
        "DELETE FROM checkpoint",
        "UPDATE checkpoint SET root = zeroblob(32)",
        "INSERT OR REPLACE INTO checkpoint " POINT_ROW("12"),
        "REPLACE INTO checkpoint " POINT_ROW("13"),
        "INSERT INTO checkpoint " POINT_ROW("5"),
        "INSERT INTO state_claim (resource, fence, live, holder, attempt, ttl_s, at_ms, machine, "
        "boot, boot_ms, pid, start) VALUES ('assignment/ASG-1', 9, 0, 'a', 1, 1, 1, '', '', 1, 1, "
        "1)",
    };
    struct fixture *f = *state;
    struct sov_hash before = fixture_digest(f), after;
    sqlite3 *db = stranger(f);

    for (size_t i = 0; i < sizeof attack / sizeof *attack; i++)
        if (sqlite3_exec(db, attack[i], NULL, NULL, NULL) == SQLITE_OK)
            fail_msg("not refused: %s", attack[i]);
    sqlite3_close(db);
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
    fixture_reopen(f);
}

/* The legal act passes the same walls, so the list above does not refuse everything. */
static void the_next_event_and_a_larger_checkpoint_pass_the_triggers(void **state)
{
    struct fixture *f = *state;
    sqlite3 *db = stranger(f);

    assert_int_equal(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "INSERT INTO event " EVENT_ROW("14"), NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "INSERT INTO checkpoint " POINT_ROW("14"), NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    fixture_reopen(f);
}

static void claims_grow_live_once_and_never_come_back(void **state)
{
#define CLAIM(resource, fence)                                                                     \
    "INSERT INTO state_claim (resource, fence, live, holder, attempt, ttl_s, at_ms, machine, "     \
    "boot, boot_ms, pid, start) VALUES (" resource ", " fence                                      \
    ", 1, 'a', 1, 1, 1, '', '', 1, 1, 1)"
    static const struct {
        const char *sql;
        int refused;
    } rows[] = {
        { CLAIM("'r'", "5"), 0 },
        { CLAIM("'r'", "6"), 1 },
        { "UPDATE state_claim SET fence = 9", 1 },
        { "UPDATE state_claim SET live = 0", 0 },
        { "UPDATE state_claim SET live = 1", 1 },
        { CLAIM("'r'", "4"), 1 },
        { "INSERT OR REPLACE INTO state_claim SELECT resource, fence, 1, holder, attempt, ttl_s, "
          "at_ms, machine, boot, boot_ms, pid, start, 0, 0, NULL FROM state_claim",
          1 },
        { CLAIM("'r'", "6"), 0 },
        { "INSERT INTO event (seq, hash, octets, resource, fence) VALUES (14, zeroblob(32), "
          "x'7b7d', 'r', 5)",
          1 },
        { "INSERT INTO event (seq, hash, octets, resource, fence) VALUES (14, zeroblob(32), "
          "x'7b7d', 'q', 6)",
          1 },
        { "INSERT INTO event (seq, hash, octets, resource, fence) VALUES (14, zeroblob(32), "
          "x'7b7d', 'r', 6)",
          0 },
    };
    struct fixture *f = *state;
    sqlite3 *db = stranger(f);

    sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((sqlite3_exec(db, rows[i].sql, NULL, NULL, NULL) != SQLITE_OK) != rows[i].refused)
            fail_msg("%s: %s", rows[i].sql, sqlite3_errmsg(db));
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(db);
    fixture_reopen(f);
}

/* What triggers cannot see stops the writer: each leaves no event behind it. */
static void the_next_append_stops_when_schema_head_or_range_disagree(void **state)
{
    static const struct {
        const char *sql, *code;
    } rows[] = {
        { "DROP TRIGGER event_no_update", "schema_changed" },
        { "DROP TRIGGER event_next; INSERT INTO event " EVENT_ROW("20"), "schema_changed" },
        { "CREATE TRIGGER swallow BEFORE INSERT ON event BEGIN SELECT raise(IGNORE); END",
          "schema_changed" },
        { "CREATE TABLE extra (a)", "schema_changed" },
        { "CREATE VIEW extra AS SELECT 1", "schema_changed" },
        { "ALTER TABLE event ADD COLUMN more INTEGER", "schema_changed" },
        { "ALTER TABLE event RENAME TO old; CREATE TABLE event (seq INTEGER PRIMARY KEY, hash "
          "BLOB, "
          "octets BLOB, resource TEXT, fence INTEGER)",
          "schema_changed" },
        { "UPDATE state_range SET nodes = zeroblob(96)", "head_mismatch" },
        { "UPDATE state_range SET size = 12", "head_mismatch" },
        { "DELETE FROM state_range", "head_mismatch" },
        { "PRAGMA ignore_check_constraints = 1;"
          "UPDATE state_range SET nodes = CAST(nodes || zeroblob(32) AS BLOB)",
          "head_mismatch" },
        { "INSERT INTO event " EVENT_ROW("14"), "head_mismatch" },
        { "INSERT INTO checkpoint " POINT_ROW("14"), "head_mismatch" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture *f;
        void *fresh = NULL;
        struct sov_error opened = { 0 };
        sqlite3 *db;
        struct sov_done done;

        setup(&fresh);
        f = fresh;
        db = stranger(f);
        if (sqlite3_exec(db, rows[i].sql, NULL, NULL, NULL) != SQLITE_OK)
            fail_msg("%s: %s", rows[i].sql, sqlite3_errmsg(db));
        sqlite3_close(db);
        if (sov_ledger_open(&f->places, SOV_LEDGER_WRITE, &f->seams, 5000, &f->ledger, &opened))
            FIXTURE_REFUSED(
                f, "principal", rows[i].code, &done,
                sov_actor_change(&commit, "builder", SOV_ACTOR_SUSPEND, "x", &done, &err));
        else
            assert_string_equal(opened.code, rows[i].code);
        teardown(&fresh);
    }
}

/* A signature by another key over the right words, and the words changed under the right key. */
static void a_head_that_the_ledger_key_did_not_sign_is_refused(void **state)
{
    struct fixture *f = *state;
    sqlite3 *db = stranger(f);
    struct sov_done done;

    assert_int_equal(
        sqlite3_exec(db,
                     "DROP TRIGGER checkpoint_no_update; UPDATE checkpoint SET "
                     "signature = zeroblob(64);"
                     "CREATE TRIGGER checkpoint_no_update BEFORE UPDATE ON checkpoint\n"
                     "BEGIN SELECT raise(ABORT, 'checkpoint: never changed'); END",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    fixture_reopen(f);
    FIXTURE_REFUSED(f, "principal", "bad_signature", &done,
                    sov_actor_change(&commit, "builder", SOV_ACTOR_SUSPEND, "x", &done, &err));
}

/* Beside an open handle, which may have learned before what it now has to see is no longer so. The
 * library shares its locks within a process, so that a second connection takes none away. */
static sqlite3 *stranger_beside(struct fixture *f)
{
    char path[160];
    sqlite3 *db;

    snprintf(path, sizeof path, "%s/organization.db", f->home);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    return db;
}

static int64_t cookie(sqlite3 *db)
{
    sqlite3_stmt *stmt;
    int64_t n;

    assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA schema_version", -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    n = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return n;
}

/* SQLite itself does not look again: its cookie stays the same. */
static void a_schema_edited_as_rows_stops_a_handle_that_has_seen_it_whole(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;
    int64_t before;
    sqlite3 *db;

    FIXTURE_DO(f, "principal", &done, sov_account_open(&commit, "a", "cent", 0, &done, &err));
    db = stranger_beside(f);
    before = cookie(db);
    assert_int_equal(sqlite3_exec(db,
                                  "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = "
                                  "replace(sql, 'NEW.seq IS NOT', 'NEW.seq IS NULL AND NEW.seq "
                                  "IS NOT') WHERE name = 'event_next'",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_changes(db), 1);
    assert_int_equal(cookie(db), before);
    sqlite3_close(db);
    FIXTURE_REFUSED(f, "principal", "schema_changed", &done,
                    sov_account_open(&commit, "b", "cent", 0, &done, &err));
}

/* The signature of the head that this handle wrote itself, under a root that it did not sign. */
static void a_known_signature_vouches_for_no_other_root(void **state)
{
    struct fixture *f = *state;
    struct sov_range other = { .size = 14 };
    struct sov_hash root;
    struct sov_done done;
    sqlite3_stmt *stmt;
    sqlite3 *db;

    FIXTURE_DO(f, "principal", &done, sov_account_open(&commit, "a", "cent", 0, &done, &err));
    assert_int_equal(fixture_head(f), (int64_t)other.size);
    root = sov_range_root(&other);
    db = stranger_beside(f);
    assert_int_equal(sqlite3_exec(db,
                                  "UPDATE state_range SET nodes = zeroblob(96);"
                                  "DROP TRIGGER checkpoint_no_update",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "UPDATE checkpoint SET root = ?1 WHERE size = 14", -1, &stmt, NULL),
        SQLITE_OK);
    sqlite3_bind_blob(stmt, 1, root.octets, SOV_HASH_SIZE, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    sqlite3_finalize(stmt);
    assert_int_equal(
        sqlite3_exec(db,
                     "CREATE TRIGGER checkpoint_no_update BEFORE UPDATE ON checkpoint\n"
                     "BEGIN SELECT raise(ABORT, 'checkpoint: never changed'); END",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    FIXTURE_REFUSED(f, "principal", "bad_signature", &done,
                    sov_account_open(&commit, "b", "cent", 0, &done, &err));
}

/* The head that this handle wrote itself, under a signature that is not the one it knows. */
static void a_known_root_vouches_for_no_other_signature(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;
    sqlite3 *db;

    FIXTURE_DO(f, "principal", &done, sov_account_open(&commit, "a", "cent", 0, &done, &err));
    db = stranger_beside(f);
    assert_int_equal(
        sqlite3_exec(db,
                     "DROP TRIGGER checkpoint_no_update;"
                     "UPDATE checkpoint SET signature = zeroblob(64) WHERE size = 14;"
                     "CREATE TRIGGER checkpoint_no_update BEFORE UPDATE ON checkpoint\n"
                     "BEGIN SELECT raise(ABORT, 'checkpoint: never changed'); END",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    FIXTURE_REFUSED(f, "principal", "bad_signature", &done,
                    sov_account_open(&commit, "b", "cent", 0, &done, &err));
}

/* The range alone, under the root and the signature that this handle knows. */
static void a_known_head_vouches_for_no_other_range(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;
    sqlite3 *db;

    FIXTURE_DO(f, "principal", &done, sov_account_open(&commit, "a", "cent", 0, &done, &err));
    db = stranger_beside(f);
    assert_int_equal(
        sqlite3_exec(db, "UPDATE state_range SET nodes = zeroblob(96)", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    FIXTURE_REFUSED(f, "principal", "head_mismatch", &done,
                    sov_account_open(&commit, "b", "cent", 0, &done, &err));
}

/* Through our own connection even the derived tables are safe from structure, and the frozen ones
 * from every UPDATE and DELETE before a trigger is asked. */
static void the_seal_holds_alone(void **state)
{
    static const char *const attack[] = {
        "UPDATE event SET octets = x'7b7d'",
        "DELETE FROM event",
        "DELETE FROM blob",
        "UPDATE checkpoint SET root = zeroblob(32)",
        "DROP TABLE event",
        "DROP TRIGGER event_next",
        "ALTER TABLE event ADD COLUMN more",
        "ATTACH ':memory:' AS other",
        "CREATE TEMP TABLE event (seq)",
        "CREATE TEMP TRIGGER t AFTER INSERT ON event BEGIN SELECT 1; END",
        "CREATE TABLE extra (a)",
        "PRAGMA ignore_check_constraints = 1",
        "PRAGMA synchronous = 0",
        "PRAGMA writable_schema = 1",
        "PRAGMA journal_mode = OFF",
        "VACUUM",
        "SAVEPOINT s",
        "PRAGMA user_version = 99",
        "COMMIT", /* last: the refused COMMIT is a rollback */
    };
    struct fixture *f = *state;
    struct sov_hash before = fixture_digest(f), after;
    struct sov_commit commit = { 0 };
    struct sov_act act = fixture_act("principal");
    struct sov_error err = { 0 };

    assert_true(sov_commit_begin(&commit, f->ledger, &act, &err));
    for (size_t i = 0; i < sizeof attack / sizeof *attack; i++)
        if (sov_db_exec(commit.txn.db, attack[i], &err)) fail_msg("not refused: %s", attack[i]);
    sov_commit_end(&commit);
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(every_statement_of_the_bypass_table_is_refused),
        T(the_next_event_and_a_larger_checkpoint_pass_the_triggers),
        T(claims_grow_live_once_and_never_come_back),
        cmocka_unit_test(the_next_append_stops_when_schema_head_or_range_disagree),
        T(a_head_that_the_ledger_key_did_not_sign_is_refused),
        T(a_schema_edited_as_rows_stops_a_handle_that_has_seen_it_whole),
        T(a_known_signature_vouches_for_no_other_root),
        T(a_known_root_vouches_for_no_other_signature),
        T(a_known_head_vouches_for_no_other_range),
        T(the_seal_holds_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
