/* outcome.* events into state_outcome. */
#include <assert.h>

#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/outcome_fold.sql.h"
#include "ledger/row.h"

struct row {
    enum sov_outcome_state state, blocked_from;
    int64_t term;
};

static bool row_read(struct sov_fold *fold, const struct sov_event *event, struct row *row_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, fold->db, outcome_row_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *row_out = (struct row){ 0 };
    if (!found) return true;
    sov_policy_outcome_state(sov_row_text(&stmt, 0, fold->arena), &row_out->state);
    sov_policy_outcome_state(sov_row_text(&stmt, 1, fold->arena), &row_out->blocked_from);
    row_out->term = sov_column_int(&stmt, 2);
    return true;
}

/* Where the event leads from here, by what its stream has made of it so far. */
static bool target(const struct sov_event *event, const struct row *row,
                   enum sov_outcome_by *by_out, enum sov_outcome_state *to_out)
{
    static const struct {
        enum sov_event_type type;
        enum sov_outcome_by by;
        enum sov_outcome_state to;
    } arrows[] = {
        { SOV_EVENT_OUTCOME_DEFINED, SOV_OUTCOME_BY_DEFINED, SOV_OUTCOME_PROPOSED },
        { SOV_EVENT_OUTCOME_REVISED, SOV_OUTCOME_BY_REVISED, SOV_OUTCOME_NONE }, /* stays */
        { SOV_EVENT_OUTCOME_ACTIVATED, SOV_OUTCOME_BY_ACTIVATED, SOV_OUTCOME_ACTIVE },
        { SOV_EVENT_OUTCOME_VERIFYING, SOV_OUTCOME_BY_VERIFYING, SOV_OUTCOME_VERIFYING },
        { SOV_EVENT_OUTCOME_RESUMED, SOV_OUTCOME_BY_RESUMED, SOV_OUTCOME_ACTIVE },
        { SOV_EVENT_OUTCOME_ACCEPTED, SOV_OUTCOME_BY_ACCEPTED, SOV_OUTCOME_ACCEPTED },
        { SOV_EVENT_OUTCOME_VIOLATED, SOV_OUTCOME_BY_VIOLATED, SOV_OUTCOME_VIOLATED },
        { SOV_EVENT_OUTCOME_REOPENED, SOV_OUTCOME_BY_REOPENED, SOV_OUTCOME_ACTIVE },
        { SOV_EVENT_OUTCOME_BLOCKED, SOV_OUTCOME_BY_BLOCKED, SOV_OUTCOME_BLOCKED },
        { SOV_EVENT_OUTCOME_UNBLOCKED, SOV_OUTCOME_BY_UNBLOCKED, SOV_OUTCOME_ACTIVE },
        { SOV_EVENT_OUTCOME_FAILED, SOV_OUTCOME_BY_FAILED, SOV_OUTCOME_FAILED },
        { SOV_EVENT_OUTCOME_CANCELLED, SOV_OUTCOME_BY_CANCELLED, SOV_OUTCOME_CANCELLED },
    };

    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        if (arrows[i].type != event->type) continue;
        *by_out = arrows[i].by;
        *to_out = arrows[i].to ? arrows[i].to : row->state;
        if (event->type == SOV_EVENT_OUTCOME_UNBLOCKED && row->blocked_from == SOV_OUTCOME_VIOLATED)
            *to_out = SOV_OUTCOME_VIOLATED;
        return true;
    }
    return false;
}

static void definition_bind(struct sov_stmt *stmt, int first, const struct sov_event *event,
                            struct sov_hash *digest, struct sov_fold *fold)
{
    static const char *const names[] = { "title", "desired_state", "subject" };

    for (int i = 0; i < 3; i++)
        sov_bind_text(stmt, first + i, sov_data_text(event, names[i], fold->arena));
    sov_bind_text(stmt, first + 3, sov_data(event, "checks").octets);
    sov_bind_text(stmt, first + 4, sov_data_text(event, "owner", fold->arena));
    sov_unhex(sov_value_plain(sov_data(event, "definition_digest")), digest->octets,
              sizeof digest->octets);
    sov_bind_blob(stmt, first + 5, sov_hash_bytes(digest));
}

static bool defined(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash digest = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, outcome_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    definition_bind(&stmt, 2, event, &digest, fold);
    sov_bind_int(&stmt, 8, event->seq);
    return sov_stmt_run(&stmt, err);
}

static bool revised(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash digest = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, outcome_revise_sql, err)) return false;
    definition_bind(&stmt, 1, event, &digest, fold);
    sov_bind_int(&stmt, 7, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

static bool number_set(struct sov_fold *fold, const char *sql, int64_t number, int64_t n,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, sql, err)) return false;
    sov_bind_number(&stmt, 1, number);
    sov_bind_int(&stmt, 2, n);
    return sov_stmt_run(&stmt, err);
}

static bool term_begun(struct sov_fold *fold, const struct sov_event *event, int64_t term,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (event->type == SOV_EVENT_OUTCOME_REOPENED && sov_data_int(event, "term") != term)
        return sov_fold_fail(err, event, "the term after a reopening is %lld", (long long)term);
    if (!sov_stmt_open(&stmt, fold->db, outcome_term_sql, err)) return false;
    sov_bind_int(&stmt, 1, term);
    sov_bind_int(&stmt, 2, event->seq);
    sov_bind_int(&stmt, 3, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

static bool state_set(struct sov_fold *fold, int64_t n, enum sov_outcome_state from,
                      enum sov_outcome_state to, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, outcome_state_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(sov_policy_outcome_name(to)));
    if (to == SOV_OUTCOME_BLOCKED)
        sov_bind_text(&stmt, 2, sov_bytes_text(sov_policy_outcome_name(from)));
    else
        sov_bind_null(&stmt, 2);
    sov_bind_int(&stmt, 3, n);
    return sov_stmt_run(&stmt, err);
}

bool sov_outcome_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    int64_t n = event->stream.n;
    enum sov_outcome_state to;
    enum sov_outcome_by by;
    struct row row;

    if (!row_read(fold, event, &row, err)) return false;
    if (!target(event, &row, &by, &to) || !sov_policy_outcome_arrow(row.state, by, to))
        return sov_fold_fail(err, event, "OUT-%lld is %s: %s leads nowhere", (long long)n,
                             sov_policy_outcome_name(row.state), sov_event_row(event->type)->type);
    if (event->type == SOV_EVENT_OUTCOME_DEFINED) return defined(fold, event, err);
    if (event->type == SOV_EVENT_OUTCOME_REVISED) return revised(fold, event, err);
    if (!state_set(fold, n, row.state, to, err)) return false;
    if (event->type == SOV_EVENT_OUTCOME_ACTIVATED || event->type == SOV_EVENT_OUTCOME_REOPENED)
        return term_begun(fold, event, row.term + 1, err);
    if (event->type == SOV_EVENT_OUTCOME_ACCEPTED)
        return number_set(fold, outcome_accept_sql,
                          sov_data_number(event, "acceptance", SOV_STREAM_ACCEPTANCE), n, err);
    if (event->type == SOV_EVENT_OUTCOME_FAILED || event->type == SOV_EVENT_OUTCOME_CANCELLED)
        return number_set(fold, outcome_succeed_sql,
                          sov_data_number(event, "successor", SOV_STREAM_OUTCOME), n, err);
    return true;
}
