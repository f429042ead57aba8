/* The SQLite seam when its disk or its memory fails. */
#include "tests/db_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a broken disk ---- */

static void expect_poisoned(struct sov_db *db, const char *code)
{
    struct sov_txn txn = { 0 };
    struct sov_stmt stmt = { 0 };
    struct sov_hash hash;
    struct sov_error err = { 0 };
    int64_t version;

    assert_false(sov_txn_begin(&txn, db, &err));
    assert_string_equal(err.code, code);
    assert_false(sov_stmt_open(&stmt, db, count_sql, &err));
    assert_string_equal(err.code, code);
    assert_null(stmt.entry);
    assert_false(sov_db_exec(db, "SELECT 1", &err));
    assert_string_equal(err.code, code);
    assert_false(sov_db_fingerprint(db, &hash, &err));
    assert_string_equal(err.code, code);
    assert_false(sov_db_data_version(db, &version, &err));
    assert_string_equal(err.code, code);
    assert_false(sov_db_quick_check(db, &err));
    assert_string_equal(err.code, code);
}

static void a_failed_write_ends_the_handle_and_keeps_the_file(void **state)
{
    static const char big[] = "INSERT INTO blob VALUES (1, 1, zeroblob(1000000))";
    struct place *place = *state;
    struct sov_db *db = opened(place->path, SOV_DB_CREATE);
    struct rlimit before, tight;
    struct sov_error err = { 0 };
    bool done;

    must(act(db, ADD("1"), &err), &err);
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = (struct rlimit){ .rlim_cur = 100000, .rlim_max = before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    done = act(db, big, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, SIG_DFL);
    assert_false(done);
    assert_string_equal(err.code, "disk_full");
    assert_int_equal(err.exit, SOV_UNABLE);
    expect_poisoned(db, "disk_full");
    sov_db_close(db);
    db = opened(place->path, SOV_DB_WRITE);
    must(sov_db_quick_check(db, &err), &err);
    assert_int_equal(number(db, count_sql), 1);
    must(act(db, ADD("2"), &err), &err);
    sov_db_close(db);
}

/* A disk with no name left, in a mount namespace of its own: 0 if it was told as a full one. */
static int write_without_inodes(void)
{
    struct sov_error err = { 0 };
    struct sov_db *db;
    char name[128];

    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "/mnt", "tmpfs", 0, "size=4m,nr_inodes=8") != 0)
        return 77;
    db = opened("/mnt/full.db", SOV_DB_CREATE);
    (void)unlink("/mnt/full.db-journal"); /* one that is kept needs no name */
    for (int i = 0, fd = 0; fd >= 0; i++) {
        snprintf(name, sizeof name, "/mnt/%d", i);
        fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd >= 0) (void)close(fd);
    }
    if (act(db, ADD("1"), &err)) return 1;
    return strcmp(err.code, "disk_full") == 0 && err.exit == SOV_UNABLE ? 0 : 2;
}

static void a_journal_that_finds_no_room_is_a_full_disk(void **state)
{
    pid_t child = fork();
    int status;

    (void)state;
    assert_true(child >= 0);
    if (child == 0) _exit(write_without_inodes());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) skip(); /* nothing can be mounted here */
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_broken_page_ends_the_handle(void **state)
{
    static const char one_sql[] = "SELECT 1";
    struct sov_stmt begun = { 0 };
    struct place *place = *state;
    struct sov_db *db = opened(place->path, SOV_DB_CREATE);
    struct sov_error err = { 0 };
    uint8_t junk[4096];
    bool found;
    int fd;

    must(act(db, ADD("1"), &err), &err);
    sov_db_close(db);
    memset(junk, 0xa5, sizeof junk);
    fd = open(place->path, O_WRONLY);
    assert_int_equal(pwrite(fd, junk, sizeof junk, 4096), sizeof junk); /* the root of event */
    (void)close(fd);
    db = opened(place->path, SOV_DB_READ);
    must(sov_stmt_open(&begun, db, one_sql, &err), &err);
    assert_false(sov_db_exec(db, "SELECT sum(seq) FROM event", &err));
    assert_string_equal(err.code, "corrupt");
    assert_int_equal(err.exit, SOV_INTEGRITY);
    err = (struct sov_error){ 0 };
    assert_false(sov_stmt_row(&begun, &found, &err)); /* nor what needs no page of it */
    assert_string_equal(err.code, "corrupt");
    sov_stmt_close(&begun);
    expect_poisoned(db, "corrupt");
    sov_db_close(db);
    db = opened(place->path, SOV_DB_READ);
    assert_false(sov_db_quick_check(db, &err));
    assert_string_equal(err.code, "corrupt");
    expect_poisoned(db, "corrupt");
    sov_db_close(db);
}

