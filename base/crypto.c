#include "base/crypto.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>

_Static_assert(sizeof(crypto_hash_sha256_state) <= sizeof(struct sov_sha256), "state fits");
_Static_assert(_Alignof(crypto_hash_sha256_state) <= _Alignof(struct sov_sha256), "aligned");
_Static_assert(SOV_HASH_SIZE == crypto_hash_sha256_BYTES, "SHA-256");
_Static_assert(SOV_KEYED_HASH_KEY == crypto_shorthash_siphashx24_KEYBYTES, "SipHash key");
_Static_assert(SOV_KEYED_HASH_SIZE == crypto_shorthash_siphashx24_BYTES, "SipHash of 128 bits");
_Static_assert(SOV_SEED_SIZE == crypto_sign_ed25519_SEEDBYTES, "Ed25519 seed");
_Static_assert(SOV_PUBLIC_KEY_SIZE == crypto_sign_ed25519_PUBLICKEYBYTES, "Ed25519 key");
_Static_assert(SOV_SIGNATURE_SIZE == crypto_sign_ed25519_BYTES, "Ed25519 signature");

_Static_assert(SOV_SEAL_SALT == crypto_pwhash_argon2id_SALTBYTES, "Argon2id salt");
_Static_assert(SOV_SEAL_NONCE == crypto_secretbox_xsalsa20poly1305_NONCEBYTES, "nonce");
_Static_assert(SOV_SEAL_BOX == SOV_SEED_SIZE + crypto_secretbox_xsalsa20poly1305_MACBYTES, "box");

struct sov_secret {
    uint8_t seed[SOV_SEED_SIZE];
    uint8_t expanded[crypto_sign_ed25519_SECRETKEYBYTES]; /* what libsodium signs with */
    struct sov_public_key public_key;
};

/* Only locked memory needs it; SHA-256 and Ed25519 here have one implementation to choose from. */
static void ready(void)
{
    if (sodium_init() < 0) abort();
}

static crypto_hash_sha256_state *state_of(struct sov_sha256 *s)
{
    return (crypto_hash_sha256_state *)(void *)s->state;
}

struct sov_hash sov_sha256(struct sov_bytes bytes)
{
    struct sov_hash hash;

    crypto_hash_sha256(hash.octets, bytes.data, bytes.size);
    return hash;
}

struct sov_hash sov_sha256_parts(const struct sov_bytes *parts, size_t count)
{
    crypto_hash_sha256_state state;
    struct sov_hash hash;

    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < count; i++)
        crypto_hash_sha256_update(&state, parts[i].data, parts[i].size);
    crypto_hash_sha256_final(&state, hash.octets);
    return hash;
}

void sov_sha256_begin(struct sov_sha256 *s)
{
    crypto_hash_sha256_init(state_of(s));
}

void sov_sha256_add(struct sov_sha256 *s, struct sov_bytes bytes)
{
    crypto_hash_sha256_update(state_of(s), bytes.data, bytes.size);
}

struct sov_hash sov_sha256_end(struct sov_sha256 *s)
{
    struct sov_hash hash;

    crypto_hash_sha256_final(state_of(s), hash.octets);
    return hash;
}

void sov_sha512(struct sov_bytes bytes, uint8_t hash_out[SOV_SHA512_SIZE])
{
    crypto_hash_sha512(hash_out, bytes.data, bytes.size);
}

void sov_keyed_hash(const uint8_t key[SOV_KEYED_HASH_KEY], struct sov_bytes bytes,
                    uint8_t hash_out[SOV_KEYED_HASH_SIZE])
{
    crypto_shorthash_siphashx24(hash_out, bytes.data, bytes.size, key);
}

void sov_hex(struct sov_bytes octets, char *text_out)
{
    sodium_bin2hex(text_out, 2 * octets.size + 1, octets.data, octets.size);
}

/* -1 if it is no lower-case hex digit. */
static int unhex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

bool sov_unhex(struct sov_bytes text, uint8_t *octets_out, size_t size_out)
{
    if (text.size % 2 || text.size / 2 != size_out) return false;
    for (size_t i = 0; i < text.size; i++)
        if (unhex_digit(text.data[i]) < 0) return false;
    for (size_t i = 0; i < size_out; i++)
        octets_out[i] =
            (uint8_t)(unhex_digit(text.data[2 * i]) << 4 | unhex_digit(text.data[2 * i + 1]));
    return true;
}

/* Base64 goes through the library in pieces that need no padding, but for the last one. */
enum { PIECE = 48, PIECE_TEXT = 64 };

void sov_base64(struct sov_bytes octets, struct sov_buf *out)
{
    char text[PIECE_TEXT + 1];

    for (size_t at = 0; at < octets.size; at += PIECE) {
        size_t size = octets.size - at < PIECE ? octets.size - at : PIECE;

        sodium_bin2base64(text, sizeof text, octets.data + at, size,
                          sodium_base64_VARIANT_ORIGINAL);
        sov_buf_add_text(out, text);
    }
    sov_wipe(text, sizeof text);
}

