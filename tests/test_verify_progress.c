/* How far verify is, told now and then; whoever is told may say that it is enough. */
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#include "tests/chain_fixture.h"
#include "verify/verify.h"

enum { EVERY = 1024 };

struct told {
    const char *enough; /* at this phase */
    int events, state;
    int64_t done, of; /* of the last call for events */
};

static bool tell(void *self, const char *phase, int64_t done, int64_t of)
{
    struct told *told = self;

    if (strcmp(phase, "events") == 0) {
        told->events++;
        told->done = done;
        told->of = of;
    } else if (strcmp(phase, "state") == 0) {
        told->state++;
    }
    return !told->enough || strcmp(phase, told->enough) != 0;
}

static bool verified(struct fixture *f, int64_t slice, struct told *told, struct sov_error *err)
{
    struct sov_verify_options options = { .places = &f->places,
                                          .seams = &f->seams,
                                          .wait_ms = 1000,
                                          .no_anchor = true,
                                          .slice = slice,
                                          .progress = tell,
                                          .self = told };
    struct sov_report report;

    if (!sov_verify(&options, &f->arena, &report, err)) return false;
    assert_int_equal(report.exit, SOV_OK);
    return true;
}

/* More events than are read before it is told. */
static int64_t enrolled(struct fixture *f)
{
    int64_t head = 0;

    for (int i = 0; head <= EVERY; i++) {
        char id[24];
        struct sov_actor_request request = { id, "robot", "operator", "scripted", NULL, NULL };
        struct sov_error why = { 0 };
        struct sov_done done;

        snprintf(id, sizeof id, "builder-%d", i);
        FIXTURE_DO(f, "principal", &done,
                   (commit.act.key = id, true) &&
                       sov_actor_register(&commit, &request, &done, &err));
        assert_true(sov_ledger_head(f->ledger, &head, &why));
    }
    return head;
}

static void each_so_many_events_are_told_and_it_can_be_enough(void **state)
{
    struct sov_error err = { 0 };
    struct told told = { 0 };
    struct fixture f;
    int64_t head;

    (void)state;
    fixture_open(&f);
    head = enrolled(&f);
    sov_ledger_end(&f.ledger);
    if (!verified(&f, 0, &told, &err)) fail_msg("%s", err.what);
    assert_int_equal(told.events, 1);
    assert_int_equal(told.done, EVERY);
    assert_int_equal(told.of, head);
    told = (struct told){ .enough = "events" };
    assert_false(verified(&f, 0, &told, &err));
    assert_int_equal(err.exit, SOV_INTERRUPTED);
    assert_string_equal(err.what, "stopped at event 1024");
    fixture_close(&f);
}

static void each_slice_behind_the_first_is_told_and_it_can_be_enough(void **state)
{
    struct sov_error err = { 0 };
    struct told told = { 0 };
    struct chain c;

    (void)state;
    chain_open(&c, "good-store", "good-store");
    chain_write(&c, c.count);
    if (!chain_rebuilt(&c, &err)) fail_msg("%s", err.what);
    sov_ledger_end(&c.f.ledger);
    if (!verified(&c.f, 1, &told, &err)) fail_msg("%s", err.what);
    assert_int_equal(told.events, 0);
    assert_true(told.state > 0);
    told = (struct told){ .enough = "state" };
    assert_false(verified(&c.f, 1, &told, &err));
    assert_int_equal(err.exit, SOV_INTERRUPTED);
    assert_string_equal(err.what, "stopped in the refold");
    assert_int_equal(told.state, 1);
    fixture_close(&c.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_so_many_events_are_told_and_it_can_be_enough),
        cmocka_unit_test(each_slice_behind_the_first_is_told_and_it_can_be_enough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
