#include "ledger/event.h"

#include <assert.h>
#include <stdio.h>

#include "base/amount.h"
#include "base/text.h"

static const struct {
    const char *word, *prefix;
} streams[] = {
#define STREAM(id, word, prefix) { word, prefix },
#include "ledger/event_types.def"
#undef STREAM
};

const char *sov_stream_word(enum sov_stream_kind kind)
{
    assert(kind < SOV_STREAM_COUNT);
    return streams[kind].word;
}

const char *sov_stream_prefix(enum sov_stream_kind kind)
{
    assert(kind < SOV_STREAM_COUNT);
    return streams[kind].prefix;
}

struct sov_stream sov_stream_numbered(enum sov_stream_kind kind, int64_t n)
{
    assert(*sov_stream_prefix(kind) && n > 0);
    return (struct sov_stream){ kind, n, { NULL, 0 } };
}

struct sov_stream sov_stream_named(enum sov_stream_kind kind, struct sov_bytes name)
{
    assert(!*sov_stream_prefix(kind) && name.size);
    return (struct sov_stream){ kind, 0, name };
}

bool sov_stream_equal(const struct sov_stream *a, const struct sov_stream *b)
{
    return a->kind == b->kind && a->n == b->n && (a->n || sov_bytes_equal(a->name, b->name));
}

const char *sov_stream_id(const struct sov_stream *stream, struct sov_arena *arena)
{
    if (!stream->n) return sov_arena_text(arena, stream->name);
    return sov_arena_printf(arena, "%s-%lld", sov_stream_prefix(stream->kind),
                            (long long)stream->n);
}

void sov_stream_write(const struct sov_stream *stream, struct sov_buf *out)
{
    sov_buf_add_text(out, sov_stream_word(stream->kind));
    sov_buf_add_byte(out, '/');
    if (!stream->n) {
        sov_buf_add(out, stream->name);
        return;
    }
    sov_buf_add_text(out, sov_stream_prefix(stream->kind));
    sov_buf_add_byte(out, '-');
    sov_buf_add_int(out, stream->n);
}

/* 1 to 16 digits without a leading zero, in range; 0 if it is none. */
static int64_t number(struct sov_bytes digits)
{
    int64_t n = 0;

    if (!digits.size || digits.size > 16 || digits.data[0] == '0') return 0;
    for (size_t i = 0; i < digits.size; i++) {
        if (digits.data[i] < '0' || digits.data[i] > '9') return 0;
        n = n * 10 + (digits.data[i] - '0');
    }
    return n <= SOV_INT_MAX ? n : 0;
}

int64_t sov_id_number(struct sov_bytes text, enum sov_stream_kind kind)
{
    const char *prefix = sov_stream_prefix(kind);
    size_t size = strlen(prefix);

    if (!size || text.size < size + 2 || memcmp(text.data, prefix, size) != 0) return 0;
    if (text.data[size] != '-') return 0;
    return number(sov_bytes(text.data + size + 1, text.size - size - 1));
}

bool sov_stream_parse(struct sov_bytes text, struct sov_stream *stream_out)
{
    const uint8_t *slash = text.size ? memchr(text.data, '/', text.size) : NULL;
    struct sov_bytes word, rest;

    if (!slash) return false;
    word = sov_bytes(text.data, (size_t)(slash - text.data));
    rest = sov_bytes(slash + 1, text.size - word.size - 1);
    for (enum sov_stream_kind kind = 0; kind < SOV_STREAM_COUNT; kind++) {
        int64_t n;

        if (!sov_bytes_is(word, streams[kind].word)) continue;
        if (!*streams[kind].prefix) {
            if (!rest.size || rest.size > SOV_NAME_MAX) return false;
            *stream_out = sov_stream_named(kind, rest);
            return true;
        }
        n = sov_id_number(rest, kind);
        if (!n) return false;
        *stream_out = sov_stream_numbered(kind, n);
        return true;
    }
    return false;
}

