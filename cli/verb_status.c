#include <string.h>

#include "cli/document.h"
#include "cli/publish.h"
#include "cli/ready.h"
#include "cli/record.h"

enum { LAST_DECISIONS = 5 };

static bool is_decision(enum sov_event_type type)
{
    return type == SOV_EVENT_REVIEW_DECIDED || type == SOV_EVENT_ACCEPTANCE_SIGNED ||
           type == SOV_EVENT_RULING_DECIDED || type == SOV_EVENT_RULING_REVOKED ||
           type == SOV_EVENT_APPROVAL_VOTED || type == SOV_EVENT_APPROVAL_REVOKED ||
           type == SOV_EVENT_POLICY_ADOPTED || type == SOV_EVENT_OUTCOME_ACCEPTED ||
           type == SOV_EVENT_OUTCOME_VIOLATED || type == SOV_EVENT_DELIVERY_RESOLVED;
}

/* The newest decisions, found from the end backwards in slices. */
static bool decisions(struct sov_call *call, struct sov_node *list, struct sov_error *err)
{
    struct sov_node *found[LAST_DECISIONS] = { 0 };
    size_t count = 0;
    int64_t seq = call->out->seq;

    for (int64_t looked = 0; seq >= 1 && looked < 1000 && count < LAST_DECISIONS; seq--, looked++) {
        struct sov_event event;

        if (!sov_log_event(call->ledger, seq, call->arena, &event, err)) return false;
        if (!is_decision(event.type)) continue;
        found[count] = sov_node_object(call->arena);
        sov_add_int(found[count], "seq", event.seq);
        sov_add_bytes(found[count], "actor", event.actor);
        sov_add_text(found[count], "type", sov_event_row(event.type)->type);
        sov_add_text(found[count], "id", sov_stream_called(&event.stream, call->arena));
        sov_add_text(found[count], "words", sov_event_words(&event, call->arena));
        count++;
    }
    while (count) {
        struct sov_node *row = found[--count];

        if (list->last)
            list->last->next = row;
        else
            list->first = row;
        list->last = row;
    }
    return true;
}

static bool running(struct sov_call *call, struct sov_node *list, struct sov_error *err)
{
    struct sov_claims claims;
    struct sov_now now;

    if (!call->seams->clock.read(call->seams->clock.self, &now, err)) return false;
    if (!sov_claim_list(call->ledger, 0, true, call->arena, &claims, err)) return false;
    for (size_t i = 0; i < claims.count; i++) {
        const struct sov_claim *claim = &claims.at[i];
        struct sov_node *row = sov_add_object(list, NULL);
        bool same = strcmp(claim->who.boot, now.boot) == 0;
        int64_t left = same ? claim->who.boot_ms / 1000 + claim->ttl_s - now.boot_ms / 1000
                            : (claim->at_ms - now.wall.ms) / 1000 + claim->ttl_s;

        sov_add_text(row, "id", sov_stream_id(&claim->resource, call->arena));
        sov_add_text(row, "holder", claim->holder);
        sov_add_int(row, "fence", claim->fence);
        sov_add_text(row, "doing", claim->started ? "running" : "claimed");
        sov_add_int(row, "left_s", left);
    }
    return true;
}

/* What does not go on by itself: blocked, failed, sent back, violated. */
static bool stuck(struct sov_call *call, struct sov_node *list, struct sov_error *err)
{
    struct sov_outcomes outcomes;
    struct sov_sows sows;

    if (!sov_outcome_list(call->ledger, call->arena, &outcomes, err)) return false;
    for (size_t i = 0; i < outcomes.count; i++) {
        enum sov_outcome_state state = outcomes.at[i].state;
        struct sov_node *row;

        if (state != SOV_OUTCOME_BLOCKED && state != SOV_OUTCOME_VIOLATED) continue;
        row = sov_add_object(list, NULL);
        sov_add_id(row, "id", "OUT", outcomes.at[i].n);
        sov_add_text(row, "state", sov_policy_outcome_name(state));
        sov_add_text(row, "title", outcomes.at[i].title);
    }
    if (!sov_sow_list(call->ledger, 0, 0, call->arena, &sows, err)) return false;
    for (size_t i = 0; i < sows.count; i++) {
        enum sov_sow_state state = sows.at[i].state;
        struct sov_node *row;

        if (state != SOV_SOW_BLOCKED && state != SOV_SOW_FAILED &&
            state != SOV_SOW_CHANGES_REQUESTED)
            continue;
        row = sov_add_object(list, NULL);
        sov_add_id(row, "id", "SOW", sows.at[i].n);
        sov_add_text(row, "state", sov_policy_sow_name(state));
        sov_add_text(row, "title", sows.at[i].title);
    }
    return true;
}

