#include "tests/unit.h"

#include <stdio.h>

#include "base/proof.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

enum { SIZES = 300, ALTERED = 40 };

/* ---- RFC 6962 2.1, as written, and nothing of base/merkle.c but its two hashes ---- */

struct reference {
    struct sov_hash tree[SIZES][SIZES + 1]; /* MTH(D[first : first + count]) */
};

static uint64_t split(uint64_t size) /* the largest power of two smaller than it */
{
    uint64_t k = 1;

    while (k * 2 < size) k *= 2;
    return k;
}

static struct reference *reference_new(void)
{
    struct reference *r = test_calloc(1, sizeof *r);

    for (uint64_t count = 1; count <= SIZES; count++) {
        for (uint64_t first = 0; first + count <= SIZES; first++) {
            uint64_t k = split(count);
            char text[32];

            snprintf(text, sizeof text, "event %llu", (unsigned long long)first);
            if (count == 1)
                r->tree[first][1] = sov_leaf_hash(sov_bytes_text(text));
            else
                r->tree[first][count] =
                    sov_node_hash(&r->tree[first][k], &r->tree[first + k][count - k]);
        }
    }
    return r;
}

static int reference_setup(void **state)
{
    *state = reference_new();
    return 0;
}

static int reference_teardown(void **state)
{
    test_free(*state);
    return 0;
}

/* PATH(m, D[n]) and SUBPROOF(m, D[n], b); the hashes are appended. */
static size_t path(const struct reference *r, uint64_t first, uint64_t m, uint64_t n,
                   struct sov_hash *out)
{
    uint64_t k = split(n);
    size_t count;

    if (n == 1) return 0;
    if (m < k) {
        count = path(r, first, m, k, out);
        out[count] = r->tree[first + k][n - k];
    } else {
        count = path(r, first + k, m - k, n - k, out);
        out[count] = r->tree[first][k];
    }
    return count + 1;
}

static size_t subproof(const struct reference *r, uint64_t first, uint64_t m, uint64_t n, bool b,
                       struct sov_hash *out)
{
    uint64_t k = split(n);
    size_t count;

    if (m == n && b) return 0;
    if (m == n) {
        out[0] = r->tree[first][n];
        return 1;
    }
    if (m <= k) {
        count = subproof(r, first, m, k, b, out);
        out[count] = r->tree[first + k][n - k];
    } else {
        count = subproof(r, first + k, m - k, n - k, false, out);
        out[count] = r->tree[first][k];
    }
    return count + 1;
}

/* The spans hashed, each as a tree of its own. */
static void hashes_of(const struct reference *r, const struct sov_span *spans, size_t count,
                      struct sov_hash *out)
{
    for (size_t i = 0; i < count; i++) {
        assert_true(spans[i].count > 0 && spans[i].first + spans[i].count <= SIZES);
        out[i] = r->tree[spans[i].first][spans[i].count];
    }
}

static void every_proof_of_inclusion_is_the_definitions(void **state)
{
    const struct reference *r = *state;
    struct sov_hash ours[SOV_PROOF_HASHES], theirs[SOV_PROOF_HASHES];
    struct sov_span spans[SOV_PROOF_HASHES];
    size_t pairs = 0;

    for (uint64_t size = 1; size <= SIZES; size++) {
        for (uint64_t index = 0; index < size; index++) {
            size_t count = sov_inclusion_spans(index, size, spans);

            if (count != path(r, 0, index, size, theirs)) fail_msg("%zu hashes", count);
            hashes_of(r, spans, count, ours);
            if (count) assert_memory_equal(ours, theirs, count * sizeof *ours);
            assert_true(sov_inclusion_holds(&r->tree[index][1], index, size, &r->tree[0][size],
                                            theirs, count));
            pairs++;
        }
    }
    assert_int_equal(pairs, SIZES * (SIZES + 1) / 2);
}

static void every_proof_of_consistency_is_the_definitions(void **state)
{
    const struct reference *r = *state;
    struct sov_hash ours[SOV_PROOF_HASHES], theirs[SOV_PROOF_HASHES];
    struct sov_span spans[SOV_PROOF_HASHES];
    size_t pairs = 0;

    for (uint64_t size = 1; size <= SIZES; size++) {
        for (uint64_t old = 1; old <= size; old++) {
            size_t count = sov_consistency_spans(old, size, spans);

            if (count != subproof(r, 0, old, size, true, theirs)) fail_msg("%zu hashes", count);
            hashes_of(r, spans, count, ours);
            if (count) assert_memory_equal(ours, theirs, count * sizeof *ours);
            assert_true(sov_consistency_holds(old, &r->tree[0][old], size, &r->tree[0][size],
                                              theirs, count));
            pairs++;
        }
    }
    assert_int_equal(pairs, SIZES * (SIZES + 1) / 2);
}

