/* What is known of this ledger outside it: the id asked for, and the pin. */
#include <string.h>

#include "verify/judge.h"

static void anchor_add(struct sov_report *report, const char *kind, int64_t size,
                       const struct sov_hash *root, const char *result)
{
    if (report->anchor_count == SOV_ANCHORS_MAX) return;
    report->anchors[report->anchor_count++] = (struct sov_anchor){ kind, size, *root, result };
}

static void finding(struct sov_judge *judge, enum sov_class class, const char *kind, int64_t seq,
                    const char *message)
{
    struct sov_finding found = { .class = class, .kind = kind, .seq = seq, .message = message };

    sov_report_add(judge->report, SOV_STEP_ANCHORS, &found);
}

/* The root at the size of the pin, from the octets again: no stored root is believed. */
static bool root_at(struct sov_judge *judge, int64_t size, struct sov_hash *root_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_range range = { 0 };
    struct sov_stored row;
    bool found;

    sov_log_begin(&cursor, judge->ledger, 1, size);
    for (;;) {
        struct sov_hash hash;

        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) break;
        hash = sov_leaf_hash(row.octets);
        sov_range_append(&range, &hash);
    }
    *root_out = sov_range_root(&range);
    return true;
}

static bool pin_asked(struct sov_judge *judge, bool *anchored_out, struct sov_error *err)
{
    struct sov_identity identity;
    struct sov_hash root;
    struct sov_pin pin;
    bool found;

    sov_ledger_identity(judge->ledger, &identity);
    if (!judge->options->pins) return true;
    if (!sov_pin_read(judge->options->pins, &identity.id, &pin, &found, err)) return false;
    if (!found) return true;
    judge->report->steps[SOV_STEP_ANCHORS].checked++;
    if (!judge->report->identity) judge->report->identity = "pinned";
    if (pin.size > judge->head) {
        anchor_add(judge->report, "pin", pin.size, &pin.root, "ahead of this log");
        finding(judge, SOV_CLASS_ROLLBACK, "pin", judge->head + 1,
                "the pin knows a larger log than this one");
        return true;
    }
    if (!root_at(judge, pin.size, &root, err)) return false;
    if (!sov_hash_equal(&root, &pin.root)) {
        anchor_add(judge->report, "pin", pin.size, &pin.root, "no prefix of this log");
        finding(judge, SOV_CLASS_FORK, "pin", pin.size,
                "the root that the pin holds is no prefix of this log");
        return true;
    }
    anchor_add(judge->report, "pin", pin.size, &pin.root, "a prefix of this log");
    judge->report->unanchored_tail = judge->head - pin.size;
    *anchored_out = true;
    return true;
}

bool sov_judge_anchors(struct sov_judge *judge, struct sov_error *err)
{
    struct sov_report *report = judge->report;
    struct sov_identity identity;
    bool anchored = false;

    sov_ledger_identity(judge->ledger, &identity);
    report->unanchored_tail = judge->head;
    if (judge->options->ledger_id) {
        report->identity = "as asked";
        report->steps[SOV_STEP_ANCHORS].checked++;
        if (!sov_hash_equal(judge->options->ledger_id, &identity.id))
            finding(judge, SOV_CLASS_FORK, "ledger_id", 1, "this is another ledger than asked for");
    }
    if (!pin_asked(judge, &anchored, err)) return false;
    if (!report->identity) report->identity = "trusted on first use";
    if (!anchored && !report->anchor_count)
        finding(judge, SOV_CLASS_UNANCHORED, "no_anchor", 0,
                "no anchor outside the ledger vouches for it");
    sov_report_ran(report, SOV_STEP_ANCHORS, 0);
    return true;
}
