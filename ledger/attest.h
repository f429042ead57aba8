#ifndef SOV_LEDGER_ATTEST_H
#define SOV_LEDGER_ATTEST_H
/* A signature of the ledger, or of an actor of it, under something that leaves the log. Not here:
 * what is signed (cli/), in which form (base/dsse.h). */
#include "base/crypto.h"
#include "ledger/key.h"

struct sov_ledger;

struct sov_attestation {
    char key[SOV_KEY_ID_SIZE + 1];
    struct sov_public_key public_key;
    bool by_ledger; /* else by an actor's key */
    struct sov_signature signature;
};
/* `with` NULL or without a file: with the ledger key, no_key (3) if it is not at hand; else with
 * that key file, which must hold the ledger key or one that is registered and valid now:
 * key_invalid (4). */
SOV_MUST_USE bool sov_ledger_attest(const struct sov_ledger *ledger, const struct sov_signing *with,
                                    struct sov_bytes message,
                                    struct sov_attestation *attestation_out, struct sov_error *err);
#endif
