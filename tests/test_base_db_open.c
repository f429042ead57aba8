/* The SQLite seam at its beginning: which file, set to what, stamped with what, healed by whom. */
#include "tests/db_fixture.h"

#include <sqlite3.h>
#include <sys/wait.h>

/* ---- settings ---- */

static void every_setting_reads_back(void **state)
{
    static const struct {
        const char *sql;
        int64_t want;
    } rows[] = {
        { "PRAGMA foreign_keys", 1 },
        { "PRAGMA recursive_triggers", 1 },
        { "PRAGMA trusted_schema", 0 },
        { "PRAGMA writable_schema", 0 },
        { "PRAGMA ignore_check_constraints", 0 },
        { "PRAGMA cell_size_check", 1 },
        { "PRAGMA read_uncommitted", 0 },
        { "PRAGMA secure_delete", 1 },
        { "PRAGMA synchronous", 2 },
        { "PRAGMA temp_store", 2 },
        { "PRAGMA mmap_size", 0 },
        { "PRAGMA journal_size_limit", 32 * 1024 * 1024 },
        { "PRAGMA cache_size", -300 },
        { "PRAGMA page_size", 8192 },
        { "PRAGMA auto_vacuum", 0 },
        { "PRAGMA application_id", 0x736f7631 },
        { "PRAGMA user_version", STEPS },
    };
    static const char query_only[] = "PRAGMA query_only";
    struct place *place = *state;

    for (int mode = SOV_DB_CREATE; mode >= 0; mode--) { /* create, write, read */
        struct sov_db_options how = options((enum sov_db_mode)mode);
        SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;

        how.law = NULL;
        how.page_cache_kib = 300;
        how.page_size = mode == SOV_DB_CREATE ? 8192 : 0;
        db = opened_as(place->path, &how);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (number(db, rows[i].sql) != rows[i].want) fail_msg("%d: %s", mode, rows[i].sql);
        assert_int_equal(number(db, query_only), mode == SOV_DB_READ);
    }
}

static void switches_without_a_pragma_are_thrown_too(void **state)
{
    static const char *const refused[] = {
        "SELECT \"a string\"",
        "CREATE TABLE t (a CHECK (a <> \"a string\"))",
        "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'x')",
        "SELECT load_extension('x')",
        "ATTACH ':memory:' AS other",
    };
    struct sov_db_options how = { .mode = SOV_DB_MEMORY };
    SOV_CLEANUP(sov_db_end) struct sov_db *db = opened_as(NULL, &how);
    struct sov_error err = { 0 };

    (void)state;
    assert_string_equal(sov_db_journal_mode(db), "memory");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (act(db, refused[i], &err)) fail_msg("%s", refused[i]);
    must(sov_db_exec(db, "PRAGMA writable_schema = 1", &err), &err);
    assert_false(act(db, "DELETE FROM sqlite_schema", &err)); /* defensive mode holds alone */
    must(act(db, "CREATE TABLE t (a)", &err), &err);          /* a memory handle needs no law */
}

static void the_journal_follows_the_linked_library(void **state)
{
    static const struct {
        int release;
        bool sound;
    } rows[] = {
        { 3007000, false }, { 3040001, false }, { 3044005, false }, { 3044006, true },
        { 3044099, true },  { 3045000, false }, { 3050006, false }, { 3050007, true },
        { 3051000, false }, { 3051002, false }, { 3051003, true },  { 3051009, true },
        { 3052000, false }, { 3052001, true },  { 3053002, true },  { 4000000, true },
    };
    struct place *place = *state;
    SOV_CLEANUP(sov_db_end) struct sov_db *db = opened(place->path, SOV_DB_CREATE);
    int part[3] = { 0 };
    bool sound;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sov_db_wal_is_sound(rows[i].release) != rows[i].sound) fail_msg("%d", rows[i].release);
    assert_int_equal(sscanf(sov_db_library_version(), "%d.%d.%d", &part[0], &part[1], &part[2]), 3);
    sound = sov_db_wal_is_sound(part[0] * 1000000 + part[1] * 1000 + part[2]);
    assert_string_equal(sov_db_journal_mode(db), sound ? "wal" : "persist");
    assert_true(strlen(sov_db_library_source()) > 40);
}

