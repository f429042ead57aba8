/* One run, step by step (providers.md 8). */
#include <assert.h>
#include <signal.h>
#include <string.h>

#include "providers/attempt.h"
#include "providers/report.h"

static const size_t arena_most = (size_t)768 << 20;

void sov_attempt_events(struct sov_attempt *a, const struct sov_appended *newest)
{
    struct sov_appended *first = NULL, *last = NULL;

    for (const struct sov_appended *e = newest; e; e = e->before) {
        struct sov_appended *event = sov_arena_take(a->arena, sizeof *event);

        *event = (struct sov_appended){ e->seq, e->type,
                                        sov_arena_text(a->arena, sov_bytes_text(e->id)), NULL };
        if (last) last->before = event;
        if (!first) first = event;
        last = event;
    }
    if (!first) return;
    last->before = a->events;
    a->events = first;
}

/* ---- 1: claim ---- */

static bool claim(struct sov_attempt *a, struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = sov_attempt_act(a);
    struct sov_done done;
    struct sov_who who;
    int64_t head;

    act.key = a->options->key;
    act.expect_seq = a->options->expect_seq;
    act.expect_version = a->options->expect_version;
    if (!sov_commit_begin(&commit, a->ledger, &act, err)) return false;
    who = sov_who_now(&commit, a->process.pid, a->process.start);
    if (!sov_claim_acquire(&commit, a->assignment.n, 0, &who, &a->fence, &done, err)) return false;
    if (done.effect == SOV_NOOP) {
        /* Another process came in between with the same key: the run is its. */
        sov_error_set(err, SOV_CONFLICT, "claim_held", "%s is claimed, fence %lld", a->id,
                      (long long)a->fence);
        sov_error_ref(err, a->id);
        return false;
    }
    a->ttl_s = commit.policy->ttl_attempt;
    if (!sov_commit_finish(&commit, &head, err)) return false;
    a->claim_seq = done.seq;
    sov_attempt_events(a, commit.newest);
    return true;
}

/* Nothing ran: the assignment is as before. The reason is the code that `err` keeps. */
static bool give_back(struct sov_attempt *a, const struct sov_error *why)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = sov_attempt_act(a);
    struct sov_error err = { 0 };
    struct sov_done done;
    int64_t head;

    /* If this fails too, the claim runs into its time and `sov supervise` returns it. */
    return sov_commit_begin(&commit, a->ledger, &act, &err) &&
           sov_claim_release(&commit, a->assignment.n, a->fence, why->code, &done, &err) &&
           sov_commit_finish(&commit, &head, &err);
}

/* ---- 2: workspace, envelope, first snapshot ---- */

static bool prepare(struct sov_attempt *a, struct sov_error *err)
{
    struct sov_run_request request = {
        .assignment = a->id,
        .fence = a->fence,
        .script = a->script,
        .turn = a->turn,
        .arena = a->arena,
    };

    if (!sov_attempt_envelope(a, a->fence, &a->envelope, err) ||
        !sov_workspace_make(&a->workspace, &a->top, a->id, a->fence, err) ||
        !sov_attempt_inputs_write(a, err))
        return false;
    request.envelope = a->envelope;
    if (!a->adapter->start(&a->provider, &request, &a->plan, &a->state, err)) return false;
    sov_attempt_environment(a);
    return sov_attempt_snapshot(a, err);
}

static bool is_told_to_stop(struct sov_error *err)
{
    int signal = sov_signals_seen();

    if (!signal) return false;
    if (signal == SIGTERM)
        sov_error_set(err, SOV_TERMINATED, "terminated", "told to end before anything ran");
    else
        sov_error_set(err, SOV_INTERRUPTED, "interrupted", "told to stop before anything ran");
    return true;
}

/* ---- an idempotent repeat ---- */

