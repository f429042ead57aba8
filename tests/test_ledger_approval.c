/*
 * Approvals: asked for, voted on, ended, and used in the very commit of the effect that they allow
 * (model.md 8 E9, 9, 15).
 */
#include "tests/judgement_fixture.h"
#include "tests/run_unit.h"

#include "ledger/log.h"

#define APPROVED                                                                                   \
    "{\"approval\":true,\"kind\":\"replenishment\",\"origin\":\"assignment\",\"subject\":\"SKU-*"  \
    "\",\"unit\":\"unit\",\"quantity\":{\"min\":1,\"max\":50},\"postings\":["                      \
    "{\"account\":\"inventory/{subject}\",\"sign\":1,\"factors\":[\"quantity\"]},"                 \
    "{\"account\":\"cash\",\"sign\":-1,\"factors\":[\"quantity\",\"unit_cost\"]}],"                \
    "\"constraints\":[],\"emits\":[]}"

/* The store, whose replenishments need an approval of this quorum. */
static void adopt(struct judging *j, const char *quorum)
{
    store_adopt(&j->f, sov_arena_printf(&j->f.arena, "{\"approval\":{%s},%s", quorum,
                                        DOCUMENT(SALE "," APPROVED, RESTOCK) + 1));
}
#define ONE "\"persons\":1,\"quorum\":1,\"robots\":[]"
#define TWO "\"persons\":1,\"quorum\":2,\"robots\":[\"clerk\"]"

static void open_with(struct judging *j, const char *quorum)
{
    judging_open(j);
    adopt(j, quorum);
    judging_actor(j, "alice", "person", "principal", NULL);
    judging_actor(j, "bob", "person", "principal", NULL);
    judging_sow(j, judging_outcome(j, "SKU-TEA"), "replenishment", NULL);
    judging_assign(j, 1, "operator");
}

static struct sov_approval_request request_of(struct judging *j, int64_t assignment,
                                              int64_t quantity)
{
    struct sov_approval_request request = {
        .action = SOV_APPROVAL_EFFECT,
        .resource = sov_arena_printf(&j->f.arena, "ASG-%lld", (long long)assignment),
    };
    struct sov_error err = { 0 };

    assert_true(sov_approval_effect_args(assignment, "replenishment", quantity, "SKU-TEA",
                                         &j->f.arena, &request.args, &err));
    return request;
}

static struct sov_signed_by signed_by(struct judging *j, const char *who, int64_t n, bool grants)
{
    struct sov_bytes statement;
    struct sov_signed_by by = { .key = "none" };
    struct sov_error err = { 0 };

    if (!sov_approval_statement(j->f.ledger, n, grants, "because", &j->f.arena, &statement, &err))
        fail_msg("%s", err.what);
    if (!sov_statement_sign(j->f.ledger, who, NULL, SOV_APPROVAL_TAG, statement, &by, &err))
        fail_msg("%s", err.what);
    return by;
}

static struct sov_approval see(struct judging *j, int64_t n)
{
    struct sov_approval approval;
    struct sov_error err = { 0 };

    if (!sov_approval_get(j->f.ledger, n, &j->f.arena, &approval, &err)) fail_msg("%s", err.what);
    return approval;
}

static const char *state_of(struct judging *j, int64_t n)
{
    return sov_policy_approval_name(see(j, n).facts.state);
}

static void expire(struct judging *j, int64_t n, const char *expected)
{
    if (expected)
        FIXTURE_REFUSED(&j->f, NULL, expected, j->done,
                        sov_approval_expire(&commit, n, &j->done, &err));
    else
        FIXTURE_DO(&j->f, NULL, j->done, sov_approval_expire(&commit, n, &j->done, &err));
}

static void revoke(struct judging *j, const char *who, int64_t n, const char *expected)
{
    if (expected)
        FIXTURE_REFUSED(&j->f, who, expected, j->done,
                        sov_approval_revoke(&commit, n, "no more", &j->done, &err));
    else
        FIXTURE_DO(&j->f, who, j->done, sov_approval_revoke(&commit, n, "no more", &j->done, &err));
}

