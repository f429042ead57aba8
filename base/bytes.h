#ifndef SOV_BASE_BYTES_H
#define SOV_BASE_BYTES_H
/* A borrowed view of octets: never owned, never NUL-ended by promise. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct sov_bytes {
    const uint8_t *data;
    size_t size;
};

static inline struct sov_bytes sov_bytes(const void *data, size_t size)
{
    return (struct sov_bytes){ data, size };
}
static inline struct sov_bytes sov_bytes_text(const char *text)
{
    return (struct sov_bytes){ (const uint8_t *)text, strlen(text) };
}
static inline bool sov_bytes_equal(struct sov_bytes a, struct sov_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}
static inline bool sov_bytes_is(struct sov_bytes a, const char *text)
{
    return sov_bytes_equal(a, sov_bytes_text(text));
}
static inline size_t sov_size_min(size_t a, size_t b)
{
    return a < b ? a : b;
}
static inline bool sov_bytes_begin(struct sov_bytes a, struct sov_bytes beginning)
{
    return a.size >= beginning.size &&
           sov_bytes_equal(sov_bytes(a.data, beginning.size), beginning);
}
/* Byte order, shorter first on a tie: the order of ids, paths and canonical keys (all ASCII). */
static inline int sov_bytes_compare(struct sov_bytes a, struct sov_bytes b)
{
    size_t common = sov_size_min(a.size, b.size);
    int order = common ? memcmp(a.data, b.data, common) : 0;

    return order ? order : (a.size > b.size) - (a.size < b.size);
}
#endif
