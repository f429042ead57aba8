#ifndef SOV_BASE_TEXT_H
#define SOV_BASE_TEXT_H
/*
 * Text rules that know no domain: UTF-8, ids, safe relative paths, and the visible form of text
 * that came from outside. One escaper a sink: this one is the terminal's; projections/ has
 * Markdown's and uses the same table of characters (sov_text_is_active).
 */
#include "base/buf.h"

bool sov_text_is_utf8(struct sov_bytes text); /* well-formed, no surrogate, NUL allowed */
/* Decodes one code point at text.data[at]; returns its length, 0 if the octets are no UTF-8. */
size_t sov_text_decode(struct sov_bytes text, size_t at, uint32_t *point_out);
/* Blank: empty or nothing but white space (ASCII and Unicode White_Space). */
bool sov_text_is_blank(struct sov_bytes text);

/* [a-z][a-z0-9._-]{0,62}: ids of actors, roles, kinds, checks, rules, sources. */
bool sov_text_is_id(struct sov_bytes text);
/* [A-Za-z0-9][A-Za-z0-9._-]{0,62}: declared subjects, account segments. */
bool sov_text_is_name(struct sov_bytes text);
bool sov_text_is_account(struct sov_bytes text); /* 1 to 4 names joined by '/' */
/* Equal after folding ASCII letters. */
bool sov_text_fold_equal(struct sov_bytes a, struct sov_bytes b);
/* model.md 1 and providers.md 6.2: relative, UTF-8, 1..1024 bytes, <= 32 segments of 1..255;
 * refused: empty . .. segments, leading /, backslash, control or invisible characters, more than 4
 * combining marks in a run (two such paths would look alike in a view), a segment that ends in dot,
 * space or CR, one that folds to .git or git~1, a first one that begins with .sovereign (folded: a
 * file system may fold too), %2e %2f %5c in any case. */
bool sov_text_is_safe_path(struct sov_bytes text);

/* Must not reach a reader raw: C0 (LF and tab too), DEL, C1, bidi controls, zero-width, line and
 * paragraph separators, tags, variation selectors and fillers, other format characters, private
 * use, unassigned, noncharacters. By Unicode 14.0 on every machine (text_table.h). */
bool sov_text_is_active(uint32_t point);
/* Drawn upon the character before: nonspacing and enclosing marks, joining Hangul letters. */
bool sov_text_is_combining(uint32_t point);
unsigned sov_text_width(uint32_t point); /* 2 wide, 0 combining or active, else 1 cell */

enum { SOV_VISIBLE_BLOCK = 1, SOV_VISIBLE_ASCII = 2 };
/* The visible form: active characters as U+202E between angle quotation marks (with _ASCII: between
 * < and >), invalid octets as 0xFF likewise, more than 4 combining marks in a run as 4 and an
 * ellipsis (with _ASCII: three dots); with _BLOCK line feed and tab stay. Idempotent. */
void sov_text_visible(struct sov_bytes text, unsigned flags, struct sov_buf *out);
/* Damerau-Levenshtein distance, up to `limit` (then limit + 1): did you mean. Words over 64 bytes
 * are either equal or too far. limit < 64. */
unsigned sov_text_distance(const char *a, const char *b, unsigned limit);
#endif
