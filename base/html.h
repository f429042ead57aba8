#ifndef SOV_BASE_HTML_H
#define SOV_BASE_HTML_H
/*
 * Writes one HTML document that is well-formed XML too: balanced by construction, of few elements
 * and attributes, no script, no reference to anything outside of it.
 * Owns: the escaping of text and attributes, which elements there are, what is still open.
 * Not here: what a document says (projections/).
 */
#include "base/buf.h"

enum { SOV_HTML_DEPTH = 32 };

struct sov_html {
    struct sov_buf *out; /* the caller's; may be emptied between two calls, but not in a tag */
    const char *open[SOV_HTML_DEPTH];
    unsigned depth;
    bool tag; /* attributes may follow */
};
/* Writes the document type. */
void sov_html_init(struct sov_html *html, struct sov_buf *out);
/* Elements and names of attributes are constants of the list in html.c; another one is a fault of
 * the program. */
void sov_html_open(struct sov_html *html, const char *element);
/* Of the element just opened. */
void sov_html_attribute(struct sov_html *html, const char *name, const char *value);
/* The anchor of this name, or a link to it: [A-Za-z][A-Za-z0-9._-]*, nothing else is a link. */
void sov_html_id(struct sov_html *html, const char *anchor);
void sov_html_href(struct sov_html *html, const char *anchor);
/* Anything: in visible form (base/text.h); a block keeps line feeds and tabs. */
void sov_html_text(struct sov_html *html, struct sov_bytes text);
void sov_html_block(struct sov_html *html, struct sov_bytes text);
/* Our own sheet, as it is: no < and no &. */
void sov_html_style(struct sov_html *html, const char *css);
void sov_html_close(struct sov_html *html); /* what was opened last */
void sov_html_close_to(struct sov_html *html, unsigned depth);
void sov_html_break(struct sov_html *html); /* a line end of the source, outside of <pre> */
#endif
