#include "policy/policy.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Copied by hand from model.md 3: from, event, to. */
static const char outcome_arrows[] =
    "NONE outcome.defined PROPOSED,"
    "PROPOSED outcome.revised PROPOSED,ACTIVE outcome.revised ACTIVE,"
    "BLOCKED outcome.revised BLOCKED,"
    "PROPOSED outcome.activated ACTIVE,"
    "ACTIVE outcome.verifying VERIFYING,"
    "VERIFYING outcome.resumed ACTIVE,"
    "VERIFYING outcome.accepted ACCEPTED,"
    "ACCEPTED outcome.violated VIOLATED,"
    "VIOLATED outcome.reopened ACTIVE,"
    "ACCEPTED outcome.reopened ACTIVE,"
    "ACTIVE outcome.blocked BLOCKED,VERIFYING outcome.blocked BLOCKED,"
    "VIOLATED outcome.blocked BLOCKED,"
    "BLOCKED outcome.unblocked VIOLATED,BLOCKED outcome.unblocked ACTIVE,"
    "ACTIVE outcome.failed FAILED,VERIFYING outcome.failed FAILED,"
    "BLOCKED outcome.failed FAILED,VIOLATED outcome.failed FAILED,"
    "ACTIVE outcome.cancelled CANCELLED,VERIFYING outcome.cancelled CANCELLED,"
    "BLOCKED outcome.cancelled CANCELLED,VIOLATED outcome.cancelled CANCELLED,"
    "PROPOSED outcome.cancelled CANCELLED,";

static const char sow_arrows[] =
    "NONE sow.created DRAFT,"
    "DRAFT sow.revised DRAFT,DRAFT sow.readied READY,"
    "READY sow.assigned ASSIGNED,CHANGES_REQUESTED sow.assigned ASSIGNED,"
    "ASSIGNED sow.started RUNNING,"
    "ASSIGNED sow.returned READY,RUNNING sow.returned READY,"
    "RUNNING sow.returned ASSIGNED,"
    "RUNNING sow.submitted REVIEW,RUNNING sow.blocked BLOCKED,RUNNING sow.failed FAILED,"
    "REVIEW sow.accepted ACCEPTED,"
    "REVIEW sow.changes_requested CHANGES_REQUESTED,REVIEW sow.failed FAILED,"
    "ACCEPTED sow.reverified REVIEW,"
    "BLOCKED sow.retried READY,FAILED sow.retried READY,"
    "DRAFT sow.withdrawn WITHDRAWN,READY sow.withdrawn WITHDRAWN,"
    "ASSIGNED sow.withdrawn WITHDRAWN,RUNNING sow.withdrawn WITHDRAWN,"
    "REVIEW sow.withdrawn WITHDRAWN,CHANGES_REQUESTED sow.withdrawn WITHDRAWN,"
    "ACCEPTED sow.withdrawn WITHDRAWN,BLOCKED sow.withdrawn WITHDRAWN,"
    "FAILED sow.withdrawn WITHDRAWN,"
    "DRAFT sow.superseded SUPERSEDED,READY sow.superseded SUPERSEDED,"
    "ASSIGNED sow.superseded SUPERSEDED,RUNNING sow.superseded SUPERSEDED,"
    "REVIEW sow.superseded SUPERSEDED,CHANGES_REQUESTED sow.superseded SUPERSEDED,"
    "ACCEPTED sow.superseded SUPERSEDED,BLOCKED sow.superseded SUPERSEDED,"
    "FAILED sow.superseded SUPERSEDED,";

