/* Instances and sessions: two programs under one name, two fences, two times (model.md 11, 15). */
#include "tests/judgement_fixture.h"
#include "tests/ledger_work.h"

static int64_t registered(struct fixture *f, const char *who)
{
    struct sov_done done;

    FIXTURE_DO(f, who, &done, sov_instance_register(&commit, "the desk", &done, &err));
    return work_n(&done);
}

static int64_t running(struct fixture *f, const char *who, int64_t n, const char *expected)
{
    struct sov_who self = work_who();
    struct sov_done done;
    int64_t fence = 0;

    if (expected)
        FIXTURE_REFUSED(f, who, expected, &done,
                        sov_instance_claim(&commit, n, 0, &self, &fence, &done, &err));
    else
        FIXTURE_DO(f, who, &done, sov_instance_claim(&commit, n, 0, &self, &fence, &done, &err));
    return fence;
}

static int64_t opened(struct fixture *f, const char *actor)
{
    struct sov_done done;

    FIXTURE_DO(f, "master", &done, sov_session_open(&commit, actor, "the desk", &done, &err));
    return work_n(&done);
}

struct claimed {
    int64_t fence, incarnation;
};
static struct claimed take(struct fixture *f, const char *who, int64_t n, int64_t instance,
                           int64_t fence, const char *expected)
{
    struct sov_who self = work_who();
    struct sov_session_claim asked = { n, instance, fence, 0, &self };
    struct claimed got = { 0 };
    struct sov_done done;

    if (expected)
        FIXTURE_REFUSED(
            f, who, expected, &done,
            sov_session_claim(&commit, &asked, &got.fence, &got.incarnation, &done, &err));
    else
        FIXTURE_DO(f, who, &done,
                   sov_session_claim(&commit, &asked, &got.fence, &got.incarnation, &done, &err));
    return got;
}

static void renew(struct fixture *f, const char *who, int64_t n, int64_t fence,
                  const char *expected)
{
    struct sov_who self = work_who();
    struct sov_done done;

    self.boot_ms = f->now.boot_ms;
    if (expected)
        FIXTURE_REFUSED(f, who, expected, &done,
                        sov_session_renew(&commit, n, fence, 0, &self, &done, &err));
    else
        FIXTURE_DO(f, who, &done, sov_session_renew(&commit, n, fence, 0, &self, &done, &err));
}

static void alive(struct fixture *f, const char *who, int64_t n, int64_t fence,
                  const char *expected)
{
    struct sov_who self = work_who();
    struct sov_done done;

    self.boot_ms = f->now.boot_ms;
    if (expected)
        FIXTURE_REFUSED(f, who, expected, &done,
                        sov_instance_renew(&commit, n, fence, 0, &self, &done, &err));
    else
        FIXTURE_DO(f, who, &done, sov_instance_renew(&commit, n, fence, 0, &self, &done, &err));
}

static void shut(struct fixture *f, const char *who, int64_t n, int64_t fence, bool abandoned,
                 const char *expected)
{
    struct sov_session_close asked = {
        .session = n, .fence = fence, .abandoned = abandoned, .result = sov_bytes_text("the end")
    };
    struct sov_done done;

    if (expected)
        FIXTURE_REFUSED(f, who, expected, &done, sov_session_close(&commit, &asked, &done, &err));
    else
        FIXTURE_DO(f, who, &done, sov_session_close(&commit, &asked, &done, &err));
}

static struct sov_session see(struct fixture *f, int64_t n)
{
    struct sov_session session;
    struct sov_error err = { 0 };
    bool found;

    assert_true(sov_session_find(f->ledger, n, &f->arena, &session, &found, &err));
    assert_true(found);
    return session;
}

static size_t supervise(struct fixture *f)
{
    struct sov_supervise_options options = { .pid = 9, .start = 90 };
    struct sov_supervised out = { 0 };
    struct sov_error err = { 0 };

    if (!sov_supervise(f->ledger, &options, &f->arena, &out, &err)) fail_msg("%s", err.what);
    assert_int_equal(out.fault_count, 0);
    return out.act_count;
}

static void an_instance_runs_once_under_its_registrar(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;
    int64_t fence;

    FIXTURE_REFUSED(f, "operator", "bad_value", &done,
                    sov_instance_register(&commit, " ", &done, &err));
    assert_int_equal(registered(f, "operator"), 1);
    running(f, "master", 1, "not_addressed");
    running(f, "operator", 7, "no_such_id");
    fence = running(f, "operator", 1, NULL);
    running(f, "operator", 1, "claim_held");
    alive(f, "operator", 1, fence - 1, "stale_fence");
    alive(f, "master", 1, fence, "not_addressed");
    fixture_tick(f, 3600 * 1000); /* late, but nobody has said so */
    alive(f, "operator", 1, fence, NULL);
    FIXTURE_REFUSED(f, "operator", "reason_missing", &done,
                    sov_instance_retire(&commit, 1, fence, NULL, &done, &err));
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_instance_retire(&commit, 1, fence + 1, "r", &done, &err));
    FIXTURE_DO(f, "operator", &done,
               sov_instance_retire(&commit, 1, fence, "closing time", &done, &err));
    running(f, "operator", 1, "wrong_state");
    alive(f, "operator", 1, fence, "stale_fence");
    fixture_assert_refold_equal(f);
}