/* ---- pages that cannot be read, by a file system of SQLite's that is told so ---- */

static struct {
    sqlite3_vfs vfs, *real;
    sqlite3_io_methods methods;
    const sqlite3_io_methods *below;
    sqlite3_int64 from; /* unreadable from there on; 0: all can be read */
} disk;

static int disk_read(sqlite3_file *file, void *to, int size, sqlite3_int64 at)
{
    if (!disk.from || at < disk.from) return disk.below->xRead(file, to, size, at);
    errno = EIO;
    return SQLITE_IOERR_READ;
}

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *got)
{
    int rc = disk.real->xOpen(disk.real, name, file, flags, got);

    (void)vfs;
    if (rc != SQLITE_OK || !(flags & SQLITE_OPEN_MAIN_DB)) return rc;
    disk.below = file->pMethods;
    disk.methods = *file->pMethods;
    disk.methods.xRead = disk_read;
    file->pMethods = &disk.methods;
    return rc;
}

static void a_page_that_cannot_be_read_is_no_damage(void **state)
{
    struct place *place = *state;
    struct sov_db *db = opened(place->path, SOV_DB_CREATE);
    struct sov_db_options how = options(SOV_DB_WRITE);
    struct sov_error err = { 0 };

    must(act(db, ADD("1"), &err), &err);
    sov_db_close(db);
    disk.real = sqlite3_vfs_find(NULL);
    disk.vfs = *disk.real;
    disk.vfs.zName = "broken";
    disk.vfs.xOpen = disk_open;
    assert_int_equal(sqlite3_vfs_register(&disk.vfs, 0), SQLITE_OK);
    how.vfs = "broken";
    db = opened_as(place->path, &how);
    disk.from = 4096;
    assert_false(sov_db_quick_check(db, &err));
    disk.from = 0;
    assert_string_equal(err.code, "io_error");
    assert_int_equal(err.exit, SOV_UNABLE);
    assert_null(strchr(err.what, '\n'));
    expect_poisoned(db, "io_error");
    sov_db_close(db);
    db = opened_as(place->path, &how);
    must(sov_db_quick_check(db, &err), &err);
    sov_db_close(db);
}

/* ---- a file that cannot be made ---- */

static void expect_unmade(const char *path, const char *code, enum sov_exit exit)
{
    struct sov_db_options how = options(SOV_DB_CREATE);
    struct sov_error err = { 0 };
    struct sov_db *db = NULL;

    assert_false(sov_db_open(path, &how, &db, &err));
    assert_null(db);
    assert_string_equal(err.code, code);
    assert_int_equal(err.exit, exit);
}

/* SQLite asks a second time, only to read it, and tells of that. */
static void a_file_that_cannot_be_made_is_not_called_absent(void **state)
{
    struct place *place = *state;
    struct rlimit all, none;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
    none = (struct rlimit){ .rlim_cur = 0, .rlim_max = all.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    expect_unmade(place->path, "io_error", SOV_UNABLE);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &all), 0);
    assert_int_equal(access(place->path, F_OK), -1);
}

static void where_there_is_no_folder_nothing_is_made(void **state)
{
    struct place *place = *state;
    char path[400];

    snprintf(path, sizeof path, "%s-none/db", place->path);
    expect_unmade(path, "no_such_file", SOV_ABSENT);
}

/* ---- memory that SQLite does not get ---- */

static struct {
    sqlite3_mem_methods below;
    unsigned n, met, fired; /* the nth fails; 0: none */
    bool ever;              /* and each later one */
    int live;
} memory;

