/* The SQLite seam in use: the law, transactions, statements, waiting. */
#include <fcntl.h>

#include "tests/db_fixture.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* ---- the law ---- */

enum { TRIGGER = 1, CHECK = 2, SEAL = 4 };
static const struct {
    const char *sql;
    int stopped_by;
} attack[] = {
    { ADD("3"), 0 },
    { "UPDATE blob SET content = NULL", 0 },
    { "UPDATE claim SET fence = 8", 0 },
    { "DELETE FROM claim", 0 },
    { "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r",
      0 },
    { "UPDATE claim SET fence = 6", TRIGGER },
    { "UPDATE event SET body = 'other'", TRIGGER | SEAL },
    { "UPDATE OR REPLACE event SET seq = 2 WHERE seq = 1", TRIGGER | SEAL },
    { "UPDATE blob SET size = 0", SEAL },
    { "UPDATE blob SET content = NULL, size = 0", SEAL },
    { "UPDATE blob SET n = 7", SEAL },
    { "DELETE FROM event", TRIGGER | SEAL },
    { "DELETE FROM event WHERE seq = 2", TRIGGER | SEAL },
    { "DELETE FROM blob", SEAL },
    { "INSERT INTO event VALUES (2, 'x') ON CONFLICT DO UPDATE SET body = 'x'", TRIGGER | SEAL },
    { "INSERT OR REPLACE INTO event VALUES (2, 'x')", TRIGGER },
    { "INSERT INTO event VALUES (-5, 'x')", TRIGGER | CHECK },
    { "INSERT INTO event VALUES (9, 'x')", TRIGGER },
    { "INSERT INTO event VALUES (3, NULL)", CHECK },
    { "INSERT INTO event VALUES (3, x'00')", CHECK },
    { "DROP TABLE event", SEAL },
    { "DROP TRIGGER claim_seen", SEAL },
    { "ALTER TABLE event RENAME TO old", SEAL },
    { "ALTER TABLE event ADD COLUMN more TEXT", SEAL },
    { "CREATE TABLE more (a)", SEAL },
    { "CREATE INDEX more ON event (body)", SEAL },
    { "CREATE VIEW more AS SELECT 1", SEAL },
    { "CREATE TRIGGER more BEFORE INSERT ON event BEGIN SELECT raise(IGNORE); END", SEAL },
    { "CREATE TEMP TABLE event (seq)", SEAL },
    { "CREATE TEMP VIEW event AS SELECT 1", SEAL },
    { "CREATE TEMP TRIGGER more BEFORE INSERT ON event BEGIN SELECT raise(IGNORE); END", SEAL },
    { "CREATE VIRTUAL TABLE more USING fts5(a)", SEAL },
    { "ATTACH ':memory:' AS other", SEAL | CHECK },
    { "DETACH main", SEAL | CHECK },
    { "REINDEX", SEAL },
    { "ANALYZE", SEAL },
    { "SAVEPOINT s", SEAL },
    { "PRAGMA user_version = 9", SEAL },
    { "PRAGMA schema_version", SEAL },
    { "PRAGMA synchronous", SEAL },
    { "PRAGMA recursive_triggers = 0", SEAL },
    { "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'x')", SEAL | CHECK },
    { "UPDATE sqlite_schema SET sql = ''", SEAL | CHECK },
    { "DELETE FROM sqlite_schema", SEAL | CHECK },
    { "SELECT load_extension('x')", SEAL | CHECK },
    { "SELECT \"no such column\"", SEAL | CHECK },   /* no double-quoted strings */
    { "PRAGMA ignore_check_constraints = 1", SEAL }, /* last: it sticks */
};

static void attack_all(struct sov_db *db, int walls)
{
    struct sov_error err = { 0 };

    must(act(db, ADD("1"), &err) && act(db, ADD("2"), &err), &err);
    must(act(db, "INSERT INTO claim VALUES ('ASG-1', 7)", &err), &err);
    must(act(db, "INSERT INTO blob VALUES (1, 3, x'010203')", &err), &err);
    for (size_t i = 0; i < sizeof attack / sizeof *attack; i++) {
        SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
        bool stopped = (attack[i].stopped_by & walls) != 0;

        must(sov_txn_begin(&txn, db, &err), &err);
        if (sov_db_exec(db, attack[i].sql, &err) == stopped)
            fail_msg("walls %d: %s: %s", walls, attack[i].sql, err.what);
        if (stopped && err.exit != SOV_INTEGRITY && strcmp(err.code, "stale_fence") != 0)
            fail_msg("walls %d: %s: %s", walls, attack[i].sql, err.code);
    }
    assert_int_equal(number(db, count_sql), 2);
}

