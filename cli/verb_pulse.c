#include "cli/verb.h"
#include "ledger/ledger.h"

static void put(struct sov_call *call, struct sov_node *rows, const struct sov_pulsed *pulsed)
{
    const struct sov_wake *wake = &pulsed->wake;
    struct sov_node *row = sov_add_object(rows, NULL), *seqs;

    sov_add_id(row, "id", "SIG", pulsed->signal);
    sov_add_text(row, "effect", pulsed->seq ? "created" : "would");
    seqs = sov_add_list(row, "seqs");
    for (size_t i = 0; i < pulsed->event_count && pulsed->seq; i++)
        sov_add_int(seqs, NULL, pulsed->events[i].seq);
    sov_add_null(row, "next");
    sov_add_text(row, "decision", sov_policy_wake_word(wake->decision));
    sov_add_text(row, "reason", wake->reason);
    sov_add_text(row, "rule", wake->rule);
    sov_add_text(row, "subject", wake->subject);
    sov_add_id(row, "outcome", "OUT", wake->outcome);
    sov_add_id(row, "sow", "SOW", wake->sow);
    sov_out_part(call->out, SOV_CYAN, "SIG-%lld", (long long)pulsed->signal);
    sov_out_part(call->out, SOV_PLAIN, "  %s %s", sov_policy_wake_word(wake->decision),
                 wake->reason);
    if (wake->outcome) sov_out_part(call->out, SOV_PLAIN, "  OUT-%lld", (long long)wake->outcome);
    if (wake->sow) sov_out_part(call->out, SOV_PLAIN, "  SOW-%lld", (long long)wake->sow);
    if (pulsed->seq) sov_out_part(call->out, SOV_PLAIN, " (seq %lld)", (long long)pulsed->seq);
    sov_out_end(call->out);
}

static bool pulse(struct sov_call *call, struct sov_error *err)
{
    struct sov_pulse_options options = { .dry = sov_given(call, SOV_FLAG_DRY_RUN) };
    struct sov_node *rows = sov_node_list(call->arena);
    struct sov_pulseds pulseds;

    if (!sov_number_of(call, SOV_FLAG_SIGNAL, SOV_STREAM_SIGNAL, &options.signal, err) ||
        !sov_int_of(call, SOV_FLAG_LIMIT, 1, 100000, 0, &options.limit, err) ||
        !sov_call_write(call, err) ||
        !sov_pulse(call->ledger, &options, call->arena, &pulseds, err))
        return false;
    for (size_t i = 0; i < pulseds.count; i++) {
        const struct sov_pulsed *pulsed = &pulseds.at[i];

        if (pulsed->faulted) {
            sov_out_warn(call->out, "SIG-%lld stays due: %s [%s]", (long long)pulsed->signal,
                         pulsed->fault.what, pulsed->fault.code);
            sov_call_fault(call, &pulsed->fault);
            continue;
        }
        put(call, rows, pulsed);
        if (pulsed->event_count && pulsed->seq)
            call->out->committed = pulsed->events[pulsed->event_count - 1].seq;
    }
    sov_out_data(call->out, rows);
    return sov_call_faults(call, err) && sov_call_head(call, err);
}

static const struct sov_form forms[] = {
    { "", pulse, SOV_DRY | SOV_AS_HOST, 0, 0, "[--signal SIG] [--limit N]",
      "one deterministic pass over due signals, as host; silent if none",
      SOV_WRITE_FIELDS " decision:s reason:s rule:s? subject:s outcome:s? sow:s?",
      "6 the head is wrong\n7 the system refused; what was said before that stands", "sov pulse",
      NULL },
};
static const struct sov_verb verb = {
    "pulse",
    "turn due signals into governed work",
    "Each due signal is answered once, in a commit of its own, by the wake rules of the policy. "
    "It\n"
    "runs no provider, expires no claim, retries no SOW. Run it from cron.",
    forms,
    1,
    SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_pulse(void)
{
    return &verb;
}
