/* The gates of an acceptance, in the order of model.md 5. */
#include "policy/judge.h"
#include "policy/sow_gates.h"

#include <assert.h>

/* BY: of the accepter, not asked without one. ABOUT: of an outcome that is there. */
enum { BY = 1, ABOUT = 2 };

#define GATES_BEFORE(X)                                                                            \
    X(1, "no_such_id", "actor_inactive", 0, no_accepter, "the accepter is an active actor")        \
    X(2, "not_authorised", NULL, BY, not_authorised, "the accepter's role may accept")             \
    X(3, "person_required", NULL, BY, no_person, "a person, or a robot that the policy names")     \
    X(4, "no_key", NULL, BY, no_key, "the accepter has a valid key")                               \
    X(5, "no_such_id", NULL, 0, no_outcome, "the outcome is there")                                \
    X(6, "already_accepted", "wrong_state", ABOUT, not_open, "it is ACTIVE or VERIFYING")          \
    X(7, "ruling_hold", NULL, ABOUT, is_held, "no ruling holds it or one of its SOWs")             \
    X(8, "self_accept", NULL, BY | ABOUT, is_same,                                                 \
      "the accepter is the same as no performer, verifier or reviewer of the term")                \
    X(9, "roles_not_distinct", NULL, ABOUT, not_distinct,                                          \
      "performers, verifiers and reviewers are distinct by today's facts")                         \
    X(10, "already_signed", NULL, BY | ABOUT, is_signed,                                           \
      "nobody the same as the accepter has signed this case")                                      \
    X(11, "sow_missing", NULL, ABOUT, no_sow, "the term has a SOW that counts")                    \
    X(12, "sow_open", NULL, ABOUT, sow_is_open, "each SOW that counts is ACCEPTED")                \
    X(13, "checks_missing", NULL, ABOUT, no_checks, "the outcome declares a check")                \
    X(14, "check_failed", NULL, ABOUT, check_fails, "each declared check passes now")
#define GATES_AFTER(X)                                                                             \
    X(29, "outcome_not_verified", NULL, ABOUT, not_verified,                                       \
      "the outcome is VERIFYING, its newest verification passed")                                  \
    X(30, "verification_too_old", NULL, ABOUT, is_too_old,                                         \
      "it is not older than the newest receipt or effect of the term")                             \
    X(31, "evidence_missing", "evidence_failing", ABOUT, no_evidence,                              \
      "each declared check has its success in it")                                                 \
    X(32, "evidence_foreign", NULL, ABOUT, evidence_is_foreign,                                    \
      "that evidence is of this outcome, term, definition and batch")                              \
    X(33, "evidence_stale", NULL, ABOUT, evidence_is_stale,                                        \
      "what is seen now is what that evidence saw")                                                \
    X(34, "aggregate_mismatch", NULL, ABOUT, does_not_add_up,                                      \
      "its aggregate is that of its evidence")                                                     \
    X(35, "key_invalid", "bad_signature", BY | ABOUT, is_unsigned, "the signature verifies")       \
    X(36, "moved", NULL, ABOUT, has_moved, "nothing that was read has moved since")

static const char *no_accepter(struct sov_judge *j, const struct sov_case *c)
{
    if (c->asking == SOV_ASK_NOBODY) return NULL;
    if (!c->accepter_there) return sov_judge_shut(j, "no_such_id", "there is no such actor");
    return c->accepter_active ? NULL
                              : sov_judge_shut(j, "actor_inactive", "the accepter is not active");
}

static const char *not_authorised(struct sov_judge *j, const struct sov_case *c)
{
    struct sov_error err;

    return sov_policy_authorise(c->policy, c->accepter.id, c->accepter_role, SOV_MAY_ACCEPT, &err)
               ? NULL
               : sov_judge_error(j, &err);
}

static const char *no_person(struct sov_judge *j, const struct sov_case *c)
{
    if (sov_policy_may_sign(c->policy, c->accepter.id, c->accepter.kind)) return NULL;
    return sov_judge_shut(j, "person_required",
                          sov_arena_printf(j->arena, "%s is no person", c->accepter.id));
}

static const char *no_key(struct sov_judge *j, const struct sov_case *c)
{
    if (c->accepter_has_key) return NULL;
    return sov_judge_shut(j, "no_key",
                          sov_arena_printf(j->arena, "%s has no valid key", c->accepter.id));
}

static const char *no_outcome(struct sov_judge *j, const struct sov_case *c)
{
    return c->outcome_there ? NULL : sov_judge_shut(j, "no_such_id", "there is no such outcome");
}

