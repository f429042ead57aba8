/* What one commit keeps in mind from one operation to the next, and what it writes of it. */
#include "tests/ledger_work.h"

#include "base/file.h"
#include "base/place.h"

static struct sov_event event_at(struct fixture *f, int64_t seq)
{
    struct sov_event event = { 0 };
    struct sov_error err = { 0 };

    if (!sov_log_event(f->ledger, seq, &f->arena, &event, &err)) fail_msg("%s", err.what);
    return event;
}

static void two_entities_of_one_commit_have_numbers_in_turn(void **state)
{
    struct sov_outcome_request request = work_definition(NULL);
    struct fixture *f = *state;
    struct sov_done first, second;

    FIXTURE_DO(f, "principal", &first,
               sov_outcome_define(&commit, &request, &first, &err) &&
                   sov_outcome_define(&commit, &request, &second, &err));
    assert_string_equal(first.id, "OUT-1");
    assert_string_equal(second.id, "OUT-2");
    FIXTURE_DO(f, "principal", &first, sov_outcome_define(&commit, &request, &first, &err));
    assert_string_equal(first.id, "OUT-3");
    fixture_assert_refold_equal(f);
}

static void a_stream_goes_on_whether_it_is_of_this_commit_or_of_an_earlier_one(void **state)
{
    struct sov_outcome_request request = work_definition(NULL);
    struct fixture *f = *state;
    struct sov_done done;
    struct sov_event event;

    FIXTURE_DO(f, "principal", &done,
               sov_outcome_define(&commit, &request, &done, &err) &&
                   sov_outcome_cancel(&commit, 1, "too early", 0, &done, &err) &&
                   sov_outcome_define(&commit, &request, &done, &err));
    event = event_at(f, fixture_head(f) - 1);
    assert_int_equal(event.stream.n, 1);
    assert_int_equal(event.sv, 2);
    assert_string_equal(done.id, "OUT-2");
    FIXTURE_DO(f, "master", &done, sov_outcome_activate(&commit, 2, &done, &err));
    event = event_at(f, fixture_head(f));
    assert_int_equal(event.stream.n, 2);
    assert_int_equal(event.sv, 2);
    fixture_assert_refold_equal(f);
}

static bool caused(struct sov_commit *commit, size_t n, const int64_t *cause, struct sov_error *err)
{
    struct sov_addition addition = {
        .type = SOV_EVENT_FILESYSTEM_ALLOWED,
        .stream = sov_stream_named(SOV_STREAM_ORGANIZATION, sov_bytes_text("self")),
        .data = sov_bytes_text(
            sov_arena_printf(&commit->arena, "{\"kind\":\"nfs%zu\",\"reason\":\"known\"}", n)),
    };
    struct sov_done done;

    for (size_t i = 0; i < 3; i++) addition.cause[i] = cause[i];
    return sov_commit_lead(commit, &addition, &done, err);
}

static void causes_are_written_in_order_and_once(void **state)
{
    static const struct {
        int64_t cause[3];
        const char *written; /* NULL: none */
    } rows[] = {
        { { 0, 0, 0 }, NULL },        { { 7, 0, 0 }, "[7]" },   { { 3, 5, 7 }, "[3,5,7]" },
        { { 7, 5, 3 }, "[3,5,7]" },   { { 5, 3, 5 }, "[3,5]" }, { { 3, 3, 5 }, "[3,5]" },
        { { 10, 9, 2 }, "[2,9,10]" }, { { 4, 4, 4 }, "[4]" },
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_event event;

        FIXTURE_DO(f, "principal", 0, caused(&commit, i, rows[i].cause, &err));
        event = event_at(f, fixture_head(f));
        if (rows[i].written ? !sov_bytes_is(event.cause.octets, rows[i].written)
                            : event.cause.octets.size != 0)
            fail_msg("row %zu", i);
    }
}

static bool forged(struct sov_commit *commit, const char *data, struct sov_error *err)
{
    struct sov_addition addition = {
        .type = SOV_EVENT_FILESYSTEM_ALLOWED,
        .stream = sov_stream_named(SOV_STREAM_ORGANIZATION, sov_bytes_text("self")),
        .data = sov_bytes_text(data),
    };
    struct sov_done done;

    return sov_commit_lead(commit, &addition, &done, err);
}

static void what_was_not_asked_for_is_validated_where_it_is_written(void **state)
{
    struct fixture *f = *state;

    FIXTURE_REFUSED(f, "principal", "bad_value", 0, forged(&commit, "{}", &err));
    FIXTURE_REFUSED(f, "principal", "bad_value", 0,
                    forged(&commit, "{\"kind\":\"nfs\",\"reason\":7}", &err));
    FIXTURE_DO(f, "principal", 0, forged(&commit, "{\"kind\":\"nfs\",\"reason\":\"known\"}", &err));
}

