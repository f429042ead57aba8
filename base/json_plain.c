#include "base/json_plain.h"

#include <assert.h>

#include "base/amount.h"
#include "base/scan_char.h"

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

/* An exponent; beyond any use it stays at the limit. */
static int64_t exponent(const uint8_t *at, const uint8_t *end)
{
    const int64_t limit = INT64_C(1) << 40;
    bool negative = at < end && *at == '-';
    int64_t n = 0;

    if (at < end && (*at == '-' || *at == '+')) at++;
    for (; at < end && n < limit; at++) n = n * 10 + (*at - '0');
    return negative ? -n : n;
}

/* Within the range, or false. */
static bool times_ten(int64_t *n, int64_t times)
{
    for (; times; times--) {
        if (*n > SOV_INT_MAX / 10) return false;
        *n *= 10;
    }
    return true;
}

/*
 * n are the digits up to the last that is not 0, the point left out; the value is n times ten to
 * the power of `scale`. So it is whole if, and only if, the scale is not negative.
 */
bool sov_json_whole(struct sov_bytes number, int64_t *n_out)
{
    const uint8_t *at = number.data, *end = at + number.size;
    bool negative = number.size && *at == '-', fraction = false;
    int64_t n = 0, zeros = 0, scale = 0;

    for (at += negative; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.') {
            fraction = true;
            continue;
        }
        assert(is_digit(*at));
        scale -= fraction;
        if (*at == '0') {
            zeros++;
            continue;
        }
        if (n && !times_ten(&n, zeros + 1)) return false;
        zeros = 0;
        n += *at - '0';
    }
    if (n) scale += zeros + (at < end ? exponent(at + 1, end) : 0);
    if (n && (scale < 0 || !times_ten(&n, scale))) return false;
    if (n > SOV_INT_MAX) return false;
    *n_out = negative ? -n : n;
    return true;
}

static const uint8_t *number(const uint8_t *at, const uint8_t *end, struct sov_buf *out)
{
    const uint8_t *start = at;
    int64_t n;

    while (at < end &&
           (is_digit(*at) || *at == '-' || *at == '+' || *at == '.' || *at == 'e' || *at == 'E'))
        at++;
    if (sov_json_whole(sov_bytes(start, (size_t)(at - start)), &n))
        sov_buf_add_int(out, n);
    else
        sov_buf_add_text(out, "0.5");
    return at;
}

static const uint8_t *string(const uint8_t *at, const uint8_t *end, struct sov_buf *out)
{
    const uint8_t *run = at++;

    while (*at != '"') {
        const uint8_t *escape = at;

        if (*at != '\\') {
            at++;
            assert(at < end);
            continue;
        }
        if (sov_scan_char(&at, end) != 0xfffd) continue;
        sov_buf_add(out, sov_bytes(run, (size_t)(escape - run)));
        sov_buf_add_text(out, "\xef\xbf\xbd");
        run = at;
    }
    at++;
    sov_buf_add(out, sov_bytes(run, (size_t)(at - run)));
    return at;
}

static bool begins_value(uint8_t c)
{
    return c == '"' || c == '{' || c == '[' || c == 't' || c == 'f' || c == 'n' || c == '-' ||
           is_digit(c);
}

bool sov_json_plain(struct sov_bytes text, struct sov_buf *out, struct sov_error *err)
{
    const uint8_t *at = text.data, *end = at + text.size;
    size_t values = 0;

    while (at < end) {
        values += begins_value(*at);
        values -= *at == ':'; /* the text before it was a key */
        if (values > SOV_JSON_VALUES)
            return sov_fail(err, SOV_USAGE, "too_large", "the text has over %d values",
                            SOV_JSON_VALUES);
        if (*at == '"')
            at = string(at, end, out);
        else if (*at == '-' || is_digit(*at))
            at = number(at, end, out);
        else
            sov_buf_add_byte(out, *at++);
    }
    return sov_buf_whole(out, "the text", err);
}
