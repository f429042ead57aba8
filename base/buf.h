#ifndef SOV_BASE_BUF_H
#define SOV_BASE_BUF_H
/*
 * Growing octets with a maximum given at birth. An addition that would cross it is dropped and
 * remembered: writers add freely and ask once, at the end, with sov_buf_whole.
 */
#include "base/bytes.h"
#include "base/error.h"

struct sov_buf {
    uint8_t *data;
    size_t size, room, size_max;
    bool cut; /* something did not fit */
};

void sov_buf_init(struct sov_buf *buf, size_t size_max);
void sov_buf_release(struct sov_buf *buf); /* of a zeroed one: nothing */
void sov_buf_clear(struct sov_buf *buf);   /* empty again, memory kept */
void sov_buf_add(struct sov_buf *buf, struct sov_bytes bytes);
void sov_buf_add_text(struct sov_buf *buf, const char *text);
void sov_buf_add_byte(struct sov_buf *buf, uint8_t byte);
void sov_buf_add_int(struct sov_buf *buf, int64_t n); /* decimal */
void sov_buf_printf(struct sov_buf *buf, const char *fmt, ...) SOV_PRINTF(2, 3);
static inline struct sov_bytes sov_buf_bytes(const struct sov_buf *buf)
{
    return sov_bytes(buf->data, buf->size);
}
/* True if everything fitted; else fails `too_large`, naming what was built. */
SOV_MUST_USE bool sov_buf_whole(const struct sov_buf *buf, const char *what, struct sov_error *err);
#endif
