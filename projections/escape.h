#ifndef SOV_PROJECTIONS_ESCAPE_H
#define SOV_PROJECTIONS_ESCAPE_H
/*
 * Text from outside in a Markdown page, one escaper a place; writer.h calls them, a page does not.
 * Owns: what a hostile text may look like at the sink. Not here: where it stands (writer.h), the
 * table of characters and the visible form (base/text.h).
 * Nothing of what is written here can open a heading, an item, a cell, a link, a code span that
 * stays open, HTML or an entity; a name, a number or an address that a host would turn into a link
 * or a notice stands in a code span; commands that CI services read out of logs (##[x], ##vso[x])
 * are broken.
 */
#include "base/buf.h"

enum { SOV_INLINE_MAX = 200 }; /* characters */

/* What a reader gets to see of a text in a line: the visible form, white space and line ends one
 * space each run and none at the ends; over SOV_INLINE_MAX characters: those, an ellipsis and the
 * SHA-256 of the whole. The other escapers for a line want this form. */
void sov_escape_shown(struct sov_bytes text, struct sov_buf *out);

/* Both return the number of code spans written. */
unsigned sov_escape_inline(struct sov_bytes shown, struct sov_buf *out);
unsigned sov_escape_code(struct sov_bytes shown, struct sov_buf *out);

/* A label of a mermaid picture, without its quotes: letters, digits, space and -_., as they are,
 * the rest as #code; */
void sov_escape_label(struct sov_bytes shown, struct sov_buf *out);

/* The body of a fence: each line behind "| ", so that none begins with what was said. Returns the
 * number of lines. */
size_t sov_escape_block(struct sov_bytes text, struct sov_buf *out);
/* The longest run of backticks: a fence or a delimiter must be longer. */
size_t sov_escape_backticks(struct sov_bytes text);

/* True if a host could make a link or a notice of the word, whatever stands beside it. */
bool sov_escape_is_catchy(struct sov_bytes word);
#endif
