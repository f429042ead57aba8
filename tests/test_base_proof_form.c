/* The file of a proof: its limits, its parts, and what a refusal says of it. */
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/proof.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

#define HASH "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
#define NOTE "o/1\n5\n" HASH "\n\n\xe2\x80\x94 o/1 AAAA\n"
#define OLDER "o/1\n3\n" HASH "\n\n\xe2\x80\x94 o/1 BBBB\n\xe2\x80\x94 w CCCC\n"
#define INCLUSION "c2sp.org/tlog-proof@v1\n"
#define CONSISTENCY "sov.consistency-proof@v1\n"

/* NULL: it is read. Else what the refusal says; the output is as it was. */
static const char *refused(struct sov_bytes text, struct sov_error *err)
{
    struct sov_arena arena;
    struct sov_tree_proof proof = { .count = 77 };
    bool ok;

    sov_arena_init(&arena, 1 << 20);
    ok = sov_proof_read(text, &arena, &proof, err);
    sov_arena_release(&arena);
    if (ok) return NULL;
    assert_string_equal(err->code, "proof_invalid");
    assert_int_equal(err->exit, SOV_INTEGRITY);
    assert_int_equal(proof.count, 77);
    return err->what;
}

static void a_refusal_says_which_part_is_wrong(void **state)
{
    static const char first[] = "proof: does not begin as one",
                      extra[] = "proof: has extra data that is no base64",
                      place[] = "proof: has no index in plain decimal",
                      hash[] = "proof: has a line that is no hash of 32 octets in base64",
                      early[] = "proof: ends before its checkpoint",
                      none[] = "proof: has no checkpoint",
                      one[] = "proof: has one checkpoint, not two";
    static const struct {
        const char *text, *what;
    } rows[] = {
        { "", "proof: has no first line" },
        { "c2sp.org/tlog-proof@v1", "proof: has no first line" },
        { "c2sp.org/tlog-proof@v2\nindex 0\n\n" NOTE, first },
        { "\n", first },
        { INCLUSION "extra \nindex 0\n\n" NOTE, extra },
        { INCLUSION "extra ===\nindex 0\n\n" NOTE, extra },
        { CONSISTENCY "extra \n\n" OLDER "\n" NOTE, extra },
        { INCLUSION "extra\nindex 0\n\n" NOTE, place },
        { INCLUSION, place },
        { INCLUSION "index \n\n" NOTE, place },
        { INCLUSION "index\n\n" NOTE, place },
        { INCLUSION "index 01\n\n" NOTE, place },
        { INCLUSION "index 1000000000000000000\n\n" NOTE, place },
        { INCLUSION "index 0\nAAAA\n\n" NOTE, hash },
        { CONSISTENCY "extra\n\n" OLDER "\n" NOTE, hash },
        { INCLUSION "index 0\n" HASH "\n", early },
        { INCLUSION "index 0\n", early },
        { INCLUSION "index 0\n\n", none },
        { CONSISTENCY "\n" OLDER "\n", none },
        { CONSISTENCY "\n" NOTE, one },
        { CONSISTENCY "\n" NOTE "x", one },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sov_error err = { 0 };
        const char *what = refused(sov_bytes_text(rows[i].text), &err);

        if (!what || strcmp(what, rows[i].what) != 0)
            fail_msg("row %zu: %s, not: %s", i, what ? what : "it is read", rows[i].what);
    }
}

static void each_part_is_read_as_what_it_is(void **state)
{
    static const struct {
        const char *text, *extra, *older;
        uint64_t index;
        size_t count;
    } rows[] = {
        { INCLUSION "index 0\n\n" NOTE, "", "", 0, 0 },
        { INCLUSION "index 10\n" HASH "\n\n" NOTE, "", "", 10, 1 },
        { INCLUSION "extra aGVsbG8=\nindex 909\n" HASH "\n" HASH "\n\n" NOTE, "hello", "", 909, 2 },
        { CONSISTENCY "\n" OLDER "\n" NOTE, "", OLDER, 0, 0 },
        { CONSISTENCY "extra aGVsbG8=\n" HASH "\n\n" NOTE "\n" NOTE, "hello", NOTE, 0, 1 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct sov_arena arena;
        struct sov_tree_proof proof;
        struct sov_error err = { 0 };

        sov_arena_init(&arena, 1 << 20);
        if (!sov_proof_read(sov_bytes_text(rows[i].text), &arena, &proof, &err))
            fail_msg("row %zu: %s", i, err.what);
        assert_int_equal(proof.kind,
                         rows[i].older[0] ? SOV_PROOF_CONSISTENCY : SOV_PROOF_INCLUSION);
        assert_true(sov_bytes_is(proof.extra, rows[i].extra));
        assert_true(sov_bytes_is(proof.old_note, rows[i].older));
        assert_true(sov_bytes_is(proof.note, NOTE));
        assert_int_equal(proof.index, rows[i].index);
        assert_int_equal(proof.count, rows[i].count);
        sov_arena_release(&arena);
    }
}

static void a_proof_of_the_largest_size_is_read_and_one_octet_more_is_not(void **state)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    struct sov_error err = { 0 };

    (void)state;
    sov_buf_init(&text, 2 * SOV_PROOF_SIZE_MAX);
    sov_buf_add_text(&text, INCLUSION "index 0\n\n" NOTE);
    while (text.size < SOV_PROOF_SIZE_MAX) sov_buf_add_byte(&text, 'x');
    assert_null(refused(sov_buf_bytes(&text), &err));
    sov_buf_add_byte(&text, 'x');
    assert_string_equal(refused(sov_buf_bytes(&text), &err),
                        "proof: is longer than any that we write");
}

static void the_largest_extra_data_is_read_and_one_octet_more_is_not(void **state)
{
    (void)state;
    for (size_t more = 0; more < 2; more++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
        uint8_t *octets = test_calloc(1, SOV_PROOF_EXTRA_MAX + more);
        struct sov_error err = { 0 };
        const char *what;

        sov_buf_init(&text, SOV_PROOF_SIZE_MAX);
        sov_buf_add_text(&text, INCLUSION "extra ");
        sov_base64(sov_bytes(octets, SOV_PROOF_EXTRA_MAX + more), &text);
        sov_buf_add_text(&text, "\nindex 0\n\n" NOTE);
        assert_false(text.cut);
        what = refused(sov_buf_bytes(&text), &err);
        if (more)
            assert_string_equal(what, "proof: has more extra data than any of ours");
        else
            assert_null(what);
        test_free(octets);
    }
}

static void a_tree_has_no_more_hashes_than_there_is_room_for(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
        struct sov_error err = { 0 };
        const char *what;

        sov_buf_init(&text, SOV_PROOF_SIZE_MAX);
        sov_buf_add_text(&text, INCLUSION "index 0\n");
        for (unsigned i = 0; i < SOV_PROOF_HASHES + more; i++) sov_buf_add_text(&text, HASH "\n");
        sov_buf_add_text(&text, "\n" NOTE);
        what = refused(sov_buf_bytes(&text), &err);
        if (more)
            assert_string_equal(what, "proof: has more hashes than any tree");
        else
            assert_null(what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refusal_says_which_part_is_wrong),
        cmocka_unit_test(each_part_is_read_as_what_it_is),
        cmocka_unit_test(a_proof_of_the_largest_size_is_read_and_one_octet_more_is_not),
        cmocka_unit_test(the_largest_extra_data_is_read_and_one_octet_more_is_not),
        cmocka_unit_test(a_tree_has_no_more_hashes_than_there_is_room_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
