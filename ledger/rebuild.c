/* Derived tables from the events alone: emptied and refolded, or folded in memory to a size. */
#include <assert.h>
#include <string.h>

#include "ledger/handle.h"
#include "ledger/log.h"
#include "migrations/tables.h"

enum { FOLD_ARENA_MAX = 64 << 20 };

const struct sov_state_table *sov_state_tables(size_t *count_out)
{
    *count_out = sizeof tables / sizeof *tables;
    return tables;
}

static bool clear_all(struct sov_db *db, struct sov_error *err)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

        if (!sov_stmt_open(&stmt, db, tables[i].clear, err) || !sov_stmt_run(&stmt, err))
            return false;
    }
    return true;
}

/* Folds events 1 to last of the log into a database whose state tables are empty. */
static bool refold(const struct sov_ledger *log, int64_t last, struct sov_db *state,
                   struct sov_range *range, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_fold fold = { .db = state, .arena = &arena };
    struct sov_stored row;
    struct sov_event event;
    struct sov_hash hash;
    bool found;

    sov_arena_init(&arena, FOLD_ARENA_MAX);
    sov_log_begin(&cursor, log, 1, last);
    for (;;) {
        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) return true;
        if (row.seq != (int64_t)range->size + 1)
            return sov_fail(err, SOV_INTEGRITY, "event_invalid", "event %lld is missing",
                            (long long)range->size + 1);
        hash = sov_leaf_hash(row.octets);
        if (!sov_stored_decode(&row, &event, err)) return false;
        if (!sov_fold_event(&fold, &event, err)) {
            sov_error_seq(err, row.seq);
            return false;
        }
        sov_range_append(range, &hash);
    }
}

bool sov_ledger_rebuild(struct sov_ledger *ledger, int64_t *events_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_lock_release) struct sov_lock lock = { 0 };
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    struct sov_range range = { 0 };

    assert(ledger->writes && !ledger->tries && ledger->db == ledger->state);
    if (!sov_lock_take(&lock, &ledger->home, "lock", ledger->wait_ms, err)) return false;
    if (!sov_txn_begin(&txn, ledger->db, err) || !sov_schema_check(ledger, err)) return false;
    if (!clear_all(ledger->db, err) || !refold(ledger, 0, ledger->db, &range, err)) return false;
    if (!sov_range_write(ledger->db, &range, err)) return false;
    if (!sov_head_check(ledger, &range, err)) return false;
    if (!sov_txn_commit(&txn, err)) return false;
    *events_out = (int64_t)range.size;
    return true;
}

static bool unindex(struct sov_db *db, struct sov_error *err)
{
    for (size_t i = 0; i < sizeof drops / sizeof *drops; i++)
        if (!sov_db_exec(db, drops[i], err)) return false;
    return true;
}

bool sov_ledger_memory(const struct sov_ledger *ledger, int64_t size, bool indexed,
                       struct sov_ledger **ledger_out, struct sov_error *err)
{
    struct sov_db_options options = sov_ledger_db_options(SOV_DB_MEMORY, &ledger->seams, 0);
    struct sov_places places = { "", ledger->keys_path };
    struct sov_ledger *memory = sov_ledger_new(&places, &ledger->seams, 0, false);

    memory->db = memory->state = ledger->db;
    memory->borrowed = true;
    memory->size_limit = size;
    /* One transaction as long as the handle lives: what is in memory only is never committed. */
    if (!sov_db_open("", &options, &memory->state, err) ||
        !sov_txn_begin(&memory->txn, memory->state, err) ||
        (!indexed && !unindex(memory->state, err)) || !sov_ledger_identify(memory, err)) {
        sov_ledger_close(memory);
        return false;
    }
    *ledger_out = memory;
    return true;
}

bool sov_ledger_slice(const struct sov_ledger *ledger, int64_t size, bool indexed, int64_t first,
                      int64_t last, struct sov_ledger **ledger_out, struct sov_error *err)
{
    if (!sov_ledger_memory(ledger, size, indexed, ledger_out, err)) return false;
    (*ledger_out)->sliced = true;
    (*ledger_out)->versions.first = first;
    (*ledger_out)->versions.last = last;
    return true;
}

bool sov_ledger_fold_event(struct sov_ledger *memory, const struct sov_event *event,
                           struct sov_error *err)
{
    struct sov_fold fold = { .db = memory->state,
                             .arena = &memory->fold_arena,
                             .versions = memory->sliced ? &memory->versions : NULL };

    assert(memory->borrowed);
    return sov_fold_event(&fold, event, err);
}

bool sov_ledger_fold_to(const struct sov_ledger *ledger, int64_t size,
                        struct sov_ledger **ledger_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *folded = NULL;
    struct sov_range range = { 0 };

    assert(size > 0);
    if (!sov_ledger_memory(ledger, size, true, &folded, err)) return false;
    if (!refold(ledger, size, folded->state, &range, err)) return false;
    if (!sov_range_write(folded->state, &range, err)) return false;
    folded->head.range = range;
    folded->head.root = sov_range_root(&range);
    *ledger_out = folded;
    folded = NULL;
    return true;
}
