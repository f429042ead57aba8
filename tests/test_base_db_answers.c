/* The SQLite seam where library and file system answer otherwise than they were asked. */
#include "tests/db_fixture.h"

#include <errno.h>
#include <sqlite3.h>

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* ---- a file system of SQLite's that has its own mind about one setting ---- */

static struct {
    sqlite3_vfs vfs, *real;
    sqlite3_io_methods methods;
    const sqlite3_io_methods *below;
    const char *setting, *answer;
    unsigned fired;
} minded;

static int minded_control(sqlite3_file *file, int what, void *arg)
{
    char **words = arg; /* the answer, the setting, what it is to be */

    if (what != SQLITE_FCNTL_PRAGMA || !minded.setting || strcmp(words[1], minded.setting) != 0)
        return minded.below->xFileControl(file, what, arg);
    minded.fired++;
    words[0] = sqlite3_mprintf("%s", minded.answer);
    return SQLITE_OK;
}

static int minded_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *got)
{
    int rc = minded.real->xOpen(minded.real, name, file, flags, got);

    (void)vfs;
    if (rc != SQLITE_OK || !(flags & SQLITE_OPEN_MAIN_DB)) return rc;
    minded.below = file->pMethods;
    minded.methods = *file->pMethods;
    minded.methods.xFileControl = minded_control;
    file->pMethods = &minded.methods;
    return rc;
}

static void a_setting_that_does_not_take_stops_the_opening(void **state)
{
    static const struct {
        const char *setting, *want;
    } rows[] = {
        { "foreign_keys", "1" },
        { "recursive_triggers", "1" },
        { "trusted_schema", "0" },
        { "writable_schema", "0" },
        { "ignore_check_constraints", "0" },
        { "cell_size_check", "1" },
        { "read_uncommitted", "0" },
        { "secure_delete", "1" },
        { "synchronous", "2" },
        { "temp_store", "2" },
        { "mmap_size", "0" },
        { "journal_size_limit", "33554432" },
        { "cache_size", "-8192" },
        { "query_only", "0" },
        { "journal_mode", NULL },
    };
    struct place *place = *state;
    struct sov_db_options how = options(SOV_DB_WRITE);

    sov_db_close(opened(place->path, SOV_DB_CREATE));
    minded.real = sqlite3_vfs_find(NULL);
    minded.vfs = *minded.real;
    minded.vfs.zName = "minded";
    minded.vfs.xOpen = minded_open;
    assert_int_equal(sqlite3_vfs_register(&minded.vfs, 0), SQLITE_OK);
    how.vfs = "minded";
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sov_db *db = NULL;
        struct sov_error err = { 0 };
        char what[200];

        minded.setting = rows[i].setting;
        minded.answer = rows[i].want ? "7" : "off";
        minded.fired = 0;
        if (sov_db_open(place->path, &how, &db, &err)) fail_msg("%s", rows[i].setting);
        assert_null(db);
        assert_true(minded.fired > 0);
        assert_string_equal(err.code, "io_error");
        assert_int_equal(err.exit, SOV_UNABLE);
        snprintf(what, sizeof what, "%s: %s is 7 and cannot be set to %s", place->path,
                 rows[i].setting, rows[i].want ? rows[i].want : "");
        if (!rows[i].want)
            snprintf(what, sizeof what, "%s: the journal is off and cannot be made ", place->path);
        if (strncmp(err.what, what, strlen(what)) != 0) fail_msg("%s, not: %s", err.what, what);
    }
    minded.setting = NULL;
    sov_db_close(opened_as(place->path, &how));
    assert_int_equal(sqlite3_vfs_unregister(&minded.vfs), SQLITE_OK);
}

/* ---- a system that opens nothing, or for reading alone ---- */

static struct {
    int number;   /* what an opening fails with */
    bool reading; /* one that is only to read is well */
    unsigned fired;
} opening;

