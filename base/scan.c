#include "base/scan.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/amount.h"
#include "base/scan_char.h"

/* A hostile delivery may consist of keys: a limit, so that their list is bounded too. */
enum { SORT_RUN = 16, KEYS_MAX = 1 << 20 };

struct key {
    uint64_t hash;
    uint32_t at, size; /* the inside, as it is spelled */
};
struct level {
    uint8_t close;
    size_t first_key;
};
struct scan {
    const uint8_t *text, *at, *end;
    const struct sov_scan_rules *rules;
    struct key *keys; /* of all open objects, the newest last */
    size_t key_count, key_room;
    unsigned depth;
    struct level levels[SOV_SCAN_DEPTH + 1];
};

static bool bad(const struct scan *s, const uint8_t *at, const char *why, struct sov_error *err)
{
    size_t line = 1, column = 1;

    for (const uint8_t *p = s->text; p < at; p++) {
        if (*p == '\n') {
            line++;
            column = 1;
        } else if (!sov_scan_is_tail(*p)) {
            column++;
        }
    }
    return sov_fail(err, SOV_USAGE, "bad_json", "line %zu, column %zu: %s", line, column, why);
}

static void skip_space(struct scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\r' || *s->at == '\t'))
        s->at++;
}

static bool is_digit(const struct scan *s)
{
    return s->at < s->end && *s->at >= '0' && *s->at <= '9';
}

static bool skip_digits(struct scan *s, struct sov_error *err)
{
    if (!is_digit(s)) return bad(s, s->at, "a digit is missing", err);
    while (is_digit(s)) s->at++;
    return true;
}

static bool skip_foreign_number(struct scan *s, struct sov_error *err)
{
    if (s->at < s->end && *s->at == '.') {
        s->at++;
        if (!skip_digits(s, err)) return false;
    }
    if (s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
        s->at++;
        if (s->at < s->end && (*s->at == '+' || *s->at == '-')) s->at++;
        return skip_digits(s, err);
    }
    return true;
}

static bool scan_number(struct scan *s, struct sov_error *err)
{
    const uint8_t *start = s->at, *digits;
    int64_t n = 0;

    if (*s->at == '-') s->at++;
    digits = s->at;
    if (!skip_digits(s, err)) return false;
    if (*digits == '0' && s->at - digits > 1) return bad(s, start, "a number begins with 0", err);
    if (s->rules->foreign) return skip_foreign_number(s, err);
    if (s->at < s->end && (*s->at == '.' || *s->at == 'e' || *s->at == 'E'))
        return bad(s, start, "a number has a fraction or an exponent", err);
    if (*start == '-' && *digits == '0') return bad(s, start, "a number is -0", err);
    if (s->at - digits > 16) return bad(s, start, "a number is out of range", err);
    for (const uint8_t *p = digits; p < s->at; p++) n = n * 10 + (*p - '0');
    if (n > SOV_INT_MAX) return bad(s, start, "a number is out of range", err);
    return true;
}

/* After the backslash and the u. */
static bool scan_unit(struct scan *s, const uint8_t *start, struct sov_error *err)
{
    int32_t unit = sov_scan_hex4(s->at, s->end), low;

    if (unit < 0) return bad(s, start, "an escape has no four hexadecimal digits", err);
    s->at += 4;
    if (s->rules->foreign) return true;
    if (unit == 0) return bad(s, start, "a string has a NUL", err);
    if (unit < 0xd800 || unit > 0xdfff) return true;
    if (unit > 0xdbff || s->end - s->at < 6 || s->at[0] != '\\' || s->at[1] != 'u')
        return bad(s, start, "a string has a lone surrogate", err);
    low = sov_scan_hex4(s->at + 2, s->end);
    if (low < 0xdc00 || low > 0xdfff) return bad(s, start, "a string has a lone surrogate", err);
    s->at += 6;
    return true;
}

