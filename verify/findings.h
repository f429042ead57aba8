#ifndef SOV_VERIFY_FINDINGS_H
#define SOV_VERIFY_FINDINGS_H
/*
 * What a verification found: classes, findings, steps, anchors, and the verdict made of them.
 * Owns: the nine classes with their exits, the order of findings, their fingerprints.
 * Not here: looking (the other files of this folder), printing (cli/).
 */
#include "base/arena.h"
#include "base/crypto.h"
#include "ledger/ledger.h"

/* Class, exit, first thing to do (cli.md 2). The order is the order of a report. */
#define SOV_CLASSES(X)                                                                             \
    X(TAMPER, SOV_INTEGRITY, "keep the file, compare with the published log")                      \
    X(SCHEMA, SOV_INTEGRITY, "keep the file, compare with the published log")                      \
    X(ROLLBACK, SOV_INTEGRITY, "restore governance/, or find who put an old copy back")            \
    X(FORK, SOV_INTEGRITY, "keep both sides")                                                      \
    X(STATE, SOV_INTEGRITY, "sov rebuild, then ask how")                                           \
    X(CORRUPT, SOV_INTEGRITY, "keep the file; sov recover --from a backup or published")           \
    X(ABSENT, SOV_ABSENT, "fix the path or the checkout")                                          \
    X(DRIFT, SOV_NO, "sov rebuild")                                                                \
    X(UNANCHORED, SOV_NO, "sov verify --pin, or --no-anchor to accept it")

enum sov_class {
#define X(name, exit, next) SOV_CLASS_##name,
    SOV_CLASSES(X)
#undef X
        SOV_CLASS_COUNT
};
const char *sov_class_word(enum sov_class class);
enum sov_exit sov_class_exit(enum sov_class class);
const char *sov_class_next(enum sov_class class);

/* In the order of log.md 6. */
#define SOV_STEPS(X)                                                                               \
    X(PLACE, "place")                                                                              \
    X(FILE, "file")                                                                                \
    X(SCHEMA, "schema")                                                                            \
    X(CHAIN, "chain")                                                                              \
    X(REGISTRY, "registry")                                                                        \
    X(FENCES, "fences")                                                                            \
    X(IDEMPOTENCY, "idempotency")                                                                  \
    X(CAUSES, "causes")                                                                            \
    X(SIGNATURES, "signatures")                                                                    \
    X(TREE, "tree")                                                                                \
    X(CHECKPOINTS, "checkpoints")                                                                  \
    X(PUBLISHED, "published")                                                                      \
    X(ANCHORS, "anchors")                                                                          \
    X(STATE, "state")                                                                              \
    X(VIEWS, "views")
enum sov_step_id {
#define X(name, word) SOV_STEP_##name,
    SOV_STEPS(X)
#undef X
        SOV_STEP_COUNT
};
struct sov_finding {
    enum sov_class class;
    enum sov_step_id step;                  /* set by sov_report_add */
    const char *kind;                       /* what exactly: "hash", "columns", "differs" */
    int64_t seq;                            /* 0: of no event */
    const char *path;                       /* under the repository; NULL: none */
    int64_t line;                           /* 0: none */
    const char *message, *expected, *found; /* the last two may be NULL */
    char fingerprint[33];
};
const char *sov_step_word(enum sov_step_id step);
enum sov_step_result {
    SOV_STEP_NOT_RUN,
    SOV_STEP_PASSED,
    SOV_STEP_FAILED,
    SOV_STEP_UNABLE,
    SOV_STEP_NOT_ASKED
};
const char *sov_step_result_word(enum sov_step_result result);
struct sov_step {
    enum sov_step_result result;
    int64_t checked; /* things looked at */
};
struct sov_anchor {
    const char *kind; /* "pin", "checkpoint", "git" */
    int64_t size;
    struct sov_hash root;
    const char *result; /* "prefix of this log", "ahead of this log", "another log" */
};

enum { SOV_FINDINGS_MAX = 10000, SOV_ANCHORS_MAX = 8 };
struct sov_report {
    struct sov_arena *arena;
    struct sov_finding *findings;
    size_t count, room;
    int64_t left_out; /* findings beyond SOV_FINDINGS_MAX, counted */
    struct sov_step steps[SOV_STEP_COUNT];
    struct sov_anchor anchors[SOV_ANCHORS_MAX];
    size_t anchor_count;
    const char *notes[16];
    size_t note_count;
    enum sov_exit exit;
    const char *mode; /* "ledger", "published": of the published log, "pin": only what came since */
    bool file_left;   /* ... though there is a ledger file */
    bool known;       /* size, root and id below were established */
    int64_t size, published_size, unanchored_tail, first_bad_seq;
    struct sov_hash root, ledger_id;
    const char *identity; /* "as asked", "pinned", "trusted on first use" */
    struct sov_pin pin;   /* if it was asked for; size 0: there is none */
};

/* Adds a finding and marks the step failed. Texts are copied; `expected` and `found` may be NULL.
 */
void sov_report_add(struct sov_report *report, enum sov_step_id step,
                    const struct sov_finding *finding);
/* A finding about an event, with a message. */
void sov_report_event(struct sov_report *report, enum sov_step_id step, enum sov_class class,
                      const char *kind, int64_t seq, const char *fmt, ...) SOV_PRINTF(6, 7);
void sov_report_note(struct sov_report *report, const char *fmt, ...) SOV_PRINTF(2, 3);
/* A step that could not run never counts as passed. */
void sov_report_unable(struct sov_report *report, enum sov_step_id step,
                       const struct sov_error *why);
/* A step that ran to its end: passed unless a finding was added. */
void sov_report_ran(struct sov_report *report, enum sov_step_id step, int64_t checked);
/* Sorts, and derives exit, first bad seq. `accept_unanchored`: UNANCHORED alone is success. */
void sov_report_close(struct sov_report *report, bool accept_unanchored);
#endif
