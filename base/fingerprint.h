#ifndef SOV_BASE_FINGERPRINT_H
#define SOV_BASE_FINGERPRINT_H
/* XXH3, to skip unchanged work only: equal fingerprints are never a claim of equal bytes. */
#include "base/bytes.h"

struct sov_fingerprint {
    uint64_t high, low;
};
struct sov_fingerprint sov_fingerprint(struct sov_bytes bytes);
static inline bool sov_fingerprint_equal(struct sov_fingerprint a, struct sov_fingerprint b)
{
    return a.high == b.high && a.low == b.low;
}
#endif
