#ifndef SOV_CLI_NODE_H
#define SOV_CLI_NODE_H
/*
 * The data of a result as a small tree, in the order in which it was added. Owns: building and
 * writing it as JSON. Not here: the envelope around it, text output (out.h).
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/scan.h"

enum sov_node_kind {
    SOV_NODE_NULL,
    SOV_NODE_BOOL,
    SOV_NODE_INT,
    SOV_NODE_TEXT,
    SOV_NODE_LIST,
    SOV_NODE_OBJECT
};
struct sov_node {
    struct sov_arena *arena;
    enum sov_node_kind kind;
    const char *key; /* NULL in a list */
    int64_t n;
    struct sov_bytes text;
    struct sov_node *first, *last, *next;
};

struct sov_node *sov_node_object(struct sov_arena *arena);
struct sov_node *sov_node_list(struct sov_arena *arena);
/* Each adds a value at the end of an object, or of a list (key NULL). Texts are copied; a NULL text
 * is null. Keys are constants or in the arena. */
struct sov_node *sov_add_object(struct sov_node *to, const char *key);
struct sov_node *sov_add_list(struct sov_node *to, const char *key);
void sov_add_text(struct sov_node *to, const char *key, const char *text);
void sov_add_bytes(struct sov_node *to, const char *key, struct sov_bytes text);
void sov_add_printf(struct sov_node *to, const char *key, const char *fmt, ...) SOV_PRINTF(3, 4);
void sov_add_int(struct sov_node *to, const char *key, int64_t n);
void sov_add_bool(struct sov_node *to, const char *key, bool yes);
void sov_add_null(struct sov_node *to, const char *key);
void sov_add_hex(struct sov_node *to, const char *key, struct sov_bytes octets);
/* A canonical value, whole; an absent one is null. */
void sov_add_value(struct sov_node *to, const char *key, struct sov_value value);
/* "SOW-7" for 7, null for 0. */
void sov_add_id(struct sov_node *to, const char *key, const char *prefix, int64_t n);

const struct sov_node *sov_node_get(const struct sov_node *object, const char *key); /* or NULL */
size_t sov_node_count(const struct sov_node *node);

/* As JSON; in strings every character that section 6 makes visible is \uXXXX. */
void sov_node_json(const struct sov_node *node, struct sov_buf *out);
void sov_node_json_text(struct sov_bytes text, struct sov_buf *out);
#endif
