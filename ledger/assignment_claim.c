/* What a claim does to an assignment: its fold, and what follows when it expires. */
#include <assert.h>
#include <string.h>

#include "ledger/assignment.h"
#include "ledger/assignment_fold.h"
#include "ledger/assignment_fold.sql.h"
#include "ledger/receipt.h"
#include "ledger/row.h"
#include "ledger/run.h"
#include "ledger/sow.h"

static const char lost_word[] = "worker_lost";

static bool acquired(struct sov_fold *fold, const struct sov_event *event,
                     const struct sov_assignment_row *row, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_assignment_step(event, row, SOV_ASSIGNMENT_BY_CLAIMED, SOV_ASSIGNMENT_RUNNING, err))
        return false;
    if (row->claim.live || !sov_bytes_is(event->actor, row->actor) ||
        sov_data_int(event, "attempt") != row->attempts + 1)
        return sov_fold_fail(err, event, "not attempt %lld of ASG-%lld by %s",
                             (long long)row->attempts + 1, (long long)event->stream.n, row->actor);
    if (!sov_claim_row_add(fold, event, row->attempts + 1, err)) return false;
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
    return sov_assignment_step(event, row, SOV_ASSIGNMENT_BY_RENEWED, SOV_ASSIGNMENT_RUNNING,
                               err) &&
           sov_claim_row_under(event, &row->claim, err) && sov_claim_row_renew(fold, event, err);
}

/* Released, or expired: without a started run the assignment is free again, behind a cancellation
 * nothing more moves, and an expired run leaves the last word to assignment.failed. */
static bool let_go(struct sov_fold *fold, const struct sov_event *event,
                   const struct sov_assignment_row *row, struct sov_error *err)
{
    bool expired = event->type == SOV_EVENT_CLAIM_EXPIRED;
    enum sov_assignment_by by = expired ? SOV_ASSIGNMENT_BY_EXPIRED : SOV_ASSIGNMENT_BY_RELEASED;
    enum sov_assignment_state to =
        expired && row->claim.started ? SOV_ASSIGNMENT_RUNNING : SOV_ASSIGNMENT_CREATED;

    if (!sov_claim_row_under(event, &row->claim, err)) return false;
    if (!expired && row->state == SOV_ASSIGNMENT_CANCELLED)
        return sov_assignment_free(fold, event, err);
    if (!expired && row->claim.started)
        return sov_fold_fail(err, event, "a run of ASG-%lld had started",
                             (long long)event->stream.n);
    return sov_assignment_step(event, row, by, to, err) && sov_assignment_free(fold, event, err) &&
           sov_assignment_state_set(fold, event, to, err);
}

bool sov_assignment_claim_fold(struct sov_fold *fold, const struct sov_event *event,
                               struct sov_error *err)
{
    struct sov_assignment_row row;

    if (!sov_assignment_row(fold, event, &row, err)) return false;
    if (!row.state)
        return sov_fold_fail(err, event, "there is no ASG-%lld", (long long)event->stream.n);
    if (event->type == SOV_EVENT_CLAIM_ACQUIRED) return acquired(fold, event, &row, err);
    if (event->type == SOV_EVENT_CLAIM_RENEWED) return renewed(fold, event, &row, err);
    return let_go(fold, event, &row, err);
}

/* ---- behind claim.expired ---- */

/* A run had started and nobody told its end: failed, and what it did outside is not known. */
static bool follow_lost(struct sov_commit *commit, const struct sov_claim *claim,
                        int64_t *receipt_out, struct sov_error *err)
{
    struct sov_receipt draft = {
        .assignment = claim->assignment,
        .attempt = claim->attempt,
        .fence = claim->fence,
        .status = SOV_RECEIPT_FAILED,
        .category = lost_word,
        .message = "the run started and nobody reported its end in time",
        .effects_unknown = true,
    };
    struct sov_sow_failure failure = { .assignment = claim->assignment, .why = lost_word };
    struct sov_assignment assignment;
    struct sov_run run;
    bool found;

    if (!sov_assignment_get(commit->ledger, claim->assignment, &commit->arena, &assignment, err) ||
        !sov_run_find(commit->ledger, claim->assignment, claim->fence, &commit->arena, &run, &found,
                      err))
        return false;
    assert(found);
    draft.provider = run.provider;
    draft.adapter = run.adapter;
    draft.adapter_version = run.adapter_version;
    draft.boundary.scoped = strcmp(assignment.workspace_policy, "none") != 0;
    if (!sov_receipt_follow(commit, &draft, false, &failure.receipt, &failure.cause, err) ||
        !sov_sow_follow_failed(commit, assignment.sow, &failure, err) ||
        !sov_assignment_follow_ended(commit, claim->assignment, SOV_ASSIGNMENT_FAILED,
                                     failure.receipt, 0, failure.cause, err))
        return false;
    *receipt_out = failure.receipt;
    return true;
}

bool sov_assignment_claim_expired(struct sov_commit *commit, const struct sov_claim *claim,
                                  struct sov_expired *expired_out, struct sov_error *err)
{
    struct sov_expired expired = { 0 };
    struct sov_assignment work;

    if (claim->started) {
        expired.state = sov_policy_assignment_name(SOV_ASSIGNMENT_FAILED);
        if (!follow_lost(commit, claim, &expired.receipt, err)) return false;
    } else {
        expired.state = sov_policy_assignment_name(SOV_ASSIGNMENT_CREATED);
        if (!sov_assignment_get(commit->ledger, claim->assignment, &commit->arena, &work, err) ||
            !sov_sow_follow_returned(commit, work.sow, work.n, SOV_SOW_ASSIGNED, "claim.expired",
                                     err))
            return false;
    }
    *expired_out = expired;
    return true;
}