/* Runs an assignment that proposes so much; the code it was refused with, NULL: it was not. */
static const char *run(struct judging *j, int64_t assignment, int64_t quantity)
{
    int64_t head = fixture_head(&j->f), receipt;
    struct sov_receipt row;
    struct sov_error err = { 0 };

    receipt = judging_run(j, assignment, "operator", &(struct judging_run){ .quantity = quantity });
    assert_true(sov_receipt_get(j->f.ledger, receipt, &j->f.arena, &row, &err));
    if (row.status == SOV_RECEIPT_COMPLETED) return NULL;
    assert_string_equal(row.category, "proposal_refused");
    for (int64_t seq = head + 1; seq <= fixture_head(&j->f); seq++) {
        struct sov_event event;

        assert_true(sov_log_event(j->f.ledger, seq, &j->f.arena, &event, &err));
        if (event.type == SOV_EVENT_EFFECT_REFUSED)
            return sov_arena_text(&j->f.arena, sov_data_text(&event, "code", &j->f.arena));
    }
    fail_msg("no effect.refused");
    return "";
}

/* Another round of the SOW; its assignment. */
static int64_t another(struct judging *j)
{
    FIXTURE_DO(&j->f, "master", j->done, sov_sow_retry(&commit, 1, "again", NULL, &j->done, &err));
    return judging_assign(j, 1, "operator");
}

/* ---- requests ---- */

static void a_request_binds_arguments_policy_and_time(void **state)
{
    struct judging j;
    struct sov_approval row;
    const struct sov_policy *policy;
    struct sov_hash due;
    struct sov_error err = { 0 };
    int64_t head;

    (void)state;
    open_with(&j, TWO);
    head = fixture_head(&j.f);
    assert_int_equal(judging_ask(&j, "operator", 1, 6), 1);
    assert_string_equal(judging_events(&j, head), "approval.requested");
    row = see(&j, 1);
    due = sov_sha256(sov_bytes_text("{\"assignment\":\"ASG-1\",\"kind\":\"replenishment\","
                                    "\"quantity\":6,\"subject\":\"SKU-TEA\"}"));
    assert_true(sov_hash_equal(&row.facts.args, &due));
    assert_true(sov_hash_equal(&row.args.digest, &due)); /* a public blob */
    assert_true(sov_policy_at(j.f.ledger, 0, &j.f.arena, &policy, &err));
    assert_true(sov_hash_equal(&row.facts.policy, &policy->digest));
    assert_int_equal(row.quorum, 2);
    assert_int_equal(row.persons, 1);
    assert_int_equal(row.facts.expires_ms, j.f.now.wall.ms + 3600 * 1000);
    assert_string_equal(row.resource, "assignment/ASG-1");
    assert_string_equal(row.requester, "operator");
    assert_string_equal(state_of(&j, 1), "PENDING");
    judging_close(&j);
}

static void the_same_request_while_pending_is_that_one(void **state)
{
    struct judging j;
    int64_t head;

    (void)state;
    open_with(&j, ONE);
    judging_ask(&j, "operator", 1, 6);
    head = fixture_head(&j.f);
    assert_int_equal(judging_ask(&j, "operator", 1, 6), 1);
    assert_int_equal(j.done.effect, SOV_NOOP);
    assert_int_equal(fixture_head(&j.f), head);
    assert_int_equal(judging_ask(&j, "master", 1, 6), 2); /* another asks for himself */
    assert_int_equal(judging_ask(&j, "operator", 1, 7), 3);
    judging_vote(&j, "alice", 1, false, NULL);
    assert_int_equal(judging_ask(&j, "operator", 1, 6), 4); /* a new need is a new request */
    fixture_tick(&j.f, 3600 * 1000);
    assert_int_equal(judging_ask(&j, "operator", 1, 6), 5); /* over, recorded or not */
    judging_close(&j);
}

