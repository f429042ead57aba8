/* Registering a provider: the strict form of sov.provider.v1, then the event. */
#include <assert.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "ledger/log.h"
#include "ledger/provider.h"
#include "ledger/provider.sql.h"
#include "ledger/row.h"

enum item_rule { ANY_TEXT, VARIABLE, NAME, ABSOLUTE };
enum part {
    ADAPTER,
    ARGV,
    CREDENTIALS,
    EGRESS,
    ENV,
    FOLDERS,
    KIND,
    MIN_SANDBOX,
    MODEL,
    NETWORK,
    ROOTS,
    SCRIPT,
    TOOLS,
    PARTS
};
static const struct {
    const char *key;
    enum sov_json_kind kind;
    bool optional;
    enum item_rule items; /* of a list */
    size_t size_max, count_max;
} parts[PARTS] = {
    [ADAPTER] = { "adapter", SOV_JSON_TEXT, false, ANY_TEXT, 63, 0 },
    [ARGV] = { "argv", SOV_JSON_LIST, false, ANY_TEXT, 1000, 64 },
    [CREDENTIALS] = { "credentials", SOV_JSON_LIST, false, NAME, 128, 32 },
    [EGRESS] = { "egress", SOV_JSON_TEXT, false, ANY_TEXT, 32, 0 },
    [ENV] = { "env", SOV_JSON_LIST, false, VARIABLE, 128, 64 },
    [FOLDERS] = { "folders", SOV_JSON_LIST, false, ABSOLUTE, 1024, 16 },
    [KIND] = { "kind", SOV_JSON_TEXT, false, ANY_TEXT, 64, 0 },
    [MIN_SANDBOX] = { "min_sandbox", SOV_JSON_TEXT, true, ANY_TEXT, 32, 0 },
    [MODEL] = { "model", SOV_JSON_TEXT, true, ANY_TEXT, 128, 0 },
    [NETWORK] = { "network", SOV_JSON_BOOL, false, ANY_TEXT, 0, 0 },
    [ROOTS] = { "roots", SOV_JSON_LIST, false, ABSOLUTE, 1024, 32 },
    [SCRIPT] = { "script", SOV_JSON_OBJECT, true, ANY_TEXT, 0, 0 },
    [TOOLS] = { "tools", SOV_JSON_LIST, false, ANY_TEXT, 128, 32 },
};

/* bad_value at a JSON pointer. */
static bool bad(const char *key, const char *rule, struct sov_error *err)
{
    char pointer[64] = "/";

    strncat(pointer, key, sizeof pointer - 2);
    sov_error_set(err, SOV_USAGE, "bad_value", "the registration at %s: %s", pointer, rule);
    sov_error_ref(err, pointer);
    return false;
}

static bool is_variable(struct sov_bytes text)
{
    for (size_t i = 0; i < text.size; i++) {
        uint8_t c = text.data[i];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';

        if (!letter && (i == 0 || c < '0' || c > '9')) return false;
    }
    return text.size > 0;
}

/* From the root, and none of its segments leads back. */
static bool is_absolute(struct sov_bytes path)
{
    size_t from = 1;

    if (!path.size || path.data[0] != '/') return false;
    for (size_t i = 1; i <= path.size; i++) {
        if (i < path.size && path.data[i] != '/') continue;
        if (i - from == 2 && memcmp(path.data + from, "..", 2) == 0) return false;
        from = i + 1;
    }
    return true;
}

static bool text_fits(const char *key, struct sov_value value, enum item_rule rule, size_t size_max,
                      struct sov_arena *arena, struct sov_error *err)
{
    struct sov_bytes text;

    if (sov_value_kind(value) != SOV_JSON_TEXT) return bad(key, "not a text", err);
    text = sov_value_bytes(value, arena);
    if (text.size > size_max)
        return sov_fail(err, SOV_USAGE, "too_large", "the registration at /%s: over %zu bytes", key,
                        size_max);
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] < ' ' || text.data[i] == 0x7f) return bad(key, "a control byte", err);
    switch (rule) {
    case ANY_TEXT:
        return true;
    case VARIABLE:
        return is_variable(text) ? true : bad(key, "no name of an environment variable", err);
    case NAME:
        return sov_text_is_name(text) ? true : bad(key, "no name of A-Z a-z 0-9 . _ -", err);
    case ABSOLUTE:
        return is_absolute(text) ? true : bad(key, "no absolute path without ..", err);
    }
    return false;
}

static bool part_fits(enum part part, struct sov_value value, struct sov_arena *arena,
                      struct sov_error *err)
{
    const char *key = parts[part].key;
    struct sov_value item;
    size_t at = 0, count = 0;

    if (sov_value_kind(value) != parts[part].kind) return bad(key, "of another kind", err);
    if (parts[part].kind == SOV_JSON_TEXT)
        return text_fits(key, value, ANY_TEXT, parts[part].size_max, arena, err);
    if (parts[part].kind != SOV_JSON_LIST) return true;
    while (sov_value_item(value, &at, &item)) {
        if (++count > parts[part].count_max)
            return sov_fail(err, SOV_USAGE, "too_large", "the registration at /%s: over %zu items",
                            key, parts[part].count_max);
        if (!text_fits(key, item, parts[part].items, parts[part].size_max, arena, err))
            return false;
    }
    return true;
}

