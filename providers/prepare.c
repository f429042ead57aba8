/* Steps 2 and 3: what a run finds in its folder, how the tree looked before, and the intent. */
#include <assert.h>
#include <string.h>

#include "providers/attempt.h"
#include "providers/report.h"

/* ---- 2: inputs, first snapshot ---- */

bool sov_attempt_inputs_write(struct sov_attempt *a, struct sov_error *err)
{
    struct sov_workspace *ws = &a->workspace;

    if (!sov_workspace_input(ws, "assignment.json", a->envelope, err) ||
        !sov_workspace_input(ws, "prompt.md", sov_bytes_text(sov_prompt_text()), err) ||
        !sov_workspace_input(ws, "schema.json", sov_report_schema(), err))
        return false;
    for (size_t i = 0; i < a->input_count; i++)
        if (!sov_workspace_input(ws, a->inputs[i].said.path, a->inputs[i].content, err))
            return false;
    return true;
}

bool sov_attempt_snapshot(struct sov_attempt *a, struct sov_error *err)
{
    const struct sov_clock *clock = &a->options->seams->clock;
    struct sov_now now;
    const char *fault;

    if (!clock->read(clock->self, &now, err)) return false;
    a->before = sov_boundary_take(&a->top, now.wall.ms, NULL, &sov_boundary_usual);
    fault = sov_boundary_fault(a->before);
    if (!fault) return true;
    if (sov_boundary_is_unread(a->before))
        return sov_fail(err, SOV_UNABLE, "io_error",
                        "the repository cannot be read before the run: %s", fault);
    return sov_fail(err, SOV_DENIED, "workspace_refusal",
                    "the repository cannot be looked at before the run: %s", fault);
}

/* ---- 3: intent ---- */

static struct sov_probed probed_of(struct sov_attempt *a)
{
    struct sov_probed probed = {
        .adapter = a->adapter->name,
        .adapter_version = a->adapter->version,
        .has_executable = a->caps.path != NULL,
        .path = a->caps.path,
        .digest = a->caps.digest,
        .version_line = a->caps.version_line,
    };
    struct sov_buf proofs;
    struct sov_writer w;

    sov_buf_init(&proofs, 4096);
    sov_writer_init(&w, &proofs);
    sov_write_object(&w);
    for (enum sov_capability c = 0; c < SOV_CAPABILITY_COUNT; c++)
        sov_put_text(&w, sov_capability_word(c), sov_proof_word(a->caps.proof[c]));
    sov_write_end(&w);
    probed.proofs = sov_arena_bytes(a->arena, sov_buf_bytes(&proofs));
    sov_buf_release(&proofs);
    return probed;
}

/* What L0 is, plane by plane (providers.md 7). */
static const struct sov_word planes_l0[] = {
    { "credential", "partial: environment and descriptors" },
    { "filesystem", "detected: by a snapshot before and after" },
    { "network", "open" },
    { "process", "partial: group, subreaper, sweep" },
    { "tool", "open" },
};

static struct sov_run_start start_of(const struct sov_attempt *a, const struct sov_number *limits,
                                     size_t limit_count)
{
    bool is_child = a->adapter->transport == SOV_CHILD;

    return (struct sov_run_start){
        .assignment = a->assignment.n,
        .fence = a->fence,
        .provider = a->provider.name,
        .adapter = a->adapter->name,
        .adapter_version = a->adapter->version,
        .argv = a->plan.argv,
        .environment = a->names,
        .credentials = a->provider.credentials,
        .egress = a->provider.confidential ? "confidential" : "public",
        .envelope = sov_sha256(a->envelope),
        .schema = sov_sha256(sov_report_schema()),
        .stdin_digest = sov_sha256(a->plan.stdin_octets),
        .executable = a->caps.path ? &a->caps.digest : NULL,
        .limits = limits,
        .limit_count = limit_count,
        .local = a->local,
        .model = a->provider.model,
        .sandbox = is_child ? "L0" : "none",
        .planes = planes_l0,
        .plane_count = is_child ? sizeof planes_l0 / sizeof *planes_l0 : 0,
        .has_root = a->workspace.root.open,
        .device = a->workspace.device,
        .inode = a->workspace.inode,
    };
}

bool sov_attempt_intend(struct sov_attempt *a, const struct sov_act *asked, struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    const struct sov_number limits[] = {
        { "file_bytes", a->limits.file_bytes },     { "files", a->limits.files },
        { "idle_ms", a->limits.idle_ms },           { "report_bytes", a->limits.report_bytes },
        { "stdout_bytes", a->limits.stdout_bytes }, { "wall_ms", a->limits.wall_ms },
    };
    struct sov_run_start start = start_of(a, limits, sizeof limits / sizeof *limits);
    struct sov_act act = asked ? *asked : sov_attempt_act(a);
    struct sov_probed probed = probed_of(a);
    struct sov_hash before;
    struct sov_done done;
    int64_t head;

    if (a->before) {
        before = sov_boundary_digest(a->before);
        start.snapshot = &before;
    }
    if (a->registered) start.probe = &probed;
    if (!sov_commit_begin(&commit, a->ledger, &act, err) ||
        !sov_run_start(&commit, &start, &done, err) || !sov_commit_finish(&commit, &head, err))
        return false;
    a->start_seq = done.seq;
    sov_attempt_events(a, commit.newest);
    return true;
}
