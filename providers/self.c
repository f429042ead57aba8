/*
 * One that drives itself (providers.md 8): it claims, starts, works where it is told to, and hands
 * in its report, each in a process of its own. Steps 2 and 3 are `start`; 5 and 6 are `report`, by
 * the very code that a run ends with. What the second needs of the first lies in host/ and in the
 * log.
 */
#include <assert.h>
#include <string.h>

#include "providers/attempt.h"
#include "providers/report.h"

enum { KEPT_MODE = 0400 };
_Static_assert((int)SOV_REPORT_HANDED_MAX == (int)SOV_REPORT_SIZE, "one limit of a report");
static const size_t arena_most = (size_t)768 << 20, kept_most = (size_t)256 << 20;
static const char kept_name[] = "before", self_word[] = "self";

/* ---- the adapter: what was handed in is the report ---- */

struct sov_adapter_state {
    struct sov_bytes report;
};

static bool finish(struct sov_adapter_state *state, const struct sov_run_exit *how,
                   struct sov_run_facts *facts_out, struct sov_error *err)
{
    (void)how;
    (void)err;
    *facts_out = (struct sov_run_facts){ .has_report = true, .report = state->report };
    return true;
}

/* Not among those of registry.c: nothing can be registered with it, and nothing is started. */
static const struct sov_adapter adapter = {
    .name = self_word, .transport = SOV_INPROCESS, .version = 1, .finish = finish
};

/* ---- both ---- */

struct self {
    struct sov_attempt a;
    struct sov_run_options options;
    struct sov_adapter_state state;
    struct sov_arena arena;
    struct sov_act act;
};

static void self_open(struct self *self, struct sov_ledger *ledger,
                      const struct sov_self_options *options)
{
    self->options = (struct sov_run_options){ .actor = options->actor,
                                              .assignment = options->assignment,
                                              .top = options->top,
                                              .seams = options->seams,
                                              .pages = options->pages,
                                              .expect_seq = -1,
                                              .expect_version = -1 };
    self->act = (struct sov_act){ .actor = options->actor,
                                  .key = options->key,
                                  .expect_seq = options->expect_seq,
                                  .expect_version = options->expect_version,
                                  .dry = options->dry };
    self->a = (struct sov_attempt){ .ledger = ledger,
                                    .options = &self->options,
                                    .arena = &self->arena,
                                    .adapter = &adapter,
                                    .provider = { .name = self_word, .adapter = self_word },
                                    .state = &self->state,
                                    .fence = options->fence,
                                    .finish_act = &self->act };
    sov_arena_init(&self->arena, arena_most);
}

static void self_close(struct self *self)
{
    sov_boundary_close(self->a.before);
    sov_workspace_close(&self->a.workspace);
    sov_folder_close(&self->a.top);
    sov_buf_release(&self->a.stdout_buf);
    sov_buf_release(&self->a.stderr_buf);
    sov_arena_release(&self->arena);
}

static bool has_folder(const struct sov_attempt *a)
{
    return strcmp(a->assignment.workspace_policy, "none") != 0;
}

/* ---- start ---- */

/* The intent itself, decided and rolled back: nothing is made for one who may not start. */
static bool is_startable(struct self *self, struct sov_done *done_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = self->act;
    struct sov_run_start start = { .assignment = self->options.assignment,
                                   .fence = self->a.fence,
                                   .provider = self_word,
                                   .adapter = self_word,
                                   .adapter_version = adapter.version,
                                   .egress = "public",
                                   .sandbox = "none" };
    int64_t head;

    act.dry = true;
    return sov_commit_begin(&commit, self->a.ledger, &act, err) &&
           sov_run_start(&commit, &start, done_out, err) && sov_commit_finish(&commit, &head, err);
}

static bool before_keep(struct sov_attempt *a, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf kept = { 0 };

    sov_buf_init(&kept, kept_most);
    sov_boundary_keep(a->before, &kept);
    return sov_buf_whole(&kept, "the snapshot of the repository", err) &&
           sov_file_create(&a->workspace.host, kept_name, KEPT_MODE, sov_buf_bytes(&kept), err);
}

static bool folder_make(struct sov_attempt *a, struct sov_error *err)
{
    return sov_folder_open(&a->top, a->options->top, err) && sov_workspace_check(&a->top, err) &&
           sov_attempt_inputs(a, err) && sov_attempt_envelope(a, a->fence, &a->envelope, err) &&
           sov_workspace_make(&a->workspace, &a->top, a->id, a->fence, err) &&
           sov_attempt_inputs_write(a, err) && sov_attempt_snapshot(a, err) && before_keep(a, err);
}

static bool intend(struct self *self, struct sov_error *err)
{
    self->a.plan.stdin_octets = self->a.envelope;
    return sov_attempt_intend(&self->a, &self->act, err);
}

