#include "cli/checks.h"

static bool request_of(struct sov_call *call, struct sov_verification_request *request,
                       struct sov_error *err)
{
    struct sov_stream stream;

    request->recheck = sov_given(call, SOV_FLAG_RECHECK);
    if (!sov_stream_parse_id(sov_bytes_text(call->words[0]), &stream) ||
        (stream.kind != SOV_STREAM_SOW && stream.kind != SOV_STREAM_OUTCOME))
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no id like SOW-1 or OUT-1",
                        call->words[0]);
    if (stream.kind == SOV_STREAM_SOW) request->sow = stream.n;
    if (stream.kind == SOV_STREAM_OUTCOME) request->outcome = stream.n;
    if (request->sow && request->recheck)
        return sov_fail(err, SOV_USAGE, "usage", "--recheck asks an outcome");
    return true;
}

static void lines(struct sov_call *call, const struct sov_observations *seen, struct sov_node *data)
{
    struct sov_node *list = sov_add_list(data, "checks");

    for (size_t i = 0; i < seen->count; i++) {
        const struct sov_observation *at = &seen->at[i];
        struct sov_node *row = sov_add_object(list, NULL);

        sov_add_text(row, "check", at->check);
        sov_add_text(row, "kind", at->kind);
        sov_add_bool(row, "success", at->success);
        sov_add_text(row, "code", at->code);
        sov_add_value(row, "observed", sov_value(at->observed));
        sov_add_hex(row, "digest", sov_hash_bytes(&at->digest));
        if (!at->success) call->answer = SOV_NO;
        if (call->out->quiet && at->success) continue;
        sov_out_part(call->out, SOV_PLAIN, "  %-20s  ", at->check);
        sov_out_part(call->out, at->success ? SOV_GREEN : SOV_RED, "%s",
                     at->success ? "holds" : "fails");
        if (!at->success)
            sov_out_part(call->out, SOV_PLAIN, "  %s%s%.*s", at->code ? at->code : "",
                         at->code ? " " : "", (int)at->observed.size,
                         at->observed.size ? (const char *)at->observed.data : "");
        sov_out_end(call->out);
    }
}

static bool check(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_verification_request request = { 0 };
    struct sov_verification_prepared prepared;
    struct sov_observations seen;
    const char *actor;
    int64_t outcome;

    if (!request_of(call, &request, err) || !sov_call_write(call, err) ||
        !sov_call_actor(call, &actor, err) ||
        !sov_verification_target(call->ledger, &request, &outcome, err) ||
        !sov_look(call, outcome, &seen, err) ||
        !sov_verification_prepare(call->ledger, actor, &request, &seen, call->arena, &prepared,
                                  err) ||
        !sov_deed_begin(&w, call, err) ||
        !sov_verification_record(&w.commit, &prepared, &w.done, err) || !sov_deed_finish(&w, err))
        return false;
    sov_deed_say(&w, sov_arena_printf(call->arena, "recorded for %s", call->words[0]),
                 request.sow ? sov_arena_printf(call->arena, "sov review %s --pass --reason TEXT",
                                                call->words[0])
                             : sov_arena_printf(call->arena, "sov accept %s", call->words[0]));
    lines(call, &seen, call->out->data);
    return true;
}

static const struct sov_form forms[] = {
    { "", check, SOV_WRITES, 1, 1, "SOW|OUT [--recheck]",
      "re-run the declared checks, record verification and evidence", SOV_WRITE_FIELDS " checks:a",
      "1 a check fails\n4 not authorised\n5 wrong state, moved",
      "sov check SOW-1 --actor verifier\nsov check OUT-1 --recheck --actor verifier", NULL },
};
static const struct sov_verb verb = { "check",
                                      "look at the world, and record what was seen",
                                      "A failing batch is recorded like a passing one. Checks run "
                                      "before the transaction begins; what\n"
                                      "was read must not have moved since.",
                                      forms,
                                      1,
                                      SOV_GROUP_JUDGE };

const struct sov_verb *sov_verb_check(void)
{
    return &verb;
}
