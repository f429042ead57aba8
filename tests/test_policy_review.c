#include "tests/policy_unit.h"

static struct sov_person_facts person(const char *id)
{
    return (struct sov_person_facts){ id, id, NULL, 0, SOV_PERSON };
}

/* Everything in order. */
static struct sov_review_case good(const struct sov_policy *policy)
{
    return (struct sov_review_case){
        .policy = policy,
        .reviewer = person("sparring"),
        .has_key = true,
        .outcome_open = true,
        .decision = SOV_REVIEW_ACCEPTED,
        .rationale = sov_bytes_text("it holds"),
        .verification_there = true,
        .verification_named = true,
        .definition_same = true,
        .aggregate_same = true,
        .verification_passed = true,
        .receipt_completed = true,
        .boundary_kept = true,
        .signature = SOV_SIGNATURE_HOLDS,
    };
}

static const struct sov_person_facts same[] = { { "sparring", "sparring", NULL, 0, SOV_ROBOT } };
static const char *const names[] = { "SOW-1" };

/* Copied by hand from model.md 5: gate, code, does it bind `accepted` alone, what is wrong. */
#define WRONGS(X)                                                                                  \
    X(1, "no_key", false, c->has_key = false)                                                      \
    X(2, "outcome_not_open", false, c->outcome_open = false)                                       \
    X(3, "self_review", false, c->sets.of[SOV_PERFORMERS].at = same;                               \
      c->sets.of[SOV_PERFORMERS].count = 1)                                                        \
    X(4, "rationale_missing", false, c->rationale.size = 0)                                        \
    X(4, "rationale_missing", false, c->rationale = sov_bytes_text(" \n"))                         \
    X(5, "verification_missing", false, c->verification_there = false)                             \
    X(5, "moved", false, c->verification_named = false)                                            \
    X(6, "already_reviewed", false, c->deciders.at = same; c->deciders.count = 1)                  \
    X(7, "definition_changed", true, c->definition_same = false)                                   \
    X(8, "aggregate_mismatch", true, c->aggregate_same = false)                                    \
    X(9, "verification_failed", true, c->verification_passed = false)                              \
    X(10, "receipt_not_completed", true, c->receipt_completed = false)                             \
    X(11, "boundary_violated", true, c->boundary_kept = false)                                     \
    X(12, "ruling_hold", true, c->holds.at = names; c->holds.count = 1)                            \
    X(13, "key_invalid", false, c->signature = SOV_SIGNATURE_KEY_INVALID)                          \
    X(13, "bad_signature", false, c->signature = SOV_SIGNATURE_BAD)                                \
    X(13, "bad_signature", false, c->signature = SOV_SIGNATURE_NONE)                               \
    X(14, "moved", false, c->moved.at = names; c->moved.count = 1)
#define X(gate, code, accepted_only, wrong) { gate, code, accepted_only },
static const struct {
    int gate;
    const char *code;
    bool accepted_only;
} rows[] = { WRONGS(X) };
#undef X
enum { ALL = sizeof rows / sizeof *rows };

static void spoil(struct sov_review_case *c, size_t how)
{
    size_t n = 0;

#define X(gate, code, accepted_only, wrong)                                                        \
    if (n++ == how) {                                                                              \
        wrong;                                                                                     \
    }
    WRONGS(X)
#undef X
    assert_true(how < n);
}

static void a_good_review_passes_every_gate(void **state)
{
    struct sov_review_case c = good(policy_of(DOCUMENT("", ""), *state));
    struct sov_verdict v = sov_policy_review(&c, *state);
    struct sov_error err = { 0 };

    assert_int_equal(v.count, 0);
    assert_true(sov_policy_verdict(&v, "SOW-1", SOV_REVIEW_GATES, &err));
}

static void each_gate_refuses_alone_and_before_the_next(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);

    for (size_t first = 0; first < ALL; first++)
        for (size_t second = first; second < ALL; second++) {
            struct sov_review_case c = good(policy);
            struct sov_error err = { 0 };
            struct sov_verdict v;
            size_t due = 1 + (rows[first].gate != rows[second].gate);

            spoil(&c, second);
            spoil(&c, first);
            v = sov_policy_review(&c, *state);
            if (v.count != due || v.shut[0].gate != rows[first].gate ||
                strcmp(v.shut[0].code, rows[first].code) != 0)
                fail_msg("%zu and %zu: %zu shut", first, second, v.count);
            assert_refused(sov_policy_verdict(&v, "SOW-1", SOV_REVIEW_GATES, &err), &err,
                           rows[first].code);
            assert_string_equal(err.refs[0], "SOW-1");
        }
}

