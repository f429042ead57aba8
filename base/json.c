#include "base/json.h"

#include <assert.h>
#include <cJSON.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/amount.h"
#include "base/canonical.h"
#include "base/json_plain.h"
#include "base/scan_char.h"

/* A node is a cJSON item under our name; a document is its root. */
static const cJSON *item(const struct sov_json_node *node)
{
    return (const cJSON *)(const void *)node;
}

static const struct sov_json_node *node(const cJSON *item)
{
    return (const struct sov_json_node *)(const void *)item;
}

/* The text has passed the scan, so there are two reasons to get none: memory ran out, or parser
 * and scan differ. Neither leaves a way on. */
static cJSON *parse(struct sov_bytes text)
{
    cJSON *root = cJSON_ParseWithLength((const char *)text.data, text.size);

    if (!root) abort();
    return root;
}

/* ---- canonical form ---- */

static int by_key(const void *a, const void *b)
{
    const cJSON *x = *(const cJSON *const *)a, *y = *(const cJSON *const *)b;

    return sov_scan_compare_plain(sov_bytes_text(x->string), sov_bytes_text(y->string));
}

static void write_value(struct sov_buf *out, const cJSON *value);

static void write_members(struct sov_buf *out, const cJSON *object)
{
    size_t count = 0, i = 0;
    const cJSON **members, *member;

    cJSON_ArrayForEach(member, object) count++;
    members = sov_alloc_array(count, sizeof *members);
    cJSON_ArrayForEach(member, object) members[i++] = member;
    qsort(members, count, sizeof *members, by_key);
    sov_buf_add_byte(out, '{');
    for (i = 0; i < count; i++) {
        if (i) sov_buf_add_byte(out, ',');
        sov_canonical_text(out, sov_bytes_text(members[i]->string));
        sov_buf_add_byte(out, ':');
        write_value(out, members[i]);
    }
    sov_buf_add_byte(out, '}');
    sov_free(members);
}

static void write_items(struct sov_buf *out, const cJSON *list)
{
    const cJSON *child;

    sov_buf_add_byte(out, '[');
    cJSON_ArrayForEach(child, list)
    {
        if (child != list->child) sov_buf_add_byte(out, ',');
        write_value(out, child);
    }
    sov_buf_add_byte(out, ']');
}

/* Recursive: the scan has limited the depth. */
static void write_value(struct sov_buf *out, const cJSON *value)
{
    if (cJSON_IsObject(value))
        write_members(out, value);
    else if (cJSON_IsArray(value))
        write_items(out, value);
    else if (cJSON_IsString(value))
        sov_canonical_text(out, sov_bytes_text(value->valuestring));
    else if (cJSON_IsNumber(value)) /* a double keeps each integer of the range */
        sov_buf_add_int(out, (int64_t)value->valuedouble);
    else if (cJSON_IsBool(value))
        sov_buf_add_text(out, cJSON_IsTrue(value) ? "true" : "false");
    else
        sov_buf_add_text(out, "null");
}

bool sov_json_canonical(struct sov_bytes text, const struct sov_scan_rules *rules,
                        struct sov_buf *out, struct sov_error *err)
{
    size_t before = out->size;
    cJSON *root;

    assert(!rules->foreign);
    if (!sov_scan(text, rules, err)) return false;
    root = parse(text);
    write_value(out, root);
    cJSON_Delete(root);
    if (!sov_buf_whole(out, "the canonical text", err)) {
        out->size = before;
        return false;
    }
    return true;
}

/* ---- foreign texts ---- */

bool sov_json_parse(struct sov_bytes text, const struct sov_scan_rules *rules,
                    struct sov_json **json_out, struct sov_error *err)
{
    struct sov_buf plain;
    bool fits;

    if (!sov_scan(text, rules, err)) return false;
    sov_buf_init(&plain, text.size * SOV_JSON_PLAIN_GROWTH);
    fits = sov_json_plain(text, &plain, err);
    if (fits) *json_out = (struct sov_json *)(void *)parse(sov_buf_bytes(&plain));
    sov_buf_release(&plain);
    return fits;
}

void sov_json_close(struct sov_json *json)
{
    cJSON_Delete((cJSON *)(void *)json);
}

const struct sov_json_node *sov_json_root(const struct sov_json *json)
{
    assert(json);
    return (const struct sov_json_node *)(const void *)json;
}

const struct sov_json_node *sov_json_at(const struct sov_json_node *from, ...)
{
    const cJSON *at = item(from);
    const char *name;
    va_list names;

    va_start(names, from);
    while ((name = va_arg(names, const char *)))
        at = cJSON_IsObject(at) ? cJSON_GetObjectItemCaseSensitive(at, name) : NULL;
    va_end(names);
    return node(at);
}

