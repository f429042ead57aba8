#include <string.h>

#include "cli/ready.h"

/* What an actor may do now: its own assignments first, then what its role allows by state. */
struct may {
    struct sov_call *call;
    struct sov_node *rows;
    const struct sov_policy *policy;
    const char *actor, *role;
};

static bool allowed(const struct may *may, enum sov_authority authority)
{
    return sov_policy_may(may->policy, may->role, authority);
}

/* `command` holds the id at its %. */
static void put(struct may *may, const char *prefix, int64_t n, const char *state, const char *what,
                const char *command)
{
    struct sov_node *row = sov_add_object(may->rows, NULL);
    int before = (int)strcspn(command, "%");

    sov_add_id(row, "id", prefix, n);
    sov_add_text(row, "state", state);
    sov_add_text(row, "what", what);
    sov_add_printf(row, "next", "%.*s%s-%lld%s", before, command, prefix, (long long)n,
                   command + before + 1);
}

static bool assignments(struct may *may, struct sov_error *err)
{
    struct sov_assignments list;

    if (!allowed(may, SOV_MAY_WORK) || !may->actor) return true;
    if (!sov_assignment_list(may->call->ledger, 0, may->call->arena, &list, err)) return false;
    for (size_t i = 0; i < list.count; i++)
        if (list.at[i].state == SOV_ASSIGNMENT_CREATED && strcmp(list.at[i].actor, may->actor) == 0)
            put(may, "ASG", list.at[i].n, "CREATED", "run it", "sov run %");
    return true;
}

static void sow(struct may *may, const struct sov_sow *at)
{
    const char *state = sov_policy_sow_name(at->state);

    if (at->state == SOV_SOW_DRAFT && allowed(may, SOV_MAY_PLAN))
        put(may, "SOW", at->n, state, "declare it ready", "sov sow ready %");
    if ((at->state == SOV_SOW_READY || at->state == SOV_SOW_CHANGES_REQUESTED) &&
        allowed(may, SOV_MAY_ASSIGN))
        put(may, "SOW", at->n, state, "assign it", "sov assign % --to ACTOR");
    if ((at->state == SOV_SOW_BLOCKED || at->state == SOV_SOW_FAILED) && allowed(may, SOV_MAY_PLAN))
        put(may, "SOW", at->n, state, "retry it", "sov sow retry % --reason TEXT");
}

/* In REVIEW: to verify if the current execution is not verified yet, else to review. */
static bool judge(struct may *may, const struct sov_sow *at, struct sov_error *err)
{
    struct sov_verification current;
    bool found;

    if (at->state != SOV_SOW_REVIEW) return true;
    if (!sov_verification_current(may->call->ledger, at->n, may->call->arena, &current, &found,
                                  err))
        return false;
    if (!found && allowed(may, SOV_MAY_VERIFY))
        put(may, "SOW", at->n, "REVIEW", "verify it", "sov check %");
    if (found && allowed(may, SOV_MAY_REVIEW))
        put(may, "SOW", at->n, "REVIEW", "review it", "sov review % --pass --reason TEXT");
    return true;
}

static bool sows(struct may *may, struct sov_error *err)
{
    struct sov_sows list;

    if (!sov_sow_list(may->call->ledger, 0, 0, may->call->arena, &list, err)) return false;
    for (size_t i = 0; i < list.count; i++) {
        sow(may, &list.at[i]);
        if (!judge(may, &list.at[i], err)) return false;
    }
    return true;
}

static bool outcomes(struct may *may, struct sov_error *err)
{
    struct sov_outcomes list;

    if (!sov_outcome_list(may->call->ledger, may->call->arena, &list, err)) return false;
    for (size_t i = 0; i < list.count; i++) {
        const struct sov_outcome *at = &list.at[i];
        const char *state = sov_policy_outcome_name(at->state);

        if (at->state == SOV_OUTCOME_PROPOSED && allowed(may, SOV_MAY_PLAN))
            put(may, "OUT", at->n, state, "activate it", "sov outcome activate %");
        if (at->state == SOV_OUTCOME_VERIFYING && allowed(may, SOV_MAY_ACCEPT))
            put(may, "OUT", at->n, state, "accept it", "sov accept %");
        if (at->state == SOV_OUTCOME_VIOLATED && allowed(may, SOV_MAY_STEER))
            put(may, "OUT", at->n, state, "reopen it", "sov outcome reopen % --reason TEXT");
        if (at->state == SOV_OUTCOME_BLOCKED && allowed(may, SOV_MAY_STEER))
            put(may, "OUT", at->n, state, "unblock it", "sov outcome unblock % --reason TEXT");
    }
    return true;
}

