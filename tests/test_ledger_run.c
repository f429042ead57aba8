/* Runs: what an end of one decides, and that it decides once (model.md 7, 8). */
#include "tests/run_end_unit.h"

static void a_completed_run_commits_its_effect_beside_its_receipt(void **state)
{
    struct fixture *f = *state;
    int64_t fence = started(f), head = fixture_head(f);
    struct sov_run_finish finish = finish_of(fence, &six, 1);
    struct sov_done done;
    struct sov_run_end end = end_run(f, &finish, &done);
    struct sov_effect effect;
    struct sov_receipt receipt;
    struct sov_signal signal;
    struct sov_error err = { 0 };
    bool holds, found;

    store_assert_events(f, head + 1,
                        "run.finished effect.committed account.posted account.posted "
                        "signal.recorded receipt.recorded sow.submitted assignment.completed");
    assert_walk(f, head + 3,
                "account.posted effect.committed run.finished run.started claim.acquired");
    assert_false(end.lost);
    assert_int_equal(end.status, SOV_RECEIPT_COMPLETED);
    assert_int_equal(end.effect_count, 1);
    assert_int_equal(store_balance(f, "inventory/SKU-TEA"), 8);
    assert_int_equal(store_balance(f, "cash"), 10080);
    assert_int_equal(store_sow(f, 1).state, SOV_SOW_REVIEW);
    assert_int_equal(store_assignment(f, 1).state, SOV_ASSIGNMENT_COMPLETED);
    assert_int_equal(store_assignment(f, 1).fence, 0);
    assert_true(sov_effect_get(f->ledger, end.effects[0], &f->arena, &effect, &err));
    assert_true(sov_effect_corroborated(f->ledger, &effect, &f->arena, &holds, &err) && holds);
    assert_true(sov_receipt_of(f->ledger, 1, fence, &f->arena, &receipt, &found, &err) && found);
    assert_int_equal(receipt.n, end.receipt);
    assert_int_equal(receipt.deliverable_count, 1);
    assert_int_equal(receipt.deliverables[0].size, 2);
    assert_false(receipt.effects_unknown || receipt.boundary.violated);
    assert_true(sov_signal_find(f->ledger, 1, &f->arena, &signal, &found, &err) && found);
    assert_int_equal(signal.severity, SOV_RESOLVED);
    assert_string_equal(signal.dedupe_key, "EFF-1");
    fixture_assert_refold_equal(f);
}

static void the_same_finish_again_is_a_noop_and_another_report_conflicts(void **state)
{
    struct fixture *f = *state;
    int64_t fence = started(f), head;
    struct sov_run_finish finish = finish_of(fence, &six, 1);
    struct sov_done first, again;
    struct sov_run_end a = end_run(f, &finish, &first), b;

    head = fixture_head(f);
    b = end_run(f, &finish, &again);
    assert_int_equal(again.effect, SOV_NOOP);
    assert_int_equal(again.seq, first.seq);
    assert_int_equal(b.receipt, a.receipt);
    assert_int_equal(b.effects[0], a.effects[0]);
    assert_int_equal(fixture_head(f), head);
    finish.report = sov_bytes_text("{\"a report\":false}");
    FIXTURE_REFUSED(f, "operator", "report_conflict", &again,
                    sov_run_finish(&commit, &finish, &again, &b, &err));
    assert_int_equal(store_balance(f, "inventory/SKU-TEA"), 8);
}

static const struct {
    const char *what, *code;
    struct sov_proposal at[2];
    size_t count;
} refusals[] = {
#define ONE(quantity) { { "replenishment", "SKU-TEA", NULL, true, quantity } }, 1
    { "a quantity of 0", "quantity_out_of_range", ONE(0) },
    { "below 0", "quantity_out_of_range", ONE(-1) },
    { "over the maximum", "quantity_out_of_range", ONE(51) },
    { "over what JSON keeps", "quantity_out_of_range", ONE(INT64_C(9007199254740992)) },
#undef ONE
    { "no quantity",
      "quantity_out_of_range",
      { { "replenishment", "SKU-TEA", NULL, false, 0 } },
      1 },
    { "an unknown kind", "kind_unknown", { { "gift", "SKU-TEA", NULL, true, 1 } }, 1 },
    { "a kind for outside", "kind_unknown", { { "sale", "SKU-TEA", NULL, true, 1 } }, 1 },
    { "another subject", "subject_mismatch", { { "replenishment", "SKU-X", NULL, true, 1 } }, 1 },
    { "another unit", "unit_mismatch", { { "replenishment", "SKU-TEA", "box", true, 1 } }, 1 },
    { "the pair twice",
      "effect_conflict",
      { { "replenishment", "SKU-TEA", NULL, true, 6 },
        { "replenishment", "SKU-TEA", NULL, true, 6 } },
      2 },
};

