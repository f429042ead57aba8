#include "base/text.h"

#include <assert.h>

#include "base/text_table.h"

enum { MARKS_MAX = 4, DISTANCE_ROOM = 64 };

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_lower(uint8_t c)
{
    return c >= 'a' && c <= 'z';
}

static uint8_t fold(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c + ('a' - 'A')) : c;
}

size_t sov_text_decode(struct sov_bytes text, size_t at, uint32_t *point_out)
{
    uint32_t point, least;
    size_t size;

    if (at >= text.size) return 0;
    point = text.data[at];
    if (point < 0x80) {
        *point_out = point;
        return 1;
    }
    if (point >= 0xC2 && point <= 0xDF) {
        size = 2, least = 0x80, point &= 0x1F;
    } else if (point >= 0xE0 && point <= 0xEF) {
        size = 3, least = 0x800, point &= 0x0F;
    } else if (point >= 0xF0 && point <= 0xF4) {
        size = 4, least = 0x10000, point &= 0x07;
    } else {
        return 0;
    }
    if (size > text.size - at) return 0;
    for (size_t i = 1; i < size; i++) {
        if ((text.data[at + i] & 0xC0) != 0x80) return 0;
        point = point << 6 | (text.data[at + i] & 0x3Fu);
    }
    if (point < least || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return 0;
    *point_out = point;
    return size;
}

bool sov_text_is_utf8(struct sov_bytes text)
{
    uint32_t point;

    for (size_t at = 0, size; at < text.size; at += size)
        if (!(size = sov_text_decode(text, at, &point))) return false;
    return true;
}

static bool is_space(uint32_t point)
{
    return (point >= 0x09 && point <= 0x0D) || point == 0x20 || point == 0x85 || point == 0xA0 ||
           point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
           point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

bool sov_text_is_blank(struct sov_bytes text)
{
    uint32_t point;

    for (size_t at = 0, size; at < text.size; at += size)
        if (!(size = sov_text_decode(text, at, &point)) || !is_space(point)) return false;
    return true;
}

static bool is_word(struct sov_bytes text, bool lower_only)
{
    if (text.size < 1 || text.size > 63) return false;
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.data[i];
        bool letter = lower_only ? is_lower(c) : is_lower(fold(c));

        if (letter || (is_digit(c) && (i > 0 || !lower_only))) continue;
        if (i == 0 || (c != '.' && c != '_' && c != '-')) return false;
    }
    return true;
}

bool sov_text_is_id(struct sov_bytes text)
{
    return is_word(text, true);
}

bool sov_text_is_name(struct sov_bytes text)
{
    return is_word(text, false);
}

/* Takes what stands before the next '/' (or the rest) off `rest`; false after the last segment. */
static bool next_segment(struct sov_bytes *rest, struct sov_bytes *segment_out)
{
    const uint8_t *slash;

    if (!rest->data) return false;
    slash = rest->size ? memchr(rest->data, '/', rest->size) : NULL;
    if (slash) {
        *segment_out = sov_bytes(rest->data, (size_t)(slash - rest->data));
        *rest = sov_bytes(slash + 1, rest->size - segment_out->size - 1);
    } else {
        *segment_out = *rest;
        *rest = sov_bytes(NULL, 0);
    }
    return true;
}

bool sov_text_is_account(struct sov_bytes text)
{
    struct sov_bytes segment;
    unsigned count = 0;

    while (next_segment(&text, &segment))
        if (!sov_text_is_name(segment) || ++count > 4) return false;
    return count > 0;
}

bool sov_text_fold_equal(struct sov_bytes a, struct sov_bytes b)
{
    if (a.size != b.size) return false;
    for (size_t i = 0; i < a.size; i++)
        if (fold(a.data[i]) != fold(b.data[i])) return false;
    return true;
}

static bool folds_to(struct sov_bytes text, const char *lower)
{
    return sov_text_fold_equal(text, sov_bytes_text(lower));
}

static bool is_safe_segment(struct sov_bytes segment)
{
    uint8_t last;

    if (segment.size < 1 || segment.size > 255) return false;
    last = segment.data[segment.size - 1];
    return last != '.' && last != ' ' && last != '\r' && !folds_to(segment, ".git") &&
           !folds_to(segment, "git~1");
}

static bool is_safe_characters(struct sov_bytes text)
{
    uint32_t point;

    for (size_t at = 0, size, marks = 0; at < text.size; at += size) {
        size = sov_text_decode(text, at, &point);
        if (!size || point == '\\' || sov_text_is_active(point)) return false;
        marks = sov_text_is_combining(point) ? marks + 1 : 0;
        if (marks > MARKS_MAX) return false;
        if (point == '%' && text.size - at >= 3) {
            struct sov_bytes escape = sov_bytes(text.data + at, 3);

            if (folds_to(escape, "%2e") || folds_to(escape, "%2f") || folds_to(escape, "%5c"))
                return false;
        }
    }
    return true;
}

bool sov_text_is_safe_path(struct sov_bytes text)
{
    static const char own[] = ".sovereign";
    struct sov_bytes segment;
    unsigned count = 0;

    if (text.size < 1 || text.size > 1024 || !is_safe_characters(text)) return false;
    if (text.size >= sizeof own - 1 && folds_to(sov_bytes(text.data, sizeof own - 1), own))
        return false;
    while (next_segment(&text, &segment))
        if (!is_safe_segment(segment) || ++count > 32) return false;
    return true;
}

static uint32_t kind_of(uint32_t point)
{
    size_t low = 0, high = sizeof sov_text_ranges / sizeof *sov_text_ranges;

    if (point >= 0x20 && point < 0x7F) return 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sov_text_range *range = &sov_text_ranges[middle];

        if (point < range->first)
            high = middle;
        else if (point > range->last)
            low = middle + 1;
        else
            return range->kind;
    }
    return point > 0x10FFFF ? SOV_TEXT_ACTIVE : 0;
}