static void two_programs_under_one_name_cannot_share_a_session(void **state)
{
    struct fixture *f = *state;
    struct claimed first, second;
    int64_t one, two;

    registered(f, "operator");
    registered(f, "operator");
    registered(f, "master");
    one = running(f, "operator", 1, NULL);
    two = running(f, "operator", 2, NULL);
    opened(f, "operator");
    take(f, "master", 1, 3, running(f, "master", 3, NULL), "not_addressed");
    take(f, "operator", 1, 1, two, "instance_fence");
    take(f, "operator", 1, 1, one + 100, "instance_fence");
    take(f, "operator", 9, 1, one, "no_such_id");
    first = take(f, "operator", 1, 1, one, NULL);
    assert_int_equal(first.incarnation, 1);
    assert_int_equal(see(f, 1).instance_fence, one);
    take(f, "operator", 1, 2, two, "claim_held");
    renew(f, "operator", 1, first.fence, NULL);
    assert_int_equal(see(f, 1).incarnation, 1); /* renewing keeps it */
    fixture_tick(f, 66 * 1000);
    assert_int_equal(supervise(f), 4); /* three instances, and the session */
    two = running(f, "operator", 2, NULL);
    second = take(f, "operator", 1, 2, two, NULL);
    assert_int_equal(second.incarnation, 2);
    renew(f, "operator", 1, first.fence, "stale_fence"); /* the old incarnation calls back */
    shut(f, "operator", 1, first.fence, false, "stale_fence");
    renew(f, "operator", 1, second.fence, NULL);
    fixture_assert_refold_equal(f);
}

static void past_its_time_or_its_instances_nothing_is_said(void **state)
{
    struct fixture *f = *state;
    int64_t fence, instance;

    registered(f, "operator");
    opened(f, "operator");
    instance = running(f, "operator", 1, NULL);
    fence = take(f, "operator", 1, 1, instance, NULL).fence;
    fixture_tick(f, 59 * 1000);
    renew(f, "operator", 1, fence, NULL); /* the session until 119 s, the instance until 60 s */
    fixture_tick(f, 1000);
    renew(f, "operator", 1, fence, "claim_overdue");
    shut(f, "operator", 1, fence, false, "claim_overdue");
    alive(f, "operator", 1, instance, NULL);
    renew(f, "operator", 1, fence, NULL); /* until 120 s, both */
    fixture_tick(f, 59 * 1000);
    alive(f, "operator", 1, instance, NULL);
    fixture_tick(f, 1000);
    renew(f, "operator", 1, fence, "claim_overdue");
    shut(f, "operator", 1, fence, true, "claim_overdue");
    fixture_tick(f, 6 * 1000);
    assert_int_equal(supervise(f), 1);
    assert_int_equal(see(f, 1).state, SOV_SESSION_OPEN);
    fixture_tick(f, 60 * 1000);
    take(f, "operator", 1, 1, instance, "claim_overdue"); /* an instance that may be gone */
}

static void when_the_instance_is_gone_so_is_what_it_carried_on(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;
    int64_t fence, instance;

    registered(f, "operator");
    opened(f, "operator");
    instance = running(f, "operator", 1, NULL);
    fence = take(f, "operator", 1, 1, instance, NULL).fence;
    FIXTURE_DO(f, "operator", &done,
               sov_instance_retire(&commit, 1, instance, "gone", &done, &err));
    renew(f, "operator", 1, fence, "instance_fence");
    shut(f, "operator", 1, fence, false, "instance_fence");
    assert_int_equal(see(f, 1).state, SOV_SESSION_CLAIMED); /* until its own time is over */
}

static void a_closed_session_stays_closed(void **state)
{
    struct fixture *f = *state;
    int64_t fence, instance;

    registered(f, "operator");
    instance = running(f, "operator", 1, NULL);
    for (int64_t n = 1; n <= 2; n++) {
        opened(f, "operator");
        fence = take(f, "operator", n, 1, instance, NULL).fence;
        shut(f, "master", n, fence, n == 2, "not_addressed");
        shut(f, "operator", n, fence, n == 2, NULL);
        assert_int_equal(see(f, n).state, n == 2 ? SOV_SESSION_ABANDONED : SOV_SESSION_COMPLETED);
        shut(f, "operator", n, fence, n == 2, "session_closed");
        renew(f, "operator", n, fence, "session_closed");
        take(f, "operator", n, 1, instance, "session_closed");
    }
    fixture_assert_refold_equal(f);
}

static void what_is_no_session_is_refused(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;

    FIXTURE_REFUSED(f, "master", "no_such_id", &done,
                    sov_session_open(&commit, "nobody", "p", &done, &err));
    FIXTURE_REFUSED(f, "master", "bad_value", &done,
                    sov_session_open(&commit, "operator", " ", &done, &err));
    FIXTURE_REFUSED(f, "master", "bad_value", &done,
                    sov_session_open(&commit, "Operator", "p", &done, &err));
    FIXTURE_REFUSED(f, "nobody", "no_such_id", &done,
                    sov_session_open(&commit, "operator", "p", &done, &err));
}

#define T(test) cmocka_unit_test_setup_teardown(test, work_setup, work_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        T(an_instance_runs_once_under_its_registrar),
        T(two_programs_under_one_name_cannot_share_a_session),
        T(past_its_time_or_its_instances_nothing_is_said),
        T(when_the_instance_is_gone_so_is_what_it_carried_on),
        T(a_closed_session_stays_closed),
        T(what_is_no_session_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
