/* Assignments: reads, and the operations assign and cancel. */
#include "ledger/assignment.h"

#include <assert.h>

#include "base/text.h"
#include "ledger/actor.h"
#include "ledger/assignment.sql.h"
#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/row.h"
#include "ledger/sets.h"
#include "ledger/sow.h"

/* ---- reads ---- */

static void row_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                     struct sov_assignment *assignment_out)
{
    *assignment_out = (struct sov_assignment){
        .n = sov_column_int(stmt, 0),
        .sow = sov_column_int(stmt, 1),
        .outcome = sov_column_int(stmt, 2),
        .actor = sov_row_text(stmt, 3, arena),
        .workspace_policy = sov_row_text(stmt, 4, arena),
        .workspace_id = sov_row_text(stmt, 5, arena),
        .round = sov_column_int(stmt, 6),
        .prompt_digest = sov_row_hash(stmt, 7),
        .author = sov_row_text(stmt, 8, arena),
        .on_behalf = sov_row_text(stmt, 9, arena),
        .attempts = sov_column_int(stmt, 11),
        .fence = sov_column_int(stmt, 12),
        .receipt = sov_column_int(stmt, 13),
        .seq = sov_column_int(stmt, 14),
    };
    sov_policy_assignment_state(sov_row_text(stmt, 10, arena), &assignment_out->state);
}

bool sov_assignment_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                         struct sov_assignment *assignment_out, bool *found_out,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, assignment_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, assignment_out);
    *found_out = found;
    return true;
}

bool sov_assignment_get(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                        struct sov_assignment *assignment_out, struct sov_error *err)
{
    bool found;

    if (!sov_assignment_find(ledger, n, arena, assignment_out, &found, err)) return false;
    return found ? true : sov_refuse_absent(err, SOV_STREAM_ASSIGNMENT, n);
}

bool sov_assignment_list(const struct sov_ledger *ledger, int64_t sow, struct sov_arena *arena,
                         struct sov_assignments *assignments_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_assignment *rows = NULL;
    size_t count = 0;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, sow ? assignment_list_sow_sql : assignment_list_sql,
                       err))
        return false;
    if (sow) sov_bind_int(&stmt, 1, sow);
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        row_read(&stmt, arena, &rows[count++]);
    }
    *assignments_out = (struct sov_assignments){ rows, count };
    return true;
}

bool sov_assignment_count_live(const struct sov_ledger *ledger, const char *actor,
                               int64_t *count_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, assignment_count_live_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(actor));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *count_out = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

static void put_texts(struct sov_writer *w, const char *key, const char *const *texts, size_t count)
{
    sov_put_list(w, key);
    for (size_t i = 0; i < count; i++) sov_write_text(w, sov_bytes_text(texts[i]));
    sov_write_end(w);
}

struct sov_hash sov_prompt_digest(const struct sov_sow *sow, const struct sov_outcome *outcome)
{
    struct sov_buf body;
    struct sov_writer w;
    struct sov_hash hash;

    sov_buf_init(&body, 1 << 20);
    sov_writer_init(&w, &body);
    sov_write_object(&w);
    put_texts(&w, "deliverables", sow->deliverables, sow->deliverable_count);
    sov_put_text(&w, "desired_state", outcome->desired_state);
    sov_put_text(&w, "done_when", sow->done_when);
    if (sow->effect) {
        sov_put_object(&w, "effect");
        sov_put_text(&w, "kind", sow->effect);
        sov_put_bool(&w, "required", sow->effect_required);
        sov_write_end(&w);
    }
    put_texts(&w, "non_goals", sow->non_goals, sow->non_goal_count);
    sov_put_number(&w, "outcome", SOV_STREAM_OUTCOME, outcome->n);
    sov_put_text(&w, "role", sow->role);
    sov_put_text(&w, "scope", sow->scope);
    sov_put_number(&w, "sow", SOV_STREAM_SOW, sow->n);
    if (outcome->subject) sov_put_text(&w, "subject", outcome->subject);
    sov_put_text(&w, "title", sow->title);
    sov_write_end(&w);
    assert(!body.cut);
    hash = sov_sha256_parts(
        (struct sov_bytes[]){ sov_bytes_text("sov.prompt.v1\n"), sov_buf_bytes(&body) }, 2);
    sov_buf_release(&body);
    return hash;
}

