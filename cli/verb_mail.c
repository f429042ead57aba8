#include "cli/claimed.h"
#include "policy/policy.h"

static bool send(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_message_request request = { .to = call->words[0],
                                           .subject = sov_value_of(call, SOV_FLAG_SUBJECT),
                                           .about = sov_value_of(call, SOV_FLAG_ABOUT) };
    const char *path = sov_word_at(call, 1), *body;

    if (!sov_number_of(call, SOV_FLAG_REPLY_TO, SOV_STREAM_MESSAGE, &request.reply_to, err))
        return false;
    if (path && !sov_text_of(call, path, SOV_MESSAGE_BODY_MAX, &body, err)) return false;
    if (path) request.body = sov_bytes_text(body);
    return sov_deed_begin(&w, call, err) && sov_message_send(&w.commit, &request, &w.done, err) &&
           sov_deed_finish(&w, err) &&
           sov_deed_say(&w, sov_arena_printf(call->arena, "sent to %s", request.to),
                        "sov mail claim %s --actor ADDRESSEE");
}

static bool list(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *rows = sov_node_list(call->arena);
    const char *wanted = sov_value_of(call, SOV_FLAG_STATE);
    struct sov_messages all;

    if (!sov_message_list(call->ledger, call->arena, &all, err)) return false;
    for (size_t i = 0; i < all.count; i++) {
        const struct sov_message *at = &all.at[i];
        struct sov_node *row;

        if (wanted && strcmp(wanted, sov_policy_message_name(at->state)) != 0) continue;
        row = sov_add_object(rows, NULL);
        sov_add_id(row, "id", "MSG", at->n);
        sov_add_text(row, "state", sov_policy_message_name(at->state));
        sov_add_text(row, "to", at->to);
        sov_add_text(row, "from", at->from);
        sov_add_text(row, "subject", at->subject);
        sov_add_text(row, "about", at->about);
        sov_add_id(row, "reply_to", "MSG", at->reply_to);
        sov_add_int(row, "retries", at->retries);
        sov_add_int(row, "seq", at->seq);
    }
    sov_out_table(call->out, rows, "id state to from subject");
    sov_out_data(call->out, rows);
    return true;
}

static bool claim(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, ttl, fence;
    struct sov_who who;

    return sov_number_at(call, 0, SOV_STREAM_MESSAGE, &n, err) &&
           sov_int_of(call, SOV_FLAG_TTL, 1, INT32_MAX, 0, &ttl, err) &&
           sov_deed_begin(&w, call, err) && sov_claimed_who(&w, &who, err) &&
           sov_message_claim(&w.commit, n, ttl, &who, &fence, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_claimed_say(&w, fence, "sov mail done %s");
}

static bool done(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, fence;

    return sov_claimed_under(call, SOV_STREAM_MESSAGE, &n, &fence, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_message_done(&w.commit, n, fence, sov_value_of(call, SOV_FLAG_REASON), &w.done,
                            err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "done", NULL);
}

static bool fail(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    enum sov_message_state state = SOV_MESSAGE_NEW;
    int64_t n, fence;

    if (!sov_claimed_under(call, SOV_STREAM_MESSAGE, &n, &fence, err) ||
        !sov_deed_begin(&w, call, err) ||
        !sov_message_fail(&w.commit, n, fence, sov_value_of(call, SOV_FLAG_REASON), &state, &w.done,
                          err) ||
        !sov_deed_finish(&w, err))
        return false;
    sov_add_text(w.data, "state", sov_policy_message_name(state));
    return sov_deed_say(
        &w, sov_arena_printf(call->arena, "failed, %s", sov_policy_message_name(state)),
        state == SOV_MESSAGE_DEAD ? "sov mail requeue %s --reason TEXT" : "sov mail claim %s");
}

static bool release(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, fence;

    return sov_claimed_under(call, SOV_STREAM_MESSAGE, &n, &fence, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_message_release(&w.commit, n, fence, sov_value_of(call, SOV_FLAG_REASON), &w.done,
                               err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "released", "sov mail claim %s");
}

static bool requeue(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n;

    return sov_number_at(call, 0, SOV_STREAM_MESSAGE, &n, err) && sov_deed_begin(&w, call, err) &&
           sov_message_requeue(&w.commit, n, sov_value_of(call, SOV_FLAG_REASON), &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "NEW again", "sov mail claim %s");
}

#define EXITS "4 not authorised, for another\n5 wrong state, stale fence"
static const struct sov_form forms[] = {
    { "send", send, SOV_WRITES, 1, 2,
      "ACTOR|role/ROLE --subject TEXT [--about REF] [--reply-to MSG] [FILE|-]",
      "put a message into a mailbox", SOV_WRITE_FIELDS, "4 not authorised",
      "sov mail send operator --subject \"The till is open\" --about SOW-1\n"
      "sov mail send role/operator --subject \"Please look\" note.txt",
      NULL },
    { "list", list, SOV_READS, 0, 0, "[--state S]", "all messages, oldest first",
      "id:s state:s to:s from:s subject:s about:s? reply_to:s? retries:i seq:i", "",
      "sov mail list --state DEAD", NULL },
    { "claim", claim, SOV_WRITES, 1, 1, "MSG [--ttl SECONDS] [--pid N]",
      "take it up; prints the fence", SOV_WRITE_FIELDS " fence:i",
      "4 for another\n5 claimed, wrong state", "sov mail claim MSG-1", NULL },
    { "done", done, SOV_WRITES, 1, 1, "MSG --fence N [--reason TEXT]", "it is dealt with",
      SOV_WRITE_FIELDS, EXITS, "sov mail done MSG-1 --fence 88 --reason Seen.", NULL },
    { "fail", fail, SOV_WRITES, 1, 1, "MSG --fence N --reason TEXT",
      "put it back; DEAD at the limit of retries", SOV_WRITE_FIELDS " state:s", EXITS,
      "sov mail fail MSG-1 --fence 88 --reason \"not readable\"", NULL },
    { "release", release, SOV_WRITES, 1, 1, "MSG --fence N --reason TEXT",
      "let it go; that is no failure", SOV_WRITE_FIELDS, EXITS,
      "sov mail release MSG-1 --fence 88 --reason \"not today\"", NULL },
    { "requeue", requeue, SOV_WRITES, 1, 1, "MSG --reason TEXT",
      "out of DEAD, by its sender or one who may plan", SOV_WRITE_FIELDS,
      "4 neither\n5 wrong state", "sov mail requeue MSG-1 --reason \"it can be read now\"", NULL },
};
static const struct sov_verb verb = {
    "mail",
    "the mailbox between actors",
    "A message is information, never authority: nothing else moves by it. Whoever it is addressed\n"
    "to, or any active actor of the role, claims it and says what came of it under the fence of\n"
    "that claim. One whose claim runs out has failed once more.",
    forms,
    sizeof forms / sizeof *forms,
    SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_mail(void)
{
    return &verb;
}
