/* The derived tables against a refold of the events: in slices of numbered entities, since an
 * entity's state is the fold of its own stream alone, so memory does not grow with the log. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "verify/batch.sql.h"
#include "verify/judge.h"

bool sov_in_slice(const struct sov_stream *stream, int64_t first, int64_t last)
{
    return stream->n ? stream->n >= first && stream->n <= last : first == 1;
}

/* The rows that a slice is answerable for: the first one's also those of no possible number, the
 * last one's also those above every number. */
struct reach {
    int64_t first, last;
};

static bool reaches(const struct reach *reach, const struct sov_stream *stream)
{
    return stream->n ? stream->n >= reach->first && stream->n <= reach->last : reach->first < 1;
}

static bool open_rows(struct sov_stmt *stmt, struct sov_db *db, const struct sov_state_table *table,
                      const struct reach *reach, struct sov_error *err)
{
    if (!sov_stmt_open(stmt, db, table->rows, err)) return false;
    if (table->reach == 'N' || table->reach == 'H') {
        sov_bind_int(stmt, 1, reach->first);
        sov_bind_int(stmt, 2, reach->last);
    }
    return true;
}

/* The next row that belongs to the slice. */
static bool next_row(struct sov_stmt *stmt, const struct sov_state_table *table,
                     const struct reach *reach, bool *found_out, struct sov_error *err)
{
    for (;;) {
        struct sov_stream stream = { 0 }; /* of a resource that names nothing */

        if (!sov_stmt_row(stmt, found_out, err)) return false;
        if (!*found_out || table->reach != 'C') return true;
        (void)sov_stream_parse(sov_column_text(stmt, 0), &stream);
        if (reaches(reach, &stream)) return true;
    }
}

static bool rows_equal(struct sov_stmt *a, struct sov_stmt *b)
{
    int count = sov_column_count(a);

    for (int i = 0; i < count; i++) {
        int64_t left, right;
        int left_class, right_class;
        struct sov_bytes x = sov_column_any(a, i, &left_class, &left);
        struct sov_bytes y = sov_column_any(b, i, &right_class, &right);

        if (left_class != right_class || !sov_bytes_equal(x, y)) return false;
    }
    return true;
}

/* The first columns of a row, for people. */
static void row_name(struct sov_stmt *stmt, bool there, char *out, size_t room)
{
    int64_t integer;
    int class;
    struct sov_bytes first;

    snprintf(out, room, "nothing");
    if (!there) return;
    first = sov_column_any(stmt, 0, &class, &integer);
    if (class == SOV_COLUMN_INTEGER)
        snprintf(out, room, "the row %lld", (long long)integer);
    else
        snprintf(out, room, "the row %.*s", first.size > 80 ? 80 : (int)first.size,
                 (const char *)first.data);
}

static bool compare(struct sov_judge *judge, struct sov_db *folded,
                    const struct sov_state_table *table, const struct reach *reach,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stored = { 0 };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt due = { 0 };
    char left[120], right[120];

    if (table->reach == 'S' && reach->first >= 1) return true;
    if (!open_rows(&stored, sov_ledger_tables(judge->ledger), table, reach, err) ||
        !open_rows(&due, folded, table, reach, err))
        return false;
    stored.as_is = true;
    for (;;) {
        bool has_stored, has_due;

        if (!next_row(&stored, table, reach, &has_stored, err) ||
            !next_row(&due, table, reach, &has_due, err))
            return false;
        if (!has_stored && !has_due) return true;
        judge->report->steps[SOV_STEP_STATE].checked++;
        if (has_stored && has_due && rows_equal(&stored, &due)) continue;
        row_name(&stored, has_stored, left, sizeof left);
        row_name(&due, has_due, right, sizeof right);
        sov_report_event(judge->report, SOV_STEP_STATE, SOV_CLASS_STATE, table->name, 0,
                         "%s holds %s where the events give %s", table->name, left, right);
        return true;
    }
}

/* Events that were appended while we looked: folded too, inside the moment of the comparison. */
static bool catch_up(struct sov_judge *judge, struct sov_ledger *slice, int64_t first, int64_t last,
                     int64_t from, int64_t to, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_stored row;
    struct sov_stream stream;
    struct sov_event event;
    bool found;

    sov_log_begin(&cursor, judge->ledger, from, to);
    for (;;) {
        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) return true;
        if (!sov_event_stream(row.octets, &stream) || !sov_in_slice(&stream, first, last)) continue;
        if (!sov_event_decode(row.octets, &event, err)) continue; /* the chain has said so */
        event.seq = row.seq;
        if (sov_ledger_fold_event(slice, &event, err)) continue;
        if (err->exit != SOV_INTEGRITY) return false;
        sov_sums_doubt(judge);
    }
}

