#include "cli/document.h"

enum { DOCUMENT_MAX = 256 << 10 };

static void indent(struct sov_buf *out, unsigned depth)
{
    sov_buf_add_byte(out, '\n');
    for (unsigned i = 0; i < depth; i++) sov_buf_add_text(out, "  ");
}

static void pretty(const struct sov_node *node, unsigned depth, struct sov_buf *out)
{
    bool list = node->kind == SOV_NODE_LIST;

    if ((!list && node->kind != SOV_NODE_OBJECT) || !node->first) {
        sov_node_json(node, out);
        return;
    }
    sov_buf_add_byte(out, list ? '[' : '{');
    for (const struct sov_node *at = node->first; at; at = at->next) {
        if (at != node->first) sov_buf_add_byte(out, ',');
        indent(out, depth + 1);
        if (at->key) {
            sov_node_json_text(sov_bytes_text(at->key), out);
            sov_buf_add_text(out, ": ");
        }
        pretty(at, depth + 1, out);
    }
    indent(out, depth);
    sov_buf_add_byte(out, list ? ']' : '}');
}

struct sov_bytes sov_node_text(const struct sov_node *node, struct sov_arena *arena)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

    sov_buf_init(&out, 8 * DOCUMENT_MAX);
    pretty(node, 0, &out);
    sov_buf_add_byte(&out, '\n');
    return sov_arena_bytes(arena, sov_buf_bytes(&out));
}

struct sov_bytes sov_document_text(struct sov_bytes canonical, struct sov_arena *arena)
{
    struct sov_node *root = sov_node_list(arena);

    sov_add_value(root, NULL, sov_value(canonical));
    return sov_node_text(root->first, arena);
}

bool sov_document_read(struct sov_call *call, const char *path, struct sov_bytes *canonical_out,
                       struct sov_error *err)
{
    if (!path) path = sov_arena_printf(call->arena, "%s/" SOV_POLICY_FILE, call->found.tree);
    return sov_json_of(call, path, DOCUMENT_MAX, canonical_out, err);
}

bool sov_document_differs(struct sov_call *call, bool *there_out, bool *differs_out,
                          struct sov_error *err)
{
    struct sov_adoption adoption;
    struct sov_bytes document;

    *differs_out = false;
    *there_out = sov_document_read(call, NULL, &document, err);
    if (!*there_out && err->exit == SOV_ABSENT) return true;
    if (!*there_out) { /* there, but unreadable: certainly not what was adopted */
        *there_out = *differs_out = true;
        return true;
    }
    if (!sov_policy_adoption(call->ledger, 0, call->arena, &adoption, err)) return false;
    *differs_out = !sov_bytes_equal(document, adoption.document);
    return true;
}
