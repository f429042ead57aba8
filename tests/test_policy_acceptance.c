#include "tests/policy_unit.h"

/* One case with two SOWs and two checks, everything in order; each test spoils its copy. */
struct bench {
    struct sov_case c;
    struct sov_case_sow sows[2];
    struct sov_case_check checks[2];
    struct sov_case_review reviews[2];
};

static const struct sov_person_facts alice = { "alice", "alice", NULL, 0, SOV_PERSON },
                                     worker = { "operator", "operator", NULL, 0, SOV_ROBOT },
                                     checker = { "verifier", "verifier", NULL, 0, SOV_SERVICE },
                                     critic = { "sparring", "sparring", NULL, 0, SOV_ROBOT };
static const char *const names[] = { "x" };
static const struct sov_names some = { names, 1 };

static void good(struct bench *b, const struct sov_policy *policy)
{
    memset(b, 0, sizeof *b);
    for (size_t i = 0; i < 2; i++) {
        b->reviews[i] =
            (struct sov_case_review){ i ? "REV-2" : "REV-1", critic, SOV_REVIEW_ACCEPTED, true };
        b->sows[i] = (struct sov_case_sow){
            .id = i ? "SOW-2" : "SOW-1",
            .state = SOV_SOW_ACCEPTED,
            .has_execution = true,
            .has_receipt = true,
            .receipt_bound = true,
            .receipt_completed = true,
            .effect_required = true,
            .effect_committed = true,
            .boundary_kept = true,
            .has_verification = true,
            .verification_passed = true,
            .definition_same = true,
            .reviews = &b->reviews[i],
            .review_count = 1,
        };
        b->checks[i] = (struct sov_case_check){
            .id = i ? "second" : "first",
            .passes_now = true,
            .has_evidence = true,
            .evidence_success = true,
            .evidence_own = true,
        };
    }
    b->c = (struct sov_case){
        .policy = policy,
        .accepter_there = true,
        .accepter_active = true,
        .accepter = alice,
        .accepter_role = "principal",
        .accepter_has_key = true,
        .outcome = "OUT-1",
        .outcome_there = true,
        .state = SOV_OUTCOME_VERIFYING,
        .sets = { { { &worker, 1 }, { &checker, 1 }, { &critic, 1 }, { NULL, 0 } } },
        .sows = b->sows,
        .sow_count = 2,
        .checks = b->checks,
        .check_count = 2,
        .has_verification = true,
        .verification_passed = true,
        .verification_recent = true,
        .aggregate_same = true,
        .signature = SOV_SIGNATURE_HOLDS,
    };
}

/* Copied by hand from model.md 5: gate, code, what is wrong. Each leaves every other gate alone. */
#define WRONGS(X)                                                                                  \
    X(1, "actor_inactive", b->c.accepter_active = false)                                           \
    X(2, "not_authorised", b->c.accepter_role = "sparring")                                        \
    X(3, "person_required", b->c.accepter.kind = SOV_ROBOT)                                        \
    X(3, "person_required", b->c.accepter.kind = SOV_SERVICE)                                      \
    X(4, "no_key", b->c.accepter_has_key = false)                                                  \
    X(7, "ruling_hold", b->c.holds = some)                                                         \
    X(8, "self_accept", b->c.sets.of[SOV_PERFORMERS].at = &alice)                                  \
    X(8, "self_accept", b->c.sets.of[SOV_VERIFIERS].at = &alice)                                   \
    X(8, "self_accept", b->c.sets.of[SOV_REVIEWERS].at = &alice)                                   \
    X(9, "roles_not_distinct", b->c.sets.of[SOV_VERIFIERS].at = &worker)                           \
    X(9, "roles_not_distinct", b->c.sets.of[SOV_REVIEWERS].at = &checker)                          \
    X(10, "already_signed", b->c.signers = (struct sov_people)SIGNED)                              \
    X(12, "sow_open", b->sows[1].state = SOV_SOW_FAILED)                                           \
    X(14, "check_failed", b->checks[0].passes_now = false)                                         \
    X(15, "execution_missing", b->sows[0].has_execution = false)                                   \
    X(16, "receipt_unbound", b->sows[0].receipt_bound = false)                                     \
    X(17, "receipt_not_completed", b->sows[0].receipt_completed = false)                           \
    X(18, "deliverable_unsafe", b->sows[0].paths_unsafe = some)                                    \
    X(19, "deliverable_missing", b->sows[0].paths_missing = some)                                  \
    X(20, "deliverable_changed", b->sows[0].paths_changed = some)                                  \
    X(21, "effect_missing", b->sows[0].effect_committed = false)                                   \
    X(22, "effect_uncorroborated", b->sows[0].effects_wrong = some)                                \
    X(23, "boundary_violated", b->sows[0].boundary_kept = false)                                   \
    X(24, "verification_failed", b->sows[0].verification_passed = false)                           \
    X(25, "definition_changed", b->sows[0].definition_same = false)                                \
    X(26, "review_missing", b->sows[0].review_count = 0)                                           \
    X(28, "review_invalid", b->reviews[0].valid = false)                                           \
    X(115, "execution_missing", b->sows[1].has_execution = false)                                  \
    X(119, "deliverable_missing", b->sows[1].paths_missing = some)                                 \
    X(126, "review_missing", b->sows[1].review_count = 0)                                          \
    X(29, "outcome_not_verified", b->c.verification_passed = false)                                \
    X(29, "outcome_not_verified", b->c.state = SOV_OUTCOME_ACTIVE)                                 \
    X(30, "verification_too_old", b->c.verification_recent = false)                                \
    X(31, "evidence_missing", b->checks[1].has_evidence = false)                                   \
    X(31, "evidence_failing", b->checks[1].evidence_success = false)                               \
    X(32, "evidence_foreign", b->checks[0].evidence_own = false)                                   \
    X(33, "evidence_stale", b->checks[1].digest_now.octets[31] = 1)                                \
    X(34, "aggregate_mismatch", b->c.aggregate_same = false)                                       \
    X(35, "key_invalid", b->c.signature = SOV_SIGNATURE_KEY_INVALID)                               \
    X(35, "bad_signature", b->c.signature = SOV_SIGNATURE_BAD)                                     \
    X(35, "bad_signature", b->c.signature = SOV_SIGNATURE_NONE)                                    \
    X(36, "moved", b->c.moved = some)