/* ---- which file ---- */

static void expect_refusal(const char *path, const struct sov_db_options *how, const char *code,
                           enum sov_exit exit)
{
    struct sov_db *db = NULL;
    struct sov_error err = { 0 };

    if (sov_db_open(path, how, &db, &err)) fail_msg("%s opened, not %s", path, code);
    if (db || strcmp(err.code, code) != 0 || err.exit != exit)
        fail_msg("%s: %s %s, not %s", path, err.code, err.what, code);
}

static void a_missing_file_is_not_made(void **state)
{
    struct place *place = *state;
    struct sov_db_options how = options(SOV_DB_READ);
    char before[4000], after[4000], deep[128];

    folder_state(place, before, sizeof before, false);
    expect_refusal(place->path, &how, "no_such_file", SOV_ABSENT);
    how.mode = SOV_DB_WRITE;
    expect_refusal(place->path, &how, "no_such_file", SOV_ABSENT);
    how.mode = SOV_DB_CREATE;
    snprintf(deep, sizeof deep, "%s/none/a.db", place->folder);
    expect_refusal(deep, &how, "no_such_file", SOV_ABSENT);
    folder_state(place, after, sizeof after, false);
    assert_string_equal(before, after);
}

/* a.db as: an empty file, text, a link to nothing, a pipe, a folder, a file of two names */
enum kind { EMPTY, TEXT, LINK, PIPE, FOLDER, TWO_NAMES, KINDS };

static void furnish(const struct place *place, enum kind kind)
{
    char other[128];
    int fd;

    snprintf(other, sizeof other, "%s/other", place->folder);
    (void)unlink(place->path);
    (void)rmdir(place->path);
    (void)unlink(other);
    if (kind == LINK) assert_int_equal(symlink("other", place->path), 0);
    if (kind == PIPE) assert_int_equal(mkfifo(place->path, 0600), 0);
    if (kind == FOLDER) assert_int_equal(mkdir(place->path, 0700), 0);
    if (kind == LINK || kind == PIPE || kind == FOLDER) return;
    fd = open(place->path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    if (kind == TEXT) assert_int_equal(write(fd, "twenty bytes of text", 20), 20);
    (void)close(fd);
    if (kind == TWO_NAMES) assert_int_equal(link(place->path, other), 0);
}

static void what_is_no_ledger_is_neither_opened_nor_overwritten(void **state)
{
    static const struct {
        const char *code;
        enum sov_exit exit;
    } opening[KINDS] = {
        [EMPTY] = { "corrupt", SOV_INTEGRITY },   [TEXT] = { "corrupt", SOV_INTEGRITY },
        [LINK] = { "file_unsafe", SOV_DENIED },   [PIPE] = { "file_unsafe", SOV_DENIED },
        [FOLDER] = { "file_unsafe", SOV_DENIED }, [TWO_NAMES] = { "file_unsafe", SOV_DENIED },
    };
    struct place *place = *state;
    char before[4000], after[4000];

    for (enum kind kind = EMPTY; kind < KINDS; kind++) {
        struct sov_db_options how = options(SOV_DB_READ);

        furnish(place, kind);
        folder_state(place, before, sizeof before, false);
        expect_refusal(place->path, &how, opening[kind].code, opening[kind].exit);
        how.mode = SOV_DB_WRITE;
        expect_refusal(place->path, &how, opening[kind].code, opening[kind].exit);
        how.mode = SOV_DB_CREATE;
        expect_refusal(place->path, &how, "exists", SOV_CONFLICT);
        folder_state(place, after, sizeof after, false);
        assert_string_equal(before, after);
    }
}

static void a_link_on_the_way_is_refused(void **state)
{
    struct place *place = *state;
    struct sov_db_options how = options(SOV_DB_CREATE);
    char way[128], path[160];

    sov_db_close(opened(place->path, SOV_DB_CREATE));
    snprintf(way, sizeof way, "%s/way", place->folder);
    assert_int_equal(symlink(".", way), 0);
    snprintf(path, sizeof path, "%s/b.db", way);
    expect_refusal(path, &how, "file_unsafe", SOV_DENIED);
    snprintf(path, sizeof path, "%s/b.db", place->folder);
    assert_int_not_equal(access(path, F_OK), 0); /* nor behind it */
    snprintf(path, sizeof path, "%s/a.db", way);
    how.mode = SOV_DB_READ;
    expect_refusal(path, &how, "file_unsafe", SOV_DENIED);
    how.mode = SOV_DB_WRITE;
    expect_refusal(path, &how, "file_unsafe", SOV_DENIED);
}

/* None of these may reach SQLite as anything but the name of a file. */
static void a_path_is_only_a_path(void **state)
{
    static const char *const names[] = { "a b?mode=memory", "file:x", ":memory:", "%41#&",
                                         "\303\266" };
    struct place *place = *state;
    char before[4096];

    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(place->folder), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;
        struct sov_error err;

        db = opened(names[i], SOV_DB_CREATE);
        must(act(db, ADD("1"), &err), &err);
        sov_db_close(db);
        assert_int_equal(access(names[i], F_OK), 0);
        db = opened(names[i], SOV_DB_READ);
        assert_int_equal(number(db, count_sql), 1);
    }
    assert_int_equal(chdir(before), 0);
}