static void each_wall_holds_alone(void **state)
{
    (void)state;
    for (int sealed = 0; sealed < 2; sealed++)
        for (int guarded = 0; guarded < 2; guarded++) {
            SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;
            struct sov_db_options how = options(SOV_DB_MEMORY);

            how.law = sealed ? &law : NULL;
            how.migrations = guarded ? steps : no_triggers;
            db = opened_as(NULL, &how);
            attack_all(db, CHECK | (sealed ? SEAL : 0) | (guarded ? TRIGGER : 0));
        }
}

static void a_refusal_has_a_code_and_the_text(void **state)
{
    static const struct {
        const char *sql, *code, *what;
        enum sov_exit exit;
    } rows[] = {
        { "UPDATE claim SET fence = 6", "stale_fence", "claim: stale fence", SOV_CONFLICT },
        { ADD("9"), "refused_by_schema", "event: seq must be the next one", SOV_INTEGRITY },
        { "INSERT INTO event VALUES (1, NULL)", "refused_by_schema",
          "NOT NULL constraint failed: event.body", SOV_INTEGRITY },
        { "DELETE FROM event", "refused_by_schema", "authorizer: not authorized", SOV_INTEGRITY },
        { "SELECT a FROM nowhere", "schema", NULL, SOV_INTEGRITY },
    };
    SOV_CLEANUP(sov_db_end) struct sov_db *db = opened(NULL, SOV_DB_MEMORY);
    struct sov_error err = { 0 };

    (void)state;
    must(act(db, "INSERT INTO claim VALUES ('ASG-1', 7)", &err), &err);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_false(act(db, rows[i].sql, &err));
        assert_string_equal(err.code, rows[i].code);
        assert_int_equal(err.exit, rows[i].exit);
        if (rows[i].what) assert_string_equal(err.what, rows[i].what);
    }
    must(act(db, ADD("1"), &err), &err); /* no refusal spoils the handle */
}

static void a_commit_of_someone_else_is_refused(void **state)
{
    static const char *const commits[] = { "COMMIT", "END", "COMMIT TRANSACTION" };
    struct place *place = *state;
    SOV_CLEANUP(sov_db_end) struct sov_db *db = opened(place->path, SOV_DB_CREATE);
    struct sov_error err = { 0 };

    for (size_t i = 0; i < sizeof commits / sizeof *commits; i++) {
        SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };

        must(sov_txn_begin(&txn, db, &err) && sov_db_exec(db, ADD("1"), &err), &err);
        assert_false(sov_db_exec(db, commits[i], &err));
        assert_string_equal(err.code, "refused_by_schema");
        assert_string_equal(err.what, "a commit outside of the transaction function");
        assert_false(sov_txn_commit(&txn, &err)); /* it was rolled back, and says so */
    }
    assert_false(sov_db_exec(db, ADD("1"), &err)); /* would commit by itself */
    assert_string_equal(err.code, "refused_by_schema");
    assert_int_equal(number(db, count_sql), 0);
    must(act(db, ADD("1"), &err), &err);
    assert_int_equal(number(db, count_sql), 1);
}

static void an_unfinished_transaction_is_rolled_back(void **state)
{
    struct place *place = *state;
    SOV_CLEANUP(sov_db_end) struct sov_db *db = opened(place->path, SOV_DB_CREATE);
    struct sov_error err = { 0 };

    {
        SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };

        must(sov_txn_begin(&txn, db, &err) && sov_db_exec(db, ADD("1"), &err), &err);
        assert_int_equal(number(db, count_sql), 1);
    }
    assert_int_equal(number(db, count_sql), 0);
}

/* ---- statements ---- */

static void values_come_back_as_they_went_in(void **state)
{
    static const char add[] = "INSERT INTO t VALUES ($1, $2, $3, $4, $5, $6)";
    static const char get[] = "SELECT i, n, t, e, b, z FROM t";
    SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;
    struct sov_db_options how = { .mode = SOV_DB_MEMORY };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt in = { 0 };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt out = { 0 };
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    struct sov_error err = { 0 };
    bool found = false;

    (void)state;
    db = opened_as(NULL, &how);
    must(act(db, "CREATE TABLE t (i, n, t, e, b, z)", &err), &err);
    must(sov_txn_begin(&txn, db, &err) && sov_stmt_open(&in, db, add, &err), &err);
    sov_bind_int(&in, 1, INT64_MIN);
    sov_bind_null(&in, 2);
    sov_bind_text(&in, 3, sov_bytes("a\0b", 3));
    sov_bind_text(&in, 4, sov_bytes("", 0));
    sov_bind_blob(&in, 5, sov_bytes("\0\377", 2));
    sov_bind_blob(&in, 6, sov_bytes("", 0));
    must(sov_stmt_run(&in, &err), &err);
    assert_int_equal(sov_stmt_changes(&in), 1);
    must(sov_stmt_open(&out, db, get, &err) && sov_stmt_row(&out, &found, &err), &err);
    assert_true(found);
    assert_true(sov_column_int(&out, 0) == INT64_MIN);
    assert_true(sov_column_is_null(&out, 1));
    assert_int_equal(sov_column_int(&out, 1), 0);
    assert_null(sov_column_text(&out, 1).data);
    assert_null(sov_column_blob(&out, 1).data);
    assert_true(sov_bytes_equal(sov_column_text(&out, 2), sov_bytes("a\0b", 3)));
    assert_non_null(sov_column_text(&out, 3).data);
    assert_int_equal(sov_column_text(&out, 3).size, 0);
    assert_true(sov_bytes_equal(sov_column_blob(&out, 4), sov_bytes("\0\377", 2)));
    assert_non_null(sov_column_blob(&out, 5).data);
    assert_false(sov_column_is_null(&out, 5));
    must(sov_stmt_row(&out, &found, &err), &err);
    assert_false(found);
}

