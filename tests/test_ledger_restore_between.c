/*
 * What happens between two steps of a restore: another process makes the home, the disk fails at a
 * name, a checkpoint of SQLite's did not go through. The calls of the C library are this program's
 * own, which let that happen and go on.
 */
#include "tests/unit.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/ledger_fixture.h"

/* The ledger, its backup that is the source, and what is to happen. */
struct scene {
    struct fixture f;
    const char *backup, *pins, *file, *actor;
    struct sov_ledger *source;
    struct sov_clock clock; /* the fixture's */
    void (*meanwhile)(struct scene *s);
    struct sov_lock lock; /* of another, who is at work in the home */
    int moves;            /* how many more names the disk gives; -1: all */
    bool fired;
};

/* Of the whole process, as the calls are. */
static struct scene *now;

#define NEXT(name, type) ((type)(uintptr_t)dlsym(RTLD_NEXT, name))

int mkdirat(int folder, const char *name, mode_t mode)
{
    if (now && now->meanwhile && strcmp(name, ".sovereign") == 0) {
        void (*meanwhile)(struct scene *) = now->meanwhile;

        now->meanwhile = NULL;
        meanwhile(now);
        now->fired = true;
    }
    return NEXT("mkdirat", int (*)(int, const char *, mode_t))(folder, name, mode);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    if (now && !now->moves) {
        now->fired = true;
        errno = EIO;
        return -1;
    }
    if (now && now->moves > 0) now->moves--;
    return NEXT("renameat2", int (*)(int, const char *, int, const char *, unsigned))(
        from_folder, from, to_folder, to, flags);
}

