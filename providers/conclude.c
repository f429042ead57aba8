/* Steps 5 and 6: what came back is looked at, then decided and recorded in one commit. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "providers/attempt.h"
#include "providers/report.h"

enum { BUSY_TRIES = 12, BOUNDARY_REPORT_MAX = 8 << 20, COUNTS = 11 };

/* What step 5 makes of the run. */
struct harvest {
    struct sov_run_facts facts;
    struct sov_report report;
    enum sov_report_status status; /* of a report that counts */
    struct sov_run_file *files;
    size_t file_count;
    struct sov_boundary_facts boundary;
    struct sov_bytes boundary_report;
    bool *seen; /* a credential each */
    struct sov_number counts[COUNTS];
};

/* ---- the report ---- */

/* A report counts only if the program ended well by itself and its stream was whole. */
static bool counts(const struct sov_attempt *a)
{
    for (enum sov_run_category c = 0; c < SOV_RUN_MISSING_REPORT; c++)
        if (a->holds[c]) return false;
    return true;
}

static void facts_take(struct sov_attempt *a, struct harvest *h)
{
    struct sov_run_exit how = { a->result.ended_by, a->result.exit_code, a->result.signal };
    struct sov_error err = { 0 };

    if (!a->adapter->finish(a->state, &how, &h->facts, &err)) {
        sov_attempt_note(a, SOV_RUN_INTERNAL_ERROR, err.what);
        return;
    }
    for (enum sov_run_category c = 0; c < SOV_RUN_CATEGORY_COUNT; c++)
        if (h->facts.holds[c]) sov_attempt_note(a, c, h->facts.message);
}

static void report_read(struct sov_attempt *a, struct harvest *h)
{
    struct sov_error err = { 0 };

    if (!h->facts.has_report) {
        sov_attempt_note(a, SOV_RUN_MISSING_REPORT, "no report came");
        return;
    }
    if (!counts(a)) return;
    if (sov_report_read(h->facts.report, a->id, a->arena, &h->report, &err))
        h->status = h->report.status;
    else
        sov_attempt_note(a, SOV_RUN_INVALID_REPORT, err.what);
}

/* A secret in a field that is acted on would reach views: such a report is no report. */
static bool holds_secret(const struct sov_attempt *a, const char *text)
{
    struct sov_bytes bytes = text ? sov_bytes_text(text) : sov_bytes("", 0);

    for (size_t i = 0; i < a->credential_count; i++)
        if (bytes.size &&
            memmem(bytes.data, bytes.size, a->credentials[i].value, a->credentials[i].size))
            return true;
    return false;
}

static void report_is_clean(struct sov_attempt *a, struct harvest *h)
{
    bool secret = false;

    for (size_t i = 0; i < h->report.proposals.count; i++) {
        const struct sov_proposal *p = &h->report.proposals.at[i];

        secret |=
            holds_secret(a, p->kind) || holds_secret(a, p->subject) || holds_secret(a, p->unit);
    }
    for (size_t i = 0; i < h->report.file_count; i++) secret |= holds_secret(a, h->report.files[i]);
    if (!secret) return;
    sov_attempt_note(a, SOV_RUN_INVALID_REPORT, "the report names a credential's value");
    h->status = SOV_REPORT_NONE;
    h->report = (struct sov_report){ 0 };
}

/* ---- files ---- */

static bool is_wanted(const struct harvest *h, const char *path)
{
    for (size_t i = 0; i < h->file_count; i++)
        if (strcmp(h->files[i].path, path) == 0) return true;
    return false;
}

static void import_one(struct sov_attempt *a, struct harvest *h, struct sov_import *import,
                       const char *path)
{
    enum sov_run_category category = SOV_RUN_INTERNAL_ERROR;
    struct sov_imported imported;
    struct sov_error err = { 0 };
    bool *seen = sov_arena_array(a->arena, a->credential_count + 1, sizeof *seen);

    if (is_wanted(h, path)) return;
    if (!sov_import_file(import, path, a->arena, &imported, &err)) {
        (void)sov_policy_category(err.code, &category);
        sov_attempt_note(a, category, err.what);
        return;
    }
    /* Deliverables are public blobs: none may carry a credential out. */
    sov_attempt_seen(a, imported.content, seen);
    for (size_t i = 0; i < a->credential_count; i++)
        if (seen[i]) {
            h->seen[i] = true;
            sov_attempt_note(a, SOV_RUN_INVALID_DELIVERABLE, "a file holds a credential's value");
            return;
        }
    h->files[h->file_count++] = (struct sov_run_file){ path, imported.content };
}

