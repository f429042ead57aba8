/* The registry: event_types.def as tables, and the validator that walks them. */
#include <assert.h>
#include <string.h>

#include "base/amount.h"
#include "base/text.h"
#include "ledger/event.h"

enum { REQ = 0, OPT = SOV_FIELD_OPTIONAL, ASKED = SOV_FIELD_ASKED, BOTH = OPT | ASKED };

#define TEXT(name, max, flags) { name, SOV_FIELD_TEXT, max, 0, NULL, flags }
#define REASON(flags) { "reason", SOV_FIELD_TEXT, 2000, 0, NULL, flags }
#define ID(name, flags) { name, SOV_FIELD_ID, 63, 0, NULL, flags }
#define NUMBERED(name, kind, flags)                                                                \
    { name, SOV_FIELD_NUMBERED, SOV_STREAM_##kind, 0, NULL, flags }
#define WORD(name, words, flags) { name, SOV_FIELD_WORD, 0, 0, words, flags }
#define HEX(name, digits, flags) { name, SOV_FIELD_HEX, digits, 0, NULL, flags }
#define DIGEST(name, flags) { name, SOV_FIELD_HEX, 64, 0, NULL, flags }
#define TIME(name, flags) { name, SOV_FIELD_TIME, 0, 0, NULL, flags }
#define INTEGER(name, flags) { name, SOV_FIELD_INTEGER, 0, 0, NULL, flags }
#define COUNT(name, flags) { name, SOV_FIELD_COUNT, 0, 0, NULL, flags }
#define BOOL(name, flags) { name, SOV_FIELD_BOOL, 0, 0, NULL, flags }
#define DOCUMENT(name, flags) { name, SOV_FIELD_DOCUMENT, 0, 0, NULL, flags }
#define SHAPED(name, shape, flags) { name, SOV_FIELD_SHAPED, 0, 0, #shape, flags }
#define TEXTS(name, max, count, flags) { name, SOV_FIELD_TEXTS, max, count, NULL, flags }
#define HEXES(name, digits, count, flags) { name, SOV_FIELD_HEXES, digits, count, NULL, flags }
#define LIST(name, shape, count, flags) { name, SOV_FIELD_LIST, 0, count, #shape, flags }
#define NUMBERS(name, count, flags) { name, SOV_FIELD_NUMBERS, 0, count, NULL, flags }
#define WORDS(name, count, flags) { name, SOV_FIELD_WORDS, 200, count, NULL, flags }
/* An event without a payload has one row, which no key matches: not the empty one either. */
#define NONE { "", SOV_FIELD_BOOL, 0, 0, NULL, OPT }
#define FIELDS(...)                                                                                \
    (const struct sov_field[]){ __VA_ARGS__ },                                                     \
        sizeof((const struct sov_field[]){ __VA_ARGS__ }) / sizeof(struct sov_field)

static const struct sov_event_row rows[] = {
#define EVENT(id, word, stream, authority, leads, fence, fold, ...)                                \
    { word, SOV_STREAM_##stream, authority, leads, SOV_FENCE_##fence, { word, __VA_ARGS__ } },
#include "ledger/event_types.def"
#undef EVENT
};
static const struct {
    enum sov_stream_kind stream;
    const char *authority;
} claimables[] = {
#define CLAIMABLE(stream, entity, authority) { SOV_STREAM_##stream, authority },
#include "ledger/event_types.def"
#undef CLAIMABLE
};
static const struct sov_shape shapes[] = {
#define SHAPE(name, ...) { #name, __VA_ARGS__ },
#include "ledger/event_types.def"
#undef SHAPE
};

const struct sov_event_row *sov_event_row(enum sov_event_type type)
{
    assert(type < SOV_EVENT_TYPE_COUNT);
    return &rows[type];
}

/* NULL: no claim may be on one. */
static const char *claimant(enum sov_stream_kind kind)
{
    for (size_t i = 0; i < sizeof claimables / sizeof *claimables; i++)
        if (claimables[i].stream == kind) return claimables[i].authority;
    return NULL;
}

bool sov_stream_is_claimable(enum sov_stream_kind kind)
{
    return claimant(kind) != NULL;
}

bool sov_event_stands_in(const struct sov_event_row *row, enum sov_stream_kind kind)
{
    return row->stream == SOV_STREAM_CLAIMABLE ? claimant(kind) != NULL : row->stream == kind;
}

const char *sov_event_stream_word(const struct sov_event_row *row)
{
    return row->stream == SOV_STREAM_CLAIMABLE ? "claimable" : sov_stream_word(row->stream);
}

const char *sov_event_authority(const struct sov_event_row *row, enum sov_stream_kind kind)
{
    return strcmp(row->authority, "claim") == 0 ? claimant(kind) : row->authority;
}

bool sov_event_type_find(struct sov_bytes word, enum sov_event_type *type_out)
{
    if (!word.data) return false;
    for (enum sov_event_type type = 0; type < SOV_EVENT_TYPE_COUNT; type++) {
        if (!sov_bytes_is(word, rows[type].type)) continue;
        *type_out = type;
        return true;
    }
    return false;
}

const struct sov_shape *sov_shape_at(size_t n)
{
    return n < sizeof shapes / sizeof *shapes ? &shapes[n] : NULL;
}

const struct sov_shape *sov_shape_find(const char *name)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].name, name) == 0) return &shapes[i];
    return NULL;
}

