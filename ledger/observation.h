#ifndef SOV_LEDGER_OBSERVATION_H
#define SOV_LEDGER_OBSERVATION_H
/*
 * What the declared checks of an outcome saw once, as values (model.md 8): whoever may look at the
 * world (verify/checks.c) makes them, the ledger takes them. Not here: the specs (check.h), looking
 * (verify/), recording (verification.h).
 */
#include "base/arena.h"
#include "base/crypto.h"

struct sov_observation {
    const char *check, *kind; /* ids */
    bool success;
    const char *code;          /* why it could not look; NULL: it looked */
    struct sov_bytes observed; /* canonical object: exactly what was read */
    struct sov_hash digest;    /* sov_observation_digest of both */
};
/* One run of all declared checks, in declared order. */
struct sov_observations {
    int64_t basis; /* head seq before the first look */
    const struct sov_observation *at;
    size_t count;
};
/* SHA-256 over sov.observation.v1, line feed, {"check":spec,"observed":observed}. */
struct sov_hash sov_observation_digest(struct sov_bytes spec, struct sov_bytes observed);
#endif
