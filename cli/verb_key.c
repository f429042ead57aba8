#include "cli/passphrase.h"

/* The seal of a new key's file, or none. */
static bool seal_of(struct sov_asker *asker, struct sov_seal **seal_out, struct sov_error *err)
{
    if (sov_asker_is_wanted(asker) && !sov_asker_know(asker, NULL, err)) return false;
    return !asker->known || sov_seal_new(asker->known, &asker->call->seams->random, seal_out, err);
}

static bool make(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    SOV_CLEANUP(sov_asker_end) struct sov_asker asker = { .call = call };
    SOV_CLEANUP(sov_seal_end) struct sov_seal *seal = NULL;
    struct sov_key_hands hands = { 0 };

    if (!seal_of(&asker, &seal, err)) return false;
    hands.seal = seal;
    return sov_deed_begin(&w, call, err) &&
           sov_key_new(&w.commit, call->words[0], &hands, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "registered", "sov key list");
}

static bool rotate(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    SOV_CLEANUP(sov_asker_end) struct sov_asker asker = { .call = call };
    SOV_CLEANUP(sov_seal_end) struct sov_seal *seal = NULL;
    SOV_CLEANUP(sov_secret_end) struct sov_secret *before = NULL;
    struct sov_signing with = sov_asker_signing(&asker);
    struct sov_key_hands hands = { 0 };

    /* That there is none is for the operation to say, behind who asks and what there is. */
    if (!sov_call_write(call, err) ||
        (!sov_key_hold(call->ledger, call->words[0], &with, &before, err) &&
         err->exit != SOV_ABSENT) ||
        !seal_of(&asker, &seal, err))
        return false;
    hands = (struct sov_key_hands){ .seal = seal, .before = before };
    return sov_deed_begin(&w, call, err) &&
           sov_key_rotate(&w.commit, call->words[0], sov_value_of(call, SOV_FLAG_REASON), &hands,
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
    { "rotate", rotate, WRITE, 1, 1,
      "ACTOR --reason TEXT [--sign-key FILE] [--passphrase] [--passphrase-fd N]",
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
    "locked key is locked with the same one.",
    forms,
    sizeof forms / sizeof *forms,
    SOV_GROUP_LAW
};

const struct sov_verb *sov_verb_key(void)
{
    return &verb;
}