#define SIGNED                                                                                     \
    {                                                                                              \
        &alice, 1                                                                                  \
    }

/* Of the second SOW the gate is written 100 higher: it comes after all those of the first. */
#define X(gate, code, wrong) { gate, code },
static const struct {
    int gate;
    const char *code;
} rows[] = { WRONGS(X) };
#undef X
enum { ALL = sizeof rows / sizeof *rows };

static void spoil(struct bench *b, size_t how)
{
    size_t n = 0;

#define X(gate, code, wrong)                                                                       \
    if (n++ == how) wrong;
    WRONGS(X)
#undef X
    assert_true(how < n);
}

static void a_good_case_passes_every_gate(void **state)
{
    struct bench b;
    struct sov_verdict v;
    struct sov_error err = { 0 };

    good(&b, policy_of(DOCUMENT("", ""), *state));
    v = sov_policy_accept(&b.c, *state);
    assert_int_equal(v.count, 0);
    assert_true(sov_policy_verdict(&v, "OUT-1", SOV_ACCEPTANCE_GATES, &err));
}

static void each_gate_refuses_alone(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);

    for (size_t i = 0; i < ALL; i++) {
        struct bench b;
        struct sov_verdict v;
        struct sov_error err = { 0 };

        good(&b, policy);
        spoil(&b, i);
        v = sov_policy_accept(&b.c, *state);
        if (v.count != 1 || v.shut[0].gate != rows[i].gate % 100 ||
            strcmp(v.shut[0].code, rows[i].code) != 0)
            fail_msg("%d %s: %zu shut, %s", rows[i].gate, rows[i].code, v.count,
                     v.count ? v.shut[0].code : "");
        if (v.shut[0].gate >= 15 && v.shut[0].gate <= 28)
            assert_string_equal(v.shut[0].sow, rows[i].gate > 100 ? "SOW-2" : "SOW-1");
        else
            assert_null(v.shut[0].sow);
        assert_refused(sov_policy_verdict(&v, "OUT-1", SOV_ACCEPTANCE_GATES, &err), &err,
                       rows[i].code);
        assert_string_equal(err.what, "OUT-1 is refused at 1 of 36 gates");
        assert_non_null(strstr(err.why, rows[i].code));
    }
}

/* Where the second cannot be asked any more, or the first has taken its place in the case. */
static bool hides(int first, int second)
{
    return (first == 8 && second == 9) || (first == 15 && second == 16) ||
           (first == 31 && second == 33) || (first == 26 && second == 28);
}

