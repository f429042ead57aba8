#include "ledger/proof.h"

#include <assert.h>

#include "ledger/handle.h"
#include "ledger/ledger.h"

static bool founding(const struct sov_event *event, struct sov_arena *arena,
                     struct sov_identity *identity_out)
{
    enum { ORIGIN_ROOM = SOV_KEY_NAME_MAX + 1 };
    struct sov_identity identity;
    char *origin = sov_arena_array(arena, ORIGIN_ROOM, 1);

    if (event->seq != 1 || event->type != SOV_EVENT_ORGANIZATION_FOUNDED ||
        !sov_unhex(sov_value_plain(sov_data(event, "public_key")), identity.key.octets,
                   SOV_PUBLIC_KEY_SIZE))
        return false;
    identity.id = sov_sha256(event->octets);
    identity.name = sov_arena_text(arena, sov_data_text(event, "name", arena));
    sov_origin_write(identity.name, &identity.id, origin, ORIGIN_ROOM);
    identity.origin = origin;
    *identity_out = identity;
    return true;
}

bool sov_identity_read(struct sov_bytes octets, struct sov_arena *arena,
                       struct sov_identity *identity_out, struct sov_error *err)
{
    struct sov_event event;

    if (!sov_event_decode(octets, &event, err)) return false;
    if (!founding(&event, arena, identity_out))
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "event 1 does not found a ledger");
    return true;
}

/* Hashed from the octets again: no stored hash is believed. */
static bool span_root(const struct sov_ledger *ledger, const struct sov_span *span,
                      struct sov_hash *root_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_range range = { 0 };
    struct sov_stored row;
    bool found;

    sov_log_begin(&cursor, ledger, (int64_t)span->first + 1, (int64_t)(span->first + span->count));
    for (;;) {
        struct sov_hash leaf;

        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) break;
        leaf = sov_leaf_hash(row.octets);
        sov_range_append(&range, &leaf);
    }
    *root_out = sov_range_root(&range);
    return true;
}

static bool spans_hash(const struct sov_ledger *ledger, const struct sov_span *spans, size_t count,
                       struct sov_tree_proof *proof, struct sov_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!span_root(ledger, &spans[i], &proof->hashes[i], err)) return false;
    proof->count = count;
    return true;
}

/* `size` 0: the newest. */
static bool checkpoint_take(const struct sov_ledger *ledger, int64_t size, struct sov_arena *arena,
                            struct sov_checkpoint *checkpoint_out, struct sov_bytes *note_out,
                            struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    struct sov_checkpoint checkpoint = { 0 };
    struct sov_signature signature;
    bool found;

    if (!sov_checkpoint_at(ledger, size, &checkpoint, &signature, &found, err)) return false;
    if (!found || (size && checkpoint.size != (uint64_t)size))
        return sov_fail(err, SOV_ABSENT, "no_such_id", "there is no checkpoint of size %lld",
                        (long long)size);
    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    if (!sov_checkpoint_vouched(ledger, &checkpoint, &signature, err) ||
        !sov_checkpoint_note(ledger, (int64_t)checkpoint.size, &note, err))
        return false;
    *note_out = sov_arena_bytes(arena, sov_buf_bytes(&note));
    *checkpoint_out = checkpoint;
    return true;
}

/* Event 1, and the event itself if it is another one. */
static bool extra_make(const struct sov_ledger *ledger, const struct sov_event *event,
                       struct sov_arena *arena, struct sov_bytes *extra_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf extra = { 0 };
    struct sov_event first;

    if (!sov_log_event(ledger, 1, arena, &first, err)) return false;
    sov_buf_init(&extra, SOV_PROOF_EXTRA_MAX);
    sov_buf_add(&extra, first.octets);
    sov_buf_add_byte(&extra, '\n');
    if (event && event->seq != 1) {
        sov_buf_add(&extra, event->octets);
        sov_buf_add_byte(&extra, '\n');
    }
    if (!sov_buf_whole(&extra, "the octets of the proof", err)) return false;
    *extra_out = sov_arena_bytes(arena, sov_buf_bytes(&extra));
    return true;
}

static bool mismatch(struct sov_error *err, const struct sov_checkpoint *checkpoint)
{
    return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                    "the events do not give the root of the checkpoint of size %llu",
                    (unsigned long long)checkpoint->size);
}

bool sov_prove_event(const struct sov_ledger *ledger, int64_t seq, struct sov_arena *arena,
                     struct sov_tree_proof *proof_out, struct sov_error *err)
{
    struct sov_tree_proof proof = { .kind = SOV_PROOF_INCLUSION, .index = (uint64_t)seq - 1 };
    struct sov_span spans[SOV_PROOF_HASHES];
    struct sov_checkpoint checkpoint;
    struct sov_event event;
    struct sov_hash leaf;

    assert(seq > 0);
    if (!sov_log_event(ledger, seq, arena, &event, err) ||
        !checkpoint_take(ledger, 0, arena, &checkpoint, &proof.note, err))
        return false;
    if (proof.index >= checkpoint.size)
        return sov_fail(err, SOV_ABSENT, "no_such_id", "event %lld stands under no checkpoint",
                        (long long)seq);
    if (!extra_make(ledger, &event, arena, &proof.extra, err) ||
        !spans_hash(ledger, spans, sov_inclusion_spans(proof.index, checkpoint.size, spans), &proof,
                    err))
        return false;
    leaf = sov_leaf_hash(event.octets);
    if (!sov_inclusion_holds(&leaf, proof.index, checkpoint.size, &checkpoint.root, proof.hashes,
                             proof.count))
        return mismatch(err, &checkpoint);
    *proof_out = proof;
    return true;
}

bool sov_prove_between(const struct sov_ledger *ledger, int64_t from, int64_t to,
                       struct sov_arena *arena, struct sov_tree_proof *proof_out,
                       struct sov_error *err)
{
    struct sov_tree_proof proof = { .kind = SOV_PROOF_CONSISTENCY };
    struct sov_span spans[SOV_PROOF_HASHES];
    struct sov_checkpoint older, newer;

    assert(from > 0 && from <= to);
    if (!checkpoint_take(ledger, from, arena, &older, &proof.old_note, err) ||
        !checkpoint_take(ledger, to, arena, &newer, &proof.note, err) ||
        !extra_make(ledger, NULL, arena, &proof.extra, err) ||
        !spans_hash(ledger, spans, sov_consistency_spans(older.size, newer.size, spans), &proof,
                    err))
        return false;
    if (!sov_consistency_holds(older.size, &older.root, newer.size, &newer.root, proof.hashes,
                               proof.count))
        return mismatch(err, &newer);
    *proof_out = proof;
    return true;
}
