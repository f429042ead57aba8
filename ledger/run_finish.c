/* The end of a run: one commit under the live fence, in the order of model.md 7. */
#include <assert.h>
#include <string.h>

#include "base/amount.h"
#include "base/text.h"
#include "ledger/assignment.h"
#include "ledger/claim.h"
#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/run.h"
#include "ledger/run_late.h"
#include "ledger/sow.h"

enum { MESSAGE_MAX = 500, PATHS_MAX = SOV_DELIVERABLE_PATHS_MAX };

/* Everything one finish works on. */
struct end {
    const struct sov_run_finish *asked;
    struct sov_assignment assignment;
    struct sov_claim claim;
    struct sov_sow sow;
    struct sov_run run;
    struct sov_run_observed observed;
    const char *message;
    const struct sov_run_file *files;
    size_t file_count;
    struct sov_effects_due due;
    struct sov_run_verdict verdict;
    struct sov_blob_ref stdin_ref, stdout_ref, stderr_ref, report_ref, boundary_ref;
    struct sov_deliverable *deliverables;
};

/* ---- the payload ---- */

static void put_numbers(struct sov_writer *w, const struct sov_number *numbers, size_t count)
{
    sov_write_object(w);
    for (size_t i = 0; i < count; i++) sov_put_int(w, numbers[i].name, numbers[i].n);
    sov_write_end(w);
}

