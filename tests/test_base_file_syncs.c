/*
 * What is written is on the disk before its name is, and the name before anybody is told (faults.md
 * S20). The calls of the C library are this program's own, which write down what is done and do it:
 * F fsync of a file, D of a folder, W write, R rename, U unlink, M mkdir.
 */
#include "tests/file_fixture.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "base/place.h"
#include "base/writing.h"

/* Of the whole process, as the calls are. */
static char done[64];
static bool torn; /* the disk fails when a file has just been made */

static void note(char what)
{
    size_t size = strlen(done);

    if (size < sizeof done - 1) done[size] = what;
}

#define NEXT(name, type) ((type)(uintptr_t)dlsym(RTLD_NEXT, name))

int fsync(int fd)
{
    struct stat facts;

    if (fstat(fd, &facts) == 0) note(S_ISDIR(facts.st_mode) ? 'D' : 'F');
    return NEXT("fsync", int (*)(int))(fd);
}

ssize_t write(int fd, const void *octets, size_t size)
{
    if (fd > 2) note('W');
    return NEXT("write", ssize_t(*)(int, const void *, size_t))(fd, octets, size);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    note('R');
    return NEXT("renameat", int (*)(int, const char *, int, const char *))(from_folder, from,
                                                                           to_folder, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    note('R');
    return NEXT("renameat2", int (*)(int, const char *, int, const char *, unsigned))(
        from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char *path, int flags)
{
    note('U');
    return NEXT("unlinkat", int (*)(int, const char *, int))(folder, path, flags);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
    note('M');
    return NEXT("mkdirat", int (*)(int, const char *, mode_t))(folder, path, mode);
}

long syscall(long number, ...)
{
    long (*next)(long, ...) = NEXT("syscall", long (*)(long, ...)), given[4], fd;
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 4; i++) given[i] = va_arg(list, long);
    va_end(list);
    fd = next(number, given[0], given[1], given[2], given[3]);
    if (!torn || number != SYS_openat2 || fd < 0 || !(*(uint64_t *)given[2] & O_CREAT)) return fd;
    close((int)fd);
    errno = EIO;
    return -1;
}

/* What this comes to, from nothing noted on. */
#define COMES_TO(wanted, act)                                                                      \
    do {                                                                                           \
        struct sov_error err = { 0 };                                                              \
                                                                                                   \
        memset(done, 0, sizeof done);                                                              \
        must((act), &err);                                                                         \
        assert_string_equal(done, wanted);                                                         \
    } while (0)

static void a_new_file_is_synced_and_then_its_folder(void **state)
{
    struct place *place = *state;
    const struct sov_bytes text = sov_bytes_text("new");
    bool made;

    COMES_TO("WFD", sov_file_create(&place->folder, "key", 0600, text, &err));
    COMES_TO("WFD", sov_file_provide(&place->folder, "source", 0600, text, &made, &err));
    put(place, "torn", "n");
    COMES_TO("UDWFD", sov_file_provide(&place->folder, "torn", 0600, text, &made, &err));
}

static void a_file_is_synced_before_it_gets_its_name(void **state)
{
    struct place *place = *state;

    COMES_TO("WFRD", sov_file_replace(&place->folder, "view", 0644, sov_bytes_text("new"), &err));
}

static void a_name_that_goes_or_moves_is_synced(void **state)
{
    struct place *place = *state;

    put(place, "one", "1");
    COMES_TO("RD", sov_file_move(&place->folder, "one", "two", &err));
    COMES_TO("UD", sov_file_remove(&place->folder, "two", &err));
    COMES_TO("U", sov_file_remove(&place->folder, "two", &err)); /* there was none */
}

static void each_new_folder_is_synced_in_the_one_above(void **state)
{
    struct place *place = *state;

    COMES_TO("MDDMDD", sov_folder_make(&place->folder, "a/b", 0700, &err));
    COMES_TO("MDD", sov_folder_make_new(&place->folder, "c", 0700, &err));
}

/* It was made and the disk failed then: the file of that name is ours, and nobody else removes it.
 */
static void a_temporary_file_that_cannot_be_opened_is_not_left(void **state)
{
    SOV_CLEANUP(sov_writing_end) struct sov_writing writing = { 0 };
    struct place *place = *state;
    struct sov_error err = { 0 };
    char path[sizeof place->path + 8];
    struct sov_listing names = { 0 };
    bool replaced, begun;

    snprintf(path, sizeof path, "%s/out", place->path);
    put(place, "out", "old");
    torn = true;
    replaced = sov_file_replace(&place->folder, "out", 0644, sov_bytes_text("new"), &err);
    begun = sov_writing_begin(&writing, path, 0644, &err);
    torn = false;
    assert_false(replaced);
    assert_false(begun);
    assert_string_equal(err.code, "io_error");
    must(sov_folder_names(&place->folder, "", 100, &place->arena, &names, &err), &err);
    assert_int_equal(names.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_new_file_is_synced_and_then_its_folder),
        TEST(a_file_is_synced_before_it_gets_its_name),
        TEST(a_name_that_goes_or_moves_is_synced),
        TEST(each_new_folder_is_synced_in_the_one_above),
        TEST(a_temporary_file_that_cannot_be_opened_is_not_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
