#include "ledger/witness.h"

#include <stdio.h>
#include <string.h>

#include "base/place.h"
#include "ledger/keyfile.h"
#include "ledger/ledger.h"
#include "ledger/log.h"

#define KEY_FILE "witness.key"
static const char name_end[] = "/witness";

static const char *folder_path(const struct sov_ledger *ledger, struct sov_arena *arena)
{
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&ledger->id), hex);
    return sov_arena_printf(arena, "%s/%s/witness", ledger->keys_path, hex);
}

static void key_of(const struct sov_ledger *ledger, const struct sov_secret *secret,
                   struct sov_note_key *key_out)
{
    _Static_assert(sizeof key_out->name >= 63 + 1 + SOV_HEX_HASH + sizeof name_end, "it fits");

    memset(key_out, 0, sizeof *key_out);
    snprintf(key_out->name, sizeof key_out->name, "%.180s%s", ledger->origin, name_end);
    key_out->key = sov_secret_public(secret);
}

bool sov_witness_make(const struct sov_ledger *ledger, const struct sov_random *random,
                      struct sov_note_key *key_out, bool *made_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };

    sov_arena_init(&arena, 65536);
    *made_out = false;
    if (!sov_keyfile_load(ledger, KEY_FILE, NULL, &secret, err)) {
        if (err->exit != SOV_ABSENT) return false;
        /* The folder first: a key without it is one that forgot, and signs nothing. */
        if (!sov_secret_new(random, &secret, err) ||
            !sov_folder_make_named(folder_path(ledger, &arena), 0700, err) ||
            !sov_keyfile_save(ledger, KEY_FILE, secret, NULL, err))
            return false;
        *made_out = true;
    }
    key_of(ledger, secret, key_out);
    return true;
}

/* ---- one request ---- */

struct answering {
    const struct sov_ledger *ledger;
    struct sov_arena *arena;
    struct sov_cosign_request request;
    const struct sov_note_key *log;
    struct sov_checkpoint checkpoint, before; /* of the request; cosigned last, size 0: none */
    struct sov_signature signature;
    struct sov_bytes text; /* of the note: what is cosigned */
    char file[SOV_HEX_HASH + 1];
    struct sov_cosign_answer answer;
};

static bool say(struct answering *a, int status, const char *why)
{
    a->answer.status = status;
    a->answer.body = sov_bytes_text(why);
    return false;
}

static bool conflict(struct answering *a)
{
    return say(a, 409, sov_arena_printf(a->arena, "%llu\n", (unsigned long long)a->before.size));
}

/* What the request says by itself. */
static bool is_wellformed(struct answering *a, struct sov_bytes octets,
                          const struct sov_trust *policy)
{
    struct sov_error why = { 0 };
    struct sov_bytes lines;
    struct sov_hash digest;
    const uint8_t *end;

    if (!sov_cosign_request_read(octets, &a->request) ||
        !sov_note_split(a->request.note, &a->text, &lines, &why))
        return say(a, 400, "this is no add-checkpoint request\n");
    end = memchr(a->text.data, '\n', a->text.size); /* there: the text ends in one */
    a->log = sov_trust_log(policy, sov_bytes(a->text.data, (size_t)(end - a->text.data)));
    if (!a->log) return say(a, 404, "no log of this origin is witnessed here\n");
    if (!sov_note_read(a->request.note, a->log, &a->checkpoint, &a->signature, &why))
        return strcmp(why.code, "bad_signature") == 0
                   ? say(a, 403, "the checkpoint is not signed by the log\n")
                   : say(a, 400, "this is no checkpoint\n");
    if (a->checkpoint.size == 0 || a->request.old > a->checkpoint.size)
        return say(a, 400, "the old size is larger than the checkpoint\n");
    digest = sov_sha256(sov_bytes_text(a->log->name));
    sov_hex(sov_hash_bytes(&digest), a->file);
    return true;
}

/* What was cosigned last: as the log signed it, so that damage shows. */
static bool remember(struct answering *a, const struct sov_folder *folder, struct sov_error *err)
{
    struct sov_signature signature;
    struct sov_error why = { 0 };
    struct sov_bytes note;

    a->before = (struct sov_checkpoint){ 0 };
    if (!sov_file_read(folder, a->file, SOV_NOTE_SIZE_MAX, a->arena, &note, err))
        return err->exit == SOV_ABSENT;
    if (!sov_note_read(note, a->log, &a->before, &signature, &why) ||
        strcmp(a->before.origin, a->log->name) != 0 || !a->before.size)
        return sov_fail(err, SOV_UNABLE, "witness_state",
                        "what is remembered of %s is no checkpoint of it: %s", a->log->name,
                        why.what);
    return true;
}