/* One thing at a time is altered; none of it may pass. */
static void no_altered_proof_of_inclusion_holds(void **state)
{
    const struct reference *r = *state;
    struct sov_hash proof[SOV_PROOF_HASHES + 1], bad[SOV_PROOF_HASHES + 1];
    size_t tried = 0;

    for (uint64_t size = 1; size <= ALTERED; size++) {
        for (uint64_t index = 0; index < size; index++) {
            size_t count = path(r, 0, index, size, proof);
            const struct sov_hash *leaf = &r->tree[index][1], *root = &r->tree[0][size];

#define NO(leaf, index, size, root, hashes, count)                                                 \
    do {                                                                                           \
        if (sov_inclusion_holds(leaf, index, size, root, hashes, count))                           \
            fail_msg("line %d: leaf %d of %d", __LINE__, (int)(index), (int)(size));               \
        tried++;                                                                                   \
    } while (0)
            for (size_t i = 0; i < count; i++) {
                memcpy(bad, proof, sizeof bad);
                bad[i].octets[i % 32] ^= 1;
                NO(leaf, index, size, root, bad, count);
                if (i + 1 == count) break;
                memcpy(bad, proof, sizeof bad);
                bad[i] = proof[i + 1];
                bad[i + 1] = proof[i];
                NO(leaf, index, size, root, bad, count);
            }
            if (count) NO(leaf, index, size, root, proof, count - 1);
            if (count) NO(leaf, index, size, root, proof + 1, count - 1);
            proof[count] = *leaf;
            NO(leaf, index, size, root, proof, count + 1);
            for (uint64_t other = 0; other < size + 2; other++)
                if (other != index) NO(leaf, other, size, root, proof, count);
            NO(&r->tree[(index + 1) % SIZES][1], index, size, root, proof, count);
            NO(leaf, index, size, &r->tree[0][size + 1], proof, count);
            NO(leaf, index, UINT64_C(0), root, proof, count);
            NO(leaf, index, UINT64_MAX, root, proof, count);
#undef NO
        }
    }
    assert_true(tried > 20000);
}

static void a_tree_of_the_largest_size_is_consistent_with_itself(void **state)
{
    const struct sov_hash root = { { 1 } };

    (void)state;
    assert_true(sov_consistency_holds(INT64_MAX, &root, INT64_MAX, &root, NULL, 0));
    assert_false(sov_consistency_holds((uint64_t)INT64_MAX + 1, &root, (uint64_t)INT64_MAX + 1,
                                       &root, NULL, 0));
}

static void no_altered_proof_of_consistency_holds(void **state)
{
    const struct reference *r = *state;
    struct sov_hash proof[SOV_PROOF_HASHES + 1], bad[SOV_PROOF_HASHES + 1];
    size_t tried = 0;

    for (uint64_t size = 1; size <= ALTERED; size++) {
        for (uint64_t old = 1; old <= size; old++) {
            size_t count = subproof(r, 0, old, size, true, proof);
            const struct sov_hash *before = &r->tree[0][old], *root = &r->tree[0][size];

#define NO(old, before, size, root, hashes, count)                                                 \
    do {                                                                                           \
        if (sov_consistency_holds(old, before, size, root, hashes, count))                         \
            fail_msg("line %d: %d to %d", __LINE__, (int)(old), (int)(size));                      \
        tried++;                                                                                   \
    } while (0)
            for (size_t i = 0; i < count; i++) {
                memcpy(bad, proof, sizeof bad);
                bad[i].octets[i % 32] ^= 0x80;
                NO(old, before, size, root, bad, count);
            }
            if (count) NO(old, before, size, root, proof, count - 1);
            if (count) NO(old, before, size, root, proof + 1, count - 1);
            proof[count] = *root;
            NO(old, before, size, root, proof, count + 1);
            for (uint64_t other = 0; other <= size; other++)
                if (other != old) NO(other, before, size, root, proof, count);
            NO(old, &r->tree[1][old], size, root, proof, count);
            NO(old, before, size, &r->tree[1][size], proof, count);
            NO(old, before, UINT64_C(0), root, proof, count);
            NO(old, before, UINT64_MAX, root, proof, count);
#undef NO
        }
    }
    assert_true(tried > 20000);
}

