/* What is asked of a row before it is given out: whoever reads a column may rely on it; and what of
 * the seam needs no library. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/db_inside.h"

static int class_of(const char *type)
{
    if (type && strcmp(type, "INTEGER") == 0) return SOV_COLUMN_INTEGER;
    return type && strcmp(type, "TEXT") == 0 ? SOV_COLUMN_TEXT : SOV_COLUMN_BLOB;
}

struct sov_db_column *sov_db_columns(struct sov_db *db, struct sqlite3_stmt *made, int count)
{
    struct sov_db_column *columns = NULL;

    if (!db->law || !db->law->form) return NULL;
    for (int i = 0; i < count; i++) {
        struct sov_db_origin origin = sov_db_origin(db, made, i);
        const struct sov_column_form *form =
            origin.table ? db->law->form(origin.table, origin.column) : NULL;

        if (!form) continue;
        if (!columns) columns = sov_alloc_array((size_t)count, sizeof *columns);
        columns[i] = (struct sov_db_column){ form, class_of(origin.type), origin.required };
    }
    return columns;
}

static bool value_fits(const struct sov_stmt *stmt, const struct sov_db_column *column, int n)
{
    int64_t integer = 0;
    int class;
    struct sov_bytes octets = sov_column_any(stmt, n, &class, &integer);

    if (class != SOV_COLUMN_NULL && class != column->class) return false;
    return stmt->db->law->fits(column->form, class, column->required, octets);
}

bool sov_db_row_fits(const struct sov_stmt *stmt, struct sov_error *err)
{
    const struct sov_db_entry *entry = stmt->entry;
    const int count = entry->columns && !stmt->as_is ? sov_column_count(stmt) : 0;

    for (int i = 0; i < count; i++) {
        struct sov_db_origin origin;

        if (!entry->columns[i].form || value_fits(stmt, &entry->columns[i], i)) continue;
        origin = sov_db_origin(stmt->db, entry->stmt, i);
        return sov_fail(
            err, SOV_INTEGRITY, "state_damaged", "%s holds in %s what no event can have left there",
            origin.table ? origin.table : "a table", origin.column ? origin.column : "a column");
    }
    return true;
}

bool sov_db_ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);

    return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

int sov_db_on_commit(void *arg)
{
    const struct sov_db *db = arg;

    return !db->committing && !db->lifted;
}

int64_t sov_stmt_changes(const struct sov_stmt *stmt)
{
    const struct sov_db_entry *entry = stmt->entry;

    assert(entry);
    return entry->changes;
}

void sov_db_end(struct sov_db **db)
{
    sov_db_close(*db);
}
