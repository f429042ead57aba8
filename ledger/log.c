/* The append: from BEGIN IMMEDIATE to the acknowledged COMMIT (log.md 3). */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ledger/keyfile.h"
#include "ledger/log.h"
#include "ledger/log.sql.h"
#include "ledger/policy.h"
#include "ledger/row.h"

enum { COMMIT_ARENA_MAX = 512 << 20 };

static bool first_at(struct sov_commit *commit, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_event newest;
    bool found;

    if (!sov_stmt_open(&stmt, commit->ledger->db, event_one_sql, err)) return false;
    sov_bind_int(&stmt, 1, commit->head);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found || !sov_event_decode(sov_column_blob(&stmt, 0), &newest, err))
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "the newest event cannot be read");
    commit->at = commit->now.wall;
    if (commit->at.ms < newest.at.ms) {
        commit->behind_ms = newest.at.ms - commit->at.ms;
        commit->at = newest.at;
    }
    return true;
}

/* Many writers take turns. A dry act makes no lock file where there is none. */
static bool take_turn(struct sov_commit *commit, struct sov_error *err)
{
    struct sov_ledger *ledger = commit->ledger;
    struct sov_file_facts facts;

    if (!ledger->home.open) return true;
    if (commit->act.dry) {
        if (!sov_file_facts(&ledger->home, "lock", &facts, err)) return false;
        if (facts.type == SOV_FILE_ABSENT) return true;
    }
    return sov_lock_take(&commit->lock, &ledger->home, "lock", ledger->wait_ms, err);
}

static bool enter(struct sov_commit *commit, struct sov_error *err)
{
    struct sov_ledger *ledger = commit->ledger;

    if (ledger->mirror)
        return sov_fail(err, SOV_DENIED, "is_mirror", "this is a mirror: it is written elsewhere");
    if (!take_turn(commit, err) || !sov_txn_begin(&commit->txn, ledger->db, err)) return false;
    if (!sov_schema_check(ledger, err)) return false;
    if (!ledger->founded) { /* the founding itself: no head, no policy, no key to load */
        if (!ledger->seams.clock.read(ledger->seams.clock.self, &commit->now, err)) return false;
        commit->at = commit->now.wall;
        return true;
    }
    if (!sov_head_check(ledger, &commit->range, err)) return false;
    commit->head = commit->seq = (int64_t)commit->range.size;
    return ledger->seams.clock.read(ledger->seams.clock.self, &commit->now, err) &&
           first_at(commit, err) && sov_policy_load(ledger, &commit->policy, err) &&
           (ledger->secret || sov_keyfile_load_ledger(ledger, &ledger->secret, err));
}

bool sov_commit_begin(struct sov_commit *commit, struct sov_ledger *ledger,
                      const struct sov_act *act, struct sov_error *err)
{
    assert(commit && !commit->open && ledger && ledger->writes && act);
    assert(!ledger->tries || act->dry);
    *commit = (struct sov_commit){ .ledger = ledger, .act = *act, .open = true };
    sov_arena_init(&commit->arena, COMMIT_ARENA_MAX);
    sov_buf_init(&commit->octets, SOV_EVENT_SIZE_MAX);
    sov_buf_init(&commit->payload, SOV_EVENT_SIZE_MAX);
    if (enter(commit, err)) return true;
    sov_commit_end(commit);
    return false;
}

/* What this handle learned inside a transaction that is rolled back is not so. */
static void roll_back(struct sov_commit *commit)
{
    if (commit->txn.open && commit->ledger->policy_seq > commit->head)
        commit->ledger->policy_seq = 0;
    sov_txn_end(&commit->txn);
}

void sov_commit_end(struct sov_commit *commit)
{
    if (!commit->open) return;
    roll_back(commit);
    sov_lock_release(&commit->lock);
    sov_buf_release(&commit->octets);
    sov_buf_release(&commit->payload);
    sov_arena_release(&commit->arena);
    commit->open = false;
}

