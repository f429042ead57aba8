#include "tests/unit.h"

#include <stdlib.h>

#include "base/crypto.h"
#include "base/text.h"
#include "projections/escape.h"

#define ROWS(table) (sizeof(table) / sizeof *(table))

static void expect(const struct sov_buf *out, const char *expected)
{
    if (!sov_bytes_is(sov_buf_bytes(out), expected))
        fail_msg("'%.*s' is not '%s'", (int)out->size, (const char *)out->data, expected);
}

static void words_in_a_line_lose_their_power(void **state)
{
    static const struct {
        const char *text, *escaped;
        unsigned spans;
    } rows[] = {
        { "plain t\xC3\xA9 \xF0\x9F\x8D\xB5", "plain t\xC3\xA9 \xF0\x9F\x8D\xB5", 0 },
        { "AMZ amz 059", "AMZ amz 059", 0 },
        { "a\x7F", "a\x7F", 0 }, /* what is shown has none */
        { "*a* _b_ # - + 1.", "\\*a\\* \\_b\\_ `#` \\- \\+ 1\\.", 1 },
        { "!\"$%'()*+,-./:;=?[\\]^_`{}~",
          "\\!\\\"\\$\\%\\'\\(\\)\\*\\+\\,\\-\\.\\/\\:\\;\\=\\?"
          "\\[\\\\\\]\\^\\_\\`\\{\\}\\~",
          0 },
        { "a&lt;b <i> c|d", "a&amp;lt\\;b &lt;i&gt; c&#124;d", 0 },
        { "ask @bob", "ask `@bob`", 1 },
        { "a@b.example, c", "`a@b.example,` c", 1 },
        { "fixes #1 and gh-12", "fixes `#1` and `gh-12`", 2 },
        { "a/b#12 g/p!7 Done!", "`a/b#12` `g/p!7` Done\\!", 2 },
        { "see [[Page]]", "see `[[Page]]`", 1 },
        { "http://x/`y`", "`` http://x/`y` ``", 1 },
        { "`@x`", "`` `@x` ``", 1 },
        { "WWW.x mailto:y", "`WWW.x` `mailto:y`", 2 },
        { "@a|b", "`@a`&#124;`b`", 2 },
        { "##[error]x", "`##`\\[`error]x`", 2 },
        { "##vso[task.set]x", "`##vso`\\[`task.set]x`", 2 },
        { "::error::x", "\\:\\:error\\:\\:x", 0 },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

        sov_buf_init(&out, 4096);
        assert_int_equal(sov_escape_inline(sov_bytes_text(rows[i].text), &out), rows[i].spans);
        expect(&out, rows[i].escaped);
    }
}

static void code_is_fenced_by_more_backticks_than_it_has(void **state)
{
    static const struct {
        const char *text, *escaped;
        unsigned spans;
    } rows[] = {
        { "", "", 0 },
        { "a b", "`a b`", 1 },
        { "a`b", "``a`b``", 1 },
        { "``", "``` `` ```", 1 },
        { "a``b`c", "```a``b`c```", 1 },
        { " ", "` `", 1 },
        { " a ", "`  a  `", 1 },
        { " a", "` a`", 1 },
        { "`a", "`` `a ``", 1 },
        { "a || b\\", "`a `&#124;&#124;` b\\`", 2 },
        { "|", "&#124;", 0 },
        { "<b>&amp;", "`<b>&amp;`", 1 },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

        sov_buf_init(&out, 4096);
        assert_int_equal(sov_escape_code(sov_bytes_text(rows[i].text), &out), rows[i].spans);
        expect(&out, rows[i].escaped);
    }
}

static void a_label_passes_letters_digits_and_four_signs(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

    (void)state;
    sov_buf_init(&out, 4096);
    sov_escape_label(sov_bytes_text("Tea-1_a., \"]#;<br/>end\xC3\xA9\xF0\x9F\x8D\xB5"), &out);
    expect(&out, "Tea-1_a., #34;#93;#35;#59;#60;br#47;#62;end#233;#127861;");
    sov_buf_clear(&out);
    sov_escape_label(sov_bytes_text("/09:@AZ[`az{"), &out);
    expect(&out, "#47;09#58;#64;AZ#91;#96;az#123;");
}

