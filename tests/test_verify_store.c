/*
 * The store of model.md 14, from end to end: through the pulse, a run, the real checks, review and
 * acceptance. After each step the events, the stock and the cash are those of its table.
 */
#include "tests/unit.h"

#include <stdlib.h>

#include "tests/judgement_fixture.h"
#include "verify/checks.h"

#define STOCK                                                                                      \
    "{\"id\":\"stock-available\",\"kind\":\"balance-at-least\",\"params\":{\"min\":"               \
    "\"reorder_point\",\"terms\":[[\"inventory/{subject}\",1],[\"reserved/{subject}\",-1]]}}"
#define POSTED                                                                                     \
    "{\"id\":\"restock-posted\",\"kind\":\"postings-match\",\"params\":{\"kind\":"                 \
    "\"replenishment\"}}"
#define PRESENT                                                                                    \
    "{\"id\":\"restock-present\",\"kind\":\"effect-present\",\"params\":{\"kind\":"                \
    "\"replenishment\"}}"
#define EVIDENCE "evidence.recorded evidence.recorded evidence.recorded"

struct store {
    struct judging j;
    int64_t head; /* before the step */
};

static int setup(void **state)
{
    struct store *s = calloc(1, sizeof *s);

    judging_open(&s->j);
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    struct store *s = *state;

    judging_close(&s->j);
    free(s);
    return 0;
}

/* A second thing on the same till: SKU-COFFEE {210, 650, 6}, ten of it, OUT-2. */
static void coffee(struct store *s)
{
    static const struct sov_fact facts[] = { { "price", 650 },
                                             { "reorder_point", 6 },
                                             { "unit_cost", 210 } };
    struct sov_outcome_request request = {
        .title = "Coffee is in stock",
        .desired_state = "never below the reorder point",
        .subject = "SKU-COFFEE",
        .checks = sov_bytes_text("[" STOCK "," POSTED "," PRESENT "]"),
    };

    FIXTURE_DO(&s->j.f, "principal", s->j.done,
               sov_subject_declare(&commit, "SKU-COFFEE", facts, 3, &s->j.done, &err));
    FIXTURE_DO(&s->j.f, "principal", s->j.done,
               sov_account_open(&commit, "inventory/SKU-COFFEE", "unit", 10, &s->j.done, &err));
    FIXTURE_DO(&s->j.f, "principal", s->j.done,
               sov_account_open(&commit, "reserved/SKU-COFFEE", "unit", 0, &s->j.done, &err));
    FIXTURE_DO(&s->j.f, "principal", s->j.done,
               sov_outcome_define(&commit, &request, &s->j.done, &err));
    FIXTURE_DO(&s->j.f, "master", s->j.done, sov_outcome_activate(&commit, 2, &s->j.done, &err));
}

static int64_t balance(struct store *s, const char *name)
{
    struct sov_error err = { 0 };
    struct sov_account account;

    if (!sov_account_get(s->j.f.ledger, name, &s->j.f.arena, &account, &err))
        fail_msg("%s", err.what);
    return account.balance;
}

/* The events since the step before, and what stands on shelf and in the till. */
static void step(struct store *s, const char *events, int64_t stock, int64_t cash)
{
    assert_string_equal(judging_events(&s->j, s->head), events);
    assert_int_equal(balance(s, "inventory/SKU-TEA"), stock);
    assert_int_equal(balance(s, "cash"), cash);
    s->head = fixture_head(&s->j.f);
}

/* ---- acts ---- */

static void define(struct store *s)
{
    struct sov_outcome_request request = {
        .title = "Tea is in stock",
        .desired_state = "never below the reorder point",
        .subject = "SKU-TEA",
        .checks = sov_bytes_text("[" STOCK "," POSTED "," PRESENT "]"),
    };

    s->head = fixture_head(&s->j.f);
    FIXTURE_DO(&s->j.f, "principal", s->j.done,
               sov_outcome_define(&commit, &request, &s->j.done, &err));
    FIXTURE_DO(&s->j.f, "master", s->j.done, sov_outcome_activate(&commit, 1, &s->j.done, &err));
}

