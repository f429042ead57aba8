/*
 * A program of the build: prints the fingerprint of the schema that the migrations make, as a
 * header. The text of a schema is kept by SQLite as it was written, so the value does not depend on
 * the release that is linked.
 */
#include <stdio.h>

#include "base/db.h"
#include "migrations/generated.h"

int main(void)
{
    struct sov_db_options options = { .mode = SOV_DB_MEMORY,
                                      .busy_ms = 1,
                                      .migrations = sov_migrations,
                                      .migration_count =
                                          sizeof sov_migrations / sizeof *sov_migrations };
    SOV_CLEANUP(sov_db_end) struct sov_db *db = NULL;
    char hex[SOV_HEX_HASH + 1];
    struct sov_hash hash;
    struct sov_error err;

    if (!sov_db_open("", &options, &db, &err) || !sov_db_fingerprint(db, &hash, &err)) {
        fprintf(stderr, "%s\n", err.what);
        return 1;
    }
    sov_hex(sov_hash_bytes(&hash), hex);
    printf("static const char sov_schema_fingerprint[] = \"%s\";\n", hex);
    return 0;
}
