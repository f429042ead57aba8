#ifndef SOV_LEDGER_SIGN_H
#define SOV_LEDGER_SIGN_H
/* What a key proves that it is at hand with, and the registration made of it. Private to ledger/.
 */
#include "ledger/key.h"

/* Tag sov.key.v1, line feed, canonical {actor, ledger, public_key}. */
void sov_key_statement(const struct sov_hash *ledger_id, const char *actor,
                       const struct sov_public_key *key, struct sov_buf *out);
SOV_MUST_USE bool sov_key_registration(struct sov_commit *commit, const char *actor,
                                       const struct sov_secret *secret, struct sov_bytes *data_out,
                                       struct sov_error *err);
/* Signs with a secret at hand. */
void sov_statement_seal(const struct sov_secret *secret, const char *tag,
                        struct sov_bytes canonical, struct sov_signed_by *by_out);
#endif