static void a_refused_proposal_leaves_a_failed_receipt_and_no_effect(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct fixture f;
        struct sov_run_finish finish;
        struct sov_run_end end;
        struct sov_refuseds refused;
        struct sov_done done;
        struct sov_error err = { 0 };
        int64_t head;

        store_open(&f);
        finish = finish_of(started(&f), refusals[i].at, refusals[i].count);
        head = fixture_head(&f);
        end = end_run(&f, &finish, &done);
        if (!end.code || strcmp(end.code, refusals[i].code) != 0)
            fail_msg("%s: %s", refusals[i].what, end.code ? end.code : "not refused");
        assert_string_equal(end.category, "proposal_refused");
        store_assert_events(&f, head + 1,
                            "run.finished effect.refused receipt.recorded sow.failed "
                            "assignment.failed");
        assert_true(sov_refused_list(f.ledger, 1, &f.arena, &refused, &err));
        assert_int_equal(refused.count, 1);
        assert_string_equal(refused.at[0].code, refusals[i].code);
        assert_false(store_receipts(&f).at[0].effects_unknown);
        store_assert_untouched(&f);
        fixture_close(&f);
    }
}

static void what_the_books_forbid_is_refused_too(void **state)
{
    static const struct {
        struct sov_fact cost;
        const char *code;
    } rows[] = {
        { { "unit_cost", 1801 }, "constraint_failed" }, /* 6 of them are more than the cash */
        { { "unit_cost", INT64_C(9007199254740991) }, "amount_overflow" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        struct sov_run_finish finish;
        struct sov_run_end end;
        struct sov_done done;

        store_open(&f);
        FIXTURE_DO(&f, "principal", &done,
                   sov_subject_revise(&commit, "SKU-TEA", &rows[i].cost, 1, "dearer", &done, &err));
        finish = finish_of(started(&f), &six, 1);
        end = end_run(&f, &finish, &done);
        assert_non_null(end.code);
        assert_string_equal(end.code, rows[i].code);
        store_assert_untouched(&f);
        fixture_close(&f);
    }
}

/* A SOW whose outcome names no subject, so that one report may propose for two. */
static void two_subjects(struct fixture *f)
{
    static const struct sov_fact facts[] = { { "price", 650 },
                                             { "reorder_point", 6 },
                                             { "unit_cost", 210 } };
    struct sov_outcome_request outcome = {
        .title = "All is in stock",
        .desired_state = "never below",
        .checks = sov_bytes_text("[{\"id\":\"x\",\"kind\":\"file-exists\",\"params\":"
                                 "{\"path\":\"x\"}}]"),
    };
    struct sov_sow_request sow = { .outcome = 2,
                                   .title = "Restock",
                                   .scope = "Order",
                                   .role = "operator",
                                   .done_when = "there",
                                   .effect = "replenishment" };
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done,
               sov_subject_declare(&commit, "SKU-COFFEE", facts, 3, &done, &err));
    store_account(f, "inventory/SKU-COFFEE", "unit", 10);
    store_account(f, "reserved/SKU-COFFEE", "unit", 0);
    FIXTURE_DO(f, "principal", &done, sov_outcome_define(&commit, &outcome, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_outcome_activate(&commit, 2, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_sow_create(&commit, &sow, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_sow_ready(&commit, 2, &done, &err));
    store_assign(f, 2);
}

static void each_proposal_stands_on_the_balances_after_the_one_before(void **state)
{
    static const struct {
        int64_t tea, coffee; /* 50 cost 6,000; 23 cost 4,830; there are 10,800 */
        bool fits;
    } rows[] = { { 50, 22, true }, { 50, 23, false } };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sov_proposal both[] = {
            { "replenishment", "SKU-TEA", NULL, true, rows[i].tea },
            { "replenishment", "SKU-COFFEE", "unit", true, rows[i].coffee },
        };
        struct fixture f;
        struct sov_run_start start;
        struct sov_run_finish finish;
        struct sov_run_end end;
        struct sov_done done;

        store_open(&f);
        two_subjects(&f);
        start = start_of(2, store_claim(&f, 2));
        FIXTURE_DO(&f, "operator", &done, sov_run_start(&commit, &start, &done, &err));
        finish = finish_of(start.fence, both, 2);
        finish.assignment = 2;
        end = end_run(&f, &finish, &done);
        if (rows[i].fits) {
            assert_int_equal(end.effect_count, 2);
            assert_int_equal(store_balance(&f, "cash"), STORE_CASH - 50 * 120 - 22 * 210);
            assert_int_equal(store_balance(&f, "inventory/SKU-COFFEE"), 32);
        } else {
            assert_string_equal(end.code, "constraint_failed");
            store_assert_untouched(&f);
            assert_int_equal(store_balance(&f, "inventory/SKU-COFFEE"), 10);
        }
        fixture_assert_refold_equal(&f);
        fixture_close(&f);
    }
}

static void without_a_proposal_the_receipt_is_completed_all_the_same(void **state)
{
    struct fixture *f = *state;
    struct sov_run_finish finish = finish_of(started(f), NULL, 0);
    struct sov_done done;
    struct sov_run_end end = end_run(f, &finish, &done);

    assert_int_equal(end.status, SOV_RECEIPT_COMPLETED);
    store_assert_untouched(f);
}

static void a_run_that_did_not_go_well_has_no_effect(void **state)
{
    enum { FILES = 1, BOUNDARY = 2 };
    static const struct {
        enum sov_run_category holds; /* COUNT: none */
        enum sov_report_status report;
        int without;
        const char *category; /* NULL: blocked */
        bool unknown;
    } rows[] = {
        { SOV_RUN_NONZERO_EXIT, SOV_REPORT_NONE, 0, "nonzero_exit", true },
        { SOV_RUN_TIMEOUT, SOV_REPORT_NONE, 0, "timeout", true },
        { SOV_RUN_INVALID_REPORT, SOV_REPORT_NONE, 0, "invalid_report", true },
        { SOV_RUN_CATEGORY_COUNT, SOV_REPORT_FAILED, 0, "actor_reported_failure", false },
        { SOV_RUN_CATEGORY_COUNT, SOV_REPORT_BLOCKED, 0, NULL, false },
        { SOV_RUN_CATEGORY_COUNT, SOV_REPORT_COMPLETED, FILES, "missing_deliverable", false },
        { SOV_RUN_INVALID_DELIVERABLE, SOV_REPORT_COMPLETED, FILES, "invalid_deliverable", false },
        { SOV_RUN_CATEGORY_COUNT, SOV_REPORT_COMPLETED, BOUNDARY, "boundary_unchecked", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool completed = rows[i].report == SOV_REPORT_COMPLETED;
        struct fixture f;
        struct sov_run_finish finish;
        struct sov_run_end end;
        struct sov_done done;

        store_open(&f);
        finish = finish_of(started(&f), &six, completed);
        finish.observed.report = rows[i].report;
        if (rows[i].holds != SOV_RUN_CATEGORY_COUNT) finish.observed.holds[rows[i].holds] = true;
        if (rows[i].without & FILES) finish.file_count = 0;
        if (rows[i].without & BOUNDARY) finish.boundary_computed = false;
        end = end_run(&f, &finish, &done);
        assert_int_equal(end.status, rows[i].category ? SOV_RECEIPT_FAILED : SOV_RECEIPT_BLOCKED);
        if (rows[i].category) assert_string_equal(end.category, rows[i].category);
        assert_int_equal(store_receipts(&f).count, 1);
        assert_int_equal(store_receipts(&f).at[0].effects_unknown, rows[i].unknown);
        assert_int_equal(store_sow(&f, 1).state,
                         rows[i].category ? SOV_SOW_FAILED : SOV_SOW_BLOCKED);
        assert_int_equal(store_assignment(&f, 1).state,
                         rows[i].category ? SOV_ASSIGNMENT_FAILED : SOV_ASSIGNMENT_BLOCKED);
        store_assert_untouched(&f);
        fixture_close(&f);
    }
}

static void a_run_starts_once_under_the_live_fence_of_its_holder(void **state)
{
    struct fixture *f = *state;
    int64_t fence = store_claim(f, 1);
    struct sov_run_start start = start_of(1, fence), old = start_of(1, fence - 1);
    struct sov_run_finish finish = finish_of(fence, &six, 1);
    struct sov_run_end end;
    struct sov_done done;

    FIXTURE_REFUSED(f, "operator", "stale_fence", &done, sov_run_start(&commit, &old, &done, &err));
    FIXTURE_REFUSED(f, "master", "not_authorised", &done,
                    sov_run_start(&commit, &start, &done, &err));
    FIXTURE_REFUSED(f, "operator", "wrong_state", &done,
                    sov_run_finish(&commit, &finish, &done, &end, &err));
    FIXTURE_DO(f, "operator", &done, sov_run_start(&commit, &start, &done, &err));
    FIXTURE_REFUSED(f, "operator", "already_started", &done,
                    sov_run_start(&commit, &start, &done, &err));
    FIXTURE_REFUSED(f, "operator", "already_started", &done,
                    sov_claim_release(&commit, 1, fence, "no", &done, &err));
}

static void only_the_named_actor_finishes(void **state)
{
    struct fixture *f = *state;
    struct sov_actor_request other = { "other", "robot", "operator", "scripted", NULL, NULL };
    struct sov_run_finish finish = finish_of(started(f), &six, 1);
    struct sov_run_end end;
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done, sov_actor_register(&commit, &other, &done, &err));
    FIXTURE_REFUSED(f, "other", "not_addressed", &done,
                    sov_run_finish(&commit, &finish, &done, &end, &err));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        T(a_completed_run_commits_its_effect_beside_its_receipt),
        T(the_same_finish_again_is_a_noop_and_another_report_conflicts),
        cmocka_unit_test(a_refused_proposal_leaves_a_failed_receipt_and_no_effect),
        cmocka_unit_test(what_the_books_forbid_is_refused_too),
        cmocka_unit_test(each_proposal_stands_on_the_balances_after_the_one_before),
        T(without_a_proposal_the_receipt_is_completed_all_the_same),
        cmocka_unit_test(a_run_that_did_not_go_well_has_no_effect),
        T(a_run_starts_once_under_the_live_fence_of_its_holder),
        T(only_the_named_actor_finishes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
