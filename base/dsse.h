#ifndef SOV_BASE_DSSE_H
#define SOV_BASE_DSSE_H
/*
 * A signed statement in the forms that outside tools read: DSSE (secure-systems-lab/dsse), the
 * Sigstore bundle around it (sigstore/protobuf-specs, v0.3, a public key by hint), and the key as
 * PEM (RFC 8410). Owns: writing those texts. Not here: keys and signing (crypto.h, ledger/).
 *
 * What is signed is the pre-authentication encoding: "DSSEv1", the length of the type, the type,
 * the length of the payload, the payload, spaces between. No note and no statement of the ledger
 * begins so, so that a signature under one is none under another.
 */
#include "base/buf.h"
#include "base/crypto.h"

#define SOV_DSSE_IN_TOTO "application/vnd.in-toto+json"

void sov_dsse_encode(const char *type, struct sov_bytes payload, struct sov_buf *out);
struct sov_dsse {
    const char *type;
    struct sov_bytes payload;
    const char *key; /* plain ASCII: where to look for the key */
    struct sov_signature signature;
};
/* Each is canonical JSON and a line feed. */
void sov_dsse_write(const struct sov_dsse *dsse, struct sov_buf *out);
void sov_dsse_bundle(const struct sov_dsse *dsse, struct sov_buf *out);
/* SubjectPublicKeyInfo. */
void sov_key_pem(const struct sov_public_key *key, struct sov_buf *out);
#endif
