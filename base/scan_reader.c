#include "base/scan.h"

#include <assert.h>

#include "base/amount.h"
#include "base/scan_char.h"

/* Positions are asserted to lie within: octets that no scan has passed end the process. */

static uint8_t octet(struct sov_bytes octets, size_t at)
{
    assert(at < octets.size);
    return octets.data[at];
}

/* To the first quote that no backslash escapes: an odd run before it does. */
static size_t skip_string(struct sov_bytes octets, size_t at)
{
    size_t from = at + 1;

    assert(octet(octets, at) == '"');
    for (at = from;; at++) {
        const uint8_t *quote = memchr(octets.data + at, '"', octets.size - at);
        size_t slashes = 0;

        assert(quote);
        at = (size_t)(quote - octets.data);
        while (at - slashes > from && octets.data[at - slashes - 1] == '\\') slashes++;
        if (slashes % 2 == 0) return at + 1;
    }
}

static bool is_behind_scalar(uint8_t c)
{
    return c == ',' || c == ']' || c == '}';
}

static size_t skip_scalar(struct sov_bytes octets, size_t at)
{
    if (octet(octets, at) == '"') return skip_string(octets, at);
    while (at < octets.size && !is_behind_scalar(octets.data[at])) at++;
    return at;
}

static size_t skip_value(struct sov_bytes octets, size_t at)
{
    size_t depth = 0;

    if (octet(octets, at) != '{' && octets.data[at] != '[') return skip_scalar(octets, at);
    do {
        uint8_t c = octet(octets, at);

        if (c == '"') {
            at = skip_string(octets, at);
            continue;
        }
        at++;
        if (c == '{' || c == '[') depth++;
        if (c == '}' || c == ']') depth--;
    } while (depth);
    return at;
}

enum sov_json_kind sov_value_kind(struct sov_value value)
{
    assert(sov_value_there(value) && value.octets.size);
    switch (value.octets.data[0]) {
    case 'n':
        return SOV_JSON_NULL;
    case 't':
    case 'f':
        return SOV_JSON_BOOL;
    case '"':
        return SOV_JSON_TEXT;
    case '[':
        return SOV_JSON_LIST;
    case '{':
        return SOV_JSON_OBJECT;
    default: /* a byte, not an enum */
        assert(value.octets.data[0] == '-' ||
               (value.octets.data[0] >= '0' && value.octets.data[0] <= '9'));
        return SOV_JSON_INT;
    }
}

/* Moves *at to the next item or key; false at the end. */
static bool next(struct sov_bytes octets, size_t *at)
{
    size_t to = *at;

    if (to == 0) to = 1;
    assert(to < octets.size);
    if (*at && octets.data[to] == ',') to++;
    assert(to < octets.size);
    if (to == octets.size - 1) return false;
    *at = to;
    return true;
}

bool sov_value_item(struct sov_value list, size_t *at, struct sov_value *item_out)
{
    size_t start;

    assert(sov_value_kind(list) == SOV_JSON_LIST);
    if (!next(list.octets, at)) return false;
    start = *at;
    *at = skip_value(list.octets, start);
    *item_out = sov_value(sov_bytes(list.octets.data + start, *at - start));
    return true;
}

bool sov_value_member(struct sov_value object, size_t *at, struct sov_member *member_out)
{
    struct sov_bytes octets = object.octets;
    size_t key, value;

    assert(sov_value_kind(object) == SOV_JSON_OBJECT);
    if (!next(octets, at)) return false;
    key = *at;
    value = skip_string(octets, key);
    assert(value < octets.size && octets.data[value] == ':');
    value++;
    *at = skip_value(octets, value);
    *member_out = (struct sov_member){ sov_bytes(octets.data + key + 1, value - key - 3),
                                       { sov_bytes(octets.data + value, *at - value) } };
    return true;
}

bool sov_value_members(struct sov_value object, struct sov_member *members, size_t room,
                       size_t *count_out)
{
    struct sov_member member;
    size_t at = 0, count = 0;

    while (sov_value_member(object, &at, &member)) {
        if (count == room) return false;
        members[count++] = member;
    }
    *count_out = count;
    return true;
}

/* Keys are in order: behind one that begins with a greater letter the wanted one is not. What a
 * backslash stands for is another letter, so where one begins a key nothing is said. */
static bool is_past(struct sov_bytes key, struct sov_bytes wanted)
{
    return key.size && wanted.size && *key.data < 0x80 && *key.data != '\\' &&
           *wanted.data != '\\' && *key.data > *wanted.data;
}

struct sov_value sov_value_get(struct sov_value object, const char *key)
{
    struct sov_bytes wanted = sov_bytes_text(key);
    struct sov_member member;
    size_t at = 0;

    if (!sov_value_there(object) || sov_value_kind(object) != SOV_JSON_OBJECT)
        return (struct sov_value){ 0 };
    while (sov_value_member(object, &at, &member)) {
        if (sov_bytes_equal(member.key, wanted)) return member.value;
        if (is_past(member.key, wanted)) break;
    }
    return (struct sov_value){ 0 };
}

size_t sov_value_count(struct sov_value list_or_object)
{
    struct sov_member member;
    struct sov_value item;
    size_t at = 0, count = 0;

    if (sov_value_kind(list_or_object) == SOV_JSON_OBJECT)
        while (sov_value_member(list_or_object, &at, &member)) count++;
    else
        while (sov_value_item(list_or_object, &at, &item)) count++;
    return count;
}

int64_t sov_value_int(struct sov_value value)
{
    bool negative = value.octets.data[0] == '-';
    int64_t n = 0;

    assert(sov_value_kind(value) == SOV_JSON_INT);
    for (size_t i = negative; i < value.octets.size; i++) {
        uint8_t c = value.octets.data[i];

        assert(c >= '0' && c <= '9');
        n = n * 10 + (c - '0');
        assert(n <= SOV_INT_MAX);
    }
    return negative ? -n : n;
}

bool sov_value_bool(struct sov_value value)
{
    assert(sov_value_kind(value) == SOV_JSON_BOOL);
    return value.octets.data[0] == 't';
}

static struct sov_bytes inside(struct sov_value text)
{
    assert(sov_value_kind(text) == SOV_JSON_TEXT);
    assert(text.octets.size >= 2 && text.octets.data[text.octets.size - 1] == '"');
    return sov_bytes(text.octets.data + 1, text.octets.size - 2);
}

struct sov_bytes sov_value_plain(struct sov_value text)
{
    struct sov_bytes plain = inside(text);

    if (memchr(plain.data, '\\', plain.size)) return (struct sov_bytes){ 0 };
    return plain;
}

size_t sov_value_text_size(struct sov_value text)
{
    struct sov_bytes spelled = inside(text);
    const uint8_t *at = spelled.data, *end = at + spelled.size;
    size_t size = 0;

    if (!memchr(at, '\\', spelled.size)) return spelled.size;
    while (at < end) {
        uint8_t octets[4];

        size += sov_scan_encode(sov_scan_char(&at, end), octets);
    }
    return size;
}

size_t sov_value_text(struct sov_value text, uint8_t *out, size_t room)
{
    struct sov_bytes spelled = inside(text);
    const uint8_t *at = spelled.data, *end = at + spelled.size;
    size_t size = 0;

    while (at < end) {
        uint8_t octets[4];
        size_t more = sov_scan_encode(sov_scan_char(&at, end), octets);

        assert(more <= room - size);
        memcpy(out + size, octets, more);
        size += more;
    }
    return size;
}