static bool start(struct self *self, struct sov_self_started *out, struct sov_error *err)
{
    struct sov_attempt *a = &self->a;
    struct sov_done done;

    if (!is_startable(self, &done, err) || !sov_attempt_rows(a, err)) return false;
    out->effect = done.effect;
    out->seq = done.seq;
    out->has_folder = has_folder(a);
    if (done.effect == SOV_NOOP || self->act.dry) return true;
    if (!sov_process_self(&a->process, err) || !sov_attempt_limits(a, err)) return false;
    if ((out->has_folder ? folder_make(a, err)
                         : sov_attempt_envelope(a, a->fence, &a->envelope, err)) &&
        intend(self, err)) {
        out->effect = SOV_CREATED;
        out->seq = a->start_seq;
        return true;
    }
    /* The same words shall find no folder in their way; one whose run may have started stays. */
    if (a->workspace.root.open && strcmp(err->code, "commit_unknown") != 0)
        sov_workspace_unmake(&a->workspace, &a->top, a->id, a->fence);
    return false;
}

bool sov_self_start(struct sov_ledger *ledger, const struct sov_self_options *options,
                    struct sov_arena *arena, struct sov_self_started *started_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(self_close) struct self self = { 0 };
    struct sov_self_started out = { 0 };
    char name[SOV_WORKSPACE_NAME];

    self_open(&self, ledger, options);
    if (!start(&self, &out, err)) return false;
    sov_workspace_name(name, self.a.id, options->fence);
    if (out.has_folder)
        out.folder = sov_arena_printf(arena, "%s/.sovereign/runs/%s/ws", options->top, name);
    *started_out = out;
    return true;
}

/* ---- report ---- */

/* Root and snapshot as run.started has them. */
static bool started_read(const struct sov_run *run, uint64_t *device, uint64_t *inode,
                         struct sov_hash *snapshot_out)
{
    struct sov_value data = sov_value(run->started), root = sov_value_get(data, "root");
    struct sov_value snapshot = sov_value_get(data, "snapshot");

    if (!sov_value_there(root) || !sov_value_there(snapshot)) return false;
    *device = (uint64_t)sov_value_int(sov_value_get(root, "device"));
    *inode = (uint64_t)sov_value_int(sov_value_get(root, "inode"));
    return sov_unhex(sov_value_plain(snapshot), snapshot_out->octets, sizeof snapshot_out->octets);
}

/* What cannot be found again is no reason to lose the report: without the folder every deliverable
 * is missing, without the snapshot the boundary is unchecked. */
static void folder_open(struct sov_attempt *a, const struct sov_run *run)
{
    struct sov_hash snapshot = { { 0 } };
    struct sov_bytes kept = sov_bytes("", 0);
    struct sov_error err = { 0 };
    uint64_t device, inode;

    if (!started_read(run, &device, &inode, &snapshot)) return;
    if (!sov_folder_open(&a->top, a->options->top, &err) ||
        !sov_workspace_open(&a->workspace, &a->top, a->id, a->fence, device, inode, &err))
        sov_attempt_note(a, SOV_RUN_INVALID_DELIVERABLE, err.what);
    else if (!sov_file_read(&a->workspace.host, kept_name, kept_most, a->arena, &kept, &err))
        kept = sov_bytes("", 0);
    a->before = sov_boundary_read(kept, &snapshot);
}

/* Only for the holder of a run that goes on is anything looked at; whatever else it is, the commit
 * says. */
static bool is_its_own(struct sov_attempt *a, struct sov_run *run_out, bool *own_out,
                       struct sov_error *err)
{
    struct sov_claim claim;
    bool found, ran = false;

    if (!sov_claim_find(a->ledger, a->assignment.n, a->fence, a->arena, &claim, &found, err) ||
        !sov_run_find(a->ledger, a->assignment.n, a->fence, a->arena, run_out, &ran, err))
        return false;
    *own_out = found && claim.live && ran && strcmp(claim.holder, a->options->actor) == 0;
    return true;
}

static bool report(struct self *self, struct sov_run_result *result, struct sov_error *err)
{
    struct sov_attempt *a = &self->a;
    struct sov_run run = { 0 };
    bool own;

    if (!sov_attempt_rows(a, err) || !sov_attempt_limits(a, err) || !is_its_own(a, &run, &own, err))
        return false;
    if (own && strcmp(run.adapter, self_word) != 0) {
        sov_error_set(err, SOV_CONFLICT, "wrong_state",
                      "the run of fence %lld is %s's, not its own", (long long)a->fence,
                      run.provider);
        sov_error_ref(err, a->id);
        return false;
    }
    if (own && has_folder(a)) folder_open(a, &run);
    a->result = (struct sov_child_result){ .ended_by = SOV_END_SELF, .exit_code = -1 };
    result->provider = result->adapter = self_word;
    return sov_attempt_conclude(a, result, err);
}

bool sov_self_report(struct sov_ledger *ledger, const struct sov_self_options *options,
                     struct sov_bytes handed_in, struct sov_arena *arena,
                     struct sov_run_result *result_out, struct sov_error *err)
{
    SOV_CLEANUP(self_close) struct self self = { 0 };
    struct sov_run_result result = { 0 };

    assert(handed_in.size <= SOV_REPORT_HANDED_MAX);
    self_open(&self, ledger, options);
    self.state.report = handed_in;
    if (!report(&self, &result, err)) return false;
    sov_attempt_hand_over(&self.a, arena, &result);
    *result_out = result;
    return true;
}
