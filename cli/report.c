/* What a verification found, as lines and as data. */
#include "cli/report.h"

#include "base/child.h"

struct watch {
    struct sov_call *call;
    int64_t began_ms, shown_ms;
};

/* One line that is erased again, to a terminal only. INT and TERM cancel. */
static bool progress(void *self, const char *phase, int64_t done, int64_t of)
{
    struct watch *watch = self;
    struct sov_error ignored;
    int64_t now = sov_monotonic_ms();

    if (!sov_call_goes_on(&ignored)) return false;
    if (now - watch->began_ms < 500 || now - watch->shown_ms < 100) return true;
    watch->shown_ms = now;
    sov_out_progress(watch->call->out, phase, done, of);
    return true;
}

bool sov_report_make(struct sov_call *call, struct sov_verify_options *options,
                     struct sov_report *report_out, struct sov_error *err)
{
    struct watch watch = { call, sov_monotonic_ms(), 0 };
    struct sov_error signal;
    bool ok;

    sov_signals_watch();
    options->progress = progress;
    options->self = &watch;
    ok = sov_verify(options, call->arena, report_out, err);
    options->progress = NULL;
    options->self = NULL;
    sov_out_progress(call->out, NULL, 0, 0);
    if (!ok && !sov_call_goes_on(&signal)) *err = signal;
    return ok;
}

/* ---- printing ---- */

static void finding_print(struct sov_out *out, const struct sov_finding *finding)
{
    sov_out_part(out, SOV_RED, "%-10s", sov_class_word(finding->class));
    if (finding->path && finding->line)
        sov_out_part(out, SOV_PLAIN, "  %s:%lld", finding->path, (long long)finding->line);
    else if (finding->path)
        sov_out_part(out, SOV_PLAIN, "  %s", finding->path);
    if (finding->seq) sov_out_part(out, SOV_PLAIN, "  seq %lld", (long long)finding->seq);
    sov_out_part(out, SOV_PLAIN, "  %s", finding->message);
    sov_out_end(out);
    if (finding->expected) sov_out_line(out, "            expected  %s", finding->expected);
    if (finding->found) sov_out_line(out, "            found     %s", finding->found);
}

static void head_print(struct sov_out *out, const struct sov_report *report)
{
    char id[SOV_HEX_HASH + 1], root[SOV_HEX_HASH + 1];

    if (report->known) {
        sov_hex(sov_hash_bytes(&report->ledger_id), id);
        sov_hex(sov_hash_bytes(&report->root), root);
        sov_out_line(out, "ledger   %.8s  %lld events  root %.8s%s%s%s", id,
                     (long long)report->size, root, report->identity ? "  (" : "",
                     report->identity ? report->identity : "", report->identity ? ")" : "");
    }
    if (strcmp(report->mode, "published") == 0 && report->known)
        sov_out_line(out, "mode     published log (%s), published size %lld",
                     report->file_left ? "the ledger file was not asked" : "no ledger file here",
                     (long long)report->published_size);
    if (strcmp(report->mode, "pin") == 0 && report->steps[SOV_STEP_CHAIN].checked)
        sov_out_line(out, "mode     from the pin: %lld events behind it",
                     (long long)report->steps[SOV_STEP_CHAIN].checked);
    for (size_t i = 0; i < report->anchor_count; i++)
        sov_out_line(out, "anchor   %s at %lld: %s", report->anchors[i].kind,
                     (long long)report->anchors[i].size, report->anchors[i].result);
    for (size_t i = 0; i < report->note_count; i++)
        sov_out_line(out, "note     %s", report->notes[i]);
    for (enum sov_step_id step = 0; step < SOV_STEP_COUNT; step++) {
        enum sov_step_result result = report->steps[step].result;

        if (result == SOV_STEP_UNABLE || (out->verbose && result != SOV_STEP_NOT_ASKED))
            sov_out_line(out, "step     %-12s %s, %lld looked at", sov_step_word(step),
                         sov_step_result_word(result), (long long)report->steps[step].checked);
    }
    if (report->steps[SOV_STEP_VIEWS].result == SOV_STEP_PASSED)
        sov_out_line(out, "views    %lld files equal, published size %lld",
                     (long long)report->steps[SOV_STEP_VIEWS].checked,
                     (long long)report->published_size);
}

