#include "cli/verb.h"

#include <signal.h>

#include "base/env.h"
#include "cli/run_pages.h"
#include "cli/run_said.h"
#include "providers/providers.h"

static const char *const *argv_of(struct sov_call *call)
{
    const char **argv = sov_arena_array(call->arena, call->args.rest_count + 1, sizeof *argv);

    for (size_t i = 0; i < call->args.rest_count; i++) argv[i] = call->args.rest[i];
    return argv;
}

static bool options_of(struct sov_call *call, struct sov_run_options *options,
                       struct sov_error *err)
{
    int64_t timeout_s;

    *options =
        (struct sov_run_options){ .key = sov_value_of(call, SOV_FLAG_IDEMPOTENCY_KEY),
                                  .dry = sov_given(call, SOV_FLAG_DRY_RUN),
                                  .provider = sov_value_of(call, SOV_FLAG_PROVIDER),
                                  .require_sandbox = sov_value_of(call, SOV_FLAG_REQUIRE_SANDBOX),
                                  .top = call->found.base,
                                  .credentials = sov_arena_printf(call->arena, "%s/credentials",
                                                                  call->found.config),
                                  .seams = call->seams };
    if (!options->key) options->key = sov_env("SOV_IDEMPOTENCY_KEY");
    if (call->args.has_rest) {
        if (!call->args.rest_count)
            return sov_fail(err, SOV_USAGE, "usage", "a command is wanted behind --");
        if (options->provider)
            return sov_fail(err, SOV_USAGE, "usage", "--provider and a command exclude each other");
        options->argv = argv_of(call);
    }
    if (!sov_number_at(call, 0, SOV_STREAM_ASSIGNMENT, &options->assignment, err) ||
        !sov_int_of(call, SOV_FLAG_TIMEOUT, 1, 86400, 0, &timeout_s, err) ||
        !sov_int_of(call, SOV_FLAG_EXPECT_SEQ, 0, INT64_MAX, -1, &options->expect_seq, err) ||
        !sov_int_of(call, SOV_FLAG_EXPECT_VERSION, 0, INT64_MAX, -1, &options->expect_version, err))
        return false;
    options->wall_ms = timeout_s * 1000;
    return true;
}

static bool run(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *data = sov_node_object(call->arena);
    const struct sov_run_pages pages = { call, sov_run_pages_list };
    struct sov_run_options options;
    struct sov_run_result result = { 0 };
    int stop;

    if (!options_of(call, &options, err) || !sov_call_write(call, err) ||
        !sov_call_actor(call, &options.actor, err))
        return false;
    options.pages = &pages;
    if (!sov_run(call->ledger, &options, call->arena, &result, err)) return false;
    sov_run_said(call, &result, data);
    if (result.fence && result.end.status != SOV_RECEIPT_COMPLETED) call->answer = SOV_NO;
    stop = sov_signals_seen();
    if (stop) call->answer = stop == SIGTERM ? SOV_TERMINATED : SOV_INTERRUPTED;
    sov_out_data(call->out, data);
    if (result.fence && call->answer == SOV_OK) sov_out_next(call->out, "sov status");
    return sov_call_head(call, err);
}

static const struct sov_form forms[] = {
    { "", run, SOV_WRITES | SOV_HAS_REST, 1, 1,
      "ASG [--provider P] [--timeout S] [--require-sandbox L[,network]] [-- CMD ARG...]",
      "claim, provider, validation, effect, receipt in one go", SOV_RUN_FIELDS,
      "1 blocked or failed\n4 refused at the start\n5 claim held, claim lost",
      "sov run ASG-1 --actor operator -- ./agent\nsov run ASG-1 --provider scripted", NULL },
};
static const struct sov_verb verb = {
    "run",
    "do an assignment with a provider",
    "Behind -- stands the provider itself: started in the workspace without a shell, the envelope\n"
    "on its standard input, one report on its standard output.",
    forms,
    1,
    SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_run(void)
{
    return &verb;
}
