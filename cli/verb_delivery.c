#include "cli/claimed.h"
#include "policy/policy.h"

static bool queue(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    struct sov_delivery_request request = {
        .channel = call->words[0],
        .receiver_key = sov_value_of(call, SOV_FLAG_RECEIVER_KEY),
        .media_type = "application/octet-stream",
    };

    return sov_number_of(call, SOV_FLAG_SESSION, SOV_STREAM_SESSION, &request.session, err) &&
           sov_file_of(call, call->words[1], SOV_DELIVERY_MAX, &request.content, err) &&
           sov_deed_begin(&w, call, err) && sov_delivery_queue(&w.commit, &request, &w.done, err) &&
           sov_deed_finish(&w, err) &&
           sov_deed_say(&w, sov_arena_printf(call->arena, "queued for %s", request.channel),
                        "sov delivery claim %s");
}

static bool claim(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, ttl, fence;
    struct sov_who who;

    return sov_number_at(call, 0, SOV_STREAM_DELIVERY, &n, err) &&
           sov_int_of(call, SOV_FLAG_TTL, 1, INT32_MAX, 0, &ttl, err) &&
           sov_deed_begin(&w, call, err) && sov_claimed_who(&w, &who, err) &&
           sov_delivery_claim(&w.commit, n, ttl, &who, &fence, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_claimed_say(&w, fence, "sov delivery start %s");
}

static bool start(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, fence;

    return sov_claimed_under(call, SOV_STREAM_DELIVERY, &n, &fence, err) &&
           sov_deed_begin(&w, call, err) && sov_delivery_start(&w.commit, n, fence, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "started: send it now", NULL);
}

static bool succeed(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, fence;

    return sov_claimed_under(call, SOV_STREAM_DELIVERY, &n, &fence, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_delivery_succeed(&w.commit, n, fence, sov_value_of(call, SOV_FLAG_RECEIVER_REF),
                                &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "delivered", NULL);
}

static bool fail(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    enum sov_delivery_state state = SOV_DELIVERY_QUEUED;
    int64_t n, fence;

    if (!sov_claimed_under(call, SOV_STREAM_DELIVERY, &n, &fence, err) ||
        !sov_deed_begin(&w, call, err) ||
        !sov_delivery_fail(&w.commit, n, fence, sov_value_of(call, SOV_FLAG_REASON), &state,
                           &w.done, err) ||
        !sov_deed_finish(&w, err))
        return false;
    sov_add_text(w.data, "state", sov_policy_delivery_name(state));
    return sov_deed_say(
        &w, sov_arena_printf(call->arena, "failed, %s", sov_policy_delivery_name(state)),
        state == SOV_DELIVERY_DEAD ? "sov delivery resolve %s --found not_delivered --reason TEXT"
                                   : "sov delivery claim %s");
}

static bool resolve(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    const char *found = sov_value_of(call, SOV_FLAG_FOUND);
    bool delivered = strcmp(found, "delivered") == 0;
    int64_t n;

    if (!delivered && strcmp(found, "not_delivered") != 0)
        return sov_fail(err, SOV_USAGE, "bad_value", "--found is delivered or not_delivered");
    return sov_number_at(call, 0, SOV_STREAM_DELIVERY, &n, err) && sov_deed_begin(&w, call, err) &&
           sov_delivery_resolve(&w.commit, n, delivered, sov_value_of(call, SOV_FLAG_REASON),
                                &w.done, err) &&
           sov_deed_finish(&w, err) &&
           sov_deed_say(&w, delivered ? "delivered, as a person says" : "QUEUED again",
                        delivered ? NULL : "sov delivery claim %s");
}

static bool list(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *rows = sov_node_list(call->arena);
    const char *wanted = sov_value_of(call, SOV_FLAG_STATE);
    struct sov_deliveries all;

    if (!sov_delivery_list(call->ledger, call->arena, &all, err)) return false;
    for (size_t i = 0; i < all.count; i++) {
        const struct sov_delivery *at = &all.at[i];
        char after[SOV_INSTANT_TEXT + 1] = "";
        struct sov_node *row;

        if (wanted && strcmp(wanted, sov_policy_delivery_name(at->state)) != 0) continue;
        if (at->after_ms) sov_instant_format((struct sov_instant){ at->after_ms }, after);
        row = sov_add_object(rows, NULL);
        sov_add_id(row, "id", "DLV", at->n);
        sov_add_text(row, "state", sov_policy_delivery_name(at->state));
        sov_add_text(row, "channel", at->channel);
        sov_add_int(row, "attempts", at->attempts);
        sov_add_int(row, "max_attempts", at->max_attempts);
        sov_add_text(row, "after", *after ? after : NULL);
        sov_add_text(row, "receiver_key", at->receiver_key);
        sov_add_hex(row, "content", sov_hash_bytes(&at->content.digest));
        sov_add_int(row, "seq", at->seq);
    }
    sov_out_table(call->out, rows, "id state channel attempts after");
    sov_out_data(call->out, rows);
    return true;
}

#define EXITS "4 held by another\n5 wrong state, stale fence"
static const struct sov_form forms[] = {
    { "queue", queue, SOV_WRITES, 2, 2, "CHANNEL FILE|- [--session SES] [--receiver-key K]",
      "something to be sent out", SOV_WRITE_FIELDS, "4 not authorised",
      "sov delivery queue mail letter.txt --receiver-key order-8812", NULL },
    { "claim", claim, SOV_WRITES, 1, 1, "DLV [--ttl SECONDS] [--pid N]",
      "take it up; prints the fence", SOV_WRITE_FIELDS " fence:i",
      "5 claimed, not yet, wrong state", "sov delivery claim DLV-1", NULL },
    { "start", start, SOV_WRITES, 1, 1, "DLV --fence N", "it is sent from here on",
      SOV_WRITE_FIELDS, EXITS, "sov delivery start DLV-1 --fence 88", NULL },
    { "succeed", succeed, SOV_WRITES, 1, 1, "DLV --fence N [--receiver-ref TEXT]",
      "the receiver has it", SOV_WRITE_FIELDS, EXITS, "sov delivery succeed DLV-1 --fence 88",
      NULL },
    { "fail", fail, SOV_WRITES, 1, 1, "DLV --fence N --reason TEXT",
      "try it again later; DEAD at the limit of attempts", SOV_WRITE_FIELDS " state:s", EXITS,
      "sov delivery fail DLV-1 --fence 88 --reason \"the line was down\"", NULL },
    { "resolve", resolve, SOV_WRITES, 1, 1, "DLV --found WORD --reason TEXT",
      "what became of one that is UNKNOWN or DEAD, by a person", SOV_WRITE_FIELDS,
      "4 no person\n5 wrong state",
      "sov delivery resolve DLV-1 --found delivered --reason \"they called\"", NULL },
    { "list", list, SOV_READS, 0, 0, "[--state S]", "all deliveries, oldest first",
      "id:s state:s channel:s attempts:i max_attempts:i after:s? receiver_key:s content:s seq:i",
      "", "sov delivery list --state UNKNOWN", NULL },
};
static const struct sov_verb verb = {
    "delivery",
    "what is sent out, between a start and an end",
    "Nothing here sends: its caller does, between start and succeed or fail. One that was started\n"
    "and whose claim ran out is UNKNOWN and is not sent again until a person has looked.",
    forms,
    sizeof forms / sizeof *forms,
    SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_delivery(void)
{
    return &verb;
}
