#include "projections/writer.h"

#include <assert.h>

#include "base/markdown.h"
#include "base/text.h"
#include "projections/escape.h"

enum { OUTLINE_MAX = SOV_MARKDOWN_MAX };

void sov_page_init(struct sov_page *page, struct sov_buf *out)
{
    assert(page && out && out->size == 0);
    *page = (struct sov_page){ .out = out };
    sov_buf_init(&page->meant, OUTLINE_MAX);
    sov_buf_init(&page->within, OUTLINE_MAX);
    sov_buf_init(&page->plain, OUTLINE_MAX);
    sov_buf_init(&page->shown, OUTLINE_MAX);
}

void sov_page_release(struct sov_page *page)
{
    sov_buf_release(&page->meant);
    sov_buf_release(&page->within);
    sov_buf_release(&page->plain);
    sov_buf_release(&page->shown);
}

static void add(struct sov_page *page, const char *text)
{
    sov_buf_add_text(page->out, text);
}

static struct sov_bytes trimmed(struct sov_bytes text)
{
    while (text.size && text.data[text.size - 1] == ' ') text.size--;
    while (text.size && *text.data == ' ') text = sov_bytes(text.data + 1, text.size - 1);
    return text;
}

static void close_row(struct sov_page *page)
{
    if (!page->rows) return;
    assert(page->cells == page->columns);
    add(page, " |\n");
    sov_buf_printf(&page->meant, "row %u\n", page->columns);
    if (page->rows > 1) return;
    add(page, "|");
    for (unsigned i = 0; i < page->columns; i++) add(page, " --- |");
    add(page, "\n");
}

static void close_fence(struct sov_page *page)
{
    add(page, page->lines ? "\n```\n" : "```\n");
    sov_buf_printf(&page->meant, "fence %s %zu\n", page->info, page->lines);
}

void sov_page_end(struct sov_page *page)
{
    switch (page->block) {
    case SOV_BLOCK_NONE:
        return;
    case SOV_BLOCK_HEADING:
        sov_buf_printf(&page->meant, "h%u ", page->level);
        sov_buf_add(&page->meant, trimmed(sov_buf_bytes(&page->plain)));
        sov_buf_add_byte(&page->meant, '\n');
        add(page, "\n");
        break;
    case SOV_BLOCK_PARAGRAPH:
    case SOV_BLOCK_ITEM:
        if (page->filled) sov_buf_add_text(&page->meant, "p\n");
        if (page->filled || page->block == SOV_BLOCK_ITEM) add(page, "\n");
        break;
    case SOV_BLOCK_TABLE:
        assert(page->rows);
        close_row(page);
        break;
    case SOV_BLOCK_FENCE:
        close_fence(page);
        break;
    }
    if (page->paper) sov_paper_end(page->paper);
    sov_buf_add(&page->meant, sov_buf_bytes(&page->within));
    sov_buf_clear(&page->within);
    sov_buf_clear(&page->plain);
    page->block = SOV_BLOCK_NONE;
}

/* Items follow one another without a blank line, all else stands apart. */
static void begin(struct sov_page *page, enum sov_page_block block)
{
    bool tight = page->block == SOV_BLOCK_ITEM && block == SOV_BLOCK_ITEM;

    sov_page_end(page);
    if (page->out->size && !tight) add(page, "\n");
    page->block = block;
    page->rows = page->lines = 0;
    page->filled = page->foreign = false;
}

void sov_page_heading(struct sov_page *page, unsigned level)
{
    assert(level >= 1 && level <= 6);
    begin(page, SOV_BLOCK_HEADING);
    page->level = level;
    sov_buf_add(page->out, sov_bytes("######", level));
    add(page, " ");
    if (page->paper) sov_paper_heading(page->paper, level);
}

void sov_page_paragraph(struct sov_page *page)
{
    begin(page, SOV_BLOCK_PARAGRAPH);
    if (page->paper) sov_paper_paragraph(page->paper);
}

void sov_page_item(struct sov_page *page, unsigned depth)
{
    unsigned before = page->block == SOV_BLOCK_ITEM ? page->level : 0;

    assert(depth >= 1 && depth <= before + 1);
    begin(page, SOV_BLOCK_ITEM);
    page->level = depth;
    for (unsigned i = 1; i < depth; i++) add(page, "  ");
    add(page, "- ");
    sov_buf_printf(&page->meant, "item %u\n", depth);
    if (page->paper) sov_paper_item(page->paper, depth);
}

void sov_page_table(struct sov_page *page, unsigned columns)
{
    assert(columns >= 1);
    begin(page, SOV_BLOCK_TABLE);
    page->columns = columns;
    if (page->paper) sov_paper_table(page->paper);
}

