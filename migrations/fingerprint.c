/*
 * A program of the build: prints the schema that the migrations make and its fingerprint, as a
 * header. The text of a schema is kept by SQLite as it was written, so the value does not depend on
 * the release that is linked.
 */
#include <stdio.h>

#include "base/db.h"
#include "migrations/generated.h"

static void print(void *self, struct sov_bytes octets)
{
    (void)self;
    for (size_t i = 0; i < octets.size; i++)
        printf("%u,%c", octets.data[i], i % 24 == 23 || i + 1 == octets.size ? '\n' : ' ');
}

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
    printf("static const char sov_schema_fingerprint[] = \"%s\";\n"
           "static const unsigned char sov_schema_octets[] = {\n",
           hex);
    if (!sov_db_schema(db, print, NULL, &err)) return 1;
    printf("};\n");
    return 0;
}
