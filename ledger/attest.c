#include "ledger/attest.h"

#include <string.h>

#include "ledger/keyfile.h"
#include "ledger/log.h"

static bool is_an_actors(const struct sov_ledger *ledger, const char *id, struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_actor_key key = { 0 };
    bool found;

    sov_arena_init(&arena, 65536);
    if (!sov_key_find(ledger, id, &arena, &key, &found, err)) return false;
    if (found && !key.to_seq) return true;
    return sov_fail(err, SOV_DENIED, "key_invalid", "the key %s is %s", id,
                    found ? "no longer valid" : "not registered here");
}

bool sov_ledger_attest(const struct sov_ledger *ledger, const struct sov_signing *with,
                       struct sov_bytes message, struct sov_attestation *attestation_out,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
    struct sov_attestation attestation = { 0 };
    bool ssh = false;

    if (with && with->file && strcmp(with->file, "agent") == 0)
        return sov_fail(err, SOV_USAGE, "key_unsupported",
                        "an SSH agent signs what is in the ledger, not what leaves it");
    if (with && with->file ? !sov_keyfile_load_named(with->file, &with->opener, &secret, &ssh, err)
                           : !sov_keyfile_load_ledger(ledger, &secret, err))
        return false;
    if (ssh)
        return sov_fail(err, SOV_USAGE, "key_unsupported",
                        "an SSH key signs what is in the ledger, not what leaves it");
    attestation.public_key = sov_secret_public(secret);
    attestation.by_ledger =
        memcmp(attestation.public_key.octets, ledger->public_key.octets, SOV_PUBLIC_KEY_SIZE) == 0;
    sov_key_id(&attestation.public_key, attestation.key);
    if (!attestation.by_ledger && !is_an_actors(ledger, attestation.key, err)) return false;
    attestation.signature = sov_sign(secret, message);
    *attestation_out = attestation;
    return true;
}
