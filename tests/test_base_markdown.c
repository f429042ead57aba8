#include "tests/unit.h"

#include <stdlib.h>

#include "base/env.h"
#include "base/fingerprint.h"
#include "base/markdown.h"

#define ROWS(table) (sizeof(table) / sizeof *(table))

static void a_page_has_the_outline_that_a_reader_sees(void **state)
{
    static const struct {
        const char *page, *outline;
    } rows[] = {
        { "", "" },
        { "\n\n", "" },
        { "text", "p\n" },
        { "one\ntwo\n\nthree\n", "p\np\n" },
        { "# a *b* `c` \\*\n", "h1 a b c *\nemph\ncode\n" },
        { "a\n===\nb\n---\n", "h1 a\nh2 b\n" },
        { "##\n", "h2 \n" },
        { "# a&#10;item 1\n", "h1 a‹U+000A›item 1\n" },
        { "- a\n  - b\n- c\n", "item 1\np\nitem 2\np\nitem 1\np\n" },
        { "1. a\n2) b\n", "item 1\np\nitem 1\np\n" },
        { "> q\n", "quote\np\n" },
        { "***\n", "rule\n" },
        { "```text x\na\nb\n```\n", "fence text x 2\n" },
        { "````mermaid\n```\n````\n", "fence mermaid 1\n" },
        { "```\na\n```\n", "indented 1\n" },
        { "    a\n", "indented 1\n" },
        { "```text\nnever closed\n# x\n", "fence text 2\n" },
        { "<div>\n", "html\n" },
        { "a <b>\n", "p\nhtml\n" },
        { "a <!-- b -->\n", "p\nhtml\n" },
        { "[a](b \"t\")\n", "p\nlink b\n" },
        { "![a](b)\n", "p\nimage b\n" },
        { "<http://x>\n", "p\nlink http://x\nactive\n" },
        { "[a](<b\xE2\x80\xAE>)\n", "p\nlink b‹U+202E›\n" },
        { "[a]\n\n[a]: /b\n", "p\nlink /b\n" },
        { "**a** *b*\n", "p\nstrong\nemph\n" },
        { "a  \nb\n", "p\nbreak\n" },
        { "a\\\nb\n", "p\nbreak\n" },
        { "| a | b |\n| --- | --- |\n| c | d |\n", "row 2\nrow 2\n" },
        { "| a | b |\r\n|:-:|--:|\r\n| `c | d` | e |\r\n", "row 2\nrow 3\ncode\n" },
        { "a|b\n---|---\nc\\|d\n", "row 2\nrow 1\n" },
        { "intro\n|a|\n|-|\n|b|\n", "p\nrow 1\nrow 1\n" },
        { "- a|b\n  ---|---\n", "item 1\nrow 2\n" },
        { "> | a |\n> | - |\n", "quote\nrow 1\n" },
        { "| a | b |\n| --- |\n", "p\n" },
        { "| a |\n| - - |\n", "p\n" },
        { "| a |\n| -:- |\n", "p\n" },
        { "| a |\n| --- |\n| **b** [c](d) |\n", "row 1\nrow 1\nstrong\nlink d\n" },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct sov_error err = { 0 };
        struct sov_buf outline;

        sov_buf_init(&outline, 10000);
        assert_true(sov_markdown_outline(sov_bytes_text(rows[i].page), &outline, &err));
        if (!sov_bytes_is(sov_buf_bytes(&outline), rows[i].outline))
            fail_msg("row %zu is\n%.*s", i, (int)outline.size, (const char *)outline.data);
        sov_buf_release(&outline);
    }
}

static void what_becomes_a_link_by_itself_is_seen(void **state)
{
    static const struct {
        const char *text;
        bool active;
    } rows[] = {
        { "ask @bob", true },    { "\\@bob", true },     { "&#64;bob", true },
        { "a@b.example", true }, { "fixes #12", true },  { "\\#12", true },
        { "a/b\\#12", true },    { "gh-12", true },      { "GH\\-12", true },
        { "\\[\\[page", true },  { "http\\://x", true }, { "ftp://x", true },
        { "WWW.x", true },       { "mailto:x", true },   { "xmpp:x", true },
        { "`@bob #12`", false }, { "a @ b", false },     { "c# and #x", false },
        { "GH-x", false },       { "12:30", false },     { "[ [", false },
        { "@*bob*", false },     { "plain", false },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct sov_error err = { 0 };
        struct sov_buf outline;
        bool active;

        sov_buf_init(&outline, 10000);
        assert_true(sov_markdown_outline(sov_bytes_text(rows[i].text), &outline, &err));
        sov_buf_add_byte(&outline, 0);
        active = strstr((const char *)outline.data, "active\n") != NULL;
        if (active != rows[i].active) fail_msg("%s", rows[i].text);
        sov_buf_release(&outline);
    }
}

static void an_outline_that_does_not_fit_is_no_outline(void **state)
{
    struct sov_error err = { 0 };
    struct sov_buf outline;

    (void)state;
    sov_buf_init(&outline, 3);
    assert_false(sov_markdown_outline(sov_bytes_text("a\n\nb\n"), &outline, &err));
    assert_string_equal(err.code, "too_large");
    sov_buf_release(&outline);
}

/* The vectors of the xxHash specification's reference program, seed 0. */
static void a_fingerprint_is_xxh3_of_128_bits(void **state)
{
    struct sov_fingerprint empty = sov_fingerprint(sov_bytes(NULL, 0));
    struct sov_fingerprint a = sov_fingerprint(sov_bytes_text("a"));

    (void)state;
    assert_true(empty.high == 0x99AA06D3014798D8u && empty.low == 0x6001C324468D497Fu);
    assert_true(a.high == 0xA96FAF705AF16834u && a.low == 0xE6C632B61E964E1Fu);
    assert_true(sov_fingerprint_equal(a, sov_fingerprint(sov_bytes_text("a"))));
    assert_false(sov_fingerprint_equal(a, empty));
}

static void an_empty_variable_counts_as_unset(void **state)
{
    (void)state;
    assert_int_equal(setenv("SOV_TEST_VARIABLE", "value", 1), 0);
    assert_string_equal(sov_env("SOV_TEST_VARIABLE"), "value");
    assert_int_equal(setenv("SOV_TEST_VARIABLE", "", 1), 0);
    assert_null(sov_env("SOV_TEST_VARIABLE"));
    assert_int_equal(unsetenv("SOV_TEST_VARIABLE"), 0);
    assert_null(sov_env("SOV_TEST_VARIABLE"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_has_the_outline_that_a_reader_sees),
        cmocka_unit_test(what_becomes_a_link_by_itself_is_seen),
        cmocka_unit_test(an_outline_that_does_not_fit_is_no_outline),
        cmocka_unit_test(a_fingerprint_is_xxh3_of_128_bits),
        cmocka_unit_test(an_empty_variable_counts_as_unset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
