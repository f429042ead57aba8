/*
 * Sixteen processes claim one assignment at a barrier, round after round (faults.md S22): one fence
 * each round, and fifteen that are told that it is held. A slice of 100 rounds; SOV_TIER other than
 * "pr" runs 2,000.
 */
#include "tests/unit.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/ledger_work.h"

enum { RIVALS = 16, SLICE = 100, ALL = 2000 };

struct rival {
    pid_t pid;
    int go[2], said[2]; /* an assignment's number; the fence, or 0 for claim_held, or -1 */
};

static int64_t claim_once(struct sov_ledger *ledger, int64_t assignment)
{
    struct sov_act act = fixture_act("operator");
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_error err = { 0 };
    struct sov_who who = work_who();
    struct sov_done done;
    int64_t fence = -1, seq;

    if (sov_commit_begin(&commit, ledger, &act, &err) &&
        sov_claim_acquire(&commit, assignment, 0, &who, &fence, &done, &err) &&
        sov_commit_finish(&commit, &seq, &err))
        return fence;
    return strcmp(err.code, "claim_held") == 0 && err.exit == SOV_CONFLICT ? 0 : -1;
}

static void rival(const struct fixture *f, const struct rival *self)
{
    struct sov_ledger *ledger;
    struct sov_error err = { 0 };
    int64_t assignment, said;

    if (!sov_ledger_open(&f->places, SOV_LEDGER_WRITE, &f->seams, 60000, &ledger, &err)) _exit(2);
    while (read(self->go[0], &assignment, sizeof assignment) == sizeof assignment) {
        said = claim_once(ledger, assignment);
        if (write(self->said[1], &said, sizeof said) != sizeof said) _exit(3);
    }
    sov_ledger_close(ledger);
    _exit(0);
}

static void rivals_begin(const struct fixture *f, struct rival rivals[RIVALS])
{
    for (int i = 0; i < RIVALS; i++) {
        assert_int_equal(pipe(rivals[i].go), 0);
        assert_int_equal(pipe(rivals[i].said), 0);
        rivals[i].pid = fork();
        assert_true(rivals[i].pid >= 0);
        if (rivals[i].pid > 0) continue;
        for (int k = 0; k <= i; k++) (void)close(rivals[k].go[1]);
        rival(f, &rivals[i]);
    }
}

static void rivals_end(struct rival rivals[RIVALS])
{
    for (int i = 0; i < RIVALS; i++) {
        int status;

        (void)close(rivals[i].go[1]);
        assert_int_equal(waitpid(rivals[i].pid, &status, 0), rivals[i].pid);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

/* The fence of the one that won. */
static int64_t round_of(struct rival rivals[RIVALS], int64_t assignment)
{
    int64_t won = 0, held = 0;

    for (int i = 0; i < RIVALS; i++)
        assert_int_equal(write(rivals[i].go[1], &assignment, sizeof assignment), sizeof assignment);
    for (int i = 0; i < RIVALS; i++) {
        int64_t said;

        assert_int_equal(read(rivals[i].said[0], &said, sizeof said), sizeof said);
        assert_true(said >= 0);
        held += said == 0;
        if (!said) continue;
        assert_int_equal(won, 0);
        won = said;
    }
    assert_int_equal(held, RIVALS - 1);
    return won;
}

static void of_sixteen_that_claim_at_once_one_gets_it(void **state)
{
    struct fixture *f = *state;
    const char *tier = getenv("SOV_TIER");
    int rounds = tier && strcmp(tier, "pr") != 0 ? ALL : SLICE;
    int64_t outcome = work_outcome(f), before = 0;
    struct rival rivals[RIVALS];

    sov_ledger_close(f->ledger);
    f->ledger = NULL;
    fflush(NULL);
    rivals_begin(f, rivals);
    fixture_reopen(f);
    for (int i = 0; i < rounds; i++) {
        int64_t sow = work_sow(f, outcome), assignment = work_assign(f, sow, "operator");
        int64_t head = fixture_head(f), fence = round_of(rivals, assignment);
        struct sov_done done;

        assert_true(fence > before);
        before = fence;
        work_assert_events(f, head + 1, "claim.acquired sow.started");
        assert_int_equal(work_see_assignment(f, assignment).fence, fence);
        FIXTURE_DO(f, "master", &done, sov_sow_withdraw(&commit, sow, "next", &done, &err));
    }
    rivals_end(rivals);
    fixture_assert_refold_equal(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(of_sixteen_that_claim_at_once_one_gets_it, work_setup,
                                        work_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
