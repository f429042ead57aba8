/* How a term begins again: reopening, by an actor or by the pulse. */
#include <assert.h>
#include <stdio.h>

#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/outcome.sql.h"
#include "ledger/row.h"

struct leave {
    int64_t ruling, seq; /* 0: none */
};

/* ruling 0: left out. */
static bool payload(struct sov_commit *commit, const char *reason, int64_t ruling, int64_t term,
                    struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    if (ruling) sov_put_number(&w, "ruling", SOV_STREAM_RULING, ruling);
    sov_put_int(&w, "term", term);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* Either of the two; which of them depends on the state. */
static bool authorised(struct sov_commit *commit, struct sov_error *err)
{
    struct sov_error close = { 0 };

    return sov_commit_authorise(commit, SOV_MAY_CLOSE, &close) ||
           sov_commit_authorise(commit, SOV_MAY_STEER, err);
}

/* The newest unrevoked ruling with effect reopen on the outcome: ruling_missing. */
static bool leave_read(struct sov_commit *commit, int64_t n, struct leave *leave_out,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    char stream[64];
    bool found;

    snprintf(stream, sizeof stream, "outcome/OUT-%lld", (long long)n);
    if (!sov_stmt_open(&stmt, commit->ledger->state, outcome_reopening_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(stream));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found) {
        sov_error_set(err, SOV_DENIED, "ruling_missing", "no ruling gives leave to reopen OUT-%lld",
                      (long long)n);
        return sov_refuse_about(err, SOV_STREAM_OUTCOME, n);
    }
    *leave_out = (struct leave){ sov_column_int(&stmt, 0), sov_column_int(&stmt, 1) };
    return true;
}

static bool arrow(struct sov_commit *commit, const struct sov_outcome *outcome,
                  struct leave *leave_out, struct sov_error *err)
{
    if (outcome->state == SOV_OUTCOME_VIOLATED && commit->act.actor &&
        !sov_commit_authorise(commit, SOV_MAY_STEER, err))
        return false;
    if (outcome->state == SOV_OUTCOME_ACCEPTED && commit->act.actor &&
        !sov_commit_authorise(commit, SOV_MAY_CLOSE, err))
        return false;
    if (!sov_policy_outcome_arrow(outcome->state, SOV_OUTCOME_BY_REOPENED, SOV_OUTCOME_ACTIVE))
        return sov_refuse_state(err, SOV_STREAM_OUTCOME, outcome->n,
                                sov_policy_outcome_name(outcome->state), "");
    *leave_out = (struct leave){ 0, 0 };
    return outcome->state != SOV_OUTCOME_ACCEPTED || leave_read(commit, outcome->n, leave_out, err);
}

bool sov_outcome_reopen(struct sov_commit *commit, int64_t n, const char *reason,
                        struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_OUTCOME_REOPENED,
                                     .stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n) };
    struct sov_outcome outcome;
    struct leave leave;
    bool again;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err) ||
        !payload(commit, reason, 0, 0, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!authorised(commit, err) ||
        !sov_outcome_get(commit->ledger, n, &commit->arena, &outcome, err) ||
        !sov_commit_expect(commit, &addition.stream, err) ||
        !arrow(commit, &outcome, &leave, err) ||
        !payload(commit, reason, leave.ruling, outcome.term + 1, &addition.data, err))
        return false;
    addition.cause[0] = leave.seq;
    return sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_outcome_follow_reopened(struct sov_commit *commit, int64_t n, const char *reason,
                                 struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_OUTCOME_REOPENED,
                                     .stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n) };
    struct sov_outcome outcome;

    if (!sov_outcome_get(commit->ledger, n, &commit->arena, &outcome, err)) return false;
    /* The pulse has leave for a violated one only. */
    if (outcome.state != SOV_OUTCOME_VIOLATED)
        return sov_refuse_state(err, SOV_STREAM_OUTCOME, n, sov_policy_outcome_name(outcome.state),
                                "the pulse reopens what is violated");
    return sov_policy_reason(sov_bytes_text(reason), err) &&
           payload(commit, reason, 0, outcome.term + 1, &addition.data, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}
