/*
 * The tables of model.md 3 as the folds keep them: each event in each state, by enumeration,
 * with forged events folded directly. What is no arrow must fail and leave the row as it was. The
 * expectation is copied by hand from model.md, not from the tables in policy/.
 */
#include "tests/arrows_unit.h"

#define DEFINITION                                                                                 \
    "{\"checks\":[],\"definition_digest\":" DIGEST ",\"desired_state\":\"d\",\"owner\":\"a\","

static const struct forged outcome_events[] = {
    { SOV_EVENT_OUTCOME_DEFINED, DEFINITION "\"title\":\"t\"}", 0 },
    { SOV_EVENT_OUTCOME_REVISED, DEFINITION "\"reason\":\"r\",\"title\":\"t\"}", 0 },
    { SOV_EVENT_OUTCOME_ACTIVATED, "{}", 0 },
    { SOV_EVENT_OUTCOME_VERIFYING, "{\"verification\":\"VER-1\"}", 0 },
    { SOV_EVENT_OUTCOME_RESUMED, "{\"why\":\"w\"}", 0 },
    { SOV_EVENT_OUTCOME_ACCEPTED, "{\"acceptance\":\"ACC-1\",\"case_digest\":" DIGEST "}", 0 },
    { SOV_EVENT_OUTCOME_VIOLATED, "{\"failing\":[\"c\"],\"verification\":\"VER-1\"}", 0 },
    { SOV_EVENT_OUTCOME_REOPENED, "{\"reason\":\"r\",\"term\":2}", 0 },
    { SOV_EVENT_OUTCOME_BLOCKED, "{\"reason\":\"r\"}", 0 },
    { SOV_EVENT_OUTCOME_UNBLOCKED, "{\"reason\":\"r\"}", 0 },
    { SOV_EVENT_OUTCOME_FAILED, "{\"reason\":\"r\"}", 0 },
    { SOV_EVENT_OUTCOME_CANCELLED, "{\"reason\":\"r\",\"successor\":\"OUT-2\"}", 0 },
};

static void every_event_of_an_outcome_in_every_state(void **state)
{
    static const char arrows[] =
        "NONE outcome.defined PROPOSED,PROPOSED outcome.revised PROPOSED,"
        "ACTIVE outcome.revised ACTIVE,BLOCKED outcome.revised BLOCKED,"
        "HELD outcome.revised BLOCKED,"
        "PROPOSED outcome.activated ACTIVE,ACTIVE outcome.verifying VERIFYING,"
        "VERIFYING outcome.resumed ACTIVE,VERIFYING outcome.accepted ACCEPTED,"
        "ACCEPTED outcome.violated VIOLATED,VIOLATED outcome.reopened ACTIVE,"
        "ACCEPTED outcome.reopened ACTIVE,ACTIVE outcome.blocked BLOCKED,"
        "VERIFYING outcome.blocked BLOCKED,VIOLATED outcome.blocked BLOCKED,"
        "BLOCKED outcome.unblocked ACTIVE,HELD outcome.unblocked VIOLATED,"
        "ACTIVE outcome.failed FAILED,VERIFYING outcome.failed FAILED,"
        "BLOCKED outcome.failed FAILED,HELD outcome.failed FAILED,"
        "VIOLATED outcome.failed FAILED,"
        "ACTIVE outcome.cancelled CANCELLED,VERIFYING outcome.cancelled CANCELLED,"
        "BLOCKED outcome.cancelled CANCELLED,HELD outcome.cancelled CANCELLED,"
        "VIOLATED outcome.cancelled CANCELLED,PROPOSED outcome.cancelled CANCELLED,";
    static const char *const states[] = {
        "NONE",     "PROPOSED", "ACTIVE", "VERIFYING", "ACCEPTED",
        "VIOLATED", "BLOCKED",  "HELD",   "FAILED",    "CANCELLED"
    };
    char prepare[512];

    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        bool violated = strcmp(states[i], "HELD") == 0;

        snprintf(prepare, sizeof prepare,
                 "INSERT INTO state_outcome (n, title, desired_state, checks, owner, "
                 "definition_digest, state, term, term_seq, blocked_from, seq) "
                 "VALUES (1, 't', 'd', '[]', 'a', " BLOB ", '%s', 1, 2, %s, 1)",
                 violated ? "BLOCKED" : states[i],
                 violated                            ? "'VIOLATED'"
                 : strcmp(states[i], "BLOCKED") == 0 ? "'ACTIVE'"
                                                     : "NULL");
        try_all(*state, states[i], i ? prepare : "", "SELECT state FROM state_outcome WHERE n = 1",
                outcome_events, sizeof outcome_events / sizeof *outcome_events, arrows);
    }
}

