/* sow.* events into state_sow. */
#include <assert.h>

#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/sow.h"
#include "ledger/sow_fold.sql.h"

struct row {
    enum sov_sow_state state;
    int64_t rounds, assignment;
};

static bool row_read(struct sov_fold *fold, const struct sov_event *event, struct row *row_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, fold->db, sow_row_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *row_out = (struct row){ 0 };
    if (!found) return true;
    sov_policy_sow_state(sov_row_text(&stmt, 0, fold->arena), &row_out->state);
    row_out->rounds = sov_column_int(&stmt, 1);
    row_out->assignment = sov_column_int(&stmt, 2);
    return true;
}

static bool target(const struct sov_event *event, const struct row *row, enum sov_sow_by *by_out,
                   enum sov_sow_state *to_out)
{
    static const struct {
        enum sov_event_type type;
        enum sov_sow_by by;
        enum sov_sow_state to;
    } arrows[] = {
        { SOV_EVENT_SOW_CREATED, SOV_SOW_BY_CREATED, SOV_SOW_DRAFT },
        { SOV_EVENT_SOW_REVISED, SOV_SOW_BY_REVISED, SOV_SOW_NONE }, /* stays */
        { SOV_EVENT_SOW_READIED, SOV_SOW_BY_READIED, SOV_SOW_READY },
        { SOV_EVENT_SOW_RETRIED, SOV_SOW_BY_RETRIED, SOV_SOW_READY },
        { SOV_EVENT_SOW_SUPERSEDED, SOV_SOW_BY_SUPERSEDED, SOV_SOW_SUPERSEDED },
        { SOV_EVENT_SOW_WITHDRAWN, SOV_SOW_BY_WITHDRAWN, SOV_SOW_WITHDRAWN },
        { SOV_EVENT_SOW_ASSIGNED, SOV_SOW_BY_ASSIGNED, SOV_SOW_ASSIGNED },
        { SOV_EVENT_SOW_STARTED, SOV_SOW_BY_STARTED, SOV_SOW_RUNNING },
        { SOV_EVENT_SOW_RETURNED, SOV_SOW_BY_RETURNED, SOV_SOW_NONE }, /* says where to */
        { SOV_EVENT_SOW_SUBMITTED, SOV_SOW_BY_SUBMITTED, SOV_SOW_REVIEW },
        { SOV_EVENT_SOW_BLOCKED, SOV_SOW_BY_BLOCKED, SOV_SOW_BLOCKED },
        { SOV_EVENT_SOW_FAILED, SOV_SOW_BY_FAILED, SOV_SOW_FAILED },
        { SOV_EVENT_SOW_REVERIFIED, SOV_SOW_BY_REVERIFIED, SOV_SOW_REVIEW },
        { SOV_EVENT_SOW_ACCEPTED, SOV_SOW_BY_ACCEPTED, SOV_SOW_ACCEPTED },
        { SOV_EVENT_SOW_CHANGES_REQUESTED, SOV_SOW_BY_CHANGES_REQUESTED,
          SOV_SOW_CHANGES_REQUESTED },
    };

    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        if (arrows[i].type != event->type) continue;
        *by_out = arrows[i].by;
        *to_out = arrows[i].to ? arrows[i].to : row->state;
        if (event->type == SOV_EVENT_SOW_RETURNED)
            *to_out = sov_bytes_is(sov_value_plain(sov_data(event, "to")), "READY")
                          ? SOV_SOW_READY
                          : SOV_SOW_ASSIGNED;
        return true;
    }
    return false;
}

/* The eight fields that a revision may change, from parameter `first` on. */
static void scope_bind(struct sov_stmt *stmt, int first, const struct sov_event *event,
                       struct sov_fold *fold)
{
    struct sov_value effect = sov_data(event, "effect");
    struct sov_value kind = sov_value_get(effect, "kind");
    struct sov_value required = sov_value_get(effect, "required");

    sov_bind_text(stmt, first, sov_data_text(event, "title", fold->arena));
    sov_bind_text(stmt, first + 1, sov_data_text(event, "scope", fold->arena));
    sov_bind_text(stmt, first + 2, sov_data_text(event, "role", fold->arena));
    sov_bind_text(stmt, first + 3, sov_value_bytes(kind, fold->arena));
    sov_bind_int(stmt, first + 4, sov_value_there(required) && sov_value_bool(required));
    sov_bind_text(stmt, first + 5, sov_data(event, "deliverables").octets);
    sov_bind_text(stmt, first + 6, sov_data(event, "non_goals").octets);
    sov_bind_text(stmt, first + 7, sov_data_text(event, "done_when", fold->arena));
}