/* Sizes near the end of the type: no loop runs away, no count is over its room. */
static void the_largest_trees_have_room(void **state)
{
    static const uint64_t sizes[] = {
        1, 2, 3, INT64_MAX, INT64_MAX - 1, UINT64_C(1) << 62, (UINT64_C(1) << 62) + 1
    };
    struct sov_span spans[SOV_PROOF_HASHES];
    size_t most = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        for (size_t j = 0; j < COUNT(sizes); j++) {
            uint64_t leaves = sizes[j];
            size_t count;

            if (sizes[j] > sizes[i]) continue;
            count = sov_inclusion_spans(sizes[j] - 1, sizes[i], spans);
            assert_true(count < SOV_PROOF_HASHES);
            leaves = 1;
            for (size_t n = 0; n < count; n++) leaves += spans[n].count;
            assert_int_equal(leaves, sizes[i]); /* with the leaf they are the tree */
            count = sov_consistency_spans(sizes[j], sizes[i], spans);
            assert_true(count <= SOV_PROOF_HASHES);
            if (count > most) most = count;
        }
    }
    assert_true(most >= 62);
}

/* ---- what others published: the test tree of Certificate Transparency ---- */

static const char *const ct_leaves[] = { "",
                                         "00",
                                         "10",
                                         "2021",
                                         "3031",
                                         "40414243",
                                         "5051525354555657",
                                         "606162636465666768696a6b6c6d6e6f" };
#define H1 "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
#define H2 "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
#define H3 "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"
#define H4 "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
#define H5 "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
#define H6 "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"
#define H7 "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"
#define H8 "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
#define H9 "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"
static const struct {
    bool consistency;
    uint64_t a, size; /* leaf from 1, or the older size */
    const char *hashes[4];
} published[] = {
    { false, 1, 1, { NULL } },       { false, 1, 8, { H1, H2, H3 } },
    { false, 6, 8, { H4, H5, H6 } }, { false, 3, 3, { H7 } },
    { false, 2, 5, { H8, H2, H4 } }, { true, 1, 1, { NULL } },
    { true, 1, 8, { H1, H2, H3 } },  { true, 6, 8, { H9, H5, H6 } },
    { true, 2, 5, { H2, H4 } },
};

static struct sov_hash ct_root(uint64_t first, uint64_t count)
{
    struct sov_range range = { 0 };

    for (uint64_t i = first; i < first + count; i++) {
        uint8_t octets[16];
        size_t size = strlen(ct_leaves[i]) / 2;
        struct sov_hash leaf;

        assert_true(sov_unhex(sov_bytes_text(ct_leaves[i]), octets, size));
        leaf = sov_leaf_hash(sov_bytes(octets, size));
        sov_range_append(&range, &leaf);
    }
    return sov_range_root(&range);
}

static void the_published_proofs_come_out_and_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(published); i++) {
        uint64_t a = published[i].a, size = published[i].size;
        struct sov_span spans[SOV_PROOF_HASHES];
        struct sov_hash hashes[SOV_PROOF_HASHES], root = ct_root(0, size), old, leaf;
        size_t count = published[i].consistency ? sov_consistency_spans(a, size, spans)
                                                : sov_inclusion_spans(a - 1, size, spans);

        for (size_t n = 0; n < count; n++) {
            char hex[SOV_HEX_HASH + 1];

            hashes[n] = ct_root(spans[n].first, spans[n].count);
            sov_hex(sov_hash_bytes(&hashes[n]), hex);
            assert_non_null(published[i].hashes[n]);
            assert_string_equal(hex, published[i].hashes[n]);
        }
        assert_null(published[i].hashes[count]);
        old = ct_root(0, a);
        leaf = ct_root(a - 1, 1);
        assert_true(published[i].consistency
                        ? sov_consistency_holds(a, &old, size, &root, hashes, count)
                        : sov_inclusion_holds(&leaf, a - 1, size, &root, hashes, count));
    }
}

/* ---- the file ---- */

#define HASH "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
#define NOTE "o/1\n5\n" HASH "\n\n\xe2\x80\x94 o/1 AAAA\n"
#define INCLUSION "c2sp.org/tlog-proof@v1\n"
#define CONSISTENCY "sov.consistency-proof@v1\n"

static void what_is_written_is_read_again(void **state)
{
    static const char *const good[] = {
        INCLUSION "index 0\n\n" NOTE,
        INCLUSION "index 5\n" HASH "\n" HASH "\n\n" NOTE,
        INCLUSION "extra aGVsbG8=\nindex 999999999999999999\n" HASH "\n\n" NOTE,
        CONSISTENCY "\n" NOTE "\n" NOTE,
        CONSISTENCY "extra aGVsbG8=\n" HASH "\n\n" NOTE "\n" NOTE,
        /* A checkpoint that witnesses signed too, as it is. */
        INCLUSION "index 5\n\n" NOTE "\xe2\x80\x94 witness AAAA\n",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
        struct sov_arena arena;
        struct sov_tree_proof proof;
        struct sov_error err = { 0 };

        sov_arena_init(&arena, 1 << 20);
        sov_buf_init(&out, SOV_PROOF_SIZE_MAX);
        if (!sov_proof_read(sov_bytes_text(good[i]), &arena, &proof, &err))
            fail_msg("row %zu: %s", i, err.what);
        sov_proof_write(&proof, &out);
        assert_int_equal(out.size, strlen(good[i]));
        assert_memory_equal(out.data, good[i], out.size);
        sov_arena_release(&arena);
    }
}

