#ifndef SOV_LEDGER_KEY_H
#define SOV_LEDGER_KEY_H
/*
 * Keys of actors, by seq interval, and the signatures made with them (log.md 4, model.md 2).
 * A statement is tag, line feed, canonical JSON; the signature covers all of it, the log keeps its
 * SHA-256. It is made before the transaction begins and checked inside it. A key of OpenSSH signs
 * the same as an SSHSIG whose namespace is the tag (base/sshsig.h).
 * A key's id is "k" and the first 24 hex digits of SHA-256 over the public key.
 */
#include "base/crypto.h"
#include "base/ssh_agent.h"
#include "ledger/commit.h"

enum { SOV_KEY_ID_SIZE = 25 };
void sov_key_id(const struct sov_public_key *key, char id_out[SOV_KEY_ID_SIZE + 1]);

struct sov_actor_key {
    const char *id, *actor, *successor; /* successor may be NULL */
    const char *algorithm;              /* "ed25519" or "ssh" */
    struct sov_public_key key;
    int64_t from_seq, to_seq, unsafe_since; /* to_seq 0: still valid */
};
struct sov_actor_keys {
    const struct sov_actor_key *at;
    size_t count;
};
/* Of one actor, or of all (actor NULL), oldest first. */
SOV_MUST_USE bool sov_key_list(const struct sov_ledger *ledger, const char *actor,
                               struct sov_arena *arena, struct sov_actor_keys *keys_out,
                               struct sov_error *err);

/* One by its id. */
SOV_MUST_USE bool sov_key_find(const struct sov_ledger *ledger, const char *id,
                               struct sov_arena *arena, struct sov_actor_key *key_out,
                               bool *found_out, struct sov_error *err);

struct sov_signed_by {
    char key[SOV_KEY_ID_SIZE + 1];
    struct sov_hash statement;
    struct sov_signature signature;
};
/* Who says the passphrase of a key file that is locked, and only then is asked. What he gives
 * remains his. */
struct sov_opener {
    void *self;
    bool (*ask)(void *self, const char *file, const struct sov_passphrase **passphrase_out,
                struct sov_error *err);
};
/* What is signed with. Zeroed: the key folder, no passphrase. */
struct sov_signing {
    /* A key file of the caller's, ours or OpenSSH's; "agent": the newest of the actor's SSH keys
     * that the agent has; NULL: the newest of his keys whose file is in the key folder. */
    const char *file;
    struct sov_opener opener;
    struct sov_agent agent;
};
/* A key at hand: its secret, or an agent that has it. */
struct sov_signer {
    struct sov_secret *secret; /* NULL: the agent's */
    bool ssh;
    struct sov_public_key key;
    struct sov_agent agent;
};
void sov_signer_end(struct sov_signer *signer); /* for SOV_CLEANUP; of a zeroed one nothing */
/* Before a transaction begins, for somebody may be asked. no_key (3), agent_unavailable (7). */
SOV_MUST_USE bool sov_signer_hold(const struct sov_ledger *ledger, const char *actor,
                                  const struct sov_signing *with, struct sov_signer *signer_out,
                                  struct sov_error *err);
/* An SSH key by its file: the private one, or the public one of a key that the agent has. */
SOV_MUST_USE bool sov_signer_of_ssh(const char *file, const struct sov_agent *agent,
                                    struct sov_signer *signer_out, struct sov_error *err);
/* Signs with the actor's newest valid key whose secret is at hand: no_key (3), key_exposed (4),
 * passphrase_wrong (4), input_required (2). `with` NULL is a zeroed one. */
SOV_MUST_USE bool sov_statement_sign(const struct sov_ledger *ledger, const char *actor,
                                     const struct sov_signing *with, const char *tag,
                                     struct sov_bytes canonical, struct sov_signed_by *signed_out,
                                     struct sov_error *err);
/* The key is this actor's and valid at `seq` (0: now): key_invalid (4); the signature holds over
 * exactly this statement: bad_signature (6). */
SOV_MUST_USE bool sov_statement_check(const struct sov_ledger *ledger, const char *actor,
                                      const char *tag, struct sov_bytes canonical,
                                      const struct sov_signed_by *by, int64_t seq,
                                      struct sov_error *err);
/* The proofs of possession of key.registered and key.rotated, against the keys as `ledger` has
 * them: of a new key by its algorithm, which a rotation does not say yet. Other events hold. */
SOV_MUST_USE bool sov_key_proofs_hold(const struct sov_ledger *ledger,
                                      const struct sov_event *event, struct sov_arena *arena,
                                      bool *hold_out, struct sov_error *err);
/* True if the actor has a key that is valid now. */
SOV_MUST_USE bool sov_key_is_there(const struct sov_ledger *ledger, const char *actor,
                                   bool *there_out, struct sov_error *err);
/* The sig object of a payload: {"key":..,"signature":..,"statement":..}. */
void sov_signed_put(struct sov_writer *w, const struct sov_signed_by *by);
bool sov_signed_read(struct sov_value sig, struct sov_signed_by *by_out);

/* A key that is to be registered, with what proves that it is at hand. */
struct sov_key_proposal {
    struct sov_public_key key, before; /* before: whose place it takes */
    bool ssh, has_before;
    struct sov_signature proof, consent; /* of the two keys, over the new one */
    struct sov_secret *secret;           /* to be kept; NULL: its holder keeps it */
    struct sov_seal *seal;               /* of its file; NULL: not locked */
};
/* `signer` NULL: a key is made. `before` NULL: it takes no key's place. */
SOV_MUST_USE bool sov_key_propose(const struct sov_ledger *ledger, const char *actor,
                                  const struct sov_signer *signer, const struct sov_signer *before,
                                  struct sov_key_proposal *proposal_out, struct sov_error *err);
void sov_key_proposal_end(struct sov_key_proposal *proposal); /* for SOV_CLEANUP */
/* Registers a key; a secret of the proposal is kept in the key folder (0600). NULL: one is made,
 * its file not locked. A proof that does not hold: bad_signature (6). */
SOV_MUST_USE bool sov_key_new(struct sov_commit *commit, const char *actor,
                              const struct sov_key_proposal *proposal, struct sov_done *done_out,
                              struct sov_error *err);
/* A new key takes the place of the actor's newest; both sign. NULL: it is made, the one before lies
 * in the key folder, not locked. */
SOV_MUST_USE bool sov_key_rotate(struct sov_commit *commit, const char *actor, const char *reason,
                                 const struct sov_key_proposal *proposal, struct sov_done *done_out,
                                 struct sov_error *err);
/* unsafe_since 0: not said. */
SOV_MUST_USE bool sov_key_revoke(struct sov_commit *commit, const char *key, const char *reason,
                                 int64_t unsafe_since, struct sov_done *done_out,
                                 struct sov_error *err);
#endif
