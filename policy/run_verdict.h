#ifndef SOV_POLICY_RUN_VERDICT_H
#define SOV_POLICY_RUN_VERDICT_H
/* The verdict on one attempt: what was observed of a run -> receipt status and category
 * (providers.md 3). What the vendors' words mean is settled in providers/. */
#include <stdbool.h>
#include <stddef.h>

enum sov_run_group { SOV_GROUP_C, SOV_GROUP_D, SOV_GROUP_E };
enum sov_run_category {
#define X(name, word, group, means) SOV_RUN_##name,
#include "policy/run_category.def"
#undef X
    SOV_RUN_CATEGORY_COUNT
};
const char *sov_policy_category_word(enum sov_run_category category);
const char *sov_policy_category_means(enum sov_run_category category);
bool sov_policy_category(const char *word, enum sov_run_category *category_out);

/* A report that is valid by providers.md 2, by its status; NONE: none, or none that is valid. */
enum sov_report_status {
    SOV_REPORT_NONE,
    SOV_REPORT_COMPLETED,
    SOV_REPORT_BLOCKED,
    SOV_REPORT_FAILED
};
struct sov_run_observed {
    bool holds[SOV_RUN_CATEGORY_COUNT]; /* conditions of group C that were seen to hold */
    enum sov_report_status report;
};
enum sov_receipt_status {
    SOV_RECEIPT_COMPLETED,
    SOV_RECEIPT_BLOCKED,
    SOV_RECEIPT_FAILED,
    SOV_RECEIPT_STATUS_COUNT
};
const char *sov_policy_receipt_word(enum sov_receipt_status status);
bool sov_policy_receipt_status(const char *word, enum sov_receipt_status *status_out);
struct sov_run_verdict {
    enum sov_receipt_status status;
    enum sov_run_category category; /* of a failed one only */
    enum sov_run_category also[SOV_RUN_CATEGORY_COUNT];
    size_t also_count;
    bool effects_unknown; /* no report that counts came back */
};
struct sov_run_verdict sov_policy_run(const struct sov_run_observed *observed);
#endif
