#include "tests/policy_unit.h"

/* Claimed at wall 1,000,000 ms, boot clock 50,000 ms, for 900 s; grace 5 s, skew 300 s. */
static const struct {
    const char *machine, *boot; /* of the judge; the claim's are "m" and "b" */
    int64_t boot_ms, wall_ms, newest_ms;
    enum sov_claim_verdict verdict;
    const char *ground;
} rows[] = {
    /* same boot: the wall clock is ignored */
    { "m", "b", 50000 + 905000, 0, 0, SOV_CLAIM_LIVE, "boot_clock" },
    { "m", "b", 50000 + 905001, 0, 0, SOV_CLAIM_OVERDUE, "boot_clock" },
    { "m", "b", 50000, 999999999999, 0, SOV_CLAIM_LIVE, "boot_clock" },
    { "other", "b", 50000 + 905001, 0, 999999999999, SOV_CLAIM_OVERDUE, "boot_clock" },
    /* same machine, other boot: gone, after the grace of the judge's own boot */
    { "m", "c", 5000, 999999999999, 0, SOV_CLAIM_LIVE, "other_boot" },
    { "m", "c", 5001, 0, 0, SOV_CLAIM_OVERDUE, "other_boot" },
    /* other machine: the wall clock, never while it is behind the log */
    { "n", "c", 999999999999, 1000000 + 1200000, 0, SOV_CLAIM_LIVE, "wall_clock" },
    { "n", "c", 0, 1000000 + 1200001, 0, SOV_CLAIM_OVERDUE, "wall_clock" },
    { "n", "c", 0, 1000000 + 1200001, 1000000 + 1200001, SOV_CLAIM_OVERDUE, "wall_clock" },
    { "n", "c", 0, 1000000 + 1200001, 1000000 + 1200002, SOV_CLAIM_LIVE, "wall_clock" },
};

static void a_claim_is_overdue_by_the_clock_that_can_know(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    struct sov_claim_facts claim = {
        .at_ms = 1000000, .ttl_s = 900, .boot_ms = 50000, .machine = "m", .boot = "b"
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_now now = { .wall = { rows[i].wall_ms }, .boot_ms = rows[i].boot_ms };
        const char *ground = NULL;

        snprintf(now.boot, sizeof now.boot, "%s", rows[i].boot);
        snprintf(now.machine, sizeof now.machine, "%s", rows[i].machine);
        if (sov_policy_claim(policy, &claim, &now, rows[i].newest_ms, &ground) != rows[i].verdict)
            fail_msg("row %zu", i);
        assert_string_equal(ground, rows[i].ground);
    }
}

static void one_whose_process_is_gone_is_overdue_at_once(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    static const struct {
        const char *machine, *boot;
        int64_t boot_ms;
        enum sov_claim_verdict verdict;
        const char *ground;
    } gone[] = {
        { "m", "b", 50001, SOV_CLAIM_OVERDUE, "process_gone" },
        { "m", "b", 50000 + 905001, SOV_CLAIM_OVERDUE, "boot_clock" },
        { "n", "b", 50001, SOV_CLAIM_LIVE, "boot_clock" }, /* a container of that kernel */
        { "m", "c", 1000, SOV_CLAIM_LIVE, "other_boot" },
        { "n", "c", 50001, SOV_CLAIM_LIVE, "wall_clock" },
    };
    struct sov_claim_facts claim = {
        .at_ms = 1000000, .ttl_s = 900, .boot_ms = 50000, .machine = "m", .boot = "b", .gone = true
    };

    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        struct sov_now now = { .wall = { 1000001 }, .boot_ms = gone[i].boot_ms };
        const char *ground = NULL;

        snprintf(now.boot, sizeof now.boot, "%s", gone[i].boot);
        snprintf(now.machine, sizeof now.machine, "%s", gone[i].machine);
        if (sov_policy_claim(policy, &claim, &now, 0, &ground) != gone[i].verdict)
            fail_msg("row %zu", i);
        assert_string_equal(ground, gone[i].ground);
    }
}