void sov_page_row(struct sov_page *page)
{
    assert(page->block == SOV_BLOCK_TABLE);
    close_row(page);
    page->rows++;
    page->cells = 0;
    if (page->paper) sov_paper_row(page->paper);
}

void sov_page_cell(struct sov_page *page)
{
    assert(page->block == SOV_BLOCK_TABLE && page->rows && page->cells < page->columns);
    add(page, page->cells++ ? " | " : "| ");
    if (page->paper) sov_paper_cell(page->paper);
    page->filled = page->foreign = false;
}

void sov_page_fence(struct sov_page *page, const char *info)
{
    assert(info && *info);
    begin(page, SOV_BLOCK_FENCE);
    page->info = info;
    add(page, "```");
    add(page, info);
    add(page, "\n");
    if (page->paper) sov_paper_fence(page->paper, info);
}

void sov_page_line(struct sov_page *page)
{
    assert(page->block == SOV_BLOCK_FENCE);
    if (!page->lines++) return;
    add(page, "\n");
    if (page->paper) sov_paper_line(page->paper);
}

void sov_page_said(struct sov_page *page, struct sov_bytes who, struct sov_bytes text)
{
    size_t ticks = sov_escape_backticks(text) + 1, lines, from;

    if (ticks < 3) ticks = 3;
    sov_page_paragraph(page);
    sov_page_own(page, "Said by ");
    sov_page_id(page, who);
    sov_page_own(page, ", unverified:");
    sov_page_end(page);
    add(page, "\n");
    for (size_t i = 0; i < ticks; i++) sov_buf_add_byte(page->out, '`');
    add(page, "text\n");
    from = page->out->size;
    lines = sov_escape_block(text, page->out);
    if (page->paper)
        sov_paper_said(page->paper, sov_bytes(page->out->data + from, page->out->size - from));
    for (size_t i = 0; i < ticks; i++) sov_buf_add_byte(page->out, '`');
    add(page, "\n");
    sov_buf_printf(&page->meant, "fence text %zu\n", lines);
}

/* The same words on paper, by the names of HTML. */
static void print(struct sov_page *page, const char *element, struct sov_bytes text)
{
    if (page->paper) sov_paper_part(page->paper, element, text);
}

/* Before each part: there is a line to add to, and words that are not ours keep their distance. */
static void open_part(struct sov_page *page, bool foreign)
{
    assert(page->block != SOV_BLOCK_NONE);
    assert(page->block != SOV_BLOCK_TABLE || page->cells);
    assert(page->block != SOV_BLOCK_FENCE || page->lines);
    if (foreign && page->foreign) {
        add(page, " ");
        sov_buf_add_byte(&page->plain, ' ');
        print(page, NULL, sov_bytes_text(" "));
    }
    page->filled = true;
    page->foreign = foreign;
}

void sov_page_own(struct sov_page *page, const char *markdown)
{
    size_t size = strlen(markdown);

    assert(!strpbrk(markdown, page->block == SOV_BLOCK_FENCE ? "`\n" : "`\n|"));
    assert(size == 0 || markdown[size - 1] != '\\');
    if (size == 0) return;
    open_part(page, false);
    add(page, markdown);
    sov_buf_add_text(&page->plain, markdown);
    print(page, NULL, sov_bytes_text(markdown));
}

