/*
 * The disk fails where the last octet of a commit is written. The call of the C library is this
 * program's own, SQLite's too: it is done, and then said to have failed.
 */
#include "tests/unit.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/ledger_fixture.h"

enum { JOURNAL_HEADER = 28 };
/* Of the whole process, as the call is: failing is said of the write that ends a journal. */
static bool armed;
static int fired;

ssize_t pwrite64(int fd, const void *octets, size_t size, off64_t at)
{
    ssize_t (*next)(int, const void *, size_t, off64_t) =
        (ssize_t(*)(int, const void *, size_t, off64_t))(uintptr_t)dlsym(RTLD_NEXT, "pwrite64");
    const char zeros[JOURNAL_HEADER] = { 0 };
    ssize_t done = next(fd, octets, size, at);

    if (!armed || at != 0 || size != sizeof zeros || memcmp(octets, zeros, sizeof zeros) != 0)
        return done;
    fired++;
    errno = EIO;
    return -1;
}

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    fixture_open(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

static bool allow(struct fixture *f, int64_t *seq_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = fixture_act("principal");
    struct sov_done done;

    if (!sov_commit_begin(&commit, f->ledger, &act, err) ||
        !sov_filesystem_allow(&commit, "tmpfs", "known", &done, err))
        return false;
    armed = true;
    return sov_commit_finish(&commit, seq_out, err);
}

static void a_commit_whose_end_cannot_be_seen_is_called_so(void **state)
{
    struct fixture *f = *state;
    int64_t head = fixture_head(f), seq = -1;
    struct sov_error why = { 0 };
    struct sov_done done;
    char wal[160];
    bool ok;

    snprintf(wal, sizeof wal, "%s/organization.db-wal", f->home);
    if (access(wal, F_OK) == 0) {
        print_message("# no header of a journal ends a commit here: the mode is WAL\n");
        skip();
    }
    ok = allow(f, &seq, &why);
    armed = false;
    assert_int_equal(fired > 0, 1);
    assert_false(ok);
    assert_string_equal(why.code, "commit_unknown");
    assert_int_equal(why.exit, SOV_UNABLE);
    assert_int_equal(why.seq, head + 1);
    assert_int_equal(seq, -1);
    fixture_reopen(f);
    assert_in_range(fixture_head(f), head, head + 1); /* all of it, or nothing */
    FIXTURE_DO(f, "principal", &done, sov_filesystem_allow(&commit, "nfs", "known", &done, &err));
    fixture_assert_refold_equal(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_commit_whose_end_cannot_be_seen_is_called_so, setup,
                                        teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
