/*
 * The tables of model.md 3 and 9 as the folds keep them: each event in each state, by enumeration,
 * with forged events folded directly. What is no arrow must fail and leave the row as it was. The
 * expectation is copied by hand from model.md, not from the tables in policy/.
 */
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/handle.h"
#include "ledger/log.h"

#define DIGEST "\"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\""
#define BLOB "x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'"

struct box {
    struct sov_db *db;
    struct sov_txn txn; /* never committed */
    struct sov_arena arena;
    enum sov_stream_kind claimed; /* what claim events are on */
};

static int setup(void **state)
{
    static const struct sov_seams seams = { { NULL, NULL }, { NULL, NULL }, NULL };
    struct sov_db_options options = sov_ledger_db_options(SOV_DB_MEMORY, &seams, 0);
    struct box *box = calloc(1, sizeof *box);
    struct sov_error err = { 0 };

    options.law = NULL;
    sov_arena_init(&box->arena, 64 << 20);
    box->claimed = SOV_STREAM_ASSIGNMENT;
    if (!sov_db_open(":memory:", &options, &box->db, &err)) fail_msg("%s", err.what);
    assert_true(sov_txn_begin(&box->txn, box->db, &err));
    *state = box;
    return 0;
}

static int teardown(void **state)
{
    struct box *box = *state;

    sov_txn_end(&box->txn);
    sov_db_close(box->db);
    sov_arena_release(&box->arena);
    free(box);
    return 0;
}

static void sql(struct box *box, const char *text)
{
    struct sov_error err = { 0 };

    if (!sov_db_exec(box->db, text, &err)) fail_msg("%s: %s", text, err.what);
}

static void state_of(struct box *box, const char *query, char state_out[64])
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_error err = { 0 };
    bool found;

    assert_true(sov_stmt_open(&stmt, box->db, query, &err));
    assert_true(sov_stmt_row(&stmt, &found, &err));
    snprintf(state_out, 64, "%s", "NONE");
    if (found)
        snprintf(state_out, 64, "%.*s", (int)sov_column_text(&stmt, 0).size,
                 (const char *)sov_column_text(&stmt, 0).data);
}

struct forged {
    enum sov_event_type type;
    const char *data;
    int64_t fence; /* 0: none */
};

/* Of a claim event, whose stream can be of several kinds: that of the box. */
static enum sov_stream_kind stream_of(const struct box *box, enum sov_event_type type)
{
    enum sov_stream_kind kind = sov_event_row(type)->stream;

    return kind == SOV_STREAM_CLAIMABLE ? box->claimed : kind;
}

/* The event as it would stand in a log, seq 9, in the first stream of its kind. */
static bool fold(struct box *box, const struct forged *forged, struct sov_error *err)
{
    struct sov_event_draft draft = { .seq = 9,
                                     .sv = 2,
                                     .type = forged->type,
                                     .fence = forged->fence,
                                     .at = { 1767225600000 },
                                     .actor = sov_bytes_text("operator"),
                                     .data = sov_bytes_text(forged->data) };
    struct sov_fold into = { .db = box->db, .arena = &box->arena };
    struct sov_event event;
    struct sov_buf octets;
    bool ok;

    draft.stream = sov_stream_numbered(stream_of(box, forged->type), 1);
    sov_buf_init(&octets, 1 << 16);
    if (!sov_event_encode(&draft, &octets, &event, err)) fail_msg("%s", err->what);
    if (!sov_event_decode(sov_buf_bytes(&octets), &event, err))
        fail_msg("%s %s: %s", sov_event_row(forged->type)->type, forged->data, err->what);
    if (draft.stream.kind == SOV_STREAM_OUTCOME)
        ok = sov_outcome_fold(&into, &event, err);
    else if (draft.stream.kind == SOV_STREAM_SOW)
        ok = sov_sow_fold(&into, &event, err);
    else if (draft.stream.kind == SOV_STREAM_MESSAGE &&
             strncmp(sov_event_row(forged->type)->type, "claim.", 6) != 0)
        ok = sov_message_fold(&into, &event, err);
    else if (draft.stream.kind == SOV_STREAM_APPROVAL)
        ok = sov_approval_fold(&into, &event, err);
    else if (strncmp(sov_event_row(forged->type)->type, "claim.", 6) == 0)
        ok = sov_claim_fold(&into, &event, err);
    else
        ok = sov_assignment_fold(&into, &event, err);
    sov_buf_release(&octets);
    return ok;
}