static bool may_flank(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

void sov_page_strong(struct sov_page *page, const char *words)
{
    assert(may_flank(*words) && may_flank(words[strlen(words) - 1]));
    assert(!strpbrk(words, "*`\n|\\") && page->block != SOV_BLOCK_FENCE);
    open_part(page, true);
    sov_buf_printf(page->out, "**%s**", words);
    sov_buf_add_text(&page->plain, words);
    sov_buf_add_text(&page->within, "strong\n");
    print(page, "strong", sov_bytes_text(words));
}

void sov_page_number(struct sov_page *page, int64_t n)
{
    size_t from;

    open_part(page, true);
    from = page->plain.size;
    sov_buf_add_int(page->out, n);
    sov_buf_add_int(&page->plain, n);
    if (page->plain.cut) return;
    print(page, NULL, sov_bytes(page->plain.data + from, page->plain.size - from));
}

static void escaped(struct sov_page *page, struct sov_bytes text,
                    unsigned (*escape)(struct sov_bytes, struct sov_buf *))
{
    assert(page->block != SOV_BLOCK_FENCE);
    sov_buf_clear(&page->shown);
    sov_escape_shown(text, &page->shown);
    if (page->shown.size == 0) return;
    open_part(page, true);
    for (unsigned n = escape(sov_buf_bytes(&page->shown), page->out); n; n--)
        sov_buf_add_text(&page->within, "code\n");
    sov_buf_add(&page->plain, sov_buf_bytes(&page->shown));
    print(page, escape == sov_escape_code ? "code" : NULL, sov_buf_bytes(&page->shown));
}

void sov_page_text(struct sov_page *page, struct sov_bytes text)
{
    assert(page->block != SOV_BLOCK_PARAGRAPH || page->filled);
    escaped(page, text, sov_escape_inline);
}

void sov_page_code(struct sov_page *page, struct sov_bytes text)
{
    escaped(page, text, sov_escape_code);
}

/* Letters, digits and inner hyphens, a letter first: no Markdown anywhere, not even at the start
 * of a line. */
static bool is_plain(struct sov_bytes id)
{
    if (!sov_text_is_name(id) || !may_flank((char)id.data[0])) return false;
    if (id.data[0] >= '0' && id.data[0] <= '9') return false;
    return !memchr(id.data, '_', id.size) && !memchr(id.data, '.', id.size) &&
           !sov_escape_is_catchy(id);
}

void sov_page_id(struct sov_page *page, struct sov_bytes id)
{
    if (!is_plain(id)) {
        sov_page_code(page, id);
        return;
    }
    open_part(page, true);
    sov_buf_add(page->out, id);
    sov_buf_add(&page->plain, id);
    print(page, NULL, id);
}

static bool is_link_path(const char *path)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "./_-#";

    return *path && *path != '/' && strspn(path, allowed) == strlen(path) && !strstr(path, "//");
}

void sov_page_link(struct sov_page *page, struct sov_bytes id, const char *path)
{
    assert(sov_text_is_name(id) && is_link_path(path) && page->block != SOV_BLOCK_FENCE);
    open_part(page, true);
    sov_buf_printf(&page->within, "link %s\n", path);
    add(page, "[");
    for (unsigned n = sov_escape_inline(id, page->out); n; n--)
        sov_buf_add_text(&page->within, "code\n");
    sov_buf_printf(page->out, "](%s)", path);
    sov_buf_add(&page->plain, id);
    if (page->paper) sov_paper_link(page->paper, id, path);
}

void sov_page_label(struct sov_page *page, struct sov_bytes text)
{
    assert(page->block == SOV_BLOCK_FENCE);
    open_part(page, false);
    sov_buf_clear(&page->shown);
    sov_escape_shown(text, &page->shown);
    add(page, "\"");
    sov_escape_label(sov_buf_bytes(&page->shown), page->out);
    add(page, "\"");
    print(page, NULL, sov_buf_bytes(&page->shown));
}

/* Takes a line off the rest of an outline. */
static struct sov_bytes next_line(struct sov_bytes *rest)
{
    const uint8_t *end = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;
    size_t size = end ? (size_t)(end - rest->data) : rest->size;
    struct sov_bytes line = sov_bytes(rest->data, size);

    size += end != NULL;
    *rest = sov_bytes(rest->data + size, rest->size - size);
    return line;
}

static bool compare(struct sov_bytes meant, struct sov_bytes read, struct sov_error *err)
{
    for (size_t n = 1; meant.size || read.size; n++) {
        struct sov_bytes a = next_line(&meant), b = next_line(&read);

        if (!sov_bytes_equal(a, b))
            return sov_fail(err, SOV_UNABLE, "view_unsafe",
                            "part %zu of a view reads as '%.*s', meant was '%.*s'", n,
                            b.size > 80 ? 80 : (int)b.size, (const char *)b.data,
                            a.size > 80 ? 80 : (int)a.size, (const char *)a.data);
    }
    return true;
}

static bool is_visible(struct sov_bytes text, struct sov_error *err)
{
    uint32_t point;

    for (size_t at = 0, size; at < text.size; at += size) {
        size = sov_text_decode(text, at, &point);
        if (!size || (sov_text_is_active(point) && point != '\n' && point != '\t'))
            return sov_fail(err, SOV_UNABLE, "view_unsafe",
                            "byte %zu of a view is no visible character", at);
    }
    return true;
}

bool sov_page_judge(struct sov_page *page, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf read = { 0 };

    sov_page_end(page);
    sov_buf_init(&read, OUTLINE_MAX);
    return sov_buf_whole(page->out, "a view", err) &&
           sov_buf_whole(&page->meant, "outline of a view", err) &&
           is_visible(sov_buf_bytes(page->out), err) &&
           sov_markdown_outline(sov_buf_bytes(page->out), &read, err) &&
           compare(sov_buf_bytes(&page->meant), sov_buf_bytes(&read), err);
}
