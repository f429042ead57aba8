/* Secrets in the key folder: which is taken, and what stands in the way. */
#include "tests/ledger_work.h"

#include <sys/stat.h>
#include <unistd.h>

#include "ledger/keyfile.h"

static const char *folder_of(struct fixture *f)
{
    struct sov_identity identity;
    char hex[SOV_HEX_HASH + 1];

    sov_ledger_identity(f->ledger, &identity);
    sov_hex(sov_hash_bytes(&identity.id), hex);
    return sov_arena_printf(&f->arena, "%s/%s", f->keys, hex);
}

static void loads(struct fixture *f, const char *name, const char *code)
{
    struct sov_secret *secret = NULL;
    struct sov_error err = { 0 };
    bool ok = sov_keyfile_load(f->ledger, name, NULL, &secret, &err);

    if (ok != !code) fail_msg("%s: %s", name, err.code);
    if (code) assert_string_equal(err.code, code);
    if (code) assert_null(secret);
    sov_secret_close(secret);
}

static void what_is_not_there_is_no_key_whether_file_or_folder(void **state)
{
    struct fixture *f = *state;
    const char *folder = folder_of(f), *aside = sov_arena_printf(&f->arena, "%s.aside", folder);

    loads(f, "ledger.key", NULL);
    loads(f, "nobody.key", "no_key");
    assert_int_equal(rename(folder, aside), 0);
    loads(f, "ledger.key", "no_key");
    assert_int_equal(rename(aside, folder), 0);
    loads(f, "ledger.key", NULL);
}

/* Said as what it is: whoever reads "no key" makes another. */
static void a_folder_that_cannot_be_looked_into_is_not_the_lack_of_a_key(void **state)
{
    struct fixture *f = *state;
    const char *folder = folder_of(f), *aside = sov_arena_printf(&f->arena, "%s.aside", folder);
    struct sov_secret *secret = NULL;
    struct sov_error err = { 0 };
    FILE *file;

    assert_int_equal(rename(folder, aside), 0);
    file = fopen(folder, "w");
    assert_non_null(file);
    fclose(file);
    assert_false(sov_keyfile_load(f->ledger, "ledger.key", NULL, &secret, &err));
    assert_string_not_equal(err.code, "no_key");
    assert_int_equal(unlink(folder), 0);
    assert_int_equal(rename(aside, folder), 0);
}

/* Its line alone; nobody is there to ask, so that it is not opened. */
static void a_locked_key_that_nobody_can_open_asks_for_input(void **state)
{
    struct fixture *f = *state;
    const char *path = sov_arena_printf(&f->arena, "%s/locked.key", folder_of(f));
    const struct sov_opener nobody = { 0 }, *const openers[] = { NULL, &nobody };
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fprintf(file, "sov-key-1 argon2id 3 65536 %032d %048d %096d\n", 0, 0, 0) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0600), 0);
    for (size_t i = 0; i < 2; i++) {
        struct sov_secret *secret = NULL;
        struct sov_error err = { 0 };

        assert_false(sov_keyfile_load(f->ledger, "locked.key", openers[i], &secret, &err));
        assert_string_equal(err.code, "input_required");
        assert_null(secret);
    }
}

static bool signs(struct fixture *f, struct sov_signed_by *by, struct sov_error *err)
{
    return sov_statement_sign(f->ledger, "sparring", NULL, "sov.review.v1", sov_bytes_text("{}"),
                              by, err);
}

/* An older one is taken only where the newer is not at hand. */
static void a_newer_key_that_cannot_be_used_is_not_passed_over(void **state)
{
    struct fixture *f = *state;
    struct sov_signed_by by = { 0 };
    struct sov_actor_keys keys;
    struct sov_error outer = { 0 };
    struct sov_done done;
    const char *newer, *older;

    FIXTURE_DO(f, "principal", &done, sov_key_new(&commit, "sparring", NULL, &done, &err));
    assert_true(sov_key_list(f->ledger, "sparring", &f->arena, &keys, &outer));
    assert_int_equal(keys.count, 2);
    older = keys.at[0].id;
    newer = sov_arena_printf(&f->arena, "%s/sparring.%s.key", folder_of(f), keys.at[1].id);
    assert_true(signs(f, &by, &outer));
    assert_string_equal(by.key, keys.at[1].id);
    assert_int_equal(chmod(newer, 0644), 0);
    assert_false(signs(f, &by, &outer));
    assert_string_equal(outer.code, "key_exposed");
    assert_int_equal(unlink(newer), 0);
    assert_true(signs(f, &by, &outer));
    assert_string_equal(by.key, older);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, work_setup, work_teardown)
    const struct CMUnitTest tests[] = {
        T(what_is_not_there_is_no_key_whether_file_or_folder),
        T(a_folder_that_cannot_be_looked_into_is_not_the_lack_of_a_key),
        T(a_locked_key_that_nobody_can_open_asks_for_input),
        T(a_newer_key_that_cannot_be_used_is_not_passed_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
