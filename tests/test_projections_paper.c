/* The page writer's second back end: one page, HTML. */
#include "tests/unit.h"

#include <stdlib.h>

#include "projections/writer.h"
#include "tests/hostile_html.h"
#include "tests/hostile_page.h"

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define OCTETS(text)                                                                               \
    {                                                                                              \
        (const uint8_t *)(text), sizeof(text) - 1                                                  \
    }

enum { PAGE_MAX = 4 << 20 };

struct printing {
    struct sov_arena arena;
    struct sov_buf markdown, out;
    struct sov_paper paper;
    struct sov_page page;
};

static void printing_begin(struct printing *p)
{
    sov_arena_init(&p->arena, PAGE_MAX);
    sov_buf_init(&p->markdown, PAGE_MAX);
    sov_buf_init(&p->out, PAGE_MAX);
    sov_paper_init(&p->paper, &p->out, &p->arena);
    sov_page_init(&p->page, &p->markdown);
    p->page.paper = &p->paper;
    sov_paper_section(&p->paper, "SOW-7");
}

static void printing_end(struct printing *p)
{
    sov_page_release(&p->page);
    sov_paper_release(&p->paper);
    sov_buf_release(&p->out);
    sov_buf_release(&p->markdown);
    sov_arena_release(&p->arena);
}

static const char *done(struct printing *p)
{
    struct sov_error err = { 0 };

    if (!sov_page_judge(&p->page, &err)) fail_msg("%s", err.what);
    sov_html_close_to(&p->paper.html, 0);
    assert_false(p->out.cut);
    return sov_arena_text(&p->arena, sov_buf_bytes(&p->out));
}

static void some_cells(struct printing *p)
{
    sov_page_table(&p->page, 2);
    sov_page_row(&p->page);
    sov_page_cell(&p->page);
    sov_page_own(&p->page, "id");
    sov_page_cell(&p->page);
    for (int i = 0; i < 2; i++) {
        sov_page_row(&p->page);
        sov_page_cell(&p->page);
        sov_paper_here(&p->paper, SOV_STREAM_RECEIPT, 40);
        sov_page_id(&p->page, sov_bytes_text("RCP-40"));
        sov_page_cell(&p->page);
        sov_page_text(&p->page, sov_bytes_text("a|b <i>"));
    }
}

static void a_page_on_paper_looks_as_designed(void **state)
{
    SOV_CLEANUP(printing_end) struct printing p = { 0 };

    (void)state;
    printing_begin(&p);
    p.paper.shift = 1;
    sov_page_heading(&p.page, 1);
    sov_page_id(&p.page, sov_bytes_text("SOW-7"));
    sov_page_own(&p.page, ": ");
    sov_page_text(&p.page, sov_bytes_text("Restock *tea* & more"));
    sov_page_paragraph(&p.page);
    sov_page_strong(&p.page, "REVIEW");
    sov_page_own(&p.page, " · next: ");
    sov_page_code(&p.page, sov_bytes_text("sov review SOW-7 --pass"));
    sov_page_item(&p.page, 1);
    sov_page_own(&p.page, "one");
    sov_page_item(&p.page, 2);
    sov_page_number(&p.page, 2);
    sov_page_item(&p.page, 2);
    sov_page_number(&p.page, -3);
    sov_page_item(&p.page, 1);
    sov_page_link(&p.page, sov_bytes_text("bob"), "../actors/bob.md");
    sov_page_link(&p.page, sov_bytes_text("content"), "../blobs/00");
    some_cells(&p);
    sov_page_fence(&p.page, "mermaid");
    sov_page_line(&p.page);
    sov_page_own(&p.page, "flowchart LR");
    sov_page_label(&p.page, sov_bytes_text("x"));
    sov_page_fence(&p.page, "sh");
    sov_page_line(&p.page);
    sov_page_own(&p.page, "cat <a >b");
    sov_page_line(&p.page);
    sov_page_line(&p.page);
    sov_page_own(&p.page, "c");
    sov_page_said(&p.page, sov_bytes_text("builder-3"), sov_bytes_text("done\n</pre>\n"));
    assert_string_equal(
        done(&p),
        "<!DOCTYPE html>\n\n<section id=\"SOW-7\">\n<h2>SOW-7: Restock *tea* &amp; more</h2>\n"
        "<p><strong>REVIEW</strong> · next: <code>sov review SOW-7 --pass</code></p><ul>\n"
        "<li>one<ul>\n<li>2</li>\n<li>-3</li></ul></li>\n"
        "<li><a href=\"#actor-bob\">bob</a> content</li></ul>\n"
        "<table><thead>\n<tr><th scope=\"col\">id</th><th scope=\"col\"></th></tr></thead><tbody>\n"
        "<tr><td><span id=\"RCP-40\"></span>RCP-40</td><td>a|b &lt;i&gt;</td></tr>\n"
        "<tr><td>RCP-40</td><td>a|b &lt;i&gt;</td></tr></tbody></table>\n"
        "<pre>cat &lt;a &gt;b\n\nc</pre>\n<p>Said by builder-3, unverified:</p>\n"
        "<pre class=\"said\">| done\n| &lt;/pre&gt;\n</pre></section>");
}

