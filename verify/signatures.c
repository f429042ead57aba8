/* The signatures of acts: each over the statement that the log itself gives. */
#include <assert.h>
#include <string.h>

#include "verify/judge.h"

static bool is_signed(enum sov_event_type type)
{
    return type == SOV_EVENT_POLICY_ADOPTED || type == SOV_EVENT_REVIEW_DECIDED ||
           type == SOV_EVENT_ACCEPTANCE_SIGNED || type == SOV_EVENT_RULING_DECIDED ||
           type == SOV_EVENT_RULING_REVOKED || type == SOV_EVENT_APPROVAL_VOTED;
}

/* Whoever holds the ledger key could else give an actor a key that is his own. */
static bool possession(struct sov_judge *judge, const struct sov_event *event,
                       struct sov_error *err)
{
    bool hold;

    if (!sov_key_proofs_hold(judge->roster.memory, event, &judge->scratch, &hold, err))
        return false;
    if (!hold)
        sov_report_event(judge->report, SOV_STEP_SIGNATURES, SOV_CLASS_TAMPER, "proof", event->seq,
                         "event %lld does not prove that the key was at hand",
                         (long long)event->seq);
    return true;
}

bool sov_judge_signature(struct sov_judge *judge, const struct sov_event *event,
                         struct sov_error *err)
{
    struct sov_signed_by by;
    struct sov_bytes statement;
    bool readable;
    const char *tag, *actor;
    struct sov_value sig;

    if (!is_signed(event->type)) return possession(judge, event, err);
    sig = sov_data(event, "sig");
    judge->report->steps[SOV_STEP_SIGNATURES].checked++;
    if (!sov_signed_statement(judge->before, event, &judge->scratch, &tag, &statement, err)) {
        if (err->exit == SOV_UNABLE) return false; /* as below */
        sov_report_event(judge->report, SOV_STEP_SIGNATURES, SOV_CLASS_TAMPER, "statement",
                         event->seq, "the statement of event %lld cannot be made again: %s",
                         (long long)event->seq, err->what);
        return true;
    }
    actor = sov_arena_text(&judge->scratch, event->actor);
    readable = tag && sov_signed_read(sig, &by);
    if (readable) {
        if (sov_statement_check(judge->roster.memory, actor, tag, statement, &by, event->seq, err))
            return true;
        if (err->exit == SOV_UNABLE) return false; /* it was not looked at */
    }
    sov_report_event(judge->report, SOV_STEP_SIGNATURES, SOV_CLASS_TAMPER, "signature", event->seq,
                     "the signature of event %lld does not hold: %s", (long long)event->seq,
                     readable ? err->what : "nothing like it is signed");
    return true;
}
