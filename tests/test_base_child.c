#include "tests/child_acts.h"

static void exit_codes_and_signals_are_told_apart(void **state)
{
    struct bench *b = *state;
    static const struct {
        const char *code;
        int expected;
    } rows[] = { { "0", 0 }, { "1", 1 }, { "127", 127 }, { "255", 255 } };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *argv[] = { "act", "exit", rows[i].code, NULL };

        start_over(b);
        b->plan.argv = argv;
        assert_true(sov_child_run(&b->plan, NULL, &b->out, &b->errs, &b->result, &b->err));
        assert_end(b, SOV_END_SELF, rows[i].expected, 0);
        assert_int_equal(b->result.spawn_errno, 0);
        assert_int_equal(b->result.swept, 0);
    }
    assert_true(run_act(b, "crash", NULL));
    assert_end(b, SOV_END_SELF, -1, SIGUSR1);
}

static void argv_reaches_the_child_untouched(void **state)
{
    struct bench *b = *state;
    const char *argv[] = { "odd name", "args", "", "$HOME `id`; *", "\xff\n'\"", NULL };

    b->plan.argv = argv;
    assert_true(sov_child_run(&b->plan, NULL, &b->out, &b->errs, &b->result, &b->err));
    assert_octets(&b->out, "odd name|args||$HOME `id`; *|\xff\n'\"|");
}

static void the_environment_is_exactly_what_is_given(void **state)
{
    struct bench *b = *state;
    static const char *const given[] = { "PATH=/usr/bin", "EMPTY=", "A=b=c", NULL };

    for (int i = 0; i < 60; i++) {
        char name[32];

        snprintf(name, sizeof name, "SECRET_TOKEN_%d", i);
        setenv(name, "hunter2", 1);
    }
    b->plan.environment = given;
    assert_true(run_act(b, "environment", NULL));
    assert_octets(&b->out, "PATH=/usr/bin\nEMPTY=\nA=b=c\n");
    b->plan.environment = nothing;
    assert_true(run_act(b, "environment", NULL));
    assert_octets(&b->out, "");
}

static const char plain_state[] =
    "0 1 2 leader 1 blocked 0 ignored 0 umask 77 core 0 files 1 size 1";

static void the_child_has_three_descriptors_and_plain_signals(void **state)
{
    struct bench *b = *state;
    struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
    sigset_t blocked, mask;
    int inherited[20];

    for (int i = 0; i < 20; i++) {
        inherited[i] = open("/dev/null", O_RDONLY); /* not close-on-exec */
        assert_true(inherited[i] >= 0);
    }
    sigaction(SIGPIPE, &ignore, &before);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGUSR2);
    sigprocmask(SIG_BLOCK, &blocked, &mask);
    assert_true(run_act(b, "state", NULL));
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGPIPE, &before, NULL);
    for (int i = 0; i < 20; i++) close(inherited[i]);
    assert_octets(&b->out, plain_state);
}

static void a_host_without_standard_descriptors_starts_children_all_the_same(void **state)
{
    struct bench *b = *state;
    int kept[3];
    bool ran;

    for (int fd = 0; fd < 3; fd++) {
        kept[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 30);
        close(fd);
    }
    ran = run_act(b, "state", NULL);
    for (int fd = 0; fd < 3; fd++) {
        dup2(kept[fd], fd);
        close(kept[fd]);
    }
    assert_true(ran);
    assert_octets(&b->out, plain_state);
}

static void no_descriptor_is_leaked(void **state)
{
    struct bench *b = *state;
    int before = open("/dev/null", O_RDONLY | O_CLOEXEC), after;

    close(before);
    assert_true(run_act(b, "args", NULL));
    after = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(after);
    assert_int_equal(before, after);
}

static void four_mebibytes_of_input_arrive_whole(void **state)
{
    struct bench *b = *state;
    uint8_t *octets = sov_alloc(4 * MIB);

    for (size_t i = 0; i < 4 * MIB; i++) octets[i] = (uint8_t)(i * 2654435761u >> 13);
    b->plan.input = sov_bytes(octets, 4 * MIB);
    assert_true(run_act(b, "copy", NULL));
    assert_end(b, SOV_END_SELF, 0, 0);
    assert_true(sov_bytes_equal(sov_buf_bytes(&b->out), b->plan.input));
    b->plan.input = sov_bytes(NULL, 0);
    sov_free(octets);
}

