/* A folder in memory is looked at like any other, and cannot be written. */
#include "base/shelf.h"

#include "base/reading.h"

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

struct held {
    struct sov_arena arena;
    struct sov_shelf shelf;
    struct sov_folder folder;
};

static int setup(void **state)
{
    static const struct sov_shelf_file files[] = {
        { .path = "g/sows/SOW-2.md", .type = SOV_FILE_REGULAR, .mode = 0644 },
        { .path = "g/a.md",
          .type = SOV_FILE_REGULAR,
          .mode = 0755,
          .content = { (const uint8_t *)"ab\ncd\n", 6 } },
        { .path = "g/sows.md",
          .type = SOV_FILE_LINK,
          .mode = 0,
          .content = { (const uint8_t *)"a.md", 4 } },
        { .path = "g/a.md", .type = SOV_FILE_OTHER },
        { .path = "g/sows/SOW-1.md", .type = SOV_FILE_REGULAR, .mode = 0644, .heavy = true },
        { .path = "g/../x", .type = SOV_FILE_REGULAR, .mode = 0644 },
        { .path = "h", .type = SOV_FILE_OTHER },
    };
    struct held *held = calloc(1, sizeof *held);

    sov_arena_init(&held->arena, 1 << 20);
    held->shelf.arena = &held->arena;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        sov_shelf_add(&held->shelf, &files[i]);
    sov_shelf_open(&held->shelf, &held->folder);
    *state = held;
    return 0;
}

static int teardown(void **state)
{
    struct held *held = *state;

    sov_folder_close(&held->folder);
    sov_arena_release(&held->arena);
    free(held);
    return 0;
}

static const struct {
    const char *path;
    enum sov_file_type type;
    unsigned mode;
} facts[] = {
    { "g", SOV_FILE_FOLDER, 0755 },
    { "g/sows", SOV_FILE_FOLDER, 0755 },
    { "g/sows/SOW-2.md", SOV_FILE_REGULAR, 0644 },
    { "g/a.md", SOV_FILE_REGULAR, 0755 },
    { "g/sows.md", SOV_FILE_LINK, 0 },
    { "g/so", SOV_FILE_ABSENT, 0 },
    { "g/a.md/x", SOV_FILE_ABSENT, 0 },
    { "h", SOV_FILE_OTHER, 0 },
};

static void each_name_has_its_facts_and_the_first_of_a_path_stays(void **state)
{
    struct held *held = *state;
    struct sov_error err = { 0 };

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        struct sov_file_facts seen;

        assert_true(sov_file_facts(&held->folder, facts[i].path, &seen, &err));
        if (seen.type != facts[i].type || seen.mode != facts[i].mode)
            fail_msg("%s: %d %o", facts[i].path, (int)seen.type, seen.mode);
    }
    assert_false(sov_file_facts(&held->folder, "g/../x", &(struct sov_file_facts){ 0 }, &err));
}

static const char *names(struct held *held, const struct sov_folder *folder, const char *path)
{
    struct sov_error err = { 0 };
    struct sov_listing list;
    const char *all = "";

    if (!sov_folder_names(folder, path, 10, &held->arena, &list, &err)) return err.code;
    for (size_t i = 0; i < list.count; i++)
        all = sov_arena_printf(&held->arena, "%s%s ", all, list.name[i]);
    return all;
}

static void names_are_listed_once_in_byte_order(void **state)
{
    struct held *held = *state;
    struct sov_folder beneath = { 0 };
    struct sov_error err = { 0 };

    assert_string_equal(names(held, &held->folder, ""), "g h ");
    assert_string_equal(names(held, &held->folder, "g/sows"), "SOW-1.md SOW-2.md ");
    assert_string_equal(names(held, &held->folder, "none"), "no_such_file");
    assert_true(sov_folder_beneath(&beneath, &held->folder, "g", &err));
    assert_string_equal(names(held, &beneath, ""), ".. a.md sows sows.md ");
    assert_string_equal(names(held, &beneath, "sows"), "SOW-1.md SOW-2.md ");
    sov_folder_close(&beneath);
    assert_false(sov_folder_beneath(&beneath, &held->folder, "g/a.md", &err));
    assert_string_equal(err.code, "no_such_file");
}

static void files_are_read_whole_or_in_pieces(void **state)
{
    struct held *held = *state;
    struct sov_error err = { 0 };
    struct sov_reading reading = { 0 };
    struct sov_file_facts seen;
    struct sov_bytes bytes;
    uint8_t piece[4];
    size_t size;

    assert_true(sov_file_read(&held->folder, "g/a.md", 6, &held->arena, &bytes, &err));
    assert_true(sov_bytes_is(bytes, "ab\ncd\n"));
    assert_true(sov_file_read(&held->folder, "g/sows/SOW-2.md", 6, &held->arena, &bytes, &err));
    assert_true(bytes.data && bytes.size == 0);
    assert_true(sov_reading_open(&reading, &held->folder, "g/a.md", &seen, &err));
    assert_int_equal(seen.size, 6);
    assert_true(sov_reading_next(&reading, piece, 4, &size, &err) && size == 4);
    assert_true(sov_reading_next(&reading, piece, 4, &size, &err) && size == 2);
    assert_memory_equal(piece, "d\n", 2);
    assert_true(sov_reading_next(&reading, piece, 4, &size, &err) && size == 0);
    sov_reading_close(&reading);
}

static const struct {
    const char *path;
    size_t max;
    const char *code;
} refused[] = {
    { "g/a.md", 5, "too_large" },        { "g/sows/SOW-1.md", 100, "too_large" },
    { "g/sows.md", 100, "file_unsafe" }, { "g/sows", 100, "file_unsafe" },
    { "h", 100, "file_unsafe" },         { "none", 100, "no_such_file" },
};

static void what_is_no_file_is_not_read_and_nothing_is_written(void **state)
{
    struct held *held = *state;
    struct sov_error err = { 0 };
    struct sov_bytes bytes;

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_false(sov_file_read(&held->folder, refused[i].path, refused[i].max, &held->arena,
                                   &bytes, &err));
        assert_string_equal(err.code, refused[i].code);
    }
    assert_false(sov_file_replace(&held->folder, "new", 0644, sov_bytes_text("x"), &err));
    assert_false(sov_file_create(&held->folder, "new", 0644, sov_bytes_text("x"), &err));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_name_has_its_facts_and_the_first_of_a_path_stays),
        TEST(names_are_listed_once_in_byte_order),
        TEST(files_are_read_whole_or_in_pieces),
        TEST(what_is_no_file_is_not_read_and_nothing_is_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
