#ifndef SOV_CLI_LOG_BASE_H
#define SOV_CLI_LOG_BASE_H
/*
 * What a revision of the repository had published, and the summary of what came since, for the
 * person who reviews a merge. Owns: both. Not here: whether any of it is true (sov verify).
 */
#include "cli/record.h"

/* Size of the newest checkpoint in the tree of that revision, 0: it holds none. fork (6): its root
 * is no prefix of this log, or all are another ledger's; moved (5): it is ahead of this log;
 * no_such_id (3): git knows no such name. */
SOV_MUST_USE bool sov_log_base(struct sov_call *call, const char *revision, int64_t *size_out,
                               struct sov_error *err);

/* A job's summary takes 1 MiB from all of its steps. */
enum { SOV_LOG_SUMMARY_MAX = 400000 };

/* The summary as Markdown: head, one row an event, last how many were left out. */
struct sov_log_summary {
    struct sov_buf rows;
    int64_t count, left_out;
};
void sov_log_summary_add(struct sov_log_summary *summary, const struct sov_event *event,
                         struct sov_arena *arena);
void sov_log_summary_print(struct sov_call *call, const struct sov_log_summary *summary,
                           const char *revision, int64_t base);
#endif
