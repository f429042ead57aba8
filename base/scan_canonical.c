#include "base/scan.h"

#include <assert.h>

#include "base/amount.h"
#include "base/scan_char.h"

/* A struct walk lives through one check; the position is passed by value, to stay in a register. */
struct walk {
    const uint8_t *end;
    const uint8_t *at; /* of the fault */
    const char *why;
};
struct level {
    const uint8_t *key; /* the inside of the newest; NULL before the first */
    size_t key_size;
    bool key_escaped;
    uint8_t close;
};

static const uint8_t *fault(struct walk *w, const uint8_t *at, const char *why)
{
    w->at = at;
    w->why = why;
    return NULL;
}

/* 1: stands for itself in a string. Left are " \ controls and what is not ASCII. */
#define OWN4 1, 1, 1, 1
#define OWN16 OWN4, OWN4, OWN4, OWN4
static const uint8_t own[256] = {
    [0x20] = 1,    1,    0,    1, OWN4, OWN4, OWN4, [0x30] = OWN16, [0x40] = OWN16,
    [0x50] = OWN4, OWN4, OWN4, 0, 1,    1,    1,    [0x60] = OWN16, [0x70] = OWN16,
};

/* Whether eight octets all stand for themselves: no high bit, none below 0x20, no " and no \. */
static inline bool own8(const uint8_t *at)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones * 0x80;
    uint64_t eight, quote, slash;

    memcpy(&eight, at, sizeof eight);
    quote = eight ^ ones * '"';
    slash = eight ^ ones * '\\';
    return !(((eight - ones * 0x20) | (quote - ones) | (slash - ones) | eight) & highs);
}

static bool is_short_control(uint8_t c)
{
    return c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t';
}

/* At a backslash. */
static const uint8_t *escape(struct walk *w, const uint8_t *at)
{
    const uint8_t *s = at + 1;
    uint8_t control;

    if (s == w->end) return fault(w, s, "the text ends inside a string");
    switch (*s) {
    case '"':
    case '\\':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return s + 1;
    default: /* a byte, not an enum */
        break;
    }
    if (w->end - s < 5 || s[0] != 'u' || s[1] != '0' || s[2] != '0' ||
        (s[3] != '0' && s[3] != '1') ||
        !((s[4] >= '0' && s[4] <= '9') || (s[4] >= 'a' && s[4] <= 'f')))
        return fault(w, at, "an escape is not the shortest");
    control = (uint8_t)((s[3] - '0') * 16 + (s[4] <= '9' ? s[4] - '0' : s[4] - 'a' + 10));
    if (control == 0) return fault(w, at, "a string has a NUL");
    if (is_short_control(control)) return fault(w, at, "an escape is not the shortest");
    return s + 5;
}

/* At an octet that does not stand for itself and is no quote; at the next that may. */
static const uint8_t *special(struct walk *w, const uint8_t *at, bool *escaped)
{
    if (*at == '\\') {
        *escaped = true;
        return escape(w, at);
    }
    if (*at < 0x20) return fault(w, at, "a string has a raw control character");
    do {
        size_t size = sov_scan_utf8(at, w->end);

        if (!size) return fault(w, at, "a string is not UTF-8");
        at += size;
    } while (at < w->end && *at >= 0x80);
    return at;
}

/* From the opening quote to behind the closing one. */
static inline const uint8_t *string(struct walk *w, const uint8_t *at, bool *escaped)
{
    const uint8_t *end = w->end;

    *escaped = false;
    at++;
    for (;;) {
        while (end - at >= 8 && own8(at)) at += 8;
        while (at < end && own[*at]) at++;
        if (at == end) return fault(w, at, "the text ends inside a string");
        if (*at == '"') return at + 1;
        at = special(w, at, escaped);
        if (!at) return NULL;
    }
}

static inline const uint8_t *number(struct walk *w, const uint8_t *at)
{
    const uint8_t *start = at, *end = w->end;
    uint64_t n = 0;

    if (*at == '-') at++;
    if (at == end || *at < '0' || *at > '9') return fault(w, at, "a digit is missing");
    if (*at == '0') {
        if (*start == '-') return fault(w, start, "a number is -0 or begins with 0");
        return at + 1;
    }
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        n = n * 10 + (*at - '0');
        if (n > SOV_INT_MAX) return fault(w, start, "a number is out of range");
    }
    return at;
}

