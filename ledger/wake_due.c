/* Which signals are due: candidates by index, each asked of policy once more. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/sow.h"
#include "ledger/wake.h"
#include "ledger/wake.sql.h"

bool sov_wake_due(const struct sov_ledger *ledger, const struct sov_policy *policy,
                  const struct sov_signal *signal, int64_t at_ms, struct sov_arena *arena,
                  bool *due_out, struct sov_error *err)
{
    struct sov_wake_past past = { .decision = signal->decision,
                                  .rules_digest = signal->rules_digest,
                                  .until_ms = signal->until_ms };
    struct sov_outcome outcome;
    struct sov_sow sow;

    if (signal->decided_seq && signal->waits_on && signal->decision == SOV_WAKE_DEFER) {
        int64_t n = sov_id_number(sov_bytes_text(signal->waits_on), SOV_STREAM_OUTCOME);

        if (!sov_outcome_get(ledger, n, arena, &outcome, err)) return false;
        past.waits_on_outcome = sov_policy_outcome_state(signal->waits_state, &past.waits_state);
        past.outcome_state = outcome.state;
    }
    if (signal->decided_seq && signal->sow) {
        if (!sov_sow_get(ledger, signal->sow, arena, &sow, err)) return false;
        past.has_sow = true;
        past.sow_state = sow.state;
    }
    *due_out =
        sov_policy_wake_due(policy, signal->decided_seq ? &past : NULL, signal->at_ms, at_ms);
    return true;
}

/* Candidates of every kind, not yet in order, some perhaps twice. */
struct candidates {
    int64_t *at;
    size_t count, room;
    int64_t most; /* of each kind: the oldest so many of all are among them */
    struct sov_arena *arena;
};

static void add(struct candidates *c, int64_t n)
{
    if (c->count == c->room) {
        size_t room = c->room ? c->room * 2 : 64;
        int64_t *more = sov_arena_array(c->arena, room, sizeof *more);

        if (c->count) memcpy(more, c->at, c->count * sizeof *more);
        c->at = more;
        c->room = room;
    }
    c->at[c->count++] = n;
}

static bool rows_add(struct candidates *c, struct sov_stmt *stmt, struct sov_error *err)
{
    bool found;

    for (;;) {
        if (!sov_stmt_row(stmt, &found, err)) return false;
        if (!found) return true;
        add(c, sov_column_int(stmt, 0));
    }
}

static bool simple_add(struct candidates *c, struct sov_db *state, const char *sql,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, state, sql, err)) return false;
    sov_bind_int(&stmt, 1, c->most);
    return rows_add(c, &stmt, err);
}

static bool past_add(struct candidates *c, struct sov_db *state, int64_t at_ms,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, state, wake_past_sql, err)) return false;
    sov_bind_int(&stmt, 1, at_ms);
    sov_bind_int(&stmt, 2, c->most);
    return rows_add(c, &stmt, err);
}

/* The next digest of rules under which a signal was decided; *found_out false after the last. */
static bool rules_next(struct sov_db *state, const struct sov_hash *after, bool first,
                       struct sov_hash *rules_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, state, wake_rules_after_sql, err)) return false;
    sov_bind_blob(&stmt, 1, first ? sov_bytes("", 0) : sov_hash_bytes(after));
    if (!sov_stmt_row(&stmt, found_out, err)) return false;
    if (*found_out) {
        struct sov_bytes digest = sov_column_blob(&stmt, 0);

        assert(digest.size == SOV_HASH_SIZE);
        memcpy(rules_out->octets, digest.data, SOV_HASH_SIZE);
    }
    return true;
}

/* Decided under rules that are no longer those of today, and young enough. */
static bool other_rules_add(struct candidates *c, struct sov_db *state,
                            const struct sov_policy *policy, int64_t at_ms, struct sov_error *err)
{
    struct sov_hash rules = { { 0 } }, next;
    bool first = true, found;

    for (;;) {
        SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

        if (!rules_next(state, &rules, first, &next, &found, err)) return false;
        if (!found) return true;
        rules = next;
        first = false;
        if (sov_hash_equal(&rules, &policy->rules_digest)) continue;
        if (!sov_stmt_open(&stmt, state, wake_other_rules_sql, err)) return false;
        sov_bind_blob(&stmt, 1, sov_hash_bytes(&rules));
        sov_bind_int(&stmt, 2, at_ms - policy->limits_signal_horizon * 1000);
        sov_bind_int(&stmt, 3, c->most);
        if (!rows_add(c, &stmt, err)) return false;
    }
}

static int ascending(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

bool sov_wake_due_list(const struct sov_ledger *ledger, const struct sov_policy *policy,
                       int64_t at_ms, size_t most, struct sov_arena *arena,
                       const int64_t **signals_out, size_t *count_out, struct sov_error *err)
{
    struct candidates c = { .most = (int64_t)most, .arena = arena };
    size_t count = 0;

    if (!simple_add(&c, ledger->state, wake_open_sql, err) ||
        !simple_add(&c, ledger->state, wake_left_sql, err) ||
        !simple_add(&c, ledger->state, wake_done_sow_sql, err) ||
        !simple_add(&c, ledger->state, wake_lost_sow_sql, err) ||
        !past_add(&c, ledger->state, at_ms, err) ||
        !other_rules_add(&c, ledger->state, policy, at_ms, err))
        return false;
    if (c.count) qsort(c.at, c.count, sizeof *c.at, ascending);
    for (size_t i = 0; i < c.count && count < most; i++)
        if (!count || c.at[count - 1] != c.at[i]) c.at[count++] = c.at[i];
    *signals_out = c.at;
    *count_out = count;
    return true;
}