static bool is_gone(void)
{
    memory.met++;
    if (!memory.n || memory.met < memory.n || (!memory.ever && memory.met > memory.n)) return false;
    memory.fired++;
    errno = ENOMEM;
    return true;
}

static void *memory_take(int size)
{
    void *block = is_gone() ? NULL : memory.below.xMalloc(size);

    if (block) memory.live++;
    return block;
}

static void *memory_grow(void *block, int size)
{
    return is_gone() ? NULL : memory.below.xRealloc(block, size);
}

static void memory_drop(void *block)
{
    memory.live--;
    memory.below.xFree(block);
}

static unsigned forms_asked, doubts; /* whether a commit counts */

static const struct sov_column_form *any_form(const char *table, const char *column)
{
    (void)table, (void)column;
    return (const void *)&forms_asked;
}

static bool any_fits(const struct sov_column_form *form, int class, bool required,
                     struct sov_bytes octets)
{
    (void)form, (void)class, (void)required, (void)octets;
    forms_asked++;
    return true;
}

/* What a verb does with a file, its commit last. */
static bool use(const struct place *place, enum sov_db_mode mode, int64_t seq,
                struct sov_error *err)
{
    static const char add_sql[] = "INSERT INTO event VALUES ($1, $2)";
    static const char last_sql[] = "SELECT seq, body FROM event ORDER BY seq DESC LIMIT 1";
    static const struct sov_db_law strict = {
        .frozen = frozen, .erasable = erasable, .form = any_form, .fits = any_fits
    };
    SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt add = { 0 };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt last = { 0 };
    struct sov_db_options how = options(mode);
    struct sov_hash schema;
    int64_t version;
    bool found;

    how.law = &strict;
    if (!sov_db_open(place->path, &how, &db, err) || !sov_db_fingerprint(db, &schema, err) ||
        !sov_db_data_version(db, &version, err) || !sov_txn_begin(&txn, db, err) ||
        !sov_db_quick_check(db, err) || !sov_stmt_open(&add, db, add_sql, err))
        return false;
    sov_bind_int(&add, 1, seq);
    sov_bind_text(&add, 2, sov_bytes_text("told"));
    if (!sov_stmt_run(&add, err) || !sov_stmt_open(&last, db, last_sql, err) ||
        !sov_stmt_row(&last, &found, err))
        return false;
    assert_true(found);
    assert_int_equal(sov_column_int(&last, 0), seq);
    assert_memory_equal(sov_column_text(&last, 1).data, "told", 4);
    if (sov_txn_commit(&txn, err)) return true;
    sov_txn_end(&txn);
    if (!sov_db_is_undone(db, count_sql, seq - 1)) doubts++;
    return false;
}

static int64_t events_in(const struct place *place)
{
    struct sov_db *db = opened(place->path, SOV_DB_WRITE);
    int64_t count = number(db, count_sql);

    sov_db_close(db);
    return count;
}

static void fail_each(const struct place *place, enum sov_db_mode mode, bool ever)
{
    struct sov_error err = { 0 };
    unsigned asked, failed = 0;
    bool fired = true;

    forms_asked = doubts = 0;
    must(use(place, SOV_DB_CREATE, 1, &err), &err);
    asked = forms_asked;
    for (unsigned n = 1; fired; n++) {
        int64_t before = mode == SOV_DB_WRITE ? events_in(place) : 0;
        int live = memory.live;
        bool done;

        if (mode == SOV_DB_CREATE) (void)unlink(place->path);
        forms_asked = memory.met = memory.fired = 0;
        memory.n = n;
        memory.ever = ever;
        done = use(place, mode, before + 1, &err);
        fired = memory.fired > 0;
        memory.n = 0;
        if (memory.live != live) fail_msg("%u: %d blocks are left", n, memory.live - live);
        failed += !done;
        if (done) { /* it could do without */
            assert_int_equal(forms_asked, asked);
        } else {
            if (strcmp(err.code, "no_memory") != 0) fail_msg("%u: %s %s", n, err.code, err.what);
            assert_int_equal(err.exit, SOV_UNABLE);
        }
        if (mode == SOV_DB_WRITE) assert_int_equal(events_in(place), before + done);
    }
    assert_true(failed > 50);
    assert_int_equal(doubts, 0);
}