static void ten_mebibytes_of_errors_first_keep_head_tail_and_count(void **state)
{
    struct bench *b = *state;

    assert_true(run_act(b, "errors_first", NULL));
    assert_end(b, SOV_END_SELF, 0, 0);
    assert_octets(&b->out, "done");
    assert_int_equal(b->errs.size, 2 * MIB);
    assert_int_equal(b->result.stderr_dropped, 8 * MIB);
    for (size_t i = 0; i < MIB; i++)
        if (b->errs.data[i] != 'h' || b->errs.data[MIB + i] != 't') fail_msg("at %zu", i);
}

static void endless_output_ends_with_output_at_the_limit(void **state)
{
    struct bench *b = *state;

    b->plan.stdout_max = 3 * MIB + 1;
    assert_true(run_act(b, "flood", NULL));
    assert_end(b, SOV_END_OUTPUT, -1, SIGTERM);
    assert_int_equal(b->out.size, 3 * MIB + 1);
}

static void output_of_exactly_the_limit_is_fine(void **state)
{
    struct bench *b = *state;

    b->plan.stdout_max = 4;
    assert_true(run_act(b, "holder", NULL));
    assert_end(b, SOV_END_SELF, 0, 0);
    assert_octets(&b->out, "done");
    b->plan.stdout_max = 3;
    assert_true(run_act(b, "holder", NULL));
    assert_int_equal(b->result.ended_by, SOV_END_OUTPUT); /* its own end may come first */
    assert_octets(&b->out, "don");
}

/* On a busy machine TERM may come before the child had time to ignore it, or to say so. */
static void assert_deaf_end(const struct bench *b, enum sov_child_end end)
{
    assert_end(b, end, -1, b->out.size > 0 ? SIGKILL : b->result.signal);
    assert_int_not_equal(b->result.signal, 0);
}

static void deadlines_end_a_tree_that_ignores_term(void **state)
{
    struct bench *b = *state;

    b->plan.grace_ms = 100;
    b->plan.wall_ms = 500;
    assert_true(run_act(b, "chatty", NULL));
    assert_deaf_end(b, SOV_END_TIMEOUT);
    b->plan.wall_ms = 60000;
    b->plan.idle_ms = 500;
    assert_true(run_act(b, "deaf", NULL));
    assert_deaf_end(b, SOV_END_IDLE);
}

static bool has_spoken(void *self)
{
    const struct bench *b = self;

    return b->out.size == 0;
}

static void what_is_written_after_term_is_kept(void **state)
{
    struct bench *b = *state;
    struct sov_child_sink sink = { b, NULL, has_spoken, 20 };

    assert_true(run_act(b, "polite", &sink));
    assert_end(b, SOV_END_SIGNAL, 7, 0);
    assert_octets(&b->out, "up down");
}

/* A process started by someone, found by its command line: the number of those alive. */
static unsigned alive_with(const char *word)
{
    struct dirent *entry;
    unsigned count = 0;
    DIR *proc = opendir("/proc");

    while ((entry = readdir(proc))) {
        char path[64], text[256] = { 0 };
        int fd;

        snprintf(path, sizeof path, "/proc/%.20s/cmdline", entry->d_name);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) continue;
        if (read(fd, text, sizeof text - 1) > 0 && strcmp(text, word) == 0) count++;
        close(fd);
    }
    closedir(proc);
    return count;
}

static void an_escaped_sleeper_is_swept_where_the_group_alone_leaves_it(void **state)
{
    struct bench *b = *state;
    char name[40]; /* several of this test may run at once */
    const char *argv[] = { name, "escape", NULL };
    int status;
    pid_t leader;

    snprintf(name, sizeof name, "sov-test-escaped-%d", (int)getpid());
    b->plan.argv = argv;
    assert_true(sov_child_run(&b->plan, NULL, &b->out, &b->errs, &b->result, &b->err));
    assert_end(b, SOV_END_SELF, 0, 0);
    assert_int_equal(b->result.swept, 1);
    assert_int_equal(alive_with(name), 0);
    /* The control: the same tree, ended through its group, leaves one behind; it is ours to end. */
    leader = fork();
    if (leader == 0) {
        setsid();
        execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
        _exit(97);
    }
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)leader, &info, WEXITED | WNOWAIT), 0);
    sov_keeper_signal(leader, SIGKILL);
    assert_int_equal(waitpid(leader, &status, 0), leader);
    assert_int_equal(alive_with(name), 1);
    unsigned swept = 0, survivors = 9;
    sov_keeper_sweep(SOV_CHILD_SWEEP_MS, &swept, &survivors);
    assert_true(swept >= 1);
    assert_int_equal(survivors, 0);
    assert_int_equal(alive_with(name), 0);
}

