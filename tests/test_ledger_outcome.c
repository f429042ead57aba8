/* Outcomes: definition, terms, closing cascade; each refusal in its order. */
#include "tests/ledger_work.h"

#define CHECK(params) "[{\"id\":\"c\",\"kind\":\"" params "}}]"

static void an_outcome_is_defined_as_it_was_asked(void **state)
{
    struct fixture *f = *state;
    struct sov_outcome_request request = work_definition("SKU-TEA");
    struct sov_outcome outcome;
    struct sov_hash digest;
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done, sov_outcome_define(&commit, &request, &done, &err));
    outcome = work_see_outcome(f, 1);
    digest =
        sov_definition_digest(request.checks, sov_bytes_text(request.desired_state), "SKU-TEA");
    assert_memory_equal(&outcome.definition_digest, &digest, sizeof digest);
    assert_string_equal(outcome.title, request.title);
    assert_string_equal(outcome.subject, "SKU-TEA");
    assert_string_equal(outcome.owner, "principal");
    assert_true(sov_bytes_equal(outcome.checks, request.checks));
    assert_int_equal(outcome.state, SOV_OUTCOME_PROPOSED);
    assert_int_equal(outcome.term, 0);
    assert_int_equal(outcome.seq, done.seq);
}

static void a_definition_that_is_none_is_refused(void **state)
{
    static const struct {
        const char *code;
        struct sov_outcome_request request;
        const char *checks; /* NULL: good ones */
    } rows[] = {
        { "bad_value", { .title = "", .desired_state = "d" }, NULL },
        { "bad_value", { .title = " \t", .desired_state = "d" }, NULL },
        { "bad_value", { .title = "t", .desired_state = NULL }, NULL },
        { "bad_value", { .title = "t", .desired_state = "d", .subject = " " }, NULL },
        { "bad_value", { .title = "t", .desired_state = "d", .owner = "No One" }, NULL },
        { "no_such_id", { .title = "t", .desired_state = "d", .owner = "nobody" }, NULL },
        { "bad_json", { .title = "t", .desired_state = "d" }, "[ ]" },
        { "bad_value", { .title = "t", .desired_state = "d" }, "{}" },
        { "bad_value", { .title = "t", .desired_state = "d" }, "[{\"id\":\"a\"}]" },
        { "checks_missing", { .title = "t", .desired_state = "d" }, "[]" },
        { "check_invalid", { .title = "t", .desired_state = "d" }, CHECK("nope\",\"params\":{") },
        { "check_invalid",
          { .title = "t", .desired_state = "d" },
          CHECK("file-exists\",\"params\":{\"path\":\"a\",\"size\":1") },
        { "subject_undeclared",
          { .title = "t", .desired_state = "d" },
          CHECK("effect-present\",\"params\":{\"kind\":\"k\"") },
        { "subject_undeclared",
          { .title = "t", .desired_state = "d", .subject = "SKU-TEA" },
          CHECK("effect-present\",\"params\":{\"kind\":\"k\"") },
    };
    struct fixture *f = *state;
    struct sov_done done;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_outcome_request request = rows[i].request;

        request.checks = sov_bytes_text(rows[i].checks ? rows[i].checks : WORK_CHECKS);
        FIXTURE_REFUSED(f, "principal", rows[i].code, &done,
                        sov_outcome_define(&commit, &request, &done, &err));
    }
}

static void a_text_over_its_limit_is_too_large(void **state)
{
    struct fixture *f = *state;
    struct sov_outcome_request request = work_definition(NULL);
    char *text = sov_arena_take(&f->arena, 4002);
    struct sov_done done;

    memset(text, 'x', 4001);
    request.desired_state = text;
    FIXTURE_REFUSED(f, "principal", "too_large", &done,
                    sov_outcome_define(&commit, &request, &done, &err));
    text[4000] = '\0';
    FIXTURE_DO(f, "principal", &done, sov_outcome_define(&commit, &request, &done, &err));
}

static void a_revision_keeps_state_and_term(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f);
    struct sov_outcome_request request = work_definition("SKU-COFFEE");
    struct sov_outcome before = work_see_outcome(f, n), after;
    struct sov_done done;

    FIXTURE_REFUSED(f, "principal", "reason_missing", &done,
                    sov_outcome_revise(&commit, n, &request, &done, &err));
    request.reason = "\n";
    FIXTURE_REFUSED(f, "principal", "reason_missing", &done,
                    sov_outcome_revise(&commit, n, &request, &done, &err));
    request.reason = "another subject";
    FIXTURE_DO(f, "principal", &done, sov_outcome_revise(&commit, n, &request, &done, &err));
    after = work_see_outcome(f, n);
    assert_string_equal(after.subject, "SKU-COFFEE");
    assert_memory_not_equal(&before.definition_digest, &after.definition_digest,
                            sizeof after.definition_digest);
    assert_int_equal(after.state, SOV_OUTCOME_ACTIVE);
    assert_int_equal(after.term_seq, before.term_seq);
    assert_int_equal(after.seq, before.seq);
}