static void a_dry_act_makes_no_lock_and_takes_the_one_that_is_there(void **state)
{
    struct fixture *f = *state;
    struct sov_act dry = fixture_act("principal");
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    SOV_CLEANUP(sov_lock_release) struct sov_lock held = { 0 };
    struct sov_commit commit = { 0 };
    struct sov_error err = { 0 };
    struct sov_file_facts facts;

    dry.dry = true;
    assert_true(sov_folder_open(&home, f->home, &err));
    assert_true(sov_file_remove(&home, "lock", &err));
    assert_true(sov_commit_begin(&commit, f->ledger, &dry, &err));
    sov_commit_end(&commit);
    assert_true(sov_file_facts(&home, "lock", &facts, &err));
    assert_int_equal(facts.type, SOV_FILE_ABSENT);
    assert_true(sov_lock_take(&held, &home, "lock", 0, &err));
    f->ledger->wait_ms = 0;
    assert_false(sov_commit_begin(&commit, f->ledger, &dry, &err));
    assert_string_equal(err.code, "busy");
}

/* It was found active, and is so no longer when the next operation asks. */
static void who_is_suspended_in_a_commit_does_nothing_more_in_it(void **state)
{
    struct sov_actor_request request = { "second", "person", "principal", "self", NULL, NULL };
    struct fixture *f = *state;
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done, sov_actor_register(&commit, &request, &done, &err));
    FIXTURE_REFUSED(f, "second", "actor_inactive", &done,
                    sov_actor_change(&commit, "second", SOV_ACTOR_SUSPEND, "x", &done, &err) &&
                        sov_account_open(&commit, "cash", "cent", 0, &done, &err));
    FIXTURE_DO(f, "second", &done,
               sov_account_open(&commit, "cash", "cent", 0, &done, &err) &&
                   sov_actor_change(&commit, "second", SOV_ACTOR_SUSPEND, "x", &done, &err));
}

/* Of size 16 and 17 the first node is the same: what tells them apart is their size. */
static void what_a_handle_learned_in_a_commit_that_is_undone_is_not_so(void **state)
{
    struct fixture *f = *state;
    struct sov_act by = fixture_act("principal");
    struct sov_commit undone = { 0 };
    struct sov_error outer = { 0 };
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done,
               sov_account_open(&commit, "a", "cent", 0, &done, &err) &&
                   sov_account_open(&commit, "b", "cent", 0, &done, &err) &&
                   sov_account_open(&commit, "c", "cent", 0, &done, &err) &&
                   sov_account_open(&commit, "d", "cent", 0, &done, &err));
    assert_int_equal(fixture_head(f), 16);
    assert_true(sov_commit_begin(&undone, f->ledger, &by, &outer));
    assert_true(sov_account_open(&undone, "e", "cent", 0, &done, &outer));
    assert_true(sov_checkpoint_append(f->ledger, &undone.range, &outer));
    sov_commit_end(&undone);
    assert_int_equal(fixture_head(f), 16);
    assert_int_equal(f->ledger->head.range.size, 17);
    FIXTURE_DO(f, "principal", &done, sov_account_open(&commit, "f", "cent", 0, &done, &err));
    assert_int_equal(fixture_head(f), 17);
    fixture_assert_refold_equal(f);
}

static void a_clock_that_stands_still_is_no_step_back(void **state)
{
    static const struct {
        int64_t ms;
        int events;
    } rows[] = { { 0, 1 }, { -1, 2 }, { 0, 2 }, { 1, 1 }, { 5, 1 } };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t head = fixture_head(f), behind = rows[i].ms < 0 || i == 2;
        const char *name = sov_arena_printf(&f->arena, "till-%zu", i);
        struct sov_done done;

        f->now.wall.ms += rows[i].ms;
        FIXTURE_DO(f, "principal", &done, sov_account_open(&commit, name, "cent", 0, &done, &err));
        assert_int_equal(fixture_head(f) - head, rows[i].events);
        assert_int_equal(event_at(f, head + 1).type == SOV_EVENT_CLOCK_REGRESSED, behind);
    }
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, work_setup, work_teardown)
    const struct CMUnitTest tests[] = {
        T(two_entities_of_one_commit_have_numbers_in_turn),
        T(a_stream_goes_on_whether_it_is_of_this_commit_or_of_an_earlier_one),
        T(causes_are_written_in_order_and_once),
        T(what_was_not_asked_for_is_validated_where_it_is_written),
        T(a_dry_act_makes_no_lock_and_takes_the_one_that_is_there),
        T(who_is_suspended_in_a_commit_does_nothing_more_in_it),
        T(what_a_handle_learned_in_a_commit_that_is_undone_is_not_so),
        T(a_clock_that_stands_still_is_no_step_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
