/* Claims: reads, and the operations under a fence. */
#include "ledger/claim.h"

#include <assert.h>
#include <stdio.h>

#include "ledger/assignment.h"
#include "ledger/assignment_fold.h"
#include "ledger/claim.sql.h"
#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/row.h"
#include "ledger/sow.h"

/* ---- who ---- */

struct sov_who sov_who_now(const struct sov_commit *commit, int64_t pid, int64_t start)
{
    struct sov_who who = { .boot_ms = commit->now.boot_ms, .pid = pid, .start = start };

    memcpy(who.machine, commit->now.machine, sizeof who.machine);
    memcpy(who.boot, commit->now.boot, sizeof who.boot);
    return who;
}

void sov_who_put(struct sov_writer *w, const char *key, const struct sov_who *who)
{
    sov_put_object(w, key);
    sov_put_text(w, "boot", who->boot);
    sov_put_int(w, "boot_ms", who->boot_ms);
    sov_put_text(w, "machine", who->machine);
    sov_put_int(w, "pid", who->pid);
    sov_put_int(w, "start", who->start);
    sov_write_end(w);
}

bool sov_who_read(struct sov_value value, struct sov_arena *arena, struct sov_who *who_out)
{
    struct sov_bytes machine = sov_value_bytes(sov_value_get(value, "machine"), arena);
    struct sov_bytes boot = sov_value_bytes(sov_value_get(value, "boot"), arena);
    struct sov_who who = { 0 };

    if (!machine.data || !boot.data || machine.size > SOV_MACHINE_SIZE ||
        boot.size > SOV_BOOT_ID_SIZE)
        return false;
    memcpy(who.machine, machine.data, machine.size);
    memcpy(who.boot, boot.data, boot.size);
    who.boot_ms = sov_value_int(sov_value_get(value, "boot_ms"));
    who.pid = sov_value_int(sov_value_get(value, "pid"));
    who.start = sov_value_int(sov_value_get(value, "start"));
    *who_out = who;
    return true;
}

/* ---- reads ---- */

static void text_copy(char *out, size_t room, struct sov_bytes text)
{
    assert(text.size < room);
    memcpy(out, text.data, text.size);
    out[text.size] = '\0';
}

static void row_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                     struct sov_claim *claim_out)
{
    struct sov_claim claim = {
        .fence = sov_column_int(stmt, 1),
        .live = sov_column_int(stmt, 2) != 0,
        .holder = sov_row_text(stmt, 3, arena),
        .attempt = sov_column_int(stmt, 4),
        .ttl_s = sov_column_int(stmt, 5),
        .at_ms = sov_column_int(stmt, 6),
        .who = { .boot_ms = sov_column_int(stmt, 9),
                 .pid = sov_column_int(stmt, 10),
                 .start = sov_column_int(stmt, 11) },
        .started = sov_column_int(stmt, 12),
        .finished = sov_column_int(stmt, 13),
        .end_seq = sov_column_int(stmt, 14),
    };

    sov_stream_parse(sov_column_text(stmt, 0), &claim.resource);
    if (claim.resource.kind == SOV_STREAM_ASSIGNMENT) claim.assignment = claim.resource.n;
    text_copy(claim.who.machine, sizeof claim.who.machine, sov_column_text(stmt, 7));
    text_copy(claim.who.boot, sizeof claim.who.boot, sov_column_text(stmt, 8));
    if (!sov_column_is_null(stmt, 15)) {
        claim.doubted = true;
        text_copy(claim.doubt.machine, sizeof claim.doubt.machine, sov_column_text(stmt, 15));
        text_copy(claim.doubt.boot, sizeof claim.doubt.boot, sov_column_text(stmt, 16));
        claim.doubt.boot_ms = sov_column_int(stmt, 17);
    }
    *claim_out = claim;
}

bool sov_claim_find_on(const struct sov_ledger *ledger, const struct sov_stream *resource,
                       int64_t fence, struct sov_arena *arena, struct sov_claim *claim_out,
                       bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    char text[SOV_RESOURCE_SIZE];
    bool found;

    sov_stream_resource(resource, text);
    if (!sov_stmt_open(&stmt, ledger->state, claim_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(text));
    sov_bind_int(&stmt, 2, fence);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, claim_out);
    *found_out = found;
    return true;
}

bool sov_claim_find(const struct sov_ledger *ledger, int64_t assignment, int64_t fence,
                    struct sov_arena *arena, struct sov_claim *claim_out, bool *found_out,
                    struct sov_error *err)
{
    struct sov_stream resource = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, assignment);

    return sov_claim_find_on(ledger, &resource, fence, arena, claim_out, found_out, err);
}

bool sov_claim_live(const struct sov_ledger *ledger, int64_t fence, struct sov_arena *arena,
                    struct sov_claim *claim_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, claim_live_by_fence_sql, err)) return false;
    sov_bind_int(&stmt, 1, fence);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, claim_out);
    *found_out = found;
    return true;
}

bool sov_claim_list(const struct sov_ledger *ledger, int64_t assignment, bool live,
                    struct sov_arena *arena, struct sov_claims *claims_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    char text[SOV_RESOURCE_SIZE];
    struct sov_claim *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state,
                       assignment ? claim_list_resource_sql
                       : live     ? claim_list_live_sql
                                  : claim_list_sql,
                       err))
        return false;
    if (assignment) {
        struct sov_stream resource = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, assignment);

        sov_stream_resource(&resource, text);
        sov_bind_text(&stmt, 1, sov_bytes_text(text));
        sov_bind_int(&stmt, 2, live);
    }
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        row_read(&stmt, arena, &rows[count++]);
    }
    *claims_out = (struct sov_claims){ rows, count };
    return true;
}

bool sov_claim_count_live(const struct sov_ledger *ledger, const char *holder, int64_t *count_out,
                          struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, claim_count_live_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(holder));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *count_out = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

static bool about(struct sov_commit *commit, const struct sov_stream *resource,
                  struct sov_error *err)
{
    sov_error_ref(err, sov_stream_id(resource, &commit->arena));
    return false;
}

bool sov_claim_held_on(struct sov_commit *commit, const struct sov_stream *resource, int64_t fence,
                       struct sov_claim *claim_out, struct sov_error *err)
{
    const char *id = sov_stream_id(resource, &commit->arena);
    struct sov_claim claim;
    bool found;

    if (!sov_claim_find_on(commit->ledger, resource, 0, &commit->arena, &claim, &found, err))
        return false;
    if (!found || claim.fence != fence) {
        sov_error_set(err, SOV_CONFLICT, "stale_fence", "%lld is not the live fence of %s",
                      (long long)fence, id);
        return about(commit, resource, err);
    }
    if (commit->act.actor && strcmp(commit->act.actor, claim.holder) != 0) {
        sov_error_set(err, SOV_DENIED, "not_addressed", "the claim on %s is held by %s", id,
                      claim.holder);
        return about(commit, resource, err);
    }
    *claim_out = claim;
    return true;
}

bool sov_claim_held(struct sov_commit *commit, int64_t assignment, int64_t fence,
                    struct sov_claim *claim_out, struct sov_error *err)
{
    struct sov_stream resource = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, assignment);

    return sov_claim_held_on(commit, &resource, fence, claim_out, err);
}
