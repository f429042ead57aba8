#include <string.h>

#include "cli/verb.h"

/* NAME=INT, as often as given. */
static bool facts_of(struct sov_call *call, const struct sov_fact **facts_out, size_t *count_out,
                     struct sov_error *err)
{
    const char *const *texts;
    size_t count = sov_values_of(call, SOV_FLAG_FACT, &texts);
    struct sov_fact *facts = sov_arena_array(call->arena, count + 1, sizeof *facts);

    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(texts[i], '=');

        if (!equals || !sov_integer(equals + 1, &facts[i].value))
            return sov_fail(err, SOV_USAGE, "bad_value", "--fact %s is not NAME=INT", texts[i]);
        facts[i].name =
            sov_arena_text(call->arena, sov_bytes(texts[i], (size_t)(equals - texts[i])));
    }
    *facts_out = facts;
    *count_out = count;
    return true;
}

static bool declare(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    const struct sov_fact *facts;
    size_t count;

    return facts_of(call, &facts, &count, err) && sov_deed_begin(&w, call, err) &&
           sov_subject_declare(&w.commit, call->words[0], facts, count, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "declared", "sov show subject/%s");
}

static bool revise(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    const struct sov_fact *facts;
    size_t count;

    return facts_of(call, &facts, &count, err) && sov_deed_begin(&w, call, err) &&
           sov_subject_revise(&w.commit, call->words[0], facts, count,
                              sov_value_of(call, SOV_FLAG_REASON), &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "revised", "sov show subject/%s");
}

static const struct sov_form forms[] = {
    { "declare", declare, SOV_WRITES, 1, 1, "ID [--fact NAME=INT...]",
      "a thing that outcomes may be about", SOV_WRITE_FIELDS, "4 not authorised\n5 the id is taken",
      "sov subject declare SKU-TEA --fact unit_cost=120 --fact reorder_point=3", NULL },
    { "revise", revise, SOV_WRITES, 1, 1, "ID --fact NAME=INT... --reason TEXT",
      "set these facts; the others stay", SOV_WRITE_FIELDS, "4 not authorised",
      "sov subject revise SKU-TEA --fact unit_cost=130 --reason \"new price list\"", NULL },
};
static const struct sov_verb verb = {
    "subject", "things that outcomes are about, with integer facts", "", forms, 2, SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_subject(void)
{
    return &verb;
}
