#include "base/amount.h"
#include "cli/verb.h"

static bool record(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_change_request request = { .kind = call->words[0],
                                          .subject = sov_value_of(call, SOV_FLAG_SUBJECT),
                                          .source = sov_value_of(call, SOV_FLAG_SOURCE),
                                          .unit = sov_value_of(call, SOV_FLAG_UNIT),
                                          .dedupe_key = sov_value_of(call, SOV_FLAG_DEDUPE_KEY) };

    if (!sov_int_of(call, SOV_FLAG_QUANTITY, -SOV_INT_MAX, SOV_INT_MAX, 0, &request.quantity, err))
        return false;
    return sov_deed_begin(&w, call, err) && sov_change_record(&w.commit, &request, &w.done, err) &&
           sov_deed_finish(&w, err) &&
           sov_deed_say(&w,
                        sov_arena_printf(call->arena, "recorded %s %lld of %s", request.kind,
                                         (long long)request.quantity, request.subject),
                        "sov pulse");
}

static const struct sov_form forms[] = {
    { "record", record, SOV_WRITES, 1, 1,
      "KIND --subject ID --quantity N --source NAME [--unit U] [--dedupe-key K]",
      "an outside change, its postings and signals in one commit", SOV_WRITE_FIELDS,
      "4 a constraint fails\n5 key reused",
      "sov change record sale --subject SKU-TEA --quantity 2 --source shop", NULL },
};
static const struct sov_verb verb = { "change", "what happened to the accounts outside of any work",
                                      "",       forms,
                                      1,        SOV_GROUP_WORK };

const struct sov_verb *sov_verb_change(void)
{
    return &verb;
}
