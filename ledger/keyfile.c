#include "ledger/keyfile.h"

#include <stdio.h>
#include <string.h>

#include "base/place.h"
#include "ledger/log.h"

static const char head[] = "sov-key-1 ed25519 ";
enum { HEAD = sizeof head - 1, FILE_SIZE = HEAD + 2 * SOV_SEED_SIZE + 1 };

static bool folder_of(const char *keys, const struct sov_hash *ledger_id, bool make,
                      struct sov_folder *folder_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder outer = { 0 };
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(ledger_id), hex);
    if (make && !sov_folder_make_named(keys, 0700, err)) return false;
    if (!sov_folder_open(&outer, keys, err)) return false;
    if (make && !sov_folder_make(&outer, hex, 0700, err)) return false;
    return sov_folder_beneath(folder_out, &outer, hex, err);
}

bool sov_keyfile_save(const char *keys, const struct sov_hash *ledger_id, const char *name,
                      const struct sov_secret *secret, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    uint8_t seed[SOV_SEED_SIZE];
    char line[FILE_SIZE + 1];
    bool ok;

    if (!folder_of(keys, ledger_id, true, &folder, err)) return false;
    memcpy(line, head, HEAD);
    sov_secret_seed(secret, seed);
    sov_hex(sov_bytes(seed, sizeof seed), line + HEAD);
    line[FILE_SIZE - 1] = '\n';
    ok = sov_file_create(&folder, name, 0600, sov_bytes(line, FILE_SIZE), err);
    sov_wipe(seed, sizeof seed);
    sov_wipe(line, sizeof line);
    return ok;
}

static bool parse(struct sov_bytes text, const char *name, struct sov_secret **secret_out,
                  struct sov_error *err)
{
    uint8_t seed[SOV_SEED_SIZE];
    bool ok = text.size == FILE_SIZE && memcmp(text.data, head, HEAD) == 0 &&
              text.data[FILE_SIZE - 1] == '\n' &&
              sov_unhex(sov_bytes(text.data + HEAD, 2 * SOV_SEED_SIZE), seed, sizeof seed);

    if (!ok) {
        sov_wipe(seed, sizeof seed);
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no key file", name);
    }
    ok = sov_secret_load(sov_bytes(seed, sizeof seed), secret_out, err);
    sov_wipe(seed, sizeof seed);
    return ok;
}

bool sov_keyfile_load(const char *keys, const struct sov_hash *ledger_id, const char *name,
                      struct sov_secret **secret_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_file_facts facts;
    struct sov_bytes text;
    bool ok;

    sov_arena_init(&arena, 4096);
    if (!folder_of(keys, ledger_id, false, &folder, err) ||
        !sov_file_facts(&folder, name, &facts, err))
        return err->exit == SOV_ABSENT
                   ? sov_fail(err, SOV_ABSENT, "no_key", "there is no key file %s", name)
                   : false;
    if (facts.type == SOV_FILE_ABSENT)
        return sov_fail(err, SOV_ABSENT, "no_key", "there is no key file %s", name);
    if (facts.mode & 077)
        return sov_fail(err, SOV_DENIED, "key_exposed",
                        "others can reach the key file %s (mode %o)", name, facts.mode);
    if (!sov_file_read(&folder, name, FILE_SIZE, &arena, &text, err)) return false;
    ok = parse(text, name, secret_out, err);
    sov_wipe((void *)(uintptr_t)text.data, text.size);
    return ok;
}

bool sov_keyfile_load_named(const char *path, struct sov_secret **secret_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_bytes text;
    unsigned mode;
    bool ok;

    sov_arena_init(&arena, 4096);
    if (!sov_file_mode_named(path, &mode, err)) return false;
    if (mode & 077)
        return sov_fail(err, SOV_DENIED, "key_exposed",
                        "others can reach the key file %s (mode %o)", path, mode);
    if (!sov_file_read_named(path, FILE_SIZE, &arena, &text, err)) return false;
    ok = parse(text, path, secret_out, err);
    sov_wipe((void *)(uintptr_t)text.data, text.size);
    return ok;
}

bool sov_keyfile_load_ledger(const struct sov_ledger *ledger, struct sov_secret **secret_out,
                             struct sov_error *err)
{
    struct sov_secret *secret;
    struct sov_public_key key;

    if (!sov_keyfile_load(ledger->keys_path, &ledger->id, "ledger.key", &secret, err)) return false;
    key = sov_secret_public(secret);
    if (memcmp(key.octets, ledger->public_key.octets, SOV_PUBLIC_KEY_SIZE) != 0) {
        sov_secret_close(secret);
        return sov_fail(err, SOV_INTEGRITY, "key_mismatch",
                        "the ledger key at hand is not the one of event 1");
    }
    *secret_out = secret;
    return true;
}
