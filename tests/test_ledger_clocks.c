/*
 * Claims under clocks that lie (campaign T7; faults.md S29, S30): a holder and a judge, each with a
 * wall clock, a boot clock, a boot and a machine of its own, over true time, which only the test
 * knows. Wall clocks step by a second to ten years, to 1970, 2038 and 2106, between any two reads;
 * machines boot anew, programs sleep, some claim in a process of their own. Always, by the octets
 * of the log: one live claim at most, fences grow, nothing under a dead one, times do not go back,
 * one doubt a sign of life. By true time: nothing is taken early that the judge's clock can tell
 * about, and what is left ends. A slice of 400 cases; SOV_TIER other than "pr" tries them all.
 */
#include "tests/clocks_unit.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/remove.h"

/* ---- acts ---- */

static const char *claim_once(const struct trial *c, struct host *h, int64_t *fence_out)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    const struct sov_act act = fixture_act("operator");
    struct sov_error err = { 0 };
    struct sov_who who;
    struct sov_done done;
    int64_t seq;

    if (!sov_commit_begin(&commit, h->ledger, &act, &err)) return "begin";
    who = sov_who_now(&commit, 0, 0);
    if (sov_claim_acquire(&commit, c->template->assignment, 0, &who, fence_out, &done, &err) &&
        sov_commit_finish(&commit, &seq, &err))
        return NULL;
    return strcmp(err.code, "claim_held") == 0 ? "claim_held" : "other";
}

/* By a process that does this and ends; it opens the ledger for itself. */
static const char *claim_apart(struct trial *c, int64_t *fence_out)
{
    int said[2], status;
    pid_t pid;

    fflush(NULL);
    assert_int_equal(pipe(said), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct host h = c->holder;
        const char *refused;

        host_open(c, &h);
        refused = claim_once(c, &h, fence_out);
        sov_ledger_close(h.ledger);
        _exit(refused || write(said[1], fence_out, sizeof *fence_out) != sizeof *fence_out);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(read(said[0], fence_out, sizeof *fence_out), sizeof *fence_out);
    assert_int_equal(close(said[0]) | close(said[1]), 0);
    return NULL;
}

static void signed_of_life(struct trial *c, int64_t skew_ms)
{
    c->sign_ms = c->truth_ms;
    c->sign_skew_ms = skew_ms;
    c->doubt_ms = 0;
    look(c);
}

static void claim(struct trial *c)
{
    const char *refused = c->own_process && !c->holder.step_in
                              ? claim_apart(c, &c->fence)
                              : claim_once(c, &c->holder, &c->fence);

    assert_null(refused);
    signed_of_life(c, c->holder.skew_ms);
    assert_int_equal(c->live, c->fence);
}

/* NULL: renewed. */
static const char *renew(struct trial *c)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    const struct sov_act act = fixture_act("operator");
    static const char stale[] = "stale_fence";
    struct sov_error err = { 0 };
    struct sov_who who;
    struct sov_done done;
    int64_t seq;

    must(sov_commit_begin(&commit, c->holder.ledger, &act, &err), &err);
    who = sov_who_now(&commit, 0, 0);
    if (sov_claim_renew(&commit, c->template->assignment, c->fence, 0, &who, &done, &err)) {
        must(sov_commit_finish(&commit, &seq, &err), &err);
        sov_commit_end(&commit);
        signed_of_life(c, c->holder.skew_ms);
        return NULL;
    }
    assert_string_equal(err.code, stale);
    return stale;
}

/* A pass, and a second one at the same time, which has nothing to do unless a clock moved. */
static void pass(struct trial *c)
{
    struct sov_supervise_options options = { .pid = 9, .start = 90 };
    struct sov_supervised out = { 0 };
    struct sov_error err = { 0 };
    bool moves = c->judge.step_in;

    for (int i = 0; i < 2; i++) {
        c->judge.worst_ms = c->judge.skew_ms;
        must(sov_supervise(c->judge.ledger, &options, &c->arena, &out, &err), &err);
        assert_int_equal(out.fault_count, 0);
        look(c);
        if (i && !moves) assert_int_equal(out.act_count, 0);
    }
}

/* ---- a case ---- */