static void what_is_no_request_is_refused(void **state)
{
    static const struct {
        const char *action, *resource, *args;
        int64_t life_ms;
        const char *code;
    } rows[] = {
        { "deploy", "ASG-1", "[]", 0, "bad_value" },
        { "deploy", "ASG-1", "{\"a\": 1}", 0, "bad_json" },
        { "deploy", "ASG-1", "", 0, "bad_json" },
        { "deploy", "tea", "{}", 0, "bad_value" },
        { "Deploy", "ASG-1", "{}", 0, "bad_value" },
        { NULL, "ASG-1", "{}", 0, "bad_value" },
        { "deploy", NULL, "{}", 0, "bad_value" },
        { "deploy", "ASG-9", "{}", 0, "no_such_id" },
        { "deploy", "ASG-1", "{}", -5, "bad_value" },
        { "deploy", "ASG-1", "{}", 14400 * 1000 + 1, "bad_value" },
        { SOV_APPROVAL_EFFECT, "ASG-1", "{}", 0, "bad_value" },
        { SOV_APPROVAL_EFFECT, "SOW-1",
          "{\"assignment\":\"ASG-1\",\"kind\":\"k\",\"quantity\":6,\"subject\":\"s\"}", 0,
          "bad_value" },
        { SOV_APPROVAL_EFFECT, "ASG-1",
          "{\"assignment\":\"ASG-2\",\"kind\":\"k\",\"quantity\":6,\"subject\":\"s\"}", 0,
          "bad_value" },
        { SOV_APPROVAL_EFFECT, "ASG-1",
          "{\"assignment\":\"ASG-1\",\"kind\":\"k\",\"quantity\":\"6\",\"subject\":\"s\"}", 0,
          "bad_value" },
        { SOV_APPROVAL_EFFECT, "ASG-1",
          "{\"assignment\":\"ASG-1\",\"kind\":\"k\",\"note\":1,\"quantity\":6,\"subject\":\"s\"}",
          0, "bad_value" },
    };
    struct judging j;

    (void)state;
    open_with(&j, ONE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_approval_request request = { rows[i].action, rows[i].resource,
                                                sov_bytes_text(rows[i].args),
                                                rows[i].life_ms ? j.f.now.wall.ms + rows[i].life_ms
                                                                : 0 };

        FIXTURE_REFUSED(&j.f, "operator", rows[i].code, j.done,
                        sov_approval_ask(&commit, &request, &j.done, &err));
    }
    judging_close(&j);
}

static void too_many_requests_within_a_minute_are_refused(void **state)
{
    struct judging j;
    struct sov_approval_request eleventh;

    (void)state;
    open_with(&j, ONE);
    for (int64_t n = 1; n <= 10; n++) assert_int_equal(judging_ask(&j, "operator", 1, n), n);
    eleventh = request_of(&j, 1, 11);
    FIXTURE_REFUSED(&j.f, "operator", "too_many_requests", j.done,
                    sov_approval_ask(&commit, &eleventh, &j.done, &err));
    assert_int_equal(judging_ask(&j, "operator", 1, 10), 10); /* a noop asks for nothing new */
    assert_int_equal(judging_ask(&j, "master", 1, 11), 11);
    fixture_tick(&j.f, 60000);
    assert_int_equal(judging_ask(&j, "operator", 1, 11), 12);
    judging_close(&j);
}

