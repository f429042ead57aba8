#ifndef SOV_CLI_FORMATS_H
#define SOV_CLI_FORMATS_H
/*
 * A verification for the machines that show one: each format is a pure function of the report and
 * the names under governance/, with no time and no host in it. Owns: the exact shapes (cli.md 3.3).
 * Not here: text and --json (report.c), when which is printed (verb_verify.c).
 */
#include "projections/projections.h"
#include "verify/verify.h"

#define SOV_FORMATS(X)                                                                             \
    X(GITHUB, github)                                                                              \
    X(SARIF, sarif)                                                                                \
    X(JUNIT, junit)                                                                                \
    X(GITLAB, gitlab)                                                                              \
    X(RDJSONL, rdjsonl)
enum sov_format {
#define X(id, word) SOV_FORMAT_##id,
    SOV_FORMATS(X)
#undef X
        SOV_FORMAT_COUNT
};
bool sov_format_find(const char *word, size_t size, enum sov_format *format_out);

struct sov_formatting {
    const struct sov_report *report;
    struct sov_files files; /* of the tree that was judged */
    struct sov_arena *arena;
};
void sov_format_write(enum sov_format format, const struct sov_formatting *f, struct sov_buf *out);
/* The table of all findings for $GITHUB_STEP_SUMMARY, of at most size_max octets. */
void sov_format_summary(const struct sov_formatting *f, size_t size_max, struct sov_buf *out);

/* ---- for the formats themselves ---- */
/* Where a reader is shown it: its own file and line, else its event's line in the published log,
 * else the first line of governance/README.md. */
struct sov_shown {
    const char *path;
    int64_t line;
};
struct sov_shown sov_shown_at(const struct sov_formatting *f, const struct sov_finding *finding);
/* What it says in one piece: the message, then expected and found if there are any. */
const char *sov_finding_text(const struct sov_formatting *f, const struct sov_finding *finding);
/* Does it count against the verdict? UNANCHORED that was accepted does not. */
bool sov_finding_counts(const struct sov_formatting *f, const struct sov_finding *finding);
void sov_format_junit(const struct sov_formatting *f, struct sov_buf *out);
#endif