static void what_is_not_of_the_form_is_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "\n",
        "c2sp.org/tlog-proof@v1",
        "c2sp.org/tlog-proof@v2\nindex 0\n\n" NOTE,
        "c2sp.org/tlog-proof@v1\r\nindex 0\n\n" NOTE,
        " " INCLUSION "index 0\n\n" NOTE,
        INCLUSION,
        INCLUSION "\n" NOTE,
        INCLUSION "index\n\n" NOTE,
        INCLUSION "index \n\n" NOTE,
        INCLUSION "index 00\n\n" NOTE,
        INCLUSION "index 01\n\n" NOTE,
        INCLUSION "index +1\n\n" NOTE,
        INCLUSION "index -1\n\n" NOTE,
        INCLUSION "index 1 \n\n" NOTE,
        INCLUSION "index 0x1\n\n" NOTE,
        INCLUSION "index 1000000000000000000\n\n" NOTE,
        INCLUSION "index 0\nindex 0\n\n" NOTE,
        INCLUSION "index 0\nextra aGVsbG8=\n\n" NOTE,
        INCLUSION "extra aGVsbG8=\nextra aGVsbG8=\nindex 0\n\n" NOTE,
        INCLUSION "extra \nindex 0\n\n" NOTE,
        INCLUSION "extra aGVsbG8\nindex 0\n\n" NOTE,
        INCLUSION "extra aGVsbG9=\nindex 0\n\n" NOTE,
        INCLUSION "extra aGVs bG8=\nindex 0\n\n" NOTE,
        INCLUSION "index 0\n" HASH,
        INCLUSION "index 0\n" HASH "\n",
        INCLUSION "index 0\n" HASH "=\n\n" NOTE,
        INCLUSION "index 0\n" HASH " \n\n" NOTE,
        INCLUSION "index 0\n" HASH HASH "\n\n" NOTE,
        INCLUSION "index 0\nAAAA\n\n" NOTE,
        INCLUSION "index 0\n" HASH "\n\n",
        CONSISTENCY "index 0\n\n" NOTE "\n" NOTE,
        CONSISTENCY "\n" NOTE,
        CONSISTENCY "\n" NOTE "\n",
        CONSISTENCY NOTE "\n" NOTE,
    };

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct sov_arena arena;
        struct sov_tree_proof proof = { .count = 77 };
        struct sov_error err = { 0 };

        sov_arena_init(&arena, 1 << 20);
        if (sov_proof_read(sov_bytes_text(bad[i]), &arena, &proof, &err)) fail_msg("row %zu", i);
        assert_string_equal(err.code, "proof_invalid");
        assert_int_equal(err.exit, SOV_INTEGRITY);
        assert_int_equal(proof.count, 77);
        sov_arena_release(&arena);
    }
}

static void a_proof_has_no_more_hashes_and_octets_than_any_tree(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
        struct sov_arena arena;
        struct sov_tree_proof proof;
        struct sov_error err = { 0 };

        sov_arena_init(&arena, 1 << 20);
        sov_buf_init(&text, 2 * SOV_PROOF_SIZE_MAX);
        sov_buf_add_text(&text, INCLUSION "index 0\n");
        for (unsigned i = 0; i < SOV_PROOF_HASHES + more; i++) sov_buf_add_text(&text, HASH "\n");
        sov_buf_add_text(&text, "\n" NOTE);
        assert_int_equal(sov_proof_read(sov_buf_bytes(&text), &arena, &proof, &err), !more);
        while (text.size <= SOV_PROOF_SIZE_MAX) sov_buf_add_byte(&text, 'x');
        assert_false(sov_proof_read(sov_buf_bytes(&text), &arena, &proof, &err));
        sov_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_proof_of_inclusion_is_the_definitions),
        cmocka_unit_test(every_proof_of_consistency_is_the_definitions),
        cmocka_unit_test(no_altered_proof_of_inclusion_holds),
        cmocka_unit_test(a_tree_of_the_largest_size_is_consistent_with_itself),
        cmocka_unit_test(no_altered_proof_of_consistency_holds),
        cmocka_unit_test(the_largest_trees_have_room),
        cmocka_unit_test(the_published_proofs_come_out_and_hold),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(what_is_not_of_the_form_is_refused),
        cmocka_unit_test(a_proof_has_no_more_hashes_and_octets_than_any_tree),
    };

    return cmocka_run_group_tests(tests, reference_setup, reference_teardown);
}
