#ifndef SOV_PROJECTIONS_WRITER_H
#define SOV_PROJECTIONS_WRITER_H
/*
 * Writes a Markdown page and keeps the outline that was meant (base/markdown.h has its form), so
 * that sov_page_judge can let another parser read the page and compare.
 * With a paper (paper.h) each verb writes there too, so that no page is written twice.
 * Owns: lines, blanks between blocks, fences, what may stand at the start of a line.
 * Not here: what a page says (one file a page), the escapers (escape.h), files (tree.h).
 *
 * A block verb closes the block before it and opens the next; part verbs add to the open block.
 *   sov_page_paragraph(&page);
 *   sov_page_strong(&page, "REVIEW");
 *   sov_page_own(&page, " · open: ");
 *   sov_page_text(&page, title);         text from outside: escaped, cut, visible
 * Two parts that are not our own words never touch: a space is put between them.
 * Verbs cannot fail: what does not fit or is not as meant fails the page in sov_page_judge.
 */
#include "projections/paper.h"

enum sov_page_block {
    SOV_BLOCK_NONE,
    SOV_BLOCK_HEADING,
    SOV_BLOCK_PARAGRAPH,
    SOV_BLOCK_ITEM,
    SOV_BLOCK_TABLE,
    SOV_BLOCK_FENCE
};

struct sov_page {
    struct sov_buf *out;     /* the caller's */
    struct sov_paper *paper; /* gets the same as HTML, unless NULL */
    struct sov_buf meant;    /* outline of the closed blocks */
    struct sov_buf within;   /* outline lines behind the open block's own */
    struct sov_buf plain;    /* of an open heading */
    struct sov_buf shown;    /* of one text */
    enum sov_page_block block;
    const char *info;               /* of an open fence */
    unsigned level, columns, cells; /* heading, table, open row */
    size_t rows, lines;             /* of the open table, of the open fence */
    bool filled;                    /* the open line has a part */
    bool foreign;                   /* its last part was not our own words */
};

/* `out` is empty and outlives the page. */
void sov_page_init(struct sov_page *page, struct sov_buf *out);
void sov_page_release(struct sov_page *page);

/* Blocks. */
void sov_page_heading(struct sov_page *page, unsigned level);
void sov_page_paragraph(struct sov_page *page);
void sov_page_item(struct sov_page *page, unsigned depth); /* from 1; one deeper at most */
void sov_page_table(struct sov_page *page, unsigned columns);
void sov_page_row(struct sov_page *page);  /* the first is the head */
void sov_page_cell(struct sov_page *page); /* as many a row as the table has columns */
void sov_page_fence(struct sov_page *page, const char *info); /* of our own lines: a picture */
void sov_page_line(struct sov_page *page);
/* "Said by WHO, unverified:" and the text in a fence. */
void sov_page_said(struct sov_page *page, struct sov_bytes who, struct sov_bytes text);
void sov_page_end(struct sov_page *page); /* closes the open block; the page may go on */

/* Parts. Our own words: constants, and what is made of numbers and digests alone; no line end, no
 * backtick, no bar outside of a fence. Words from outside, ids, links and code have their verbs. */
void sov_page_own(struct sov_page *page, const char *markdown);
/* Begins and ends with a letter, a digit or a sign beyond ASCII. */
void sov_page_strong(struct sov_page *page, const char *words);
void sov_page_number(struct sov_page *page, int64_t n);
/* Raw if it is of letters, digits and hyphens (SOW-7, builder-3), else as code (ci.run_2). */
void sov_page_id(struct sov_page *page, struct sov_bytes id);
/* Anything; blank: nothing. In a paragraph something of ours stands before it. */
void sov_page_text(struct sov_page *page, struct sov_bytes text);
/* Anything as code: a path, a command, a digest. */
void sov_page_code(struct sov_page *page, struct sov_bytes text);
/* A link between views; `path` is ours: letters, digits and ./_-# only. */
void sov_page_link(struct sov_page *page, struct sov_bytes id, const char *path);
/* In a fence: a quoted label of a mermaid picture. */
void sov_page_label(struct sov_page *page, struct sov_bytes text);

/* Closes the page and reads it as a stranger would. False if it did not fit (too_large), holds a
 * character that must be made visible, or has another outline than meant (view_unsafe): then it
 * must not be written anywhere. */
SOV_MUST_USE bool sov_page_judge(struct sov_page *page, struct sov_error *err);
#endif
