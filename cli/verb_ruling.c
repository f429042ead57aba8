#include "cli/sign.h"

static bool request_of(struct sov_call *call, struct sov_ruling_request *request,
                       struct sov_error *err)
{
    bool waive = sov_given(call, SOV_FLAG_WAIVE), hold = sov_given(call, SOV_FLAG_HOLD),
         reopen = sov_given(call, SOV_FLAG_REOPEN);

    if (waive + hold + reopen > 1)
        return sov_fail(err, SOV_USAGE, "usage",
                        "a ruling has one effect: --waive, --hold or "
                        "--reopen");
    *request = (struct sov_ruling_request){ .question = call->words[0],
                                            .decision = sov_value_of(call, SOV_FLAG_DECISION),
                                            .rationale = sov_value_of(call, SOV_FLAG_REASON),
                                            .applies_to = sov_value_of(call, SOV_FLAG_APPLIES_TO),
                                            .effect = waive    ? SOV_RULING_WAIVE
                                                      : hold   ? SOV_RULING_HOLD
                                                      : reopen ? SOV_RULING_REOPEN
                                                               : NULL };
    return sov_number_of(call, SOV_FLAG_WAIVE, SOV_STREAM_RECEIPT, &request->receipt, err);
}

static bool rule(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_ruling_request request;
    struct sov_bytes statement;
    struct sov_signed_by by;
    const char *actor;

    return request_of(call, &request, err) && sov_sign_open(call, &actor, err) &&
           sov_ruling_statement(call->ledger, &request, call->arena, &statement, err) &&
           sov_sign_as(call, actor, SOV_RULING_TAG, statement, &by, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_ruling_decide(&w.commit, &request, &by, &w.done, err) && sov_deed_finish(&w, err) &&
           sov_deed_say(&w, sov_arena_printf(call->arena, "decided on %s", request.applies_to),
                        "sov show %s");
}

static bool revoke(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    const char *reason = sov_value_of(call, SOV_FLAG_REASON), *actor;
    struct sov_bytes statement;
    struct sov_signed_by by;
    int64_t n;

    return sov_number_at(call, 0, SOV_STREAM_RULING, &n, err) && sov_sign_open(call, &actor, err) &&
           sov_ruling_revocation_statement(call->ledger, n, reason, call->arena, &statement, err) &&
           sov_sign_as(call, actor, SOV_RULING_TAG, statement, &by, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_ruling_revoke(&w.commit, n, reason, &by, &w.done, err) && sov_deed_finish(&w, err) &&
           sov_deed_say(&w, "revoked", "sov show %s");
}

static const struct sov_form forms[] = {
    { "", rule, SOV_WRITES | SOV_SIGNS | SOV_OUTSIDE_RUN, 1, 1,
      "QUESTION --decision TEXT --reason TEXT --applies-to REF [--waive RCP] [--hold] [--reopen]",
      "a signed decision by authority", SOV_WRITE_FIELDS,
      "4 not authorised, own work\n5 nothing to waive",
      "sov ruling \"May OUT-1 be opened again?\" --decision yes --reason \"demand changed\" "
      "--applies-to OUT-1 --reopen",
      NULL },
    { "revoke", revoke, SOV_WRITES | SOV_SIGNS | SOV_OUTSIDE_RUN, 1, 1, "RUL --reason TEXT",
      "it stops counting from there on", SOV_WRITE_FIELDS, "4 not authorised\n5 wrong state",
      "sov ruling revoke RUL-1 --reason \"decided in haste\"", NULL },
};
static const struct sov_verb verb = {
    "ruling",
    "precedent, waiver, hold, leave to reopen",
    "REF is the entity that it is about (OUT-1, SOW-2). One effect, or none.",
    forms,
    2,
    SOV_GROUP_LAW
};

const struct sov_verb *sov_verb_ruling(void)
{
    return &verb;
}
