/* Changes: reads, fold, and recording one with its postings and signals. */
#include "ledger/change.h"

#include <assert.h>
#include <string.h>

#include "base/amount.h"
#include "base/text.h"
#include "ledger/account.h"
#include "ledger/change.sql.h"
#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/signal.h"
#include "ledger/subject.h"

enum { DEDUPE_MAX = 200 };

/* ---- reads ---- */

static void row_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                     struct sov_change *change_out)
{
    struct sov_change change = {
        .n = sov_column_int(stmt, 0),
        .kind = sov_row_text(stmt, 1, arena),
        .subject = sov_row_text(stmt, 2, arena),
        .quantity = sov_column_int(stmt, 3),
        .source = sov_row_text(stmt, 4, arena),
        .dedupe_key = sov_row_text(stmt, 5, arena),
        .policy = sov_row_hash(stmt, 8),
        .actor = sov_row_text(stmt, 9, arena),
        .seq = sov_column_int(stmt, 10),
    };

    if (!sov_facts_read(sov_row_bytes(stmt, 6, arena), arena, &change.facts, &change.fact_count) ||
        !sov_postings_read(sov_row_bytes(stmt, 7, arena), arena, &change.postings,
                           &change.posting_count))
        assert(false); /* the registry's shapes, by the event that was folded */
    *change_out = change;
}

bool sov_change_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                     struct sov_change *change_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, change_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, change_out);
    *found_out = found;
    return true;
}

bool sov_change_get(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                    struct sov_change *change_out, struct sov_error *err)
{
    bool found;

    if (!sov_change_find(ledger, n, arena, change_out, &found, err)) return false;
    return found ? true : sov_refuse_absent(err, SOV_STREAM_CHANGE, n);
}

bool sov_change_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                     struct sov_changes *changes_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_change *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, change_list_sql, err)) return false;
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        row_read(&stmt, arena, &rows[count++]);
    }
    *changes_out = (struct sov_changes){ rows, count };
    return true;
}

/* ---- fold ---- */

bool sov_change_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash policy;

    assert(event->type == SOV_EVENT_CHANGE_RECORDED);
    if (event->sv != 1) return sov_fold_fail(err, event, "a change is recorded once");
    if (!sov_unhex(sov_value_plain(sov_data(event, "policy")), policy.octets, SOV_HASH_SIZE))
        return sov_fold_fail(err, event, "the digest of a policy is not one");
    if (!sov_stmt_open(&stmt, fold->db, change_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_text(&stmt, 2, sov_data_text(event, "kind", fold->arena));
    sov_bind_text(&stmt, 3, sov_data_text(event, "subject", fold->arena));
    sov_bind_int(&stmt, 4, sov_data_int(event, "quantity"));
    sov_bind_text(&stmt, 5, sov_data_text(event, "source", fold->arena));
    sov_bind_text(&stmt, 6, sov_data_text(event, "dedupe_key", fold->arena));
    sov_bind_text(&stmt, 7, sov_data(event, "facts").octets);
    sov_bind_text(&stmt, 8, sov_data(event, "postings").octets);
    sov_bind_blob(&stmt, 9, sov_hash_bytes(&policy));
    sov_bind_text(&stmt, 10, event->actor);
    sov_bind_int(&stmt, 11, event->seq);
    return sov_stmt_run(&stmt, err);
}

/* ---- recording ---- */

/* C1: what the registry's row cannot say. A quantity that no event can hold is out of any range. */
static bool well_formed(const struct sov_change_request *request, struct sov_error *err)
{
    if (!request->kind || !sov_text_is_id(sov_bytes_text(request->kind)) || !request->source ||
        !sov_text_is_id(sov_bytes_text(request->source)))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "kind and source are a-z, then a-z 0-9 . _ -, at most 63");
    if (!sov_policy_text("the subject", sov_bytes_text(request->subject ? request->subject : ""),
                         SOV_TEXT_SUBJECT, err))
        return false;
    if (!sov_amount_fits(request->quantity))
        return sov_fail(err, SOV_USAGE, "quantity_out_of_range", "the quantity is out of range");
    return !request->dedupe_key ||
           sov_policy_text("the dedupe key", sov_bytes_text(request->dedupe_key), DEDUPE_MAX, err);
}

