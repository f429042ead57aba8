/* Step 4: the provider runs. No transaction is open, and only facts are left behind. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "providers/attempt.h"

enum { STDERR_KEEP = 1 << 20 };

void sov_attempt_note(struct sov_attempt *a, enum sov_run_category category, const char *message)
{
    a->holds[category] = true;
    if (!a->message && message) a->message = sov_arena_text(a->arena, sov_bytes_text(message));
}

/* ---- renewal ---- */

/* Under another fence, or none, nothing more may be done; whatever else is in the way of a renewal
 * may be gone the next time. */
static bool is_over(const struct sov_error *err)
{
    return err->exit == SOV_DENIED || err->exit == SOV_ABSENT ||
           (err->exit == SOV_CONFLICT && strcmp(err->code, "moved") != 0);
}

static bool renew(struct sov_attempt *a, struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = sov_attempt_act(a);
    struct sov_done done;
    struct sov_who who;
    int64_t head;

    if (!sov_commit_begin(&commit, a->ledger, &act, err)) return false;
    who = sov_who_now(&commit, a->process.pid, a->process.start);
    if (!sov_claim_renew(&commit, a->assignment.n, a->fence, a->ttl_s, &who, &done, err))
        return false;
    if (!sov_commit_finish(&commit, &head, err)) return false;
    sov_attempt_events(a, commit.newest);
    return true;
}

static bool tick(void *self)
{
    struct sov_attempt *a = self;
    struct sov_error err = { 0 };

    if (renew(a, &err) || !is_over(&err)) return true;
    a->lost = true;
    return false;
}

/* ---- the stream ---- */

static bool take(void *self, struct sov_bytes chunk)
{
    struct sov_attempt *a = self;
    struct sov_error err = { 0 };

    if (a->adapter->feed(a->state, SOV_STDOUT, chunk, &err)) return true;
    sov_attempt_note(a, SOV_RUN_MALFORMED_STREAM, err.what);
    return false;
}

static void child(struct sov_attempt *a)
{
    const char **argv = sov_arena_array(a->arena, a->plan.argv.count + 1, sizeof *argv);
    struct sov_child_plan plan = {
        .argv = argv,
        .path = a->caps.path,
        .digest = a->caps.digest,
        .environment = a->environment,
        .folder = &a->workspace.ws,
        .input = a->plan.stdin_octets,
        .wall_ms = a->limits.wall_ms,
        .idle_ms = a->limits.idle_ms,
        .stdout_max = (size_t)a->limits.stdout_bytes,
        .stderr_keep = STDERR_KEEP,
        .grace_ms = a->options->grace_ms,
    };
    struct sov_child_sink sink = { a, take, tick, a->ttl_s * 1000 / SOV_RENEWALS_PER_TTL };
    struct sov_error err = { 0 };

    for (size_t i = 0; i < a->plan.argv.count; i++) argv[i] = a->plan.argv.at[i];
    if (sov_child_run(&plan, &sink, &a->stdout_buf, &a->stderr_buf, &a->result, &err)) return;
    a->result = (struct sov_child_result){ .ended_by = SOV_END_SPAWN, .exit_code = -1 };
    sov_attempt_note(a, SOV_RUN_SPAWN_FAILED, err.what);
}

static void in_process(struct sov_attempt *a)
{
    const struct sov_run_canned *canned = &a->plan.canned;
    struct sov_error err = { 0 };

    for (size_t i = 0; i < canned->file_count; i++) {
        enum sov_run_category category = SOV_RUN_INTERNAL_ERROR;

        if (sov_workspace_deliver(&a->workspace, canned->files[i].path, canned->files[i].content,
                                  &err))
            continue;
        (void)sov_policy_category(err.code, &category);
        sov_attempt_note(a, category, err.what);
    }
    a->result =
        (struct sov_child_result){ .ended_by = canned->ended_by, .exit_code = canned->exit_code };
    sov_buf_add(&a->stdout_buf, canned->octets);
    if (canned->octets.size && !take(a, canned->octets)) a->result.ended_by = SOV_END_MALFORMED;
    if (sov_signals_seen()) a->result.ended_by = SOV_END_SIGNAL;
}

/* ---- how it ended ---- */

static void judge_end(struct sov_attempt *a)
{
    const struct sov_child_result *r = &a->result;
    char text[64];

    switch (r->ended_by) {
    case SOV_END_SELF:
        if (r->exit_code == 0) return;
        if (r->signal)
            snprintf(text, sizeof text, "it ended by signal %d", r->signal);
        else
            snprintf(text, sizeof text, "it ended with status %d", r->exit_code);
        sov_attempt_note(a, SOV_RUN_NONZERO_EXIT, text);
        return;
    case SOV_END_TIMEOUT:
        sov_attempt_note(a, SOV_RUN_TIMEOUT, "the time for the whole run was over");
        return;
    case SOV_END_IDLE:
        sov_attempt_note(a, SOV_RUN_IDLE_TIMEOUT, "no output came for too long");
        return;
    case SOV_END_OUTPUT:
        sov_attempt_note(a, SOV_RUN_OUTPUT_LIMIT, "standard output went over its limit");
        return;
    case SOV_END_MALFORMED:
        sov_attempt_note(a, SOV_RUN_MALFORMED_STREAM, NULL);
        return;
    case SOV_END_SIGNAL:
        sov_attempt_note(a, SOV_RUN_INTERRUPTED,
                         a->lost ? "the claim was lost" : "the host was told to stop");
        return;
    case SOV_END_SPAWN:
        snprintf(text, sizeof text, "it could not be started: error %d", r->spawn_errno);
        sov_attempt_note(a, SOV_RUN_SPAWN_FAILED, text);
        return;
    }
}

void sov_attempt_execute(struct sov_attempt *a)
{
    sov_buf_init(&a->stdout_buf, (size_t)a->limits.stdout_bytes);
    sov_buf_init(&a->stderr_buf, 2 * STDERR_KEEP);
    if (a->adapter->transport == SOV_CHILD)
        child(a);
    else
        in_process(a);
    judge_end(a);
}