static void a_grandchild_that_holds_the_output_delays_only_the_drain(void **state)
{
    struct bench *b = *state;

    assert_true(run_act(b, "holder", NULL));
    assert_end(b, SOV_END_SELF, 0, 0);
    assert_octets(&b->out, "done");
    assert_int_equal(b->result.swept, 1);
    b->plan.grace_ms = 100;
    assert_true(run_act(b, "deaf_holder", NULL));
    assert_end(b, SOV_END_SELF, 0, 0);
    assert_octets(&b->out, "done");
    assert_int_equal(b->result.swept, 1);
}

struct taken {
    struct sov_buf seen;
    unsigned ticks, ticks_max;
    size_t size_max;
};

static bool take(void *self, struct sov_bytes chunk)
{
    struct taken *t = self;

    sov_buf_add(&t->seen, chunk);
    return t->seen.size < t->size_max;
}

static bool tick(void *self)
{
    struct taken *t = self;

    return ++t->ticks < t->ticks_max;
}

static void the_sink_gets_all_octets_and_may_end_the_tree(void **state)
{
    struct bench *b = *state;
    struct taken t = { .size_max = 100000 };
    struct sov_child_sink sink = { &t, take, tick, 0 };
    size_t seen;

    sov_buf_init(&t.seen, 16 * MIB);
    assert_true(run_act(b, "args", &sink));
    assert_true(sov_bytes_equal(sov_buf_bytes(&b->out), sov_buf_bytes(&t.seen)));
    assert_octets(&t.seen, "act|args|");
    sov_buf_clear(&t.seen);
    assert_true(run_act(b, "flood", &sink));
    assert_end(b, SOV_END_MALFORMED, -1, SIGTERM);
    seen = t.seen.size; /* after it had said no, it was not asked again */
    assert_true(seen >= 100000 && seen < 100000 + 64 * 1024);
    sov_buf_clear(&t.seen);
    sink.tick_ms = 20;
    t.ticks_max = 3;
    b->plan.grace_ms = 100;
    assert_true(run_act(b, "deaf", &sink));
    assert_deaf_end(b, SOV_END_SIGNAL);
    assert_int_equal(t.ticks, 3);
    sov_buf_release(&t.seen);
}

static void a_watched_signal_ends_the_tree_and_stays_to_be_seen(void **state)
{
    struct bench *b = *state;
    sigset_t before, pair;
    int number;

    sigprocmask(SIG_BLOCK, NULL, &before);
    sov_signals_watch();
    assert_int_equal(sov_signals_seen(), 0);
    raise(SIGTERM);
    assert_int_equal(sov_signals_seen(), SIGTERM);
    b->plan.grace_ms = 100;
    assert_true(run_act(b, "deaf", NULL));
    assert_deaf_end(b, SOV_END_SIGNAL);
    assert_int_equal(sov_signals_seen(), SIGTERM);
    sigemptyset(&pair);
    sigaddset(&pair, SIGTERM);
    assert_int_equal(sigwait(&pair, &number), 0);
    assert_int_equal(sov_signals_seen(), 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

#define row(test) cmocka_unit_test_setup_teardown(test, bench_open, bench_close)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        row(exit_codes_and_signals_are_told_apart),
        row(argv_reaches_the_child_untouched),
        row(the_environment_is_exactly_what_is_given),
        row(the_child_has_three_descriptors_and_plain_signals),
        row(a_host_without_standard_descriptors_starts_children_all_the_same),
        row(no_descriptor_is_leaked),
        row(four_mebibytes_of_input_arrive_whole),
        row(ten_mebibytes_of_errors_first_keep_head_tail_and_count),
        row(endless_output_ends_with_output_at_the_limit),
        row(output_of_exactly_the_limit_is_fine),
        row(deadlines_end_a_tree_that_ignores_term),
        row(what_is_written_after_term_is_kept),
        row(an_escaped_sleeper_is_swept_where_the_group_alone_leaves_it),
        row(a_grandchild_that_holds_the_output_delays_only_the_drain),
        row(the_sink_gets_all_octets_and_may_end_the_tree),
        row(a_watched_signal_ends_the_tree_and_stays_to_be_seen),
    };

    if (argc > 1) return act(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
