#include "tests/power/image.h"

#include "base/alloc.h"

struct image_block {
    size_t owners;
    bool printed;
    struct sov_fingerprint print;
    uint8_t octets[IMAGE_BLOCK];
};

/* ---- sums of fingerprints ---- */

static uint64_t mix(uint64_t n)
{
    n = (n ^ n >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    n = (n ^ n >> 27) * UINT64_C(0x94d049bb133111eb);
    return n ^ n >> 31;
}

static struct sov_fingerprint placed(uint64_t place, struct sov_fingerprint print)
{
    uint64_t at = mix(place + UINT64_C(0x9e3779b97f4a7c15));

    return (struct sov_fingerprint){ mix(print.high ^ at), mix(print.low + at) };
}

void print_add(struct sov_fingerprint *sum, uint64_t place, struct sov_fingerprint print)
{
    struct sov_fingerprint more = placed(place, print);

    sum->high += more.high;
    sum->low += more.low;
}

void print_take(struct sov_fingerprint *sum, uint64_t place, struct sov_fingerprint print)
{
    struct sov_fingerprint less = placed(place, print);

    sum->high -= less.high;
    sum->low -= less.low;
}

/* ---- blocks ---- */

static void let_go(struct image_block *block)
{
    if (block && --block->owners == 0) sov_free(block);
}

static bool is_stale(const struct image *image, size_t at)
{
    return image->block[at] && !image->block[at]->printed;
}

static void forget(struct image *image, size_t at)
{
    if (!is_stale(image, at) && image->block[at])
        print_take(&image->sum, at, image->block[at]->print);
}

/* The block, of this image alone and about to be written. */
static struct image_block *own(struct image *image, size_t at)
{
    struct image_block *block = image->block[at], *mine = block;
    bool known = is_stale(image, at);

    forget(image, at);
    if (!block || block->owners > 1) {
        mine = sov_alloc(sizeof *mine);
        mine->owners = 1;
        if (block) memcpy(mine->octets, block->octets, IMAGE_BLOCK);
        let_go(block);
        image->block[at] = mine;
    }
    mine->printed = false;
    if (known) return mine;
    if (image->stale_count == image->stale_room) {
        image->stale_room = image->stale_room ? 2 * image->stale_room : 32;
        image->stale = sov_alloc_grow(image->stale, image->stale_room * sizeof *image->stale);
    }
    image->stale[image->stale_count++] = at;
    return mine;
}

static void make_room(struct image *image, size_t count)
{
    size_t room = image->room ? image->room : 16;

    while (room < count) room *= 2;
    if (room > image->room) {
        image->block = sov_alloc_grow(image->block, room * sizeof *image->block);
        image->room = room;
    }
    for (; image->count < count; image->count++) image->block[image->count] = NULL;
}

void image_copy(struct image *to, struct image *from)
{
    (void)image_print(from); /* a block that is shared is never stale */
    *to = (struct image){ .count = from->count, .size = from->size, .sum = from->sum };
    to->room = from->count ? from->count : 1;
    to->block = sov_alloc_array(to->room, sizeof *to->block);
    for (size_t i = 0; i < from->count; i++) {
        to->block[i] = from->block[i];
        if (to->block[i]) to->block[i]->owners++;
    }
}

void image_release(struct image *image)
{
    for (size_t i = 0; i < image->count; i++) let_go(image->block[i]);
    sov_free(image->block);
    sov_free(image->stale);
    *image = (struct image){ 0 };
}

void image_write(struct image *image, uint64_t offset, struct sov_bytes octets)
{
    uint64_t end = offset + octets.size;

    if (octets.size == 0) return;
    make_room(image, (size_t)((end + IMAGE_BLOCK - 1) / IMAGE_BLOCK));
    if (image->size < end) image->size = end;
    while (octets.size) {
        size_t in = (size_t)(offset % IMAGE_BLOCK), part = IMAGE_BLOCK - in;

        if (part > octets.size) part = octets.size;
        memcpy(own(image, (size_t)(offset / IMAGE_BLOCK))->octets + in, octets.data, part);
        offset += part;
        octets = sov_bytes(octets.data + part, octets.size - part);
    }
}

void image_resize(struct image *image, uint64_t size)
{
    size_t count = (size_t)((size + IMAGE_BLOCK - 1) / IMAGE_BLOCK), in = size % IMAGE_BLOCK;

    make_room(image, count);
    for (size_t i = count; i < image->count; i++) {
        forget(image, i);
        let_go(image->block[i]);
        image->block[i] = NULL;
    }
    image->count = count;
    if (size < image->size && in && image->block[count - 1])
        memset(own(image, count - 1)->octets + in, 0, IMAGE_BLOCK - in);
    image->size = size;
}

size_t image_read(const struct image *image, uint64_t offset, void *to, size_t size)
{
    uint8_t *at = to;
    size_t there = offset >= image->size         ? 0
                   : image->size - offset < size ? (size_t)(image->size - offset)
                                                 : size;

    memset(at + there, 0, size - there);
    for (size_t done = 0; done < there;) {
        size_t in = (size_t)((offset + done) % IMAGE_BLOCK), part = IMAGE_BLOCK - in;
        const struct image_block *block = image->block[(offset + done) / IMAGE_BLOCK];

        if (part > there - done) part = there - done;
        if (block)
            memcpy(at + done, block->octets + in, part);
        else
            memset(at + done, 0, part);
        done += part;
    }
    return there;
}

struct sov_fingerprint image_print(struct image *image)
{
    static const uint8_t zeros[IMAGE_BLOCK];
    struct sov_fingerprint sum;

    for (size_t i = 0; i < image->stale_count; i++) {
        size_t at = image->stale[i];
        struct image_block *block = at < image->count ? image->block[at] : NULL;

        if (!block || block->printed) continue;
        if (memcmp(block->octets, zeros, IMAGE_BLOCK) == 0) { /* as if it had never been */
            let_go(block);
            image->block[at] = NULL;
            continue;
        }
        block->print = sov_fingerprint(sov_bytes(block->octets, IMAGE_BLOCK));
        block->printed = true;
        print_add(&image->sum, at, block->print);
    }
    image->stale_count = 0;
    sum = image->sum;
    print_add(&sum, UINT64_MAX, (struct sov_fingerprint){ image->size, image->size });
    return sum;
}
