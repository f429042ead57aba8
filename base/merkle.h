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

/*
 * Proofs (RFC 6962 2.1.1 and 2.1.2), made of roots of spans of leaves. Whoever has the leaves
 * hashes each span as a tree of its own, in the order given: those are the hashes of the proof.
 */
enum { SOV_PROOF_HASHES = 64 }; /* more than any tree of at most 2^63 - 1 leaves needs */
struct sov_span {
    uint64_t first, count; /* leaves, counted from 0 */
};
/* That leaf `index` stands in the tree of `size`: index < size. Returns how many. */
size_t sov_inclusion_spans(uint64_t index, uint64_t size,
                           struct sov_span spans_out[SOV_PROOF_HASHES]);
/* That the tree of `old` leaves is a prefix of the one of `size`: 0 < old <= size. */
size_t sov_consistency_spans(uint64_t old, uint64_t size,
                             struct sov_span spans_out[SOV_PROOF_HASHES]);
/* Both say no to anything that is not exactly such a proof, whatever the numbers. */
bool sov_inclusion_holds(const struct sov_hash *leaf, uint64_t index, uint64_t size,
                         const struct sov_hash *root, const struct sov_hash *hashes, size_t count);
bool sov_consistency_holds(uint64_t old, const struct sov_hash *old_root, uint64_t size,
                           const struct sov_hash *root, const struct sov_hash *hashes,
                           size_t count);
#endif
