/* A published log where there is no ledger file: what is wrong with it by itself. */
#include <string.h>

#include "verify/judge.h"

static const struct {
    enum sov_class class;
    enum sov_step_id step;
} flaws[] = {
    [SOV_FLAW_GAP] = { SOV_CLASS_TAMPER, SOV_STEP_CHAIN },
    [SOV_FLAW_LINE] = { SOV_CLASS_TAMPER, SOV_STEP_CHAIN },
    [SOV_FLAW_FORK] = { SOV_CLASS_FORK, SOV_STEP_PUBLISHED },
    [SOV_FLAW_ENDINGS] = { SOV_CLASS_DRIFT, SOV_STEP_PUBLISHED },
    [SOV_FLAW_UNSAFE] = { SOV_CLASS_DRIFT, SOV_STEP_PUBLISHED },
    [SOV_FLAW_CHECKPOINT] = { SOV_CLASS_TAMPER, SOV_STEP_CHECKPOINTS },
    [SOV_FLAW_FOREIGN] = { SOV_CLASS_FORK, SOV_STEP_CHECKPOINTS },
    [SOV_FLAW_FOLD] = { SOV_CLASS_TAMPER, SOV_STEP_REGISTRY },
};

static const char *line_of(struct sov_arena *arena, struct sov_bytes text)
{
    return text.data ? sov_arena_text(arena, text) : NULL;
}

static void each(void *context, const struct sov_flaw *flaw)
{
    struct sov_judge *judge = context;
    struct sov_arena_mark mark = sov_arena_mark(&judge->scratch);
    struct sov_finding finding = {
        .class = flaws[flaw->kind].class,
        .kind = sov_flaw_word(flaw->kind),
        .seq = flaw->seq,
        .path = flaw->path,
        .line = flaw->line,
        .message = flaw->what,
        .expected = line_of(&judge->scratch, flaw->expected),
        .found = line_of(&judge->scratch, flaw->found),
    };

    if (flaw->kind == SOV_FLAW_FOLD) { /* the pass over the events says it, if it gets there */
        judge->unfolded = flaw->seq;
        judge->unfolded_why = sov_arena_text(judge->report->arena, sov_bytes_text(flaw->what));
        return;
    }
    if (flaw->kind == SOV_FLAW_UNSAFE && judge->options->tree) return; /* so do the views */
    sov_report_add(judge->report, flaws[flaw->kind].step, &finding);
    sov_arena_rewind(&judge->scratch, mark);
}

bool sov_published_open(struct sov_judge *judge, struct sov_ledger **ledger_out,
                        struct sov_error *err)
{
    const struct sov_verify_options *options = judge->options;
    struct sov_report *report = judge->report;

    report->mode = "published";
    if (!sov_clone_open(options->clone, options->seams, options->places->keys, each, judge,
                        ledger_out, &judge->clone, err))
        return false;
    report->published_size = judge->clone.size;
    if (judge->clone.beyond)
        sov_report_note(report,
                        "segments go on to %lld behind the newest checkpoint: not vouched "
                        "for, and not read",
                        (long long)judge->clone.beyond);
    sov_report_ran(report, SOV_STEP_PUBLISHED, judge->clone.segments + judge->clone.checkpoints);
    return true;
}

void sov_published_close(struct sov_judge *judge)
{
    struct sov_report *report = judge->report;

    if (judge->partial && judge->unfolded)
        sov_report_event(report, SOV_STEP_REGISTRY, SOV_CLASS_TAMPER, "fold", judge->unfolded,
                         "event %lld cannot be folded: %s", (long long)judge->unfolded,
                         judge->unfolded_why);
    if (judge->blobs_elsewhere)
        sov_report_note(report, "%lld times events name content that is not published",
                        (long long)judge->blobs_elsewhere);
}
