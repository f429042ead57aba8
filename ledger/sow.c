/* Statements of work: reads, and the operations on what they are. How they go on: sow_end.c. */
#include "ledger/sow.h"

#include <assert.h>

#include "base/text.h"
#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/row.h"
#include "ledger/sow.sql.h"

/* ---- reads ---- */

static void row_read(const struct sov_stmt *stmt, struct sov_arena *arena, struct sov_sow *sow_out)
{
    struct sov_sow sow = {
        .n = sov_column_int(stmt, 0),
        .outcome = sov_column_int(stmt, 1),
        .term = sov_column_int(stmt, 2),
        .title = sov_row_text(stmt, 3, arena),
        .scope = sov_row_text(stmt, 4, arena),
        .role = sov_row_text(stmt, 5, arena),
        .done_when = sov_row_text(stmt, 6, arena),
        .effect = sov_row_text(stmt, 7, arena),
        .effect_required = sov_column_int(stmt, 8) != 0,
        .origin = sov_row_text(stmt, 11, arena),
        .origin_seq = sov_column_int(stmt, 12),
        .author = sov_row_text(stmt, 13, arena),
        .on_behalf = sov_row_text(stmt, 14, arena),
        .rounds = sov_column_int(stmt, 16),
        .assignment = sov_column_int(stmt, 17),
        .receipt = sov_column_int(stmt, 18),
        .successor = sov_column_int(stmt, 19),
        .inspection = sov_row_text(stmt, 20, arena),
        .seq = sov_column_int(stmt, 21),
    };

    sov_row_texts(stmt, 9, arena, &sow.deliverables, &sow.deliverable_count);
    sov_row_texts(stmt, 10, arena, &sow.non_goals, &sow.non_goal_count);
    sov_policy_sow_state(sov_row_text(stmt, 15, arena), &sow.state);
    *sow_out = sow;
}

bool sov_sow_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                  struct sov_sow *sow_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, sow_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, sow_out);
    *found_out = found;
    return true;
}

bool sov_sow_get(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                 struct sov_sow *sow_out, struct sov_error *err)
{
    bool found;

    if (!sov_sow_find(ledger, n, arena, sow_out, &found, err)) return false;
    return found ? true : sov_refuse_absent(err, SOV_STREAM_SOW, n);
}

bool sov_sow_list(const struct sov_ledger *ledger, int64_t outcome, int64_t term,
                  struct sov_arena *arena, struct sov_sows *sows_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_sow *rows = NULL;
    size_t count = 0;
    bool found;

    assert(outcome || !term);
    if (!sov_stmt_open(&stmt, ledger->state, outcome ? sow_list_outcome_sql : sow_list_sql, err))
        return false;
    if (outcome) {
        sov_bind_int(&stmt, 1, outcome);
        sov_bind_int(&stmt, 2, term);
    }
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        row_read(&stmt, arena, &rows[count++]);
    }
    *sows_out = (struct sov_sows){ rows, count };
    return true;
}

bool sov_sow_count_live(const struct sov_ledger *ledger, int64_t outcome, int64_t *count_out,
                        struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, sow_count_live_sql, err)) return false;
    sov_bind_int(&stmt, 1, outcome);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *count_out = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

/* ---- create, revise, ready ---- */

/* C1: what the registry's row cannot say. Paths are asked later, they have their own code. */
static bool well_formed(const struct sov_sow_request *request, struct sov_error *err)
{
    const struct {
        const char *what, *text;
        size_t max;
    } texts[] = { { "title", request->title, SOV_TEXT_TITLE },
                  { "scope", request->scope, SOV_TEXT_SCOPE },
                  { "done_when", request->done_when, SOV_TEXT_DONE_WHEN } };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!sov_policy_text(texts[i].what, sov_bytes_text(texts[i].text ? texts[i].text : ""),
                             texts[i].max, err))
            return false;
    if (!request->role || !sov_text_is_id(sov_bytes_text(request->role)))
        return sov_fail(err, SOV_USAGE, "bad_value", "the role is no id");
    if (request->effect && !sov_text_is_id(sov_bytes_text(request->effect)))
        return sov_fail(err, SOV_USAGE, "bad_value", "the kind of effect is no id");
    if (request->non_goal_count > SOV_NON_GOALS_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "%zu non-goals, at most %d are allowed",
                        request->non_goal_count, SOV_NON_GOALS_MAX);
    for (size_t i = 0; i < request->non_goal_count; i++)
        if (!sov_policy_text("non_goal", sov_bytes_text(request->non_goals[i]), SOV_TEXT_NON_GOAL,
                             err))
            return false;
    for (size_t i = 0; i < request->deliverable_count; i++)
        if (!sov_text_is_utf8(sov_bytes_text(request->deliverables[i])))
            return sov_fail(err, SOV_USAGE, "deliverable_unsafe",
                            "deliverable %zu is no safe relative path", i + 1);
    return true;
}

