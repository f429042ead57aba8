/* Messages: reads and fold. The operations: message_act.c. */
#include "ledger/message.h"

#include <assert.h>
#include <string.h>

#include "ledger/claim_kind.h"
#include "ledger/message.sql.h"
#include "ledger/row.h"

static struct sov_message row_read(const struct sov_stmt *stmt, struct sov_arena *arena)
{
    struct sov_message row = {
        .n = sov_column_int(stmt, 0),
        .to = sov_row_text(stmt, 1, arena),
        .from = sov_row_text(stmt, 2, arena),
        .subject = sov_row_text(stmt, 3, arena),
        .about = sov_row_text(stmt, 4, arena),
        .reply_to = sov_column_int(stmt, 5),
        .retries = sov_column_int(stmt, 7),
        .seq = sov_column_int(stmt, 8),
    };
    bool ok = sov_policy_message_state(sov_row_text(stmt, 6, arena), &row.state);

    assert(ok);
    (void)ok;
    return row;
}

bool sov_message_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                      struct sov_message *message_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, message_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) *message_out = row_read(&stmt, arena);
    *found_out = found;
    return true;
}

bool sov_message_get(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                     struct sov_message *message_out, struct sov_error *err)
{
    bool found;

    if (!sov_message_find(ledger, n, arena, message_out, &found, err)) return false;
    return found || sov_refuse_absent(err, SOV_STREAM_MESSAGE, n);
}

static bool rows_read(struct sov_stmt *stmt, struct sov_arena *arena, struct sov_messages *list_out,
                      struct sov_error *err)
{
    struct sov_message *rows = NULL;
    size_t count = 0;
    bool found;

    for (;;) {
        if (!sov_stmt_row(stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = row_read(stmt, arena);
    }
    *list_out = (struct sov_messages){ rows, count };
    return true;
}

bool sov_message_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                      struct sov_messages *list_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    return sov_stmt_open(&stmt, ledger->state, message_all_sql, err) &&
           rows_read(&stmt, arena, list_out, err);
}

bool sov_message_waiting(const struct sov_ledger *ledger, const char *actor, const char *role,
                         struct sov_arena *arena, struct sov_messages *list_out,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, message_waiting_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(actor));
    sov_bind_text(&stmt, 2, sov_bytes_text(sov_arena_printf(arena, "role/%s", role)));
    return rows_read(&stmt, arena, list_out, err);
}

bool sov_message_is_for(const struct sov_message *message, const char *actor, const char *role)
{
    return strcmp(message->to, actor) == 0 ||
           (strncmp(message->to, "role/", 5) == 0 && strcmp(message->to + 5, role) == 0);
}

/* ---- fold ---- */

/* What its own stream has made of it so far. */
struct row {
    enum sov_message_state state;
    int64_t retries;
    struct sov_claim_row claim;
};

static bool own_row(struct sov_fold *fold, const struct sov_event *event, struct row *row_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct row row = { .state = SOV_MESSAGE_NONE };
    bool found;

    if (!sov_claim_row(fold, event, &row.claim, err) ||
        !sov_stmt_open(&stmt, fold->db, message_row_sql, err))
        return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) {
        row.retries = sov_column_int(&stmt, 1);
        if (!sov_policy_message_state(sov_row_text(&stmt, 0, fold->arena), &row.state))
            return sov_fold_fail(err, event, "a message in no known state");
    }
    *row_out = row;
    return true;
}

static bool step(const struct sov_event *event, const struct row *row, enum sov_message_by by,
                 enum sov_message_state to, struct sov_error *err)
{
    if (sov_policy_message_arrow(row->state, by, to)) return true;
    return sov_fold_fail(err, event, "no arrow leads from %s to %s by %s",
                         sov_policy_message_name(row->state), sov_policy_message_name(to),
                         sov_event_row(event->type)->type);
}

