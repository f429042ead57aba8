#include "base/env.h"
#include "cli/run_pages.h"
#include "cli/run_said.h"
#include "cli/self_options.h"

bool sov_self_options_of(struct sov_call *call, struct sov_self_options *options_out,
                         struct sov_error *err)
{
    struct sov_self_options options = { .key = sov_value_of(call, SOV_FLAG_IDEMPOTENCY_KEY),
                                        .dry = sov_given(call, SOV_FLAG_DRY_RUN),
                                        .top = call->found.base,
                                        .seams = call->seams };

    if (!options.key) options.key = sov_env("SOV_IDEMPOTENCY_KEY");
    if (!sov_number_at(call, 0, SOV_STREAM_ASSIGNMENT, &options.assignment, err) ||
        !sov_int_of(call, SOV_FLAG_FENCE, 1, INT64_MAX, 0, &options.fence, err) ||
        !sov_int_of(call, SOV_FLAG_EXPECT_SEQ, 0, INT64_MAX, -1, &options.expect_seq, err) ||
        !sov_int_of(call, SOV_FLAG_EXPECT_VERSION, 0, INT64_MAX, -1, &options.expect_version, err))
        return false;
    if (!options.fence) return sov_fail(err, SOV_USAGE, "usage", "--fence is wanted");
    *options_out = options;
    return true;
}

static bool report(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *data = sov_node_object(call->arena);
    const struct sov_run_pages pages = { call, sov_run_pages_list };
    struct sov_self_options options;
    struct sov_run_result result;
    struct sov_bytes octets;

    if (!sov_self_options_of(call, &options, err) ||
        !sov_file_of(call, sov_word_at(call, 1), SOV_REPORT_HANDED_MAX, &octets, err) ||
        !sov_call_write(call, err) || !sov_call_actor(call, &options.actor, err) ||
        !sov_call_goes_on(err))
        return false;
    options.pages = &pages;
    if (!sov_self_report(call->ledger, &options, octets, call->arena, &result, err)) return false;
    sov_run_said(call, &result, data);
    if (result.end.status != SOV_RECEIPT_COMPLETED) call->answer = SOV_NO;
    sov_out_data(call->out, data);
    if (call->answer == SOV_OK && result.finish_seq) sov_out_next(call->out, "sov status");
    return sov_call_head(call, err);
}

static const struct sov_form forms[] = {
    { "", report, SOV_WRITES, 2, 2, "ASG --fence N FILE|-",
      "hand in the report of a run that drives itself", SOV_RUN_FIELDS,
      "1 blocked or failed\n4 not addressed\n5 claim lost, not started, another report",
      "sov report ASG-1 --fence 27 report.json", NULL },
};
static const struct sov_verb verb = {
    "report",
    "hand in what a run of its own came to",
    "FILE is an ActorReport (sov.report.v1), decided and recorded exactly as at the end of `sov "
    "run`:\n"
    "files are taken from out/ of the workspace that `sov claim start` printed. A report that "
    "comes\n"
    "too late is kept as evidence and applied to nothing; the same one again is a noop.",
    forms,
    1,
    SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_report(void)
{
    return &verb;
}
