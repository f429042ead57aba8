/* Decisions of the log, made again on the state just before each: the pulse's answers with what was
 * to be read then, acceptances by their gates with the observations that they carry, what a pass
 * said of a claim by the clocks that it named. */
#include <string.h>

#include "policy/policy.h"
#include "verify/judge.h"

bool sov_decided_wrong(struct sov_judge *judge, const struct sov_event *event, const char *kind,
                       const char *what)
{
    sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, kind, event->seq,
                     "event %lld (%s), decided again: %s", (long long)event->seq,
                     sov_event_row(event->type)->type, what);
    return true;
}

bool sov_decided_unread(struct sov_judge *judge, const struct sov_event *event,
                        struct sov_error *err)
{
    if (err->exit == SOV_UNABLE) return false;
    sov_decided_wrong(judge, event, "decision", err->what);
    return true;
}

bool sov_decided_digest_is(const struct sov_event *event, const char *key,
                           const struct sov_hash *hash)
{
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(hash), hex);
    return sov_bytes_is(sov_value_plain(sov_data(event, key)), hex);
}

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

static bool wake_again(struct sov_judge *judge, struct sov_ledger *before,
                       const struct sov_event *event, struct sov_error *err)
{
    const struct sov_policy *policy;
    struct sov_signal signal;
    struct sov_wake wake;

    if (!sov_policy_load(before, &policy, err) ||
        !sov_signal_get(before, event->stream.n, &judge->scratch, &signal, err) ||
        !sov_wake_decide(before, policy, &signal, event->at.ms, &judge->scratch, &wake, err)) {
        if (err->exit == SOV_UNABLE) return false;
        sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "decision", event->seq,
                         "event %lld cannot be decided again: %s", (long long)event->seq,
                         err->what);
        return true;
    }
    if (sov_decided_digest_is(event, "inputs_digest", &wake.inputs_digest) &&
        sov_decided_digest_is(event, "rules_digest", &wake.rules_digest) &&
        sov_bytes_is(sov_data_text(event, "reason", &judge->scratch), wake.reason) &&
        sov_bytes_is(sov_data_text(event, "decision", &judge->scratch),
                     sov_policy_wake_word(wake.decision)) &&
        sov_data_number(event, "outcome", SOV_STREAM_OUTCOME) == wake.outcome)
        return true;
    sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "decision", event->seq,
                     "event %lld answered SIG-%lld otherwise than %s %s", (long long)event->seq,
                     (long long)event->stream.n, sov_policy_wake_word(wake.decision), wake.reason);
    return true;
}

static bool acceptance_again(struct sov_judge *judge, const struct sov_ledger *before,
                             const struct sov_event *event, struct sov_error *err)
{
    struct sov_acceptance_request request = { 0 };
    struct sov_acceptance_prepared prepared;
    struct sov_observations observations;
    struct sov_arena *arena = &judge->scratch;

    if (!observed(event, arena, &observations, err)) return false;
    request.outcome = sov_data_number(event, "outcome", SOV_STREAM_OUTCOME);
    request.observations = &observations;
    observations.basis = sov_data_int(event, "basis");
    if (!sov_acceptance_prepare(before, sov_arena_text(arena, event->actor), &request, arena,
                                &prepared, err))
        return sov_decided_unread(judge, event, err);
    for (size_t i = 0; i < prepared.verdict.count; i++) {
        if (is_of_content(&prepared.verdict.shut[i])) continue;
        bad(judge, event, "decision", "a gate is shut, ", prepared.verdict.shut[i].code);
        return true;
    }
    if (!sov_decided_digest_is(event, "case_digest", &prepared.case_digest))
        bad(judge, event, "case", "the case is another one", "");
    if (!sov_decided_digest_is(event, "reads_digest", &prepared.reads_digest))
        bad(judge, event, "reads", "other streams or versions were read", "");
    return true;
}

/* The clocks of the pass that appended it: its own words, but for the wall, which the event has. */
static struct sov_now judges_now(const struct sov_judge *judge, const struct sov_event *event,
                                 const struct sov_who *who)
{
    struct sov_now now = { .wall = event->at, .boot_ms = who->boot_ms };

    /* An event is never dated before the one before it: how far the clock was behind stands there.
     */
    if (judge->regressed_seq == event->seq - 1) now.wall.ms -= judge->regressed_ms;
    memcpy(now.machine, who->machine, sizeof now.machine);
    memcpy(now.boot, who->boot, sizeof now.boot);
    return now;
}

/* Whether the process was gone is the judge's word; all else is in the log. */
static bool claim_again(struct sov_judge *judge, struct sov_ledger *before,
                        const struct sov_event *event, struct sov_error *err)
{
    bool expired = event->type == SOV_EVENT_CLAIM_EXPIRED;
    struct sov_bytes said = sov_data_text(event, "ground", &judge->scratch);
    const char *ground = "no claim";
    const struct sov_policy *policy;
    enum sov_claim_verdict verdict = SOV_CLAIM_LIVE;
    struct sov_claim claim;
    struct sov_who who;
    struct sov_now now;
    bool found;

    if (!sov_policy_load(before, &policy, err) ||
        !sov_claim_find_on(before, &event->stream, 0, &judge->scratch, &claim, &found, err))
        return sov_decided_unread(judge, event, err);
    if (found && sov_who_read(sov_data(event, "who"), &judge->scratch, &who)) {
        now = judges_now(judge, event, &who);
        verdict = sov_claim_judge(policy, &claim, expired && sov_bytes_is(said, "process_gone"),
                                  &now, event->at.ms, &ground);
    }
    if (verdict == (expired ? SOV_CLAIM_OVERDUE : SOV_CLAIM_ANOMALOUS) &&
        (!expired || sov_bytes_is(said, ground)))
        return true;
    sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "decision", event->seq,
                     "event %lld (%s) is not what its clocks say: %s", (long long)event->seq,
                     sov_event_row(event->type)->type, ground);
    return true;
}

bool sov_judge_decision(struct sov_judge *judge, struct sov_ledger *before,
                        const struct sov_event *event, struct sov_error *err)
{
    if (event->type == SOV_EVENT_WAKE_DECIDED) return wake_again(judge, before, event, err);
    if (event->type == SOV_EVENT_CLAIM_EXPIRED || event->type == SOV_EVENT_CLAIM_ANOMALOUS)
        return claim_again(judge, before, event, err);
    if (event->type == SOV_EVENT_CLOCK_REGRESSED) {
        judge->regressed_seq = event->seq;
        judge->regressed_ms = sov_data_int(event, "by_ms");
    }
    if (event->type == SOV_EVENT_ACCEPTANCE_SIGNED)
        return acceptance_again(judge, before, event, err);
    return sov_judge_followed(judge, before, event, err) &&
           sov_judge_approval(judge, before, event, err) &&
           sov_judge_mail(judge, before, event, err) &&
           sov_judge_session(judge, before, event, err);
}
