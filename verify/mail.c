/* Messages, decided again on the state just before each event: who claims, who requeues, whom a
 * review tells, and when a message is dead. */
#include <string.h>

#include "policy/policy.h"
#include "verify/judge.h"

/* By host, behind a review: to the worker of the SOW that it is about. */
static bool told(struct sov_judge *judge, struct sov_ledger *before, const struct sov_event *event,
                 struct sov_error *err)
{
    struct sov_arena *arena = &judge->scratch;
    struct sov_assignment work;
    struct sov_stream about;
    struct sov_sow sow;

    if (!sov_bytes_is(event->actor, "host")) return true;
    if (!sov_stream_parse(sov_data_text(event, "about", arena), &about) ||
        about.kind != SOV_STREAM_SOW)
        return sov_decided_wrong(judge, event, "decision", "it is about no SOW");
    if (!sov_sow_get(before, about.n, arena, &sow, err) ||
        !sov_assignment_get(before, sow.assignment, arena, &work, err))
        return sov_decided_unread(judge, event, err);
    return sov_bytes_is(sov_data_text(event, "to", arena), work.actor) ||
           sov_decided_wrong(judge, event, "decision", "it is not to the worker");
}

static bool acted(struct sov_judge *judge, struct sov_ledger *before, const struct sov_event *event,
                  const struct sov_message *message, struct sov_error *err)
{
    const char *id = sov_arena_text(&judge->scratch, event->actor);
    const struct sov_policy *policy;
    struct sov_actor actor;
    bool found;

    if (!sov_policy_load(before, &policy, err) ||
        !sov_actor_find(before, id, &judge->scratch, &actor, &found, err))
        return sov_decided_unread(judge, event, err);
    if (!found) return true; /* the roster's finding */
    if (event->type == SOV_EVENT_CLAIM_ACQUIRED)
        return sov_message_is_for(message, id, actor.role) ||
               sov_decided_wrong(judge, event, "decision", "the message is for somebody else");
    return strcmp(message->from, id) == 0 || sov_policy_may(policy, actor.role, SOV_MAY_PLAN) ||
           sov_decided_wrong(judge, event, "decision", "neither its sender nor one who may plan");
}

static bool failed(struct sov_judge *judge, struct sov_ledger *before,
                   const struct sov_event *event, struct sov_error *err)
{
    bool dead = sov_bytes_is(sov_data_text(event, "next", &judge->scratch), "DEAD");
    const struct sov_policy *policy;

    if (!sov_policy_load(before, &policy, err)) return sov_decided_unread(judge, event, err);
    return dead == (sov_data_int(event, "retries") >= policy->limits_message_retries) ||
           sov_decided_wrong(judge, event, "decision", "the limit of retries is another");
}

bool sov_judge_mail(struct sov_judge *judge, struct sov_ledger *before,
                    const struct sov_event *event, struct sov_error *err)
{
    struct sov_message message;
    bool found;

    if (event->stream.kind != SOV_STREAM_MESSAGE) return true;
    if (event->type == SOV_EVENT_MESSAGE_SENT) return told(judge, before, event, err);
    if (event->type == SOV_EVENT_MESSAGE_FAILED) return failed(judge, before, event, err);
    if (event->type != SOV_EVENT_CLAIM_ACQUIRED && event->type != SOV_EVENT_MESSAGE_REQUEUED)
        return true;
    if (!sov_message_find(before, event->stream.n, &judge->scratch, &message, &found, err))
        return sov_decided_unread(judge, event, err);
    return !found || acted(judge, before, event, &message, err); /* the fold says that it is not */
}
