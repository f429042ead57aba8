#ifndef SOV_LEDGER_KEYFILE_H
#define SOV_LEDGER_KEYFILE_H
/*
 * Secrets on disk, outside the repository: <keys>/<ledger id>/ledger.key, <actor>.<key id>.key,
 * mode 0600 in folders of 0700. One line: "sov-key-1 ed25519 " and 64 hex digits. Private to
 * ledger/.
 */
#include "base/crypto.h"
#include "base/file.h"

struct sov_ledger;

SOV_MUST_USE bool sov_keyfile_save(const char *keys, const struct sov_hash *ledger_id,
                                   const char *name, const struct sov_secret *secret,
                                   struct sov_error *err);
/* no_key (3) if it is not there; key_exposed (4) if others can read it. */
SOV_MUST_USE bool sov_keyfile_load(const char *keys, const struct sov_hash *ledger_id,
                                   const char *name, struct sov_secret **secret_out,
                                   struct sov_error *err);
/* A file that the caller named. */
SOV_MUST_USE bool sov_keyfile_load_named(const char *path, struct sov_secret **secret_out,
                                         struct sov_error *err);
/* The ledger key; it must be the one of event 1. */
SOV_MUST_USE bool sov_keyfile_load_ledger(const struct sov_ledger *ledger,
                                          struct sov_secret **secret_out, struct sov_error *err);
#endif