static void put_proposals(struct sov_writer *w, const struct sov_proposals *proposals)
{
    sov_put_list(w, "proposals");
    for (size_t i = 0; i < proposals->count; i++) {
        const struct sov_proposal *p = &proposals->at[i];

        sov_write_object(w);
        sov_put_text(w, "kind", p->kind);
        if (p->has_quantity && sov_amount_fits(p->quantity))
            sov_put_int(w, "quantity", p->quantity);
        sov_put_text(w, "subject", p->subject);
        if (p->unit) sov_put_text(w, "unit", p->unit);
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void put_also(struct sov_writer *w, const struct sov_run_verdict *verdict)
{
    sov_put_list(w, "also");
    for (size_t i = 0; i < verdict->also_count; i++)
        sov_write_text(w, sov_bytes_text(sov_policy_category_word(verdict->also[i])));
    sov_write_end(w);
}

static void put_ref(struct sov_writer *w, const char *key, const struct sov_blob_ref *ref)
{
    if (ref->media_type) sov_blob_ref_put(w, key, ref);
}

static const char *report_word(enum sov_report_status status)
{
    switch (status) {
    case SOV_REPORT_COMPLETED:
        return "completed";
    case SOV_REPORT_BLOCKED:
        return "blocked";
    case SOV_REPORT_FAILED:
        return "failed";
    case SOV_REPORT_NONE:
        break;
    }
    return NULL;
}

static bool payload(struct sov_commit *commit, const struct end *end, struct sov_bytes *data_out,
                    struct sov_error *err)
{
    const struct sov_run_finish *asked = end->asked;
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    put_also(&w, &end->verdict);
    if (end->verdict.status == SOV_RECEIPT_FAILED)
        sov_put_text(&w, "category", sov_policy_category_word(end->verdict.category));
    sov_write_key(&w, "counts");
    put_numbers(&w, asked->counts, asked->count_count);
    sov_put_list(&w, "credential_seen");
    for (size_t i = 0; i < asked->credential_seen.count; i++)
        sov_write_text(&w, sov_bytes_text(asked->credential_seen.at[i]));
    sov_write_end(&w);
    sov_put_text(&w, "ended_by", asked->ended_by);
    if (asked->exited) sov_put_int(&w, "exit", asked->exit);
    sov_put_text(&w, "message", end->message);
    if (asked->model) sov_put_text(&w, "model", asked->model);
    put_proposals(&w, &asked->proposals);
    put_ref(&w, "report", &end->report_ref);
    if (asked->signal) sov_put_int(&w, "signal", asked->signal);
    if (report_word(end->observed.report))
        sov_put_text(&w, "status", report_word(end->observed.report));
    put_ref(&w, "stderr", &end->stderr_ref);
    put_ref(&w, "stdin", &end->stdin_ref);
    put_ref(&w, "stdout", &end->stdout_ref);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* ---- what the host decides ---- */

/* At most 500 bytes of whole characters. */
static const char *brief(struct sov_arena *arena, const char *text)
{
    struct sov_bytes bytes = sov_bytes_text(text);

    if (bytes.size > MESSAGE_MAX) bytes.size = MESSAGE_MAX;
    for (int i = 0; i < 4 && bytes.size && !sov_text_is_utf8(bytes); i++) bytes.size--;
    return sov_text_is_utf8(bytes) ? sov_arena_text(arena, bytes) : "";
}

static void note(struct end *end, enum sov_run_category category, struct sov_arena *arena,
                 const char *message)
{
    end->observed.holds[category] = true;
    if (!*end->message) end->message = brief(arena, message);
}

static bool files_are_sound(const struct sov_commit *commit, const struct sov_run_finish *asked)
{
    int64_t total = 0;
    size_t paths = 0;

    if (asked->file_count > SOV_DELIVERABLES_MAX) return false;
    for (size_t i = 0; i < asked->file_count; i++) {
        struct sov_bytes path = sov_bytes_text(asked->files[i].path);

        if (!sov_text_is_safe_path(path)) return false;
        if ((int64_t)asked->files[i].content.size > commit->policy->limits_deliverable_bytes)
            return false;
        total += (int64_t)asked->files[i].content.size;
        paths += path.size;
        for (size_t k = 0; k < i; k++)
            if (sov_text_fold_equal(path, sov_bytes_text(asked->files[k].path))) return false;
    }
    return total <= commit->policy->limits_receipt_bytes && paths <= PATHS_MAX;
}

static bool has_file(const struct end *end, const char *path)
{
    for (size_t i = 0; i < end->file_count; i++)
        if (strcmp(end->files[i].path, path) == 0) return true;
    return false;
}

/* 4: what the SOW declares came back, as files that may be kept. */
static void judge_files(struct sov_commit *commit, struct end *end)
{
    struct sov_arena *arena = &commit->arena;
    bool *holds = end->observed.holds;

    if (!files_are_sound(commit, end->asked)) {
        note(end, SOV_RUN_INVALID_DELIVERABLE, arena, "a file is over a limit, or its path unsafe");
        return;
    }
    end->files = end->asked->files;
    end->file_count = end->asked->file_count;
    if (end->observed.report != SOV_REPORT_COMPLETED || holds[SOV_RUN_INVALID_DELIVERABLE] ||
        holds[SOV_RUN_MISSING_DELIVERABLE])
        return;
    for (size_t i = 0; i < end->sow.deliverable_count; i++) {
        const char *path = end->sow.deliverables[i];

        if (has_file(end, path)) continue;
        note(end, SOV_RUN_MISSING_DELIVERABLE, arena,
             sov_arena_printf(arena, "the deliverable %s is not there", path));
    }
}

/* 5 and 6. */
static bool judge_effects(struct sov_commit *commit, struct end *end, struct sov_error *err)
{
    const struct sov_run_finish *asked = end->asked;
    bool has_folder = strcmp(end->assignment.workspace_policy, "none") != 0;

    if (end->observed.report == SOV_REPORT_COMPLETED && asked->proposals.count) {
        if (!sov_effect_judge(commit, asked->assignment, &asked->proposals, &end->due, err))
            return false;
        if (end->due.refused) note(end, SOV_RUN_PROPOSAL_REFUSED, &commit->arena, end->due.message);
    }
    if (has_folder && !(asked->boundary_scoped && asked->boundary_computed))
        note(end, SOV_RUN_BOUNDARY_UNCHECKED, &commit->arena,
             "what changed outside the workspace could not be determined");
    return true;
}

/* ---- blobs ---- */

static bool put_octets(struct sov_commit *commit, struct sov_bytes octets, const char *media_type,
                       struct sov_blob_ref *ref_out, struct sov_error *err)
{
    return !octets.data || sov_blob_put(commit, octets, media_type, true, ref_out, err);
}

static bool put_blobs(struct sov_commit *commit, struct end *end, struct sov_error *err)
{
    static const char stream[] = "application/octet-stream", json[] = "application/json";
    const struct sov_run_finish *asked = end->asked;

    if (!put_octets(commit, asked->stdin_octets, json, &end->stdin_ref, err) ||
        !put_octets(commit, asked->stdout_octets, stream, &end->stdout_ref, err) ||
        !put_octets(commit, asked->stderr_octets, stream, &end->stderr_ref, err) ||
        !put_octets(commit, asked->boundary_report, json, &end->boundary_ref, err))
        return false;
    if (asked->has_report && !sov_run_report_keep(commit, asked->report, &end->report_ref, err))
        return false;
    end->deliverables =
        sov_arena_array(&commit->arena, end->file_count + 1, sizeof *end->deliverables);
    for (size_t i = 0; i < end->file_count; i++) {
        struct sov_blob_ref ref;

        if (!sov_blob_put(commit, end->files[i].content, stream, false, &ref, err)) return false;
        end->deliverables[i] = (struct sov_deliverable){ end->files[i].path, ref.digest, ref.size };
    }
    return true;
}

/* ---- consequences ---- */

static bool follow_refused(struct sov_commit *commit, const struct end *end, struct sov_error *err)
{
    const struct sov_proposal *p = &end->asked->proposals.at[end->due.refused_at];
    struct sov_addition addition = {
        .type = SOV_EVENT_EFFECT_REFUSED,
        .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, end->asked->assignment),
        .fence = end->asked->fence,
    };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "code", end->due.code);
    sov_put_text(&w, "kind", p->kind);
    if (p->has_quantity && sov_amount_fits(p->quantity)) sov_put_int(&w, "quantity", p->quantity);
    sov_put_text(&w, "subject", p->subject);
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}

static bool follow_receipt(struct sov_commit *commit, const struct end *end,
                           const struct sov_run_end *out, int64_t *n_out, int64_t *seq_out,
                           struct sov_error *err)
{
    const struct sov_run_finish *asked = end->asked;
    struct sov_receipt draft = {
        .assignment = asked->assignment,
        .attempt = end->claim.attempt,
        .fence = asked->fence,
        .status = end->verdict.status,
        .category = out->category,
        .message = end->message,
        .has_report = asked->has_report,
        .provider = end->run.provider,
        .adapter = end->run.adapter,
        .model = asked->model,
        .adapter_version = end->run.adapter_version,
        .deliverables = end->deliverables,
        .deliverable_count = end->file_count,
        .effects = out->effects,
        .effect_count = out->effect_count,
        .effects_unknown = end->verdict.effects_unknown,
        .boundary = { asked->boundary_scoped, asked->boundary_computed, asked->boundary_violated,
                      end->boundary_ref },
    };
    struct sov_writer w = sov_commit_writer(commit);

    if (asked->has_report) draft.report_digest = sov_sha256(asked->report);
    put_numbers(&w, asked->usage, asked->usage_count);
    return sov_commit_payload(commit, &draft.usage, err) &&
           sov_receipt_follow(commit, &draft, true, n_out, seq_out, err);
}

static bool follow_states(struct sov_commit *commit, const struct end *end, int64_t receipt,
                          int64_t cause, struct sov_error *err)
{
    static const enum sov_assignment_state ends[SOV_RECEIPT_STATUS_COUNT] = {
        [SOV_RECEIPT_COMPLETED] = SOV_ASSIGNMENT_COMPLETED,
        [SOV_RECEIPT_BLOCKED] = SOV_ASSIGNMENT_BLOCKED,
        [SOV_RECEIPT_FAILED] = SOV_ASSIGNMENT_FAILED,
    };
    int64_t n = end->asked->assignment, sow = end->sow.n, fence = end->asked->fence;
    bool ok = false;

    switch (end->verdict.status) {
    case SOV_RECEIPT_COMPLETED:
        ok = sov_sow_follow_submitted(commit, sow, n, receipt, fence, cause, err);
        break;
    case SOV_RECEIPT_BLOCKED:
        ok = sov_sow_follow_blocked(commit, sow, n, receipt, fence, cause, err);
        break;
    case SOV_RECEIPT_FAILED: {
        struct sov_sow_failure failure = { n,     receipt,
                                           0,     fence,
                                           cause, sov_policy_category_word(end->verdict.category) };

        ok = sov_sow_follow_failed(commit, sow, &failure, err);
        break;
    }
    case SOV_RECEIPT_STATUS_COUNT:
        assert(false);
    }
    return ok && sov_assignment_follow_ended(commit, n, ends[end->verdict.status], receipt, fence,
                                             cause, err);
}

/* ---- the operation ---- */

static bool conclude(struct sov_commit *commit, struct end *end, struct sov_done *done_out,
                     struct sov_run_end *end_out, struct sov_error *err)
{
    const struct sov_run_finish *asked = end->asked;
    struct sov_addition lead = {
        .type = SOV_EVENT_RUN_FINISHED,
        .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, asked->assignment),
        .fence = asked->fence,
        .cause = { end->claim.started },
    };
    struct sov_run_end out = { .lost = false };
    int64_t cause;

    judge_files(commit, end);
    if (!judge_effects(commit, end, err)) return false;
    out.code = end->due.refused ? end->due.code : NULL;
    end->verdict = sov_policy_run(&end->observed);
    out.status = end->verdict.status;
    out.message = end->message;
    if (out.status == SOV_RECEIPT_FAILED)
        out.category = sov_policy_category_word(end->verdict.category);
    if (!put_blobs(commit, end, err) || !payload(commit, end, &lead.data, err) ||
        !sov_commit_lead(commit, &lead, done_out, err))
        return false;
    if (out.status == SOV_RECEIPT_COMPLETED && asked->proposals.count) {
        if (!sov_effect_follow(commit, asked->assignment, asked->fence, &asked->proposals,
                               &end->due, out.effects, err))
            return false;
        out.effect_count = asked->proposals.count;
    }
    if (out.code && !follow_refused(commit, end, err)) return false;
    if (!follow_receipt(commit, end, &out, &out.receipt, &cause, err) ||
        !follow_states(commit, end, out.receipt, cause, err))
        return false;
    *end_out = out;
    return true;
}

