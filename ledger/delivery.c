/* Deliveries: reads and fold. The operations: delivery_act.c. */
#include "ledger/delivery.h"

#include <assert.h>

#include "ledger/claim_kind.h"
#include "ledger/delivery.sql.h"
#include "ledger/row.h"

static struct sov_delivery row_read(const struct sov_stmt *stmt, struct sov_arena *arena)
{
    struct sov_delivery row = {
        .n = sov_column_int(stmt, 0),
        .channel = sov_row_text(stmt, 1, arena),
        .receiver_key = sov_row_text(stmt, 3, arena),
        .session = sov_column_int(stmt, 4),
        .max_attempts = sov_column_int(stmt, 5),
        .attempts = sov_column_int(stmt, 6),
        .after_ms = sov_column_int(stmt, 7),
        .seq = sov_column_int(stmt, 9),
    };
    bool ok = sov_policy_delivery_state(sov_row_text(stmt, 8, arena), &row.state) &&
              sov_blob_ref_read(sov_value(sov_row_bytes(stmt, 2, arena)), arena, &row.content);

    assert(ok);
    (void)ok;
    return row;
}

bool sov_delivery_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                       struct sov_delivery *delivery_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, delivery_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) *delivery_out = row_read(&stmt, arena);
    *found_out = found;
    return true;
}

bool sov_delivery_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                       struct sov_deliveries *list_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_delivery *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, delivery_all_sql, err)) return false;
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = row_read(&stmt, arena);
    }
    *list_out = (struct sov_deliveries){ rows, count };
    return true;
}

/* ---- fold ---- */

struct row {
    enum sov_delivery_state state;
    int64_t attempts, max_attempts;
    struct sov_claim_row claim;
};

static bool own_row(struct sov_fold *fold, const struct sov_event *event, struct row *row_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct row row = { .state = SOV_DELIVERY_NONE };
    bool found;

    if (!sov_claim_row(fold, event, &row.claim, err) ||
        !sov_stmt_open(&stmt, fold->db, delivery_row_sql, err))
        return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) {
        row.attempts = sov_column_int(&stmt, 1);
        row.max_attempts = sov_column_int(&stmt, 2);
        if (!sov_policy_delivery_state(sov_row_text(&stmt, 0, fold->arena), &row.state))
            return sov_fold_fail(err, event, "a delivery in no known state");
    }
    *row_out = row;
    return true;
}

static bool step(const struct sov_event *event, const struct row *row, enum sov_delivery_by by,
                 enum sov_delivery_state to, struct sov_error *err)
{
    if (sov_policy_delivery_arrow(row->state, by, to)) return true;
    return sov_fold_fail(err, event, "no arrow leads from %s to %s by %s",
                         sov_policy_delivery_name(row->state), sov_policy_delivery_name(to),
                         sov_event_row(event->type)->type);
}

