/* A host that is killed while a run goes on, at any point (providers.md 8, row 22). */
#include "tests/provider_unit.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
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

/* What a line of the pipe says; nobody is waited for who does not come. */
static void pids_in(int pipe, pid_t *leader_out, pid_t *left_out)
{
    struct pollfd said = { .fd = pipe, .events = POLLIN };
    char line[64] = "";
    int leader, left;

    assert_int_equal(poll(&said, 1, 60000), 1);
    assert_true(read(pipe, line, sizeof line - 1) > 0);
    assert_int_equal(sscanf(line, "%d %d", &leader, &left), 2);
    *leader_out = leader;
    *left_out = left;
}

static int held(pid_t pid)
{
    int process = pidfd_open(pid, 0);

    assert_true(process >= 0);
    return process;
}

/* An end comes as an event, however long it takes under load. */
static void assert_ends(int process)
{
    struct pollfd end = { .fd = process, .events = POLLIN };

    assert_int_equal(poll(&end, 1, 60000), 1);
    assert_int_equal(close(process), 0);
}

static pid_t host_started(struct fixture *f, const struct sov_run_options *options)
{
    struct sov_run_result result;
    struct sov_error err = { 0 };
    pid_t host;

    sov_ledger_close(f->ledger);
    f->ledger = NULL;
    host = fork();
    if (host) return host;
    if (!sov_ledger_open(&f->places, SOV_LEDGER_WRITE, &f->seams, 5000, &f->ledger, &err))
        _exit(99);
    _exit(sov_run(f->ledger, options, &f->arena, &result, &err) ? 0 : 98);
}

static void what_a_killed_host_left_running_is_found_and_ended(void **state)
{
    struct fixture f;
    struct sov_run_options options;
    struct sov_process_id self;
    const char *path;
    pid_t host, leader, left;
    int pipe, leads, stays;
    int64_t fence;

    (void)state;
    store_open(&f);
    fence = fixture_head(&f) + 1;
    path = sov_arena_printf(&f.arena, "%s/pids", f.root);
    assert_int_equal(mkfifo(path, 0600), 0);
    pipe = open(path, O_RDWR | O_CLOEXEC);
    assert_true(pipe >= 0);
    /* It waits without starting another program: while one starts, its marks cannot be read. */
    options = run_command(
        &f, provider_shell(&f, sov_arena_printf(&f.arena,
                                                "mkfifo %s.never\nleader=$$ setsid sh -c 'echo"
                                                " $leader $$ >%s; read never <%s.never' &\nwait\n",
                                                path, path, path)));
    host = host_started(&f, &options);
    pids_in(pipe, &leader, &left);
    leads = held(leader);
    stays = held(left);
    assert_int_equal(kill(host, SIGKILL), 0);
    assert_int_equal(waitpid(host, NULL, 0), host);
    assert_ends(leads);                       /* with its host: else it would be counted, too */
    assert_true(sov_process_of(left, &self)); /* control: it outlives its host */
    assert_int_equal(sov_run_survivors_end(f.repo, 1, fence + 1), 0);
    assert_int_equal(sov_run_survivors_end(f.repo, 2, fence), 0);
    assert_int_equal(sov_run_survivors_end(f.root, 1, fence), 0);
    assert_true(sov_process_is_alive(self));
    assert_int_equal(sov_run_survivors_end(f.repo, 1, fence), 1);
    assert_ends(stays);
    assert_int_equal(sov_run_survivors_end(f.repo, 1, fence), 0);
    assert_int_equal(close(pipe), 0);
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
