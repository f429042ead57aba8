/* Deliveries: tried so often and no oftener, and not again while nobody knows (model.md 11, 15). */
#include "tests/judgement_fixture.h"
#include "tests/ledger_work.h"

static int64_t queued(struct fixture *f)
{
    struct sov_delivery_request request = { .channel = "letter",
                                            .content = sov_bytes_text("Dear Sir,"),
                                            .media_type = "text/plain" };
    struct sov_done done;

    FIXTURE_DO(f, "operator", &done, sov_delivery_queue(&commit, &request, &done, &err));
    return work_n(&done);
}

static struct sov_delivery see(struct fixture *f, int64_t n)
{
    struct sov_delivery delivery;
    struct sov_error err = { 0 };
    bool found;

    assert_true(sov_delivery_find(f->ledger, n, &f->arena, &delivery, &found, &err));
    assert_true(found);
    return delivery;
}

static int64_t claim(struct fixture *f, const char *who, int64_t n, const char *expected)
{
    struct sov_who self = work_who();
    struct sov_done done;
    int64_t fence = 0;

    self.boot_ms = f->now.boot_ms;
    if (expected)
        FIXTURE_REFUSED(f, who, expected, &done,
                        sov_delivery_claim(&commit, n, 0, &self, &fence, &done, &err));
    else
        FIXTURE_DO(f, who, &done, sov_delivery_claim(&commit, n, 0, &self, &fence, &done, &err));
    return fence;
}

static int64_t started(struct fixture *f, int64_t n)
{
    int64_t fence = claim(f, "operator", n, NULL);
    struct sov_done done;

    FIXTURE_DO(f, "operator", &done, sov_delivery_start(&commit, n, fence, &done, &err));
    return fence;
}

static enum sov_delivery_state failed(struct fixture *f, int64_t n, int64_t fence)
{
    enum sov_delivery_state state = SOV_DELIVERY_NONE;
    struct sov_done done;

    FIXTURE_DO(f, "operator", &done,
               sov_delivery_fail(&commit, n, fence, "the line was down", &state, &done, &err));
    return state;
}

static void resolve(struct fixture *f, const char *who, int64_t n, bool delivered,
                    const char *expected)
{
    struct sov_done done;

    if (expected)
        FIXTURE_REFUSED(f, who, expected, &done,
                        sov_delivery_resolve(&commit, n, delivered, "they called", &done, &err));
    else
        FIXTURE_DO(f, who, &done,
                   sov_delivery_resolve(&commit, n, delivered, "they called", &done, &err));
}

static struct sov_supervised supervise(struct fixture *f)
{
    struct sov_supervise_options options = { .pid = 9, .start = 90 };
    struct sov_supervised out = { 0 };
    struct sov_error err = { 0 };

    if (!sov_supervise(f->ledger, &options, &f->arena, &out, &err)) fail_msg("%s", err.what);
    assert_int_equal(out.fault_count, 0);
    return out;
}

static void a_delivery_is_started_and_told_to_have_succeeded(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;
    int64_t head, fence;

    assert_int_equal(queued(f), 1);
    assert_string_equal(see(f, 1).receiver_key, "DLV-1");
    assert_int_equal(see(f, 1).max_attempts, 5);
    head = fixture_head(f);
    fence = claim(f, "operator", 1, NULL);
    claim(f, "master", 1, "claim_held");
    FIXTURE_REFUSED(f, "operator", "wrong_state", &done, /* not before it was started */
                    sov_delivery_succeed(&commit, 1, fence, NULL, &done, &err));
    FIXTURE_REFUSED(f, "master", "not_addressed", &done,
                    sov_delivery_start(&commit, 1, fence, &done, &err));
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_delivery_start(&commit, 1, fence + 1, &done, &err));
    FIXTURE_DO(f, "operator", &done, sov_delivery_start(&commit, 1, fence, &done, &err));
    FIXTURE_REFUSED(f, "operator", "wrong_state", &done,
                    sov_delivery_start(&commit, 1, fence, &done, &err));
    fixture_tick(f, 5000 * 1000); /* late, but nobody has said so */
    FIXTURE_DO(f, "operator", &done,
               sov_delivery_succeed(&commit, 1, fence, "post-7", &done, &err));
    work_assert_events(f, head + 1, "claim.acquired delivery.started delivery.succeeded");
    assert_int_equal(see(f, 1).state, SOV_DELIVERY_DELIVERED);
    claim(f, "operator", 1, "wrong_state");
    resolve(f, "principal", 1, true, "wrong_state");
    claim(f, "operator", 9, "no_such_id");
    fixture_assert_refold_equal(f);
}

