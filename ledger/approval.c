/* Approvals: reads and fold. The operations: approval_act.c. */
#include "ledger/approval.h"

#include <assert.h>

#include "base/merkle.h"
#include "ledger/actor.h"
#include "ledger/approval.sql.h"
#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/signed_row.h"

static struct sov_approval row_read(const struct sov_stmt *stmt, struct sov_arena *arena)
{
    struct sov_approval row = {
        .n = sov_column_int(stmt, 0),
        .action = sov_row_text(stmt, 1, arena),
        .resource = sov_row_text(stmt, 2, arena),
        .facts = { .args = sov_row_hash(stmt, 3),
                   .expires_ms = sov_column_int(stmt, 7),
                   .policy = sov_row_hash(stmt, 8) },
        .quorum = sov_column_int(stmt, 5),
        .persons = sov_column_int(stmt, 6),
        .requester = sov_row_text(stmt, 9, arena),
        .hash = sov_row_hash(stmt, 11),
        .seq = sov_column_int(stmt, 12),
        .used_by = sov_row_text(stmt, 13, arena),
        .last_seq = sov_column_int(stmt, 14),
    };
    bool ok = sov_blob_ref_read(sov_value(sov_row_bytes(stmt, 4, arena)), arena, &row.args) &&
              sov_policy_approval_state(sov_row_text(stmt, 10, arena), &row.facts.state);

    assert(ok); /* the registry's shapes, by the event that was folded */
    (void)ok;
    return row;
}

bool sov_approval_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                       struct sov_approval *approval_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, approval_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) *approval_out = row_read(&stmt, arena);
    *found_out = found;
    return true;
}

bool sov_approval_get(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                      struct sov_approval *approval_out, struct sov_error *err)
{
    bool found;

    if (!sov_approval_find(ledger, n, arena, approval_out, &found, err)) return false;
    return found || sov_refuse_absent(err, SOV_STREAM_APPROVAL, n);
}

static bool rows_read(struct sov_stmt *stmt, struct sov_arena *arena,
                      struct sov_approvals *list_out, struct sov_error *err)
{
    struct sov_approval *rows = NULL;
    size_t count = 0;
    bool found;

    for (;;) {
        if (!sov_stmt_row(stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count++] = row_read(stmt, arena);
    }
    *list_out = (struct sov_approvals){ rows, count };
    return true;
}

bool sov_approval_list(const struct sov_ledger *ledger, const char *action, const char *resource,
                       struct sov_arena *arena, struct sov_approvals *list_out,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, action ? approval_for_sql : approval_all_sql, err))
        return false;
    if (action) sov_bind_text(&stmt, 1, sov_bytes_text(action));
    if (action) sov_bind_text(&stmt, 2, sov_bytes_text(resource));
    return rows_read(&stmt, arena, list_out, err);
}

bool sov_approval_over(const struct sov_ledger *ledger, int64_t at_ms, struct sov_arena *arena,
                       struct sov_approvals *list_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, approval_over_sql, err)) return false;
    sov_bind_int(&stmt, 1, at_ms);
    return rows_read(&stmt, arena, list_out, err);
}

bool sov_approval_votes(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                        struct sov_approval_votes *votes_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_approval_vote *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, approval_votes_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    for (;; count++) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        rows[count] = (struct sov_approval_vote){
            .voter = sov_row_text(&stmt, 0, arena),
            .grants = sov_bytes_is(sov_column_text(&stmt, 1), "grant"),
            .reason = sov_row_text(&stmt, 2, arena),
            .seq = sov_column_int(&stmt, 6),
        };
        sov_column_signed(&stmt, 3, &rows[count].by);
    }
    *votes_out = (struct sov_approval_votes){ rows, count };
    return true;
}

bool sov_approval_voters(const struct sov_ledger *ledger, int64_t n, bool granted,
                         struct sov_arena *arena, struct sov_people *people_out,
                         struct sov_error *err)
{
    struct sov_approval_votes votes;
    struct sov_person_facts *people;
    size_t count = 0;

    if (!sov_approval_votes(ledger, n, arena, &votes, err)) return false;
    people = sov_arena_array(arena, votes.count + 1, sizeof *people);
    for (size_t i = 0; i < votes.count; i++) {
        if (granted && !votes.at[i].grants) continue;
        if (!sov_actor_person(ledger, votes.at[i].voter, arena, &people[count++], err))
            return false;
    }
    *people_out = (struct sov_people){ people, count };
    return true;
}

/* ---- fold ---- */

/* What its own stream has made of it so far. */
struct sov_approval_row {
    enum sov_approval_state state;
    int64_t quorum, expires_ms;
};