static void a_reopening_names_the_next_term(void **state)
{
    static const struct forged wrong = { SOV_EVENT_OUTCOME_REOPENED,
                                         "{\"reason\":\"r\",\"term\":3}", 0 };
    struct sov_error err = { 0 };

    sql(*state, "SAVEPOINT arrow");
    sql(*state, "INSERT INTO state_outcome (n, title, desired_state, checks, owner, "
                "definition_digest, state, term, term_seq, seq) "
                "VALUES (1, 't', 'd', '[]', 'a', " BLOB ", 'VIOLATED', 1, 2, 1)");
    assert_false(fold(*state, &wrong, &err));
    assert_string_equal(err.code, "event_invalid");
    sql(*state, "ROLLBACK TO arrow");
    sql(*state, "RELEASE arrow");
}

#define SCOPE "\"deliverables\":[],\"done_when\":\"d\",\"non_goals\":[],"

static const struct forged sow_events[] = {
    { SOV_EVENT_SOW_CREATED,
      "{" SCOPE "\"origin\":{\"by\":\"manual\"},\"outcome\":\"OUT-1\",\"role\":\"r\","
      "\"scope\":\"s\",\"term\":1,\"title\":\"t\"}",
      0 },
    { SOV_EVENT_SOW_REVISED,
      "{" SCOPE "\"reason\":\"r\",\"role\":\"r\",\"scope\":\"s\",\"title\":\"t\"}", 0 },
    { SOV_EVENT_SOW_READIED, "{}", 0 },
    { SOV_EVENT_SOW_ASSIGNED, "{\"assignment\":\"ASG-3\",\"round\":2}", 0 },
    { SOV_EVENT_SOW_STARTED, "{\"assignment\":\"ASG-2\",\"attempt\":1}", 0 },
    { SOV_EVENT_SOW_SUBMITTED, "{\"assignment\":\"ASG-2\",\"receipt\":\"RCP-1\"}", 5 },
    { SOV_EVENT_SOW_BLOCKED, "{\"assignment\":\"ASG-2\",\"receipt\":\"RCP-1\"}", 5 },
    { SOV_EVENT_SOW_FAILED, "{\"assignment\":\"ASG-2\",\"receipt\":\"RCP-1\",\"why\":\"w\"}", 0 },
    { SOV_EVENT_SOW_ACCEPTED, "{\"reviews\":[\"REV-1\"]}", 0 },
    { SOV_EVENT_SOW_CHANGES_REQUESTED, "{\"reviews\":[\"REV-1\"]}", 0 },
    { SOV_EVENT_SOW_REVERIFIED, "{\"verification\":\"VER-1\"}", 0 },
    { SOV_EVENT_SOW_RETRIED, "{\"reason\":\"r\"}", 0 },
    { SOV_EVENT_SOW_WITHDRAWN, "{\"reason\":\"r\"}", 0 },
    { SOV_EVENT_SOW_SUPERSEDED, "{\"reason\":\"r\",\"successor\":\"SOW-2\"}", 0 },
};
static const struct forged sow_returns[] = {
    { SOV_EVENT_SOW_RETURNED, "{\"assignment\":\"ASG-2\",\"to\":\"READY\",\"why\":\"w\"}", 0 },
};
static const struct forged sow_half_returns[] = {
    { SOV_EVENT_SOW_RETURNED, "{\"assignment\":\"ASG-2\",\"to\":\"ASSIGNED\",\"why\":\"w\"}", 0 },
};
static const char *const sow_states[] = {
    "NONE",     "DRAFT",   "READY",  "ASSIGNED",  "RUNNING",   "REVIEW", "CHANGES_REQUESTED",
    "ACCEPTED", "BLOCKED", "FAILED", "WITHDRAWN", "SUPERSEDED"
};

