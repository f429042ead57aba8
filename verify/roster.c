/* Authority at each event: roster and policy are folded as they come, and asked. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "policy/policy.h"
#include "verify/judge.h"

bool sov_roster_open(struct sov_judge *judge, struct sov_error *err)
{
    return sov_ledger_memory(judge->ledger, judge->head, true, &judge->roster.memory, err);
}

void sov_roster_close(struct sov_roster *roster)
{
    sov_ledger_close(roster->memory);
    *roster = (struct sov_roster){ 0 };
}

static bool is_roster(enum sov_stream_kind kind)
{
    return kind == SOV_STREAM_ORGANIZATION || kind == SOV_STREAM_POLICY || kind == SOV_STREAM_KEY ||
           kind == SOV_STREAM_ACTOR;
}

static bool look_up(struct sov_judge *judge, struct sov_bytes id, size_t at, struct sov_error *err)
{
    struct sov_roster *roster = &judge->roster;
    const struct sov_policy *policy;
    const struct sov_role *role;
    struct sov_actor actor;
    bool found;

    snprintf(roster->cache[at].actor, sizeof roster->cache[at].actor, "%.*s", (int)id.size,
             (const char *)id.data);
    if (!sov_actor_find(roster->memory, roster->cache[at].actor, &judge->scratch, &actor, &found,
                        err))
        return false;
    roster->cache[at].there = found;
    roster->cache[at].may = 0;
    roster->cache[at].active = found && strcmp(actor.status, "active") == 0;
    if (!found || !roster->has_policy) return true;
    if (!sov_policy_load(roster->memory, &policy, err)) return false;
    role = sov_policy_role(policy, actor.role);
    roster->cache[at].may = role ? role->may : 0;
    return true;
}

static bool find(struct sov_judge *judge, struct sov_bytes id, size_t *at_out,
                 struct sov_error *err)
{
    struct sov_roster *roster = &judge->roster;

    for (size_t i = 0; i < roster->cached; i++) {
        if (!sov_bytes_is(id, roster->cache[i].actor)) continue;
        *at_out = i;
        return true;
    }
    if (roster->cached == SOV_ROSTER_CACHE) roster->cached = 0;
    *at_out = roster->cached++;
    return look_up(judge, id, *at_out, err);
}

/* One of "a|b"; "own" leaves the holder of the key to the signatures and asks administer else. */
static bool may(const char *words, uint32_t mask)
{
    while (*words) {
        size_t size = strcspn(words, "|");
        enum sov_authority authority;

        if (sov_authority_find(sov_bytes(words, size), &authority) && mask >> authority & 1)
            return true;
        words += size + (words[size] == '|');
    }
    return false;
}

static bool own_key(struct sov_judge *judge, const struct sov_event *event, bool *own_out,
                    struct sov_error *err)
{
    struct sov_actor_keys keys;

    *own_out = false;
    if (!sov_key_list(judge->roster.memory, NULL, &judge->scratch, &keys, err)) return false;
    for (size_t i = 0; i < keys.count; i++)
        *own_out = *own_out || (sov_bytes_is(event->stream.name, keys.at[i].id) &&
                                sov_bytes_is(event->actor, keys.at[i].actor));
    return true;
}

static bool authority_holds(struct sov_judge *judge, const struct sov_event *event,
                            struct sov_error *err)
{
    const struct sov_event_row *row = sov_event_row(event->type);
    const char *words = sov_event_authority(row, event->stream.kind);
    uint32_t administer = UINT32_C(1) << SOV_MAY_ADMINISTER;
    bool own = false;
    size_t at;

    if (sov_bytes_is(event->actor, "host")) return true; /* batch.c asks what it stands behind */
    if (!*words || strcmp(words, "pass") == 0) {
        sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "actor", event->seq,
                         "event %lld (%s) is host's alone", (long long)event->seq, row->type);
        return true;
    }
    if (!find(judge, event->actor, &at, err)) return false;
    /* The founding adopts the first policy; before it there is none to ask. */
    if (!judge->roster.has_policy && event->type == SOV_EVENT_POLICY_ADOPTED) return true;
    if (strcmp(words, "own") == 0 && !own_key(judge, event, &own, err)) return false;
    if (judge->roster.cache[at].active &&
        (own || may(words, judge->roster.cache[at].may) ||
         (strcmp(words, "own") == 0 && judge->roster.cache[at].may & administer)))
        return true;
    sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "authority", event->seq,
                     "%s had no authority for event %lld (%s)", judge->roster.cache[at].actor,
                     (long long)event->seq, row->type);
    return true;
}

bool sov_roster_event(struct sov_judge *judge, const struct sov_event *event, struct sov_error *err)
{
    judge->report->steps[SOV_STEP_REGISTRY].checked++;
    if (!authority_holds(judge, event, err)) return false;
    if (!is_roster(event->stream.kind)) return true;
    judge->roster.cached = 0;
    /* The pass folds it too, and says what cannot be folded. */
    if (!sov_ledger_fold_event(judge->roster.memory, event, err)) return err->exit == SOV_INTEGRITY;
    if (event->type == SOV_EVENT_POLICY_ADOPTED) judge->roster.has_policy = true;
    return true;
}
