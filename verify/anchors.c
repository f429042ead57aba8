/* What is known of this ledger outside it: the id asked for, the pin, checkpoints kept elsewhere.
 * Each is a root at a size; the pass over the events gives its own root there. */
#include <stdlib.h>
#include <string.h>

#include "verify/judge.h"

void sov_anchor_add(struct sov_report *report, const struct sov_known *known, const char *result)
{
    if (report->anchor_count == SOV_ANCHORS_MAX) return;
    report->anchors[report->anchor_count++] =
        (struct sov_anchor){ known->kind, known->size, known->root, result };
}

static void finding(struct sov_judge *judge, enum sov_class class, const char *kind, int64_t seq,
                    const char *message)
{
    struct sov_finding found = { .class = class, .kind = kind, .seq = seq, .message = message };

    sov_report_add(judge->report, SOV_STEP_ANCHORS, &found);
}

/* ---- before the events ---- */

static int by_size(const void *a, const void *b)
{
    const struct sov_known *x = a, *y = b;

    return (x->size > y->size) - (x->size < y->size);
}

void sov_known_add(struct sov_judge *judge, const struct sov_known *known)
{
    if (judge->known_count == judge->known_room) {
        size_t room = judge->known_room ? judge->known_room * 2 : 16;
        struct sov_known *more = sov_arena_array(judge->report->arena, room, sizeof *more);

        if (judge->known_count) memcpy(more, judge->known, judge->known_count * sizeof *more);
        judge->known = more;
        judge->known_room = room;
    }
    judge->known[judge->known_count++] = *known;
}

static bool add_pin(struct sov_judge *judge, struct sov_error *err)
{
    struct sov_identity identity;
    struct sov_pin pin;
    bool found;

    if (!judge->options->pins) return true;
    sov_ledger_identity(judge->ledger, &identity);
    if (!sov_pin_read(judge->options->pins, &identity.id, judge->report->arena, &pin, &found, err))
        return false;
    if (!found) return true;
    if (!judge->report->identity) judge->report->identity = "pinned";
    sov_known_add(judge,
                  &(struct sov_known){
                      .kind = "pin", .name = "the pin", .size = pin.size, .root = pin.root });
    return true;
}

static void add_note(struct sov_judge *judge, const struct sov_known_note *note)
{
    struct sov_known known = { .kind = "checkpoint", .name = note->name };
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_error why = { 0 };

    if (!sov_checkpoint_read(judge->ledger, note->octets, &checkpoint, &signature, &why)) {
        const char *message =
            sov_arena_printf(judge->report->arena, "%s: %s", note->name, why.what);

        finding(judge, strcmp(why.code, "fork") == 0 ? SOV_CLASS_FORK : SOV_CLASS_TAMPER,
                "checkpoint", 0, message);
        return;
    }
    known.size = (int64_t)checkpoint.size;
    known.root = checkpoint.root;
    sov_known_add(judge, &known);
}

bool sov_anchors_gather(struct sov_judge *judge, struct sov_error *err)
{
    static bool (*const gather[])(struct sov_judge *, struct sov_error *) = { add_pin,
                                                                              sov_witnesses_gather,
                                                                              sov_history_gather };
    const struct sov_verify_options *options = judge->options;
    bool whole = true;

    if (options->ledger_id) judge->report->identity = "as asked";
    for (size_t i = 0; i < options->note_count; i++) add_note(judge, &options->notes[i]);
    for (size_t i = 0; i < sizeof gather / sizeof *gather; i++) {
        struct sov_error why = { 0 };

        if (gather[i](judge, &why)) continue;
        if (whole) *err = why;
        whole = false;
    }
    if (judge->known_count) qsort(judge->known, judge->known_count, sizeof *judge->known, by_size);
    return whole;
}

/* ---- among them ---- */

void sov_anchors_event(struct sov_judge *judge, int64_t seq)
{
    while (judge->known_next < judge->known_count && judge->known[judge->known_next].size <= seq) {
        struct sov_known *known = &judge->known[judge->known_next++];

        if (known->size != seq) continue;
        known->seen = sov_range_root(&judge->range);
        known->reached = true;
    }
}

