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
    struct sov_claim_facts claim = { 1000000, 900, 50000, "m", "b" };

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

static void a_claim_with_absurd_numbers_stays(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    struct sov_claim_facts claim = { INT64_MAX - 1, INT64_MAX / 2, INT64_MAX - 1, "m", "b" };
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
        WITH_ARENA(a_claim_with_absurd_numbers_stays),
        WITH_ARENA(a_ttl_is_within_what_policy_allows),
        WITH_ARENA(a_heartbeat_says_when_somebody_was_heard),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