static bool is_there(struct scene *s, const char *tail)
{
    return access(sov_arena_printf(&s->f.arena, "%s%s", s->file, tail), F_OK) == 0;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wx");

    assert_non_null(file);
    assert_int_equal(fputs(text, file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
}

static int setup(void **state)
{
    static struct scene scene;
    struct scene *s = &scene;
    struct sov_error err = { 0 };

    memset(s, 0, sizeof *s);
    fixture_open(&s->f);
    s->clock = s->f.seams.clock;
    s->actor = "principal";
    s->moves = -1;
    s->backup = sov_arena_printf(&s->f.arena, "%s/backup", s->f.root);
    s->pins = sov_arena_printf(&s->f.arena, "%s/pins", s->f.root);
    s->file = sov_arena_printf(&s->f.arena, "%s/organization.db", s->f.home);
    assert_int_equal(mkdir(s->backup, 0700), 0);
    assert_true(sov_ledger_backup(s->f.ledger, s->backup, &err));
    s->backup = sov_arena_printf(&s->f.arena, "%s/backup/organization.db", s->f.root);
    assert_true(sov_backup_open(s->backup, &s->f.places, &s->f.seams, 0, &s->source, &err));
    sov_ledger_end(&s->f.ledger);
    now = s;
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    struct scene *s = *state;

    now = NULL;
    sov_lock_release(&s->lock);
    sov_ledger_end(&s->source);
    fixture_close(&s->f);
    return 0;
}

static void fails(struct scene *s, const char *code)
{
    struct sov_restore restore = {
        .source = s->source, .pins = s->pins, .actor = s->actor, .reason = "the disk died"
    };
    struct sov_restored done;
    struct sov_error err = { 0 };

    assert_false(
        sov_ledger_restore(&s->f.places, &restore, &s->f.seams, 0, &s->f.arena, &done, &err));
    assert_string_equal(err.code, code);
    assert_true(s->fired);
}

static void whole_after(struct scene *s)
{
    struct sov_error err = { 0 };

    assert_true(
        sov_ledger_open(&s->f.places, SOV_LEDGER_WRITE, &s->f.seams, 0, &s->f.ledger, &err));
    fixture_assert_refold_equal(&s->f);
}

/* ---- a home that another made ---- */

static void home_aside(struct scene *s)
{
    assert_int_equal(rename(s->f.home, sov_arena_printf(&s->f.arena, "%s/aside", s->f.root)), 0);
}

static void home_back(struct scene *s)
{
    assert_int_equal(rename(sov_arena_printf(&s->f.arena, "%s/aside", s->f.root), s->f.home), 0);
}

static void home_back_and_at_work(struct scene *s)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    struct sov_error err = { 0 };

    home_back(s);
    assert_true(sov_folder_open(&home, s->f.home, &err));
    assert_true(sov_lock_take(&s->lock, &home, "founding", 0, &err));
}

static void nothing(struct scene *s)
{
    (void)s;
}

static void home_of_a_mirror(struct scene *s)
{
    assert_int_equal(mkdir(s->f.home, 0700), 0);
    put(sov_arena_printf(&s->f.arena, "%s/mirror", s->f.home),
        "00000000000000000000000000000000000000000000000000000000000000aa\n");
}

static void a_ledger_that_another_made_meanwhile_stays(void **state)
{
    struct scene *s = *state;

    home_aside(s);
    s->meanwhile = home_back;
    fails(s, "not_lost");
    whole_after(s);
}

static void a_home_that_another_is_at_work_in_stays(void **state)
{
    struct scene *s = *state;

    home_aside(s);
    s->meanwhile = home_back_and_at_work;
    fails(s, "busy");
    sov_lock_release(&s->lock);
    whole_after(s);
}

static void a_mark_of_a_mirror_that_another_made_meanwhile_stays(void **state)
{
    struct scene *s = *state;

    home_aside(s);
    s->meanwhile = home_of_a_mirror;
    fails(s, "is_mirror");
    assert_int_equal(access(sov_arena_printf(&s->f.arena, "%s/mirror", s->f.home), F_OK), 0);
}

static void a_home_of_its_own_goes_with_what_did_not_come_to_be(void **state)
{
    struct scene *s = *state;

    home_aside(s);
    s->meanwhile = nothing;
    s->actor = "operator";
    fails(s, "not_authorised");
    assert_int_equal(access(s->f.home, F_OK), -1);
}

/* ---- the damaged file ---- */

/* A ledger that is missing beside a journal would get it rolled back when it is founded. */
static void no_journal_is_left_where_the_ledger_is_not(void **state)
{
    static const char *const tails[] = { "-journal", "-wal", "-shm" };
    struct scene *s = *state;

    assert_int_equal(truncate(s->file, 9000), 0);
    for (size_t i = 0; i < 3; i++) {
        const char *path = sov_arena_printf(&s->f.arena, "%s%s", s->file, tails[i]);

        (void)unlink(path);
        if (i == 0) put(path, "");
    }
    s->moves = 1;
    fails(s, "io_error");
    assert_false(is_there(s, "-journal"));
    assert_true(is_there(s, ""));
    assert_true(is_there(s, ".damaged-1-journal"));
}

/* ---- what SQLite left in its WAL ---- */

/* As a checkpoint that failed at the close would: asked for the time, in the last transaction. */
static bool wal_left(void *self, struct sov_now *now_out, struct sov_error *err)
{
    struct scene *s = self;
    struct sov_folder home = { 0 };
    struct sov_listing names;

    assert_true(sov_folder_open(&home, s->f.home, err));
    assert_true(sov_folder_names(&home, "", 100, &s->f.arena, &names, err));
    sov_folder_close(&home);
    for (size_t i = 0; i < names.count; i++) {
        const char *path;

        if (!sov_file_is_leftover(names.name[i])) continue;
        path = sov_arena_printf(&s->f.arena, "%s/%s/organization.db-wal", s->f.home, names.name[i]);
        if (access(path, F_OK) == 0) break; /* SQLite's own, and in use */
        put(path, "frames");
        s->fired = true;
    }
    return s->clock.read(s->clock.self, now_out, err);
}

static void what_is_still_in_a_wal_is_not_given_a_name(void **state)
{
    struct scene *s = *state;
    struct sov_ledger *probe = NULL;
    struct sov_error err = { 0 };
    bool wal;

    assert_true(sov_ledger_open(&s->f.places, SOV_LEDGER_WRITE, &s->f.seams, 0, &probe, &err));
    sov_ledger_end(&probe);
    wal = is_there(s, "-wal");
    if (wal) skip(); /* it would be written over */
    assert_int_equal(unlink(s->file), 0);
    s->f.seams.clock = (struct sov_clock){ s, wal_left };
    fails(s, "io_error");
    assert_false(is_there(s, ""));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        T(a_ledger_that_another_made_meanwhile_stays),
        T(a_home_that_another_is_at_work_in_stays),
        T(a_mark_of_a_mirror_that_another_made_meanwhile_stays),
        T(a_home_of_its_own_goes_with_what_did_not_come_to_be),
        T(no_journal_is_left_where_the_ledger_is_not),
        T(what_is_still_in_a_wal_is_not_given_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