static void each_role_asks_votes_and_revokes_as_the_policy_says(void **state)
{
    static const struct {
        const char *actor;
        bool asks, votes;
    } rows[] = {
        { "principal", false, true }, { "master", true, false },    { "operator", true, false },
        { "sparring", false, false }, { "verifier", false, false },
    };
    struct judging j;

    (void)state;
    open_with(&j, TWO);
    judging_actor(&j, "carol", "person", "master", NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_approval_request request = request_of(&j, 1, 40 - (int64_t)i);
        int64_t n = judging_ask(&j, "carol", 1, (int64_t)i + 1);

        if (rows[i].asks)
            judging_ask(&j, rows[i].actor, 1, 40 - (int64_t)i);
        else
            FIXTURE_REFUSED(&j.f, rows[i].actor, "not_authorised", j.done,
                            sov_approval_ask(&commit, &request, &j.done, &err));
        judging_vote(&j, rows[i].actor, n, true, rows[i].votes ? NULL : "not_authorised");
        revoke(&j, rows[i].actor, n, rows[i].votes ? NULL : "not_authorised");
        if (rows[i].asks) revoke(&j, rows[i].actor, n + 1, NULL); /* its own */
    }
    FIXTURE_REFUSED(&j.f, "verifier", "not_authorised", j.done, /* before what is not there */
                    sov_approval_revoke(&commit, 99, "no more", &j.done, &err));
    FIXTURE_REFUSED(&j.f, "operator", "no_such_id", j.done,
                    sov_approval_revoke(&commit, 99, "no more", &j.done, &err));
    judging_close(&j);
}

/* ---- votes ---- */

static void one_grant_of_a_person_grants_and_one_denial_denies(void **state)
{
    struct judging j;
    int64_t head;

    (void)state;
    open_with(&j, ONE);
    judging_ask(&j, "operator", 1, 6);
    head = fixture_head(&j.f);
    assert_int_equal(judging_vote(&j, "alice", 1, true, NULL), SOV_APPROVAL_GRANTED);
    assert_string_equal(judging_events(&j, head), "approval.voted approval.granted");
    judging_ask(&j, "operator", 1, 7);
    head = fixture_head(&j.f);
    assert_int_equal(judging_vote(&j, "alice", 2, false, NULL), SOV_APPROVAL_DENIED);
    assert_string_equal(judging_events(&j, head), "approval.voted approval.denied");
    judging_vote(&j, "bob", 1, true, "wrong_state");
    judging_vote(&j, "bob", 2, true, "wrong_state");
    judging_close(&j);
}

static void a_quorum_of_two_needs_two_people(void **state)
{
    struct sov_approval_votes votes;
    struct sov_error err = { 0 };
    struct judging j;

    (void)state;
    open_with(&j, TWO);
    judging_actor(&j, "clerk", "robot", "principal", "team/tools");
    judging_actor(&j, "bot", "robot", "principal", NULL);
    judging_actor(&j, "alice2", "person", "principal", "alice");
    judging_ask(&j, "operator", 1, 6);
    judging_vote(&j, "bot", 1, true, "person_required");
    assert_int_equal(judging_vote(&j, "alice", 1, true, NULL), SOV_APPROVAL_PENDING);
    judging_vote(&j, "alice", 1, true, "already_voted");
    judging_vote(&j, "alice", 1, false, "already_voted");
    judging_vote(&j, "alice2", 1, true, "already_voted"); /* one person, two actors */
    assert_int_equal(judging_vote(&j, "clerk", 1, true, NULL), SOV_APPROVAL_GRANTED);
    assert_true(sov_approval_votes(j.f.ledger, 1, &j.f.arena, &votes, &err));
    assert_int_equal(votes.count, 2);
    assert_string_equal(votes.at[0].voter, "alice");
    assert_string_equal(votes.at[1].voter, "clerk");
    assert_string_equal(votes.at[1].reason, "because");
    assert_true(votes.at[1].grants);
    judging_ask(&j, "operator", 1, 7); /* a denial ends it whatever was granted */
    judging_vote(&j, "alice", 2, true, NULL);
    assert_int_equal(judging_vote(&j, "bob", 2, false, NULL), SOV_APPROVAL_DENIED);
    judging_close(&j);
}

