/* Providers: reads, fold, retiring one, what a probe found. Registering one is in
 * provider_register.c. */
#include "ledger/provider.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "ledger/log.h"
#include "ledger/provider.sql.h"
#include "ledger/row.h"

/* ---- reads ---- */

static struct sov_texts texts(struct sov_value object, const char *key, struct sov_arena *arena)
{
    struct sov_value list = sov_value_get(object, key), item;
    const char **at = sov_arena_array(arena, sov_value_count(list) + 1, sizeof *at);
    size_t count = 0, next = 0;

    while (sov_value_item(list, &next, &item))
        at[count++] = sov_arena_text(arena, sov_value_bytes(item, arena));
    return (struct sov_texts){ at, count };
}

static const char *text(struct sov_value object, const char *key, struct sov_arena *arena)
{
    struct sov_value value = sov_value_get(object, key);

    return sov_value_there(value) ? sov_arena_text(arena, sov_value_bytes(value, arena)) : NULL;
}

static void row_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                     struct sov_provider *provider_out)
{
    struct sov_value data = sov_value(sov_row_bytes(stmt, 2, arena));
    struct sov_value script = sov_value_get(data, "script");
    struct sov_provider provider = {
        .name = sov_row_text(stmt, 0, arena),
        .adapter = text(data, "adapter", arena),
        .argv = texts(data, "argv", arena),
        .folders = texts(data, "folders", arena),
        .roots = texts(data, "roots", arena),
        .env = texts(data, "env", arena),
        .credentials = texts(data, "credentials", arena),
        .tools = texts(data, "tools", arena),
        .network = sov_value_bool(sov_value_get(data, "network")),
        .confidential = strcmp(text(data, "egress", arena), "confidential") == 0,
        .min_sandbox = text(data, "min_sandbox", arena),
        .model = text(data, "model", arena),
        .retired = strcmp(sov_row_text(stmt, 1, arena), "retired") == 0,
        .seq = sov_column_int(stmt, 3),
    };

    provider.has_script =
        sov_value_there(script) && sov_blob_ref_read(script, arena, &provider.script);
    *provider_out = provider;
}

bool sov_provider_find(const struct sov_ledger *ledger, const char *name, struct sov_arena *arena,
                       struct sov_provider *provider_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, provider_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(name));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, provider_out);
    *found_out = found;
    return true;
}

bool sov_provider_get(const struct sov_ledger *ledger, const char *name, struct sov_arena *arena,
                      struct sov_provider *provider_out, struct sov_error *err)
{
    bool found;

    if (!sov_provider_find(ledger, name, arena, provider_out, &found, err)) return false;
    if (found) return true;
    sov_error_set(err, SOV_ABSENT, "no_such_id", "no provider %s is registered", name);
    sov_error_ref(err, name);
    return false;
}

bool sov_provider_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                       struct sov_providers *providers_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_provider *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, provider_list_sql, err)) return false;
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        row_read(&stmt, arena, &rows[count++]);
    }
    *providers_out = (struct sov_providers){ rows, count };
    return true;
}

bool sov_provider_probed(const struct sov_ledger *ledger, const char *name, struct sov_arena *arena,
                         struct sov_probed *probed_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_probed probed = { 0 };
    struct sov_value data, digest;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, provider_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(name));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *found_out = found && !sov_column_is_null(&stmt, 4);
    if (!*found_out) return true;
    data = sov_value(sov_row_bytes(&stmt, 4, arena));
    digest = sov_value_get(data, "digest");
    probed.adapter = text(data, "adapter", arena);
    probed.adapter_version = sov_value_int(sov_value_get(data, "adapter_version"));
    probed.has_executable = sov_value_there(digest) &&
                            sov_unhex(sov_value_plain(digest), probed.digest.octets, SOV_HASH_SIZE);
    probed.path = text(data, "path", arena);
    probed.version_line = text(data, "version_line", arena);
    probed.help = texts(data, "help", arena);
    probed.proofs = sov_value_get(data, "proofs").octets;
    probed.seq = sov_column_int(&stmt, 5);
    *probed_out = probed;
    return true;
}

