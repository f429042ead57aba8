/* Outcomes: reads, and the operations on what they are. How they end: outcome_close.c. */
#include "ledger/outcome.h"

#include <assert.h>
#include <stdio.h>

#include "base/text.h"
#include "ledger/actor.h"
#include "ledger/log.h"
#include "ledger/outcome.sql.h"
#include "ledger/row.h"

/* ---- reads ---- */

static void row_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                     struct sov_outcome *outcome_out)
{
    const char *state = sov_row_text(stmt, 7, arena), *from = sov_row_text(stmt, 8, arena);

    *outcome_out = (struct sov_outcome){
        .n = sov_column_int(stmt, 0),
        .title = sov_row_text(stmt, 1, arena),
        .desired_state = sov_row_text(stmt, 2, arena),
        .owner = sov_row_text(stmt, 3, arena),
        .subject = sov_row_text(stmt, 4, arena),
        .checks = sov_row_bytes(stmt, 5, arena),
        .definition_digest = sov_row_hash(stmt, 6),
        .term = sov_column_int(stmt, 9),
        .term_seq = sov_column_int(stmt, 10),
        .acceptance = sov_column_int(stmt, 11),
        .successor = sov_column_int(stmt, 12),
        .seq = sov_column_int(stmt, 13),
    };
    sov_policy_outcome_state(state, &outcome_out->state);
    if (from) sov_policy_outcome_state(from, &outcome_out->blocked_from);
}

bool sov_outcome_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                      struct sov_outcome *outcome_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, outcome_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, outcome_out);
    *found_out = found;
    return true;
}

bool sov_outcome_get(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                     struct sov_outcome *outcome_out, struct sov_error *err)
{
    bool found;

    if (!sov_outcome_find(ledger, n, arena, outcome_out, &found, err)) return false;
    return found ? true : sov_refuse_absent(err, SOV_STREAM_OUTCOME, n);
}

static bool rows_read(struct sov_stmt *stmt, struct sov_arena *arena,
                      struct sov_outcomes *outcomes_out, struct sov_error *err)
{
    struct sov_outcome *rows = NULL;
    size_t count = 0;
    bool found;

    for (;;) {
        if (!sov_stmt_row(stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        row_read(stmt, arena, &rows[count++]);
    }
    *outcomes_out = (struct sov_outcomes){ rows, count };
    return true;
}

bool sov_outcome_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                      struct sov_outcomes *outcomes_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    return sov_stmt_open(&stmt, ledger->state, outcome_list_sql, err) &&
           rows_read(&stmt, arena, outcomes_out, err);
}

bool sov_outcome_about(const struct sov_ledger *ledger, const char *subject,
                       struct sov_arena *arena, struct sov_outcomes *outcomes_out,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, outcome_about_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(subject));
    sov_bind_int(&stmt, 2, sov_id_number(sov_bytes_text(subject), SOV_STREAM_OUTCOME));
    return rows_read(&stmt, arena, outcomes_out, err);
}

bool sov_outcome_open(const struct sov_outcome *outcome, struct sov_error *err)
{
    if (sov_policy_outcome_is_open(outcome->state)) return true;
    sov_error_set(err, SOV_CONFLICT, "outcome_not_open", "OUT-%lld is %s", (long long)outcome->n,
                  sov_policy_outcome_name(outcome->state));
    return sov_refuse_about(err, SOV_STREAM_OUTCOME, outcome->n);
}

static bool count_read(const struct sov_ledger *ledger, const char *sql, struct sov_bytes text,
                       int64_t a, int64_t b, int64_t *count_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, sql, err)) return false;
    if (text.data) {
        sov_bind_text(&stmt, 1, text);
    } else {
        sov_bind_int(&stmt, 1, a);
        sov_bind_int(&stmt, 2, b);
    }
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *count_out = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

/* ---- define, revise ---- */