static void links_lead_to_pages_of_the_document_alone(void **state)
{
    SOV_CLEANUP(printing_end) struct printing p = { 0 };
    struct sov_anchors pages = { 0 }, seen = { 0 };

    (void)state;
    printing_begin(&p);
    sov_anchors_add(&pages, "OUT-1", &p.arena);
    p.paper.pages = &pages;
    p.paper.seen = &seen;
    sov_page_paragraph(&p.page);
    sov_page_link(&p.page, sov_bytes_text("OUT-1"), "../outcomes/OUT-1.md");
    sov_page_link(&p.page, sov_bytes_text("OUT-2"), "../outcomes/OUT-2.md");
    sov_page_link(&p.page, sov_bytes_text("OUT-2"), "../outcomes/OUT-2.md");
    sov_page_link(&p.page, sov_bytes_text("OUT-1"), "actors/OUT-1.md");
    sov_page_link(&p.page, sov_bytes_text("end"), "#end");
    assert_string_equal(done(&p), "<!DOCTYPE html>\n\n<section id=\"SOW-7\">\n"
                                  "<p><a href=\"#OUT-1\">OUT-1</a> OUT-2 OUT-2 OUT-1 "
                                  "<a href=\"#end\">end</a></p></section>");
    assert_int_equal(seen.count, 3);
    assert_string_equal(seen.at[0], "OUT-1");
    assert_string_equal(seen.at[1], "OUT-2");
    assert_string_equal(seen.at[2], "actor-OUT-1");
}

/* What remains of a page without its words is always the same. */
static void skeleton_of(struct sov_bytes text, struct sov_buf *skeleton, size_t row)
{
    SOV_CLEANUP(printing_end) struct printing p = { 0 };
    const char *finding;

    printing_begin(&p);
    hostile_page(&p.page, text);
    finding = html_finding(sov_bytes_text(done(&p)), skeleton);
    if (finding) fail_msg("row %zu: %s", row, finding);
}

static void no_text_changes_what_a_page_is_on_paper(void **state)
{
    static const struct sov_bytes hostile[] = {
        OCTETS(""),
        OCTETS("\0\x01\x1B[31mred\x07\x7F\xC2\x9B"),
        OCTETS("abc\xE2\x80\xAE"
               "fed \xE2\x81\xA6x\xE2\x81\xA9 \xE2\x80\x8B\xEF\xBB\xBF\xF3\xA0\x81\x81"),
        OCTETS("\xFF\xC0\x80\xED\xA0\x80\xF4\x90\x80\x80 cut \xE2\x82"),
        OCTETS("<script>x</script> <b onx=y> <!-- c --> <?p?> <![CDATA[x]]> </div></section>"),
        OCTETS("</pre></td></tr></table></style></title></html>"),
        OCTETS("\" onclick=\"x\" ' onclick='x' = `x`"),
        OCTETS("&lt; &amp;lt; &#60;b&#62; &#x3c; &nbsp; &copy &"),
        OCTETS("javascript:alert(1) data:text/html,x http://x [a](javascript:x) url(http://x)"),
        OCTETS("@alice @org/team fixes #1, a/b#12 mailto:x"),
        OCTETS("| a | b |\n\n# h\n```\n</code>\n- x\n"),
        OCTETS("\xF0\x9F\x8D\xB5\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB \xF0\xA0\x80\x80"),
        OCTETS("]]> --> %> ?> */ \\3c \\u003c"),
    };
    SOV_CLEANUP(sov_buf_release) struct sov_buf plain = { 0 };

    (void)state;
    sov_buf_init(&plain, PAGE_MAX);
    skeleton_of(sov_bytes_text("plain"), &plain, 0);
    assert_true(plain.size > 500);
    for (size_t i = 0; i < ROWS(hostile); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf skeleton = { 0 };

        sov_buf_init(&skeleton, PAGE_MAX);
        skeleton_of(hostile[i], &skeleton, i);
        if (!sov_bytes_equal(sov_buf_bytes(&plain), sov_buf_bytes(&skeleton)))
            fail_msg("row %zu: %.*s", i, (int)skeleton.size, (const char *)skeleton.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_on_paper_looks_as_designed),
        cmocka_unit_test(links_lead_to_pages_of_the_document_alone),
        cmocka_unit_test(no_text_changes_what_a_page_is_on_paper),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
