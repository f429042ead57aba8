/* The steps in the order of log.md 6, and what an unreadable ledger is called. */
#include <assert.h>
#include <string.h>

#include "verify/judge.h"

enum { SCRATCH_MAX = 64 << 20 };

/* The classes of errors that keep the ledger from being opened, or from being read further. */
static const struct {
    const char *code;
    enum sov_class class;
    enum sov_step_id step;
    int64_t seq;
} unreadable[] = {
    { "no_ledger", SOV_CLASS_ABSENT, SOV_STEP_PLACE, 0 },
    { "no_such_file", SOV_CLASS_ABSENT, SOV_STEP_PLACE, 0 },
    { "absent", SOV_CLASS_ABSENT, SOV_STEP_PLACE, 0 },
    { "corrupt", SOV_CLASS_CORRUPT, SOV_STEP_FILE, 0 },
    { "schema", SOV_CLASS_SCHEMA, SOV_STEP_SCHEMA, 0 },
    { "schema_changed", SOV_CLASS_SCHEMA, SOV_STEP_SCHEMA, 0 },
    { "event_invalid", SOV_CLASS_TAMPER, SOV_STEP_CHAIN, 1 },
    { "state_damaged", SOV_CLASS_STATE, SOV_STEP_STATE, 0 },
};

/* An error of a step is a finding if it says something of the file, else the step could not run. */
static void say(struct sov_report *report, enum sov_step_id step, const struct sov_error *err)
{
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++) {
        struct sov_finding finding = { .message = err->what, .kind = err->code };

        if (strcmp(err->code, unreadable[i].code) != 0) continue;
        finding.class = unreadable[i].class;
        finding.seq = err->seq;
        /* Of a log that was read so far it is no longer the first event that is wrong. */
        if (!finding.seq && !report->first_bad_seq) finding.seq = unreadable[i].seq;
        sov_report_add(report, unreadable[i].step, &finding);
        return;
    }
    sov_report_unable(report, step, err);
}

static bool cancelled(const struct sov_error *err)
{
    return err->exit == SOV_INTERRUPTED;
}

static bool file_and_schema(struct sov_judge *judge, struct sov_error *err)
{
    struct sov_report *report = judge->report;

    if (!judge->options->from_pin) {
        if (!sov_db_quick_check(sov_ledger_file(judge->ledger), err))
            say(report, SOV_STEP_FILE, err);
        sov_report_ran(report, SOV_STEP_FILE, 1);
    }
    if (!sov_schema_is_built(judge->ledger, err)) say(report, SOV_STEP_SCHEMA, err);
    sov_report_ran(report, SOV_STEP_SCHEMA, 1);
    return true;
}

static bool chain_and_state(struct sov_judge *judge, struct sov_error *err)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *slice = NULL;
    struct sov_report *report = judge->report;

    sov_blobs_prepare(judge);
    sov_tree_prepare(judge);
    if (!sov_anchors_gather(judge, err)) say(report, SOV_STEP_ANCHORS, err);
    if (!sov_sums_prepare(judge, err) || !sov_roster_open(judge, err) ||
        !sov_ledger_slice(judge->ledger, judge->head, true, 1, judge->slice, &slice, err) ||
        !sov_judge_blobs(judge, err) || !sov_judge_chain(judge, slice, judge->slice, err) ||
        !sov_judge_head(judge, err)) {
        if (!cancelled(err)) say(report, SOV_STEP_CHAIN, err);
        return !cancelled(err);
    }
    if (judge->partial)
        sov_report_note(report, "decisions beyond %lld entities of a kind were not made again",
                        (long long)judge->slice);
    if (!sov_judge_anchors(judge, err)) say(report, SOV_STEP_ANCHORS, err);
    if (!judge->published && !sov_judge_state(judge, &slice, err)) {
        if (cancelled(err)) return false;
        say(report, SOV_STEP_STATE, err);
    }
    if (!sov_judge_views(judge, err)) say(report, SOV_STEP_VIEWS, err);
    return true;
}

static bool since(struct sov_judge *judge, struct sov_error *err)
{
    judge->report->mode = "pin";
    if (sov_judge_since(judge, err)) return true;
    if (cancelled(err)) return false;
    say(judge->report, strcmp(err->code, "pin_invalid") == 0 ? SOV_STEP_ANCHORS : SOV_STEP_CHAIN,
        err);
    return true;
}