static void sell_of(struct store *s, const char *subject, int64_t quantity)
{
    struct sov_change_request request = {
        .kind = "sale", .subject = subject, .source = "till", .quantity = quantity
    };

    fixture_tick(&s->j.f, 60000);
    FIXTURE_DO(&s->j.f, "operator", s->j.done,
               sov_change_record(&commit, &request, &s->j.done, &err));
}

static void sell(struct store *s, int64_t quantity)
{
    sell_of(s, "SKU-TEA", quantity);
}

static void pulse(struct store *s, size_t count, const char *words)
{
    static const struct sov_pulse_options options = { 0 };
    struct sov_error err = { 0 };
    struct sov_pulseds pulsed;
    const char *text = "";

    if (!sov_pulse(s->j.f.ledger, &options, &s->j.f.arena, &pulsed, &err)) fail_msg("%s", err.what);
    assert_int_equal(pulsed.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct sov_pulsed *one = &pulsed.at[i];

        if (one->faulted) fail_msg("%s: %s", one->fault.code, one->fault.what);
        text = sov_arena_printf(&s->j.f.arena, "%s%sSIG-%lld %s %s", text, i ? ", " : "",
                                (long long)one->signal, sov_policy_wake_word(one->wake.decision),
                                one->wake.reason);
    }
    assert_string_equal(text, words);
}

static struct sov_observations look(struct store *s)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder repository = { 0 };
    struct sov_observations seen;
    struct sov_error err = { 0 };

    if (!sov_folder_open(&repository, s->j.f.repo, &err) ||
        !sov_checks_run(s->j.f.ledger, 1, &repository, &s->j.f.arena, &seen, &err))
        fail_msg("%s", err.what);
    assert_int_equal(seen.count, 3);
    return seen;
}

/* How many of the three checks passed. */
static size_t verify(struct store *s, int64_t sow, bool recheck)
{
    struct sov_verification_request request = { sow, sow ? 0 : 1, recheck };
    struct sov_observations seen = look(s);
    struct sov_verification_prepared prepared;
    struct sov_error outer = { 0 };
    size_t passed = 0;

    if (!sov_verification_prepare(s->j.f.ledger, "verifier", &request, &seen, &s->j.f.arena,
                                  &prepared, &outer))
        fail_msg("%s", outer.what);
    FIXTURE_DO(&s->j.f, "verifier", s->j.done,
               sov_verification_record(&commit, &prepared, &s->j.done, &err));
    for (size_t i = 0; i < seen.count; i++) passed += seen.at[i].success;
    return passed;
}

static void accept_it(struct store *s)
{
    struct sov_observations seen = look(s);
    struct sov_acceptance_request request = { .outcome = 1, .observations = &seen };
    struct sov_acceptance_prepared prepared;
    struct sov_error outer = { 0 };
    struct sov_signed_by by;
    bool accepted = false;

    if (!sov_acceptance_prepare(s->j.f.ledger, "principal", &request, &s->j.f.arena, &prepared,
                                &outer))
        fail_msg("%s", outer.what);
    if (prepared.verdict.count) fail_msg("%s", prepared.verdict.shut[0].code);
    if (!sov_statement_sign(s->j.f.ledger, "principal", NULL, SOV_ACCEPT_TAG, prepared.statement,
                            &by, &outer))
        fail_msg("%s", outer.what);
    FIXTURE_DO(&s->j.f, "principal", s->j.done,
               sov_acceptance_sign(&commit, &prepared, &by, &s->j.done, &accepted, &err));
    assert_true(accepted);
}

static void run(struct store *s, int64_t assignment, int64_t quantity)
{
    const struct judging_run run = { .path = "report.json", .content = "{}", .quantity = quantity };

    judging_run(&s->j, assignment, "operator", &run);
}

