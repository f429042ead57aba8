/* The statements of a handle: prepared once, found by the address of their text. Its law, its
 * poison. */
#include <string.h>

#include "base/alloc.h"
#include "base/db_inside.h"

enum { FIRST_ROOM = 64 };

static struct sov_db_entry **slot(struct sov_db_entry **table, size_t room, const char *sql)
{
    uint64_t hash = (uint64_t)(uintptr_t)sql * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 32) & (room - 1);

    while (table[i] && table[i]->sql != sql) i = (i + 1) & (room - 1);
    return &table[i];
}

struct sov_db_entry *sov_db_entry_find(const struct sov_db *db, const char *sql)
{
    return db->room ? *slot(db->table, db->room, sql) : NULL;
}

void sov_db_entry_keep(struct sov_db *db, struct sov_db_entry *entry)
{
    if (db->count * 2 >= db->room) {
        size_t room = db->room ? db->room * 2 : FIRST_ROOM;
        struct sov_db_entry **table = sov_alloc_array(room, sizeof(struct sov_db_entry *));

        for (size_t i = 0; i < db->room; i++)
            if (db->table[i]) *slot(table, room, db->table[i]->sql) = db->table[i];
        sov_free(db->table);
        db->table = table;
        db->room = room;
    }
    *slot(db->table, db->room, entry->sql) = entry;
    db->count++;
}

bool sov_db_listed(const char *const *list, const char *table, const char *column)
{
    size_t size = strlen(table);

    for (; list && *list; list++) {
        if (!column && strcmp(*list, table) == 0) return true;
        if (column && strncmp(*list, table, size) == 0 && (*list)[size] == '.' &&
            strcmp(*list + size + 1, column) == 0)
            return true;
    }
    return false;
}

bool sov_db_fail_poisoned(const struct sov_db *db, struct sov_error *err)
{
    return sov_fail(err, db->poison.exit, db->poison.code, "%s", db->poison.what);
}

bool sov_db_poison(struct sov_db *db, enum sov_exit exit, const char *code, const char *text,
                   struct sov_error *err)
{
    db->poisoned = true;
    sov_error_set(&db->poison, exit, code, "%s: %s", db->path, text);
    return sov_db_fail_poisoned(db, err);
}
