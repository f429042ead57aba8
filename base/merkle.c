#include "base/merkle.h"

#include <assert.h>

struct sov_hash sov_leaf_hash(struct sov_bytes octets)
{
    const struct sov_bytes parts[] = { sov_bytes("\0", 1), octets };

    return sov_sha256_parts(parts, 2);
}

struct sov_hash sov_node_hash(const struct sov_hash *left, const struct sov_hash *right)
{
    uint8_t octets[1 + 2 * SOV_HASH_SIZE];

    octets[0] = 1;
    memcpy(octets + 1, left->octets, SOV_HASH_SIZE);
    memcpy(octets + 1 + SOV_HASH_SIZE, right->octets, SOV_HASH_SIZE);
    return sov_sha256(sov_bytes(octets, sizeof octets));
}

unsigned sov_range_count(const struct sov_range *range)
{
    return (unsigned)__builtin_popcountll(range->size);
}

void sov_range_append(struct sov_range *range, const struct sov_hash *leaf)
{
    unsigned count = sov_range_count(range);
    struct sov_hash carry = *leaf;

    assert(range->size < INT64_MAX);
    /* As a binary counter: each one at the low end is a perfect tree as tall as the carry. */
    for (uint64_t size = range->size; size & 1; size >>= 1)
        carry = sov_node_hash(&range->node[--count], &carry);
    range->node[count] = carry;
    range->size++;
}

struct sov_hash sov_range_root(const struct sov_range *range)
{
    unsigned count = sov_range_count(range);
    struct sov_hash root;

    assert(range->size <= INT64_MAX);
    if (count == 0) return sov_sha256(sov_bytes("", 0));
    root = range->node[--count];
    while (count > 0) root = sov_node_hash(&range->node[--count], &root);
    return root;
}
