/* What every governed operation asks first: C1 to C4 and C6 of model.md 4. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ledger/actor.h"
#include "ledger/log.h"
#include "ledger/log.sql.h"
#include "ledger/row.h"

void sov_done_noop(const struct sov_stream *stream, int64_t seq, struct sov_done *done_out)
{
    *done_out = (struct sov_done){ .seq = seq, .effect = SOV_NOOP };
    if (stream->n)
        snprintf(done_out->id, sizeof done_out->id, "%s-%lld", sov_stream_prefix(stream->kind),
                 (long long)stream->n);
    else
        snprintf(done_out->id, sizeof done_out->id, "%.*s", (int)stream->name.size,
                 (const char *)stream->name.data);
}

static bool under_key(struct sov_commit *commit, const struct sov_event *event)
{
    const char *actor = commit->act.actor ? commit->act.actor : "host";

    return sov_bytes_is(event->actor, actor) &&
           sov_bytes_is(sov_value_bytes(event->key, &commit->arena), commit->act.key);
}

/* C2: an event of this actor under this key. The same request: its answer. Another: key_reused. */
static bool repeated(struct sov_commit *commit, enum sov_event_type type,
                     const struct sov_stream *stream, struct sov_bytes data,
                     struct sov_done *done_out, bool *again_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_event before;
    bool found;

    if (!sov_stmt_open(&stmt, commit->ledger->state, idempotency_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(commit->act.actor ? commit->act.actor : "host"));
    sov_bind_text(&stmt, 2, sov_bytes_text(commit->act.key));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found) return true;
    if (!sov_log_named(commit->ledger, sov_column_int(&stmt, 0), SOV_EVENT_TYPE_COUNT,
                       &commit->arena, &before, err))
        return false;
    if (!under_key(commit, &before))
        return sov_row_bad(err, "state_idempotency names event %lld for a key that it has not",
                           (long long)before.seq);
    if (before.type != type || (stream && !sov_stream_equal(stream, &before.stream)) ||
        !sov_event_asked_equal(type, before.data, sov_value(data))) {
        sov_error_set(err, SOV_CONFLICT, "key_reused",
                      "the idempotency key %s was used for another request, event %lld",
                      commit->act.key, (long long)before.seq);
        sov_error_ref(err, sov_stream_id(&before.stream, &commit->arena));
        return false;
    }
    sov_done_noop(&before.stream, before.seq, done_out);
    *again_out = true;
    return true;
}

/* C3: registered and active. Asked once for all operations of a commit. */
static bool is_active(struct sov_commit *commit, struct sov_error *err)
{
    struct sov_actor actor;
    bool found;

    if (commit->asker && strcmp(commit->asker, commit->act.actor) == 0) return true;
    if (!sov_actor_find(commit->ledger, commit->act.actor, &commit->arena, &actor, &found, err))
        return false;
    if (!found) {
        sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no actor %s", commit->act.actor);
        sov_error_ref(err, "actors");
        return false;
    }
    if (strcmp(actor.status, "active") != 0) {
        sov_error_set(err, SOV_DENIED, "actor_inactive", "%s is %s", commit->act.actor,
                      actor.status);
        sov_error_ref(err, commit->act.actor);
        return false;
    }
    commit->asker = actor.id;
    commit->asker_role = actor.role;
    return true;
}

bool sov_commit_authorise(struct sov_commit *commit, enum sov_authority authority,
                          struct sov_error *err)
{
    assert(commit->act.actor);
    return is_active(commit, err) &&
           sov_policy_authorise(commit->policy, commit->asker, commit->asker_role, authority, err);
}

bool sov_commit_repeats(struct sov_commit *commit, enum sov_event_type type,
                        const struct sov_stream *stream, struct sov_bytes data,
                        struct sov_done *done_out, bool *again_out, struct sov_error *err)
{
    struct sov_bytes octets = data.size ? data : sov_bytes_text("{}"), key;

    *again_out = false;
    if (!sov_event_validate(type, sov_value(octets), err)) return false;
    if (!commit->act.key) return true;
    key = sov_bytes_text(commit->act.key);
    if (!key.size || key.size > SOV_KEY_MAX || !sov_text_is_utf8(key))
        return sov_fail(err, SOV_USAGE, "bad_value", "an idempotency key is 1 to %d bytes of UTF-8",
                        SOV_KEY_MAX);
    return repeated(commit, type, stream, octets, done_out, again_out, err);
}

bool sov_commit_ask(struct sov_commit *commit, enum sov_event_type type,
                    const struct sov_stream *stream, struct sov_bytes data,
                    struct sov_done *done_out, bool *again_out, struct sov_error *err)
{
    const struct sov_event_row *row = sov_event_row(type);
    const char *word = sov_event_authority(row, stream ? stream->kind : row->stream);
    enum sov_authority authority;

    if (!sov_commit_repeats(commit, type, stream, data, done_out, again_out, err)) return false;
    if (*again_out) return true;
    if (!commit->act.actor) {
        assert(strcmp(word, "pass") == 0);
        return true;
    }
    if (!is_active(commit, err)) return false;
    if (!sov_authority_find(sov_bytes_text(word), &authority)) return true;
    return sov_policy_authorise(commit->policy, commit->asker, commit->asker_role, authority, err);
}

bool sov_commit_expect(struct sov_commit *commit, const struct sov_stream *stream,
                       struct sov_error *err)
{
    int64_t sv = 0, seq = 0;

    if (commit->act.expect_seq >= 0 && commit->act.expect_seq != commit->head)
        return sov_fail(err, SOV_CONFLICT, "moved", "the head is %lld, not %lld",
                        (long long)commit->head, (long long)commit->act.expect_seq);
    if (commit->act.expect_version < 0) return true;
    if (stream && !sov_stream_newest(commit->ledger->state, stream, &sv, &seq, err)) return false;
    if (sv != commit->act.expect_version)
        return sov_fail(err, SOV_CONFLICT, "moved", "its version is %lld, not %lld", (long long)sv,
                        (long long)commit->act.expect_version);
    return true;
}
