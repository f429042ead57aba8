#include "base/html.h"

#include <assert.h>

#include "base/text.h"

enum { VISIBLE_MAX = 64 << 20 };

static const char *const elements[] = {
    "html", "head",  "meta",  "title", "style", "body", "main", "section", "h1", "h2",
    "h3",   "h4",    "h5",    "h6",    "p",     "ul",   "li",   "table",   "tr", "th",
    "td",   "thead", "tbody", "pre",   "code",  "a",    "span", "strong",  NULL,
};
static const char *const attributes[] = {
    "lang", "http-equiv", "content", "charset", "name", "class", "scope", NULL,
};

static bool is_in(const char *const *list, const char *word)
{
    for (; *list; list++)
        if (strcmp(*list, word) == 0) return true;
    return false;
}

/* A name that needs no escape anywhere. */
static bool is_anchor(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char rest[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

    return *name && strchr(letters, *name) && strspn(name, rest) == strlen(name);
}

static void escape(struct sov_bytes text, struct sov_buf *out)
{
    for (size_t i = 0; i < text.size; i++) {
        switch (text.data[i]) {
        case '&':
            sov_buf_add_text(out, "&amp;");
            break;
        case '<':
            sov_buf_add_text(out, "&lt;");
            break;
        case '>':
            sov_buf_add_text(out, "&gt;");
            break;
        case '"':
            sov_buf_add_text(out, "&quot;");
            break;
        case '\'':
            sov_buf_add_text(out, "&#39;");
            break;
        default: /* nothing else has power in HTML */
            sov_buf_add_byte(out, text.data[i]);
            break;
        }
    }
}

static void visible(struct sov_html *html, struct sov_bytes text, unsigned flags)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf shown = { 0 };

    sov_buf_init(&shown, VISIBLE_MAX);
    sov_text_visible(text, flags, &shown);
    html->out->cut |= shown.cut;
    escape(sov_buf_bytes(&shown), html->out);
}

/* It holds nothing: closed as XML wants it. */
static bool is_empty(const char *element)
{
    return strcmp(element, "meta") == 0;
}

static void end_tag(struct sov_html *html)
{
    if (html->tag) sov_buf_add_byte(html->out, '>');
    html->tag = false;
}

void sov_html_init(struct sov_html *html, struct sov_buf *out)
{
    *html = (struct sov_html){ .out = out };
    sov_buf_add_text(out, "<!DOCTYPE html>\n");
}

void sov_html_open(struct sov_html *html, const char *element)
{
    assert(is_in(elements, element) && html->depth < SOV_HTML_DEPTH);
    assert(!html->depth || !is_empty(html->open[html->depth - 1]));
    end_tag(html);
    sov_buf_printf(html->out, "<%s", element);
    html->open[html->depth++] = element;
    html->tag = true;
}

void sov_html_attribute(struct sov_html *html, const char *name, const char *value)
{
    assert(html->tag && is_in(attributes, name));
    sov_buf_printf(html->out, " %s=\"", name);
    visible(html, sov_bytes_text(value), 0);
    sov_buf_add_byte(html->out, '"');
}

void sov_html_id(struct sov_html *html, const char *anchor)
{
    assert(html->tag && is_anchor(anchor));
    sov_buf_printf(html->out, " id=\"%s\"", anchor);
}

void sov_html_href(struct sov_html *html, const char *anchor)
{
    assert(html->tag && is_anchor(anchor));
    sov_buf_printf(html->out, " href=\"#%s\"", anchor);
}

void sov_html_text(struct sov_html *html, struct sov_bytes text)
{
    end_tag(html);
    visible(html, text, 0);
}

void sov_html_block(struct sov_html *html, struct sov_bytes text)
{
    end_tag(html);
    visible(html, text, SOV_VISIBLE_BLOCK);
}

void sov_html_style(struct sov_html *html, const char *css)
{
    assert(!strpbrk(css, "<&"));
    sov_html_open(html, "style");
    end_tag(html);
    sov_buf_add_text(html->out, css);
    sov_html_close(html);
}

void sov_html_close(struct sov_html *html)
{
    assert(html->depth);
    html->depth--;
    if (is_empty(html->open[html->depth])) {
        assert(html->tag);
        sov_buf_add_text(html->out, "/>");
        html->tag = false;
        return;
    }
    end_tag(html);
    sov_buf_printf(html->out, "</%s>", html->open[html->depth]);
}

void sov_html_close_to(struct sov_html *html, unsigned depth)
{
    while (html->depth > depth) sov_html_close(html);
}

void sov_html_break(struct sov_html *html)
{
    end_tag(html);
    sov_buf_add_byte(html->out, '\n');
}