/* Whether UNANCHORED is success is for the close to say. */
static bool nothing_found(const struct sov_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->findings[i].class != SOV_CLASS_UNANCHORED) return false;
    return true;
}

static bool judge_all(struct sov_judge *judge, struct sov_error *err)
{
    struct sov_report *report = judge->report;
    struct sov_identity identity;

    sov_ledger_identity(judge->ledger, &identity);
    report->ledger_id = identity.id;
    report->known = true;
    if (!judge->published) file_and_schema(judge, err);
    if (!sov_ledger_head(judge->ledger, &judge->head, err)) {
        say(report, SOV_STEP_FILE, err);
        return true;
    }
    if (judge->options->from_pin ? !since(judge, err) : !chain_and_state(judge, err)) return false;
    if (judge->options->makes_pin && nothing_found(report) && report->size &&
        !sov_pin_of(judge->ledger, report->size, report->arena, &report->pin, err))
        say(report, SOV_STEP_ANCHORS, err);
    return true;
}

/* A folder of a published log that is a link, or none, hides whatever should be in it. */
static void hidden(struct sov_report *report, const struct sov_error *err)
{
    struct sov_finding finding = {
        .class = SOV_CLASS_TAMPER, .kind = err->code, .path = SOV_GOVERNANCE, .message = err->what
    };

    sov_report_add(report, SOV_STEP_PUBLISHED, &finding);
}

static void not_asked(struct sov_report *report, const struct sov_judge *judge)
{
    static const enum sov_step_id of_a_file[] = { SOV_STEP_FILE, SOV_STEP_SCHEMA, SOV_STEP_STATE };
    static const enum sov_step_id of_the_past[] = { SOV_STEP_FILE, SOV_STEP_FENCES,
                                                    SOV_STEP_IDEMPOTENCY, SOV_STEP_STATE };

    if (!judge->options->tree) report->steps[SOV_STEP_VIEWS].result = SOV_STEP_NOT_ASKED;
    if (!judge->options->tree && !judge->published)
        report->steps[SOV_STEP_PUBLISHED].result = SOV_STEP_NOT_ASKED;
    for (size_t i = 0; judge->published && i < sizeof of_a_file / sizeof *of_a_file; i++)
        report->steps[of_a_file[i]].result = SOV_STEP_NOT_ASKED;
    for (size_t i = 0; judge->options->from_pin && i < sizeof of_the_past / sizeof *of_the_past;
         i++)
        report->steps[of_the_past[i]].result = SOV_STEP_NOT_ASKED;
}

/* The ledger file if there is one and it is asked for, else the published log. */
static bool open_record(struct sov_judge *judge, struct sov_ledger **ledger_out,
                        struct sov_error *err)
{
    const struct sov_verify_options *options = judge->options;
    bool there = true;

    if (options->opened) {
        not_asked(judge->report, judge);
        return true;
    }
    if (options->clone && !sov_ledger_there(options->places, &there, err)) return false;
    judge->published = options->clone && (options->published || !there);
    judge->report->file_left = judge->published && there;
    not_asked(judge->report, judge);
    if (judge->published) return sov_published_open(judge, ledger_out, err);
    return sov_ledger_open(options->places, SOV_LEDGER_READ, options->seams, options->wait_ms,
                           ledger_out, err);
}

bool sov_verify(const struct sov_verify_options *options, struct sov_arena *arena,
                struct sov_report *report_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *ledger = NULL;
    struct sov_judge judge = { .options = options,
                               .report = report_out,
                               .slice = options->slice ? options->slice : SOV_SLICE };
    bool ok = true;

    *report_out = (struct sov_report){ .arena = arena, .mode = "ledger" };
    sov_arena_init(&judge.scratch, SCRATCH_MAX);
    if (!open_record(&judge, &ledger, err)) {
        if (judge.published && strcmp(err->code, "file_unsafe") == 0)
            hidden(report_out, err);
        else
            say(report_out, SOV_STEP_PLACE, err);
    } else {
        sov_report_ran(report_out, SOV_STEP_PLACE, 1);
        judge.ledger = ledger ? ledger : options->opened;
        ok = judge_all(&judge, err);
    }
    sov_published_close(&judge);
    sov_roster_close(&judge.roster);
    sov_fences_release(&judge.fences);
    sov_batch_release(&judge.batch);
    sov_blobs_release(&judge.blobs);
    sov_arena_release(&judge.scratch);
    sov_report_close(report_out, options->no_anchor);
    return ok;
}
