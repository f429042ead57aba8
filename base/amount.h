#ifndef SOV_BASE_AMOUNT_H
#define SOV_BASE_AMOUNT_H
/*
 * A balance, cost or quantity: an integer within +-(2^53-1), the range that every JSON reader
 * keeps. A struct, so that it cannot be added to a seq or a count. Outputs are untouched on
 * failure.
 */
#include "base/error.h"

#define SOV_INT_MAX INT64_C(9007199254740991)

struct sov_amount {
    int64_t n;
};

static inline bool sov_amount_fits(int64_t n)
{
    return n >= -SOV_INT_MAX && n <= SOV_INT_MAX;
}

SOV_MUST_USE static inline bool sov_amount_add(struct sov_amount *sum_out, struct sov_amount a,
                                               struct sov_amount b, struct sov_error *err)
{
    int64_t n;

    if (__builtin_add_overflow(a.n, b.n, &n) || !sov_amount_fits(n))
        return sov_fail(err, SOV_USAGE, "amount_overflow", "sum is out of range");
    sum_out->n = n;
    return true;
}

SOV_MUST_USE static inline bool sov_amount_multiply(struct sov_amount *product_out,
                                                    struct sov_amount a, struct sov_amount b,
                                                    struct sov_error *err)
{
    int64_t n;

    if (__builtin_mul_overflow(a.n, b.n, &n) || !sov_amount_fits(n))
        return sov_fail(err, SOV_USAGE, "amount_overflow", "product is out of range");
    product_out->n = n;
    return true;
}
#endif
