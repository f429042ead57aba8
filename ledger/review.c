/* Reviews: reads, the statement that is signed, fold. Deciding one: review_decide.c. */
#include "ledger/review.h"

#include "base/canonical.h"
#include "base/merkle.h"
#include "ledger/row.h"
#include "ledger/signed_row.h"
#include "ledger/judged.h"
#include "ledger/log.h"
#include "ledger/receipt.h"
#include "ledger/review.sql.h"
#include "ledger/statement.h"

static struct sov_review row_read(const struct sov_stmt *stmt, struct sov_arena *arena)
{
    struct sov_review row = {
        .n = sov_column_int(stmt, 0),
        .sow = sov_column_int(stmt, 1),
        .verification = sov_column_int(stmt, 2),
        .receipt = sov_column_int(stmt, 3),
        .reviewer = sov_row_text(stmt, 4, arena),
        .decision = sov_row_text(stmt, 5, arena),
        .rationale = sov_row_text(stmt, 6, arena),
        .aggregate_digest = sov_row_hash(stmt, 7),
        .basis = sov_column_int(stmt, 8),
        .reads_digest = sov_row_hash(stmt, 9),
        .hash = sov_row_hash(stmt, 13),
        .seq = sov_column_int(stmt, 14),
    };

    sov_column_signed(stmt, 10, &row.by);
    return row;
}

bool sov_review_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                     struct sov_review *review_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, review_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) *review_out = row_read(&stmt, arena);
    *found_out = found;
    return true;
}

bool sov_review_list(const struct sov_ledger *ledger, int64_t sow, struct sov_arena *arena,
                     struct sov_reviews *list_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_review *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, review_of_sow_sql, err)) return false;
    sov_bind_int(&stmt, 1, sow);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = row_read(&stmt, arena);
    }
    *list_out = (struct sov_reviews){ rows, count };
    return true;
}

struct sov_bytes sov_review_statement(const struct sov_ledger *ledger,
                                      const struct sov_review_said *said, struct sov_arena *arena)
{
    enum { REVIEW_STATEMENT_MAX = 1024 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_hash rationale = sov_sha256(said->rationale);
    struct sov_identity identity;
    char id[SOV_JUDGED_ID_SIZE];
    struct sov_writer w;

    sov_ledger_identity(ledger, &identity);
    sov_buf_init(&out, REVIEW_STATEMENT_MAX);
    sov_writer_init(&w, &out);
    sov_write_object(&w);
    sov_put_hex(&w, "aggregate_digest", sov_hash_bytes(&said->aggregate));
    sov_put_text(&w, "decision", said->decision);
    sov_put_hex(&w, "ledger", sov_hash_bytes(&identity.id));
    sov_put_hex(&w, "rationale_digest", sov_hash_bytes(&rationale));
    sov_put_hex(&w, "receipt_hash", sov_hash_bytes(&said->receipt_hash));
    sov_put_text(&w, "sow", sov_judged_id(SOV_STREAM_SOW, said->sow, id));
    sov_put_text(&w, "verification",
                 sov_judged_id(SOV_STREAM_VERIFICATION, said->verification, id));
    sov_write_end(&w);
    return sov_arena_bytes(arena, sov_buf_bytes(&out));
}

static bool invalid(struct sov_error *err, int64_t n, const char *why)
{
    char id[SOV_JUDGED_ID_SIZE];

    sov_error_set(err, SOV_INTEGRITY, "review_invalid", "%s: %s",
                  sov_judged_id(SOV_STREAM_REVIEW, n, id), why);
    sov_error_ref(err, id);
    return false;
}

bool sov_review_check(const struct sov_ledger *ledger, const struct sov_review *review,
                      struct sov_arena *arena, struct sov_error *err)
{
    struct sov_verification verification;
    enum sov_signature_state signature;
    struct sov_receipt receipt;
    struct sov_bytes statement;
    bool found;

    if (!sov_verification_find(ledger, review->verification, arena, &verification, &found, err))
        return false;
    if (!found || verification.sow != review->sow || verification.receipt != review->receipt)
        return invalid(err, review->n, "it names another verification or receipt than the SOW's");
    if (!sov_hash_equal(&verification.aggregate_digest, &review->aggregate_digest))
        return invalid(err, review->n, "its aggregate is not the verification's");
    if (!sov_receipt_find(ledger, review->receipt, arena, &receipt, &found, err)) return false;
    if (!found) return invalid(err, review->n, "its receipt is not there");
    statement = sov_review_statement(
        ledger,
        &(struct sov_review_said){ review->sow, review->verification, receipt.hash,
                                   review->aggregate_digest, review->decision,
                                   sov_bytes_text(review->rationale) },
        arena);
    if (!sov_judged_signature(ledger, review->reviewer, SOV_REVIEW_TAG, statement, &review->by,
                              review->seq, &signature, err))
        return false;
    if (signature == SOV_SIGNATURE_HOLDS) return true;
    return invalid(err, review->n,
                   signature == SOV_SIGNATURE_BAD ? "its signature does not verify"
                                                  : "its key was not valid at its seq");
}

/* ---- fold ---- */

bool sov_review_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash aggregate = sov_judged_hash(event, "aggregate_digest");
    struct sov_hash reads = sov_judged_hash(event, "reads_digest");
    struct sov_hash hash = sov_leaf_hash(event->octets);
    int64_t verification = sov_data_number(event, "verification", SOV_STREAM_VERIFICATION);
    struct sov_signed_by by;

    if (event->sv != 1) return sov_fold_fail(err, event, "a review is decided once");
    if (!verification) return sov_fold_fail(err, event, "a review is of a verification");
    if (sov_data_int(event, "basis") >= event->seq)
        return sov_fold_fail(err, event, "a review's basis lies before it");
    if (!sov_signed_read(sov_data(event, "sig"), &by))
        return sov_fold_fail(err, event, "the signature of a review has no known form");
    if (!sov_stmt_open(&stmt, fold->db, review_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_int(&stmt, 2, sov_data_number(event, "sow", SOV_STREAM_SOW));
    sov_bind_int(&stmt, 3, verification);
    sov_bind_int(&stmt, 4, sov_data_number(event, "receipt", SOV_STREAM_RECEIPT));
    sov_bind_text(&stmt, 5, event->actor);
    sov_bind_text(&stmt, 6, sov_data_text(event, "decision", fold->arena));
    sov_bind_text(&stmt, 7, sov_data_text(event, "rationale", fold->arena));
    sov_bind_blob(&stmt, 8, sov_hash_bytes(&aggregate));
    sov_bind_int(&stmt, 9, sov_data_int(event, "basis"));
    sov_bind_blob(&stmt, 10, sov_hash_bytes(&reads));
    sov_bind_signed(&stmt, 11, &by);
    sov_bind_blob(&stmt, 14, sov_hash_bytes(&hash));
    sov_bind_int(&stmt, 15, event->seq);
    return sov_stmt_run(&stmt, err);
}
