#include "cli/record.h"

#include <stdlib.h>

#include "base/merkle.h"
#include "base/text.h"

/* ---- what a word names ---- */

/* One of it, or several: "signal", "signals"; "delivery", "deliveries". */
static bool names_kind(const char *word, const char *name)
{
    size_t size = strlen(name);

    if (strcmp(word, name) == 0) return true;
    if (name[size - 1] == 'y')
        return strncmp(word, name, size - 1) == 0 && strcmp(word + size - 1, "ies") == 0;
    return strncmp(word, name, size) == 0 && strcmp(word + size, "s") == 0;
}

bool sov_kind_find(const char *word, enum sov_stream_kind *kind_out)
{
    for (enum sov_stream_kind kind = 0; kind < SOV_STREAM_COUNT; kind++) {
        if (!names_kind(word, sov_stream_word(kind))) continue;
        *kind_out = kind;
        return true;
    }
    return false;
}

static bool is_digits(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 16;
}

static bool is_hash(const char *text)
{
    size_t size = strlen(text);

    return size >= 8 && size <= SOV_HEX_HASH && strspn(text, "0123456789abcdef") == size;
}

static bool hash_find(struct sov_call *call, const char *prefix, int64_t *seq_out,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_stored row;
    int64_t seq = 0;
    bool found;

    sov_log_begin(&cursor, call->ledger, 1, 0);
    for (;;) {
        char hex[SOV_HEX_HASH + 1];

        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) break;
        if (row.hash.size != SOV_HASH_SIZE)
            return sov_fail(err, SOV_INTEGRITY, "event_invalid",
                            "the hash beside event %lld is none", (long long)row.seq);
        sov_hex(row.hash, hex);
        if (strncmp(hex, prefix, strlen(prefix)) != 0) continue;
        if (seq)
            return sov_fail(err, SOV_USAGE, "bad_value", "%s begins two hashes, of %lld and %lld",
                            prefix, (long long)seq, (long long)row.seq);
        seq = row.seq;
    }
    *seq_out = seq;
    return true;
}

static bool there(struct sov_call *call, const struct sov_stream *stream, bool *there_out,
                  struct sov_error *err)
{
    const int64_t *seqs;
    size_t count;

    *there_out = sov_stream_history(call->ledger, stream, call->arena, &seqs, &count, err);
    return *there_out || err->exit == SOV_ABSENT;
}

/* A bare name: the streams of all named kinds that are called so. */
static bool name_find(struct sov_call *call, const char *text, struct sov_ref *ref_out,
                      struct sov_error *err)
{
    enum sov_stream_kind found_kind = SOV_STREAM_COUNT;

    for (enum sov_stream_kind kind = 0; kind < SOV_STREAM_COUNT; kind++) {
        struct sov_stream stream;
        bool found;

        if (*sov_stream_prefix(kind)) continue;
        stream = sov_stream_named(kind, sov_bytes_text(text));
        if (!there(call, &stream, &found, err)) return false;
        if (!found) continue;
        if (found_kind != SOV_STREAM_COUNT)
            return sov_fail(err, SOV_USAGE, "bad_value",
                            "%s is %s/%s and %s/%s: write the one that is meant", text,
                            sov_stream_word(found_kind), text, sov_stream_word(kind), text);
        found_kind = kind;
        *ref_out = (struct sov_ref){ .stream = stream };
    }
    if (found_kind != SOV_STREAM_COUNT) return true;
    sov_error_set(err, SOV_ABSENT, "no_such_id", "nothing is called %s", text);
    sov_error_ref(err, text);
    return false;
}

bool sov_ref_find(struct sov_call *call, const char *text, struct sov_ref *ref_out,
                  struct sov_error *err)
{
    struct sov_ref ref = { 0 };
    bool found;

    if (is_digits(text)) {
        struct sov_event event;

        ref.seq = strtoll(text, NULL, 10);
        if (!sov_log_event(call->ledger, ref.seq, call->arena, &event, err)) return false;
        *ref_out = ref;
        return true;
    }
    if (is_hash(text)) {
        if (!hash_find(call, text, &ref.seq, err)) return false;
        if (ref.seq) {
            *ref_out = ref;
            return true;
        }
    }
    if (sov_stream_parse_id(sov_bytes_text(text), &ref.stream) ||
        sov_stream_parse(sov_bytes_text(text), &ref.stream)) {
        if (!there(call, &ref.stream, &found, err)) return false;
        if (!found) {
            sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no %s", text);
            sov_error_ref(err, text);
            return false;
        }
        *ref_out = ref;
        return true;
    }
    return name_find(call, text, ref_out, err);
}

