/*
 * sov_note_read on hostile octets: as they come, and as a text that our key really signed, since
 * hardly any input would pass the signature by itself.
 *   clang -fsanitize=fuzzer,address,undefined with libbase.a; a corpus of notes helps.
 */
#include <stdlib.h>

#include "base/note.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* Whatever is accepted was signed, and is what we would write for what was read. */
static void read_one(struct sov_bytes note, const struct sov_note_key *key)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf again = { 0 };
    struct sov_checkpoint checkpoint, back;
    struct sov_signature signature, back_signature;
    struct sov_error err;

    if (!sov_note_read(note, key, &checkpoint, &signature, &err)) {
        require(err.exit == SOV_INTEGRITY);
        return;
    }
    sov_buf_init(&text, SOV_NOTE_SIZE_MAX);
    sov_checkpoint_text(&checkpoint, &text);
    require(text.size < note.size && memcmp(text.data, note.data, text.size) == 0);
    require(sov_signature_holds(&key->key, sov_buf_bytes(&text), &signature));
    sov_buf_init(&again, SOV_NOTE_SIZE_MAX);
    sov_note_write(&checkpoint, key, &signature, &again);
    require(sov_note_read(sov_buf_bytes(&again), key, &back, &back_signature, &err));
    require(back.size == checkpoint.size && sov_hash_equal(&back.root, &checkpoint.root));
}

/* The same octets as the text of a note: our writer's frame, with them in the place of its lines.
 */
static void read_signed(struct sov_bytes text, const struct sov_secret *secret,
                        const struct sov_note_key *key)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf lines = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf frame = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    const struct sov_checkpoint any = { .origin = "o" };
    struct sov_signature signature = sov_sign(secret, text);

    sov_buf_init(&lines, SOV_NOTE_SIZE_MAX);
    sov_checkpoint_text(&any, &lines);
    sov_buf_init(&frame, SOV_NOTE_SIZE_MAX);
    sov_note_write(&any, key, &signature, &frame);
    sov_buf_init(&note, 2 * SOV_NOTE_SIZE_MAX);
    sov_buf_add(&note, text);
    sov_buf_add(&note, sov_bytes(frame.data + lines.size, frame.size - lines.size));
    if (!note.cut) read_one(sov_buf_bytes(&note), key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t seed[SOV_SEED_SIZE] = { 1 };
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
    struct sov_note_key key = { .name = "fuzz.example/log" };
    struct sov_error err;

    require(sov_secret_load(sov_bytes(seed, sizeof seed), &secret, &err));
    key.key = sov_secret_public(secret);
    read_one(sov_bytes(data, size), &key);
    read_signed(sov_bytes(data, size), secret, &key);
    return 0;
}
