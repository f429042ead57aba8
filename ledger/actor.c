/* Actors: fold, reads, and the operations on the roster. */
#include "ledger/actor.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "ledger/actor.sql.h"
#include "ledger/key.h"
#include "ledger/log.h"

/* ---- reads ---- */

static const char *text(struct sov_stmt *stmt, int n, struct sov_arena *arena)
{
    struct sov_bytes bytes = sov_column_text(stmt, n);

    return bytes.data ? sov_arena_text(arena, bytes) : NULL;
}

static void row_read(struct sov_stmt *stmt, struct sov_arena *arena, struct sov_actor *actor_out)
{
    *actor_out = (struct sov_actor){
        .id = text(stmt, 0, arena),
        .kind = text(stmt, 1, arena),
        .role = text(stmt, 2, arena),
        .provider = text(stmt, 3, arena),
        .represents = text(stmt, 4, arena),
        .status = text(stmt, 5, arena),
        .seq = sov_column_int(stmt, 6),
    };
}

bool sov_actor_find(const struct sov_ledger *ledger, const char *id, struct sov_arena *arena,
                    struct sov_actor *actor_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, actor_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(id));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, actor_out);
    *found_out = found;
    return true;
}

bool sov_actor_list(const struct sov_ledger *ledger, struct sov_arena *arena,
                    struct sov_actors *actors_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_actor *rows = NULL;
    size_t count = 0, room = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, actor_list_sql, err)) return false;
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        if (count == room) {
            struct sov_actor *more = sov_arena_array(arena, room ? room * 2 : 16, sizeof *more);

            if (count) memcpy(more, rows, count * sizeof *rows);
            rows = more;
            room = room ? room * 2 : 16;
        }
        row_read(&stmt, arena, &rows[count++]);
    }
    *actors_out = (struct sov_actors){ rows, count };
    return true;
}

static bool answerable(const struct sov_ledger *ledger, const char *id, struct sov_arena *arena,
                       const char **answerable_out, struct sov_error *err)
{
    struct sov_represents *rows;
    struct sov_actors actors;
    size_t count = 0;

    if (!sov_actor_list(ledger, arena, &actors, err)) return false;
    rows = sov_arena_array(arena, actors.count, sizeof *rows);
    for (size_t i = 0; i < actors.count; i++)
        if (actors.at[i].represents)
            rows[count++] = (struct sov_represents){ actors.at[i].id, actors.at[i].represents };
    return sov_policy_answerable(rows, count, id, answerable_out, err);
}

bool sov_actor_person(const struct sov_ledger *ledger, const char *id, struct sov_arena *arena,
                      struct sov_person_facts *person_out, struct sov_error *err)
{
    struct sov_person_facts person = { 0 };
    struct sov_actor_keys keys;
    struct sov_actor actor;
    struct sov_bytes *octets;
    bool found;

    if (!sov_actor_find(ledger, id, arena, &actor, &found, err)) return false;
    if (!found) {
        sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no actor %s", id);
        sov_error_ref(err, id);
        return false;
    }
    if (!sov_key_list(ledger, id, arena, &keys, err)) return false;
    octets = sov_arena_array(arena, keys.count, sizeof *octets);
    for (size_t i = 0; i < keys.count; i++)
        octets[i] = sov_arena_bytes(arena, sov_bytes(keys.at[i].key.octets, SOV_PUBLIC_KEY_SIZE));
    if (!answerable(ledger, id, arena, &person.answerable, err)) return false;
    person.id = actor.id;
    person.keys = octets;
    person.key_count = keys.count;
    person.kind = strcmp(actor.kind, "person") == 0  ? SOV_PERSON
                  : strcmp(actor.kind, "robot") == 0 ? SOV_ROBOT
                                                     : SOV_SERVICE;
    *person_out = person;
    return true;
}

/* ---- fold ---- */

static bool registered(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (event->sv != 1) return sov_fold_fail(err, event, "an actor is registered once");
    if (!sov_stmt_open(&stmt, fold->db, actor_insert_sql, err)) return false;
    sov_bind_text(&stmt, 1, event->stream.name);
    sov_bind_text(&stmt, 2, sov_data_text(event, "kind", fold->arena));
    sov_bind_text(&stmt, 3, sov_data_text(event, "role", fold->arena));
    sov_bind_text(&stmt, 4, sov_data_text(event, "provider", fold->arena));
    sov_bind_text(&stmt, 5, sov_data_text(event, "represents", fold->arena));
    sov_bind_int(&stmt, 6, event->seq);
    return sov_stmt_run(&stmt, err);
}