/* ---- events ---- */

const char *sov_stream_called(const struct sov_stream *stream, struct sov_arena *arena)
{
    bool alone = stream->kind == SOV_STREAM_ORGANIZATION || stream->kind == SOV_STREAM_POLICY;

    return alone ? sov_stream_word(stream->kind) : sov_stream_id(stream, arena);
}

static const char *stream_text(const struct sov_stream *stream, struct sov_arena *arena)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

    sov_buf_init(&out, 1024);
    sov_stream_write(stream, &out);
    return sov_arena_text(arena, sov_buf_bytes(&out));
}

struct sov_node *sov_event_node(const struct sov_event *event, struct sov_arena *arena)
{
    struct sov_node *node = sov_node_object(arena);
    char at[SOV_INSTANT_TEXT + 1];
    struct sov_hash hash = sov_leaf_hash(event->octets);

    sov_instant_format(event->at, at);
    sov_add_int(node, "seq", event->seq);
    sov_add_text(node, "at", at);
    sov_add_bytes(node, "actor", event->actor);
    sov_add_text(node, "type", sov_event_row(event->type)->type);
    sov_add_text(node, "id", sov_stream_id(&event->stream, arena));
    sov_add_text(node, "stream", stream_text(&event->stream, arena));
    sov_add_int(node, "sv", event->sv);
    if (sov_value_there(event->cause))
        sov_add_value(node, "cause", event->cause);
    else
        sov_add_list(node, "cause");
    if (event->fence)
        sov_add_int(node, "fence", event->fence);
    else
        sov_add_null(node, "fence");
    sov_add_value(node, "key", event->key);
    sov_add_value(node, "data", event->data);
    sov_add_hex(node, "hash", sov_hash_bytes(&hash));
    return node;
}

const char *sov_event_words(const struct sov_event *event, struct sov_arena *arena)
{
    /* The fields that tell most in a line; an event has few of them. */
    static const char *const telling[] = {
        "vote",    "label",    "purpose", "channel",  "found",        "error",
        "action",  "resource", "used_by", "decision", "kind",         "quantity",
        "delta",   "balance",  "subject", "title",    "status",       "category",
        "code",    "check",    "success", "passed",   "scope",        "sow",
        "outcome", "actor",    "receipt", "severity", "verification", "acceptance",
        "term",    "role",     "name",    "about",    "ground",       "next",
    };
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_bytes reason = sov_data_text(event, "reason", arena);

    sov_buf_init(&out, 4096);
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++) {
        struct sov_value value = sov_data(event, telling[i]);

        if (!sov_value_there(value) || sov_value_kind(value) == SOV_JSON_OBJECT) continue;
        if (strcmp(telling[i], "scope") == 0 && event->stream.kind == SOV_STREAM_SOW) continue;
        if (out.size) sov_buf_add_byte(&out, ' ');
        sov_buf_printf(&out, "%s=", telling[i]);
        if (sov_value_kind(value) == SOV_JSON_TEXT)
            sov_buf_add(&out, sov_value_bytes(value, arena));
        else
            sov_buf_add(&out, value.octets);
    }
    if (reason.data)
        sov_buf_printf(&out, "%s(%.*s)", out.size ? " " : "", (int)reason.size,
                       (const char *)reason.data);
    return sov_arena_text(arena, sov_buf_bytes(&out));
}

/* ---- entities ---- */