/* Decodes into octets_out, or only measures if that is NULL. */
static bool unbase64(struct sov_bytes text, uint8_t *octets_out, size_t *size_out)
{
    uint8_t octets[PIECE];
    size_t total = 0;
    bool ok = text.size % 4 == 0;

    /* The library takes some of these for letters where char is signed (1.0.18). */
    for (size_t i = 0; i < text.size; i++) ok &= text.data[i] < 0x80;
    for (size_t at = 0; ok && at < text.size; at += PIECE_TEXT) {
        size_t left = text.size - at, size, piece = left < PIECE_TEXT ? left : PIECE_TEXT;

        ok = sodium_base642bin(octets, sizeof octets, (const char *)text.data + at, piece, NULL,
                               &size, NULL, sodium_base64_VARIANT_ORIGINAL) == 0 &&
             (size == PIECE || left <= PIECE_TEXT);
        if (!ok) break;
        if (octets_out) memcpy(octets_out + total, octets, size);
        total += size;
    }
    sov_wipe(octets, sizeof octets);
    if (ok) *size_out = total;
    return ok;
}

bool sov_unbase64(struct sov_bytes text, uint8_t *octets_out, size_t room, size_t *size_out)
{
    size_t size;

    return unbase64(text, NULL, &size) && size <= room && unbase64(text, octets_out, size_out);
}

void sov_wipe(void *data, size_t size)
{
    sodium_memzero(data, size);
}

/* Guarded, locked where the limits allow it, and left out of core dumps; what a crash would find of
 * it elsewhere, on the stack of a library say, is not written either. A limit of one octet is no
 * core where the kernel writes it, and none where it hands it to a program, which 0 would not stop.
 */
static void *guarded(size_t size)
{
    const struct rlimit none = { 1, 1 };
    void *memory;

    ready();
    (void)setrlimit(RLIMIT_CORE, &none);
    memory = sodium_malloc(size);
    if (!memory) abort();
    return memory;
}

static struct sov_secret *secret_take(void)
{
    return guarded(sizeof(struct sov_secret));
}

static void secret_expand(struct sov_secret *secret)
{
    crypto_sign_ed25519_seed_keypair(secret->public_key.octets, secret->expanded, secret->seed);
}

bool sov_secret_new(const struct sov_random *random, struct sov_secret **secret_out,
                    struct sov_error *err)
{
    struct sov_secret *secret = secret_take();

    if (!random->fill(random->self, secret->seed, sizeof secret->seed, err)) {
        sov_secret_close(secret);
        return false;
    }
    secret_expand(secret);
    *secret_out = secret;
    return true;
}

bool sov_secret_load(struct sov_bytes seed, struct sov_secret **secret_out, struct sov_error *err)
{
    struct sov_secret *secret;

    if (seed.size != SOV_SEED_SIZE)
        return sov_fail(err, SOV_USAGE, "bad_value", "a key seed has %d octets, this one has %zu",
                        SOV_SEED_SIZE, seed.size);
    secret = secret_take();
    memcpy(secret->seed, seed.data, seed.size);
    secret_expand(secret);
    *secret_out = secret;
    return true;
}

void sov_secret_seed(const struct sov_secret *secret, uint8_t seed_out[SOV_SEED_SIZE])
{
    memcpy(seed_out, secret->seed, SOV_SEED_SIZE);
}

void sov_secret_close(struct sov_secret *secret)
{
    sodium_free(secret);
}

void sov_secret_end(struct sov_secret **secret)
{
    sov_secret_close(*secret);
    *secret = NULL;
}

struct sov_public_key sov_secret_public(const struct sov_secret *secret)
{
    return secret->public_key;
}

struct sov_signature sov_sign(const struct sov_secret *secret, struct sov_bytes message)
{
    struct sov_signature signature;

    crypto_sign_ed25519_detached(signature.octets, NULL, message.data, message.size,
                                 secret->expanded);
    return signature;
}

bool sov_signature_holds(const struct sov_public_key *key, struct sov_bytes message,
                         const struct sov_signature *signature)
{
    return crypto_sign_ed25519_verify_detached(signature->octets, message.data, message.size,
                                               key->octets) == 0;
}

/* ---- secrets under a passphrase ---- */

struct sov_passphrase {
    size_t size;
    uint8_t octets[SOV_PASSPHRASE_MAX];
};
struct sov_seal {
    struct sov_sealed form; /* passes, kib and salt; the rest is a box's own */
    uint8_t key[crypto_secretbox_xsalsa20poly1305_KEYBYTES];
};
/* RFC 9106's second choice of passes and memory, with libsodium's one lane. */
enum { SEAL_PASSES = 3, SEAL_KIB = 64 * 1024, KIB = 1024 };

struct sov_passphrase *sov_passphrase_new(void)
{
    struct sov_passphrase *passphrase = guarded(sizeof *passphrase);

    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    *passphrase = (struct sov_passphrase){ 0 };
    return passphrase;
}