/* The disk failed where the last octet of a commit is written: neither yes nor no is sure. */
static bool fail_commit(struct sov_commit *commit, struct sov_error *err)
{
    const struct sov_error disk = *err;

    roll_back(commit);
    if (disk.exit != SOV_UNABLE ||
        sov_db_is_undone(commit->ledger->db, event_head_sql, commit->head))
        return false;
    sov_error_set(err, SOV_UNABLE, "commit_unknown", "seq %lld may stand or not: %s",
                  (long long)commit->seq, disk.what);
    err->seq = commit->ledger->in_doubt = commit->seq;
    return false;
}

bool sov_commit_finish(struct sov_commit *commit, int64_t *seq_out, struct sov_error *err)
{
    int64_t seq = commit->seq;

    assert(commit->open);
    if (commit->act.dry || seq == commit->head) {
        *seq_out = commit->head;
        return true;
    }
    if (!sov_checkpoint_append(commit->ledger, &commit->range, err)) return false;
    if (!sov_txn_commit(&commit->txn, err)) return fail_commit(commit, err);
    commit->ledger->committed = seq;
    *seq_out = seq;
    return true;
}

const struct sov_appended *sov_commit_events(const struct sov_commit *commit,
                                             struct sov_arena *arena, size_t *count_out)
{
    size_t count = (size_t)(commit->seq - commit->head), at = count;
    struct sov_appended *events = sov_arena_array(arena, count, sizeof *events);

    for (const struct sov_appended *event = commit->newest; event; event = event->before) {
        events[--at] = *event;
        events[at].id = sov_arena_text(arena, sov_bytes_text(event->id));
        events[at].before = NULL;
    }
    *count_out = count;
    return events;
}

struct sov_writer sov_commit_writer(struct sov_commit *commit)
{
    struct sov_writer w;

    sov_buf_clear(&commit->payload);
    sov_writer_init(&w, &commit->payload);
    return w;
}

bool sov_commit_payload(struct sov_commit *commit, struct sov_bytes *data_out,
                        struct sov_error *err)
{
    if (!sov_buf_whole(&commit->payload, "the payload", err)) return false;
    *data_out = sov_arena_bytes(&commit->arena, sov_buf_bytes(&commit->payload));
    return true;
}

bool sov_commit_payload_text(struct sov_commit *commit, const char *key, const char *text,
                             struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    if (text) sov_put_text(&w, key, text);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_stream_newest(struct sov_db *state, const struct sov_stream *stream, int64_t *sv_out,
                       int64_t *seq_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, state, stream_newest_sql, err)) return false;
    sov_bind_int(&stmt, 1, stream->kind);
    sov_bind_int(&stmt, 2, stream->n);
    sov_bind_text(&stmt, 3, stream->n ? sov_bytes_text("") : stream->name);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *sv_out = found ? sov_column_int(&stmt, 0) : 0;
    *seq_out = found ? sov_column_int(&stmt, 1) : 0;
    return true;
}

/* What is written next follows from this row: an edited one must not get signed. */
static bool is_theirs(struct sov_commit *commit, const struct sov_stream *stream, int64_t sv,
                      int64_t seq, struct sov_error *err)
{
    struct sov_arena_mark mark = sov_arena_mark(&commit->arena);
    struct sov_event event;
    bool same;

    if (!sov_log_named(commit->ledger, seq, SOV_EVENT_TYPE_COUNT, &commit->arena, &event, err))
        return false;
    same = sov_stream_equal(&event.stream, stream) && event.sv == sv;
    sov_arena_rewind(&commit->arena, mark);
    if (same) return true;
    return sov_row_bad(err, "state_history names event %lld for a version that it is not",
                       (long long)seq);
}

static bool newest_of(struct sov_commit *commit, const struct sov_stream *stream, int64_t *sv_out,
                      struct sov_error *err)
{
    int64_t sv, seq;