static bool revised(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, actor_update_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_data_text(event, "role", fold->arena));
    sov_bind_text(&stmt, 2, sov_data_text(event, "provider", fold->arena));
    sov_bind_text(&stmt, 3, sov_data_text(event, "represents", fold->arena));
    sov_bind_text(&stmt, 4, event->stream.name);
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) != 1)
        return sov_fold_fail(err, event, "revised an actor that is not there or retired");
    return true;
}

static bool status_set(struct sov_fold *fold, const struct sov_event *event, const char *status,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, actor_status_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(status));
    sov_bind_text(&stmt, 2, event->stream.name);
    sov_bind_text(&stmt, 3, sov_bytes_text(status));
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) != 1)
        return sov_fold_fail(err, event, "an actor that cannot become %s", status);
    return true;
}

bool sov_actor_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    if (event->type == SOV_EVENT_ACTOR_REGISTERED) return registered(fold, event, err);
    if (event->type == SOV_EVENT_ACTOR_REVISED) return revised(fold, event, err);
    if (event->type == SOV_EVENT_ACTOR_SUSPENDED) return status_set(fold, event, "suspended", err);
    if (event->type == SOV_EVENT_ACTOR_RESUMED) return status_set(fold, event, "active", err);
    assert(event->type == SOV_EVENT_ACTOR_RETIRED);
    return status_set(fold, event, "retired", err);
}

/* ---- operations ---- */

static bool payload(struct sov_commit *commit, const struct sov_actor_request *request,
                    bool with_kind, struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    if (with_kind && request->kind) sov_put_text(&w, "kind", request->kind);
    if (request->provider) sov_put_text(&w, "provider", request->provider);
    if (request->reason) sov_put_text(&w, "reason", request->reason);
    if (request->represents) sov_put_text(&w, "represents", request->represents);
    if (request->role) sov_put_text(&w, "role", request->role);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* The roster as it would be, for the questions whether anybody is left to govern. */
static bool still_governed(struct sov_commit *commit, const char *id, const char *role,
                           const char *status, struct sov_error *err)
{
    struct sov_roster_row *active;
    struct sov_actors actors;
    const char **roles;
    size_t count = 0, used = 0;

    if (!sov_actor_list(commit->ledger, &commit->arena, &actors, err)) return false;
    active = sov_arena_array(&commit->arena, actors.count, sizeof *active);
    roles = sov_arena_array(&commit->arena, actors.count, sizeof *roles);
    for (size_t i = 0; i < actors.count; i++) {
        bool mine = id && strcmp(actors.at[i].id, id) == 0;
        const char *now = mine && status ? status : actors.at[i].status;
        const char *as = mine && role ? role : actors.at[i].role;
        enum sov_actor_kind kind = strcmp(actors.at[i].kind, "person") == 0  ? SOV_PERSON
                                   : strcmp(actors.at[i].kind, "robot") == 0 ? SOV_ROBOT
                                                                             : SOV_SERVICE;

        if (strcmp(now, "retired") == 0) continue;
        roles[used++] = as;
        if (strcmp(now, "active") != 0) continue;
        active[count++] = (struct sov_roster_row){ actors.at[i].id, as, kind };
    }
    return sov_policy_governs(commit->policy, active, count, roles, used, err);
}

/* represents names an actor, or team/NAME, and comes to an end. */
static bool represents_ends(struct sov_commit *commit, const char *id, const char *represents,
                            struct sov_error *err)
{
    struct sov_represents *rows;
    struct sov_actors actors;
    const char *end;
    bool known =
        strncmp(represents, "team/", 5) == 0 && sov_text_is_name(sov_bytes_text(represents + 5));
    size_t count = 0;

    if (!sov_actor_list(commit->ledger, &commit->arena, &actors, err)) return false;
    rows = sov_arena_array(&commit->arena, actors.count + 1, sizeof *rows);
    for (size_t i = 0; i < actors.count; i++) {
        known = known || strcmp(actors.at[i].id, represents) == 0;
        if (actors.at[i].represents && strcmp(actors.at[i].id, id) != 0)
            rows[count++] = (struct sov_represents){ actors.at[i].id, actors.at[i].represents };
    }
    if (!known)
        return sov_fail(err, SOV_USAGE, "represents_invalid", "%s is no actor and no team/NAME",
                        represents);
    rows[count++] = (struct sov_represents){ id, represents };
    return sov_policy_answerable(rows, count, id, &end, err);
}

static bool role_known(struct sov_commit *commit, const char *role, struct sov_error *err)
{
    if (sov_policy_role(commit->policy, role)) return true;
    sov_error_set(err, SOV_USAGE, "role_unknown", "the policy has no role %s", role);
    return false;
}

bool sov_actor_register(struct sov_commit *commit, const struct sov_actor_request *request,
                        struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_ACTOR_REGISTERED };
    struct sov_actors actors;
    bool again;

    if (!request->id || !sov_text_is_id(sov_bytes_text(request->id)) ||
        strcmp(request->id, "host") == 0)
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "an actor's id is a-z, then a-z 0-9 . _ -, at most 63, and not host");
    addition.stream = sov_stream_named(SOV_STREAM_ACTOR, sov_bytes_text(request->id));
    if (!payload(commit, request, true, &addition.data, err)) return false;
    if (!sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!sov_commit_expect(commit, &addition.stream, err)) return false;
    if (!sov_actor_list(commit->ledger, &commit->arena, &actors, err)) return false;
    for (size_t i = 0; i < actors.count; i++) {
        if (!sov_text_fold_equal(sov_bytes_text(actors.at[i].id), sov_bytes_text(request->id)))
            continue;
        sov_error_set(err, SOV_CONFLICT, "exists", "there is an actor %s", actors.at[i].id);
        sov_error_ref(err, actors.at[i].id);
        return false;
    }
    if (!role_known(commit, request->role, err)) return false;
    if (request->represents && !represents_ends(commit, request->id, request->represents, err))
        return false;
    return sov_commit_lead(commit, &addition, done_out, err);
}