static bool set(struct sov_fold *fold, const struct sov_event *event, enum sov_delivery_state to,
                int64_t attempts, int64_t after_ms, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, delivery_set_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(sov_policy_delivery_name(to)));
    sov_bind_int(&stmt, 2, attempts);
    sov_bind_number(&stmt, 3, after_ms);
    sov_bind_int(&stmt, 4, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

static bool queued(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (sov_data_int(event, "max_attempts") < 1)
        return sov_fold_fail(err, event, "a delivery that is never tried");
    if (!sov_stmt_open(&stmt, fold->db, delivery_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_text(&stmt, 2, sov_data_text(event, "channel", fold->arena));
    sov_bind_text(&stmt, 3, sov_data(event, "content").octets);
    sov_bind_text(&stmt, 4, sov_data_text(event, "receiver_key", fold->arena));
    sov_bind_number(&stmt, 5, sov_data_number(event, "session", SOV_STREAM_SESSION));
    sov_bind_int(&stmt, 6, sov_data_int(event, "max_attempts"));
    sov_bind_text(&stmt, 7, sov_bytes_text(sov_policy_delivery_name(SOV_DELIVERY_QUEUED)));
    sov_bind_int(&stmt, 8, event->seq);
    return sov_stmt_run(&stmt, err);
}

/* Counted, and dead when the last attempt that its own stream allows has failed. */
static bool failed(struct sov_fold *fold, const struct sov_event *event, const struct row *row,
                   struct sov_error *err)
{
    bool dead = sov_bytes_is(sov_value_plain(sov_data(event, "next")), "DEAD");
    enum sov_delivery_state to = dead ? SOV_DELIVERY_DEAD : SOV_DELIVERY_QUEUED;
    struct sov_value after = sov_data(event, "process_after");
    struct sov_instant at = { 0 };

    if (!step(event, row, SOV_DELIVERY_BY_FAILED, to, err)) return false;
    if (sov_data_int(event, "attempts") != row->attempts + 1 ||
        dead != (row->attempts + 1 >= row->max_attempts) || dead == sov_value_there(after))
        return sov_fold_fail(err, event, "not failure %lld of at most %lld",
                             (long long)row->attempts + 1, (long long)row->max_attempts);
    if (!dead && !sov_instant_parse(sov_value_plain(after), &at, err)) return false;
    if (event->fence) {
        if (!sov_claim_row_under(event, &row->claim, err) || !sov_claim_row_end(fold, event, err))
            return false;
    } else if (row->claim.live || row->state == SOV_DELIVERY_STARTED) {
        return sov_fold_fail(err, event, "no claim expired before DLV-%lld had started",
                             (long long)event->stream.n);
    }
    return set(fold, event, to, row->attempts + 1, at.ms, err);
}

bool sov_delivery_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    bool found = sov_bytes_is(sov_data_text(event, "found", fold->arena), "delivered");
    enum sov_delivery_state resolved = found ? SOV_DELIVERY_DELIVERED : SOV_DELIVERY_QUEUED;
    struct row row;

    if (!own_row(fold, event, &row, err)) return false;
    if (event->type == SOV_EVENT_DELIVERY_QUEUED)
        return step(event, &row, SOV_DELIVERY_BY_QUEUED, SOV_DELIVERY_QUEUED, err) &&
               queued(fold, event, err);
    if (event->type == SOV_EVENT_DELIVERY_RESOLVED)
        return step(event, &row, SOV_DELIVERY_BY_RESOLVED, resolved, err) &&
               set(fold, event, resolved, 0, 0, err);
    if (event->type == SOV_EVENT_DELIVERY_FAILED) return failed(fold, event, &row, err);
    if (event->type == SOV_EVENT_DELIVERY_SUCCEEDED)
        return step(event, &row, SOV_DELIVERY_BY_SUCCEEDED, SOV_DELIVERY_DELIVERED, err) &&
               sov_claim_row_under(event, &row.claim, err) && sov_claim_row_end(fold, event, err) &&
               set(fold, event, SOV_DELIVERY_DELIVERED, row.attempts, 0, err);
    if (sov_data_int(event, "attempt") != row.attempts + 1)
        return sov_fold_fail(err, event, "not attempt %lld", (long long)row.attempts + 1);
    return step(event, &row, SOV_DELIVERY_BY_STARTED, SOV_DELIVERY_STARTED, err) &&
           sov_claim_row_under(event, &row.claim, err) &&
           set(fold, event, SOV_DELIVERY_STARTED, row.attempts, 0, err);
}

bool sov_delivery_claim_fold(struct sov_fold *fold, const struct sov_event *event,
                             struct sov_error *err)
{
    enum sov_delivery_state to;
    struct row row;

    if (!own_row(fold, event, &row, err)) return false;
    if (event->type == SOV_EVENT_CLAIM_ACQUIRED)
        return step(event, &row, SOV_DELIVERY_BY_CLAIMED, SOV_DELIVERY_CLAIMED, err) &&
               sov_claim_row_add(fold, event, 0, err) &&
               set(fold, event, SOV_DELIVERY_CLAIMED, row.attempts, 0, err);
    if (event->type != SOV_EVENT_CLAIM_EXPIRED)
        return sov_fold_fail(err, event, "the claim on a delivery is neither renewed nor released");
    to = row.state == SOV_DELIVERY_STARTED ? SOV_DELIVERY_UNKNOWN : SOV_DELIVERY_CLAIMED;
    return step(event, &row, SOV_DELIVERY_BY_EXPIRED, to, err) &&
           sov_claim_row_under(event, &row.claim, err) && sov_claim_row_end(fold, event, err) &&
           set(fold, event, to, row.attempts, 0, err);
}
