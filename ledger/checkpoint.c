/* The signed head: one checkpoint a commit, and the compact range it follows from. */
#include <assert.h>
#include <string.h>

#include "base/crypto.h"
#include "ledger/checkpoint.sql.h"
#include "ledger/log.h"

static struct sov_note_key note_key(const struct sov_ledger *ledger)
{
    struct sov_note_key key = { .key = ledger->public_key };

    memcpy(key.name, ledger->origin, sizeof key.name);
    return key;
}

static bool range_store(struct sov_db *db, const struct sov_range *range, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, db, range_update_sql, err)) return false;
    sov_bind_int(&stmt, 1, (int64_t)range->size);
    sov_bind_blob(&stmt, 2, sov_bytes(range->node, sov_range_count(range) * SOV_HASH_SIZE));
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) == 1) return true;
    sov_stmt_close(&stmt);
    if (!sov_stmt_open(&stmt, db, range_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, (int64_t)range->size);
    sov_bind_blob(&stmt, 2, sov_bytes(range->node, sov_range_count(range) * SOV_HASH_SIZE));
    return sov_stmt_run(&stmt, err);
}

static bool range_load(struct sov_db *db, struct sov_range *range_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_range range = { 0 };
    struct sov_bytes nodes;
    bool found;

    if (!sov_stmt_open(&stmt, db, range_read_sql, err)) return false;
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) {
        nodes = sov_column_blob(&stmt, 1);
        range.size = (uint64_t)sov_column_int(&stmt, 0);
        if (nodes.size != sov_range_count(&range) * SOV_HASH_SIZE)
            return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                            "the stored compact range has not the nodes of its size");
        if (nodes.size) memcpy(range.node, nodes.data, nodes.size);
    }
    *range_out = range;
    return true;
}

/* The stored one is a derived row: it is taken only if it gives the signed root. */
static bool range_is(const struct sov_range *range, const struct sov_checkpoint *checkpoint)
{
    struct sov_hash root = sov_range_root(range);

    return range->size == checkpoint->size && sov_hash_equal(&root, &checkpoint->root);
}

bool sov_range_of(const struct sov_ledger *ledger, const struct sov_checkpoint *checkpoint,
                  struct sov_range *range_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_range range = ledger->copied;
    struct sov_error ignored = { 0 };
    struct sov_stored row;
    bool found;

    if (!ledger->copy && !range_load(ledger->db, &range, &ignored)) range.size = 0;
    if (range_is(&range, checkpoint)) {
        *range_out = range;
        return true;
    }
    range = (struct sov_range){ 0 };
    sov_log_begin(&cursor, ledger, 1, (int64_t)checkpoint->size);
    while (range.size < checkpoint->size) {
        struct sov_hash leaf;

        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found || row.seq != (int64_t)range.size + 1)
            return sov_fail(err, SOV_INTEGRITY, "event_invalid", "event %llu is missing",
                            (unsigned long long)range.size + 1);
        leaf = sov_leaf_hash(row.octets);
        sov_range_append(&range, &leaf);
    }
    if (!range_is(&range, checkpoint))
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                        "the first %llu events do not give the root of their checkpoint",
                        (unsigned long long)checkpoint->size);
    *range_out = range;
    return true;
}

bool sov_range_write(struct sov_db *db, const struct sov_range *range, struct sov_error *err)
{
    return range_store(db, range, err);
}

bool sov_checkpoint_append(struct sov_ledger *ledger, const struct sov_range *range,
                           struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    struct sov_checkpoint checkpoint = { .size = range->size, .root = sov_range_root(range) };
    struct sov_note_key key = note_key(ledger);
    struct sov_signature signature;

    assert(ledger->secret && ledger->founded);
    memcpy(checkpoint.origin, ledger->origin, sizeof checkpoint.origin);
    sov_buf_init(&text, SOV_NOTE_SIZE_MAX);
    sov_checkpoint_text(&checkpoint, &text);
    signature = sov_sign(ledger->secret, sov_buf_bytes(&text));
    if (!range_store(ledger->db, range, err)) return false;
    if (!sov_stmt_open(&stmt, ledger->db, checkpoint_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, (int64_t)range->size);
    sov_bind_blob(&stmt, 2, sov_hash_bytes(&checkpoint.root));
    sov_bind_int(&stmt, 3, sov_note_key_id(&key));
    sov_bind_blob(&stmt, 4, sov_bytes(signature.octets, SOV_SIGNATURE_SIZE));
    if (!sov_stmt_run(&stmt, err)) return false;
    ledger->head = (struct sov_head){ *range, checkpoint.root, signature };
    return true;
}

/* The row as a checkpoint; the signature still unproven. */
static bool row_read(const struct sov_ledger *ledger, struct sov_stmt *stmt,
                     struct sov_checkpoint *checkpoint_out, struct sov_signature *signature_out,
                     struct sov_error *err)
{
    struct sov_bytes root = sov_column_blob(stmt, 1), signature = sov_column_blob(stmt, 3);

    if (root.size != SOV_HASH_SIZE || signature.size != SOV_SIGNATURE_SIZE)
        return sov_fail(err, SOV_INTEGRITY, "checkpoint_invalid", "a stored checkpoint is cut");
    memcpy(checkpoint_out->origin, ledger->origin, sizeof checkpoint_out->origin);
    checkpoint_out->size = (uint64_t)sov_column_int(stmt, 0);
    memcpy(checkpoint_out->root.octets, root.data, SOV_HASH_SIZE);
    memcpy(signature_out->octets, signature.data, SOV_SIGNATURE_SIZE);
    return true;
}

bool sov_checkpoint_at(const struct sov_ledger *ledger, int64_t size,
                       struct sov_checkpoint *checkpoint_out, struct sov_signature *signature_out,
                       bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->db, size ? checkpoint_upto_sql : checkpoint_newest_sql, err))
        return false;
    if (size) sov_bind_int(&stmt, 1, size);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found && !row_read(ledger, &stmt, checkpoint_out, signature_out, err)) return false;
    *found_out = found;
    return true;
}

