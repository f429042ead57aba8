#ifndef SOV_BASE_TAIL_H
#define SOV_BASE_TAIL_H
/* The last octets of a stream of any length, in memory of a fixed size; the others are counted. */
#include "base/buf.h"

struct sov_tail {
    uint8_t *ring;
    size_t room, at;
    uint64_t total;
};
void sov_tail_init(struct sov_tail *tail, size_t room);
void sov_tail_release(struct sov_tail *tail);
void sov_tail_add(struct sov_tail *tail, struct sov_bytes bytes);
/* Adds what was kept to a buffer, oldest first; returns how many octets were not kept. */
uint64_t sov_tail_put(const struct sov_tail *tail, struct sov_buf *out);
#endif
