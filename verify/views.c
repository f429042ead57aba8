/* The published tree against a render in memory at its own size. */
#include <stdio.h>
#include <string.h>

#include "verify/judge.h"

/* Lines of views are hostile or ours; they are kept as they are and made visible where printed. */
static const char *line_of(struct sov_arena *arena, struct sov_bytes text)
{
    return text.data ? sov_arena_text(arena, text) : NULL;
}

/* A published event or checkpoint that differs is another history, not a stale picture of this. */
static bool is_history(const struct sov_difference *difference)
{
    return (difference->part == SOV_PART_SEGMENT || difference->part == SOV_PART_CHECKPOINT) &&
           difference->kind == SOV_DIFFERS && !difference->endings;
}

static const char *message_of(const struct sov_difference *difference)
{
    static const char *const messages[] = {
        [SOV_DIFFERS] = "is not what the events give",
        [SOV_MISSING] = "is missing",
        [SOV_EXTRA] = "does not belong there",
        [SOV_LINKED] = "is a link where a file or folder must be",
        [SOV_WRONG_MODE] = "has another mode",
        [SOV_OTHER_RENDERER] = "was made by another renderer",
    };

    if (difference->endings) return "has lines that end in CR LF: a checkout changed them";
    return is_history(difference) ? "is not what the ledger holds" : messages[difference->kind];
}

static void each(void *context, const struct sov_difference *difference)
{
    struct sov_judge *judge = context;
    struct sov_arena_mark mark = sov_arena_mark(&judge->scratch);
    struct sov_finding finding = {
        .class = is_history(difference) ? SOV_CLASS_FORK : SOV_CLASS_DRIFT,
        .kind = sov_difference_word(difference->kind),
        .seq = difference->seq,
        .path = difference->path,
        .line = difference->line,
        .message = message_of(difference),
        .expected = line_of(&judge->scratch, difference->expected),
        .found = line_of(&judge->scratch, difference->found),
    };

    sov_report_add(judge->report, is_history(difference) ? SOV_STEP_PUBLISHED : SOV_STEP_VIEWS,
                   &finding);
    sov_arena_rewind(&judge->scratch, mark);
}

static void tree_finding(struct sov_judge *judge, enum sov_class class, const char *kind,
                         const char *message)
{
    struct sov_finding finding = {
        .class = class, .kind = kind, .path = SOV_GOVERNANCE, .message = message
    };

    sov_report_add(judge->report, class == SOV_CLASS_DRIFT ? SOV_STEP_VIEWS : SOV_STEP_PUBLISHED,
                   &finding);
}

/* Compared at the published size: with newer events the state of then is folded in memory. */
static bool compare(struct sov_judge *judge, int64_t size, struct sov_error *err)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *then = NULL;
    const struct sov_ledger *ledger = judge->ledger;
    struct sov_compared compared = { 0 };
    int64_t head;

    if (!sov_ledger_head(ledger, &head, err)) return false;
    if (size < head) {
        if (!sov_ledger_fold_to(ledger, size, &then, err)) return false;
        ledger = then;
    }
    if (!sov_tree_compare(ledger, judge->options->tree, size, each, judge, &compared, err))
        return false;
    sov_report_ran(judge->report, SOV_STEP_PUBLISHED, compared.segments + compared.checkpoints);
    sov_report_ran(judge->report, SOV_STEP_VIEWS, compared.views + compared.blobs);
    return true;
}

bool sov_judge_views(struct sov_judge *judge, struct sov_error *err)
{
    struct sov_report *report = judge->report;
    struct sov_publication publication;

    if (!judge->options->tree) return true;
    /* What is wrong with the log itself was said; no view can be asked of half of it. */
    if (judge->published && (!judge->clone.vouched || judge->clone.events != judge->clone.size))
        return true;
    if (!sov_publication_state(judge->ledger, judge->options->tree, report->arena, &publication,
                               err)) {
        if (err->exit != SOV_INTEGRITY && err->exit != SOV_DENIED) return false;
        tree_finding(judge, strcmp(err->code, "fork") == 0 ? SOV_CLASS_FORK : SOV_CLASS_TAMPER,
                     err->code, err->what);
        return true;
    }
    if (!publication.there) {
        tree_finding(judge, SOV_CLASS_ABSENT, "views", "nothing is published here");
        return true;
    }
    report->published_size = publication.size;
    if (publication.size > judge->head) {
        tree_finding(judge, SOV_CLASS_ROLLBACK, "published",
                     "more is published than this ledger holds");
        return true;
    }
    if (publication.interrupted)
        tree_finding(judge, SOV_CLASS_DRIFT, "interrupted", "a publication was not finished");
    if (publication.size < judge->head) {
        sov_report_note(report, "%lld events not published",
                        (long long)(judge->head - publication.size));
        if (judge->options->fresh)
            tree_finding(judge, SOV_CLASS_DRIFT, "behind", "the tree is behind the ledger");
    }
    return compare(judge, publication.size, err);
}
