/* A host that is killed while a run goes on, at any point (providers.md 8, row 22). */
#include "tests/provider_unit.h"

#include <signal.h>
#include <sys/wait.h>

/* ---- a host that dies at any of its draws on the outside ---- */

/* The clock and the random source of a host that is killed at the nth time it asks one of them:
 * at the begin of each commit, at each snapshot, within the last transaction at each blob. */
struct doom {
    struct fixture *f;
    int left;
};

static void draw(struct doom *doom)
{
    if (--doom->left == 0) kill(getpid(), SIGKILL);
}

static bool doomed_clock(void *self, struct sov_now *now_out, struct sov_error *err)
{
    struct doom *doom = self;

    draw(doom);
    return doom->f->seams.clock.read(doom->f->seams.clock.self, now_out, err);
}

static bool doomed_random(void *self, uint8_t *octets, size_t size, struct sov_error *err)
{
    struct doom *doom = self;

    draw(doom);
    return doom->f->seams.random.fill(doom->f->seams.random.self, octets, size, err);
}

static bool run_doomed(struct fixture *f, const struct sov_run_options *options, int draws)
{
    struct doom doom = { f, draws };
    const struct sov_seams seams = { .clock = { &doom, doomed_clock },
                                     .random = { &doom, doomed_random } };
    struct sov_run_options mine = *options;
    int status;
    pid_t pid;

    sov_ledger_close(f->ledger);
    f->ledger = NULL;
    mine.seams = &seams;
    pid = fork();
    if (pid == 0) {
        struct sov_run_result result;
        struct sov_error err = { 0 };

        if (!sov_ledger_open(&f->places, SOV_LEDGER_WRITE, &seams, 5000, &f->ledger, &err))
            _exit(99);
        _exit(sov_run(f->ledger, &mine, &f->arena, &result, &err) ? 0 : 98);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    fixture_reopen(f);
    if (WIFEXITED(status)) assert_int_equal(WEXITSTATUS(status), 0);
    return WIFSIGNALED(status);
}

static void a_host_killed_at_any_draw_leaves_one_of_the_states_of_a_crash(void **state)
{
    bool killed = true, seen[3] = { false };

    (void)state;
    for (int draws = 1; killed; draws++) {
        struct fixture f;
        struct sov_run_options options;
        struct sov_supervised out;
        struct sov_error err = { 0 };
        struct sov_receipts receipts;

        store_open(&f);
        options = run_command(&f, provider_shell(&f, "cat > /dev/null\n" DELIVER SAY(REPORT)));
        killed = run_doomed(&f, &options, draws);
        fixture_tick(&f, 906 * 1000);
        assert_true(sov_supervise(f.ledger, 0, false, 9, 90, &f.arena, &out, &err));
        receipts = store_receipts(&f);
        assert_true(receipts.count <= 1);
        if (!receipts.count) { /* nothing had started */
            assert_int_equal(store_assignment(&f, 1).state, SOV_ASSIGNMENT_CREATED);
            assert_int_equal(store_sow(&f, 1).state, SOV_SOW_ASSIGNED);
            seen[0] = true;
        } else if (receipts.at[0].status == SOV_RECEIPT_FAILED) {
            assert_string_equal(receipts.at[0].category, "worker_lost");
            assert_int_equal(store_assignment(&f, 1).state, SOV_ASSIGNMENT_FAILED);
            seen[1] = true;
        } else {
            assert_int_equal(store_balance(&f, "inventory/SKU-TEA"), 8);
            assert_int_equal(store_assignment(&f, 1).state, SOV_ASSIGNMENT_COMPLETED);
            seen[2] = true;
        }
        if (!seen[2]) store_assert_untouched(&f);
        assert_true(sov_supervise(f.ledger, 0, false, 9, 90, &f.arena, &out, &err));
        assert_int_equal(out.act_count, 0);
        fixture_assert_refold_equal(&f);
        fixture_close(&f);
    }
    assert_true(seen[0] && seen[1] && seen[2]); /* each kind of crash did happen */
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_killed_at_any_draw_leaves_one_of_the_states_of_a_crash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
