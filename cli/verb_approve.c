#include "cli/sign.h"
#include "policy/policy.h"

static bool approve(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    const char *reason = sov_value_of(call, SOV_FLAG_REASON), *actor;
    bool grants = sov_given(call, SOV_FLAG_GRANT);
    enum sov_approval_state state = SOV_APPROVAL_PENDING;
    struct sov_bytes statement;
    struct sov_signed_by by;
    int64_t n;

    if (grants == sov_given(call, SOV_FLAG_DENY))
        return sov_fail(err, SOV_USAGE, "usage", "a vote is --grant or --deny");
    if (!sov_number_at(call, 0, SOV_STREAM_APPROVAL, &n, err) ||
        !sov_sign_open(call, &actor, err) ||
        !sov_approval_statement(call->ledger, n, grants, reason, call->arena, &statement, err) ||
        !sov_sign_as(call, actor, SOV_APPROVAL_TAG, statement, &by, err) ||
        !sov_deed_begin(&w, call, err) ||
        !sov_approval_decide(&w.commit, n, grants, reason, &by, &state, &w.done, err) ||
        !sov_deed_finish(&w, err))
        return false;
    sov_add_text(w.data, "state", sov_policy_approval_name(state));
    return sov_deed_say(&w,
                        sov_arena_printf(call->arena, "%s by %s, %s", grants ? "granted" : "denied",
                                         actor, sov_policy_approval_name(state)),
                        "sov show %s");
}

static const struct sov_form forms[] = {
    { "", approve, SOV_WRITES | SOV_SIGNS | SOV_OUTSIDE_RUN, 1, 1,
      "APR --reason TEXT [--grant] [--deny]", "a signed vote on an approval",
      SOV_WRITE_FIELDS " state:s",
      "4 not authorised, no person, own request, time over\n5 wrong state, voted before\n"
      "6 the signature does not hold",
      "sov approve APR-1 --grant --reason \"the price is right\" --actor principal", NULL },
};
static const struct sov_verb verb = {
    "approve",
    "a signed vote on an approval",
    "sov show APR-1 names the digest of the exact arguments, and the blob that holds them. As "
    "many\n"
    "grants as the policy's quorum, of different people, make it GRANTED; one denial ends it.",
    forms,
    1,
    SOV_GROUP_LAW
};

const struct sov_verb *sov_verb_approve(void)
{
    return &verb;
}