static bool is_addressed(struct sov_commit *commit, const struct sov_assignment *assignment,
                         struct sov_error *err)
{
    if (commit->act.actor && strcmp(commit->act.actor, assignment->actor) == 0) return true;
    sov_error_set(err, SOV_DENIED, "not_addressed", "ASG-%lld is for %s", (long long)assignment->n,
                  assignment->actor);
    return sov_refuse_about(err, SOV_STREAM_ASSIGNMENT, assignment->n);
}

/* C1 to C6. */
static bool ask(struct sov_commit *commit, struct end *end, struct sov_done *done_out,
                bool *again_out, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, end->asked->assignment);
    struct sov_bytes data;

    if (end->asked->proposals.count > SOV_PROPOSALS_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "at most %d proposals", SOV_PROPOSALS_MAX);
    end->verdict = sov_policy_run(&end->observed);
    if (!payload(commit, end, &data, err)) return false;
    if (!sov_commit_ask(commit, SOV_EVENT_RUN_FINISHED, &stream, data, done_out, again_out, err))
        return false;
    return sov_assignment_get(commit->ledger, end->asked->assignment, &commit->arena,
                              &end->assignment, err) &&
           (*again_out || (is_addressed(commit, &end->assignment, err) &&
                           sov_commit_expect(commit, &stream, err)));
}

