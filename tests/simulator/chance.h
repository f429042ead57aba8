#ifndef SOV_SIMULATOR_CHANCE_H
#define SOV_SIMULATOR_CHANCE_H
/* xoshiro256**, seeded by splitmix64: everything that a seed decides is drawn from such streams. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chance {
    uint64_t word[4];
};
/* Streams of one seed under different names are independent of each other. */
void chance_seed(struct chance *chance, uint64_t seed, uint64_t stream);
uint64_t chance_next(struct chance *chance);
uint64_t chance_below(struct chance *chance, uint64_t limit); /* limit > 0 */
int64_t chance_between(struct chance *chance, int64_t least, int64_t most);
bool chance_one_in(struct chance *chance, uint64_t n); /* n 0: never */
void chance_fill(struct chance *chance, uint8_t *octets, size_t size);
#endif
