/* One signal, decided: what is looked at, and the digest over all of it. */
#include "ledger/wake.h"

#include <assert.h>
#include <string.h>

#include "ledger/account.h"
#include "ledger/actor.h"
#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/row.h"
#include "ledger/sets.h"
#include "ledger/sow.h"
#include "ledger/wake.sql.h"

static const char tag[] = "sov.wake.v1\n";
enum { INPUTS_MAX = 1 << 20 };

/* What one decision looks at. */
struct look {
    const struct sov_ledger *ledger;
    const struct sov_signal *signal;
    struct sov_arena *arena;
    struct sov_wake_inputs in;
    struct sov_outcomes outcomes;
    struct sov_actor planner, worker;
    bool planner_there, worker_there;
    int64_t live_sow;
    const char *live_state;
};

static bool outcomes_look(struct look *look, struct sov_error *err)
{
    struct sov_wake_inputs *in = &look->in;

    if (!sov_outcome_about(look->ledger, look->signal->subject, look->arena, &look->outcomes, err))
        return false;
    in->outcome_count = look->outcomes.count;
    if (in->outcome_count != 1) return true;
    in->outcome_state = look->outcomes.at[0].state;
    in->outcome = sov_arena_printf(look->arena, "OUT-%lld", (long long)look->outcomes.at[0].n);
    return true;
}

static bool books_look(struct look *look, struct sov_error *err)
{
    const struct sov_wake_rule *rule = look->in.rule;
    const char *const *accounts;
    size_t count;
    bool declared;

    sov_policy_condition_accounts(rule->when, rule->when_count, look->signal->subject, look->arena,
                                  &accounts, &count);
    return sov_books_read(look->ledger, accounts, count, look->signal->subject, look->arena,
                          &look->in.books, &declared, err);
}

/* A live SOW for the need (outcome, subject): planned by a person, or made for a signal about the
 * same subject. */
static bool sows_look(struct look *look, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    int64_t outcome = look->outcomes.at[0].n;
    bool found;

    if (!sov_sow_count_live(look->ledger, outcome, &look->in.open_sows, err)) return false;
    if (!sov_stmt_open(&stmt, look->ledger->state, wake_live_sow_sql, err)) return false;
    sov_bind_int(&stmt, 1, outcome);
    sov_bind_text(&stmt, 2, sov_bytes_text(look->signal->subject));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found) return true;
    look->live_sow = sov_column_int(&stmt, 0);
    look->live_state = sov_row_text(&stmt, 1, look->arena);
    look->in.live_sow = sov_arena_printf(look->arena, "SOW-%lld", (long long)look->live_sow);
    return true;
}