/* Is `word` one of the words of a list with this separator? */
static bool listed(const char *list, char separator, struct sov_bytes word)
{
    while (*list) {
        const char *end = strchr(list, separator);
        size_t size = end ? (size_t)(end - list) : strlen(list);

        if (sov_bytes_equal(sov_bytes(list, size), word)) return true;
        list += size + (end != NULL);
    }
    return false;
}

bool sov_event_may_follow(enum sov_event_type type, enum sov_event_type lead)
{
    return listed(rows[type].leads, ' ', sov_bytes_text(rows[lead].type));
}

static bool bad(const struct sov_field *field, const char *rule, struct sov_error *err)
{
    return sov_fail(err, SOV_USAGE, "bad_value", "%s %s", field->name, rule);
}

static bool text_fits(const struct sov_field *field, struct sov_value value, struct sov_error *err)
{
    if (sov_value_kind(value) != SOV_JSON_TEXT) return bad(field, "is no text", err);
    if (sov_value_text_size(value) > field->max)
        return sov_fail(err, SOV_USAGE, "too_large", "%s is over %zu bytes", field->name,
                        field->max);
    return true;
}

static bool hex_fits(const struct sov_field *field, struct sov_value value, struct sov_error *err)
{
    struct sov_bytes text;

    if (sov_value_kind(value) != SOV_JSON_TEXT) return bad(field, "is no text", err);
    text = sov_value_plain(value);
    if (text.size != field->max) return bad(field, "has the wrong number of digits", err);
    for (size_t i = 0; i < text.size; i++) {
        if ((text.data[i] < '0' || text.data[i] > '9') &&
            (text.data[i] < 'a' || text.data[i] > 'f'))
            return bad(field, "is no lower-case hex", err);
    }
    return true;
}

static bool plain_fits(const struct sov_field *field, struct sov_value value, struct sov_error *err)
{
    struct sov_instant at;
    struct sov_bytes text;

    if (sov_value_kind(value) != SOV_JSON_TEXT) return bad(field, "is no text", err);
    text = sov_value_plain(value);
    if (!text.data) return bad(field, "has escapes", err);
    if (field->kind == SOV_FIELD_ID)
        return sov_text_is_id(text) ? true : bad(field, "is not a-z, then a-z 0-9 . _ -", err);
    if (field->kind == SOV_FIELD_NUMBERED) {
        if (!sov_id_number(text, (enum sov_stream_kind)field->max))
            return bad(field, "is no id of its kind", err);
        return true;
    }
    if (field->kind == SOV_FIELD_WORD)
        return listed(field->words, '|', text) ? true : bad(field, "is not one of its words", err);
    assert(field->kind == SOV_FIELD_TIME);
    return sov_instant_parse(text, &at, err) ? true : bad(field, "is no instant", err);
}

static bool integer_fits(const struct sov_field *field, struct sov_value value,
                         struct sov_error *err)
{
    if (sov_value_kind(value) != SOV_JSON_INT) return bad(field, "is no integer", err);
    if (field->kind == SOV_FIELD_COUNT && sov_value_int(value) < 0)
        return bad(field, "is negative", err);
    return true;
}

static bool object_fits(const struct sov_shape *shape, struct sov_value value,
                        struct sov_error *err);

static bool items_fit(const struct sov_field *field, struct sov_value value, struct sov_error *err)
{
    const struct sov_shape *shape =
        field->kind == SOV_FIELD_LIST ? sov_shape_find(field->words) : NULL;
    struct sov_value item;
    size_t at = 0, count = 0;

    if (sov_value_kind(value) != SOV_JSON_LIST) return bad(field, "is no list", err);
    while (sov_value_item(value, &at, &item)) {
        if (++count > field->count_max)
            return sov_fail(err, SOV_USAGE, "too_large", "%s has over %zu items", field->name,
                            field->count_max);
        if (field->kind == SOV_FIELD_TEXTS && !text_fits(field, item, err)) return false;
        if (field->kind == SOV_FIELD_HEXES && !hex_fits(field, item, err)) return false;
        if (field->kind == SOV_FIELD_LIST && !object_fits(shape, item, err)) return false;
    }
    return true;
}

