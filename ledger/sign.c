/* Signed statements: made before the transaction, checked inside it. */
#include "ledger/sign.h"

#include <stdio.h>
#include <string.h>

#include "ledger/log.h"

enum { STATEMENT_MAX = 1 << 20 };

void sov_key_statement(const struct sov_hash *ledger_id, const char *actor,
                       const struct sov_public_key *key, struct sov_buf *out)
{
    struct sov_writer w;

    sov_buf_add_text(out, SOV_KEY_TAG "\n");
    sov_writer_init(&w, out);
    sov_write_object(&w);
    sov_put_text(&w, "actor", actor);
    sov_put_hex(&w, "ledger", sov_hash_bytes(ledger_id));
    sov_put_hex(&w, "public_key", sov_bytes(key->octets, SOV_PUBLIC_KEY_SIZE));
    sov_write_end(&w);
}

static void message_write(const char *tag, struct sov_bytes canonical, struct sov_buf *out)
{
    sov_buf_init(out, STATEMENT_MAX);
    sov_buf_add_text(out, tag);
    sov_buf_add_byte(out, '\n');
    sov_buf_add(out, canonical);
}

void sov_statement_seal(const struct sov_secret *secret, const char *tag,
                        struct sov_bytes canonical, struct sov_signed_by *by_out)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf message = { 0 };
    struct sov_public_key key = sov_secret_public(secret);

    message_write(tag, canonical, &message);
    sov_key_id(&key, by_out->key);
    by_out->statement = sov_sha256(sov_buf_bytes(&message));
    by_out->signature = sov_sign(secret, sov_buf_bytes(&message));
}

bool sov_statement_sign(const struct sov_ledger *ledger, const char *actor,
                        const struct sov_signing *with, const char *tag, struct sov_bytes canonical,
                        struct sov_signed_by *signed_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_signer_end) struct sov_signer signer = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf message = { 0 };
    struct sov_signed_by by;

    if (!sov_signer_hold(ledger, actor, with, &signer, err)) return false;
    message_write(tag, canonical, &message);
    if (!sov_buf_whole(&message, "the statement", err) ||
        !sov_signer_sign(&signer, tag, sov_buf_bytes(&message), &by.signature, err))
        return false;
    sov_key_id(&signer.key, by.key);
    by.statement = sov_sha256(sov_buf_bytes(&message));
    *signed_out = by;
    return true;
}

static bool invalid(struct sov_error *err, const char *actor, const char *key, const char *why)
{
    sov_error_set(err, SOV_DENIED, "key_invalid", "the key %s %s", key, why);
    sov_error_ref(err, actor);
    return false;
}

bool sov_statement_check(const struct sov_ledger *ledger, const char *actor, const char *tag,
                         struct sov_bytes canonical, const struct sov_signed_by *by, int64_t seq,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf message = { 0 };
    struct sov_actor_key key;
    struct sov_hash statement;
    bool found;

    sov_arena_init(&arena, 1 << 20);
    if (!sov_key_find(ledger, by->key, &arena, &key, &found, err)) return false;
    if (!found || strcmp(key.actor, actor) != 0)
        return invalid(err, actor, by->key, "is not registered for this actor");
    if (seq ? key.from_seq >= seq || (key.to_seq && key.to_seq <= seq) : key.to_seq != 0)
        return invalid(err, actor, by->key, "is not valid here");
    message_write(tag, canonical, &message);
    statement = sov_sha256(sov_buf_bytes(&message));
    if (message.cut || !sov_hash_equal(&statement, &by->statement) ||
        !sov_key_signed(&key.key, strcmp(key.algorithm, "ssh") == 0, tag, sov_buf_bytes(&message),
                        &by->signature)) {
        sov_error_set(err, SOV_INTEGRITY, "bad_signature",
                      "the signature of %s does not hold over this statement", actor);
        sov_error_ref(err, actor);
        return false;
    }
    return true;
}

bool sov_key_is_there(const struct sov_ledger *ledger, const char *actor, bool *there_out,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_actor_keys keys;
    bool there = false;

    sov_arena_init(&arena, 1 << 20);
    if (!sov_key_list(ledger, actor, &arena, &keys, err)) return false;
    for (size_t i = 0; i < keys.count; i++) there = there || !keys.at[i].to_seq;
    *there_out = there;
    return true;
}

void sov_signed_put(struct sov_writer *w, const struct sov_signed_by *by)
{
    sov_write_object(w);
    sov_put_text(w, "key", by->key);
    sov_put_hex(w, "signature", sov_bytes(by->signature.octets, SOV_SIGNATURE_SIZE));
    sov_put_hex(w, "statement", sov_hash_bytes(&by->statement));
    sov_write_end(w);
}

bool sov_signed_read(struct sov_value sig, struct sov_signed_by *by_out)
{
    struct sov_bytes key = sov_value_plain(sov_value_get(sig, "key"));

    if (!key.data || key.size > SOV_KEY_ID_SIZE) return false;
    snprintf(by_out->key, sizeof by_out->key, "%.*s", (int)key.size, (const char *)key.data);
    return sov_unhex(sov_value_plain(sov_value_get(sig, "signature")), by_out->signature.octets,
                     SOV_SIGNATURE_SIZE) &&
           sov_unhex(sov_value_plain(sov_value_get(sig, "statement")), by_out->statement.octets,
                     SOV_HASH_SIZE);
}