static bool repeat(struct sov_attempt *a, struct sov_run_result *result, struct sov_error *err)
{
    struct sov_receipt receipt;
    struct sov_run run;
    bool found;

    if (!sov_receipt_of(a->ledger, a->assignment.n, a->fence, a->arena, &receipt, &found, err))
        return false;
    if (!found) {
        sov_error_set(err, SOV_CONFLICT, "claim_held", "%s was claimed with this key, fence %lld",
                      a->id, (long long)a->fence);
        sov_error_ref(err, a->id);
        return false;
    }
    if (!sov_run_find(a->ledger, a->assignment.n, a->fence, a->arena, &run, &found, err))
        return false;
    assert(found && receipt.effect_count <= sizeof result->end.effects / sizeof(int64_t));
    result->repeated = true;
    result->start_seq = run.start_seq;
    result->finish_seq = run.finish_seq;
    result->provider = run.provider;
    result->adapter = run.adapter;
    result->boundary_violated = receipt.boundary.violated;
    result->end = (struct sov_run_end){ .receipt = receipt.n,
                                        .status = receipt.status,
                                        .category = receipt.category,
                                        .message = receipt.message,
                                        .effect_count = receipt.effect_count };
    if (receipt.effect_count)
        memcpy(result->end.effects, receipt.effects, receipt.effect_count * sizeof(int64_t));
    return true;
}

/* ---- all of it ---- */

static bool walk(struct sov_attempt *a, struct sov_run_result *result, struct sov_error *err)
{
    bool again;

    if (!sov_process_self(&a->process, err) || !sov_attempt_preflight(a, &again, err)) return false;
    if (again) return repeat(a, result, err);
    result->provider = a->provider.name;
    result->adapter = a->adapter->name;
    result->experimental = a->adapter->experimental;
    if (a->options->dry) return true;
    if (is_told_to_stop(err) || !claim(a, err)) return false;
    if (!prepare(a, err) || is_told_to_stop(err) || !sov_attempt_intend(a, NULL, err)) {
        (void)give_back(a, err);
        return false;
    }
    sov_attempt_execute(a);
    return sov_attempt_conclude(a, result, err);
}

static void end(struct sov_attempt *a)
{
    sov_attempt_forget(a);
    if (a->state) a->adapter->release(a->state);
    sov_boundary_close(a->before);
    sov_workspace_close(&a->workspace);
    sov_folder_close(&a->top);
    sov_buf_release(&a->stdout_buf);
    sov_buf_release(&a->stderr_buf);
}

static const char *keep(struct sov_arena *arena, const char *text)
{
    return text ? sov_arena_text(arena, sov_bytes_text(text)) : NULL;
}

void sov_attempt_hand_over(const struct sov_attempt *a, struct sov_arena *arena,
                           struct sov_run_result *result)
{
    struct sov_attempt copy = { .arena = arena };
    const char **seen = sov_arena_array(arena, result->credential_seen.count + 1, sizeof *seen);

    sov_attempt_events(&copy, a->events);
    result->newest = copy.events;
    result->fence = a->fence;
    result->claim_seq = a->claim_seq;
    if (a->start_seq) result->start_seq = a->start_seq;
    result->provider = keep(arena, result->provider);
    result->adapter = keep(arena, result->adapter);
    result->message = result->end.message = keep(arena, result->end.message);
    result->end.category = keep(arena, result->end.category);
    result->end.code = keep(arena, result->end.code);
    for (size_t i = 0; i < result->credential_seen.count; i++)
        seen[i] = keep(arena, result->credential_seen.at[i]);
    result->credential_seen.at = seen;
}

bool sov_run(struct sov_ledger *ledger, const struct sov_run_options *options,
             struct sov_arena *arena, struct sov_run_result *result_out, struct sov_error *err)
{
    struct sov_arena own;
    struct sov_run_result result = { 0 };
    struct sov_attempt a = { .ledger = ledger, .options = options, .arena = &own };
    bool ok;

    assert(options->actor && options->top && options->seams);
    sov_signals_watch();
    sov_arena_init(&own, arena_most);
    ok = walk(&a, &result, err);
    end(&a);
    if (ok) {
        sov_attempt_hand_over(&a, arena, &result);
        *result_out = result;
    }
    sov_arena_release(&own);
    return ok;
}
