#ifndef SOV_LEDGER_COLUMN_H
#define SOV_LEDGER_COLUMN_H
/* Columns of a state table into the arena, and lists that grow. Private to ledger/. */
#include "base/arena.h"
#include "base/db.h"
#include "ledger/key.h"

static inline const char *sov_column_string(const struct sov_stmt *stmt, int n,
                                            struct sov_arena *arena)
{
    struct sov_bytes text = sov_column_text(stmt, n);

    return text.data ? sov_arena_text(arena, text) : NULL;
}
static inline struct sov_bytes sov_column_copy(const struct sov_stmt *stmt, int n,
                                               struct sov_arena *arena)
{
    struct sov_bytes text = sov_column_text(stmt, n);

    return text.data ? sov_arena_bytes(arena, text) : text;
}
/* Exactly `size` octets, or zeros: the fold wrote them, so another length is no answer. */
static inline void sov_column_octets(const struct sov_stmt *stmt, int n, uint8_t *octets_out,
                                     size_t size)
{
    struct sov_bytes blob = sov_column_blob(stmt, n);

    memset(octets_out, 0, size);
    if (blob.size == size) memcpy(octets_out, blob.data, size);
}
static inline struct sov_hash sov_column_hash(const struct sov_stmt *stmt, int n)
{
    struct sov_hash hash;

    sov_column_octets(stmt, n, hash.octets, sizeof hash.octets);
    return hash;
}
/* key, statement, signature: three columns or parameters from n on. */
static inline void sov_column_signed(const struct sov_stmt *stmt, int n,
                                     struct sov_signed_by *by_out)
{
    struct sov_bytes key = sov_column_text(stmt, n);

    *by_out = (struct sov_signed_by){ .statement = sov_column_hash(stmt, n + 1) };
    if (key.size < sizeof by_out->key) memcpy(by_out->key, key.data, key.size);
    sov_column_octets(stmt, n + 2, by_out->signature.octets, sizeof by_out->signature.octets);
}
static inline void sov_bind_signed(struct sov_stmt *stmt, int n, const struct sov_signed_by *by)
{
    sov_bind_text(stmt, n, sov_bytes_text(by->key));
    sov_bind_blob(stmt, n + 1, sov_hash_bytes(&by->statement));
    sov_bind_blob(stmt, n + 2, sov_bytes(by->signature.octets, sizeof by->signature.octets));
}
/* Room for one more row of a list in the arena: the same place, or a larger copy. */
static inline void *sov_rows_more(struct sov_arena *arena, void *rows, size_t count, size_t *room,
                                  size_t size)
{
    void *more;

    if (count < *room) return rows;
    *room = *room ? *room * 2 : 8;
    more = sov_arena_array(arena, *room, size);
    if (count) memcpy(more, rows, count * size);
    return more;
}
#endif