static void an_allocation_of_sqlite_that_fails_is_told(void **state)
{
    fail_each(*state, SOV_DB_WRITE, false);
}

static void memory_of_sqlite_that_is_gone_is_told(void **state)
{
    fail_each(*state, SOV_DB_WRITE, true);
}

static void a_file_is_made_or_it_is_told_that_memory_ran_out(void **state)
{
    fail_each(*state, SOV_DB_CREATE, false);
}

/* A text and a blob that take memory only when they are asked for. */
static void a_row_comes_with_all_its_values_or_not_at_all(void **state)
{
    static const char sql[] = "SELECT $1, zeroblob(seq * 5000) FROM event ORDER BY seq";
    static char text[300]; /* no zero octet within its size */
    SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;
    unsigned failed = 0;
    bool fired = true;

    (void)state;
    memset(text, 'x', sizeof text);
    for (unsigned n = 1; fired; n++) {
        struct sov_db_options how = options(SOV_DB_MEMORY);
        struct sov_stmt stmt = { 0 };
        struct sov_error err = { 0 };
        bool found = false, ok;

        db = opened_as(NULL, &how);
        must(act(db, ADD("1"), &err) && sov_stmt_open(&stmt, db, sql, &err), &err);
        sov_bind_text(&stmt, 1, sov_bytes(text, sizeof text - 1));
        memory.met = memory.fired = 0;
        memory.n = n;
        memory.ever = false;
        ok = sov_stmt_row(&stmt, &found, &err);
        fired = memory.fired > 0;
        memory.n = 0;
        failed += !ok;
        if (ok) { /* and there is none to be had while they are read */
            memory.met = 0;
            memory.n = 1;
            memory.ever = true;
            assert_true(found);
            assert_int_equal(sov_column_text(&stmt, 0).size, sizeof text - 1);
            assert_memory_equal(sov_column_text(&stmt, 0).data, text, sizeof text - 1);
            assert_int_equal(sov_column_blob(&stmt, 1).size, 5000);
            assert_non_null(sov_column_blob(&stmt, 1).data);
            memory.n = 0;
        } else {
            assert_string_equal(err.code, "no_memory");
            assert_false(found);
        }
        sov_stmt_close(&stmt);
        sov_db_close(db);
        db = NULL;
    }
    assert_true(failed > 1);
}

static void a_library_that_cannot_begin_is_told(void **state)
{
    struct place *place = *state;
    struct sov_db_options how = options(SOV_DB_CREATE);
    struct sov_error err = { 0 };
    struct sov_db *db = NULL;
    bool ok;

    assert_int_equal(sqlite3_shutdown(), SQLITE_OK);
    memory.met = memory.fired = 0;
    memory.n = 1;
    memory.ever = true;
    ok = sov_db_open(place->path, &how, &db, &err);
    memory.n = 0;
    assert_false(ok);
    assert_null(db);
    assert_true(memory.fired > 0);
    assert_string_equal(err.code, "no_memory");
    assert_int_equal(err.exit, SOV_UNABLE);
    assert_int_not_equal(access(place->path, F_OK), 0);
    sov_db_close(opened(place->path, SOV_DB_CREATE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_failed_write_ends_the_handle_and_keeps_the_file),
        TEST(a_journal_that_finds_no_room_is_a_full_disk),
        TEST(a_broken_page_ends_the_handle),
        TEST(a_page_that_cannot_be_read_is_no_damage),
        TEST(a_file_that_cannot_be_made_is_not_called_absent),
        TEST(where_there_is_no_folder_nothing_is_made),
        TEST(an_allocation_of_sqlite_that_fails_is_told),
        TEST(memory_of_sqlite_that_is_gone_is_told),
        TEST(a_file_is_made_or_it_is_told_that_memory_ran_out),
        TEST(a_row_comes_with_all_its_values_or_not_at_all),
        TEST(a_library_that_cannot_begin_is_told),
    };
    sqlite3_mem_methods ours;

    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory.below) != SQLITE_OK) return 2;
    ours = memory.below;
    ours.xMalloc = memory_take;
    ours.xRealloc = memory_grow;
    ours.xFree = memory_drop;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &ours) != SQLITE_OK) return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
