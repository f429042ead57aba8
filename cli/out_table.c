/* Objects and lists as text: a member a line, a row a line. */
#include <stdio.h>

#include "base/text.h"
#include "cli/out.h"

enum { COLUMNS_MAX = 12, CELL_MAX = 100 };

/* One value in a line: a text as it is, the rest as JSON writes it. */
static struct sov_bytes cell(struct sov_out *out, const struct sov_node *node)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf json = { 0 };

    if (!node || node->kind == SOV_NODE_NULL) return sov_bytes_text("-");
    if (node->kind == SOV_NODE_TEXT) return node->text;
    sov_buf_init(&json, 1 << 20);
    sov_node_json(node, &json);
    return sov_arena_bytes(out->arena, sov_buf_bytes(&json));
}

static size_t width(struct sov_bytes text)
{
    size_t cells = 0;

    for (size_t at = 0; at < text.size;) {
        uint32_t point;
        size_t size = sov_text_decode(text, at, &point);

        cells += size ? sov_text_width(point) : 1;
        at += size ? size : 1;
    }
    return cells;
}

static bool is_block(struct sov_bytes text)
{
    return text.size && memchr(text.data, '\n', text.size);
}

static void put_lines(struct sov_out *out, struct sov_bytes text)
{
    while (text.size) {
        const uint8_t *end = memchr(text.data, '\n', text.size);
        size_t size = end ? (size_t)(end - text.data) : text.size;

        sov_out_line(out, "    %.*s", (int)size, (const char *)text.data);
        text.data += size + (end != NULL);
        text.size -= size + (end != NULL);
    }
}

void sov_out_members(struct sov_out *out, const struct sov_node *object)
{
    size_t widest = 0;

    for (const struct sov_node *at = object->first; at; at = at->next)
        if (strlen(at->key) > widest) widest = strlen(at->key);
    for (const struct sov_node *at = object->first; at; at = at->next) {
        struct sov_bytes text = cell(out, at);

        if (at->kind == SOV_NODE_NULL) continue;
        sov_out_part(out, SOV_FAINT, "%-*s", (int)widest, at->key);
        if (is_block(text)) {
            sov_out_end(out);
            put_lines(out, text);
        } else {
            sov_out_part(out, SOV_PLAIN, "  %.*s", (int)text.size, (const char *)text.data);
            sov_out_end(out);
        }
    }
}

static size_t split(struct sov_out *out, const char *keys, const char *column[COLUMNS_MAX])
{
    size_t count = 0;

    while (*keys && count < COLUMNS_MAX) {
        size_t size = strcspn(keys, " ");

        column[count++] = sov_arena_text(out->arena, sov_bytes(keys, size));
        keys += size + strspn(keys + size, " ");
    }
    return count;
}

/* What a column of a line may show of a text: its first CELL_MAX octets, whole characters. */
static struct sov_bytes brief(struct sov_out *out, struct sov_bytes text)
{
    size_t size = CELL_MAX;

    if (text.size <= CELL_MAX) return text;
    while (size && (text.data[size] & 0xc0) == 0x80) size--;
    return sov_bytes_text(
        sov_arena_printf(out->arena, "%.*s...", (int)size, (const char *)text.data));
}

void sov_out_table(struct sov_out *out, const struct sov_node *list, const char *keys)
{
    const char *column[COLUMNS_MAX];
    size_t widest[COLUMNS_MAX] = { 0 }, count = split(out, keys, column);

    if (out->json) return;
    for (const struct sov_node *row = list->first; row; row = row->next)
        for (size_t i = 0; i < count; i++) {
            size_t cells = width(brief(out, cell(out, sov_node_get(row, column[i]))));

            if (cells > widest[i]) widest[i] = cells;
        }
    for (const struct sov_node *row = list->first; row; row = row->next) {
        for (size_t i = 0; i < count; i++) {
            struct sov_bytes text = brief(out, cell(out, sov_node_get(row, column[i])));
            size_t pad = i + 1 < count ? widest[i] - width(text) + 2 : 0;

            sov_out_part(out, i ? SOV_PLAIN : SOV_CYAN, "%.*s", (int)text.size,
                         (const char *)text.data);
            sov_out_part(out, SOV_PLAIN, "%*s", (int)pad, "");
        }
        sov_out_end(out);
    }
}
