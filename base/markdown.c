#include "base/markdown.h"

#include <assert.h>
#include <cmark.h>

#include "base/alloc.h"
#include "base/text.h"

struct judge {
    struct sov_bytes page;
    size_t *starts; /* of each line, and one past the last */
    size_t count;
    struct sov_buf *out;
    struct sov_buf run; /* text nodes side by side: "\@" and "name" are two */
    int items;          /* list items around */
};

static bool is_alnum(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Lines end as cmark ends them: LF, CR or both. */
static void index_lines(struct judge *j)
{
    size_t count = 0;

    for (int pass = 0; pass < 2; pass++) {
        if (pass) j->starts = sov_alloc_array(count + 2, sizeof *j->starts);
        count = 0;
        for (size_t i = 0; i < j->page.size; i++) {
            uint8_t c = j->page.data[i];

            if (c == '\r' && i + 1 < j->page.size && j->page.data[i + 1] == '\n') continue;
            if (c != '\n' && c != '\r') continue;
            count++;
            if (pass) j->starts[count] = i + 1;
        }
    }
    if (count == 0 || j->starts[count] < j->page.size) j->starts[++count] = j->page.size;
    j->count = count;
}

/* Line n of a paragraph, both counted from 1, without blanks and signs of quotes around it; on its
 * first line it begins where cmark says, behind the signs of items. */
static struct sov_bytes line_of(const struct judge *j, cmark_node *node, int n)
{
    size_t from, to;

    assert(n >= 1 && (size_t)n <= j->count);
    from = j->starts[n - 1];
    to = j->starts[n];
    if (n == cmark_node_get_start_line(node) && cmark_node_get_start_column(node) > 1)
        from += (size_t)cmark_node_get_start_column(node) - 1;
    if (from > to) from = to;
    while (from < to && memchr(" \t>", j->page.data[from], 3)) from++;
    while (to > from && memchr(" \t\r\n", j->page.data[to - 1], 4)) to--;
    return sov_bytes(j->page.data + from, to - from);
}

/* Cells of a line as GitHub splits it: at each bar but the outermost, code or not, unless a
 * backslash stands before it. */
static unsigned cells_of(struct sov_bytes line)
{
    unsigned cells = 1;

    if (line.size && line.data[0] == '|') line = sov_bytes(line.data + 1, line.size - 1);
    for (size_t i = 0; i < line.size; i++) {
        if (line.data[i] == '\\' && i + 1 < line.size && line.data[i + 1] == '|')
            i++;
        else if (line.data[i] == '|' && i + 1 < line.size)
            cells++;
    }
    return cells;
}

/* |:---|:--:| and the like: at least one bar or colon, for --- alone underlines a heading. */
static bool is_delimiter(struct sov_bytes line)
{
    bool marked = false, dash = false, closed = false;

    for (size_t i = 0; i < line.size; i++) {
        uint8_t c = line.data[i];

        if (c == '|') {
            if (i > 0 && !dash) return false;
            marked = true, dash = false, closed = false;
        } else if (c == '-') {
            if (closed) return false;
            dash = true;
        } else if (c == ':') {
            marked = true;
            closed = dash;
        } else if (c == ' ' || c == '\t') {
            closed = closed || dash;
        } else {
            return false;
        }
    }
    return marked;
}

static void paragraph(struct judge *j, cmark_node *node)
{
    int first = cmark_node_get_start_line(node), last = cmark_node_get_end_line(node);
    int head = 0; /* the line above the delimiter */

    if (first < 1 || last < first || (size_t)last > j->count) first = 1, last = 0;
    for (int n = first; n < last && !head; n++) {
        struct sov_bytes below = line_of(j, node, n + 1);

        if (is_delimiter(below) && cells_of(line_of(j, node, n)) == cells_of(below)) head = n;
    }
    if (!head || head > first) sov_buf_add_text(j->out, "p\n");
    for (int n = head; head && n <= last; n++)
        if (n != head + 1) sov_buf_printf(j->out, "row %u\n", cells_of(line_of(j, node, n)));
}

static size_t line_ends(const char *text)
{
    size_t count = 0;

    for (; *text; text++) count += *text == '\n';
    return count;
}

static void visible(struct judge *j, const char *text)
{
    sov_text_visible(sov_bytes_text(text ? text : ""), 0, j->out);
}

static void heading(struct judge *j, cmark_node *node)
{
    cmark_iter *iter = cmark_iter_new(node);
    struct sov_buf text;
    cmark_event_type event;

    sov_buf_init(&text, SOV_MARKDOWN_MAX);
    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node_type type = cmark_node_get_type(cmark_iter_get_node(iter));

        if (event != CMARK_EVENT_ENTER) continue;
        if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE)
            sov_buf_add_text(&text, cmark_node_get_literal(cmark_iter_get_node(iter)));
        else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK)
            sov_buf_add_byte(&text, ' ');
    }
    cmark_iter_free(iter);
    sov_buf_printf(j->out, "h%d ", cmark_node_get_heading_level(node));
    sov_text_visible(sov_buf_bytes(&text), 0, j->out);
    sov_buf_add_byte(j->out, '\n');
    sov_buf_release(&text);
}