static void an_owner_stays_until_another_is_named(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f);
    struct sov_outcome_request request = work_definition(NULL);
    struct sov_done done;

    work_actor(f, "chair", "person", "principal", NULL);
    request.reason = "x";
    FIXTURE_DO(f, "chair", &done, sov_outcome_revise(&commit, n, &request, &done, &err));
    assert_string_equal(work_see_outcome(f, n).owner, "principal");
    request.owner = "chair";
    FIXTURE_DO(f, "principal", &done, sov_outcome_revise(&commit, n, &request, &done, &err));
    assert_string_equal(work_see_outcome(f, n).owner, "chair");
    request.owner = NULL;
    FIXTURE_REFUSED(f, "\xff", "bad_value", &done,
                    sov_outcome_define(&commit, &request, &done, &err));
}

static void the_subject_is_fixed_once_the_term_has_work(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f);
    struct sov_outcome_request request = work_definition("SKU-TEA");
    struct sov_done done;

    work_draft(f, n);
    request.reason = "another subject";
    FIXTURE_REFUSED(f, "principal", "subject_fixed", &done,
                    sov_outcome_revise(&commit, n, &request, &done, &err));
    request.checks = sov_bytes_text("[]"); /* asked before */
    FIXTURE_REFUSED(f, "principal", "checks_missing", &done,
                    sov_outcome_revise(&commit, n, &request, &done, &err));
    request = work_definition(NULL);
    request.reason = "the title alone";
    FIXTURE_DO(f, "principal", &done, sov_outcome_revise(&commit, n, &request, &done, &err));
}

static void arrows_that_are_none_are_refused(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_define(f, NULL);
    struct sov_done done;

    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_outcome_block(&commit, n, "x", &done, &err));
    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_outcome_unblock(&commit, n, "x", &done, &err));
    FIXTURE_REFUSED(f, "principal", "wrong_state", &done,
                    sov_outcome_fail(&commit, n, "x", 0, &done, &err));
    FIXTURE_REFUSED(f, "principal", "wrong_state", &done,
                    sov_outcome_reopen(&commit, n, "x", &done, &err));
    FIXTURE_DO(f, "master", &done, sov_outcome_activate(&commit, n, &done, &err));
    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_outcome_activate(&commit, n, &done, &err));
    FIXTURE_REFUSED(f, "master", "reason_missing", &done,
                    sov_outcome_block(&commit, n, NULL, &done, &err));
    FIXTURE_DO(f, "principal", &done, sov_outcome_cancel(&commit, n, "x", 0, &done, &err));
    FIXTURE_REFUSED(f, "principal", "wrong_state", &done,
                    sov_outcome_cancel(&commit, n, "x", 0, &done, &err));
}

static void an_unblocking_leads_back_to_where_it_came_from(void **state)
{
    struct fixture *f = *state;
    int64_t a = work_outcome(f), b = work_outcome(f);
    struct sov_done done;

    work_force(f, b, SOV_OUTCOME_VIOLATED);
    for (int64_t n = a; n <= b; n++) {
        FIXTURE_DO(f, "master", &done, sov_outcome_block(&commit, n, "wait", &done, &err));
        assert_int_equal(work_see_outcome(f, n).state, SOV_OUTCOME_BLOCKED);
        FIXTURE_DO(f, "master", &done, sov_outcome_unblock(&commit, n, "go on", &done, &err));
    }
    assert_int_equal(work_see_outcome(f, a).state, SOV_OUTCOME_ACTIVE);
    assert_int_equal(work_see_outcome(f, b).state, SOV_OUTCOME_VIOLATED);
    assert_int_equal(work_see_outcome(f, b).blocked_from, SOV_OUTCOME_NONE);
}

