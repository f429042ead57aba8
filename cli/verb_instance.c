#include "cli/claimed.h"

static bool enlist(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };

    return sov_deed_begin(&w, call, err) &&
           sov_instance_register(&w.commit, call->words[0], &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "registered", "sov instance claim %s");
}

static bool claim(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, ttl, fence;
    struct sov_who who;

    return sov_number_at(call, 0, SOV_STREAM_INSTANCE, &n, err) &&
           sov_int_of(call, SOV_FLAG_TTL, 1, INT32_MAX, 0, &ttl, err) &&
           sov_deed_begin(&w, call, err) && sov_claimed_who(&w, &who, err) &&
           sov_instance_claim(&w.commit, n, ttl, &who, &fence, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_claimed_say(&w, fence, "sov instance renew %s");
}

static bool renew(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, ttl, fence;
    struct sov_who who;

    return sov_claimed_under(call, SOV_STREAM_INSTANCE, &n, &fence, err) &&
           sov_int_of(call, SOV_FLAG_TTL, 1, INT32_MAX, 0, &ttl, err) &&
           sov_deed_begin(&w, call, err) && sov_claimed_who(&w, &who, err) &&
           sov_instance_renew(&w.commit, n, fence, ttl, &who, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "renewed", NULL);
}

static bool retire(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, fence;

    return sov_claimed_under(call, SOV_STREAM_INSTANCE, &n, &fence, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_instance_retire(&w.commit, n, fence, sov_value_of(call, SOV_FLAG_REASON), &w.done,
                               err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "retired", NULL);
}

static const struct sov_form forms[] = {
    { "register", enlist, SOV_WRITES, 1, 1, "LABEL", "a program that runs", SOV_WRITE_FIELDS,
      "4 not authorised", "sov instance register \"the desk in the shop\"", NULL },
    { "claim", claim, SOV_WRITES, 1, 1, "INS [--ttl SECONDS] [--pid N]",
      "it runs; prints its fence", SOV_WRITE_FIELDS " fence:i",
      "4 registered by another\n5 claimed, wrong state", "sov instance claim INS-1", NULL },
    { "renew", renew, SOV_WRITES, 1, 1, "INS --fence N [--ttl SECONDS] [--pid N]", "it still runs",
      SOV_WRITE_FIELDS, "4 held by another\n5 stale fence", "sov instance renew INS-1 --fence 88",
      NULL },
    { "retire", retire, SOV_WRITES, 1, 1, "INS --fence N --reason TEXT", "it runs no more",
      SOV_WRITE_FIELDS, "4 held by another\n5 stale fence",
      "sov instance retire INS-1 --fence 88 --reason \"closing time\"", NULL },
};
static const struct sov_verb verb = {
    "instance",
    "programs that run, each under its own fence",
    "An instance holds a claim on itself, so two programs under one name cannot pass for one. A\n"
    "session is claimed under its fence.",
    forms,
    sizeof forms / sizeof *forms,
    SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_instance(void)
{
    return &verb;
}
