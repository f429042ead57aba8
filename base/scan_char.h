#ifndef SOV_BASE_SCAN_CHAR_H
#define SOV_BASE_SCAN_CHAR_H
/*
 * Single characters of JSON strings, shared by the scanners, the reader and the writers.
 * Not here: whole values (scan.h), text rules beyond well-formed UTF-8 (text.h).
 */
#include "base/bytes.h"

/* The deepest that any rules may ask for: levels lie on the stack. */
enum { SOV_SCAN_DEPTH = 64 };

static inline bool sov_scan_is_tail(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}
/* Length of the well-formed UTF-8 sequence at `at` < end: no surrogate, nothing overlong; 0 if it
 * is none. Inline: the hot path of verify. */
static inline size_t sov_scan_utf8(const uint8_t *at, const uint8_t *end)
{
    size_t room = (size_t)(end - at);
    uint8_t lead = at[0], low = 0x80, high = 0xbf;

    if (lead < 0x80) return 1;
    if (lead < 0xc2 || lead > 0xf4) return 0;
    if (lead < 0xe0) return room >= 2 && sov_scan_is_tail(at[1]) ? 2 : 0;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
    if (room < 3 || at[1] < low || at[1] > high || !sov_scan_is_tail(at[2])) return 0;
    if (lead < 0xf0) return 3;
    return room >= 4 && sov_scan_is_tail(at[3]) ? 4 : 0;
}
/* The well-formed UTF-8 of one code point; returns its length. */
size_t sov_scan_encode(uint32_t point, uint8_t out[4]);
/* Four hexadecimal digits in either case, or -1. */
int32_t sov_scan_hex4(const uint8_t *at, const uint8_t *end);
/*
 * The next character of the inside of a string that a scan has passed; *at moves past it. NUL and
 * lone surrogate escapes, which only foreign texts may have, read as U+FFFD.
 */
uint32_t sov_scan_char(const uint8_t **at, const uint8_t *end);
/* RFC 8785's order of keys, by UTF-16 code units (negative, 0 or positive): of plain UTF-8, and of
 * insides that a scan has passed, where two spellings of a key are equal. */
int sov_scan_compare_plain(struct sov_bytes a, struct sov_bytes b);
int sov_scan_compare(struct sov_bytes a, struct sov_bytes b);
#endif
