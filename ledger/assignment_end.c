/* How an assignment ends: cancelled, or by the one terminal write of its run. */
#include <assert.h>

#include "ledger/assignment.h"
#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/sow.h"

static bool reason_payload(struct sov_commit *commit, const char *reason,
                           struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* Behind a cancellation host lets the claim go: what its holder still sends is stale. */
static bool claim_released(struct sov_commit *commit, const struct sov_assignment *assignment,
                           const char *reason, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_CLAIM_RELEASED,
                                     .fence = assignment->fence,
                                     .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT,
                                                                   assignment->n) };

    if (!assignment->fence) return true;
    return reason_payload(commit, reason, &addition.data, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}

bool sov_assignment_cancel(struct sov_commit *commit, int64_t n, const char *reason,
                           struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_ASSIGNMENT_CANCELLED,
                                     .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, n) };
    struct sov_assignment assignment;
    bool again;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err) ||
        !reason_payload(commit, reason, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!sov_assignment_get(commit->ledger, n, &commit->arena, &assignment, err) ||
        !sov_commit_expect(commit, &addition.stream, err))
        return false;
    if (!sov_policy_assignment_arrow(assignment.state, SOV_ASSIGNMENT_BY_CANCELLED,
                                     SOV_ASSIGNMENT_CANCELLED))
        return sov_refuse_state(err, SOV_STREAM_ASSIGNMENT, n,
                                sov_policy_assignment_name(assignment.state), "");
    return sov_commit_lead(commit, &addition, done_out, err) &&
           claim_released(commit, &assignment, reason, err) &&
           sov_sow_follow_returned(commit, assignment.sow, n, SOV_SOW_READY, "assignment.cancelled",
                                   err);
}

bool sov_assignment_follow_cancelled(struct sov_commit *commit, int64_t n, const char *reason,
                                     struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_ASSIGNMENT_CANCELLED,
                                     .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, n) };
    struct sov_assignment assignment;

    if (!sov_assignment_get(commit->ledger, n, &commit->arena, &assignment, err)) return false;
    if (!sov_policy_assignment_is_live(assignment.state)) return true;
    return reason_payload(commit, reason, &addition.data, err) &&
           sov_commit_follow(commit, &addition, NULL, err) &&
           claim_released(commit, &assignment, reason, err);
}

bool sov_assignment_follow_ended(struct sov_commit *commit, int64_t n, enum sov_assignment_state to,
                                 int64_t receipt, int64_t fence, int64_t cause,
                                 struct sov_error *err)
{
    static const struct {
        enum sov_event_type type;
        enum sov_assignment_by by;
    } ends[SOV_ASSIGNMENT_STATE_COUNT] = {
        [SOV_ASSIGNMENT_COMPLETED] = { SOV_EVENT_ASSIGNMENT_COMPLETED,
                                       SOV_ASSIGNMENT_BY_COMPLETED },
        [SOV_ASSIGNMENT_BLOCKED] = { SOV_EVENT_ASSIGNMENT_BLOCKED, SOV_ASSIGNMENT_BY_BLOCKED },
        [SOV_ASSIGNMENT_FAILED] = { SOV_EVENT_ASSIGNMENT_FAILED, SOV_ASSIGNMENT_BY_FAILED },
    };
    struct sov_addition addition = { .type = ends[to].type,
                                     .fence = fence,
                                     .cause = { cause },
                                     .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, n) };
    struct sov_writer w = sov_commit_writer(commit);
    struct sov_assignment assignment;

    assert(ends[to].type);
    sov_write_object(&w);
    sov_put_number(&w, "receipt", SOV_STREAM_RECEIPT, receipt);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &addition.data, err) ||
        !sov_assignment_get(commit->ledger, n, &commit->arena, &assignment, err))
        return false;
    if (!sov_policy_assignment_arrow(assignment.state, ends[to].by, to))
        return sov_refuse_state(err, SOV_STREAM_ASSIGNMENT, n,
                                sov_policy_assignment_name(assignment.state), "");
    return sov_commit_follow(commit, &addition, NULL, err);
}