static const char assignment_arrows[] =
    "NONE assignment.created CREATED,"
    "CREATED claim.acquired RUNNING,"
    "RUNNING claim.renewed RUNNING,RUNNING run.started RUNNING,"
    "RUNNING claim.released CREATED,RUNNING claim.expired CREATED,"
    "RUNNING assignment.completed COMPLETED,RUNNING assignment.blocked BLOCKED,"
    "RUNNING assignment.failed FAILED,"
    "CREATED assignment.cancelled CANCELLED,RUNNING assignment.cancelled CANCELLED,"
    /* Named by the event lists of model.md 7, not by its table. */
    "RUNNING run.finished RUNNING,RUNNING claim.expired RUNNING,";

/* Copied by hand from model.md 9. */
static const char approval_arrows[] =
    "NONE approval.requested PENDING,PENDING approval.voted PENDING,"
    "PENDING approval.granted GRANTED,PENDING approval.denied DENIED,"
    "PENDING approval.expired EXPIRED,GRANTED approval.expired EXPIRED,"
    "PENDING approval.revoked REVOKED,GRANTED approval.revoked REVOKED,"
    "GRANTED approval.consumed CONSUMED,";

static const char message_arrows[] =
    "NONE message.sent NEW,NEW claim.acquired CLAIMED,CLAIMED claim.released NEW,"
    "CLAIMED message.done DONE,CLAIMED message.failed NEW,CLAIMED message.failed DEAD,"
    "DEAD message.requeued NEW,"
    /* Behind it comes message.failed, as its table says. */
    "CLAIMED claim.expired CLAIMED,";

/* Copied by hand from model.md 7 and 11. */
static const char instance_arrows[] =
    "NONE instance.registered REGISTERED,REGISTERED claim.acquired CLAIMED,"
    "CLAIMED claim.renewed CLAIMED,CLAIMED claim.expired REGISTERED,"
    "CLAIMED instance.retired RETIRED,";
static const char session_arrows[] =
    "NONE session.opened OPEN,OPEN claim.acquired CLAIMED,CLAIMED claim.renewed CLAIMED,"
    "CLAIMED claim.expired OPEN,CLAIMED session.closed COMPLETED,CLAIMED session.closed ABANDONED,";
static const char delivery_arrows[] =
    "NONE delivery.queued QUEUED,QUEUED claim.acquired CLAIMED,CLAIMED delivery.started STARTED,"
    "STARTED delivery.succeeded DELIVERED,CLAIMED delivery.failed QUEUED,"
    "CLAIMED delivery.failed DEAD,STARTED delivery.failed QUEUED,STARTED delivery.failed DEAD,"
    "STARTED claim.expired UNKNOWN,UNKNOWN delivery.resolved DELIVERED,"
    "UNKNOWN delivery.resolved QUEUED,DEAD delivery.resolved DELIVERED,"
    "DEAD delivery.resolved QUEUED,"
    /* Behind it comes delivery.failed, as the text says. */
    "CLAIMED claim.expired CLAIMED,";

static size_t count_of(const char *arrows)
{
    size_t count = 0;

    for (; *arrows; arrows++) count += *arrows == ',';
    return count;
}

/* A row stands at the start of the list or behind a comma: "FAILED" is no part of another name. */
static bool is_listed(const char *arrows, const char *row)
{
    for (const char *at = arrows; (at = strstr(at, row)); at++)
        if (at == arrows || at[-1] == ',') return true;
    return false;
}

static void expect(unsigned n, const char *name, const char *arrows)
{
    const struct sov_lifecycle *table = sov_policy_lifecycle(n);
    size_t found = 0;

    assert_string_equal(table->name, name);
    for (unsigned from = 0; from < table->state_count; from++)
        for (unsigned by = 0; by < table->event_count; by++)
            for (unsigned to = 0; to < table->state_count; to++) {
                char row[100];
                bool allowed = sov_lifecycle_allows(table, from, by, to);

                snprintf(row, sizeof row, "%s %s %s,", table->states[from], table->events[by],
                         table->states[to]);
                if (allowed != is_listed(arrows, row)) fail_msg("%s", row);
                found += allowed;
            }
    assert_int_equal(found, count_of(arrows));
}

