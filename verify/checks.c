/* Declared checks, each run once: ledger state, files, and what they say of it. */
#include "verify/checks.h"

#include <assert.h>

#include "base/canonical.h"
#include "base/json.h"
#include "base/text.h"
#include "policy/policy.h"
#include "verify/look.h"

static const char *code_of(const struct sov_error *why)
{
    return why->code;
}

/* It could not look: the code is all that was seen. */
static bool fault(struct sov_look *look, const char *code)
{
    look->code = code;
    look->success = false;
    return true;
}

/* ---- files ---- */

static const char *type_word(const struct sov_file_facts *facts)
{
    switch (facts->type) {
    case SOV_FILE_ABSENT:
        return "absent";
    case SOV_FILE_REGULAR:
        return facts->links == 1 ? "regular" : "linked";
    case SOV_FILE_FOLDER:
        return "folder";
    case SOV_FILE_LINK:
        return "link";
    case SOV_FILE_OTHER:
        break;
    }
    return "other";
}

static bool file_exists(struct sov_look *look, const struct sov_check *check, struct sov_error *err)
{
    struct sov_file_facts facts = { .type = SOV_FILE_ABSENT };
    struct sov_error why = { 0 };
    struct sov_writer w;

    (void)err; /* nothing of it is the log's */
    if (!sov_file_facts(look->repository, check->path, &facts, &why) &&
        strcmp(code_of(&why), "no_such_file") != 0)
        return fault(look, code_of(&why));
    look->success = facts.type == SOV_FILE_REGULAR && facts.links == 1;
    w = sov_look_writer(look);
    sov_write_object(&w);
    sov_put_bool(&w, "found", facts.type != SOV_FILE_ABSENT);
    sov_put_text(&w, "type", type_word(&facts));
    sov_write_end(&w);
    return true;
}

static bool file_digest(struct sov_look *look, const struct sov_check *check, struct sov_error *err)
{
    enum { CONTENT_MAX = 64 << 20, READ_ARENA_MAX = CONTENT_MAX + (4 << 20) };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_error why = { 0 };
    struct sov_bytes content;
    struct sov_hash digest;
    struct sov_writer w;

    (void)err; /* nothing of it is the log's */
    sov_arena_init(&arena, READ_ARENA_MAX);
    if (!sov_file_read(look->repository, check->path, CONTENT_MAX, &arena, &content, &why))
        return fault(look, code_of(&why));
    digest = sov_sha256(content);
    look->success = sov_hash_equal(&digest, &check->sha256);
    w = sov_look_writer(look);
    sov_write_object(&w);
    sov_put_hex(&w, "digest", sov_hash_bytes(&digest));
    sov_put_int(&w, "size", (int64_t)content.size);
    sov_write_end(&w);
    return true;
}

/* A list or an object is no scalar and equals none; its digest says whether it changed. */
static bool container(struct sov_look *look, struct sov_value value)
{
    struct sov_hash digest = sov_sha256(value.octets);
    struct sov_writer w = sov_look_writer(look);

    sov_write_object(&w);
    sov_put_text(&w, "code", "value_not_scalar");
    sov_put_hex(&w, "digest", sov_hash_bytes(&digest));
    sov_write_end(&w);
    return fault(look, "value_not_scalar");
}

static bool json_equals(struct sov_look *look, const struct sov_check *check, struct sov_error *err)
{
    static const struct sov_scan_rules rules = { SOV_CHECK_JSON_MAX, 16, false };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf canonical = { 0 };
    struct sov_error why = { 0 };
    struct sov_bytes content;
    struct sov_value value;
    struct sov_writer w;

    (void)err; /* nothing of it is the log's */
    sov_arena_init(&arena, 4 * SOV_CHECK_JSON_MAX);
    sov_buf_init(&canonical, SOV_CHECK_JSON_MAX * 2);
    if (!sov_file_read(look->repository, check->path, SOV_CHECK_JSON_MAX, &arena, &content, &why) ||
        !sov_json_canonical(content, &rules, &canonical, &why))
        return fault(look, code_of(&why));
    value = sov_json_pointer(sov_value(sov_buf_bytes(&canonical)), sov_bytes_text(check->pointer));
    if (!sov_value_there(value)) return fault(look, "value_absent");
    if (sov_value_kind(value) == SOV_JSON_LIST || sov_value_kind(value) == SOV_JSON_OBJECT)
        return container(look, value);
    /* One spelling for each value, so equal octets are equal values of one type. */
    look->success = sov_bytes_equal(value.octets, check->value.octets);
    w = sov_look_writer(look);
    sov_write_object(&w);
    sov_put_raw(&w, "value", value.octets);
    sov_write_end(&w);
    return true;
}

