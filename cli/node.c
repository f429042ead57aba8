#include "cli/node.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/crypto.h"
#include "base/text.h"

static struct sov_node *node_new(struct sov_arena *arena, enum sov_node_kind kind)
{
    struct sov_node *node = sov_arena_take(arena, sizeof *node);

    node->arena = arena;
    node->kind = kind;
    return node;
}

struct sov_node *sov_node_object(struct sov_arena *arena)
{
    return node_new(arena, SOV_NODE_OBJECT);
}

struct sov_node *sov_node_list(struct sov_arena *arena)
{
    return node_new(arena, SOV_NODE_LIST);
}

static struct sov_node *add(struct sov_node *to, const char *key, enum sov_node_kind kind)
{
    struct sov_node *node = node_new(to->arena, kind);

    assert(to->kind == (key ? SOV_NODE_OBJECT : SOV_NODE_LIST));
    node->key = key;
    if (to->last)
        to->last->next = node;
    else
        to->first = node;
    to->last = node;
    return node;
}

struct sov_node *sov_add_object(struct sov_node *to, const char *key)
{
    return add(to, key, SOV_NODE_OBJECT);
}

struct sov_node *sov_add_list(struct sov_node *to, const char *key)
{
    return add(to, key, SOV_NODE_LIST);
}

void sov_add_bytes(struct sov_node *to, const char *key, struct sov_bytes text)
{
    if (text.data)
        add(to, key, SOV_NODE_TEXT)->text = sov_arena_bytes(to->arena, text);
    else
        add(to, key, SOV_NODE_NULL);
}

void sov_add_text(struct sov_node *to, const char *key, const char *text)
{
    sov_add_bytes(to, key, text ? sov_bytes_text(text) : (struct sov_bytes){ 0 });
}

void sov_add_printf(struct sov_node *to, const char *key, const char *fmt, ...)
{
    char text[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sov_add_text(to, key, text);
}

void sov_add_int(struct sov_node *to, const char *key, int64_t n)
{
    add(to, key, SOV_NODE_INT)->n = n;
}

void sov_add_bool(struct sov_node *to, const char *key, bool yes)
{
    add(to, key, SOV_NODE_BOOL)->n = yes;
}

void sov_add_null(struct sov_node *to, const char *key)
{
    add(to, key, SOV_NODE_NULL);
}

void sov_add_hex(struct sov_node *to, const char *key, struct sov_bytes octets)
{
    char *text = sov_arena_take(to->arena, octets.size * 2 + 1);

    sov_hex(octets, text);
    add(to, key, SOV_NODE_TEXT)->text = sov_bytes_text(text);
}

void sov_add_id(struct sov_node *to, const char *key, const char *prefix, int64_t n)
{
    if (n)
        sov_add_printf(to, key, "%s-%lld", prefix, (long long)n);
    else
        sov_add_null(to, key);
}

static struct sov_bytes value_text(struct sov_node *to, struct sov_value value)
{
    size_t size = sov_value_text_size(value);
    uint8_t *text = sov_arena_take(to->arena, size + 1);

    return sov_bytes(text, sov_value_text(value, text, size));
}

static void add_members(struct sov_node *to, struct sov_value value)
{
    struct sov_member member;
    struct sov_value item;
    size_t at = 0;

    if (to->kind == SOV_NODE_LIST) {
        while (sov_value_item(value, &at, &item)) sov_add_value(to, NULL, item);
        return;
    }
    while (sov_value_member(value, &at, &member))
        sov_add_value(to, sov_arena_text(to->arena, member.key), member.value);
}

void sov_add_value(struct sov_node *to, const char *key, struct sov_value value)
{
    if (!sov_value_there(value)) {
        sov_add_null(to, key);
        return;
    }
    switch (sov_value_kind(value)) {
    case SOV_JSON_NULL:
        sov_add_null(to, key);
        break;
    case SOV_JSON_BOOL:
        sov_add_bool(to, key, sov_value_bool(value));
        break;
    case SOV_JSON_INT:
        sov_add_int(to, key, sov_value_int(value));
        break;
    case SOV_JSON_TEXT:
        add(to, key, SOV_NODE_TEXT)->text = value_text(to, value);
        break;
    case SOV_JSON_LIST:
        add_members(add(to, key, SOV_NODE_LIST), value);
        break;
    case SOV_JSON_OBJECT:
        add_members(add(to, key, SOV_NODE_OBJECT), value);
        break;
    }
}

const struct sov_node *sov_node_get(const struct sov_node *object, const char *key)
{
    for (const struct sov_node *node = object->first; node; node = node->next)
        if (node->key && strcmp(node->key, key) == 0) return node;
    return NULL;
}

size_t sov_node_count(const struct sov_node *node)
{
    size_t count = 0;

    for (const struct sov_node *child = node->first; child; child = child->next) count++;
    return count;
}

static void json_point(uint32_t point, struct sov_bytes octets, struct sov_buf *out)
{
    if (point == '"' || point == '\\') {
        sov_buf_add_byte(out, '\\');
        sov_buf_add(out, octets);
    } else if (point == '\n') {
        sov_buf_add_text(out, "\\n");
    } else if (point == '\t') {
        sov_buf_add_text(out, "\\t");
    } else if (!sov_text_is_active(point)) {
        sov_buf_add(out, octets);
    } else if (point < 0x10000) {
        sov_buf_printf(out, "\\u%04x", (unsigned)point);
    } else {
        sov_buf_printf(out, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((point - 0x10000) >> 10)),
                       (unsigned)(0xdc00 + ((point - 0x10000) & 0x3ff)));
    }
}

void sov_node_json_text(struct sov_bytes text, struct sov_buf *out)
{
    sov_buf_add_byte(out, '"');
    for (size_t at = 0; at < text.size;) {
        uint32_t point;
        size_t size = sov_text_decode(text, at, &point);

        if (size)
            json_point(point, sov_bytes(text.data + at, size), out);
        else
            sov_buf_add_text(out, "\\ufffd"); /* no octet of a bad text may pass */
        at += size ? size : 1;
    }
    sov_buf_add_byte(out, '"');
}

static void json_children(const struct sov_node *node, const char *brackets, struct sov_buf *out)
{
    sov_buf_add_byte(out, (uint8_t)brackets[0]);
    for (const struct sov_node *child = node->first; child; child = child->next) {
        if (child != node->first) sov_buf_add_byte(out, ',');
        if (child->key) {
            sov_node_json_text(sov_bytes_text(child->key), out);
            sov_buf_add_byte(out, ':');
        }
        sov_node_json(child, out);
    }
    sov_buf_add_byte(out, (uint8_t)brackets[1]);
}

void sov_node_json(const struct sov_node *node, struct sov_buf *out)
{
    switch (node->kind) {
    case SOV_NODE_NULL:
        sov_buf_add_text(out, "null");
        break;
    case SOV_NODE_BOOL:
        sov_buf_add_text(out, node->n ? "true" : "false");
        break;
    case SOV_NODE_INT:
        sov_buf_add_int(out, node->n);
        break;
    case SOV_NODE_TEXT:
        sov_node_json_text(node->text, out);
        break;
    case SOV_NODE_LIST:
        json_children(node, "[]", out);
        break;
    case SOV_NODE_OBJECT:
        json_children(node, "{}", out);
        break;
    }
}
