/* What stands in the schema, and whether the pages hold together. */
#include "base/db.h"

#include <assert.h>
#include <string.h>

#include "base/db_inside.h"
#include "base/db_schema.sql.h"

struct sink {
    void (*take)(void *self, struct sov_bytes octets);
    void *self;
};

static void add_part(const struct sink *sink, struct sov_bytes part)
{
    uint64_t size = part.data ? part.size : UINT64_MAX; /* NULL is not empty */
    uint8_t octets[8];

    for (int i = 0; i < 8; i++) octets[i] = (uint8_t)(size >> (56 - 8 * i));
    sink->take(sink->self, sov_bytes(octets, sizeof octets));
    if (part.size) sink->take(sink->self, part);
}

static bool add_schema(struct sov_db *db, const char *name, const char *sql,
                       const struct sink *sink, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    add_part(sink, sov_bytes_text(name));
    if (!sov_stmt_open(&stmt, db, sql, err)) return false;
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) return true;
        for (int i = 0; i < 4; i++) add_part(sink, sov_column_text(&stmt, i));
    }
}

bool sov_db_schema(struct sov_db *db, void (*take)(void *self, struct sov_bytes octets), void *self,
                   struct sov_error *err)
{
    const struct sink sink = { take, self };
    bool ok;

    db->lifted++;
    ok = add_schema(db, "main", schema_main_sql, &sink, err) &&
         add_schema(db, "temp", schema_temp_sql, &sink, err);
    db->lifted--;
    return ok;
}

static void hash_on(void *self, struct sov_bytes octets)
{
    sov_sha256_add(self, octets);
}

bool sov_db_fingerprint(struct sov_db *db, struct sov_hash *hash_out, struct sov_error *err)
{
    struct sov_sha256 sum;

    sov_sha256_begin(&sum);
    if (!sov_db_schema(db, hash_on, &sum, err)) return false;
    *hash_out = sov_sha256_end(&sum);
    return true;
}

bool sov_db_data_version(struct sov_db *db, int64_t *version_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found = false, ok;

    db->lifted++;
    ok = sov_stmt_open(&stmt, db, schema_data_version_sql, err) && sov_stmt_row(&stmt, &found, err);
    db->lifted--;
    if (!ok) return false;
    assert(found);
    *version_out = sov_column_int(&stmt, 0);
    return true;
}

bool sov_db_quick_check(struct sov_db *db, struct sov_error *err)
{
    char text[300];

    if (!sov_db_ask(db, schema_quick_check_sql, text, sizeof text, err)) return false;
    if (strcmp(text, "ok") == 0) return true;
    return sov_db_fail_check(db, text, err);
}
