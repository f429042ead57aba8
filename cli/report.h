#ifndef SOV_CLI_REPORT_H
#define SOV_CLI_REPORT_H
/* What a verification found, printed: findings only with -q. */
#include "cli/verb.h"
#include "verify/verify.h"

void sov_report_print(struct sov_call *call, const struct sov_report *report);
void sov_report_put(const struct sov_report *report, struct sov_node *data);
/* Runs it with a progress line; INT and TERM cancel. */
SOV_MUST_USE bool sov_report_make(struct sov_call *call, struct sov_verify_options *options,
                                  struct sov_report *report_out, struct sov_error *err);
#endif
