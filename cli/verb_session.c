#include "cli/claimed.h"
#include "policy/policy.h"

enum { RESULT_MAX = 25 << 20 };

static bool begin(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };

    return sov_deed_begin(&w, call, err) &&
           sov_session_open(&w.commit, call->words[0], sov_value_of(call, SOV_FLAG_PURPOSE),
                            &w.done, err) &&
           sov_deed_finish(&w, err) &&
           sov_deed_say(&w, sov_arena_printf(call->arena, "opened for %s", call->words[0]),
                        "sov session claim %s --instance INS --instance-fence N");
}

static bool claim(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_session_claim asked = { 0 };
    int64_t fence, incarnation;
    struct sov_who who;

    if (!sov_number_at(call, 0, SOV_STREAM_SESSION, &asked.session, err) ||
        !sov_number_of(call, SOV_FLAG_INSTANCE, SOV_STREAM_INSTANCE, &asked.instance, err) ||
        !sov_int_of(call, SOV_FLAG_INSTANCE_FENCE, 1, INT64_MAX, 0, &asked.instance_fence, err) ||
        !sov_int_of(call, SOV_FLAG_TTL, 1, INT32_MAX, 0, &asked.ttl_s, err) ||
        !sov_deed_begin(&w, call, err) || !sov_claimed_who(&w, &who, err))
        return false;
    asked.who = &who;
    if (!sov_session_claim(&w.commit, &asked, &fence, &incarnation, &w.done, err) ||
        !sov_deed_finish(&w, err))
        return false;
    sov_add_int(w.data, "fence", fence);
    sov_add_int(w.data, "incarnation", incarnation);
    return sov_deed_say(
        &w,
        sov_arena_printf(call->arena, "claimed, fence %lld, incarnation %lld", (long long)fence,
                         (long long)incarnation),
        sov_arena_printf(call->arena, "sov session renew %%s --fence %lld", (long long)fence));
}

static bool renew(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, ttl, fence;
    struct sov_who who;

    return sov_claimed_under(call, SOV_STREAM_SESSION, &n, &fence, err) &&
           sov_int_of(call, SOV_FLAG_TTL, 1, INT32_MAX, 0, &ttl, err) &&
           sov_deed_begin(&w, call, err) && sov_claimed_who(&w, &who, err) &&
           sov_session_renew(&w.commit, n, fence, ttl, &who, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "renewed", NULL);
}

static bool end(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_session_close asked = { .reason = sov_value_of(call, SOV_FLAG_REASON) };
    const char *path = sov_value_of(call, SOV_FLAG_RESULT),
               *status = sov_value_of(call, SOV_FLAG_STATUS);

    asked.abandoned = status && strcmp(status, "abandoned") == 0;
    if (!status || (!asked.abandoned && strcmp(status, "completed") != 0))
        return sov_fail(err, SOV_USAGE, "bad_value", "--status is completed or abandoned");
    if (path && !sov_file_of(call, path, RESULT_MAX, &asked.result, err)) return false;
    return sov_claimed_under(call, SOV_STREAM_SESSION, &asked.session, &asked.fence, err) &&
           sov_deed_begin(&w, call, err) && sov_session_close(&w.commit, &asked, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, status, NULL);
}

static bool list(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *rows = sov_node_list(call->arena);
    const char *wanted = sov_value_of(call, SOV_FLAG_STATE);
    struct sov_sessions all;

    if (!sov_session_list(call->ledger, call->arena, &all, err)) return false;
    for (size_t i = 0; i < all.count; i++) {
        const struct sov_session *at = &all.at[i];
        struct sov_node *row;

        if (wanted && strcmp(wanted, sov_policy_session_name(at->state)) != 0) continue;
        row = sov_add_object(rows, NULL);
        sov_add_id(row, "id", "SES", at->n);
        sov_add_text(row, "state", sov_policy_session_name(at->state));
        sov_add_text(row, "actor", at->actor);
        sov_add_int(row, "incarnation", at->incarnation);
        sov_add_text(row, "purpose", at->purpose);
        sov_add_int(row, "seq", at->seq);
    }
    sov_out_table(call->out, rows, "id state actor incarnation purpose");
    sov_out_data(call->out, rows);
    return true;
}

#define EXITS "4 held by another\n5 stale fence, the instance's too, time over, closed"
static const struct sov_form forms[] = {
    { "open", begin, SOV_WRITES, 1, 1, "ACTOR --purpose TEXT", "something that an actor carries on",
      SOV_WRITE_FIELDS, "4 not authorised", "sov session open operator --purpose \"the desk\"",
      NULL },
    { "claim", claim, SOV_WRITES, 1, 1,
      "SES --instance INS --instance-fence N [--ttl SECONDS] [--pid N]",
      "take it up; prints fence and incarnation", SOV_WRITE_FIELDS " fence:i incarnation:i",
      "4 of another\n5 claimed, closed, the instance's fence, time over",
      "sov session claim SES-1 --instance INS-1 --instance-fence 88", NULL },
    { "renew", renew, SOV_WRITES, 1, 1, "SES --fence N [--ttl SECONDS] [--pid N]", "it goes on",
      SOV_WRITE_FIELDS, EXITS, "sov session renew SES-1 --fence 90", NULL },
    { "close", end, SOV_WRITES, 1, 1, "SES --fence N --status WORD [--result FILE] [--reason TEXT]",
      "completed or abandoned, for good", SOV_WRITE_FIELDS, EXITS,
      "sov session close SES-1 --fence 90 --status completed", NULL },
    { "list", list, SOV_READS, 0, 0, "[--state S]", "all sessions, oldest first",
      "id:s state:s actor:s incarnation:i purpose:s seq:i", "", "sov session list", NULL },
};
static const struct sov_verb verb = {
    "session",
    "what an actor carries on, in one program at a time",
    "Its actor claims a session under the live fence of an instance of his own. What an earlier\n"
    "incarnation still has to say, or one whose time is over, is refused.",
    forms,
    sizeof forms / sizeof *forms,
    SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_session(void)
{
    return &verb;
}
