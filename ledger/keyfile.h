#ifndef SOV_LEDGER_KEYFILE_H
#define SOV_LEDGER_KEYFILE_H
/*
 * Secrets on disk, outside the repository: <keys>/<ledger id>/ledger.key, <actor>.<key id>.key,
 * mode 0600 in folders of 0700. One line, "sov-key-1 ed25519 SEED", or under a passphrase
 * "sov-key-1 argon2id PASSES KIB SALT NONCE BOX"; decimal without leading zeros, lower-case hex.
 * Private to ledger/.
 */
#include "base/crypto.h"
#include "base/file.h"
#include "ledger/key.h"

struct sov_ledger;

/* Under a passphrase if there is a seal. */
SOV_MUST_USE bool sov_keyfile_save(const struct sov_ledger *ledger, const char *name,
                                   const struct sov_secret *secret, const struct sov_seal *seal,
                                   struct sov_error *err);
/* no_key (3) if it is not there; key_exposed (4) if others can read it; if it is locked, `pass` is
 * asked (NULL: nobody), and passphrase_wrong (4) or input_required (2) may come of it. */
SOV_MUST_USE bool sov_keyfile_load(const struct sov_ledger *ledger, const char *name,
                                   const struct sov_opener *pass, struct sov_secret **secret_out,
                                   struct sov_error *err);
/* A file that the caller named, ours or a private one of OpenSSH (*ssh_out). */
SOV_MUST_USE bool sov_keyfile_load_named(const char *path, const struct sov_opener *pass,
                                         struct sov_secret **secret_out, bool *ssh_out,
                                         struct sov_error *err);
/* The ledger key; it must be the one of event 1. */
SOV_MUST_USE bool sov_keyfile_load_ledger(const struct sov_ledger *ledger,
                                          struct sov_secret **secret_out, struct sov_error *err);
#endif
