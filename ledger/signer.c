/* Keys at hand: from the key folder, a file of the caller's, or an agent; and what they sign. */
#include <assert.h>
#include <string.h>

#include "base/file.h"
#include "base/place.h"
#include "base/sshsig.h"
#include "ledger/keyfile.h"
#include "ledger/log.h"
#include "ledger/sign.h"

void sov_signer_end(struct sov_signer *signer)
{
    sov_secret_end(&signer->secret);
}

bool sov_signer_sign(const struct sov_signer *signer, const char *tag, struct sov_bytes message,
                     struct sov_signature *signature_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf is_signed = { 0 };

    assert(signer->secret || signer->ssh);
    if (!signer->ssh) {
        *signature_out = sov_sign(signer->secret, message);
        return true;
    }
    sov_buf_init(&is_signed, SOV_SSHSIG_MAX);
    sov_sshsig_message(tag, message, &is_signed);
    if (!sov_buf_whole(&is_signed, "what is signed", err)) return false;
    if (!signer->secret)
        return sov_agent_sign(&signer->agent, &signer->key, sov_buf_bytes(&is_signed),
                              signature_out, err);
    *signature_out = sov_sign(signer->secret, sov_buf_bytes(&is_signed));
    return true;
}

bool sov_key_signed(const struct sov_public_key *key, bool ssh, const char *tag,
                    struct sov_bytes message, const struct sov_signature *signature)
{
    return ssh ? sov_sshsig_holds(key, tag, message, signature)
               : sov_signature_holds(key, message, signature);
}

/* ---- where they are found ---- */

/* The newest valid key of the actor whose file is in the key folder. */
static bool own_secret(const struct sov_ledger *ledger, const char *actor,
                       const struct sov_opener *opener, struct sov_secret **secret_out,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_actor_keys keys;

    sov_arena_init(&arena, 1 << 20);
    if (!sov_key_list(ledger, actor, &arena, &keys, err)) return false;
    for (size_t i = keys.count; i-- > 0;) {
        const char *name;

        if (keys.at[i].to_seq) continue;
        name = sov_arena_printf(&arena, "%s.%s.key", actor, keys.at[i].id);
        if (sov_keyfile_load(ledger, name, opener, secret_out, err)) return true;
        if (err->exit != SOV_ABSENT) return false;
    }
    sov_error_set(err, SOV_ABSENT, "no_key", "no secret of a valid key of %s is at hand", actor);
    sov_error_ref(err, actor);
    return false;
}

/* The actor's newest valid SSH key that the agent has. */
static bool of_agent(const struct sov_ledger *ledger, const char *actor,
                     const struct sov_agent *agent, struct sov_signer *signer_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_actor_keys keys;
    bool has = false;

    sov_arena_init(&arena, 1 << 20);
    if (!sov_key_list(ledger, actor, &arena, &keys, err)) return false;
    for (size_t i = keys.count; i-- > 0;) {
        if (keys.at[i].to_seq || strcmp(keys.at[i].algorithm, "ssh") != 0) continue;
        if (!sov_agent_has(agent, &keys.at[i].key, &has, err)) return false;
        if (!has) continue;
        *signer_out = (struct sov_signer){ .ssh = true, .key = keys.at[i].key, .agent = *agent };
        return true;
    }
    sov_error_set(err, SOV_ABSENT, "no_key", "the agent has no valid SSH key of %s", actor);
    sov_error_ref(err, actor);
    return false;
}

bool sov_signer_hold(const struct sov_ledger *ledger, const char *actor,
                     const struct sov_signing *with, struct sov_signer *signer_out,
                     struct sov_error *err)
{
    static const struct sov_signing folder = { 0 };
    struct sov_signer signer = { 0 };

    if (!with) with = &folder;
    if (with->file && strcmp(with->file, "agent") == 0)
        return of_agent(ledger, actor, &with->agent, signer_out, err);
    if (with->file
            ? !sov_keyfile_load_named(with->file, &with->opener, &signer.secret, &signer.ssh, err)
            : !own_secret(ledger, actor, &with->opener, &signer.secret, err))
        return false;
    signer.key = sov_secret_public(signer.secret);
    *signer_out = signer;
    return true;
}

/* A file that is neither may hold a secret in another form: it is wiped whatever it is. */
static bool read_ssh(const char *file, bool *is_private_out, struct sov_public_key *key_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_bytes text;
    unsigned mode;
    bool ok;

    sov_arena_init(&arena, 2 * SOV_SSH_FILE_MAX);
    if (!sov_secret_mode_named(file, &mode, err) ||
        !sov_file_read_named(file, SOV_SSH_FILE_MAX, &arena, &text, err))
        return false;
    *is_private_out = sov_ssh_is_private(text);
    ok = *is_private_out || sov_ssh_public_read(text, file, key_out, err);
    sov_wipe((void *)(uintptr_t)text.data, text.size);
    return ok;
}

bool sov_signer_of_ssh(const char *file, const struct sov_agent *agent,
                       struct sov_signer *signer_out, struct sov_error *err)
{
    struct sov_signer signer = { .ssh = true, .agent = *agent };
    bool has, is_private;

    if (!read_ssh(file, &is_private, &signer.key, err)) return false;
    if (is_private) {
        if (!sov_keyfile_load_named(file, NULL, &signer.secret, &signer.ssh, err)) return false;
        signer.key = sov_secret_public(signer.secret);
    } else if (!sov_agent_has(agent, &signer.key, &has, err)) {
        return false;
    } else if (!has) {
        return sov_fail(err, SOV_ABSENT, "no_key", "the agent does not have the key of %s", file);
    }
    *signer_out = signer;
    return true;
}
