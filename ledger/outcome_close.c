/* How an outcome ends, with the closing cascade; and what host says of one behind other leads. */
#include <assert.h>

#include "ledger/assignment.h"
#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/outcome.sql.h"
#include "ledger/row.h"

/* ---- fail, cancel ---- */

static bool payload(struct sov_commit *commit, const char *reason, int64_t successor,
                    struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    if (successor) sov_put_number(&w, "successor", SOV_STREAM_OUTCOME, successor);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

struct live_sow {
    int64_t n, assignment;
};

static bool live_sows(struct sov_commit *commit, int64_t outcome, struct live_sow **rows_out,
                      size_t *count_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct live_sow *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, commit->ledger->state, outcome_live_sows_sql, err)) return false;
    sov_bind_int(&stmt, 1, outcome);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(&commit->arena, rows, count, sizeof *rows);
        rows[count++] = (struct live_sow){ sov_column_int(&stmt, 0), sov_column_int(&stmt, 1) };
    }
    *rows_out = rows;
    *count_out = count;
    return true;
}

/* For each live SOW in id order: withdrawn, its assignment cancelled, the claim released. */
static bool cascade(struct sov_commit *commit, int64_t outcome, const char *reason,
                    struct sov_error *err)
{
    struct sov_addition withdrawn = { .type = SOV_EVENT_SOW_WITHDRAWN };
    struct live_sow *rows;
    struct sov_writer w;
    size_t count;

    if (!live_sows(commit, outcome, &rows, &count, err)) return false;
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &withdrawn.data, err)) return false;
    for (size_t i = 0; i < count; i++) {
        withdrawn.stream = sov_stream_numbered(SOV_STREAM_SOW, rows[i].n);
        if (!sov_commit_follow(commit, &withdrawn, NULL, err)) return false;
        if (rows[i].assignment &&
            !sov_assignment_follow_cancelled(commit, rows[i].assignment, reason, err))
            return false;
    }
    return true;
}

/* A successor of a closed outcome is another one, itself not closed. */
static bool successor_fits(int64_t n, const struct sov_outcome *other, struct sov_error *err)
{
    if (other->n != n && other->state != SOV_OUTCOME_FAILED &&
        other->state != SOV_OUTCOME_CANCELLED)
        return true;
    sov_error_set(err, SOV_USAGE, "successor_invalid", "OUT-%lld cannot succeed OUT-%lld",
                  (long long)other->n, (long long)n);
    return sov_refuse_about(err, SOV_STREAM_OUTCOME, n);
}

static bool closed(struct sov_commit *commit, enum sov_event_type type, enum sov_outcome_by by,
                   enum sov_outcome_state to, int64_t n, const char *reason, int64_t successor,
                   struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = type,
                                     .stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n) };
    struct sov_outcome outcome, other = { 0 };
    bool again;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err) ||
        !payload(commit, reason, successor, &addition.data, err) ||
        !sov_commit_ask(commit, type, &addition.stream, addition.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!sov_outcome_get(commit->ledger, n, &commit->arena, &outcome, err)) return false;
    if (successor && !sov_outcome_get(commit->ledger, successor, &commit->arena, &other, err))
        return false;
    if (!sov_commit_expect(commit, &addition.stream, err)) return false;
    if (!sov_policy_outcome_arrow(outcome.state, by, to))
        return sov_refuse_state(err, SOV_STREAM_OUTCOME, n, sov_policy_outcome_name(outcome.state),
                                "");
    return (!successor || successor_fits(n, &other, err)) &&
           sov_commit_lead(commit, &addition, done_out, err) && cascade(commit, n, reason, err);
}

bool sov_outcome_fail(struct sov_commit *commit, int64_t n, const char *reason, int64_t successor,
                      struct sov_done *done_out, struct sov_error *err)
{
    return closed(commit, SOV_EVENT_OUTCOME_FAILED, SOV_OUTCOME_BY_FAILED, SOV_OUTCOME_FAILED, n,
                  reason, successor, done_out, err);
}

bool sov_outcome_cancel(struct sov_commit *commit, int64_t n, const char *reason, int64_t successor,
                        struct sov_done *done_out, struct sov_error *err)
{
    return closed(commit, SOV_EVENT_OUTCOME_CANCELLED, SOV_OUTCOME_BY_CANCELLED,
                  SOV_OUTCOME_CANCELLED, n, reason, successor, done_out, err);
}

/* ---- consequences ---- */

static bool follow(struct sov_commit *commit, const struct sov_addition *addition,
                   enum sov_outcome_by by, enum sov_outcome_state to, struct sov_error *err)
{
    struct sov_outcome outcome;

    if (!sov_outcome_get(commit->ledger, addition->stream.n, &commit->arena, &outcome, err))
        return false;
    if (!sov_policy_outcome_arrow(outcome.state, by, to))
        return sov_refuse_state(err, SOV_STREAM_OUTCOME, outcome.n,
                                sov_policy_outcome_name(outcome.state), "");
    return sov_commit_follow(commit, addition, NULL, err);
}

bool sov_outcome_follow_resumed(struct sov_commit *commit, int64_t n, const char *why,
                                struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_OUTCOME_RESUMED,
                                     .stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n) };
    struct sov_outcome outcome;
    struct sov_writer w;

    if (!sov_outcome_get(commit->ledger, n, &commit->arena, &outcome, err)) return false;
    if (outcome.state != SOV_OUTCOME_VERIFYING) return true;
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_text(&w, "why", why);
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}

bool sov_outcome_follow_verifying(struct sov_commit *commit, int64_t n, int64_t verification,
                                  struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_OUTCOME_VERIFYING,
                                     .stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n) };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_number(&w, "verification", SOV_STREAM_VERIFICATION, verification);
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           follow(commit, &addition, SOV_OUTCOME_BY_VERIFYING, SOV_OUTCOME_VERIFYING, err);
}

bool sov_outcome_follow_violated(struct sov_commit *commit, int64_t n, int64_t verification,
                                 const char *const *failing, size_t failing_count,
                                 struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_OUTCOME_VIOLATED,
                                     .stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n) };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_list(&w, "failing");
    for (size_t i = 0; i < failing_count; i++) sov_write_text(&w, sov_bytes_text(failing[i]));
    sov_write_end(&w);
    sov_put_number(&w, "verification", SOV_STREAM_VERIFICATION, verification);
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           follow(commit, &addition, SOV_OUTCOME_BY_VIOLATED, SOV_OUTCOME_VIOLATED, err);
}

bool sov_outcome_follow_accepted(struct sov_commit *commit, int64_t n, int64_t acceptance,
                                 const struct sov_hash *case_digest, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_OUTCOME_ACCEPTED,
                                     .stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n) };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_number(&w, "acceptance", SOV_STREAM_ACCEPTANCE, acceptance);
    sov_put_hex(&w, "case_digest", sov_hash_bytes(case_digest));
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           follow(commit, &addition, SOV_OUTCOME_BY_ACCEPTED, SOV_OUTCOME_ACCEPTED, err);
}