static const char *sow_row(size_t i, char prepare[512])
{
    snprintf(prepare, 512,
             "INSERT INTO state_sow (n, outcome, term, title, scope, role, deliverables, "
             "non_goals, done_when, origin, author, state, rounds, assignment, seq) "
             "VALUES (1, 1, 1, 't', 's', 'r', '[]', '[]', 'd', 'manual', 'a', '%s', 1, 2, 1)",
             sow_states[i]);
    return i ? prepare : "";
}

static void every_event_of_a_sow_in_every_state(void **state)
{
    static const char arrows[] =
        "NONE sow.created DRAFT,DRAFT sow.revised DRAFT,DRAFT sow.readied READY,"
        "READY sow.assigned ASSIGNED,CHANGES_REQUESTED sow.assigned ASSIGNED,"
        "ASSIGNED sow.started RUNNING,RUNNING sow.submitted REVIEW,RUNNING sow.blocked BLOCKED,"
        "RUNNING sow.failed FAILED,REVIEW sow.accepted ACCEPTED,"
        "REVIEW sow.changes_requested CHANGES_REQUESTED,REVIEW sow.failed FAILED,"
        "ACCEPTED sow.reverified REVIEW,BLOCKED sow.retried READY,FAILED sow.retried READY,"
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
    static const char query[] = "SELECT state FROM state_sow WHERE n = 1";
    char prepare[512];

    for (size_t i = 0; i < sizeof sow_states / sizeof *sow_states; i++) {
        const char *row = sow_row(i, prepare);

        try_all(*state, sow_states[i], row, query, sow_events,
                sizeof sow_events / sizeof *sow_events, arrows);
        try_all(*state, sow_states[i], row, query, sow_returns, 1,
                "ASSIGNED sow.returned READY,RUNNING sow.returned READY,");
        try_all(*state, sow_states[i], row, query, sow_half_returns, 1,
                "RUNNING sow.returned ASSIGNED,");
    }
}

static void a_sow_follows_its_newest_assignment_alone(void **state)
{
    static const struct {
        const char *from;
        struct forged event;
    } rows[] = {
        { "READY", { SOV_EVENT_SOW_ASSIGNED, "{\"assignment\":\"ASG-3\",\"round\":3}", 0 } },
        { "READY", { SOV_EVENT_SOW_ASSIGNED, "{\"assignment\":\"ASG-2\",\"round\":2}", 0 } },
        { "ASSIGNED", { SOV_EVENT_SOW_STARTED, "{\"assignment\":\"ASG-1\",\"attempt\":1}", 0 } },
        { "RUNNING",
          { SOV_EVENT_SOW_SUBMITTED, "{\"assignment\":\"ASG-9\",\"receipt\":\"RCP-1\"}", 5 } },
        { "NONE",
          { SOV_EVENT_SOW_CREATED,
            "{" SCOPE "\"origin\":{\"by\":\"pulse\"},\"outcome\":\"OUT-1\",\"role\":\"r\","
            "\"scope\":\"s\",\"term\":1,\"title\":\"t\"}",
            0 } },
        { "NONE",
          { SOV_EVENT_SOW_CREATED,
            "{" SCOPE "\"origin\":{\"by\":\"manual\",\"seq\":3},\"outcome\":\"OUT-1\","
            "\"role\":\"r\",\"scope\":\"s\",\"term\":1,\"title\":\"t\"}",
            0 } },
    };
    char prepare[512];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < sizeof sow_states / sizeof *sow_states; k++)
            if (strcmp(sow_states[k], rows[i].from) == 0)
                try_all(*state, rows[i].from, sow_row(k, prepare),
                        "SELECT state FROM state_sow WHERE n = 1", &rows[i].event, 1, "");
}

