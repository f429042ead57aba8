/* Effects and changes: what policy and facts make of the quantity is what they say, the facts are
 * those of the subject then, and each posting stands on its account's stream, next in the log. */
#include <stdio.h>
#include <string.h>

#include "policy/policy.h"
#include "verify/judge.h"

static void bad(struct sov_judge *judge, const char *kind, int64_t seq, const char *why)
{
    sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, kind, seq, "event %lld %s",
                     (long long)seq, why);
}

static bool says(const struct sov_posting *due, size_t count, const struct sov_posting *said,
                 size_t said_count)
{
    if (count != said_count) return false;
    for (size_t i = 0; i < count; i++)
        if (due[i].delta != said[i].delta || strcmp(due[i].account, said[i].account) != 0)
            return false;
    return true;
}

static bool facts_hold(struct sov_judge *judge, const struct sov_ledger *before,
                       const char *subject, const struct sov_fact *facts, size_t count,
                       bool *hold_out, struct sov_error *err)
{
    struct sov_subject row;
    bool found;

    *hold_out = true;
    if (!before) return true;
    if (!sov_subject_find(before, subject, &judge->scratch, &row, &found, err)) return false;
    for (size_t i = 0; i < count && *hold_out; i++) {
        size_t at = 0;

        while (found && at < row.fact_count && strcmp(row.facts[at].name, facts[i].name) != 0) at++;
        *hold_out = found && at < row.fact_count && row.facts[at].value == facts[i].value;
    }
    return true;
}

static void owe(struct sov_owed *owed, int64_t seq, const struct sov_posting *said, size_t count)
{
    *owed = (struct sov_owed){ .seq = seq, .count = count };
    for (size_t i = 0; i < count; i++) {
        snprintf(owed->account[i], sizeof owed->account[i], "%s", said[i].account);
        owed->delta[i] = said[i].delta;
    }
}

static bool decided(struct sov_judge *judge, const struct sov_ledger *before,
                    const struct sov_event *event, struct sov_error *err)
{
    struct sov_arena *arena = &judge->scratch;
    const char *subject = sov_arena_text(arena, sov_data_text(event, "subject", arena));
    const char *word = sov_arena_text(arena, sov_data_text(event, "kind", arena));
    const struct sov_posting *said, *due;
    const struct sov_effect_kind *kind;
    const struct sov_policy *policy;
    const struct sov_fact *facts;
    size_t said_count, due_count, fact_count;
    char hex[SOV_HEX_HASH + 1];
    struct sov_error why;
    bool hold;

    if (!sov_policy_load(judge->roster.memory, &policy, err)) return false;
    if (!sov_postings_read(sov_data(event, "postings").octets, arena, &said, &said_count) ||
        !sov_facts_read(sov_data(event, "facts").octets, arena, &facts, &fact_count))
        return true; /* the registry says so */
    kind = sov_policy_effect_kind(policy, word,
                                  event->type == SOV_EVENT_CHANGE_RECORDED ? SOV_FROM_OUTSIDE
                                                                           : SOV_FROM_ASSIGNMENT);
    sov_hex(sov_hash_bytes(&policy->digest), hex);
    if (!kind || !sov_bytes_is(sov_value_plain(sov_data(event, "policy")), hex))
        bad(judge, "postings", event->seq, "was not decided by the policy that was in force");
    else if (!sov_policy_postings_due(kind, subject, sov_data_int(event, "quantity"), facts,
                                      fact_count, arena, &due, &due_count, &why) ||
             !says(due, due_count, said, said_count))
        bad(judge, "postings", event->seq, "does not say what its quantity and facts come to");
    if (!facts_hold(judge, before, subject, facts, fact_count, &hold, err)) return false;
    if (!hold) bad(judge, "facts", event->seq, "uses facts that its subject did not have");
    owe(&judge->owed, event->seq, said, said_count);
    return true;
}

static bool cites(const struct sov_event *event, int64_t seq)
{
    struct sov_value item;
    size_t at = 0;

    if (!sov_value_there(event->cause)) return false;
    while (sov_value_item(event->cause, &at, &item))
        if (sov_value_int(item) == seq) return true;
    return false;
}

static void posted(struct sov_judge *judge, const struct sov_event *event)
{
    struct sov_owed *owed = &judge->owed;
    bool is_posting = event->type == SOV_EVENT_ACCOUNT_POSTED;

    if (owed->at == owed->count && !is_posting) return;
    if (owed->at == owed->count || !is_posting || !cites(event, owed->seq) ||
        !sov_bytes_is(event->stream.name, owed->account[owed->at]) ||
        sov_data_int(event, "delta") != owed->delta[owed->at]) {
        bad(judge, "posting", event->seq, "is not the posting that is due at its place");
        owed->count = owed->at = 0;
        return;
    }
    owed->at++;
}

bool sov_postings_event(struct sov_judge *judge, const struct sov_ledger *before,
                        const struct sov_event *event, struct sov_error *err)
{
    posted(judge, event);
    if (event->type != SOV_EVENT_EFFECT_COMMITTED && event->type != SOV_EVENT_CHANGE_RECORDED)
        return true;
    return decided(judge, before, event, err);
}

void sov_postings_end(struct sov_judge *judge)
{
    if (judge->owed.at < judge->owed.count)
        bad(judge, "posting", judge->owed.seq, "has postings that are not in the log");
}
