#include "base/json.h"
#include "cli/checks.h"
#include "cli/verb.h"

static bool checks_of(struct sov_call *call, struct sov_bytes *checks_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf list = { 0 };
    const char *const *specs;
    size_t count = sov_values_of(call, SOV_FLAG_CHECK, &specs);

    sov_buf_init(&list, SOV_SPECS_MAX);
    sov_buf_add_byte(&list, '[');
    for (size_t i = 0; i < count; i++) {
        if (i) sov_buf_add_byte(&list, ',');
        if (!sov_spec_read(call, specs[i], &list, err)) return false;
    }
    sov_buf_add_byte(&list, ']');
    if (!sov_buf_whole(&list, "the list of checks", err)) return false;
    *checks_out = sov_arena_bytes(call->arena, sov_buf_bytes(&list));
    return true;
}

static bool define(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_outcome_request request = { .title = call->words[0],
                                           .desired_state = sov_value_of(call, SOV_FLAG_DESIRED),
                                           .subject = sov_value_of(call, SOV_FLAG_SUBJECT),
                                           .owner = sov_value_of(call, SOV_FLAG_OWNER) };

    return checks_of(call, &request.checks, err) && sov_deed_begin(&w, call, err) &&
           sov_outcome_define(&w.commit, &request, &w.done, err) && sov_deed_finish(&w, err) &&
           sov_deed_say(&w, "defined", "sov outcome activate %s");
}

/* What is not said stays as it is. */
static bool revise(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_outcome_request request = { .title = sov_value_of(call, SOV_FLAG_TITLE),
                                           .desired_state = sov_value_of(call, SOV_FLAG_DESIRED),
                                           .subject = sov_value_of(call, SOV_FLAG_SUBJECT),
                                           .owner = sov_value_of(call, SOV_FLAG_OWNER),
                                           .reason = sov_value_of(call, SOV_FLAG_REASON) };
    struct sov_outcome now;
    int64_t n;

    if (!sov_number_at(call, 0, SOV_STREAM_OUTCOME, &n, err) ||
        !checks_of(call, &request.checks, err) || !sov_deed_begin(&w, call, err) ||
        !sov_outcome_get(call->ledger, n, call->arena, &now, err))
        return false;
    if (!request.title) request.title = now.title;
    if (!request.desired_state) request.desired_state = now.desired_state;
    if (!request.subject) request.subject = now.subject;
    if (!request.owner) request.owner = now.owner;
    if (!sov_given(call, SOV_FLAG_CHECK)) request.checks = now.checks;
    return sov_outcome_revise(&w.commit, n, &request, &w.done, err) && sov_deed_finish(&w, err) &&
           sov_deed_say(&w, "revised", "sov show %s");
}

static bool activate(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n;

    return sov_number_at(call, 0, SOV_STREAM_OUTCOME, &n, err) && sov_deed_begin(&w, call, err) &&
           sov_outcome_activate(&w.commit, n, &w.done, err) && sov_deed_finish(&w, err) &&
           sov_deed_say(&w, "activated", "sov sow new %s");
}

static bool block(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n;

    return sov_number_at(call, 0, SOV_STREAM_OUTCOME, &n, err) && sov_deed_begin(&w, call, err) &&
           sov_outcome_block(&w.commit, n, sov_value_of(call, SOV_FLAG_REASON), &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "blocked", "sov outcome unblock %s");
}

static bool unblock(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n;

    return sov_number_at(call, 0, SOV_STREAM_OUTCOME, &n, err) && sov_deed_begin(&w, call, err) &&
           sov_outcome_unblock(&w.commit, n, sov_value_of(call, SOV_FLAG_REASON), &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "unblocked", "sov show %s");
}

/* The ruling is the ledger's to find; one that is named must be that one. */
static bool ruling_meant(struct sov_call *call, int64_t outcome, struct sov_error *err)
{
    const char *stream = sov_arena_printf(call->arena, "outcome/OUT-%lld", (long long)outcome);
    int64_t named, in_force;

    if (!sov_number_of(call, SOV_FLAG_RULING, SOV_STREAM_RULING, &named, err)) return false;
    if (!named) return true;
    if (!sov_ruling_in_force(call->ledger, SOV_RULING_REOPEN, stream, 0, &in_force, err))
        return false;
    if (in_force == named) return true;
    sov_error_set(err, SOV_DENIED, "ruling_missing", "RUL-%lld gives no leave to reopen OUT-%lld",
                  (long long)named, (long long)outcome);
    sov_error_ref(err, stream + strlen("outcome/"));
    return false;
}

