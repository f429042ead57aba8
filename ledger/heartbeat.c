/* Heartbeats: reads, fold, and the beat. */
#include "ledger/heartbeat.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "ledger/heartbeat.sql.h"
#include "ledger/log.h"
#include "ledger/row.h"

enum { NOTE_MAX = 500 };

static void row_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                     struct sov_heartbeat *beat_out)
{
    *beat_out = (struct sov_heartbeat){
        .source = sov_row_text(stmt, 0, arena),
        .seq = sov_column_int(stmt, 1),
        .at_ms = sov_column_int(stmt, 2),
        .actor = sov_row_text(stmt, 3, arena),
        .machine = sov_row_text(stmt, 4, arena),
        .note = sov_row_text(stmt, 5, arena),
    };
}

bool sov_heartbeat_find(const struct sov_ledger *ledger, const char *source,
                        struct sov_arena *arena, struct sov_heartbeat *beat_out, bool *found_out,
                        struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, heartbeat_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(source));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, beat_out);
    *found_out = found;
    return true;
}

bool sov_heartbeat_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                        struct sov_heartbeats *beats_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_heartbeat *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, heartbeat_list_sql, err)) return false;
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        row_read(&stmt, arena, &rows[count++]);
    }
    *beats_out = (struct sov_heartbeats){ rows, count };
    return true;
}

bool sov_heartbeat_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_value who = sov_data(event, "who");
    const char *sql = event->sv == 1 ? heartbeat_insert_sql : heartbeat_update_sql;

    assert(event->type == SOV_EVENT_HEARTBEAT_RECORDED);
    if (!sov_text_is_id(event->stream.name))
        return sov_fold_fail(err, event, "a beat of a source that is no id");
    if (!sov_stmt_open(&stmt, fold->db, sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    sov_bind_int(&stmt, 2, event->at.ms);
    sov_bind_text(&stmt, 3, event->actor);
    sov_bind_text(&stmt, 4, sov_value_bytes(sov_value_get(who, "machine"), fold->arena));
    sov_bind_text(&stmt, 5, sov_data_text(event, "note", fold->arena));
    sov_bind_text(&stmt, 6, event->stream.name);
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) != 1) return sov_fold_fail(err, event, "a beat that follows none");
    return true;
}

bool sov_heartbeat_record(struct sov_commit *commit, const char *source, const char *note,
                          const struct sov_who *who, struct sov_done *done_out,
                          struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_HEARTBEAT_RECORDED };
    struct sov_heartbeat newest;
    struct sov_writer w;
    bool again, found;

    if (!source || !sov_text_is_id(sov_bytes_text(source)))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "a source is a-z, then a-z 0-9 . _ -, at most 63");
    if (note && !sov_policy_text("the note", sov_bytes_text(note), NOTE_MAX, err)) return false;
    addition.stream = sov_stream_named(SOV_STREAM_HEARTBEAT, sov_bytes_text(source));
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    if (note) sov_put_text(&w, "note", note);
    sov_who_put(&w, "who", who);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!sov_commit_expect(commit, &addition.stream, err) ||
        !sov_heartbeat_find(commit->ledger, source, &commit->arena, &newest, &found, err))
        return false;
    if (found && commit->at.ms - newest.at_ms < commit->policy->ttl_heartbeat_interval * 1000) {
        sov_done_noop(&addition.stream, newest.seq, done_out);
        return true;
    }
    return sov_commit_lead(commit, &addition, done_out, err);
}