static bool own_row(struct sov_fold *fold, const struct sov_event *event,
                    struct sov_approval_row *row_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_approval_row row = { .state = SOV_APPROVAL_NONE };
    bool found;

    if (!sov_stmt_open(&stmt, fold->db, approval_row_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) {
        row.quorum = sov_column_int(&stmt, 1);
        row.expires_ms = sov_column_int(&stmt, 2);
        if (!sov_policy_approval_state(sov_row_text(&stmt, 0, fold->arena), &row.state))
            return sov_fold_fail(err, event, "an approval in no known state");
    }
    *row_out = row;
    return true;
}

static bool step(const struct sov_event *event, const struct sov_approval_row *row,
                 enum sov_approval_by by, enum sov_approval_state to, struct sov_error *err)
{
    if (sov_policy_approval_arrow(row->state, by, to)) return true;
    return sov_fold_fail(err, event, "no arrow leads from %s to %s by %s",
                         sov_policy_approval_name(row->state), sov_policy_approval_name(to),
                         sov_event_row(event->type)->type);
}

static bool state_set(struct sov_fold *fold, const struct sov_event *event,
                      enum sov_approval_state to, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, approval_state_set_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(sov_policy_approval_name(to)));
    sov_bind_text(&stmt, 2, sov_data_text(event, "used_by", fold->arena));
    sov_bind_int(&stmt, 3, event->seq);
    sov_bind_int(&stmt, 4, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

static bool digest(struct sov_fold *fold, const struct sov_event *event, const char *key,
                   struct sov_bytes *digest_out, struct sov_error *err)
{
    uint8_t *octets = sov_arena_take(fold->arena, SOV_HASH_SIZE);

    if (!sov_unhex(sov_value_plain(sov_data(event, key)), octets, SOV_HASH_SIZE))
        return sov_fold_fail(err, event, "%s is no digest", key);
    *digest_out = sov_bytes(octets, SOV_HASH_SIZE);
    return true;
}

static bool requested(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash hash = sov_leaf_hash(event->octets);
    int64_t quorum = sov_data_int(event, "quorum"), persons = sov_data_int(event, "persons");
    struct sov_bytes args, policy;
    struct sov_instant expires;

    if (!sov_instant_parse(sov_value_plain(sov_data(event, "expires_at")), &expires, err) ||
        !digest(fold, event, "args_digest", &args, err) ||
        !digest(fold, event, "policy", &policy, err))
        return false;
    if (!sov_bytes_equal(sov_value_get(sov_data(event, "args"), "digest").octets,
                         sov_data(event, "args_digest").octets))
        return sov_fold_fail(err, event, "what is shown is not what is asked for");
    if (expires.ms <= event->at.ms || quorum < 1 || persons > quorum)
        return sov_fold_fail(err, event, "an approval that nobody could grant");
    if (!sov_stmt_open(&stmt, fold->db, approval_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_text(&stmt, 2, sov_data_text(event, "action", fold->arena));
    sov_bind_text(&stmt, 3, sov_data_text(event, "resource", fold->arena));
    sov_bind_blob(&stmt, 4, args);
    sov_bind_text(&stmt, 5, sov_data(event, "args").octets);
    sov_bind_int(&stmt, 6, quorum);
    sov_bind_int(&stmt, 7, persons);
    sov_bind_int(&stmt, 8, expires.ms);
    sov_bind_blob(&stmt, 9, policy);
    sov_bind_text(&stmt, 10, event->actor);
    sov_bind_text(&stmt, 11, sov_bytes_text(sov_policy_approval_name(SOV_APPROVAL_PENDING)));
    sov_bind_int(&stmt, 12, event->at.ms);
    sov_bind_blob(&stmt, 13, sov_hash_bytes(&hash));
    sov_bind_int(&stmt, 14, event->seq);
    return sov_stmt_run(&stmt, err);
}

/* The vote of one of the voters: .data NULL if it has none. */
static bool vote_of(struct sov_fold *fold, const struct sov_event *event, struct sov_bytes voter,
                    struct sov_bytes *vote_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, fold->db, approval_vote_row_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_text(&stmt, 2, voter);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *vote_out = found ? sov_row_bytes(&stmt, 0, fold->arena) : sov_bytes(NULL, 0);
    return true;
}

static bool voted(struct sov_fold *fold, const struct sov_event *event,
                  const struct sov_approval_row *row, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_signed_by by;
    struct sov_bytes before;

    if (event->at.ms >= row->expires_ms)
        return sov_fold_fail(err, event, "a vote on APR-%lld after its time",
                             (long long)event->stream.n);
    if (!vote_of(fold, event, event->actor, &before, err)) return false;
    if (before.data) return sov_fold_fail(err, event, "an actor votes once");
    if (!sov_signed_read(sov_data(event, "sig"), &by))
        return sov_fold_fail(err, event, "the signature of a vote has no known form");
    if (!sov_stmt_open(&stmt, fold->db, approval_vote_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_text(&stmt, 2, event->actor);
    sov_bind_text(&stmt, 3, sov_data_text(event, "vote", fold->arena));
    sov_bind_text(&stmt, 4, sov_data_text(event, "reason", fold->arena));
    sov_bind_signed(&stmt, 5, &by);
    sov_bind_int(&stmt, 8, event->seq);
    return sov_stmt_run(&stmt, err) && state_set(fold, event, SOV_APPROVAL_PENDING, err);
}

static bool stands_before(struct sov_value list, size_t end, struct sov_bytes octets)
{
    struct sov_value item;
    size_t at = 0;

    while (at < end && sov_value_item(list, &at, &item) && at < end)
        if (sov_bytes_equal(item.octets, octets)) return true;
    return false;
}

/* Granted: as many as the quorum, each by a vote that grants. Denied: by one that denies. */
static bool votes_bear(struct sov_fold *fold, const struct sov_event *event, const char *vote,
                       int64_t least, struct sov_error *err)
{
    struct sov_value voters = sov_data(event, "voters"), item;
    size_t at = 0;
    int64_t count = 0;

    while (sov_value_item(voters, &at, &item)) {
        struct sov_bytes said;

        if (!vote_of(fold, event, sov_value_bytes(item, fold->arena), &said, err)) return false;
        if (!said.data || !sov_bytes_is(said, vote) || stands_before(voters, at, item.octets))
            return sov_fold_fail(err, event, "a voter of APR-%lld has no vote to %s",
                                 (long long)event->stream.n, vote);
        count++;
    }
    if (count < least)
        return sov_fold_fail(err, event, "%lld votes to %s, %lld are due", (long long)count, vote,
                             (long long)least);
    return true;
}

bool sov_approval_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    static const struct {
        enum sov_event_type type;
        enum sov_approval_by by;
        enum sov_approval_state to;
    } steps[] = {
        { SOV_EVENT_APPROVAL_REQUESTED, SOV_APPROVAL_BY_REQUESTED, SOV_APPROVAL_PENDING },
        { SOV_EVENT_APPROVAL_VOTED, SOV_APPROVAL_BY_VOTED, SOV_APPROVAL_PENDING },
        { SOV_EVENT_APPROVAL_GRANTED, SOV_APPROVAL_BY_GRANTED, SOV_APPROVAL_GRANTED },
        { SOV_EVENT_APPROVAL_DENIED, SOV_APPROVAL_BY_DENIED, SOV_APPROVAL_DENIED },
        { SOV_EVENT_APPROVAL_EXPIRED, SOV_APPROVAL_BY_EXPIRED, SOV_APPROVAL_EXPIRED },
        { SOV_EVENT_APPROVAL_REVOKED, SOV_APPROVAL_BY_REVOKED, SOV_APPROVAL_REVOKED },
        { SOV_EVENT_APPROVAL_CONSUMED, SOV_APPROVAL_BY_CONSUMED, SOV_APPROVAL_CONSUMED },
    };
    struct sov_approval_row row;
    size_t i = 0;

    while (steps[i].type != event->type) i++;
    if (!own_row(fold, event, &row, err) || !step(event, &row, steps[i].by, steps[i].to, err))
        return false;
    if (steps[i].by == SOV_APPROVAL_BY_REQUESTED) return requested(fold, event, err);
    if (steps[i].by == SOV_APPROVAL_BY_VOTED) return voted(fold, event, &row, err);
    if (steps[i].by == SOV_APPROVAL_BY_GRANTED &&
        !votes_bear(fold, event, "grant", row.quorum, err))
        return false;
    if (steps[i].by == SOV_APPROVAL_BY_DENIED && !votes_bear(fold, event, "deny", 1, err))
        return false;
    if ((steps[i].by == SOV_APPROVAL_BY_EXPIRED) != (event->at.ms >= row.expires_ms) &&
        steps[i].by != SOV_APPROVAL_BY_REVOKED)
        return sov_fold_fail(err, event, "APR-%lld ends at %lld ms, the event is of %lld ms",
                             (long long)event->stream.n, (long long)row.expires_ms,
                             (long long)event->at.ms);
    return state_set(fold, event, steps[i].to, err);
}
