/* One event into the derived tables. The only writer of state_history and state_idempotency. */
#include <assert.h>

#include "ledger/fold.sql.h"
#include "ledger/log.h"

static bool history_add(struct sov_db *db, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, db, history_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.kind);
    sov_bind_int(&stmt, 2, event->stream.n);
    sov_bind_text(&stmt, 3, event->stream.n ? sov_bytes_text("") : event->stream.name);
    sov_bind_int(&stmt, 4, event->sv);
    sov_bind_int(&stmt, 5, event->seq);
    return sov_stmt_run(&stmt, err);
}

/* sv 1, 2, 3 ... without a gap: the one before is there. */
static bool history_follows(struct sov_db *db, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (event->sv == 1) return true;
    if (!sov_stmt_open(&stmt, db, history_before_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.kind);
    sov_bind_int(&stmt, 2, event->stream.n);
    sov_bind_text(&stmt, 3, event->stream.n ? sov_bytes_text("") : event->stream.name);
    sov_bind_int(&stmt, 4, event->sv - 1);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found)
        return sov_fold_fail(err, event, "event %lld skips a version of its stream",
                             (long long)event->seq);
    return true;
}

static bool history_fold(struct sov_fold *fold, const struct sov_event *event,
                         struct sov_error *err)
{
    if (fold->versions && event->stream.n) return sov_versions_add(fold->versions, event, err);
    return history_follows(fold->db, event, err) && history_add(fold->db, event, err);
}

static bool idempotency_add(struct sov_fold *fold, const struct sov_event *event,
                            struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_value_there(event->key)) return true;
    if (!sov_stmt_open(&stmt, fold->db, idempotency_insert_sql, err)) return false;
    sov_bind_text(&stmt, 1, event->actor);
    sov_bind_text(&stmt, 2, sov_value_bytes(event->key, fold->arena));
    sov_bind_int(&stmt, 3, event->seq);
    return sov_stmt_run(&stmt, err);
}

void sov_error_seq(struct sov_error *err, int64_t seq)
{
    err->seq = seq;
}

static bool entity_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    switch (event->type) {
#define EVENT(id, type, stream, authority, leads, fence, name, ...)                                \
    case SOV_EVENT_##id:                                                                           \
        return sov_##name##_fold(fold, event, err);
#include "ledger/event_types.def"
#undef EVENT
    case SOV_EVENT_TYPE_COUNT:
        break;
    }
    assert(false);
    return false;
}

bool sov_fold_event(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    struct sov_arena_mark mark = sov_arena_mark(fold->arena);
    bool ok = history_fold(fold, event, err) && idempotency_add(fold, event, err) &&
              entity_fold(fold, event, err);

    sov_arena_rewind(fold->arena, mark);
    return ok;
}
