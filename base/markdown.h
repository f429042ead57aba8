#ifndef SOV_BASE_MARKDOWN_H
#define SOV_BASE_MARKDOWN_H
/*
 * Markdown as a judge reads it (cmark, CommonMark): the outline of a page, to be compared with what
 * the renderer meant, so that no text from outside can open a heading, an item or a cell.
 * Tables are no CommonMark: their cells are counted by our own reader in the lines of a paragraph.
 */
#include "base/buf.h"

/* What a page has, in the order of the page: one line of the outline each.
 *   "h2 plain text of heading"   "item depth"   "row cells"   "fence info lines"   "p"   "quote"
 * Links, images, raw HTML blocks and inlines appear as "link", "image", "html": a page of ours has
 * none, so one of them is always a finding. */
SOV_MUST_USE bool sov_markdown_outline(struct sov_bytes page, struct sov_buf *outline_out,
                                       struct sov_error *err);
#endif