/* Folds each event in one state and compares with the rows "FROM event TO,". */
static void try_all(struct box *box, const char *from, const char *prepare, const char *query,
                    const struct forged *events, size_t count, const char *arrows)
{
    char before[64], state[64], row[160], start[128];

    for (size_t i = 0; i < count; i++) {
        struct sov_error err = { 0 };
        const char *word = sov_event_row(events[i].type)->type;
        bool ok, due;

        sql(box, "SAVEPOINT arrow");
        if (*prepare) sql(box, prepare);
        state_of(box, query, before);
        ok = fold(box, &events[i], &err);
        state_of(box, query, state);
        snprintf(start, sizeof start, "%s %s ", from, word);
        snprintf(row, sizeof row, "%s %s %s,", from, word, state);
        due = ok ? strstr(arrows, row) != NULL : strstr(arrows, start) == NULL;
        if (!due) fail_msg("%s: folded %d (%s)", row, ok, err.what);
        if (!ok) assert_string_equal(err.code, "event_invalid");
        if (!ok) assert_string_equal(before, state);
        sql(box, "ROLLBACK TO arrow");
        sql(box, "RELEASE arrow");
    }
}

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

#define WHO "\"who\":{\"boot\":\"b\",\"boot_ms\":1,\"machine\":\"m\",\"pid\":1,\"start\":1}"

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

/* ---- approvals ---- */

#define SIGNATURE64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define VOTE(vote)                                                                                 \
    "{\"reason\":\"r\",\"sig\":{\"key\":\"k1\",\"signature\":\"" SIGNATURE64 SIGNATURE64           \
    "\",\"statement\":" DIGEST "},\"vote\":\"" vote "\"}"
/* Asked for at the moment of the forged event, or so late that it is over. */
#define REQUEST(expires, quorum, persons)                                                          \
    "{\"action\":\"deploy\",\"args\":{\"digest\":" DIGEST ",\"media_type\":\"m\",\"size\":2},"     \
    "\"args_digest\":" DIGEST ",\"expires_at\":\"" expires "\",\"persons\":" persons               \
    ",\"policy\":" DIGEST ",\"quorum\":" quorum ",\"resource\":\"assignment/ASG-1\"}"

static const struct forged approval_events[] = {
    { SOV_EVENT_APPROVAL_REQUESTED, REQUEST("2026-01-01T00:00:01.000Z", "2", "1"), 0 },
    { SOV_EVENT_APPROVAL_VOTED, VOTE("grant"), 0 },
    { SOV_EVENT_APPROVAL_GRANTED, "{\"voters\":[\"ann\",\"bob\"]}", 0 },
    { SOV_EVENT_APPROVAL_DENIED, "{\"voters\":[\"eve\"]}", 0 },
    { SOV_EVENT_APPROVAL_EXPIRED, "{}", 0 },
    { SOV_EVENT_APPROVAL_REVOKED, "{\"reason\":\"r\"}", 0 },
    { SOV_EVENT_APPROVAL_CONSUMED, "{\"used_by\":\"effect/EFF-1\"}", 0 },
};
/* Never, in whatever state: quorums that nobody can reach, voters who did not vote so. */
static const struct forged approval_lies[] = {
    { SOV_EVENT_APPROVAL_REQUESTED, REQUEST("2026-01-01T00:00:00.000Z", "1", "1"), 0 },
    { SOV_EVENT_APPROVAL_REQUESTED, REQUEST("2026-01-01T00:00:01.000Z", "0", "0"), 0 },
    { SOV_EVENT_APPROVAL_REQUESTED, REQUEST("2026-01-01T00:00:01.000Z", "1", "2"), 0 },
    { SOV_EVENT_APPROVAL_REQUESTED,
      "{\"action\":\"deploy\",\"args\":{\"digest\":\"" SIGNATURE64
      "\",\"media_type\":\"m\",\"size\":2},\"args_digest\":" DIGEST
      ",\"expires_at\":\"2026-01-01T00:00:01.000Z\",\"persons\":1,\"policy\":" DIGEST
      ",\"quorum\":1,\"resource\":\"assignment/ASG-1\"}",
      0 },
    { SOV_EVENT_APPROVAL_GRANTED, "{\"voters\":[]}", 0 },
    { SOV_EVENT_APPROVAL_GRANTED, "{\"voters\":[\"ann\"]}", 0 },
    { SOV_EVENT_APPROVAL_GRANTED, "{\"voters\":[\"ann\",\"ann\"]}", 0 },
    { SOV_EVENT_APPROVAL_GRANTED, "{\"voters\":[\"ann\",\"eve\"]}", 0 },
    { SOV_EVENT_APPROVAL_GRANTED, "{\"voters\":[\"ann\",\"joe\"]}", 0 },
    { SOV_EVENT_APPROVAL_DENIED, "{\"voters\":[\"ann\"]}", 0 },
    { SOV_EVENT_APPROVAL_DENIED, "{\"voters\":[]}", 0 },
};
static const char *const approval_states[] = { "NONE",    "PENDING", "GRANTED", "DENIED",
                                               "EXPIRED", "REVOKED", "CONSUMED" };
