#ifndef SOV_BASE_CRYPTO_H
#define SOV_BASE_CRYPTO_H
/*
 * SHA-256, Ed25519 (RFC 8032), hex and base64, and the type of a secret; libsodium underneath.
 * Owns: sodium_init (called by each entry point that needs it), locked memory of secrets, and that
 * a process which holds one writes no core. A secret is never printed, formatted or compared with
 * memcmp, and is wiped when released.
 */
#include "base/buf.h"
#include "base/seams.h"

enum {
    SOV_HASH_SIZE = 32,
    SOV_PUBLIC_KEY_SIZE = 32,
    SOV_SEED_SIZE = 32,
    SOV_SIGNATURE_SIZE = 64,
    SOV_HEX_HASH = 64
};

struct sov_hash {
    uint8_t octets[SOV_HASH_SIZE];
};
static inline struct sov_bytes sov_hash_bytes(const struct sov_hash *hash)
{
    return sov_bytes(hash->octets, SOV_HASH_SIZE);
}
static inline bool sov_hash_equal(const struct sov_hash *a, const struct sov_hash *b)
{
    return memcmp(a->octets, b->octets, SOV_HASH_SIZE) == 0;
}
struct sov_hash sov_sha256(struct sov_bytes bytes);
/* Of the parts one after another: a domain tag and a body, say. */
struct sov_hash sov_sha256_parts(const struct sov_bytes *parts, size_t count);
/* Incremental, for files. Opaque storage, large enough for the library's state (asserted). */
struct sov_sha256 {
    uint64_t state[16];
};
void sov_sha256_begin(struct sov_sha256 *s);
void sov_sha256_add(struct sov_sha256 *s, struct sov_bytes bytes);
struct sov_hash sov_sha256_end(struct sov_sha256 *s);

/* For what others ask to be hashed so: SSH. */
enum { SOV_SHA512_SIZE = 64 };
void sov_sha512(struct sov_bytes bytes, uint8_t hash_out[SOV_SHA512_SIZE]);

/* SipHash-2-4 of 128 bits, for comparisons within one run under a key that was drawn for it: short
 * inputs, much faster than SHA-256; worth nothing to whoever knows the key. Never stored. */
enum { SOV_KEYED_HASH_KEY = 16, SOV_KEYED_HASH_SIZE = 16 };
void sov_keyed_hash(const uint8_t key[SOV_KEYED_HASH_KEY], struct sov_bytes bytes,
                    uint8_t hash_out[SOV_KEYED_HASH_SIZE]);

void sov_hex(struct sov_bytes octets, char *text_out); /* 2 * size characters and a NUL */
/* Lower-case hex of exactly size_out octets, else false (no error set: the caller knows the name).
 */
bool sov_unhex(struct sov_bytes text, uint8_t *octets_out, size_t size_out);
void sov_base64(struct sov_bytes octets, struct sov_buf *out); /* standard alphabet, padded */
bool sov_unbase64(struct sov_bytes text, uint8_t *octets_out, size_t room,
                  size_t *size_out); /* strict */

struct sov_public_key {
    uint8_t octets[SOV_PUBLIC_KEY_SIZE];
};
struct sov_signature {
    uint8_t octets[SOV_SIGNATURE_SIZE];
};
/* The seed of an Ed25519 key, in locked memory. */
struct sov_secret;
SOV_MUST_USE bool sov_secret_new(const struct sov_random *random, struct sov_secret **secret_out,
                                 struct sov_error *err);
/* From and to the 32 octets of the seed: for key files only (the buffer is the caller's to wipe).
 */
SOV_MUST_USE bool sov_secret_load(struct sov_bytes seed, struct sov_secret **secret_out,
                                  struct sov_error *err);
void sov_secret_seed(const struct sov_secret *secret, uint8_t seed_out[SOV_SEED_SIZE]);
void sov_secret_close(struct sov_secret *secret); /* wipes; NULL is fine */
void sov_secret_end(struct sov_secret **secret);  /* for SOV_CLEANUP */
void sov_wipe(void *data, size_t size);
const char *sov_crypto_library_version(void); /* of the linked library: "1.0.18" */

struct sov_public_key sov_secret_public(const struct sov_secret *secret);
struct sov_signature sov_sign(const struct sov_secret *secret, struct sov_bytes message);
bool sov_signature_holds(const struct sov_public_key *key, struct sov_bytes message,
                         const struct sov_signature *signature);

/* ---- secrets under a passphrase ---- */

/* In locked memory. A process that holds one writes no core and is no other process's of the same
 * user to trace: PR_SET_DUMPABLE, until it ends or starts another program. */
struct sov_passphrase;
enum { SOV_PASSPHRASE_MAX = 1024 };
struct sov_passphrase *sov_passphrase_new(void);                 /* empty */
uint8_t *sov_passphrase_room(struct sov_passphrase *passphrase); /* SOV_PASSPHRASE_MAX octets */
/* Says how many of them are its own: 1 to SOV_PASSPHRASE_MAX, none of them NUL, else bad_value. */
SOV_MUST_USE bool sov_passphrase_is(struct sov_passphrase *passphrase, size_t size,
                                    struct sov_error *err);
bool sov_passphrase_equal(const struct sov_passphrase *a, const struct sov_passphrase *b);
void sov_passphrase_close(struct sov_passphrase *passphrase); /* wipes; NULL is fine */
void sov_passphrase_end(struct sov_passphrase **passphrase);  /* for SOV_CLEANUP */

/* A seed in a box (XSalsa20-Poly1305) under a key derived from a passphrase (Argon2id 1.3, one
 * lane). What is read from outside may ask for so much work and memory and no more. */
enum {
    SOV_SEAL_SALT = 16,
    SOV_SEAL_NONCE = 24,
    SOV_SEAL_BOX = SOV_SEED_SIZE + 16,
    SOV_SEAL_PASSES_MAX = 16,
    SOV_SEAL_KIB_MIN = 8,
    SOV_SEAL_KIB_MAX = 256 * 1024
};
struct sov_sealed {
    uint32_t passes, kib;
    uint8_t salt[SOV_SEAL_SALT], nonce[SOV_SEAL_NONCE], box[SOV_SEAL_BOX];
};
/* The derived key, with a salt of its own: the slow part, done before a lock is taken. */
struct sov_seal;
SOV_MUST_USE bool sov_seal_new(const struct sov_passphrase *passphrase,
                               const struct sov_random *random, struct sov_seal **seal_out,
                               struct sov_error *err);
void sov_seal_close(struct sov_seal *seal); /* wipes; NULL is fine */
void sov_seal_end(struct sov_seal **seal);  /* for SOV_CLEANUP */
SOV_MUST_USE bool sov_secret_seal(const struct sov_secret *secret, const struct sov_seal *seal,
                                  const struct sov_random *random, struct sov_sealed *sealed_out,
                                  struct sov_error *err);
/* passphrase_wrong (4), also if the box was changed; bad_value (2) out of bounds, before any work.
 */
SOV_MUST_USE bool sov_secret_unseal(const struct sov_sealed *sealed,
                                    const struct sov_passphrase *passphrase,
                                    struct sov_secret **secret_out, struct sov_error *err);

/* "SHA256:" and unpadded base64 of the key's digest: how a key is shown to people. */
enum { SOV_FINGERPRINT_TEXT = 50 };
void sov_key_fingerprint(const struct sov_public_key *key, char text_out[SOV_FINGERPRINT_TEXT + 1]);
#endif