static void bindings_do_not_outlive_the_statement(void **state)
{
    static const char ask[] = "SELECT $1";
    SOV_CLEANUP(sov_db_end) struct sov_db *db = opened(NULL, SOV_DB_MEMORY);
    struct sov_stmt stmt = { 0 };
    struct sov_error err = { 0 };
    bool found = false;

    (void)state;
    must(sov_stmt_open(&stmt, db, ask, &err), &err);
    sov_bind_int(&stmt, 1, 7);
    must(sov_stmt_row(&stmt, &found, &err), &err);
    assert_int_equal(sov_column_int(&stmt, 0), 7);
    sov_stmt_close(&stmt); /* in the middle of its rows */
    must(sov_stmt_open(&stmt, db, ask, &err) && sov_stmt_row(&stmt, &found, &err), &err);
    assert_true(found && sov_column_is_null(&stmt, 0));
    sov_stmt_close(&stmt);
    sov_stmt_close(&stmt);
}

/* The inner one must neither disturb the outer nor see its bindings. */
static void one_statement_may_be_open_twice(void **state)
{
    static const char pairs[] = "SELECT seq FROM event WHERE seq >= $1 ORDER BY seq";
    SOV_CLEANUP(sov_db_end) struct sov_db *db = opened(NULL, SOV_DB_MEMORY);
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt outer = { 0 };
    struct sov_error err = { 0 };
    int64_t sum = 0;
    bool found, inner_found;

    (void)state;
    must(act(db, ADD("1"), &err) && act(db, ADD("2"), &err) && act(db, ADD("3"), &err), &err);
    must(sov_stmt_open(&outer, db, pairs, &err), &err);
    sov_bind_int(&outer, 1, 1);
    for (;;) {
        SOV_CLEANUP(sov_stmt_close) struct sov_stmt inner = { 0 };

        must(sov_stmt_row(&outer, &found, &err), &err);
        if (!found) break;
        must(sov_stmt_open(&inner, db, pairs, &err), &err);
        sov_bind_int(&inner, 1, sov_column_int(&outer, 0));
        for (;;) {
            must(sov_stmt_row(&inner, &inner_found, &err), &err);
            if (!inner_found) break;
            sum = 10 * sum + sov_column_int(&inner, 0);
        }
    }
    assert_int_equal(sum, 123233);
}

static void many_statements_stay_in_the_cache(void **state)
{
    enum { COUNT = 300, ROOM = 16 };
    static char text[COUNT][ROOM]; /* an address each */
    SOV_CLEANUP(sov_db_end) struct sov_db *db = opened(NULL, SOV_DB_MEMORY);

    (void)state;
    for (int i = 0; i < COUNT; i++) snprintf(text[i], ROOM, "SELECT %d", i);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < COUNT; i++) assert_int_equal(number(db, text[i]), i);
}

static void changed_rows_are_counted_per_run(void **state)
{
    static const char all[] = "UPDATE claim SET fence = fence + 1";
    static const char none[] = "DELETE FROM claim WHERE fence < 0";
    static const char no_rows[] = "SELECT fence FROM claim WHERE fence < 0";
    static const char *const adds[] = { "INSERT INTO claim VALUES ('a', 1)",
                                        "INSERT INTO claim VALUES ('b', 1)" };
    SOV_CLEANUP(sov_db_end) struct sov_db *db = opened(NULL, SOV_DB_MEMORY);
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt other = { 0 };
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    struct sov_error err = { 0 };

    (void)state;
    must(act(db, adds[0], &err) && act(db, adds[1], &err), &err);
    must(sov_txn_begin(&txn, db, &err) && sov_stmt_open(&stmt, db, all, &err), &err);
    must(sov_stmt_run(&stmt, &err), &err);
    must(sov_stmt_open(&other, db, none, &err) && sov_stmt_run(&other, &err), &err);
    assert_int_equal(sov_stmt_changes(&stmt), 2);
    assert_int_equal(sov_stmt_changes(&other), 0);
    sov_stmt_close(&other);
    must(sov_stmt_run(&stmt, &err), &err);
    must(sov_stmt_open(&other, db, no_rows, &err) && sov_stmt_run(&other, &err), &err);
    assert_int_equal(sov_stmt_changes(&other), 0); /* not those of the statement before */
}