/* ---- after them ---- */

/* A pin cannot tell an older branch in a clone from a rollback: that is for its history to say. */
static void ahead(struct sov_judge *judge, const struct sov_known *known)
{
    struct sov_report *report = judge->report;
    bool pin = strcmp(known->kind, "pin") == 0;

    sov_anchor_add(report, known, "ahead of this log");
    if (!pin || !judge->published) {
        finding(
            judge, SOV_CLASS_ROLLBACK, known->kind, judge->head + 1,
            sov_arena_printf(report->arena, "%s knows a larger log than this one", known->name));
        return;
    }
    sov_report_note(report,
                    "the pin knows %lld events: this is an older branch, or an old copy was put "
                    "back",
                    (long long)known->size);
    if (judge->options->fresh) {
        struct sov_finding found = { .class = SOV_CLASS_DRIFT,
                                     .kind = "behind",
                                     .path = SOV_GOVERNANCE,
                                     .message = "the tree is behind the pin" };

        sov_report_add(report, SOV_STEP_ANCHORS, &found);
    }
}

/* The pin of the branch that a restore says was lost: whoever restored saw it, and it stays where
 * it is. It is no witness of this log, so by itself it leaves the log unanchored; a root of any
 * other size in that range is still somebody's evidence against it. */
static void of_the_lost(struct sov_judge *judge, const struct sov_known *known, int64_t seq)
{
    sov_anchor_add(judge->report, known, "of the branch that was lost");
    judge->restores.pins++;
    sov_report_note(judge->report,
                    "event %lld records a restore: the pin at %lld is of the branch that was lost, "
                    "and vouches for nothing here",
                    (long long)seq, (long long)known->size);
}

static void judge_known(struct sov_judge *judge, const struct sov_known *known, bool *anchored_out)
{
    struct sov_report *report = judge->report;
    int64_t whole = judge->published ? judge->clone.size : judge->head;
    int64_t lost = strcmp(known->kind, "pin") == 0 ? sov_restored_lost(judge, known->size) : 0;
    bool differs =
        known->size > whole || (known->reached && !sov_hash_equal(&known->seen, &known->root));

    report->steps[SOV_STEP_ANCHORS].checked++;
    if (strcmp(known->kind, "git") == 0) {
        sov_history_judge(judge, known);
    } else if (lost && differs) {
        of_the_lost(judge, known, lost);
    } else if (known->size > whole) {
        ahead(judge, known);
    } else if (!known->reached) {
        sov_anchor_add(report, known, "of events that are missing here");
    } else if (differs) {
        sov_anchor_add(report, known, "no prefix of this log");
        finding(judge, SOV_CLASS_FORK, known->kind, known->size,
                sov_arena_printf(report->arena, "the root that %s holds is no prefix of this log",
                                 known->name));
    } else {
        sov_anchor_add(report, known, "a prefix of this log");
        report->unanchored_tail = judge->head - known->size;
        *anchored_out = true;
    }
}

bool sov_judge_anchors(struct sov_judge *judge, struct sov_error *err)
{
    struct sov_report *report = judge->report;
    struct sov_identity identity;
    bool anchored = false;

    (void)err;
    sov_ledger_identity(judge->ledger, &identity);
    report->unanchored_tail = judge->head;
    if (judge->options->ledger_id) {
        report->steps[SOV_STEP_ANCHORS].checked++;
        if (!sov_hash_equal(judge->options->ledger_id, &identity.id))
            finding(judge, SOV_CLASS_FORK, "ledger_id", 1, "this is another ledger than asked for");
    }
    for (size_t i = 0; i < judge->known_count; i++) judge_known(judge, &judge->known[i], &anchored);
    sov_history_close(judge, &anchored);
    if (!report->identity) report->identity = "trusted on first use";
    if (!anchored && (judge->published || report->anchor_count == judge->restores.pins))
        finding(judge, SOV_CLASS_UNANCHORED, "no_anchor", 0,
                "no anchor outside the ledger vouches for it");
    sov_report_ran(report, SOV_STEP_ANCHORS, 0);
    return true;
}