static void nobody_votes_on_what_he_asked_for(void **state)
{
    struct judging j;

    (void)state;
    open_with(&j, ONE);
    judging_policy(&j, "\"approve\"]", "\"approve\",\"request\"]");
    judging_actor(&j, "helper", "person", "principal", "alice");
    judging_ask(&j, "alice", 1, 6);
    judging_vote(&j, "alice", 1, true, "self_approve");
    judging_vote(&j, "helper", 1, true, "self_approve");
    judging_vote(&j, "bob", 1, true, NULL);
    judging_close(&j);
}

static void a_vote_is_signed_over_exactly_this_request(void **state)
{
    enum sov_approval_state after;
    struct sov_signed_by by;
    struct judging j;

    (void)state;
    open_with(&j, ONE);
    judging_ask(&j, "operator", 1, 6);
    judging_ask(&j, "operator", 1, 7);
    for (int i = 0; i < 5; i++) {
        /* of another request, another vote, another person, altered, none at all */
        by = signed_by(&j, i == 2 ? "bob" : "alice", i == 0 ? 2 : 1, i != 1);
        if (i == 3) by.signature.octets[7] ^= 1;
        FIXTURE_REFUSED(&j.f, "alice", i == 2 ? "key_invalid" : "bad_signature", j.done,
                        sov_approval_decide(&commit, 1, true, "because", i == 4 ? NULL : &by,
                                            &after, &j.done, &err));
    }
    by = signed_by(&j, "alice", 1, true);
    FIXTURE_REFUSED(
        &j.f, "alice", "bad_signature", j.done, /* the reason is signed, too */
        sov_approval_decide(&commit, 1, true, "for a bribe", &by, &after, &j.done, &err));
    FIXTURE_REFUSED(&j.f, "alice", "reason_missing", j.done,
                    sov_approval_decide(&commit, 1, true, " ", &by, &after, &j.done, &err));
    FIXTURE_REFUSED(&j.f, "alice", "no_such_id", j.done,
                    sov_approval_decide(&commit, 9, true, "because", &by, &after, &j.done, &err));
    judging_close(&j);
}

static void time_that_is_over_is_a_no(void **state)
{
    struct judging j;

    (void)state;
    open_with(&j, ONE);
    judging_ask(&j, "operator", 1, 6);
    judging_ask(&j, "operator", 1, 7);
    judging_vote(&j, "alice", 2, true, NULL);
    expire(&j, 1, "wrong_state");
    fixture_tick(&j.f, 3600 * 1000 - 1);
    expire(&j, 1, "wrong_state");
    fixture_tick(&j.f, 1);
    judging_vote(&j, "alice", 1, true, "approval_expired");
    expire(&j, 1, NULL);
    expire(&j, 2, NULL);
    assert_string_equal(state_of(&j, 1), "EXPIRED");
    assert_string_equal(state_of(&j, 2), "EXPIRED");
    expire(&j, 1, "wrong_state");
    judging_vote(&j, "alice", 1, true, "wrong_state");
    revoke(&j, "alice", 1, "wrong_state");
    judging_close(&j);
}

static struct sov_supervised supervise(struct judging *j, bool dry)
{
    struct sov_supervise_options options = { .dry = dry, .pid = 9, .start = 90 };
    struct sov_supervised out = { 0 };
    struct sov_error err = { 0 };

    if (!sov_supervise(j->f.ledger, &options, &j->f.arena, &out, &err)) fail_msg("%s", err.what);
    assert_int_equal(out.fault_count, 0);
    return out;
}