static bool names_fit(const struct sov_field *field, struct sov_value value, struct sov_error *err)
{
    struct sov_member member;
    size_t at = 0, count = 0;

    if (sov_value_kind(value) != SOV_JSON_OBJECT) return bad(field, "is no object", err);
    while (sov_value_member(value, &at, &member)) {
        if (++count > field->count_max)
            return sov_fail(err, SOV_USAGE, "too_large", "%s has over %zu names", field->name,
                            field->count_max);
        if (!sov_text_is_id(member.key)) return bad(field, "has a name that is no id", err);
        if (field->kind == SOV_FIELD_NUMBERS && sov_value_kind(member.value) != SOV_JSON_INT)
            return bad(field, "has a value that is no integer", err);
        if (field->kind == SOV_FIELD_WORDS && !text_fits(field, member.value, err)) return false;
    }
    return true;
}

static bool value_fits(const struct sov_field *field, struct sov_value value, struct sov_error *err)
{
    switch (field->kind) {
    case SOV_FIELD_TEXT:
        return text_fits(field, value, err);
    case SOV_FIELD_HEX:
        return hex_fits(field, value, err);
    case SOV_FIELD_ID:
    case SOV_FIELD_NUMBERED:
    case SOV_FIELD_WORD:
    case SOV_FIELD_TIME:
        return plain_fits(field, value, err);
    case SOV_FIELD_INTEGER:
    case SOV_FIELD_COUNT:
        return integer_fits(field, value, err);
    case SOV_FIELD_BOOL:
        return sov_value_kind(value) == SOV_JSON_BOOL ? true : bad(field, "is no boolean", err);
    case SOV_FIELD_DOCUMENT:
        return sov_value_kind(value) == SOV_JSON_OBJECT ? true : bad(field, "is no object", err);
    case SOV_FIELD_SHAPED:
        return object_fits(sov_shape_find(field->words), value, err);
    case SOV_FIELD_TEXTS:
    case SOV_FIELD_HEXES:
    case SOV_FIELD_LIST:
        return items_fit(field, value, err);
    case SOV_FIELD_NUMBERS:
    case SOV_FIELD_WORDS:
        return names_fit(field, value, err);
    }
    return false;
}

/* Members and fields are both in key order, so one walk pairs them. */
static bool object_fits(const struct sov_shape *shape, struct sov_value value,
                        struct sov_error *err)
{
    struct sov_member member;
    size_t at = 0, next = 0;

    assert(shape);
    if (sov_value_kind(value) != SOV_JSON_OBJECT)
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no object", shape->name);
    while (sov_value_member(value, &at, &member)) {
        while (next < shape->count &&
               !(member.key.size && sov_bytes_is(member.key, shape->fields[next].name))) {
            if (!(shape->fields[next].flags & SOV_FIELD_OPTIONAL))
                return bad(&shape->fields[next], "is missing", err);
            next++;
        }
        if (next == shape->count)
            return sov_fail(err, SOV_USAGE, "bad_value", "%s has an unknown field", shape->name);
        if (!value_fits(&shape->fields[next++], member.value, err)) return false;
    }
    for (; next < shape->count; next++)
        if (!(shape->fields[next].flags & SOV_FIELD_OPTIONAL))
            return bad(&shape->fields[next], "is missing", err);
    return true;
}

bool sov_event_validate(enum sov_event_type type, struct sov_value data, struct sov_error *err)
{
    return object_fits(&sov_event_row(type)->data, data, err);
}

bool sov_event_field_validate(enum sov_event_type type, const char *field, struct sov_value value,
                              struct sov_error *err)
{
    const struct sov_shape *shape = &sov_event_row(type)->data;
    size_t i = 0;

    while (i < shape->count && strcmp(shape->fields[i].name, field) != 0) i++;
    assert(i < shape->count);
    return value_fits(&shape->fields[i], value, err);
}

bool sov_event_asked_equal(enum sov_event_type type, struct sov_value a, struct sov_value b)
{
    const struct sov_shape *shape = &sov_event_row(type)->data;

    for (size_t i = 0; i < shape->count; i++) {
        struct sov_value left, right;

        if (!(shape->fields[i].flags & SOV_FIELD_ASKED)) continue;
        left = sov_value_get(a, shape->fields[i].name);
        right = sov_value_get(b, shape->fields[i].name);
        if (!sov_bytes_equal(left.octets, right.octets)) return false;
    }
    return true;
}
