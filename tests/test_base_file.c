/* Files beneath a folder: what is refused, what is whole, what mode it has, who waits. */
#include "tests/file_fixture.h"

#include "base/child.h"
#include "base/file_open.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

static const struct refusal {
    const char *path, *code;
    enum sov_exit exit;
} unreadable[] = {
    { "", "file_unsafe", SOV_DENIED },
    { "/etc/passwd", "file_unsafe", SOV_DENIED },
    { ".", "file_unsafe", SOV_DENIED },
    { "..", "file_unsafe", SOV_DENIED },
    { "sub/../two", "file_unsafe", SOV_DENIED },
    { "sub/./in.txt", "file_unsafe", SOV_DENIED },
    { "sub//in.txt", "file_unsafe", SOV_DENIED },
    { "sub/", "file_unsafe", SOV_DENIED },
    { "link", "file_unsafe", SOV_DENIED },
    { "dangling", "file_unsafe", SOV_DENIED },
    { "way/in.txt", "file_unsafe", SOV_DENIED },
    { "pipe", "file_unsafe", SOV_DENIED },
    { "two", "file_unsafe", SOV_DENIED },
    { "two.too", "file_unsafe", SOV_DENIED },
    { "sub", "file_unsafe", SOV_DENIED },
    { "two/in.txt", "file_unsafe", SOV_DENIED },
    { "none", "no_such_file", SOV_ABSENT },
    { "none/in.txt", "no_such_file", SOV_ABSENT },
};

static void what_is_no_plain_file_is_not_read(void **state)
{
    struct place *place = *state;

    furnish(place);
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++) {
        struct sov_bytes bytes = sov_bytes_text("untouched");
        const struct refusal *row = &unreadable[i];
        struct sov_error err = { 0 };

        if (sov_file_read(&place->folder, row->path, 1000, &place->arena, &bytes, &err) ||
            strcmp(err.code, row->code) != 0 || err.exit != row->exit ||
            !sov_bytes_is(bytes, "untouched"))
            fail_msg("%s: %s %s", row->path, err.code, err.what);
    }
    assert_true(sov_bytes_is(get(place, "sub/in.txt"), "inside"));
}

/* Both ways to open give the same answer, or a kernel would make a difference. */
static void an_old_kernel_refuses_the_same(void **state)
{
    static const struct {
        const char *path;
        int flags, number;
    } rows[] = {
        { "sub/in.txt", O_RDONLY, 0 },
        { "sub", O_RDONLY | O_DIRECTORY, 0 },
        { "link", O_RDONLY, ELOOP },
        { "dangling", O_RDONLY, ELOOP },
        { "way", O_RDONLY | O_DIRECTORY, ELOOP },
        { "way/in.txt", O_RDONLY, ELOOP },
        { "none", O_RDONLY, ENOENT },
        { "none/in.txt", O_RDONLY, ENOENT },
        { "two/in.txt", O_RDONLY, ENOTDIR },
        { "two", O_RDONLY | O_DIRECTORY, ENOTDIR },
        { "two", O_WRONLY | O_CREAT | O_EXCL, EEXIST },
        { "dangling", O_WRONLY | O_CREAT | O_EXCL, EEXIST },
        { "pipe", O_WRONLY | O_NONBLOCK, ENXIO },
    };
    struct place *place = *state;

    furnish(place);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SOV_CLEANUP(sov_fd_end)
        int beneath = sov_open_beneath(place->folder.fd, rows[i].path, rows[i].flags, 0600);
        SOV_CLEANUP(sov_fd_end)
        int by_steps = sov_open_by_steps(place->folder.fd, rows[i].path, rows[i].flags, 0600);
        int want = -rows[i].number;

        if ((want ? beneath != want : beneath < 0) || (want ? by_steps != want : by_steps < 0))
            fail_msg("%s: %d and %d, not %d", rows[i].path, beneath, by_steps, want);
    }
}