bool sov_checkpoint_vouched(const struct sov_ledger *ledger,
                            const struct sov_checkpoint *checkpoint,
                            const struct sov_signature *signature, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };

    sov_buf_init(&text, SOV_NOTE_SIZE_MAX);
    sov_checkpoint_text(checkpoint, &text);
    if (!sov_signature_holds(&ledger->public_key, sov_buf_bytes(&text), signature))
        return sov_fail(err, SOV_INTEGRITY, "bad_signature",
                        "the checkpoint of size %llu is not signed by the ledger key",
                        (unsigned long long)checkpoint->size);
    return true;
}

/* Another log's own note: its first line and a signature name the same other origin. One that is
 * only damaged is none. */
static bool is_of_another_log(struct sov_bytes note, const char *origin)
{
    static const char dash[] = "\n\xe2\x80\x94 ";
    const uint8_t *end = note.size ? memchr(note.data, '\n', note.size) : NULL;
    struct sov_bytes named = sov_bytes(note.data, end ? (size_t)(end - note.data) : 0);
    SOV_CLEANUP(sov_buf_release) struct sov_buf line = { 0 };

    if (!named.size || named.size > SOV_KEY_NAME_MAX || sov_bytes_is(named, origin)) return false;
    sov_buf_init(&line, SOV_NOTE_SIZE_MAX);
    sov_buf_add_text(&line, dash);
    sov_buf_add(&line, named);
    sov_buf_add_byte(&line, ' ');
    return memmem(note.data, note.size, line.data, line.size) != NULL;
}

bool sov_checkpoint_read(const struct sov_ledger *ledger, struct sov_bytes note,
                         struct sov_checkpoint *checkpoint_out, struct sov_signature *signature_out,
                         struct sov_error *err)
{
    struct sov_note_key key = note_key(ledger);
    struct sov_checkpoint checkpoint;

    if (is_of_another_log(note, ledger->origin))
        return sov_fail(err, SOV_INTEGRITY, "fork", "this is not a checkpoint of this ledger");
    if (!sov_note_read(note, &key, &checkpoint, signature_out, err)) return false;
    if (strcmp(checkpoint.origin, ledger->origin) != 0)
        return sov_fail(err, SOV_INTEGRITY, "checkpoint_invalid", "checkpoint: names another log");
    *checkpoint_out = checkpoint;
    return true;
}

bool sov_checkpoint_note(const struct sov_ledger *ledger, int64_t size, struct sov_buf *out,
                         struct sov_error *err)
{
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_note_key key = note_key(ledger);
    bool found;

    if (!sov_checkpoint_at(ledger, size, &checkpoint, &signature, &found, err)) return false;
    if (!found || (size && checkpoint.size != (uint64_t)size))
        return sov_fail(err, SOV_ABSENT, "no_such_id", "there is no checkpoint of size %lld",
                        (long long)size);
    sov_note_write(&checkpoint, &key, &signature, out);
    return sov_buf_whole(out, "the note", err);
}

static bool range_equal(const struct sov_range *a, const struct sov_range *b)
{
    return a->size == b->size &&
           memcmp(a->node, b->node, sov_range_count(a) * sizeof *a->node) == 0;
}

/* So that an edited derived row never gets signed: root of the range, size of the log and the
 * newest signed checkpoint must all say the same. */
bool sov_head_check(struct sov_ledger *ledger, struct sov_range *range_out, struct sov_error *err)
{
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_range range;
    struct sov_hash root;
    int64_t head;
    bool found, known;

    if (!range_load(ledger->db, &range, err) || !sov_ledger_head(ledger, &head, err)) return false;
    if (!sov_checkpoint_at(ledger, 0, &checkpoint, &signature, &found, err)) return false;
    if (!found || range.size != checkpoint.size || (uint64_t)head != range.size)
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                        "%lld events, a compact range of %llu, a newest checkpoint of %llu",
                        (long long)head, (unsigned long long)range.size,
                        (unsigned long long)(found ? checkpoint.size : 0));
    known = ledger->head.range.size && range_equal(&range, &ledger->head.range);
    root = known ? ledger->head.root : sov_range_root(&range);
    if (!sov_hash_equal(&root, &checkpoint.root))
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                        "the root of the stored compact range is not the newest checkpoint's");
    /* Size and root are the known ones by now: the same signature stands under the same words. */
    known = known && memcmp(&signature, &ledger->head.signature, sizeof signature) == 0;
    if (!known && !sov_checkpoint_vouched(ledger, &checkpoint, &signature, err)) return false;
    if (!known) ledger->head = (struct sov_head){ range, root, signature };
    *range_out = range;
    return true;
}
