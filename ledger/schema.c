/* The schema as it was built: a dropped or replaced trigger stops the writer. */
#include "ledger/fingerprint.h"
#include "ledger/log.h"
#include "ledger/schema.h"

bool sov_schema_check(struct sov_ledger *ledger, struct sov_error *err)
{
    int64_t version;

    /* First the version: what is committed in between is looked at next time. */
    if (!sov_db_data_version(ledger->db, &version, err)) return false;
    if (version == ledger->data_version) return true;
    if (!sov_schema_is_built(ledger, err)) return false;
    ledger->data_version = version;
    return true;
}

bool sov_schema_is_built(const struct sov_ledger *ledger, struct sov_error *err)
{
    char hex[SOV_HEX_HASH + 1];
    struct sov_hash hash;

    if (!sov_db_fingerprint(ledger->db, &hash, err)) return false;
    sov_hex(sov_hash_bytes(&hash), hex);
    if (!sov_bytes_is(sov_bytes_text(hex), sov_schema_fingerprint))
        return sov_fail(err, SOV_INTEGRITY, "schema_changed",
                        "the schema is not the one that was built: fingerprint %.16s, not %.16s",
                        hex, sov_schema_fingerprint);
    return true;
}