/* ---- the worker ---- */

static bool worker_fits(struct sov_commit *commit, const struct sov_actor *worker, const char *role,
                        struct sov_error *err)
{
    if (strcmp(worker->status, "active") != 0)
        return sov_fail(err, SOV_DENIED, "worker_inactive", "%s is %s", worker->id, worker->status);
    if (strcmp(worker->role, role) != 0)
        return sov_fail(err, SOV_DENIED, "role_mismatch", "%s is %s, the SOW asks for %s",
                        worker->id, worker->role, role);
    if (!sov_policy_may(commit->policy, worker->role, SOV_MAY_WORK))
        return sov_fail(err, SOV_DENIED, "worker_not_authorised", "%s as %s may not work",
                        worker->id, worker->role);
    return true;
}

static bool worker_find(struct sov_commit *commit, const char *id, struct sov_actor *worker_out,
                        struct sov_error *err)
{
    bool found;

    if (!sov_actor_find(commit->ledger, id, &commit->arena, worker_out, &found, err)) return false;
    if (found) return true;
    sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no actor %s", id);
    sov_error_ref(err, id);
    return false;
}

bool sov_assignment_worker(struct sov_commit *commit, const char *actor, const char *role,
                           int64_t outcome, int64_t term, struct sov_error *err)
{
    struct sov_person_facts person;
    struct sov_actor worker;
    struct sov_sets sets;

    if (!worker_find(commit, actor, &worker, err) || !worker_fits(commit, &worker, role, err) ||
        !sov_actor_person(commit->ledger, actor, &commit->arena, &person, err) ||
        !sov_term_sets(commit->ledger, outcome, term, &commit->arena, &sets, err) ||
        !sov_policy_separate(SOV_PERFORMERS, &person, &sets, err))
        return false;
    if (commit->policy->answerable_required && person.kind == SOV_ROBOT && !worker.represents)
        return sov_fail(err, SOV_DENIED, "answerable_missing",
                        "%s is a robot that represents nobody", actor);
    return true;
}

/* ---- assign ---- */

/* What an assignment is made of; read before its payload is final. */
struct making {
    struct sov_sow sow;
    struct sov_outcome outcome;
    struct sov_hash prompt;
    const char *on_behalf;
};

static bool payload(struct sov_commit *commit, const struct sov_assignment_request *request,
                    const struct making *making, struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "actor", request->actor);
    if (making->on_behalf) sov_put_text(&w, "on_behalf", making->on_behalf);
    sov_put_number(&w, "outcome", SOV_STREAM_OUTCOME, making->outcome.n);
    sov_put_hex(&w, "prompt_digest", sov_hash_bytes(&making->prompt));
    sov_put_int(&w, "round", making->sow.rounds + 1);
    sov_put_number(&w, "sow", SOV_STREAM_SOW, request->sow);
    sov_put_object(&w, "workspace");
    sov_put_text(&w, "id", sov_arena_printf(&commit->arena, "sow-%lld", (long long)request->sow));
    sov_put_text(&w, "policy", request->workspace);
    sov_write_end(&w);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static bool is_workspace(const char *word)
{
    static const char *const words[] = { "keep", "archive", "remove", "none" };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) return true;
    return false;
}

/* C1. The workspace that is not said depends on who works: none for a person, else archive. */
static bool well_formed(struct sov_commit *commit, struct sov_assignment_request *request,
                        struct sov_error *err)
{
    struct sov_actor worker;
    bool found;

    if (!request->actor || !sov_text_is_id(sov_bytes_text(request->actor)))
        return sov_fail(err, SOV_USAGE, "bad_value", "the worker is no id of an actor");
    if (request->workspace && !is_workspace(request->workspace))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "a workspace is to keep, archive, remove, or none");
    if (request->workspace) return true;
    if (!sov_actor_find(commit->ledger, request->actor, &commit->arena, &worker, &found, err))
        return false;
    request->workspace = found && strcmp(worker.kind, "person") == 0 ? "none" : "archive";
    return true;
}

