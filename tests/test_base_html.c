#include "base/html.h"

#include "tests/unit.h"

#include <stdlib.h>

#include "tests/hostile_html.h"

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define TEXT(text)                                                                                 \
    {                                                                                              \
        (const uint8_t *)(text), sizeof(text) - 1                                                  \
    }

enum { OUT_MAX = 1 << 20 };

static const struct {
    struct sov_bytes text;
    const char *shown, *block;
} rows[] = {
    { TEXT(""), "", "" },
    { TEXT("plain \xC3\xA9 \xF0\x9F\x8D\xB5"), "plain é 🍵", "plain é 🍵" },
    { TEXT("<b onx='y'>\"&amp;\"</b>"), "&lt;b onx=&#39;y&#39;&gt;&quot;&amp;amp;&quot;&lt;/b&gt;",
      "&lt;b onx=&#39;y&#39;&gt;&quot;&amp;amp;&quot;&lt;/b&gt;" },
    { TEXT("</style><script>x</script><!-- c --><![CDATA[x]]><?p?>"),
      "&lt;/style&gt;&lt;script&gt;x&lt;/script&gt;&lt;!-- c --&gt;&lt;![CDATA[x]]&gt;&lt;?p?&gt;",
      "&lt;/style&gt;&lt;script&gt;x&lt;/script&gt;&lt;!-- c "
      "--&gt;&lt;![CDATA[x]]&gt;&lt;?p?&gt;" },
    { TEXT("a\nb\tc\rd"), "a‹U+000A›b‹U+0009›c‹U+000D›d", "a\nb\tc‹U+000D›d" },
    { TEXT("\0\x1B[31m\x7F\xC2\x9B"), "‹U+0000›‹U+001B›[31m‹U+007F›‹U+009B›",
      "‹U+0000›‹U+001B›[31m‹U+007F›‹U+009B›" },
    { TEXT("a\xE2\x80\xAE"
           "b\xE2\x80\x8B\xF3\xA0\x81\x81\xEF\xBB\xBF\xEF\xBF\xBE"),
      "a‹U+202E›b‹U+200B›‹U+E0041›‹U+FEFF›‹U+FFFE›",
      "a‹U+202E›b‹U+200B›‹U+E0041›‹U+FEFF›‹U+FFFE›" },
    { TEXT("\xFF\xED\xA0\x80 cut \xE2\x82"), "‹0xFF›‹0xED›‹0xA0›‹0x80› cut ‹0xE2›‹0x82›",
      "‹0xFF›‹0xED›‹0xA0›‹0x80› cut ‹0xE2›‹0x82›" },
    { TEXT("javascript:alert(1) @everyone http://evil.example"),
      "javascript:alert(1) @everyone http://evil.example",
      "javascript:alert(1) @everyone http://evil.example" },
    { TEXT("e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81"),
      "e\xCC\x81\xCC\x81\xCC\x81\xCC\x81…", "e\xCC\x81\xCC\x81\xCC\x81\xCC\x81…" },
};

static void text_from_outside_has_no_power(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
        SOV_CLEANUP(sov_buf_release) struct sov_buf wanted = { 0 };
        SOV_CLEANUP(sov_buf_release) struct sov_buf skeleton = { 0 };
        const char *finding;
        struct sov_html html;

        sov_buf_init(&out, OUT_MAX);
        sov_buf_init(&wanted, OUT_MAX);
        sov_buf_init(&skeleton, OUT_MAX);
        sov_html_init(&html, &out);
        sov_html_open(&html, "p");
        sov_html_attribute(
            &html, "class",
            memchr(rows[i].text.data, 0, rows[i].text.size) ? "" : (const char *)rows[i].text.data);
        sov_html_text(&html, rows[i].text);
        sov_html_open(&html, "pre");
        sov_html_block(&html, rows[i].text);
        sov_html_close_to(&html, 0);
        sov_buf_printf(&wanted, "<!DOCTYPE html>\n<p class=\"%s\">%s<pre>%s</pre></p>",
                       memchr(rows[i].text.data, 0, rows[i].text.size) ? "" : rows[i].shown,
                       rows[i].shown, rows[i].block);
        if (!sov_bytes_equal(sov_buf_bytes(&out), sov_buf_bytes(&wanted)))
            fail_msg("row %zu: %.*s", i, (int)out.size, (const char *)out.data);
        finding = html_finding(sov_buf_bytes(&out), &skeleton);
        if (finding) fail_msg("row %zu: %s", i, finding);
    }
}

static void a_document_is_balanced_and_its_empty_elements_are_closed(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_html html;

    (void)state;
    sov_buf_init(&out, OUT_MAX);
    sov_html_init(&html, &out);
    sov_html_open(&html, "html");
    sov_html_open(&html, "head");
    sov_html_open(&html, "meta");
    sov_html_attribute(&html, "charset", "utf-8");
    sov_html_close(&html);
    sov_html_style(&html, "p{margin:0}");
    sov_html_close(&html);
    sov_html_open(&html, "body");
    sov_html_open(&html, "span");
    sov_html_id(&html, "SOW-7");
    sov_html_close(&html);
    sov_html_break(&html);
    sov_html_open(&html, "a");
    sov_html_href(&html, "actor-b.2_c");
    sov_html_close_to(&html, 0);
    assert_int_equal(html.depth, 0);
    sov_buf_add_byte(&out, 0);
    assert_string_equal((const char *)out.data,
                        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"/>"
                        "<style>p{margin:0}</style></head><body><span id=\"SOW-7\"></span>\n"
                        "<a href=\"#actor-b.2_c\"></a></body></html>");
}

/* The reader that the other tests rely on says no where it must. */
static void the_strict_reader_finds_what_is_wrong(void **state)
{
    static const char *const bad[] = {
        "<p>",
        "<p></b></p>",
        "</p>",
        "<script></script>",
        "<p onclick=\"x\"></p>",
        "<p class=x></p>",
        "<a href=\"http://x\"></a>",
        "<p>&nbsp;</p>",
        "<p>a > b</p>",
        "<p>'</p>",
        "<p>\xE2\x80\xAE</p>",
        "<p>\xFF</p>",
        "<p \"></p>",
        "<!-- c -->",
    };

    (void)state;
    for (size_t i = 0; i < ROWS(bad); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
        SOV_CLEANUP(sov_buf_release) struct sov_buf skeleton = { 0 };

        sov_buf_init(&out, OUT_MAX);
        sov_buf_init(&skeleton, OUT_MAX);
        sov_buf_printf(&out, "<!DOCTYPE html>\n%s", bad[i]);
        if (!html_finding(sov_buf_bytes(&out), &skeleton)) fail_msg("%s", bad[i]);
    }
}

static void what_does_not_fit_is_cut_and_says_so(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_error err = { 0 };
    struct sov_html html;

    (void)state;
    sov_buf_init(&out, 24);
    sov_html_init(&html, &out);
    sov_html_open(&html, "p");
    sov_html_text(&html, sov_bytes_text("too much"));
    sov_html_close(&html);
    assert_false(sov_buf_whole(&out, "a page", &err));
    assert_string_equal(err.code, "too_large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_from_outside_has_no_power),
        cmocka_unit_test(a_document_is_balanced_and_its_empty_elements_are_closed),
        cmocka_unit_test(the_strict_reader_finds_what_is_wrong),
        cmocka_unit_test(what_does_not_fit_is_cut_and_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
