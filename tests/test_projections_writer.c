#include "tests/unit.h"

#include <stdlib.h>

#include "tests/hostile_page.h"

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define OCTETS(text)                                                                               \
    {                                                                                              \
        (const uint8_t *)(text), sizeof(text) - 1                                                  \
    }

enum { PAGE_MAX = 4 << 20 };

static const struct sov_bytes hostile[] = {
    OCTETS(""),
    OCTETS(" \n\t "),
    OCTETS("plain"),
    OCTETS("\0\x01\x1B[31mred\x07\x7F\xC2\x9B"),
    OCTETS("\x1B]0;title\x07"),
    OCTETS("abc\xE2\x80\xAE"
           "fed \xE2\x81\xA6x\xE2\x81\xA9 \xE2\x80\x8B\xEF\xBB\xBF\xF3\xA0\x81\x81"),
    OCTETS("line\xE2\x80\xA8"
           "separator\xE2\x80\xA9paragraph\xC2\x85next"),
    OCTETS("\xFF\xC0\x80\xED\xA0\x80\xF4\x90\x80\x80 cut \xE2\x82"),
    OCTETS("# heading\n## again\nunderlined\n===\nthin\n---\n"),
    OCTETS("- item\n* item\n+ item\n1. item\n2) item\n> quote\n***\n___\n"),
    OCTETS("    indented\n\tindented\n```\nfence\n```\n~~~\n"),
    OCTETS("``` text\n# x\n```` \n`````"),
    OCTETS("*a* **b** _c_ __d__ ~~e~~ `f` ``g` h``"),
    OCTETS("[a](http://evil) ![a](x.png) <http://evil> [a]: /x\n\n[a][a] [^1] [ ] [x]"),
    OCTETS("[[Wiki]] [SOW-7](javascript:x) [x](<a b>)"),
    OCTETS("<script>x</script> <b onx=y> <!-- c --> <?p?> <![CDATA[x]]> </div>"),
    OCTETS("<details>\n\n&lt; &amp;lt; &#64;bob &#x40; &#10;# x &nbsp; &"),
    OCTETS("@alice @org/team a@b.example mailto:x xmpp:y"),
    OCTETS("fixes #1, closes a/b#12; resolves GH-12 g!7 $5 ~l %m"),
    OCTETS("http://x https://x|y ftp://z www.x.example WWW.X"),
    OCTETS("::error file=x::y\n::set-output name=x::y\n##[error]x ##vso[task.setvariable]x"),
    OCTETS("a | b || c \\| d \\\\| e `f | g` @h|i |---|---|"),
    OCTETS("| --- | --- |\n| a | b |"),
    OCTETS("\\ \\\\ \\` \\* ends in \\"),
    OCTETS("` `` ``` ```` a`b `@c` ``@d"),
    OCTETS("`"),
    OCTETS("@`"),
    OCTETS("|"),
    OCTETS("@|"),
    OCTETS("\\"),
    OCTETS("#"),
    OCTETS("1."),
    OCTETS("2024."),
    OCTETS("-"),
    OCTETS("="),
    OCTETS("a._b_.c"),
    OCTETS("www.evil.example"),
    OCTETS("gh-12"),
    OCTETS("\xF0\x9F\x8D\xB5\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB \xF0\xA0\x80\x80"),
    OCTETS("\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81 first \xCC\xB8|"),
    OCTETS("end\"]; click n1 \"x\" %%{init: {}}%% <br/> subgraph #35; n1-->n2"),
    OCTETS("<<<<<<< HEAD\n=======\n>>>>>>> x\nLast event: 9 \xC2\xB7 renderer 1"),
    OCTETS("$x$ $$y$$ :tada: {{x}} {% x %} <%= x %> \xE2\x80\xB9U+202E\xE2\x80\xBA"),
};

static void require_harmless(struct sov_bytes text, const char *name, size_t row)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    SOV_CLEANUP(sov_page_release) struct sov_page page = { 0 };
    struct sov_error err = { 0 };
    const char *finding;

    sov_buf_init(&out, PAGE_MAX);
    sov_page_init(&page, &out);
    hostile_page(&page, text);
    if (!sov_page_judge(&page, &err))
        fail_msg("%s %zu: %s\n%.*s", name, row, err.what, (int)out.size, (const char *)out.data);
    finding = hostile_finding(sov_buf_bytes(&out));
    if (finding)
        fail_msg("%s %zu: %s\n%.*s", name, row, finding, (int)out.size, (const char *)out.data);
}

