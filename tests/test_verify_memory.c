/*
 * What the machine could not do says nothing of the log. SQLite gets ever less memory, so that it
 * fails at ever other places of the pass: verify could not run then, and has found nothing.
 */
#include "tests/unit.h"

#include <sqlite3.h>

#include "tests/chain_fixture.h"
#include "verify/verify.h"

enum { LIMITS = 24 };

static struct sov_report judged(struct chain *c, int64_t slice)
{
    struct sov_verify_options options = { .places = &c->f.places,
                                          .seams = &c->f.seams,
                                          .wait_ms = 1000,
                                          .no_anchor = true,
                                          .all_signatures = true,
                                          .slice = slice };
    struct sov_report report;
    struct sov_error err = { 0 };

    if (!sov_verify(&options, &c->f.arena, &report, &err)) fail_msg("%s", err.what);
    return report;
}

static void assert_nothing_found(const struct sov_report *report, sqlite3_int64 limit)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->findings[i].class != SOV_CLASS_UNANCHORED)
            fail_msg("with %lld octets: %s %s %lld %s", (long long)limit,
                     sov_class_word(report->findings[i].class), report->findings[i].kind,
                     (long long)report->findings[i].seq, report->findings[i].message);
}

static void ever_less(struct chain *c, int64_t slice, int *failed, int *passed)
{
    sqlite3_int64 low, high;

    sqlite3_memory_highwater(1);
    low = sqlite3_memory_used();
    assert_int_equal(judged(c, slice).exit, SOV_OK);
    high = sqlite3_memory_highwater(0);
    assert_true(high > low);
    for (int i = 1; i <= LIMITS; i++) {
        sqlite3_int64 limit = low + (high - low) * i * 5 / (4 * LIMITS);
        struct sov_report report;

        sqlite3_hard_heap_limit64(limit);
        report = judged(c, slice);
        sqlite3_hard_heap_limit64(0);
        assert_nothing_found(&report, limit);
        if (report.exit == SOV_OK)
            ++*passed;
        else
            assert_int_equal(report.exit, SOV_UNABLE), ++*failed;
    }
}

static void too_little_memory_is_no_finding(void **state)
{
    static const char *const logs[] = { "good-approval", "good-store" };
    int failed = 0, passed = 0;

    (void)state;
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        struct sov_error err = { 0 };
        struct chain c;

        chain_open(&c, logs[i], logs[i]);
        chain_write(&c, c.count);
        if (!chain_rebuilt(&c, &err)) fail_msg("%s", err.what);
        sov_ledger_end(&c.f.ledger);
        for (int64_t slice = 0; slice < 2; slice++) ever_less(&c, slice, &failed, &passed);
        fixture_close(&c.f);
    }
    print_message("# %d failed, %d passed\n", failed, passed);
    assert_true(failed > LIMITS && passed > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_little_memory_is_no_finding),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