static void a_violated_outcome_is_reopened_by_who_steers(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f);
    struct sov_outcome outcome;
    struct sov_done done;

    work_force(f, n, SOV_OUTCOME_VIOLATED);
    assert_int_equal(work_see_outcome(f, n).acceptance, 1);
    FIXTURE_REFUSED(f, "operator", "not_authorised", &done,
                    sov_outcome_reopen(&commit, n, "x", &done, &err));
    FIXTURE_DO(f, "master", &done, sov_outcome_reopen(&commit, n, "sold out", &done, &err));
    outcome = work_see_outcome(f, n);
    assert_int_equal(outcome.state, SOV_OUTCOME_ACTIVE);
    assert_int_equal(outcome.term, 2);
    assert_int_equal(outcome.term_seq, done.seq);
    assert_int_equal(outcome.acceptance, 0);
}

static void an_accepted_outcome_needs_close_and_a_ruling(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f);
    struct sov_done done;

    work_force(f, n, SOV_OUTCOME_ACCEPTED);
    FIXTURE_REFUSED(f, "master", "not_authorised", &done,
                    sov_outcome_reopen(&commit, n, "x", &done, &err));
    FIXTURE_REFUSED(f, "principal", "ruling_missing", &done,
                    sov_outcome_reopen(&commit, n, "x", &done, &err));
    FIXTURE_REFUSED(f, "principal", "wrong_state", &done,
                    work_lead(&commit, SOV_EVENT_WAKE_DECIDED, &err) &&
                        sov_outcome_follow_reopened(&commit, n, "the pulse has no leave", &err));
}

#define RULED(n, applies_to, effect)                                                               \
    "INSERT INTO state_ruling (n, question, decision, rationale, applies_to, effect, ruler, key, " \
    "statement, signature, seq) VALUES (" n ", 'q', 'd', 'r', '" applies_to "', '" effect          \
    "', 'sparring', 'k', zeroblob(32), zeroblob(64), 5)"

static void a_ruling_that_counts_gives_leave_to_reopen(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f);
    struct sov_error outer = { 0 };
    struct sov_event event;
    struct sov_done done;

    work_force(f, n, SOV_OUTCOME_ACCEPTED);
    work_said(f, RULED("1", "outcome/OUT-2", "reopen"));
    work_said(f, RULED("2", "outcome/OUT-1", "hold"));
    work_said(f, RULED("3", "outcome/OUT-1", "reopen"));
    work_said(f, "UPDATE state_ruling SET revoked_seq = 9 WHERE n = 3");
    FIXTURE_REFUSED(f, "principal", "ruling_missing", &done,
                    sov_outcome_reopen(&commit, n, "x", &done, &err));
    work_said(f, RULED("4", "outcome/OUT-1", "reopen"));
    FIXTURE_DO(f, "principal", &done, sov_outcome_reopen(&commit, n, "x", &done, &err));
    assert_int_equal(work_see_outcome(f, n).term, 2);
    assert_true(sov_log_event(f->ledger, done.seq, &f->arena, &event, &outer));
    assert_int_equal(sov_data_number(&event, "ruling", SOV_STREAM_RULING), 4);
}

static void the_pulse_reopens_what_is_violated(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), head;
    struct sov_done done;

    work_force(f, n, SOV_OUTCOME_VIOLATED);
    head = fixture_head(f);
    FIXTURE_DO(f, "principal", &done,
               work_lead(&commit, SOV_EVENT_WAKE_DECIDED, &err) &&
                   sov_outcome_follow_reopened(&commit, n, "restock-low", &err));
    work_assert_events(f, head + 1, "filesystem.allowed outcome.reopened");
    assert_int_equal(work_see_outcome(f, n).term, 2);
}

static void closing_takes_everything_that_lives_along(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sows[5], assignment, head, seq;
    struct sov_error outer = { 0 };
    struct sov_event event;
    struct sov_claim claim;
    struct sov_done done;
    bool found;

    for (size_t i = 0; i < 5; i++) sows[i] = work_sow(f, n);
    FIXTURE_DO(f, "master", &done, sov_sow_withdraw(&commit, sows[0], "x", &done, &err));
    work_round(f, sows[1], SOV_ASSIGNMENT_FAILED);
    work_assign(f, sows[2], "operator");
    assignment = work_assign(f, sows[4], "operator");
    work_claim(f, assignment, "operator");
    head = fixture_head(f);
    FIXTURE_DO(f, "principal", &done, sov_outcome_fail(&commit, n, "no tea", 0, &done, &err));
    work_assert_events(f, head + 1,
                       "outcome.failed sow.withdrawn sow.withdrawn assignment.cancelled "
                       "sow.withdrawn sow.withdrawn assignment.cancelled claim.released");
    for (seq = head + 2; seq <= fixture_head(f); seq++) {
        assert_true(sov_log_event(f->ledger, seq, &f->arena, &event, &outer));
        assert_true(sov_bytes_is(event.actor, "host"));
        assert_non_null(strstr(sov_arena_text(&f->arena, event.cause.octets),
                               sov_arena_printf(&f->arena, "%lld", (long long)head + 1)));
    }
    assert_int_equal(work_see_outcome(f, n).state, SOV_OUTCOME_FAILED);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(work_see_sow(f, sows[i]).state, SOV_SOW_WITHDRAWN);
    assert_true(sov_claim_find(f->ledger, assignment, 0, &f->arena, &claim, &found, &outer));
    assert_false(found);
    assert_int_equal(work_see_assignment(f, assignment).fence, 0);
    fixture_assert_refold_equal(f);
}

