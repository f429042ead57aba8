/* How a SOW goes on and ends: retried, withdrawn, superseded, and what host says of it. */
#include <assert.h>
#include <string.h>

#include "ledger/assignment.h"
#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/row.h"
#include "ledger/sow.h"
#include "ledger/sow.sql.h"

/* C5 to C7 of an operation on one SOW. */
static bool arrow(struct sov_commit *commit, const struct sov_stream *stream, enum sov_sow_by by,
                  enum sov_sow_state to, struct sov_sow *sow_out, struct sov_outcome *outcome_out,
                  struct sov_error *err)
{
    struct sov_sow sow;

    if (!sov_sow_get(commit->ledger, stream->n, &commit->arena, &sow, err) ||
        !sov_outcome_get(commit->ledger, sow.outcome, &commit->arena, outcome_out, err) ||
        !sov_commit_expect(commit, stream, err))
        return false;
    if (!sov_policy_sow_arrow(sow.state, by, to))
        return sov_refuse_state(err, SOV_STREAM_SOW, sow.n, sov_policy_sow_name(sow.state), "");
    *sow_out = sow;
    return true;
}

/* ---- retry ---- */

static bool retry_payload(struct sov_commit *commit, const char *reason,
                          const struct sov_inspection *inspection, struct sov_bytes *data_out,
                          struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    if (inspection) {
        sov_put_object(&w, "inspection");
        sov_put_text(&w, "found", inspection->found);
        sov_put_text(&w, "text", inspection->text);
        sov_write_end(&w);
    }
    sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static bool inspection_formed(const struct sov_inspection *inspection, struct sov_error *err)
{
    if (!inspection) return true;
    if (!inspection->found || (strcmp(inspection->found, "happened") != 0 &&
                               strcmp(inspection->found, "did_not_happen") != 0 &&
                               strcmp(inspection->found, "irrelevant") != 0))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "an inspection finds happened, did_not_happen or irrelevant");
    return sov_policy_text("inspection", sov_bytes_text(inspection->text ? inspection->text : ""),
                           SOV_TEXT_REASON, err);
}

/* What is unknown is not redone: somebody must have looked. */
static bool inspected(struct sov_commit *commit, const struct sov_sow *sow,
                      const struct sov_inspection *inspection, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, commit->ledger->state, sow_effects_unknown_sql, err)) return false;
    sov_bind_int(&stmt, 1, sow->n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found || !sov_column_int(&stmt, 0) || inspection) return true;
    sov_error_set(err, SOV_DENIED, "unknown_outcome",
                  "whether the last run of SOW-%lld had effects is unknown", (long long)sow->n);
    return sov_refuse_about(err, SOV_STREAM_SOW, sow->n);
}

bool sov_sow_retry(struct sov_commit *commit, int64_t n, const char *reason,
                   const struct sov_inspection *inspection, struct sov_done *done_out,
                   struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_RETRIED,
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };
    struct sov_outcome outcome;
    struct sov_sow sow;
    bool again;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err) ||
        !inspection_formed(inspection, err) ||
        !retry_payload(commit, reason, inspection, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!arrow(commit, &addition.stream, SOV_SOW_BY_RETRIED, SOV_SOW_READY, &sow, &outcome, err) ||
        !sov_outcome_open(&outcome, err) || !sov_sow_rounds_left(commit, &sow, err) ||
        !inspected(commit, &sow, inspection, err))
        return false;
    return sov_commit_lead(commit, &addition, done_out, err) &&
           sov_outcome_follow_resumed(commit, outcome.n, "sow.retried", err);
}

bool sov_sow_rounds_left(struct sov_commit *commit, const struct sov_sow *sow,
                         struct sov_error *err)
{
    if (sow->rounds < commit->policy->limits_assignments_per_sow) return true;
    sov_error_set(err, SOV_DENIED, "rounds_exhausted", "SOW-%lld has had %lld assignments",
                  (long long)sow->n, (long long)sow->rounds);
    return sov_refuse_about(err, SOV_STREAM_SOW, sow->n);
}

/* ---- withdraw, supersede ---- */

/* A hopeless statement of work may be given up while its outcome is open or blocked. */
static bool outcome_lets_go(const struct sov_outcome *outcome, struct sov_error *err)
{
    return outcome->state == SOV_OUTCOME_BLOCKED || sov_outcome_open(outcome, err);
}

static bool end_payload(struct sov_commit *commit, const char *reason, int64_t successor,
                        struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    if (successor) sov_put_number(&w, "successor", SOV_STREAM_SOW, successor);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static bool work_ended(struct sov_commit *commit, const struct sov_sow *sow, const char *reason,
                       struct sov_error *err)
{
    return !sow->assignment ||
           sov_assignment_follow_cancelled(commit, sow->assignment, reason, err);
}

bool sov_sow_withdraw(struct sov_commit *commit, int64_t n, const char *reason,
                      struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_WITHDRAWN,
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };
    struct sov_outcome outcome;
    struct sov_sow sow;
    bool again;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err) ||
        !end_payload(commit, reason, 0, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    return arrow(commit, &addition.stream, SOV_SOW_BY_WITHDRAWN, SOV_SOW_WITHDRAWN, &sow, &outcome,
                 err) &&
           outcome_lets_go(&outcome, err) && sov_commit_lead(commit, &addition, done_out, err) &&
           work_ended(commit, &sow, reason, err);
}

/* Another one of the same outcome and term that still counts. */
static bool succeeds(const struct sov_sow *sow, const struct sov_sow *successor,
                     struct sov_error *err)
{
    if (successor->n != sow->n && successor->outcome == sow->outcome &&
        successor->term == sow->term && sov_policy_sow_counts(successor->state))
        return true;
    sov_error_set(err, SOV_USAGE, "successor_invalid", "SOW-%lld cannot succeed SOW-%lld",
                  (long long)successor->n, (long long)sow->n);
    return sov_refuse_about(err, SOV_STREAM_SOW, sow->n);
}

bool sov_sow_supersede(struct sov_commit *commit, int64_t n, int64_t successor, const char *reason,
                       struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_SUPERSEDED,
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };
    struct sov_sow sow, other;
    struct sov_outcome outcome;
    bool again;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err) ||
        !end_payload(commit, reason, successor, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!sov_sow_get(commit->ledger, successor, &commit->arena, &other, err) ||
        !arrow(commit, &addition.stream, SOV_SOW_BY_SUPERSEDED, SOV_SOW_SUPERSEDED, &sow, &outcome,
               err) ||
        !outcome_lets_go(&outcome, err) || !succeeds(&sow, &other, err))
        return false;
    addition.cause[0] = other.seq;
    return sov_commit_lead(commit, &addition, done_out, err) &&
           work_ended(commit, &sow, reason, err);
}
