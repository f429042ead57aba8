#include "projections/escape.h"

#include "base/crypto.h"
#include "base/text.h"
#include "projections/projections.h"

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_punctuation(uint8_t c)
{
    return c >= '!' && c <= '~' && !is_digit(c) && !is_letter(c);
}

static struct sov_bytes part(struct sov_bytes text, size_t from, size_t to)
{
    return sov_bytes(text.data + from, to - from);
}

/* Where the first SOV_INLINE_MAX characters end; an octet that is no UTF-8 counts as one. */
static size_t inline_end(struct sov_bytes text)
{
    size_t at = 0;
    uint32_t point;

    for (unsigned count = 0; at < text.size && count < SOV_INLINE_MAX; count++) {
        size_t size = sov_text_decode(text, at, &point);

        at += size ? size : 1;
    }
    return at;
}

void sov_escape_shown(struct sov_bytes text, struct sov_buf *out)
{
    uint8_t flat[4 * SOV_INLINE_MAX];
    size_t end = inline_end(text), size = 0;
    char digest[SOV_HEX_HASH + 1];
    struct sov_hash whole;

    for (size_t i = 0; i < end; i++) {
        uint8_t c = text.data[i];

        if (c != ' ' && c != '\n' && c != '\r')
            flat[size++] = c;
        else if (size && flat[size - 1] != ' ')
            flat[size++] = ' ';
    }
    if (size && flat[size - 1] == ' ') size--;
    sov_text_visible(sov_bytes(flat, size), 0, out);
    if (end == text.size) return;
    whole = sov_sha256(text);
    sov_hex(sov_hash_bytes(&whole), digest);
    sov_buf_printf(out, "… sha256:%s", digest);
}

size_t sov_escape_backticks(struct sov_bytes text)
{
    size_t run = 0, longest = 0;

    for (size_t i = 0; i < text.size; i++) {
        run = text.data[i] == '`' ? run + 1 : 0;
        longest += run > longest;
    }
    return longest;
}

/* The bracket of ##[command] or ##vso[command], which CI services obey anywhere in a line. */
static bool is_log_command(struct sov_bytes text, size_t at)
{
    if (text.data[at] != '[') return false;
    while (at > 0 && is_letter(text.data[at - 1])) at--;
    return at >= 2 && text.data[at - 1] == '#' && text.data[at - 2] == '#';
}

static void add_backticks(struct sov_buf *out, size_t count)
{
    while (count--) sov_buf_add_byte(out, '`');
}

/* CommonMark takes one space off both ends if both are there and something stands between. */
static bool needs_padding(struct sov_bytes text)
{
    uint8_t first = text.data[0], last = text.data[text.size - 1];

    if (first == '`' || last == '`') return true;
    if (first != ' ' || last != ' ') return false;
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] != ' ') return true;
    return false;
}

static unsigned code_span(struct sov_bytes text, struct sov_buf *out)
{
    size_t ticks = sov_escape_backticks(text) + 1;

    if (!text.size) return 0;
    add_backticks(out, ticks);
    if (needs_padding(text)) sov_buf_add_byte(out, ' ');
    sov_buf_add(out, text);
    if (needs_padding(text)) sov_buf_add_byte(out, ' ');
    add_backticks(out, ticks);
    return 1;
}

/* What cannot stand in code, and how it stands between two spans instead: a bar ends a cell even
 * in code and has no other spelling there. */
static const char *between_spans(struct sov_bytes text, size_t at)
{
    if (text.data[at] == '|') return "&#124;";
    return is_log_command(text, at) ? "\\[" : NULL;
}

unsigned sov_escape_code(struct sov_bytes shown, struct sov_buf *out)
{
    unsigned spans = 0;
    size_t from = 0;

    for (size_t i = 0; i < shown.size; i++) {
        const char *between = between_spans(shown, i);

        if (!between) continue;
        spans += code_span(part(shown, from, i), out);
        sov_buf_add_text(out, between);
        from = i + 1;
    }
    return spans + code_span(part(shown, from, shown.size), out);
}

