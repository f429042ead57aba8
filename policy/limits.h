#ifndef SOV_POLICY_LIMITS_H
#define SOV_POLICY_LIMITS_H
/*
 * The limits that are compiled in: a policy document cannot loosen them. Those an organization may
 * choose are in struct sov_policy (document.h). Sizes in bytes.
 */
#include "base/bytes.h"
#include "base/error.h"

enum {
    SOV_TEXT_TITLE = 200,
    SOV_TEXT_SCOPE = 16000,
    SOV_TEXT_DESIRED_STATE = 4000,
    SOV_TEXT_DONE_WHEN = 2000,
    SOV_TEXT_REASON = 2000,
    SOV_TEXT_NON_GOAL = 500,
    SOV_TEXT_RATIONALE = 4000,
    SOV_TEXT_SUBJECT = 200,
    SOV_TEXT_OBSERVED = 4096, /* of evidence, inline */
    SOV_TEXT_MESSAGE = 4096,  /* body, inline */
    SOV_CHECKS_MAX = 32,
    SOV_DELIVERABLES_MAX = 64,
    SOV_DELIVERABLE_PATHS_MAX = 16384, /* all paths of one SOW together */
    SOV_NON_GOALS_MAX = 32,
    SOV_PROPOSALS_MAX = 16,
    SOV_RENEWALS_PER_TTL = 3, /* a claim is renewed every ttl / 3 */
    SOV_CHECK_COMMAND_S = 60,
    SOV_CHECK_COMMAND_MAX_S = 600,
    SOV_CHECK_OUTPUT_MAX = 1 << 20,
    SOV_CHECK_JSON_MAX = 1 << 20
};

/* A text that must be there: 1 to max bytes of UTF-8, not blank; else bad_value or too_large. */
SOV_MUST_USE bool sov_policy_text(const char *what, struct sov_bytes text, size_t max,
                                  struct sov_error *err);
/* A written reason, where one is due: reason_missing if absent or blank, else as above. */
SOV_MUST_USE bool sov_policy_reason(struct sov_bytes reason, struct sov_error *err);
/* Declared deliverables: safe relative paths, no two equal after folding ASCII case, within the
 * two limits above: deliverable_unsafe, too_large. */
SOV_MUST_USE bool sov_policy_deliverables(const char *const *paths, size_t count,
                                          struct sov_error *err);
#endif