/* C1: what the registry's row cannot say. */
static bool well_formed(const struct sov_outcome_request *request, struct sov_error *err)
{
    static const struct sov_scan_rules rules = { 256 * 1024, 14, false };

    if (!sov_policy_text("title", sov_bytes_text(request->title ? request->title : ""),
                         SOV_TEXT_TITLE, err) ||
        !sov_policy_text("desired_state",
                         sov_bytes_text(request->desired_state ? request->desired_state : ""),
                         SOV_TEXT_DESIRED_STATE, err))
        return false;
    if (request->subject &&
        !sov_policy_text("subject", sov_bytes_text(request->subject), SOV_TEXT_SUBJECT, err))
        return false;
    if (!request->owner || !sov_text_is_id(sov_bytes_text(request->owner)))
        return sov_fail(err, SOV_USAGE, "bad_value", "the owner is no id of an actor");
    return sov_scan_canonical(request->checks, &rules, err);
}

static bool payload(struct sov_commit *commit, const struct sov_outcome_request *request,
                    struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);
    struct sov_hash digest = sov_definition_digest(
        request->checks, sov_bytes_text(request->desired_state), request->subject);

    sov_write_object(&w);
    sov_put_raw(&w, "checks", request->checks);
    sov_put_hex(&w, "definition_digest", sov_hash_bytes(&digest));
    sov_put_text(&w, "desired_state", request->desired_state);
    sov_put_text(&w, "owner", request->owner);
    if (request->reason) sov_put_text(&w, "reason", request->reason);
    if (request->subject) sov_put_text(&w, "subject", request->subject);
    sov_put_text(&w, "title", request->title);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* C5 of the owner. */
static bool owner_there(struct sov_commit *commit, const char *owner, struct sov_error *err)
{
    struct sov_actor actor;
    bool found;

    if (!sov_actor_find(commit->ledger, owner, &commit->arena, &actor, &found, err)) return false;
    if (found) return true;
    sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no actor %s", owner);
    sov_error_ref(err, owner);
    return false;
}

/* checks_missing, too_large, check_invalid, subject_undeclared. */
static bool definition_holds(struct sov_commit *commit, const struct sov_outcome_request *request,
                             struct sov_error *err)
{
    struct sov_checks checks;
    int64_t declared = 0;

    if (!sov_checks_read(request->checks, &commit->arena, &checks, err)) return false;
    if (request->subject && !count_read(commit->ledger, outcome_subject_declared_sql,
                                        sov_bytes_text(request->subject), 0, 0, &declared, err))
        return false;
    for (size_t i = 0; i < checks.count; i++) {
        if (!checks.at[i].needs_subject || declared) continue;
        sov_error_set(err, SOV_USAGE, "subject_undeclared", "check %s needs a declared subject, %s",
                      checks.at[i].id,
                      request->subject ? "the outcome's is only named" : "the outcome has none");
        if (request->subject) sov_error_ref(err, request->subject);
        return false;
    }
    return true;
}