void sov_stream_resource(const struct sov_stream *stream, char out[SOV_RESOURCE_SIZE])
{
    assert(sov_stream_is_claimable(stream->kind) && stream->n > 0);
    snprintf(out, SOV_RESOURCE_SIZE, "%s/%s-%lld", sov_stream_word(stream->kind),
             sov_stream_prefix(stream->kind), (long long)stream->n);
}

bool sov_stream_parse_id(struct sov_bytes text, struct sov_stream *stream_out)
{
    for (enum sov_stream_kind kind = 0; kind < SOV_STREAM_COUNT; kind++) {
        int64_t n = *streams[kind].prefix ? sov_id_number(text, kind) : 0;

        if (!n) continue;
        *stream_out = sov_stream_numbered(kind, n);
        return true;
    }
    return false;
}

static void causes_write(struct sov_writer *w, const struct sov_event_draft *draft)
{
    sov_write_list(w);
    for (size_t i = 0; i < draft->cause_count; i++) {
        assert(draft->cause[i] > (i ? draft->cause[i - 1] : 0));
        assert(draft->cause[i] < draft->seq);
        sov_write_int(w, draft->cause[i]);
    }
    sov_write_end(w);
}

/* Where a value stands in the buffer; its address is known when nothing more is added. */
struct span {
    size_t from, size;
};

static struct sov_value at(const struct sov_buf *out, struct span span)
{
    return sov_value(span.size ? sov_bytes(out->data + span.from, span.size) : sov_bytes(NULL, 0));
}

bool sov_event_encode(const struct sov_event_draft *draft, struct sov_buf *out,
                      struct sov_event *event_out, struct sov_error *err)
{
    struct span cause = { 0 }, key = { 0 };
    struct sov_writer w;
    char time[SOV_INSTANT_TEXT + 1];
    uint8_t name[SOV_NAME_MAX + 32];
    struct sov_buf stream = { .data = name, .room = sizeof name, .size_max = sizeof name };

    assert(draft->seq > 0 && draft->sv > 0 && draft->actor.size);
    sov_instant_format(draft->at, time);
    sov_stream_write(&draft->stream, &stream);
    assert(!stream.cut);
    sov_buf_clear(out);
    sov_writer_init(&w, out);
    sov_write_object(&w);
    sov_put_bytes(&w, "actor", draft->actor);
    sov_put_text(&w, "at", time);
    if (draft->cause_count) {
        sov_write_key(&w, "cause");
        cause.from = out->size;
        causes_write(&w, draft);
        cause.size = out->size - cause.from;
    }
    sov_put_raw(&w, "data", draft->data);
    if (draft->fence) sov_put_int(&w, "fence", draft->fence);
    if (draft->key.data) {
        sov_write_key(&w, "key");
        key.from = out->size;
        sov_write_text(&w, draft->key);
        key.size = out->size - key.from;
    }
    sov_put_int(&w, "seq", draft->seq);
    sov_put_bytes(&w, "stream", sov_buf_bytes(&stream));
    sov_put_int(&w, "sv", draft->sv);
    sov_put_text(&w, "type", sov_event_row(draft->type)->type);
    sov_put_int(&w, "v", SOV_EVENT_VERSION);
    sov_write_end(&w);
    if (!sov_buf_whole(out, "the event", err)) return false;
    *event_out = (struct sov_event){
        .seq = draft->seq,
        .type = draft->type,
        .at = draft->at,
        .actor = draft->actor,
        .stream = draft->stream,
        .sv = draft->sv,
        .cause = at(out, cause),
        .fence = draft->fence,
        .key = at(out, key),
        .data = sov_value(draft->data),
        .octets = sov_buf_bytes(out),
    };
    return true;
}

/* The envelope's keys, in canonical order. */
enum part { ACTOR, AT, CAUSE, DATA, FENCE, KEY, SEQ, STREAM_PART, SV, TYPE, V, PARTS };

