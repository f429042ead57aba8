#include "policy/read.h"

#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

enum { KEYS_MAX = 16 };

static void append(struct sov_reader *r, const char *text)
{
    while (*text && r->size + 1 < sizeof r->pointer) r->pointer[r->size++] = *text++;
    r->pointer[r->size] = 0;
}

size_t sov_read_enter(struct sov_reader *r, const char *key)
{
    size_t back = r->size;

    if (!key) return back;
    append(r, "/");
    for (; *key; key++) /* RFC 6901 */
        append(r, *key == '~' ? "~0" : *key == '/' ? "~1" : (char[]){ *key, 0 });
    return back;
}

size_t sov_read_enter_item(struct sov_reader *r, size_t n)
{
    char text[24];

    snprintf(text, sizeof text, "%zu", n);
    return sov_read_enter(r, text);
}

void sov_read_leave(struct sov_reader *r, size_t back)
{
    assert(back <= r->size);
    r->size = back;
    r->pointer[back] = 0;
}

bool sov_read_refuse(struct sov_reader *r, const char *fmt, ...)
{
    char why[200];
    va_list args;

    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    sov_error_set(r->err, SOV_USAGE, "policy_invalid", "\"%s\" %s", r->pointer, why);
    sov_error_ref(r->err, r->pointer);
    return false;
}

static bool kind_is(struct sov_reader *r, struct sov_value value, enum sov_json_kind kind,
                    const char *name)
{
    return sov_value_kind(value) == kind || sov_read_refuse(r, "is no %s", name);
}

static bool object(struct sov_reader *r, struct sov_value value, const char *const *keys,
                   size_t required, size_t count, struct sov_value *values_out)
{
    struct sov_member member;
    size_t at = 0, n;

    assert(count <= KEYS_MAX);
    if (!kind_is(r, value, SOV_JSON_OBJECT, "object")) return false;
    for (n = 0; n < count; n++) values_out[n] = (struct sov_value){ { NULL, 0 } };
    while (sov_value_member(value, &at, &member)) {
        for (n = 0; n < count && !sov_bytes_is(member.key, keys[n]); n++) continue;
        if (n == count) {
            sov_read_enter(r, sov_arena_text(r->arena, member.key));
            return sov_read_refuse(r, "is nothing that this build enforces");
        }
        values_out[n] = member.value;
    }
    for (n = 0; n < required; n++) {
        if (sov_value_there(values_out[n])) continue;
        sov_read_enter(r, keys[n]);
        return sov_read_refuse(r, "is missing");
    }
    return true;
}

bool sov_read_object_some(struct sov_reader *r, const char *key, struct sov_value value,
                          const char *const *keys, size_t required, size_t count,
                          struct sov_value *values_out)
{
    size_t back = sov_read_enter(r, key);

    if (!object(r, value, keys, required, count, values_out)) return false;
    sov_read_leave(r, back);
    return true;
}

bool sov_read_object(struct sov_reader *r, const char *key, struct sov_value value,
                     const char *const *keys, size_t count, struct sov_value *values_out)
{
    return sov_read_object_some(r, key, value, keys, count, count, values_out);
}

bool sov_read_list(struct sov_reader *r, const char *key, struct sov_value value, size_t least,
                   size_t most, size_t *count_out)
{
    size_t back = sov_read_enter(r, key), count;

    if (!kind_is(r, value, SOV_JSON_LIST, "list")) return false;
    count = sov_value_count(value);
    if (count < least || count > most)
        return sov_read_refuse(r, "has %zu items, %zu to %zu are allowed", count, least, most);
    sov_read_leave(r, back);
    *count_out = count;
    return true;
}

bool sov_read_int(struct sov_reader *r, const char *key, struct sov_value value, int64_t least,
                  int64_t most, int64_t *n_out)
{
    size_t back = sov_read_enter(r, key);
    int64_t n;

    if (!kind_is(r, value, SOV_JSON_INT, "integer")) return false;
    n = sov_value_int(value);
    if (n < least || n > most)
        return sov_read_refuse(r, "is not within %lld to %lld", (long long)least, (long long)most);
    sov_read_leave(r, back);
    *n_out = n;
    return true;
}

bool sov_read_bool(struct sov_reader *r, const char *key, struct sov_value value, bool *yes_out)
{
    size_t back = sov_read_enter(r, key);

    if (!kind_is(r, value, SOV_JSON_BOOL, "true or false")) return false;
    *yes_out = sov_value_bool(value);
    sov_read_leave(r, back);
    return true;
}

bool sov_read_text(struct sov_reader *r, const char *key, struct sov_value value, size_t max,
                   const char **text_out)
{
    size_t back = sov_read_enter(r, key), size;
    char *text;

    if (!kind_is(r, value, SOV_JSON_TEXT, "text")) return false;
    size = sov_value_text_size(value);
    if (size > max) return sov_read_refuse(r, "has %zu bytes, at most %zu are allowed", size, max);
    text = sov_arena_take(r->arena, size + 1);
    sov_value_text(value, (uint8_t *)text, size);
    if (sov_text_is_blank(sov_bytes(text, size))) return sov_read_refuse(r, "is blank");
    sov_read_leave(r, back);
    *text_out = text;
    return true;
}

bool sov_read_id(struct sov_reader *r, const char *key, struct sov_value value, const char **id_out)
{
    const char *id = NULL;
    size_t back;

    if (!sov_read_text(r, key, value, 63, &id)) return false;
    back = sov_read_enter(r, key);
    if (!sov_text_is_id(sov_bytes_text(id))) return sov_read_refuse(r, "is no id");
    sov_read_leave(r, back);
    *id_out = id;
    return true;
}

static bool pattern_fits(struct sov_bytes pattern, enum sov_pattern of)
{
    bool open = pattern.data[pattern.size - 1] == '*';
    struct sov_bytes fixed = { pattern.data, pattern.size - open };

    if (fixed.size && memchr(fixed.data, '*', fixed.size)) return false;
    if (of == SOV_PATTERN_FREE || (open && fixed.size == 0)) return true;
    return of == SOV_PATTERN_ID ? sov_text_is_id(fixed) : sov_text_is_name(fixed);
}

bool sov_read_pattern(struct sov_reader *r, const char *key, struct sov_value value,
                      enum sov_pattern of, const char **pattern_out)
{
    const char *pattern = NULL;
    size_t back;

    if (!sov_read_text(r, key, value, 200, &pattern)) return false;
    back = sov_read_enter(r, key);
    if (!pattern_fits(sov_bytes_text(pattern), of))
        return sov_read_refuse(r, "is neither a literal nor a prefix and *");
    sov_read_leave(r, back);
    *pattern_out = pattern;
    return true;
}

bool sov_read_word(struct sov_reader *r, const char *key, struct sov_value value,
                   const char *const *words, size_t count, size_t *n_out)
{
    size_t back = sov_read_enter(r, key), n;
    struct sov_bytes text;

    if (!kind_is(r, value, SOV_JSON_TEXT, "text")) return false;
    text = sov_value_plain(value);
    for (n = 0; n < count && !(text.data && sov_bytes_is(text, words[n])); n++) continue;
    if (n == count) return sov_read_refuse(r, "is no word that is known here");
    sov_read_leave(r, back);
    *n_out = n;
    return true;
}