/* Who asked does not vote, nor does who has voted; the rest is refused when it is tried. */
static bool approvals(struct may *may, struct sov_error *err)
{
    struct sov_call *call = may->call;
    struct sov_approvals list;

    if (!allowed(may, SOV_MAY_APPROVE)) return true;
    if (!sov_approval_list(call->ledger, NULL, NULL, call->arena, &list, err)) return false;
    for (size_t i = 0; i < list.count; i++) {
        struct sov_approval_votes votes;
        bool done = may->actor && strcmp(may->actor, list.at[i].requester) == 0;

        if (list.at[i].facts.state != SOV_APPROVAL_PENDING) continue;
        if (!sov_approval_votes(call->ledger, list.at[i].n, call->arena, &votes, err)) return false;
        for (size_t v = 0; v < votes.count && may->actor; v++)
            done = done || strcmp(may->actor, votes.at[v].voter) == 0;
        if (!done)
            put(may, "APR", list.at[i].n, "PENDING", "vote on it",
                "sov approve % --grant --reason TEXT");
    }
    return true;
}

/* What lies in the mailbox for the actor or his role; what he has claimed he may answer. */
static bool messages(struct may *may, struct sov_error *err)
{
    struct sov_call *call = may->call;
    struct sov_messages list;

    if (!may->actor) return true;
    if (!sov_message_waiting(call->ledger, may->actor, may->role, call->arena, &list, err))
        return false;
    for (size_t i = 0; i < list.count; i++) {
        struct sov_stream stream = sov_stream_numbered(SOV_STREAM_MESSAGE, list.at[i].n);
        struct sov_claim claim;
        bool found;

        if (list.at[i].state == SOV_MESSAGE_NEW) {
            put(may, "MSG", list.at[i].n, "NEW", "read it", "sov mail claim %");
            continue;
        }
        if (!sov_claim_find_on(call->ledger, &stream, 0, call->arena, &claim, &found, err))
            return false;
        if (found && strcmp(claim.holder, may->actor) == 0)
            put(may, "MSG", list.at[i].n, "CLAIMED", "answer it",
                sov_arena_printf(call->arena, "sov mail done %% --fence %lld",
                                 (long long)claim.fence));
    }
    return true;
}

/* A message that died is asked for again by who sent it, or who plans. */
static bool dead_messages(struct may *may, struct sov_error *err)
{
    struct sov_messages list;

    if (!sov_message_list(may->call->ledger, may->call->arena, &list, err)) return false;
    for (size_t i = 0; i < list.count; i++)
        if (list.at[i].state == SOV_MESSAGE_DEAD &&
            (allowed(may, SOV_MAY_PLAN) ||
             (may->actor && strcmp(list.at[i].from, may->actor) == 0)))
            put(may, "MSG", list.at[i].n, "DEAD", "ask for it again",
                "sov mail requeue % --reason TEXT");
    return true;
}

/* What the actor holds is to be sent, or to be said how it went. */
static bool delivery_held(struct may *may, const struct sov_delivery *at, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_numbered(SOV_STREAM_DELIVERY, at->n);
    struct sov_arena *arena = may->call->arena;
    bool sent = at->state == SOV_DELIVERY_STARTED, found;
    struct sov_claim claim;

    if (!sov_claim_find_on(may->call->ledger, &stream, 0, arena, &claim, &found, err)) return false;
    if (found && strcmp(claim.holder, may->actor) == 0)
        put(may, "DLV", at->n, sov_policy_delivery_name(at->state),
            sent ? "say how it went" : "send it",
            sov_arena_printf(arena, "sov delivery %s %% --fence %lld", sent ? "succeed" : "start",
                             (long long)claim.fence));
    return true;
}

