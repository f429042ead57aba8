/*
 * What a row of the log's tables may be: each CHECK alone, with the triggers off, as a shell can
 * switch them, and each trigger by its own words, where another wall would refuse the row as well.
 */
#include "tests/unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ledger_fixture.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct sov_blob_ref ref;
    struct sov_done done;

    fixture_open(f);
    FIXTURE_DO(f, "principal", &done,
               sov_blob_put(&commit, sov_bytes_text("kept"), "text/plain", false, &ref, &err) &&
                   sov_account_open(&commit, "a", "cent", 0, &done, &err));
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

/* A program of somebody else. The handle of the test is closed first, for a second descriptor in
 * one process would drop its locks. */
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

/* In a transaction that is undone: `sql` is refused with these words, or taken if there are none.
 */
static void try_row(sqlite3 *db, const char *before, const char *sql, const char *words)
{
    int rc;

    assert_int_equal(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
    if (sqlite3_exec(db, before, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", before, sqlite3_errmsg(db));
    rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    if (!words && rc != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    if (words && rc == SQLITE_OK) fail_msg("taken: %s", sql);
    if (words && strcmp(sqlite3_errmsg(db), words) != 0)
        fail_msg("%s: %s, not: %s", sql, sqlite3_errmsg(db), words);
    assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
}

#define CHECKED "CHECK constraint failed: "
#define EVENT(seq, hash, octets, resource, fence)                                                  \
    "INSERT INTO event (seq, hash, octets, resource, fence) VALUES (" seq ", zeroblob(" hash       \
    "), zeroblob(" octets "), " resource ", " fence ")"
#define BLOB(n, digest, salt, size, content)                                                       \
    "INSERT INTO blob (n, digest, salt, size, media_type, content) VALUES (" n                     \
    ", zeroblob(" digest "), " salt ", " size ", 'a', " content ")"
#define POINT(size, root, signature)                                                               \
    "INSERT INTO checkpoint (size, root, key, signature) VALUES (" size ", zeroblob(" root         \
    "), 1, zeroblob(" signature "))"
#define CLAIM(fence, live)                                                                         \
    "state_claim (resource, fence, live, holder, attempt, ttl_s, at_ms, machine, boot, boot_ms, "  \
    "pid, start) VALUES ('r', " fence ", " live ", 'a', 1, 1, 1, '', '', 1, 1, 1)"
#define POLICY(digest)                                                                             \
    "INSERT INTO state_policy (seq, digest, document, adopter, reason, key, statement, signature)" \
    " VALUES (900, zeroblob(" digest "), '', '', '', '', x'', x'')"

static void a_value_out_of_its_bounds_is_refused_by_the_table_alone(void **state)
{
    static const struct {
        const char *sql, *words;
    } rows[] = {
        { EVENT("900", "32", "2", "NULL", "NULL"), NULL },
        { EVENT("900", "32", "65535", "'r'", "1"), NULL },
        { EVENT("0", "32", "2", "NULL", "NULL"), CHECKED "seq > 0" },
        { EVENT("-1", "32", "2", "NULL", "NULL"), CHECKED "seq > 0" },
        { EVENT("900", "31", "2", "NULL", "NULL"), CHECKED "length(hash) = 32" },
        { EVENT("900", "33", "2", "NULL", "NULL"), CHECKED "length(hash) = 32" },
        { EVENT("900", "32", "1", "NULL", "NULL"), CHECKED "length(octets) BETWEEN 2 AND 65535" },
        { EVENT("900", "32", "65536", "NULL", "NULL"),
          CHECKED "length(octets) BETWEEN 2 AND 65535" },
        { EVENT("900", "32", "2", "'r'", "NULL"), CHECKED "(resource IS NULL) = (fence IS NULL)" },
        { EVENT("900", "32", "2", "NULL", "1"), CHECKED "(resource IS NULL) = (fence IS NULL)" },
        { EVENT("900", "32", "2", "'r'", "0"), CHECKED "fence > 0" },
        { BLOB("900", "32", "NULL", "2", "zeroblob(2)"), NULL },
        { BLOB("900", "32", "zeroblob(32)", "0", "x''"), NULL },
        { BLOB("900", "32", "NULL", "7", "NULL"), NULL }, /* an erased one */
        { BLOB("0", "32", "NULL", "2", "zeroblob(2)"), CHECKED "n > 0" },
        { BLOB("900", "31", "NULL", "2", "zeroblob(2)"), CHECKED "length(digest) = 32" },
        { BLOB("900", "33", "NULL", "2", "zeroblob(2)"), CHECKED "length(digest) = 32" },
        { BLOB("900", "32", "zeroblob(31)", "2", "zeroblob(2)"), CHECKED "length(salt) = 32" },
        { BLOB("900", "32", "zeroblob(33)", "2", "zeroblob(2)"), CHECKED "length(salt) = 32" },
        { BLOB("900", "32", "NULL", "-1", "NULL"), CHECKED "size >= 0" },
        { BLOB("900", "32", "NULL", "2", "zeroblob(1)"), CHECKED "length(content) = size" },
        { BLOB("900", "32", "NULL", "2", "zeroblob(3)"), CHECKED "length(content) = size" },
        { POINT("900", "32", "64"), NULL },
        { POINT("0", "32", "64"), CHECKED "size > 0" },
        { POINT("900", "31", "64"), CHECKED "length(root) = 32" },
        { POINT("900", "33", "64"), CHECKED "length(root) = 32" },
        { POINT("900", "32", "63"), CHECKED "length(signature) = 64" },
        { POINT("900", "32", "65"), CHECKED "length(signature) = 64" },
        { "INSERT INTO state_history (kind, n, name, sv, seq) VALUES (900, 1, '', 1, 1)", NULL },
        { "INSERT INTO state_history (kind, n, name, sv, seq) VALUES (900, 1, '', 0, 1)",
          CHECKED "sv > 0" },
        { "INSERT INTO state_range (id, size, nodes) VALUES (2, 0, x'')", CHECKED "id = 1" },
        { "UPDATE state_range SET id = 0", CHECKED "id = 1" },
        { "INSERT INTO state_erasure (digest, seq) VALUES (zeroblob(32), 1)", NULL },
        { "INSERT INTO state_erasure (digest, seq) VALUES (zeroblob(31), 1)",
          CHECKED "length(digest) = 32" },
        { "INSERT INTO state_erasure (digest, seq) VALUES (zeroblob(33), 1)",
          CHECKED "length(digest) = 32" },
        { "INSERT INTO " CLAIM("5", "0"), NULL },
        { "INSERT INTO " CLAIM("5", "1"), NULL },
        { "INSERT INTO " CLAIM("5", "2"), CHECKED "live IN (0, 1)" },
        { POLICY("32"), NULL },
        { POLICY("31"), CHECKED "length(digest) = 32" },
        { POLICY("33"), CHECKED "length(digest) = 32" },
    };
    struct fixture *f = *state;
    sqlite3 *db = stranger(f);
    int on = -1;

    assert_int_equal(sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, &on), SQLITE_OK);
    assert_int_equal(on, 0);
    for (size_t i = 0; i < COUNT(rows); i++) try_row(db, "", rows[i].sql, rows[i].words);
    sqlite3_close(db);
    fixture_reopen(f);
}

static void each_trigger_refuses_in_its_own_words(void **state)
{
    static const char live[] = "INSERT INTO " CLAIM("5", "1"),
                      dead[] = "INSERT INTO " CLAIM("5", "1") "; UPDATE state_claim SET live = 0";
    static const char next[] = "event: seq must be the next one", stale[] = "event: stale fence",
                      one[] = "claim: one is live, or the fence does not grow",
                      never[] = "claim: a dead one never lives again",
                      grow[] = "checkpoint: the size must grow";
    static const struct {
        const char *before, *sql, *words;
    } rows[] = {
        { "", EVENT("14", "32", "2", "NULL", "NULL"), NULL },
        { "", EVENT("13", "32", "2", "NULL", "NULL"), next },
        { "", EVENT("15", "32", "2", "NULL", "NULL"), next },
        { live, EVENT("14", "32", "2", "'r'", "5"), NULL },
        { live, EVENT("15", "32", "2", "'r'", "5"), next },
        { live, EVENT("14", "32", "2", "'r'", "4"), stale },
        { live, EVENT("14", "32", "2", "'q'", "5"), stale },
        { dead, EVENT("14", "32", "2", "'r'", "5"), stale },
        { dead, EVENT("15", "32", "2", "'r'", "5"), next },
        { "", POINT("14", "32", "64"), NULL },
        { "", POINT("13", "32", "64"), grow },
        { "", "INSERT INTO " CLAIM("5", "0"), one },
        { live, "INSERT INTO " CLAIM("6", "1"), one },
        { live, "INSERT OR REPLACE INTO " CLAIM("6", "1"), one }, /* would take away the live one */
        { dead, "INSERT INTO " CLAIM("6", "1"), NULL },
        { dead, "INSERT INTO " CLAIM("5", "1"), one },
        { dead, "INSERT INTO " CLAIM("4", "1"), one },
        { live, "UPDATE state_claim SET fence = 6", never },
        { live, "UPDATE state_claim SET resource = 'q'", never },
        { dead, "UPDATE state_claim SET live = 1", never },
        { dead, "UPDATE state_claim SET holder = 'b'", never },
    };
    struct fixture *f = *state;
    sqlite3 *db = stranger(f);

    for (size_t i = 0; i < COUNT(rows); i++)
        try_row(db, rows[i].before, rows[i].sql, rows[i].words);
    sqlite3_close(db);
    fixture_reopen(f);
}

/* Of a blob that the log says is erased, content and salt go, and nothing else moves. */
static void beside_an_erasure_only_content_and_salt_go(void **state)
{
    static const char erased[] = "INSERT INTO state_erasure (digest, seq) SELECT digest, 13 "
                                 "FROM blob";
    static const char only[] = "blob: only an erased one loses its content";
    static const struct {
        const char *before, *sql, *words;
    } rows[] = {
        { erased, "UPDATE blob SET content = NULL, salt = NULL", NULL },
        { "", "UPDATE blob SET content = NULL, salt = NULL", only },
        { erased, "UPDATE blob SET content = NULL, salt = NULL, n = 2", only },
        { erased, "UPDATE blob SET content = NULL, salt = NULL, digest = zeroblob(32)", only },
        { erased, "UPDATE blob SET content = NULL, salt = NULL, size = size + 1", only },
        { erased, "UPDATE blob SET content = NULL, salt = NULL, media_type = 'text/html'", only },
        { erased, "UPDATE blob SET content = zeroblob(size), salt = NULL", only },
        { erased, "UPDATE blob SET content = NULL, salt = zeroblob(32)", only },
    };
    struct fixture *f = *state;
    sqlite3 *db = stranger(f);

    for (size_t i = 0; i < COUNT(rows); i++)
        try_row(db, rows[i].before, rows[i].sql, rows[i].words);
    sqlite3_close(db);
    fixture_reopen(f);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(a_value_out_of_its_bounds_is_refused_by_the_table_alone),
        T(each_trigger_refuses_in_its_own_words),
        T(beside_an_erasure_only_content_and_salt_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