static void every_outcome_arrow_is_in_the_table_or_refused(void **state)
{
    (void)state;
    expect(0, "outcome", outcome_arrows);
}

static void every_sow_arrow_is_in_the_table_or_refused(void **state)
{
    (void)state;
    expect(1, "sow", sow_arrows);
}

static void every_assignment_arrow_is_in_the_table_or_refused(void **state)
{
    (void)state;
    expect(2, "assignment", assignment_arrows);
}

static void every_approval_arrow_is_in_the_table_or_refused(void **state)
{
    (void)state;
    expect(3, "approval", approval_arrows);
}

static void every_message_arrow_is_in_the_table_or_refused(void **state)
{
    (void)state;
    expect(4, "message", message_arrows);
}

static void every_arrow_of_an_instance_a_session_a_delivery_is_in_its_table(void **state)
{
    (void)state;
    expect(5, "instance", instance_arrows);
    expect(6, "session", session_arrows);
    expect(7, "delivery", delivery_arrows);
}

static void the_typed_questions_ask_the_same_tables(void **state)
{
    (void)state;
    assert_true(sov_policy_outcome_arrow(SOV_OUTCOME_VERIFYING, SOV_OUTCOME_BY_ACCEPTED,
                                         SOV_OUTCOME_ACCEPTED));
    assert_false(sov_policy_outcome_arrow(SOV_OUTCOME_ACTIVE, SOV_OUTCOME_BY_ACCEPTED,
                                          SOV_OUTCOME_ACCEPTED));
    assert_true(sov_policy_sow_arrow(SOV_SOW_DRAFT, SOV_SOW_BY_READIED, SOV_SOW_READY));
    assert_false(sov_policy_sow_arrow(SOV_SOW_READY, SOV_SOW_BY_READIED, SOV_SOW_READY));
    assert_true(sov_policy_assignment_arrow(SOV_ASSIGNMENT_CREATED, SOV_ASSIGNMENT_BY_CLAIMED,
                                            SOV_ASSIGNMENT_RUNNING));
    assert_false(sov_policy_assignment_arrow(SOV_ASSIGNMENT_RUNNING, SOV_ASSIGNMENT_BY_CLAIMED,
                                             SOV_ASSIGNMENT_RUNNING));
    assert_true(sov_policy_approval_arrow(SOV_APPROVAL_GRANTED, SOV_APPROVAL_BY_CONSUMED,
                                          SOV_APPROVAL_CONSUMED));
    assert_false(sov_policy_approval_arrow(SOV_APPROVAL_CONSUMED, SOV_APPROVAL_BY_CONSUMED,
                                           SOV_APPROVAL_CONSUMED));
}

static void each_state_has_an_exit_or_is_terminal(void **state)
{
    static const char terminal[] =
        "outcome FAILED,outcome CANCELLED,sow WITHDRAWN,sow SUPERSEDED,"
        "assignment COMPLETED,assignment BLOCKED,assignment FAILED,"
        "assignment CANCELLED,approval DENIED,approval EXPIRED,"
        "approval REVOKED,approval CONSUMED,message DONE,instance RETIRED,"
        "session COMPLETED,session ABANDONED,delivery DELIVERED,";
    (void)state;
    for (unsigned n = 0; n < SOV_LIFECYCLE_COUNT; n++) {
        const struct sov_lifecycle *table = sov_policy_lifecycle(n);

        for (unsigned s = 0; s < table->state_count; s++) {
            char row[60];

            snprintf(row, sizeof row, "%s %s,", table->name, table->states[s]);
            if (sov_lifecycle_is_terminal(table, s) != is_listed(terminal, row))
                fail_msg("%s", row);
        }
    }
}

