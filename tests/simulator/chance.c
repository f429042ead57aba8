#include "tests/simulator/chance.h"

#include <assert.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t turned(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

void chance_seed(struct chance *chance, uint64_t seed, uint64_t stream)
{
    uint64_t state = seed * UINT64_C(0xd1342543de82ef95) + stream;

    for (size_t i = 0; i < 4; i++) chance->word[i] = splitmix(&state);
}

uint64_t chance_next(struct chance *chance)
{
    uint64_t *s = chance->word, result = turned(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = turned(s[3], 45);
    return result;
}

uint64_t chance_below(struct chance *chance, uint64_t limit)
{
    assert(limit > 0);
    return chance_next(chance) % limit; /* the bias is far below what a run can notice */
}

int64_t chance_between(struct chance *chance, int64_t least, int64_t most)
{
    assert(most >= least);
    return least + (int64_t)chance_below(chance, (uint64_t)(most - least) + 1);
}

bool chance_one_in(struct chance *chance, uint64_t n)
{
    return n && chance_below(chance, n) == 0;
}

void chance_fill(struct chance *chance, uint8_t *octets, size_t size)
{
    for (size_t i = 0; i < size; i++) octets[i] = (uint8_t)(chance_next(chance) >> 32);
}
