/* The gates of a review, in the order of model.md 5. */
#include "base/text.h"
#include "policy/judge.h"
#include "policy/limits.h"

#include <assert.h>

/* BY: of the reviewer, not asked without one. FOR: binds the decision `accepted` alone. */
enum { BY = 1, FOR = 2 };

#define GATES(X)                                                                                   \
    X(1, "no_key", NULL, BY, no_key, "the reviewer has a valid key")                               \
    X(2, "outcome_not_open", NULL, 0, not_open, "the outcome is ACTIVE or VERIFYING")              \
    X(3, "self_review", NULL, BY, is_same,                                                         \
      "the reviewer is the same as no performer, verifier or accepter of the term")                \
    X(4, "rationale_missing", NULL, BY, no_rationale, "the rationale has 1 to 4,000 bytes")        \
    X(5, "verification_missing", "moved", 0, no_verification,                                      \
      "the current execution is verified, and that verification is meant")                         \
    X(6, "already_reviewed", NULL, BY, is_decided,                                                 \
      "nobody the same as the reviewer has decided on this verification")                          \
    X(7, "definition_changed", NULL, FOR, is_redefined,                                            \
      "it was made under the outcome's definition of today")                                       \
    X(8, "aggregate_mismatch", NULL, FOR, does_not_add_up,                                         \
      "its aggregate is that of its evidence")                                                     \
    X(9, "verification_failed", NULL, FOR, has_failed, "it passed")                                \
    X(10, "receipt_not_completed", NULL, FOR, not_completed, "its receipt is completed")           \
    X(11, "boundary_violated", NULL, FOR, is_violated,                                             \
      "nothing outside the boundary changed, or a ruling waives it")                               \
    X(12, "ruling_hold", NULL, FOR, is_held, "no ruling holds SOW or outcome")                     \
    X(13, "key_invalid", "bad_signature", BY, is_unsigned, "the signature verifies")               \
    X(14, "moved", NULL, 0, has_moved, "nothing that was read has moved since")

static const char *no_key(struct sov_judge *j, const struct sov_review_case *c)
{
    if (c->has_key) return NULL;
    return sov_judge_shut(j, "no_key",
                          sov_arena_printf(j->arena, "%s has no valid key", c->reviewer.id));
}

static const char *not_open(struct sov_judge *j, const struct sov_review_case *c)
{
    return c->outcome_open ? NULL
                           : sov_judge_shut(j, "outcome_not_open", "the outcome is not open");
}

static const char *is_same(struct sov_judge *j, const struct sov_review_case *c)
{
    struct sov_error err;

    return sov_policy_separate(SOV_REVIEWERS, &c->reviewer, &c->sets, &err)
               ? NULL
               : sov_judge_error(j, &err);
}

static const char *no_rationale(struct sov_judge *j, const struct sov_review_case *c)
{
    if (c->rationale.size && c->rationale.size <= SOV_TEXT_RATIONALE &&
        sov_text_is_utf8(c->rationale) && !sov_text_is_blank(c->rationale))
        return NULL;
    return sov_judge_shut(j, "rationale_missing", "no rationale of 1 to 4,000 bytes is given");
}

static const char *no_verification(struct sov_judge *j, const struct sov_review_case *c)
{
    if (!c->verification_there)
        return sov_judge_shut(j, "verification_missing", "the current execution is not verified");
    return c->verification_named
               ? NULL
               : sov_judge_shut(j, "moved", "the verification named is not the current one");
}

static const char *is_decided(struct sov_judge *j, const struct sov_review_case *c)
{
    for (size_t i = 0; i < c->deciders.count; i++) {
        enum sov_same same = sov_policy_same(&c->reviewer, &c->deciders.at[i]);

        if (same == SOV_DISTINCT) continue;
        return sov_judge_shut(j, "already_reviewed",
                              sov_arena_printf(j->arena, "%s is the same as %s by %s",
                                               c->reviewer.id, c->deciders.at[i].id,
                                               sov_policy_same_word(same)));
    }
    return NULL;
}

