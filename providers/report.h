#ifndef SOV_PROVIDERS_REPORT_H
#define SOV_PROVIDERS_REPORT_H
/*
 * The ActorReport, `sov.report.v1`, read strictly (providers.md 2): a proposal, never authority.
 * Nothing is coerced, cut or guessed. Not here: whether its files are there (workspace.h) or its
 * proposals hold (ledger/effect.h).
 */
#include "ledger/ledger.h"

enum { SOV_REPORT_SIZE = 256 * 1024 };

struct sov_report {
    enum sov_report_status status;
    const char *const *files; /* deliverables.path, in its order */
    size_t file_count;
    struct sov_proposals proposals;
    size_t questions, blockers, checks;
};
/* The text must be exactly one report about this assignment. invalid_report (1): `what` names the
 * JSON pointer and the rule, and holds no octet of the text but our own key names. */
SOV_MUST_USE bool sov_report_read(struct sov_bytes text, const char *assignment,
                                  struct sov_arena *arena, struct sov_report *report_out,
                                  struct sov_error *err);
/* The JSON Schema of a report, one canonical text, and its digest. */
struct sov_bytes sov_report_schema(void);
#endif
