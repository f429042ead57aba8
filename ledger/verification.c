/* Verifications: reads, the digest over a batch, fold. Recording one: verification_record.c. */
#include "ledger/verification.h"

#include <assert.h>

#include "base/canonical.h"
#include "ledger/assignment.h"
#include "ledger/row.h"
#include "ledger/judged.h"
#include "ledger/log.h"
#include "ledger/verification.sql.h"

static struct sov_verification row_read(const struct sov_stmt *stmt, struct sov_arena *arena)
{
    return (struct sov_verification){
        .n = sov_column_int(stmt, 0),
        .scope = sov_row_text(stmt, 1, arena),
        .outcome = sov_column_int(stmt, 2),
        .term = sov_column_int(stmt, 3),
        .sow = sov_column_int(stmt, 4),
        .assignment = sov_column_int(stmt, 5),
        .receipt = sov_column_int(stmt, 6),
        .definition_digest = sov_row_hash(stmt, 7),
        .passed = sov_column_int(stmt, 8) == 1,
        .aggregate_digest = sov_row_hash(stmt, 9),
        .evidence = sov_row_bytes(stmt, 10, arena),
        .basis = sov_column_int(stmt, 11),
        .reads_digest = sov_row_hash(stmt, 12),
        .actor = sov_row_text(stmt, 13, arena),
        .seq = sov_column_int(stmt, 14),
    };
}

bool sov_verification_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                           struct sov_verification *verification_out, bool *found_out,
                           struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, verification_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) *verification_out = row_read(&stmt, arena);
    *found_out = found;
    return true;
}

static bool rows_read(struct sov_stmt *stmt, struct sov_arena *arena,
                      struct sov_verifications *list_out, struct sov_error *err)
{
    struct sov_verification *rows = NULL;
    size_t count = 0;
    bool found;

    for (;;) {
        if (!sov_stmt_row(stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = row_read(stmt, arena);
    }
    *list_out = (struct sov_verifications){ rows, count };
    return true;
}

bool sov_verification_list(const struct sov_ledger *ledger, int64_t outcome, int64_t term,
                           struct sov_arena *arena, struct sov_verifications *list_out,
                           struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, verification_of_term_sql, err)) return false;
    sov_bind_int(&stmt, 1, outcome);
    sov_bind_int(&stmt, 2, term);
    return rows_read(&stmt, arena, list_out, err);
}

bool sov_verification_of_sow(const struct sov_ledger *ledger, int64_t sow, struct sov_arena *arena,
                             struct sov_verifications *list_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, verification_of_sow_sql, err)) return false;
    sov_bind_int(&stmt, 1, sow);
    return rows_read(&stmt, arena, list_out, err);
}

bool sov_verification_current(const struct sov_ledger *ledger, int64_t sow, struct sov_arena *arena,
                              struct sov_verification *verification_out, bool *found_out,
                              struct sov_error *err)
{
    struct sov_verifications list;
    struct sov_assignment execution;
    bool found;

    if (!sov_judged_execution(ledger, sow, arena, &execution, &found, err)) return false;
    if (found && !sov_verification_of_sow(ledger, sow, arena, &list, err)) return false;
    for (size_t i = found ? list.count : 0; i-- > 0;)
        if (list.at[i].receipt && list.at[i].receipt == execution.receipt &&
            list.at[i].assignment == execution.n) {
            *verification_out = list.at[i];
            *found_out = true;
            return true;
        }
    *found_out = false;
    return true;
}

bool sov_verification_of_outcome(const struct sov_ledger *ledger, int64_t outcome, int64_t term,
                                 struct sov_arena *arena, struct sov_verification *verification_out,
                                 bool *found_out, struct sov_error *err)
{
    struct sov_verifications list;

    if (!sov_verification_list(ledger, outcome, term, arena, &list, err)) return false;
    for (size_t i = list.count; i-- > 0;)
        if (strcmp(list.at[i].scope, SOV_SCOPE_OUTCOME) == 0) {
            *verification_out = list.at[i];
            *found_out = true;
            return true;
        }
    *found_out = false;
    return true;
}

