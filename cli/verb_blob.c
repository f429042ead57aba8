#include "cli/verb.h"

static bool confirmed(struct sov_call *call, struct sov_error *err)
{
    const char *given = sov_value_of(call, SOV_FLAG_CONFIRM);
    char answer[SOV_HEX_HASH + 2];

    if (sov_given(call, SOV_FLAG_DRY_RUN)) return true;
    if (!given) {
        if (!sov_out_ask(call->out, "erase for good? type the digest, or give --confirm=DIGEST: ",
                         answer, sizeof answer, err))
            return false;
        given = sov_arena_printf(call->arena, "%s", answer);
    }
    if (strcmp(given, call->words[0]) != 0) {
        sov_error_set(err, SOV_DENIED, "confirm_required", "what was confirmed is another blob");
        sov_error_ref(err, call->words[0]);
        return false;
    }
    return true;
}

static bool erase(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_hash digest;

    if (!sov_unhex(sov_bytes_text(call->words[0]), digest.octets, sizeof digest.octets))
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no digest of 64 hex digits",
                        call->words[0]);
    return confirmed(call, err) && sov_deed_begin(&w, call, err) &&
           sov_blob_erase(&w.commit, &digest, sov_value_of(call, SOV_FLAG_REASON), &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "erased", "sov verify");
}

static const struct sov_form forms[] = {
    { "erase", erase, SOV_WRITES, 1, 1, "DIGEST --reason TEXT [--confirm DIGEST]",
      "null content and salt; the log still verifies", SOV_WRITE_FIELDS, "4 not authorised",
      "sov blob erase DIGEST --reason \"personal data\" --confirm DIGEST", NULL },
};
static const struct sov_verb verb = {
    "blob",
    "erase confidential content",
    "What was kept under a salt cannot be guessed from its digest once both are gone. This cannot\n"
    "be undone.",
    forms,
    1,
    SOV_GROUP_CARE
};

const struct sov_verb *sov_verb_blob(void)
{
    return &verb;
}
