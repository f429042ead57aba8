/* Effects: reads, fold, and whether the books agree with one. */
#include "ledger/effect.h"

#include <assert.h>
#include <string.h>

#include "ledger/account.h"
#include "ledger/effect.sql.h"
#include "ledger/effect_row.h"
#include "ledger/log.h"
#include "ledger/policy.h"
#include "ledger/row.h"
#include "ledger/subject.h"

static void row_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                     struct sov_effect *effect_out)
{
    struct sov_effect effect = {
        .n = sov_column_int(stmt, 0),
        .assignment = sov_column_int(stmt, 1),
        .kind = sov_row_text(stmt, 2, arena),
        .subject = sov_row_text(stmt, 3, arena),
        .quantity = sov_column_int(stmt, 4),
        .policy = sov_row_hash(stmt, 7),
        .fence = sov_column_int(stmt, 8),
        .seq = sov_column_int(stmt, 9),
        .approval = sov_column_int(stmt, 10),
    };

    if (!sov_facts_read(sov_row_bytes(stmt, 5, arena), arena, &effect.facts, &effect.fact_count) ||
        !sov_postings_read(sov_row_bytes(stmt, 6, arena), arena, &effect.postings,
                           &effect.posting_count))
        assert(false); /* the registry's shapes, by the event that was folded */
    *effect_out = effect;
}

bool sov_effect_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                     struct sov_effect *effect_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, effect_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, effect_out);
    *found_out = found;
    return true;
}

bool sov_effect_get(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                    struct sov_effect *effect_out, struct sov_error *err)
{
    bool found;

    if (!sov_effect_find(ledger, n, arena, effect_out, &found, err)) return false;
    return found || sov_refuse_absent(err, SOV_STREAM_EFFECT, n);
}

bool sov_effect_list(const struct sov_ledger *ledger, int64_t assignment, struct sov_arena *arena,
                     struct sov_effects *effects_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_effect *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, effect_list_sql, err)) return false;
    sov_bind_int(&stmt, 1, assignment);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        row_read(&stmt, arena, &rows[count++]);
    }
    *effects_out = (struct sov_effects){ rows, count };
    return true;
}

bool sov_effect_used(struct sov_db *state, int64_t assignment, struct sov_bytes kind,
                     struct sov_bytes subject, int64_t *n_out, int64_t *quantity_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, state, effect_used_sql, err)) return false;
    sov_bind_int(&stmt, 1, assignment);
    sov_bind_text(&stmt, 2, kind);
    sov_bind_text(&stmt, 3, subject);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *n_out = found ? sov_column_int(&stmt, 0) : 0;
    *quantity_out = found ? sov_column_int(&stmt, 1) : 0;
    return true;
}

/* ---- fold ---- */

bool sov_effect_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    int64_t assignment = sov_data_number(event, "assignment", SOV_STREAM_ASSIGNMENT);
    struct sov_bytes kind = sov_data_text(event, "kind", fold->arena);
    struct sov_bytes subject = sov_data_text(event, "subject", fold->arena);
    struct sov_bytes hex = sov_data_text(event, "policy", fold->arena);
    uint8_t *policy = sov_arena_take(fold->arena, SOV_HASH_SIZE);
    int64_t before, quantity;

    if (event->sv != 1) return sov_fold_fail(err, event, "an effect is committed once");
    if (!sov_effect_used(fold->db, assignment, kind, subject, &before, &quantity, err))
        return false;
    if (before)
        return sov_fold_fail(err, event, "ASG-%lld has this effect already, EFF-%lld",
                             (long long)assignment, (long long)before);
    if (!sov_unhex(hex, policy, SOV_HASH_SIZE))
        return sov_fold_fail(err, event, "the digest of a policy is not one");
    if (!sov_stmt_open(&stmt, fold->db, effect_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_int(&stmt, 2, assignment);
    sov_bind_text(&stmt, 3, kind);
    sov_bind_text(&stmt, 4, subject);
    sov_bind_int(&stmt, 5, sov_data_int(event, "quantity"));
    sov_bind_text(&stmt, 6, sov_data(event, "facts").octets);
    sov_bind_text(&stmt, 7, sov_data(event, "postings").octets);
    sov_bind_blob(&stmt, 8, sov_bytes(policy, SOV_HASH_SIZE));
    sov_bind_int(&stmt, 9, event->fence);
    sov_bind_int(&stmt, 10, event->seq);
    sov_bind_number(&stmt, 11, sov_data_number(event, "approval", SOV_STREAM_APPROVAL));
    return sov_stmt_run(&stmt, err);
}

/* ---- gate 22 ---- */

static bool says(const struct sov_posting *due, size_t count, const struct sov_effect *effect)
{
    if (count != effect->posting_count) return false;
    for (size_t i = 0; i < count; i++)
        if (due[i].delta != effect->postings[i].delta ||
            strcmp(due[i].account, effect->postings[i].account) != 0)
            return false;
    return true;
}

static bool stands(const struct sov_posting *due, size_t count, const struct sov_posteds *found)
{
    if (count != found->count) return false;
    for (size_t i = 0; i < count; i++)
        if (due[i].delta != found->at[i].delta || strcmp(due[i].account, found->at[i].account) != 0)
            return false;
    return true;
}

bool sov_effect_corroborated(const struct sov_ledger *ledger, const struct sov_effect *effect,
                             struct sov_arena *arena, bool *holds_out, struct sov_error *err)
{
    const struct sov_posting *due;
    struct sov_posteds found;
    const struct sov_effect_kind *kind;
    const struct sov_policy *policy;
    size_t due_count;
    struct sov_error why;

    if (!sov_policy_at(ledger, effect->seq, arena, &policy, err)) return false;
    if (!sov_posted_behind(ledger, effect->seq, arena, &found, err)) return false;
    kind = sov_policy_effect_kind(policy, effect->kind, SOV_FROM_ASSIGNMENT);
    *holds_out = kind && sov_hash_equal(&policy->digest, &effect->policy) &&
                 sov_policy_postings_due(kind, effect->subject, effect->quantity, effect->facts,
                                         effect->fact_count, arena, &due, &due_count, &why) &&
                 says(due, due_count, effect) && stands(due, due_count, &found);
    return true;
}