uint8_t *sov_passphrase_room(struct sov_passphrase *passphrase)
{
    return passphrase->octets;
}

bool sov_passphrase_is(struct sov_passphrase *passphrase, size_t size, struct sov_error *err)
{
    if (!size || size > SOV_PASSPHRASE_MAX)
        return sov_fail(err, SOV_USAGE, "bad_value", "a passphrase has 1 to %d octets",
                        SOV_PASSPHRASE_MAX);
    if (memchr(passphrase->octets, 0, size))
        return sov_fail(err, SOV_USAGE, "bad_value", "a passphrase holds no NUL");
    passphrase->size = size;
    return true;
}

bool sov_passphrase_equal(const struct sov_passphrase *a, const struct sov_passphrase *b)
{
    return a->size == b->size && sodium_memcmp(a->octets, b->octets, a->size) == 0;
}

void sov_passphrase_close(struct sov_passphrase *passphrase)
{
    sodium_free(passphrase);
}

void sov_passphrase_end(struct sov_passphrase **passphrase)
{
    sov_passphrase_close(*passphrase);
    *passphrase = NULL;
}

static bool derive(struct sov_seal *seal, const struct sov_passphrase *passphrase,
                   struct sov_error *err)
{
    assert(passphrase->size);
    if (crypto_pwhash_argon2id(seal->key, sizeof seal->key, (const char *)passphrase->octets,
                               passphrase->size, seal->form.salt, seal->form.passes,
                               (size_t)seal->form.kib * KIB,
                               crypto_pwhash_argon2id_ALG_ARGON2ID13) == 0)
        return true;
    return sov_fail(err, SOV_UNABLE, "io_error", "no %u KiB of memory to ask a passphrase in",
                    seal->form.kib);
}

bool sov_seal_new(const struct sov_passphrase *passphrase, const struct sov_random *random,
                  struct sov_seal **seal_out, struct sov_error *err)
{
    struct sov_seal *seal = guarded(sizeof *seal);

    *seal = (struct sov_seal){ .form = { .passes = SEAL_PASSES, .kib = SEAL_KIB } };
    if (!random->fill(random->self, seal->form.salt, sizeof seal->form.salt, err) ||
        !derive(seal, passphrase, err)) {
        sov_seal_close(seal);
        return false;
    }
    *seal_out = seal;
    return true;
}

void sov_seal_close(struct sov_seal *seal)
{
    sodium_free(seal);
}

void sov_seal_end(struct sov_seal **seal)
{
    sov_seal_close(*seal);
    *seal = NULL;
}

bool sov_secret_seal(const struct sov_secret *secret, const struct sov_seal *seal,
                     const struct sov_random *random, struct sov_sealed *sealed_out,
                     struct sov_error *err)
{
    struct sov_sealed sealed = seal->form;

    if (!random->fill(random->self, sealed.nonce, sizeof sealed.nonce, err)) return false;
    crypto_secretbox_easy(sealed.box, secret->seed, sizeof secret->seed, sealed.nonce, seal->key);
    *sealed_out = sealed;
    return true;
}

bool sov_secret_unseal(const struct sov_sealed *sealed, const struct sov_passphrase *passphrase,
                       struct sov_secret **secret_out, struct sov_error *err)
{
    struct sov_seal *seal;
    struct sov_secret *secret;
    bool ok;

    if (!sealed->passes || sealed->passes > SOV_SEAL_PASSES_MAX || sealed->kib < SOV_SEAL_KIB_MIN ||
        sealed->kib > SOV_SEAL_KIB_MAX)
        return sov_fail(err, SOV_USAGE, "bad_value", "a key file asks for %u passes in %u KiB",
                        sealed->passes, sealed->kib);
    seal = guarded(sizeof *seal);
    secret = secret_take();
    seal->form = *sealed;
    ok = derive(seal, passphrase, err);
    if (ok && crypto_secretbox_open_easy(secret->seed, sealed->box, sizeof sealed->box,
                                         sealed->nonce, seal->key) != 0)
        ok = sov_fail(err, SOV_DENIED, "passphrase_wrong", "it is not the passphrase of this key");
    sov_seal_close(seal);
    if (!ok) {
        sov_secret_close(secret);
        return false;
    }
    secret_expand(secret);
    *secret_out = secret;
    return true;
}

void sov_key_fingerprint(const struct sov_public_key *key, char text_out[SOV_FINGERPRINT_TEXT + 1])
{
    static const char prefix[] = "SHA256:";
    struct sov_hash hash = sov_sha256(sov_bytes(key->octets, sizeof key->octets));

    memcpy(text_out, prefix, sizeof prefix - 1);
    sodium_bin2base64(text_out + sizeof prefix - 1, SOV_FINGERPRINT_TEXT + 2 - sizeof prefix,
                      hash.octets, sizeof hash.octets, sodium_base64_VARIANT_ORIGINAL_NO_PADDING);
    assert(strlen(text_out) == SOV_FINGERPRINT_TEXT);
}

const char *sov_crypto_library_version(void)
{
    return sodium_version_string();
}