static void nothing_is_made_through_a_link_or_over_a_name(void **state)
{
    static const struct refusal rows[] = {
        { "two", "exists", SOV_CONFLICT },
        { "link", "exists", SOV_CONFLICT },
        { "dangling", "exists", SOV_CONFLICT },
        { "pipe", "exists", SOV_CONFLICT },
        { "sub", "exists", SOV_CONFLICT },
        { "way/new", "file_unsafe", SOV_DENIED },
        { "../new", "file_unsafe", SOV_DENIED },
        { "none/new", "no_such_file", SOV_ABSENT },
        { "sub/in.txt/x", "file_unsafe", SOV_DENIED },
    };
    struct place *place = *state;

    furnish(place);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_error err = { 0 };

        if (sov_file_create(&place->folder, rows[i].path, 0644, sov_bytes_text("x"), &err) ||
            strcmp(err.code, rows[i].code) != 0 || err.exit != rows[i].exit)
            fail_msg("create %s: %s %s", rows[i].path, err.code, err.what);
        if (sov_folder_make_new(&place->folder, rows[i].path, 0755, &err) ||
            strcmp(err.code, rows[i].code) != 0 || err.exit != rows[i].exit)
            fail_msg("make_new %s: %s %s", rows[i].path, err.code, err.what);
    }
    assert_int_equal(facts(place, "sub/new").type, SOV_FILE_ABSENT);
    assert_int_equal(facts(place, "nowhere").type, SOV_FILE_ABSENT);
    assert_true(sov_bytes_is(get(place, "sub/in.txt"), "inside"));
}

static void folders_are_not_opened_or_made_behind_a_link(void **state)
{
    static const struct refusal rows[] = {
        { "way", "file_unsafe", SOV_DENIED },    { "way/x", "file_unsafe", SOV_DENIED },
        { "two", "file_unsafe", SOV_DENIED },    { "two/x", "file_unsafe", SOV_DENIED },
        { "sub/..", "file_unsafe", SOV_DENIED }, { "dangling", "file_unsafe", SOV_DENIED },
        { "pipe", "file_unsafe", SOV_DENIED },
    };
    struct place *place = *state;
    struct sov_folder folder = { 0 };
    struct sov_error err = { 0 };

    furnish(place);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (sov_folder_beneath(&folder, &place->folder, rows[i].path, &err) || folder.open ||
            strcmp(err.code, rows[i].code) != 0)
            fail_msg("beneath %s: %s", rows[i].path, err.code);
        if (sov_folder_make(&place->folder, rows[i].path, 0755, &err) ||
            strcmp(err.code, rows[i].code) != 0)
            fail_msg("make %s: %s", rows[i].path, err.code);
    }
    assert_false(sov_folder_beneath(&folder, &place->folder, "none", &err));
    assert_string_equal(err.code, "no_such_file");
    assert_false(sov_folder_open(&folder, "/nowhere/at/all", &err));
    assert_string_equal(err.code, "no_such_file");
    must(sov_folder_make(&place->folder, "sub", 0700, &err), &err); /* there: nothing to do */
    assert_int_equal(facts(place, "sub").mode, 0755);
}

static void modes_do_not_depend_on_the_umask(void **state)
{
    static const mode_t masks[] = { 0, 077, 0777 };
    struct place *place = *state;
    mode_t before = umask(022);
    struct sov_error err;

    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        char deep[40], lone[40], made[40], over[40], lock_name[40];
        struct sov_lock lock = { 0 };

        snprintf(deep, sizeof deep, "d%zu/e/f", i);
        snprintf(lone, sizeof lone, "l%zu", i);
        snprintf(made, sizeof made, "d%zu/m", i);
        snprintf(over, sizeof over, "d%zu/o", i);
        snprintf(lock_name, sizeof lock_name, "lock%zu", i);
        (void)umask(masks[i]);
        must(sov_folder_make(&place->folder, deep, 0755, &err), &err);
        must(sov_folder_make_new(&place->folder, lone, 0700, &err), &err);
        must(sov_file_create(&place->folder, made, 0600, sov_bytes_text("m"), &err), &err);
        must(sov_file_replace(&place->folder, over, 0644, sov_bytes_text("o"), &err), &err);
        must(sov_lock_take(&lock, &place->folder, lock_name, 0, &err), &err);
        sov_lock_release(&lock);
        assert_int_equal(umask(022), masks[i]); /* given back */
        assert_int_equal(facts(place, deep).mode, 0755);
        assert_int_equal(facts(place, lone).mode, 0700);
        assert_int_equal(facts(place, made).mode, 0600);
        assert_int_equal(facts(place, over).mode, 0644);
        assert_int_equal(facts(place, lock_name).mode, 0600);
    }
    (void)umask(before);
}

