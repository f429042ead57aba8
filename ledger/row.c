#include "ledger/row.h"

#include <assert.h>
#include <stdio.h>

const char *sov_row_text(const struct sov_stmt *stmt, int n, struct sov_arena *arena)
{
    struct sov_bytes text = sov_column_text(stmt, n);

    return text.data ? sov_arena_text(arena, text) : NULL;
}

struct sov_bytes sov_row_bytes(const struct sov_stmt *stmt, int n, struct sov_arena *arena)
{
    struct sov_bytes text = sov_column_text(stmt, n);

    return text.data ? sov_arena_bytes(arena, text) : text;
}

struct sov_hash sov_row_hash(const struct sov_stmt *stmt, int n)
{
    struct sov_bytes octets = sov_column_blob(stmt, n);
    struct sov_hash hash = { 0 };

    if (!octets.data) return hash;
    assert(octets.size == sizeof hash.octets);
    memcpy(hash.octets, octets.data, sizeof hash.octets);
    return hash;
}

void sov_row_texts(const struct sov_stmt *stmt, int n, struct sov_arena *arena,
                   const char *const **texts_out, size_t *count_out)
{
    struct sov_value list = sov_value(sov_row_bytes(stmt, n, arena)), item;
    size_t at = 0, count = 0;
    const char **texts = sov_arena_array(arena, sov_value_count(list) + 1, sizeof *texts);

    while (sov_value_item(list, &at, &item))
        texts[count++] = sov_arena_text(arena, sov_value_bytes(item, arena));
    *texts_out = texts;
    *count_out = count;
}

void *sov_rows_room(struct sov_arena *arena, void *rows, size_t count, size_t size)
{
    void *more;

    /* Full at 0, 8, 16, 32 ...: the powers of two from 8 on. */
    if (count && (count < 8 || (count & (count - 1)))) return rows;
    more = sov_arena_array(arena, count ? count * 2 : 8, size);
    if (count) memcpy(more, rows, count * size);
    return more;
}

void sov_bind_number(struct sov_stmt *stmt, int n, int64_t number)
{
    if (number)
        sov_bind_int(stmt, n, number);
    else
        sov_bind_null(stmt, n);
}

void sov_put_number(struct sov_writer *w, const char *key, enum sov_stream_kind kind, int64_t n)
{
    char id[64];

    snprintf(id, sizeof id, "%s-%lld", sov_stream_prefix(kind), (long long)n);
    sov_put_text(w, key, id);
}

void sov_error_about(struct sov_error *err, enum sov_stream_kind kind, int64_t n)
{
    char id[64];

    snprintf(id, sizeof id, "%s-%lld", sov_stream_prefix(kind), (long long)n);
    sov_error_ref(err, id);
}

void sov_error_absent(struct sov_error *err, enum sov_stream_kind kind, int64_t n)
{
    sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no %s-%lld", sov_stream_prefix(kind),
                  (long long)n);
    sov_error_about(err, kind, n);
}

void sov_error_state(struct sov_error *err, enum sov_stream_kind kind, int64_t n, const char *state,
                     const char *why)
{
    sov_error_set(err, SOV_CONFLICT, "wrong_state", "%s-%lld is %s%s%s", sov_stream_prefix(kind),
                  (long long)n, state, *why ? ": " : "", why);
    sov_error_about(err, kind, n);
}
