#include "ledger/copy.h"

#include "ledger/blob.sql.h"
#include "ledger/checkpoint.sql.h"
#include "ledger/handle.h"
#include "ledger/log.h"
#include "ledger/log.sql.h"

bool sov_copy_begin(const struct sov_seams *seams, const char *keys, struct sov_ledger **ledger_out,
                    struct sov_error *err)
{
    struct sov_db_options options = sov_ledger_db_options(SOV_DB_MEMORY, seams, 0);
    struct sov_places places = { "", keys };
    SOV_CLEANUP(sov_ledger_end)
    struct sov_ledger *copy = sov_ledger_new(&places, seams, 0, false);

    copy->copy = true;
    if (!sov_db_open("", &options, &copy->db, err)) return false;
    copy->state = copy->db;
    if (!sov_txn_begin(&copy->txn, copy->db, err)) return false;
    *ledger_out = copy;
    copy = NULL;
    return true;
}

static bool insert(struct sov_ledger *copy, const struct sov_hash *hash, struct sov_bytes octets,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, copy->db, event_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, (int64_t)copy->copied.size + 1);
    sov_bind_blob(&stmt, 2, sov_hash_bytes(hash));
    sov_bind_blob(&stmt, 3, octets);
    sov_bind_null(&stmt, 4);
    sov_bind_null(&stmt, 5);
    return sov_stmt_run(&stmt, err);
}

/* What founds a ledger is read strictly before anything of it is believed. */
static bool identify(struct sov_ledger *copy, struct sov_bytes octets, struct sov_error *err)
{
    struct sov_event event;

    return sov_event_decode(octets, &event, err) && sov_ledger_identify(copy, err);
}

/* False only for what is no fault of the event. */
static bool fold(struct sov_ledger *copy, struct sov_bytes octets, struct sov_error *flaw_out,
                 struct sov_error *err)
{
    struct sov_fold fold = { .db = copy->state, .arena = &copy->fold_arena };
    struct sov_event event;

    *flaw_out = (struct sov_error){ .exit = SOV_OK };
    if (!sov_event_decode(octets, &event, flaw_out)) return true;
    if (event.seq != (int64_t)copy->copied.size) {
        sov_error_set(flaw_out, SOV_INTEGRITY, "event_invalid", "the octets at %lld say seq %lld",
                      (long long)copy->copied.size, (long long)event.seq);
        return true;
    }
    if (sov_fold_event(&fold, &event, flaw_out) || flaw_out->exit == SOV_INTEGRITY) return true;
    *err = *flaw_out;
    return false;
}

bool sov_copy_event(struct sov_ledger *copy, struct sov_bytes octets, struct sov_error *flaw_out,
                    struct sov_error *err)
{
    struct sov_hash hash = sov_leaf_hash(octets);

    if (octets.size < 2 || octets.size > SOV_EVENT_SIZE_MAX)
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "an event has no %zu octets",
                        octets.size);
    if (!insert(copy, &hash, octets, err)) return false;
    sov_range_append(&copy->copied, &hash);
    if (!copy->founded && !identify(copy, octets, err)) return false;
    return fold(copy, octets, flaw_out, err);
}

bool sov_copy_checkpoint(struct sov_ledger *copy, const struct sov_checkpoint *checkpoint,
                         const struct sov_signature *signature, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_note_key key = { .key = copy->public_key };

    memcpy(key.name, copy->origin, sizeof key.name);
    if (!sov_stmt_open(&stmt, copy->db, checkpoint_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, (int64_t)checkpoint->size);
    sov_bind_blob(&stmt, 2, sov_hash_bytes(&checkpoint->root));
    sov_bind_int(&stmt, 3, sov_note_key_id(&key));
    sov_bind_blob(&stmt, 4, sov_bytes(signature->octets, SOV_SIGNATURE_SIZE));
    return sov_stmt_run(&stmt, err);
}

static bool next_blob(struct sov_ledger *copy, int64_t *n_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, copy->db, blob_next_sql, err) || !sov_stmt_row(&stmt, &found, err))
        return false;
    *n_out = sov_column_int(&stmt, 0);
    return true;
}

bool sov_copy_blob(struct sov_ledger *copy, const struct sov_hash *digest, struct sov_bytes content,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    int64_t n;

    if (!next_blob(copy, &n, err) || !sov_stmt_open(&stmt, copy->db, blob_insert_sql, err))
        return false;
    sov_bind_int(&stmt, 1, n);
    sov_bind_blob(&stmt, 2, sov_hash_bytes(digest));
    sov_bind_null(&stmt, 3);
    sov_bind_int(&stmt, 4, (int64_t)content.size);
    /* Its own stands in the event that names it. */
    sov_bind_text(&stmt, 5, sov_bytes_text("application/octet-stream"));
    sov_bind_blob(&stmt, 6, content.size ? content : sov_bytes("", 0));
    return sov_stmt_run(&stmt, err);
}

bool sov_copy_end(struct sov_ledger *copy, struct sov_error *err)
{
    return sov_range_write(copy->state, &copy->copied, err) && sov_txn_commit(&copy->txn, err);
}

bool sov_copy_is_whole(struct sov_ledger *copy, struct sov_error *err)
{
    struct sov_range range;

    return sov_head_check(copy, &range, err);
}

bool sov_ledger_is_copy(const struct sov_ledger *ledger)
{
    return ledger->copy;
}
