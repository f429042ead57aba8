/* Acceptances, decided again: the gates are walked on the state just before the event, with the
 * observations that it carries, and must come to the same case. */
#include <stdio.h>
#include <string.h>

#include "policy/policy.h"
#include "verify/judge.h"

/* Content that was erased later was there then; whether it was is blobs.c's to say. */
static bool is_of_content(const struct sov_shut *shut)
{
    return strcmp(shut->code, "deliverable_missing") == 0 ||
           strcmp(shut->code, "deliverable_changed") == 0;
}

static void bad(struct sov_judge *judge, const struct sov_event *event, const char *kind,
                const char *what, const char *more)
{
    sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, kind, event->seq,
                     "event %lld accepted ACC-%lld, decided again: %s%s", (long long)event->seq,
                     (long long)event->stream.n, what, more);
}

static bool observed(const struct sov_event *event, struct sov_arena *arena,
                     struct sov_observations *observations_out, struct sov_error *err)
{
    struct sov_acceptance said = { .observations = sov_data(event, "observations").octets };

    return sov_acceptance_observations(&said, arena, observations_out, err);
}

bool sov_judge_decision(struct sov_judge *judge, const struct sov_ledger *before,
                        const struct sov_event *event, struct sov_error *err)
{
    struct sov_acceptance_request request = { 0 };
    struct sov_acceptance_prepared prepared;
    struct sov_observations observations;
    struct sov_arena *arena = &judge->scratch;
    char hex[SOV_HEX_HASH + 1];

    if (event->type != SOV_EVENT_ACCEPTANCE_SIGNED) return true;
    if (!observed(event, arena, &observations, err)) return false;
    request.outcome = sov_data_number(event, "outcome", SOV_STREAM_OUTCOME);
    request.observations = &observations;
    observations.basis = sov_data_int(event, "basis");
    if (!sov_acceptance_prepare(before, sov_arena_text(arena, event->actor), &request, arena,
                                &prepared, err)) {
        if (err->exit != SOV_INTEGRITY && err->exit != SOV_ABSENT) return false;
        bad(judge, event, "decision", err->what, "");
        return true;
    }
    for (size_t i = 0; i < prepared.verdict.count; i++) {
        if (is_of_content(&prepared.verdict.shut[i])) continue;
        bad(judge, event, "decision", "a gate is shut, ", prepared.verdict.shut[i].code);
        return true;
    }
    sov_hex(sov_hash_bytes(&prepared.case_digest), hex);
    if (!sov_bytes_is(sov_value_plain(sov_data(event, "case_digest")), hex))
        bad(judge, event, "case", "the case is another one", "");
    sov_hex(sov_hash_bytes(&prepared.reads_digest), hex);
    if (!sov_bytes_is(sov_value_plain(sov_data(event, "reads_digest")), hex))
        bad(judge, event, "reads", "other streams or versions were read", "");
    return true;
}
