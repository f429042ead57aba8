#ifndef SOV_PROJECTIONS_PAPER_H
#define SOV_PROJECTIONS_PAPER_H
/*
 * The second back end of the page writer (writer.h): what a page says, as a section of one HTML
 * document. Owns: which element a block becomes, where ids of entities are anchored, which links
 * lead anywhere. Not here: what a page says, the escaping (base/html.h).
 *
 * A picture is left out, as nothing of it would show without a script: the table that follows every
 * picture says the same.
 */
#include "base/html.h"
#include "ledger/ledger.h"

/* The pages of a document by their anchors: "SOW-7", "actor-builder-3", "policy". */
struct sov_anchors {
    const char **at;
    size_t count, room;
};
bool sov_anchors_has(const struct sov_anchors *anchors, const char *anchor);
/* Once each. */
void sov_anchors_add(struct sov_anchors *anchors, const char *anchor, struct sov_arena *arena);

struct sov_paper {
    struct sov_html html;
    const struct sov_anchors *pages; /* links lead to these alone; NULL: to every page */
    struct sov_anchors *seen;        /* pages that were linked to are added, unless NULL */
    struct sov_arena *arena;         /* of anchors and paths */
    unsigned base, shift;            /* depth outside of the page; added to levels of headings */
    unsigned rows, items;            /* of the open table; the depth of the open list */
    bool muted;                      /* in a picture */
    struct sov_buf here[SOV_STREAM_COUNT]; /* a bit for each number that has its anchor */
};
void sov_paper_init(struct sov_paper *paper, struct sov_buf *out, struct sov_arena *arena);
void sov_paper_release(struct sov_paper *paper);

/* The anchor of a page from a path that leads to it: "../actors/bob.md" is "actor-bob". NULL if it
 * leads to something else. */
const char *sov_paper_anchor(const char *path, struct sov_arena *arena);
/* A section with that anchor: what follows is in it, until the next begins. */
void sov_paper_section(struct sov_paper *paper, const char *anchor);
/* The anchor of an entity that has no page of its own, where it is described first. */
void sov_paper_here(struct sov_paper *paper, enum sov_stream_kind kind, int64_t n);

/* ---- for writer.c ---- */
void sov_paper_end(struct sov_paper *paper); /* of a block; a list may go on */
void sov_paper_heading(struct sov_paper *paper, unsigned level);
void sov_paper_paragraph(struct sov_paper *paper);
void sov_paper_item(struct sov_paper *paper, unsigned depth);
void sov_paper_table(struct sov_paper *paper);
void sov_paper_row(struct sov_paper *paper);
void sov_paper_cell(struct sov_paper *paper);
void sov_paper_fence(struct sov_paper *paper, const char *info);
void sov_paper_line(struct sov_paper *paper);
/* `element` NULL: as it is. */
void sov_paper_part(struct sov_paper *paper, const char *element, struct sov_bytes text);
void sov_paper_link(struct sov_paper *paper, struct sov_bytes text, const char *path);
void sov_paper_said(struct sov_paper *paper, struct sov_bytes lines);
#endif