static void a_size_limit_is_exact(void **state)
{
    struct place *place = *state;
    struct sov_bytes bytes = sov_bytes_text("untouched");
    struct sov_error err = { 0 };
    char path[96];

    put(place, "ten", "0123456789");
    snprintf(path, sizeof path, "%s/ten", place->path);
    assert_false(sov_file_read(&place->folder, "ten", 9, &place->arena, &bytes, &err));
    assert_string_equal(err.code, "too_large");
    assert_int_equal(err.exit, SOV_USAGE);
    assert_false(sov_file_read_named(path, 9, &place->arena, &bytes, &err));
    assert_string_equal(err.code, "too_large");
    assert_true(sov_bytes_is(bytes, "untouched"));
    must(sov_file_read(&place->folder, "ten", 10, &place->arena, &bytes, &err), &err);
    assert_true(sov_bytes_is(bytes, "0123456789"));
    must(sov_file_read_named(path, 10, &place->arena, &bytes, &err), &err);
    assert_true(sov_bytes_is(bytes, "0123456789"));
}

static void a_size_limit_is_exact_beyond_one_piece(void **state)
{
    enum { SIZE = 100000 };
    struct place *place = *state;
    char path[96], *text = test_calloc(1, SIZE + 1);
    struct sov_bytes bytes = sov_bytes_text("untouched");
    struct sov_error err = { 0 };

    memset(text, 'x', SIZE);
    put(place, "large", text);
    snprintf(path, sizeof path, "%s/large", place->path);
    assert_false(sov_file_read_named(path, SIZE - 1, &place->arena, &bytes, &err));
    assert_string_equal(err.code, "too_large");
    assert_true(sov_bytes_is(bytes, "untouched"));
    must(sov_file_read_named(path, SIZE, &place->arena, &bytes, &err), &err);
    assert_true(sov_bytes_is(bytes, text));
    test_free(text);
}

static void a_named_path_may_be_a_link_but_is_never_a_lost_device(void **state)
{
    struct place *place = *state;
    struct sov_bytes bytes = { 0 };
    struct sov_error err = { 0 };
    char path[96];

    furnish(place);
    snprintf(path, sizeof path, "%s/way/in.txt", place->path);
    must(sov_file_read_named(path, 100, &place->arena, &bytes, &err), &err);
    assert_true(sov_bytes_is(bytes, "inside"));
    must(sov_file_replace_named(path, 0644, sov_bytes_text("over"), &err), &err);
    assert_true(sov_bytes_is(get(place, "sub/in.txt"), "over"));
    snprintf(path, sizeof path, "%s/pipe", place->path);
    assert_false(sov_file_replace_named(path, 0644, sov_bytes_text("x"), &err));
    assert_string_equal(err.code, "file_unsafe");
    assert_int_equal(facts(place, "pipe").type, SOV_FILE_OTHER);
    snprintf(path, sizeof path, "%s/sub", place->path);
    assert_false(sov_file_read_named(path, 100, &place->arena, &bytes, &err));
    assert_string_equal(err.code, "file_unsafe");
    snprintf(path, sizeof path, "%s/none", place->path);
    assert_false(sov_file_read_named(path, 100, &place->arena, &bytes, &err));
    assert_string_equal(err.code, "no_such_file");
}

static void facts_tell_what_is_there(void **state)
{
    static const struct {
        const char *path;
        enum sov_file_type type;
    } rows[] = {
        { "sub", SOV_FILE_FOLDER },     { "sub/in.txt", SOV_FILE_REGULAR },
        { "way", SOV_FILE_LINK },       { "dangling", SOV_FILE_LINK },
        { "pipe", SOV_FILE_OTHER },     { "none", SOV_FILE_ABSENT },
        { "none/at", SOV_FILE_ABSENT }, { "two/at", SOV_FILE_ABSENT },
    };
    struct place *place = *state;
    struct sov_file_facts got = { .size = 77 }, whole;
    struct sov_error err = { 0 };

    furnish(place);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (facts(place, rows[i].path).type != rows[i].type) fail_msg("%s", rows[i].path);
    assert_int_equal(facts(place, "two").links, 2);
    assert_int_equal(facts(place, "two").size, 5);
    assert_false(sov_file_facts(&place->folder, "way/in.txt", &got, &err));
    assert_string_equal(err.code, "file_unsafe");
    assert_int_equal(got.size, 77);
    must(sov_folder_facts(&place->folder, &whole, &err), &err);
    assert_int_equal(whole.type, SOV_FILE_FOLDER);
    assert_int_equal(whole.mode, 0700);
    assert_int_equal(whole.uid, getuid());
}