static void failures_wait_longer_and_longer_and_end(void **state)
{
    static const int64_t waits[] = { 30, 60, 120, 240 };
    struct fixture *f = *state;

    queued(f);
    for (int i = 0; i < 4; i++) {
        int64_t fence = i % 2 ? started(f, 1) : claim(f, "operator", 1, NULL);

        assert_int_equal(failed(f, 1, fence), SOV_DELIVERY_QUEUED);
        assert_int_equal(see(f, 1).attempts, i + 1);
        assert_int_equal(see(f, 1).after_ms, f->now.wall.ms + waits[i] * 1000);
        fixture_tick(f, waits[i] * 1000 - 1);
        claim(f, "operator", 1, "wrong_state");
        fixture_tick(f, 1);
    }
    assert_int_equal(failed(f, 1, started(f, 1)), SOV_DELIVERY_DEAD);
    claim(f, "operator", 1, "wrong_state");
    resolve(f, "operator", 1, false, "person_required");
    resolve(f, "principal", 1, false, NULL);
    assert_int_equal(see(f, 1).attempts, 0);
    assert_int_equal(failed(f, 1, started(f, 1)), SOV_DELIVERY_QUEUED);
    fixture_assert_refold_equal(f);
}

static void a_lost_delivery_is_not_sent_again(void **state)
{
    struct fixture *f = *state;
    struct sov_supervised pass;
    enum sov_delivery_state after;
    struct sov_done done;
    int64_t fence, head;

    queued(f);
    fence = started(f, 1);
    fixture_tick(f, 306 * 1000);
    head = fixture_head(f);
    pass = supervise(f);
    assert_int_equal(pass.act_count, 1);
    assert_string_equal(pass.acts[0].state, "UNKNOWN");
    work_assert_events(f, head + 1, "claim.expired");
    assert_int_equal(supervise(f).act_count, 0);
    claim(f, "operator", 1, "wrong_state");
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_delivery_succeed(&commit, 1, fence, NULL, &done, &err));
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_delivery_fail(&commit, 1, fence, "r", &after, &done, &err));
    resolve(f, "verifier", 1, true, "person_required");
    FIXTURE_REFUSED(f, "principal", "reason_missing", &done,
                    sov_delivery_resolve(&commit, 1, true, "", &done, &err));
    resolve(f, "principal", 9, true, "no_such_id");
    resolve(f, "principal", 1, true, NULL);
    assert_int_equal(see(f, 1).state, SOV_DELIVERY_DELIVERED);
    queued(f);
    started(f, 2);
    fixture_tick(f, 306 * 1000);
    supervise(f);
    resolve(f, "principal", 2, false, NULL);
    claim(f, "operator", 2, NULL);
    fixture_assert_refold_equal(f);
}

static void one_that_was_not_started_has_failed_once_more(void **state)
{
    struct fixture *f = *state;
    int64_t head;

    queued(f);
    claim(f, "operator", 1, NULL);
    fixture_tick(f, 306 * 1000);
    head = fixture_head(f);
    assert_string_equal(supervise(f).acts[0].state, "QUEUED");
    work_assert_events(f, head + 1, "claim.expired delivery.failed");
    assert_int_equal(see(f, 1).attempts, 1);
}

static void what_is_no_delivery_is_refused(void **state)
{
    static char key[202];
    static const struct {
        struct sov_delivery_request request;
        const char *code;
    } rows[] = {
        { { .channel = "Letter", .media_type = "text/plain" }, "bad_value" },
        { { .channel = NULL, .media_type = "text/plain" }, "bad_value" },
        { { .channel = "letter", .media_type = "text/plain", .session = 3 }, "no_such_id" },
        { { .channel = "letter", .media_type = "text/plain", .receiver_key = " " }, "bad_value" },
        { { .channel = "letter", .media_type = "text/plain", .receiver_key = key }, "too_large" },
    };
    struct fixture *f = *state;
    struct sov_done done;

    memset(key, 'k', sizeof key - 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        FIXTURE_REFUSED(f, "operator", rows[i].code, &done,
                        sov_delivery_queue(&commit, &rows[i].request, &done, &err));
}

#define T(test) cmocka_unit_test_setup_teardown(test, work_setup, work_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        T(a_delivery_is_started_and_told_to_have_succeeded),
        T(failures_wait_longer_and_longer_and_end),
        T(a_lost_delivery_is_not_sent_again),
        T(one_that_was_not_started_has_failed_once_more),
        T(what_is_no_delivery_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
