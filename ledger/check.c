#include "ledger/check.h"

#include <assert.h>

#include "base/amount.h"
#include "base/text.h"
#include "ledger/event.h"
#include "policy/policy.h"

enum {
    TERMS_MAX = 16,
    COUNT_MAX = 1000000,
    POINTER_MAX = 1024,
    VALUE_MAX = 2048,
    ARGV_MAX = 64,
    ARGUMENT_MAX = 1000,
    EXIT_MAX = 255
};

static const char *const words[] = {
#define X(name, word) word,
    SOV_CHECK_KINDS(X)
#undef X
};

const char *sov_check_word(enum sov_check_kind kind)
{
    assert(kind < SOV_CHECK_KIND_COUNT);
    return words[kind];
}

/* ---- params: each reader takes one value, false if it is none of its kind ---- */

static bool text_of(struct sov_value value, size_t max, struct sov_arena *arena,
                    struct sov_bytes *text_out)
{
    if (sov_value_kind(value) != SOV_JSON_TEXT || sov_value_text_size(value) > max) return false;
    *text_out = sov_value_bytes(value, arena);
    return true;
}

static bool int_of(struct sov_value value, int64_t least, int64_t most, int64_t *n_out)
{
    if (sov_value_kind(value) != SOV_JSON_INT) return false;
    *n_out = sov_value_int(value);
    return *n_out >= least && *n_out <= most;
}

/* Names joined by '/', of which any may be {subject}. */
static bool is_account_template(struct sov_bytes text)
{
    static const char mark[] = "{subject}";
    unsigned segments = 0;
    size_t from = 0;

    for (size_t i = 0; i <= text.size; i++) {
        struct sov_bytes segment;

        if (i < text.size && text.data[i] != '/') continue;
        segment = sov_bytes(text.data + from, i - from);
        if (!sov_bytes_is(segment, mark) && !sov_text_is_name(segment)) return false;
        if (++segments > 4) return false;
        from = i + 1;
    }
    return true;
}

static bool holds(struct sov_bytes text, const char *part)
{
    size_t size = strlen(part);

    for (size_t i = 0; i + size <= text.size; i++)
        if (memcmp(text.data + i, part, size) == 0) return true;
    return false;
}

static bool read_term(struct sov_check *check, struct sov_value pair, struct sov_arena *arena,
                      struct sov_term *term_out)
{
    struct sov_value part;
    struct sov_bytes account;
    size_t at = 0;

    if (sov_value_kind(pair) != SOV_JSON_LIST || sov_value_count(pair) != 2) return false;
    if (!sov_value_item(pair, &at, &part) || !text_of(part, SOV_NAME_MAX, arena, &account))
        return false;
    if (!is_account_template(account)) return false;
    if (!sov_value_item(pair, &at, &part) ||
        !int_of(part, -SOV_INT_MAX, SOV_INT_MAX, &term_out->times) || term_out->times == 0)
        return false;
    if (holds(account, "{subject}")) check->needs_subject = true;
    term_out->account = sov_arena_text(arena, account);
    return true;
}

static bool read_terms(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    struct sov_value item;
    struct sov_term *terms;
    size_t at = 0;

    if (sov_value_kind(value) != SOV_JSON_LIST) return false;
    check->term_count = sov_value_count(value);
    if (check->term_count < 1 || check->term_count > TERMS_MAX) return false;
    terms = sov_arena_array(arena, check->term_count, sizeof *terms);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        if (!read_term(check, item, arena, &terms[i])) return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(terms[k].account, terms[i].account) == 0) return false;
    }
    check->terms = terms;
    return true;
}

static bool read_min(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    struct sov_bytes fact;

    if (sov_value_kind(value) == SOV_JSON_INT)
        return int_of(value, -SOV_INT_MAX, SOV_INT_MAX, &check->min.n);
    if (!text_of(value, 63, arena, &fact) || !sov_text_is_id(fact)) return false;
    check->min.fact = sov_arena_text(arena, fact);
    check->needs_subject = true;
    return true;
}

static bool read_effect(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    struct sov_bytes kind;

    if (!text_of(value, 63, arena, &kind) || !sov_text_is_id(kind)) return false;
    check->effect = sov_arena_text(arena, kind);
    check->needs_subject = true;
    return true;
}

static bool read_count(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    (void)arena;
    return int_of(value, 1, COUNT_MAX, &check->count);
}

static bool read_path(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    struct sov_bytes path;

    if (!text_of(value, 1024, arena, &path) || !sov_text_is_safe_path(path)) return false;
    check->path = sov_arena_text(arena, path);
    return true;
}