static void hostile_text_changes_no_page(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(hostile); i++) require_harmless(hostile[i], "row", i);
}

static void ten_thousand_marks_are_four(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    SOV_CLEANUP(sov_page_release) struct sov_page page = { 0 };
    struct sov_error err = { 0 };

    (void)state;
    sov_buf_init(&text, 100000);
    sov_buf_add_text(&text, "e");
    for (int i = 0; i < 10000; i++) sov_buf_add_text(&text, "\xCC\x81");
    require_harmless(sov_buf_bytes(&text), "marks", 0);
    sov_buf_init(&out, PAGE_MAX);
    sov_page_init(&page, &out);
    sov_page_said(&page, sov_bytes_text("bob"), sov_buf_bytes(&text));
    assert_true(sov_page_judge(&page, &err));
    assert_true(sov_bytes_is(sov_buf_bytes(&out), "Said by bob, unverified:\n\n```text\n"
                                                  "| e\xCC\x81\xCC\x81\xCC\x81\xCC\x81…\n```\n"));
}

static uint32_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)(*seed >> 32);
}

/* Pieces of the corpus, single signs and raw octets in any order. */
static void any_mixture_of_hostile_text_changes_no_page(void **state)
{
    static const char signs[] = "`~|\\*_#-+>[]()<>&!@:;=\n\r\t 1.x";

    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
        uint64_t chance = seed * UINT64_C(0x9E3779B97F4A7C15);

        sov_buf_init(&text, 4096);
        for (uint32_t n = next_random(&chance) % 40; n; n--) {
            uint32_t dice = next_random(&chance);
            struct sov_bytes piece = hostile[next_random(&chance) % ROWS(hostile)];
            size_t from = piece.size ? next_random(&chance) % piece.size : 0;

            if (dice % 8 == 0)
                sov_buf_add_byte(&text, (uint8_t)(dice >> 8));
            else if (dice % 8 < 5)
                sov_buf_add_byte(&text, (uint8_t)signs[(dice >> 8) % (sizeof signs - 1)]);
            else
                sov_buf_add(&text, sov_bytes(piece.data + from,
                                             next_random(&chance) % (piece.size - from + 1)));
        }
        require_harmless(sov_buf_bytes(&text), "seed", (size_t)seed);
    }
}

static void a_page_looks_as_designed(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    SOV_CLEANUP(sov_page_release) struct sov_page page = { 0 };
    struct sov_error err = { 0 };

    (void)state;
    sov_buf_init(&out, PAGE_MAX);
    sov_page_init(&page, &out);
    sov_page_heading(&page, 1);
    sov_page_id(&page, sov_bytes_text("SOW-7"));
    sov_page_own(&page, ": ");
    sov_page_text(&page, sov_bytes_text("Restock *tea*"));
    sov_page_paragraph(&page);
    sov_page_strong(&page, "REVIEW");
    sov_page_own(&page, " · next: ");
    sov_page_code(&page, sov_bytes_text("sov review SOW-7 --pass"));
    sov_page_item(&page, 1);
    sov_page_own(&page, "one");
    sov_page_item(&page, 2);
    sov_page_number(&page, 2);
    sov_page_table(&page, 2);
    sov_page_row(&page);
    sov_page_cell(&page);
    sov_page_own(&page, "id");
    sov_page_cell(&page);
    sov_page_own(&page, "said");
    sov_page_row(&page);
    sov_page_cell(&page);
    sov_page_link(&page, sov_bytes_text("SIG-4"), "../sows/SOW-7.md#sig-4");
    sov_page_cell(&page);
    sov_page_text(&page, sov_bytes_text("a|b"));
    sov_page_fence(&page, "mermaid");
    sov_page_line(&page);
    sov_page_own(&page, "flowchart LR");
    sov_page_line(&page);
    sov_page_own(&page, "  n1[");
    sov_page_label(&page, sov_bytes_text("SIG-4 \"x\""));
    sov_page_own(&page, "]");
    sov_page_said(&page, sov_bytes_text("builder-3"), sov_bytes_text("done\n```\n"));
    if (!sov_page_judge(&page, &err)) fail_msg("%s", err.what);
    sov_buf_add_byte(&out, 0);
    assert_string_equal((const char *)out.data,
                        "# SOW-7: Restock \\*tea\\*\n\n"
                        "**REVIEW** · next: `sov review SOW-7 --pass`\n\n"
                        "- one\n  - 2\n\n"
                        "| id | said |\n| --- | --- |\n"
                        "| [SIG\\-4](../sows/SOW-7.md#sig-4) | a&#124;b |\n\n"
                        "```mermaid\nflowchart LR\n  n1[\"SIG-4 #34;x#34;\"]\n```\n\n"
                        "Said by builder-3, unverified:\n\n"
                        "````text\n| done\n| ```\n````\n");
}