static int opening_open(const char *path, int flags, int mode)
{
    if (opening.reading && (flags & O_ACCMODE) == O_RDONLY) return open(path, flags, mode);
    opening.fired++;
    errno = opening.number;
    return -1;
}

static void expect_unopened(const struct place *place, const char *code, enum sov_exit exit,
                            const char *what)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    struct sov_db_options how = options(SOV_DB_WRITE);
    struct sov_error err = { 0 };
    struct sov_db *db = NULL;
    bool ok;

    opening.fired = 0;
    assert_int_equal(
        vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)(void (*)(void))opening_open),
        SQLITE_OK);
    ok = sov_db_open(place->path, &how, &db, &err);
    assert_int_equal(vfs->xSetSystemCall(vfs, "open", NULL), SQLITE_OK);
    assert_false(ok);
    assert_null(db);
    assert_true(opening.fired > 0);
    if (strcmp(err.code, code) != 0 || err.exit != exit || !strstr(err.what, what))
        fail_msg("%d: %s %s", opening.number, err.code, err.what);
}

static void a_file_that_is_not_opened_is_told_by_why(void **state)
{
    static const struct {
        int number;
        const char *code, *what;
        enum sov_exit exit;
    } rows[] = {
        { ENOENT, "no_such_file", "no file ", SOV_ABSENT },
        { ENOTDIR, "no_such_file", "no file ", SOV_ABSENT },
        { ENOSPC, "disk_full", "disk full", SOV_UNABLE },
        { EDQUOT, "disk_full", "disk full", SOV_UNABLE },
        { EFBIG, "disk_full", "disk full", SOV_UNABLE },
        { EIO, "io_error", "Input/output error", SOV_UNABLE },
        { EMFILE, "io_error", "Too many open files", SOV_UNABLE },
    };
    struct place *place = *state;

    sov_db_close(opened(place->path, SOV_DB_CREATE));
    opening.reading = false;
    for (size_t i = 0; i < COUNT(rows); i++) {
        opening.number = rows[i].number;
        expect_unopened(place, rows[i].code, rows[i].exit, rows[i].what);
    }
    sov_db_close(opened(place->path, SOV_DB_WRITE));
}

/* The library would go on with a handle that can only read. */
static void a_file_that_may_only_be_read_is_not_opened_for_writing(void **state)
{
    struct place *place = *state;

    sov_db_close(opened(place->path, SOV_DB_CREATE));
    opening.reading = true;
    opening.number = EROFS;
    expect_unopened(place, "io_error", SOV_UNABLE, " may not be written");
    sov_db_close(opened(place->path, SOV_DB_WRITE));
}

/* ---- a journal that a reader would have to make ---- */

static void a_reader_that_would_have_to_make_a_journal_asks_for_a_writer(void **state)
{
    struct place *place = *state;
    struct sov_db_options how = options(SOV_DB_READ);
    struct sov_error err = { 0 };
    struct sov_db *db = NULL;
    char index[128];
    sqlite3 *other;

    sov_db_close(opened(place->path, SOV_DB_CREATE));
    assert_int_equal(sqlite3_open(place->path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "PRAGMA journal_mode = WAL;" ADD("1"), NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(other), SQLITE_OK); /* takes log and index away */
    assert_false(sov_db_open(place->path, &how, &db, &err));
    assert_null(db);
    assert_string_equal(err.code, "needs_recovery");
    assert_int_equal(err.exit, SOV_UNABLE);
    snprintf(index, sizeof index, "%s-shm", place->path);
    assert_int_not_equal(access(index, F_OK), 0);
    db = opened(place->path, SOV_DB_WRITE);
    assert_int_equal(number(db, count_sql), 1);
    sov_db_close(db);
    sov_db_close(opened(place->path, SOV_DB_READ));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_setting_that_does_not_take_stops_the_opening),
        TEST(a_file_that_is_not_opened_is_told_by_why),
        TEST(a_file_that_may_only_be_read_is_not_opened_for_writing),
        TEST(a_reader_that_would_have_to_make_a_journal_asks_for_a_writer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