/* Nothing is taken out of a workspace for one who holds it no more; the commit asks once more. */
static bool is_held(const struct sov_attempt *a)
{
    struct sov_error err = { 0 };
    struct sov_claim claim;
    bool found;

    return sov_claim_find(a->ledger, a->assignment.n, a->fence, a->arena, &claim, &found, &err) &&
           found && claim.live;
}

static void files_import(struct sov_attempt *a, struct harvest *h)
{
    size_t declared = h->status == SOV_REPORT_COMPLETED ? a->sow.deliverable_count : 0;
    struct sov_import import;
    size_t paths = 0;

    if (h->status == SOV_REPORT_NONE || !a->workspace.out.open || !is_held(a)) return;
    if (a->result.survivors) {
        sov_attempt_note(a, SOV_RUN_INVALID_DELIVERABLE,
                         "a process of the run could not be ended: its files may still change");
        return;
    }
    for (size_t i = 0; i < declared; i++) paths += strlen(a->sow.deliverables[i]);
    for (size_t i = 0; i < h->report.file_count; i++) paths += strlen(h->report.files[i]);
    if (paths > SOV_DELIVERABLE_PATHS_MAX) {
        sov_attempt_note(a, SOV_RUN_INVALID_DELIVERABLE, "the paths are too long together");
        return;
    }
    sov_import_begin(&import, &a->workspace);
    import.file_max = (uint64_t)a->limits.file_bytes;
    if (import.total_max > (uint64_t)a->policy->limits_receipt_bytes)
        import.total_max = (uint64_t)a->policy->limits_receipt_bytes;
    h->files = sov_arena_array(a->arena, declared + h->report.file_count + 1, sizeof *h->files);
    for (size_t i = 0; i < declared; i++) import_one(a, h, &import, a->sow.deliverables[i]);
    for (size_t i = 0; i < h->report.file_count; i++) import_one(a, h, &import, h->report.files[i]);
}

/* ---- what changed outside ---- */

static bool now_ms(const struct sov_attempt *a, int64_t *ms_out)
{
    const struct sov_clock *clock = &a->options->seams->clock;
    struct sov_error err = { 0 };
    struct sov_now now;

    if (!clock->read(clock->self, &now, &err)) return false;
    *ms_out = now.wall.ms;
    return true;
}

static void boundary_look(struct sov_attempt *a, struct harvest *h)
{
    SOV_CLEANUP(sov_boundary_end) struct sov_boundary *after = NULL;
    const struct sov_boundary_page *pages = NULL;
    const struct sov_run_pages *ask = a->options->pages;
    struct sov_error err = { 0 };
    struct sov_buf report;
    size_t count = 0;
    int64_t ms;

    if (!a->before) return;
    if (now_ms(a, &ms)) after = sov_boundary_take(&a->top, ms, a->before, &sov_boundary_usual);
    sov_buf_init(&report, BOUNDARY_REPORT_MAX);
    sov_boundary_report(a->before, after, NULL, 0, &report, &h->boundary);
    /* Only then is it asked which pages this ledger published: that renders them. */
    if (h->boundary.violated && ask && ask->list(ask->self, a->arena, &pages, &count, &err)) {
        sov_buf_clear(&report);
        sov_boundary_report(a->before, after, pages, count, &report, &h->boundary);
    }
    h->boundary_report = sov_arena_bytes(a->arena, sov_buf_bytes(&report));
    sov_buf_release(&report);
}

/* ---- the finish ---- */

static void counts_fill(const struct sov_attempt *a, struct harvest *h)
{
    const struct sov_run_facts *f = &h->facts;
    const struct sov_child_result *r = &a->result;
    const struct sov_number rows[COUNTS] = {
        { "after_terminal", f->after_terminal },
        { "denials", f->denials },
        { "duration_ms", r->duration_ms },
        { "lines", f->lines },
        { "noise", f->noise },
        { "partial_line", f->partial_line },
        { "spawn_errno", r->spawn_errno },
        { "stderr_dropped", (int64_t)r->stderr_dropped },
        { "survivors", r->survivors },
        { "swept", r->swept },
        { "unknown", f->unknown },
    };

    memcpy(h->counts, rows, sizeof rows);
}

static const char *ended_word(enum sov_child_end end)
{
    switch (end) {
    case SOV_END_SELF:
        return "self";
    case SOV_END_TIMEOUT:
        return "timeout";
    case SOV_END_IDLE:
        return "idle";
    case SOV_END_OUTPUT:
        return "output";
    case SOV_END_MALFORMED:
        return "malformed";
    case SOV_END_SIGNAL:
        return "signal";
    case SOV_END_SPAWN:
        break;
    }
    return "spawn";
}

