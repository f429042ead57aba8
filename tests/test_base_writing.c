/* What is written in pieces, or made in a folder of its own, gets its name when it is whole. */
#include "tests/file_fixture.h"

#include <signal.h>
#include <sys/resource.h>

#include "base/staging.h"
#include "base/writing.h"

static const char *beneath(struct place *place, const char *name)
{
    return sov_arena_printf(&place->arena, "%s/%s", place->path, name);
}

static size_t count(struct place *place)
{
    struct sov_listing names = { 0 };
    struct sov_error err;

    must(sov_folder_names(&place->folder, "", 20, &place->arena, &names, &err), &err);
    return names.count;
}

static void pieces_of_any_size_come_out_in_order(void **state)
{
    SOV_CLEANUP(sov_writing_end) struct sov_writing writing = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf whole = { 0 };
    struct place *place = *state;
    struct sov_error err;
    struct sov_bytes back;

    sov_buf_init(&whole, 8 << 20);
    put(place, "out", "old");
    must(sov_writing_begin(&writing, beneath(place, "out"), 0640, &err), &err);
    for (size_t n = 1; n < 400; n++) {
        size_t size = n * n * 7 % 30000 + (n % 100 == 0 ? 400000 : 0);
        uint8_t *piece = sov_arena_array(&place->arena, size + 1, 1);

        for (size_t i = 0; i < size; i++) piece[i] = (uint8_t)(n + i);
        sov_buf_add(&whole, sov_bytes(piece, size));
        must(sov_writing_add(&writing, sov_bytes(piece, size), &err), &err);
    }
    assert_true(sov_bytes_is(get(place, "out"), "old")); /* until the very end */
    must(sov_writing_finish(&writing, &err), &err);
    must(sov_file_read(&place->folder, "out", 8 << 20, &place->arena, &back, &err), &err);
    assert_true(sov_bytes_equal(back, sov_buf_bytes(&whole)));
    assert_int_equal(facts(place, "out").mode, 0640);
    assert_int_equal(count(place), 1);
}

static void what_is_not_finished_was_never_there(void **state)
{
    struct place *place = *state;
    struct sov_writing writing = { 0 };
    struct sov_error err;

    put(place, "out", "old");
    must(sov_writing_begin(&writing, beneath(place, "out"), 0644, &err), &err);
    must(sov_writing_add(&writing, sov_bytes_text("new"), &err), &err);
    assert_int_equal(count(place), 2);
    sov_writing_end(&writing);
    assert_int_equal(count(place), 1);
    assert_true(sov_bytes_is(get(place, "out"), "old"));
}

static void a_folder_or_no_folder_is_nothing_to_write_to(void **state)
{
    static const struct {
        const char *path, *code;
    } rows[] = { { "sub", "file_unsafe" },
                 { "link", "file_unsafe" },
                 { "no/out", "no_such_file" } };
    struct place *place = *state;

    furnish(place);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SOV_CLEANUP(sov_writing_end) struct sov_writing writing = { 0 };
        struct sov_error err = { 0 };

        assert_false(sov_writing_begin(&writing, beneath(place, rows[i].path), 0644, &err));
        assert_string_equal(err.code, rows[i].code);
    }
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    struct place *place = *state;
    struct sov_writing writing = { 0 };
    struct rlimit before, tight;
    struct sov_error err = { 0 };
    bool written;

    put(place, "out", "old");
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = (struct rlimit){ .rlim_cur = 4, .rlim_max = before.rlim_max };
    must(sov_writing_begin(&writing, beneath(place, "out"), 0644, &err), &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    written = sov_writing_add(&writing, sov_bytes_text("longer"), &err) &&
              sov_writing_finish(&writing, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, SIG_DFL);
    sov_writing_end(&writing);
    assert_false(written);
    assert_string_equal(err.code, "disk_full");
    assert_true(sov_bytes_is(get(place, "out"), "old"));
    assert_int_equal(count(place), 1);
}

static void what_is_staged_is_given_once_and_over_nothing(void **state)
{
    struct place *place = *state;
    struct sov_staging staging = { 0 };
    struct sov_error err = { 0 };

    must(sov_staging_begin(&staging, beneath(place, "out"), &place->arena, &err), &err);
    assert_string_equal(staging.name, "out");
    assert_int_equal(facts(place, staging.temporary).mode, 0700);
    put(place, sov_arena_printf(&place->arena, "%s/one", staging.temporary), "1");
    put(place, sov_arena_printf(&place->arena, "%s/two", staging.temporary), "2");
    put(place, "there", "before");
    assert_false(sov_staging_give(&staging, "one", "there", &place->arena, &err));
    assert_string_equal(err.code, "exists");
    assert_true(sov_bytes_is(get(place, "there"), "before"));
    must(sov_staging_give(&staging, "one", "out", &place->arena, &err), &err);
    sov_staging_end(&staging);
    assert_true(sov_bytes_is(get(place, "out"), "1"));
    assert_int_equal(count(place), 2); /* out, there */
}

static void a_staged_folder_can_be_given_whole(void **state)
{
    struct place *place = *state;
    struct sov_staging staging = { 0 }, again = { 0 };
    struct sov_error err = { 0 };

    must(sov_staging_begin(&staging, beneath(place, "out"), &place->arena, &err), &err);
    put(place, sov_arena_printf(&place->arena, "%s/one", staging.temporary), "1");
    must(sov_staging_give(&staging, NULL, "out", &place->arena, &err), &err);
    sov_staging_end(&staging);
    assert_true(sov_bytes_is(get(place, "out/one"), "1"));
    must(sov_staging_begin(&again, beneath(place, "out"), &place->arena, &err), &err);
    assert_false(sov_staging_give(&again, NULL, "out", &place->arena, &err));
    assert_string_equal(err.code, "exists");
    sov_staging_end(&again);
    assert_int_equal(count(place), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pieces_of_any_size_come_out_in_order, begin, end),
        cmocka_unit_test_setup_teardown(what_is_not_finished_was_never_there, begin, end),
        cmocka_unit_test_setup_teardown(a_folder_or_no_folder_is_nothing_to_write_to, begin, end),
        cmocka_unit_test_setup_teardown(a_full_disk_leaves_the_old_file, begin, end),
        cmocka_unit_test_setup_teardown(what_is_staged_is_given_once_and_over_nothing, begin, end),
        cmocka_unit_test_setup_teardown(a_staged_folder_can_be_given_whole, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