static bool set(struct sov_fold *fold, const struct sov_event *event, enum sov_message_state to,
                int64_t retries, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, message_set_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(sov_policy_message_name(to)));
    sov_bind_int(&stmt, 2, retries);
    sov_bind_int(&stmt, 3, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

static bool sent(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (sov_value_there(sov_data(event, "body")) && sov_value_there(sov_data(event, "body_ref")))
        return sov_fold_fail(err, event, "a message has one body");
    if (!sov_stmt_open(&stmt, fold->db, message_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_text(&stmt, 2, sov_data_text(event, "to", fold->arena));
    sov_bind_text(&stmt, 3, event->actor);
    sov_bind_text(&stmt, 4, sov_data_text(event, "subject", fold->arena));
    sov_bind_text(&stmt, 5, sov_data_text(event, "about", fold->arena));
    sov_bind_number(&stmt, 6, sov_data_number(event, "reply_to", SOV_STREAM_MESSAGE));
    sov_bind_text(&stmt, 7, sov_bytes_text(sov_policy_message_name(SOV_MESSAGE_NEW)));
    sov_bind_int(&stmt, 8, event->seq);
    return sov_stmt_run(&stmt, err);
}

/* By its holder under the live claim, which it ends, or behind one that expired. */
static bool failed(struct sov_fold *fold, const struct sov_event *event, const struct row *row,
                   struct sov_error *err)
{
    bool dead = sov_bytes_is(sov_value_plain(sov_data(event, "next")), "DEAD");
    enum sov_message_state to = dead ? SOV_MESSAGE_DEAD : SOV_MESSAGE_NEW;

    if (!step(event, row, SOV_MESSAGE_BY_FAILED, to, err)) return false;
    if (sov_data_int(event, "retries") != row->retries + 1)
        return sov_fold_fail(err, event, "MSG-%lld has failed %lld times before",
                             (long long)event->stream.n, (long long)row->retries);
    if (event->fence
            ? !sov_claim_row_under(event, &row->claim, err) || !sov_claim_row_end(fold, event, err)
            : row->claim.live)
        return event->fence ? false
                            : sov_fold_fail(err, event, "the claim on MSG-%lld is live",
                                            (long long)event->stream.n);
    return set(fold, event, to, row->retries + 1, err);
}

bool sov_message_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    struct row row;

    if (!own_row(fold, event, &row, err)) return false;
    if (event->type == SOV_EVENT_MESSAGE_SENT)
        return step(event, &row, SOV_MESSAGE_BY_SENT, SOV_MESSAGE_NEW, err) &&
               sent(fold, event, err);
    if (event->type == SOV_EVENT_MESSAGE_REQUEUED)
        return step(event, &row, SOV_MESSAGE_BY_REQUEUED, SOV_MESSAGE_NEW, err) &&
               set(fold, event, SOV_MESSAGE_NEW, 0, err);
    if (event->type == SOV_EVENT_MESSAGE_FAILED) return failed(fold, event, &row, err);
    return step(event, &row, SOV_MESSAGE_BY_DONE, SOV_MESSAGE_DONE, err) &&
           sov_claim_row_under(event, &row.claim, err) && sov_claim_row_end(fold, event, err) &&
           set(fold, event, SOV_MESSAGE_DONE, row.retries, err);
}

bool sov_message_claim_fold(struct sov_fold *fold, const struct sov_event *event,
                            struct sov_error *err)
{
    bool expired = event->type == SOV_EVENT_CLAIM_EXPIRED;
    enum sov_message_state to = expired ? SOV_MESSAGE_CLAIMED : SOV_MESSAGE_NEW;
    struct row row;

    if (!own_row(fold, event, &row, err)) return false;
    if (event->type == SOV_EVENT_CLAIM_ACQUIRED)
        return step(event, &row, SOV_MESSAGE_BY_CLAIMED, SOV_MESSAGE_CLAIMED, err) &&
               sov_claim_row_add(fold, event, 0, err) &&
               set(fold, event, SOV_MESSAGE_CLAIMED, row.retries, err);
    if (event->type == SOV_EVENT_CLAIM_RENEWED)
        return sov_fold_fail(err, event, "the claim on a message is not renewed");
    return step(event, &row, expired ? SOV_MESSAGE_BY_EXPIRED : SOV_MESSAGE_BY_RELEASED, to, err) &&
           sov_claim_row_under(event, &row.claim, err) && sov_claim_row_end(fold, event, err) &&
           set(fold, event, to, row.retries, err);
}