static void code_block(struct judge *j, cmark_node *node)
{
    const char *info = cmark_node_get_fence_info(node), *body = cmark_node_get_literal(node);

    /* cmark does not say which it read, indented or fenced; a fence of ours has an info. */
    sov_buf_add_text(j->out, info && *info ? "fence " : "indented ");
    if (info && *info) {
        visible(j, info);
        sov_buf_add_byte(j->out, ' ');
    }
    sov_buf_printf(j->out, "%zu\n", line_ends(body));
}

static bool starts_with(struct sov_bytes text, size_t at, const char *lower)
{
    size_t size = strlen(lower);

    return text.size - at >= size &&
           sov_text_fold_equal(sov_bytes(text.data + at, size), sov_bytes(lower, size));
}

/* What GitHub and its like make a link or a notice of, wherever it stands in plain text. */
static bool is_active_form(struct sov_bytes text)
{
    for (size_t i = 0; i < text.size; i++) {
        uint8_t next = i + 1 < text.size ? text.data[i + 1] : 0;

        switch (text.data[i]) {
        case '@':
            if (is_alnum(next) || next == '_') return true;
            break;
        case '#':
            if (next >= '0' && next <= '9') return true;
            break;
        case ':':
            if (starts_with(text, i, "://")) return true;
            break;
        case '[':
            if (next == '[') return true;
            break;
        default: /* the forms that begin with a letter */
            if (starts_with(text, i, "www.") || starts_with(text, i, "mailto:") ||
                starts_with(text, i, "xmpp:"))
                return true;
            if (starts_with(text, i, "gh-") && i + 3 < text.size && text.data[i + 3] >= '0' &&
                text.data[i + 3] <= '9')
                return true;
            break;
        }
    }
    return false;
}

static void end_run(struct judge *j)
{
    if (is_active_form(sov_buf_bytes(&j->run))) sov_buf_add_text(j->out, "active\n");
    sov_buf_clear(&j->run);
}

static void target(struct judge *j, const char *what, cmark_node *node)
{
    sov_buf_add_text(j->out, what);
    visible(j, cmark_node_get_url(node));
    sov_buf_add_byte(j->out, '\n');
}

static void enter(struct judge *j, cmark_node *node)
{
    switch (cmark_node_get_type(node)) {
    case CMARK_NODE_BLOCK_QUOTE:
        sov_buf_add_text(j->out, "quote\n");
        break;
    case CMARK_NODE_ITEM:
        sov_buf_printf(j->out, "item %d\n", ++j->items);
        break;
    case CMARK_NODE_CODE_BLOCK:
        code_block(j, node);
        break;
    case CMARK_NODE_HTML_BLOCK:
    case CMARK_NODE_HTML_INLINE:
        sov_buf_add_text(j->out, "html\n");
        break;
    case CMARK_NODE_PARAGRAPH:
        paragraph(j, node);
        break;
    case CMARK_NODE_HEADING:
        heading(j, node);
        break;
    case CMARK_NODE_THEMATIC_BREAK:
        sov_buf_add_text(j->out, "rule\n");
        break;
    case CMARK_NODE_TEXT:
        sov_buf_add_text(&j->run, cmark_node_get_literal(node));
        break;
    case CMARK_NODE_LINEBREAK:
        sov_buf_add_text(j->out, "break\n");
        break;
    case CMARK_NODE_CODE:
        sov_buf_add_text(j->out, "code\n");
        break;
    case CMARK_NODE_EMPH:
        sov_buf_add_text(j->out, "emph\n");
        break;
    case CMARK_NODE_STRONG:
        sov_buf_add_text(j->out, "strong\n");
        break;
    case CMARK_NODE_LINK:
        target(j, "link ", node);
        break;
    case CMARK_NODE_IMAGE:
        target(j, "image ", node);
        break;
    case CMARK_NODE_NONE:
    case CMARK_NODE_DOCUMENT:
    case CMARK_NODE_LIST:
    case CMARK_NODE_SOFTBREAK:
    case CMARK_NODE_CUSTOM_BLOCK: /* the parser makes no custom ones */
    case CMARK_NODE_CUSTOM_INLINE:
        break;
    }
}

static void walk(struct judge *j, cmark_node *root)
{
    cmark_iter *iter = cmark_iter_new(root);
    cmark_event_type event;

    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iter);

        if (cmark_node_get_type(node) != CMARK_NODE_TEXT) end_run(j);
        if (event == CMARK_EVENT_ENTER)
            enter(j, node);
        else if (cmark_node_get_type(node) == CMARK_NODE_ITEM)
            j->items--;
    }
    cmark_iter_free(iter);
}

bool sov_markdown_outline(struct sov_bytes page, struct sov_buf *outline_out, struct sov_error *err)
{
    struct judge j = { .page = page, .out = outline_out };
    cmark_node *root;

    if (page.size > SOV_MARKDOWN_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "page is over %d bytes", SOV_MARKDOWN_MAX);
    index_lines(&j);
    sov_buf_init(&j.run, SOV_MARKDOWN_MAX);
    root = cmark_parse_document(page.size ? (const char *)page.data : "", page.size,
                                CMARK_OPT_VALIDATE_UTF8);
    walk(&j, root);
    cmark_node_free(root);
    sov_buf_release(&j.run);
    sov_free(j.starts);
    return sov_buf_whole(outline_out, "outline of a page", err);
}