/* ttl.max 14,400 s and max_skew 300 s: beyond them no wall clock can be right about the claim. */
static void a_time_that_cannot_be_is_judged_by_the_boot_clock_of_who_found_it(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    static const struct {
        int64_t at_ms, newest_ms;
        const char *machine, *boot; /* of the judge; who doubted is "j" on boot "y" */
        int64_t boot_ms;
        bool doubted;
        enum sov_claim_verdict verdict;
        const char *ground;
    } odd[] = {
        { 13800001, 0, "j", "y", 70000, false, SOV_CLAIM_ANOMALOUS, "anomalous" },
        { 13800000, 0, "j", "y", 70000, false, SOV_CLAIM_LIVE, "wall_clock" },
        { 0, 14700001, "j", "y", 70000, false, SOV_CLAIM_ANOMALOUS, "anomalous" },
        { 0, 14700000, "j", "y", 70000, false, SOV_CLAIM_LIVE, "wall_clock" },
        { 13800001, 0, "j", "y", 70000 + 1200000, true, SOV_CLAIM_LIVE, "anomalous" },
        { 13800001, 0, "j", "y", 70000 + 1200001, true, SOV_CLAIM_OVERDUE, "anomalous" },
        { 13800001, 0, "j", "z", 0, true, SOV_CLAIM_OVERDUE, "anomalous" },
        { 13800001, 0, "k", "w", INT64_MAX, true, SOV_CLAIM_LIVE, "anomalous" },
        /* a judge of the claim's own boot or machine needs no wall clock */
        { 13800001, 0, "m", "b", 50001, false, SOV_CLAIM_LIVE, "boot_clock" },
        { 13800001, 0, "m", "c", 5001, false, SOV_CLAIM_OVERDUE, "other_boot" },
    };

    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct sov_claim_facts claim = {
            .at_ms = odd[i].at_ms, .ttl_s = 900, .boot_ms = 50000, .machine = "m", .boot = "b"
        };
        struct sov_now now = { .wall = { 0 }, .boot_ms = odd[i].boot_ms };
        const char *ground = NULL;

        if (odd[i].doubted) {
            claim.doubt.machine = "j";
            claim.doubt.boot = "y";
            claim.doubt.boot_ms = 70000;
        }
        snprintf(now.boot, sizeof now.boot, "%s", odd[i].boot);
        snprintf(now.machine, sizeof now.machine, "%s", odd[i].machine);
        if (sov_policy_claim(policy, &claim, &now, odd[i].newest_ms, &ground) != odd[i].verdict)
            fail_msg("row %zu", i);
        if (strcmp(ground, odd[i].ground) != 0) fail_msg("row %zu: %s", i, ground);
    }
}

static void a_claim_with_absurd_numbers_stays(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    struct sov_claim_facts claim = { .at_ms = INT64_MAX - 1,
                                     .ttl_s = INT64_MAX / 2,
                                     .boot_ms = INT64_MAX - 1,
                                     .machine = "m",
                                     .boot = "b" };
    struct sov_now now = { .wall = { INT64_MAX }, .boot_ms = INT64_MAX, .boot = "b" };
    const char *ground;

    assert_int_equal(sov_policy_claim(policy, &claim, &now, 0, &ground), SOV_CLAIM_LIVE);
    claim.boot = "c";
    assert_int_equal(sov_policy_claim(policy, &claim, &now, 0, &ground), SOV_CLAIM_LIVE);
}

static void a_ttl_is_within_what_policy_allows(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    struct sov_error err = { 0 };

    assert_true(sov_policy_ttl(policy, 1, &err));
    assert_true(sov_policy_ttl(policy, 14400, &err));
    assert_refused(sov_policy_ttl(policy, 0, &err), &err, "bad_value");
    assert_refused(sov_policy_ttl(policy, -1, &err), &err, "bad_value");
    assert_refused(sov_policy_ttl(policy, 14401, &err), &err, "bad_value");
}

static void a_heartbeat_says_when_somebody_was_heard(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    static const struct {
        int64_t beat_ms, now_ms;
        const char *word;
    } beats[] = {
        { 0, 5000000, "NO_BEATS" },    { 5000000, 5000000, "ALIVE" }, { 5000000, 5900000, "ALIVE" },
        { 5000000, 5900001, "STALE" }, { 5300000, 5000000, "ALIVE" }, /* ahead, within the skew */
        { 5300001, 5000000, "STALE" },
    };

    for (size_t i = 0; i < sizeof beats / sizeof *beats; i++)
        assert_string_equal(sov_policy_heartbeat(policy, beats[i].beat_ms, beats[i].now_ms),
                            beats[i].word);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_ARENA(a_claim_is_overdue_by_the_clock_that_can_know),
        WITH_ARENA(one_whose_process_is_gone_is_overdue_at_once),
        WITH_ARENA(a_time_that_cannot_be_is_judged_by_the_boot_clock_of_who_found_it),
        WITH_ARENA(a_claim_with_absurd_numbers_stays),
        WITH_ARENA(a_ttl_is_within_what_policy_allows),
        WITH_ARENA(a_heartbeat_says_when_somebody_was_heard),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