#define APPROVAL_QUERY "SELECT state FROM state_approval WHERE n = 1"

/* Ann and Bob granted, Eve denied; its time is over one second after the forged event, or at it. */
static void approval_prepare(struct box *box, const char *state, bool over)
{
    static const char *const votes[] = { "'ann', 'grant'", "'bob', 'grant'", "'eve', 'deny'" };
    char text[700];

    if (strcmp(state, "NONE") == 0) return;
    snprintf(text, sizeof text,
             "INSERT INTO state_approval (n, action, resource, args_digest, args, quorum, persons, "
             "expires_ms, policy, requester, state, at_ms, hash, seq, last_seq) VALUES "
             "(1, 'deploy', 'assignment/ASG-1', " BLOB ", '{}', 2, 1, %s, " BLOB
             ", 'master', '%s', 1, " BLOB ", 1, 1)",
             over ? "1767225600000" : "1767225601000", state);
    sql(box, text);
    for (size_t i = 0; i < 3; i++) {
        snprintf(text, sizeof text,
                 "INSERT INTO state_approval_vote (n, voter, vote, reason, key, statement, "
                 "signature, seq) VALUES (1, %s, 'r', 'k', " BLOB ", " BLOB ", 2)",
                 votes[i]);
        sql(box, text);
    }
}

static void every_event_of_an_approval_in_every_state(void **state)
{
    static const char in_time[] =
        "NONE approval.requested PENDING,PENDING approval.voted PENDING,"
        "PENDING approval.granted GRANTED,PENDING approval.denied DENIED,"
        "PENDING approval.revoked REVOKED,GRANTED approval.revoked REVOKED,"
        "GRANTED approval.consumed CONSUMED,";
    static const char over[] = "NONE approval.requested PENDING,"
                               "PENDING approval.expired EXPIRED,GRANTED approval.expired EXPIRED,"
                               "PENDING approval.revoked REVOKED,GRANTED approval.revoked REVOKED,";

    for (size_t i = 0; i < sizeof approval_states / sizeof *approval_states; i++)
        for (int late = 0; late < 2; late++) {
            sql(*state, "SAVEPOINT spot");
            approval_prepare(*state, approval_states[i], late);
            try_all(*state, approval_states[i], "", APPROVAL_QUERY, approval_events,
                    sizeof approval_events / sizeof *approval_events, late ? over : in_time);
            try_all(*state, approval_states[i], "", APPROVAL_QUERY, approval_lies,
                    sizeof approval_lies / sizeof *approval_lies, "");
            sql(*state, "ROLLBACK TO spot");
            sql(*state, "RELEASE spot");
        }
}

static void an_actor_votes_once(void **state)
{
    struct sov_error err = { 0 };

    sql(*state, "SAVEPOINT spot");
    approval_prepare(*state, "PENDING", false);
    if (!fold(*state, &approval_events[1], &err)) fail_msg("%s", err.what);
    assert_false(fold(*state, &approval_events[1], &err));
    assert_string_equal(err.code, "event_invalid");
    sql(*state, "ROLLBACK TO spot");
    sql(*state, "RELEASE spot");
}

/* ---- messages ---- */

#define SENT(body) "{" body "\"subject\":\"s\",\"to\":\"operator\"}"
#define FAILED(next, retries) "{\"next\":\"" next "\",\"reason\":\"r\",\"retries\":" retries "}"

