#ifndef SOV_LEDGER_KEY_H
#define SOV_LEDGER_KEY_H
/*
 * Keys of actors, by seq interval, and the signatures made with them (log.md 4, model.md 2).
 * A statement is tag, line feed, canonical JSON; the signature covers all of it, the log keeps its
 * SHA-256. It is made before the transaction begins and checked inside it.
 * A key's id is "k" and the first 24 hex digits of SHA-256 over the public key.
 */
#include "base/crypto.h"
#include "ledger/commit.h"

enum { SOV_KEY_ID_SIZE = 25 };
void sov_key_id(const struct sov_public_key *key, char id_out[SOV_KEY_ID_SIZE + 1]);

struct sov_actor_key {
    const char *id, *actor, *algorithm, *successor; /* successor may be NULL */
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
    const char *file; /* a key file of the caller's; NULL: the newest of the key folder that fits */
    struct sov_opener pass;
};
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
/* True if the actor has a key that is valid now. */
SOV_MUST_USE bool sov_key_is_there(const struct sov_ledger *ledger, const char *actor,
                                   bool *there_out, struct sov_error *err);
/* The sig object of a payload: {"key":..,"signature":..,"statement":..}. */
void sov_signed_put(struct sov_writer *w, const struct sov_signed_by *by);
bool sov_signed_read(struct sov_value sig, struct sov_signed_by *by_out);

/* What is at hand for a new key. NULL, or zeroed: its file is not locked, and what it takes the
 * place of lies in the key folder, not locked. */
struct sov_key_hands {
    const struct sov_seal *seal;     /* of the new key's file */
    const struct sov_secret *before; /* of the key that it takes the place of */
};
/* The actor's newest valid key whose secret is at hand: taken before the transaction begins,
 * for a passphrase may be asked. no_key (3). */
SOV_MUST_USE bool sov_key_hold(const struct sov_ledger *ledger, const char *actor,
                               const struct sov_signing *with, struct sov_secret **secret_out,
                               struct sov_error *err);
/* Makes a key, keeps its secret in the key folder (0600), registers it. */
SOV_MUST_USE bool sov_key_new(struct sov_commit *commit, const char *actor,
                              const struct sov_key_hands *hands, struct sov_done *done_out,
                              struct sov_error *err);
/* A new key takes the place of the actor's newest; both sign. */
SOV_MUST_USE bool sov_key_rotate(struct sov_commit *commit, const char *actor, const char *reason,
                                 const struct sov_key_hands *hands, struct sov_done *done_out,
                                 struct sov_error *err);
/* unsafe_since 0: not said. */
SOV_MUST_USE bool sov_key_revoke(struct sov_commit *commit, const char *key, const char *reason,
                                 int64_t unsafe_since, struct sov_done *done_out,
                                 struct sov_error *err);
#endif
