#include "tests/simulator/text.h"

#include <stdlib.h>
#include <string.h>

/* Behind the value that begins here. */
static const char *value_end(const char *at)
{
    int depth = 0;

    for (; *at; at++) {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                if (*at == '\\') at++;
            if (!*at) return at;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            depth--;
        }
        if (depth == 0 && (at[1] == ',' || at[1] == '}' || at[1] == ']' || !at[1])) return at + 1;
    }
    return at;
}

/* The value of a member of the object that begins here, or NULL. */
static const char *member(const char *object, const char *key, size_t size)
{
    const char *at = object + 1;

    if (*object != '{') return NULL;
    while (*at == '"') {
        const char *name = at + 1, *end = strchr(name, '"');

        if (!end || end[1] != ':') return NULL;
        if ((size_t)(end - name) == size && memcmp(name, key, size) == 0) return end + 2;
        at = value_end(end + 2);
        if (*at == ',') at++;
    }
    return NULL;
}

static const char *find(const char *json, const char *path)
{
    while (json) {
        size_t size = strcspn(path, ".");

        json = member(json, path, size);
        if (!path[size]) break;
        path += size + 1;
    }
    return json;
}

bool text_at(const char *json, const char *path, char *out, size_t room)
{
    const char *at = find(json, path), *end = at ? value_end(at) : NULL;

    if (!at) return false;
    if (*at == '"') {
        at++;
        end--;
    }
    if ((size_t)(end - at) >= room) return false;
    memcpy(out, at, (size_t)(end - at));
    out[end - at] = 0;
    return true;
}

int64_t text_int(const char *json, const char *path)
{
    const char *at = find(json, path);

    return at ? strtoll(at, NULL, 10) : 0;
}

bool text_is(const char *json, const char *path, const char *word)
{
    char value[256];

    return text_at(json, path, value, sizeof value) && strcmp(value, word) == 0;
}

/* Months by the civil calendar. */
int64_t text_seconds(const char *at)
{
    long long n[6] = { 0 };
    const char *rest = at;
    int64_t year, era, day;

    for (size_t i = 0; i < 6 && *rest; i++) {
        char *end;

        n[i] = strtoll(rest, &end, 10);
        rest = *end ? end + 1 : end;
    }
    year = n[0] - (n[1] <= 2);
    era = year / 400;
    day = (153 * (n[1] + (n[1] > 2 ? -3 : 9)) + 2) / 5 + n[2] - 1;
    day += (year - era * 400) * 365 + (year - era * 400) / 4 - (year - era * 400) / 100;
    return ((era * 146097 + day - 719468) * 24 + n[3]) * 3600 + n[4] * 60 + n[5];
}