bool sov_entity_state(struct sov_call *call, const struct sov_stream *stream,
                      const char **state_out, struct sov_error *err)
{
    struct sov_outcome outcome;
    struct sov_sow sow;
    struct sov_assignment assignment;
    struct sov_approval approval;
    struct sov_message message;
    struct sov_instance instance;
    struct sov_session session;
    struct sov_delivery delivery;
    struct sov_actor actor;
    bool found = false;

    *state_out = NULL;
    if (stream->kind == SOV_STREAM_OUTCOME) {
        if (!sov_outcome_find(call->ledger, stream->n, call->arena, &outcome, &found, err))
            return false;
        if (found) *state_out = sov_policy_outcome_name(outcome.state);
    } else if (stream->kind == SOV_STREAM_SOW) {
        if (!sov_sow_find(call->ledger, stream->n, call->arena, &sow, &found, err)) return false;
        if (found) *state_out = sov_policy_sow_name(sow.state);
    } else if (stream->kind == SOV_STREAM_ASSIGNMENT) {
        if (!sov_assignment_find(call->ledger, stream->n, call->arena, &assignment, &found, err))
            return false;
        if (found) *state_out = sov_policy_assignment_name(assignment.state);
    } else if (stream->kind == SOV_STREAM_APPROVAL) {
        if (!sov_approval_find(call->ledger, stream->n, call->arena, &approval, &found, err))
            return false;
        if (found) *state_out = sov_policy_approval_name(approval.facts.state);
    } else if (stream->kind == SOV_STREAM_MESSAGE) {
        if (!sov_message_find(call->ledger, stream->n, call->arena, &message, &found, err))
            return false;
        if (found) *state_out = sov_policy_message_name(message.state);
    } else if (stream->kind == SOV_STREAM_INSTANCE) {
        if (!sov_instance_find(call->ledger, stream->n, call->arena, &instance, &found, err))
            return false;
        if (found) *state_out = sov_policy_instance_name(instance.state);
    } else if (stream->kind == SOV_STREAM_SESSION) {
        if (!sov_session_find(call->ledger, stream->n, call->arena, &session, &found, err))
            return false;
        if (found) *state_out = sov_policy_session_name(session.state);
    } else if (stream->kind == SOV_STREAM_DELIVERY) {
        if (!sov_delivery_find(call->ledger, stream->n, call->arena, &delivery, &found, err))
            return false;
        if (found) *state_out = sov_policy_delivery_name(delivery.state);
    } else if (stream->kind == SOV_STREAM_ACTOR) {
        const char *id = sov_arena_text(call->arena, stream->name);

        if (!sov_actor_find(call->ledger, id, call->arena, &actor, &found, err)) return false;
        if (found) *state_out = actor.status;
    }
    return true;
}

/* A later value of a field takes the earlier one's place. */
static void overlay(struct sov_node *fields, const char *key, struct sov_value value)
{
    struct sov_node *fresh = sov_node_object(fields->arena);

    sov_add_value(fresh, key, value);
    for (struct sov_node *at = fields->first; at; at = at->next) {
        struct sov_node *next = at->next;

        if (strcmp(at->key, key) != 0) continue;
        *at = *fresh->first;
        at->next = next;
        return;
    }
    sov_add_value(fields, key, value);
}

/* What a voter is to read: the very bytes whose digest the request binds, while they are kept. */
static bool add_arguments(struct sov_call *call, const struct sov_stream *stream,
                          struct sov_node *fields, struct sov_error *err)
{
    struct sov_approval approval;
    struct sov_blob blob;
    bool found;

    if (stream->kind != SOV_STREAM_APPROVAL) return true;
    if (!sov_approval_get(call->ledger, stream->n, call->arena, &approval, err) ||
        !sov_blob_find(call->ledger, &approval.args.digest, call->arena, &blob, &found, err))
        return false;
    if (found && blob.content.data) sov_add_bytes(fields, "arguments", blob.content);
    return true;
}

bool sov_entity_node(struct sov_call *call, const struct sov_stream *stream,
                     struct sov_node **node_out, struct sov_error *err)
{
    struct sov_node *node = sov_node_object(call->arena), *fields;
    const char *state;
    const int64_t *seqs;
    size_t count;

    if (!sov_stream_history(call->ledger, stream, call->arena, &seqs, &count, err)) return false;
    if (!sov_entity_state(call, stream, &state, err)) return false;
    sov_add_text(node, "id", sov_stream_id(stream, call->arena));
    sov_add_text(node, "kind", sov_stream_word(stream->kind));
    sov_add_text(node, "state", state);
    sov_add_int(node, "version", (int64_t)count);
    sov_add_int(node, "seq", seqs[0]);
    sov_add_int(node, "last_seq", seqs[count - 1]);
    fields = sov_add_object(node, "fields");
    for (size_t i = 0; i < count; i++) {
        struct sov_event event;
        struct sov_member member;
        size_t at = 0;

        if (!sov_log_named(call->ledger, seqs[i], SOV_EVENT_TYPE_COUNT, call->arena, &event, err))
            return false;
        while (sov_value_member(event.data, &at, &member))
            overlay(fields, sov_arena_text(call->arena, member.key), member.value);
    }
    if (!add_arguments(call, stream, fields, err)) return false;
    *node_out = node;
    return true;
}