static bool read_sha256(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    struct sov_bytes hex;

    return text_of(value, SOV_HEX_HASH, arena, &hex) &&
           sov_unhex(hex, check->sha256.octets, sizeof check->sha256.octets);
}

/* RFC 6901: empty, or segments that begin with '/', in which '~' is followed by 0 or 1. */
static bool read_pointer(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    struct sov_bytes text;

    if (!text_of(value, POINTER_MAX, arena, &text)) return false;
    if (text.size && text.data[0] != '/') return false;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] != '~') continue;
        if (i + 1 == text.size || (text.data[i + 1] != '0' && text.data[i + 1] != '1'))
            return false;
    }
    check->pointer = sov_arena_text(arena, text);
    return true;
}

static bool read_value(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    enum sov_json_kind kind = sov_value_kind(value);

    (void)arena;
    if (kind == SOV_JSON_LIST || kind == SOV_JSON_OBJECT || value.octets.size > VALUE_MAX)
        return false;
    check->value = value;
    return true;
}

static bool read_argv(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    struct sov_value item;
    const char **argv;
    size_t at = 0;

    if (sov_value_kind(value) != SOV_JSON_LIST) return false;
    check->argv_count = sov_value_count(value);
    if (check->argv_count < 1 || check->argv_count > ARGV_MAX) return false;
    argv = sov_arena_array(arena, check->argv_count + 1, sizeof *argv);
    for (size_t i = 0; sov_value_item(value, &at, &item); i++) {
        struct sov_bytes argument;

        if (!text_of(item, ARGUMENT_MAX, arena, &argument)) return false;
        argv[i] = sov_arena_text(arena, argument);
    }
    check->argv = argv;
    return *argv[0] != '\0';
}

static bool read_exit(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    (void)arena;
    return int_of(value, 0, EXIT_MAX, &check->exit);
}

static bool read_timeout(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    (void)arena;
    return int_of(value, 1, SOV_CHECK_COMMAND_MAX_S * INT64_C(1000), &check->timeout_ms);
}

static bool read_observe(struct sov_check *check, struct sov_value value, struct sov_arena *arena)
{
    struct sov_bytes word;

    if (!text_of(value, 8, arena, &word)) return false;
    check->observe_stdout = sov_bytes_is(word, "stdout");
    return check->observe_stdout || sov_bytes_is(word, "exit");
}

/* The params of each kind, in key order. */
static const struct param {
    enum sov_check_kind kind;
    const char *name;
    bool optional;
    bool (*read)(struct sov_check *check, struct sov_value value, struct sov_arena *arena);
} params[] = {
    { SOV_CHECK_BALANCE_AT_LEAST, "min", false, read_min },
    { SOV_CHECK_BALANCE_AT_LEAST, "terms", false, read_terms },
    { SOV_CHECK_POSTINGS_MATCH, "kind", false, read_effect },
    { SOV_CHECK_EFFECT_PRESENT, "count", true, read_count },
    { SOV_CHECK_EFFECT_PRESENT, "kind", false, read_effect },
    { SOV_CHECK_FILE_EXISTS, "path", false, read_path },
    { SOV_CHECK_FILE_DIGEST, "path", false, read_path },
    { SOV_CHECK_FILE_DIGEST, "sha256", false, read_sha256 },
    { SOV_CHECK_JSON_EQUALS, "path", false, read_path },
    { SOV_CHECK_JSON_EQUALS, "pointer", false, read_pointer },
    { SOV_CHECK_JSON_EQUALS, "value", false, read_value },
    { SOV_CHECK_COMMAND, "argv", false, read_argv },
    { SOV_CHECK_COMMAND, "exit", true, read_exit },
    { SOV_CHECK_COMMAND, "observe", true, read_observe },
    { SOV_CHECK_COMMAND, "timeout_ms", true, read_timeout },
};
enum { PARAM_COUNT = sizeof params / sizeof *params };

static const struct param *param_find(enum sov_check_kind kind, struct sov_bytes name)
{
    for (size_t i = 0; i < PARAM_COUNT; i++)
        if (params[i].kind == kind && sov_bytes_is(name, params[i].name)) return &params[i];
    return NULL;
}

/* ---- one check ---- */

static bool invalid(const struct sov_check *check, const char *rule, const char *name,
                    struct sov_error *err)
{
    sov_error_set(err, SOV_USAGE, "check_invalid", "check %s: %s%s%s", check->id ? check->id : "?",
                  name, *name ? " " : "", rule);
    if (check->id) sov_error_ref(err, check->id);
    return false;
}

