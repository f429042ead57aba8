#include "base/scan_char.h"

#include <assert.h>

size_t sov_scan_encode(uint32_t point, uint8_t out[4])
{
    assert(point < 0xd800 || (point > 0xdfff && point <= 0x10ffff));
    if (point < 0x80) {
        out[0] = (uint8_t)point;
        return 1;
    }
    if (point < 0x800) {
        out[0] = (uint8_t)(0xc0 | point >> 6);
        out[1] = (uint8_t)(0x80 | (point & 0x3f));
        return 2;
    }
    if (point < 0x10000) {
        out[0] = (uint8_t)(0xe0 | point >> 12);
        out[1] = (uint8_t)(0x80 | (point >> 6 & 0x3f));
        out[2] = (uint8_t)(0x80 | (point & 0x3f));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | point >> 18);
    out[1] = (uint8_t)(0x80 | (point >> 12 & 0x3f));
    out[2] = (uint8_t)(0x80 | (point >> 6 & 0x3f));
    out[3] = (uint8_t)(0x80 | (point & 0x3f));
    return 4;
}

int32_t sov_scan_hex4(const uint8_t *at, const uint8_t *end)
{
    int32_t unit = 0;

    if (end - at < 4) return -1;
    for (int i = 0; i < 4; i++) {
        uint8_t c = at[i];

        if (c >= '0' && c <= '9')
            unit = unit * 16 + (c - '0');
        else if (c >= 'a' && c <= 'f')
            unit = unit * 16 + (c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            unit = unit * 16 + (c - 'A' + 10);
        else
            return -1;
    }
    return unit;
}

static uint32_t escaped_unit(const uint8_t **at, const uint8_t *end)
{
    int32_t unit = sov_scan_hex4(*at, end), low = -1;

    assert(unit >= 0);
    *at += 4;
    if (unit == 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return 0xfffd;
    if (unit < 0xd800 || unit > 0xdbff) return (uint32_t)unit;
    if (end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') low = sov_scan_hex4(*at + 2, end);
    if (low < 0xdc00 || low > 0xdfff) return 0xfffd;
    *at += 6;
    return 0x10000 + ((uint32_t)(unit - 0xd800) << 10) + (uint32_t)(low - 0xdc00);
}

static uint32_t escaped_char(const uint8_t **at, const uint8_t *end)
{
    uint8_t c;

    assert(*at < end);
    c = *(*at)++;
    switch (c) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'u':
        return escaped_unit(at, end);
    default: /* a byte, not an enum: these three stand for themselves */
        assert(c == '"' || c == '\\' || c == '/');
        return c;
    }
}

uint32_t sov_scan_char(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *s = *at;
    size_t size;

    assert(s < end);
    if (*s == '\\') {
        ++*at;
        return escaped_char(at, end);
    }
    size = sov_scan_utf8(s, end);
    assert(size);
    *at += size;
    if (size == 1) return s[0];
    if (size == 2) return (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu);
    if (size == 3) return (s[0] & 0xfu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
    return (s[0] & 7u) << 18 | (s[1] & 0x3fu) << 12 | (s[2] & 0x3fu) << 6 | (s[3] & 0x3fu);
}

/* UTF-8 sorts by code points. UTF-16 differs in one thing: the surrogates of U+10000 and above
 * come before U+E000 to U+FFFF, whose UTF-8 begins with 0xee or 0xef. */
static int rank(uint8_t byte)
{
    return byte == 0xee || byte == 0xef ? byte + 0x10 : byte;
}

int sov_scan_compare_plain(struct sov_bytes a, struct sov_bytes b)
{
    size_t common = sov_size_min(a.size, b.size);

    for (size_t i = 0; i < common; i++)
        if (a.data[i] != b.data[i]) return rank(a.data[i]) - rank(b.data[i]);
    return (a.size > b.size) - (a.size < b.size);
}

int sov_scan_compare(struct sov_bytes a, struct sov_bytes b)
{
    const uint8_t *x = a.data, *x_end = x + a.size, *y = b.data, *y_end = y + b.size;

    while (x < x_end && y < y_end) {
        uint8_t p[4], q[4];
        size_t p_size = sov_scan_encode(sov_scan_char(&x, x_end), p);
        size_t q_size = sov_scan_encode(sov_scan_char(&y, y_end), q);
        int order = sov_scan_compare_plain(sov_bytes(p, p_size), sov_bytes(q, q_size));

        if (order) return order;
    }
    return (x < x_end) - (y < y_end);
}