static bool scan_escape(struct scan *s, struct sov_error *err)
{
    const uint8_t *start = s->at++;

    if (s->at == s->end) return bad(s, s->at, "the text ends inside a string", err);
    switch (*s->at++) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return true;
    case 'u':
        return scan_unit(s, start, err);
    default: /* a byte, not an enum */
        return bad(s, start, "a string has an unknown escape", err);
    }
}

/* From the opening quote to behind the closing one. */
static bool scan_string(struct scan *s, struct sov_error *err)
{
    s->at++;
    while (s->at < s->end) {
        uint8_t c = *s->at;
        size_t size;

        if (c == '"') {
            s->at++;
            return true;
        }
        if (c < 0x20) return bad(s, s->at, "a string has a raw control character", err);
        if (c == '\\') {
            if (!scan_escape(s, err)) return false;
            continue;
        }
        size = sov_scan_utf8(s->at, s->end);
        if (!size) return bad(s, s->at, "a string is not UTF-8", err);
        s->at += size;
    }
    return bad(s, s->at, "the text ends inside a string", err);
}

static bool scan_word(struct scan *s, const char *word, struct sov_error *err)
{
    size_t size = strlen(word);

    if ((size_t)(s->end - s->at) < size || memcmp(s->at, word, size) != 0)
        return bad(s, s->at, "a value is expected", err);
    s->at += size;
    return true;
}

static bool scan_scalar(struct scan *s, struct sov_error *err)
{
    switch (*s->at) {
    case '"':
        return scan_string(s, err);
    case 't':
        return scan_word(s, "true", err);
    case 'f':
        return scan_word(s, "false", err);
    case 'n':
        return scan_word(s, "null", err);
    default: /* a byte, not an enum */
        if (*s->at == '-' || is_digit(s)) return scan_number(s, err);
        return bad(s, s->at, "a value is expected", err);
    }
}

/* ---- keys: a list of all open objects', sorted when an object closes; a tie of the hash is
 * decided by the characters, so that no choice of keys makes it slower than sorting is ---- */

static struct sov_bytes spelled(const struct scan *s, const struct key *key)
{
    return sov_bytes(s->text + key->at, key->size);
}

static int order(const struct scan *s, const struct key *a, const struct key *b)
{
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return sov_scan_compare(spelled(s, a), spelled(s, b));
}

static void sort_run(const struct scan *s, struct key *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct key key = keys[i];
        size_t to = i;

        for (; to > 0 && order(s, &keys[to - 1], &key) > 0; to--) keys[to] = keys[to - 1];
        keys[to] = key;
    }
}

static void merge(const struct scan *s, const struct key *keys, size_t left, size_t count,
                  struct key *out)
{
    size_t a = 0, b = left;