static void trial_open(struct trial *c)
{
    sov_arena_init(&c->arena, 64 << 20);
    c->places = (struct sov_places){ c->template->home, c->template->f.keys };
    file_put(c->template);
    c->truth_ms = base_ms;
    c->checked = c->template->head;
    c->holder = (struct host){ .truth_ms = &c->truth_ms,
                               .booted_ms = base_ms - 1000 * SECOND,
                               .boot = 'a',
                               .machine = '1',
                               .skew_ms = c->base_skew_ms };
    c->judge = c->holder;
    c->judge.skew_ms = 0;
    if (c->from >= SAME_KERNEL) c->judge.machine = '2';
    if (c->from == OTHER_BOOT) c->judge.machine = '1';
    if (c->from >= OTHER_BOOT) c->judge.boot = 'b';
    if (c->from == OTHER_MACHINE) c->judge.booted_ms -= 77 * SECOND;
    host_open(c, &c->holder);
    host_open(c, &c->judge);
}

static void trial_close(struct trial *c)
{
    sov_ledger_close(c->holder.ledger);
    sov_ledger_close(c->judge.ledger);
    sov_arena_release(&c->arena);
}

static void maybe_step(struct trial *c, enum when when)
{
    struct host *h = c->judge_steps ? &c->judge : &c->holder;

    if (c->when != when) return;
    if (when == BEFORE || when == BETWEEN) {
        step(h, c->step_ms);
        return;
    }
    h->step_ms = c->step_ms;
    h->step_in = 1;
}

/* Both clocks are as near as the policy says they must be. */
static bool is_in_bounds(const struct trial *c)
{
    return llabs(c->judge.skew_ms - c->sign_skew_ms) <= SKEW && llabs(c->judge.skew_ms) <= SKEW &&
           llabs(c->holder.skew_ms) <= SKEW;
}

/* The holder says no more. Nothing is taken too early, which each look asks; but it must end. */
static void silence(struct trial *c)
{
    static const int64_t after_ms[] = { 1,           TTL - 1,         TTL,
                                        TTL + GRACE, TTL + GRACE + 1, TTL + 3 * SKEW + 1 };
    int64_t fence;

    if (c->from == OTHER_BOOT) { /* the machine went down, and the judge comes up on it */
        c->rebooted = true;
        c->judge.booted_ms = c->truth_ms;
        pass(c);
        assert_int_equal(c->live, c->fence);
    }
    maybe_step(c, IN_A_PASS);
    for (size_t i = 0; i < sizeof after_ms / sizeof *after_ms && c->live; i++) {
        c->truth_ms = c->sign_ms + after_ms[i];
        if (i == 1) assert_string_equal(claim_once(c, &c->judge, &fence), "claim_held");
        pass(c);
        if (c->from <= SAME_KERNEL && after_ms[i] > TTL + GRACE) assert_int_equal(c->live, 0);
        if (c->from == OTHER_BOOT && after_ms[i] > GRACE) assert_int_equal(c->live, 0);
        if (is_in_bounds(c) && after_ms[i] > TTL + 2 * SKEW + GRACE) assert_int_equal(c->live, 0);
    }
    for (int i = 0; i < 24 && c->live; i++) { /* whatever the clocks say */
        c->truth_ms += 1800 * SECOND;
        pass(c);
    }
    assert_int_equal(c->live, 0);
}

static void trial(struct trial *c)
{
    const char *stale;
    int64_t old;

    trial_open(c);
    maybe_step(c, BEFORE);
    maybe_step(c, IN_A_CLAIM);
    claim(c);
    maybe_step(c, BETWEEN);
    for (int i = 0; i < c->renewals && c->live; i++) { /* each third of the time, as a run does */
        c->truth_ms += TTL / 3;
        if (c->from != OTHER_BOOT) pass(c); /* that judge's boot is yet to come */
        if (c->live) assert_null(renew(c));
    }
    if (c->live) silence(c);
    old = c->fence;
    stale = renew(c); /* the holder wakes up */
    assert_non_null(stale);
    assert_null(claim_once(c, &c->judge, &c->fence));
    signed_of_life(c, c->judge.skew_ms);
    assert_true(c->fence > old && c->live == c->fence);
    trial_close(c);
}

