/* Approvals and what they allowed, decided again on the state just before each event. */
#include <string.h>

#include "policy/policy.h"
#include "verify/judge.h"

static bool requested(struct sov_judge *judge, struct sov_ledger *before,
                      const struct sov_event *event, struct sov_error *err)
{
    const struct sov_policy *policy;

    if (!sov_policy_load(before, &policy, err)) return sov_decided_unread(judge, event, err);
    if (!sov_decided_digest_is(event, "policy", &policy->digest))
        return sov_decided_wrong(judge, event, "decision", "another policy was in force");
    if (sov_data_int(event, "quorum") != policy->approval_quorum ||
        sov_data_int(event, "persons") != policy->approval_persons)
        return sov_decided_wrong(judge, event, "decision", "the policy asks for another quorum");
    return true;
}

/* With this one: a vote to deny decides by itself, one to grant when it completes the quorum. */
static bool decides(struct sov_judge *judge, struct sov_ledger *before,
                    const struct sov_event *event, const struct sov_approval *approval,
                    const struct sov_person_facts *voter, struct sov_error *err)
{
    bool grants = sov_bytes_is(sov_data_text(event, "vote", &judge->scratch), "grant");
    struct sov_people granted;
    struct sov_person_facts *people;

    if (!sov_approval_voters(before, approval->n, true, &judge->scratch, &granted, err))
        return sov_decided_unread(judge, event, err);
    people = sov_arena_array(&judge->scratch, granted.count + 1, sizeof *people);
    if (granted.count) memcpy(people, granted.at, granted.count * sizeof *people);
    people[granted.count++] = *voter;
    granted.at = people;
    if (grants && !sov_policy_approval_completes(approval->quorum, approval->persons, &granted))
        return true;
    judge->due =
        (struct sov_due){ event->seq, approval->n,
                          grants ? SOV_EVENT_APPROVAL_GRANTED : SOV_EVENT_APPROVAL_DENIED };
    return true;
}

void sov_votes_event(struct sov_judge *judge, const struct sov_event *event)
{
    struct sov_due due = judge->due;

    judge->due.seq = 0;
    if (!due.seq || (event && event->type == due.type && event->stream.n == due.approval)) return;
    sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "decision", due.seq,
                     "event %lld decides APR-%lld, and no %s is behind it", (long long)due.seq,
                     (long long)due.approval, sov_event_row(due.type)->type);
}

static bool voted(struct sov_judge *judge, struct sov_ledger *before, const struct sov_event *event,
                  struct sov_error *err)
{
    struct sov_arena *arena = &judge->scratch;
    struct sov_person_facts voter, requester;
    const struct sov_policy *policy;
    struct sov_approval approval;
    struct sov_people voters;

    if (!sov_policy_load(before, &policy, err) ||
        !sov_approval_get(before, event->stream.n, arena, &approval, err) ||
        !sov_actor_person(before, sov_arena_text(arena, event->actor), arena, &voter, err) ||
        !sov_actor_person(before, approval.requester, arena, &requester, err) ||
        !sov_approval_voters(before, approval.n, false, arena, &voters, err) ||
        !sov_policy_approval_vote(policy, &voter, &requester, &voters, approval.facts.expires_ms,
                                  event->at.ms, err))
        return sov_decided_unread(judge, event, err);
    return decides(judge, before, event, &approval, &voter, err);
}

static bool granted(struct sov_judge *judge, struct sov_ledger *before,
                    const struct sov_event *event, struct sov_error *err)
{
    struct sov_approval approval;
    struct sov_people people;

    if (!sov_approval_get(before, event->stream.n, &judge->scratch, &approval, err) ||
        !sov_approval_voters(before, event->stream.n, true, &judge->scratch, &people, err))
        return sov_decided_unread(judge, event, err);
    if (sov_policy_approval_completes(approval.quorum, approval.persons, &people)) return true;
    return sov_decided_wrong(judge, event, "decision", "the votes do not reach the quorum");
}

static bool revoked(struct sov_judge *judge, struct sov_ledger *before,
                    const struct sov_event *event, struct sov_error *err)
{
    const struct sov_policy *policy;
    struct sov_approval approval;
    struct sov_actor actor;
    bool found;

    if (!sov_policy_load(before, &policy, err) ||
        !sov_approval_get(before, event->stream.n, &judge->scratch, &approval, err) ||
        !sov_actor_find(before, sov_arena_text(&judge->scratch, event->actor), &judge->scratch,
                        &actor, &found, err))
        return sov_decided_unread(judge, event, err);
    if (!found || sov_bytes_is(event->actor, approval.requester) ||
        sov_policy_may(policy, actor.role, SOV_MAY_APPROVE))
        return true; /* who is not registered is the roster's finding */
    return sov_decided_wrong(judge, event, "decision",
                             "neither the requester nor one who may approve");
}