static int64_t claim(struct store *s, int64_t assignment)
{
    struct sov_who who = { .boot_ms = s->j.f.now.boot_ms };
    int64_t fence = 0;

    memcpy(who.machine, s->j.f.now.machine, sizeof who.machine);
    memcpy(who.boot, s->j.f.now.boot, sizeof who.boot);
    FIXTURE_DO(&s->j.f, "operator", s->j.done,
               sov_claim_acquire(&commit, assignment, 0, &who, &fence, &s->j.done, &err));
    return fence;
}

#define FIRED "wake.decided sow.created sow.readied assignment.created sow.assigned"
#define RAN                                                                                        \
    "claim.acquired sow.started run.started run.finished effect.committed account.posted "         \
    "account.posted signal.recorded receipt.recorded sow.submitted assignment.completed"
#define JUDGED                                                                                     \
    "verification.recorded " EVIDENCE " verification.recorded " EVIDENCE " outcome.verifying"

/* Steps 1 to 8. */
static void first_need(struct store *s)
{
    int64_t begin;

    define(s);
    begin = s->head;
    step(s, "outcome.defined outcome.activated", 4, 10000);
    sell(s, 2);
    step(s, "change.recorded account.posted account.posted signal.recorded", 2, 10800);
    pulse(s, 1, "SIG-1 fire need_open");
    step(s, FIRED, 2, 10800);
    run(s, 1, 6);
    step(s, RAN, 8, 10080);
    assert_int_equal(verify(s, 1, false), 3);
    assert_int_equal(verify(s, 0, false), 3);
    step(s, JUDGED, 8, 10080);
    judging_review(&s->j, "sparring", 1, SOV_REVIEW_ACCEPTED, NULL);
    step(s, "review.decided sow.accepted", 8, 10080);
    accept_it(s);
    step(s, "acceptance.signed outcome.accepted", 8, 10080);
    assert_int_equal(fixture_head(&s->j.f) - begin, 35);
}

static void a_need_is_met_and_comes_again(void **state)
{
    struct store *s = *state;

    first_need(s);
    sell(s, 6);
    step(s, "change.recorded account.posted account.posted signal.recorded", 2, 12480);
    pulse(s, 2, "SIG-2 ignore no_rule, SIG-3 defer outcome_accepted");
    step(s, "wake.decided wake.decided", 2, 12480);
    assert_int_equal(verify(s, 0, true), 2);
    step(s, "verification.recorded " EVIDENCE " outcome.violated", 2, 12480);
    pulse(s, 1, "SIG-3 fire need_open");
    step(s, "wake.decided outcome.reopened sow.created sow.readied assignment.created sow.assigned",
         2, 12480);
    run(s, 2, 6);
    step(s, RAN, 8, 11760);
    assert_int_equal(verify(s, 2, false), 3);
    assert_int_equal(verify(s, 0, false), 3);
    judging_review(&s->j, "sparring", 2, SOV_REVIEW_ACCEPTED, NULL);
    accept_it(s);
    step(s, JUDGED " review.decided sow.accepted acceptance.signed outcome.accepted", 8, 11760);
    assert_int_equal(judging_outcome_state(&s->j, 1), SOV_OUTCOME_ACCEPTED);
    /* What the run emitted has no rule; after that nothing is due. */
    pulse(s, 1, "SIG-4 ignore no_rule");
    pulse(s, 0, "");
}

static void work_that_did_nothing_is_sent_back(void **state)
{
    struct store *s = *state;
    struct sov_assignment_request again = { 1, "operator", NULL };

    define(s);
    sell(s, 2);
    pulse(s, 1, "SIG-1 fire need_open");
    s->head = fixture_head(&s->j.f);
    run(s, 1, 0);
    step(s,
         "claim.acquired sow.started run.started run.finished receipt.recorded sow.submitted "
         "assignment.completed",
         2, 10800);
    assert_int_equal(verify(s, 1, false), 0);
    judging_review(&s->j, "sparring", 1, SOV_REVIEW_CHANGES_REQUESTED, NULL);
    step(s, "verification.recorded " EVIDENCE " review.decided sow.changes_requested message.sent",
         2, 10800);
    FIXTURE_DO(&s->j.f, "master", s->j.done,
               sov_assignment_create(&commit, &again, &s->j.done, &err));
    step(s, "assignment.created sow.assigned", 2, 10800);
    run(s, 2, 6);
    step(s, RAN, 8, 10080);
    assert_int_equal(verify(s, 1, false), 3);
    judging_review(&s->j, "sparring", 1, SOV_REVIEW_ACCEPTED, NULL);
    assert_int_equal(verify(s, 0, false), 3);
    accept_it(s);
    assert_int_equal(judging_outcome_state(&s->j, 1), SOV_OUTCOME_ACCEPTED);
}