static void what_was_accepted_stays_when_its_outcome_is_cancelled(void **state)
{
    static const int64_t reviews[] = { 1 };
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n), head;
    struct sov_done done;

    work_round(f, sow, SOV_ASSIGNMENT_COMPLETED);
    FIXTURE_DO(f, "principal", &done,
               work_lead(&commit, SOV_EVENT_REVIEW_DECIDED, &err) &&
                   sov_sow_follow_accepted(&commit, sow, reviews, 1, &err));
    head = fixture_head(f);
    FIXTURE_DO(f, "principal", &done, sov_outcome_cancel(&commit, n, "x", 0, &done, &err));
    work_assert_events(f, head + 1, "outcome.cancelled");
    assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_ACCEPTED);
}

static void a_successor_is_another_outcome_that_is_not_closed(void **state)
{
    struct fixture *f = *state;
    int64_t a = work_outcome(f), b = work_outcome(f), c = work_outcome(f);
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done, sov_outcome_cancel(&commit, c, "x", 0, &done, &err));
    FIXTURE_REFUSED(f, "principal", "successor_invalid", &done,
                    sov_outcome_fail(&commit, a, "x", a, &done, &err));
    FIXTURE_REFUSED(f, "principal", "successor_invalid", &done,
                    sov_outcome_fail(&commit, a, "x", c, &done, &err));
    FIXTURE_REFUSED(f, "principal", "no_such_id", &done,
                    sov_outcome_fail(&commit, a, "x", 9, &done, &err));
    FIXTURE_DO(f, "principal", &done, sov_outcome_fail(&commit, a, "x", b, &done, &err));
    assert_int_equal(work_see_outcome(f, a).successor, b);
}

static void outcomes_are_listed_by_what_they_are_about(void **state)
{
    struct fixture *f = *state;
    int64_t a = work_define(f, "SKU-TEA"), b = work_define(f, "SKU-COFFEE");
    struct sov_outcomes list;
    struct sov_error outer = { 0 };
    struct sov_done done;

    work_define(f, "SKU-TEA");
    FIXTURE_DO(f, "principal", &done, sov_outcome_cancel(&commit, 3, "x", 0, &done, &err));
    assert_true(sov_outcome_about(f->ledger, "SKU-TEA", &f->arena, &list, &outer));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.at[0].n, a);
    assert_true(sov_outcome_about(f->ledger, "OUT-2", &f->arena, &list, &outer));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.at[0].n, b);
    assert_true(sov_outcome_about(f->ledger, "OUT-3", &f->arena, &list, &outer));
    assert_int_equal(list.count, 0);
    assert_true(sov_outcome_list(f->ledger, &f->arena, &list, &outer));
    assert_int_equal(list.count, 3);
}

#define T(name) cmocka_unit_test_setup_teardown(name, work_setup, work_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(an_outcome_is_defined_as_it_was_asked),
        T(a_definition_that_is_none_is_refused),
        T(a_text_over_its_limit_is_too_large),
        T(a_revision_keeps_state_and_term),
        T(an_owner_stays_until_another_is_named),
        T(the_subject_is_fixed_once_the_term_has_work),
        T(arrows_that_are_none_are_refused),
        T(an_unblocking_leads_back_to_where_it_came_from),
        T(a_violated_outcome_is_reopened_by_who_steers),
        T(an_accepted_outcome_needs_close_and_a_ruling),
        T(a_ruling_that_counts_gives_leave_to_reopen),
        T(the_pulse_reopens_what_is_violated),
        T(closing_takes_everything_that_lives_along),
        T(what_was_accepted_stays_when_its_outcome_is_cancelled),
        T(a_successor_is_another_outcome_that_is_not_closed),
        T(outcomes_are_listed_by_what_they_are_about),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