static void of_two_shut_gates_the_first_answers_and_both_are_reported(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    struct sov_arena *arena = *state;

    for (size_t i = 0; i < ALL; i++)
        for (size_t k = i + 1; k < ALL; k++) {
            struct sov_arena_mark mark = sov_arena_mark(arena);
            struct bench b;
            struct sov_verdict v;

            if (rows[i].gate == rows[k].gate) continue; /* they spoil the same thing twice */
            good(&b, policy);
            spoil(&b, k);
            spoil(&b, i);
            v = sov_policy_accept(&b.c, arena);
            if (v.count < 2 - (size_t)hides(rows[i].gate, rows[k].gate) ||
                v.shut[0].gate != rows[i].gate % 100 || strcmp(v.shut[0].code, rows[i].code) != 0)
                fail_msg("%d and %d: %zu shut, first %s", rows[i].gate, rows[k].gate, v.count,
                         v.count ? v.shut[0].code : "none");
            sov_arena_rewind(arena, mark);
        }
}

/* Those that bring others with them, in order. */
static void a_missing_thing_shuts_the_gates_behind_it_too(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    struct bench b;
    struct sov_verdict v;
    static const int no_receipt[] = { 16 }, no_verification[] = { 24, 26 }, dissent[] = { 26, 27 },
                     none_of_outcome[] = { 29 };
    struct {
        const int *gates;
        size_t count;
    } due[] = { { no_receipt, 1 }, { no_verification, 2 }, { dissent, 2 }, { none_of_outcome, 1 } };

    for (size_t i = 0; i < sizeof due / sizeof *due; i++) {
        good(&b, policy);
        if (i == 0) b.sows[0].has_receipt = b.sows[0].receipt_completed = false;
        if (i == 1) b.sows[0].has_verification = false;
        if (i == 2) b.reviews[0].decision = SOV_REVIEW_CHANGES_REQUESTED;
        if (i == 3) b.c.has_verification = false;
        v = sov_policy_accept(&b.c, *state);
        assert_int_equal(v.count, due[i].count);
        for (size_t k = 0; k < v.count; k++) assert_int_equal(v.shut[k].gate, due[i].gates[k]);
    }
    good(&b, policy);
    b.c.sow_count = 0;
    v = sov_policy_accept(&b.c, *state);
    assert_int_equal(v.count, 1);
    assert_string_equal(v.shut[0].code, "sow_missing");
    b.c.check_count = 0;
    v = sov_policy_accept(&b.c, *state);
    assert_int_equal(v.count, 2);
    assert_int_equal(v.shut[1].gate, 13);
    assert_string_equal(v.shut[1].code, "checks_missing");
}

static void only_an_outcome_under_work_is_accepted(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);

    for (enum sov_outcome_state s = 0; s < SOV_OUTCOME_STATE_COUNT; s++) {
        struct bench b;
        struct sov_verdict v;

        good(&b, policy);
        b.c.state = s;
        v = sov_policy_accept(&b.c, *state);
        if (s == SOV_OUTCOME_VERIFYING) {
            assert_int_equal(v.count, 0);
            continue;
        }
        if (s != SOV_OUTCOME_ACTIVE) {
            assert_int_equal(v.shut[0].gate, 6);
            assert_string_equal(v.shut[0].code,
                                s == SOV_OUTCOME_ACCEPTED ? "already_accepted" : "wrong_state");
        }
        assert_int_equal(v.shut[v.count - 1].gate, 29);
    }
}

static void who_or_what_is_unknown_is_said_and_no_more_is_asked_of_it(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    struct bench b;
    struct sov_verdict v;

    good(&b, policy);
    b.c.accepter_there = false;
    memset(&b.c.accepter, 0, sizeof b.c.accepter);
    v = sov_policy_accept(&b.c, *state);
    assert_int_equal(v.count, 1);
    assert_string_equal(v.shut[0].code, "no_such_id");
    assert_int_equal(v.shut[0].gate, 1);
    good(&b, policy);
    b.c.outcome_there = false;
    b.c.accepter_has_key = false;
    v = sov_policy_accept(&b.c, *state);
    assert_int_equal(v.count, 2);
    assert_int_equal(v.shut[0].gate, 4);
    assert_int_equal(v.shut[1].gate, 5);
    assert_string_equal(v.shut[1].code, "no_such_id");
}

static void a_preview_asks_for_no_signature_and_nobody_for_no_actor(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    struct bench b;

    good(&b, policy);
    b.c.signature = SOV_SIGNATURE_NONE;
    b.c.asking = SOV_ASK_PREVIEW;
    assert_int_equal(sov_policy_accept(&b.c, *state).count, 0);
    b.c.signature = SOV_SIGNATURE_BAD;
    assert_int_equal(sov_policy_accept(&b.c, *state).count, 1);
    b.c.asking = SOV_ASK_NOBODY;
    b.c.accepter_there = b.c.accepter_active = b.c.accepter_has_key = false;
    assert_int_equal(sov_policy_accept(&b.c, *state).count, 0);
    b.sows[0].state = SOV_SOW_REVIEW;
    assert_int_equal(sov_policy_accept(&b.c, *state).count, 1);
}

