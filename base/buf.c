#include "base/buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

void sov_buf_init(struct sov_buf *buf, size_t size_max)
{
    assert(buf && size_max);
    *buf = (struct sov_buf){ .size_max = size_max };
}

void sov_buf_release(struct sov_buf *buf)
{
    sov_free(buf->data);
    *buf = (struct sov_buf){ 0 };
}

void sov_buf_clear(struct sov_buf *buf)
{
    buf->size = 0;
    buf->cut = false;
}

void sov_buf_add(struct sov_buf *buf, struct sov_bytes bytes)
{
    assert(buf->size_max);
    if (bytes.size > buf->size_max - buf->size) {
        buf->cut = true;
        return;
    }
    if (bytes.size > buf->room - buf->size) {
        size_t room = buf->room ? buf->room : 256;

        while (room - buf->size < bytes.size) room *= 2;
        if (room > buf->size_max) room = buf->size_max;
        buf->data = sov_alloc_grow(buf->data, room);
        buf->room = room;
    }
    if (bytes.size) memcpy(buf->data + buf->size, bytes.data, bytes.size);
    buf->size += bytes.size;
}

void sov_buf_add_text(struct sov_buf *buf, const char *text)
{
    sov_buf_add(buf, sov_bytes_text(text));
}

void sov_buf_add_byte(struct sov_buf *buf, uint8_t byte)
{
    sov_buf_add(buf, sov_bytes(&byte, 1));
}

void sov_buf_add_int(struct sov_buf *buf, int64_t n)
{
    char digits[20];
    size_t at = sizeof digits;
    uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (n < 0) sov_buf_add_byte(buf, '-');
    sov_buf_add(buf, sov_bytes(digits + at, sizeof digits - at));
}

void sov_buf_printf(struct sov_buf *buf, const char *fmt, ...)
{
    char fixed[256];
    va_list args, again;
    int size;

    va_start(args, fmt);
    va_copy(again, args);
    size = vsnprintf(fixed, sizeof fixed, fmt, args);
    va_end(args);
    assert(size >= 0);
    if ((size_t)size < sizeof fixed) {
        sov_buf_add(buf, sov_bytes(fixed, (size_t)size));
    } else {
        char *text = sov_alloc((size_t)size + 1);

        vsnprintf(text, (size_t)size + 1, fmt, again);
        sov_buf_add(buf, sov_bytes(text, (size_t)size));
        sov_free(text);
    }
    va_end(again);
}

bool sov_buf_whole(const struct sov_buf *buf, const char *what, struct sov_error *err)
{
    if (buf->cut)
        return sov_fail(err, SOV_USAGE, "too_large", "%s is over %zu bytes", what, buf->size_max);
    return true;
}
