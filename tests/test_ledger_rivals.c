/* Sixteen processes claim one assignment at a barrier, round after round (faults.md S22): one fence
 * each round, and fifteen that are told that it is held. */
#include "tests/crew.h"

#include "tests/ledger_work.h"

enum { RIVALS = 16, SLICE = 100, ALL = 2000 };

/* The fence, or 0 for claim_held, or -1. */
static int64_t claim(struct fixture *f, int rival, int64_t assignment)
{
    struct sov_act act = fixture_act("operator");
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_error err = { 0 };
    struct sov_who who = work_who();
    struct sov_done done;
    int64_t fence = -1, seq;

    (void)rival;
    if (sov_commit_begin(&commit, f->ledger, &act, &err) &&
        sov_claim_acquire(&commit, assignment, 0, &who, &fence, &done, &err) &&
        sov_commit_finish(&commit, &seq, &err))
        return fence;
    return strcmp(err.code, "claim_held") == 0 && err.exit == SOV_CONFLICT ? 0 : -1;
}

/* The fence of the one that won. */
static int64_t round_of(const struct crew *rivals, int64_t assignment)
{
    int64_t won = 0, held = 0, said[CREW_MAX];

    crew_round(rivals, assignment, said);
    for (int i = 0; i < RIVALS; i++) {
        assert_true(said[i] >= 0);
        held += said[i] == 0;
        if (!said[i]) continue;
        assert_int_equal(won, 0);
        won = said[i];
    }
    assert_int_equal(held, RIVALS - 1);
    return won;
}

static void of_sixteen_that_claim_at_once_one_gets_it(void **state)
{
    struct fixture *f = *state;
    int rounds = crew_rounds(SLICE, ALL);
    int64_t outcome = work_outcome(f), before = 0;
    struct crew rivals;

    crew_begin(&rivals, RIVALS, f, claim);
    for (int i = 0; i < rounds; i++) {
        int64_t sow = work_sow(f, outcome), assignment = work_assign(f, sow, "operator");
        int64_t head = fixture_head(f), fence = round_of(&rivals, assignment);
        struct sov_done done;

        assert_true(fence > before);
        before = fence;
        work_assert_events(f, head + 1, "claim.acquired sow.started");
        assert_int_equal(work_see_assignment(f, assignment).fence, fence);
        FIXTURE_DO(f, "master", &done, sov_sow_withdraw(&commit, sow, "next", &done, &err));
    }
    crew_end(&rivals);
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
