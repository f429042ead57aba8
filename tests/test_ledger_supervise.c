/* What a pass ends, on what ground, and that it does so once (model.md 7; faults.md S23 to S30). */
#include "tests/run_unit.h"

enum { TTL_MS = 900 * 1000, GRACE_MS = 5 * 1000, SKEW_MS = 300 * 1000 };
static const int64_t ten_years_ms = INT64_C(3652) * 24 * 3600 * 1000;

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    store_open(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture_close(*state);
    free(*state);
    return 0;
}

static bool says_gone(void *self, int64_t pid, int64_t start)
{
    bool *gone = self;

    assert_true(pid > 0); /* 0 is whoever named none */
    (void)start;
    return *gone;
}

static struct sov_supervised pass(struct fixture *f, bool *gone)
{
    struct sov_supervise_options options = { .pid = 9, .start = 90 };
    struct sov_supervised out = { 0 };
    struct sov_error err = { 0 };

    if (gone) options.presence = (struct sov_presence){ gone, says_gone };
    if (!sov_supervise(f->ledger, &options, &f->arena, &out, &err)) fail_msg("%s", err.what);
    assert_int_equal(out.fault_count, 0);
    return out;
}

/* One act on that ground, and a second pass that finds nothing. */
static void acts_once(struct fixture *f, bool *gone, const char *act, const char *ground)
{
    struct sov_supervised out = pass(f, gone);
    int64_t head;

    assert_int_equal(out.act_count, 1);
    assert_string_equal(out.acts[0].act, act);
    assert_string_equal(out.acts[0].ground, ground);
    head = fixture_head(f);
    assert_int_equal(pass(f, gone).act_count, 0);
    assert_int_equal(fixture_head(f), head);
    fixture_assert_refold_equal(f);
}

static void silent(struct fixture *f, bool *gone)
{
    int64_t head = fixture_head(f);

    assert_int_equal(pass(f, gone).act_count, 0);
    assert_int_equal(fixture_head(f), head);
}

static int64_t start(struct fixture *f)
{
    int64_t fence = store_claim(f, 1);
    struct sov_run_start start = { .assignment = 1,
                                   .fence = fence,
                                   .provider = "self",
                                   .adapter = "self",
                                   .adapter_version = 1,
                                   .egress = "public",
                                   .sandbox = "none" };
    struct sov_done done;

    FIXTURE_DO(f, "operator", &done, sov_run_start(&commit, &start, &done, &err));
    return fence;
}

/* By a program that nobody watches, at the clock of now. */
static bool renewed(struct sov_commit *commit, int64_t fence, struct sov_error *err)
{
    struct sov_who who = sov_who_now(commit, 0, 0);
    struct sov_done done;

    return sov_claim_renew(commit, 1, fence, 0, &who, &done, err);
}

static void renew(struct fixture *f, int64_t fence)
{
    struct sov_done done;

    FIXTURE_DO(f, "operator", &done, renewed(&commit, fence, &err));
}

static void what_the_dead_hold_is_freed_once(void **state)
{
    struct fixture *f = *state;

    store_claim(f, 1);
    fixture_tick(f, TTL_MS + GRACE_MS);
    silent(f, NULL);
    fixture_tick(f, 1);
    acts_once(f, NULL, "claim.expired", "boot_clock");
    assert_int_equal(store_assignment(f, 1).state, SOV_ASSIGNMENT_CREATED);
    store_claim(f, 1); /* free again */
}

static void a_ghost_is_refused_to_all_others_and_freed_by_a_pass(void **state)
{
    struct fixture *f = *state;
    struct sov_who who = { .machine = "m", .boot = "b" };
    struct sov_done done;
    int64_t fence;

    store_claim(f, 1);
    for (int i = 0; i < 9; i++)
        FIXTURE_REFUSED(f, "operator", "claim_held", &done,
                        sov_claim_acquire(&commit, 1, 0, &who, &fence, &done, &err));
    fixture_tick(f, TTL_MS + GRACE_MS + 1);
    acts_once(f, NULL, "claim.expired", "boot_clock");
    store_claim(f, 1);
}