/* `whole`: with its history, which else was summed up along the chain. */
static bool judge_slice(struct sov_judge *judge, struct sov_ledger *slice, bool whole,
                        int64_t first, int64_t last, bool newest, struct sov_error *err)
{
    struct reach reach = { first == 1 ? INT64_MIN : first, last };
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    size_t count;
    const struct sov_state_table *tables = sov_state_tables(&count);
    int64_t head;

    if (!sov_ledger_hold(judge->ledger, &txn, err)) return false;
    if (!sov_ledger_head(judge->ledger, &head, err)) return false;
    if (head > judge->head && !catch_up(judge, slice, first, last, judge->head + 1, head, err))
        return false;
    /* Else what was appended meanwhile may lie beyond. */
    if (newest && head == judge->head) reach.last = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        /* These two are compared by what the pass over the events counted and computed. */
        if (strcmp(tables[i].name, "state_range") == 0 ||
            strcmp(tables[i].name, "state_idempotency") == 0)
            continue;
        if (!whole && strcmp(tables[i].name, "state_history") == 0) continue;
        if (!compare(judge, sov_ledger_tables(slice), &tables[i], &reach, err)) return false;
    }
    return true;
}

static bool keys_counted(struct sov_judge *judge, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    int64_t seen = judge->report->steps[SOV_STEP_IDEMPOTENCY].checked, head;
    bool found;

    if (!sov_stmt_open(&stmt, sov_ledger_tables(judge->ledger), idempotency_count_sql, err))
        return false;
    if (!sov_stmt_row(&stmt, &found, err) || !sov_ledger_head(judge->ledger, &head, err))
        return false;
    if (head == judge->head && sov_column_int(&stmt, 0) != seen)
        sov_report_event(judge->report, SOV_STEP_STATE, SOV_CLASS_STATE, "state_idempotency", 0,
                         "the index holds %lld keys, the events %lld",
                         (long long)sov_column_int(&stmt, 0), (long long)seen);
    return true;
}

bool sov_judge_range(struct sov_judge *judge, struct sov_error *err)
{
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_bytes due =
        sov_bytes(judge->range.node, sov_range_count(&judge->range) * SOV_HASH_SIZE);
    int64_t head;
    bool found;

    if (!sov_ledger_hold(judge->ledger, &txn, err) || !sov_ledger_head(judge->ledger, &head, err) ||
        !sov_stmt_open(&stmt, sov_ledger_tables(judge->ledger), range_stored_sql, err))
        return false;
    stmt.as_is = true;
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (head > judge->head && found && sov_column_int(&stmt, 0) == head)
        return true; /* appended meanwhile */
    if (!found || sov_column_int(&stmt, 0) != judge->head ||
        !sov_bytes_equal(sov_column_blob(&stmt, 1), due))
        sov_report_event(judge->report, SOV_STEP_STATE, SOV_CLASS_STATE, "state_range", 0,
                         "the stored compact range is not that of the events");
    return true;
}

/* Folds a slice of its own; as long as no doubt is left, without its history. */
static bool refold(struct sov_judge *judge, int64_t first, int64_t last, bool *whole_out,
                   struct sov_ledger **slice_out, struct sov_error *err)
{
    for (;;) {
        bool whole = judge->sums.doubt;

        if (!(whole ? sov_ledger_memory(judge->ledger, judge->head, false, slice_out, err)
                    : sov_ledger_slice(judge->ledger, judge->head, false, first, last, slice_out,
                                       err)) ||
            !catch_up(judge, *slice_out, first, last, 1, judge->head, err))
            return false;
        *whole_out = whole;
        if (whole == judge->sums.doubt) return true;
        sov_ledger_end(slice_out);
    }
}

bool sov_judge_state(struct sov_judge *judge, struct sov_ledger **first, struct sov_error *err)
{
    const struct sov_verify_options *options = judge->options;
    int64_t n;

    if (!sov_sums_end(judge, &n, err)) return false;
    for (int64_t from = 1; from == 1 || from <= n; from += judge->slice) {
        SOV_CLEANUP(sov_ledger_end) struct sov_ledger *slice = NULL;
        int64_t last = from + judge->slice - 1;
        bool whole = false;

        if (from == 1 && !judge->sums.doubt) {
            slice = *first;
            *first = NULL;
        }
        sov_ledger_end(first); /* two are not held at once */
        if (from > 1 && options->progress && !options->progress(options->self, "state", from, n))
            return sov_fail(err, SOV_INTERRUPTED, "interrupted", "stopped in the refold");
        if (!slice && !refold(judge, from, last, &whole, &slice, err)) return false;
        if (!judge_slice(judge, slice, whole, from, last, last >= n, err)) return false;
    }
    if (!keys_counted(judge, err) || !sov_judge_range(judge, err)) return false;
    sov_report_ran(judge->report, SOV_STEP_STATE, 0);
    return true;
}
