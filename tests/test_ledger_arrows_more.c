/*
 * The tables of model.md 9 and 11 as the folds keep them: each event in each state, by enumeration,
 * with forged events folded directly, as in test_ledger_arrows.c.
 */
#include "tests/arrows_unit.h"

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

/* ---- instances, sessions, deliveries ---- */

#define RENEW                                                                                      \
    {                                                                                              \
        SOV_EVENT_CLAIM_RENEWED, "{\"ttl_s\":60," WHO "}", 5                                       \
    }
#define RELEASE                                                                                    \
    {                                                                                              \
        SOV_EVENT_CLAIM_RELEASED, "{\"reason\":\"r\"}", 5                                          \
    }
#define EXPIRE                                                                                     \
    {                                                                                              \
        SOV_EVENT_CLAIM_EXPIRED, "{\"ground\":\"boot_clock\"," WHO "}", 5                          \
    }
#define REF "{\"digest\":" DIGEST ",\"media_type\":\"m\",\"size\":1}"
#define QUEUE(most)                                                                                \
    "{\"channel\":\"c\",\"content\":" REF ",\"max_attempts\":" most ",\"receiver_key\":\"k\"}"
#define BROKE(attempts, next, after)                                                               \
    "{\"attempts\":" attempts ",\"error\":\"e\",\"next\":\"" next "\"" after "}"
#define AFTER ",\"process_after\":\"2026-01-01T00:01:00.000Z\""

static const struct forged instance_events[] = {
    { SOV_EVENT_INSTANCE_REGISTERED, "{\"label\":\"l\"}", 0 },
    { SOV_EVENT_CLAIM_ACQUIRED, "{\"ttl_s\":60," WHO "}", 0 },
    RENEW,
    RELEASE,
    EXPIRE,
    { SOV_EVENT_INSTANCE_RETIRED, "{\"reason\":\"r\"}", 5 },
};
static const struct forged session_events[] = {
    { SOV_EVENT_SESSION_OPENED, "{\"actor\":\"operator\",\"purpose\":\"p\"}", 0 },
    { SOV_EVENT_CLAIM_ACQUIRED, "{\"instance_fence\":3,\"ttl_s\":60," WHO "}", 0 },
    RENEW,
    RELEASE,
    EXPIRE,
    { SOV_EVENT_SESSION_CLOSED, "{\"status\":\"completed\"}", 5 },
};
static const struct forged session_abandoned[] = {
    { SOV_EVENT_SESSION_CLOSED, "{\"status\":\"abandoned\"}", 5 },
};
static const struct forged delivery_events[] = {
    { SOV_EVENT_DELIVERY_QUEUED, QUEUE("3"), 0 },
    { SOV_EVENT_CLAIM_ACQUIRED, "{\"ttl_s\":60," WHO "}", 0 },
    RENEW,
    RELEASE,
    EXPIRE,
    { SOV_EVENT_DELIVERY_STARTED, "{\"attempt\":2}", 5 },
    { SOV_EVENT_DELIVERY_SUCCEEDED, "{}", 5 },
    { SOV_EVENT_DELIVERY_FAILED, BROKE("2", "QUEUED", AFTER), 5 },
    { SOV_EVENT_DELIVERY_RESOLVED, "{\"found\":\"delivered\",\"reason\":\"r\"}", 0 },
};
static const struct forged delivery_again[] = {
    { SOV_EVENT_DELIVERY_RESOLVED, "{\"found\":\"not_delivered\",\"reason\":\"r\"}", 0 },
};
/* Behind claim.expired, so without its fence. */
static const struct forged delivery_losses[] = {
    { SOV_EVENT_DELIVERY_FAILED, BROKE("2", "QUEUED", AFTER), 0 },
};
static const struct forged wire_lies[] = {
    { SOV_EVENT_SESSION_CLOSED, "{\"status\":\"completed\"}", 4 },
    { SOV_EVENT_INSTANCE_RETIRED, "{\"reason\":\"r\"}", 4 },
    { SOV_EVENT_DELIVERY_QUEUED, QUEUE("0"), 0 },
    { SOV_EVENT_DELIVERY_STARTED, "{\"attempt\":1}", 5 },
    { SOV_EVENT_DELIVERY_STARTED, "{\"attempt\":2}", 4 },
    { SOV_EVENT_DELIVERY_SUCCEEDED, "{}", 4 },
    { SOV_EVENT_DELIVERY_FAILED, BROKE("1", "QUEUED", AFTER), 5 },
    { SOV_EVENT_DELIVERY_FAILED, BROKE("2", "DEAD", ""), 5 },
    { SOV_EVENT_DELIVERY_FAILED, BROKE("2", "QUEUED", ""), 5 },
    { SOV_EVENT_DELIVERY_FAILED, BROKE("2", "DEAD", AFTER), 5 },
    { SOV_EVENT_DELIVERY_FAILED, BROKE("2", "QUEUED", AFTER), 4 },
};
#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* One of a kind in that state, its claim 5 there: live, over (0) or never (-1). */
static void wire(struct box *box, const char *insert, const char *state, const char *resource,
                 int live)
{
    char text[400];

    if (insert) sql(box, insert);
    if (insert) sql(box, state);
    if (live < 0) return;
    snprintf(text, sizeof text,
             "INSERT INTO state_claim (resource, fence, live, holder, attempt, ttl_s, at_ms, "
             "machine, boot, boot_ms, pid, start) VALUES "
             "('%s', 5, 1, 'operator', 0, 60, 1, 'm', 'b', 1, 1, 1)",
             resource);
    sql(box, text);
    if (!live) sql(box, "UPDATE state_claim SET live = 0, end_seq = 8");
}

