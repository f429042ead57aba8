#include "tests/unit.h"

#include <stdio.h>

#include "base/merkle.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* The test tree of Certificate Transparency: its leaves, and the root after each. */
static const struct {
    const char *leaf, *root;
} reference[] = {
    { "", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d" },
    { "00", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125" },
    { "10", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77" },
    { "2021", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7" },
    { "3031", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4" },
    { "40414243", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef" },
    { "5051525354555657", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c" },
    { "606162636465666768696a6b6c6d6e6f",
      "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328" },
};

static void assert_hash(struct sov_hash hash, const char *hex)
{
    char text[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&hash), text);
    assert_string_equal(text, hex);
}

static void the_published_tree_grows_root_by_root(void **state)
{
    struct sov_range range = { 0 };

    (void)state;
    assert_hash(sov_range_root(&range),
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    for (size_t i = 0; i < COUNT(reference); i++) {
        uint8_t octets[16];
        size_t size = strlen(reference[i].leaf) / 2;
        struct sov_hash leaf;

        assert_true(sov_unhex(sov_bytes_text(reference[i].leaf), octets, size));
        leaf = sov_leaf_hash(sov_bytes(octets, size));
        sov_range_append(&range, &leaf);
        assert_int_equal(range.size, i + 1);
        assert_hash(sov_range_root(&range), reference[i].root);
    }
}

/* Of google/certificate-transparency's TreeHasher tests. */
static void the_published_leaf_and_node_hashes_come_out(void **state)
{
    uint8_t leaf[] = { 0x10, 0x11, 0x12, 0x13 };
    struct sov_hash left, right;

    (void)state;
    assert_hash(sov_leaf_hash(sov_bytes("", 0)),
                "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
    left = sov_leaf_hash(sov_bytes("", 0));
    right = sov_leaf_hash(sov_bytes("\0", 1));
    assert_hash(sov_node_hash(&left, &right), reference[1].root);
    /* The prefix keeps a node from being passed off as a leaf and the other way round. */
    left = sov_leaf_hash(sov_bytes(leaf, sizeof leaf));
    right = sov_sha256(sov_bytes(leaf, sizeof leaf));
    assert_false(sov_hash_equal(&left, &right));
}

enum { LEAVES = 300 };

static struct sov_hash leaf_at(uint64_t i)
{
    char text[32];

    snprintf(text, sizeof text, "event %llu", (unsigned long long)i);
    return sov_leaf_hash(sov_bytes_text(text));
}

/* RFC 6962 2.1, as written: split at the largest power of two below the size. */
static struct sov_hash tree(uint64_t first, uint64_t size)
{
    struct sov_hash left, right;
    uint64_t half = 1;

    if (size == 0) return sov_sha256(sov_bytes("", 0));
    if (size == 1) return leaf_at(first);
    while (half * 2 < size) half *= 2;
    left = tree(first, half);
    right = tree(first + half, size - half);
    return sov_node_hash(&left, &right);
}

static void the_range_agrees_with_the_definition_at_every_size(void **state)
{
    struct sov_range range = { 0 };

    (void)state;
    for (uint64_t size = 0; size <= LEAVES; size++) {
        struct sov_hash leaf = leaf_at(size), root = sov_range_root(&range), want = tree(0, size);
        uint64_t first = 0;
        unsigned at = 0, bits = 0;

        if (!sov_hash_equal(&root, &want)) fail_msg("size %llu", (unsigned long long)size);
        for (uint64_t n = size; n; n >>= 1) bits += n & 1;
        assert_int_equal(sov_range_count(&range), bits);
        for (unsigned bit = 63; bit-- > 0;) { /* perfect trees, the largest first */
            if (!(size >> bit & 1)) continue;
            want = tree(first, UINT64_C(1) << bit);
            assert_true(sov_hash_equal(&range.node[at], &want));
            first += UINT64_C(1) << bit;
            at++;
        }
        sov_range_append(&range, &leaf);
        assert_int_equal(range.size, size + 1);
    }
}

static void reading_the_root_changes_nothing(void **state)
{
    struct sov_range range = { 0 }, before;

    (void)state;
    for (uint64_t i = 0; i < 13; i++) {
        struct sov_hash leaf = leaf_at(i);

        sov_range_append(&range, &leaf);
    }
    before = range;
    sov_range_root(&range);
    assert_memory_equal(&before, &range, sizeof range);
}

/* The last append that the type has room for, and one that carries through every tree but one. */
static void the_range_holds_up_to_its_largest_size(void **state)
{
    struct sov_range range = { .size = INT64_MAX - 1 };
    struct sov_hash leaf = leaf_at(0);

    (void)state;
    assert_int_equal(sov_range_count(&range), SOV_RANGE_NODES - 1);
    sov_range_append(&range, &leaf);
    assert_int_equal(sov_range_count(&range), SOV_RANGE_NODES);
    assert_true(sov_hash_equal(&range.node[SOV_RANGE_NODES - 1], &leaf));
    range.size = (UINT64_C(1) << 62) - 1;
    sov_range_append(&range, &leaf);
    assert_int_equal(sov_range_count(&range), 1);
}

/* ---- what a proof may not be: test_base_proof.c has those that hold ---- */

/* The same hashes lead up from leaf 0 in a tree of 2^63 - 1 leaves and in one of 2^63. */
static void the_largest_tree_has_proofs_and_a_larger_one_has_none(void **state)
{
    enum { LEVELS = 63 };
    struct sov_hash hashes[LEVELS], leaf = leaf_at(0), first = leaf, last = leaf;
    struct sov_span spans[SOV_PROOF_HASHES];

    (void)state;
    for (uint64_t i = 0; i < LEVELS; i++) {
        hashes[i] = leaf_at(i + 1);
        first = sov_node_hash(&first, &hashes[i]);
        if (i < LEVELS - 1) last = sov_node_hash(&hashes[i], &last);
    }
    assert_int_equal(sov_inclusion_spans(0, INT64_MAX, spans), LEVELS);
    assert_true(sov_inclusion_holds(&leaf, 0, INT64_MAX, &first, hashes, LEVELS));
    assert_false(sov_inclusion_holds(&leaf, 0, (uint64_t)INT64_MAX + 1, &first, hashes, LEVELS));
    assert_int_equal(sov_inclusion_spans(INT64_MAX - 1, INT64_MAX, spans), LEVELS - 1);
    assert_true(sov_inclusion_holds(&leaf, INT64_MAX - 1, INT64_MAX, &last, hashes, LEVELS - 1));
}

static size_t hashes_of(const struct sov_span *spans, size_t count, struct sov_hash *hashes_out)
{
    for (size_t i = 0; i < count; i++) hashes_out[i] = tree(spans[i].first, spans[i].count);
    return count;
}

/* A root made for the purpose, one level above the true one. */
static void hashes_above_the_root_are_refused_whatever_they_lead_to(void **state)
{
    struct sov_hash hashes[SOV_PROOF_HASHES + 1];
    struct sov_span spans[SOV_PROOF_HASHES];

    (void)state;
    for (uint64_t size = 1; size <= 20; size++)
        for (uint64_t n = 1; n <= size; n++) {
            struct sov_hash leaf = leaf_at(n - 1), old = tree(0, n), root = tree(0, size);
            struct sov_hash more = leaf_at(1000), above = sov_node_hash(&more, &root);
            struct sov_hash beside = sov_node_hash(&root, &more);
            size_t count = hashes_of(spans, sov_inclusion_spans(n - 1, size, spans), hashes);

            assert_true(sov_inclusion_holds(&leaf, n - 1, size, &root, hashes, count));
            hashes[count] = more;
            assert_false(sov_inclusion_holds(&leaf, n - 1, size, &above, hashes, count + 1));
            assert_false(sov_inclusion_holds(&leaf, n - 1, size, &beside, hashes, count + 1));
            count = hashes_of(spans, sov_consistency_spans(n, size, spans), hashes);
            assert_true(sov_consistency_holds(n, &old, size, &root, hashes, count));
            hashes[count] = more;
            old = sov_node_hash(&more, &old);
            assert_false(sov_consistency_holds(n, &old, size, &above, hashes, count + 1));
        }
}

static void no_hash_is_read_where_there_is_none(void **state)
{
    struct sov_hash leaf = leaf_at(0), root = tree(0, 5), old = tree(0, 3);

    (void)state;
    assert_false(sov_inclusion_holds(&leaf, 0, 5, &root, NULL, 0));
    assert_false(sov_consistency_holds(3, &old, 5, &root, NULL, 0));
    old = tree(0, 4);
    assert_false(sov_consistency_holds(4, &old, 5, &root, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_tree_grows_root_by_root),
        cmocka_unit_test(the_published_leaf_and_node_hashes_come_out),
        cmocka_unit_test(the_range_agrees_with_the_definition_at_every_size),
        cmocka_unit_test(reading_the_root_changes_nothing),
        cmocka_unit_test(the_range_holds_up_to_its_largest_size),
        cmocka_unit_test(the_largest_tree_has_proofs_and_a_larger_one_has_none),
        cmocka_unit_test(hashes_above_the_root_are_refused_whatever_they_lead_to),
        cmocka_unit_test(no_hash_is_read_where_there_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