static void a_robot_signs_only_if_policy_names_it_and_counts_as_no_person(void **state)
{
    static const char *const robots[] = { "alice" };
    struct sov_policy policy = *policy_of(DOCUMENT("", ""), *state);
    struct sov_person_facts robot = alice;
    struct sov_people one = { &robot, 1 };
    struct bench b;

    robot.kind = SOV_ROBOT;
    policy.acceptance_robots = robots;
    policy.acceptance_robot_count = 1;
    good(&b, &policy);
    b.c.accepter = robot;
    assert_int_equal(sov_policy_accept(&b.c, *state).count, 0);
    assert_false(sov_policy_signers_suffice(&policy, &one));
    policy.acceptance_persons = 0;
    assert_true(sov_policy_signers_suffice(&policy, &one));
    one.count = 0;
    assert_false(sov_policy_signers_suffice(&policy, &one));
}

static void two_of_three_need_two_who_are_not_the_same(void **state)
{
    struct sov_policy policy = *policy_of(DOCUMENT("", ""), *state);
    struct sov_person_facts list[3] = { alice, alice, alice };
    struct sov_people signers = { list, 2 };

    policy.acceptance_signers = 2;
    list[1].id = "alias"; /* answerable: alice */
    list[2].id = list[2].answerable = "bob";
    assert_false(sov_policy_signers_suffice(&policy, &signers));
    signers.count = 3;
    assert_true(sov_policy_signers_suffice(&policy, &signers));
}

static void the_refusal_lists_what_fits_and_counts_the_rest(void **state)
{
    const struct sov_policy *policy = policy_of(DOCUMENT("", ""), *state);
    static const char *const paths[] = { "a-rather-long-path-of-a-file/one.txt",
                                         "a-rather-long-path-of-a-file/two.txt" };
    struct sov_case_sow sows[40];
    struct sov_error err = { 0 };
    struct sov_verdict v;
    struct bench b;

    good(&b, policy);
    for (size_t i = 0; i < 40; i++) {
        sows[i] = b.sows[0];
        sows[i].paths_missing = (struct sov_names){ paths, 2 };
    }
    b.c.sows = sows;
    b.c.sow_count = 40;
    v = sov_policy_accept(&b.c, *state);
    assert_int_equal(v.count, 40);
    assert_refused(sov_policy_verdict(&v, "OUT-1", SOV_ACCEPTANCE_GATES, &err), &err,
                   "deliverable_missing");
    assert_string_equal(err.what, "OUT-1 is refused at 1 of 36 gates");
    assert_non_null(strstr(err.why, " more"));
    assert_true(strlen(err.why) + 1 < sizeof err.why);
    assert_string_equal(err.refs[1], "SOW-1");
}

static void the_table_has_every_gate_in_order(void **state)
{
    size_t count;
    const struct sov_gate *gates = sov_policy_acceptance_gates(&count);

    (void)state;
    assert_int_equal(count, SOV_ACCEPTANCE_GATES);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(gates[i].number, i + 1);
        assert_non_null(sov_refusal_find(gates[i].codes[0]));
        if (gates[i].codes[1]) assert_non_null(sov_refusal_find(gates[i].codes[1]));
    }
    gates = sov_policy_review_gates(&count);
    assert_int_equal(count, SOV_REVIEW_GATES);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(gates[i].number, i + 1);
        assert_non_null(sov_refusal_find(gates[i].codes[0]));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        WITH_ARENA(a_good_case_passes_every_gate),
        WITH_ARENA(each_gate_refuses_alone),
        WITH_ARENA(of_two_shut_gates_the_first_answers_and_both_are_reported),
        WITH_ARENA(a_missing_thing_shuts_the_gates_behind_it_too),
        WITH_ARENA(only_an_outcome_under_work_is_accepted),
        WITH_ARENA(who_or_what_is_unknown_is_said_and_no_more_is_asked_of_it),
        WITH_ARENA(a_preview_asks_for_no_signature_and_nobody_for_no_actor),
        WITH_ARENA(a_robot_signs_only_if_policy_names_it_and_counts_as_no_person),
        WITH_ARENA(two_of_three_need_two_who_are_not_the_same),
        WITH_ARENA(the_refusal_lists_what_fits_and_counts_the_rest),
        cmocka_unit_test(the_table_has_every_gate_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
