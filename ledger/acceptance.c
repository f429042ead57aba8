/* Acceptances: reads and fold. The case: case.c; preparing and signing: acceptance_sign.c. */
#include "ledger/acceptance.h"

#include "ledger/acceptance.sql.h"
#include "ledger/row.h"
#include "ledger/signed_row.h"
#include "ledger/judged.h"
#include "ledger/log.h"

static struct sov_acceptance row_read(const struct sov_stmt *stmt, struct sov_arena *arena)
{
    struct sov_acceptance row = {
        .n = sov_column_int(stmt, 0),
        .outcome = sov_column_int(stmt, 1),
        .term = sov_column_int(stmt, 2),
        .signer = sov_row_text(stmt, 3, arena),
        .reason = sov_row_text(stmt, 4, arena),
        .signers = sov_row_bytes(stmt, 5, arena),
        .observations = sov_row_bytes(stmt, 6, arena),
        .case_digest = sov_row_hash(stmt, 7),
        .reads_digest = sov_row_hash(stmt, 8),
        .basis = sov_column_int(stmt, 9),
        .seq = sov_column_int(stmt, 13),
    };

    sov_column_signed(stmt, 10, &row.by);
    return row;
}

bool sov_acceptance_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                         struct sov_acceptance *acceptance_out, bool *found_out,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, acceptance_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) *acceptance_out = row_read(&stmt, arena);
    *found_out = found;
    return true;
}

bool sov_acceptance_list(const struct sov_ledger *ledger, int64_t outcome, int64_t term,
                         struct sov_arena *arena, struct sov_acceptances *list_out,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_acceptance *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, acceptance_of_sql, err)) return false;
    sov_bind_int(&stmt, 1, outcome);
    sov_bind_int(&stmt, 2, term);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = row_read(&stmt, arena);
    }
    *list_out = (struct sov_acceptances){ rows, count };
    return true;
}

bool sov_acceptance_observations(const struct sov_acceptance *acceptance, struct sov_arena *arena,
                                 struct sov_observations *observations_out, struct sov_error *err)
{
    struct sov_value list = sov_value(acceptance->observations), item;
    struct sov_observation *rows = sov_arena_array(arena, sov_value_count(list), sizeof *rows);
    size_t at = 0, count = 0;

    while (sov_value_item(list, &at, &item)) {
        struct sov_observation *row = &rows[count++];

        row->check = sov_arena_text(arena, sov_value_plain(sov_value_get(item, "check")));
        row->kind = "";
        row->success = sov_value_bool(sov_value_get(item, "success"));
        if (!sov_unhex(sov_value_plain(sov_value_get(item, "digest")), row->digest.octets,
                       sizeof row->digest.octets))
            return sov_fail(err, SOV_INTEGRITY, "event_invalid",
                            "an observation of an acceptance has no digest");
    }
    *observations_out = (struct sov_observations){ acceptance->basis, rows, count };
    return true;
}

/* ---- fold ---- */

bool sov_acceptance_fold(struct sov_fold *fold, const struct sov_event *event,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash digest = sov_judged_hash(event, "case_digest");
    struct sov_hash reads = sov_judged_hash(event, "reads_digest");
    struct sov_signed_by by;

    if (event->sv != 1) return sov_fold_fail(err, event, "an acceptance is signed once");
    if (sov_data_int(event, "basis") >= event->seq)
        return sov_fold_fail(err, event, "an acceptance's basis lies before it");
    if (!sov_signed_read(sov_data(event, "sig"), &by))
        return sov_fold_fail(err, event, "the signature of an acceptance has no known form");
    if (!sov_stmt_open(&stmt, fold->db, acceptance_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_int(&stmt, 2, sov_data_number(event, "outcome", SOV_STREAM_OUTCOME));
    sov_bind_int(&stmt, 3, sov_data_int(event, "term"));
    sov_bind_text(&stmt, 4, event->actor);
    sov_bind_text(&stmt, 5, sov_data_text(event, "reason", fold->arena));
    sov_bind_text(&stmt, 6, sov_data(event, "signers").octets);
    sov_bind_text(&stmt, 7, sov_data(event, "observations").octets);
    sov_bind_blob(&stmt, 8, sov_hash_bytes(&digest));
    sov_bind_blob(&stmt, 9, sov_hash_bytes(&reads));
    sov_bind_int(&stmt, 10, sov_data_int(event, "basis"));
    sov_bind_signed(&stmt, 11, &by);
    sov_bind_int(&stmt, 14, event->seq);
    return sov_stmt_run(&stmt, err);
}