/* The judge must not only agree: without the escaper each of these is refused. */
static void text_that_goes_round_the_escaper_is_refused(void **state)
{
    static const struct sov_bytes raw[] = {
        OCTETS("\n# heading"),
        OCTETS("\n- item"),
        OCTETS("\n\nparagraph"),
        OCTETS("\n> quote"),
        OCTETS("\n***"),
        OCTETS("\n---"),
        OCTETS("\n```\nx"),
        OCTETS("*a*"),
        OCTETS("**a**"),
        OCTETS("`a`"),
        OCTETS("[a](b)"),
        OCTETS("![a](b)"),
        OCTETS("<b>"),
        OCTETS("<!-- a -->"),
        OCTETS("<http://x>"),
        OCTETS("http://x"),
        OCTETS("@bob"),
        OCTETS("&#64;bob"),
        OCTETS("fixes #12"),
        OCTETS("GH-12"),
        OCTETS("[[x]]"),
        OCTETS("  \nx"),
        OCTETS("\\\nx"),
        OCTETS("\x1B[31m"),
        OCTETS("\xE2\x80\xAE"),
        OCTETS("\xFF"),
        OCTETS("\n<div>"),
        OCTETS("\n\n    code"),
        OCTETS("\n|a|b|\n|-|-|"),
    };

    (void)state;
    for (size_t i = 0; i < ROWS(raw); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
        SOV_CLEANUP(sov_page_release) struct sov_page page = { 0 };
        struct sov_error err = { 0 };

        sov_buf_init(&out, PAGE_MAX);
        sov_page_init(&page, &out);
        sov_page_paragraph(&page);
        sov_page_own(&page, "Title: ");
        sov_buf_add(&out, raw[i]);
        if (sov_page_judge(&page, &err)) fail_msg("row %zu", i);
        assert_string_equal(err.code, "view_unsafe");
        assert_int_equal(err.exit, SOV_UNABLE);
    }
}

static void a_cell_too_many_a_heading_and_a_moved_link_are_refused(void **state)
{
    static const char *const raw[] = { "x | y", "x", "](http://evil) [", "\n```\n# x\n```text" };

    (void)state;
    for (size_t i = 0; i < ROWS(raw); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
        SOV_CLEANUP(sov_page_release) struct sov_page page = { 0 };
        struct sov_error err = { 0 };

        sov_buf_init(&out, PAGE_MAX);
        sov_page_init(&page, &out);
        if (i == 0) {
            sov_page_table(&page, 1);
            sov_page_row(&page);
            sov_page_cell(&page);
        } else if (i == 1) {
            sov_page_heading(&page, 2);
        } else if (i == 2) {
            sov_page_paragraph(&page);
            sov_page_own(&page, "[");
        } else {
            sov_page_fence(&page, "text");
            sov_page_line(&page);
        }
        sov_buf_add_text(&out, raw[i]);
        if (i == 2) sov_page_link(&page, sov_bytes_text("SOW-7"), "SOW-7.md");
        if (sov_page_judge(&page, &err)) fail_msg("row %zu", i);
        assert_string_equal(err.code, "view_unsafe");
    }
}

static void a_page_that_does_not_fit_is_refused(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    SOV_CLEANUP(sov_page_release) struct sov_page page = { 0 };
    struct sov_error err = { 0 };

    (void)state;
    sov_buf_init(&out, 10);
    sov_page_init(&page, &out);
    sov_page_heading(&page, 1);
    sov_page_own(&page, "a heading");
    assert_false(sov_page_judge(&page, &err));
    assert_string_equal(err.code, "too_large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_looks_as_designed),
        cmocka_unit_test(hostile_text_changes_no_page),
        cmocka_unit_test(ten_thousand_marks_are_four),
        cmocka_unit_test(any_mixture_of_hostile_text_changes_no_page),
        cmocka_unit_test(text_that_goes_round_the_escaper_is_refused),
        cmocka_unit_test(a_cell_too_many_a_heading_and_a_moved_link_are_refused),
        cmocka_unit_test(a_page_that_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
