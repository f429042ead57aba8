#include "cli/formats.h"

#include <string.h>

#include "base/text.h"
#include "cli/node.h"
#include "cli/version.h"

enum { ANNOTATIONS = 10, SARIF_MAX = 5000 };

static const char *const meaning[SOV_CLASS_COUNT] = {
    [SOV_CLASS_TAMPER] = "an event or signature is not what was written, or breaks a rule",
    [SOV_CLASS_SCHEMA] = "the schema of the ledger file is not the one that was built",
    [SOV_CLASS_ROLLBACK] = "the log is smaller than somebody outside knows it to be",
    [SOV_CLASS_FORK] = "a signed root is no prefix of this log, or it is another ledger",
    [SOV_CLASS_STATE] = "a derived table is not the fold of the events",
    [SOV_CLASS_CORRUPT] = "the file cannot be read as a ledger",
    [SOV_CLASS_ABSENT] = "there is nothing to check",
    [SOV_CLASS_DRIFT] = "a file under governance/ is not what the events give",
    [SOV_CLASS_UNANCHORED] = "nothing outside the ledger vouches for it",
};

bool sov_format_find(const char *word, size_t size, enum sov_format *format_out)
{
    static const char *const words[] = {
#define X(id, word) #word,
        SOV_FORMATS(X)
#undef X
    };

    for (enum sov_format format = 0; format < SOV_FORMAT_COUNT; format++) {
        if (strlen(words[format]) != size || memcmp(words[format], word, size) != 0) continue;
        *format_out = format;
        return true;
    }
    return false;
}

/* ---- of one finding ---- */

static bool is_folder(const char *path)
{
    return strcmp(path, SOV_GOVERNANCE) == 0 || strcmp(path, SOV_GOVERNANCE "/log") == 0 ||
           strcmp(path, SOV_GOVERNANCE "/checkpoints") == 0;
}

struct sov_shown sov_shown_at(const struct sov_formatting *f, const struct sov_finding *finding)
{
    if (finding->path && !is_folder(finding->path))
        return (struct sov_shown){ finding->path, finding->line ? finding->line : 1 };
    for (size_t i = 0; finding->seq && i < f->files.segment_count; i++) {
        const struct sov_segment *segment = &f->files.segments[i];

        if (finding->seq >= segment->first && finding->seq <= segment->last)
            return (struct sov_shown){ sov_arena_printf(f->arena, "%s/%s", SOV_GOVERNANCE,
                                                        segment->path),
                                       finding->seq - segment->first + 1 };
    }
    return (struct sov_shown){ SOV_GOVERNANCE "/README.md", 1 };
}

const char *sov_finding_text(const struct sov_formatting *f, const struct sov_finding *finding)
{
    const char *text = finding->message;

    if (finding->expected)
        text = sov_arena_printf(f->arena, "%s; expected: %s", text, finding->expected);
    if (finding->found) text = sov_arena_printf(f->arena, "%s; found: %s", text, finding->found);
    return text;
}

bool sov_finding_counts(const struct sov_formatting *f, const struct sov_finding *finding)
{
    return f->report->exit != SOV_OK || finding->class != SOV_CLASS_UNANCHORED;
}

/* ---- github: workflow commands ---- */

/* Made visible first, so that nothing but what is escaped here can end a line. */
static void command_text(const char *text, bool property, struct sov_buf *out)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf visible = { 0 };

    sov_buf_init(&visible, 1 << 20);
    sov_text_visible(sov_bytes_text(text), 0, &visible);
    for (size_t i = 0; i < visible.size; i++) {
        uint8_t c = visible.data[i];

        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
            sov_buf_printf(out, "%%%02X", c);
        else
            sov_buf_add_byte(out, c);
    }
}

static void annotation(const struct sov_formatting *f, const struct sov_finding *finding,
                       struct sov_buf *out)
{
    struct sov_shown at = sov_shown_at(f, finding);

    sov_buf_add_text(out, sov_finding_counts(f, finding) ? "::error file=" : "::notice file=");
    command_text(at.path, true, out);
    sov_buf_printf(out, ",line=%lld,col=1,title=sov %s::", (long long)at.line,
                   sov_class_word(finding->class));
    command_text(sov_finding_text(f, finding), false, out);
    sov_buf_add_byte(out, '\n');
}

