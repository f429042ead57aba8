#include "ledger/keyfile.h"

#include <assert.h>
#include <string.h>

#include "base/place.h"
#include "base/sshsig.h"
#include "ledger/log.h"

static const char head[] = "sov-key-1 ", plain_word[] = "ed25519 ", locked_word[] = "argon2id ";
enum {
    /* Two numbers of ten digits, three texts of hex, the spaces between, the line's end. */
    FILE_MAX = sizeof head - 1 + sizeof locked_word - 1 + 2 * 11 +
               2 * (SOV_SEAL_SALT + SOV_SEAL_NONCE + SOV_SEAL_BOX) + 3
};

static bool folder_of(const struct sov_ledger *ledger, bool make, struct sov_folder *folder_out,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder outer = { 0 };
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&ledger->id), hex);
    if (make && !sov_folder_make_named(ledger->keys_path, 0700, err)) return false;
    if (!sov_folder_open(&outer, ledger->keys_path, err)) return false;
    if (make && !sov_folder_make(&outer, hex, 0700, err)) return false;
    return sov_folder_beneath(folder_out, &outer, hex, err);
}

/* ---- the line ---- */

static void put_hex(struct sov_buf *out, const uint8_t *octets, size_t size, char after)
{
    char hex[2 * SOV_SEAL_BOX + 1];

    assert(size <= SOV_SEAL_BOX);
    sov_hex(sov_bytes(octets, size), hex);
    sov_buf_add_text(out, hex);
    sov_buf_add_byte(out, (uint8_t)after);
    sov_wipe(hex, sizeof hex);
}

static void put_plain(struct sov_buf *out, const struct sov_secret *secret)
{
    uint8_t seed[SOV_SEED_SIZE];

    sov_secret_seed(secret, seed);
    sov_buf_printf(out, "%s%s", head, plain_word);
    put_hex(out, seed, sizeof seed, '\n');
    sov_wipe(seed, sizeof seed);
}

static void put_sealed(struct sov_buf *out, const struct sov_sealed *sealed)
{
    sov_buf_printf(out, "%s%s%u %u ", head, locked_word, sealed->passes, sealed->kib);
    put_hex(out, sealed->salt, sizeof sealed->salt, ' ');
    put_hex(out, sealed->nonce, sizeof sealed->nonce, ' ');
    put_hex(out, sealed->box, sizeof sealed->box, '\n');
}

static bool take_word(struct sov_bytes *text, const char *word)
{
    size_t size = strlen(word);

    if (text->size < size || memcmp(text->data, word, size) != 0) return false;
    *text = sov_bytes(text->data + size, text->size - size);
    return true;
}

/* At most nine digits, so that it fits whatever they are. */
static bool take_number(struct sov_bytes *text, uint32_t *n_out)
{
    uint32_t n = 0;
    size_t i = 0;

    for (; i < text->size && i < 9 && text->data[i] >= '0' && text->data[i] <= '9'; i++)
        n = n * 10 + (text->data[i] - '0');
    if (!i || text->data[0] == '0') return false;
    *text = sov_bytes(text->data + i, text->size - i);
    *n_out = n;
    return take_word(text, " ");
}

static bool take_hex(struct sov_bytes *text, uint8_t *octets, size_t size, const char *after)
{
    if (text->size < 2 * size || !sov_unhex(sov_bytes(text->data, 2 * size), octets, size))
        return false;
    *text = sov_bytes(text->data + 2 * size, text->size - 2 * size);
    return take_word(text, after);
}

static bool ask(const struct sov_sealed *sealed, const char *name, const struct sov_opener *pass,
                struct sov_secret **secret_out, struct sov_error *err)
{
    const struct sov_passphrase *passphrase;

    if (!pass || !pass->ask)
        return sov_fail(err, SOV_USAGE, "input_required", "the key file %s is locked", name);
    return pass->ask(pass->self, name, &passphrase, err) &&
           sov_secret_unseal(sealed, passphrase, secret_out, err);
}

static bool parse(struct sov_bytes text, const char *name, const struct sov_opener *pass,
                  struct sov_secret **secret_out, struct sov_error *err)
{
    struct sov_sealed sealed;
    uint8_t seed[SOV_SEED_SIZE];
    bool ok = take_word(&text, head);

