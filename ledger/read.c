/* The log, read: cursors in slices, single events, the history of a stream. */
#include <assert.h>

#include "ledger/ledger.h"
#include "ledger/log.h"
#include "ledger/log.sql.h"
#include "ledger/row.h"

enum { SLICE = 1000 };

void sov_log_begin(struct sov_log_cursor *cursor, const struct sov_ledger *ledger, int64_t first,
                   int64_t last)
{
    if (ledger->size_limit && (!last || last > ledger->size_limit)) last = ledger->size_limit;
    *cursor =
        (struct sov_log_cursor){ .ledger = ledger, .next = first, .last = last ? last : INT64_MAX };
}

void sov_log_end(struct sov_log_cursor *cursor)
{
    sov_stmt_close(&cursor->stmt);
}

/* A slice is one short read: a writer is held up no longer than that. */
static bool slice_open(struct sov_log_cursor *cursor, struct sov_error *err)
{
    if (!sov_stmt_open(&cursor->stmt, cursor->ledger->db, event_slice_sql, err)) return false;
    sov_bind_int(&cursor->stmt, 1, cursor->next);
    sov_bind_int(&cursor->stmt, 2, cursor->last);
    sov_bind_int(&cursor->stmt, 3, SLICE);
    cursor->left = SLICE;
    return true;
}

bool sov_log_next(struct sov_log_cursor *cursor, struct sov_stored *row_out, bool *found_out,
                  struct sov_error *err)
{
    bool found;

    if (!cursor->stmt.db && !slice_open(cursor, err)) return false;
    if (!sov_stmt_row(&cursor->stmt, &found, err)) return false;
    if (!found && !cursor->left) {
        sov_stmt_close(&cursor->stmt);
        if (!slice_open(cursor, err)) return false;
        if (!sov_stmt_row(&cursor->stmt, &found, err)) return false;
    }
    *found_out = found;
    if (!found) return true;
    cursor->left--;
    row_out->seq = sov_column_int(&cursor->stmt, 0);
    row_out->hash = sov_column_blob(&cursor->stmt, 1);
    row_out->octets = sov_column_blob(&cursor->stmt, 2);
    row_out->resource = sov_column_text(&cursor->stmt, 3);
    row_out->fence = sov_column_int(&cursor->stmt, 4);
    cursor->next = row_out->seq < INT64_MAX ? row_out->seq + 1 : INT64_MAX;
    return true;
}

/* Behind the head there is none; before it, one is gone. */
static bool missing(const struct sov_ledger *ledger, int64_t seq, struct sov_error *err)
{
    int64_t head;

    if (!sov_ledger_head(ledger, &head, err)) return false;
    if (seq >= 1 && seq <= head)
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "event %lld is missing",
                        (long long)seq);
    return sov_fail(err, SOV_ABSENT, "no_such_id", "there is no event %lld", (long long)seq);
}

bool sov_stored_decode(const struct sov_stored *row, struct sov_event *event_out,
                       struct sov_error *err)
{
    if (sov_event_decode(row->octets, event_out, err)) return true;
    sov_error_seq(err, row->seq);
    return false;
}

bool sov_log_event(const struct sov_ledger *ledger, int64_t seq, struct sov_arena *arena,
                   struct sov_event *event_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found = false;

    if (!sov_stmt_open(&stmt, ledger->db, event_one_sql, err)) return false;
    sov_bind_int(&stmt, 1, seq);
    if ((!ledger->size_limit || seq <= ledger->size_limit) && !sov_stmt_row(&stmt, &found, err))
        return false;
    if (!found) return missing(ledger, seq, err);
    return sov_stored_decode(
        &(struct sov_stored){ .seq = seq,
                              .octets = sov_arena_bytes(arena, sov_column_blob(&stmt, 0)) },
        event_out, err);
}