/* This build has no sandbox to run a foreign program in: it fails, and says so. */
static bool command(struct sov_look *look, const struct sov_check *check, struct sov_error *err)
{
    (void)check;
    (void)err;
    return fault(look, "sandbox_unavailable");
}

/* ---- one check ---- */

static bool (*const run[SOV_CHECK_KIND_COUNT])(struct sov_look *, const struct sov_check *,
                                               struct sov_error *) = {
    [SOV_CHECK_BALANCE_AT_LEAST] = sov_look_balance,
    [SOV_CHECK_POSTINGS_MATCH] = sov_look_postings,
    [SOV_CHECK_EFFECT_PRESENT] = sov_look_effects,
    [SOV_CHECK_FILE_EXISTS] = file_exists,
    [SOV_CHECK_FILE_DIGEST] = file_digest,
    [SOV_CHECK_JSON_EQUALS] = json_equals,
    [SOV_CHECK_COMMAND] = command,
};

static bool is_kind(struct sov_bytes word)
{
    for (int k = 0; k < SOV_CHECK_KIND_COUNT; k++)
        if (sov_bytes_is(word, sov_check_word((enum sov_check_kind)k))) return true;
    return false;
}

/* One spec, read strictly and alone: what is wrong with it fails this check and no other. */
static bool run_one(struct sov_look *look, struct sov_value spec, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf alone = { 0 };
    struct sov_error why = { 0 };
    struct sov_checks checks;

    if (!is_kind(sov_value_bytes(sov_value_get(spec, "kind"), look->arena)))
        return fault(look, "kind_unknown");
    sov_buf_init(&alone, spec.octets.size + 2);
    sov_buf_add_byte(&alone, '[');
    sov_buf_add(&alone, spec.octets);
    sov_buf_add_byte(&alone, ']');
    if (!sov_checks_read(sov_arena_bytes(look->arena, sov_buf_bytes(&alone)), look->arena, &checks,
                         &why))
        return fault(look, code_of(&why));
    assert(checks.count == 1);
    return run[checks.at[0].kind](look, &checks.at[0], err);
}

static struct sov_observation observation(const struct sov_look *look, struct sov_value spec)
{
    struct sov_arena *arena = look->arena;
    struct sov_bytes id = sov_value_bytes(sov_value_get(spec, "id"), arena);
    struct sov_bytes kind = sov_value_bytes(sov_value_get(spec, "kind"), arena);
    struct sov_observation seen = {
        .check = sov_arena_text(arena, id),
        .kind = sov_arena_text(arena, kind),
        .success = look->success && !look->code,
        .code = look->code,
    };

    if (look->observed.size)
        seen.observed = sov_arena_bytes(arena, sov_buf_bytes(&look->observed));
    else /* codes are fixed words: nothing in them needs an escape */
        seen.observed = sov_bytes_text(sov_arena_printf(arena, "{\"code\":\"%s\"}", seen.code));
    seen.digest = sov_observation_digest(spec.octets, seen.observed);
    return seen;
}

bool sov_checks_run(const struct sov_ledger *ledger, int64_t outcome,
                    const struct sov_folder *repository, struct sov_arena *arena,
                    struct sov_observations *observations_out, struct sov_error *err)
{
    enum { OBSERVED_MAX = 4 << 20 };
    struct sov_look look = { .ledger = ledger, .repository = repository, .arena = arena };
    struct sov_observations seen = { 0 };
    struct sov_observation *rows;
    struct sov_value list, spec;
    size_t at = 0;

    if (!sov_ledger_head(ledger, &seen.basis, err) ||
        !sov_outcome_get(ledger, outcome, arena, &look.outcome, err))
        return false;
    list = sov_value(look.outcome.checks);
    rows = sov_arena_array(arena, sov_value_count(list), sizeof *rows);
    sov_buf_init(&look.observed, OBSERVED_MAX);
    while (sov_value_item(list, &at, &spec)) {
        bool ok;

        sov_buf_clear(&look.observed);
        look.success = false;
        look.code = NULL;
        ok = run_one(&look, spec, err);
        if (ok && look.observed.cut) {
            sov_buf_clear(&look.observed);
            look.code = "too_large";
        }
        if (ok) rows[seen.count++] = observation(&look, spec);
        if (ok) continue;
        sov_buf_release(&look.observed);
        return false;
    }
    sov_buf_release(&look.observed);
    seen.at = rows;
    *observations_out = seen;
    return true;
}