/* The actor that a rule's worker is; NULL if the role has no active one. */
static bool worker_choose(struct look *look, const char **id_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_wake_candidate *rows = NULL;
    size_t count = 0;
    bool found;
    int best;

    *id_out = look->in.rule->worker;
    if (*id_out) return true;
    if (!sov_stmt_open(&stmt, look->ledger->state, wake_workers_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(look->in.rule->worker_role));
    for (;;) {
        if (!sov_stmt_row(&stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(look->arena, rows, count, sizeof *rows);
        rows[count++] = (struct sov_wake_candidate){ sov_row_text(&stmt, 0, look->arena),
                                                     sov_column_int(&stmt, 1) };
    }
    best = sov_policy_wake_worker(rows, count);
    *id_out = best < 0 ? NULL : rows[best].id;
    return true;
}

/* Against the sets of the term that the work will be in: a violated outcome begins a new one. */
static bool separation_look(struct look *look, struct sov_error *err)
{
    const struct sov_outcome *outcome = &look->outcomes.at[0];
    int64_t term = outcome->term + (outcome->state == SOV_OUTCOME_VIOLATED);
    struct sov_person_facts person;
    struct sov_error refused = { 0 };
    struct sov_sets sets;

    if (!sov_actor_person(look->ledger, look->worker.id, look->arena, &person, err) ||
        !sov_term_sets(look->ledger, outcome->n, term, look->arena, &sets, err))
        return false;
    look->in.worker_separate = sov_policy_separate(SOV_PERFORMERS, &person, &sets, &refused);
    if (look->in.policy->answerable_required && person.kind == SOV_ROBOT &&
        !look->worker.represents)
        look->in.worker_separate = false;
    return true;
}

static bool actors_look(struct look *look, struct sov_error *err)
{
    struct sov_wake_inputs *in = &look->in;
    const char *worker;

    in->planner_role = in->worker_role = "";
    if (!sov_actor_find(look->ledger, in->rule->planner, look->arena, &look->planner,
                        &look->planner_there, err) ||
        !worker_choose(look, &worker, err))
        return false;
    if (look->planner_there) {
        in->planner_active = strcmp(look->planner.status, "active") == 0;
        in->planner_role = look->planner.role;
    }
    if (!worker) return true;
    if (!sov_actor_find(look->ledger, worker, look->arena, &look->worker, &look->worker_there, err))
        return false;
    if (!look->worker_there) return true;
    in->worker_active = strcmp(look->worker.status, "active") == 0;
    in->worker_role = look->worker.role;
    return separation_look(look, err);
}

/* In the order of the questions, and no further than the first whose answer needs nothing more. */
static bool look_around(struct look *look, struct sov_error *err)
{
    if (!look->in.rule) return true;
    if (!outcomes_look(look, err)) return false;
    if (look->in.outcome_count != 1) return true;
    return books_look(look, err) && sows_look(look, err) && actors_look(look, err);
}

/* ---- the digest ---- */

static void put_books(struct sov_writer *w, const struct sov_books *books)
{
    sov_put_object(w, "balances");
    for (size_t i = 0; i < books->balance_count; i++)
        sov_put_int(w, books->balances[i].account, books->balances[i].balance);
    sov_write_end(w);
    sov_put_object(w, "facts");
    for (size_t i = 0; i < books->fact_count; i++)
        sov_put_int(w, books->facts[i].name, books->facts[i].value);
    sov_write_end(w);
}

static void put_outcomes(struct sov_writer *w, const struct sov_outcomes *outcomes)
{
    sov_put_list(w, "outcomes");
    for (size_t i = 0; i < outcomes->count; i++) {
        sov_write_object(w);
        sov_put_number(w, "id", SOV_STREAM_OUTCOME, outcomes->at[i].n);
        sov_put_text(w, "state", sov_policy_outcome_name(outcomes->at[i].state));
        sov_put_int(w, "term", outcomes->at[i].term);
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void put_actor(struct sov_writer *w, const char *key, const struct sov_actor *actor)
{
    sov_put_object(w, key);
    sov_put_text(w, "id", actor->id);
    if (actor->represents) sov_put_text(w, "represents", actor->represents);
    sov_put_text(w, "role", actor->role);
    sov_put_text(w, "status", actor->status);
    sov_write_end(w);
}

static void put_signal(struct sov_writer *w, const struct sov_signal *signal)
{
    sov_put_object(w, "signal");
    sov_put_number(w, "id", SOV_STREAM_SIGNAL, signal->n);
    sov_put_text(w, "kind", signal->kind);
    sov_put_int(w, "seq", signal->seq);
    sov_put_text(w, "severity", sov_policy_severity_word(signal->severity));
    sov_put_text(w, "source", signal->source);
    sov_put_text(w, "subject", signal->subject);
    sov_write_end(w);
}

static bool inputs_digest(const struct look *look, struct sov_hash *digest_out,
                          struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf body = { 0 };
    struct sov_writer w;

    sov_buf_init(&body, INPUTS_MAX);
    sov_writer_init(&w, &body);
    sov_write_object(&w);
    put_books(&w, &look->in.books);
    if (look->live_sow) {
        sov_put_object(&w, "live_sow");
        sov_put_number(&w, "id", SOV_STREAM_SOW, look->live_sow);
        sov_put_text(&w, "state", look->live_state);
        sov_write_end(&w);
    }
    sov_put_int(&w, "open_sows", look->in.open_sows);
    put_outcomes(&w, &look->outcomes);
    if (look->planner_there) put_actor(&w, "planner", &look->planner);
    sov_put_hex(&w, "policy", sov_hash_bytes(&look->in.policy->digest));
    if (look->in.rule) sov_put_text(&w, "rule", look->in.rule->id);
    put_signal(&w, look->signal);
    if (look->worker_there) {
        put_actor(&w, "worker", &look->worker);
        sov_put_bool(&w, "worker_separate", look->in.worker_separate);
    }
    sov_write_end(&w);
    if (!sov_buf_whole(&body, "what a wake decision looked at", err)) return false;
    *digest_out = sov_sha256_parts(
        (struct sov_bytes[]){ sov_bytes(tag, sizeof tag - 1), sov_buf_bytes(&body) }, 2);
    return true;
}

bool sov_wake_decide(const struct sov_ledger *ledger, const struct sov_policy *policy,
                     const struct sov_signal *signal, int64_t at_ms, struct sov_arena *arena,
                     struct sov_wake *wake_out, struct sov_error *err)
{
    struct look look = { .ledger = ledger, .signal = signal, .arena = arena };
    struct sov_wake wake = { .signal = signal->n, .subject = signal->subject };
    struct sov_wake_verdict verdict;

    look.in.policy = policy;
    look.in.subject = signal->subject;
    look.in.now_ms = at_ms;
    look.in.rule = sov_policy_wake_rule(policy, signal->kind, signal->source, signal->severity,
                                        signal->subject);
    if (!look_around(&look, err) || !sov_policy_wake(&look.in, &verdict, err) ||
        !inputs_digest(&look, &wake.inputs_digest, err))
        return false;
    wake.decision = verdict.decision;
    wake.reason = verdict.reason;
    wake.rule = look.in.rule ? look.in.rule->id : NULL;
    wake.outcome = verdict.outcome ? look.outcomes.at[0].n : 0;
    wake.waits_on = verdict.waits_on;
    wake.waits_state = verdict.waits_state;
    wake.until_ms = verdict.until_ms;
    wake.rules_digest = policy->rules_digest;
    if (verdict.decision == SOV_WAKE_DUPLICATE) {
        wake.sow = look.live_sow;
        wake.waits_state = look.live_state;
    }
    if (verdict.decision == SOV_WAKE_FIRE) {
        wake.planner = look.planner.id;
        wake.worker = look.worker.id;
        wake.reopen = look.in.outcome_state == SOV_OUTCOME_VIOLATED;
    }
    *wake_out = wake;
    return true;
}