/* Messages that nobody could read, and what was sent and may have arrived or not. */
static bool lost(struct sov_call *call, struct sov_node *list, struct sov_error *err)
{
    struct sov_messages messages;
    struct sov_deliveries deliveries;

    if (!sov_message_list(call->ledger, call->arena, &messages, err) ||
        !sov_delivery_list(call->ledger, call->arena, &deliveries, err))
        return false;
    for (size_t i = 0; i < messages.count; i++) {
        struct sov_node *row;

        if (messages.at[i].state != SOV_MESSAGE_DEAD) continue;
        row = sov_add_object(list, NULL);
        sov_add_id(row, "id", "MSG", messages.at[i].n);
        sov_add_text(row, "state", sov_policy_message_name(messages.at[i].state));
        sov_add_text(row, "title", messages.at[i].subject);
    }
    for (size_t i = 0; i < deliveries.count; i++) {
        enum sov_delivery_state state = deliveries.at[i].state;
        struct sov_node *row;

        if (state != SOV_DELIVERY_UNKNOWN && state != SOV_DELIVERY_DEAD) continue;
        row = sov_add_object(list, NULL);
        sov_add_id(row, "id", "DLV", deliveries.at[i].n);
        sov_add_text(row, "state", sov_policy_delivery_name(state));
        sov_add_text(row, "title", deliveries.at[i].channel);
    }
    return true;
}

static void part(struct sov_call *call, struct sov_node *data, const char *key, const char *title,
                 const char *columns)
{
    const struct sov_node *list = sov_node_get(data, key);

    if (!list->first) return;
    sov_out_part(call->out, SOV_STRONG, "%s", title);
    sov_out_end(call->out);
    sov_out_table(call->out, list, columns);
}

/* Whoever asks without a name gets the rest. */
static bool waiting(struct sov_call *call, struct sov_node *list, struct sov_error *err)
{
    struct sov_actor actor;
    const char *id;
    bool found;

    if (!sov_call_actor(call, &id, err)) return strcmp(err->code, "input_required") == 0;
    if (!sov_actor_find(call->ledger, id, call->arena, &actor, &found, err)) return false;
    if (!found || strcmp(actor.status, "active") != 0) return true;
    return sov_ready_put(call, id, actor.role, list, err);
}

/* Size, root, published size, and what outside vouches for it. */
static bool foot(struct sov_call *call, struct sov_node *data, struct sov_error *err)
{
    struct sov_identity identity;
    struct sov_pin pin;
    char root[SOV_HEX_HASH + 1];
    int64_t published;
    bool pinned;

    sov_ledger_identity(call->ledger, &identity);
    if (!sov_published_size(call, &published, err) ||
        !sov_pin_read(call->found.pins, &identity.id, call->arena, &pin, &pinned, err))
        return false;
    sov_hex(sov_hash_bytes(&call->out->root), root);
    sov_add_int(data, "size", call->out->seq);
    sov_add_text(data, "root", root);
    sov_add_int(data, "published_size", published);
    if (pinned)
        sov_add_int(data, "pinned_size", pin.size);
    else
        sov_add_null(data, "pinned_size");
    sov_out_part(call->out, SOV_PLAIN, "size %lld  root %.8s  published %lld",
                 (long long)call->out->seq, root, (long long)published);
    if (pinned)
        sov_out_part(call->out, SOV_PLAIN, "  pinned at %lld", (long long)pin.size);
    else
        sov_out_part(call->out, SOV_PLAIN, "  no anchor");
    sov_out_end(call->out);
    return true;
}

static bool status(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *data = sov_node_object(call->arena);
    struct sov_node *mine = sov_add_list(data, "waiting"), *live = sov_add_list(data, "running");
    struct sov_node *halted = sov_add_list(data, "stuck");
    bool there, differs;

    if (!waiting(call, mine, err) || !running(call, live, err) || !stuck(call, halted, err) ||
        !lost(call, halted, err) || !decisions(call, sov_add_list(data, "decisions"), err))
        return false;
    if (!sov_document_differs(call, &there, &differs, err)) return false;
    if (differs)
        sov_out_warn(call->out, "note: %s/" SOV_POLICY_FILE " is not the adopted policy",
                     call->found.tree);
    part(call, data, "waiting", "waits for me", "id state what next");
    part(call, data, "running", "running", "id holder fence doing left_s");
    part(call, data, "stuck", "stuck", "id state title");
    part(call, data, "decisions", "last decisions", "seq actor type id words");
    if (!foot(call, data, err)) return false;
    sov_out_data(call->out, data);
    return true;
}

static const struct sov_form forms[] = {
    { .name = "",
      .run = status,
      .needs = SOV_READS | SOV_CLONES,
      .takes = "",
      .does = "what waits for me, what runs, what is stuck, the last decisions, size and root",
      .fields = "waiting:a running:a stuck:a decisions:a size:i root:s published_size:i "
                "pinned_size:i?",
      .exits = "6 the head is wrong",
      .examples = "sov status" },
};
static const struct sov_verb verb = { "status", "how things stand", "", forms, 1, SOV_GROUP_START };

const struct sov_verb *sov_verb_status(void)
{
    return &verb;
}