static bool created(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_value origin = sov_data(event, "origin"), seq = sov_value_get(origin, "seq");
    struct sov_bytes by = sov_value_plain(sov_value_get(origin, "by"));

    /* A missing origin is an error and never means manual: pulse names its wake decision. */
    if (sov_bytes_is(by, "pulse") != (sov_value_there(seq) && sov_value_int(seq) > 0))
        return sov_fold_fail(err, event, "SOW-%lld does not say where it comes from",
                             (long long)event->stream.n);
    if (!sov_stmt_open(&stmt, fold->db, sow_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    scope_bind(&stmt, 2, event, fold);
    sov_bind_int(&stmt, 10, sov_data_number(event, "outcome", SOV_STREAM_OUTCOME));
    sov_bind_int(&stmt, 11, sov_data_int(event, "term"));
    sov_bind_text(&stmt, 12, by);
    sov_bind_number(&stmt, 13, sov_value_there(seq) ? sov_value_int(seq) : 0);
    sov_bind_text(&stmt, 14, event->actor);
    sov_bind_text(&stmt, 15, sov_data_text(event, "on_behalf", fold->arena));
    sov_bind_int(&stmt, 16, event->seq);
    return sov_stmt_run(&stmt, err);
}

static bool revised(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, sow_revise_sql, err)) return false;
    scope_bind(&stmt, 1, event, fold);
    sov_bind_int(&stmt, 9, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

static bool state_set(struct sov_fold *fold, int64_t n, enum sov_sow_state to,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, sow_state_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(sov_policy_sow_name(to)));
    sov_bind_int(&stmt, 2, n);
    return sov_stmt_run(&stmt, err);
}

static bool assigned(struct sov_fold *fold, const struct sov_event *event, const struct row *row,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    int64_t assignment = sov_data_number(event, "assignment", SOV_STREAM_ASSIGNMENT);

    if (sov_data_int(event, "round") != row->rounds + 1 || assignment <= row->assignment)
        return sov_fold_fail(err, event, "the next round of SOW-%lld is %lld, of a new assignment",
                             (long long)event->stream.n, (long long)row->rounds + 1);
    if (!sov_stmt_open(&stmt, fold->db, sow_assign_sql, err)) return false;
    sov_bind_int(&stmt, 1, assignment);
    sov_bind_int(&stmt, 2, row->rounds + 1);
    sov_bind_int(&stmt, 3, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

/* The one column beside the state that an event sets, if it does. */
static bool column_set(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_value receipt = sov_data(event, "receipt");
    const char *sql = event->type == SOV_EVENT_SOW_SUPERSEDED ? sow_succeed_sql
                      : event->type == SOV_EVENT_SOW_RETRIED  ? sow_inspection_sql
                      : sov_value_there(receipt)              ? sow_receipt_sql
                                                              : NULL;

    if (!sql) return true;
    if (!sov_stmt_open(&stmt, fold->db, sql, err)) return false;
    if (event->type == SOV_EVENT_SOW_RETRIED)
        sov_bind_text(&stmt, 1, sov_data(event, "inspection").octets);
    else if (event->type == SOV_EVENT_SOW_SUPERSEDED)
        sov_bind_int(&stmt, 1, sov_data_number(event, "successor", SOV_STREAM_SOW));
    else
        sov_bind_int(&stmt, 1, sov_data_number(event, "receipt", SOV_STREAM_RECEIPT));
    sov_bind_int(&stmt, 2, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

bool sov_sow_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    int64_t named = sov_data_number(event, "assignment", SOV_STREAM_ASSIGNMENT);
    enum sov_sow_state to;
    enum sov_sow_by by;
    struct row row;

    if (!row_read(fold, event, &row, err)) return false;
    if (!target(event, &row, &by, &to) || !sov_policy_sow_arrow(row.state, by, to))
        return sov_fold_fail(err, event, "SOW-%lld is %s: %s leads nowhere",
                             (long long)event->stream.n, sov_policy_sow_name(row.state),
                             sov_event_row(event->type)->type);
    if (event->type == SOV_EVENT_SOW_CREATED) return created(fold, event, err);
    if (event->type == SOV_EVENT_SOW_REVISED) return revised(fold, event, err);
    if (event->type == SOV_EVENT_SOW_ASSIGNED) {
        if (!assigned(fold, event, &row, err)) return false;
    } else if (named && named != row.assignment) {
        return sov_fold_fail(err, event, "ASG-%lld is not the assignment of SOW-%lld",
                             (long long)named, (long long)event->stream.n);
    }
    return state_set(fold, event->stream.n, to, err) && column_set(fold, event, err);
}
