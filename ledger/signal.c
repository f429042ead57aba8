/* Signals: reads and fold. The operations are in signal_record.c, the pulse in wake.c. */
#include "ledger/signal.h"

#include <assert.h>
#include <string.h>

#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/signal.sql.h"

/* ---- reads ---- */

/* What stands in the event alone: it is not folded, because nothing is ever looked up by it. */
static bool event_read(const struct sov_ledger *ledger, struct sov_signal *signal,
                       struct sov_arena *arena, struct sov_error *err)
{
    struct sov_event event;
    struct sov_bytes observed;

    if (!sov_log_named(ledger, signal->seq, SOV_EVENT_SIGNAL_RECORDED, arena, &event, err))
        return false;
    observed = sov_data_text(&event, "observed_at", arena);
    if (observed.data) signal->observed_at = sov_arena_text(arena, observed);
    signal->has_payload = sov_value_there(sov_data(&event, "payload"));
    if (!signal->has_payload) return true;
    if (sov_blob_ref_read(sov_data(&event, "payload"), arena, &signal->payload)) return true;
    return sov_fold_fail(err, &event, "the payload of SIG-%lld cannot be read",
                         (long long)signal->n);
}

static bool decision_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                          struct sov_signal *signal, struct sov_error *err)
{
    char *id;

    if (!signal->decided_seq) return true;
    if (sov_column_is_null(stmt, 9) || sov_column_is_null(stmt, 10) || sov_column_is_null(stmt, 17))
        return sov_row_bad(err, "state_wake has no decision of SIG-%lld, which has one",
                           (long long)signal->n);
    (void)sov_policy_wake_decision(sov_row_text(stmt, 9, arena), &signal->decision);
    signal->reason = sov_row_text(stmt, 10, arena);
    signal->rule = sov_row_text(stmt, 11, arena);
    signal->outcome = sov_column_int(stmt, 12);
    signal->sow = sov_column_int(stmt, 13);
    signal->waits_state = sov_row_text(stmt, 15, arena);
    signal->until_ms = sov_column_int(stmt, 16);
    signal->rules_digest = sov_row_hash(stmt, 17);
    if (!sov_column_is_null(stmt, 14)) {
        id = sov_arena_printf(arena, "OUT-%lld", (long long)sov_column_int(stmt, 14));
        signal->waits_on = id;
    } else if (signal->decision == SOV_WAKE_DUPLICATE) {
        id = sov_arena_printf(arena, "SOW-%lld", (long long)signal->sow);
        signal->waits_on = id;
    }
    return true;
}

static bool row_read(const struct sov_ledger *ledger, const struct sov_stmt *stmt,
                     struct sov_arena *arena, struct sov_signal *signal_out, struct sov_error *err)
{
    struct sov_signal signal = {
        .n = sov_column_int(stmt, 0),
        .kind = sov_row_text(stmt, 1, arena),
        .source = sov_row_text(stmt, 2, arena),
        .subject = sov_row_text(stmt, 3, arena),
        .dedupe_key = sov_row_text(stmt, 5, arena),
        .at_ms = sov_column_int(stmt, 6),
        .seq = sov_column_int(stmt, 7),
        .decided_seq = sov_column_int(stmt, 8),
    };

    (void)sov_policy_severity(sov_column_text(stmt, 4), &signal.severity);
    if (!decision_read(stmt, arena, &signal, err)) return false;
    if (!event_read(ledger, &signal, arena, err)) return false;
    *signal_out = signal;
    return true;
}

bool sov_signal_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                     struct sov_signal *signal_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, signal_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found && !row_read(ledger, &stmt, arena, signal_out, err)) return false;
    *found_out = found;
    return true;
}

bool sov_signal_get(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                    struct sov_signal *signal_out, struct sov_error *err)
{
    bool found;

    if (!sov_signal_find(ledger, n, arena, signal_out, &found, err)) return false;
    return found ? true : sov_refuse_absent(err, SOV_STREAM_SIGNAL, n);
}

static bool rows_read(const struct sov_ledger *ledger, struct sov_stmt *stmt,
                      struct sov_arena *arena, struct sov_signals *signals_out,
                      struct sov_error *err)
{
    struct sov_signal *rows = NULL;
    size_t count = 0;
    bool found;

    for (;;) {
        if (!sov_stmt_row(stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        if (!row_read(ledger, stmt, arena, &rows[count++], err)) return false;
    }
    *signals_out = (struct sov_signals){ rows, count };
    return true;
}

bool sov_signal_list(const struct sov_ledger *ledger, int64_t first, size_t most,
                     struct sov_arena *arena, struct sov_signals *signals_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, signal_list_sql, err)) return false;
    sov_bind_int(&stmt, 1, first);
    sov_bind_int(&stmt, 2, (int64_t)most);
    return rows_read(ledger, &stmt, arena, signals_out, err);
}