static void removing_is_quiet_about_what_is_gone(void **state)
{
    struct place *place = *state;
    struct sov_error err = { 0 };

    furnish(place);
    must(sov_file_remove(&place->folder, "none", &err), &err);
    must(sov_file_remove(&place->folder, "none/at", &err), &err);
    must(sov_file_remove(&place->folder, "link", &err), &err); /* the link, not what it names */
    assert_int_equal(facts(place, "link").type, SOV_FILE_ABSENT);
    assert_false(sov_file_remove(&place->folder, "way/in.txt", &err));
    assert_string_equal(err.code, "file_unsafe");
    assert_false(sov_file_remove(&place->folder, "sub", &err));
    assert_string_equal(err.code, "file_unsafe");
    assert_true(sov_bytes_is(get(place, "sub/in.txt"), "inside"));
}

static void names_come_in_byte_order_and_are_counted(void **state)
{
    static const char *const want[] = { ".x", "B", "a", "a-", "a.b", "b", "\303\266" };
    enum { COUNT = sizeof want / sizeof *want };
    struct place *place = *state;
    struct sov_listing names = { .count = 77 };
    struct sov_error err = { 0 };

    must(sov_folder_make(&place->folder, "d", 0755, &err), &err);
    for (size_t i = COUNT; i-- > 0;) {
        char path[16];

        snprintf(path, sizeof path, "d/%s", want[i]);
        put(place, path, "");
    }
    assert_false(sov_folder_names(&place->folder, "d", COUNT - 1, &place->arena, &names, &err));
    assert_string_equal(err.code, "too_large");
    assert_int_equal(names.count, 77);
    for (int twice = 0; twice < 2; twice++) { /* no offset is left behind */
        must(sov_folder_names(&place->folder, "d", COUNT, &place->arena, &names, &err), &err);
        assert_int_equal(names.count, COUNT);
        for (size_t i = 0; i < COUNT; i++) assert_string_equal(names.name[i], want[i]);
        must(sov_folder_names(&place->folder, "", COUNT, &place->arena, &names, &err), &err);
        assert_int_equal(names.count, 1);
    }
    assert_false(sov_folder_names(&place->folder, "none", COUNT, &place->arena, &names, &err));
    assert_string_equal(err.code, "no_such_file");
}