static bool split(struct sov_value event, struct sov_value part[PARTS])
{
    static const char *const names[PARTS] = { "actor", "at",     "cause", "data", "fence", "key",
                                              "seq",   "stream", "sv",    "type", "v" };
    struct sov_member member[PARTS];
    size_t count, next = 0;

    if (sov_value_kind(event) != SOV_JSON_OBJECT) return false;
    if (!sov_value_members(event, member, PARTS, &count)) return false;
    for (size_t i = 0; i < PARTS; i++) part[i] = sov_value(sov_bytes(NULL, 0));
    for (size_t i = 0; i < count; i++) {
        while (next < PARTS && !sov_bytes_is(member[i].key, names[next])) next++;
        if (next == PARTS) return false;
        part[next++] = member[i].value;
    }
    return true;
}

static bool kinds_fit(const struct sov_value part[PARTS])
{
    static const enum sov_json_kind kind[PARTS] = { SOV_JSON_TEXT,   SOV_JSON_TEXT, SOV_JSON_LIST,
                                                    SOV_JSON_OBJECT, SOV_JSON_INT,  SOV_JSON_TEXT,
                                                    SOV_JSON_INT,    SOV_JSON_TEXT, SOV_JSON_INT,
                                                    SOV_JSON_TEXT,   SOV_JSON_INT };

    for (size_t i = 0; i < PARTS; i++) {
        if (sov_value_there(part[i]) ? sov_value_kind(part[i]) != kind[i]
                                     : i != CAUSE && i != FENCE && i != KEY)
            return false;
    }
    return true;
}

static bool causes_ascend(struct sov_value cause, int64_t seq)
{
    struct sov_value item;
    int64_t before = 0;
    size_t at = 0, count = 0;

    if (!sov_value_there(cause)) return true;
    while (sov_value_item(cause, &at, &item)) {
        if (sov_value_kind(item) != SOV_JSON_INT) return false;
        if (sov_value_int(item) <= before || sov_value_int(item) >= seq) return false;
        before = sov_value_int(item);
        if (++count > SOV_CAUSES_MAX) return false;
    }
    return count > 0;
}

static bool invalid(struct sov_error *err, const char *why)
{
    return sov_fail(err, SOV_INTEGRITY, "event_invalid", "not an event: %s", why);
}

static bool envelope_read(struct sov_bytes octets, struct sov_value part[PARTS],
                          struct sov_event *event_out, struct sov_error *err)
{
    struct sov_event event = { .octets = octets };

    if (!split(sov_value(octets), part) || !kinds_fit(part))
        return invalid(err, "its members are not those of an envelope");
    event.seq = sov_value_int(part[SEQ]);
    event.sv = sov_value_int(part[SV]);
    event.actor = sov_value_plain(part[ACTOR]);
    event.cause = part[CAUSE];
    event.key = part[KEY];
    event.data = part[DATA];
    event.fence = sov_value_there(part[FENCE]) ? sov_value_int(part[FENCE]) : 0;
    if (!event.actor.data || !sov_value_plain(part[STREAM_PART]).data)
        return invalid(err, "actor or stream");
    if (!sov_event_type_find(sov_value_plain(part[TYPE]), &event.type))
        return invalid(err, "its type is not in the registry");
    if (!sov_stream_parse(sov_value_plain(part[STREAM_PART]), &event.stream))
        return invalid(err, "its stream has no known form");
    if (!sov_value_plain(part[AT]).data ||
        !sov_instant_parse(sov_value_plain(part[AT]), &event.at, err))
        return invalid(err, "its time has not the form of the log");
    *event_out = event;
    return true;
}

bool sov_event_read(struct sov_bytes octets, struct sov_event *event_out, struct sov_error *err)
{
    struct sov_value part[PARTS];

    return envelope_read(octets, part, event_out, err);
}