static void a_second_need_before_the_first_is_met_is_one_restock(void **state)
{
    struct store *s = *state;

    define(s);
    sell(s, 2);
    pulse(s, 1, "SIG-1 fire need_open");
    s->head = fixture_head(&s->j.f);
    sell(s, 1);
    step(s, "change.recorded account.posted account.posted signal.recorded", 1, 11200);
    pulse(s, 1, "SIG-2 duplicate live_sow");
    s->head = fixture_head(&s->j.f);
    run(s, 1, 6);
    step(s, RAN, 7, 10480);
    pulse(s, 1, "SIG-3 ignore no_rule");
    assert_int_equal(verify(s, 1, false), 3);
    judging_review(&s->j, "sparring", 1, SOV_REVIEW_ACCEPTED, NULL);
    pulse(s, 1, "SIG-2 ignore condition_false");
    pulse(s, 0, "");
}

static void a_second_subject_moves_nothing_of_the_first(void **state)
{
    struct store *s = *state;
    struct sov_proposal five = { "replenishment", "SKU-COFFEE", NULL, true, 5 };
    struct sov_run_file file = { "report.json", sov_bytes_text("{}") };
    struct sov_run_finish finish = { .assignment = 2,
                                     .observed = { .report = SOV_REPORT_COMPLETED },
                                     .ended_by = "self",
                                     .proposals = { &five, 1 },
                                     .files = &file,
                                     .file_count = 1,
                                     .has_report = true,
                                     .report = sov_bytes_text("{}"),
                                     .boundary_scoped = true,
                                     .boundary_computed = true };
    struct sov_run_start start = { .assignment = 2,
                                   .provider = "scripted",
                                   .adapter = "scripted",
                                   .adapter_version = 1,
                                   .egress = "public",
                                   .sandbox = "none" };
    struct sov_run_end end;

    first_need(s);
    coffee(s);
    s->head = fixture_head(&s->j.f);
    sell_of(s, "SKU-COFFEE", 5);
    step(s, "change.recorded account.posted account.posted signal.recorded", 8, 13330);
    assert_int_equal(balance(s, "inventory/SKU-COFFEE"), 5);
    pulse(s, 2, "SIG-2 ignore no_rule, SIG-3 fire need_open");
    step(s, "wake.decided " FIRED, 8, 13330);
    start.fence = finish.fence = claim(s, 2);
    FIXTURE_DO(&s->j.f, "operator", s->j.done, sov_run_start(&commit, &start, &s->j.done, &err));
    FIXTURE_DO(&s->j.f, "operator", s->j.done,
               sov_run_finish(&commit, &finish, &s->j.done, &end, &err));
    step(s, RAN, 8, 12280);
    assert_int_equal(balance(s, "inventory/SKU-COFFEE"), 10);
    assert_int_equal(judging_outcome_state(&s->j, 1), SOV_OUTCOME_ACCEPTED);
    assert_int_equal(judging_outcome_state(&s->j, 2), SOV_OUTCOME_ACTIVE);
}

static void what_the_shelf_cannot_give_is_refused(void **state)
{
    struct store *s = *state;
    struct sov_change_request request = {
        .kind = "sale", .subject = "SKU-TEA", .source = "till", .quantity = 51
    };

    FIXTURE_REFUSED(&s->j.f, "operator", "quantity_out_of_range", s->j.done,
                    sov_change_record(&commit, &request, &s->j.done, &err));
    request.quantity = 5;
    FIXTURE_REFUSED(&s->j.f, "operator", "constraint_failed", s->j.done,
                    sov_change_record(&commit, &request, &s->j.done, &err));
}