static const char *not_open(struct sov_judge *j, const struct sov_case *c)
{
    if (sov_policy_outcome_is_open(c->state)) return NULL;
    return sov_judge_shut(
        j, c->state == SOV_OUTCOME_ACCEPTED ? "already_accepted" : "wrong_state",
        sov_arena_printf(j->arena, "the outcome is %s", sov_policy_outcome_name(c->state)));
}

static const char *is_held(struct sov_judge *j, const struct sov_case *c)
{
    if (!c->holds.count) return NULL;
    return sov_judge_shut(j, "ruling_hold",
                          sov_arena_printf(j->arena, "held: %s", sov_judge_list(j, &c->holds)));
}

static const char *is_same(struct sov_judge *j, const struct sov_case *c)
{
    struct sov_error err;

    return sov_policy_separate(SOV_ACCEPTERS, &c->accepter, &c->sets, &err)
               ? NULL
               : sov_judge_error(j, &err);
}

static const char *not_distinct(struct sov_judge *j, const struct sov_case *c)
{
    struct sov_error err;

    return sov_policy_distinct(&c->sets, &err) ? NULL : sov_judge_error(j, &err);
}

static const char *is_signed(struct sov_judge *j, const struct sov_case *c)
{
    for (size_t i = 0; i < c->signers.count; i++) {
        enum sov_same same = sov_policy_same(&c->accepter, &c->signers.at[i]);

        if (same == SOV_DISTINCT) continue;
        return sov_judge_shut(j, "already_signed",
                              sov_arena_printf(j->arena, "%s is the same as %s by %s",
                                               c->accepter.id, c->signers.at[i].id,
                                               sov_policy_same_word(same)));
    }
    return NULL;
}

static const char *no_sow(struct sov_judge *j, const struct sov_case *c)
{
    return c->sow_count ? NULL
                        : sov_judge_shut(j, "sow_missing", "the term has no SOW that counts");
}

static const char *sow_is_open(struct sov_judge *j, const struct sov_case *c)
{
    const char **open = sov_arena_array(j->arena, c->sow_count + 1, sizeof *open);
    struct sov_names names = { open, 0 };

    for (size_t i = 0; i < c->sow_count; i++)
        if (c->sows[i].state != SOV_SOW_ACCEPTED)
            open[names.count++] = sov_arena_printf(j->arena, "%s is %s", c->sows[i].id,
                                                   sov_policy_sow_name(c->sows[i].state));
    return names.count ? sov_judge_shut(j, "sow_open", sov_judge_list(j, &names)) : NULL;
}

static const char *no_checks(struct sov_judge *j, const struct sov_case *c)
{
    return c->check_count ? NULL
                          : sov_judge_shut(j, "checks_missing", "the outcome declares no check");
}

/* The checks of which `wrong` is true, by id; NULL: none. */
static const char *checks_where(struct sov_judge *j, const struct sov_case *c, const char *code,
                                bool (*wrong)(const struct sov_case_check *))
{
    const char **list = sov_arena_array(j->arena, c->check_count + 1, sizeof *list);
    struct sov_names names = { list, 0 };

    for (size_t i = 0; i < c->check_count; i++)
        if (wrong(&c->checks[i])) list[names.count++] = c->checks[i].id;
    return names.count ? sov_judge_shut(j, code, sov_judge_list(j, &names)) : NULL;
}

static const char *check_fails(struct sov_judge *j, const struct sov_case *c)
{
    const char **list = sov_arena_array(j->arena, c->check_count + 1, sizeof *list);
    struct sov_names names = { list, 0 };

    for (size_t i = 0; i < c->check_count; i++) {
        const struct sov_case_check *check = &c->checks[i];

        if (check->passes_now) continue;
        list[names.count++] =
            check->seen ? sov_arena_printf(j->arena, "%s fails: %s", check->id, check->seen)
                        : sov_arena_printf(j->arena, "%s fails", check->id);
    }
    return names.count ? sov_judge_shut(j, "check_failed", sov_judge_list(j, &names)) : NULL;
}

static const char *not_verified(struct sov_judge *j, const struct sov_case *c)
{
    if (!c->has_verification)
        return sov_judge_shut(j, "outcome_not_verified", "the outcome is not verified in its term");
    if (!c->verification_passed)
        return sov_judge_shut(j, "outcome_not_verified", "the newest verification did not pass");
    if (c->state == SOV_OUTCOME_VERIFYING) return NULL;
    return sov_judge_shut(
        j, "outcome_not_verified",
        sov_arena_printf(j->arena, "the outcome is %s", sov_policy_outcome_name(c->state)));
}

