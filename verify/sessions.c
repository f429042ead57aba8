/* Sessions and deliveries, decided again on the state just before each event: under which instance,
 * in whose time, by whom, with what limits. */
#include <string.h>

#include "policy/policy.h"
#include "verify/judge.h"

/* A claim, under the live claim of an instance of the same actor; a callback, in time. */
static bool session(struct sov_judge *judge, struct sov_ledger *before,
                    const struct sov_event *event, struct sov_error *err)
{
    const char *actor = sov_arena_text(&judge->scratch, event->actor);
    struct sov_session row;
    int64_t instance;
    bool found, ok;

    if (event->type != SOV_EVENT_CLAIM_ACQUIRED && event->type != SOV_EVENT_CLAIM_RENEWED &&
        event->type != SOV_EVENT_SESSION_CLOSED)
        return true;
    if (!sov_session_find(before, event->stream.n, &judge->scratch, &row, &found, err))
        return sov_decided_unread(judge, event, err);
    if (!found) return true; /* the fold says so */
    if (event->type == SOV_EVENT_CLAIM_ACQUIRED)
        ok = sov_session_instance(before, sov_data_int(event, "instance_fence"), actor,
                                  event->at.ms, &judge->scratch, &instance, err);
    else
        ok = sov_session_goes_on(before, &row, event->fence, event->at.ms, &judge->scratch, err);
    return ok || sov_decided_unread(judge, event, err);
}

static bool resolved(struct sov_judge *judge, struct sov_ledger *before,
                     const struct sov_event *event, struct sov_error *err)
{
    const char *id = sov_arena_text(&judge->scratch, event->actor);
    struct sov_actor actor;
    bool found;

    if (!sov_actor_find(before, id, &judge->scratch, &actor, &found, err))
        return sov_decided_unread(judge, event, err);
    return !found || strcmp(actor.kind, "person") == 0 ||
           sov_decided_wrong(judge, event, "decision", "by no person");
}

static bool failed(struct sov_judge *judge, const struct sov_policy *policy,
                   const struct sov_event *event, struct sov_error *err)
{
    struct sov_value after = sov_data(event, "process_after");
    int64_t wait_ms = sov_delivery_backoff(policy, sov_data_int(event, "attempts")) * 1000;
    struct sov_instant at;

    if (!sov_value_there(after)) return true;
    if (!sov_instant_parse(sov_value_plain(after), &at, err))
        return sov_decided_unread(judge, event, err);
    return at.ms == event->at.ms + wait_ms ||
           sov_decided_wrong(judge, event, "decision", "the wait is another");
}

static bool delivery(struct sov_judge *judge, struct sov_ledger *before,
                     const struct sov_event *event, struct sov_error *err)
{
    const struct sov_policy *policy;
    struct sov_delivery row;
    bool found;

    if (event->type == SOV_EVENT_DELIVERY_RESOLVED) return resolved(judge, before, event, err);
    if (!sov_policy_load(before, &policy, err)) return sov_decided_unread(judge, event, err);
    if (event->type == SOV_EVENT_DELIVERY_FAILED) return failed(judge, policy, event, err);
    if (event->type == SOV_EVENT_DELIVERY_QUEUED)
        return sov_data_int(event, "max_attempts") == policy->limits_delivery_attempts ||
               sov_decided_wrong(judge, event, "decision",
                                 "the policy has another limit of attempts");
    if (event->type != SOV_EVENT_CLAIM_ACQUIRED) return true;
    if (!sov_delivery_find(before, event->stream.n, &judge->scratch, &row, &found, err))
        return sov_decided_unread(judge, event, err);
    return !found || event->at.ms >= row.after_ms ||
           sov_decided_wrong(judge, event, "decision", "before its time");
}

bool sov_judge_session(struct sov_judge *judge, struct sov_ledger *before,
                       const struct sov_event *event, struct sov_error *err)
{
    if (event->stream.kind == SOV_STREAM_SESSION) return session(judge, before, event, err);
    if (event->stream.kind == SOV_STREAM_DELIVERY) return delivery(judge, before, event, err);
    return true;
}