static void a_held_lock_names_its_holder(void **state)
{
    struct place *place = *state;
    SOV_CLEANUP(sov_lock_release) struct sov_lock lock = { 0 };
    int tell[2], go[2], status;
    struct sov_error err = { 0 };
    char octet = 'x', want[64];
    pid_t child;

    assert_int_equal(pipe(tell), 0);
    assert_int_equal(pipe(go), 0);
    child = fork();
    if (child == 0) {
        bool ok = sov_lock_take(&lock, &place->folder, "lock", 0, &err);

        _exit(ok && write(tell[1], &octet, 1) == 1 && read(go[0], &octet, 1) == 1 ? 0 : 1);
    }
    assert_int_equal(read(tell[0], &octet, 1), 1);
    assert_false(sov_lock_take(&lock, &place->folder, "lock", 3, &err));
    assert_false(lock.held);
    assert_string_equal(err.code, "busy");
    assert_int_equal(err.exit, SOV_UNABLE);
    snprintf(want, sizeof want, "lock is held by process %ld", (long)child);
    assert_string_equal(err.what, want);
    assert_int_equal(write(go[1], &octet, 1), 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    must(sov_lock_take(&lock, &place->folder, "lock", 0, &err), &err); /* its end released it */
    assert_true(sov_bytes_is(get(place, "lock"), "")); /* a holder leaves no octet behind */
    for (int i = 0; i < 2; i++) {
        (void)close(tell[i]);
        (void)close(go[i]);
    }
}

static void a_lock_is_no_link_and_is_given_back(void **state)
{
    struct place *place = *state;
    struct sov_lock lock = { 0 }, other = { 0 };
    struct sov_error err = { 0 };
    int copy;

    furnish(place);
    assert_false(sov_lock_take(&lock, &place->folder, "link", 0, &err));
    assert_string_equal(err.code, "file_unsafe");
    assert_false(sov_lock_take(&lock, &place->folder, "two", 0, &err));
    assert_string_equal(err.code, "file_unsafe");
    assert_false(sov_lock_take(&lock, &place->folder, "pipe", 0, &err));
    assert_string_equal(err.code, "file_unsafe");
    assert_true(sov_bytes_is(get(place, "sub/in.txt"), "inside"));
    must(sov_lock_take(&lock, &place->folder, "lock", 0, &err), &err);
    assert_false(sov_lock_take(&other, &place->folder, "lock", 0, &err));
    assert_string_equal(err.code, "busy");
    copy = dup(lock.fd); /* as a child has it between fork and exec */
    sov_lock_release(&lock);
    must(sov_lock_take(&other, &place->folder, "lock", 0, &err), &err);
    (void)close(copy);
    sov_lock_release(&other);
    sov_lock_release(&other); /* twice is fine */
}

static void a_file_system_has_a_name(void **state)
{
    struct place *place = *state;
    struct sov_folder proc = { 0 };
    struct sov_error err = { 0 };
    bool is_local = true;
    char name[32] = "";
    const char *absolute = NULL;

    must(sov_folder_system(&place->folder, name, &is_local, &err), &err);
    assert_true(name[0] != 0);
    must(sov_folder_open(&proc, "/proc", &err), &err);
    must(sov_folder_system(&proc, name, &is_local, &err), &err);
    assert_string_equal(name, "0x9fa0");
    assert_false(is_local); /* unknown is not local */
    sov_folder_close(&proc);
    must(sov_path_absolute("/proc/../tmp/.", &place->arena, &absolute, &err), &err);
    assert_string_equal(absolute, "/tmp");
    assert_false(sov_path_absolute("/nowhere", &place->arena, &absolute, &err));
    assert_string_equal(err.code, "no_such_file");
}

static void a_failure_says_what_can_be_done(void **state)
{
    static const struct {
        int number;
        const char *code;
        enum sov_exit exit;
    } rows[] = {
        { ENOSPC, "disk_full", SOV_UNABLE },    { EDQUOT, "disk_full", SOV_UNABLE },
        { EFBIG, "disk_full", SOV_UNABLE },     { EIO, "io_error", SOV_UNABLE },
        { EACCES, "io_error", SOV_UNABLE },     { EROFS, "io_error", SOV_UNABLE },
        { ENOENT, "no_such_file", SOV_ABSENT }, { EXDEV, "file_unsafe", SOV_DENIED },
        { ELOOP, "file_unsafe", SOV_DENIED },   { EEXIST, "exists", SOV_CONFLICT },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_error err = { 0 };

        assert_false(sov_file_fail("x", rows[i].number, &err));
        assert_string_equal(err.code, rows[i].code);
        assert_int_equal(err.exit, rows[i].exit);
    }
}

/* Until someone is next in line, which is the first octet's lock. */
static void await_turn(struct place *place)
{
    int fd = sov_open_beneath(place->folder.fd, "lock", O_RDWR, 0);
    struct flock octet;

    assert_true(fd >= 0);
    do {
        octet = (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
        assert_int_equal(fcntl(fd, F_OFD_GETLK, &octet), 0);
    } while (octet.l_type == F_UNLCK);
    (void)close(fd);
}

/* One who is told to stop while it waits; one who was told before, and has its end to write. */
static void a_wait_for_a_lock_ends_when_a_signal_comes(void **state)
{
    struct place *place = *state;
    struct sov_lock held = { 0 };
    struct sov_error err = { 0 };

    must(sov_lock_take(&held, &place->folder, "lock", 0, &err), &err);
    for (int before = 0; before < 2; before++) {
        pid_t child = fork();
        int status;

        if (child == 0) {
            struct sov_lock lock = { 0 };
            bool ok;

            sov_signals_watch();
            if (before) raise(SIGTERM);
            ok = sov_lock_take(&lock, &place->folder, "lock", before ? 20 : 60000, &err);
            _exit(ok || lock.held ? 8 : strcmp(err.code, "terminated") == 0 ? 1 : 2);
        }
        if (!before) {
            await_turn(place);
            assert_int_equal(kill(child, SIGTERM), 0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), before ? 2 : 1);
    }
    sov_lock_release(&held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_no_plain_file_is_not_read),
        TEST(an_old_kernel_refuses_the_same),
        TEST(nothing_is_made_through_a_link_or_over_a_name),
        TEST(folders_are_not_opened_or_made_behind_a_link),
        TEST(modes_do_not_depend_on_the_umask),
        TEST(a_size_limit_is_exact),
        TEST(a_size_limit_is_exact_beyond_one_piece),
        TEST(a_named_path_may_be_a_link_but_is_never_a_lost_device),
        TEST(facts_tell_what_is_there),
        TEST(removing_is_quiet_about_what_is_gone),
        TEST(names_come_in_byte_order_and_are_counted),
        TEST(a_held_lock_names_its_holder),
        TEST(a_wait_for_a_lock_ends_when_a_signal_comes),
        TEST(a_lock_is_no_link_and_is_given_back),
        TEST(a_file_system_has_a_name),
        TEST(a_failure_says_what_can_be_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
