/* A copy of the ledger file is one moment of it, whoever writes meanwhile. */
#include "tests/ledger_work.h"

#include <sys/stat.h>
#include <unistd.h>

static const char *folder(struct fixture *f, const char *name)
{
    const char *path = sov_arena_printf(&f->arena, "%s/%s", f->root, name);

    assert_int_equal(mkdir(path, 0700), 0);
    return path;
}

static void backup(struct fixture *f, const char *home)
{
    struct sov_error err = { 0 };

    if (!sov_ledger_backup(f->ledger, home, &err)) fail_msg("%s: %s", err.code, err.what);
}

static void open_copy(struct fixture *f, const char *home, struct sov_ledger **copy_out)
{
    struct sov_places places = { home, f->keys };
    struct sov_error err = { 0 };

    if (!sov_ledger_open(&places, SOV_LEDGER_READ, &f->seams, 1000, copy_out, &err))
        fail_msg("%s: %s", err.code, err.what);
}

static void open_accounts(struct fixture *f, int count)
{
    struct sov_done done;

    for (int i = 0; i < count; i++) {
        const char *name = sov_arena_printf(&f->arena, "till-%d", i);

        FIXTURE_DO(f, "principal", done, sov_account_open(&commit, name, "cent", 0, &done, &err));
    }
}

static void the_copy_holds_every_event_and_no_file_beside_it(void **state)
{
    struct fixture *f = *state;
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *copy = NULL;
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor a = { 0 }, b = { 0 };
    struct sov_stored one, other;
    struct sov_error err = { 0 };
    bool found = true, too;
    struct sov_listing names;
    struct sov_folder home = { 0 };
    struct sov_file_facts facts;
    const char *path = folder(f, "copy");

    open_accounts(f, 5);
    backup(f, path);
    open_copy(f, path, &copy);
    sov_log_begin(&a, f->ledger, 1, 0);
    sov_log_begin(&b, copy, 1, 0);
    while (found) {
        assert_true(sov_log_next(&a, &one, &found, &err) && sov_log_next(&b, &other, &too, &err));
        assert_int_equal(found, too);
        if (found) assert_true(sov_bytes_equal(one.octets, other.octets));
    }
    assert_true(sov_folder_open(&home, path, &err));
    assert_true(sov_folder_names(&home, "", 9, &f->arena, &names, &err));
    assert_int_equal(names.count, 1);
    assert_true(sov_file_facts(&home, names.name[0], &facts, &err));
    assert_int_equal(facts.mode, 0600);
    sov_folder_close(&home);
}

static void what_is_written_later_is_not_in_it(void **state)
{
    struct fixture *f = *state;
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *copy = NULL;
    struct sov_error err = { 0 };
    const char *path = folder(f, "copy");
    int64_t before = fixture_head(f), head;

    backup(f, path);
    open_accounts(f, 1);
    open_copy(f, path, &copy);
    assert_true(sov_ledger_head(copy, &head, &err));
    assert_int_equal(head, before);
    assert_int_equal(fixture_head(f), before + 1);
}

static void nothing_is_copied_over_what_is_there(void **state)
{
    struct fixture *f = *state;
    struct sov_hash before = fixture_digest(f), after;
    struct sov_error err = { 0 };

    assert_false(sov_ledger_backup(f->ledger, f->home, &err));
    assert_string_equal(err.code, "exists");
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

static void a_published_log_has_no_file_to_copy(void **state)
{
    struct fixture *f = *state;
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *clone = NULL;
    struct sov_error err = { 0 };

    assert_true(sov_copy_begin(&f->seams, f->keys, &clone, &err));
    assert_false(sov_ledger_backup(clone, folder(f, "copy"), &err));
    assert_string_equal(err.code, "no_ledger");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_copy_holds_every_event_and_no_file_beside_it,
                                        work_setup, work_teardown),
        cmocka_unit_test_setup_teardown(what_is_written_later_is_not_in_it, work_setup,
                                        work_teardown),
        cmocka_unit_test_setup_teardown(nothing_is_copied_over_what_is_there, work_setup,
                                        work_teardown),
        cmocka_unit_test_setup_teardown(a_published_log_has_no_file_to_copy, work_setup,
                                        work_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
