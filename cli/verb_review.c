#include "cli/sign.h"

static bool decision_of(struct sov_call *call, enum sov_decision *decision_out,
                        struct sov_error *err)
{
    bool pass = sov_given(call, SOV_FLAG_PASS), changes = sov_given(call, SOV_FLAG_REQUEST_CHANGES),
         reject = sov_given(call, SOV_FLAG_REJECT);

    if (pass + changes + reject != 1)
        return sov_fail(err, SOV_USAGE, "usage",
                        "review needs one of --pass, --request-changes, --reject");
    *decision_out = pass      ? SOV_REVIEW_ACCEPTED
                    : changes ? SOV_REVIEW_CHANGES_REQUESTED
                              : SOV_REVIEW_REJECTED;
    return true;
}

/* What is shut needs no signature: the transaction gives the first gate's answer, or the earlier
 * one of the same idempotency key. */
static bool decide(struct sov_call *call, const char *actor,
                   const struct sov_review_prepared *prepared, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_signed_by by;
    bool sign = prepared->verdict.count == 0;
    size_t gates;

    (void)sov_policy_review_gates(&gates);
    if (!sign && sov_sign_is_plain(call))
        return sov_policy_verdict(&prepared->verdict, call->words[0], gates, err);

    if (sign && !sov_sign_as(call, actor, SOV_REVIEW_TAG, prepared->statement, &by, err))
        return false;
    return sov_deed_begin(&w, call, err) &&
           sov_review_decide(&w.commit, prepared, sign ? &by : NULL, &w.done, err) &&
           sov_deed_finish(&w, err) &&
           sov_deed_say(&w,
                        sov_arena_printf(call->arena, "%s %s",
                                         sov_policy_decision_word(prepared->request.decision),
                                         call->words[0]),
                        "sov status");
}

static bool review(struct sov_call *call, struct sov_error *err)
{
    struct sov_review_request request = { .rationale = sov_value_of(call, SOV_FLAG_REASON) };
    struct sov_review_prepared prepared;
    const char *actor;

    return sov_number_at(call, 0, SOV_STREAM_SOW, &request.sow, err) &&
           decision_of(call, &request.decision, err) &&
           sov_number_of(call, SOV_FLAG_VERIFICATION, SOV_STREAM_VERIFICATION,
                         &request.verification, err) &&
           sov_sign_open(call, &actor, err) &&
           sov_review_prepare(call->ledger, actor, &request, call->arena, &prepared, err) &&
           decide(call, actor, &prepared, err);
}

static const struct sov_form forms[] = {
    { "", review, SOV_WRITES | SOV_SIGNS, 1, 1,
      "SOW (--pass|--request-changes|--reject) --reason TEXT [--verification VER]",
      "a signed decision on its current verification", SOV_WRITE_FIELDS,
      "4 a gate is shut\n5 wrong state, already reviewed, moved\n6 a digest is wrong",
      "sov review SOW-1 --pass --reason \"the count is right\" --actor sparring", NULL },
};
static const struct sov_verb verb = {
    "review",
    "a distinct actor's signed decision on work",
    "Who reviews may not be who performed, verified or accepts, by id, key or answerable. --pass\n"
    "over a failing or stale verification is refused.",
    forms,
    1,
    SOV_GROUP_JUDGE
};

const struct sov_verb *sov_verb_review(void)
{
    return &verb;
}