/* E9: the kind asks for an approval, and the one named allows this very effect. */
static bool committed(struct sov_judge *judge, struct sov_ledger *before,
                      const struct sov_event *event, struct sov_error *err)
{
    struct sov_arena *arena = &judge->scratch;
    int64_t n = sov_data_number(event, "approval", SOV_STREAM_APPROVAL),
            assignment = sov_data_number(event, "assignment", SOV_STREAM_ASSIGNMENT);
    const char *name = sov_arena_text(arena, sov_data_text(event, "kind", arena));
    const struct sov_effect_kind *kind;
    const struct sov_policy *policy;
    struct sov_approval approval;
    struct sov_stream resource;
    struct sov_bytes args;
    struct sov_hash digest;

    if (!sov_policy_load(before, &policy, err)) return sov_decided_unread(judge, event, err);
    kind = sov_policy_effect_kind(policy, name, SOV_FROM_ASSIGNMENT);
    if (kind && !kind->approval && !n) return true;
    if (!kind || !kind->approval || !n)
        return sov_decided_wrong(judge, event, "decision",
                                 n ? "no approval was asked for" : "an approval was asked for");
    if (!sov_approval_get(before, n, arena, &approval, err) ||
        !sov_approval_effect_args(assignment, name, sov_data_int(event, "quantity"),
                                  sov_arena_text(arena, sov_data_text(event, "subject", arena)),
                                  arena, &args, err))
        return sov_decided_unread(judge, event, err);
    digest = sov_sha256(args);
    if (strcmp(approval.action, SOV_APPROVAL_EFFECT) != 0 ||
        !sov_stream_parse(sov_bytes_text(approval.resource), &resource) ||
        resource.kind != SOV_STREAM_ASSIGNMENT || resource.n != assignment)
        return sov_decided_wrong(judge, event, "decision", "the approval is for something else");
    if (!sov_policy_approval_allows(&approval.facts, &digest, event->at.ms, &policy->digest, err))
        return sov_decided_unread(judge, event, err);
    return true;
}

static bool consumed(struct sov_judge *judge, struct sov_ledger *before,
                     const struct sov_event *event, struct sov_error *err)
{
    struct sov_stream used_by;
    struct sov_effect effect;

    if (!sov_stream_parse(sov_data_text(event, "used_by", &judge->scratch), &used_by) ||
        used_by.kind != SOV_STREAM_EFFECT)
        return sov_decided_wrong(judge, event, "decision",
                                 "it is used by nothing that an approval allows");
    if (!sov_effect_get(before, used_by.n, &judge->scratch, &effect, err))
        return sov_decided_unread(judge, event, err);
    if (effect.approval == event->stream.n) return true;
    return sov_decided_wrong(judge, event, "decision", "the effect names another approval");
}

/* Behind the effects of a run: what allowed each is used up. */
static bool received(struct sov_judge *judge, struct sov_ledger *before,
                     const struct sov_event *event, struct sov_error *err)
{
    struct sov_arena *arena = &judge->scratch;
    struct sov_value item;
    size_t at = 0;

    while (sov_value_item(sov_data(event, "effects"), &at, &item)) {
        int64_t n = sov_id_number(sov_value_bytes(item, arena), SOV_STREAM_EFFECT);
        struct sov_approval approval;
        struct sov_effect effect;
        const char *due;

        if (!n) return sov_decided_wrong(judge, event, "decision", "an effect is no effect's id");
        if (!sov_effect_get(before, n, arena, &effect, err))
            return sov_decided_unread(judge, event, err);
        if (!effect.approval) continue;
        if (!sov_approval_get(before, effect.approval, arena, &approval, err))
            return sov_decided_unread(judge, event, err);
        due = sov_arena_printf(arena, "effect/EFF-%lld", (long long)n);
        if (!approval.used_by || strcmp(approval.used_by, due) != 0)
            return sov_decided_wrong(judge, event, "decision",
                                     "an approval that allowed an effect is not used up");
    }
    return true;
}

bool sov_judge_approval(struct sov_judge *judge, struct sov_ledger *before,
                        const struct sov_event *event, struct sov_error *err)
{
    static const struct {
        enum sov_event_type type;
        bool (*again)(struct sov_judge *judge, struct sov_ledger *before,
                      const struct sov_event *event, struct sov_error *err);
    } rows[] = {
        { SOV_EVENT_APPROVAL_REQUESTED, requested }, { SOV_EVENT_APPROVAL_VOTED, voted },
        { SOV_EVENT_APPROVAL_GRANTED, granted },     { SOV_EVENT_APPROVAL_REVOKED, revoked },
        { SOV_EVENT_EFFECT_COMMITTED, committed },   { SOV_EVENT_APPROVAL_CONSUMED, consumed },
        { SOV_EVENT_RECEIPT_RECORDED, received },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].type == event->type) return rows[i].again(judge, before, event, err);
    return true;
}
