/* Amounts are whole numbers that every reader of JSON keeps: at their ends, and one beyond. */
#include "tests/unit.h"

#include "base/amount.h"

static const struct {
    int64_t a, b;
    bool adds;
} sums[] = {
    { SOV_INT_MAX - 1, 1, true },
    { SOV_INT_MAX, 1, false },
    { -SOV_INT_MAX + 1, -1, true },
    { -SOV_INT_MAX, -1, false },
    { SOV_INT_MAX, SOV_INT_MAX, false },
    { -SOV_INT_MAX, -SOV_INT_MAX, false },
    { SOV_INT_MAX, -SOV_INT_MAX, true },
    { INT64_MAX, 1, false },
    { INT64_MIN, -1, false },
};

static void a_sum_is_exact_up_to_its_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        struct sov_amount sum = { 42 };
        struct sov_error err = { 0 };
        bool done = sov_amount_add(&sum, (struct sov_amount){ sums[i].a },
                                   (struct sov_amount){ sums[i].b }, &err);

        assert_int_equal(done, sums[i].adds);
        assert_int_equal(sum.n, done ? sums[i].a + sums[i].b : 42);
        if (!done) assert_string_equal(err.code, "amount_overflow");
    }
}

static const struct {
    int64_t a, b, product; /* 0: there is none */
} products[] = {
    { SOV_INT_MAX, 1, SOV_INT_MAX },
    { SOV_INT_MAX, -1, -SOV_INT_MAX },
    { INT64_C(1) << 52, 2, 0 },
    { INT64_C(1) << 52, -2, 0 },
    { INT64_MAX, 2, 0 },
};

static void a_product_is_exact_up_to_its_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        struct sov_amount product = { 42 };
        struct sov_error err = { 0 };
        bool done = sov_amount_multiply(&product, (struct sov_amount){ products[i].a },
                                        (struct sov_amount){ products[i].b }, &err);

        assert_int_equal(done, products[i].product != 0);
        assert_int_equal(product.n, done ? products[i].product : 42);
        if (!done) assert_string_equal(err.code, "amount_overflow");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_is_exact_up_to_its_ends),
        cmocka_unit_test(a_product_is_exact_up_to_its_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
