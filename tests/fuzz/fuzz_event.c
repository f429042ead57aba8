/*
 * libFuzzer: events as the verifier meets them. The octets as they come; and, since hardly any
 * would be an event by itself, a valid event of every type made from the registry, then the same
 * with octets changed. What is accepted is written again by our encoder, octet for octet.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "base/json.h"
#include "ledger/event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* The input as a source of choices; at its end every choice is 0. */
struct choices {
    const uint8_t *data;
    size_t size;
};

static unsigned choose(struct choices *c, unsigned below)
{
    if (!c->size) return 0;
    c->size--;
    return *c->data++ % below;
}

static int64_t choose_count(struct choices *c)
{
    static const int64_t edge[] = { 1, 2, 10, 99, SOV_INT_MAX };

    return edge[choose(c, sizeof edge / sizeof *edge)];
}

static void write_text(struct sov_writer *w, struct choices *c, size_t max)
{
    static const char *const piece[] = { "", "a", "\"", "\\", "\x01", "\x7f", "\xc3\xa9", "zz" };
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };

    sov_buf_init(&text, max);
    for (unsigned count = choose(c, 16); count && !text.cut; count--) {
        const char *more = piece[choose(c, sizeof piece / sizeof *piece)];

        if (text.size + strlen(more) <= max) sov_buf_add_text(&text, more);
    }
    sov_write_text(w, sov_buf_bytes(&text));
}

static void write_word(struct sov_writer *w, struct choices *c, const char *words)
{
    unsigned skip = choose(c, 4);
    const char *end;

    while (skip-- && strchr(words, '|')) words = strchr(words, '|') + 1;
    end = strchr(words, '|');
    sov_write_text(w, sov_bytes(words, end ? (size_t)(end - words) : strlen(words)));
}

static void write_hex(struct sov_writer *w, struct choices *c, size_t digits)
{
    uint8_t octets[256];

    require(digits / 2 <= sizeof octets);
    memset(octets, (int)choose(c, 256), digits / 2);
    sov_write_hex(w, sov_bytes(octets, digits / 2));
}

static void write_shape(struct sov_writer *w, struct choices *c, const struct sov_shape *shape);

static void write_items(struct sov_writer *w, struct choices *c, const struct sov_field *field)
{
    size_t count = choose(c, field->count_max < 4 ? (unsigned)field->count_max + 1 : 4);

    sov_write_list(w);
    while (count--) {
        if (field->kind == SOV_FIELD_TEXTS) write_text(w, c, field->max);
        if (field->kind == SOV_FIELD_HEXES) write_hex(w, c, field->max);
        if (field->kind == SOV_FIELD_LIST) write_shape(w, c, sov_shape_find(field->words));
    }
    sov_write_end(w);
}

static void write_names(struct sov_writer *w, struct choices *c, const struct sov_field *field)
{
    static const char *const name[] = { "a", "b.c", "z-9_" };
    size_t count = choose(c, field->count_max < 3 ? (unsigned)field->count_max + 1 : 4);

    sov_write_object(w);
    for (size_t i = 0; i < count; i++) {
        sov_write_key(w, name[i]);
        if (field->kind == SOV_FIELD_NUMBERS) sov_write_int(w, -choose_count(c));
        if (field->kind == SOV_FIELD_WORDS) write_text(w, c, field->max);
    }
    sov_write_end(w);
}

static void write_numbered(struct sov_writer *w, struct choices *c, const struct sov_field *field)
{
    struct sov_stream stream =
        sov_stream_numbered((enum sov_stream_kind)field->max, choose_count(c));
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };

    sov_arena_init(&arena, 1 << 16);
    sov_write_text(w, sov_bytes_text(sov_stream_id(&stream, &arena)));
}

static void write_value(struct sov_writer *w, struct choices *c, const struct sov_field *field)
{
    switch (field->kind) {
    case SOV_FIELD_TEXT:
        write_text(w, c, field->max);
        return;
    case SOV_FIELD_ID:
        sov_write_text(w, sov_bytes_text(choose(c, 2) ? "builder-3" : "a"));
        return;
    case SOV_FIELD_NUMBERED:
        write_numbered(w, c, field);
        return;
    case SOV_FIELD_WORD:
        write_word(w, c, field->words);
        return;
    case SOV_FIELD_HEX:
        write_hex(w, c, field->max);
        return;
    case SOV_FIELD_TIME:
        sov_write_text(w, sov_bytes_text("2026-02-28T23:59:59.999Z"));
        return;
    case SOV_FIELD_INTEGER:
        sov_write_int(w, -choose_count(c));
        return;
    case SOV_FIELD_COUNT:
        sov_write_int(w, choose_count(c));
        return;
    case SOV_FIELD_BOOL:
        sov_write_bool(w, choose(c, 2));
        return;
    case SOV_FIELD_DOCUMENT:
        sov_write_raw(w, sov_bytes_text(choose(c, 2) ? "{\"\":[{}]}" : "{}"));
        return;
    case SOV_FIELD_SHAPED:
        write_shape(w, c, sov_shape_find(field->words));
        return;
    case SOV_FIELD_TEXTS:
    case SOV_FIELD_HEXES:
    case SOV_FIELD_LIST:
        write_items(w, c, field);
        return;
    case SOV_FIELD_NUMBERS:
    case SOV_FIELD_WORDS:
        write_names(w, c, field);
        return;
    }
}

