/* From one ledger into another: octets as they are, all else made again or held against them. */
#include "ledger/refill.h"

#include <stdio.h>

#include "ledger/blob.h"
#include "ledger/blob.sql.h"
#include "ledger/checkpoint.sql.h"
#include "ledger/handle.h"
#include "ledger/log.h"
#include "ledger/restore.sql.h"

enum { ASKED_EVERY = 1024 };

struct refilling {
    struct sov_ledger *to;
    const struct sov_refill *refill;
    struct sov_range range;
    int64_t passed; /* size of the newest checkpoint that came with it */
    bool pin_lost;  /* an event records a restore that gave up what the pin knows */
};

/* ---- checkpoints ---- */

static bool vouched(const struct refilling *r, const struct sov_hash *root, struct sov_bytes octets,
                    struct sov_signature *signature_out, struct sov_error *err)
{
    struct sov_checkpoint checkpoint = { .size = r->range.size, .root = *root };
    struct sov_identity identity;

    if (octets.size != SOV_SIGNATURE_SIZE)
        return sov_fail(err, SOV_INTEGRITY, "bad_signature", "the checkpoint of %llu has none",
                        (unsigned long long)r->range.size);
    sov_ledger_identity(r->to, &identity);
    snprintf(checkpoint.origin, sizeof checkpoint.origin, "%s", identity.origin);
    memcpy(signature_out->octets, octets.data, SOV_SIGNATURE_SIZE);
    return sov_checkpoint_vouched(r->to, &checkpoint, signature_out, err);
}

static bool keep_checkpoint(struct refilling *r, const struct sov_hash *root,
                            struct sov_bytes octets, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_note_key key = { .key = r->to->public_key };
    struct sov_signature signature;

    memcpy(key.name, r->to->origin, sizeof key.name);
    if (!vouched(r, root, octets, &signature, err) ||
        !sov_stmt_open(&stmt, r->to->db, checkpoint_insert_sql, err))
        return false;
    sov_bind_int(&stmt, 1, (int64_t)r->range.size);
    sov_bind_blob(&stmt, 2, sov_hash_bytes(root));
    sov_bind_int(&stmt, 3, sov_note_key_id(&key));
    sov_bind_blob(&stmt, 4, sov_bytes(signature.octets, SOV_SIGNATURE_SIZE));
    return sov_stmt_run(&stmt, err);
}

/* The next one of the source: of this size, or of a larger one that will come. */
static bool pass_checkpoint(struct refilling *r, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash root;
    bool found;

    if (!sov_stmt_open(&stmt, r->refill->source->db, restore_checkpoint_next_sql, err))
        return false;
    sov_bind_int(&stmt, 1, r->passed);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found || sov_column_int(&stmt, 0) != (int64_t)r->range.size) return true;
    root = sov_range_root(&r->range);
    if (!sov_bytes_equal(sov_column_blob(&stmt, 1), sov_hash_bytes(&root)))
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                        "the events up to %llu do not give the root of the checkpoint",
                        (unsigned long long)r->range.size);
    r->passed = (int64_t)r->range.size;
    return keep_checkpoint(r, &root, sov_column_blob(&stmt, 2), err);
}

static bool pass_pin(struct refilling *r, const struct sov_event *event, struct sov_error *err)
{
    const struct sov_pin *pin = r->refill->pin;
    struct sov_hash root;

    if (!pin) return true;
    if (event->type == SOV_EVENT_LEDGER_RESTORED) {
        struct sov_value last = sov_data(event, "lost_last");

        r->pin_lost = r->pin_lost || (sov_value_there(last) && sov_value_int(last) == pin->size);
    }
    if (pin->size != (int64_t)r->range.size || r->pin_lost) return true;
    root = sov_range_root(&r->range);
    return sov_hash_equal(&root, &pin->root) ||
           sov_fail(err, SOV_INTEGRITY, "fork",
                    "the events up to %lld do not give the root that the pin holds",
                    (long long)pin->size);
}

/* ---- events ---- */

