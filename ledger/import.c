/* Taking in a continuation: what the ledger key signed, through the guards, folded, or nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/place.h"
#include "ledger/blob.h"
#include "ledger/checkpoint.sql.h"
#include "ledger/handle.h"
#include "ledger/log.h"
#include "ledger/mirror.h"

enum { WAIT_MS = 5000 };

struct note {
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
};
struct importing {
    struct sov_ledger *ledger;
    const struct sov_import_source *source;
    const struct sov_hash *id;
    struct sov_txn txn;
    struct sov_lock lock;
    struct sov_range range;
    struct note *notes; /* by size; read when event 1 is known */
    size_t note_count, passed;
    struct sov_import_result done;
    struct sov_arena arena;
};

/* ---- notes ---- */

static int by_size(const void *a, const void *b)
{
    const struct note *one = a, *other = b;

    return (one->checkpoint.size > other->checkpoint.size) -
           (one->checkpoint.size < other->checkpoint.size);
}

static bool read_notes(struct importing *i, struct sov_error *err)
{
    const struct sov_import_source *source = i->source;

    i->notes = sov_arena_array(&i->arena, source->note_count + 1, sizeof *i->notes);
    for (size_t n = 0; n < source->note_count; n++)
        if (!sov_checkpoint_read(i->ledger, source->notes[n], &i->notes[n].checkpoint,
                                 &i->notes[n].signature, err))
            return false;
    i->note_count = source->note_count;
    if (i->note_count) qsort(i->notes, i->note_count, sizeof *i->notes, by_size);
    return true;
}

static bool store_note(struct importing *i, const struct note *note, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_note_key key = { .key = i->ledger->public_key };

    memcpy(key.name, i->ledger->origin, sizeof key.name);
    if (!sov_stmt_open(&stmt, i->ledger->db, checkpoint_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, (int64_t)note->checkpoint.size);
    sov_bind_blob(&stmt, 2, sov_hash_bytes(&note->checkpoint.root));
    sov_bind_int(&stmt, 3, sov_note_key_id(&key));
    sov_bind_blob(&stmt, 4, sov_bytes(note->signature.octets, SOV_SIGNATURE_SIZE));
    return sov_stmt_run(&stmt, err);
}

/* Notes of this size: their root is the one that the events give. */
static bool pass_notes(struct importing *i, bool keep, struct sov_error *err)
{
    struct sov_hash root;
    bool first = true;

    while (i->passed < i->note_count && i->notes[i->passed].checkpoint.size == i->range.size) {
        const struct note *note = &i->notes[i->passed++];

        root = sov_range_root(&i->range);
        if (!sov_hash_equal(&root, &note->checkpoint.root))
            return sov_fail(err, SOV_INTEGRITY, "fork",
                            "the events up to %llu do not give the root of the checkpoint",
                            (unsigned long long)i->range.size);
        if (keep && first && !store_note(i, note, err)) return false;
        first = false;
    }
    return true;
}

/* ---- events ---- */

static bool is_this_ledger(struct importing *i, struct sov_bytes octets, struct sov_error *err)
{
    struct sov_hash id = sov_sha256(octets);

    return sov_hash_equal(&id, i->id) ||
           sov_fail(err, SOV_INTEGRITY, "fork",
                    "this is another ledger than the one mirrored here");
}

/* One that is there already: the same octets, or two histories. */
static bool is_the_same(struct importing *i, const struct sov_event *event, struct sov_error *err)
{
    struct sov_arena_mark mark = sov_arena_mark(&i->arena);
    struct sov_event here;
    bool same;

    if (!sov_log_event(i->ledger, event->seq, &i->arena, &here, err)) return false;
    same = sov_bytes_equal(here.octets, event->octets);
    sov_arena_rewind(&i->arena, mark);
    i->done.again++;
    return same || sov_fail(err, SOV_INTEGRITY, "fork", "event %lld is another one here",
                            (long long)event->seq);
}

static bool take(struct importing *i, const struct sov_event *event, struct sov_error *err)
{
    struct sov_fold fold = { .db = i->ledger->state, .arena = &i->ledger->fold_arena };
    struct sov_hash hash = sov_leaf_hash(event->octets);

    if (!sov_log_insert(i->ledger->db, event, &hash, err) || !sov_fold_event(&fold, event, err))
        return false;
    sov_range_append(&i->range, &hash);
    i->done.events++;
    if (event->seq == 1 && (!sov_ledger_identify(i->ledger, err) || !read_notes(i, err)))
        return false;
    if (event->type == SOV_EVENT_BLOB_ERASED && !sov_blob_follow_erased(i->ledger->db, event, err))
        return false;
    return pass_notes(i, true, err);
}

static bool take_next(struct importing *i, struct sov_bytes octets, struct sov_error *err)
{
    struct sov_event event;

    if (!sov_event_decode(octets, &event, err)) return false;
    if (event.seq <= i->done.before) return is_the_same(i, &event, err);
    if (event.seq != (int64_t)i->range.size + 1) {
        sov_error_set(err, SOV_CONFLICT, "import_gap",
                      "event %llu comes next, and this one is event %lld",
                      (unsigned long long)i->range.size + 1, (long long)event.seq);
        return false;
    }
    return (event.seq != 1 || is_this_ledger(i, octets, err)) && take(i, &event, err);
}

/* A note of a size that the mirror has passed: compared with what its own events give. */
static bool pass_older(struct importing *i, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_range head = i->range;
    struct sov_stored row;
    bool found = true, passed = true;

    if (!i->note_count || i->notes[0].checkpoint.size > head.size) return true;
    i->range = (struct sov_range){ 0 };
    sov_log_begin(&cursor, i->ledger, 1, (int64_t)head.size);
    while (found && passed) {
        struct sov_hash leaf;

        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) break;
        leaf = sov_leaf_hash(row.octets);
        sov_range_append(&i->range, &leaf);
        passed = pass_notes(i, false, err);
    }
    i->range = head;
    return passed;
}