    if (ok && take_word(&text, locked_word)) {
        if (take_number(&text, &sealed.passes) && take_number(&text, &sealed.kib) &&
            take_hex(&text, sealed.salt, sizeof sealed.salt, " ") &&
            take_hex(&text, sealed.nonce, sizeof sealed.nonce, " ") &&
            take_hex(&text, sealed.box, sizeof sealed.box, "\n") && !text.size)
            return ask(&sealed, name, pass, secret_out, err);
        ok = false;
    }
    ok = ok && take_word(&text, plain_word) && take_hex(&text, seed, sizeof seed, "\n") &&
         !text.size;
    if (ok)
        ok = sov_secret_load(sov_bytes(seed, sizeof seed), secret_out, err);
    else
        sov_error_set(err, SOV_USAGE, "bad_value", "%s is no key file", name);
    sov_wipe(seed, sizeof seed);
    return ok;
}

/* ---- the file ---- */

bool sov_keyfile_save(const struct sov_ledger *ledger, const char *name,
                      const struct sov_secret *secret, const struct sov_seal *seal,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    struct sov_sealed sealed;
    struct sov_buf line;
    bool ok;

    if (seal && !sov_secret_seal(secret, seal, &ledger->seams.random, &sealed, err)) return false;
    if (!folder_of(ledger, true, &folder, err)) return false;
    sov_buf_init(&line, FILE_MAX);
    if (seal)
        put_sealed(&line, &sealed);
    else
        put_plain(&line, secret);
    ok = sov_buf_whole(&line, name, err) &&
         sov_file_create(&folder, name, 0600, sov_buf_bytes(&line), err);
    sov_wipe(line.data, line.size);
    sov_buf_release(&line);
    return ok;
}

static bool is_ours_alone(const char *name, unsigned mode, struct sov_error *err)
{
    return mode & 077 ? sov_fail(err, SOV_DENIED, "key_exposed",
                                 "others can reach the key file %s (mode %o)", name, mode)
                      : true;
}

bool sov_keyfile_load(const struct sov_ledger *ledger, const char *name,
                      const struct sov_opener *pass, struct sov_secret **secret_out,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_file_facts facts;
    struct sov_bytes text;
    bool ok;

    sov_arena_init(&arena, 4096);
    if (!folder_of(ledger, false, &folder, err) || !sov_file_facts(&folder, name, &facts, err))
        return err->exit == SOV_ABSENT
                   ? sov_fail(err, SOV_ABSENT, "no_key", "there is no key file %s", name)
                   : false;
    if (facts.type == SOV_FILE_ABSENT)
        return sov_fail(err, SOV_ABSENT, "no_key", "there is no key file %s", name);
    if (!is_ours_alone(name, facts.mode, err) ||
        !sov_file_read(&folder, name, FILE_MAX, &arena, &text, err))
        return false;
    ok = parse(text, name, pass, secret_out, err);
    sov_wipe((void *)(uintptr_t)text.data, text.size);
    return ok;
}

bool sov_keyfile_load_named(const char *path, const struct sov_opener *pass,
                            struct sov_secret **secret_out, bool *ssh_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_bytes text;
    unsigned mode;
    bool ok, ssh;

    sov_arena_init(&arena, 2 * SOV_SSH_FILE_MAX);
    if (!sov_secret_mode_named(path, &mode, err) || !is_ours_alone(path, mode, err) ||
        !sov_file_read_named(path, SOV_SSH_FILE_MAX, &arena, &text, err))
        return false;
    ssh = sov_ssh_is_private(text);
    ok = ssh ? sov_ssh_private_read(text, path, secret_out, err)
             : parse(text, path, pass, secret_out, err);
    sov_wipe((void *)(uintptr_t)text.data, text.size);
    if (ok) *ssh_out = ssh;
    return ok;
}

bool sov_keyfile_load_ledger(const struct sov_ledger *ledger, struct sov_secret **secret_out,
                             struct sov_error *err)
{
    struct sov_secret *secret;
    struct sov_public_key key;

    if (!sov_keyfile_load(ledger, "ledger.key", NULL, &secret, err)) return false;
    key = sov_secret_public(secret);
    if (memcmp(key.octets, ledger->public_key.octets, SOV_PUBLIC_KEY_SIZE) != 0) {
        sov_secret_close(secret);
        return sov_fail(err, SOV_INTEGRITY, "key_mismatch",
                        "the ledger key at hand is not the one of event 1");
    }
    *secret_out = secret;
    return true;
}