/* Members come in key order, as the parts do. */
static bool split(struct sov_value object, struct sov_value value[PARTS], struct sov_arena *arena,
                  struct sov_error *err)
{
    struct sov_member member;
    size_t at = 0;

    if (sov_value_kind(object) != SOV_JSON_OBJECT)
        return sov_fail(err, SOV_USAGE, "bad_value", "a registration is an object");
    for (size_t i = 0; i < PARTS; i++) value[i] = sov_value(sov_bytes(NULL, 0));
    while (sov_value_member(object, &at, &member)) {
        size_t part = 0;

        while (part < PARTS && !sov_bytes_is(member.key, parts[part].key)) part++;
        if (part == PARTS)
            return sov_fail(err, SOV_USAGE, "bad_value", "the registration has an unknown key %.*s",
                            (int)(member.key.size > 64 ? 64 : member.key.size),
                            (const char *)member.key.data);
        if (!part_fits((enum part)part, member.value, arena, err)) return false;
        value[part] = member.value;
    }
    for (size_t i = 0; i < PARTS; i++)
        if (!sov_value_there(value[i]) && !parts[i].optional)
            return bad(parts[i].key, "missing", err);
    return true;
}

static bool word_is(struct sov_value value, const char *word)
{
    return sov_bytes_is(sov_value_plain(value), word);
}

static bool sandbox_fits(struct sov_value value, struct sov_error *err)
{
    struct sov_bytes text = sov_value_plain(value);

    if (text.size >= 2 && text.data[0] == 'L' && text.data[1] >= '0' && text.data[1] <= '3' &&
        (text.size == 2 || sov_bytes_is(sov_bytes(text.data + 2, text.size - 2), ",network")))
        return true;
    return bad("min_sandbox", "not L0 to L3, nor with ,network behind", err);
}

/* What the parts mean together. */
static bool means_something(const struct sov_value value[PARTS], struct sov_error *err)
{
    bool scripted = word_is(value[ADAPTER], "scripted");

    if (!word_is(value[KIND], "sov.provider.v1")) return bad("kind", "not sov.provider.v1", err);
    if (!scripted && !word_is(value[ADAPTER], "command"))
        return bad("adapter", "this build has scripted and command", err);
    if (!word_is(value[EGRESS], "public") && !word_is(value[EGRESS], "confidential"))
        return bad("egress", "not public or confidential", err);
    if (scripted && sov_value_count(value[ARGV])) return bad("argv", "a script has none", err);
    if (!scripted && !sov_value_count(value[ARGV])) return bad("argv", "no program", err);
    if (scripted && !sov_value_there(value[SCRIPT])) return bad("script", "missing", err);
    if (!scripted && sov_value_there(value[SCRIPT])) return bad("script", "no scripted one", err);
    return !sov_value_there(value[MIN_SANDBOX]) || sandbox_fits(value[MIN_SANDBOX], err);
}

static bool payload(struct sov_commit *commit, const struct sov_value value[PARTS],
                    const struct sov_blob_ref *script, struct sov_bytes *data_out,
                    struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    for (size_t i = 0; i < PARTS; i++) {
        if (i == KIND || !sov_value_there(value[i])) continue;
        if (i == SCRIPT)
            sov_blob_ref_put(&w, "script", script);
        else
            sov_put_raw(&w, parts[i].key, value[i].octets);
    }
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static bool name_is_free(struct sov_commit *commit, const char *name, struct sov_error *err)
{
    struct sov_provider provider;
    bool found;

    if (!sov_provider_find(commit->ledger, name, &commit->arena, &provider, &found, err))
        return false;
    if (!found && strcmp(name, "human") != 0 && strcmp(name, "builtin") != 0) return true;
    sov_error_set(err, SOV_CONFLICT, "exists", "there is a provider %s", name);
    sov_error_ref(err, name);
    return false;
}

bool sov_provider_register(struct sov_commit *commit, const char *name, struct sov_bytes text,
                           struct sov_done *done_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf canonical = { 0 };
    struct sov_addition addition = { .type = SOV_EVENT_PROVIDER_REGISTERED };
    struct sov_value value[PARTS];
    struct sov_blob_ref script = { .media_type = "application/json" };
    bool again;

    if (!name || !sov_text_is_id(sov_bytes_text(name)))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "a provider's name is a-z, then a-z 0-9 . _ -, at most 63");
    sov_buf_init(&canonical, sov_scan_report.size_max);
    if (!sov_json_canonical(text, &sov_scan_report, &canonical, err) ||
        !split(sov_value(sov_buf_bytes(&canonical)), value, &commit->arena, err) ||
        !means_something(value, err))
        return false;
    if (sov_value_there(value[SCRIPT])) {
        script.digest = sov_sha256(value[SCRIPT].octets);
        script.size = (int64_t)value[SCRIPT].octets.size;
    }
    addition.stream = sov_stream_named(SOV_STREAM_PROVIDER, sov_bytes_text(name));
    if (!payload(commit, value, &script, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!sov_commit_expect(commit, &addition.stream, err) || !name_is_free(commit, name, err))
        return false;
    if (sov_value_there(value[SCRIPT]) &&
        !sov_blob_put(commit, value[SCRIPT].octets, script.media_type, false, &script, err))
        return false;
    return sov_commit_lead(commit, &addition, done_out, err);
}
