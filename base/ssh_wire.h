#ifndef SOV_BASE_SSH_WIRE_H
#define SOV_BASE_SSH_WIRE_H
/* Numbers and strings as RFC 4251 writes them: big-endian, each string with its length before it.
 */
#include "base/buf.h"

static inline void sov_wire_put_uint(struct sov_buf *out, uint32_t n)
{
    for (int shift = 24; shift >= 0; shift -= 8) sov_buf_add_byte(out, (uint8_t)(n >> shift));
}

static inline void sov_wire_put(struct sov_buf *out, struct sov_bytes string)
{
    sov_wire_put_uint(out, (uint32_t)string.size);
    sov_buf_add(out, string);
}

/* Takes from the front of what is left; false, nothing taken, if that is too short. */
static inline bool sov_wire_uint(struct sov_bytes *left, uint32_t *n_out)
{
    if (left->size < 4) return false;
    *n_out = (uint32_t)left->data[0] << 24 | (uint32_t)left->data[1] << 16 |
             (uint32_t)left->data[2] << 8 | left->data[3];
    *left = sov_bytes(left->data + 4, left->size - 4);
    return true;
}

static inline bool sov_wire_take(struct sov_bytes *left, struct sov_bytes *string_out)
{
    struct sov_bytes rest = *left;
    uint32_t size;

    if (!sov_wire_uint(&rest, &size) || size > rest.size) return false;
    *string_out = sov_bytes(rest.data, size);
    *left = sov_bytes(rest.data + size, rest.size - size);
    return true;
}

/* The next string is this word. */
static inline bool sov_wire_is(struct sov_bytes *left, const char *word)
{
    struct sov_bytes rest = *left, string;

    if (!sov_wire_take(&rest, &string) || !sov_bytes_is(string, word)) return false;
    *left = rest;
    return true;
}
#endif