/* ---- all of them ---- */

static const int64_t hour = 3600 * INT64_C(1000), day = 24 * hour, year = 365 * day;

static int64_t step_of(size_t n)
{
    const int64_t sizes[] = { SECOND, 10 * SECOND, SKEW - SECOND, SKEW,     SKEW + SECOND,
                              hour,   day,         year,          10 * year };
    const int64_t dates[] = { 0, INT64_C(2147483648000), INT64_C(4294967296000) };
    size_t count = sizeof sizes / sizeof *sizes;

    if (n < 2 * count) return n % 2 ? sizes[n / 2] : -sizes[n / 2];
    return dates[n - 2 * count] - base_ms;
}
enum {
    STEPS = 21,
    RENEWALS = 3,
    SKEWS = 3,
    CASES = STEPS * 2 * WHENS * KINDS * RENEWALS * SKEWS,
    STRIDE = 2741 /* a prime: a slice is of all kinds */
};

static void case_of(struct trial *c, size_t n)
{
    static const int renewals[RENEWALS] = { 0, 1, 4 };
    static const int64_t skews[SKEWS] = { 0, 150 * SECOND, -150 * SECOND };

    c->own_process = n % 61 == 0;
    c->step_ms = step_of(n % STEPS);
    n /= STEPS;
    c->judge_steps = n % 2;
    n /= 2;
    c->when = (enum when)(n % WHENS);
    n /= WHENS;
    c->from = (enum judged_from)(n % KINDS);
    n /= KINDS;
    c->renewals = renewals[n % RENEWALS];
    c->base_skew_ms = skews[n / RENEWALS];
}

static struct sov_bytes whole_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat facts;
    uint8_t *octets;
    size_t size;

    assert_true(file && fstat(fileno(file), &facts) == 0);
    octets = calloc(1, (size_t)facts.st_size);
    size = fread(octets, 1, (size_t)facts.st_size, file);
    assert_int_equal(size, facts.st_size);
    fclose(file);
    return sov_bytes(octets, size);
}

static int setup(void **state)
{
    struct template *t = calloc(1, sizeof *t);

    fixture_open(&t->f);
    t->f.now.wall.ms = base_ms - day;
    t->assignment = work_assign(&t->f, work_sow(&t->f, work_outcome(&t->f)), "operator");
    t->head = fixture_head(&t->f);
    sov_ledger_close(t->f.ledger);
    t->f.ledger = NULL;
    snprintf(t->path, sizeof t->path, "%s/organization.db", t->f.home);
    t->file = whole_file(t->path);
    /* Memory, where there is some: thousands of commits are no test of a disk. */
    snprintf(t->root, sizeof t->root, "%s/sov-clocks-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(t->root));
    snprintf(t->home, sizeof t->home, "%s/.sovereign", t->root);
    assert_int_equal(mkdir(t->home, 0700), 0);
    snprintf(t->path, sizeof t->path, "%s/organization.db", t->home);
    t->failed_at = -1;
    *state = t;
    return 0;
}

static int teardown(void **state)
{
    struct template *t = *state;

    if (t->failed_at >= 0) print_error("T7=%ld tries this case alone\n", t->failed_at);
    fixture_close(&t->f);
    remove_tree(t->root);
    free((void *)(uintptr_t)t->file.data);
    free(t);
    return 0;
}

static void no_clock_takes_what_is_held_or_keeps_what_is_left(void **state)
{
    const char *tier = getenv("SOV_TIER"), *only = getenv("T7");
    size_t count = only ? 1 : tier && strcmp(tier, "pr") != 0 ? CASES : SLICE;
    struct template *t = *state;

    for (size_t i = 0; i < count; i++) {
        struct trial c = { .template = t };
        size_t n = only ? strtoul(only, NULL, 10) : i * STRIDE % CASES;

        t->failed_at = (long)n;
        case_of(&c, n);
        trial(&c);
    }
    t->failed_at = -1;
    print_message("clocks: %zu cases of %d\n", count, CASES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_clock_takes_what_is_held_or_keeps_what_is_left, setup,
                                        teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
