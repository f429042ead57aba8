/* Runs that do not end by themselves: the pass that ends them, and who comes too late (model.md
 * 15). */
#include "tests/run_end_unit.h"

/* ---- supervise ---- */

static void before_a_run_has_started_an_expired_claim_returns_the_work(void **state)
{
    struct fixture *f = *state;
    int64_t head;
    struct sov_supervised out;

    store_claim(f, 1);
    head = fixture_head(f);
    fixture_tick(f, 905 * 1000);
    assert_int_equal(supervise(f).act_count, 0); /* ttl and grace are not over, but almost */
    fixture_tick(f, 1);
    out = supervise(f);
    assert_int_equal(out.act_count, 1);
    assert_string_equal(out.acts[0].ground, "boot_clock");
    assert_int_equal(out.acts[0].receipt, 0);
    store_assert_events(f, head + 1, "claim.expired sow.returned");
    assert_int_equal(store_assignment(f, 1).state, SOV_ASSIGNMENT_CREATED);
    assert_int_equal(store_sow(f, 1).state, SOV_SOW_ASSIGNED);
    head = fixture_head(f);
    assert_int_equal(supervise(f).act_count, 0);
    assert_int_equal(fixture_head(f), head);
    assert_true(store_claim(f, 1) > head);
    fixture_assert_refold_equal(f);
}

static void a_lost_worker_leaves_a_failed_receipt_and_no_effect(void **state)
{
    struct fixture *f = *state;
    int64_t fence = started(f), head = fixture_head(f);
    struct sov_supervised out;
    struct sov_receipt receipt;

    fixture_tick(f, 906 * 1000);
    out = supervise(f);
    assert_int_equal(out.act_count, 1);
    assert_int_equal(out.acts[0].fence, fence);
    store_assert_events(f, head + 1, "claim.expired receipt.recorded sow.failed assignment.failed");
    receipt = store_receipts(f).at[0];
    assert_int_equal(receipt.status, SOV_RECEIPT_FAILED);
    assert_string_equal(receipt.category, "worker_lost");
    assert_true(receipt.effects_unknown);
    assert_false(receipt.has_report || receipt.boundary.computed);
    assert_int_equal(receipt.fence, fence);
    store_assert_untouched(f);
    head = fixture_head(f);
    assert_int_equal(supervise(f).act_count, 0);
    assert_int_equal(fixture_head(f), head);
    fixture_assert_refold_equal(f);
}

static void another_boot_of_the_machine_means_that_the_holder_is_gone(void **state)
{
    struct fixture *f = *state;

    store_claim(f, 1);
    f->now.boot[0] = '1';
    f->now.boot_ms = 5000;
    assert_int_equal(supervise(f).act_count, 0);
    f->now.boot_ms = 5001;
    assert_string_equal(supervise(f).acts[0].ground, "other_boot");
}

static void a_wall_clock_that_was_set_back_takes_nothing(void **state)
{
    struct fixture *f = *state;
    int64_t head;

    store_claim(f, 1);
    f->now.boot[0] = '1';
    f->now.machine[0] = 'f';
    f->now.wall.ms += (900 + 300) * 1000;
    head = fixture_head(f);
    assert_int_equal(supervise(f).act_count, 0);
    f->now.wall.ms -= INT64_C(3) * 3600 * 1000;
    assert_int_equal(supervise(f).act_count, 0);
    assert_int_equal(fixture_head(f), head);
    f->now.wall.ms += INT64_C(3) * 3600 * 1000 + 1;
    assert_string_equal(supervise(f).acts[0].ground, "wall_clock");
}

static void a_dry_pass_says_what_it_would_do_and_writes_nothing(void **state)
{
    struct fixture *f = *state;
    struct sov_supervised out = { 0 };
    struct sov_error err = { 0 };
    struct sov_hash before, after;

    started(f);
    fixture_tick(f, 906 * 1000);
    before = fixture_digest(f);
    assert_true(sov_supervise(f->ledger,
                              &(struct sov_supervise_options){ .dry = true, .pid = 9, .start = 90 },
                              &f->arena, &out, &err));
    after = fixture_digest(f);
    assert_int_equal(out.act_count, 1);
    assert_int_equal(out.acts[0].seq, 0);
    assert_memory_equal(&before, &after, sizeof before);
}