    if (!sov_stream_newest(commit->ledger->state, stream, &sv, &seq, err)) return false;
    if (sv && !is_theirs(commit, stream, sv, seq, err)) return false;
    *sv_out = sv;
    return true;
}

bool sov_commit_next(struct sov_commit *commit, enum sov_stream_kind kind,
                     struct sov_stream *stream_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_stream newest = { kind, 0, { NULL, 0 } };
    bool found;

    if (!commit->next[kind]) {
        if (!sov_stmt_open(&stmt, commit->ledger->state, stream_last_number_sql, err)) return false;
        sov_bind_int(&stmt, 1, kind);
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (found) newest.n = sov_column_int(&stmt, 0);
        if (found &&
            !is_theirs(commit, &newest, sov_column_int(&stmt, 1), sov_column_int(&stmt, 2), err))
            return false;
        commit->next[kind] = newest.n + 1;
    }
    *stream_out = sov_stream_numbered(kind, commit->next[kind]);
    return true;
}

/* ---- one event ---- */

static bool insert(struct sov_db *db, const struct sov_event *event, const struct sov_hash *hash,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    char text[SOV_RESOURCE_SIZE];

    if (!sov_stmt_open(&stmt, db, event_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    sov_bind_blob(&stmt, 2, sov_hash_bytes(hash));
    sov_bind_blob(&stmt, 3, event->octets);
    if (event->fence) {
        struct sov_stream resource = sov_event_resource(event);

        sov_stream_resource(&resource, text);
        sov_bind_text(&stmt, 4, sov_bytes_text(text));
        sov_bind_int(&stmt, 5, event->fence);
    } else {
        sov_bind_null(&stmt, 4);
        sov_bind_null(&stmt, 5);
    }
    return sov_stmt_run(&stmt, err);
}

/* A trigger that swallows the row while the statement succeeds must not go unseen. */
static bool reread(struct sov_db *db, const struct sov_event *event, const struct sov_hash *hash,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, db, event_reread_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found || !sov_bytes_equal(sov_column_blob(&stmt, 0), sov_hash_bytes(hash)) ||
        !sov_bytes_equal(sov_column_blob(&stmt, 1), event->octets))
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                        "event %lld is not there as it was written", (long long)event->seq);
    return true;
}

bool sov_log_insert(struct sov_db *db, const struct sov_event *event, const struct sov_hash *hash,
                    struct sov_error *err)
{
    return insert(db, event, hash, err) && reread(db, event, hash, err);
}

static bool append(struct sov_commit *commit, const struct sov_event_draft *draft,
                   struct sov_error *err)
{
    struct sov_fold fold = { .db = commit->ledger->state, .arena = &commit->arena };
    struct sov_appended *appended;
    struct sov_event event;
    struct sov_hash hash;

    /* What ask() has validated lies in the arena and has not changed since. */
    if (draft->data.data != commit->valid &&
        !sov_event_validate(draft->type, sov_value(draft->data), err))
        return false;
    if (!sov_event_encode(draft, &commit->octets, &event, err)) return false;
    hash = sov_leaf_hash(event.octets);
    if (!sov_log_insert(commit->ledger->db, &event, &hash, err)) return false;
    if (!sov_fold_event(&fold, &event, err)) return false;
    sov_range_append(&commit->range, &hash);
    commit->seq = draft->seq;
    if (draft->stream.n && draft->stream.n == commit->next[draft->stream.kind])
        commit->next[draft->stream.kind]++;
    if (draft->stream.kind == SOV_STREAM_ACTOR) commit->asker = NULL;
    appended = sov_arena_take(&commit->arena, sizeof *appended);
    *appended =
        (struct sov_appended){ draft->seq, draft->type,
                               sov_stream_id(&draft->stream, &commit->arena), commit->newest };
    commit->newest = appended;
    return true;
}