/* Supervise finds a started run whose claim is overdue. */
static void a_lost_worker_has_changed_no_account(void **state)
{
    static const struct sov_inspection looked = { "did_not_happen", "the shelf is empty" };
    struct store *s = *state;
    struct sov_run_start start = { .assignment = 1,
                                   .provider = "scripted",
                                   .adapter = "scripted",
                                   .adapter_version = 1,
                                   .egress = "public",
                                   .sandbox = "none" };
    struct sov_assignment_request again = { 1, "operator", NULL };
    struct sov_supervised supervised;
    struct sov_error outer = { 0 };
    int64_t first, second;

    define(s);
    sell(s, 2);
    pulse(s, 1, "SIG-1 fire need_open");
    first = claim(s, 1);
    start.fence = first;
    FIXTURE_DO(&s->j.f, "operator", s->j.done, sov_run_start(&commit, &start, &s->j.done, &err));
    s->head = fixture_head(&s->j.f);
    fixture_tick(&s->j.f, 906000);
    assert_true(sov_supervise(s->j.f.ledger,
                              &(struct sov_supervise_options){ .pid = 9, .start = 90 },
                              &s->j.f.arena, &supervised, &outer));
    assert_int_equal(supervised.act_count, 1);
    step(s, "claim.expired receipt.recorded sow.failed assignment.failed", 2, 10800);
    FIXTURE_REFUSED(&s->j.f, "master", "unknown_outcome", s->j.done,
                    sov_sow_retry(&commit, 1, "again", NULL, &s->j.done, &err));
    FIXTURE_DO(&s->j.f, "master", s->j.done,
               sov_sow_retry(&commit, 1, "again", &looked, &s->j.done, &err));
    FIXTURE_DO(&s->j.f, "master", s->j.done,
               sov_assignment_create(&commit, &again, &s->j.done, &err));
    second = claim(s, 2);
    assert_true(second > first);
    step(s, "sow.retried assignment.created sow.assigned claim.acquired sow.started", 2, 10800);
}

/* wake.decided <- sow.created <- assignment.created <- claim.acquired <- run.started <-
 * run.finished <- effect.committed <- account.posted: each cites the one before. */
static void attribution_closes_from_posting_to_signal(void **state)
{
    static const char *const walk[] = { "account.posted", "effect.committed", "run.finished",
                                        "run.started",    "claim.acquired",   "assignment.created",
                                        "sow.created",    "wake.decided",     "signal.recorded" };
    struct store *s = *state;
    struct sov_error err = { 0 };
    struct sov_event event;
    int64_t seq;

    first_need(s);
    for (seq = fixture_head(&s->j.f); seq; seq--) {
        assert_true(sov_log_event(s->j.f.ledger, seq, &s->j.f.arena, &event, &err));
        if (strcmp(sov_event_row(event.type)->type, walk[0]) == 0) break;
    }
    for (size_t i = 1; i < sizeof walk / sizeof *walk; i++) {
        struct sov_value cause = event.cause, item;
        bool found = false;
        size_t at = 0;

        if (!sov_value_there(cause)) fail_msg("%s cites nothing", walk[i - 1]);
        while (!found && sov_value_item(cause, &at, &item)) {
            assert_true(
                sov_log_event(s->j.f.ledger, sov_value_int(item), &s->j.f.arena, &event, &err));
            found = strcmp(sov_event_row(event.type)->type, walk[i]) == 0;
        }
        if (!found) fail_msg("%s does not cite its %s", walk[i - 1], walk[i]);
    }
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_need_is_met_and_comes_again),
        T(work_that_did_nothing_is_sent_back),
        T(a_second_need_before_the_first_is_met_is_one_restock),
        T(a_second_subject_moves_nothing_of_the_first),
        T(what_the_shelf_cannot_give_is_refused),
        T(a_lost_worker_has_changed_no_account),
        T(attribution_closes_from_posting_to_signal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
