#ifndef SOV_PROVIDERS_LINES_H
#define SOV_PROVIDERS_LINES_H
/*
 * JSONL from a provider: octets in any chunks, whole objects out. Owns: where a line ends, which
 * lines are malformed, skipped or noise, and the counts of each (the table of providers.md 1).
 * Not here: what a line means (the adapters); the raw stream, which is kept whole elsewhere.
 *
 * Any split of the same octets gives the same calls, counts and failure. Failures are of class
 * SOV_NO with the category as code, malformed_stream, and are final: what follows is not looked at.
 */
#include "base/buf.h"
#include "policy/policy.h"

enum sov_lines_mode {
    SOV_LINES_STRICT, /* command, scripted, tape, acp */
    SOV_LINES_VENDOR  /* claude, codex, cursor, gemini */
};
enum {
    SOV_LINES_LINE = 4 << 20,      /* the usual longest line, without its line feed */
    SOV_LINES_LINE_MAX = 16 << 20, /* the most that may be asked for */
    SOV_LINES_DEPTH = 64,
    SOV_LINES_NOISE_MAX = 1000
};

/* What the adapter says of an object. */
enum sov_line_kind {
    SOV_LINE_KNOWN,
    SOV_LINE_UNKNOWN, /* a type it does not know: malformed if strict, else counted */
    SOV_LINE_TERMINAL /* it says that it is done: a second one is malformed */
};

struct sov_lines_counts {
    uint64_t lines;          /* objects */
    uint64_t unknown, noise; /* noise: vendor only, lines that are no object */
    uint64_t after_terminal; /* objects and noise behind the terminal event */
    bool partial_line;       /* vendor only: the last line was cut and is not used */
};

struct sov_lines {
    enum sov_lines_mode mode;
    size_t line_max;
    struct sov_buf carry;
    struct sov_lines_counts counts;
    uint64_t at; /* number of the line that is being read, from 1, blank ones too */
    bool broken, terminal;
    void *self;
    /* One object, as it came: it passed the scanner (foreign rules if vendor), so sov_json_parse
     * reads \u0000 and lone surrogates as U+FFFD. False with malformed_stream ends the stream. */
    bool (*take)(void *self, struct sov_bytes object, enum sov_line_kind *kind_out,
                 struct sov_error *err);
};

void sov_lines_init(struct sov_lines *lines, enum sov_lines_mode mode, size_t line_max, void *self,
                    bool (*take)(void *self, struct sov_bytes object, enum sov_line_kind *kind_out,
                                 struct sov_error *err));
void sov_lines_release(struct sov_lines *lines); /* for SOV_CLEANUP; of a zeroed one: nothing */
SOV_MUST_USE bool sov_lines_feed(struct sov_lines *lines, struct sov_bytes chunk,
                                 struct sov_error *err);
/* The stream is over. `exited_zero`: then an unfinished last line is malformed from anyone. */
SOV_MUST_USE bool sov_lines_finish(struct sov_lines *lines, bool exited_zero,
                                   struct sov_error *err);
/* malformed_stream of the adapter's own: a foreign session id, say. */
#define sov_lines_fail(err, ...)                                                                   \
    sov_fail(err, SOV_NO, sov_policy_category_word(SOV_RUN_MALFORMED_STREAM), __VA_ARGS__)
#endif