static void put_texts(struct sov_writer *w, const char *key, const char *const *texts, size_t count)
{
    sov_put_list(w, key);
    for (size_t i = 0; i < count; i++) sov_write_text(w, sov_bytes_text(texts[i]));
    sov_write_end(w);
}

/* Where a SOW comes from; a revision has none. */
struct origin {
    int64_t wake; /* 0: manual */
    const char *on_behalf;
    int64_t term;
};

static bool payload(struct sov_commit *commit, const struct sov_sow_request *request,
                    const struct origin *origin, struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    put_texts(&w, "deliverables", request->deliverables, request->deliverable_count);
    sov_put_text(&w, "done_when", request->done_when);
    if (request->effect) {
        sov_put_object(&w, "effect");
        sov_put_text(&w, "kind", request->effect);
        sov_put_bool(&w, "required", request->effect_required);
        sov_write_end(&w);
    }
    put_texts(&w, "non_goals", request->non_goals, request->non_goal_count);
    if (origin) {
        if (origin->on_behalf) sov_put_text(&w, "on_behalf", origin->on_behalf);
        sov_put_object(&w, "origin");
        sov_put_text(&w, "by", origin->wake ? "pulse" : "manual");
        if (origin->wake) sov_put_int(&w, "seq", origin->wake);
        sov_write_end(&w);
        sov_put_number(&w, "outcome", SOV_STREAM_OUTCOME, request->outcome);
    } else {
        sov_put_text(&w, "reason", request->reason);
    }
    sov_put_text(&w, "role", request->role);
    sov_put_text(&w, "scope", request->scope);
    if (origin) sov_put_int(&w, "term", origin->term);
    sov_put_text(&w, "title", request->title);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* outcome_not_open, role_unknown, deliverable_unsafe, kind_unknown, subject_not_allowed. */
static bool fits(struct sov_commit *commit, const struct sov_outcome *outcome,
                 const struct sov_sow_request *request, struct sov_error *err)
{
    const struct sov_effect_kind *kind;

    if (!sov_outcome_open(outcome, err)) return false;
    if (!sov_policy_role(commit->policy, request->role))
        return sov_fail(err, SOV_USAGE, "role_unknown", "the policy has no role %s", request->role);
    if (!sov_policy_deliverables(request->deliverables, request->deliverable_count, err))
        return false;
    if (!request->effect) return true;
    kind = sov_policy_effect_kind(commit->policy, request->effect, SOV_FROM_ASSIGNMENT);
    if (!kind)
        return sov_fail(err, SOV_USAGE, "kind_unknown",
                        "the policy declares no effect of assignments %s", request->effect);
    if (!outcome->subject || sov_policy_matches(kind->subject, outcome->subject)) return true;
    sov_error_set(err, SOV_DENIED, "subject_not_allowed", "%s is for %s, and OUT-%lld is about %s",
                  request->effect, kind->subject, (long long)outcome->n, outcome->subject);
    return sov_refuse_about(err, SOV_STREAM_OUTCOME, outcome->n);
}

static bool below_limit(struct sov_commit *commit, int64_t outcome, struct sov_error *err)
{
    int64_t live;

    if (!sov_sow_count_live(commit->ledger, outcome, &live, err)) return false;
    if (live < commit->policy->limits_open_sows) return true;
    sov_error_set(err, SOV_DENIED, "limit_open_sows", "OUT-%lld has %lld live SOWs, %lld allowed",
                  (long long)outcome, (long long)live, (long long)commit->policy->limits_open_sows);
    return sov_refuse_about(err, SOV_STREAM_OUTCOME, outcome);
}

bool sov_sow_create(struct sov_commit *commit, const struct sov_sow_request *request,
                    struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_CREATED };
    struct origin origin = { 0 };
    struct sov_outcome outcome;
    bool again;

    if (!well_formed(request, err) || !payload(commit, request, &origin, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, NULL, addition.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!sov_outcome_get(commit->ledger, request->outcome, &commit->arena, &outcome, err) ||
        !sov_commit_expect(commit, NULL, err) || !fits(commit, &outcome, request, err) ||
        !below_limit(commit, outcome.n, err))
        return false;
    origin.term = outcome.term;
    addition.cause[0] = outcome.term_seq;
    return payload(commit, request, &origin, &addition.data, err) &&
           sov_commit_next(commit, SOV_STREAM_SOW, &addition.stream, err) &&
           sov_commit_lead(commit, &addition, done_out, err) &&
           sov_outcome_follow_resumed(commit, outcome.n, "sow.created", err);
}

bool sov_sow_follow_created(struct sov_commit *commit, const struct sov_sow_request *request,
                            int64_t wake, const char *on_behalf, int64_t *n_out,
                            struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_CREATED };
    struct origin origin = { .wake = wake, .on_behalf = on_behalf };
    struct sov_outcome outcome;

    assert(wake > 0);
    if (!well_formed(request, err) ||
        !sov_outcome_get(commit->ledger, request->outcome, &commit->arena, &outcome, err) ||
        !fits(commit, &outcome, request, err) || !below_limit(commit, outcome.n, err))
        return false;
    origin.term = outcome.term;
    addition.cause[0] = outcome.term_seq;
    if (!payload(commit, request, &origin, &addition.data, err) ||
        !sov_commit_next(commit, SOV_STREAM_SOW, &addition.stream, err) ||
        !sov_commit_follow(commit, &addition, NULL, err))
        return false;
    *n_out = addition.stream.n;
    return true;
}

