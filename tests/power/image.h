#ifndef SOV_TESTS_POWER_IMAGE_H
#define SOV_TESTS_POWER_IMAGE_H
/*
 * The octets of one file, in blocks that images share until one of them is written: a crash state
 * costs what differs from the file it came from. Its fingerprint is kept up to date block by block.
 */
#include "base/bytes.h"
#include "base/fingerprint.h"

enum { IMAGE_BLOCK = 4096 };

struct image_block;
struct image {
    struct image_block **block; /* NULL: zeros */
    size_t count, room;
    uint64_t size;
    struct sov_fingerprint sum; /* of the blocks that are not `stale` */
    size_t *stale;              /* blocks written since */
    size_t stale_count, stale_room;
};
void image_copy(struct image *to, struct image *from); /* `to` holds nothing before */
void image_release(struct image *image);
void image_write(struct image *image, uint64_t offset, struct sov_bytes octets);
void image_resize(struct image *image, uint64_t size); /* shorter, or longer by zeros */
/* What is there; the rest is zeroed. */
size_t image_read(const struct image *image, uint64_t offset, void *to, size_t size);
/* Equal for equal octets, whatever way they came. */
struct sov_fingerprint image_print(struct image *image);
/* An order-free sum of fingerprints, each bound to its place. */
void print_add(struct sov_fingerprint *sum, uint64_t place, struct sov_fingerprint print);
void print_take(struct sov_fingerprint *sum, uint64_t place, struct sov_fingerprint print);
#endif
