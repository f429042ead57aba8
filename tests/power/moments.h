#ifndef SOV_TESTS_POWER_MOMENTS_H
#define SOV_TESTS_POWER_MOMENTS_H
/*
 * The crash states of one moment: all of them if they are few, else so many of each kind as a
 * budget has room for. A state that was met before is known by its fingerprint, with what was
 * found out about it then.
 */
#include "tests/power/disk.h"

struct met {
    struct sov_fingerprint print; /* zeros: none */
    int64_t found;                /* what `see` left here */
};
struct moments {
    size_t budget;
    uint64_t seed;
    struct met *met; /* open addressing; a power of two */
    size_t room, count;
    int64_t tried;
    /* `known`: met before, and *found_io is what was found then. */
    void (*see)(void *self, const struct left *left, bool known, int64_t *found_io);
    void *self;
};
void moments_make(struct moments *moments, struct disk *disk);
void moments_release(struct moments *moments);
#endif
