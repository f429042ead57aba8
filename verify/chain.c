/* One pass over the events by seq: gap, spelling, columns, hash, registry, and what else each event
 * must obey. Each difference is a finding; the pass goes on. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "verify/judge.h"

static void columns_equal(struct sov_judge *judge, const struct sov_stored *row,
                          const struct sov_event *event)
{
    struct sov_stream resource = sov_event_resource(event);
    char text[SOV_RESOURCE_SIZE] = "";

    if (judge->published) return; /* only octets are published */
    if (event->fence && resource.n) sov_stream_resource(&resource, text);
    if (row->fence == event->fence &&
        (event->fence ? sov_bytes_is(row->resource, text) : row->resource.data == NULL))
        return;
    sov_report_event(judge->report, SOV_STEP_CHAIN, SOV_CLASS_TAMPER, "columns", row->seq,
                     "resource and fence beside event %lld are not what its octets say",
                     (long long)row->seq);
}

/* Numbers of entities are counters folded from the log: 1, 2, 3 without a gap. */
static void number_follows(struct sov_judge *judge, const struct sov_event *event)
{
    int64_t *newest = &judge->numbers[event->stream.kind];

    if (event->sv != 1 || !event->stream.n) return;
    if (event->stream.n != *newest + 1)
        sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "number", event->seq,
                         "event %lld is the first of number %lld of its kind, behind number %lld",
                         (long long)event->seq, (long long)event->stream.n, (long long)*newest);
    *newest = event->stream.n;
}

static bool judge_event(struct sov_judge *judge, const struct sov_stored *row,
                        const struct sov_event *event, struct sov_error *err)
{
    columns_equal(judge, row, event);
    if (event->at.ms < judge->at.ms)
        sov_report_event(judge->report, SOV_STEP_CHAIN, SOV_CLASS_TAMPER, "time", row->seq,
                         "event %lld is dated before the one before it", (long long)row->seq);
    judge->at = event->at;
    if (judge->since) return sov_batch_event(judge, event, err);
    number_follows(judge, event);
    sov_fences_event(judge, event);
    return sov_batch_event(judge, event, err) && sov_roster_event(judge, event, err) &&
           sov_blobs_event(judge, event, err) && sov_judge_signature(judge, event, err);
}

static bool fold(struct sov_judge *judge, struct sov_ledger *slice, int64_t slice_last,
                 const struct sov_event *event, struct sov_error *err)
{
    if (!slice) return true;
    sov_votes_event(judge, event);
    if (!sov_in_slice(&event->stream, 1, slice_last)) {
        judge->partial = true; /* from here on the slice is not the whole state */
        return true;
    }
    if (!judge->partial && !sov_judge_decision(judge, slice, event, err)) return false;
    if (sov_ledger_fold_event(slice, event, err)) return true;
    if (err->exit != SOV_INTEGRITY) return false;
    sov_sums_doubt(judge);
    sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "fold", event->seq,
                     "event %lld cannot be folded: %s", (long long)event->seq, err->what);
    return true;
}

/* Of a commit whose root is another one: its first event that is wrong by itself. */
static void wrong(struct sov_judge *judge, int64_t seq)
{
    if (judge->wrong <= judge->good_size) judge->wrong = seq;
}

static bool judge_row(struct sov_judge *judge, const struct sov_stored *row,
                      struct sov_ledger *slice, int64_t slice_last, struct sov_error *err)
{
    struct sov_hash hash = sov_leaf_hash(row->octets);
    struct sov_event event;
    bool is_event = sov_event_decode(row->octets, &event, err);

    if (is_event) sov_restored_event(judge, &event);
    sov_range_append(&judge->range, &hash);
    if (!sov_bytes_equal(row->hash, sov_hash_bytes(&hash))) {
        wrong(judge, row->seq);
        sov_report_event(judge->report, SOV_STEP_CHAIN, SOV_CLASS_TAMPER, "hash", row->seq,
                         "the hash beside event %lld is not that of its octets",
                         (long long)row->seq);
    }
    if (!is_event) {
        wrong(judge, row->seq);
        sov_report_event(judge->report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "octets", row->seq,
                         "event %lld: %s", (long long)row->seq, err->what);
        sov_sums_doubt(judge);
        return true;
    }
    if (event.seq != row->seq) {
        wrong(judge, row->seq);
        sov_report_event(judge->report, SOV_STEP_CHAIN, SOV_CLASS_TAMPER, "seq", row->seq,
                         "the octets at %lld say seq %lld", (long long)row->seq,
                         (long long)event.seq);
    }
    event.seq = row->seq; /* where it lies: what is found next is found there */
    if (judge->since) return judge_event(judge, row, &event, err);
    judge->before = slice && !judge->partial ? slice : judge->ledger;
    sov_sums_event(judge, &event);
    return judge_event(judge, row, &event, err) &&
           sov_postings_event(judge, judge->partial ? NULL : slice, &event, err) &&
           fold(judge, slice, slice_last, &event, err);
}

/* Of events behind a pin only what needs nothing of those before it. */
static void ran(struct sov_judge *judge, int64_t checked)
{
    static const enum sov_step_id alone[] = { SOV_STEP_REGISTRY, SOV_STEP_CAUSES,
                                              SOV_STEP_SIGNATURES };

    sov_report_ran(judge->report, SOV_STEP_CHAIN, checked);
    for (size_t i = 0; judge->since && i < sizeof alone / sizeof *alone; i++)
        sov_report_ran(judge->report, alone[i], 0);
    for (enum sov_step_id step = SOV_STEP_REGISTRY; !judge->since && step <= SOV_STEP_SIGNATURES;
         step++)
        sov_report_ran(judge->report, step, 0);
}

static bool interrupted(struct sov_judge *judge, int64_t seq)
{
    const struct sov_verify_options *options = judge->options;

    return seq % 1024 == 0 && options->progress &&
           !options->progress(options->self, "events", seq, judge->head);
}

bool sov_judge_chain(struct sov_judge *judge, struct sov_ledger *slice, int64_t slice_last,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    int64_t before = judge->since;
    struct sov_stored row;
    bool found;

    sov_log_begin(&cursor, judge->ledger, judge->since + 1, judge->head);
    for (;;) {
        struct sov_arena_mark mark = sov_arena_mark(&judge->scratch);

        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) break;
        if (row.seq - 1 != before) {
            wrong(judge, before + 1);
            sov_report_event(judge->report, SOV_STEP_CHAIN, SOV_CLASS_TAMPER, "gap", before + 1,
                             "event %lld is missing", (long long)before + 1);
        }
        before = row.seq;
        if (interrupted(judge, row.seq))
            return sov_fail(err, SOV_INTERRUPTED, "interrupted", "stopped at event %lld",
                            (long long)row.seq);
        if (!judge_row(judge, &row, slice, slice_last, err)) return false;
        if (!sov_judge_tree(judge, row.seq, err)) return false;
        sov_arena_rewind(&judge->scratch, mark);
    }
    sov_blobs_end(judge);
    sov_postings_end(judge);
    sov_votes_event(judge, NULL);
    ran(judge, before - judge->since);
    return true;
}