const struct sov_json_node *sov_json_first(const struct sov_json_node *list_or_object)
{
    return list_or_object ? node(item(list_or_object)->child) : NULL;
}

const struct sov_json_node *sov_json_next(const struct sov_json_node *child)
{
    return child ? node(item(child)->next) : NULL;
}

static const struct sov_json_node *nth(const struct sov_json_node *of, size_t n)
{
    const struct sov_json_node *child = sov_json_first(of);

    while (child && n--) child = sov_json_next(child);
    return child;
}

const struct sov_json_node *sov_json_item(const struct sov_json_node *list, size_t n)
{
    return sov_json_is_list(list) ? nth(list, n) : NULL;
}

size_t sov_json_count(const struct sov_json_node *list_or_object)
{
    const struct sov_json_node *child = sov_json_first(list_or_object);
    size_t count = 0;

    for (; child; child = sov_json_next(child)) count++;
    return count;
}

bool sov_json_is_list(const struct sov_json_node *of)
{
    return cJSON_IsArray(item(of));
}

bool sov_json_is_object(const struct sov_json_node *of)
{
    return cJSON_IsObject(item(of));
}

const char *sov_json_key(const struct sov_json_node *object, size_t n)
{
    return sov_json_is_object(object) ? sov_json_name(nth(object, n)) : NULL;
}

const char *sov_json_name(const struct sov_json_node *member)
{
    return member ? item(member)->string : NULL;
}

const char *sov_json_text(const struct sov_json_node *of)
{
    return cJSON_IsString(item(of)) ? item(of)->valuestring : NULL;
}

bool sov_json_int(const struct sov_json_node *of, int64_t *n_out)
{
    double value = cJSON_IsNumber(item(of)) ? item(of)->valuedouble : SOV_JSON_NO_INT;

    if (value == SOV_JSON_NO_INT) return false;
    *n_out = (int64_t)value;
    return true;
}

bool sov_json_bool(const struct sov_json_node *of, bool *yes_out)
{
    if (!cJSON_IsBool(item(of))) return false;
    *yes_out = cJSON_IsTrue(item(of));
    return true;
}

/* ---- pointers ---- */

/* Whether the inside of a key, unescaped, is the reference token, where ~1 is / and ~0 is ~. */
static bool is_named(struct sov_bytes key, struct sov_bytes token)
{
    const uint8_t *at = key.data, *end = at + key.size;
    size_t used = 0;

    while (at < end) {
        uint8_t octets[4];
        size_t size = sov_scan_encode(sov_scan_char(&at, end), octets);

        for (size_t i = 0; i < size; i++) {
            bool tilde = octets[i] == '~' || octets[i] == '/';
            uint8_t wanted = tilde ? '~' : octets[i];

            if (used == token.size || token.data[used++] != wanted) return false;
            if (!tilde) continue;
            wanted = octets[i] == '~' ? '0' : '1';
            if (used == token.size || token.data[used++] != wanted) return false;
        }
    }
    return used == token.size;
}

static struct sov_value member_named(struct sov_value object, struct sov_bytes token)
{
    struct sov_member member;
    size_t at = 0;

    while (sov_value_member(object, &at, &member))
        if (is_named(member.key, token)) return member.value;
    return (struct sov_value){ 0 };
}

static struct sov_value item_numbered(struct sov_value list, struct sov_bytes token)
{
    struct sov_value found = { 0 };
    size_t n = 0, at = 0;

    if (!token.size || (token.data[0] == '0' && token.size > 1)) return found;
    for (size_t i = 0; i < token.size; i++) {
        if (token.data[i] < '0' || token.data[i] > '9') return found;
        if (n > list.octets.size) return found;
        n = n * 10 + (size_t)(token.data[i] - '0');
    }
    do {
        if (!sov_value_item(list, &at, &found)) return (struct sov_value){ 0 };
    } while (n--);
    return found;
}

struct sov_value sov_json_pointer(struct sov_value root, struct sov_bytes pointer)
{
    struct sov_value at = root;
    size_t used = 0;

    while (used < pointer.size && sov_value_there(at)) {
        enum sov_json_kind kind = sov_value_kind(at);
        size_t start = used + 1;

        if (pointer.data[used] != '/') return (struct sov_value){ 0 };
        for (used++; used < pointer.size && pointer.data[used] != '/';) used++;
        if (kind == SOV_JSON_OBJECT)
            at = member_named(at, sov_bytes(pointer.data + start, used - start));
        else if (kind == SOV_JSON_LIST)
            at = item_numbered(at, sov_bytes(pointer.data + start, used - start));
        else
            return (struct sov_value){ 0 };
    }
    return at;
}
