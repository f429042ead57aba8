/* Keys: what the events of key/ID make of them, and reading them back. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ledger/key.h"
#include "ledger/key.sql.h"
#include "ledger/log.h"

void sov_key_id(const struct sov_public_key *key, char id_out[SOV_KEY_ID_SIZE + 1])
{
    struct sov_hash hash = sov_sha256(sov_bytes(key->octets, SOV_PUBLIC_KEY_SIZE));
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&hash), hex);
    snprintf(id_out, SOV_KEY_ID_SIZE + 1, "k%.*s", SOV_KEY_ID_SIZE - 1, hex);
}

static bool registered(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_public_key key;
    char id[SOV_KEY_ID_SIZE + 1];

    if (!sov_unhex(sov_value_plain(sov_data(event, "public_key")), key.octets, sizeof key.octets))
        return sov_fold_fail(err, event, "the public key cannot be read");
    sov_key_id(&key, id);
    if (event->sv != 1 || !sov_bytes_is(event->stream.name, id))
        return sov_fold_fail(err, event, "a key is registered once, under its own id");
    if (!sov_stmt_open(&stmt, fold->db, key_insert_sql, err)) return false;
    sov_bind_text(&stmt, 1, event->stream.name);
    sov_bind_text(&stmt, 2, sov_data_text(event, "actor", fold->arena));
    sov_bind_text(&stmt, 3, sov_data_text(event, "algorithm", fold->arena));
    sov_bind_blob(&stmt, 4, sov_bytes(key.octets, SOV_PUBLIC_KEY_SIZE));
    sov_bind_int(&stmt, 5, event->seq);
    return sov_stmt_run(&stmt, err);
}

static bool ended(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_value successor = sov_data(event, "successor");
    char id[SOV_KEY_ID_SIZE + 1];
    struct sov_public_key key;
    int64_t unsafe = sov_data_int(event, "unsafe_since");

    if (!sov_stmt_open(&stmt, fold->db, key_end_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    if (unsafe)
        sov_bind_int(&stmt, 2, unsafe);
    else
        sov_bind_null(&stmt, 2);
    sov_bind_null(&stmt, 3);
    if (sov_value_there(successor)) {
        if (!sov_unhex(sov_value_plain(successor), key.octets, sizeof key.octets))
            return sov_fold_fail(err, event, "the successor cannot be read");
        sov_key_id(&key, id);
        sov_bind_text(&stmt, 3, sov_bytes_text(id));
    }
    sov_bind_text(&stmt, 4, event->stream.name);
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) != 1)
        return sov_fold_fail(err, event, "a key that was not valid cannot end");
    return true;
}

bool sov_key_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    if (event->type == SOV_EVENT_KEY_REGISTERED) return registered(fold, event, err);
    assert(event->type == SOV_EVENT_KEY_ROTATED || event->type == SOV_EVENT_KEY_REVOKED);
    return ended(fold, event, err);
}

static const char *text(struct sov_stmt *stmt, int n, struct sov_arena *arena)
{
    struct sov_bytes bytes = sov_column_text(stmt, n);

    return bytes.data ? sov_arena_text(arena, bytes) : NULL;
}

static void row_read(struct sov_stmt *stmt, struct sov_arena *arena, struct sov_actor_key *key_out)
{
    struct sov_bytes octets = sov_column_blob(stmt, 3);

    *key_out = (struct sov_actor_key){
        .id = text(stmt, 0, arena),
        .actor = text(stmt, 1, arena),
        .algorithm = text(stmt, 2, arena),
        .successor = text(stmt, 7, arena),
        .from_seq = sov_column_int(stmt, 4),
        .to_seq = sov_column_int(stmt, 5),
        .unsafe_since = sov_column_int(stmt, 6),
    };
    assert(octets.size == SOV_PUBLIC_KEY_SIZE);
    memcpy(key_out->key.octets, octets.data, SOV_PUBLIC_KEY_SIZE);
}

bool sov_key_find(const struct sov_ledger *ledger, const char *id, struct sov_arena *arena,
                  struct sov_actor_key *key_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, key_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(id));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, key_out);
    *found_out = found;
    return true;
}

bool sov_key_list(const struct sov_ledger *ledger, const char *actor, struct sov_arena *arena,
                  struct sov_actor_keys *keys_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_actor_key *rows = NULL;
    size_t count = 0, room = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, actor ? key_list_actor_sql : key_list_all_sql, err))
        return false;
    if (actor) sov_bind_text(&stmt, 1, sov_bytes_text(actor));
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        if (count == room) {
            struct sov_actor_key *more = sov_arena_array(arena, room ? room * 2 : 4, sizeof *more);

            if (count) memcpy(more, rows, count * sizeof *rows);
            rows = more;
            room = room ? room * 2 : 4;
        }
        row_read(&stmt, arena, &rows[count++]);
    }
    *keys_out = (struct sov_actor_keys){ rows, count };
    return true;
}