static bool is_growth(struct answering *a)
{
    const struct sov_cosign_request *request = &a->request;

    if (request->old != a->before.size) return conflict(a);
    if (request->old == 0)
        return !request->count || say(a, 422, "there is nothing that a proof could begin with\n");
    if (request->old == a->checkpoint.size && !sov_hash_equal(&a->before.root, &a->checkpoint.root))
        return conflict(a);
    return sov_consistency_holds(request->old, &a->before.root, a->checkpoint.size,
                                 &a->checkpoint.root, request->hashes, request->count) ||
           say(a, 422, "the proof does not show the older log to be a prefix\n");
}

/* The log's own line alone: what others wrote beneath it is not kept. */
static bool keep(struct answering *a, const struct sov_folder *folder, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };

    if (a->checkpoint.size == a->before.size) return true;
    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    sov_note_write(&a->checkpoint, a->log, &a->signature, &note);
    return sov_buf_whole(&note, "the note", err) &&
           sov_file_replace(folder, a->file, 0600, sov_buf_bytes(&note), err);
}

static bool sign(struct answering *a, const struct sov_secret *secret, int64_t time_s,
                 struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf message = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf line = { 0 };
    struct sov_signature signature;
    struct sov_note_key key;

    key_of(a->ledger, secret, &key);
    sov_buf_init(&message, SOV_NOTE_SIZE_MAX + 64);
    sov_buf_init(&line, SOV_NOTE_SIZE_MAX);
    sov_cosign_message(a->text, time_s, &message);
    signature = sov_sign(secret, sov_buf_bytes(&message));
    sov_cosign_line(&key, time_s, &signature, &line);
    if (!sov_buf_whole(&message, "the cosignature", err) || !sov_buf_whole(&line, "its line", err))
        return false;
    a->answer.status = 200;
    a->answer.body = sov_arena_bytes(a->arena, sov_buf_bytes(&line));
    a->answer.checkpoint = a->checkpoint;
    return true;
}

/* Under one lock from the look at what was cosigned to the sync of what is cosigned next: of two
 * that ask at once neither sees the size that the other goes on from. */
static bool cosign(struct answering *a, const struct sov_seams *seams, int64_t wait_ms,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    SOV_CLEANUP(sov_lock_release) struct sov_lock lock = { 0 };
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
    struct sov_now now;

    if (!sov_keyfile_load(a->ledger, KEY_FILE, NULL, &secret, err)) return false;
    if (!sov_folder_open(&folder, folder_path(a->ledger, a->arena), err))
        return err->exit == SOV_ABSENT ? sov_fail(err, SOV_UNABLE, "witness_state",
                                                  "what this witness remembers is gone")
                                       : false;
    if (!sov_lock_take(&lock, &folder, "lock", wait_ms, err) || !remember(a, &folder, err))
        return false;
    if (!is_growth(a)) return true;
    return seams->clock.read(seams->clock.self, &now, err) && keep(a, &folder, err) &&
           sign(a, secret, now.wall.ms > 0 ? now.wall.ms / 1000 : 0, err);
}

bool sov_witness_answer(const struct sov_ledger *ledger, const struct sov_trust *policy,
                        struct sov_bytes request, const struct sov_seams *seams, int64_t wait_ms,
                        struct sov_arena *arena, struct sov_cosign_answer *answer_out,
                        struct sov_error *err)
{
    struct answering a = { .ledger = ledger, .arena = arena };

    if (is_wellformed(&a, request, policy) && !cosign(&a, seams, wait_ms, err)) return false;
    *answer_out = a.answer;
    return true;
}

/* ---- the other side ---- */

bool sov_witness_request(const struct sov_ledger *ledger, int64_t old, int64_t size,
                         struct sov_arena *arena, struct sov_buf *out, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    struct sov_cosign_request request = { .old = (uint64_t)old };

    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    if (!sov_checkpoint_note(ledger, size, &note, err)) return false;
    request.note = sov_buf_bytes(&note);
    if (old) {
        struct sov_tree_proof proof;

        if (!sov_prove_between(ledger, old, size, arena, &proof, err)) return false;
        request.count = proof.count; /* of 2^62 events it would be 63 at most */
        memcpy(request.hashes, proof.hashes, proof.count * sizeof *proof.hashes);
    }
    sov_cosign_request_write(&request, out);
    return sov_buf_whole(out, "the request", err);
}
