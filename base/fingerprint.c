#include "base/fingerprint.h"

#include <xxhash.h>

struct sov_fingerprint sov_fingerprint(struct sov_bytes bytes)
{
    XXH128_hash_t hash = XXH3_128bits(bytes.size ? (const void *)bytes.data : "", bytes.size);

    return (struct sov_fingerprint){ .high = hash.high64, .low = hash.low64 };
}
