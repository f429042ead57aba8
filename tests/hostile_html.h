#ifndef SOV_TESTS_HOSTILE_HTML_H
#define SOV_TESTS_HOSTILE_HTML_H
/* A strict reader of the HTML that we write; it shares nothing with the writer. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"

struct html_read {
    struct sov_bytes text;
    size_t at;
    const char *open[64]; /* names, in the text */
    size_t sizes[64];
    size_t depth;
    struct sov_buf *skeleton; /* tags with what they bear, but those of words in a line */
};

static inline bool html_is(const struct html_read *r, const char *word)
{
    size_t size = strlen(word);

    return r->text.size - r->at >= size && memcmp(r->text.data + r->at, word, size) == 0;
}

static inline bool html_one_of(const char *const *words, const char *name, size_t size)
{
    for (; *words; words++)
        if (strlen(*words) == size && memcmp(*words, name, size) == 0) return true;
    return false;
}

static inline const char *html_character(struct html_read *r)
{
    static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;", NULL };
    uint32_t point;
    size_t size;

    if (html_is(r, "&")) {
        for (const char *const *e = entities; *e; e++) {
            if (!html_is(r, *e)) continue;
            r->at += strlen(*e);
            return NULL;
        }
        return "an entity of others";
    }
    size = sov_text_decode(r->text, r->at, &point);
    if (!size) return "no UTF-8";
    if (strchr("<>\"'", (int)r->text.data[r->at])) return "a sign that has power";
    if (sov_text_is_active(point) && point != '\n' && point != '\t') return "a hidden character";
    r->at += size;
    return NULL;
}

static inline const char *html_attribute(struct html_read *r)
{
    static const char *const names[] = { "lang",  "http-equiv", "content", "charset", "name",
                                         "class", "scope",      "id",      "href",    NULL };
    const char *name = (const char *)r->text.data + ++r->at;
    const char *why;
    size_t size = 0;

    while (r->at + size < r->text.size && name[size] != '=') size++;
    if (!html_one_of(names, name, size)) return "an attribute of others";
    r->at += size;
    if (!html_is(r, "=\"")) return "an attribute without quotes";
    r->at += 2;
    if (size == 4 && memcmp(name, "href", 4) == 0 && !html_is(r, "#")) return "a link to outside";
    while (r->at < r->text.size && !html_is(r, "\""))
        if ((why = html_character(r))) return why;
    r->at++;
    return NULL;
}

static inline const char *html_tag(struct html_read *r)
{
    static const char *const names[] = {
        "html", "head",  "meta",  "title", "style", "body", "main", "section", "h1", "h2",
        "h3",   "h4",    "h5",    "h6",    "p",     "ul",   "li",   "table",   "tr", "th",
        "td",   "thead", "tbody", "pre",   "code",  "a",    "span", "strong",  NULL,
    };
    static const char *const inlines[] = { "code", NULL };
    bool closing = html_is(r, "</");
    size_t from = r->at, size = 0;
    const char *name, *why;

    r->at += closing ? 2 : 1;
    name = (const char *)r->text.data + r->at;
    while (r->at + size < r->text.size && name[size] != '>' && name[size] != ' ') size++;
    if (!html_one_of(names, name, size)) return "an element of others";
    r->at += size;
    if (closing) {
        if (!r->depth || r->sizes[--r->depth] != size || memcmp(r->open[r->depth], name, size) != 0)
            return "closed what was not open";
    } else {
        if (r->depth == 64) return "too deep";
        r->open[r->depth] = name;
        r->sizes[r->depth++] = size;
        while (html_is(r, " "))
            if ((why = html_attribute(r))) return why;
        /* Of any other element a browser takes no notice of the stroke. */
        if (html_is(r, "/")) {
            if (size != 4 || memcmp(name, "meta", 4) != 0) return "a stroke that ends nothing";
            r->at++, r->depth--;
        }
    }
    if (!html_is(r, ">")) return "a tag stays open";
    r->at++;
    if (!html_one_of(inlines, name, size))
        sov_buf_add(r->skeleton, sov_bytes(r->text.data + from, r->at - from));
    return NULL;
}

/* NULL if it is well-formed and of few elements, else what is wrong. */
static inline const char *html_finding(struct sov_bytes text, struct sov_buf *skeleton)
{
    static const char doctype[] = "<!DOCTYPE html>\n";
    struct html_read r = { .text = text, .skeleton = skeleton };
    const char *why = NULL;

    if (!html_is(&r, doctype)) return "no document type";
    r.at = sizeof doctype - 1;
    while (!why && r.at < text.size) why = html_is(&r, "<") ? html_tag(&r) : html_character(&r);
    if (why) return why;
    return r.depth ? "an element stays open" : NULL;
}
#endif