static void github(const struct sov_formatting *f, struct sov_buf *out)
{
    const struct sov_report *report = f->report;
    size_t shown = report->count > ANNOTATIONS ? ANNOTATIONS - 1 : report->count;

    for (size_t i = 0; i < shown; i++) annotation(f, &report->findings[i], out);
    if (shown < report->count)
        sov_buf_printf(out, "::error title=sov::and %lld more; the job summary has all\n",
                       (long long)(report->count - shown) + (long long)report->left_out);
    for (size_t i = 0; i < report->note_count; i++) {
        sov_buf_add_text(out, "::notice title=sov::");
        command_text(report->notes[i], false, out);
        sov_buf_add_byte(out, '\n');
    }
    sov_buf_printf(out, "::notice title=sov::%s, %s, size %lld, published size %lld\n",
                   report->exit == SOV_OK ? "ok" : "no", report->mode, (long long)report->size,
                   (long long)report->published_size);
}

/* Nothing of it can be Markdown, a link or a mention. */
static void cell(const char *text, struct sov_buf *out)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf visible = { 0 };

    sov_buf_init(&visible, 1 << 20);
    sov_text_visible(sov_bytes_text(text), 0, &visible);
    for (size_t i = 0; i < visible.size; i++) {
        uint8_t c = visible.data[i];

        if (c == '&' || c == '<' || c == '>' || c == '@' || c == '#')
            sov_buf_printf(out, "&#%u;", c);
        else if (c > ' ' && c < 0x7f && memchr("!\"$%'()*+,-./:;=?[\\]^_`{|}~", c, 27))
            sov_buf_printf(out, "\\%c", c);
        else
            sov_buf_add_byte(out, c);
    }
}

void sov_format_summary(const struct sov_formatting *f, size_t size_max, struct sov_buf *out)
{
    const struct sov_report *report = f->report;

    sov_buf_printf(out, "### sov verify: %s\n\n%s, size %lld, published size %lld\n\n",
                   report->exit == SOV_OK ? "ok" : "no", report->mode, (long long)report->size,
                   (long long)report->published_size);
    if (report->count) sov_buf_add_text(out, "| class | where | seq | what |\n|---|---|---|---|\n");
    for (size_t i = 0; i < report->count; i++) {
        const struct sov_finding *finding = &report->findings[i];
        struct sov_shown at = sov_shown_at(f, finding);
        SOV_CLEANUP(sov_buf_release) struct sov_buf row = { 0 };

        sov_buf_init(&row, 1 << 16);
        sov_buf_printf(&row, "| %s | ", sov_class_word(finding->class));
        cell(at.path, &row);
        sov_buf_printf(&row, ":%lld | ", (long long)at.line);
        if (finding->seq) sov_buf_add_int(&row, finding->seq);
        sov_buf_add_text(&row, " | ");
        cell(sov_finding_text(f, finding), &row);
        sov_buf_add_text(&row, " |\n");
        if (out->size + row.size > size_max || row.cut) return;
        sov_buf_add(out, sov_buf_bytes(&row));
    }
}

/* ---- JSON: sarif, gitlab, rdjsonl ---- */

/* Of a path within the repository: all but what RFC 3986 leaves unreserved, and the slash. */
static const char *uri(const struct sov_formatting *f, const char *path)
{
    char *out = sov_arena_take(f->arena, 3 * strlen(path) + 1);
    static const char hex[] = "0123456789ABCDEF";
    size_t size = 0;

    for (const char *at = path; *at; at++) {
        uint8_t c = (uint8_t)*at;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-._~/", c);

        if (plain) {
            out[size++] = *at;
            continue;
        }
        out[size++] = '%';
        out[size++] = hex[c >> 4];
        out[size++] = hex[c & 15];
    }
    return out;
}

static void rules_put(struct sov_node *driver)
{
    struct sov_node *rules = sov_add_list(driver, "rules");

    for (enum sov_class class = 0; class < SOV_CLASS_COUNT; class ++) {
        struct sov_node *rule = sov_add_object(rules, NULL);

        sov_add_text(rule, "id", sov_class_word(class));
        sov_add_text(sov_add_object(rule, "shortDescription"), "text", meaning[class]);
        sov_add_text(sov_add_object(rule, "fullDescription"), "text", meaning[class]);
        sov_add_text(sov_add_object(rule, "help"), "text", sov_class_next(class));
        sov_add_text(sov_add_object(rule, "defaultConfiguration"), "level", "error");
    }
}

static void result_put(const struct sov_formatting *f, const struct sov_finding *finding,
                       struct sov_node *results)
{
    struct sov_shown at = sov_shown_at(f, finding);
    struct sov_node *result = sov_add_object(results, NULL), *place;

