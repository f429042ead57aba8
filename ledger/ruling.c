/* Rulings: reads and fold. Deciding and revoking: ruling_decide.c. */
#include "ledger/ruling.h"

#include "ledger/row.h"
#include "ledger/signed_row.h"
#include "ledger/log.h"
#include "ledger/ruling.sql.h"

static struct sov_ruling row_read(const struct sov_stmt *stmt, struct sov_arena *arena)
{
    struct sov_ruling row = {
        .n = sov_column_int(stmt, 0),
        .question = sov_row_text(stmt, 1, arena),
        .decision = sov_row_text(stmt, 2, arena),
        .rationale = sov_row_text(stmt, 3, arena),
        .applies_to = sov_row_text(stmt, 4, arena),
        .effect = sov_row_text(stmt, 5, arena),
        .receipt = sov_column_int(stmt, 6),
        .ruler = sov_row_text(stmt, 7, arena),
        .seq = sov_column_int(stmt, 11),
        .revoked_seq = sov_column_int(stmt, 12),
        .revoked_by = sov_row_text(stmt, 13, arena),
    };

    sov_column_signed(stmt, 8, &row.by);
    return row;
}

bool sov_ruling_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                     struct sov_ruling *ruling_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, ruling_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) *ruling_out = row_read(&stmt, arena);
    *found_out = found;
    return true;
}

static bool rows_read(struct sov_stmt *stmt, struct sov_arena *arena, struct sov_rulings *list_out,
                      struct sov_error *err)
{
    struct sov_ruling *rows = NULL;
    size_t count = 0;
    bool found;

    for (;;) {
        if (!sov_stmt_row(stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = row_read(stmt, arena);
    }
    *list_out = (struct sov_rulings){ rows, count };
    return true;
}

bool sov_ruling_list(const struct sov_ledger *ledger, const char *applies_to,
                     struct sov_arena *arena, struct sov_rulings *list_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, applies_to ? ruling_on_sql : ruling_all_sql, err))
        return false;
    if (applies_to) sov_bind_text(&stmt, 1, sov_bytes_text(applies_to));
    return rows_read(&stmt, arena, list_out, err);
}

bool sov_ruling_of_receipt(const struct sov_ledger *ledger, int64_t receipt,
                           struct sov_arena *arena, struct sov_rulings *list_out,
                           struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, ruling_for_sql, err)) return false;
    sov_bind_int(&stmt, 1, receipt);
    return rows_read(&stmt, arena, list_out, err);
}

bool sov_ruling_in_force(const struct sov_ledger *ledger, const char *effect,
                         const char *applies_to, int64_t receipt, int64_t *n_out,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state,
                       applies_to ? ruling_in_force_on_sql : ruling_in_force_for_sql, err))
        return false;
    if (applies_to)
        sov_bind_text(&stmt, 1, sov_bytes_text(applies_to));
    else
        sov_bind_int(&stmt, 1, receipt);
    sov_bind_text(&stmt, 2, sov_bytes_text(effect));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *n_out = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

/* ---- fold ---- */

static bool decided(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_value effect = sov_data(event, "effect");
    struct sov_value receipt = sov_value_get(effect, "receipt");
    struct sov_bytes kind = sov_value_plain(sov_value_get(effect, "kind"));
    struct sov_signed_by by;

    if (event->sv != 1) return sov_fold_fail(err, event, "a ruling is decided once");
    if (sov_bytes_is(kind, SOV_RULING_WAIVE) != sov_value_there(receipt))
        return sov_fold_fail(err, event, "a waiver names a receipt, and nothing else does");
    if (!sov_signed_read(sov_data(event, "sig"), &by))
        return sov_fold_fail(err, event, "the signature of a ruling has no known form");
    if (!sov_stmt_open(&stmt, fold->db, ruling_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_text(&stmt, 2, sov_data_text(event, "question", fold->arena));
    sov_bind_text(&stmt, 3, sov_data_text(event, "decision", fold->arena));
    sov_bind_text(&stmt, 4, sov_data_text(event, "rationale", fold->arena));
    sov_bind_text(&stmt, 5, sov_data_text(event, "applies_to", fold->arena));
    sov_bind_text(&stmt, 6, kind);
    if (sov_value_there(receipt))
        sov_bind_int(&stmt, 7, sov_id_number(sov_value_plain(receipt), SOV_STREAM_RECEIPT));
    else
        sov_bind_null(&stmt, 7);
    sov_bind_text(&stmt, 8, event->actor);
    sov_bind_signed(&stmt, 9, &by);
    sov_bind_int(&stmt, 12, event->seq);
    return sov_stmt_run(&stmt, err);
}

static bool revoked(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, ruling_revoke_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    sov_bind_text(&stmt, 2, event->actor);
    sov_bind_int(&stmt, 3, event->stream.n);
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) != 1)
        return sov_fold_fail(err, event, "a ruling is revoked once, after it was decided");
    return true;
}

bool sov_ruling_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    return event->type == SOV_EVENT_RULING_DECIDED ? decided(fold, event, err)
                                                   : revoked(fold, event, err);
}