bool sov_log_named(const struct sov_ledger *ledger, int64_t seq, enum sov_event_type type,
                   struct sov_arena *arena, struct sov_event *event_out, struct sov_error *err)
{
    struct sov_event event;

    if (!sov_log_event(ledger, seq, arena, &event, err)) {
        if (err->exit != SOV_ABSENT) return false;
        return sov_row_bad(err, "a derived table names event %lld, which is not there",
                           (long long)seq);
    }
    if (type != SOV_EVENT_TYPE_COUNT && event.type != type)
        return sov_row_bad(err, "a derived table names event %lld for a %s, and it is a %s",
                           (long long)seq, sov_event_row(type)->type,
                           sov_event_row(event.type)->type);
    *event_out = event;
    return true;
}

bool sov_ledger_newest(const struct sov_ledger *ledger, const struct sov_stream *stream,
                       int64_t *sv_out, int64_t *seq_out, struct sov_error *err)
{
    struct sov_version newest;

    if (!ledger->sliced || !stream->n)
        return sov_stream_newest(ledger->state, stream, sv_out, seq_out, err);
    newest = sov_versions_newest(&ledger->versions, stream);
    *sv_out = newest.sv;
    *seq_out = newest.seq;
    return true;
}

static bool no_stream(const struct sov_stream *stream, struct sov_arena *arena,
                      struct sov_error *err)
{
    return sov_fail(err, SOV_ABSENT, "no_such_id", "there is no %s %s",
                    sov_stream_word(stream->kind), sov_stream_id(stream, arena));
}

bool sov_stream_history(const struct sov_ledger *ledger, const struct sov_stream *stream,
                        struct sov_arena *arena, const int64_t **seqs_out, size_t *count_out,
                        struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    int64_t *seqs = NULL;
    size_t count = 0;
    bool found;

    assert(!ledger->sliced);
    if (!sov_stmt_open(&stmt, ledger->state, stream_history_sql, err)) return false;
    sov_bind_int(&stmt, 1, stream->kind);
    sov_bind_int(&stmt, 2, stream->n);
    sov_bind_text(&stmt, 3, stream->n ? sov_bytes_text("") : stream->name);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        seqs = sov_rows_room(arena, seqs, count, sizeof *seqs);
        seqs[count] = sov_column_int(&stmt, 1);
        if (sov_column_int(&stmt, 0) != (int64_t)count + 1 ||
            (count && seqs[count] <= seqs[count - 1]))
            return sov_row_bad(err, "state_history leaves out a version of %s %s",
                               sov_stream_word(stream->kind), sov_stream_id(stream, arena));
        count++;
    }
    if (!count) return no_stream(stream, arena, err);
    *seqs_out = seqs;
    *count_out = count;
    return true;
}

static bool count_streams(const struct sov_ledger *ledger, enum sov_stream_kind kind,
                          size_t *count_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, stream_count_sql, err)) return false;
    sov_bind_int(&stmt, 1, kind);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *count_out = found ? (size_t)sov_column_int(&stmt, 0) : 0;
    return true;
}

bool sov_stream_list(const struct sov_ledger *ledger, enum sov_stream_kind kind,
                     struct sov_arena *arena, struct sov_streams *streams_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_stream *streams;
    size_t room = 0, count = 0;

    assert(!ledger->sliced);
    if (!count_streams(ledger, kind, &room, err)) return false;
    streams = sov_arena_array(arena, room + 1, sizeof *streams);
    if (!sov_stmt_open(&stmt, ledger->state, stream_all_sql, err)) return false;
    sov_bind_int(&stmt, 1, kind);
    for (bool found;; count++) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found || count == room) break;
        streams[count] = (struct sov_stream){ .kind = kind, .n = sov_column_int(&stmt, 0) };
        if (!streams[count].n)
            streams[count].name = sov_arena_bytes(arena, sov_column_text(&stmt, 1));
    }
    *streams_out = (struct sov_streams){ streams, count };
    return true;
}