/* ---- fold ---- */

static bool registered(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (event->sv != 1) return sov_fold_fail(err, event, "a provider is registered once");
    if (!sov_text_is_id(event->stream.name))
        return sov_fold_fail(err, event, "a provider with a name that is no id");
    if (!sov_stmt_open(&stmt, fold->db, provider_insert_sql, err)) return false;
    sov_bind_text(&stmt, 1, event->stream.name);
    sov_bind_text(&stmt, 2, sov_bytes_text("active"));
    sov_bind_text(&stmt, 3, event->data.octets);
    sov_bind_int(&stmt, 4, event->seq);
    return sov_stmt_run(&stmt, err);
}

static bool retired(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, provider_retire_sql, err)) return false;
    sov_bind_text(&stmt, 1, event->stream.name);
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) != 1)
        return sov_fold_fail(err, event, "retired a provider that is not there or was already");
    return true;
}

static bool probed(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, provider_probe_sql, err)) return false;
    sov_bind_text(&stmt, 1, event->data.octets);
    sov_bind_int(&stmt, 2, event->seq);
    sov_bind_text(&stmt, 3, event->stream.name);
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) != 1)
        return sov_fold_fail(err, event, "probed a provider that is not registered");
    return true;
}

bool sov_provider_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    if (event->type == SOV_EVENT_PROVIDER_REGISTERED) return registered(fold, event, err);
    if (event->type == SOV_EVENT_PROVIDER_RETIRED) return retired(fold, event, err);
    assert(event->type == SOV_EVENT_PROVIDER_PROBED);
    return probed(fold, event, err);
}

/* ---- retiring, probing ---- */

bool sov_provider_retire(struct sov_commit *commit, const char *name, const char *reason,
                         struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_PROVIDER_RETIRED };
    struct sov_provider provider;
    struct sov_writer w;
    bool again;

    if (!name || !sov_text_is_id(sov_bytes_text(name)))
        return sov_fail(err, SOV_USAGE, "bad_value", "a provider is named by its id");
    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err)) return false;
    addition.stream = sov_stream_named(SOV_STREAM_PROVIDER, sov_bytes_text(name));
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!sov_provider_get(commit->ledger, name, &commit->arena, &provider, err) ||
        !sov_commit_expect(commit, &addition.stream, err))
        return false;
    if (provider.retired) {
        sov_error_set(err, SOV_CONFLICT, "wrong_state", "%s is retired", name);
        sov_error_ref(err, name);
        return false;
    }
    return sov_commit_lead(commit, &addition, done_out, err);
}

static bool probe_payload(struct sov_commit *commit, const struct sov_probed *probed,
                          struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "adapter", probed->adapter);
    sov_put_int(&w, "adapter_version", probed->adapter_version);
    if (probed->has_executable) sov_put_hex(&w, "digest", sov_hash_bytes(&probed->digest));
    sov_put_list(&w, "help");
    for (size_t i = 0; i < probed->help.count; i++)
        sov_write_text(&w, sov_bytes_text(probed->help.at[i]));
    sov_write_end(&w);
    if (probed->path) sov_put_text(&w, "path", probed->path);
    sov_put_raw(&w, "proofs", probed->proofs);
    sov_put_text(&w, "version_line", probed->version_line);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_provider_follow_probed(struct sov_commit *commit, const char *name,
                                const struct sov_probed *probed, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_addition addition = { .type = SOV_EVENT_PROVIDER_PROBED };
    bool found;

    if (!probe_payload(commit, probed, &addition.data, err)) return false;
    if (!sov_stmt_open(&stmt, commit->ledger->state, provider_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(name));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found) {
        sov_error_set(err, SOV_ABSENT, "no_such_id", "no provider %s is registered", name);
        sov_error_ref(err, name);
        return false;
    }
    if (sov_bytes_equal(sov_column_text(&stmt, 4), addition.data)) return true;
    addition.stream = sov_stream_named(SOV_STREAM_PROVIDER, sov_bytes_text(name));
    return sov_commit_follow(commit, &addition, NULL, err);
}
