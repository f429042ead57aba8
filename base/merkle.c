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

/* ---- proofs ---- */

/* The largest power of two below n, which is at least 2. */
static uint64_t half(uint64_t n)
{
    return UINT64_C(1) << (63 - __builtin_clzll(n - 1));
}

/* Found from the root down, wanted from the leaf up. */
static void reverse(struct sov_span *spans, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct sov_span span = spans[i];

        spans[i] = spans[count - 1 - i];
        spans[count - 1 - i] = span;
    }
}

size_t sov_inclusion_spans(uint64_t index, uint64_t size,
                           struct sov_span spans_out[SOV_PROOF_HASHES])
{
    uint64_t first = 0;
    size_t count = 0;

    assert(index < size && size <= INT64_MAX);
    while (size > 1) {
        uint64_t left = half(size);

        if (index < left) {
            spans_out[count++] = (struct sov_span){ first + left, size - left };
            size = left;
        } else {
            spans_out[count++] = (struct sov_span){ first, left };
            first += left;
            index -= left;
            size -= left;
        }
    }
    reverse(spans_out, count);
    return count;
}

size_t sov_consistency_spans(uint64_t old, uint64_t size,
                             struct sov_span spans_out[SOV_PROOF_HASHES])
{
    uint64_t first = 0;
    size_t count = 0;

    assert(old > 0 && old <= size && size <= INT64_MAX);
    while (old < size) {
        uint64_t left = half(size);

        if (old <= left) {
            spans_out[count++] = (struct sov_span){ first + left, size - left };
            size = left;
        } else {
            spans_out[count++] = (struct sov_span){ first, left };
            first += left;
            old -= left;
            size -= left;
        }
    }
    /* What is left is a subtree of both; the verifier knows it only if it is the old tree. */
    if (first) spans_out[count++] = (struct sov_span){ first, size };
    reverse(spans_out, count);
    return count;
}

/* RFC 9162 2.1.3.2: `at` is the place of the node on its level, `last` that of the level's last. */
static void climb(uint64_t *at, uint64_t *last)
{
    *at >>= 1;
    *last >>= 1;
}

bool sov_inclusion_holds(const struct sov_hash *leaf, uint64_t index, uint64_t size,
                         const struct sov_hash *root, const struct sov_hash *hashes, size_t count)
{
    uint64_t at = index, last = size - 1;
    struct sov_hash node = *leaf;

    if (size > INT64_MAX || index >= size) return false;
    for (size_t i = 0; i < count; i++) {
        if (last == 0) return false;
        if (at & 1 || at == last) {
            node = sov_node_hash(&hashes[i], &node);
            while (!(at & 1) && at) climb(&at, &last);
        } else {
            node = sov_node_hash(&node, &hashes[i]);
        }
        climb(&at, &last);
    }
    return last == 0 && sov_hash_equal(&node, root);
}

bool sov_consistency_holds(uint64_t old, const struct sov_hash *old_root, uint64_t size,
                           const struct sov_hash *root, const struct sov_hash *hashes, size_t count)
{
    uint64_t at = old - 1, last = size - 1;
    struct sov_hash before, now;
    size_t used = 0;

    if (old == 0 || old > size || size > INT64_MAX) return false;
    if (old == size) return count == 0 && sov_hash_equal(old_root, root);
    while (at & 1) climb(&at, &last);
    if (at == 0) { /* the old tree is perfect, so it is itself the first node */
        before = *old_root;
    } else {
        if (count == 0) return false;
        before = hashes[used++];
    }
    now = before;
    for (; used < count; used++) {
        if (last == 0) return false;
        if (at & 1 || at == last) {
            before = sov_node_hash(&hashes[used], &before);
            now = sov_node_hash(&hashes[used], &now);
            while (!(at & 1) && at) climb(&at, &last);
        } else {
            now = sov_node_hash(&now, &hashes[used]);
        }
        climb(&at, &last);
    }
    return last == 0 && sov_hash_equal(&before, old_root) && sov_hash_equal(&now, root);
}