/* The name of a worker gives nothing: only the live fence does, and a dead one never again. */
static void an_earlier_attempt_of_the_same_actor_has_no_part_in_the_later(void **state)
{
    struct fixture *f = *state;
    int64_t old = store_claim(f, 1), fence;
    struct sov_who who = { .machine = "m", .boot = "b" };
    struct sov_run_finish finish = { .assignment = 1,
                                     .fence = old,
                                     .observed = { .report = SOV_REPORT_COMPLETED },
                                     .ended_by = "self",
                                     .has_report = true,
                                     .report = sov_bytes_text("{}") };
    struct sov_run_start begin = { .assignment = 1,
                                   .fence = old,
                                   .provider = "self",
                                   .adapter = "self",
                                   .adapter_version = 1,
                                   .egress = "public",
                                   .sandbox = "none" };
    struct sov_run_end end;
    struct sov_done done;
    int64_t head;

    fixture_tick(f, TTL_MS + GRACE_MS + 1);
    acts_once(f, NULL, "claim.expired", "boot_clock");
    fence = start(f);
    assert_true(fence > old);
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_claim_renew(&commit, 1, old, 0, &who, &done, &err));
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_claim_release(&commit, 1, old, "x", &done, &err));
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_run_start(&commit, &begin, &done, &err));
    head = fixture_head(f);
    FIXTURE_DO(f, "operator", &done, sov_run_finish(&commit, &finish, &done, &end, &err));
    assert_true(end.lost);
    store_assert_events(f, head + 1, "result.stale");
    assert_int_equal(store_assignment(f, 1).fence, fence);
    store_assert_untouched(f);
}

static void who_is_overdue_may_renew_until_it_is_recorded(void **state)
{
    struct fixture *f = *state;
    int64_t fence = store_claim(f, 1);
    struct sov_who who = { .machine = "m", .boot = "b" };
    struct sov_done done;

    fixture_tick(f, TTL_MS + GRACE_MS + 1);
    renew(f, fence);
    silent(f, NULL);
    fixture_tick(f, TTL_MS + GRACE_MS + 1);
    acts_once(f, NULL, "claim.expired", "boot_clock");
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_claim_renew(&commit, 1, fence, 0, &who, &done, &err));
}

static void one_whose_process_is_gone_is_ended_at_once(void **state)
{
    struct fixture *f = *state;
    bool gone = false;

    start(f); /* store_claim names a process */
    silent(f, &gone);
    gone = true;
    acts_once(f, &gone, "claim.expired", "process_gone");
    assert_string_equal(store_receipts(f).at[0].category, "worker_lost");
    store_assert_untouched(f);
}

static void nobody_looks_for_a_process_of_another_boot_or_machine(void **state)
{
    struct fixture *f = *state;
    struct sov_now own = f->now;
    bool gone = true;

    store_claim(f, 1);
    f->now.machine[0] ^= 1;
    silent(f, &gone);
    f->now = own;
    f->now.boot[0] ^= 1;
    f->now.boot_ms = GRACE_MS;
    silent(f, &gone);
    f->now = own;
    acts_once(f, &gone, "claim.expired", "process_gone");
}

static void nobody_looks_for_a_process_that_was_not_named(void **state)
{
    struct fixture *f = *state;
    struct sov_error outer = { 0 };
    const struct sov_policy *policy;
    const char *ground = NULL;
    struct sov_claim claim;
    bool gone = true, found;

    renew(f, store_claim(f, 1));
    silent(f, &gone);
    assert_true(sov_claim_find(f->ledger, 1, 0, &f->arena, &claim, &found, &outer) && found);
    assert_int_equal(claim.who.pid, 0);
    assert_true(sov_policy_load(f->ledger, &policy, &outer));
    assert_int_equal(sov_claim_judge(policy, &claim, true, &f->now, f->now.wall.ms, &ground),
                     SOV_CLAIM_LIVE);
    claim.who.pid = 1;
    assert_int_equal(sov_claim_judge(policy, &claim, true, &f->now, f->now.wall.ms, &ground),
                     SOV_CLAIM_OVERDUE);
    assert_string_equal(ground, "process_gone");
}

