/* JUnit XML: the suite `ledger` has a case a step, the suite `projections` one a file. */
#include <string.h>

#include "base/text.h"
#include "cli/formats.h"

struct tally {
    int64_t tests, failures, errors, skipped;
};

/* Only characters of XML 1.0 reach it: what has another meaning was made visible before. */
static void xml(const char *text, struct sov_buf *out)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf visible = { 0 };

    sov_buf_init(&visible, 1 << 20);
    sov_text_visible(sov_bytes_text(text), 0, &visible);
    for (size_t i = 0; i < visible.size; i++) {
        uint8_t c = visible.data[i];

        if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'')
            sov_buf_printf(out, "&#%u;", c);
        else
            sov_buf_add_byte(out, c);
    }
}

static bool is_failure(enum sov_class class)
{
    return class == SOV_CLASS_DRIFT || class == SOV_CLASS_UNANCHORED;
}

static bool is_of_file(const struct sov_finding *finding)
{
    return finding->step == SOV_STEP_VIEWS;
}

static const char *name_of(const struct sov_finding *finding)
{
    return finding->path ? finding->path : SOV_GOVERNANCE;
}

/* All that was found of one case, under the worst class of it: findings are sorted by class. */
static void outcome(const struct sov_formatting *f, const struct sov_finding *const *found,
                    size_t count, struct sov_buf *out, struct tally *tally)
{
    const char *element = is_failure(found[0]->class) ? "failure" : "error";

    *(is_failure(found[0]->class) ? &tally->failures : &tally->errors) += 1;
    sov_buf_printf(out, "><%s type=\"%s\" message=\"", element, sov_class_word(found[0]->class));
    xml(found[0]->message, out);
    sov_buf_add_text(out, "\">");
    for (size_t i = 0; i < count; i++) {
        struct sov_shown at = sov_shown_at(f, found[i]);

        sov_buf_printf(out, "%s%s ", i ? "\n" : "", sov_class_word(found[i]->class));
        xml(at.path, out);
        sov_buf_printf(out, ":%lld ", (long long)at.line);
        if (found[i]->seq) sov_buf_printf(out, "seq %lld ", (long long)found[i]->seq);
        xml(sov_finding_text(f, found[i]), out);
    }
    sov_buf_printf(out, "</%s></testcase>\n", element);
}

static size_t of_step(const struct sov_formatting *f, enum sov_step_id step,
                      const struct sov_finding **found)
{
    size_t count = 0;

    for (size_t i = 0; i < f->report->count; i++)
        if (f->report->findings[i].step == step && sov_finding_counts(f, &f->report->findings[i]))
            found[count++] = &f->report->findings[i];
    return count;
}

static void step_case(const struct sov_formatting *f, enum sov_step_id step,
                      const struct sov_finding **found, struct sov_buf *out, struct tally *tally)
{
    enum sov_step_result result = f->report->steps[step].result;
    size_t count = of_step(f, step, found);

    tally->tests++;
    sov_buf_printf(out, "    <testcase classname=\"sov.ledger\" name=\"%s\"", sov_step_word(step));
    if (count) {
        outcome(f, found, count, out, tally);
    } else if (result == SOV_STEP_UNABLE) {
        tally->errors++;
        sov_buf_add_text(out, "><error type=\"UNABLE\" message=\"the step could not run\">the step "
                              "could not run</error></testcase>\n");
    } else if (result == SOV_STEP_PASSED || result == SOV_STEP_FAILED) {
        sov_buf_add_text(out, "/>\n");
    } else {
        tally->skipped++;
        sov_buf_printf(out, "><skipped message=\"%s\"/></testcase>\n",
                       sov_step_result_word(result));
    }
}

static void file_case(const struct sov_formatting *f, const char *path,
                      const struct sov_finding **found, struct sov_buf *out, struct tally *tally)
{
    size_t count = 0;

    for (size_t i = 0; i < f->report->count; i++)
        if (is_of_file(&f->report->findings[i]) &&
            strcmp(name_of(&f->report->findings[i]), path) == 0)
            found[count++] = &f->report->findings[i];
    tally->tests++;
    sov_buf_add_text(out, "    <testcase classname=\"sov.projections\" name=\"");
    xml(path, out);
    sov_buf_add_text(out, "\" file=\"");
    xml(path, out);
    sov_buf_add_text(out, "\"");
    if (count)
        outcome(f, found, count, out, tally);
    else
        sov_buf_add_text(out, "/>\n");
}

static bool is_listed(const struct sov_formatting *f, const char *path)
{
    for (size_t i = 0; i < f->files.count; i++)
        if (strcmp(f->files.path[i], path) == 0) return true;
    return false;
}

/* The files that are there, then what was found where none is. */
static void file_cases(const struct sov_formatting *f, const struct sov_finding **found,
                       struct sov_buf *out, struct tally *tally)
{
    const char *before = NULL;

    if (f->report->steps[SOV_STEP_VIEWS].result != SOV_STEP_PASSED &&
        f->report->steps[SOV_STEP_VIEWS].result != SOV_STEP_FAILED)
        return;
    for (size_t i = 0; i < f->files.count; i++) file_case(f, f->files.path[i], found, out, tally);
    for (size_t i = 0; i < f->report->count; i++) {
        const struct sov_finding *finding = &f->report->findings[i];
        const char *name = name_of(finding);

        if (!is_of_file(finding) || is_listed(f, name)) continue;
        if (before && strcmp(before, name) == 0) continue; /* sorted by path */
        file_case(f, name, found, out, tally);
        before = name;
    }
}

static void suite(const char *name, const struct tally *tally, const struct sov_buf *cases,
                  struct sov_buf *out)
{
    sov_buf_printf(out,
                   "  <testsuite name=\"%s\" tests=\"%lld\" failures=\"%lld\" errors=\"%lld\" "
                   "skipped=\"%lld\">\n",
                   name, (long long)tally->tests, (long long)tally->failures,
                   (long long)tally->errors, (long long)tally->skipped);
    sov_buf_add(out, sov_buf_bytes(cases));
    sov_buf_add_text(out, "  </testsuite>\n");
}

void sov_format_junit(const struct sov_formatting *f, struct sov_buf *out)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf ledger = { 0 }, projections = { 0 };
    const struct sov_finding **found =
        sov_arena_array(f->arena, f->report->count + 1, sizeof *found);
    struct tally of_ledger = { 0 }, of_files = { 0 };

    sov_buf_init(&ledger, out->size_max);
    sov_buf_init(&projections, out->size_max);
    for (enum sov_step_id step = 0; step < SOV_STEP_COUNT; step++)
        if (step != SOV_STEP_VIEWS) step_case(f, step, found, &ledger, &of_ledger);
    file_cases(f, found, &projections, &of_files);
    sov_buf_printf(out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<testsuites name=\"sov\" tests=\"%lld\" failures=\"%lld\" errors=\"%lld\">\n",
                   (long long)(of_ledger.tests + of_files.tests),
                   (long long)(of_ledger.failures + of_files.failures),
                   (long long)(of_ledger.errors + of_files.errors));
    suite("ledger", &of_ledger, &ledger, out);
    suite("projections", &of_files, &projections, out);
    sov_buf_add_text(out, "</testsuites>\n");
}
