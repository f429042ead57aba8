/* Runs: reads and fold. */
#include "ledger/run.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/run.sql.h"

/* ---- reads ---- */

static void run_read(const struct sov_stmt *stmt, struct sov_arena *arena, struct sov_run *run_out)
{
    *run_out = (struct sov_run){
        .assignment = sov_column_int(stmt, 0),
        .fence = sov_column_int(stmt, 1),
        .provider = sov_row_text(stmt, 2, arena),
        .adapter = sov_row_text(stmt, 3, arena),
        .adapter_version = sov_column_int(stmt, 4),
        .start_seq = sov_column_int(stmt, 5),
        .started = sov_row_bytes(stmt, 6, arena),
        .finish_seq = sov_column_int(stmt, 7),
        .finished = sov_row_bytes(stmt, 8, arena),
    };
}

bool sov_run_find(const struct sov_ledger *ledger, int64_t assignment, int64_t fence,
                  struct sov_arena *arena, struct sov_run *run_out, bool *found_out,
                  struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, run_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, assignment);
    sov_bind_int(&stmt, 2, fence);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) run_read(&stmt, arena, run_out);
    *found_out = found;
    return true;
}

bool sov_run_list(const struct sov_ledger *ledger, int64_t assignment, struct sov_arena *arena,
                  struct sov_runs *runs_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_run *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, assignment ? run_list_of_sql : run_list_sql, err))
        return false;
    if (assignment) sov_bind_int(&stmt, 1, assignment);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        run_read(&stmt, arena, &rows[count++]);
    }
    *runs_out = (struct sov_runs){ rows, count };
    return true;
}

bool sov_run_count(const struct sov_ledger *ledger, const char *provider, int64_t after_seq,
                   int64_t *count_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, run_count_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(provider));
    sov_bind_int(&stmt, 2, after_seq);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *count_out = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

static void stale_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                       struct sov_stale *stale_out)
{
    struct sov_bytes report = sov_row_bytes(stmt, 4, arena);
    struct sov_stale stale = {
        .seq = sov_column_int(stmt, 0),
        .assignment = sov_column_int(stmt, 1),
        .fence = sov_column_int(stmt, 2),
        .live_fence = sov_column_int(stmt, 3),
        .why = sov_row_text(stmt, 5, arena),
    };

    if (report.data) {
        bool read = sov_blob_ref_read(sov_value(report), arena, &stale.report);

        assert(read);
        (void)read;
    }
    *stale_out = stale;
}

bool sov_stale_list(const struct sov_ledger *ledger, int64_t assignment, struct sov_arena *arena,
                    struct sov_stales *stales_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_stale *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, assignment ? stale_list_of_sql : stale_list_sql, err))
        return false;
    if (assignment) sov_bind_int(&stmt, 1, assignment);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        stale_read(&stmt, arena, &rows[count++]);
    }
    *stales_out = (struct sov_stales){ rows, count };
    return true;
}

bool sov_refused_list(const struct sov_ledger *ledger, int64_t assignment, struct sov_arena *arena,
                      struct sov_refuseds *refused_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_refused *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, assignment ? refused_list_of_sql : refused_list_sql,
                       err))
        return false;
    if (assignment) sov_bind_int(&stmt, 1, assignment);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = (struct sov_refused){
            .seq = sov_column_int(&stmt, 0),
            .assignment = sov_column_int(&stmt, 1),
            .fence = sov_column_int(&stmt, 2),
            .kind = sov_row_text(&stmt, 3, arena),
            .subject = sov_row_text(&stmt, 4, arena),
            .has_quantity = !sov_column_is_null(&stmt, 5),
            .quantity = sov_column_int(&stmt, 5),
            .code = sov_row_text(&stmt, 6, arena),
        };
    }
    *refused_out = (struct sov_refuseds){ rows, count };
    return true;
}

/* ---- fold ---- */

