#include "tests/unit.h"

#include "base/bytes.h"

#define ROWS(table) (sizeof(table) / sizeof *(table))

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static void the_lesser_of_two_sizes_is_told(void **state)
{
    (void)state;
    assert_int_equal(sov_size_min(1, 2), 1);
    assert_int_equal(sov_size_min(2, 1), 1);
    assert_int_equal(sov_size_min(2, 2), 2);
    assert_true(sov_size_min(SIZE_MAX, 0) == 0);
}

static void octets_are_compared_to_their_end_and_no_further(void **state)
{
    static const struct {
        const char *a, *b;
        int order;
        bool begins; /* a with b */
    } rows[] = {
        { "", "", 0, true },      { "a", "", 1, true },      { "", "a", -1, false },
        { "ab", "ab", 0, true },  { "ab", "a", 1, true },    { "a", "ab", -1, false },
        { "ab", "b", -1, false }, { "b", "ab", 1, false },   { "ba", "ab", 1, false },
        { "ab", "aa", 1, false }, { "aa", "ab", -1, false }, { "\x7f", "\xff", -1, false },
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct sov_bytes a = sov_bytes_text(rows[i].a), b = sov_bytes_text(rows[i].b);

        if (sign(sov_bytes_compare(a, b)) != rows[i].order) fail_msg("row %zu: order", i);
        if (sov_bytes_equal(a, b) != (rows[i].order == 0)) fail_msg("row %zu: equal", i);
        if (sov_bytes_is(a, rows[i].b) != (rows[i].order == 0)) fail_msg("row %zu: is", i);
        if (sov_bytes_begin(a, b) != rows[i].begins) fail_msg("row %zu: begins", i);
    }
    /* What lies behind the size is no part of it, and of nothing nothing is read. */
    assert_true(sov_bytes_equal(sov_bytes("ax", 1), sov_bytes("ay", 1)));
    assert_int_equal(sov_bytes_compare(sov_bytes("ax", 1), sov_bytes("ay", 1)), 0);
    assert_true(sov_bytes_begin(sov_bytes("abx", 2), sov_bytes("aby", 2)));
    assert_true(sov_bytes_equal(sov_bytes(NULL, 0), sov_bytes(NULL, 0)));
    assert_true(sov_bytes_begin(sov_bytes(NULL, 0), sov_bytes(NULL, 0)));
    assert_int_equal(sov_bytes_compare(sov_bytes(NULL, 0), sov_bytes(NULL, 0)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lesser_of_two_sizes_is_told),
        cmocka_unit_test(octets_are_compared_to_their_end_and_no_further),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