static void what_is_not_accepted_may_be_sent_back(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);

    for (size_t how = 0; how < ALL; how++)
        for (enum sov_decision d = SOV_REVIEW_CHANGES_REQUESTED; d <= SOV_REVIEW_REJECTED; d++) {
            struct sov_review_case c = good(policy);

            spoil(&c, how);
            c.decision = d;
            assert_int_equal(sov_policy_review(&c, *state).count, !rows[how].accepted_only);
        }
}

static void a_rationale_has_from_one_to_4000_bytes(void **state)
{
    static const struct {
        size_t size, shut;
    } sizes[] = { { 0, 1 }, { 1, 0 }, { SOV_TEXT_RATIONALE, 0 }, { SOV_TEXT_RATIONALE + 1, 1 } };
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    char *text = test_malloc(SOV_TEXT_RATIONALE + 1);

    memset(text, 'a', SOV_TEXT_RATIONALE + 1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct sov_review_case c = good(policy);

        c.rationale = sov_bytes(text, sizes[i].size);
        assert_int_equal(sov_policy_review(&c, *state).count, sizes[i].shut);
    }
    test_free(text);
}

static void a_preview_asks_for_no_signature_and_nobody_for_no_actor(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    struct sov_review_case c = good(policy), nobody = { .policy = policy };

    c.signature = SOV_SIGNATURE_NONE;
    c.asking = SOV_ASK_PREVIEW;
    assert_int_equal(sov_policy_review(&c, *state).count, 0);
    c.signature = SOV_SIGNATURE_BAD;
    assert_int_equal(sov_policy_review(&c, *state).count, 1);
    c = good(policy);
    c.has_key = false;
    c.rationale.size = 0;
    c.reviewer = nobody.reviewer;
    c.signature = SOV_SIGNATURE_NONE;
    c.asking = SOV_ASK_NOBODY;
    assert_int_equal(sov_policy_review(&c, *state).count, 0);
}

static void what_was_forgotten_refuses(void **state)
{
    struct sov_review_case c = { .policy = policy_of(DOCUMENT("", ""), *state),
                                 .reviewer = person("sparring") };
    static const int shut[] = { 1, 2, 4, 5, 7, 8, 9, 10, 11, 13 };
    struct sov_verdict v = sov_policy_review(&c, *state);

    assert_int_equal(v.count, sizeof shut / sizeof *shut);
    for (size_t i = 0; i < v.count; i++) assert_int_equal(v.shut[i].gate, shut[i]);
}

static void the_count_of_reviews_is_of_distinct_reviewers(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    struct sov_policy two = *policy;
    struct sov_case_review reviews[3] = {
        { "REV-1", { "a", "a", NULL, 0, SOV_ROBOT }, SOV_REVIEW_ACCEPTED, true },
        { "REV-2", { "b", "a", NULL, 0, SOV_ROBOT }, SOV_REVIEW_ACCEPTED, true },
        { "REV-3", { "c", "c", NULL, 0, SOV_PERSON }, SOV_REVIEW_ACCEPTED, true },
    };

    two.review_count = 2;
    assert_false(sov_policy_reviews_suffice(policy, reviews, 0));
    assert_true(sov_policy_reviews_suffice(policy, reviews, 1));
    assert_false(sov_policy_reviews_suffice(&two, reviews, 2)); /* one answerable for both */
    assert_true(sov_policy_reviews_suffice(&two, reviews, 3));
    two.review_persons = 1;
    assert_true(sov_policy_reviews_suffice(&two, reviews, 3));
    two.review_persons = 2;
    assert_false(sov_policy_reviews_suffice(&two, reviews, 3));
    reviews[0].decision = SOV_REVIEW_CHANGES_REQUESTED;
    assert_false(sov_policy_reviews_suffice(policy, reviews, 3));
}

static void decisions_are_read_back(void **state)
{
    enum sov_decision decision = SOV_REVIEW_REJECTED;

    (void)state;
    for (enum sov_decision d = SOV_REVIEW_ACCEPTED; d <= SOV_REVIEW_REJECTED; d++) {
        assert_true(sov_policy_decision(sov_policy_decision_word(d), &decision));
        assert_int_equal(decision, d);
    }
    assert_false(sov_policy_decision("approved", &decision));
    assert_int_equal(decision, SOV_REVIEW_REJECTED);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_ARENA(a_good_review_passes_every_gate),
        WITH_ARENA(each_gate_refuses_alone_and_before_the_next),
        WITH_ARENA(what_is_not_accepted_may_be_sent_back),
        WITH_ARENA(a_rationale_has_from_one_to_4000_bytes),
        WITH_ARENA(a_preview_asks_for_no_signature_and_nobody_for_no_actor),
        WITH_ARENA(what_was_forgotten_refuses),
        WITH_ARENA(the_count_of_reviews_is_of_distinct_reviewers),
        cmocka_unit_test(decisions_are_read_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
