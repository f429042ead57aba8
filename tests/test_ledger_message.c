/* The mailbox: who may take a message up, what becomes of it, and of one that nobody can read
 * (model.md 9, 15). */
#include "tests/judgement_fixture.h"
#include "tests/ledger_work.h"

#define SEND(f, who, request_)                                                                     \
    FIXTURE_DO(f, who, &done, sov_message_send(&commit, request_, &done, &err))

static int64_t sent(struct fixture *f, const char *from, const char *to)
{
    struct sov_message_request request = { .to = to,
                                           .subject = "The till is open",
                                           .body = sov_bytes_text("please close it") };
    struct sov_done done;

    SEND(f, from, &request);
    return work_n(&done);
}

static struct sov_message see(struct fixture *f, int64_t n)
{
    struct sov_message message;
    struct sov_error err = { 0 };

    if (!sov_message_get(f->ledger, n, &f->arena, &message, &err)) fail_msg("%s", err.what);
    return message;
}

static const char *state_of(struct fixture *f, int64_t n)
{
    return sov_policy_message_name(see(f, n).state);
}

/* The fence; expected: the code that it is refused with. */
static int64_t claim(struct fixture *f, const char *who, int64_t n, const char *expected)
{
    struct sov_who self = work_who();
    struct sov_done done;
    int64_t fence = 0;

    if (expected)
        FIXTURE_REFUSED(f, who, expected, &done,
                        sov_message_claim(&commit, n, 0, &self, &fence, &done, &err));
    else
        FIXTURE_DO(f, who, &done, sov_message_claim(&commit, n, 0, &self, &fence, &done, &err));
    return fence;
}

static enum sov_message_state failed(struct fixture *f, const char *who, int64_t n, int64_t fence)
{
    enum sov_message_state state = SOV_MESSAGE_NONE;
    struct sov_done done;

    FIXTURE_DO(f, who, &done,
               sov_message_fail(&commit, n, fence, "not readable", &state, &done, &err));
    return state;
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

static void a_message_is_taken_up_and_done_under_its_fence(void **state)
{
    struct fixture *f = *state;
    int64_t n = sent(f, "master", "operator"), head = fixture_head(f), fence;
    struct sov_done done;

    assert_int_equal(n, 1);
    assert_string_equal(see(f, 1).from, "master");
    assert_string_equal(state_of(f, 1), "NEW");
    fence = claim(f, "operator", 1, NULL);
    assert_int_equal(fence, head + 1);
    assert_string_equal(state_of(f, 1), "CLAIMED");
    claim(f, "operator", 1, "claim_held");
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_message_done(&commit, 1, fence - 1, NULL, &done, &err));
    FIXTURE_REFUSED(f, "master", "not_addressed", &done,
                    sov_message_done(&commit, 1, fence, NULL, &done, &err));
    FIXTURE_DO(f, "operator", &done, sov_message_done(&commit, 1, fence, "closed", &done, &err));
    work_assert_events(f, head + 1, "claim.acquired message.done");
    assert_string_equal(state_of(f, 1), "DONE");
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_message_done(&commit, 1, fence, NULL, &done, &err));
    claim(f, "operator", 1, "wrong_state");
    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_message_requeue(&commit, 1, "again", &done, &err));
    fixture_assert_refold_equal(f);
}

static void only_whom_it_is_for_takes_it_up(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;

    work_actor(f, "builder", "robot", "operator", NULL);
    sent(f, "principal", "operator");
    sent(f, "principal", "role/operator");
    claim(f, "builder", 1, "not_addressed");
    claim(f, "principal", 1, "not_addressed"); /* who sent it, neither */
    claim(f, "master", 2, "not_addressed");
    claim(f, "builder", 2, NULL);
    claim(f, "operator", 2, "claim_held");
    claim(f, "builder", 9, "no_such_id");
    FIXTURE_DO(f, "principal", &done,
               sov_actor_change(&commit, "operator", SOV_ACTOR_SUSPEND, "away", &done, &err));
    claim(f, "operator", 1, "actor_inactive");
}

