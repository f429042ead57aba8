#include "verify/findings.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    enum sov_exit exit;
    const char *next;
} classes[] = {
#define X(name, exit, next) { #name, exit, next },
    SOV_CLASSES(X)
#undef X
};

const char *sov_class_word(enum sov_class class)
{
    assert(class < SOV_CLASS_COUNT);
    return classes[class].word;
}

enum sov_exit sov_class_exit(enum sov_class class)
{
    assert(class < SOV_CLASS_COUNT);
    return classes[class].exit;
}

const char *sov_class_next(enum sov_class class)
{
    assert(class < SOV_CLASS_COUNT);
    return classes[class].next;
}

const char *sov_step_word(enum sov_step_id step)
{
    static const char *const words[] = {
#define X(name, word) word,
        SOV_STEPS(X)
#undef X
    };

    assert(step < SOV_STEP_COUNT);
    return words[step];
}

const char *sov_step_result_word(enum sov_step_result result)
{
    switch (result) {
    case SOV_STEP_NOT_RUN:
        return "not reached";
    case SOV_STEP_PASSED:
        return "passed";
    case SOV_STEP_FAILED:
        return "failed";
    case SOV_STEP_UNABLE:
        return "could not run";
    case SOV_STEP_NOT_ASKED:
        return "not asked";
    }
    return "unknown";
}

/* Stable under edits elsewhere: class, kind, and path or seq, never a line number. */
static void fingerprint(struct sov_finding *finding)
{
    char where[1100], hex[SOV_HEX_HASH + 1];
    struct sov_hash hash;
    struct sov_bytes part[3];

    if (finding->path)
        snprintf(where, sizeof where, "%s", finding->path);
    else
        snprintf(where, sizeof where, "%lld", (long long)finding->seq);
    part[0] = sov_bytes(sov_class_word(finding->class), strlen(sov_class_word(finding->class)) + 1);
    part[1] = sov_bytes(finding->kind, strlen(finding->kind) + 1);
    part[2] = sov_bytes(where, strlen(where) + 1);
    hash = sov_sha256_parts(part, 3);
    sov_hex(sov_hash_bytes(&hash), hex);
    memcpy(finding->fingerprint, hex, 32);
    finding->fingerprint[32] = 0;
}

static const char *keep(struct sov_arena *arena, const char *text)
{
    return text ? sov_arena_text(arena, sov_bytes_text(text)) : NULL;
}

void sov_report_add(struct sov_report *report, enum sov_step_id step,
                    const struct sov_finding *finding)
{
    struct sov_finding *own;

    if (report->steps[step].result != SOV_STEP_UNABLE) report->steps[step].result = SOV_STEP_FAILED;
    if (finding->seq && (!report->first_bad_seq || finding->seq < report->first_bad_seq) &&
        sov_class_exit(finding->class) == SOV_INTEGRITY)
        report->first_bad_seq = finding->seq;
    if (report->count == SOV_FINDINGS_MAX) {
        report->left_out++;
        return;
    }
    if (report->count == report->room) {
        size_t room = report->room ? report->room * 2 : 16;
        struct sov_finding *more = sov_arena_array(report->arena, room, sizeof *more);

        if (report->count) memcpy(more, report->findings, report->count * sizeof *more);
        report->findings = more;
        report->room = room;
    }
    own = &report->findings[report->count++];
    *own = *finding;
    own->step = step;
    own->path = keep(report->arena, finding->path);
    own->message = keep(report->arena, finding->message);
    own->expected = keep(report->arena, finding->expected);
    own->found = keep(report->arena, finding->found);
    fingerprint(own);
}

void sov_report_event(struct sov_report *report, enum sov_step_id step, enum sov_class class,
                      const char *kind, int64_t seq, const char *fmt, ...)
{
    struct sov_finding finding = { .class = class, .kind = kind, .seq = seq };
    char message[600];
    va_list args;

    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    finding.message = message;
    sov_report_add(report, step, &finding);
}

void sov_report_note(struct sov_report *report, const char *fmt, ...)
{
    char note[600];
    va_list args;

    if (report->note_count == sizeof report->notes / sizeof *report->notes) return;
    va_start(args, fmt);
    vsnprintf(note, sizeof note, fmt, args);
    va_end(args);
    report->notes[report->note_count++] = keep(report->arena, note);
}

void sov_report_unable(struct sov_report *report, enum sov_step_id step,
                       const struct sov_error *why)
{
    report->steps[step].result = SOV_STEP_UNABLE;
    sov_report_note(report, "the step %s could not run: %s [%s]", sov_step_word(step), why->what,
                    why->code);
}

void sov_report_ran(struct sov_report *report, enum sov_step_id step, int64_t checked)
{
    report->steps[step].checked += checked;
    if (report->steps[step].result == SOV_STEP_NOT_RUN)
        report->steps[step].result = SOV_STEP_PASSED;
}

static int compare(const void *a, const void *b)
{
    const struct sov_finding *x = a, *y = b;
    int order = (x->class > y->class) - (x->class < y->class);

    if (!order) order = (x->seq > y->seq) - (x->seq < y->seq);
    if (!order) order = strcmp(x->path ? x->path : "", y->path ? y->path : "");
    if (!order) order = strcmp(x->kind, y->kind);
    return order ? order : strcmp(x->message, y->message);
}

/* Two steps may see the same thing. */
static bool is_same(const struct sov_finding *a, const struct sov_finding *b)
{
    return compare(a, b) == 0 && a->line == b->line;
}

static void drop_repeats(struct sov_report *report)
{
    size_t kept = 0;

    for (size_t i = 0; i < report->count; i++)
        if (!kept || !is_same(&report->findings[kept - 1], &report->findings[i]))
            report->findings[kept++] = report->findings[i];
    report->count = kept;
}

void sov_report_close(struct sov_report *report, bool accept_unanchored)
{
    bool six = false, three = false, one = false, unable = false;

    if (report->count) qsort(report->findings, report->count, sizeof *report->findings, compare);
    drop_repeats(report);
    for (size_t i = 0; i < report->count; i++) {
        enum sov_exit exit = sov_class_exit(report->findings[i].class);

        if (accept_unanchored && report->findings[i].class == SOV_CLASS_UNANCHORED) continue;
        six = six || exit == SOV_INTEGRITY;
        three = three || exit == SOV_ABSENT;
        one = one || exit == SOV_NO;
    }
    for (size_t i = 0; i < SOV_STEP_COUNT; i++)
        unable = unable || report->steps[i].result == SOV_STEP_UNABLE;
    report->exit = six      ? SOV_INTEGRITY
                   : unable ? SOV_UNABLE
                   : three  ? SOV_ABSENT
                   : one    ? SOV_NO
                            : SOV_OK;
}
