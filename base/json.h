#ifndef SOV_BASE_JSON_H
#define SOV_BASE_JSON_H
/*
 * JSON texts at the boundary, keys in any order: policy documents, check specs, registrations,
 * reports, foreign deliveries. Scans strictly first (scan.h), then parses with cJSON, which alone
 * would keep duplicate keys and cut strings at a NUL.
 * Not here: anything on the path of an append or of verify.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/scan.h"

/* Own texts (rules not foreign): scanned, then written in canonical form into out, keys sorted by
 * UTF-16 code units. From there the forward reader of scan.h serves. Fails as sov_scan does. */
SOV_MUST_USE bool sov_json_canonical(struct sov_bytes text, const struct sov_scan_rules *rules,
                                     struct sov_buf *out, struct sov_error *err);

/* A parsed foreign text. In strings \u0000 and lone surrogates read as U+FFFD. Fails as sov_scan
 * does, and too_large over 2^20 values: a small text can make a tree 40 times its size. */
struct sov_json;
SOV_MUST_USE bool sov_json_parse(struct sov_bytes text, const struct sov_scan_rules *rules,
                                 struct sov_json **json_out, struct sov_error *err);
void sov_json_close(struct sov_json *json); /* NULL is fine */

/* Nodes are borrowed from the document; NULL: absent. The empty path is the root itself. */
struct sov_json_node;
const struct sov_json_node *sov_json_root(const struct sov_json *json);
/* Members by name, one after another, ended by NULL: sov_json_at(n, "workflow_run", "id", NULL). */
const struct sov_json_node *sov_json_at(const struct sov_json_node *node, ...)
    __attribute__((sentinel));
/* Walks a list or the members of an object: the first child, the next sibling, NULL at the end. */
const struct sov_json_node *sov_json_first(const struct sov_json_node *list_or_object);
const struct sov_json_node *sov_json_next(const struct sov_json_node *child);
/* By number; each call counts from the front, so a long list is walked instead. */
const struct sov_json_node *sov_json_item(const struct sov_json_node *list, size_t n);
size_t sov_json_count(const struct sov_json_node *list_or_object); /* 0 for a scalar or NULL */
bool sov_json_is_list(const struct sov_json_node *node);
bool sov_json_is_object(const struct sov_json_node *node);
const char *sov_json_key(const struct sov_json_node *object, size_t n); /* name of the nth member */
const char *sov_json_name(const struct sov_json_node *member);          /* NULL if it is none */
/* NULL if it is no text. */
const char *sov_json_text(const struct sov_json_node *node);
/* True only for a whole number within +-(2^53-1), however it is spelled: 1e3 is one. */
bool sov_json_int(const struct sov_json_node *node, int64_t *n_out);
bool sov_json_bool(const struct sov_json_node *node, bool *yes_out);
/* JSON Pointer (RFC 6901), for the check json-equals: the value of a strict own text (after
 * sov_json_canonical) at the pointer; an absent value if there is none. */
struct sov_value sov_json_pointer(struct sov_value root, struct sov_bytes pointer);
#endif
