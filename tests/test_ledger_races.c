/* A finish and the end of its claim, two passes of the pulse, two of supervise: at the same moment,
 * in processes of their own, and exactly one of them acts (model.md 15, faults.md S32). */
#include "tests/crew.h"

#include "tests/run_unit.h"

enum { SLICE = 60, ALL_ENDS = 10000, ALL_PASSES = 1000, OVER_MS = 906 * 1000 };
enum { LOST = 0, WON = 1 };

static const struct sov_supervise_options by = { .pid = 9, .start = 90 };

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    store_found(f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture_assert_refold_equal(*state);
    fixture_close(*state);
    free(*state);
    return 0;
}

static void sale(struct fixture *f)
{
    struct sov_change_request one = {
        .kind = "sale", .subject = "SKU-TEA", .source = "till", .quantity = 1
    };
    struct sov_done done;

    FIXTURE_DO(f, "operator", &done, sov_change_record(&commit, &one, &done, &err));
}

static void withdraw(struct fixture *f, int64_t sow)
{
    struct sov_done done;

    FIXTURE_DO(f, "master", &done, sov_sow_withdraw(&commit, sow, "next", &done, &err));
}

/* SOW and assignment n, claimed and started, and overdue; its fence. */
static int64_t started(struct fixture *f, int64_t n)
{
    struct sov_sow_request sow = { .outcome = 1,
                                   .title = "Restock",
                                   .scope = "Order tea",
                                   .role = "operator",
                                   .done_when = "the books say so",
                                   .effect = "replenishment" };
    struct sov_run_start start = { .assignment = n,
                                   .provider = "scripted",
                                   .adapter = "scripted",
                                   .adapter_version = 1,
                                   .egress = "public",
                                   .local = true,
                                   .sandbox = "none" };
    struct sov_done done;

    FIXTURE_DO(f, "master", &done, sov_sow_create(&commit, &sow, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_sow_ready(&commit, n, &done, &err));
    store_assign(f, n);
    start.fence = store_claim(f, n);
    FIXTURE_DO(f, "operator", &done, sov_run_start(&commit, &start, &done, &err));
    fixture_tick(f, OVER_MS);
    return start.fence;
}

static bool finishes(struct fixture *f, int64_t assignment, int64_t fence)
{
    static const struct sov_proposal one = { "replenishment", "SKU-TEA", NULL, true, 1 };
    struct sov_run_finish finish = { .assignment = assignment,
                                     .fence = fence,
                                     .observed = { .report = SOV_REPORT_COMPLETED },
                                     .ended_by = "self",
                                     .exited = true,
                                     .proposals = { &one, 1 },
                                     .has_report = true,
                                     .report = sov_bytes_text("{\"a report\":true}"),
                                     .boundary_scoped = true,
                                     .boundary_computed = true,
                                     .boundary_report = sov_bytes_text("{}") };
    struct sov_act act = fixture_act("operator");
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_run_end end = { 0 };
    struct sov_error err = { 0 };
    struct sov_done done;
    int64_t seq;

    if (!sov_commit_begin(&commit, f->ledger, &act, &err) ||
        !sov_run_finish(&commit, &finish, &done, &end, &err) ||
        !sov_commit_finish(&commit, &seq, &err))
        _exit(4);
    return !end.lost;
}

static int64_t passes(struct fixture *f)
{
    struct sov_supervised out;
    struct sov_error err = { 0 };

    if (!sov_supervise(f->ledger, &by, &f->arena, &out, &err) || out.fault_count) _exit(5);
    return (int64_t)out.act_count;
}

/* The first hands in the result of that fence, the other ends what is overdue. */
static int64_t finish_or_end(struct fixture *f, int who, int64_t told)
{
    fixture_tick(f, OVER_MS);
    if (who) return passes(f);
    return finishes(f, told % ALL_ENDS + 1, told / ALL_ENDS) ? WON : LOST;
}

static void of_finish_and_expiry_at_once_exactly_one_wins(void **state)
{
    struct fixture *f = *state;
    int rounds = crew_rounds(SLICE, ALL_ENDS), finished = 0;
    struct crew crew;

    crew_begin(&crew, 2, f, finish_or_end);
    for (int n = 1; n <= rounds; n++) {
        struct sov_arena_mark mark = sov_arena_mark(&f->arena);
        int64_t cash = store_balance(f, "cash"), tea = store_balance(f, "inventory/SKU-TEA");
        int64_t fence = started(f, n), said[CREW_MAX];
        struct sov_receipts receipts;

        crew_round(&crew, fence * ALL_ENDS + n - 1, said);
        assert_int_equal(said[0] + said[1], 1);
        receipts = store_receipts(f);
        assert_int_equal(receipts.count, n);
        assert_int_equal(store_assignment(f, n).state,
                         said[0] ? SOV_ASSIGNMENT_COMPLETED : SOV_ASSIGNMENT_FAILED);
        assert_int_equal(store_balance(f, "inventory/SKU-TEA"), tea + said[0]);
        assert_int_equal(store_balance(f, "cash"), cash - 120 * said[0]);
        if (!said[0]) assert_string_equal(receipts.at[n - 1].category, "worker_lost");
        if (said[0]) sale(f);
        finished += (int)said[0];
        withdraw(f, n);
        sov_arena_rewind(&f->arena, mark);
    }
    crew_end(&crew);
    print_message("# %d of %d finished in time\n", finished, rounds);
}

static int64_t supervises(struct fixture *f, int who, int64_t told)
{
    (void)who;
    (void)told;
    fixture_tick(f, OVER_MS);
    return passes(f);
}

static void of_two_passes_of_supervise_at_once_one_acts(void **state)
{
    struct fixture *f = *state;
    int rounds = crew_rounds(SLICE / 2, ALL_PASSES);
    struct crew crew;

    crew_begin(&crew, 2, f, supervises);
    for (int n = 1; n <= rounds; n++) {
        int64_t said[CREW_MAX], head;

        (void)started(f, n);
        head = fixture_head(f);
        crew_round(&crew, 0, said);
        assert_int_equal(said[0] + said[1], 1);
        store_assert_events(f, head + 1,
                            "claim.expired receipt.recorded sow.failed assignment.failed");
        withdraw(f, n);
    }
    crew_end(&crew);
}

static int64_t pulses(struct fixture *f, int who, int64_t told)
{
    struct sov_pulseds pulsed;
    struct sov_error err = { 0 };
    int64_t fired = 0;

    (void)who;
    (void)told;
    if (!sov_pulse(f->ledger, &(struct sov_pulse_options){ 0 }, &f->arena, &pulsed, &err)) _exit(7);
    for (size_t i = 0; i < pulsed.count; i++) {
        if (pulsed.at[i].faulted) _exit(8);
        fired += pulsed.at[i].wake.decision == SOV_WAKE_FIRE;
    }
    return fired;
}

static void of_two_pulses_at_once_one_makes_the_work(void **state)
{
    struct fixture *f = *state;
    int rounds = crew_rounds(SLICE / 2, ALL_PASSES);
    struct crew crew;

    sale(f);
    crew_begin(&crew, 2, f, pulses);
    for (int n = 1; n <= rounds; n++) {
        int64_t said[CREW_MAX], head = fixture_head(f);

        crew_round(&crew, 0, said);
        assert_int_equal(said[0] + said[1], 1);
        store_assert_events(f, head + 1,
                            "wake.decided sow.created sow.readied assignment.created sow.assigned");
        withdraw(f, n); /* and its signal is due again */
    }
    crew_end(&crew);
}

static void a_pass_of_supervise_makes_no_work_of_a_due_signal(void **state)
{
    struct fixture *f = *state;
    int64_t fence, head;

    sale(f); /* one tea is left, and its signal is due */
    fence = started(f, 1);
    head = fixture_head(f);
    assert_int_equal(passes(f), 1);
    store_assert_events(f, head + 1, "claim.expired receipt.recorded sow.failed assignment.failed");
    assert_true(fence < head);
    withdraw(f, 1);
    head = fixture_head(f);
    assert_int_equal(passes(f), 0);
    assert_int_equal(fixture_head(f), head);
    assert_int_equal(pulses(f, 0, 0), 1); /* control: it was due all the time */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(of_finish_and_expiry_at_once_exactly_one_wins),
        TEST(of_two_passes_of_supervise_at_once_one_acts),
        TEST(of_two_pulses_at_once_one_makes_the_work),
        TEST(a_pass_of_supervise_makes_no_work_of_a_due_signal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
