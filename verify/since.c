/* From a pin on: its compact range stands for the events that it saw, and only those behind it are
 * read. What needs the state before them (roster, keys of acts, fences, repeated requests, blobs,
 * decisions, every derived table but the compact range) is not judged, and the report says so. */
#include <string.h>

#include "verify/batch.sql.h"
#include "verify/judge.h"

static void finding(struct sov_judge *judge, enum sov_class class, const char *kind, int64_t seq,
                    const char *message)
{
    struct sov_finding found = { .class = class, .kind = kind, .seq = seq, .message = message };

    sov_report_add(judge->report, SOV_STEP_ANCHORS, &found);
}

/* Whether there is a pin to go on from; a pin that is none is an error. */
static bool pin_take(struct sov_judge *judge, struct sov_pin *pin_out, bool *there_out,
                     struct sov_error *err)
{
    const struct sov_verify_options *options = judge->options;
    struct sov_report *report = judge->report;
    bool found;

    *there_out = false;
    if (!sov_pin_read(options->pins, &report->ledger_id, report->arena, pin_out, &found, err))
        return false;
    report->identity = options->ledger_id ? "as asked" : found ? "pinned" : "trusted on first use";
    if (options->ledger_id && !sov_hash_equal(options->ledger_id, &report->ledger_id))
        finding(judge, SOV_CLASS_FORK, "ledger_id", 1, "this is another ledger than asked for");
    if (found) report->steps[SOV_STEP_ANCHORS].checked++;
    if (!found)
        finding(judge, SOV_CLASS_UNANCHORED, "no_pin", 0, "there is no pin to go on from");
    else if (!pin_out->range.size)
        finding(judge, SOV_CLASS_UNANCHORED, "no_range", 0,
                "the pin is of an earlier release and holds no compact range to go on from");
    else
        *there_out = true;
    return true;
}

/* Of the log that the pin saw: as large, and with its very checkpoint. */
static bool pin_fits(struct sov_judge *judge, const struct sov_pin *pin, bool *fits_out,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_known known = { .kind = "pin", .size = pin->size, .root = pin->root };
    bool found;

    *fits_out = false;
    if (pin->size > judge->head) {
        sov_anchor_add(judge->report, &known, "ahead of this log");
        finding(judge, SOV_CLASS_ROLLBACK, "pin", judge->head + 1,
                "the pin knows a larger log than this one");
        return true;
    }
    if (!sov_stmt_open(&stmt, sov_ledger_file(judge->ledger), checkpoint_of_sql, err)) return false;
    sov_bind_int(&stmt, 1, pin->size);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *fits_out = found && sov_bytes_equal(sov_column_blob(&stmt, 0), sov_hash_bytes(&pin->root));
    sov_anchor_add(judge->report, &known,
                   *fits_out ? "where this pass began" : "no checkpoint of this log");
    if (!*fits_out)
        finding(judge, SOV_CLASS_FORK, "pin", pin->size,
                "the checkpoint that the pin holds is none of this log");
    return true;
}

bool sov_judge_since(struct sov_judge *judge, struct sov_error *err)
{
    struct sov_report *report = judge->report;
    struct sov_pin pin;
    bool goes_on;

    report->size = judge->head;
    if (!pin_take(judge, &pin, &goes_on, err)) return false;
    if (!goes_on) return true;
    if (!pin_fits(judge, &pin, &goes_on, err)) return false;
    if (!goes_on) return true;
    judge->since = judge->good_size = judge->batch.last = pin.size;
    judge->range = pin.range;
    report->unanchored_tail = judge->head - pin.size;
    sov_tree_prepare(judge);
    if (!sov_judge_tree(judge, pin.size, err) || !sov_judge_chain(judge, NULL, 0, err) ||
        !sov_judge_head(judge, err) || !sov_judge_range(judge, err))
        return false;
    sov_report_ran(report, SOV_STEP_ANCHORS, 0);
    sov_report_note(report, "events 1 to %lld were not read: what lies there now is not judged",
                    (long long)pin.size);
    sov_report_note(report, "nor what rests on them: roster, keys of acts, fences, repeated "
                            "requests, content, decisions, derived tables, views");
    return true;
}