static void what_is_no_message_is_refused(void **state)
{
    static char long_body[SOV_MESSAGE_BODY_MAX + 2];
    const struct {
        struct sov_message_request request;
        const char *code;
    } rows[] = {
        { { .to = "nobody", .subject = "s" }, "no_such_id" },
        { { .to = "role/nobody", .subject = "s" }, "role_unknown" },
        { { .to = "Operator", .subject = "s" }, "bad_value" },
        { { .to = NULL, .subject = "s" }, "bad_value" },
        { { .to = "role/", .subject = "s" }, "bad_value" },
        { { .to = "operator", .subject = " " }, "bad_value" },
        { { .to = "operator", .subject = NULL }, "bad_value" },
        { { .to = "operator", .subject = long_body }, "too_large" },
        { { .to = "operator", .subject = "s", .about = "tea" }, "bad_value" },
        { { .to = "operator", .subject = "s", .about = "SOW-7" }, "no_such_id" },
        { { .to = "operator", .subject = "s", .reply_to = 7 }, "no_such_id" },
        { { .to = "operator", .subject = "s", .body = sov_bytes("\xff", 1) }, "bad_text" },
        { { .to = "operator", .subject = "s", .body = sov_bytes(long_body, sizeof long_body - 1) },
          "too_large" },
    };
    struct fixture *f = *state;
    struct sov_done done;

    memset(long_body, 'a', sizeof long_body - 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        FIXTURE_REFUSED(f, "master", rows[i].code, &done,
                        sov_message_send(&commit, &rows[i].request, &done, &err));
}

static void a_long_body_is_a_blob_and_an_answer_names_what_it_answers(void **state)
{
    static char body[SOV_TEXT_MESSAGE + 1];
    struct fixture *f = *state;
    struct sov_message_request request = { .to = "operator", .subject = "s", .about = "OUT-1" };
    struct sov_error why = { 0 };
    struct sov_event event;
    struct sov_done done;

    work_outcome(f);
    memset(body, 'b', sizeof body);
    request.body = sov_bytes(body, sizeof body - 1);
    SEND(f, "master", &request);
    assert_true(sov_log_event(f->ledger, done.seq, &f->arena, &event, &why));
    assert_true(sov_value_there(sov_data(&event, "body")));
    request.body.size++;
    request.reply_to = 1;
    SEND(f, "master", &request);
    assert_true(sov_log_event(f->ledger, done.seq, &f->arena, &event, &why));
    assert_false(sov_value_there(sov_data(&event, "body")));
    assert_int_equal(sov_value_int(sov_value_get(sov_data(&event, "body_ref"), "size")),
                     sizeof body);
    assert_string_equal(see(f, 2).about, "outcome/OUT-1");
    assert_int_equal(see(f, 2).reply_to, 1);
}

static void a_poison_message_dies_and_is_requeued(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;
    int64_t fence;

    sent(f, "operator", "sparring");
    for (int i = 0; i < 4; i++) { /* letting go is no failure */
        fence = claim(f, "sparring", 1, NULL);
        FIXTURE_DO(f, "sparring", &done,
                   sov_message_release(&commit, 1, fence, "not today", &done, &err));
    }
    assert_int_equal(see(f, 1).retries, 0);
    for (int i = 1; i <= 3; i++) {
        fence = claim(f, "sparring", 1, NULL);
        assert_int_equal(failed(f, "sparring", 1, fence),
                         i < 3 ? SOV_MESSAGE_NEW : SOV_MESSAGE_DEAD);
        assert_int_equal(see(f, 1).retries, i);
    }
    claim(f, "sparring", 1, "wrong_state");
    FIXTURE_REFUSED(f, "sparring", "not_authorised", &done, /* neither sender nor planner */
                    sov_message_requeue(&commit, 1, "again", &done, &err));
    FIXTURE_REFUSED(f, "operator", "reason_missing", &done,
                    sov_message_requeue(&commit, 1, " ", &done, &err));
    FIXTURE_DO(f, "operator", &done, sov_message_requeue(&commit, 1, "again", &done, &err));
    assert_string_equal(state_of(f, 1), "NEW");
    assert_int_equal(see(f, 1).retries, 0);
    for (int i = 1; i <= 3; i++) failed(f, "sparring", 1, claim(f, "sparring", 1, NULL));
    FIXTURE_DO(f, "master", &done, sov_message_requeue(&commit, 1, "again", &done, &err));
    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_message_requeue(&commit, 1, "again", &done, &err));
    fixture_assert_refold_equal(f);
}

static void a_claim_that_runs_out_is_one_failure_more(void **state)
{
    struct fixture *f = *state;
    struct sov_supervised pass;
    enum sov_message_state after;
    struct sov_done done;
    int64_t fence, head;

    sent(f, "master", "operator");
    fence = claim(f, "operator", 1, NULL);
    assert_int_equal(supervise(f).act_count, 0);
    fixture_tick(f, (900 + 6) * 1000);
    head = fixture_head(f);
    pass = supervise(f);
    assert_int_equal(pass.act_count, 1);
    assert_string_equal(pass.acts[0].id, "MSG-1");
    assert_string_equal(pass.acts[0].state, "NEW");
    work_assert_events(f, head + 1, "claim.expired message.failed");
    assert_int_equal(see(f, 1).retries, 1);
    assert_int_equal(supervise(f).act_count, 0);
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_message_done(&commit, 1, fence, NULL, &done, &err));
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_message_fail(&commit, 1, fence, "late", &after, &done, &err));
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_message_release(&commit, 1, fence, "late", &done, &err));
    for (int i = 2; i <= 3; i++) {
        claim(f, "operator", 1, NULL);
        fixture_tick(f, (900 + 6) * 1000);
        assert_string_equal(supervise(f).acts[0].state, i < 3 ? "NEW" : "DEAD");
    }
    assert_string_equal(state_of(f, 1), "DEAD");
    fixture_assert_refold_equal(f);
}