static const struct forged assignment_events[] = {
    { SOV_EVENT_ASSIGNMENT_CREATED,
      "{\"actor\":\"operator\",\"outcome\":\"OUT-1\",\"prompt_digest\":" DIGEST ",\"round\":1,"
      "\"sow\":\"SOW-1\",\"workspace\":{\"id\":\"w\",\"policy\":\"keep\"}}",
      0 },
    { SOV_EVENT_CLAIM_ACQUIRED, "{\"attempt\":2,\"ttl_s\":60," WHO "}", 0 },
    { SOV_EVENT_CLAIM_RENEWED, "{\"ttl_s\":60," WHO "}", 5 },
    { SOV_EVENT_CLAIM_RELEASED, "{\"reason\":\"r\"}", 5 },
    { SOV_EVENT_CLAIM_EXPIRED, "{\"ground\":\"boot_clock\"," WHO "}", 5 },
    { SOV_EVENT_ASSIGNMENT_COMPLETED, "{\"receipt\":\"RCP-1\"}", 5 },
    { SOV_EVENT_ASSIGNMENT_BLOCKED, "{\"receipt\":\"RCP-1\"}", 5 },
    { SOV_EVENT_ASSIGNMENT_FAILED, "{\"receipt\":\"RCP-1\"}", 5 },
    { SOV_EVENT_ASSIGNMENT_CANCELLED, "{\"reason\":\"r\"}", 0 },
};
/* The same under a fence that is not the live one, and the failure that carries none. */
static const struct forged stale_events[] = {
    { SOV_EVENT_CLAIM_RENEWED, "{\"ttl_s\":60," WHO "}", 4 },
    { SOV_EVENT_CLAIM_RELEASED, "{\"reason\":\"r\"}", 4 },
    { SOV_EVENT_CLAIM_EXPIRED, "{\"ground\":\"boot_clock\"," WHO "}", 4 },
    { SOV_EVENT_ASSIGNMENT_COMPLETED, "{\"receipt\":\"RCP-1\"}", 4 },
    { SOV_EVENT_ASSIGNMENT_FAILED, "{\"receipt\":\"RCP-1\"}", 4 },
    { SOV_EVENT_CLAIM_ACQUIRED, "{\"attempt\":3,\"ttl_s\":60," WHO "}", 0 },
};
static const struct forged unfenced_failure[] = {
    { SOV_EVENT_ASSIGNMENT_FAILED, "{\"receipt\":\"RCP-1\"}", 0 },
};
/* Where an attempt can be: its state, whether claim 5 is there and live, what its run has done. */
static const struct {
    const char *name, *state;
    int live; /* -1: never claimed */
    int started, finished;
} spots[] = {
    { "NONE", NULL, -1, 0, 0 },
    { "CREATED", "CREATED", 0, 0, 0 },
    { "CLAIMED", "RUNNING", 1, 0, 0 },
    { "STARTED", "RUNNING", 1, 6, 0 },
    { "FINISHED", "RUNNING", 1, 6, 7 },
    { "LOST", "RUNNING", 0, 6, 0 },
    { "CUT", "CANCELLED", 1, 6, 0 },
    { "COMPLETED", "COMPLETED", 0, 6, 7 },
    { "BLOCKED", "BLOCKED", 0, 6, 7 },
    { "FAILED", "FAILED", 0, 6, 0 },
    { "CANCELLED", "CANCELLED", 0, 0, 0 },
};

static void spot_prepare(struct box *box, size_t i)
{
    char text[512];

    if (!spots[i].state) return;
    snprintf(text, sizeof text,
             "INSERT INTO state_assignment (n, sow, outcome, actor, workspace_policy, "
             "workspace_id, round, prompt_digest, author, state, attempts, fence, seq) "
             "VALUES (1, 1, 1, 'operator', 'keep', 'w', 1, " BLOB ", 'a', '%s', 1, %s, 1)",
             spots[i].state, spots[i].live == 1 ? "5" : "NULL");
    sql(box, text);
    snprintf(text, sizeof text,
             "INSERT INTO state_claim (resource, fence, live, holder, attempt, ttl_s, at_ms, "
             "machine, boot, boot_ms, pid, start, started, finished) VALUES "
             "('assignment/ASG-1', 5, 1, 'operator', 1, 60, 1, 'm', 'b', 1, 1, 1, %d, %d)",
             spots[i].started, spots[i].finished);
    sql(box, text);
    if (!spots[i].live) sql(box, "UPDATE state_claim SET live = 0, end_seq = 8");
}