bool sov_text_is_active(uint32_t point)
{
    return kind_of(point) == SOV_TEXT_ACTIVE;
}

bool sov_text_is_combining(uint32_t point)
{
    return kind_of(point) == SOV_TEXT_COMBINING;
}

unsigned sov_text_width(uint32_t point)
{
    uint32_t kind = kind_of(point);

    return kind == 0 ? 1 : kind == SOV_TEXT_WIDE ? 2 : 0;
}

/* "U+202E" or "0xFF" between the quotation marks that no active character can imitate. */
static void add_named(struct sov_buf *out, const char *prefix, int digits, uint32_t value,
                      unsigned flags)
{
    bool ascii = flags & SOV_VISIBLE_ASCII;

    sov_buf_printf(out, "%s%s%0*X%s", ascii ? "<" : "\xE2\x80\xB9", prefix, digits, value,
                   ascii ? ">" : "\xE2\x80\xBA");
}

void sov_text_visible(struct sov_bytes text, unsigned flags, struct sov_buf *out)
{
    size_t marks = 0, plain = 0; /* what stands in text[plain, at) passes as it is */
    uint32_t point = 0;

    for (size_t at = 0, size; at < text.size; at += size ? size : 1) {
        bool stays, mark;

        size = sov_text_decode(text, at, &point);
        mark = size && sov_text_is_combining(point);
        marks = mark ? marks + 1 : 0;
        stays = size && marks <= MARKS_MAX &&
                (!sov_text_is_active(point) ||
                 ((flags & SOV_VISIBLE_BLOCK) && (point == '\n' || point == '\t')));
        if (stays) continue;
        sov_buf_add(out, sov_bytes(text.data + plain, at - plain));
        plain = at + (size ? size : 1);
        if (!size)
            add_named(out, "0x", 2, text.data[at], flags);
        else if (!mark)
            add_named(out, "U+", 4, point, flags);
        else if (marks == MARKS_MAX + 1)
            sov_buf_add_text(out, flags & SOV_VISIBLE_ASCII ? "..." : "\xE2\x80\xA6");
    }
    if (plain < text.size) sov_buf_add(out, sov_bytes(text.data + plain, text.size - plain));
}

static size_t least_of(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;

    return least < c ? least : c;
}

/* The full matrix, since a transposition may span other edits; row and column 0 are the fence. */
static size_t distance(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    size_t d[DISTANCE_ROOM + 2][DISTANCE_ROOM + 2], seen[256] = { 0 }, far = a_size + b_size;

    d[0][0] = far;
    for (size_t i = 0; i <= a_size; i++) d[i + 1][0] = far, d[i + 1][1] = i;
    for (size_t j = 0; j <= b_size; j++) d[0][j + 1] = far, d[1][j + 1] = j;
    for (size_t i = 1; i <= a_size; i++) {
        size_t same = 0;

        for (size_t j = 1; j <= b_size; j++) {
            size_t row = seen[b[j - 1]], column = same;
            size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            size_t swap = d[row][column] + (i - row - 1) + 1 + (j - column - 1);

            if (!change) same = j;
            d[i + 1][j + 1] = least_of(d[i][j] + change, d[i + 1][j] + 1, d[i][j + 1] + 1);
            if (swap < d[i + 1][j + 1]) d[i + 1][j + 1] = swap;
        }
        seen[a[i - 1]] = i;
    }
    return d[a_size + 1][b_size + 1];
}

unsigned sov_text_distance(const char *a, const char *b, unsigned limit)
{
    size_t a_size, b_size, found;

    assert(a && b && limit < DISTANCE_ROOM);
    a_size = strlen(a);
    b_size = strlen(b);
    if (a_size > DISTANCE_ROOM || b_size > DISTANCE_ROOM) return strcmp(a, b) ? limit + 1 : 0;
    found = distance((const uint8_t *)a, a_size, (const uint8_t *)b, b_size);
    return found > limit ? limit + 1 : (unsigned)found;
}