static const char *is_too_old(struct sov_judge *j, const struct sov_case *c)
{
    if (!c->has_verification || c->verification_recent) return NULL;
    return sov_judge_shut(j, "verification_too_old",
                          "a receipt or effect of the term is newer than the verification");
}

static bool evidence_is_missing(const struct sov_case_check *check)
{
    return !check->has_evidence;
}
static bool evidence_fails(const struct sov_case_check *check)
{
    return !check->evidence_success;
}
static bool is_foreign(const struct sov_case_check *check)
{
    return check->has_evidence && !check->evidence_own;
}
static bool is_stale(const struct sov_case_check *check)
{
    return check->has_evidence && !sov_hash_equal(&check->evidence_digest, &check->digest_now);
}

static const char *no_evidence(struct sov_judge *j, const struct sov_case *c)
{
    const char *code = checks_where(j, c, "evidence_missing", evidence_is_missing);

    return code ? code : checks_where(j, c, "evidence_failing", evidence_fails);
}

static const char *evidence_is_foreign(struct sov_judge *j, const struct sov_case *c)
{
    return checks_where(j, c, "evidence_foreign", is_foreign);
}

static const char *evidence_is_stale(struct sov_judge *j, const struct sov_case *c)
{
    return checks_where(j, c, "evidence_stale", is_stale);
}

static const char *does_not_add_up(struct sov_judge *j, const struct sov_case *c)
{
    if (!c->has_verification || c->aggregate_same) return NULL;
    return sov_judge_shut(j, "aggregate_mismatch", "the evidence gives another aggregate");
}

static const char *is_unsigned(struct sov_judge *j, const struct sov_case *c)
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

static const char *has_moved(struct sov_judge *j, const struct sov_case *c)
{
    if (!c->moved.count) return NULL;
    return sov_judge_shut(j, "moved",
                          sov_arena_printf(j->arena, "moved: %s", sov_judge_list(j, &c->moved)));
}

static const struct sov_gate gates[] = {
#define X(number, a, b, asks, shut, title) { number, { a, b }, title },
#define Y(number, a, b, shut, title) { number, { a, b }, title },
    GATES_BEFORE(X) SOV_SOW_GATES(Y) GATES_AFTER(X)
#undef X
#undef Y
};
static const struct row {
    int number;
    unsigned asks;
    const char *(*shut)(struct sov_judge *j, const struct sov_case *c);
} before[] = {
#define X(number, a, b, asks, shut, title) { number, asks, shut },
    GATES_BEFORE(X)
}, after[] = {
    GATES_AFTER(X)
#undef X
};
enum { BEFORE = sizeof before / sizeof *before, AFTER = sizeof after / sizeof *after };
static_assert(sizeof gates / sizeof *gates == SOV_ACCEPTANCE_GATES, "the table is whole");
static_assert(BEFORE + SOV_SOW_GATE_COUNT + AFTER == SOV_ACCEPTANCE_GATES, "and each is asked");

const struct sov_gate *sov_policy_acceptance_gates(size_t *count_out)
{
    *count_out = SOV_ACCEPTANCE_GATES;
    return gates;
}

static void walk(struct sov_judge *judge, const struct sov_case *c, const struct row *rows,
                 size_t count)
{
    bool by = c->asking != SOV_ASK_NOBODY && c->accepter_there;

    for (size_t i = 0; i < count; i++) {
        const char *code;

        if (rows[i].asks & BY && !by) continue;
        if (rows[i].asks & ABOUT && !c->outcome_there) continue;
        if ((code = rows[i].shut(judge, c))) sov_judge_add(judge, rows[i].number, code, NULL);
    }
}

struct sov_verdict sov_policy_accept(const struct sov_case *c, struct sov_arena *arena)
{
    struct sov_judge judge;

    assert(c->policy);
    sov_judge_init(&judge, c->policy, arena, BEFORE + AFTER + c->sow_count * SOV_SOW_GATE_COUNT);
    walk(&judge, c, before, BEFORE);
    for (size_t i = 0; c->outcome_there && i < c->sow_count; i++)
        sov_judge_sow(&judge, &c->sows[i]);
    walk(&judge, c, after, AFTER);
    return (struct sov_verdict){ judge.shut, judge.count };
}