bool sov_outcome_define(struct sov_commit *commit, const struct sov_outcome_request *request,
                        struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_OUTCOME_DEFINED };
    struct sov_outcome_request asked = *request;
    bool again;

    asked.reason = NULL;
    if (!asked.owner) asked.owner = commit->act.actor;
    if (!well_formed(&asked, err) || !payload(commit, &asked, &addition.data, err)) return false;
    if (!sov_commit_ask(commit, addition.type, NULL, addition.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!owner_there(commit, asked.owner, err) || !sov_commit_expect(commit, NULL, err) ||
        !definition_holds(commit, &asked, err))
        return false;
    return sov_commit_next(commit, SOV_STREAM_OUTCOME, &addition.stream, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

/* subject_fixed: once the term has a SOW, what it is about stays. */
static bool subject_stays(struct sov_commit *commit, const struct sov_outcome *outcome,
                          const char *subject, struct sov_error *err)
{
    bool same = outcome->subject ? subject && strcmp(outcome->subject, subject) == 0 : !subject;
    int64_t sows;

    if (same) return true;
    if (!count_read(commit->ledger, outcome_term_sows_sql, sov_bytes(NULL, 0), outcome->n,
                    outcome->term, &sows, err))
        return false;
    if (!sows) return true;
    sov_error_set(err, SOV_CONFLICT, "subject_fixed", "term %lld of OUT-%lld has work on %s",
                  (long long)outcome->term, (long long)outcome->n,
                  outcome->subject ? outcome->subject : "no subject");
    return sov_refuse_about(err, SOV_STREAM_OUTCOME, outcome->n);
}

/* C5 to C7 of an operation on one outcome. `to` NONE: the state stays. */
static bool arrow(struct sov_commit *commit, const struct sov_stream *stream,
                  enum sov_outcome_by by, enum sov_outcome_state to,
                  struct sov_outcome *outcome_out, struct sov_error *err)
{
    struct sov_outcome outcome;

    if (!sov_outcome_get(commit->ledger, stream->n, &commit->arena, &outcome, err) ||
        !sov_commit_expect(commit, stream, err))
        return false;
    if (!sov_policy_outcome_arrow(outcome.state, by, to ? to : outcome.state))
        return sov_refuse_state(err, SOV_STREAM_OUTCOME, outcome.n,
                                sov_policy_outcome_name(outcome.state), "");
    *outcome_out = outcome;
    return true;
}

/* An owner that is not said stays who it is. */
static bool owner_default(struct sov_commit *commit, int64_t n, struct sov_outcome_request *asked,
                          struct sov_error *err)
{
    struct sov_outcome outcome;
    bool found;

    if (asked->owner) return true;
    if (!sov_outcome_find(commit->ledger, n, &commit->arena, &outcome, &found, err)) return false;
    asked->owner = found ? outcome.owner : commit->act.actor;
    return true;
}

bool sov_outcome_revise(struct sov_commit *commit, int64_t n,
                        const struct sov_outcome_request *request, struct sov_done *done_out,
                        struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_OUTCOME_REVISED,
                                     .stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n) };
    struct sov_outcome_request asked = *request;
    struct sov_outcome outcome;
    bool again;

    if (!sov_policy_reason(sov_bytes_text(asked.reason ? asked.reason : ""), err) ||
        !owner_default(commit, n, &asked, err) || !well_formed(&asked, err) ||
        !payload(commit, &asked, &addition.data, err))
        return false;
    if (!sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    return owner_there(commit, asked.owner, err) &&
           arrow(commit, &addition.stream, SOV_OUTCOME_BY_REVISED, SOV_OUTCOME_NONE, &outcome,
                 err) &&
           definition_holds(commit, &asked, err) &&
           subject_stays(commit, &outcome, asked.subject, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

/* ---- activate, block, unblock, reopen ---- */

bool sov_outcome_activate(struct sov_commit *commit, int64_t n, struct sov_done *done_out,
                          struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_OUTCOME_ACTIVATED,
                                     .stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n) };
    struct sov_outcome outcome;
    bool again;

    if (!sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!arrow(commit, &addition.stream, SOV_OUTCOME_BY_ACTIVATED, SOV_OUTCOME_ACTIVE, &outcome,
               err))
        return false;
    addition.cause[0] = outcome.seq;
    return sov_commit_lead(commit, &addition, done_out, err);
}

static bool reason_payload(struct sov_commit *commit, const char *reason,
                           struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err)) return false;
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_outcome_block(struct sov_commit *commit, int64_t n, const char *reason,
                       struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_OUTCOME_BLOCKED,
                                     .stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n) };
    struct sov_outcome outcome;
    bool again;

    if (!reason_payload(commit, reason, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    return arrow(commit, &addition.stream, SOV_OUTCOME_BY_BLOCKED, SOV_OUTCOME_BLOCKED, &outcome,
                 err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_outcome_unblock(struct sov_commit *commit, int64_t n, const char *reason,
                         struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_OUTCOME_UNBLOCKED,
                                     .stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n) };
    struct sov_outcome outcome;
    bool again;

    if (!reason_payload(commit, reason, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    /* Both targets of an unblocking begin at BLOCKED; the fold knows which of them it is. */
    return arrow(commit, &addition.stream, SOV_OUTCOME_BY_UNBLOCKED, SOV_OUTCOME_ACTIVE, &outcome,
                 err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}