static void a_file_that_may_not_be_written_is_not_opened_for_writing(void **state)
{
    struct place *place = *state;
    struct sov_db_options how = options(SOV_DB_WRITE);

    if (geteuid() == 0) skip(); /* root may write everywhere */
    sov_db_close(opened(place->path, SOV_DB_CREATE));
    assert_int_equal(chmod(place->path, 0400), 0);
    expect_refusal(place->path, &how, "io_error", SOV_UNABLE);
    sov_db_close(opened(place->path, SOV_DB_READ));
}

/* ---- stamps ---- */

static void other_formats_are_refused(void **state)
{
    struct place *place = *state;
    struct sov_db_options how = options(SOV_DB_CREATE);
    struct sov_error err = { 0 };
    SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;

    sov_db_close(opened(place->path, SOV_DB_CREATE));
    for (int mode = SOV_DB_READ; mode <= SOV_DB_WRITE; mode++) {
        how = options((enum sov_db_mode)mode);
        how.migration_count = STEPS + 1;
        expect_refusal(place->path, &how, "older_format", SOV_UNABLE);
        how.migration_count = STEPS - 1;
        expect_refusal(place->path, &how, "newer_format", SOV_UNABLE);
    }
    how = options(SOV_DB_WRITE);
    how.law = NULL;
    db = opened_as(place->path, &how);
    must(act(db, "PRAGMA application_id = 7", &err), &err);
    sov_db_close(db);
    db = NULL;
    expect_refusal(place->path, &how, "corrupt", SOV_INTEGRITY);
}