/* A workspace without a folder has no boundary that could be computed: for persons only. */
static bool workspace_fits(struct sov_commit *commit, const struct sov_assignment_request *request,
                           struct sov_error *err)
{
    struct sov_actor worker;

    if (!worker_find(commit, request->actor, &worker, err)) return false;
    if (strcmp(request->workspace, "none") != 0 || strcmp(worker.kind, "person") == 0) return true;
    return sov_fail(err, SOV_USAGE, "bad_value", "%s is no person, and works in a workspace",
                    request->actor);
}

/* C5 and, after C6, C7 and the operation's own preconditions. */
static bool making_read(struct sov_commit *commit, const struct sov_assignment_request *request,
                        struct making *making, struct sov_error *err)
{
    return sov_sow_get(commit->ledger, request->sow, &commit->arena, &making->sow, err) &&
           sov_outcome_get(commit->ledger, making->sow.outcome, &commit->arena, &making->outcome,
                           err) &&
           workspace_fits(commit, request, err);
}

static bool making_holds(struct sov_commit *commit, const struct sov_assignment_request *request,
                         const struct making *making, struct sov_error *err)
{
    const struct sov_sow *sow = &making->sow;

    if (!sov_policy_sow_arrow(sow->state, SOV_SOW_BY_ASSIGNED, SOV_SOW_ASSIGNED))
        return sov_refuse_state(err, SOV_STREAM_SOW, sow->n, sov_policy_sow_name(sow->state), "");
    return sov_outcome_open(&making->outcome, err) &&
           sov_assignment_worker(commit, request->actor, sow->role, sow->outcome, sow->term, err) &&
           sov_sow_rounds_left(commit, sow, err);
}

bool sov_assignment_create(struct sov_commit *commit, const struct sov_assignment_request *request,
                           struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_ASSIGNMENT_CREATED };
    struct making making = { .outcome = { .n = 1 } }; /* an id of valid form, until it is read */
    struct sov_assignment_request asked = *request;
    struct sov_stream sow = sov_stream_numbered(SOV_STREAM_SOW, request->sow);
    bool again;

    if (!well_formed(commit, &asked, err) ||
        !payload(commit, &asked, &making, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, NULL, addition.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!making_read(commit, &asked, &making, err) || !sov_commit_expect(commit, &sow, err) ||
        !making_holds(commit, &asked, &making, err))
        return false;
    making.prompt = sov_prompt_digest(&making.sow, &making.outcome);
    addition.cause[0] = making.sow.seq;
    return payload(commit, &asked, &making, &addition.data, err) &&
           sov_commit_next(commit, SOV_STREAM_ASSIGNMENT, &addition.stream, err) &&
           sov_commit_lead(commit, &addition, done_out, err) &&
           sov_sow_follow_assigned(commit, asked.sow, addition.stream.n, making.sow.rounds + 1, 0,
                                   err) &&
           sov_outcome_follow_resumed(commit, making.outcome.n, "assignment.created", err);
}

bool sov_assignment_follow_created(struct sov_commit *commit,
                                   const struct sov_assignment_request *request,
                                   const char *on_behalf, int64_t *n_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_ASSIGNMENT_CREATED };
    struct making making = { .on_behalf = on_behalf };
    struct sov_assignment_request asked = *request;
    int64_t seq;

    if (!well_formed(commit, &asked, err) || !making_read(commit, &asked, &making, err) ||
        !making_holds(commit, &asked, &making, err))
        return false;
    making.prompt = sov_prompt_digest(&making.sow, &making.outcome);
    addition.cause[0] = making.sow.seq;
    if (!payload(commit, &asked, &making, &addition.data, err) ||
        !sov_commit_next(commit, SOV_STREAM_ASSIGNMENT, &addition.stream, err) ||
        !sov_commit_follow(commit, &addition, &seq, err) ||
        !sov_sow_follow_assigned(commit, asked.sow, addition.stream.n, making.sow.rounds + 1, seq,
                                 err))
        return false;
    *n_out = addition.stream.n;
    return true;
}
