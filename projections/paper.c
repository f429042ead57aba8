#include "projections/paper.h"

#include <assert.h>

enum { NUMBERS_MAX = 1 << 24 /* octets of bits */ };

/* ---- anchors ---- */

bool sov_anchors_has(const struct sov_anchors *anchors, const char *anchor)
{
    for (size_t i = 0; i < anchors->count; i++)
        if (strcmp(anchors->at[i], anchor) == 0) return true;
    return false;
}

void sov_anchors_add(struct sov_anchors *anchors, const char *anchor, struct sov_arena *arena)
{
    if (sov_anchors_has(anchors, anchor)) return;
    if (anchors->count == anchors->room) {
        const char **more;

        anchors->room = anchors->room ? anchors->room * 2 : 16;
        more = sov_arena_array(arena, anchors->room, sizeof *more);
        if (anchors->count) memcpy(more, anchors->at, anchors->count * sizeof *more);
        anchors->at = more;
    }
    anchors->at[anchors->count++] = sov_arena_printf(arena, "%s", anchor);
}

const char *sov_paper_anchor(const char *path, struct sov_arena *arena)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t size = strlen(name);
    bool is_actor = strncmp(path, "actors/", 7) == 0 || strstr(path, "/actors/");

    if (size < 4 || strcmp(name + size - 3, ".md") != 0) return NULL;
    return sov_arena_printf(arena, "%s%.*s", is_actor ? "actor-" : "", (int)size - 3, name);
}

void sov_paper_here(struct sov_paper *paper, enum sov_stream_kind kind, int64_t n)
{
    struct sov_stream stream = sov_stream_numbered(kind, n);
    struct sov_buf *bits = &paper->here[kind];
    size_t at = (size_t)n / 8;

    if (n <= 0 || paper->muted) return;
    while (bits->size <= at && !bits->cut) sov_buf_add_byte(bits, 0);
    paper->html.out->cut |= bits->cut;
    if (bits->cut || bits->data[at] & 1 << n % 8) return;
    bits->data[at] |= (uint8_t)(1 << n % 8);
    sov_html_open(&paper->html, "span");
    sov_html_id(&paper->html, sov_stream_id(&stream, paper->arena));
    sov_html_text(&paper->html, (struct sov_bytes){ 0 });
    sov_html_close(&paper->html);
}

/* ---- the whole ---- */

void sov_paper_init(struct sov_paper *paper, struct sov_buf *out, struct sov_arena *arena)
{
    *paper = (struct sov_paper){ .arena = arena };
    sov_html_init(&paper->html, out);
    for (size_t i = 0; i < SOV_STREAM_COUNT; i++) sov_buf_init(&paper->here[i], NUMBERS_MAX);
}

void sov_paper_release(struct sov_paper *paper)
{
    for (size_t i = 0; i < SOV_STREAM_COUNT; i++) sov_buf_release(&paper->here[i]);
}

void sov_paper_section(struct sov_paper *paper, const char *anchor)
{
    sov_html_close_to(&paper->html, paper->base);
    paper->items = 0;
    sov_html_break(&paper->html);
    sov_html_open(&paper->html, "section");
    sov_html_id(&paper->html, anchor);
}

/* ---- blocks ---- */

/* Below the section and the list that goes on. */
static unsigned floor_of(const struct sov_paper *paper)
{
    return paper->base + 1 + 2 * paper->items;
}

void sov_paper_end(struct sov_paper *paper)
{
    paper->muted = false;
    sov_html_close_to(&paper->html, floor_of(paper));
}

static void begin(struct sov_paper *paper, const char *element)
{
    paper->items = 0;
    sov_paper_end(paper);
    sov_html_break(&paper->html);
    sov_html_open(&paper->html, element);
}

void sov_paper_heading(struct sov_paper *paper, unsigned level)
{
    static const char *const elements[] = { "h1", "h2", "h3", "h4", "h5", "h6" };

    level += paper->shift;
    begin(paper, elements[level > 6 ? 5 : level - 1]);
}

void sov_paper_paragraph(struct sov_paper *paper)
{
    begin(paper, "p");
}

/* An item lies in its list, and a deeper list in the item before it. */
void sov_paper_item(struct sov_paper *paper, unsigned depth)
{
    assert(depth >= 1 && depth <= paper->items + 1);
    sov_paper_end(paper);
    if (depth > paper->items)
        sov_html_open(&paper->html, "ul");
    else
        sov_html_close_to(&paper->html, paper->base + 2 * depth);
    paper->items = depth;
    sov_html_break(&paper->html);
    sov_html_open(&paper->html, "li");
}

void sov_paper_table(struct sov_paper *paper)
{
    begin(paper, "table");
    paper->rows = 0;
}

void sov_paper_row(struct sov_paper *paper)
{
    unsigned table = floor_of(paper) + 1;

    sov_html_close_to(&paper->html, paper->rows > 1 ? table + 1 : table);
    if (paper->rows < 2) sov_html_open(&paper->html, paper->rows ? "tbody" : "thead");
    paper->rows++;
    sov_html_break(&paper->html);
    sov_html_open(&paper->html, "tr");
}

void sov_paper_cell(struct sov_paper *paper)
{
    sov_html_close_to(&paper->html, floor_of(paper) + 3);
    sov_html_open(&paper->html, paper->rows > 1 ? "td" : "th");
    if (paper->rows == 1) sov_html_attribute(&paper->html, "scope", "col");
}

void sov_paper_fence(struct sov_paper *paper, const char *info)
{
    if (strcmp(info, "mermaid") == 0) {
        paper->items = 0;
        sov_paper_end(paper);
        paper->muted = true;
        return;
    }
    begin(paper, "pre");
}

void sov_paper_line(struct sov_paper *paper)
{
    if (!paper->muted) sov_html_block(&paper->html, sov_bytes_text("\n"));
}

void sov_paper_said(struct sov_paper *paper, struct sov_bytes lines)
{
    begin(paper, "pre");
    sov_html_attribute(&paper->html, "class", "said");
    sov_html_block(&paper->html, lines);
    sov_paper_end(paper);
}

/* ---- parts ---- */

void sov_paper_part(struct sov_paper *paper, const char *element, struct sov_bytes text)
{
    if (paper->muted) return;
    if (element) sov_html_open(&paper->html, element);
    sov_html_text(&paper->html, text);
    if (element) sov_html_close(&paper->html);
}

void sov_paper_link(struct sov_paper *paper, struct sov_bytes text, const char *path)
{
    const char *anchor = *path == '#' ? path + 1 : sov_paper_anchor(path, paper->arena);
    bool leads = anchor && (*path == '#' || !paper->pages || sov_anchors_has(paper->pages, anchor));

    if (anchor && *path != '#' && paper->seen) sov_anchors_add(paper->seen, anchor, paper->arena);
    if (!leads) {
        sov_paper_part(paper, NULL, text);
        return;
    }
    sov_html_open(&paper->html, "a");
    sov_html_href(&paper->html, anchor);
    sov_html_text(&paper->html, text);
    sov_html_close(&paper->html);
}