static void verdict_print(struct sov_out *out, const struct sov_report *report)
{
    const char *next = report->count ? sov_class_next(report->findings[0].class) : NULL;
    size_t count[SOV_CLASS_COUNT] = { 0 };
    bool first = true;

    if (report->exit == SOV_OK) {
        if (!out->quiet) {
            sov_out_part(out, SOV_GREEN, "ok");
            if (strcmp(report->mode, "pin") == 0)
                sov_out_part(out, SOV_PLAIN, " since the pin; sov verify judges all of it");
            sov_out_end(out);
        }
        return;
    }
    for (size_t i = 0; i < report->count; i++) count[report->findings[i].class]++;
    sov_out_part(out, SOV_RED, "no");
    sov_out_part(out, SOV_PLAIN, ": %zu finding%s", report->count + (size_t)report->left_out,
                 report->count == 1 ? "" : "s");
    for (enum sov_class class = 0; class < SOV_CLASS_COUNT; class ++) {
        if (!count[class]) continue;
        sov_out_part(out, SOV_PLAIN, "%s%s %zu", first ? " (" : ", ", sov_class_word(class),
                     count[class]);
        first = false;
    }
    sov_out_part(out, SOV_PLAIN, "%s%s%s", first ? "" : ")", next ? "; next: " : "",
                 next ? next : "");
    sov_out_end(out);
}

/* ---- data ---- */

static void findings_put(struct sov_node *data, const struct sov_report *report)
{
    struct sov_node *list = sov_add_list(data, "findings");

    for (size_t i = 0; i < report->count; i++) {
        const struct sov_finding *finding = &report->findings[i];
        struct sov_node *row = sov_add_object(list, NULL);

        sov_add_text(row, "class", sov_class_word(finding->class));
        sov_add_text(row, "kind", finding->kind);
        if (finding->seq)
            sov_add_int(row, "seq", finding->seq);
        else
            sov_add_null(row, "seq");
        sov_add_text(row, "path", finding->path);
        if (finding->line)
            sov_add_int(row, "line", finding->line);
        else
            sov_add_null(row, "line");
        sov_add_text(row, "message", finding->message);
        sov_add_text(row, "expected", finding->expected);
        sov_add_text(row, "found", finding->found);
        sov_add_text(row, "fingerprint", finding->fingerprint);
        sov_add_text(row, "next", sov_class_next(finding->class));
    }
}

void sov_report_put(const struct sov_report *report, struct sov_node *data)
{
    struct sov_node *list;

    sov_add_text(data, "verdict", report->exit == SOV_OK ? "ok" : "no");
    sov_add_int(data, "exit", report->exit);
    sov_add_text(data, "mode", report->mode);
    sov_add_int(data, "size", report->size);
    sov_add_hex(data, "root", sov_hash_bytes(&report->root));
    sov_add_int(data, "published_size", report->published_size);
    sov_add_text(data, "identity", report->identity);
    list = sov_add_list(data, "anchors");
    for (size_t i = 0; i < report->anchor_count; i++) {
        struct sov_node *row = sov_add_object(list, NULL);

        sov_add_text(row, "kind", report->anchors[i].kind);
        sov_add_int(row, "size", report->anchors[i].size);
        sov_add_hex(row, "root", sov_hash_bytes(&report->anchors[i].root));
        sov_add_text(row, "result", report->anchors[i].result);
    }
    sov_add_int(data, "unanchored_tail", report->unanchored_tail);
    list = sov_add_list(data, "steps");
    for (enum sov_step_id step = 0; step < SOV_STEP_COUNT; step++) {
        struct sov_node *row = sov_add_object(list, NULL);

        sov_add_text(row, "name", sov_step_word(step));
        sov_add_text(row, "result", sov_step_result_word(report->steps[step].result));
        sov_add_int(row, "checked", report->steps[step].checked);
    }
    if (report->first_bad_seq)
        sov_add_int(data, "first_bad_seq", report->first_bad_seq);
    else
        sov_add_null(data, "first_bad_seq");
    findings_put(data, report);
}

void sov_report_print(struct sov_call *call, const struct sov_report *report)
{
    if (!call->out->quiet) head_print(call->out, report);
    for (size_t i = 0; i < report->count; i++) {
        if (report->exit != SOV_OK)
            finding_print(call->out, &report->findings[i]);
        else if (!call->out->quiet) /* accepted, as it was asked for */
            sov_out_line(call->out, "note     %s", report->findings[i].message);
    }
    verdict_print(call->out, report);
}
