#include "tests/unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/reading.h"
#include "tests/remove.h"

static void a_file_is_read_in_pieces_from_what_was_looked_at(void **state)
{
    char place[] = "/tmp/sov-test-reading-XX"
                   "XX"
                   "XX";
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    SOV_CLEANUP(sov_reading_close) struct sov_reading reading = { 0 };
    struct sov_error err = { 0 };
    struct sov_file_facts facts;
    uint8_t octets[8];
    size_t got;

    (void)state;
    assert_non_null(mkdtemp(place));
    assert_true(sov_folder_open(&top, place, &err));
    assert_true(sov_file_create(&top, "a", 0640, sov_bytes_text("hello world"), &err));
    assert_true(sov_reading_open(&reading, &top, "a", &facts, &err));
    assert_int_equal(facts.size, 11);
    assert_int_equal(facts.mode, 0640);
    /* Another file under its name: not what was opened. */
    assert_true(sov_file_replace(&top, "a", 0600, sov_bytes_text("other"), &err));
    assert_true(sov_reading_next(&reading, octets, 8, &got, &err));
    assert_int_equal(got, 8);
    assert_memory_equal(octets, "hello wo", 8);
    assert_true(sov_reading_next(&reading, octets, 8, &got, &err));
    assert_int_equal(got, 3);
    assert_true(sov_reading_next(&reading, octets, 8, &got, &err));
    assert_int_equal(got, 0);
    assert_true(sov_reading_facts(&reading, &facts, &err));
    assert_int_equal(facts.links, 0);
    remove_tree(place);
}

/* As one does that grows between being looked at and being read: of these the kernel says 0. */
static void a_file_that_is_not_as_large_as_it_said_is_refused(void **state)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder proc = { 0 };
    struct sov_bytes bytes = sov_bytes_text("untouched");
    struct sov_arena arena;
    struct sov_error err = { 0 };

    (void)state;
    sov_arena_init(&arena, 1 << 16);
    assert_true(sov_folder_open(&proc, "/proc", &err));
    assert_false(sov_file_read(&proc, "version", 1000, &arena, &bytes, &err));
    assert_string_equal(err.code, "io_error");
    assert_int_equal(err.exit, SOV_UNABLE);
    assert_string_equal(err.what, "version changed while it was read");
    assert_true(sov_bytes_is(bytes, "untouched"));
    sov_arena_release(&arena);
}

static void links_are_read_and_never_followed(void **state)
{
    char place[] = "/tmp/sov-test-reading-XX"
                   "XX"
                   "XX";
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    SOV_CLEANUP(sov_reading_close) struct sov_reading reading = { 0 };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_error err = { 0 };
    struct sov_file_facts facts = { .size = 42 };
    struct sov_bytes target = { 0 };
    static const struct {
        const char *path, *code;
    } rows[] = { { "link", "file_unsafe" },       { "to_folder/a", "file_unsafe" },
                 { "none", "no_such_file" },      { "../a", "file_unsafe" },
                 { "/etc/hosts", "file_unsafe" }, { "", "file_unsafe" } };

    (void)state;
    sov_arena_init(&arena, 1 << 16);
    assert_non_null(mkdtemp(place));
    assert_true(sov_folder_open(&top, place, &err));
    assert_true(sov_file_create(&top, "a", 0600, sov_bytes_text("x"), &err));
    assert_int_equal(symlinkat("a", top.fd, "link"), 0);
    assert_int_equal(symlinkat(".", top.fd, "to_folder"), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (sov_reading_open(&reading, &top, rows[i].path, &facts, &err)) fail_msg("row %zu", i);
        assert_string_equal(err.code, rows[i].code);
        assert_false(reading.open);
        assert_int_equal(facts.size, 42);
    }
    assert_true(sov_link_read(&top, "link", &arena, &target, &err));
    assert_true(sov_bytes_is(target, "a"));
    assert_false(sov_link_read(&top, "a", &arena, &target, &err));
    assert_string_equal(err.code, "file_unsafe");
    assert_false(sov_link_read(&top, "none", &arena, &target, &err));
    assert_string_equal(err.code, "no_such_file");
    assert_true(sov_bytes_is(target, "a"));
    remove_tree(place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_in_pieces_from_what_was_looked_at),
        cmocka_unit_test(a_file_that_is_not_as_large_as_it_said_is_refused),
        cmocka_unit_test(links_are_read_and_never_followed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
