#ifndef SOV_TESTS_DB_FIXTURE_H
#define SOV_TESTS_DB_FIXTURE_H
/* A small database with a law, in a folder of its own, for the tests of the SQLite seam. */
#include "tests/unit.h"

#include "base/db.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* clang-format off */
#define TABLES                                                                                    \
    "CREATE TABLE event (seq INTEGER PRIMARY KEY CHECK (seq > 0), body TEXT NOT NULL) STRICT;"    \
    "CREATE TABLE blob (n INTEGER PRIMARY KEY, size INTEGER NOT NULL, content BLOB) STRICT;"      \
    "CREATE TABLE claim (resource TEXT PRIMARY KEY, fence INTEGER NOT NULL) STRICT;"              \
    "CREATE TRIGGER claim_seen AFTER INSERT ON claim BEGIN SELECT 1; END;"
#define TRIGGERS                                                                                  \
    "CREATE TRIGGER event_next BEFORE INSERT ON event "                                           \
    "WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event) "                          \
    "BEGIN SELECT raise(ABORT, 'event: seq must be the next one'); END;"                          \
    "CREATE TRIGGER event_no_update BEFORE UPDATE ON event "                                      \
    "BEGIN SELECT raise(ABORT, 'event: never changed'); END;"                                     \
    "CREATE TRIGGER event_no_delete BEFORE DELETE ON event "                                      \
    "BEGIN SELECT raise(ABORT, 'event: never removed'); END;"                                     \
    "CREATE TRIGGER claim_fence BEFORE UPDATE ON claim WHEN NEW.fence < OLD.fence "               \
    "BEGIN SELECT raise(ABORT, 'claim: stale fence'); END;"
/* clang-format on */
enum { STEPS = 2 };
static const char *const steps[STEPS + 1] = { TABLES, TRIGGERS, "CREATE TABLE later (a) " };
static const char *const no_triggers[STEPS] = { TABLES, "SELECT 1" };
static const char *const frozen[] = { "event", "blob", NULL };
static const char *const erasable[] = { "blob.content", NULL };
static const struct sov_db_law law = { .frozen = frozen, .erasable = erasable };

struct place {
    char folder[64], path[96];
};

static inline void must(bool ok, const struct sov_error *err)
{
    if (!ok) fail_msg("%s: %s", err->code, err->what);
}

static inline int begin(void **state)
{
    struct place *place = calloc(1, sizeof *place);

    assert_non_null(place);
    /* Memory is a file system, too, and waits for no disk. */
    snprintf(place->folder, sizeof place->folder, "%s/sov-test-db-%06d",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", 0);
    memset(place->folder + strlen(place->folder) - 6, 'X', 6);
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, sizeof place->path, "%s/a.db", place->folder);
    *state = place;
    return 0;
}

/* One line a file: name, size, time of the last write. (Not of the last change: as root, SQLite
 * gives a journal that it opens to the owner of the database, who has it already.) */
static inline void folder_state(const struct place *place, char *text, size_t room, bool and_remove)
{
    DIR *dir = opendir(place->folder);
    struct dirent *entry;
    size_t size = 0;

    assert_non_null(dir);
    text[0] = 0;
    while ((entry = readdir(dir))) {
        struct stat facts;

        if (entry->d_name[0] == '.') continue;
        assert_int_equal(fstatat(dirfd(dir), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW), 0);
        size += (size_t)snprintf(text + size, room - size, "%s %lld %lld.%09ld\n", entry->d_name,
                                 (long long)facts.st_size, (long long)facts.st_mtim.tv_sec,
                                 facts.st_mtim.tv_nsec);
        if (and_remove && unlinkat(dirfd(dir), entry->d_name, 0) != 0)
            (void)unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
    }
    (void)closedir(dir);
}

static inline int end(void **state)
{
    struct place *place = *state;
    char text[4000];

    folder_state(place, text, sizeof text, true);
    (void)rmdir(place->folder);
    free(place);
    return 0;
}

static inline struct sov_db_options options(enum sov_db_mode mode)
{
    return (struct sov_db_options){
        .mode = mode, .busy_ms = 5, .law = &law, .migrations = steps, .migration_count = STEPS
    };
}

static inline struct sov_db *opened_as(const char *path, const struct sov_db_options *how)
{
    struct sov_db *db = NULL;
    struct sov_error err;

    must(sov_db_open(path, how, &db, &err), &err);
    assert_non_null(db);
    return db;
}

static inline struct sov_db *opened(const char *path, enum sov_db_mode mode)
{
    struct sov_db_options how = options(mode);

    return opened_as(path, &how);
}

/* One statement in a transaction of its own. */
static inline bool act(struct sov_db *db, const char *sql, struct sov_error *err)
{
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };

    return sov_txn_begin(&txn, db, err) && sov_db_exec(db, sql, err) && sov_txn_commit(&txn, err);
}

static inline int64_t number(struct sov_db *db, const char *sql)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_error err;
    bool found = false;

    must(sov_stmt_open(&stmt, db, sql, &err) && sov_stmt_row(&stmt, &found, &err), &err);
    assert_true(found);
    return sov_column_int(&stmt, 0);
}

static const char count_sql[] = "SELECT count(*) FROM event";

#define ADD(n) "INSERT INTO event VALUES (" n ", 'text')"
#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
#endif
