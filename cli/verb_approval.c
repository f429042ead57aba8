#include "base/time.h"
#include "cli/verb.h"

static bool ask(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_approval_request request = { .action = call->words[0],
                                            .resource = sov_value_of(call, SOV_FLAG_RESOURCE) };
    const char *path = sov_value_of(call, SOV_FLAG_ARGS),
               *expires = sov_value_of(call, SOV_FLAG_EXPIRES);
    struct sov_instant until = { 0 };

    if (!path) return sov_fail(err, SOV_USAGE, "usage", "an approval is of exact --args");
    if (expires && !sov_instant_parse_foreign(sov_bytes_text(expires), &until, err)) return false;
    request.expires_ms = until.ms;
    return sov_json_of(call, path, SOV_APPROVAL_ARGS_MAX, &request.args, err) &&
           sov_deed_begin(&w, call, err) && sov_approval_ask(&w.commit, &request, &w.done, err) &&
           sov_deed_finish(&w, err) &&
           sov_deed_say(&w,
                        sov_arena_printf(call->arena, "asked for %s on %s", request.action,
                                         request.resource ? request.resource : ""),
                        "sov approve %s --grant --reason TEXT --actor PERSON");
}

static bool revoke(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n;

    return sov_number_at(call, 0, SOV_STREAM_APPROVAL, &n, err) && sov_deed_begin(&w, call, err) &&
           sov_approval_revoke(&w.commit, n, sov_value_of(call, SOV_FLAG_REASON), &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "revoked", "sov show %s");
}

static const struct sov_form forms[] = {
    { "request", ask, SOV_WRITES, 1, 1, "ACTION --resource REF --args FILE [--expires TIME]",
      "ask for leave to do one exact act", SOV_WRITE_FIELDS,
      "4 not authorised, too many requests\n5 key used for another request",
      "sov approval request effect.commit --resource ASG-1 --args act.json", NULL },
    { "revoke", revoke, SOV_WRITES, 1, 1, "APR --reason TEXT", "it allows nothing any more",
      SOV_WRITE_FIELDS, "4 neither the requester nor one who may approve\n5 wrong state",
      "sov approval revoke APR-1 --reason \"not needed\"", NULL },
};
static const struct sov_verb verb = {
    "approval",
    "leave for one exact act",
    "The request binds the canonical arguments, the policy in force and who asks; the same "
    "request\n"
    "while one is PENDING is that one. For an effect whose kind asks for approval the ACTION is\n"
    "effect.commit, the resource the assignment, and the arguments are exactly\n"
    "{\"assignment\":\"ASG-1\",\"kind\":K,\"quantity\":N,\"subject\":S}. It is used in the very "
    "commit of\n"
    "the effect, or not at all.",
    forms,
    2,
    SOV_GROUP_LAW
};

const struct sov_verb *sov_verb_approval(void)
{
    return &verb;
}