static bool reopen(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n;

    return sov_number_at(call, 0, SOV_STREAM_OUTCOME, &n, err) && sov_deed_begin(&w, call, err) &&
           ruling_meant(call, n, err) &&
           sov_outcome_reopen(&w.commit, n, sov_value_of(call, SOV_FLAG_REASON), &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "reopened", "sov sow new %s");
}

static bool end(struct sov_call *call, bool failed, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    const char *reason = sov_value_of(call, SOV_FLAG_REASON);
    int64_t n, successor;

    return sov_number_at(call, 0, SOV_STREAM_OUTCOME, &n, err) &&
           sov_number_of(call, SOV_FLAG_SUCCESSOR, SOV_STREAM_OUTCOME, &successor, err) &&
           sov_deed_begin(&w, call, err) &&
           (failed ? sov_outcome_fail(&w.commit, n, reason, successor, &w.done, err)
                   : sov_outcome_cancel(&w.commit, n, reason, successor, &w.done, err)) &&
           sov_deed_finish(&w, err) &&
           sov_deed_say(&w, failed ? "failed" : "cancelled", "sov show %s");
}

static bool fail(struct sov_call *call, struct sov_error *err)
{
    return end(call, true, err);
}

static bool cancel(struct sov_call *call, struct sov_error *err)
{
    return end(call, false, err);
}

#define EXITS "4 not authorised\n5 wrong state"
static const struct sov_form forms[] = {
    { "new", define, SOV_WRITES, 1, 1,
      "TITLE --desired TEXT --check SPEC... [--subject REF] [--owner ID]",
      "a desired, checkable, standing condition of the world", SOV_WRITE_FIELDS, EXITS,
      "sov outcome new \"Tea in stock\" --desired \"three or more\" --check @stock.json", NULL },
    { "revise", revise, SOV_WRITES, 1, 1,
      "OUT [--title T] [--desired TEXT] [--check SPEC...] [--subject REF] [--owner ID] "
      "--reason TEXT",
      "what is not said stays; earlier verifications stop counting", SOV_WRITE_FIELDS, EXITS,
      "sov outcome revise OUT-1 --desired \"five or more\" --reason \"demand rose\"", NULL },
    { "activate", activate, SOV_WRITES, 1, 1, "OUT", "work toward it may begin", SOV_WRITE_FIELDS,
      EXITS, "sov outcome activate OUT-1", NULL },
    { "block", block, SOV_WRITES, 1, 1, "OUT --reason TEXT", "nothing goes on", SOV_WRITE_FIELDS,
      EXITS, "sov outcome block OUT-1 --reason \"supplier on strike\"", NULL },
    { "unblock", unblock, SOV_WRITES, 1, 1, "OUT --reason TEXT", "it goes on", SOV_WRITE_FIELDS,
      EXITS, "sov outcome unblock OUT-1 --reason \"strike is over\"", NULL },
    { "fail", fail, SOV_WRITES, 1, 1, "OUT --reason TEXT [--successor OUT]",
      "for good, with all that is open", SOV_WRITE_FIELDS, EXITS,
      "sov outcome fail OUT-1 --reason \"no supplier left\"", NULL },
    { "cancel", cancel, SOV_WRITES, 1, 1, "OUT --reason TEXT [--successor OUT]",
      "for good, with all that is open", SOV_WRITE_FIELDS, EXITS,
      "sov outcome cancel OUT-1 --reason \"no longer sold\"", NULL },
    { "reopen", reopen, SOV_WRITES, 1, 1, "OUT --reason TEXT [--ruling RUL]",
      "a new term: after a violation, or behind a ruling", SOV_WRITE_FIELDS, EXITS,
      "sov outcome reopen OUT-1 --reason \"sold out again\"", NULL },
};
static const struct sov_verb verb = {
    "outcome",
    "desired conditions of the world",
    "SPEC is {\"id\":...,\"kind\":...,\"params\":{...}} as JSON, or @FILE. Kinds: "
    "balance-at-least,\n"
    "postings-match, effect-present, file-exists, file-digest, json-equals, command.",
    forms,
    sizeof forms / sizeof *forms,
    SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_outcome(void)
{
    return &verb;
}
