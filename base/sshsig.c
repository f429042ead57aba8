#include "base/sshsig.h"

#include <string.h>

#include "base/ssh_wire.h"

static const char magic[] = "SSHSIG", kind[] = "ssh-ed25519", hash_name[] = "sha512";
enum { MAGIC = sizeof magic - 1, VERSION = 1, BLOB_MAX = 64, LINE = 70 };

void sov_sshsig_message(const char *name_space, struct sov_bytes message, struct sov_buf *out)
{
    uint8_t hash[SOV_SHA512_SIZE];

    sov_sha512(message, hash);
    sov_buf_add(out, sov_bytes(magic, MAGIC));
    sov_wire_put(out, sov_bytes_text(name_space));
    sov_wire_put(out, sov_bytes(NULL, 0));
    sov_wire_put(out, sov_bytes_text(hash_name));
    sov_wire_put(out, sov_bytes(hash, sizeof hash));
}

bool sov_sshsig_holds(const struct sov_public_key *key, const char *name_space,
                      struct sov_bytes message, const struct sov_signature *signature)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf is_signed = { 0 };

    sov_buf_init(&is_signed, SOV_SSHSIG_MAX);
    sov_sshsig_message(name_space, message, &is_signed);
    return !is_signed.cut && sov_signature_holds(key, sov_buf_bytes(&is_signed), signature);
}

void sov_ssh_key_blob(const struct sov_public_key *key, struct sov_buf *out)
{
    sov_wire_put(out, sov_bytes_text(kind));
    sov_wire_put(out, sov_bytes(key->octets, sizeof key->octets));
}

void sov_ssh_key_line(const struct sov_public_key *key, struct sov_buf *out)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf blob = { 0 };

    sov_buf_init(&blob, BLOB_MAX);
    sov_ssh_key_blob(key, &blob);
    sov_buf_printf(out, "%s ", kind);
    sov_base64(sov_buf_bytes(&blob), out);
}

static void put_lines(struct sov_bytes text, struct sov_buf *out)
{
    for (size_t at = 0; at < text.size; at += LINE) {
        size_t size = sov_size_min(text.size - at, LINE);

        sov_buf_add(out, sov_bytes(text.data + at, size));
        sov_buf_add_byte(out, '\n');
    }
}

void sov_sshsig_armor(const struct sov_public_key *key, const char *name_space,
                      const struct sov_signature *signature, struct sov_buf *out)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf blob = { 0 }, part = { 0 }, text = { 0 };

    sov_buf_init(&blob, SOV_SSHSIG_MAX);
    sov_buf_init(&part, SOV_SSHSIG_MAX);
    sov_buf_init(&text, 2 * SOV_SSHSIG_MAX);
    sov_buf_add(&blob, sov_bytes(magic, MAGIC));
    sov_wire_put_uint(&blob, VERSION);
    sov_ssh_key_blob(key, &part);
    sov_wire_put(&blob, sov_buf_bytes(&part));
    sov_wire_put(&blob, sov_bytes_text(name_space));
    sov_wire_put(&blob, sov_bytes(NULL, 0));
    sov_wire_put(&blob, sov_bytes_text(hash_name));
    sov_buf_clear(&part);
    sov_wire_put(&part, sov_bytes_text(kind));
    sov_wire_put(&part, sov_bytes(signature->octets, sizeof signature->octets));
    sov_wire_put(&blob, sov_buf_bytes(&part));
    sov_base64(sov_buf_bytes(&blob), &text);
    sov_buf_add_text(out, "-----BEGIN SSH SIGNATURE-----\n");
    put_lines(sov_buf_bytes(&text), out);
    sov_buf_add_text(out, "-----END SSH SIGNATURE-----\n");
}

/* ---- files ---- */

static const char begins[] = "-----BEGIN OPENSSH PRIVATE KEY-----\n",
                  ends[] = "-----END OPENSSH PRIVATE KEY-----\n", form[] = "openssh-key-v1";
enum { BEGINS = sizeof begins - 1, ENDS = sizeof ends - 1, FORM = sizeof form }; /* with its NUL */
_Static_assert(ENDS <= BEGINS, "what begins as one is long enough to end as one");

bool sov_ssh_is_private(struct sov_bytes text)
{
    return sov_bytes_begin(text, sov_bytes(begins, BEGINS));
}

static bool is_other_kind(struct sov_bytes word)
{
    static const char *const others[] = { "ssh-rsa", "ssh-dss", "ssh-ed448",
                                          "ecdsa-",  "sk-",     "webauthn-" };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (sov_bytes_begin(word, sov_bytes_text(others[i]))) return true;
    return false;
}

static bool blob_read(struct sov_bytes blob, struct sov_public_key *key_out)
{
    struct sov_bytes key;

    if (!sov_wire_is(&blob, kind) || !sov_wire_take(&blob, &key) || blob.size ||
        key.size != SOV_PUBLIC_KEY_SIZE)
        return false;
    memcpy(key_out->octets, key.data, key.size);
    return true;
}

bool sov_ssh_public_read(struct sov_bytes text, const char *name, struct sov_public_key *key_out,
                         struct sov_error *err)
{
    const uint8_t *end = text.size ? memchr(text.data, '\n', text.size) : NULL, *space;
    size_t size = end ? (size_t)(end - text.data) : text.size, octets_size;
    uint8_t octets[BLOB_MAX];
    struct sov_bytes word, rest;