/* C5, C6 and the arrow: a retired actor never changes again. */
static bool living(struct sov_commit *commit, const struct sov_stream *stream, const char *id,
                   struct sov_actor *actor_out, struct sov_error *err)
{
    bool found;

    if (!sov_actor_find(commit->ledger, id, &commit->arena, actor_out, &found, err)) return false;
    if (!found) {
        sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no actor %s", id);
        sov_error_ref(err, id);
        return false;
    }
    if (!sov_commit_expect(commit, stream, err)) return false;
    if (strcmp(actor_out->status, "retired") != 0) return true;
    sov_error_set(err, SOV_CONFLICT, "wrong_state", "%s is retired", id);
    sov_error_ref(err, id);
    return false;
}

bool sov_actor_revise(struct sov_commit *commit, const struct sov_actor_request *request,
                      struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_ACTOR_REVISED };
    struct sov_actor actor;
    bool again;

    if (!request->id || !*request->id)
        return sov_fail(err, SOV_USAGE, "bad_value", "an actor is named by its id");
    addition.stream = sov_stream_named(SOV_STREAM_ACTOR, sov_bytes_text(request->id));
    if (!sov_policy_reason(sov_bytes_text(request->reason ? request->reason : ""), err))
        return false;
    if (!payload(commit, request, false, &addition.data, err)) return false;
    if (!sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!living(commit, &addition.stream, request->id, &actor, err)) return false;
    if (request->role && !role_known(commit, request->role, err)) return false;
    if (request->represents && !represents_ends(commit, request->id, request->represents, err))
        return false;
    if (request->role && !still_governed(commit, request->id, request->role, NULL, err))
        return false;
    return sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_actor_change(struct sov_commit *commit, const char *id, enum sov_actor_change change,
                      const char *reason, struct sov_done *done_out, struct sov_error *err)
{
    static const struct {
        enum sov_event_type type;
        const char *from, *to;
    } arrow[] = {
        [SOV_ACTOR_SUSPEND] = { SOV_EVENT_ACTOR_SUSPENDED, "active", "suspended" },
        [SOV_ACTOR_RESUME] = { SOV_EVENT_ACTOR_RESUMED, "suspended", "active" },
        [SOV_ACTOR_RETIRE] = { SOV_EVENT_ACTOR_RETIRED, NULL, "retired" },
    };
    struct sov_addition addition = { .type = arrow[change].type };
    struct sov_actor_request request = { .reason = reason };
    struct sov_actor actor;
    bool again;

    if (!id || !*id) return sov_fail(err, SOV_USAGE, "bad_value", "an actor is named by its id");
    addition.stream = sov_stream_named(SOV_STREAM_ACTOR, sov_bytes_text(id));
    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err)) return false;
    if (!payload(commit, &request, false, &addition.data, err)) return false;
    if (!sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!living(commit, &addition.stream, id, &actor, err)) return false;
    if (arrow[change].from && strcmp(actor.status, arrow[change].from) != 0) {
        sov_error_set(err, SOV_CONFLICT, "wrong_state", "%s is %s", id, actor.status);
        sov_error_ref(err, id);
        return false;
    }
    if (change != SOV_ACTOR_RESUME && !still_governed(commit, id, NULL, arrow[change].to, err))
        return false;
    return sov_commit_lead(commit, &addition, done_out, err);
}