static void a_state_is_found_by_its_name_alone(void **state)
{
    enum sov_outcome_state outcome = SOV_OUTCOME_BLOCKED;
    enum sov_sow_state sow = SOV_SOW_BLOCKED;
    enum sov_assignment_state assignment = SOV_ASSIGNMENT_BLOCKED;
    enum sov_approval_state approval = SOV_APPROVAL_DENIED;
    enum sov_message_state message = SOV_MESSAGE_DEAD;

    (void)state;
    for (enum sov_approval_state s = 1; s < SOV_APPROVAL_STATE_COUNT; s++) {
        assert_true(sov_policy_approval_state(sov_policy_approval_name(s), &approval));
        assert_int_equal(approval, s);
    }
    for (enum sov_message_state s = 1; s < SOV_MESSAGE_STATE_COUNT; s++) {
        assert_true(sov_policy_message_state(sov_policy_message_name(s), &message));
        assert_int_equal(message, s);
    }
    assert_false(sov_policy_approval_state("NONE", &approval));
    assert_int_equal(approval, SOV_APPROVAL_CONSUMED);
    for (enum sov_sow_state s = 1; s < SOV_SOW_STATE_COUNT; s++) {
        assert_true(sov_policy_sow_state(sov_policy_sow_name(s), &sow));
        assert_int_equal(sow, s);
    }
    sow = SOV_SOW_BLOCKED;
    assert_true(sov_policy_outcome_state("VIOLATED", &outcome));
    assert_int_equal(outcome, SOV_OUTCOME_VIOLATED);
    assert_true(sov_policy_assignment_state("CREATED", &assignment));
    assert_int_equal(assignment, SOV_ASSIGNMENT_CREATED);
    assert_false(sov_policy_outcome_state("active", &outcome));
    assert_false(sov_policy_sow_state("NONE", &sow));
    assert_false(sov_policy_assignment_state("", &assignment));
    assert_int_equal(outcome, SOV_OUTCOME_VIOLATED);
    assert_int_equal(sow, SOV_SOW_BLOCKED);
    assert_int_equal(assignment, SOV_ASSIGNMENT_CREATED);
}

static void open_live_and_counting_are_what_the_model_says(void **state)
{
    (void)state;
    for (enum sov_outcome_state s = 0; s < SOV_OUTCOME_STATE_COUNT; s++)
        assert_int_equal(sov_policy_outcome_is_open(s),
                         s == SOV_OUTCOME_ACTIVE || s == SOV_OUTCOME_VERIFYING);
    for (enum sov_sow_state s = 0; s < SOV_SOW_STATE_COUNT; s++) {
        const char *name = sov_policy_sow_name(s);
        bool gone = strstr("NONE WITHDRAWN SUPERSEDED", name) != NULL;

        assert_int_equal(sov_policy_sow_counts(s), !gone);
        assert_int_equal(sov_policy_sow_is_live(s), !gone && strcmp(name, "ACCEPTED") != 0);
    }
    for (enum sov_assignment_state s = 0; s < SOV_ASSIGNMENT_STATE_COUNT; s++)
        assert_int_equal(sov_policy_assignment_is_live(s),
                         s == SOV_ASSIGNMENT_CREATED || s == SOV_ASSIGNMENT_RUNNING);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_outcome_arrow_is_in_the_table_or_refused),
        cmocka_unit_test(every_sow_arrow_is_in_the_table_or_refused),
        cmocka_unit_test(every_assignment_arrow_is_in_the_table_or_refused),
        cmocka_unit_test(every_approval_arrow_is_in_the_table_or_refused),
        cmocka_unit_test(every_message_arrow_is_in_the_table_or_refused),
        cmocka_unit_test(every_arrow_of_an_instance_a_session_a_delivery_is_in_its_table),
        cmocka_unit_test(the_typed_questions_ask_the_same_tables),
        cmocka_unit_test(each_state_has_an_exit_or_is_terminal),
        cmocka_unit_test(a_state_is_found_by_its_name_alone),
        cmocka_unit_test(open_live_and_counting_are_what_the_model_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