    space = size ? memchr(text.data, ' ', size) : NULL;
    if (!space || (end && end + 1 != text.data + text.size))
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no public key of SSH", name);
    word = sov_bytes(text.data, (size_t)(space - text.data));
    if (is_other_kind(word))
        return sov_fail(err, SOV_USAGE, "key_unsupported", "%s is no ssh-ed25519 key", name);
    rest = sov_bytes(space + 1, size - word.size - 1);
    space = rest.size ? memchr(rest.data, ' ', rest.size) : NULL;
    if (space) rest.size = (size_t)(space - rest.data);
    if (!sov_bytes_is(word, kind) || !sov_unbase64(rest, octets, sizeof octets, &octets_size) ||
        !blob_read(sov_bytes(octets, octets_size), key_out))
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no public key of SSH", name);
    return true;
}

/* The octets between the two lines; text_out must hold as many as there are characters. */
static bool unarmor(struct sov_bytes text, uint8_t *letters, uint8_t *octets, size_t *size_out)
{
    size_t count = 0;

    if (!sov_ssh_is_private(text) || text.size > SOV_SSH_FILE_MAX ||
        memcmp(text.data + text.size - ENDS, ends, ENDS) != 0)
        return false;
    for (size_t i = BEGINS; i < text.size - ENDS; i++)
        if (text.data[i] != '\n') letters[count++] = text.data[i];
    return sov_unbase64(sov_bytes(letters, count), octets, SOV_SSH_FILE_MAX, size_out);
}

/* Two equal numbers, the key, a comment, and 1 2 3 ... up to a whole block. */
static bool private_read(struct sov_bytes left, const struct sov_public_key *key,
                         struct sov_bytes *seed_out)
{
    struct sov_bytes public_part, private_part, comment;
    uint32_t check[2];

    if (left.size % 8 || !sov_wire_uint(&left, &check[0]) || !sov_wire_uint(&left, &check[1]) ||
        check[0] != check[1] || !sov_wire_is(&left, kind) || !sov_wire_take(&left, &public_part) ||
        !sov_wire_take(&left, &private_part) || !sov_wire_take(&left, &comment) || left.size >= 8)
        return false;
    for (size_t i = 0; i < left.size; i++)
        if (left.data[i] != i + 1) return false;
    if (!sov_bytes_equal(public_part, sov_bytes(key->octets, sizeof key->octets)) ||
        private_part.size != SOV_SEED_SIZE + SOV_PUBLIC_KEY_SIZE ||
        memcmp(private_part.data + SOV_SEED_SIZE, key->octets, sizeof key->octets) != 0)
        return false;
    *seed_out = sov_bytes(private_part.data, SOV_SEED_SIZE);
    return true;
}

static bool file_read(struct sov_bytes left, const char *name, struct sov_secret **secret_out,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_secret_end) struct sov_secret *secret = NULL;
    struct sov_bytes cipher, kdf, options, blob = { 0 }, inner, peek, word, seed;
    struct sov_public_key key, derived;
    uint32_t count;
    bool ok = sov_bytes_begin(left, sov_bytes(form, FORM));

    if (ok) left = sov_bytes(left.data + FORM, left.size - FORM);
    ok = ok && sov_wire_take(&left, &cipher) && sov_wire_take(&left, &kdf) &&
         sov_wire_take(&left, &options) && sov_wire_uint(&left, &count) && count == 1 &&
         sov_wire_take(&left, &blob) && sov_wire_take(&left, &inner) && !left.size;
    peek = blob;
    if (ok && sov_wire_take(&peek, &word) && is_other_kind(word))
        return sov_fail(err, SOV_USAGE, "key_unsupported", "%s is no ssh-ed25519 key", name);
    if (ok && !sov_bytes_is(cipher, "none"))
        return sov_fail(err, SOV_USAGE, "key_unsupported",
                        "%s is locked: ssh-add it, and sign by the agent", name);
    ok = ok && sov_bytes_is(kdf, "none") && !options.size && blob_read(blob, &key) &&
         private_read(inner, &key, &seed);
    if (!ok) return sov_fail(err, SOV_USAGE, "bad_value", "%s is no key file of OpenSSH", name);
    if (!sov_secret_load(seed, &secret, err)) return false;
    derived = sov_secret_public(secret);
    if (memcmp(derived.octets, key.octets, sizeof key.octets) != 0)
        return sov_fail(err, SOV_USAGE, "bad_value", "%s holds two different keys", name);
    *secret_out = secret;
    secret = NULL;
    return true;
}

bool sov_ssh_private_read(struct sov_bytes text, const char *name, struct sov_secret **secret_out,
                          struct sov_error *err)
{
    uint8_t letters[SOV_SSH_FILE_MAX], octets[SOV_SSH_FILE_MAX];
    size_t size;
    bool ok = unarmor(text, letters, octets, &size);

    if (ok)
        ok = file_read(sov_bytes(octets, size), name, secret_out, err);
    else
        sov_error_set(err, SOV_USAGE, "bad_value", "%s is no key file of OpenSSH", name);
    sov_wipe(letters, sizeof letters);
    sov_wipe(octets, sizeof octets);
    return ok;
}