static struct sov_texts seen_names(const struct sov_attempt *a, const struct harvest *h)
{
    const char **names = sov_arena_array(a->arena, a->credential_count + 1, sizeof *names);
    struct sov_texts texts = { names, 0 };

    for (size_t i = 0; i < a->credential_count; i++)
        if (h->seen[i]) names[texts.count++] = a->credentials[i].name;
    return texts;
}

static struct sov_bytes octets_of(const struct sov_buf *buf)
{
    return buf->size ? sov_buf_bytes(buf) : sov_bytes(NULL, 0);
}

static struct sov_run_finish finish_of(struct sov_attempt *a, struct harvest *h)
{
    struct sov_run_finish finish = {
        .assignment = a->assignment.n,
        .fence = a->fence,
        .observed = { .report = h->status },
        .message = a->message ? a->message : "",
        .model = h->facts.model,
        .ended_by = ended_word(a->result.ended_by),
        .exited = a->result.exit_code >= 0,
        .exit = a->result.exit_code,
        .signal = a->result.signal,
        .counts = h->counts,
        .count_count = COUNTS,
        .usage = h->facts.usage,
        .usage_count = h->facts.usage_count,
        .credential_seen = seen_names(a, h),
        .proposals = h->report.proposals,
        .files = h->files,
        .file_count = h->file_count,
        .has_report = h->facts.has_report && h->facts.report.size <= SOV_REPORT_SIZE,
        .report = h->facts.report,
        .stdin_octets = a->plan.stdin_octets,
        .stdout_octets = octets_of(&a->stdout_buf),
        .stderr_octets = octets_of(&a->stderr_buf),
        .boundary_scoped = a->before != NULL,
        .boundary_computed = h->boundary.computed,
        .boundary_violated = h->boundary.violated,
        .boundary_report = h->boundary_report,
    };

    memcpy(finish.observed.holds, a->holds, sizeof a->holds);
    if (holds_secret(a, finish.message)) finish.message = "";
    return finish;
}

static bool record(struct sov_attempt *a, const struct sov_run_finish *finish,
                   struct sov_run_result *result, int64_t *seq_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = a->finish_act ? *a->finish_act : sov_attempt_act(a);
    struct sov_run_end end;
    struct sov_done done;
    int64_t head;

    if (!sov_commit_begin(&commit, a->ledger, &act, err) ||
        !sov_run_finish(&commit, finish, &done, &end, err) ||
        !sov_commit_finish(&commit, &head, err))
        return false;
    sov_attempt_events(a, commit.newest);
    end.message = sov_arena_text(a->arena, sov_bytes_text(end.message));
    if (end.category) end.category = sov_arena_text(a->arena, sov_bytes_text(end.category));
    if (end.code) end.code = sov_arena_text(a->arena, sov_bytes_text(end.code));
    result->end = end;
    result->repeated = done.effect == SOV_NOOP;
    *seq_out = done.seq;
    return true;
}

static bool record_patiently(struct sov_attempt *a, const struct sov_run_finish *finish,
                             struct sov_run_result *result, int64_t *seq_out, struct sov_error *err)
{
    for (int i = 1; i < BUSY_TRIES; i++) {
        struct sov_error why = { 0 };

        if (record(a, finish, result, seq_out, &why)) return true;
        if (strcmp(why.code, "busy") != 0) {
            *err = why;
            return false;
        }
    }
    return record(a, finish, result, seq_out, err);
}

bool sov_attempt_conclude(struct sov_attempt *a, struct sov_run_result *result_out,
                          struct sov_error *err)
{
    struct harvest h = { .seen = sov_arena_array(a->arena, a->credential_count + 1, sizeof(bool)) };
    struct sov_run_finish finish;
    int64_t seq;

    facts_take(a, &h);
    report_read(a, &h);
    report_is_clean(a, &h);
    sov_attempt_seen(a, sov_buf_bytes(&a->stdout_buf), h.seen);
    sov_attempt_seen(a, sov_buf_bytes(&a->stderr_buf), h.seen);
    if (h.facts.has_report) sov_attempt_seen(a, h.facts.report, h.seen);
    boundary_look(a, &h);
    files_import(a, &h);
    counts_fill(a, &h);
    finish = finish_of(a, &h);
    if (!record_patiently(a, &finish, result_out, &seq, err)) return false;
    if (result_out->end.lost) {
        sov_error_set(err, SOV_CONFLICT, "claim_lost",
                      "the claim of fence %lld was not live any more when %s ended",
                      (long long)a->fence, a->id);
        sov_error_ref(err, a->id);
        err->seq = seq;
        return false;
    }
    result_out->finish_seq = seq;
    result_out->boundary_violated = h.boundary.violated;
    result_out->credential_seen = finish.credential_seen;
    return true;
}