bool sov_signal_about(const struct sov_ledger *ledger, int64_t outcome, int64_t sow,
                      struct sov_arena *arena, struct sov_signals *signals_out,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, sow ? signal_of_sow_sql : signal_of_outcome_sql, err))
        return false;
    sov_bind_int(&stmt, 1, sow ? sow : outcome);
    return rows_read(ledger, &stmt, arena, signals_out, err);
}

/* ---- fold ---- */

/* One walk over the payload: this is what every bulk append of signals folds. */
static bool recorded(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    enum { DEDUPE_KEY, KIND, SEVERITY, SOURCE, SUBJECT, WANTED };
    static const char *const names[WANTED] = { "dedupe_key", "kind", "severity", "source",
                                               "subject" };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_bytes text[WANTED] = { 0 };
    struct sov_member member;
    size_t at = 0, next = 0;

    if (event->sv != 1) return sov_fold_fail(err, event, "a signal is recorded once");
    while (next < WANTED && sov_value_member(event->data, &at, &member)) {
        if (next == DEDUPE_KEY && !sov_bytes_is(member.key, names[DEDUPE_KEY])) next = KIND;
        if (sov_bytes_is(member.key, names[next]))
            text[next++] = sov_value_bytes(member.value, fold->arena);
    }
    if (!sov_stmt_open(&stmt, fold->db, signal_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_text(&stmt, 2, text[KIND]);
    sov_bind_text(&stmt, 3, text[SOURCE]);
    sov_bind_text(&stmt, 4, text[SUBJECT]);
    sov_bind_text(&stmt, 5, text[SEVERITY]);
    sov_bind_text(&stmt, 6, text[DEDUPE_KEY]);
    sov_bind_int(&stmt, 7, event->at.ms);
    sov_bind_int(&stmt, 8, event->seq);
    return sov_stmt_run(&stmt, err);
}

static bool seq_set(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, signal_decided_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    sov_bind_int(&stmt, 2, event->stream.n);
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) != 1)
        return sov_fold_fail(err, event, "decided a signal that is not there");
    return true;
}

static bool decided(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_bytes decision = sov_data_text(event, "decision", fold->arena);
    struct sov_bytes waits = sov_data_text(event, "waits_on", fold->arena);
    struct sov_bytes until = sov_data_text(event, "until", fold->arena);
    int64_t sow = sov_data_number(event, "sow", SOV_STREAM_SOW);
    int64_t outcome = sov_data_number(event, "outcome", SOV_STREAM_OUTCOME);
    const char *sql = event->sv == 2 ? wake_insert_sql : wake_update_sql;
    struct sov_instant instant = { 0 };
    struct sov_hash rules;

    if ((sow != 0) != (sov_bytes_is(decision, "fire") || sov_bytes_is(decision, "duplicate")) ||
        (sow && !outcome))
        return sov_fold_fail(err, event, "a decision that does not name its SOW or outcome");
    if (until.data && !sov_instant_parse(until, &instant, err)) return false;
    if (!sov_unhex(sov_value_plain(sov_data(event, "rules_digest")), rules.octets, SOV_HASH_SIZE))
        return sov_fold_fail(err, event, "the digest of rules is not one");
    if (!seq_set(fold, event, err) || !sov_stmt_open(&stmt, fold->db, sql, err)) return false;
    sov_bind_text(&stmt, 1, decision);
    sov_bind_text(&stmt, 2, sov_data_text(event, "reason", fold->arena));
    sov_bind_text(&stmt, 3, sov_data_text(event, "rule", fold->arena));
    sov_bind_number(&stmt, 4, outcome);
    sov_bind_number(&stmt, 5, sow);
    sov_bind_number(&stmt, 6, waits.data ? sov_id_number(waits, SOV_STREAM_OUTCOME) : 0);
    sov_bind_text(&stmt, 7, sov_data_text(event, "waits_state", fold->arena));
    sov_bind_number(&stmt, 8, instant.ms);
    sov_bind_blob(&stmt, 9, sov_hash_bytes(&rules));
    sov_bind_int(&stmt, 10, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

bool sov_signal_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    if (event->type == SOV_EVENT_SIGNAL_RECORDED) return recorded(fold, event, err);
    assert(event->type == SOV_EVENT_WAKE_DECIDED);
    return decided(fold, event, err);
}
