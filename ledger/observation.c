/* The digest of what one check saw: the declared spec and the facts, no seq, counter or time. */
#include "ledger/observation.h"

static void put(struct sov_sha256 *s, const char *text)
{
    sov_sha256_add(s, sov_bytes_text(text));
}

struct sov_hash sov_observation_digest(struct sov_bytes spec, struct sov_bytes observed)
{
    struct sov_sha256 s;

    sov_sha256_begin(&s);
    put(&s, "sov.observation.v1\n{\"check\":");
    sov_sha256_add(&s, spec);
    put(&s, ",\"observed\":");
    sov_sha256_add(&s, observed);
    put(&s, "}");
    return sov_sha256_end(&s);
}
