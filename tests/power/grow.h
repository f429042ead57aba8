#ifndef SOV_TESTS_POWER_GROW_H
#define SOV_TESTS_POWER_GROW_H
/*
 * Commits of drawn shapes through the product's own door, for histories that no verb has: many
 * events at once, payloads that fill overflow pages, names that split pages, a page cache so small
 * that a commit spills into the file before it ends. Says "(seq N)" once a commit is acknowledged.
 */
#include <stdint.h>

struct grow {
    uint64_t seed;
    int commits;
    const char *pragma; /* set behind the product's back, after it has opened; NULL: none */
};
/* In the working folder of a place: 0, or 1. */
int grow(const struct grow *grow);
#endif