/* What may be sent by anybody, and what a person is to look into. */
static bool deliveries(struct may *may, struct sov_error *err)
{
    struct sov_call *call = may->call;
    struct sov_deliveries list;
    struct sov_actor self;
    struct sov_now now;
    bool found;

    if (!may->actor) return true;
    if (!call->seams->clock.read(call->seams->clock.self, &now, err) ||
        !sov_actor_find(call->ledger, may->actor, call->arena, &self, &found, err) ||
        !sov_delivery_list(call->ledger, call->arena, &list, err))
        return false;
    for (size_t i = 0; i < list.count; i++) {
        const struct sov_delivery *at = &list.at[i];

        if (at->state == SOV_DELIVERY_QUEUED && now.wall.ms >= at->after_ms)
            put(may, "DLV", at->n, "QUEUED", "send it", "sov delivery claim %");
        if ((at->state == SOV_DELIVERY_CLAIMED || at->state == SOV_DELIVERY_STARTED) &&
            !delivery_held(may, at, err))
            return false;
        if ((at->state == SOV_DELIVERY_UNKNOWN || at->state == SOV_DELIVERY_DEAD) && found &&
            strcmp(self.kind, "person") == 0)
            put(may, "DLV", at->n, sov_policy_delivery_name(at->state), "look what became of it",
                "sov delivery resolve % --found WORD --reason TEXT");
    }
    return true;
}

static bool sessions(struct may *may, struct sov_error *err)
{
    struct sov_sessions list;

    if (!may->actor) return true;
    if (!sov_session_list(may->call->ledger, may->call->arena, &list, err)) return false;
    for (size_t i = 0; i < list.count; i++)
        if (list.at[i].state == SOV_SESSION_OPEN && strcmp(list.at[i].actor, may->actor) == 0)
            put(may, "SES", list.at[i].n, "OPEN", "take it up",
                "sov session claim % --instance INS --instance-fence N");
    return true;
}

bool sov_ready_put(struct sov_call *call, const char *actor, const char *role,
                   struct sov_node *rows, struct sov_error *err)
{
    struct may may = { .call = call, .rows = rows, .actor = actor, .role = role };

    return sov_policy_at(call->ledger, 0, call->arena, &may.policy, err) &&
           assignments(&may, err) && sows(&may, err) && outcomes(&may, err) &&
           approvals(&may, err) && messages(&may, err) && dead_messages(&may, err) &&
           sessions(&may, err) && deliveries(&may, err);
}

static bool role_of(struct may *may, struct sov_error *err)
{
    struct sov_actor actor;
    bool found;

    may->role = sov_value_of(may->call, SOV_FLAG_ROLE);
    if (may->role && sov_policy_role(may->policy, may->role)) return true;
    if (may->role)
        return sov_fail(err, SOV_USAGE, "role_unknown", "the policy has no role %s", may->role);
    if (!sov_call_actor(may->call, &may->actor, err) ||
        !sov_actor_find(may->call->ledger, may->actor, may->call->arena, &actor, &found, err))
        return false;
    if (!found) return sov_fail(err, SOV_ABSENT, "no_such_id", "there is no actor %s", may->actor);
    may->role = actor.role;
    if (strcmp(actor.status, "active") != 0) may->role = "";
    return true;
}

static bool ready(struct sov_call *call, struct sov_error *err)
{
    struct may may = { .call = call, .rows = sov_node_list(call->arena) };

    if (!sov_policy_at(call->ledger, 0, call->arena, &may.policy, err) || !role_of(&may, err) ||
        !sov_ready_put(call, may.actor, may.role, may.rows, err))
        return false;
    if (!may.rows->first && sov_given(call, SOV_FLAG_EXIT_CODE)) call->answer = SOV_NO;
    sov_out_table(call->out, may.rows, "id state what next");
    sov_out_data(call->out, may.rows);
    return true;
}

static const struct sov_form forms[] = {
    { "", ready, SOV_READS | SOV_CLONES, 0, 0, "[--role R] [--exit-code]",
      "what this actor, or a role, may do now, with the command", "id:s state:s what:s next:s",
      "1 nothing, with --exit-code", "sov ready --actor operator\nsov ready --role sparring",
      NULL },
};
static const struct sov_verb verb = {
    "ready", "what there is to do", "", forms, 1, SOV_GROUP_START
};

const struct sov_verb *sov_verb_ready(void)
{
    return &verb;
}
