#ifndef SOV_TESTS_FILE_FIXTURE_H
#define SOV_TESTS_FILE_FIXTURE_H
/* A folder of its own for each test of the files, and what is put there. */
#include "tests/unit.h"

#include "base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of its own for each test; ends empty or the test has left something behind. */
struct place {
    char path[64];
    struct sov_folder folder;
    struct sov_arena arena;
};

static inline void must(bool ok, const struct sov_error *err)
{
    if (!ok) fail_msg("%s: %s", err->code, err->what);
}

static inline int begin(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    struct sov_error err;

    assert_non_null(place);
    snprintf(place->path, sizeof place->path, "/tmp/sov-test-file-%06d", 0);
    memset(place->path + strlen(place->path) - 6, 'X', 6);
    assert_non_null(mkdtemp(place->path));
    must(sov_folder_open(&place->folder, place->path, &err), &err);
    sov_arena_init(&place->arena, 1 << 24);
    *state = place;
    return 0;
}

static inline void wipe(int above, const char *name)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder inner = { 0 };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena;
    struct sov_listing names = { 0 };
    struct sov_error err;

    sov_arena_init(&arena, 1 << 20);
    if (unlinkat(above, name, 0) == 0) return;
    inner = (struct sov_folder){ .fd = openat(above, name, O_RDONLY | O_DIRECTORY), .open = true };
    must(sov_folder_names(&inner, "", 100, &arena, &names, &err), &err);
    for (size_t i = 0; i < names.count; i++) wipe(inner.fd, names.name[i]);
    assert_int_equal(unlinkat(above, name, AT_REMOVEDIR), 0);
}

static inline int end(void **state)
{
    struct place *place = *state;

    sov_folder_close(&place->folder);
    wipe(AT_FDCWD, place->path);
    sov_arena_release(&place->arena);
    free(place);
    return 0;
}

static inline void put(struct place *place, const char *path, const char *text)
{
    struct sov_error err;

    must(sov_file_create(&place->folder, path, 0644, sov_bytes_text(text), &err), &err);
}

static inline struct sov_bytes get(struct place *place, const char *path)
{
    struct sov_bytes bytes = { 0 };
    struct sov_error err;

    must(sov_file_read(&place->folder, path, 1000, &place->arena, &bytes, &err), &err);
    return bytes;
}

static inline struct sov_file_facts facts(struct place *place, const char *path)
{
    struct sov_file_facts facts;
    struct sov_error err;

    must(sov_file_facts(&place->folder, path, &facts, &err), &err);
    return facts;
}

/* sub/in.txt, a link to the folder and one to the file, a pipe, a file of two names. */
static inline void furnish(struct place *place)
{
    int fd = place->folder.fd;
    struct sov_error err;

    must(sov_folder_make(&place->folder, "sub", 0755, &err), &err);
    put(place, "sub/in.txt", "inside");
    assert_int_equal(symlinkat("sub", fd, "way"), 0);
    assert_int_equal(symlinkat("sub/in.txt", fd, "link"), 0);
    assert_int_equal(symlinkat("nowhere", fd, "dangling"), 0);
    assert_int_equal(mkfifoat(fd, "pipe", 0600), 0);
    put(place, "two", "names");
    assert_int_equal(linkat(fd, "two", fd, "two.too", 0), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

#endif