static void every_event_of_an_assignment_in_every_state(void **state)
{
    static const char arrows[] =
        "NONE assignment.created CREATED,CREATED claim.acquired RUNNING,"
        "CREATED assignment.cancelled CANCELLED,"
        "CLAIMED claim.renewed RUNNING,STARTED claim.renewed RUNNING,"
        "FINISHED claim.renewed RUNNING,"
        "CLAIMED claim.released CREATED,CLAIMED claim.expired CREATED,"
        "STARTED claim.expired RUNNING,FINISHED claim.expired RUNNING,"
        "CUT claim.released CANCELLED,"
        "FINISHED assignment.completed COMPLETED,FINISHED assignment.blocked BLOCKED,"
        "FINISHED assignment.failed FAILED,"
        "CLAIMED assignment.cancelled CANCELLED,STARTED assignment.cancelled CANCELLED,"
        "FINISHED assignment.cancelled CANCELLED,LOST assignment.cancelled CANCELLED,";
    static const char query[] = "SELECT state FROM state_assignment WHERE n = 1";

    for (size_t i = 0; i < sizeof spots / sizeof *spots; i++) {
        sql(*state, "SAVEPOINT spot");
        spot_prepare(*state, i);
        try_all(*state, spots[i].name, "", query, assignment_events,
                sizeof assignment_events / sizeof *assignment_events, arrows);
        try_all(*state, spots[i].name, "", query, stale_events,
                sizeof stale_events / sizeof *stale_events, "");
        try_all(*state, spots[i].name, "", query, unfenced_failure, 1,
                "LOST assignment.failed FAILED,");
        sql(*state, "ROLLBACK TO spot");
        sql(*state, "RELEASE spot");
    }
}

static void an_assignment_is_claimed_by_its_actor_alone(void **state)
{
    struct sov_error err = { 0 };

    sql(*state, "SAVEPOINT spot");
    spot_prepare(*state, 1);
    sql(*state, "UPDATE state_assignment SET actor = 'builder'");
    assert_false(fold(*state, &assignment_events[1], &err));
    assert_string_equal(err.code, "event_invalid");
    sql(*state, "ROLLBACK TO spot");
    sql(*state, "RELEASE spot");
}

static void what_ends_a_claim_leaves_none_live(void **state)
{
    static const char query[] =
        "SELECT CASE WHEN claim.live = 0 AND claim.end_seq = 9 AND work.fence IS NULL THEN 'free' "
        "ELSE 'held' END FROM state_claim AS claim, state_assignment AS work";
    static const struct {
        size_t spot, event;
        bool ends;
    } rows[] = { { 2, 3, true }, { 2, 4, true }, { 3, 4, true },  { 6, 3, true }, { 4, 5, true },
                 { 4, 6, true }, { 4, 7, true }, { 3, 2, false }, { 3, 8, false } };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_error err = { 0 };
        char answer[64];

        sql(*state, "SAVEPOINT spot");
        spot_prepare(*state, rows[i].spot);
        if (!fold(*state, &assignment_events[rows[i].event], &err)) fail_msg("%s", err.what);
        state_of(*state, query, answer);
        assert_string_equal(answer, rows[i].ends ? "free" : "held");
        sql(*state, "ROLLBACK TO spot");
        sql(*state, "RELEASE spot");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_of_an_outcome_in_every_state),
        cmocka_unit_test(a_reopening_names_the_next_term),
        cmocka_unit_test(every_event_of_a_sow_in_every_state),
        cmocka_unit_test(a_sow_follows_its_newest_assignment_alone),
        cmocka_unit_test(every_event_of_an_assignment_in_every_state),
        cmocka_unit_test(an_assignment_is_claimed_by_its_actor_alone),
        cmocka_unit_test(what_ends_a_claim_leaves_none_live),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
