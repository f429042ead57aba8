/* Causes and keys: what stands behind what in one commit, and that no request was done twice. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "verify/batch.sql.h"
#include "verify/judge.h"

void sov_batch_release(struct sov_batch *batch)
{
    sov_free(batch->kept);
    *batch = (struct sov_batch){ 0 };
}

/* The commit that an event belongs to ends at the next stored checkpoint. */
static bool batch_find(struct sov_judge *judge, int64_t seq, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_batch *batch = &judge->batch;
    bool found;

    if (batch->first && (!batch->last || seq <= batch->last)) return true;
    if (!sov_stmt_open(&stmt, sov_ledger_file(judge->ledger), checkpoint_from_sql, err))
        return false;
    sov_bind_int(&stmt, 1, seq);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    batch->first = seq;
    batch->count = 0;
    batch->last = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

/* As many as there are, whatever their numbers say. */
static void batch_keep(struct sov_batch *batch, const struct sov_event *event)
{
    if (batch->count == batch->room) {
        batch->room = batch->room ? batch->room * 2 : 64;
        batch->kept = sov_alloc_grow(batch->kept, batch->room * sizeof *batch->kept);
    }
    batch->kept[batch->count++] = (struct sov_batched){ event->seq, event->type };
}

static int by_seq(const void *key, const void *row)
{
    int64_t seq = *(const int64_t *)key, other = ((const struct sov_batched *)row)->seq;

    return (seq > other) - (seq < other);
}

/* host appends in a pass, or behind a lead of this very commit that the registry names. */
static bool stands_behind_a_lead(const struct sov_batch *batch, const struct sov_event *event)
{
    struct sov_value item;
    size_t at = 0;

    if (!sov_value_there(event->cause)) return false;
    while (sov_value_item(event->cause, &at, &item)) {
        int64_t cause = sov_value_int(item);
        const struct sov_batched *lead =
            bsearch(&cause, batch->kept, batch->count, sizeof *batch->kept, by_seq);

        if (lead && sov_event_may_follow(event->type, lead->type)) return true;
    }
    return false;
}

/* Whether the index is wrong, or the log. */
static bool has_key(struct sov_judge *judge, int64_t seq, const struct sov_event *event)
{
    struct sov_error unused;
    struct sov_event before;

    return seq < event->seq &&
           sov_log_event(judge->ledger, seq, &judge->scratch, &before, &unused) &&
           sov_bytes_equal(before.actor, event->actor) &&
           sov_bytes_equal(before.key.octets, event->key.octets);
}

static bool key_is_unique(struct sov_judge *judge, const struct sov_event *event,
                          struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_value_there(event->key) || judge->since) return true;
    judge->report->steps[SOV_STEP_IDEMPOTENCY].checked++;
    if (!sov_stmt_open(&stmt, sov_ledger_tables(judge->ledger), idempotency_seq_sql, err))
        return false;
    sov_bind_text(&stmt, 1, event->actor);
    sov_bind_text(&stmt, 2, sov_value_bytes(event->key, &judge->scratch));
    stmt.as_is = true;
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found && sov_column_int(&stmt, 0) == event->seq) return true;
    if (found && has_key(judge, sov_column_int(&stmt, 0), event))
        sov_report_event(judge->report, SOV_STEP_IDEMPOTENCY, SOV_CLASS_TAMPER, "key_twice",
                         event->seq, "the key of event %lld was used by event %lld",
                         (long long)event->seq, (long long)sov_column_int(&stmt, 0));
    else
        sov_report_event(judge->report, SOV_STEP_STATE, SOV_CLASS_STATE, "state_idempotency",
                         event->seq, "the key of event %lld is not in the index",
                         (long long)event->seq);
    return true;
}

bool sov_batch_event(struct sov_judge *judge, const struct sov_event *event, struct sov_error *err)
{
    const struct sov_event_row *row = sov_event_row(event->type);
    bool host = sov_bytes_is(event->actor, "host");

    if (!batch_find(judge, event->seq, err)) return false;
    batch_keep(&judge->batch, event);
    judge->report->steps[SOV_STEP_CAUSES].checked++;
    if (host && strcmp(row->authority, "pass") != 0 && !stands_behind_a_lead(&judge->batch, event))
        sov_report_event(judge->report, SOV_STEP_CAUSES, SOV_CLASS_TAMPER, "cause", event->seq,
                         "event %lld (%s) stands behind no lead that may bring it",
                         (long long)event->seq, row->type);
    return key_is_unique(judge, event, err);
}
