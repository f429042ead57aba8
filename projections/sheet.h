#ifndef SOV_PROJECTIONS_SHEET_H
#define SOV_PROJECTIONS_SHEET_H
/*
 * One view being written: the Markdown page and the facts beside it, and what all pages share.
 * Owns: the frame of a page (first lines, last line), cells, references between views, the printed
 * form of the facts. Not here: how a text is escaped (writer.h), what a page says.
 */
#include "base/canonical.h"
#include "projections/projections.h"
#include "projections/writer.h"

enum { SOV_SHEET_MAX = 32 << 20 };

struct sov_sheet {
    const struct sov_ledger *ledger;
    struct sov_arena *arena; /* what was read; lives as long as the sheet */
    struct sov_page page;
    struct sov_writer facts; /* canonical, keys in byte order */
    struct sov_buf markdown, canonical;
    const char *up; /* from the page's folder to governance/: "../" or "" */
    int64_t last;   /* the newest event that touches the view */
};
void sov_sheet_init(struct sov_sheet *sheet, const struct sov_ledger *ledger,
                    struct sov_arena *arena, const char *up);
void sov_sheet_release(struct sov_sheet *sheet);
/* "Last event: 128 · renderer 1 · sha256:0123456789ab", over the octets above that line. */
void sov_sheet_last_line(struct sov_sheet *sheet);
/* The facts as people diff them: two spaces, a value a line, what must be visible as \uXXXX. */
void sov_facts_print(struct sov_bytes canonical, struct sov_buf *out);

/* ---- parts ---- */
void sov_part_text(struct sov_sheet *sheet, const char *text); /* from outside; NULL: nothing */
/* The same, without backslashes where it is of letters, digits, spaces and inner hyphens. */
void sov_part_plain(struct sov_sheet *sheet, const char *text);
void sov_part_code(struct sov_sheet *sheet, const char *text);
void sov_part_printf(struct sov_sheet *sheet, const char *fmt, ...) SOV_PRINTF(2, 3); /* ours */
void sov_part_digest(struct sov_sheet *sheet, const struct sov_hash *digest);
/* "SOW-7": a link if it has a view. n 0: nothing. */
void sov_part_ref(struct sov_sheet *sheet, enum sov_stream_kind kind, int64_t n);
/* "builder-3, robot": a link; `kind` NULL: left out. */
void sov_part_actor(struct sov_sheet *sheet, const char *id, const char *kind);
/* An actor's kind, which never changes; "host" for the host. */
SOV_MUST_USE bool sov_sheet_kind(const struct sov_ledger *ledger, const char *id,
                                 struct sov_arena *arena, const char **kind_out,
                                 struct sov_error *err);

/* ---- blocks ---- */
void sov_sheet_heading(struct sov_sheet *sheet, unsigned level, const char *own);
/* A table with its head; titles end with NULL. */
void sov_sheet_table(struct sov_sheet *sheet, const char *const *titles);
void sov_cell_own(struct sov_sheet *sheet, const char *own); /* NULL or "": an empty cell */
void sov_cell_text(struct sov_sheet *sheet, const char *text);
void sov_cell_code(struct sov_sheet *sheet, const char *text);
void sov_cell_number(struct sov_sheet *sheet, int64_t n);
void sov_cell_ref(struct sov_sheet *sheet, enum sov_stream_kind kind, int64_t n);
/* The same, of an entity that is described here: it has its anchor here on paper. */
void sov_cell_here(struct sov_sheet *sheet, enum sov_stream_kind kind, int64_t n);
void sov_cell_actor(struct sov_sheet *sheet, const char *id, const char *kind);
void sov_cell_digest(struct sov_sheet *sheet, const struct sov_hash *digest);
/* "Said by WHO, unverified:" and the text; nothing if it is empty or NULL. */
void sov_sheet_said(struct sov_sheet *sheet, const char *who, const char *text);

/* ---- facts ---- */
void sov_fact_id(struct sov_writer *w, const char *key, enum sov_stream_kind kind, int64_t n);
void sov_fact_text(struct sov_writer *w, const char *key, const char *text); /* NULL: left out */
void sov_fact_hash(struct sov_writer *w, const char *key, const struct sov_hash *hash);

static inline int64_t sov_later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
static inline bool sov_is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}
#endif
