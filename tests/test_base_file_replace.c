/* A file is replaced whole or not at all, through no link, and a leftover is known as one. */
#include "tests/file_fixture.h"

#include <signal.h>
#include <sys/resource.h>

static void a_replacement_is_whole_and_leaves_nothing(void **state)
{
    struct place *place = *state;
    struct sov_listing names = { 0 };
    struct sov_file_facts old, now;
    struct sov_error err;

    put(place, "view", "old");
    old = facts(place, "view");
    must(sov_file_replace(&place->folder, "view", 0600, sov_bytes_text("the new one"), &err), &err);
    now = facts(place, "view");
    assert_true(sov_bytes_is(get(place, "view"), "the new one"));
    assert_true(old.inode != now.inode); /* renamed over, not written into */
    assert_int_equal(now.mode, 0600);
    must(sov_file_replace(&place->folder, "view", 0644, sov_bytes(NULL, 0), &err), &err);
    assert_int_equal(facts(place, "view").size, 0);
    must(sov_folder_names(&place->folder, "", 10, &place->arena, &names, &err), &err);
    assert_int_equal(names.count, 1);
}

static void a_failed_replacement_leaves_the_old_one(void **state)
{
    struct place *place = *state;
    struct sov_listing names = { 0 };
    struct sov_error err = { 0 };

    furnish(place);
    assert_false(sov_file_replace(&place->folder, "sub", 0644, sov_bytes_text("x"), &err));
    assert_string_equal(err.code, "file_unsafe");
    assert_true(sov_bytes_is(get(place, "sub/in.txt"), "inside"));
    assert_false(sov_file_replace(&place->folder, "way/in.txt", 0644, sov_bytes_text("x"), &err));
    assert_string_equal(err.code, "file_unsafe");
    assert_true(sov_bytes_is(get(place, "sub/in.txt"), "inside"));
    must(sov_folder_names(&place->folder, "", 20, &place->arena, &names, &err), &err);
    for (size_t i = 0; i < names.count; i++) assert_false(sov_file_is_leftover(names.name[i]));
}

static void a_link_is_replaced_not_followed(void **state)
{
    struct place *place = *state;
    struct sov_error err;

    furnish(place);
    must(sov_file_replace(&place->folder, "link", 0644, sov_bytes_text("own"), &err), &err);
    assert_int_equal(facts(place, "link").type, SOV_FILE_REGULAR);
    assert_true(sov_bytes_is(get(place, "sub/in.txt"), "inside"));
    must(sov_file_replace(&place->folder, "two", 0644, sov_bytes_text("own"), &err), &err);
    assert_true(sov_bytes_is(get(place, "two.too"), "names")); /* the other name keeps its own */
}

static void leftovers_are_stepped_over_and_known(void **state)
{
    static const struct {
        const char *name;
        bool leftover;
    } rows[] = {
        { ".sov-tmp-1-0", true },
        { ".sov-tmp-4194304-999", true },
        { ".sov-tmp-", false },
        { ".sov-tmp-1", false },
        { ".sov-tmp-1-", false },
        { ".sov-tmp--1", false },
        { ".sov-tmp-1-0x", false },
        { ".sov-tmp-a-0", false },
        { "sov-tmp-1-0", false },
        { "x.sov-tmp-1-0", false },
        { "-sov-tmp-1-0", false },
        { "", false },
    };
    struct place *place = *state;
    struct sov_error err;
    char name[64];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sov_file_is_leftover(rows[i].name) != rows[i].leftover) fail_msg("%s", rows[i].name);
    snprintf(name, sizeof name, ".sov-tmp-%ld-0", (long)getpid());
    put(place, name, "of a crash");
    must(sov_file_replace(&place->folder, "view", 0644, sov_bytes_text("new"), &err), &err);
    assert_true(sov_bytes_is(get(place, "view"), "new"));
    assert_true(sov_bytes_is(get(place, name), "of a crash"));
}

static void a_write_that_stops_half_way_leaves_the_old_file(void **state)
{
    struct place *place = *state;
    struct sov_listing names = { 0 };
    struct rlimit before, tight;
    struct sov_error err = { 0 };
    bool replaced, created;

    put(place, "view", "old");
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = (struct rlimit){ .rlim_cur = 4, .rlim_max = before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    replaced = sov_file_replace(&place->folder, "view", 0644, sov_bytes_text("longer"), &err);
    created = sov_file_create(&place->folder, "other", 0644, sov_bytes_text("longer"), &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, SIG_DFL);
    assert_false(replaced || created);
    assert_string_equal(err.code, "disk_full");
    assert_true(sov_bytes_is(get(place, "view"), "old"));
    must(sov_folder_names(&place->folder, "", 10, &place->arena, &names, &err), &err);
    assert_int_equal(names.count, 1);
}

static void a_file_is_provided_once(void **state)
{
    struct place *place = *state;
    struct sov_error err = { 0 };
    bool made = false;

    must(sov_file_provide(&place->folder, "kept", 0600, sov_bytes_text("new"), &made, &err), &err);
    assert_true(made);
    assert_true(sov_bytes_is(get(place, "kept"), "new"));
    must(sov_file_provide(&place->folder, "kept", 0600, sov_bytes_text("two"), &made, &err), &err);
    assert_false(made);
    assert_true(sov_bytes_is(get(place, "kept"), "new"));
    put(place, "longer", "new and more");
    must(sov_file_provide(&place->folder, "longer", 0600, sov_bytes_text("new"), &made, &err),
         &err);
    assert_false(made);
    assert_true(sov_bytes_is(get(place, "longer"), "new and more"));
}

/* A kill leaves nothing or a beginning of it, a loss of power also zeros. */
static void a_file_that_was_cut_off_is_provided_anew(void **state)
{
    static const struct sov_bytes torn[] = {
        { NULL, 0 },
        { (const uint8_t *)"ne", 2 },
        { (const uint8_t *)"\0\0\0", 3 },
        { (const uint8_t *)"\0ew", 3 },
    };
    struct place *place = *state;
    struct sov_error err = { 0 };

    for (size_t i = 0; i < sizeof torn / sizeof *torn; i++) {
        bool made = false;

        must(sov_file_replace(&place->folder, "killed", 0600, torn[i], &err), &err);
        must(sov_file_provide(&place->folder, "killed", 0600, sov_bytes_text("new"), &made, &err),
             &err);
        assert_true(made);
        assert_true(sov_bytes_is(get(place, "killed"), "new"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_replacement_is_whole_and_leaves_nothing),
        TEST(a_failed_replacement_leaves_the_old_one),
        TEST(a_link_is_replaced_not_followed),
        TEST(leftovers_are_stepped_over_and_known),
        TEST(a_write_that_stops_half_way_leaves_the_old_file),
        TEST(a_file_is_provided_once),
        TEST(a_file_that_was_cut_off_is_provided_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