static void a_migration_is_whole_or_not_at_all(void **state)
{
    static const char *const bad[] = { TABLES, "CREATE TABLE half (a); CREATE TABLE half (a)" };
    struct place *place = *state;
    struct sov_db_options how = options(SOV_DB_CREATE);
    SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;

    how.migrations = bad;
    expect_refusal(place->path, &how, "schema", SOV_INTEGRITY);
    how = options(SOV_DB_WRITE);
    expect_refusal(place->path, &how, "older_format", SOV_UNABLE);
    how.migration_count = 1;
    db = opened_as(place->path, &how);
    assert_int_equal(number(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'half'"), 0);
}

/* ---- readers ---- */

static void a_reader_touches_nothing(void **state)
{
    struct place *place = *state;
    struct sov_db *db = opened(place->path, SOV_DB_CREATE);
    struct sov_db_options how = options(SOV_DB_READ);
    struct sov_hash hash;
    struct sov_error err = { 0 };
    struct sov_txn txn = { 0 };
    char before[4000], after[4000];
    int64_t version;

    must(act(db, ADD("1"), &err), &err);
    sov_db_close(db);
    folder_state(place, before, sizeof before, false);
    how.law = NULL; /* what stops it here is the handle alone */
    db = opened_as(place->path, &how);
    must(sov_txn_begin(&txn, db, &err), &err);
    assert_int_equal(number(db, count_sql), 1);
    must(sov_db_fingerprint(db, &hash, &err), &err);
    must(sov_db_data_version(db, &version, &err), &err);
    must(sov_db_quick_check(db, &err), &err);
    assert_false(sov_db_exec(db, ADD("2"), &err));
    assert_string_equal(err.code, "refused_by_schema");
    sov_txn_end(&txn);
    sov_db_close(db);
    folder_state(place, after, sizeof after, false);
    assert_string_equal(before, after);
}

/* More pages than the cache was given, so that they would be written before any commit. */
static void what_is_tried_reaches_no_file(void **state)
{
    struct place *place = *state;
    struct sov_db_options how = options(SOV_DB_TRY);
    struct sov_db *db = opened(place->path, SOV_DB_CREATE);
    struct sov_error err = { 0 };
    struct sov_txn txn = { 0 };
    char before[4000], after[4000];

    must(act(db, ADD("1"), &err), &err);
    sov_db_close(db);
    folder_state(place, before, sizeof before, false);
    how.page_cache_kib = 40;
    db = opened_as(place->path, &how);
    for (int round = 0; round < 2; round++) {
        must(sov_txn_begin(&txn, db, &err), &err);
        for (int i = 0; i < 100; i++)
            must(sov_db_exec(db, "INSERT INTO blob VALUES (NULL, 1, zeroblob(5000))", &err), &err);
        assert_int_equal(number(db, "SELECT count(*) FROM blob"), 100);
        folder_state(place, after, sizeof after, false);
        assert_string_equal(before, after);
        sov_txn_end(&txn);
        assert_int_equal(number(db, "SELECT count(*) FROM blob"), 0);
    }
    sov_db_close(db);
    folder_state(place, after, sizeof after, false);
    assert_string_equal(before, after);
}

/* Dies in the middle of a transaction that had to write pages already. */
static void die_writing(const struct place *place)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        struct sov_db_options how = options(SOV_DB_WRITE);
        struct sov_db *db = NULL;
        struct sov_txn txn = { 0 };
        struct sov_error err;
        bool ok;

        how.page_cache_kib = 40;
        ok = sov_db_open(place->path, &how, &db, &err) && sov_txn_begin(&txn, db, &err);
        for (int i = 0; ok && i < 100; i++)
            ok = sov_db_exec(db, "INSERT INTO blob VALUES (NULL, 1, zeroblob(5000))", &err);
        _exit(ok ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_crash_is_healed_by_a_writer_and_by_nobody_else(void **state)
{
    struct place *place = *state;
    struct sov_db_options how = options(SOV_DB_READ);
    struct sov_db *db = opened(place->path, SOV_DB_CREATE);
    struct sov_error err = { 0 };
    char before[4000], after[4000];
    bool wal = strcmp(sov_db_journal_mode(db), "wal") == 0;

    must(act(db, ADD("1"), &err), &err);
    sov_db_close(db);
    if (wal) skip(); /* there the pages of the dead are just not taken over */
    die_writing(place);
    folder_state(place, before, sizeof before, false);
    for (int i = 0; i < 2; i++) {
        how.mode = i ? SOV_DB_TRY : SOV_DB_READ;
        expect_refusal(place->path, &how, "needs_recovery", SOV_UNABLE);
        folder_state(place, after, sizeof after, false);
        assert_string_equal(before, after);
    }
    db = opened(place->path, SOV_DB_WRITE);
    must(sov_db_quick_check(db, &err), &err);
    assert_int_equal(number(db, count_sql), 1);
    assert_int_equal(number(db, "SELECT count(*) FROM blob"), 0);
    sov_db_close(db);
    db = opened(place->path, SOV_DB_READ);
    assert_int_equal(number(db, count_sql), 1);
    sov_db_close(db);
}

/* ---- the schema ---- */

static struct sov_hash fingerprint(struct sov_db *db)
{
    struct sov_hash hash = { 0 };
    struct sov_error err;

    must(sov_db_fingerprint(db, &hash, &err), &err);
    return hash;
}

static void a_fingerprint_tells_every_change_of_the_schema(void **state)
{
    static const char *const changes[] = {
        "DROP TRIGGER event_next",
        "CREATE TABLE more (a)",
        "CREATE INDEX more ON event (body)",
        "ALTER TABLE event ADD COLUMN more TEXT",
        "CREATE TEMP TABLE event (seq)",
        "CREATE TEMP TRIGGER more BEFORE INSERT ON event BEGIN SELECT raise(IGNORE); END",
    };
    struct sov_db_options how = options(SOV_DB_MEMORY);
    SOV_CLEANUP(sov_db_end) struct sov_db *sealed = opened_as(NULL, &how);
    struct sov_hash want = fingerprint(sealed), again = fingerprint(sealed);
    struct sov_error err = { 0 };

    (void)state;
    assert_true(sov_hash_equal(&want, &again));
    how.law = NULL;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        SOV_CLEANUP(sov_db_end) struct sov_db *db = opened_as(NULL, &how);
        struct sov_hash same = fingerprint(db), other;

        assert_true(sov_hash_equal(&want, &same));
        must(act(db, changes[i], &err), &err);
        other = fingerprint(db);
        if (sov_hash_equal(&want, &other)) fail_msg("%s", changes[i]);
    }
    must(act(sealed, ADD("1"), &err), &err);
    again = fingerprint(sealed);
    assert_true(sov_hash_equal(&want, &again));
}

static void the_schema_is_seen_inside_a_transaction(void **state)
{
    struct place *place = *state;
    struct sov_db_options how = options(SOV_DB_WRITE);
    SOV_CLEANUP(sov_db_end) struct sov_db *sealed = opened(place->path, SOV_DB_CREATE);
    SOV_CLEANUP(sov_db_end) struct sov_db *other = NULL;
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    struct sov_hash before = fingerprint(sealed), after;
    struct sov_error err = { 0 };
    int64_t first, second;

    how.law = NULL;
    other = opened_as(place->path, &how);
    must(sov_db_data_version(sealed, &first, &err), &err);
    must(act(other, "DROP TRIGGER event_next", &err), &err);
    must(sov_txn_begin(&txn, sealed, &err), &err);
    must(sov_db_data_version(sealed, &second, &err), &err);
    assert_true(first != second);
    after = fingerprint(sealed);
    assert_false(sov_hash_equal(&before, &after));
}

static int64_t data_version(struct sov_db *db)
{
    struct sov_error err = { 0 };
    int64_t version = -1;

    must(sov_db_data_version(db, &version, &err), &err);
    return version;
}

static void the_data_version_moves_with_the_commits_of_others_alone(void **state)
{
    struct place *place = *state;
    SOV_CLEANUP(sov_db_end) struct sov_db *sealed = opened(place->path, SOV_DB_CREATE);
    struct sov_error err = { 0 };
    int64_t first = data_version(sealed), second;
    sqlite3 *other;

    must(act(sealed, ADD("1"), &err), &err);
    assert_int_equal(data_version(sealed), first);
    assert_int_equal(sqlite3_open(place->path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, ADD("2"), NULL, NULL, NULL), SQLITE_OK);
    second = data_version(sealed);
    assert_true(first != second);
    /* Rows of the schema, which leave its cookie as it was. */
    assert_int_equal(sqlite3_exec(other,
                                  "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = sql "
                                  "|| ' ' WHERE name = 'event_next'",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_true(second != data_version(sealed));
    sqlite3_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_setting_reads_back),
        cmocka_unit_test(switches_without_a_pragma_are_thrown_too),
        TEST(the_journal_follows_the_linked_library),
        TEST(a_missing_file_is_not_made),
        TEST(what_is_no_ledger_is_neither_opened_nor_overwritten),
        TEST(a_link_on_the_way_is_refused),
        TEST(a_path_is_only_a_path),
        TEST(a_file_that_may_not_be_written_is_not_opened_for_writing),
        TEST(other_formats_are_refused),
        TEST(a_migration_is_whole_or_not_at_all),
        TEST(a_reader_touches_nothing),
        TEST(what_is_tried_reaches_no_file),
        TEST(a_crash_is_healed_by_a_writer_and_by_nobody_else),
        cmocka_unit_test(a_fingerprint_tells_every_change_of_the_schema),
        TEST(the_schema_is_seen_inside_a_transaction),
        TEST(the_data_version_moves_with_the_commits_of_others_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
