#ifndef SOV_BASE_SSHSIG_H
#define SOV_BASE_SSHSIG_H
/*
 * SSH keys of people: what such a key signs (OpenSSH's PROTOCOL.sshsig: a namespace and a hash of
 * the message, so that no signature for a login or another namespace is one of ours), and the files
 * that OpenSSH keeps them in. Owns: those forms, of ssh-ed25519 alone. Not here: the agent
 * (ssh_agent.h), which key is whose (ledger/).
 *
 * Of an SSHSIG only the 64 octets of the signature are kept: key, namespace and hash give the rest,
 * so that there is one spelling, and nothing is parsed to check one.
 */
#include "base/crypto.h"

/* "SSHSIG", namespace, nothing reserved, "sha512", SHA-512 of the message. */
enum { SOV_SSHSIG_MAX = 512 };
void sov_sshsig_message(const char *name_space, struct sov_bytes message, struct sov_buf *out);
bool sov_sshsig_holds(const struct sov_public_key *key, const char *name_space,
                      struct sov_bytes message, const struct sov_signature *signature);
/* The armored file that `ssh-keygen -Y verify` reads. */
void sov_sshsig_armor(const struct sov_public_key *key, const char *name_space,
                      const struct sov_signature *signature, struct sov_buf *out);
/* "ssh-ed25519 AAAA...", without a line feed. */
void sov_ssh_key_line(const struct sov_public_key *key, struct sov_buf *out);
/* The same, not as text: what an agent calls the key. */
void sov_ssh_key_blob(const struct sov_public_key *key, struct sov_buf *out);

enum { SOV_SSH_FILE_MAX = 16384 };
bool sov_ssh_is_private(struct sov_bytes text);
/* One line of a .pub file. key_unsupported (2): it is a key, and no ssh-ed25519; else bad_value. */
SOV_MUST_USE bool sov_ssh_public_read(struct sov_bytes text, const char *name,
                                      struct sov_public_key *key_out, struct sov_error *err);
/* An OpenSSH private key file. key_unsupported: locked, or of another kind; else bad_value. */
SOV_MUST_USE bool sov_ssh_private_read(struct sov_bytes text, const char *name,
                                       struct sov_secret **secret_out, struct sov_error *err);
#endif
