#ifndef SOV_LEDGER_SIGN_H
#define SOV_LEDGER_SIGN_H
/* What a key proves that it is at hand with, and the registration made of it. Private to ledger/.
 */
#include "ledger/key.h"

/* Tag sov.key.v1, line feed, canonical {actor, ledger, public_key}. */
#define SOV_KEY_TAG "sov.key.v1"
void sov_key_statement(const struct sov_hash *ledger_id, const char *actor,
                       const struct sov_public_key *key, struct sov_buf *out);
/* The payload of key.registered. */
SOV_MUST_USE bool sov_key_registration(struct sov_commit *commit, const char *actor,
                                       const struct sov_key_proposal *proposal,
                                       struct sov_bytes *data_out, struct sov_error *err);
/* `message` begins with the tag: of an SSH key that is the namespace, too. */
SOV_MUST_USE bool sov_signer_sign(const struct sov_signer *signer, const char *tag,
                                  struct sov_bytes message, struct sov_signature *signature_out,
                                  struct sov_error *err);
bool sov_key_signed(const struct sov_public_key *key, bool ssh, const char *tag,
                    struct sov_bytes message, const struct sov_signature *signature);
/* C8, whoever made the signatures: bad_signature (6). `before` NULL: it takes no key's place. */
SOV_MUST_USE bool sov_key_proven(const struct sov_ledger *ledger, const char *actor,
                                 const struct sov_key_proposal *proposal,
                                 const struct sov_actor_key *before, struct sov_error *err);
/* Signs with a secret at hand. */
void sov_statement_seal(const struct sov_secret *secret, const char *tag,
                        struct sov_bytes canonical, struct sov_signed_by *by_out);
#endif