bool sov_run_finish(struct sov_commit *commit, const struct sov_run_finish *finish,
                    struct sov_done *done_out, struct sov_run_end *end_out, struct sov_error *err)
{
    struct end *end = sov_arena_take(&commit->arena, sizeof *end);
    bool again, found;

    end->asked = finish;
    end->observed = finish->observed;
    end->message = brief(&commit->arena, finish->message ? finish->message : "");
    if (!ask(commit, end, done_out, &again, err)) return false;
    if (!sov_claim_find(commit->ledger, finish->assignment, finish->fence, &commit->arena,
                        &end->claim, &found, err))
        return false;
    if (again || (found && end->claim.finished))
        return sov_run_repeat(commit, finish, &end->claim, done_out, end_out, err);
    if (!found || !end->claim.live)
        return sov_run_late(commit, finish, &end->assignment, found ? &end->claim : NULL, done_out,
                            end_out, err);
    if (!end->claim.started)
        return sov_refuse_state(err, SOV_STREAM_ASSIGNMENT, finish->assignment,
                                sov_policy_assignment_name(end->assignment.state),
                                "no run has started under this claim");
    if (!sov_sow_get(commit->ledger, end->assignment.sow, &commit->arena, &end->sow, err) ||
        !sov_run_find(commit->ledger, finish->assignment, finish->fence, &commit->arena, &end->run,
                      &found, err))
        return false;
    assert(found);
    return conclude(commit, end, done_out, end_out, err);
}