/* ---- others at the same time ---- */

static void a_second_writer_is_told_busy(void **state)
{
    struct place *place = *state;
    SOV_CLEANUP(sov_db_end) struct sov_db *first = opened(place->path, SOV_DB_CREATE);
    SOV_CLEANUP(sov_db_end) struct sov_db *second = opened(place->path, SOV_DB_WRITE);
    SOV_CLEANUP(sov_txn_end) struct sov_txn one = { 0 };
    SOV_CLEANUP(sov_txn_end) struct sov_txn two = { 0 };
    struct sov_error err = { 0 };

    must(sov_txn_begin(&one, first, &err) && sov_db_exec(first, ADD("1"), &err), &err);
    assert_false(sov_txn_begin(&two, second, &err));
    assert_false(two.open);
    assert_string_equal(err.code, "busy");
    assert_int_equal(err.exit, SOV_UNABLE);
    must(sov_txn_commit(&one, &err), &err);
    must(sov_txn_begin(&two, second, &err), &err); /* a new one, with a new deadline */
    assert_int_equal(number(second, count_sql), 1);
}

static void a_commit_that_a_reader_holds_up_can_be_tried_again(void **state)
{
    struct place *place = *state;
    SOV_CLEANUP(sov_db_end) struct sov_db *writer = opened(place->path, SOV_DB_CREATE);
    SOV_CLEANUP(sov_db_end) struct sov_db *reader = opened(place->path, SOV_DB_READ);
    SOV_CLEANUP(sov_txn_end) struct sov_txn reading = { 0 };
    SOV_CLEANUP(sov_txn_end) struct sov_txn writing = { 0 };
    struct sov_error err = { 0 };

    if (strcmp(sov_db_journal_mode(writer), "wal") == 0) skip(); /* there readers hold up nobody */
    must(sov_txn_begin(&reading, reader, &err), &err);
    assert_int_equal(number(reader, count_sql), 0);
    must(sov_txn_begin(&writing, writer, &err) && sov_db_exec(writer, ADD("1"), &err), &err);
    assert_false(sov_txn_commit(&writing, &err));
    assert_string_equal(err.code, "busy");
    assert_true(writing.open);
    assert_int_equal(number(reader, count_sql), 0);
    sov_txn_end(&reading);
    must(sov_txn_commit(&writing, &err), &err);
    assert_int_equal(number(reader, count_sql), 1);
}

enum use { STATEMENT, BEGIN, COMMIT, CLOSE, USES };

static int status_of_child(struct sov_db *db, struct sov_txn *open, enum use use)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        struct sov_txn txn = { 0 };
        struct sov_error err;
        struct rlimit none = { 0 };

        (void)setrlimit(RLIMIT_CORE, &none);
        (void)signal(SIGABRT, SIG_DFL);
        (void)close(STDERR_FILENO); /* the assertion is expected */
        if (use == STATEMENT) (void)!sov_db_exec(db, "SELECT 1", &err);
        if (use == BEGIN) (void)!sov_txn_begin(&txn, db, &err);
        if (use == COMMIT) (void)!sov_txn_commit(open, &err);
        if (use == CLOSE) sov_db_close(db);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void a_child_cannot_use_the_handle(void **state)
{
    struct place *place = *state;
    SOV_CLEANUP(sov_db_end) struct sov_db *db = opened(place->path, SOV_DB_CREATE);
    struct sov_error err = { 0 };

    for (enum use use = STATEMENT; use < USES; use++) {
        SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
        int status;

        if (use == COMMIT) must(sov_txn_begin(&txn, db, &err), &err);
        status = status_of_child(db, &txn, use);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGABRT);
    }
    must(act(db, ADD("1"), &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wall_holds_alone),
        cmocka_unit_test(a_refusal_has_a_code_and_the_text),
        TEST(a_commit_of_someone_else_is_refused),
        TEST(an_unfinished_transaction_is_rolled_back),
        cmocka_unit_test(values_come_back_as_they_went_in),
        cmocka_unit_test(bindings_do_not_outlive_the_statement),
        cmocka_unit_test(one_statement_may_be_open_twice),
        cmocka_unit_test(many_statements_stay_in_the_cache),
        cmocka_unit_test(changed_rows_are_counted_per_run),
        TEST(a_second_writer_is_told_busy),
        TEST(a_commit_that_a_reader_holds_up_can_be_tried_again),
        TEST(a_child_cannot_use_the_handle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
