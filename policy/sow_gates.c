#include "policy/sow_gates.h"

#include <assert.h>
#include <string.h>

static const char *not_executed(struct sov_judge *j, const struct sov_case_sow *s)
{
    return s->has_execution ? NULL
                            : sov_judge_shut(j, "execution_missing", "no assignment is COMPLETED");
}

static const char *no_receipt(struct sov_judge *j, const struct sov_case_sow *s)
{
    if (!s->has_execution) return NULL;
    if (!s->has_receipt)
        return sov_judge_shut(j, "receipt_missing", "the execution has no receipt");
    return s->receipt_bound
               ? NULL
               : sov_judge_shut(j, "receipt_unbound", "the receipt is not the execution's");
}

static const char *not_completed(struct sov_judge *j, const struct sov_case_sow *s)
{
    if (!s->has_receipt || s->receipt_completed) return NULL;
    return sov_judge_shut(j, "receipt_not_completed", "the receipt is not completed");
}

static const char *path_unsafe(struct sov_judge *j, const struct sov_case_sow *s)
{
    if (!s->paths_unsafe.count) return NULL;
    return sov_judge_shut(j, "deliverable_unsafe", sov_judge_list(j, &s->paths_unsafe));
}

static const char *path_missing(struct sov_judge *j, const struct sov_case_sow *s)
{
    if (!s->paths_missing.count) return NULL;
    return sov_judge_shut(j, "deliverable_missing", sov_judge_list(j, &s->paths_missing));
}

static const char *path_changed(struct sov_judge *j, const struct sov_case_sow *s)
{
    if (!s->paths_changed.count) return NULL;
    return sov_judge_shut(j, "deliverable_changed", sov_judge_list(j, &s->paths_changed));
}

static const char *no_effect(struct sov_judge *j, const struct sov_case_sow *s)
{
    if (!s->effect_required || s->effect_committed) return NULL;
    return sov_judge_shut(j, "effect_missing", "the execution committed no required effect");
}

static const char *effect_wrong(struct sov_judge *j, const struct sov_case_sow *s)
{
    if (!s->effects_wrong.count) return NULL;
    return sov_judge_shut(j, "effect_uncorroborated", sov_judge_list(j, &s->effects_wrong));
}

static const char *is_violated(struct sov_judge *j, const struct sov_case_sow *s)
{
    if (!s->has_receipt || s->boundary_kept) return NULL;
    return sov_judge_shut(j, "boundary_violated", "the boundary is violated, and not waived");
}

static const char *not_verified(struct sov_judge *j, const struct sov_case_sow *s)
{
    if (!s->has_verification)
        return sov_judge_shut(j, "verification_missing", "the execution is not verified");
    return s->verification_passed
               ? NULL
               : sov_judge_shut(j, "verification_failed", "its verification did not pass");
}

static const char *is_redefined(struct sov_judge *j, const struct sov_case_sow *s)
{
    if (!s->has_verification || s->definition_same) return NULL;
    return sov_judge_shut(j, "definition_changed", "the definition has changed since");
}

/* Dissent has a gate of its own: here only those who accept are counted. */
static const char *not_reviewed(struct sov_judge *j, const struct sov_case_sow *s)
{
    struct sov_case_review *accepting =
        sov_arena_array(j->arena, s->review_count + 1, sizeof *accepting);
    size_t count = 0;

    for (size_t i = 0; s->has_verification && i < s->review_count; i++)
        if (s->reviews[i].decision == SOV_REVIEW_ACCEPTED) accepting[count++] = s->reviews[i];
    if (sov_policy_reviews_suffice(j->policy, accepting, count)) return NULL;
    return sov_judge_shut(j, "review_missing",
                          sov_arena_printf(j->arena,
                                           "%zu accepting reviews, policy asks for %lld "
                                           "distinct ones, %lld by persons",
                                           count, (long long)j->policy->review_count,
                                           (long long)j->policy->review_persons));
}

static const char *is_disputed(struct sov_judge *j, const struct sov_case_sow *s)
{
    for (size_t i = 0; i < s->review_count; i++)
        if (s->reviews[i].decision != SOV_REVIEW_ACCEPTED)
            return sov_judge_shut(
                j, "review_dissent",
                sov_arena_printf(j->arena, "%s says %s", s->reviews[i].id,
                                 sov_policy_decision_word(s->reviews[i].decision)));
    return NULL;
}

static const char *review_wrong(struct sov_judge *j, const struct sov_case_sow *s)
{
    for (size_t i = 0; i < s->review_count; i++)
        if (!s->reviews[i].valid)
            return sov_judge_shut(
                j, "review_invalid",
                sov_arena_printf(j->arena, "%s does not verify", s->reviews[i].id));
    return NULL;
}

void sov_judge_sow(struct sov_judge *judge, const struct sov_case_sow *sow)
{
    const char *code;

#define X(number, a, b, shut, title)                                                               \
    if ((code = shut(judge, sow))) sov_judge_add(judge, number, code, sow->id);
    SOV_SOW_GATES(X)
#undef X
}