static const struct forged message_events[] = {
    { SOV_EVENT_MESSAGE_SENT, SENT("\"body\":\"b\","), 0 },
    { SOV_EVENT_CLAIM_ACQUIRED, "{\"ttl_s\":60," WHO "}", 0 },
    { SOV_EVENT_CLAIM_RENEWED, "{\"ttl_s\":60," WHO "}", 5 },
    { SOV_EVENT_CLAIM_RELEASED, "{\"reason\":\"r\"}", 5 },
    { SOV_EVENT_CLAIM_EXPIRED, "{\"ground\":\"boot_clock\"," WHO "}", 5 },
    { SOV_EVENT_MESSAGE_DONE, "{}", 5 },
    { SOV_EVENT_MESSAGE_FAILED, FAILED("NEW", "2"), 5 },
    { SOV_EVENT_MESSAGE_REQUEUED, "{\"reason\":\"r\"}", 0 },
};
static const struct forged message_deaths[] = {
    { SOV_EVENT_MESSAGE_FAILED, FAILED("DEAD", "2"), 5 },
};
/* Behind claim.expired, so without its fence. */
static const struct forged message_losses[] = {
    { SOV_EVENT_MESSAGE_FAILED, FAILED("NEW", "2"), 0 },
};
static const struct forged message_lies[] = {
    { SOV_EVENT_MESSAGE_SENT,
      SENT("\"body\":\"b\",\"body_ref\":{\"digest\":" DIGEST ",\"media_type\":\"m\",\"size\":1},"),
      0 },
    { SOV_EVENT_MESSAGE_FAILED, FAILED("NEW", "1"), 5 },
    { SOV_EVENT_MESSAGE_FAILED, FAILED("NEW", "3"), 5 },
    { SOV_EVENT_MESSAGE_FAILED, FAILED("NEW", "2"), 4 },
    { SOV_EVENT_MESSAGE_DONE, "{}", 4 },
    { SOV_EVENT_CLAIM_RELEASED, "{\"reason\":\"r\"}", 4 },
    { SOV_EVENT_CLAIM_EXPIRED, "{\"ground\":\"boot_clock\"," WHO "}", 4 },
};
static const struct {
    const char *name, *state;
    int live; /* -1: never claimed */
} boxes[] = { { "NONE", NULL, -1 },     { "NEW", "NEW", -1 },  { "CLAIMED", "CLAIMED", 1 },
              { "LOST", "CLAIMED", 0 }, { "DONE", "DONE", 0 }, { "DEAD", "DEAD", 0 },
              { "AGAIN", "NEW", 0 } };

static void every_event_of_a_message_in_every_state(void **state)
{
    static const char arrows[] =
        "NONE message.sent NEW,NEW claim.acquired CLAIMED,AGAIN claim.acquired CLAIMED,"
        "CLAIMED claim.released NEW,CLAIMED claim.expired CLAIMED,CLAIMED message.done DONE,"
        "CLAIMED message.failed NEW,DEAD message.requeued NEW,";
    static const char query[] = "SELECT state FROM state_message WHERE n = 1";
    struct box *box = *state;
    char text[300];

    box->claimed = SOV_STREAM_MESSAGE;
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        sql(box, "SAVEPOINT spot");
        if (boxes[i].state) {
            snprintf(text, sizeof text,
                     "INSERT INTO state_message (n, recipient, sender, subject, state, retries, "
                     "seq) VALUES (1, 'operator', 'master', 's', '%s', 1, 1)",
                     boxes[i].state);
            sql(box, text);
        }
        if (boxes[i].live >= 0)
            sql(box, "INSERT INTO state_claim (resource, fence, live, holder, attempt, ttl_s, "
                     "at_ms, machine, boot, boot_ms, pid, start) VALUES "
                     "('message/MSG-1', 5, 1, 'operator', 0, 60, 1, 'm', 'b', 1, 1, 1)");
        if (!boxes[i].live) sql(box, "UPDATE state_claim SET live = 0, end_seq = 8");
        try_all(box, boxes[i].name, "", query, message_events,
                sizeof message_events / sizeof *message_events, arrows);
        try_all(box, boxes[i].name, "", query, message_deaths, 1, "CLAIMED message.failed DEAD,");
        try_all(box, boxes[i].name, "", query, message_losses, 1, "LOST message.failed NEW,");
        try_all(box, boxes[i].name, "", query, message_lies,
                sizeof message_lies / sizeof *message_lies, "");
        sql(box, "ROLLBACK TO spot");
        sql(box, "RELEASE spot");
    }
    box->claimed = SOV_STREAM_ASSIGNMENT;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_of_an_approval_in_every_state),
        cmocka_unit_test(an_actor_votes_once),
        cmocka_unit_test(every_event_of_a_message_in_every_state),
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