static void one_who_is_late_but_not_expired_may_still_finish(void **state)
{
    struct fixture *f = *state;
    struct sov_done done;
    int64_t fence;

    sent(f, "master", "operator");
    fence = claim(f, "operator", 1, NULL);
    fixture_tick(f, 5000 * 1000);
    FIXTURE_DO(f, "operator", &done, sov_message_done(&commit, 1, fence, NULL, &done, &err));
    assert_int_equal(supervise(f).act_count, 0);
}

static void the_same_request_again_is_answered_once(void **state)
{
    struct fixture *f = *state;
    struct sov_message_request request = { .to = "operator", .subject = "s" };
    struct sov_act act = fixture_act("master");
    int64_t head = 0;

    act.key = "once";
    for (int i = 0; i < 2; i++) {
        struct sov_commit commit = { 0 };
        struct sov_error err = { 0 };
        struct sov_done done;
        int64_t seq;
        bool ok = sov_commit_begin(&commit, f->ledger, &act, &err) &&
                  sov_message_send(&commit, &request, &done, &err) &&
                  sov_commit_finish(&commit, &seq, &err);

        sov_commit_end(&commit);
        if (!ok) fail_msg("%s", err.what);
        assert_int_equal(done.effect, i ? SOV_NOOP : SOV_CREATED);
        if (i) assert_int_equal(fixture_head(f), head);
        head = fixture_head(f);
    }
}

static void every_role_may_send_and_one_may_requeue(void **state)
{
    static const char *const actors[] = { "principal", "master", "operator", "sparring",
                                          "verifier" };
    struct fixture *f = *state;
    struct sov_done done;

    work_actor(f, "mole", "robot", "sparring", NULL);
    for (size_t i = 0; i < sizeof actors / sizeof *actors; i++) {
        int64_t n = sent(f, "mole", "operator");

        sent(f, actors[i], "mole");
        for (int k = 0; k < 3; k++) failed(f, "operator", n, claim(f, "operator", n, NULL));
        if (strcmp(actors[i], "master") == 0)
            FIXTURE_DO(f, actors[i], &done, sov_message_requeue(&commit, n, "r", &done, &err));
        else
            FIXTURE_REFUSED(f, actors[i], "not_authorised", &done,
                            sov_message_requeue(&commit, n, "r", &done, &err));
    }
}

static void the_worker_is_told_why_his_work_did_not_pass(void **state)
{
    struct sov_message message;
    struct sov_error why = { 0 };
    struct sov_event event;
    struct judging j;
    int64_t sow, head;

    (void)state;
    judging_open(&j);
    sow = judging_work(&j, judging_outcome(&j, NULL));
    judging_verify(&j, "verifier", sow, 0, false, NULL);
    head = fixture_head(&j.f);
    judging_review(&j, "sparring", sow, SOV_REVIEW_CHANGES_REQUESTED, NULL);
    assert_string_equal(judging_events(&j, head),
                        "review.decided sow.changes_requested message.sent");
    message = see(&j.f, 1);
    assert_string_equal(message.to, "operator");
    assert_string_equal(message.from, "host");
    assert_string_equal(message.about, "sow/SOW-1");
    assert_string_equal(message.subject, "REV-1 says changes_requested of SOW-1");
    assert_true(sov_log_event(j.f.ledger, message.seq, &j.f.arena, &event, &why));
    assert_true(sov_data_text(&event, "body", &j.f.arena).size > 0);
    judging_close(&j);
}

#define T(test) cmocka_unit_test_setup_teardown(test, work_setup, work_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        T(a_message_is_taken_up_and_done_under_its_fence),
        T(only_whom_it_is_for_takes_it_up),
        T(what_is_no_message_is_refused),
        T(a_long_body_is_a_blob_and_an_answer_names_what_it_answers),
        T(a_poison_message_dies_and_is_requeued),
        T(a_claim_that_runs_out_is_one_failure_more),
        T(one_who_is_late_but_not_expired_may_still_finish),
        T(the_same_request_again_is_answered_once),
        T(every_role_may_send_and_one_may_requeue),
        cmocka_unit_test(the_worker_is_told_why_his_work_did_not_pass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