static void write_shape(struct sov_writer *w, struct choices *c, const struct sov_shape *shape)
{
    require(shape != NULL);
    sov_write_object(w);
    for (size_t i = 0; i < shape->count; i++) {
        const struct sov_field *field = &shape->fields[i];

        if (!*field->name || (field->flags & SOV_FIELD_OPTIONAL && choose(c, 2))) continue;
        sov_write_key(w, field->name);
        write_value(w, c, field);
    }
    sov_write_end(w);
}

/* An event that obeys the registry in everything. */
static void make(struct choices *c, struct sov_buf *octets)
{
    static const int64_t cause[] = { 1, 7, 90 };
    enum sov_event_type type = choose(c, SOV_EVENT_TYPE_COUNT);
    const struct sov_event_row *row = sov_event_row(type);
    enum sov_stream_kind kind = choose(c, SOV_STREAM_COUNT);
    SOV_CLEANUP(sov_buf_release) struct sov_buf payload = { 0 };
    struct sov_event encoded;
    struct sov_event_draft draft = { .seq = 100, .type = type, .actor = sov_bytes_text("host") };
    struct sov_writer w;
    struct sov_error err;

    sov_buf_init(&payload, SOV_EVENT_SIZE_MAX);
    sov_writer_init(&w, &payload);
    write_shape(&w, c, &row->data);
    require(!payload.cut);
    draft.data = sov_buf_bytes(&payload);
    draft.sv = choose_count(c);
    draft.cause = cause;
    draft.cause_count = choose(c, 4);
    while (!sov_event_stands_in(row, kind)) kind = (kind + 1) % SOV_STREAM_COUNT;
    draft.stream = *sov_stream_prefix(kind) ? sov_stream_numbered(kind, choose_count(c))
                                            : sov_stream_named(kind, sov_bytes_text("cash/till"));
    if (row->fence == SOV_FENCE_ALWAYS || (row->fence == SOV_FENCE_SOMETIMES && choose(c, 2)))
        draft.fence = 99;
    if (choose(c, 2)) draft.key = sov_bytes_text("k\"1");
    require(sov_event_encode(&draft, octets, &encoded, &err));
}

static size_t causes(const struct sov_event *event, int64_t cause[SOV_CAUSES_MAX])
{
    struct sov_value item;
    size_t at = 0, count = 0;

    if (!sov_value_there(event->cause)) return 0;
    while (sov_value_item(event->cause, &at, &item)) {
        require(count < SOV_CAUSES_MAX);
        cause[count++] = sov_value_int(item);
    }
    return count;
}

/* True if it is an event: then reader, validator and encoder agree with the judge. */
static bool judge(struct sov_bytes octets)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf again = { 0 };
    struct sov_event event, read;
    struct sov_event_draft draft = { 0 };
    struct sov_event encoded;
    int64_t cause[SOV_CAUSES_MAX];
    struct sov_error err = { 0 };

    if (!sov_event_decode(octets, &event, &err)) {
        require(err.exit == SOV_INTEGRITY && strcmp(err.code, "event_invalid") == 0);
        return false;
    }
    sov_arena_init(&arena, 1 << 20);
    sov_buf_init(&again, SOV_EVENT_SIZE_MAX);
    require(sov_event_read(octets, &read, &err) && read.seq == event.seq);
    require(sov_event_validate(event.type, event.data, &err));
    require(sov_event_asked_equal(event.type, event.data, event.data));
    require(sov_event_resource(&event).n >= 0);
    draft = (struct sov_event_draft){ .seq = event.seq,
                                      .sv = event.sv,
                                      .fence = event.fence,
                                      .type = event.type,
                                      .at = event.at,
                                      .actor = event.actor,
                                      .stream = event.stream,
                                      .cause = cause,
                                      .cause_count = causes(&event, cause),
                                      .key = sov_value_bytes(event.key, &arena),
                                      .data = event.data.octets };
    require(sov_event_encode(&draft, &again, &encoded, &err));
    require(sov_bytes_equal(sov_buf_bytes(&again), octets));
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf octets = { 0 };
    struct choices choices = { data, size };

    (void)judge(sov_bytes(data, size));
    sov_buf_init(&octets, SOV_EVENT_SIZE_MAX);
    make(&choices, &octets);
    require(judge(sov_buf_bytes(&octets)));
    for (unsigned count = choose(&choices, 4); count; count--) {
        size_t at = (choose(&choices, 256) << 8 | choose(&choices, 256)) % octets.size;

        octets.data[at] = (uint8_t)choose(&choices, 256);
    }
    (void)judge(sov_buf_bytes(&octets));
    return 0;
}