static bool read_params(struct sov_check *check, struct sov_value object, struct sov_arena *arena,
                        struct sov_error *err)
{
    struct sov_member member;
    size_t at = 0;

    while (sov_value_member(object, &at, &member)) {
        const struct param *param = param_find(check->kind, member.key);

        if (!param) return invalid(check, "has a param that its kind does not know", "", err);
        if (!param->read(check, member.value, arena))
            return invalid(check, "is not what this param may be", param->name, err);
    }
    for (size_t i = 0; i < PARAM_COUNT; i++) {
        if (params[i].kind != check->kind || params[i].optional) continue;
        if (!sov_value_there(sov_value_get(object, params[i].name)))
            return invalid(check, "is missing", params[i].name, err);
    }
    return true;
}

static bool kind_find(struct sov_value word, enum sov_check_kind *kind_out)
{
    if (!sov_value_there(word) || sov_value_kind(word) != SOV_JSON_TEXT) return false;
    for (enum sov_check_kind kind = 0; kind < SOV_CHECK_KIND_COUNT; kind++) {
        if (!sov_bytes_is(sov_value_plain(word), words[kind])) continue;
        *kind_out = kind;
        return true;
    }
    return false;
}

static bool read_check(struct sov_value spec, struct sov_arena *arena, struct sov_check *check_out,
                       struct sov_error *err)
{
    struct sov_check check = { .spec = spec.octets,
                               .count = 1,
                               .timeout_ms = SOV_CHECK_COMMAND_S * INT64_C(1000) };
    struct sov_value id, params_value;

    if (sov_value_kind(spec) != SOV_JSON_OBJECT)
        return invalid(&check, "is no object {id, kind, params}", "", err);
    id = sov_value_get(spec, "id");
    params_value = sov_value_get(spec, "params");
    if (!sov_value_there(id) || sov_value_kind(id) != SOV_JSON_TEXT ||
        !sov_text_is_id(sov_value_plain(id)))
        return invalid(&check, "has no id", "", err);
    check.id = sov_arena_text(arena, sov_value_plain(id));
    if (sov_value_count(spec) != 3 || !sov_value_there(params_value) ||
        sov_value_kind(params_value) != SOV_JSON_OBJECT)
        return invalid(&check, "is not exactly {id, kind, params}", "", err);
    if (!kind_find(sov_value_get(spec, "kind"), &check.kind))
        return invalid(&check, "is of no known kind", "", err);
    if (!read_params(&check, params_value, arena, err)) return false;
    *check_out = check;
    return true;
}

bool sov_checks_read(struct sov_bytes checks, struct sov_arena *arena,
                     struct sov_checks *checks_out, struct sov_error *err)
{
    struct sov_value list = sov_value(checks), item;
    size_t at = 0, count;
    struct sov_check *read;

    if (sov_value_kind(list) != SOV_JSON_LIST)
        return sov_fail(err, SOV_USAGE, "check_invalid", "the checks are no list");
    count = sov_value_count(list);
    if (!count) return sov_fail(err, SOV_USAGE, "checks_missing", "no check is declared");
    if (count > SOV_CHECKS_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "%zu checks, at most %d are allowed", count,
                        SOV_CHECKS_MAX);
    read = sov_arena_array(arena, count, sizeof *read);
    for (size_t i = 0; sov_value_item(list, &at, &item); i++) {
        if (!read_check(item, arena, &read[i], err)) return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(read[k].id, read[i].id) == 0)
                return invalid(&read[i], "is declared twice", "", err);
    }
    *checks_out = (struct sov_checks){ read, count };
    return true;
}

struct sov_hash sov_definition_digest(struct sov_bytes checks, struct sov_bytes desired_state,
                                      const char *subject)
{
    struct sov_buf body;
    struct sov_writer w;
    struct sov_hash hash;

    sov_buf_init(&body, 1 << 20);
    sov_writer_init(&w, &body);
    sov_write_object(&w);
    sov_put_raw(&w, "checks", checks);
    sov_put_bytes(&w, "desired_state", desired_state);
    if (subject) sov_put_text(&w, "subject", subject);
    sov_write_end(&w);
    assert(!body.cut);
    hash = sov_sha256_parts(
        (struct sov_bytes[]){ sov_bytes_text("sov.definition.v1\n"), sov_buf_bytes(&body) }, 2);
    sov_buf_release(&body);
    return hash;
}
