/* Sessions: reads and fold. The operations: session_act.c. */
#include "ledger/session.h"

#include <assert.h>

#include "ledger/claim_kind.h"
#include "ledger/row.h"
#include "ledger/session.sql.h"

static struct sov_session row_read(const struct sov_stmt *stmt, struct sov_arena *arena)
{
    struct sov_session row = {
        .n = sov_column_int(stmt, 0),
        .actor = sov_row_text(stmt, 1, arena),
        .purpose = sov_row_text(stmt, 2, arena),
        .incarnation = sov_column_int(stmt, 4),
        .instance_fence = sov_column_int(stmt, 5),
        .seq = sov_column_int(stmt, 6),
    };
    bool ok = sov_policy_session_state(sov_row_text(stmt, 3, arena), &row.state);

    assert(ok);
    (void)ok;
    return row;
}

bool sov_session_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                      struct sov_session *session_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, session_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) *session_out = row_read(&stmt, arena);
    *found_out = found;
    return true;
}

bool sov_session_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                      struct sov_sessions *list_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_session *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, session_all_sql, err)) return false;
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = row_read(&stmt, arena);
    }
    *list_out = (struct sov_sessions){ rows, count };
    return true;
}

/* ---- fold ---- */

struct row {
    int64_t incarnation;
    struct sov_claim_row claim;
};

/* The arrow from where its own stream has left it. */
static bool step(struct sov_fold *fold, const struct sov_event *event, enum sov_session_by by,
                 enum sov_session_state to, struct row *row_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    enum sov_session_state from = SOV_SESSION_NONE;
    struct row row = { 0 };
    bool found, own = true;

    if (!sov_claim_row(fold, event, &row.claim, err) ||
        !sov_stmt_open(&stmt, fold->db, session_row_sql, err))
        return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) {
        row.incarnation = sov_column_int(&stmt, 1);
        own = by != SOV_SESSION_BY_CLAIMED ||
              sov_bytes_equal(sov_column_text(&stmt, 2), event->actor);
        if (!sov_policy_session_state(sov_row_text(&stmt, 0, fold->arena), &from))
            return sov_fold_fail(err, event, "a session in no known state");
    }
    *row_out = row;
    if (!own) return sov_fold_fail(err, event, "a session is claimed by its own actor");
    if (sov_policy_session_arrow(from, by, to)) return true;
    return sov_fold_fail(err, event, "no arrow leads from %s to %s by %s",
                         sov_policy_session_name(from), sov_policy_session_name(to),
                         sov_event_row(event->type)->type);
}

static bool set(struct sov_fold *fold, const struct sov_event *event, enum sov_session_state to,
                struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, session_set_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(sov_policy_session_name(to)));
    sov_bind_int(&stmt, 2, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

bool sov_session_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool abandoned = sov_bytes_is(sov_data_text(event, "status", fold->arena), "abandoned");
    enum sov_session_state to = abandoned ? SOV_SESSION_ABANDONED : SOV_SESSION_COMPLETED;
    struct row row;

    if (event->type == SOV_EVENT_SESSION_CLOSED)
        return step(fold, event, SOV_SESSION_BY_CLOSED, to, &row, err) &&
               sov_claim_row_under(event, &row.claim, err) && sov_claim_row_end(fold, event, err) &&
               set(fold, event, to, err);
    if (!step(fold, event, SOV_SESSION_BY_OPENED, SOV_SESSION_OPEN, &row, err)) return false;
    if (!sov_stmt_open(&stmt, fold->db, session_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_text(&stmt, 2, sov_data_text(event, "actor", fold->arena));
    sov_bind_text(&stmt, 3, sov_data_text(event, "purpose", fold->arena));
    sov_bind_text(&stmt, 4, sov_bytes_text(sov_policy_session_name(SOV_SESSION_OPEN)));
    sov_bind_int(&stmt, 5, event->seq);
    return sov_stmt_run(&stmt, err);
}

static bool acquired(struct sov_fold *fold, const struct sov_event *event, const struct row *row,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_data_int(event, "instance_fence"))
        return sov_fold_fail(err, event, "a session is claimed under the fence of an instance");
    if (!sov_claim_row_add(fold, event, 0, err)) return false;
    if (!sov_stmt_open(&stmt, fold->db, session_claim_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(sov_policy_session_name(SOV_SESSION_CLAIMED)));
    sov_bind_int(&stmt, 2, row->incarnation + 1);
    sov_bind_int(&stmt, 3, sov_data_int(event, "instance_fence"));
    sov_bind_int(&stmt, 4, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

bool sov_session_claim_fold(struct sov_fold *fold, const struct sov_event *event,
                            struct sov_error *err)
{
    struct row row;

    if (event->type == SOV_EVENT_CLAIM_ACQUIRED)
        return step(fold, event, SOV_SESSION_BY_CLAIMED, SOV_SESSION_CLAIMED, &row, err) &&
               acquired(fold, event, &row, err);
    if (event->type == SOV_EVENT_CLAIM_RENEWED)
        return step(fold, event, SOV_SESSION_BY_RENEWED, SOV_SESSION_CLAIMED, &row, err) &&
               sov_claim_row_under(event, &row.claim, err) && sov_claim_row_renew(fold, event, err);
    if (event->type != SOV_EVENT_CLAIM_EXPIRED)
        return sov_fold_fail(err, event, "the claim on a session is not released");
    return step(fold, event, SOV_SESSION_BY_EXPIRED, SOV_SESSION_OPEN, &row, err) &&
           sov_claim_row_under(event, &row.claim, err) && sov_claim_row_end(fold, event, err) &&
           set(fold, event, SOV_SESSION_OPEN, err);
}
