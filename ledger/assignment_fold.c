/* assignment.* events into state_assignment; what the folds of one stream share. */
#include "ledger/assignment_fold.h"

#include <assert.h>
#include <stdio.h>

#include "ledger/assignment.h"
#include "ledger/assignment_fold.sql.h"
#include "ledger/row.h"

bool sov_assignment_row(struct sov_fold *fold, const struct sov_event *event,
                        struct sov_assignment_row *row_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_assignment_row row = { 0 };
    bool found;

    assert(event->stream.kind == SOV_STREAM_ASSIGNMENT);
    if (!sov_stmt_open(&stmt, fold->db, assignment_row_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) {
        sov_policy_assignment_state(sov_row_text(&stmt, 0, fold->arena), &row.state);
        row.actor = sov_row_text(&stmt, 1, fold->arena);
        row.attempts = sov_column_int(&stmt, 2);
        row.fence = sov_column_int(&stmt, 3);
        if (!sov_claim_row(fold, event, &row.claim, err)) return false;
    }
    *row_out = row;
    return true;
}

bool sov_assignment_step(const struct sov_event *event, const struct sov_assignment_row *row,
                         enum sov_assignment_by by, enum sov_assignment_state to,
                         struct sov_error *err)
{
    if (sov_policy_assignment_arrow(row->state, by, to)) return true;
    return sov_fold_fail(err, event, "ASG-%lld is %s: %s leads nowhere", (long long)event->stream.n,
                         sov_policy_assignment_name(row->state), sov_event_row(event->type)->type);
}

bool sov_assignment_state_set(struct sov_fold *fold, const struct sov_event *event,
                              enum sov_assignment_state to, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, assignment_state_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(sov_policy_assignment_name(to)));
    sov_bind_int(&stmt, 2, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

bool sov_assignment_free(struct sov_fold *fold, const struct sov_event *event,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_claim_row_end(fold, event, err)) return false;
    if (!sov_stmt_open(&stmt, fold->db, assignment_free_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

static bool created(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_value workspace = sov_data(event, "workspace");
    struct sov_hash prompt = { 0 };

    sov_unhex(sov_value_plain(sov_data(event, "prompt_digest")), prompt.octets,
              sizeof prompt.octets);
    if (!sov_stmt_open(&stmt, fold->db, assignment_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_int(&stmt, 2, sov_data_number(event, "sow", SOV_STREAM_SOW));
    sov_bind_int(&stmt, 3, sov_data_number(event, "outcome", SOV_STREAM_OUTCOME));
    sov_bind_text(&stmt, 4, sov_data_text(event, "actor", fold->arena));
    sov_bind_text(&stmt, 5, sov_value_bytes(sov_value_get(workspace, "policy"), fold->arena));
    sov_bind_text(&stmt, 6, sov_value_bytes(sov_value_get(workspace, "id"), fold->arena));
    sov_bind_int(&stmt, 7, sov_data_int(event, "round"));
    sov_bind_blob(&stmt, 8, sov_hash_bytes(&prompt));
    sov_bind_text(&stmt, 9, event->actor);
    sov_bind_text(&stmt, 10, sov_data_text(event, "on_behalf", fold->arena));
    sov_bind_int(&stmt, 11, event->seq);
    return sov_stmt_run(&stmt, err);
}

/* The one terminal write of an attempt: under the fence of a finished run, or behind the expiry of
 * one that had started. */
static bool ended(struct sov_fold *fold, const struct sov_event *event,
                  const struct sov_assignment_row *row, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (event->fence) {
        if (!sov_claim_row_under(event, &row->claim, err)) return false;
        if (!row->claim.finished)
            return sov_fold_fail(err, event, "no run of ASG-%lld is finished",
                                 (long long)event->stream.n);
        if (!sov_assignment_free(fold, event, err)) return false;
    } else if (row->claim.live || !row->claim.started) {
        return sov_fold_fail(err, event, "ASG-%lld has lost no run", (long long)event->stream.n);
    }
    if (!sov_stmt_open(&stmt, fold->db, assignment_receipt_sql, err)) return false;
    sov_bind_int(&stmt, 1, sov_data_number(event, "receipt", SOV_STREAM_RECEIPT));
    sov_bind_int(&stmt, 2, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

bool sov_assignment_fold(struct sov_fold *fold, const struct sov_event *event,
                         struct sov_error *err)
{
    static const struct {
        enum sov_event_type type;
        enum sov_assignment_by by;
        enum sov_assignment_state to;
    } arrows[] = {
        { SOV_EVENT_ASSIGNMENT_CREATED, SOV_ASSIGNMENT_BY_CREATED, SOV_ASSIGNMENT_CREATED },
        { SOV_EVENT_ASSIGNMENT_CANCELLED, SOV_ASSIGNMENT_BY_CANCELLED, SOV_ASSIGNMENT_CANCELLED },
        { SOV_EVENT_ASSIGNMENT_COMPLETED, SOV_ASSIGNMENT_BY_COMPLETED, SOV_ASSIGNMENT_COMPLETED },
        { SOV_EVENT_ASSIGNMENT_BLOCKED, SOV_ASSIGNMENT_BY_BLOCKED, SOV_ASSIGNMENT_BLOCKED },
        { SOV_EVENT_ASSIGNMENT_FAILED, SOV_ASSIGNMENT_BY_FAILED, SOV_ASSIGNMENT_FAILED },
    };
    struct sov_assignment_row row;
    size_t i = 0;

    while (i < sizeof arrows / sizeof *arrows && arrows[i].type != event->type) i++;
    assert(i < sizeof arrows / sizeof *arrows);
    if (!sov_assignment_row(fold, event, &row, err) ||
        !sov_assignment_step(event, &row, arrows[i].by, arrows[i].to, err))
        return false;
    if (event->type == SOV_EVENT_ASSIGNMENT_CREATED) return created(fold, event, err);
    if (event->type != SOV_EVENT_ASSIGNMENT_CANCELLED && !ended(fold, event, &row, err))
        return false;
    return sov_assignment_state_set(fold, event, arrows[i].to, err);
}
