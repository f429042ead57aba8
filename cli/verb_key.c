#include "cli/passphrase.h"

/* A new key and its proofs; locked if that is asked for, or if what it takes the place of was. */
static bool propose(struct sov_call *call, const char *actor, struct sov_asker *asker,
                    const struct sov_signer *before, struct sov_key_proposal *proposal_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_signer_end) struct sov_signer ssh = { 0 };
    const char *file = sov_value_of(call, SOV_FLAG_SSH);
    struct sov_agent agent = sov_agent_here();

    if (file)
        return sov_signer_of_ssh(file, &agent, &ssh, err) &&
               sov_key_propose(call->ledger, actor, &ssh, before, proposal_out, err);
    if (sov_asker_is_wanted(asker) && !sov_asker_know(asker, NULL, err)) return false;
    return sov_key_propose(call->ledger, actor, NULL, before, proposal_out, err) &&
           (!asker->known ||
            sov_seal_new(asker->known, &call->seams->random, &proposal_out->seal, err));
}

static bool make(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    SOV_CLEANUP(sov_asker_end) struct sov_asker asker = { .call = call };
    SOV_CLEANUP(sov_key_proposal_end) struct sov_key_proposal proposal = { 0 };

    return sov_call_write(call, err) &&
           propose(call, call->words[0], &asker, NULL, &proposal, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_key_new(&w.commit, call->words[0], &proposal, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "registered", "sov key list");
}

static bool rotate(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    SOV_CLEANUP(sov_asker_end) struct sov_asker asker = { .call = call };
    SOV_CLEANUP(sov_signer_end) struct sov_signer before = { 0 };
    SOV_CLEANUP(sov_key_proposal_end) struct sov_key_proposal proposal = { 0 };
    struct sov_signing with = sov_asker_signing(&asker);
    bool held;

    if (!sov_call_write(call, err)) return false;
    /* That there is none is for the operation to say, behind who asks and what there is. */
    held = sov_signer_hold(call->ledger, call->words[0], &with, &before, err);
    if ((!held && err->exit != SOV_ABSENT) ||
        !propose(call, call->words[0], &asker, held ? &before : NULL, &proposal, err))
        return false;
    return sov_deed_begin(&w, call, err) &&
           sov_key_rotate(&w.commit, call->words[0], sov_value_of(call, SOV_FLAG_REASON), &proposal,
                          &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "rotated", "sov key list");
}

static bool revoke(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t unsafe;

    return sov_int_of(call, SOV_FLAG_UNSAFE_SINCE, 1, INT64_MAX, 0, &unsafe, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_key_revoke(&w.commit, call->words[0], sov_value_of(call, SOV_FLAG_REASON), unsafe,
                          &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "revoked", "sov key list");
}

static bool list(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *rows = sov_node_list(call->arena);
    struct sov_actor_keys keys;

    if (!sov_key_list(call->ledger, NULL, call->arena, &keys, err)) return false;
    for (size_t i = 0; i < keys.count; i++) {
        const struct sov_actor_key *key = &keys.at[i];
        struct sov_node *row = sov_add_object(rows, NULL);
        char fingerprint[SOV_FINGERPRINT_TEXT + 1];

        sov_key_fingerprint(&key->key, fingerprint);
        sov_add_text(row, "id", key->id);
        sov_add_text(row, "actor", key->actor);
        sov_add_text(row, "algorithm", key->algorithm);
        sov_add_text(row, "fingerprint", fingerprint);
        sov_add_int(row, "from_seq", key->from_seq);
        if (key->to_seq)
            sov_add_int(row, "to_seq", key->to_seq);
        else
            sov_add_null(row, "to_seq");
        if (key->unsafe_since)
            sov_add_int(row, "unsafe_since", key->unsafe_since);
        else
            sov_add_null(row, "unsafe_since");
        sov_add_text(row, "successor", key->successor);
    }
    sov_out_table(call->out, rows, "id actor fingerprint from_seq to_seq");
    sov_out_data(call->out, rows);
    return true;
}

#define WRITE SOV_WRITES | SOV_OUTSIDE_RUN
static const struct sov_form forms[] = {
    { "list", list, SOV_READS | SOV_OUTSIDE_RUN, 0, 0, "", "all keys, by fingerprint",
      "id:s actor:s algorithm:s fingerprint:s from_seq:i to_seq:i? unsafe_since:i? successor:s?",
      "", "sov key list", NULL },
    { "new", make, WRITE, 1, 1, "ACTOR [--passphrase] [--passphrase-fd N]",
      "make a key, keep its secret in the key folder, register it", SOV_WRITE_FIELDS,
      "4 not authorised\n5 the key is another actor's",
      "sov key new alice --actor principal\n"
      "sov key new alice --passphrase --actor principal\n"
      "sov key new alice --passphrase-fd 3 --actor principal 3<FILE",
      NULL },
    { "register", make, WRITE, 1, 1, "ACTOR --ssh FILE",
      "register an SSH key of a person: it proves that it is at hand", SOV_WRITE_FIELDS,
      "4 not authorised, or others can read the file\n5 the key is another actor's\n"
      "7 no agent, or it does not answer",
      "sov key register alice --ssh ~/.ssh/id_ed25519.pub --actor principal", NULL },
    { "rotate", rotate, WRITE, 1, 1,
      "ACTOR --reason TEXT [--ssh FILE] [--sign-key FILE] [--passphrase] [--passphrase-fd N]",
      "a new key takes the place of the newest; both sign", SOV_WRITE_FIELDS,
      "3 no key\n4 not authorised, or not its passphrase",
      "sov key rotate alice --reason \"a year is over\"", NULL },
    { "revoke", revoke, WRITE, 1, 1, "KEYID --reason TEXT [--unsafe-since SEQ]",
      "it is valid no more", SOV_WRITE_FIELDS, "4 not authorised\n5 wrong state",
      "sov key revoke k0123456789abcdef01234567 --reason \"the laptop was lost\"", NULL },
};
static const struct sov_verb verb = {
    "key",
    "keys of actors: fingerprints only, never a secret",
    "Secrets lie in $XDG_DATA_HOME/sov/keys, outside of the repository, readable by you alone. A\n"
    "key is valid from the seq that registers it to the one that ends it, whatever a clock "
    "says.\n\n"
    "With --passphrase the file is locked (Argon2id, then a secretbox). Whoever signs with it "
    "says\n"
    "the passphrase: on the descriptor of --passphrase-fd, in the file sov.passphrase of\n"
    "$CREDENTIALS_DIRECTORY, or at the terminal, where it is not shown. What takes the place of a\n"
    "locked key is locked with the same one.\n\n"
    "An SSH key (ssh-ed25519) stays where it is. Named by its public file it proves and signs by "
    "the\n"
    "agent of $SSH_AUTH_SOCK, by its private one, which nobody else may read, without. Decisions "
    "are\n"
    "signed with it by --sign-key agent or --sign-key FILE, as SSHSIG, each kind in a namespace "
    "of\n"
    "its own. Of a rotation --ssh names the new key, --sign-key the one before.",
    forms,
    sizeof forms / sizeof *forms,
    SOV_GROUP_LAW
};

const struct sov_verb *sov_verb_key(void)
{
    return &verb;
}