static void a_pass_expires_what_is_over_once(void **state)
{
    struct sov_supervised pass;
    struct judging j;
    int64_t head;

    (void)state;
    open_with(&j, ONE);
    for (int64_t n = 1; n <= 4; n++) judging_ask(&j, "operator", 1, n);
    judging_vote(&j, "alice", 1, true, NULL);
    judging_vote(&j, "alice", 2, false, NULL);
    revoke(&j, "operator", 3, NULL);
    assert_int_equal(supervise(&j, false).act_count, 0);
    fixture_tick(&j.f, 3600 * 1000);
    judging_ask(&j, "operator", 1, 5);
    head = fixture_head(&j.f);
    pass = supervise(&j, true);
    assert_int_equal(pass.act_count, 2);
    assert_int_equal(fixture_head(&j.f), head);
    pass = supervise(&j, false);
    assert_int_equal(pass.act_count, 2);
    assert_string_equal(pass.acts[0].act, "approval.expired");
    assert_string_equal(pass.acts[0].id, "APR-1");
    assert_string_equal(pass.acts[1].id, "APR-4");
    assert_string_equal(pass.acts[1].state, "EXPIRED");
    assert_string_equal(judging_events(&j, head), "approval.expired approval.expired");
    assert_int_equal(supervise(&j, false).act_count, 0);
    assert_string_equal(state_of(&j, 5), "PENDING");
    judging_close(&j);
}

static void what_was_granted_can_be_taken_back(void **state)
{
    struct judging j;

    (void)state;
    open_with(&j, ONE);
    judging_ask(&j, "operator", 1, 6);
    judging_vote(&j, "alice", 1, true, NULL);
    FIXTURE_REFUSED(&j.f, "bob", "reason_missing", j.done,
                    sov_approval_revoke(&commit, 1, "", &j.done, &err));
    revoke(&j, "master", 1, "not_authorised"); /* may ask, but did not ask for this */
    revoke(&j, "bob", 1, NULL);
    revoke(&j, "bob", 1, "wrong_state");
    assert_string_equal(state_of(&j, 1), "REVOKED");
    assert_string_equal(run(&j, 1, 6), "approval_missing");
    judging_close(&j);
}

/* ---- the act ---- */

static void an_effect_uses_its_approval_in_its_own_commit(void **state)
{
    struct sov_effect effect;
    struct sov_error err = { 0 };
    struct judging j;
    int64_t head;

    (void)state;
    open_with(&j, ONE);
    judging_ask(&j, "operator", 1, 6);
    judging_vote(&j, "alice", 1, true, NULL);
    head = fixture_head(&j.f);
    assert_null(run(&j, 1, 6));
    assert_string_equal(judging_events(&j, head),
                        "claim.acquired sow.started run.started run.finished effect.committed "
                        "account.posted account.posted approval.consumed receipt.recorded "
                        "sow.submitted assignment.completed");
    assert_string_equal(state_of(&j, 1), "CONSUMED");
    assert_string_equal(see(&j, 1).used_by, "effect/EFF-1");
    assert_true(sov_effect_get(j.f.ledger, 1, &j.f.arena, &effect, &err));
    assert_int_equal(effect.approval, 1);
    revoke(&j, "alice", 1, "wrong_state");
    fixture_tick(&j.f, 3600 * 1000);
    expire(&j, 1, "wrong_state");
    judging_close(&j);
}

/* What must happen between grant and act to make it no approval of the act. */
static void late(struct judging *j)
{
    fixture_tick(&j->f, 3600 * 1000);
}
static void policy_changed(struct judging *j)
{
    adopt(j, TWO);
}
static void denied(struct judging *j)
{
    judging_ask(j, "master", 1, 6);
    judging_vote(j, "alice", 2, false, NULL);
    revoke(j, "alice", 1, NULL);
}