static const char *is_redefined(struct sov_judge *j, const struct sov_review_case *c)
{
    return c->definition_same
               ? NULL
               : sov_judge_shut(j, "definition_changed", "the definition has changed since");
}

static const char *does_not_add_up(struct sov_judge *j, const struct sov_review_case *c)
{
    return c->aggregate_same
               ? NULL
               : sov_judge_shut(j, "aggregate_mismatch", "the evidence gives another aggregate");
}

static const char *has_failed(struct sov_judge *j, const struct sov_review_case *c)
{
    return c->verification_passed
               ? NULL
               : sov_judge_shut(j, "verification_failed", "the verification did not pass");
}

static const char *not_completed(struct sov_judge *j, const struct sov_review_case *c)
{
    return c->receipt_completed
               ? NULL
               : sov_judge_shut(j, "receipt_not_completed", "the receipt is not completed");
}

static const char *is_violated(struct sov_judge *j, const struct sov_review_case *c)
{
    return c->boundary_kept
               ? NULL
               : sov_judge_shut(j, "boundary_violated", "the boundary is violated, and not waived");
}

static const char *is_held(struct sov_judge *j, const struct sov_review_case *c)
{
    if (!c->holds.count) return NULL;
    return sov_judge_shut(j, "ruling_hold",
                          sov_arena_printf(j->arena, "held: %s", sov_judge_list(j, &c->holds)));
}

static const char *is_unsigned(struct sov_judge *j, const struct sov_review_case *c)
{
    switch (c->signature) {
    case SOV_SIGNATURE_HOLDS:
        return NULL;
    case SOV_SIGNATURE_KEY_INVALID:
        return sov_judge_shut(j, "key_invalid", "the key is not valid here");
    case SOV_SIGNATURE_NONE:
        if (c->asking == SOV_ASK_PREVIEW) return NULL;
        return sov_judge_shut(j, "bad_signature", "it is not signed");
    case SOV_SIGNATURE_BAD:
        break;
    }
    return sov_judge_shut(j, "bad_signature", "the signature does not verify");
}

static const char *has_moved(struct sov_judge *j, const struct sov_review_case *c)
{
    if (!c->moved.count) return NULL;
    return sov_judge_shut(j, "moved",
                          sov_arena_printf(j->arena, "moved: %s", sov_judge_list(j, &c->moved)));
}

static const struct sov_gate gates[] = {
#define X(number, a, b, asks, shut, title) { number, { a, b }, title },
    GATES(X)
#undef X
};
static const struct {
    unsigned asks;
    const char *(*shut)(struct sov_judge *j, const struct sov_review_case *c);
} rows[] = {
#define X(number, a, b, asks, shut, title) { asks, shut },
    GATES(X)
#undef X
};
static_assert(sizeof gates / sizeof *gates == SOV_REVIEW_GATES, "the table is whole");

const struct sov_gate *sov_policy_review_gates(size_t *count_out)
{
    *count_out = SOV_REVIEW_GATES;
    return gates;
}

struct sov_verdict sov_policy_review(const struct sov_review_case *c, struct sov_arena *arena)
{
    struct sov_judge judge;

    assert(c->policy && (c->asking == SOV_ASK_NOBODY || c->reviewer.id));
    sov_judge_init(&judge, c->policy, arena, SOV_REVIEW_GATES);
    for (size_t i = 0; i < SOV_REVIEW_GATES; i++) {
        const char *code;

        if (rows[i].asks & BY && c->asking == SOV_ASK_NOBODY) continue;
        if (rows[i].asks & FOR && c->decision != SOV_REVIEW_ACCEPTED) continue;
        if ((code = rows[i].shut(&judge, c))) sov_judge_add(&judge, gates[i].number, code, NULL);
    }
    return (struct sov_verdict){ judge.shut, judge.count };
}