/* ---- the batch as one digest ---- */

struct sov_hash sov_aggregate_digest(const struct sov_verification *verification,
                                     const struct sov_evidences *evidence)
{
    enum { AGGREGATE_MAX = 16384 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_writer w;

    sov_buf_init(&out, AGGREGATE_MAX);
    sov_buf_add_text(&out, "sov.verification.v1\n");
    sov_writer_init(&w, &out);
    sov_write_object(&w);
    sov_judged_put(&w, "assignment", SOV_STREAM_ASSIGNMENT, verification->assignment);
    sov_put_list(&w, "checks");
    for (size_t i = 0; i < evidence->count; i++) {
        const struct sov_evidence *e = &evidence->at[i];

        sov_write_object(&w);
        sov_put_text(&w, "check", e->check);
        sov_put_hex(&w, "observation_digest", sov_hash_bytes(&e->observation_digest));
        sov_put_bool(&w, "success", e->success);
        sov_write_end(&w);
    }
    sov_write_end(&w);
    sov_put_hex(&w, "definition_digest", sov_hash_bytes(&verification->definition_digest));
    sov_put_number(&w, "outcome", SOV_STREAM_OUTCOME, verification->outcome);
    sov_judged_put(&w, "receipt", SOV_STREAM_RECEIPT, verification->receipt);
    sov_put_text(&w, "scope", verification->scope);
    sov_judged_put(&w, "sow", SOV_STREAM_SOW, verification->sow);
    sov_put_int(&w, "term", verification->term);
    sov_write_end(&w);
    assert(!out.cut && sov_writer_done(&w));
    return sov_sha256(sov_buf_bytes(&out));
}

/* ---- fold ---- */

bool sov_verification_fold(struct sov_fold *fold, const struct sov_event *event,
                           struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash definition, aggregate, reads;
    int64_t sow = sov_data_number(event, "sow", SOV_STREAM_SOW);
    int64_t assignment = sov_data_number(event, "assignment", SOV_STREAM_ASSIGNMENT);
    int64_t receipt = sov_data_number(event, "receipt", SOV_STREAM_RECEIPT);
    bool of_sow = sov_bytes_is(sov_data_text(event, "scope", fold->arena), SOV_SCOPE_SOW);

    if (event->sv != 1) return sov_fold_fail(err, event, "a verification is recorded once");
    if (of_sow ? !(sow && assignment && receipt) : sow || assignment || receipt)
        return sov_fold_fail(err, event, "the scope of a verification and its SOW do not fit");
    if (sov_data_int(event, "basis") >= event->seq)
        return sov_fold_fail(err, event, "a verification's basis lies before it");
    if (!sov_stmt_open(&stmt, fold->db, verification_insert_sql, err)) return false;
    definition = sov_judged_hash(event, "definition_digest");
    aggregate = sov_judged_hash(event, "aggregate_digest");
    reads = sov_judged_hash(event, "reads_digest");
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_text(&stmt, 2, sov_data_text(event, "scope", fold->arena));
    sov_bind_int(&stmt, 3, sov_data_number(event, "outcome", SOV_STREAM_OUTCOME));
    sov_bind_int(&stmt, 4, sov_data_int(event, "term"));
    sov_bind_number(&stmt, 5, sow);
    sov_bind_number(&stmt, 6, assignment);
    sov_bind_number(&stmt, 7, receipt);
    sov_bind_blob(&stmt, 8, sov_hash_bytes(&definition));
    sov_bind_int(&stmt, 9, sov_data_bool(event, "passed"));
    sov_bind_blob(&stmt, 10, sov_hash_bytes(&aggregate));
    sov_bind_text(&stmt, 11, sov_data(event, "evidence").octets);
    sov_bind_int(&stmt, 12, sov_data_int(event, "basis"));
    sov_bind_blob(&stmt, 13, sov_hash_bytes(&reads));
    sov_bind_text(&stmt, 14, event->actor);
    sov_bind_int(&stmt, 15, event->seq);
    return sov_stmt_run(&stmt, err);
}