static void a_block_keeps_its_lines_behind_a_bar(void **state)
{
    static const struct {
        const char *text, *escaped;
        size_t lines;
    } rows[] = {
        { "", "", 0 },
        { "a", "| a\n", 1 },
        { "a\n", "| a\n", 1 },
        { "a\r\n\n  b\t`c`", "| a\n| \n|   b\t`c`\n", 3 },
        { "a\rb", "| a‹U+000D›b\n", 1 },
        { "a\r", "| a‹U+000D›\n", 1 },
        { "::error::x\n```\n# h", "| ::error::x\n| ```\n| # h\n", 3 },
        { "##[error]x ##vso[y] [z]", "| ##‹U+005B›error]x ##vso‹U+005B›y] [z]\n", 1 },
        { "\xE2\x80\xAE\xFF", "| ‹U+202E›‹0xFF›\n", 1 },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

        sov_buf_init(&out, 4096);
        assert_int_equal(sov_escape_block(sov_bytes_text(rows[i].text), &out), rows[i].lines);
        expect(&out, rows[i].escaped);
    }
    assert_int_equal(sov_escape_backticks(sov_bytes_text("a``b```c`")), 3);
    assert_int_equal(sov_escape_backticks(sov_bytes_text("")), 0);
}

/* As a part of another text is: what stands before and behind it is none of its own. */
static void a_part_is_looked_at_alone(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

    (void)state;
    sov_buf_init(&out, 4096);
    assert_int_equal(sov_escape_block(sov_bytes(&"\r\na"[1], 2), &out), 2);
    expect(&out, "| \n| a\n");
    sov_buf_clear(&out);
    assert_int_equal(sov_escape_block(sov_bytes(&"##xa[b"[3], 3), &out), 1);
    expect(&out, "| a[b\n");
    assert_true(sov_escape_is_catchy(sov_bytes("a!7", 3)));
    assert_false(sov_escape_is_catchy(sov_bytes("a!7", 2)));
}

static void a_line_shows_one_space_for_many_and_for_line_ends(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

    (void)state;
    sov_buf_init(&out, 4096);
    sov_escape_shown(sov_bytes_text(" \n a  b\r\nc\td\x1B "), &out);
    expect(&out, "a b c‹U+0009›d‹U+001B›");
    sov_buf_clear(&out);
    sov_escape_shown(sov_bytes_text(" \r\n "), &out);
    expect(&out, "");
}

/* Counted in characters, not octets; the digest is of all octets as they were. */
static void a_long_text_is_cut_and_named_by_its_digest(void **state)
{
    static const char tea[] = "\xF0\x9F\x8D\xB5";
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    char hex[SOV_HEX_HASH + 1];
    struct sov_hash hash;

    (void)state;
    sov_buf_init(&text, 4096);
    sov_buf_init(&out, 4096);
    for (int i = 0; i < 200; i++) sov_buf_add_text(&text, tea);
    sov_escape_shown(sov_buf_bytes(&text), &out);
    assert_true(sov_bytes_equal(sov_buf_bytes(&text), sov_buf_bytes(&out)));
    sov_buf_clear(&out);
    sov_buf_add_text(&text, tea);
    hash = sov_sha256(sov_buf_bytes(&text));
    sov_hex(sov_hash_bytes(&hash), hex);
    sov_escape_shown(sov_buf_bytes(&text), &out);
    assert_memory_equal(out.data, text.data, 800);
    sov_buf_add_byte(&out, 0);
    assert_memory_equal(out.data + 800, "… sha256:", 11);
    assert_string_equal((char *)out.data + 811, hex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_in_a_line_lose_their_power),
        cmocka_unit_test(code_is_fenced_by_more_backticks_than_it_has),
        cmocka_unit_test(a_label_passes_letters_digits_and_four_signs),
        cmocka_unit_test(a_block_keeps_its_lines_behind_a_bar),
        cmocka_unit_test(a_part_is_looked_at_alone),
        cmocka_unit_test(a_line_shows_one_space_for_many_and_for_line_ends),
        cmocka_unit_test(a_long_text_is_cut_and_named_by_its_digest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
