#include "policy/run_verdict.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *word, *means;
    enum sov_run_group group;
} categories[SOV_RUN_CATEGORY_COUNT] = {
#define X(name, word, group, means) { word, means, SOV_GROUP_##group },
#include "policy/run_category.def"
#undef X
};

const char *sov_policy_category_word(enum sov_run_category category)
{
    assert(category < SOV_RUN_CATEGORY_COUNT);
    return categories[category].word;
}

const char *sov_policy_category_means(enum sov_run_category category)
{
    assert(category < SOV_RUN_CATEGORY_COUNT);
    return categories[category].means;
}

bool sov_policy_category(const char *word, enum sov_run_category *category_out)
{
    for (enum sov_run_category c = 0; c < SOV_RUN_CATEGORY_COUNT; c++) {
        if (strcmp(categories[c].word, word) != 0) continue;
        *category_out = c;
        return true;
    }
    return false;
}

static const char *const receipt_words[SOV_RECEIPT_STATUS_COUNT] = { "completed", "blocked",
                                                                     "failed" };

const char *sov_policy_receipt_word(enum sov_receipt_status status)
{
    assert(status < SOV_RECEIPT_STATUS_COUNT);
    return receipt_words[status];
}

bool sov_policy_receipt_status(const char *word, enum sov_receipt_status *status_out)
{
    for (enum sov_receipt_status s = 0; s < SOV_RECEIPT_STATUS_COUNT; s++) {
        if (strcmp(receipt_words[s], word) != 0) continue;
        *status_out = s;
        return true;
    }
    return false;
}

/* What the report itself says, and what must be said of a run of which nothing is known. */
static void complete(const struct sov_run_observed *observed, bool *holds)
{
    bool any = false;

    memcpy(holds, observed->holds, sizeof observed->holds);
    if (observed->report == SOV_REPORT_FAILED) holds[SOV_RUN_ACTOR_REPORTED_FAILURE] = true;
    for (enum sov_run_category c = 0; c < SOV_RUN_CATEGORY_COUNT; c++)
        any |= holds[c] && categories[c].group == SOV_GROUP_C;
    if (observed->report == SOV_REPORT_NONE && !any) holds[SOV_RUN_INTERNAL_ERROR] = true;
}

/* The first of group C from `from` to before `end`, or `end`. */
static enum sov_run_category first_of(const bool *holds, enum sov_run_category from,
                                      enum sov_run_category end)
{
    while (from < end && (!holds[from] || categories[from].group != SOV_GROUP_C)) from++;
    return from;
}

struct sov_run_verdict sov_policy_run(const struct sov_run_observed *observed)
{
    struct sov_run_verdict verdict = { SOV_RECEIPT_FAILED, SOV_RUN_CATEGORY_COUNT, { 0 }, 0, true };
    bool holds[SOV_RUN_CATEGORY_COUNT];
    enum sov_run_category first, end = SOV_RUN_CATEGORY_COUNT;

    complete(observed, holds);
    first = first_of(holds, 0, end);
    verdict.effects_unknown = observed->report == SOV_REPORT_NONE ||
                              first < SOV_RUN_ACTOR_REPORTED_FAILURE ||
                              holds[SOV_RUN_INTERNAL_ERROR];
    /* A blocked run owes no file and no proposal, but it must have come to an end of its own. */
    if (observed->report == SOV_REPORT_BLOCKED && first > SOV_RUN_ACTOR_REPORTED_FAILURE &&
        !holds[SOV_RUN_INTERNAL_ERROR])
        verdict.status = SOV_RECEIPT_BLOCKED;
    else if (first == end)
        verdict.status = SOV_RECEIPT_COMPLETED;
    else
        verdict.category = first;
    for (enum sov_run_category c = 0; c < end; c++)
        if (c != verdict.category && first_of(holds, c, c + 1) == c)
            verdict.also[verdict.also_count++] = c;
    return verdict;
}
