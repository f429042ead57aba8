/* What host says of a SOW behind the leads of others. */
#include <assert.h>

#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/sow.h"

static bool follow(struct sov_commit *commit, struct sov_addition *addition, enum sov_sow_by by,
                   enum sov_sow_state to, struct sov_error *err)
{
    struct sov_sow sow;

    if (!sov_commit_payload(commit, &addition->data, err) ||
        !sov_sow_get(commit->ledger, addition->stream.n, &commit->arena, &sow, err))
        return false;
    if (!sov_policy_sow_arrow(sow.state, by, to))
        return sov_refuse_state(err, SOV_STREAM_SOW, sow.n, sov_policy_sow_name(sow.state), "");
    return sov_commit_follow(commit, addition, NULL, err);
}

bool sov_sow_follow_assigned(struct sov_commit *commit, int64_t n, int64_t assignment,
                             int64_t round, int64_t cause, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_ASSIGNED,
                                     .cause = { cause },
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_number(&w, "assignment", SOV_STREAM_ASSIGNMENT, assignment);
    sov_put_int(&w, "round", round);
    sov_write_end(&w);
    return follow(commit, &addition, SOV_SOW_BY_ASSIGNED, SOV_SOW_ASSIGNED, err);
}

bool sov_sow_follow_started(struct sov_commit *commit, int64_t n, int64_t assignment,
                            int64_t attempt, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_STARTED,
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_number(&w, "assignment", SOV_STREAM_ASSIGNMENT, assignment);
    sov_put_int(&w, "attempt", attempt);
    sov_write_end(&w);
    return follow(commit, &addition, SOV_SOW_BY_STARTED, SOV_SOW_RUNNING, err);
}

static bool follow_receipt(struct sov_commit *commit, struct sov_addition *addition,
                           int64_t assignment, int64_t receipt, enum sov_sow_by by,
                           enum sov_sow_state to, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_number(&w, "assignment", SOV_STREAM_ASSIGNMENT, assignment);
    sov_put_number(&w, "receipt", SOV_STREAM_RECEIPT, receipt);
    sov_write_end(&w);
    return follow(commit, addition, by, to, err);
}

bool sov_sow_follow_submitted(struct sov_commit *commit, int64_t n, int64_t assignment,
                              int64_t receipt, int64_t fence, int64_t cause, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_SUBMITTED,
                                     .fence = fence,
                                     .cause = { cause },
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };

    return follow_receipt(commit, &addition, assignment, receipt, SOV_SOW_BY_SUBMITTED,
                          SOV_SOW_REVIEW, err);
}

bool sov_sow_follow_blocked(struct sov_commit *commit, int64_t n, int64_t assignment,
                            int64_t receipt, int64_t fence, int64_t cause, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_BLOCKED,
                                     .fence = fence,
                                     .cause = { cause },
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };

    return follow_receipt(commit, &addition, assignment, receipt, SOV_SOW_BY_BLOCKED,
                          SOV_SOW_BLOCKED, err);
}

bool sov_sow_follow_failed(struct sov_commit *commit, int64_t n,
                           const struct sov_sow_failure *failure, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_FAILED,
                                     .fence = failure->fence,
                                     .cause = { failure->cause },
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    if (failure->assignment)
        sov_put_number(&w, "assignment", SOV_STREAM_ASSIGNMENT, failure->assignment);
    if (failure->receipt) sov_put_number(&w, "receipt", SOV_STREAM_RECEIPT, failure->receipt);
    if (failure->review) sov_put_number(&w, "review", SOV_STREAM_REVIEW, failure->review);
    sov_put_text(&w, "why", failure->why);
    sov_write_end(&w);
    return follow(commit, &addition, SOV_SOW_BY_FAILED, SOV_SOW_FAILED, err);
}

bool sov_sow_follow_returned(struct sov_commit *commit, int64_t n, int64_t assignment,
                             enum sov_sow_state to, const char *why, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_RETURNED,
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };
    struct sov_writer w = sov_commit_writer(commit);

    assert(to == SOV_SOW_READY || to == SOV_SOW_ASSIGNED);
    sov_write_object(&w);
    sov_put_number(&w, "assignment", SOV_STREAM_ASSIGNMENT, assignment);
    sov_put_text(&w, "to", sov_policy_sow_name(to));
    sov_put_text(&w, "why", why);
    sov_write_end(&w);
    return follow(commit, &addition, SOV_SOW_BY_RETURNED, to, err);
}

bool sov_sow_follow_reverified(struct sov_commit *commit, int64_t n, int64_t verification,
                               struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_REVERIFIED,
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_number(&w, "verification", SOV_STREAM_VERIFICATION, verification);
    sov_write_end(&w);
    return follow(commit, &addition, SOV_SOW_BY_REVERIFIED, SOV_SOW_REVIEW, err);
}

static bool follow_reviews(struct sov_commit *commit, struct sov_addition *addition,
                           const int64_t *reviews, size_t count, enum sov_sow_by by,
                           enum sov_sow_state to, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_list(&w, "reviews");
    for (size_t i = 0; i < count; i++) {
        struct sov_stream review = sov_stream_numbered(SOV_STREAM_REVIEW, reviews[i]);

        sov_write_text(&w, sov_bytes_text(sov_stream_id(&review, &commit->arena)));
    }
    sov_write_end(&w);
    sov_write_end(&w);
    return follow(commit, addition, by, to, err);
}

bool sov_sow_follow_accepted(struct sov_commit *commit, int64_t n, const int64_t *reviews,
                             size_t count, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_ACCEPTED,
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };

    return follow_reviews(commit, &addition, reviews, count, SOV_SOW_BY_ACCEPTED, SOV_SOW_ACCEPTED,
                          err);
}

bool sov_sow_follow_changes_requested(struct sov_commit *commit, int64_t n, const int64_t *reviews,
                                      size_t count, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_CHANGES_REQUESTED,
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };

    return follow_reviews(commit, &addition, reviews, count, SOV_SOW_BY_CHANGES_REQUESTED,
                          SOV_SOW_CHANGES_REQUESTED, err);
}
