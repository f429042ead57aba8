/*
 * The key files of OpenSSH on hostile octets: as they come, as what a private file armors, and as
 * changes of one that is right, since hardly any input would come that far by itself.
 */
#include <stdlib.h>

#include "base/ssh_wire.h"
#include "base/sshsig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* Whatever is accepted is spelled as we spell it, but for the words behind it. */
static bool read_public(struct sov_bytes text)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf line = { 0 };
    struct sov_public_key key;
    struct sov_error err;

    if (!sov_ssh_public_read(text, "fuzz.pub", &key, &err)) {
        require(err.exit == SOV_USAGE);
        return false;
    }
    sov_buf_init(&line, SOV_SSH_FILE_MAX);
    sov_ssh_key_line(&key, &line);
    require(text.size >= line.size && memcmp(text.data, line.data, line.size) == 0);
    return true;
}

/* Whatever is accepted signs, and what it signs holds under the key that the file shows. */
static void read_private(struct sov_bytes text, bool *read_out)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
    struct sov_public_key key;
    struct sov_signature signature;
    struct sov_error err;

    *read_out = sov_ssh_private_read(text, "fuzz", &secret, &err);
    if (!*read_out) {
        require(err.exit == SOV_USAGE && !secret);
        return;
    }
    require(sov_ssh_is_private(text));
    key = sov_secret_public(secret);
    signature = sov_sign(secret, text);
    require(sov_signature_holds(&key, text, &signature));
}

static void read_armored(struct sov_bytes octets, bool *read_out)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };

    sov_buf_init(&text, 2 * SOV_SSH_FILE_MAX);
    sov_buf_add(&text, sov_bytes_text("-----BEGIN OPENSSH PRIVATE KEY-----\n"));
    sov_base64(octets, &text);
    sov_buf_add(&text, sov_bytes_text("\n-----END OPENSSH PRIVATE KEY-----\n"));
    *read_out = false;
    if (!text.cut) read_private(sov_buf_bytes(&text), read_out);
}

static void put_key(struct sov_buf *out, const struct sov_public_key *key)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf blob = { 0 }, inner = { 0 };
    static const uint8_t seed[SOV_SEED_SIZE] = { 1 }, pad[] = { 1, 2, 3, 4, 5, 6, 7 };
    uint8_t pair[sizeof seed + sizeof key->octets];

    sov_buf_init(&blob, SOV_SSH_FILE_MAX);
    sov_buf_init(&inner, SOV_SSH_FILE_MAX);
    sov_ssh_key_blob(key, &blob);
    memcpy(pair, seed, sizeof seed);
    memcpy(pair + sizeof seed, key->octets, sizeof key->octets);
    sov_wire_put_uint(&inner, 7);
    sov_wire_put_uint(&inner, 7);
    sov_buf_add(&inner, sov_buf_bytes(&blob));
    sov_wire_put(&inner, sov_bytes(pair, sizeof pair));
    sov_wire_put(&inner, sov_bytes_text("fuzz"));
    sov_buf_add(&inner, sov_bytes(pad, -inner.size % 8));
    sov_buf_add(out, sov_bytes("openssh-key-v1", 15));
    sov_wire_put(out, sov_bytes_text("none"));
    sov_wire_put(out, sov_bytes_text("none"));
    sov_wire_put(out, sov_bytes(NULL, 0));
    sov_wire_put_uint(out, 1);
    sov_wire_put(out, sov_buf_bytes(&blob));
    sov_wire_put(out, sov_buf_bytes(&inner));
}

/* Each two octets of the input are a place and what is written there; an odd one cuts. */
static void change(struct sov_buf *octets, struct sov_bytes changes)
{
    for (size_t i = 0; i + 1 < changes.size; i += 2)
        octets->data[changes.data[i] % octets->size] = changes.data[i + 1];
    if (changes.size % 2) octets->size = changes.data[changes.size - 1] % (octets->size + 1);
}

static void read_changed(struct sov_bytes changes)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf octets = { 0 }, line = { 0 };
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
    static const uint8_t seed[SOV_SEED_SIZE] = { 1 };
    struct sov_public_key key;
    struct sov_error err;
    bool read;

    require(sov_secret_load(sov_bytes(seed, sizeof seed), &secret, &err));
    key = sov_secret_public(secret);
    sov_buf_init(&octets, SOV_SSH_FILE_MAX);
    put_key(&octets, &key);
    change(&octets, changes);
    read_armored(sov_buf_bytes(&octets), &read);
    require(read || changes.size);
    sov_buf_init(&line, SOV_SSH_FILE_MAX);
    sov_ssh_key_line(&key, &line);
    change(&line, changes);
    require(read_public(sov_buf_bytes(&line)) || changes.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool read;

    (void)read_public(sov_bytes(data, size));
    read_private(sov_bytes(data, size), &read);
    read_armored(sov_bytes(data, size), &read);
    read_changed(sov_bytes(data, size));
    return 0;
}