/* C5 to C7 of an operation on a draft, and its outcome. */
static bool draft_read(struct sov_commit *commit, const struct sov_stream *stream,
                       enum sov_sow_by by, enum sov_sow_state to, struct sov_sow *sow_out,
                       struct sov_outcome *outcome_out, struct sov_error *err)
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

bool sov_sow_revise(struct sov_commit *commit, int64_t n, const struct sov_sow_request *request,
                    struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_REVISED,
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };
    struct sov_outcome outcome;
    struct sov_sow sow;
    bool again;

    if (!sov_policy_reason(sov_bytes_text(request->reason ? request->reason : ""), err) ||
        !well_formed(request, err) || !payload(commit, request, NULL, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    return draft_read(commit, &addition.stream, SOV_SOW_BY_REVISED, SOV_SOW_DRAFT, &sow, &outcome,
                      err) &&
           fits(commit, &outcome, request, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_sow_ready(struct sov_commit *commit, int64_t n, struct sov_done *done_out,
                   struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_READIED,
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };
    struct sov_outcome outcome;
    struct sov_sow sow;
    bool again;

    if (!sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!draft_read(commit, &addition.stream, SOV_SOW_BY_READIED, SOV_SOW_READY, &sow, &outcome,
                    err))
        return false;
    /* Asked again: outcome and policy may have changed under the draft. */
    addition.cause[0] = sow.seq;
    return fits(commit, &outcome,
                &(struct sov_sow_request){ .role = sow.role,
                                           .effect = sow.effect,
                                           .deliverables = sow.deliverables,
                                           .deliverable_count = sow.deliverable_count },
                err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_sow_follow_readied(struct sov_commit *commit, int64_t n, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SOW_READIED,
                                     .stream = sov_stream_numbered(SOV_STREAM_SOW, n) };
    struct sov_sow sow;

    if (!sov_sow_get(commit->ledger, n, &commit->arena, &sow, err)) return false;
    if (!sov_policy_sow_arrow(sow.state, SOV_SOW_BY_READIED, SOV_SOW_READY))
        return sov_refuse_state(err, SOV_STREAM_SOW, n, sov_policy_sow_name(sow.state), "");
    addition.cause[0] = sow.seq;
    return sov_commit_follow(commit, &addition, NULL, err);
}
