#ifndef SOV_BASE_MERKLE_H
#define SOV_BASE_MERKLE_H
/*
 * The RFC 6962 tree, as a compact range: the roots of the perfect subtrees that a tree of `size`
 * leaves is made of, one a set bit of size, largest first. Appending costs O(1) amortised.
 *   leaf = SHA-256(0x00 | octets), node = SHA-256(0x01 | left | right), empty tree = SHA-256("")
 */
#include "base/crypto.h"

enum { SOV_RANGE_NODES = 63 };

struct sov_range {
    uint64_t size;
    struct sov_hash node[SOV_RANGE_NODES]; /* popcount(size) of them are used */
};

struct sov_hash sov_leaf_hash(struct sov_bytes octets);
struct sov_hash sov_node_hash(const struct sov_hash *left, const struct sov_hash *right);
void sov_range_append(struct sov_range *range, const struct sov_hash *leaf);
struct sov_hash sov_range_root(const struct sov_range *range);
unsigned sov_range_count(const struct sov_range *range); /* nodes in use */
#endif
