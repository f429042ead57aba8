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
        assert_true(sov_supervise(f.ledger,
                                  &(struct sov_supervise_options){ .pid = 9, .start = 90 },
                                  &f.arena, &out, &err));
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
        assert_true(sov_supervise(f.ledger,
                                  &(struct sov_supervise_options){ .pid = 9, .start = 90 },
                                  &f.arena, &out, &err));
        assert_int_equal(out.act_count, 0);
        fixture_assert_refold_equal(&f);
        fixture_close(&f);
    }
    assert_true(seen[0] && seen[1] && seen[2]); /* each kind of crash did happen */
}

/* ---- what a killed host leaves ---- */

static int64_t pid_in(const char *path)
{
    long long pid = 0;

    for (int i = 0; i < 1000 && !pid; i++) {
        FILE *file = fopen(path, "r");

        if (file && fscanf(file, "%lld", &pid) != 1) pid = 0;
        if (file) fclose(file);
        if (!pid) usleep(10000);
    }
    assert_true(pid > 0);
    return pid;
}

static bool is_gone(pid_t pid)
{
    for (int i = 0; i < 500; i++) {
        /* Whoever is its parent now may be this process, which takes in what runs leave. */
        if (waitpid(pid, NULL, WNOHANG) == pid || kill(pid, 0) != 0) return true;
        usleep(10000);
    }
    return false;
}

static void what_a_killed_host_left_running_is_found_and_ended(void **state)
{
    struct fixture f;
    struct sov_run_options options;
    struct sov_process_id self;
    struct sov_error err = { 0 };
    const char *note;
    pid_t host, left;
    int64_t fence;

    (void)state;
    store_open(&f);
    fence = fixture_head(&f) + 1;
    note = sov_arena_printf(&f.arena, "%s/pid", f.root);
    options = run_command(
        &f, provider_shell(&f, sov_arena_printf(&f.arena,
                                                "setsid sh -c 'echo $$ > %s.new; mv %s.new %s;"
                                                " exec sleep 60' &\nwait\n",
                                                note, note, note)));
    sov_ledger_close(f.ledger);
    f.ledger = NULL;
    host = fork();
    if (host == 0) {
        struct sov_run_result result;

        if (!sov_ledger_open(&f.places, SOV_LEDGER_WRITE, &f.seams, 5000, &f.ledger, &err))
            _exit(99);
        _exit(sov_run(f.ledger, &options, &f.arena, &result, &err) ? 0 : 98);
    }
    left = (pid_t)pid_in(note);
    assert_int_equal(kill(host, SIGKILL), 0);
    assert_int_equal(waitpid(host, NULL, 0), host);
    assert_true(sov_process_of(left, &self)); /* control: it outlives its host */
    assert_int_equal(sov_run_survivors_end(f.repo, 1, fence + 1), 0);
    assert_int_equal(sov_run_survivors_end(f.repo, 2, fence), 0);
    assert_int_equal(sov_run_survivors_end(f.root, 1, fence), 0);
    assert_true(sov_process_is_alive(self));
    assert_int_equal(sov_run_survivors_end(f.repo, 1, fence), 1);
    assert_true(is_gone(left));
    assert_int_equal(sov_run_survivors_end(f.repo, 1, fence), 0);
    fixture_reopen(&f);
    fixture_close(&f);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_killed_at_any_draw_leaves_one_of_the_states_of_a_crash),
        cmocka_unit_test(what_a_killed_host_left_running_is_found_and_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
