/* The configuration files: strict JSON, comfort only. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "cli/places.h"

enum { CONFIG_MAX = 64 << 10, FILES = 3 };

static const struct sov_scan_rules rules = { CONFIG_MAX, 4, false };
static const char *const keys[] = { "actor", "trusted_directories" };

/* Line and column of a key that the strict scanner has seen at the top level. */
static void place_of(struct sov_bytes text, struct sov_bytes key, unsigned *line_out,
                     unsigned *column_out)
{
    unsigned line = 1, column = 1;

    for (size_t at = 0; at + key.size + 2 <= text.size; at++) {
        if (text.data[at] == '"' && text.data[at + key.size + 1] == '"' &&
            memcmp(text.data + at + 1, key.data, key.size) == 0)
            break;
        column = text.data[at] == '\n' ? 1 : column + 1;
        line += text.data[at] == '\n';
    }
    *line_out = line;
    *column_out = column;
}

static bool is_known(struct sov_bytes key)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sov_bytes_is(key, keys[i])) return true;
    return false;
}

static bool refuse(const char *path, struct sov_bytes text, struct sov_bytes key, const char *what,
                   struct sov_error *err)
{
    unsigned line, column;

    place_of(text, key, &line, &column);
    return sov_fail(err, SOV_USAGE, "bad_json", "%s:%u:%u: \"%.*s\" %s", path, line, column,
                    (int)key.size, (const char *)key.data, what);
}

static bool judge(const char *path, struct sov_bytes text, struct sov_value root,
                  struct sov_error *err)
{
    struct sov_member member;
    size_t at = 0;

    if (sov_value_kind(root) != SOV_JSON_OBJECT)
        return sov_fail(err, SOV_USAGE, "bad_json", "%s is no JSON object", path);
    while (sov_value_member(root, &at, &member)) {
        enum sov_json_kind kind = sov_value_kind(member.value);

        if (!is_known(member.key))
            return refuse(path, text, member.key, "is no key of the configuration", err);
        if (sov_bytes_is(member.key, "actor") && kind != SOV_JSON_TEXT)
            return refuse(path, text, member.key, "is no text", err);
        if (sov_bytes_is(member.key, "trusted_directories") && kind != SOV_JSON_LIST)
            return refuse(path, text, member.key, "is no list", err);
    }
    return true;
}

/* An absent value if the file is not there. The octets are in the arena. */
static bool load(const char *folder, struct sov_arena *arena, struct sov_value *root_out,
                 const char **path_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder held = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf canonical = { 0 };
    struct sov_bytes text;
    struct sov_value root;
    char what[sizeof err->what];

    *path_out = sov_arena_printf(arena, "%s/config.json", folder);
    *root_out = (struct sov_value){ 0 };
    if (!sov_folder_open(&held, folder, err) ||
        !sov_file_read(&held, "config.json", CONFIG_MAX, arena, &text, err))
        return err->exit == SOV_ABSENT;
    sov_buf_init(&canonical, CONFIG_MAX);
    if (!sov_json_canonical(text, &rules, &canonical, err)) {
        snprintf(what, sizeof what, "%s", err->what);
        return sov_fail(err, SOV_USAGE, "bad_json", "%s: %s", *path_out, what);
    }
    root = sov_value(sov_arena_bytes(arena, sov_buf_bytes(&canonical)));
    if (!judge(*path_out, text, root, err)) return false;
    *root_out = root;
    return true;
}

static void folders_of(const struct sov_found *found, const char *folders[FILES])
{
    folders[0] = found->home;
    folders[1] = found->config;
    folders[2] = "/etc/sov";
}

bool sov_config_get(const struct sov_found *found, const char *key, struct sov_arena *arena,
                    const char **value_out, const char **origin_out, struct sov_error *err)
{
    const char *folders[FILES], *path;
    struct sov_value root, value;

    folders_of(found, folders);
    *value_out = NULL;
    for (size_t i = 0; i < FILES; i++) {
        uint8_t *text;
        size_t size;

        if (!load(folders[i], arena, &root, &path, err)) return false;
        value = sov_value_get(root, key);
        if (!sov_value_there(value)) continue;
        size = sov_value_text_size(value);
        text = sov_arena_take(arena, size + 1);
        sov_value_text(value, text, size);
        *value_out = (const char *)text;
        *origin_out = path;
        return true;
    }
    return true;
}

bool sov_config_trusts(const struct sov_found *found, const char *folder, struct sov_arena *arena,
                       bool *trusts_out, struct sov_error *err)
{
    const char *folders[FILES], *path;
    struct sov_value root, item;

    folders_of(found, folders);
    *trusts_out = false;
    for (size_t i = 1; i < FILES; i++) { /* the ledger's own file cannot vouch for itself */
        size_t at = 0;

        if (!load(folders[i], arena, &root, &path, err)) return false;
        root = sov_value_get(root, "trusted_directories");
        if (!sov_value_there(root)) continue;
        while (sov_value_item(root, &at, &item))
            if (sov_value_kind(item) == SOV_JSON_TEXT && sov_value_plain(item).data &&
                sov_bytes_is(sov_value_plain(item), folder))
                *trusts_out = true;
    }
    return true;
}

bool sov_config_check(const struct sov_found *found, struct sov_arena *arena, struct sov_error *err)
{
    const char *folders[FILES], *path;
    struct sov_value root;

    folders_of(found, folders);
    for (size_t i = 0; i < FILES; i++)
        if (!load(folders[i], arena, &root, &path, err)) return false;
    return true;
}