static bool has_at(struct sov_bytes word, size_t at, const char *lower)
{
    size_t size = strlen(lower);

    return word.size - at >= size &&
           sov_text_fold_equal(part(word, at, at + size), sov_bytes(lower, size));
}

bool sov_escape_is_catchy(struct sov_bytes word)
{
    static const char *const forms[] = { "@", "#", "[[", "://", "www.", "mailto:", "xmpp:", "gh-" };

    for (size_t i = 0; i < word.size; i++) {
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
            if (has_at(word, i, forms[f])) return true;
        if (word.data[i] == '!' && i + 1 < word.size && is_digit(word.data[i + 1])) return true;
    }
    return false;
}

static void plain_word(struct sov_bytes word, struct sov_buf *out)
{
    for (size_t i = 0; i < word.size; i++) {
        uint8_t c = word.data[i];

        switch (c) {
        case '&':
            sov_buf_add_text(out, "&amp;");
            break;
        case '<':
            sov_buf_add_text(out, "&lt;");
            break;
        case '>':
            sov_buf_add_text(out, "&gt;");
            break;
        case '|': /* readers of tables disagree on how many backslashes keep a bar */
            sov_buf_add_text(out, "&#124;");
            break;
        default: /* the rest of ASCII punctuation has a backslash, all else no power */
            if (is_punctuation(c)) sov_buf_add_byte(out, '\\');
            sov_buf_add_byte(out, c);
            break;
        }
    }
}

unsigned sov_escape_inline(struct sov_bytes shown, struct sov_buf *out)
{
    unsigned spans = 0;

    for (size_t from = 0, to; from < shown.size; from = to) {
        struct sov_bytes word;

        if (shown.data[from] == ' ') {
            sov_buf_add_byte(out, ' ');
            to = from + 1;
            continue;
        }
        for (to = from; to < shown.size && shown.data[to] != ' ';) to++;
        word = part(shown, from, to);
        if (sov_escape_is_catchy(word))
            spans += sov_escape_code(word, out);
        else
            plain_word(word, out);
    }
    return spans;
}

void sov_escape_label(struct sov_bytes shown, struct sov_buf *out)
{
    for (size_t at = 0, size; at < shown.size; at += size ? size : 1) {
        uint8_t c = shown.data[at];
        uint32_t point = c;

        size = sov_text_decode(shown, at, &point);
        if (is_letter(c) || is_digit(c) || memchr(" -_.,", c, 5))
            sov_buf_add_byte(out, c);
        else
            sov_buf_printf(out, "#%u;", point);
    }
}

size_t sov_escape_block(struct sov_bytes text, struct sov_buf *out)
{
    size_t lines = 0;

    for (size_t from = 0, end, to; from < text.size; from = end + 1, lines++) {
        for (end = from; end < text.size && text.data[end] != '\n';) end++;
        to = end > from && end < text.size && text.data[end - 1] == '\r' ? end - 1 : end;
        sov_buf_add_text(out, "| ");
        for (size_t i = from; i < to; i++) {
            if (!is_log_command(part(text, from, to), i - from)) continue;
            sov_text_visible(part(text, from, i), SOV_VISIBLE_BLOCK, out);
            sov_buf_add_text(out, "‹U+005B›");
            from = i + 1;
        }
        sov_text_visible(part(text, from, to), SOV_VISIBLE_BLOCK, out);
        sov_buf_add_byte(out, '\n');
    }
    return lines;
}

void sov_view_inline(struct sov_bytes text, struct sov_buf *out)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf shown = { 0 };

    sov_buf_init(&shown, 1 << 16);
    sov_escape_shown(text, &shown);
    (void)sov_escape_inline(sov_buf_bytes(&shown), out);
}