bool sov_event_decode(struct sov_bytes octets, struct sov_event *event_out, struct sov_error *err)
{
    struct sov_event event;
    struct sov_value part[PARTS];
    const struct sov_event_row *row;

    if (!sov_scan_canonical(octets, &sov_scan_own, err)) {
        err->exit = SOV_INTEGRITY;
        err->code = "event_invalid";
        return false;
    }
    if (!envelope_read(octets, part, &event, err)) return false;
    row = sov_event_row(event.type);
    if (sov_value_int(part[V]) != SOV_EVENT_VERSION) return invalid(err, "envelope version");
    if (event.seq < 1 || event.sv < 1) return invalid(err, "seq or sv below 1");
    if (!sov_text_is_id(event.actor)) return invalid(err, "actor is no id");
    if (!sov_event_stands_in(row, event.stream.kind))
        return invalid(err, "type and stream do not go together");
    if (!causes_ascend(event.cause, event.seq)) return invalid(err, "causes");
    if (event.fence < 0 || (event.fence ? row->fence == SOV_FENCE_NEVER || event.fence >= event.seq
                                        : row->fence == SOV_FENCE_ALWAYS))
        return invalid(err, "fence");
    if (sov_value_there(event.key) &&
        (sov_value_text_size(event.key) < 1 || sov_value_text_size(event.key) > SOV_KEY_MAX))
        return invalid(err, "idempotency key");
    if (!sov_event_validate(event.type, event.data, err)) {
        err->exit = SOV_INTEGRITY;
        err->code = "event_invalid";
        return false;
    }
    *event_out = event;
    return true;
}

/* Looked for from the end: behind it come sv, type and v, which cannot spell it. */
bool sov_event_stream(struct sov_bytes octets, struct sov_stream *stream_out)
{
    static const char key[] = ",\"stream\":\"";
    const size_t size = sizeof key - 1;

    for (size_t n = octets.size; n > size; n--) {
        const uint8_t *from = octets.data + n, *at = from - size, *end;

        if (*at != ',' || memcmp(at, key, size) != 0) continue;
        end = memchr(from, '"', (size_t)(octets.data + octets.size - from));
        return end && sov_stream_parse(sov_bytes(from, (size_t)(end - from)), stream_out);
    }
    return false;
}

struct sov_stream sov_event_resource(const struct sov_event *event)
{
    struct sov_stream named = { SOV_STREAM_ASSIGNMENT, 0, { NULL, 0 } };

    if (sov_stream_is_claimable(event->stream.kind)) return event->stream;
    named.n = sov_data_number(event, "assignment", SOV_STREAM_ASSIGNMENT);
    return named;
}

struct sov_value sov_data(const struct sov_event *event, const char *key)
{
    return sov_value_get(event->data, key);
}

int64_t sov_data_int(const struct sov_event *event, const char *key)
{
    struct sov_value value = sov_data(event, key);

    return sov_value_there(value) ? sov_value_int(value) : 0;
}

bool sov_data_bool(const struct sov_event *event, const char *key)
{
    struct sov_value value = sov_data(event, key);

    return sov_value_there(value) && sov_value_bool(value);
}

int64_t sov_data_number(const struct sov_event *event, const char *key, enum sov_stream_kind kind)
{
    struct sov_value value = sov_data(event, key);

    return sov_value_there(value) ? sov_id_number(sov_value_plain(value), kind) : 0;
}

struct sov_bytes sov_value_bytes(struct sov_value text, struct sov_arena *arena)
{
    struct sov_bytes plain;
    uint8_t *copy;
    size_t size;

    if (!sov_value_there(text)) return sov_bytes(NULL, 0);
    plain = sov_value_plain(text);
    if (plain.data) return plain;
    size = sov_value_text_size(text);
    copy = sov_arena_take(arena, size + 1);
    sov_value_text(text, copy, size);
    return sov_bytes(copy, size);
}

struct sov_bytes sov_data_text(const struct sov_event *event, const char *key,
                               struct sov_arena *arena)
{
    return sov_value_bytes(sov_data(event, key), arena);
}