    sov_add_text(result, "ruleId", sov_class_word(finding->class));
    sov_add_int(result, "ruleIndex", finding->class);
    sov_add_text(result, "level", sov_finding_counts(f, finding) ? "error" : "note");
    sov_add_text(sov_add_object(result, "message"), "text", sov_finding_text(f, finding));
    place =
        sov_add_object(sov_add_object(sov_add_list(result, "locations"), NULL), "physicalLocation");
    sov_add_text(sov_add_object(place, "artifactLocation"), "uri", uri(f, at.path));
    sov_add_int(sov_add_object(place, "region"), "startLine", at.line);
    sov_add_text(sov_add_object(result, "partialFingerprints"), "primaryLocationLineHash",
                 finding->fingerprint);
}

static void sarif(const struct sov_formatting *f, struct sov_buf *out)
{
    struct sov_node *log = sov_node_object(f->arena), *run, *driver, *results;

    sov_add_text(log, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    sov_add_text(log, "version", "2.1.0");
    run = sov_add_object(sov_add_list(log, "runs"), NULL);
    driver = sov_add_object(sov_add_object(run, "tool"), "driver");
    sov_add_text(driver, "name", "sov");
    sov_add_text(driver, "semanticVersion", SOV_VERSION);
    rules_put(driver);
    results = sov_add_list(run, "results");
    for (size_t i = 0; i < f->report->count && i < SARIF_MAX; i++)
        result_put(f, &f->report->findings[i], results);
    sov_node_json(log, out);
    sov_buf_add_byte(out, '\n');
}

static const char *severity(enum sov_class class)
{
    if (class == SOV_CLASS_UNANCHORED) return "minor";
    if (class == SOV_CLASS_DRIFT) return "major";
    return sov_class_exit(class) == SOV_INTEGRITY ? "blocker" : "critical";
}

static void gitlab(const struct sov_formatting *f, struct sov_buf *out)
{
    struct sov_node *list = sov_node_list(f->arena);

    for (size_t i = 0; i < f->report->count; i++) {
        const struct sov_finding *finding = &f->report->findings[i];
        struct sov_shown at = sov_shown_at(f, finding);
        struct sov_node *row = sov_add_object(list, NULL), *place;

        sov_add_text(row, "description", sov_finding_text(f, finding));
        sov_add_printf(row, "check_name", "sov/%s", sov_class_word(finding->class));
        sov_add_text(row, "fingerprint", finding->fingerprint);
        sov_add_text(row, "severity",
                     sov_finding_counts(f, finding) ? severity(finding->class) : "info");
        place = sov_add_object(row, "location");
        sov_add_text(place, "path", at.path);
        sov_add_int(sov_add_object(place, "lines"), "begin", at.line);
    }
    sov_node_json(list, out);
    sov_buf_add_byte(out, '\n');
}

static void rdjsonl(const struct sov_formatting *f, struct sov_buf *out)
{
    for (size_t i = 0; i < f->report->count; i++) {
        const struct sov_finding *finding = &f->report->findings[i];
        struct sov_shown at = sov_shown_at(f, finding);
        struct sov_node *row = sov_node_object(f->arena), *place, *start;

        sov_add_text(row, "message", sov_finding_text(f, finding));
        place = sov_add_object(row, "location");
        sov_add_text(place, "path", at.path);
        start = sov_add_object(sov_add_object(place, "range"), "start");
        sov_add_int(start, "line", at.line);
        sov_add_int(start, "column", 1);
        sov_add_text(row, "severity", sov_finding_counts(f, finding) ? "ERROR" : "INFO");
        sov_add_text(sov_add_object(row, "source"), "name", "sov");
        sov_add_text(sov_add_object(row, "code"), "value", sov_class_word(finding->class));
        sov_node_json(row, out);
        sov_buf_add_byte(out, '\n');
    }
}

void sov_format_write(enum sov_format format, const struct sov_formatting *f, struct sov_buf *out)
{
    static void (*const write[])(const struct sov_formatting *, struct sov_buf *) = {
        [SOV_FORMAT_GITHUB] = github,          [SOV_FORMAT_SARIF] = sarif,
        [SOV_FORMAT_JUNIT] = sov_format_junit, [SOV_FORMAT_GITLAB] = gitlab,
        [SOV_FORMAT_RDJSONL] = rdjsonl,
    };

    write[format](f, out);
}
