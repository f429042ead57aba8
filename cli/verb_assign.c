#include "cli/verb.h"

static bool assign(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_assignment_request request = { .actor = sov_value_of(call, SOV_FLAG_TO),
                                              .workspace = sov_value_of(call, SOV_FLAG_WORKSPACE) };

    if (!sov_number_at(call, 0, SOV_STREAM_SOW, &request.sow, err)) return false;
    return sov_deed_begin(&w, call, err) &&
           sov_assignment_create(&w.commit, &request, &w.done, err) && sov_deed_finish(&w, err) &&
           sov_deed_say(&w,
                        sov_arena_printf(call->arena, "assigned SOW-%lld to %s",
                                         (long long)request.sow, request.actor),
                        sov_arena_printf(call->arena, "sov run %%s --actor %s", request.actor));
}

static bool cancel(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n;

    return sov_number_at(call, 0, SOV_STREAM_ASSIGNMENT, &n, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_assignment_cancel(&w.commit, n, sov_value_of(call, SOV_FLAG_REASON), &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "cancelled", "sov show %s");
}

static const struct sov_form forms[] = {
    { "", assign, SOV_WRITES, 1, 1, "SOW --to ACTOR [--workspace POLICY]",
      "bind one actor and one workspace to it", SOV_WRITE_FIELDS,
      "4 not authorised, the wrong worker\n5 outcome not open, wrong state",
      "sov assign SOW-1 --to operator", NULL },
    { "cancel", cancel, SOV_WRITES, 1, 1, "ASG --reason TEXT", "end it; the SOW is ready again",
      SOV_WRITE_FIELDS, "4 not authorised\n5 wrong state",
      "sov assign cancel ASG-1 --reason \"another actor is faster\"", NULL },
};
static const struct sov_verb verb = {
    "assign",
    "who does a SOW",
    "POLICY says what becomes of the workspace: keep, archive, remove, or none for a person.",
    forms,
    2,
    SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_assign(void)
{
    return &verb;
}
