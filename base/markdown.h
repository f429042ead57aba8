#ifndef SOV_BASE_MARKDOWN_H
#define SOV_BASE_MARKDOWN_H
/*
 * Markdown as a judge reads it (cmark, CommonMark): the outline of a page, to be compared with what
 * the renderer meant, so that no text from outside can open a heading, an item or a cell.
 * Tables are no CommonMark: their cells are counted by our own reader in the lines of a paragraph,
 * as GitHub's extension does. So are the forms that it turns into links or notices by itself.
 */
#include "base/buf.h"

enum { SOV_MARKDOWN_MAX = 64 << 20 }; /* bytes of a page */

/*
 * What a page has, in its order, a line each; texts in visible form (base/text.h):
 *   "hN text"  heading       "item DEPTH"  list item       "fence INFO LINES"  "indented LINES"
 *                                                          (code that names no language)
 *   "p"        paragraph     "row CELLS"   table row       "quote"  "rule"  "html"  block
 * and behind the block that holds them (behind the last row of a table), in their order:
 *   "code"  "emph"  "strong"  "link DESTINATION"  "image DESTINATION"  "html"  "break"
 *   "active"  text outside of code that becomes a link or a notice: @name #12 GH-12 [[ a URL
 * A page of ours has no html, image, emph, break, indented or active: each is always a finding.
 * A page over SOV_MARKDOWN_MAX fails `too_large`.
 */
SOV_MUST_USE bool sov_markdown_outline(struct sov_bytes page, struct sov_buf *outline_out,
                                       struct sov_error *err);
#endif