static const char instance_due[] =
    "NONE instance.registered REGISTERED,REGISTERED claim.acquired CLAIMED,"
    "CLAIMED claim.renewed CLAIMED,CLAIMED claim.expired REGISTERED,"
    "CLAIMED instance.retired RETIRED,";
static const char session_due[] =
    "NONE session.opened OPEN,OPEN claim.acquired CLAIMED,CLAIMED claim.renewed CLAIMED,"
    "CLAIMED claim.expired OPEN,CLAIMED session.closed COMPLETED,";
static const char delivery_due[] =
    "NONE delivery.queued QUEUED,QUEUED claim.acquired CLAIMED,CLAIMED claim.expired CLAIMED,"
    "CLAIMED delivery.started STARTED,CLAIMED delivery.failed QUEUED,"
    "STARTED delivery.succeeded DELIVERED,STARTED delivery.failed QUEUED,"
    "STARTED claim.expired UNKNOWN,UNKNOWN delivery.resolved DELIVERED,"
    "DEAD delivery.resolved DELIVERED,";
struct wire_kind {
    enum sov_stream_kind kind;
    const char *resource, *insert, *query, *states[8];
    const struct forged *events;
    size_t count;
    const char *arrows;
};
static const struct wire_kind kinds[] = {
    { SOV_STREAM_INSTANCE,
      "instance/INS-1",
      "INSERT INTO state_instance (n, label, actor, state, seq) "
      "VALUES (1, 'l', 'operator', '?', 1)",
      "SELECT state FROM state_instance WHERE n = 1",
      { "NONE", "REGISTERED", "CLAIMED", "RETIRED" },
      instance_events,
      COUNT(instance_events),
      instance_due },
    { SOV_STREAM_SESSION,
      "session/SES-1",
      "INSERT INTO state_session (n, actor, purpose, state, seq) "
      "VALUES (1, 'operator', 'p', '?', 1)",
      "SELECT state FROM state_session WHERE n = 1",
      { "NONE", "OPEN", "CLAIMED", "COMPLETED", "ABANDONED" },
      session_events,
      COUNT(session_events),
      session_due },
    { SOV_STREAM_DELIVERY,
      "delivery/DLV-1",
      "INSERT INTO state_delivery (n, channel, content, receiver_key, max_attempts, attempts, "
      "state, seq) VALUES (1, 'c', '{}', 'k', 3, 1, '?', 1)",
      "SELECT state FROM state_delivery WHERE n = 1",
      { "NONE", "QUEUED", "CLAIMED", "STARTED", "LOST", "DELIVERED", "DEAD", "UNKNOWN" },
      delivery_events,
      COUNT(delivery_events),
      delivery_due },
};

static void every_event_of_instances_sessions_and_deliveries_in_every_state(void **state)
{
    struct box *box = *state;
    char text[300];

    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t i = 0; i < 8 && kinds[k].states[i]; i++) {
            const char *name = kinds[k].states[i];
            bool lost = strcmp(name, "LOST") == 0, none = strcmp(name, "NONE") == 0;
            bool held = strcmp(name, "CLAIMED") == 0 || strcmp(name, "STARTED") == 0;

            box->claimed = kinds[k].kind;
            sql(box, "SAVEPOINT spot");
            snprintf(text, sizeof text, "UPDATE state_%s SET state = '%s'",
                     sov_stream_word(kinds[k].kind), lost ? "CLAIMED" : name);
            wire(box, none ? NULL : kinds[k].insert, text, kinds[k].resource,
                 held   ? 1
                 : none ? -1
                        : 0);
            try_all(box, name, "", kinds[k].query, kinds[k].events, kinds[k].count,
                    kinds[k].arrows);
            try_all(box, name, "", kinds[k].query, session_abandoned,
                    kinds[k].kind == SOV_STREAM_SESSION, "CLAIMED session.closed ABANDONED,");
            if (kinds[k].kind == SOV_STREAM_DELIVERY) {
                try_all(box, name, "", kinds[k].query, delivery_again, 1,
                        "DEAD delivery.resolved QUEUED,UNKNOWN delivery.resolved QUEUED,");
                try_all(box, name, "", kinds[k].query, delivery_losses, 1,
                        "LOST delivery.failed QUEUED,");
            }
            try_all(box, name, "", kinds[k].query, wire_lies, COUNT(wire_lies), "");
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
        cmocka_unit_test(every_event_of_instances_sessions_and_deliveries_in_every_state),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
