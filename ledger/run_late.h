#ifndef SOV_LEDGER_RUN_LATE_H
#define SOV_LEDGER_RUN_LATE_H
/* A finish that is no end of a live run: the same again, or too late. Private to ledger/. */
#include "ledger/assignment.h"
#include "ledger/claim.h"
#include "ledger/run.h"

/* The report's octets as a confidential blob. */
SOV_MUST_USE bool sov_run_report_keep(struct sov_commit *commit, struct sov_bytes report,
                                      struct sov_blob_ref *ref_out, struct sov_error *err);
/* Under a fence whose run has finished: a noop if the report is the same, else report_conflict. */
SOV_MUST_USE bool sov_run_repeat(struct sov_commit *commit, const struct sov_run_finish *finish,
                                 const struct sov_claim *claim, struct sov_done *done_out,
                                 struct sov_run_end *end_out, struct sov_error *err);
/* Under a fence that is not live: result.stale, once per fence and report. claim NULL: there was
 * never such a claim. */
SOV_MUST_USE bool sov_run_late(struct sov_commit *commit, const struct sov_run_finish *finish,
                               const struct sov_assignment *assignment,
                               const struct sov_claim *claim, struct sov_done *done_out,
                               struct sov_run_end *end_out, struct sov_error *err);
#endif
