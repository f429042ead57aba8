#ifndef SOV_BASE_SCAN_H
#define SOV_BASE_SCAN_H
/*
 * JSON as bytes. Owns: the strict scanner that every JSON text passes before anything else sees it,
 * the check that octets are canonical (RFC 8785 without floats), and a forward reader over octets
 * that passed it. No tree is built; only the strict scan takes memory, for the keys of open
 * objects. Not here: writing (canonical.h), texts whose keys come in any order (json.h).
 *
 * Canonical octets: UTF-8 without BOM, NUL or surrogates; no white space; keys in order, unique;
 * integers within +-(2^53-1) without -0, fraction or exponent; strings with the shortest escapes.
 */
#include "base/bytes.h"
#include "base/error.h"

struct sov_scan_rules {
    size_t size_max;
    unsigned depth_max;
    bool foreign; /* fractions, exponents, large numbers, \u0000 and lone surrogate escapes pass;
                     still refused: bad UTF-8, BOM, raw control characters, duplicate keys, trailing
                     text, bad grammar */
};
static const struct sov_scan_rules sov_scan_own = { 65535, 16, false };         /* one event */
static const struct sov_scan_rules sov_scan_report = { 256 * 1024, 16, false }; /* envelope, report,
                                                                                   policy, check */
static const struct sov_scan_rules sov_scan_foreign = { 25 * 1024 * 1024, 64,
                                                        true }; /* deliveries */

/* One whole JSON value under the rules. Fails bad_json with line and column (counted in characters
 * from 1), or too_large: the text, or over 2^20 keys in open objects. Keys are the same if they
 * read the same: "a" and "\u0061", and in foreign texts any two lone surrogates, read as U+FFFD. */
SOV_MUST_USE bool sov_scan(struct sov_bytes text, const struct sov_scan_rules *rules,
                           struct sov_error *err);
/* One whole value in canonical spelling; depth and size as given, never foreign. Fails bad_json
 * with the offset, or too_large. One pass, no allocation: this is the hot path of verify. */
SOV_MUST_USE bool sov_scan_canonical(struct sov_bytes octets, const struct sov_scan_rules *rules,
                                     struct sov_error *err);

/* ---- the forward reader: only over octets that sov_scan_canonical has passed (asserted) ---- */

enum sov_json_kind {
    SOV_JSON_NULL,
    SOV_JSON_BOOL,
    SOV_JSON_INT,
    SOV_JSON_TEXT,
    SOV_JSON_LIST,
    SOV_JSON_OBJECT
};

/* A value's own octets, as they stand ("x" with its quotes). .data NULL: absent. */
struct sov_value {
    struct sov_bytes octets;
};
struct sov_member {
    struct sov_bytes key; /* between the quotes, still escaped (own keys are plain ASCII) */
    struct sov_value value;
};

static inline struct sov_value sov_value(struct sov_bytes octets)
{
    return (struct sov_value){ octets };
}
static inline bool sov_value_there(struct sov_value value)
{
    return value.octets.data != NULL;
}
enum sov_json_kind sov_value_kind(struct sov_value value);
/* Splits an object into at most `room` members, in order; *count_out may not exceed room: false. */
bool sov_value_members(struct sov_value object, struct sov_member *members, size_t room,
                       size_t *count_out);
/* The member of an object, or an absent value; an absent value and a scalar have none. `key` is as
 * spelled in the octets. Linear: for a few look-ups, split for many. */
struct sov_value sov_value_get(struct sov_value object, const char *key);
/* Steps through a list or the members of an object: start with *at = 0; false at the end. */
bool sov_value_item(struct sov_value list, size_t *at, struct sov_value *item_out);
bool sov_value_member(struct sov_value object, size_t *at, struct sov_member *member_out);
size_t sov_value_count(struct sov_value list_or_object);
/* Scalars. The kind must fit (asserted). */
int64_t sov_value_int(struct sov_value value);
bool sov_value_bool(struct sov_value value);
/* A text without escapes, borrowed; .data NULL if it has escapes (then use sov_value_text). */
struct sov_bytes sov_value_plain(struct sov_value text);
/* The unescaped length in bytes, and the unescaped text into out (room >= length). */
size_t sov_value_text_size(struct sov_value text);
size_t sov_value_text(struct sov_value text, uint8_t *out, size_t room);
#endif
