/* Proof of possession: made for a key that is to be registered, and checked where it was. */
#include <string.h>

#include "ledger/log.h"
#include "ledger/sign.h"

enum { STATEMENT_MAX = 1024 };

void sov_key_proposal_end(struct sov_key_proposal *proposal)
{
    sov_secret_end(&proposal->secret);
    sov_seal_end(&proposal->seal);
}

bool sov_key_propose(const struct sov_ledger *ledger, const char *actor,
                     const struct sov_signer *signer, const struct sov_signer *before,
                     struct sov_key_proposal *proposal_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_key_proposal_end) struct sov_key_proposal made = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf message = { 0 };
    struct sov_signer own = { 0 };

    if (!signer) {
        if (!sov_secret_new(&ledger->seams.random, &made.secret, err)) return false;
        own = (struct sov_signer){ .secret = made.secret, .key = sov_secret_public(made.secret) };
        signer = &own;
    }
    made.key = signer->key;
    made.ssh = signer->ssh;
    sov_buf_init(&message, STATEMENT_MAX);
    sov_key_statement(&ledger->id, actor, &made.key, &message);
    if (!sov_buf_whole(&message, "the statement", err) ||
        !sov_signer_sign(signer, SOV_KEY_TAG, sov_buf_bytes(&message), &made.proof, err))
        return false;
    if (before) {
        made.has_before = true;
        made.before = before->key;
        if (!sov_signer_sign(before, SOV_KEY_TAG, sov_buf_bytes(&message), &made.consent, err))
            return false;
    }
    *proposal_out = made;
    made = (struct sov_key_proposal){ 0 };
    return true;
}

bool sov_key_registration(struct sov_commit *commit, const char *actor,
                          const struct sov_key_proposal *proposal, struct sov_bytes *data_out,
                          struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "actor", actor);
    sov_put_text(&w, "algorithm", proposal->ssh ? "ssh" : "ed25519");
    sov_put_hex(&w, "proof", sov_bytes(proposal->proof.octets, SOV_SIGNATURE_SIZE));
    sov_put_hex(&w, "public_key", sov_bytes(proposal->key.octets, SOV_PUBLIC_KEY_SIZE));
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static bool is_ssh(const struct sov_actor_key *key)
{
    return strcmp(key->algorithm, "ssh") == 0;
}

bool sov_key_proven(const struct sov_ledger *ledger, const char *actor,
                    const struct sov_key_proposal *proposal, const struct sov_actor_key *before,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf message = { 0 };

    sov_buf_init(&message, STATEMENT_MAX);
    sov_key_statement(&ledger->id, actor, &proposal->key, &message);
    if (!message.cut &&
        sov_key_signed(&proposal->key, proposal->ssh, SOV_KEY_TAG, sov_buf_bytes(&message),
                       &proposal->proof) &&
        (!before || sov_key_signed(&before->key, is_ssh(before), SOV_KEY_TAG,
                                   sov_buf_bytes(&message), &proposal->consent)))
        return true;
    sov_error_set(err, SOV_INTEGRITY, "bad_signature", "the key of %s is not proven", actor);
    sov_error_ref(err, actor);
    return false;
}

/* ---- what the log says of them ---- */

static bool read_signature(struct sov_value value, struct sov_signature *signature_out)
{
    return sov_unhex(sov_value_plain(value), signature_out->octets, SOV_SIGNATURE_SIZE);
}

static bool registration_holds(const struct sov_ledger *ledger, const struct sov_event *event,
                               struct sov_arena *arena)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf message = { 0 };
    struct sov_public_key key;
    struct sov_signature proof;

    if (!sov_unhex(sov_value_plain(sov_data(event, "public_key")), key.octets, sizeof key.octets) ||
        !read_signature(sov_data(event, "proof"), &proof))
        return false;
    sov_buf_init(&message, STATEMENT_MAX);
    sov_key_statement(&ledger->id, sov_arena_text(arena, sov_data_text(event, "actor", arena)),
                      &key, &message);
    return !message.cut &&
           sov_key_signed(&key, sov_bytes_is(sov_data_text(event, "algorithm", arena), "ssh"),
                          SOV_KEY_TAG, sov_buf_bytes(&message), &proof);
}

static bool rotation_holds(const struct sov_ledger *ledger, const struct sov_event *event,
                           const struct sov_actor_key *before)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf message = { 0 };
    struct sov_value proofs = sov_data(event, "proofs"), one, two;
    struct sov_public_key key;
    struct sov_signature consent, proof;
    struct sov_bytes is_signed;
    size_t at = 0;

    if (!sov_unhex(sov_value_plain(sov_data(event, "successor")), key.octets, sizeof key.octets) ||
        !sov_value_item(proofs, &at, &one) || !sov_value_item(proofs, &at, &two) ||
        !read_signature(one, &consent) || !read_signature(two, &proof))
        return false;
    sov_buf_init(&message, STATEMENT_MAX);
    sov_key_statement(&ledger->id, before->actor, &key, &message);
    is_signed = sov_buf_bytes(&message);
    return !message.cut &&
           sov_key_signed(&before->key, is_ssh(before), SOV_KEY_TAG, is_signed, &consent) &&
           (sov_key_signed(&key, false, SOV_KEY_TAG, is_signed, &proof) ||
            sov_key_signed(&key, true, SOV_KEY_TAG, is_signed, &proof));
}

bool sov_key_proofs_hold(const struct sov_ledger *ledger, const struct sov_event *event,
                         struct sov_arena *arena, bool *hold_out, struct sov_error *err)
{
    struct sov_actor_key before;
    bool found;

    *hold_out = true;
    if (event->type == SOV_EVENT_KEY_REGISTERED)
        *hold_out = registration_holds(ledger, event, arena);
    if (event->type != SOV_EVENT_KEY_ROTATED) return true;
    if (!sov_key_find(ledger, sov_arena_text(arena, event->stream.name), arena, &before, &found,
                      err))
        return false;
    *hold_out = found && rotation_holds(ledger, event, &before);
    return true;
}