static bool payload(struct sov_commit *commit, const struct sov_change_request *request,
                    const struct sov_effect_result *result, struct sov_bytes *data_out,
                    struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    if (request->dedupe_key) sov_put_text(&w, "dedupe_key", request->dedupe_key);
    sov_facts_put(&w, "facts", result->facts, result->fact_count);
    sov_put_text(&w, "kind", request->kind);
    sov_put_hex(&w, "policy", sov_hash_bytes(&commit->policy->digest));
    sov_postings_put(&w, "postings", result->postings, result->posting_count);
    sov_put_int(&w, "quantity", request->quantity);
    sov_put_text(&w, "source", request->source);
    sov_put_text(&w, "subject", request->subject);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* Under the same source, kind and dedupe key: a noop, or key_reused. */
static bool repeated(struct sov_commit *commit, const struct sov_change_request *request,
                     struct sov_bytes data, struct sov_done *done_out, bool *again_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_event before;
    int64_t seq;
    bool found;

    *again_out = false;
    if (!request->dedupe_key) return true;
    if (!sov_stmt_open(&stmt, commit->ledger->state, change_under_key_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(request->source));
    sov_bind_text(&stmt, 2, sov_bytes_text(request->kind));
    sov_bind_text(&stmt, 3, sov_bytes_text(request->dedupe_key));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found) return true;
    seq = sov_column_int(&stmt, 0);
    if (!sov_log_named(commit->ledger, seq, SOV_EVENT_CHANGE_RECORDED, &commit->arena, &before,
                       err))
        return false;
    if (!sov_event_asked_equal(SOV_EVENT_CHANGE_RECORDED, before.data, sov_value(data))) {
        const char *id = sov_stream_id(&before.stream, &commit->arena);

        sov_error_set(err, SOV_CONFLICT, "key_reused",
                      "the dedupe key of %s was used for another change", id);
        sov_error_ref(err, id);
        return false;
    }
    sov_done_noop(&before.stream, seq, done_out);
    *again_out = true;
    return true;
}

/* E1, E3, E5 to E8 on the books of this moment. */
static bool judge(struct sov_commit *commit, const struct sov_change_request *request,
                  struct sov_effect_result *result_out, struct sov_error *err)
{
    struct sov_effect_input input = { .origin = SOV_FROM_OUTSIDE,
                                      .kind = request->kind,
                                      .subject = request->subject,
                                      .unit = request->unit,
                                      .quantity = request->quantity };
    const struct sov_effect_kind *kind =
        sov_policy_effect_kind(commit->policy, request->kind, SOV_FROM_OUTSIDE);
    const char *const *accounts = NULL;
    size_t count = 0;

    if (kind) sov_policy_effect_accounts(kind, request->subject, &commit->arena, &accounts, &count);
    return sov_books_read(commit->ledger, accounts, count, request->subject, &commit->arena,
                          &input.books, &input.subject_declared, err) &&
           sov_policy_effect(commit->policy, &input, &commit->arena, result_out, err);
}

static bool consequences(struct sov_commit *commit, const struct sov_change_request *request,
                         const struct sov_effect_result *result, const struct sov_stream *stream,
                         struct sov_error *err)
{
    const char *id = sov_stream_id(stream, &commit->arena);

    for (size_t i = 0; i < result->posting_count; i++)
        if (!sov_account_post(commit, result->postings[i].account, result->postings[i].delta, 0,
                              err))
            return false;
    for (size_t i = 0; i < result->emit_count; i++)
        if (!sov_signal_emit(commit, result->emits[i].kind, request->kind, request->subject,
                             result->emits[i].severity, id, 0, err))
            return false;
    return true;
}

bool sov_change_record(struct sov_commit *commit, const struct sov_change_request *request,
                       struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_CHANGE_RECORDED };
    struct sov_change_request asked = *request;
    struct sov_effect_result result = { 0 };
    bool again;

    if (!asked.dedupe_key) asked.dedupe_key = commit->act.key;
    if (!well_formed(&asked, err) || !payload(commit, &asked, &result, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, NULL, addition.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!sov_commit_expect(commit, NULL, err) ||
        !repeated(commit, &asked, addition.data, done_out, &again, err))
        return false;
    if (again) return true;
    return judge(commit, &asked, &result, err) &&
           payload(commit, &asked, &result, &addition.data, err) &&
           sov_commit_next(commit, SOV_STREAM_CHANGE, &addition.stream, err) &&
           sov_commit_lead(commit, &addition, done_out, err) &&
           consequences(commit, &asked, &result, &addition.stream, err);
}