/* Two clocks, the judge's ahead or behind: nothing is taken inside what they may differ by. */
static void clocks_that_differ_take_nothing_before_the_time(void **state)
{
    static const int64_t skew_ms[] = { -SKEW_MS, -10 * 1000, 0, 10 * 1000, SKEW_MS };

    (void)state;
    for (size_t i = 0; i < sizeof skew_ms / sizeof *skew_ms; i++) {
        struct fixture f;

        store_open(&f);
        store_claim(&f, 1);
        fixture_tick(&f, TTL_MS);
        f.now.wall.ms += skew_ms[i];
        silent(&f, NULL); /* the same boot: its own clock */
        f.now.boot[0] ^= 1;
        f.now.machine[0] ^= 1;
        silent(&f, NULL); /* another machine: the wall clock, and what it may be wrong by */
        f.now.wall.ms += SKEW_MS - skew_ms[i] + 1;
        acts_once(&f, NULL, "claim.expired", "wall_clock");
        fixture_close(&f);
    }
}

/* Wherever the wall clock jumps to, on the boot of the claim the end is the same. */
static void a_jump_of_ten_years_changes_nothing_on_the_same_boot(void **state)
{
    static const int years[] = { -1, 1 };

    (void)state;
    for (size_t i = 0; i < sizeof years / sizeof *years; i++) {
        struct fixture f;

        store_open(&f);
        store_claim(&f, 1);
        fixture_tick(&f, TTL_MS);
        f.now.wall.ms += years[i] * ten_years_ms;
        silent(&f, NULL);
        fixture_tick(&f, GRACE_MS + 1);
        acts_once(&f, NULL, "claim.expired", "boot_clock");
        f.now.wall.ms -= years[i] * ten_years_ms;
        silent(&f, NULL);
        assert_int_equal(store_assignment(&f, 1).state, SOV_ASSIGNMENT_CREATED);
        fixture_close(&f);
    }
}

/* A claim of 2036 before a judge of 2026. */
static void a_claim_of_the_future_is_doubted_once_and_ended_by_the_judges_boot_clock(void **state)
{
    struct fixture *f = *state;
    struct sov_claim claim;
    struct sov_error err = { 0 };
    bool found;

    f->now.wall.ms += ten_years_ms;
    store_claim(f, 1);
    f->now.wall.ms -= ten_years_ms;
    f->now.machine[0] ^= 1;
    f->now.boot[0] ^= 1;
    acts_once(f, NULL, "claim.anomalous", "anomalous");
    assert_true(sov_claim_find(f->ledger, 1, 0, &f->arena, &claim, &found, &err));
    assert_true(found && claim.live && claim.doubted);
    fixture_tick(f, TTL_MS + SKEW_MS);
    silent(f, NULL);
    fixture_tick(f, 1);
    acts_once(f, NULL, "claim.expired", "anomalous");
    assert_int_equal(store_assignment(f, 1).state, SOV_ASSIGNMENT_CREATED);
}

static void a_sign_of_life_ends_the_doubt(void **state)
{
    struct fixture *f = *state;
    struct sov_now there = f->now, here;
    int64_t fence;

    f->now.wall.ms += ten_years_ms;
    fence = store_claim(f, 1);
    f->now = there;
    f->now.machine[0] ^= 1;
    f->now.boot[0] ^= 1;
    acts_once(f, NULL, "claim.anomalous", "anomalous");
    fixture_tick(f, TTL_MS + SKEW_MS + 1);
    here = f->now;
    f->now = there;
    f->now.wall.ms += ten_years_ms;
    renew(f, fence);
    f->now = here;
    acts_once(f, NULL, "claim.anomalous", "anomalous");
    f->now.boot[0] ^= 2; /* another boot of the judge's: time has passed for sure */
    acts_once(f, NULL, "claim.expired", "anomalous");
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(what_the_dead_hold_is_freed_once),
        T(a_ghost_is_refused_to_all_others_and_freed_by_a_pass),
        T(an_earlier_attempt_of_the_same_actor_has_no_part_in_the_later),
        T(who_is_overdue_may_renew_until_it_is_recorded),
        T(one_whose_process_is_gone_is_ended_at_once),
        T(nobody_looks_for_a_process_of_another_boot_or_machine),
        T(nobody_looks_for_a_process_that_was_not_named),
        cmocka_unit_test(clocks_that_differ_take_nothing_before_the_time),
        cmocka_unit_test(a_jump_of_ten_years_changes_nothing_on_the_same_boot),
        T(a_claim_of_the_future_is_doubted_once_and_ended_by_the_judges_boot_clock),
        T(a_sign_of_life_ends_the_doubt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
