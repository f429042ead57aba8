/* The statements of a handle: prepared once, found by the address of their text. */
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