static const uint8_t *word(struct walk *w, const uint8_t *at, const char *text, size_t size)
{
    if ((size_t)(w->end - at) < size || memcmp(at, text, size) != 0)
        return fault(w, at, "a value is expected");
    return at + size;
}

static inline const uint8_t *scalar(struct walk *w, const uint8_t *at)
{
    bool escaped;

    switch (*at) {
    case '"':
        return string(w, at, &escaped);
    case 't':
        return word(w, at, "true", 4);
    case 'f':
        return word(w, at, "false", 5);
    case 'n':
        return word(w, at, "null", 4);
    default: /* a byte, not an enum */
        if (*at == '-' || (*at >= '0' && *at <= '9')) return number(w, at);
        return fault(w, at, "a value is expected");
    }
}

static inline bool comes_after(const struct level *level, const uint8_t *key, size_t size,
                               bool escaped)
{
    struct sov_bytes before, now = sov_bytes(key, size);

    if (!level->key) return true;
    before = sov_bytes(level->key, level->key_size);
    /* Most keys differ from the one before in the first letter. What a backslash stands for is no
     * greater than itself, so only a later key may not begin with one. */
    if (before.size && size && *before.data < 0x80 && *before.data < *key && *key != '\\')
        return true;
    if (escaped || level->key_escaped) return sov_scan_compare(before, now) < 0;
    return sov_scan_compare_plain(before, now) < 0;
}

static inline const uint8_t *key(struct walk *w, const uint8_t *at, struct level *level)
{
    const uint8_t *next;
    size_t size;
    bool escaped;

    if (at == w->end || *at != '"') return fault(w, at, "a key is expected");
    next = string(w, at, &escaped);
    if (!next) return NULL;
    size = (size_t)(next - at) - 2;
    if (!comes_after(level, at + 1, size, escaped))
        return fault(w, at, "a key is doubled or out of order");
    level->key = at + 1;
    level->key_size = size;
    level->key_escaped = escaped;
    if (next == w->end || *next != ':') return fault(w, next, "a colon is expected");
    return next + 1;
}

/* One whole value; behind it, or NULL and the fault. */
static const uint8_t *value(struct walk *w, const uint8_t *at, unsigned depth_max)
{
    struct level levels[SOV_SCAN_DEPTH + 1];
    unsigned depth = 0;

    do {
        if (at == w->end) return fault(w, at, "the text ends where a value is expected");
        if (*at == '{' || *at == '[') {
            struct level *level;

            if (depth == depth_max) return fault(w, at, "lists and objects are nested too deep");
            level = &levels[++depth];
            level->key = NULL;
            level->close = *at++ == '{' ? '}' : ']';
            if (at == w->end || *at != level->close) {
                if (level->close == '}' && !(at = key(w, at, level))) return NULL;
                continue;
            }
        } else if (!(at = scalar(w, at))) {
            return NULL;
        }
        while (depth && at < w->end && *at == levels[depth].close) {
            at++;
            depth--;
        }
        if (depth) {
            if (at == w->end || *at != ',')
                return fault(w, at, "a comma or the end of the list or object is expected");
            at++;
            if (levels[depth].close == '}' && !(at = key(w, at, &levels[depth]))) return NULL;
        }
    } while (depth);
    return at;
}

bool sov_scan_canonical(struct sov_bytes octets, const struct sov_scan_rules *rules,
                        struct sov_error *err)
{
    struct walk w = { 0 };
    const uint8_t *behind;

    assert(rules && rules->depth_max <= SOV_SCAN_DEPTH);
    if (octets.size > rules->size_max)
        return sov_fail(err, SOV_USAGE, "too_large", "the text is over %zu bytes", rules->size_max);
    if (!octets.size) return sov_fail(err, SOV_USAGE, "bad_json", "offset 0: the text is empty");
    w.end = octets.data + octets.size;
    behind = value(&w, octets.data, rules->depth_max);
    if (behind && behind != w.end) behind = fault(&w, behind, "something follows the value");
    if (!behind)
        return sov_fail(err, SOV_USAGE, "bad_json", "offset %zu: %s", (size_t)(w.at - octets.data),
                        w.why);
    return true;
}