/* The next commit that has something to say says first by how much the clock went back. */
static bool regress(struct sov_commit *commit, struct sov_error *err)
{
    struct sov_writer w;
    struct sov_event_draft draft = { .type = SOV_EVENT_CLOCK_REGRESSED,
                                     .at = commit->at,
                                     .actor = sov_bytes_text("host"),
                                     .seq = commit->seq + 1 };

    commit->touched = true;
    if (!commit->behind_ms) return true;
    draft.stream = sov_stream_named(SOV_STREAM_ORGANIZATION, sov_bytes_text("self"));
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_int(&w, "by_ms", commit->behind_ms);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &draft.data, err)) return false;
    if (!newest_of(commit, &draft.stream, &draft.sv, err)) return false;
    draft.sv++;
    return append(commit, &draft, err);
}

static size_t causes(const struct sov_addition *addition, int64_t lead, int64_t cause[9])
{
    size_t count = 0;

    if (lead) cause[count++] = lead;
    for (size_t i = 0; i < 8 && addition->cause[i]; i++) {
        size_t at = count;

        while (at && cause[at - 1] > addition->cause[i]) at--;
        if (at && cause[at - 1] == addition->cause[i]) continue;
        memmove(cause + at + 1, cause + at, (count - at) * sizeof *cause);
        cause[at] = addition->cause[i];
        count++;
    }
    return count;
}

static bool add(struct sov_commit *commit, const struct sov_addition *addition, int64_t lead,
                const char *key, struct sov_error *err)
{
    const char *actor = addition->actor ? addition->actor : lead ? "host" : commit->act.actor;
    int64_t cause[9];
    struct sov_event_draft draft = { .type = addition->type,
                                     .stream = addition->stream,
                                     .at = commit->at,
                                     .fence = addition->fence,
                                     .cause = cause,
                                     .actor = sov_bytes_text(actor ? actor : "host"),
                                     .data = addition->data.size ? addition->data
                                                                 : sov_bytes_text("{}") };

    if (!commit->touched && !regress(commit, err)) return false;
    draft.seq = commit->seq + 1;
    draft.cause_count = causes(addition, lead, cause);
    if (key) draft.key = sov_bytes_text(key);
    /* A number that sov_commit_next has just given has no event yet. */
    if (!(draft.stream.n && draft.stream.n == commit->next[draft.stream.kind]) &&
        !newest_of(commit, &draft.stream, &draft.sv, err))
        return false;
    draft.sv++;
    return append(commit, &draft, err);
}

bool sov_commit_lead(struct sov_commit *commit, const struct sov_addition *addition,
                     struct sov_done *done_out, struct sov_error *err)
{
    if (!add(commit, addition, 0, commit->act.key, err)) return false;
    commit->lead = commit->seq;
    commit->lead_type = addition->type;
    *done_out = (struct sov_done){ .seq = commit->act.dry ? 0 : commit->seq,
                                   .effect = commit->act.dry ? SOV_WOULD : SOV_CREATED };
    snprintf(done_out->id, sizeof done_out->id, "%s", commit->newest->id);
    return true;
}

/* What verify asks again: an event that it cites is of this commit and may bring it. */
static bool may_follow(const struct sov_commit *commit, const struct sov_addition *addition)
{
    if (sov_event_may_follow(addition->type, commit->lead_type)) return true;
    for (const struct sov_appended *event = commit->newest; event && event->seq > commit->lead;
         event = event->before) {
        for (size_t i = 0; i < 8 && addition->cause[i]; i++) {
            if (addition->cause[i] == event->seq &&
                sov_event_may_follow(addition->type, event->type))
                return true;
        }
    }
    return false;
}

bool sov_commit_follow(struct sov_commit *commit, const struct sov_addition *addition,
                       int64_t *seq_out, struct sov_error *err)
{
    assert(commit->lead);
    if (!may_follow(commit, addition))
        return sov_fail(err, SOV_INTERNAL, "internal_error", "%s may not stand behind %s",
                        sov_event_row(addition->type)->type,
                        sov_event_row(commit->lead_type)->type);
    if (!add(commit, addition, commit->lead, NULL, err)) return false;
    if (seq_out) *seq_out = commit->seq;
    return true;
}