    for (size_t i = 0; i < count; i++) {
        bool second = a == left || (b < count && order(s, &keys[a], &keys[b]) > 0);

        out[i] = second ? keys[b++] : keys[a++];
    }
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Stable. The C library's qsort has no context, and may turn quadratic. */
static void sort(const struct scan *s, struct key *keys, size_t count)
{
    struct key *merged;

    for (size_t i = 0; i < count; i += SORT_RUN)
        sort_run(s, keys + i, smaller(SORT_RUN, count - i));
    if (count <= SORT_RUN) return;
    merged = sov_alloc_array(count, sizeof *merged);
    for (size_t width = SORT_RUN; width < count; width *= 2) {
        for (size_t i = 0; i < count; i += 2 * width)
            merge(s, keys + i, smaller(width, count - i), smaller(2 * width, count - i),
                  merged + i);
        memcpy(keys, merged, count * sizeof *keys);
    }
    sov_free(merged);
}

static bool keys_are_unique(struct scan *s, size_t first, struct sov_error *err)
{
    size_t count = s->key_count - first, earliest = SIZE_MAX;
    struct key *keys;

    if (count < 2) return true;
    keys = s->keys + first;
    sort(s, keys, count);
    for (size_t i = 1; i < count; i++)
        if (order(s, &keys[i - 1], &keys[i]) == 0) earliest = smaller(earliest, keys[i].at);
    if (earliest != SIZE_MAX)
        return bad(s, s->text + earliest - 1, "a key comes twice in its object", err);
    return true;
}

static bool add_key(struct scan *s, const uint8_t *at, const uint8_t *end, struct sov_error *err)
{
    struct key key = { UINT64_C(0xcbf29ce484222325), (uint32_t)(at - s->text),
                       (uint32_t)(end - at) };

    while (at < end) key.hash = (key.hash ^ sov_scan_char(&at, end)) * UINT64_C(0x100000001b3);
    if (s->key_count == KEYS_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "open objects have over %d keys", KEYS_MAX);
    if (s->key_count == s->key_room) {
        s->key_room = s->key_room ? s->key_room * 2 : 64;
        s->keys = sov_alloc_grow(s->keys, s->key_room * sizeof *s->keys);
    }
    s->keys[s->key_count++] = key;
    return true;
}

static bool scan_key(struct scan *s, struct sov_error *err)
{
    const uint8_t *start = s->at + 1;

    if (s->at == s->end || *s->at != '"') return bad(s, s->at, "a key is expected", err);
    if (!scan_string(s, err) || !add_key(s, start, s->at - 1, err)) return false;
    skip_space(s);
    if (s->at == s->end || *s->at != ':') return bad(s, s->at, "a colon is expected", err);
    s->at++;
    return true;
}

/* ---- values ---- */

/* Behind an opening bracket or brace: *empty_out, or at the first value. */
static bool scan_open(struct scan *s, bool *empty_out, struct sov_error *err)
{
    struct level *level;

    if (s->depth == s->rules->depth_max)
        return bad(s, s->at, "lists and objects are nested too deep", err);
    level = &s->levels[++s->depth];
    level->close = *s->at == '{' ? '}' : ']';
    level->first_key = s->key_count;
    s->at++;
    skip_space(s);
    *empty_out = s->at < s->end && *s->at == level->close;
    return *empty_out || level->close == ']' || scan_key(s, err);
}

/* Behind a value: closes what ends here, then at the next value or at the end of all. */
static bool scan_next(struct scan *s, struct sov_error *err)
{
    for (;;) {
        const struct level *level = &s->levels[s->depth];

        skip_space(s);
        if (!s->depth) return s->at == s->end || bad(s, s->at, "something follows the value", err);
        if (s->at == s->end) return bad(s, s->at, "the text ends inside a list or object", err);
        if (*s->at == ',') {
            s->at++;
            skip_space(s);
            return level->close == ']' || scan_key(s, err);
        }
        if (*s->at != level->close)
            return bad(s, s->at, "a comma or the end of the list or object is expected", err);
        if (!keys_are_unique(s, level->first_key, err)) return false;
        s->key_count = level->first_key;
        s->depth--;
        s->at++;
    }
}

static bool scan_text(struct scan *s, struct sov_error *err)
{
    if (s->end - s->at >= 3 && memcmp(s->at, "\xef\xbb\xbf", 3) == 0)
        return bad(s, s->at, "the text begins with a byte order mark", err);
    do {
        bool within = false;

        skip_space(s);
        if (s->at == s->end) return bad(s, s->at, "the text ends where a value is expected", err);
        if (*s->at == '{' || *s->at == '[') {
            bool empty;

            if (!scan_open(s, &empty, err)) return false;
            within = !empty;
        } else if (!scan_scalar(s, err)) {
            return false;
        }
        if (!within && !scan_next(s, err)) return false;
    } while (s->depth);
    return true;
}

bool sov_scan(struct sov_bytes text, const struct sov_scan_rules *rules, struct sov_error *err)
{
    struct scan s = { .text = text.data, .at = text.data, .end = text.data, .rules = rules };
    bool passed;

    assert(rules && rules->depth_max <= SOV_SCAN_DEPTH && rules->size_max <= UINT32_MAX);
    if (text.size > rules->size_max)
        return sov_fail(err, SOV_USAGE, "too_large", "the text is over %zu bytes", rules->size_max);
    if (!text.size) return bad(&s, s.at, "the text is empty", err);
    s.end += text.size;
    passed = scan_text(&s, err);
    sov_free(s.keys);
    return passed;
}
