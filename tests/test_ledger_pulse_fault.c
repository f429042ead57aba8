/*
 * A disk that fails at the insert of any one event of a pulse's chain: none of them is there, and
 * the signal is due as before. This program stands before SQLite's own step and counts inserts into
 * the log, so that base/ is the shipped one.
 */
#include "tests/pulse_unit.h"

#include <dlfcn.h>

struct sqlite3_stmt;
int sqlite3_step(struct sqlite3_stmt *statement);
const char *sqlite3_sql(struct sqlite3_stmt *statement);

enum { IO_ERROR = 10 };

/* Of the test alone: how many more events get in; -1: all. It cannot be handed through SQLite. */
static int *room(void)
{
    static int left = -1;

    return &left;
}

int sqlite3_step(struct sqlite3_stmt *statement)
{
    int (*real)(struct sqlite3_stmt *);
    const char *sql = sqlite3_sql(statement);
    void *found = dlsym(RTLD_NEXT, "sqlite3_step");

    memcpy(&real, &found, sizeof real);
    if (*room() >= 0 && sql && strstr(sql, "INSERT INTO event ")) {
        if (!*room()) return IO_ERROR;
        --*room();
    }
    return real(statement);
}

/* Fails at each event in turn, and then not. */
static void chain_of(struct fixture *f, int events)
{
    for (int at = 0; at < events; at++) {
        struct sov_hash before = fixture_digest(f), after;
        struct sov_pulseds pulsed = { 0 };
        struct sov_error err = { 0 };

        *room() = at;
        if (sov_pulse(f->ledger, &(struct sov_pulse_options){ 0 }, &f->arena, &pulsed, &err)) {
            assert_int_equal(pulsed.count, 1);
            assert_true(pulsed.at[0].faulted);
            assert_int_equal(pulsed.at[0].event_count, 0);
            err = pulsed.at[0].fault;
        }
        assert_int_equal(*room(), 0); /* it came that far */
        *room() = -1;
        assert_int_equal(err.exit, SOV_UNABLE);
        fixture_reopen(f); /* what failed once is not believed */
        after = fixture_digest(f);
        assert_memory_equal(&before, &after, sizeof before);
    }
    assert_int_equal(pulse(f).at[0].event_count, events);
    assert_silent(f);
}

static void a_fault_at_any_event_of_the_chain_leaves_none_of_them(void **state)
{
    struct fixture *f = *state;

    (void)tea(f);
    world_sale(f, "SKU-TEA", 2);
    chain_of(f, 5);
}

static void a_fault_behind_a_reopening_leaves_the_outcome_violated(void **state)
{
    static const char *const failing[] = { "there" };
    struct fixture *f = *state;
    int64_t outcome = tea(f);

    work_force(f, outcome, SOV_OUTCOME_ACCEPTED);
    world_sale(f, "SKU-TEA", 2);
    BY(f, "principal", NULL,
       work_lead(&commit, SOV_EVENT_VERIFICATION_RECORDED, &err) &&
           sov_outcome_follow_violated(&commit, outcome, 2, failing, 1, &err));
    chain_of(f, 6);
}

static void a_fault_before_the_resumption_leaves_the_outcome_verifying(void **state)
{
    struct fixture *f = *state;

    work_force(f, tea(f), SOV_OUTCOME_VERIFYING);
    world_sale(f, "SKU-TEA", 2);
    chain_of(f, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PULSE(a_fault_at_any_event_of_the_chain_leaves_none_of_them),
        PULSE(a_fault_behind_a_reopening_leaves_the_outcome_violated),
        PULSE(a_fault_before_the_resumption_leaves_the_outcome_verifying),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
