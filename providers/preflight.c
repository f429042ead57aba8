/* Step 0: everything that can be refused before a claim exists. Nothing is appended or made. */
#include <assert.h>
#include <string.h>

#include "providers/attempt.h"
#include "providers/report.h"

enum { MINUTE_MS = 60 * 1000 };
static const int64_t wall_usual = 30 * MINUTE_MS, wall_most = 24 * 60 * MINUTE_MS;
static const int64_t idle_usual = 10 * MINUTE_MS;
static const int64_t stdout_usual = 16 << 20, stdout_most = 64 << 20;

bool sov_attempt_limits(struct sov_attempt *a, struct sov_error *err)
{
    const struct sov_run_options *o = a->options;

    if (o->wall_ms < 0 || o->wall_ms > wall_most || o->idle_ms < 0 || o->idle_ms > wall_most ||
        o->stdout_max > (size_t)stdout_most)
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "a run lasts at most 24 hours and writes at most 64 MiB");
    a->limits = (struct sov_envelope_limits){
        .wall_ms = o->wall_ms ? o->wall_ms : wall_usual,
        .idle_ms = o->idle_ms ? o->idle_ms : idle_usual,
        .stdout_bytes = o->stdout_max ? (int64_t)o->stdout_max : stdout_usual,
        .report_bytes = SOV_REPORT_SIZE,
        .files = SOV_IMPORT_FILES,
        .file_bytes = SOV_IMPORT_FILE,
    };
    if (a->limits.file_bytes > a->policy->limits_deliverable_bytes)
        a->limits.file_bytes = a->policy->limits_deliverable_bytes;
    return true;
}

struct sov_act sov_attempt_act(const struct sov_attempt *a)
{
    return (struct sov_act){ .actor = a->options->actor, .expect_seq = -1, .expect_version = -1 };
}

/* The claim itself, decided and rolled back: `work` first, then the rest of model.md 4. */
static bool is_claimable(struct sov_attempt *a, bool *again_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = sov_attempt_act(a);
    struct sov_done done;
    struct sov_who who;
    int64_t head;

    act.key = a->options->key;
    act.expect_seq = a->options->expect_seq;
    act.expect_version = a->options->expect_version;
    act.dry = true;
    if (!sov_commit_begin(&commit, a->ledger, &act, err)) return false;
    who = sov_who_now(&commit, a->process.pid, a->process.start);
    if (!sov_claim_acquire(&commit, a->options->assignment, 0, &who, &a->fence, &done, err))
        return false;
    *again_out = done.effect == SOV_NOOP;
    if (*again_out)
        a->claim_seq = done.seq;
    else
        a->fence = 0;
    return sov_commit_finish(&commit, &head, err);
}

bool sov_attempt_rows(struct sov_attempt *a, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, a->options->assignment);
    bool found;

    a->id = sov_stream_id(&stream, a->arena);
    return sov_assignment_get(a->ledger, a->options->assignment, a->arena, &a->assignment, err) &&
           sov_sow_get(a->ledger, a->assignment.sow, a->arena, &a->sow, err) &&
           sov_outcome_get(a->ledger, a->assignment.outcome, a->arena, &a->outcome, err) &&
           sov_actor_find(a->ledger, a->assignment.actor, a->arena, &a->actor, &found, err) &&
           sov_policy_at(a->ledger, 0, a->arena, &a->policy, err) &&
           (found ||
            sov_fail(err, SOV_ABSENT, "no_such_id", "there is no actor %s", a->assignment.actor));
}

static bool workspace_check(struct sov_attempt *a, struct sov_error *err)
{
    if (strcmp(a->assignment.workspace_policy, "none") == 0) {
        sov_error_set(err, SOV_DENIED, "workspace_refusal",
                      "%s has no workspace, so nothing can be run in it", a->id);
        sov_error_ref(err, a->id);
        return false;
    }
    return sov_folder_open(&a->top, a->options->top, err) && sov_workspace_check(&a->top, err);
}

bool sov_attempt_envelope(struct sov_attempt *a, int64_t fence, struct sov_bytes *octets_out,
                          struct sov_error *err)
{
    struct sov_envelope_input *inputs =
        sov_arena_array(a->arena, a->input_count + 1, sizeof *inputs);
    struct sov_envelope envelope = {
        .fence = fence,
        .assignment = &a->assignment,
        .sow = &a->sow,
        .outcome = &a->outcome,
        .role = a->actor.role,
        .policy = a->policy,
        .inputs = inputs,
        .input_count = a->input_count,
        .limits = a->limits,
    };
    struct sov_identity identity;

    sov_ledger_identity(a->ledger, &identity);
    envelope.ledger = identity.id;
    for (size_t i = 0; i < a->input_count; i++) inputs[i] = a->inputs[i].said;
    return sov_envelope_build(&envelope, a->arena, octets_out, err);
}

/* The plan could be built: under the longest fence there is. */
static bool is_startable(struct sov_attempt *a, struct sov_error *err)
{
    struct sov_run_request request = {
        .assignment = a->id,
        .fence = INT64_C(9007199254740991),
        .script = a->script,
        .turn = a->turn,
        .arena = a->arena,
    };
    struct sov_adapter_state *state;
    struct sov_run_plan plan;

    if (!sov_attempt_envelope(a, request.fence, &request.envelope, err)) return false;
    if (!a->adapter->start(&a->provider, &request, &plan, &state, err)) {
        sov_error_ref(err, a->provider.name);
        return false;
    }
    a->adapter->release(state);
    return true;
}

bool sov_attempt_preflight(struct sov_attempt *a, bool *again_out, struct sov_error *err)
{
    if (!is_claimable(a, again_out, err)) return false;
    if (!sov_attempt_rows(a, err)) return false;
    if (*again_out) return true;
    return sov_attempt_limits(a, err) && sov_attempt_provider(a, err) &&
           sov_attempt_credentials(a, err) &&
           sov_sandbox_require(a->options->require_sandbox, err) &&
           sov_sandbox_require(a->provider.min_sandbox, err) && sov_attempt_inputs(a, err) &&
           workspace_check(a, err) && is_startable(a, err);
}
