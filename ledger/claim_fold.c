/* claim.* events into state_claim and the assignment that they are on. */
#include <assert.h>

#include "ledger/assignment_fold.h"
#include "ledger/assignment_fold.sql.h"
#include "ledger/claim.h"
#include "ledger/row.h"

/* ttl_s, at and who of an acquisition or renewal, from parameter `first` on. */
static bool life_bind(struct sov_stmt *stmt, int first, const struct sov_event *event,
                      struct sov_who *who, struct sov_fold *fold, struct sov_error *err)
{
    if (!sov_who_read(sov_data(event, "who"), fold->arena, who))
        return sov_fold_fail(err, event, "a claim of no program");
    sov_bind_int(stmt, first, sov_data_int(event, "ttl_s"));
    sov_bind_int(stmt, first + 1, event->at.ms);
    sov_bind_text(stmt, first + 2, sov_bytes_text(who->machine));
    sov_bind_text(stmt, first + 3, sov_bytes_text(who->boot));
    sov_bind_int(stmt, first + 4, who->boot_ms);
    sov_bind_int(stmt, first + 5, who->pid);
    sov_bind_int(stmt, first + 6, who->start);
    return true;
}

static bool claim_insert(struct sov_fold *fold, const struct sov_event *event, int64_t attempt,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    char resource[SOV_RESOURCE_SIZE];
    struct sov_who who;

    sov_claim_resource(event->stream.n, resource);
    if (!sov_stmt_open(&stmt, fold->db, claim_insert_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(resource));
    sov_bind_int(&stmt, 2, event->seq);
    sov_bind_text(&stmt, 3, event->actor);
    sov_bind_int(&stmt, 4, attempt);
    return life_bind(&stmt, 5, event, &who, fold, err) && sov_stmt_run(&stmt, err);
}

static bool acquired(struct sov_fold *fold, const struct sov_event *event,
                     const struct sov_assignment_row *row, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_assignment_step(event, row, SOV_ASSIGNMENT_BY_CLAIMED, SOV_ASSIGNMENT_RUNNING, err))
        return false;
    if (row->live || !sov_bytes_is(event->actor, row->actor) ||
        sov_data_int(event, "attempt") != row->attempts + 1)
        return sov_fold_fail(err, event, "not attempt %lld of ASG-%lld by %s",
                             (long long)row->attempts + 1, (long long)event->stream.n, row->actor);
    if (!claim_insert(fold, event, row->attempts + 1, err)) return false;
    if (!sov_stmt_open(&stmt, fold->db, assignment_claim_sql, err)) return false;
    sov_bind_int(&stmt, 1, row->attempts + 1);
    sov_bind_int(&stmt, 2, event->seq);
    sov_bind_int(&stmt, 3, event->stream.n);
    return sov_stmt_run(&stmt, err) &&
           sov_assignment_state_set(fold, event, SOV_ASSIGNMENT_RUNNING, err);
}

static bool renewed(struct sov_fold *fold, const struct sov_event *event,
                    const struct sov_assignment_row *row, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    char resource[SOV_RESOURCE_SIZE];
    struct sov_who who;

    if (!sov_assignment_step(event, row, SOV_ASSIGNMENT_BY_RENEWED, SOV_ASSIGNMENT_RUNNING, err) ||
        !sov_claim_under(event, row, err))
        return false;
    sov_claim_resource(event->stream.n, resource);
    if (!sov_stmt_open(&stmt, fold->db, claim_renew_sql, err)) return false;
    if (!life_bind(&stmt, 1, event, &who, fold, err)) return false;
    sov_bind_text(&stmt, 8, sov_bytes_text(resource));
    sov_bind_int(&stmt, 9, event->fence);
    return sov_stmt_run(&stmt, err);
}

/* Released, or expired: without a started run the assignment is free again, behind a cancellation
 * nothing more moves, and an expired run leaves the last word to assignment.failed. */
static bool let_go(struct sov_fold *fold, const struct sov_event *event,
                   const struct sov_assignment_row *row, struct sov_error *err)
{
    bool expired = event->type == SOV_EVENT_CLAIM_EXPIRED;
    enum sov_assignment_by by = expired ? SOV_ASSIGNMENT_BY_EXPIRED : SOV_ASSIGNMENT_BY_RELEASED;
    enum sov_assignment_state to =
        expired && row->started ? SOV_ASSIGNMENT_RUNNING : SOV_ASSIGNMENT_CREATED;

    if (!sov_claim_under(event, row, err)) return false;
    if (!expired && row->state == SOV_ASSIGNMENT_CANCELLED) return sov_claim_end(fold, event, err);
    if (!expired && row->started)
        return sov_fold_fail(err, event, "a run of ASG-%lld had started",
                             (long long)event->stream.n);
    return sov_assignment_step(event, row, by, to, err) && sov_claim_end(fold, event, err) &&
           sov_assignment_state_set(fold, event, to, err);
}

bool sov_claim_end(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt end = { 0 };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt freed = { 0 };
    char resource[SOV_RESOURCE_SIZE];

    sov_claim_resource(event->stream.n, resource);
    if (!sov_stmt_open(&end, fold->db, claim_end_sql, err)) return false;
    sov_bind_int(&end, 1, event->seq);
    sov_bind_text(&end, 2, sov_bytes_text(resource));
    sov_bind_int(&end, 3, event->fence);
    if (!sov_stmt_run(&end, err)) return false;
    if (!sov_stmt_open(&freed, fold->db, assignment_free_sql, err)) return false;
    sov_bind_int(&freed, 1, event->stream.n);
    return sov_stmt_run(&freed, err);
}

bool sov_claim_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    struct sov_assignment_row row;

    if (!sov_assignment_row(fold, event, &row, err)) return false;
    if (!row.state)
        return sov_fold_fail(err, event, "there is no ASG-%lld", (long long)event->stream.n);
    if (event->type == SOV_EVENT_CLAIM_ACQUIRED) return acquired(fold, event, &row, err);
    if (event->type == SOV_EVENT_CLAIM_RENEWED) return renewed(fold, event, &row, err);
    return let_go(fold, event, &row, err);
}
