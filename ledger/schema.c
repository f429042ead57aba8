/* The schema as it was built: a dropped or replaced trigger stops the writer. */
#include <string.h>

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

/* What has not come yet of the schema that was built. */
struct rest {
    struct sov_bytes octets;
    bool differs;
};

static void compare_on(void *self, struct sov_bytes octets)
{
    struct rest *rest = self;

    if (rest->differs || octets.size > rest->octets.size ||
        memcmp(octets.data, rest->octets.data, octets.size) != 0) {
        rest->differs = true;
        return;
    }
    rest->octets = sov_bytes(rest->octets.data + octets.size, rest->octets.size - octets.size);
}

/* The octets under the fingerprint themselves: equal ones have the same, and need no hashing. */
bool sov_schema_is_built(const struct sov_ledger *ledger, struct sov_error *err)
{
    struct rest rest = { sov_bytes(sov_schema_octets, sizeof sov_schema_octets), false };
    char hex[SOV_HEX_HASH + 1];
    struct sov_hash hash;

    if (!sov_db_schema(ledger->db, compare_on, &rest, err)) return false;
    if (!rest.differs && !rest.octets.size) return true;
    if (!sov_db_fingerprint(ledger->db, &hash, err)) return false;
    sov_hex(sov_hash_bytes(&hash), hex);
    return sov_fail(err, SOV_INTEGRITY, "schema_changed",
                    "the schema is not the one that was built: fingerprint %.16s, not %.16s", hex,
                    sov_schema_fingerprint);
}