/* run.started and run.finished are arrows from RUNNING to itself. */
static bool is_running(struct sov_fold *fold, const struct sov_event *event,
                       enum sov_assignment_by by, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    enum sov_assignment_state state = SOV_ASSIGNMENT_NONE;
    bool found;

    if (!sov_stmt_open(&stmt, fold->db, run_assignment_state_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found || !sov_policy_assignment_state(sov_row_text(&stmt, 0, fold->arena), &state) ||
        !sov_policy_assignment_arrow(state, by, state))
        return sov_fold_fail(err, event, "a run of an assignment that is not RUNNING");
    return true;
}

static bool claim_mark(struct sov_fold *fold, const struct sov_event *event, const char *sql,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    const char *id = sov_stream_id(&event->stream, fold->arena);
    const char *text = sov_arena_printf(fold->arena, "assignment/%s", id);

    if (!sov_stmt_open(&stmt, fold->db, sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    sov_bind_text(&stmt, 2, sov_bytes_text(text));
    sov_bind_int(&stmt, 3, event->fence);
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) != 1)
        return sov_fold_fail(err, event, "a run begins and ends once, under a live claim");
    return true;
}

static bool started(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!is_running(fold, event, SOV_ASSIGNMENT_BY_STARTED, err)) return false;
    if (!claim_mark(fold, event, run_claim_started_sql, err)) return false;
    if (!sov_stmt_open(&stmt, fold->db, run_start_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->fence);
    sov_bind_int(&stmt, 2, event->stream.n);
    sov_bind_text(&stmt, 3, sov_data_text(event, "provider", fold->arena));
    sov_bind_text(&stmt, 4, sov_data_text(event, "adapter", fold->arena));
    sov_bind_int(&stmt, 5, sov_data_int(event, "adapter_version"));
    sov_bind_int(&stmt, 6, event->seq);
    sov_bind_text(&stmt, 7, event->data.octets);
    return sov_stmt_run(&stmt, err);
}

static bool finished(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!is_running(fold, event, SOV_ASSIGNMENT_BY_FINISHED, err)) return false;
    if (!claim_mark(fold, event, run_claim_finished_sql, err)) return false;
    if (!sov_stmt_open(&stmt, fold->db, run_finish_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    sov_bind_text(&stmt, 2, event->data.octets);
    sov_bind_int(&stmt, 3, event->fence);
    sov_bind_int(&stmt, 4, event->stream.n);
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) != 1)
        return sov_fold_fail(err, event, "the end of a run that is not open");
    return true;
}

static void bind_optional(struct sov_stmt *stmt, int n, const struct sov_event *event,
                          const char *key)
{
    if (sov_value_there(sov_data(event, key)))
        sov_bind_int(stmt, n, sov_data_int(event, key));
    else
        sov_bind_null(stmt, n);
}

static bool stale(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, stale_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    sov_bind_int(&stmt, 2, event->stream.n);
    sov_bind_int(&stmt, 3, sov_data_int(event, "presented_fence"));
    bind_optional(&stmt, 4, event, "live_fence");
    sov_bind_text(&stmt, 5, sov_data(event, "report").octets);
    sov_bind_text(&stmt, 6, sov_data_text(event, "why", fold->arena));
    return sov_stmt_run(&stmt, err);
}

static bool refused(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, refused_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    sov_bind_int(&stmt, 2, event->stream.n);
    sov_bind_int(&stmt, 3, event->fence);
    sov_bind_text(&stmt, 4, sov_data_text(event, "kind", fold->arena));
    sov_bind_text(&stmt, 5, sov_data_text(event, "subject", fold->arena));
    bind_optional(&stmt, 6, event, "quantity");
    sov_bind_text(&stmt, 7, sov_data_text(event, "code", fold->arena));
    return sov_stmt_run(&stmt, err);
}

bool sov_run_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    if (event->type == SOV_EVENT_RUN_STARTED) return started(fold, event, err);
    if (event->type == SOV_EVENT_RUN_FINISHED) return finished(fold, event, err);
    if (event->type == SOV_EVENT_RESULT_STALE) return stale(fold, event, err);
    assert(event->type == SOV_EVENT_EFFECT_REFUSED);
    return refused(fold, event, err);
}
