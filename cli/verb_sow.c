#include <string.h>

#include "cli/verb.h"

enum { SCOPE_FILE_MAX = 64 << 10 };

/* "KIND" or "KIND,optional". */
static bool effect_of(struct sov_call *call, struct sov_sow_request *request, struct sov_error *err)
{
    const char *text = sov_value_of(call, SOV_FLAG_EFFECT),
               *comma = text ? strchr(text, ',') : NULL;

    if (!text) return true;
    request->effect_required = comma == NULL;
    request->effect = text;
    if (!comma) return true;
    if (strcmp(comma, ",optional") != 0)
        return sov_fail(err, SOV_USAGE, "bad_value", "--effect is KIND or KIND,optional");
    request->effect = sov_arena_text(call->arena, sov_bytes(text, (size_t)(comma - text)));
    return true;
}

static bool request_of(struct sov_call *call, struct sov_sow_request *request,
                       struct sov_error *err)
{
    *request = (struct sov_sow_request){ .title = sov_value_of(call, SOV_FLAG_TITLE),
                                         .scope = sov_value_of(call, SOV_FLAG_SCOPE),
                                         .role = sov_value_of(call, SOV_FLAG_ROLE),
                                         .done_when = sov_value_of(call, SOV_FLAG_DONE_WHEN),
                                         .reason = sov_value_of(call, SOV_FLAG_REASON) };
    request->deliverable_count = sov_values_of(call, SOV_FLAG_DELIVERABLE, &request->deliverables);
    request->non_goal_count = sov_values_of(call, SOV_FLAG_NON_GOAL, &request->non_goals);
    if (request->scope && strcmp(request->scope, "-") == 0 &&
        !sov_text_of(call, "-", SCOPE_FILE_MAX, &request->scope, err))
        return false;
    return effect_of(call, request, err);
}

static bool create(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_sow_request request;
    int64_t outcome;

    if (!sov_number_at(call, 0, SOV_STREAM_OUTCOME, &outcome, err) ||
        !request_of(call, &request, err))
        return false;
    request.outcome = outcome;
    return sov_deed_begin(&w, call, err) && sov_sow_create(&w.commit, &request, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "drafted", "sov sow ready %s");
}

/* What is not said stays as it is. */
static bool revise(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_sow_request request;
    struct sov_sow now;
    int64_t n;

    if (!sov_number_at(call, 0, SOV_STREAM_SOW, &n, err) || !request_of(call, &request, err) ||
        !sov_deed_begin(&w, call, err) || !sov_sow_get(call->ledger, n, call->arena, &now, err))
        return false;
    if (!request.title) request.title = now.title;
    if (!request.scope) request.scope = now.scope;
    if (!request.role) request.role = now.role;
    if (!request.done_when) request.done_when = now.done_when;
    if (!request.effect) {
        request.effect = now.effect;
        request.effect_required = now.effect_required;
    }
    if (!request.deliverable_count) {
        request.deliverables = now.deliverables;
        request.deliverable_count = now.deliverable_count;
    }
    if (!request.non_goal_count) {
        request.non_goals = now.non_goals;
        request.non_goal_count = now.non_goal_count;
    }
    return sov_sow_revise(&w.commit, n, &request, &w.done, err) && sov_deed_finish(&w, err) &&
           sov_deed_say(&w, "revised", "sov sow ready %s");
}

static bool ready(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n;

    return sov_number_at(call, 0, SOV_STREAM_SOW, &n, err) && sov_deed_begin(&w, call, err) &&
           sov_sow_ready(&w.commit, n, &w.done, err) && sov_deed_finish(&w, err) &&
           sov_deed_say(&w, "ready", "sov assign %s --to ACTOR");
}

static bool withdraw(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n;

    return sov_number_at(call, 0, SOV_STREAM_SOW, &n, err) && sov_deed_begin(&w, call, err) &&
           sov_sow_withdraw(&w.commit, n, sov_value_of(call, SOV_FLAG_REASON), &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "withdrawn", "sov show %s");
}

static bool supersede(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, successor;

    return sov_number_at(call, 0, SOV_STREAM_SOW, &n, err) &&
           sov_number_of(call, SOV_FLAG_SUCCESSOR, SOV_STREAM_SOW, &successor, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_sow_supersede(&w.commit, n, successor, sov_value_of(call, SOV_FLAG_REASON), &w.done,
                             err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "superseded", "sov show %s");
}

static bool retry(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_inspection inspection = { sov_value_of(call, SOV_FLAG_FOUND),
                                         sov_value_of(call, SOV_FLAG_INSPECTION) };
    int64_t n;

    if (!inspection.found != !inspection.text)
        return sov_fail(err, SOV_USAGE, "usage", "--found and --inspection go together");
    return sov_number_at(call, 0, SOV_STREAM_SOW, &n, err) && sov_deed_begin(&w, call, err) &&
           sov_sow_retry(&w.commit, n, sov_value_of(call, SOV_FLAG_REASON),
                         inspection.found ? &inspection : NULL, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "ready again", "sov assign %s --to ACTOR");
}

#define EXITS "4 not authorised\n5 wrong state, outcome not open"
static const struct sov_form forms[] = {
    { "new", create, SOV_WRITES, 1, 1,
      "OUT --title T --scope TEXT|- --role R --done-when TEXT [--deliverable PATH...] "
      "[--effect KIND[,optional]] [--non-goal TEXT...]",
      "one bounded unit of work toward an outcome", SOV_WRITE_FIELDS, EXITS,
      "sov sow new OUT-1 --title Restock --scope \"order tea\" --role operator "
      "--done-when \"tea is on the shelf\"",
      NULL },
    { "revise", revise, SOV_WRITES, 1, 1,
      "SOW [--title T] [--scope TEXT|-] [--role R] [--done-when TEXT] [--deliverable PATH...] "
      "[--effect KIND[,optional]] [--non-goal TEXT...] --reason TEXT",
      "while it is a draft; what is not said stays", SOV_WRITE_FIELDS, EXITS,
      "sov sow revise SOW-1 --title \"Restock tea\" --reason \"a clearer title\"", NULL },
    { "ready", ready, SOV_WRITES, 1, 1, "SOW", "it may be assigned", SOV_WRITE_FIELDS, EXITS,
      "sov sow ready SOW-1", NULL },
    { "withdraw", withdraw, SOV_WRITES, 1, 1, "SOW --reason TEXT",
      "for good; its work is cancelled", SOV_WRITE_FIELDS, EXITS,
      "sov sow withdraw SOW-1 --reason \"not needed\"", NULL },
    { "supersede", supersede, SOV_WRITES, 1, 1, "SOW --successor SOW --reason TEXT",
      "another one takes its place", SOV_WRITE_FIELDS, EXITS,
      "sov sow supersede SOW-1 --successor SOW-2 --reason \"split\"", NULL },
    { "retry", retry, SOV_WRITES, 1, 1,
      "SOW --reason TEXT [--found happened|did_not_happen|irrelevant --inspection TEXT]",
      "after BLOCKED or FAILED; a lost run must have been looked at", SOV_WRITE_FIELDS, EXITS,
      "sov sow retry SOW-1 --reason \"worker was lost\" --found did_not_happen "
      "--inspection \"no order at the supplier\"",
      NULL },
};
static const struct sov_verb verb = { "sow", "statements of work",         "",
                                      forms, sizeof forms / sizeof *forms, SOV_GROUP_WORK };

const struct sov_verb *sov_verb_sow(void)
{
    return &verb;
}