static bool take(struct refilling *r, struct sov_bytes octets, struct sov_error *err)
{
    struct sov_fold fold = { .db = r->to->state, .arena = &r->to->fold_arena };
    struct sov_hash hash = sov_leaf_hash(octets);
    struct sov_event event;

    if (!sov_event_decode(octets, &event, err)) return false;
    if (event.seq != (int64_t)r->range.size + 1)
        return sov_fail(err, SOV_INTEGRITY, "event_invalid",
                        "event %llu comes next, and this one is event %lld",
                        (unsigned long long)r->range.size + 1, (long long)event.seq);
    if (!sov_log_insert(r->to->db, &event, &hash, err) || !sov_fold_event(&fold, &event, err))
        return false;
    sov_range_append(&r->range, &hash);
    if (event.seq == 1 && !sov_ledger_identify(r->to, err)) return false;
    return pass_checkpoint(r, err) && pass_pin(r, &event, err);
}

static bool goes_on(const struct refilling *r, struct sov_error *err)
{
    return r->range.size % ASKED_EVERY || !r->refill->goes_on || r->refill->goes_on(err);
}

static bool take_events(struct refilling *r, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_stored row;
    int64_t head;
    bool found;

    if (!sov_ledger_head(r->refill->source, &head, err)) return false;
    sov_log_begin(&cursor, r->refill->source, 1, head);
    for (;;) {
        if (!goes_on(r, err) || !sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) break;
        if (!take(r, row.octets, err)) return false;
    }
    if (r->passed && r->passed == (int64_t)r->range.size) return true;
    return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                    "no checkpoint vouches for the events up to %llu",
                    (unsigned long long)r->range.size);
}

/* ---- blobs ---- */

/* What was erased stays so, whatever the source still holds of it. */
static bool take_blob(struct refilling *r, struct sov_stmt *from, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_bytes salt = sov_column_blob(from, 2), content = sov_column_blob(from, 5);
    int64_t n = sov_column_int(from, 0), erased;
    struct sov_hash digest, named;

    if (sov_column_blob(from, 1).size != SOV_HASH_SIZE)
        return sov_fail(err, SOV_INTEGRITY, "blob_mismatch", "blob %lld has no digest",
                        (long long)n);
    memcpy(named.octets, sov_column_blob(from, 1).data, SOV_HASH_SIZE);
    digest = sov_blob_digest(salt, content);
    if (!sov_blob_erased(r->to, &named, &erased, err)) return false;
    if (!erased && (sov_column_is_null(from, 5) || !sov_hash_equal(&digest, &named)))
        return sov_fail(err, SOV_INTEGRITY, "blob_mismatch",
                        "blob %lld is not what its digest says", (long long)n);
    if (!sov_stmt_open(&stmt, r->to->db, blob_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    sov_bind_blob(&stmt, 2, sov_hash_bytes(&named));
    sov_bind_blob(&stmt, 3, erased ? sov_bytes(NULL, 0) : salt);
    sov_bind_int(&stmt, 4, sov_column_int(from, 3));
    sov_bind_text(&stmt, 5, sov_column_text(from, 4));
    if (erased)
        sov_bind_null(&stmt, 6);
    else
        sov_bind_blob(&stmt, 6, content.size ? content : sov_bytes("", 0));
    return sov_stmt_run(&stmt, err);
}

static bool take_blobs(struct refilling *r, struct sov_error *err)
{
    int64_t last = 0;
    bool found;

    do {
        SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

        if (r->refill->goes_on && !r->refill->goes_on(err)) return false;
        if (!sov_stmt_open(&stmt, r->refill->source->db, restore_blob_next_sql, err)) return false;
        sov_bind_int(&stmt, 1, last);
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (found && !take_blob(r, &stmt, err)) return false;
        last = found ? sov_column_int(&stmt, 0) : last;
    } while (found);
    return true;
}

bool sov_ledger_refill(struct sov_ledger *ledger, const struct sov_refill *refill,
                       struct sov_range *range_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    struct refilling r = { .to = ledger, .refill = refill };

    if (!sov_txn_begin(&txn, ledger->db, err) || !sov_schema_check(ledger, err) ||
        !take_events(&r, err) || !take_blobs(&r, err) ||
        !sov_range_write(ledger->db, &r.range, err) || !sov_txn_commit(&txn, err))
        return false;
    *range_out = r.range;
    return true;
}