static void an_effect_without_its_approval_is_refused(void **state)
{
    static const struct {
        int64_t approved, proposed; /* approved 0: nothing was asked for */
        bool granted;
        void (*between)(struct judging *j);
        const char *code;
    } rows[] = {
        { 0, 6, false, NULL, "approval_missing" },
        { 6, 6, false, NULL, "approval_missing" },
        { 6, 5, true, NULL, "approval_mismatch" },
        { 6, 7, true, NULL, "approval_mismatch" },
        { 6, 6, true, late, "approval_expired" },
        { 6, 6, true, policy_changed, "approval_policy_changed" },
        { 6, 6, true, denied, "approval_missing" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sov_account cash;
        struct sov_error err = { 0 };
        struct sov_effects effects;
        struct judging j;

        open_with(&j, ONE);
        if (rows[i].approved) judging_ask(&j, "operator", 1, rows[i].approved);
        if (rows[i].granted) judging_vote(&j, "alice", 1, true, NULL);
        if (rows[i].between) rows[i].between(&j);
        assert_string_equal(run(&j, 1, rows[i].proposed), rows[i].code);
        assert_true(sov_account_get(j.f.ledger, "cash", &j.f.arena, &cash, &err));
        assert_int_equal(cash.balance, 10000);
        assert_true(sov_effect_list(j.f.ledger, 0, &j.f.arena, &effects, &err));
        assert_int_equal(effects.count, 0);
        if (rows[i].granted && !rows[i].between) assert_string_equal(state_of(&j, 1), "GRANTED");
        judging_close(&j);
    }
}

static void an_approval_is_of_its_own_assignment_and_of_one_act(void **state)
{
    struct judging j;

    (void)state;
    open_with(&j, ONE);
    judging_ask(&j, "operator", 1, 6);
    judging_vote(&j, "alice", 1, true, NULL);
    assert_string_equal(run(&j, 1, 60), "quantity_out_of_range"); /* E5 before E9 */
    assert_int_equal(another(&j), 2);
    assert_string_equal(run(&j, 2, 6), "approval_missing"); /* that of ASG-1 is not its */
    assert_int_equal(another(&j), 3);
    judging_ask(&j, "operator", 3, 6);
    judging_vote(&j, "bob", 2, true, NULL);
    assert_null(run(&j, 3, 6));
    assert_string_equal(state_of(&j, 1), "GRANTED");
    assert_string_equal(state_of(&j, 2), "CONSUMED");
    FIXTURE_REFUSED(
        &j.f, "operator", "event_invalid", j.done, /* not again, whoever tries */
        sov_approval_follow_consumed(
            (commit.lead = commit.seq, commit.lead_type = SOV_EVENT_RUN_FINISHED, &commit), 2,
            &(struct sov_stream){ .kind = SOV_STREAM_EFFECT, .n = 1 }, 0, &err));
    judging_close(&j);
}

static void a_kind_that_asks_for_none_uses_none(void **state)
{
    struct judging j;

    (void)state;
    open_with(&j, ONE);
    judging_policy(&j, NULL, NULL);
    judging_ask(&j, "operator", 1, 6);
    judging_vote(&j, "alice", 1, true, NULL);
    assert_null(run(&j, 1, 6));
    assert_string_equal(state_of(&j, 1), "GRANTED");
    judging_close(&j);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_binds_arguments_policy_and_time),
        cmocka_unit_test(the_same_request_while_pending_is_that_one),
        cmocka_unit_test(what_is_no_request_is_refused),
        cmocka_unit_test(too_many_requests_within_a_minute_are_refused),
        cmocka_unit_test(each_role_asks_votes_and_revokes_as_the_policy_says),
        cmocka_unit_test(one_grant_of_a_person_grants_and_one_denial_denies),
        cmocka_unit_test(a_quorum_of_two_needs_two_people),
        cmocka_unit_test(nobody_votes_on_what_he_asked_for),
        cmocka_unit_test(a_vote_is_signed_over_exactly_this_request),
        cmocka_unit_test(time_that_is_over_is_a_no),
        cmocka_unit_test(a_pass_expires_what_is_over_once),
        cmocka_unit_test(what_was_granted_can_be_taken_back),
        cmocka_unit_test(an_effect_uses_its_approval_in_its_own_commit),
        cmocka_unit_test(an_effect_without_its_approval_is_refused),
        cmocka_unit_test(an_approval_is_of_its_own_assignment_and_of_one_act),
        cmocka_unit_test(a_kind_that_asks_for_none_uses_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
