/* Evidence: what one check of a batch saw. Recorded behind its verification. */
#include "ledger/blob.h"
#include "ledger/row.h"
#include "ledger/evidence.sql.h"
#include "ledger/judged.h"
#include "ledger/log.h"
#include "ledger/verification.h"

static struct sov_evidence row_read(const struct sov_stmt *stmt, struct sov_arena *arena)
{
    struct sov_evidence row = {
        .n = sov_column_int(stmt, 0),
        .verification = sov_column_int(stmt, 1),
        .check = sov_row_text(stmt, 2, arena),
        .kind = sov_row_text(stmt, 3, arena),
        .success = sov_column_int(stmt, 4) == 1,
        .code = sov_row_text(stmt, 5, arena),
        .observation_digest = sov_row_hash(stmt, 6),
        .seq = sov_column_int(stmt, 9),
    };

    if (sov_column_is_null(stmt, 7))
        row.observed_blob = sov_row_hash(stmt, 8);
    else
        row.observed = sov_row_bytes(stmt, 7, arena);
    return row;
}

bool sov_evidence_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                       struct sov_evidence *evidence_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, evidence_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) *evidence_out = row_read(&stmt, arena);
    *found_out = found;
    return true;
}

bool sov_evidence_list(const struct sov_ledger *ledger, int64_t verification,
                       struct sov_arena *arena, struct sov_evidences *list_out,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_evidence *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, evidence_of_sql, err)) return false;
    sov_bind_int(&stmt, 1, verification);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = row_read(&stmt, arena);
    }
    *list_out = (struct sov_evidences){ rows, count };
    return true;
}

bool sov_judged_evidence(const struct sov_ledger *ledger,
                         const struct sov_verification *verification, struct sov_arena *arena,
                         struct sov_evidences *list_out, struct sov_error *err)
{
    struct sov_value list = sov_value(verification->evidence), item;
    struct sov_evidence *rows = sov_arena_array(arena, sov_value_count(list), sizeof *rows);
    size_t at = 0, count = 0;
    bool found;

    while (sov_value_item(list, &at, &item)) {
        int64_t n = sov_id_number(sov_value_plain(item), SOV_STREAM_EVIDENCE);

        if (!sov_evidence_find(ledger, n, arena, &rows[count], &found, err)) return false;
        if (found) count++;
    }
    *list_out = (struct sov_evidences){ rows, count };
    return true;
}

bool sov_evidence_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_value inline_value = sov_data(event, "observed");
    struct sov_value ref_value = sov_data(event, "observed_ref");
    struct sov_hash digest = sov_judged_hash(event, "observation_digest");
    struct sov_blob_ref ref;

    if (event->sv != 1) return sov_fold_fail(err, event, "evidence is recorded once");
    if (sov_value_there(inline_value) == sov_value_there(ref_value))
        return sov_fold_fail(err, event, "what was observed stands in the event or in a blob");
    if (sov_data_bool(event, "success") && sov_value_there(sov_data(event, "code")))
        return sov_fold_fail(err, event, "a check that passed has no code");
    if (sov_value_there(ref_value) && !sov_blob_ref_read(ref_value, fold->arena, &ref))
        return sov_fold_fail(err, event, "the reference to a blob cannot be read");
    if (!sov_stmt_open(&stmt, fold->db, evidence_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_int(&stmt, 2, sov_data_number(event, "verification", SOV_STREAM_VERIFICATION));
    sov_bind_text(&stmt, 3, sov_data_text(event, "check", fold->arena));
    sov_bind_text(&stmt, 4, sov_data_text(event, "kind", fold->arena));
    sov_bind_int(&stmt, 5, sov_data_bool(event, "success"));
    sov_bind_text(&stmt, 6, sov_data_text(event, "code", fold->arena));
    sov_bind_blob(&stmt, 7, sov_hash_bytes(&digest));
    sov_bind_text(&stmt, 8, inline_value.octets);
    if (sov_value_there(ref_value))
        sov_bind_blob(&stmt, 9, sov_hash_bytes(&ref.digest));
    else
        sov_bind_null(&stmt, 9);
    sov_bind_int(&stmt, 10, event->seq);
    return sov_stmt_run(&stmt, err);
}
