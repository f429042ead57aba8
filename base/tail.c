#include "base/tail.h"

#include "base/alloc.h"

void sov_tail_init(struct sov_tail *tail, size_t room)
{
    *tail = (struct sov_tail){ .room = room };
    if (room > 0) tail->ring = sov_alloc(room);
}

void sov_tail_release(struct sov_tail *tail)
{
    sov_free(tail->ring);
    *tail = (struct sov_tail){ 0 };
}

void sov_tail_add(struct sov_tail *tail, struct sov_bytes bytes)
{
    tail->total += bytes.size;
    if (bytes.size > tail->room) {
        bytes.data += bytes.size - tail->room;
        bytes.size = tail->room;
    }
    while (bytes.size > 0) {
        size_t n = tail->room - tail->at;

        if (n > bytes.size) n = bytes.size;
        memcpy(tail->ring + tail->at, bytes.data, n);
        tail->at = tail->at + n == tail->room ? 0 : tail->at + n;
        bytes = sov_bytes(bytes.data + n, bytes.size - n);
    }
}

uint64_t sov_tail_put(const struct sov_tail *tail, struct sov_buf *out)
{
    if (tail->total <= tail->room) {
        sov_buf_add(out, sov_bytes(tail->ring, (size_t)tail->total));
        return 0;
    }
    sov_buf_add(out, sov_bytes(tail->ring + tail->at, tail->room - tail->at));
    sov_buf_add(out, sov_bytes(tail->ring, tail->at));
    return tail->total - tail->room;
}