/* ---- too late ---- */

static struct sov_stales stales(struct fixture *f)
{
    struct sov_stales rows = { 0 };
    struct sov_error err = { 0 };

    assert_true(sov_stale_list(f->ledger, 1, &f->arena, &rows, &err));
    return rows;
}

static void a_late_result_is_kept_once_and_changes_nothing(void **state)
{
    struct fixture *f = *state;
    int64_t fence = started(f), head;
    struct sov_run_finish finish = finish_of(fence, &six, 1);
    struct sov_done done;
    struct sov_blob blob;
    struct sov_error err = { 0 };
    bool found;

    fixture_tick(f, 906 * 1000);
    supervise(f);
    head = fixture_head(f);
    assert_true(end_run(f, &finish, &done).lost);
    store_assert_events(f, head + 1, "result.stale");
    assert_string_equal(stales(f).at[0].why, "claim.expired");
    assert_true(
        sov_blob_find(f->ledger, &stales(f).at[0].report.digest, &f->arena, &blob, &found, &err));
    assert_true(found && blob.confidential && sov_bytes_is(blob.content, report_octets));
    assert_true(end_run(f, &finish, &done).lost);
    assert_int_equal(done.effect, SOV_NOOP);
    assert_int_equal(done.seq, head + 1);
    assert_int_equal(fixture_head(f), head + 1);
    finish.report = sov_bytes_text("{\"a report\":false}");
    assert_true(end_run(f, &finish, &done).lost);
    assert_int_equal(stales(f).count, 2);
    assert_int_equal(store_receipts(f).count, 1);
    assert_int_equal(store_sow(f, 1).state, SOV_SOW_FAILED);
    store_assert_untouched(f);
    fixture_assert_refold_equal(f);
}

static void of_finish_and_expiry_exactly_one_wins(void **state)
{
    (void)state;
    for (int finish_first = 0; finish_first < 2; finish_first++) {
        struct fixture f;
        struct sov_run_finish finish;
        struct sov_done done;

        store_open(&f);
        finish = finish_of(started(&f), &six, 1);
        fixture_tick(&f, 906 * 1000);
        /* Overdue, and yet the holder may still finish: liveness is a fact of the log. */
        if (finish_first) assert_false(end_run(&f, &finish, &done).lost);
        assert_int_equal(supervise(&f).act_count, !finish_first);
        if (!finish_first) assert_true(end_run(&f, &finish, &done).lost);
        assert_int_equal(store_receipts(&f).count, 1);
        assert_int_equal(store_balance(&f, "inventory/SKU-TEA"), finish_first ? 8 : 2);
        fixture_close(&f);
    }
}

static void a_fence_that_never_was_cannot_finish_either(void **state)
{
    struct fixture *f = *state;
    int64_t fence = started(f);
    struct sov_run_finish finish = finish_of(fence + 100, &six, 1);
    struct sov_done done;

    assert_true(end_run(f, &finish, &done).lost);
    assert_string_equal(stales(f).at[0].why, "no_claim");
    assert_int_equal(stales(f).at[0].live_fence, fence);
    assert_int_equal(store_assignment(f, 1).state, SOV_ASSIGNMENT_RUNNING);
    store_assert_untouched(f);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        T(before_a_run_has_started_an_expired_claim_returns_the_work),
        T(a_lost_worker_leaves_a_failed_receipt_and_no_effect),
        T(another_boot_of_the_machine_means_that_the_holder_is_gone),
        T(a_wall_clock_that_was_set_back_takes_nothing),
        T(a_dry_pass_says_what_it_would_do_and_writes_nothing),
        T(a_late_result_is_kept_once_and_changes_nothing),
        cmocka_unit_test(of_finish_and_expiry_exactly_one_wins),
        T(a_fence_that_never_was_cannot_finish_either),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