static bool take_blobs(struct importing *i, struct sov_error *err)
{
    for (size_t n = 0; n < i->source->blob_count; n++)
        if (!sov_blob_take(i->ledger, i->source->blobs[n], err)) return false;
    return true;
}

static bool take_all(struct importing *i, struct sov_error *err)
{
    struct sov_bytes octets;
    bool found;

    for (;;) {
        if (!i->source->next(i->source->self, &octets, &found, err)) return false;
        if (!found) break;
        if (!take_next(i, octets, err)) return false;
    }
    if (!i->range.size)
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "there is no event in it");
    i->done.size = (int64_t)i->range.size;
    i->done.root = sov_range_root(&i->range);
    if (i->passed < i->note_count)
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                        "a checkpoint is of size %llu, and the events end at %llu",
                        (unsigned long long)i->notes[i->passed].checkpoint.size,
                        (unsigned long long)i->range.size);
    if (i->done.events && (!i->passed || i->notes[i->passed - 1].checkpoint.size != i->range.size))
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                        "no checkpoint vouches for the events up to %llu",
                        (unsigned long long)i->range.size);
    return take_blobs(i, err);
}

static bool run(struct importing *i, bool dry, struct sov_error *err)
{
    struct sov_ledger *ledger = i->ledger;

    if (!sov_txn_begin(&i->txn, ledger->db, err) || !sov_schema_check(ledger, err)) return false;
    if (ledger->founded) {
        if (!sov_hash_equal(&ledger->id, i->id))
            return sov_fail(err, SOV_INTEGRITY, "fork",
                            "the mark names another ledger than the file");
        if (!sov_head_check(ledger, &i->range, err) || !read_notes(i, err)) return false;
        i->done.before = (int64_t)i->range.size;
        if (!pass_older(i, err)) return false;
    }
    if (!take_all(i, err)) return false;
    if (dry) return true;
    return sov_range_write(ledger->db, &i->range, err) && sov_txn_commit(&i->txn, err);
}

/* ---- the file ---- */

static void importing_end(struct importing *i)
{
    sov_txn_end(&i->txn);
    sov_ledger_end(&i->ledger);
    sov_lock_release(&i->lock);
    sov_arena_release(&i->arena);
}

/* The first import: the file gets its name when it is whole, as in a founding. */
static bool into_new(struct importing *i, const struct sov_places *places,
                     const struct sov_seams *seams, bool dry, struct sov_error *err)
{
    struct sov_db_options options =
        sov_ledger_db_options(dry ? SOV_DB_MEMORY : SOV_DB_CREATE, seams, WAIT_MS);
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    const char *path = sov_arena_printf(&i->arena, "%s/%s", places->home, SOV_LEDGER_FILE_NEW);

    if (!sov_folder_open(&home, places->home, err)) return false;
    if (!dry && (!sov_lock_take(&i->lock, &home, "founding", WAIT_MS, err) ||
                 !sov_ledger_leftovers_remove(&home, err)))
        return false;
    i->ledger = sov_ledger_new(places, seams, WAIT_MS, true);
    if (!sov_db_open(path, &options, &i->ledger->db, err)) return false;
    i->ledger->state = i->ledger->db;
    if (!run(i, dry, err)) return false;
    sov_txn_end(&i->txn);
    sov_ledger_end(&i->ledger);
    return dry || (sov_file_remove(&home, SOV_LEDGER_FILE_NEW "-journal", err) &&
                   sov_file_move(&home, SOV_LEDGER_FILE_NEW, SOV_LEDGER_FILE, err));
}

static bool into_old(struct importing *i, const struct sov_places *places,
                     const struct sov_seams *seams, int64_t wait_ms, bool dry,
                     struct sov_error *err)
{
    if (!sov_ledger_open(places, dry ? SOV_LEDGER_TRY : SOV_LEDGER_WRITE, seams, wait_ms,
                         &i->ledger, err))
        return false;
    return (dry || sov_lock_take(&i->lock, &i->ledger->home, "lock", wait_ms, err)) &&
           run(i, dry, err);
}

bool sov_import(const struct sov_places *places, const struct sov_seams *seams, int64_t wait_ms,
                bool dry, const struct sov_import_source *source,
                struct sov_import_result *imported_out, struct sov_error *err)
{
    SOV_CLEANUP(importing_end) struct importing i = { .source = source };
    struct sov_hash id;
    bool marked, there;

    sov_arena_init(&i.arena, 512 << 20);
    if (!sov_mirror_find(places, &id, &marked, err) || !sov_ledger_there(places, &there, err))
        return false;
    if (!marked) return sov_fail(err, SOV_DENIED, "not_mirror", "%s is no mirror", places->home);
    i.id = &id;
    if (!(there ? into_old(&i, places, seams, wait_ms, dry, err)
                : into_new(&i, places, seams, dry, err)))
        return false;
    *imported_out = i.done;
    return true;
}
