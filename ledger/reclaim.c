/* Workspaces that may go: what the log says of them. */
#include "ledger/reclaim.h"

#include <assert.h>
#include <string.h>

#include "ledger/log.h"
#include "ledger/reclaim.sql.h"
#include "ledger/row.h"

/* ---- reads ---- */

static bool is_stale(const struct sov_ledger *ledger, struct sov_reclaim *r, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, reclaim_stale_sql, err)) return false;
    sov_bind_int(&stmt, 1, r->assignment);
    sov_bind_int(&stmt, 2, r->fence);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    r->stale = found && sov_column_int(&stmt, 0) > 0;
    return true;
}

/* Folder, end and receipt; *has_out false: it never had a folder, or has no receipt to go by. */
static bool complete(const struct sov_ledger *ledger, struct sov_bytes started,
                     struct sov_arena *arena, struct sov_reclaim *r, bool *has_out,
                     struct sov_error *err)
{
    struct sov_value root = sov_value_get(sov_value(started), "root");
    struct sov_claim claim;
    struct sov_event end;
    bool found;

    *has_out = sov_value_there(root);
    if (!*has_out) return true;
    r->device = (uint64_t)sov_value_int(sov_value_get(root, "device"));
    r->inode = (uint64_t)sov_value_int(sov_value_get(root, "inode"));
    if (!sov_claim_find(ledger, r->assignment, r->fence, arena, &claim, &found, err) ||
        !sov_log_named(ledger, claim.end_seq, SOV_EVENT_TYPE_COUNT, arena, &end, err))
        return false;
    r->ended_ms = end.at.ms;
    r->who = claim.who;
    return sov_receipt_of(ledger, r->assignment, r->fence, arena, &r->receipt, has_out, err) &&
           is_stale(ledger, r, err);
}

bool sov_reclaim_list(const struct sov_ledger *ledger, int64_t most, struct sov_arena *arena,
                      struct sov_reclaims *reclaims_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_reclaim *rows = NULL;
    size_t count = 0;
    bool found, has;

    if (!sov_stmt_open(&stmt, ledger->state, reclaim_list_sql, err)) return false;
    sov_bind_int(&stmt, 1, most);
    for (;;) {
        struct sov_reclaim r = { 0 };

        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        r.fence = sov_column_int(&stmt, 0);
        r.assignment = sov_column_int(&stmt, 1);
        r.archived = !sov_column_is_null(&stmt, 3);
        r.flagged = sov_row_text(&stmt, 4, arena);
        r.removes = sov_bytes_is(sov_column_text(&stmt, 5), "remove");
        if (!complete(ledger, sov_row_bytes(&stmt, 2, arena), arena, &r, &has, err))
            return false;
        if (!has) continue;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = r;
    }
    *reclaims_out = (struct sov_reclaims){ rows, count };
    return true;
}

/* ---- operations ---- */

static bool is_open(struct sov_commit *commit, const struct sov_reclaim *r,
                    const char **flagged_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, commit->ledger->state, reclaim_row_sql, err)) return false;
    sov_bind_int(&stmt, 1, r->fence);
    sov_bind_int(&stmt, 2, r->assignment);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) *flagged_out = sov_row_text(&stmt, 1, &commit->arena);
    if (found && sov_column_is_null(&stmt, 2)) return true;
    return sov_refuse_state(err, SOV_STREAM_ASSIGNMENT, r->assignment, "reclaimed", "");
}

static bool lead(struct sov_commit *commit, const struct sov_reclaim *r, enum sov_event_type type,
                 struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = {
        .type = type,
        .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, r->assignment),
        .cause = { r->receipt.seq },
    };
    bool again;

    assert(!commit->act.actor);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_ask(commit, type, &addition.stream, addition.data, done_out, &again, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_reclaim_archive(struct sov_commit *commit, const struct sov_reclaim *reclaim,
                         struct sov_bytes archive, struct sov_done *done_out, struct sov_error *err)
{
    struct sov_blob_ref ref;
    struct sov_writer w;
    const char *flagged;

    if (!is_open(commit, reclaim, &flagged, err) ||
        !sov_blob_put(commit, archive, "application/x-tar", true, &ref, err))
        return false;
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_blob_ref_put(&w, "archive", &ref);
    sov_put_int(&w, "run_fence", reclaim->fence);
    sov_write_end(&w);
    return lead(commit, reclaim, SOV_EVENT_WORKSPACE_ARCHIVED, done_out, err);
}

bool sov_reclaim_finish(struct sov_commit *commit, const struct sov_reclaim *reclaim,
                        struct sov_done *done_out, struct sov_error *err)
{
    const char *flagged;
    struct sov_writer w;

    if (!is_open(commit, reclaim, &flagged, err)) return false;
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_int(&w, "run_fence", reclaim->fence);
    sov_write_end(&w);
    return lead(commit, reclaim, SOV_EVENT_WORKSPACE_RECLAIMED, done_out, err);
}

bool sov_reclaim_flag(struct sov_commit *commit, const struct sov_reclaim *reclaim, const char *why,
                      struct sov_done *done_out, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, reclaim->assignment);
    const char *flagged = NULL;
    struct sov_writer w;

    if (!is_open(commit, reclaim, &flagged, err)) return false;
    if (flagged && strcmp(flagged, why) == 0) {
        sov_done_noop(&stream, reclaim->receipt.seq, done_out);
        return true;
    }
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_int(&w, "run_fence", reclaim->fence);
    sov_put_text(&w, "why", why);
    sov_write_end(&w);
    return lead(commit, reclaim, SOV_EVENT_WORKSPACE_FLAGGED, done_out, err);
}

/* ---- fold ---- */

bool sov_reclaim_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool archived = event->type == SOV_EVENT_WORKSPACE_ARCHIVED;
    bool flagged = event->type == SOV_EVENT_WORKSPACE_FLAGGED;

    if (!sov_stmt_open(&stmt, fold->db,
                       archived  ? reclaim_archived_sql
                       : flagged ? reclaim_flagged_sql
                                 : reclaim_done_sql,
                       err))
        return false;
    if (archived)
        sov_bind_text(&stmt, 1, sov_data(event, "archive").octets);
    else if (flagged)
        sov_bind_text(&stmt, 1, sov_data_text(event, "why", fold->arena));
    else
        sov_bind_int(&stmt, 1, event->seq);
    sov_bind_int(&stmt, 2, sov_data_int(event, "run_fence"));
    sov_bind_int(&stmt, 3, event->stream.n);
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) == 1) return true;
    return sov_fold_fail(err, event, "no run of fence %lld has a folder left",
                         (long long)sov_data_int(event, "run_fence"));
}
