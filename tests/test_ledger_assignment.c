/* Assignments: who may be the worker, workspace, cancelling; each refusal in its order. */
#include "tests/ledger_work.h"

#include "base/canonical.h"

static void an_assignment_binds_actor_round_and_prompt(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n), head = fixture_head(f);
    struct sov_assignment assignment;
    struct sov_outcome outcome = work_see_outcome(f, n);
    struct sov_sow asked = work_see_sow(f, sow);
    struct sov_error outer = { 0 };
    struct sov_event event;
    struct sov_hash prompt;

    work_assign(f, sow, "operator");
    work_assert_events(f, head + 1, "assignment.created sow.assigned");
    assignment = work_see_assignment(f, 1);
    prompt = sov_prompt_digest(&asked, &outcome);
    assert_memory_equal(&assignment.prompt_digest, &prompt, sizeof prompt);
    assert_int_equal(assignment.sow, sow);
    assert_int_equal(assignment.outcome, n);
    assert_int_equal(assignment.round, 1);
    assert_string_equal(assignment.actor, "operator");
    assert_string_equal(assignment.author, "master");
    assert_string_equal(assignment.workspace_policy, "archive");
    assert_string_equal(assignment.workspace_id, "sow-1");
    assert_int_equal(assignment.state, SOV_ASSIGNMENT_CREATED);
    assert_int_equal(work_see_sow(f, sow).assignment, 1);
    /* Attribution closes: the assignment cites its SOW. */
    assert_true(sov_log_event(f->ledger, head + 1, &f->arena, &event, &outer));
    assert_string_equal(sov_arena_text(&f->arena, event.cause.octets),
                        sov_arena_printf(&f->arena, "[%lld]", (long long)asked.seq));
}

/* Computed apart, with Python's hashlib over the octets written out. */
static void a_prompt_digest_covers_all_that_is_asked(void **state)
{
    static const char *const paths[] = { "a.md", "b.md" };
    static const char *const non_goals[] = { "none" };
    struct sov_sow sow = { .n = 7,
                           .title = "t",
                           .scope = "s",
                           .role = "operator",
                           .done_when = "d",
                           .effect = "sale",
                           .effect_required = true,
                           .deliverables = paths,
                           .deliverable_count = 2,
                           .non_goals = non_goals,
                           .non_goal_count = 1 };
    struct sov_outcome outcome = { .n = 3, .desired_state = "w", .subject = "SKU-TEA" };
    struct sov_hash hash = sov_prompt_digest(&sow, &outcome);
    char hex[SOV_HEX_HASH + 1];

    (void)state;
    sov_hex(sov_hash_bytes(&hash), hex);
    assert_string_equal(hex, "d04045cab9df2a4a86e07504fd56d358dc5856d569dc0731949ec808b8a1a0bc");
}

static void the_worker_must_be_the_right_one(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n);
    struct sov_assignment_request request = { sow, "nobody", NULL };
    struct sov_done done;

    work_actor(f, "asleep", "robot", "verifier", NULL);
    FIXTURE_DO(f, "principal", &done,
               sov_actor_change(&commit, "asleep", SOV_ACTOR_SUSPEND, "x", &done, &err));
    FIXTURE_REFUSED(f, "master", "no_such_id", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    request.actor = "No One";
    FIXTURE_REFUSED(f, "master", "bad_value", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    request.actor = "asleep"; /* of another role too: asked after */
    FIXTURE_REFUSED(f, "master", "worker_inactive", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    request.actor = "sparring";
    FIXTURE_REFUSED(f, "master", "role_mismatch", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    work_policy(f, "\"operator\":[\"work\",\"request\"]", "\"operator\":[\"request\"]");
    request.actor = "operator";
    FIXTURE_REFUSED(f, "master", "worker_not_authorised", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
}

static void only_what_is_ready_is_assigned(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), draft = work_draft(f, n), sow = work_sow(f, n);
    struct sov_assignment_request request = { draft, "sparring", NULL };
    struct sov_done done;

    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_outcome_block(&commit, n, "wait", &done, &err));
    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    request.sow = sow;
    FIXTURE_REFUSED(f, "master", "outcome_not_open", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_outcome_unblock(&commit, n, "go on", &done, &err));
    work_assign(f, sow, "operator");
    request.actor = "operator";
    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
}

static void a_workspace_is_said_or_follows_from_who_works(void **state)
{
    static const char *const policies[] = { "keep", "archive", "remove" };
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n);
    struct sov_assignment_request request = { sow, "operator", "none" };
    struct sov_done done;

    work_actor(f, "jane", "person", "operator", NULL);
    FIXTURE_REFUSED(f, "master", "bad_value", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    request.workspace = "\xff";
    FIXTURE_REFUSED(f, "master", "bad_value", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    request.workspace = "burn";
    FIXTURE_REFUSED(f, "master", "bad_value", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    work_assign(f, sow, "jane");
    assert_string_equal(work_see_assignment(f, 1).workspace_policy, "none");
    for (size_t i = 0; i < 3; i++) {
        request = (struct sov_assignment_request){ work_sow(f, n), "operator", policies[i] };
        FIXTURE_DO(f, "master", &done, sov_assignment_create(&commit, &request, &done, &err));
        assert_string_equal(work_see_assignment(f, 2 + (int64_t)i).workspace_policy, policies[i]);
    }
}

#define HASH "zeroblob(32)"
#define VERIFIED(actor, term)                                                                      \
    "INSERT INTO state_verification (n, scope, outcome, term, definition_digest, passed, "         \
    "aggregate_digest, evidence, basis, reads_digest, actor, seq) VALUES (1, 'outcome', 1, " term  \
    ", " HASH ", 1, " HASH ", '[]', 1, " HASH ", '" actor "', 1)"

static void who_verified_does_not_work(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n);
    struct sov_assignment_request request = { sow, "by-id", NULL };
    struct sov_done done;

    work_actor(f, "by-id", "robot", "operator", NULL);
    work_actor(f, "by-team", "robot", "operator", "team/tea");
    work_actor(f, "apart", "robot", "operator", "team/coffee");
    work_actor(f, "checker", "robot", "verifier", "team/tea");
    work_said(f, VERIFIED("by-id", "1"));
    FIXTURE_REFUSED(f, "master", "self_assign", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    work_said(f, "UPDATE state_verification SET actor = 'checker'");
    request.actor = "by-team";
    FIXTURE_REFUSED(f, "master", "self_assign", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    request.actor = "apart";
    FIXTURE_DO(f, "master", &done, sov_assignment_create(&commit, &request, &done, &err));
}

static void separation_is_asked_within_a_term(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n);

    work_said(f, VERIFIED("operator", "2"));
    work_assign(f, sow, "operator"); /* of term 1 */
}

static void the_four_sets_are_read_from_the_term(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n), other = work_sow(f, n), assignment;
    struct sov_error outer = { 0 };
    struct sov_sets sets;
    struct sov_done done;

    work_actor(f, "builder", "robot", "operator", "operator");
    assignment = work_assign(f, sow, "builder");
    FIXTURE_DO(f, "master", &done, sov_assignment_cancel(&commit, assignment, "x", &done, &err));
    work_assign(f, sow, "operator");
    work_assign(f, other, "operator");
    work_said(f, VERIFIED("verifier", "1"));
    work_said(f,
              "INSERT INTO state_review (n, sow, verification, receipt, reviewer, decision, "
              "rationale, aggregate_digest, basis, reads_digest, key, statement, signature, hash, "
              "seq) VALUES (1, 1, 1, 1, 'sparring', 'accepted', 'r', " HASH ", 1, " HASH
              ", 'k', " HASH ", zeroblob(64), " HASH ", 1)");
    work_said(f,
              "INSERT INTO state_acceptance (n, outcome, term, signer, signers, case_digest, "
              "observations, basis, reads_digest, key, statement, signature, seq) VALUES (1, 1, 1, "
              "'principal', '[]', " HASH ", '[]', 1, " HASH ", 'k', " HASH ", zeroblob(64), 1)");
    assert_true(sov_term_sets(f->ledger, n, 1, &f->arena, &sets, &outer));
    assert_int_equal(sets.of[SOV_PERFORMERS].count, 2);
    assert_string_equal(sets.of[SOV_PERFORMERS].at[0].id, "builder");
    assert_string_equal(sets.of[SOV_PERFORMERS].at[0].answerable, "operator");
    assert_string_equal(sets.of[SOV_PERFORMERS].at[1].id, "operator");
    assert_int_equal(sets.of[SOV_PERFORMERS].at[1].key_count, 1);
    assert_int_equal(sets.of[SOV_VERIFIERS].count, 1);
    assert_string_equal(sets.of[SOV_REVIEWERS].at[0].id, "sparring");
    assert_string_equal(sets.of[SOV_ACCEPTERS].at[0].id, "principal");
    assert_true(sov_term_sets(f->ledger, n, 2, &f->arena, &sets, &outer));
    for (unsigned set = 0; set < SOV_SET_COUNT; set++) assert_int_equal(sets.of[set].count, 0);
}

static void a_robot_may_have_to_represent_somebody(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n);
    struct sov_assignment_request request = { sow, "operator", NULL };
    struct sov_done done;

    work_actor(f, "builder", "robot", "operator", "principal");
    work_policy(f, "\"answerable_required\":false", "\"answerable_required\":true");
    FIXTURE_REFUSED(f, "master", "answerable_missing", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    work_said(f, VERIFIED("operator", "1"));
    FIXTURE_REFUSED(f, "master", "self_assign", &done,
                    sov_assignment_create(&commit, &request, &done, &err));
    work_assign(f, sow, "builder");
}

static void cancelling_returns_the_sow_and_lets_the_claim_go(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n), assignment, fence, head;
    struct sov_who who = work_who();
    struct sov_done done;

    assignment = work_assign(f, sow, "operator");
    FIXTURE_REFUSED(f, "master", "reason_missing", &done,
                    sov_assignment_cancel(&commit, assignment, NULL, &done, &err));
    head = fixture_head(f);
    FIXTURE_DO(f, "master", &done, sov_assignment_cancel(&commit, assignment, "x", &done, &err));
    work_assert_events(f, head + 1, "assignment.cancelled sow.returned");
    assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_READY);
    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_assignment_cancel(&commit, assignment, "x", &done, &err));
    assignment = work_assign(f, sow, "operator");
    assert_int_equal(work_see_assignment(f, assignment).round, 2);
    fence = work_claim(f, assignment, "operator");
    work_start(f, assignment, fence, "operator");
    head = fixture_head(f);
    FIXTURE_DO(f, "master", &done, sov_assignment_cancel(&commit, assignment, "x", &done, &err));
    work_assert_events(f, head + 1, "assignment.cancelled claim.released sow.returned");
    assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_READY);
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_claim_renew(&commit, assignment, fence, 60, &who, &done, &err));
    fixture_assert_refold_equal(f);
}

static void a_finished_round_cannot_be_cancelled(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f));
    int64_t assignment = work_round(f, sow, SOV_ASSIGNMENT_COMPLETED);
    struct sov_error outer = { 0 };
    struct sov_done done;
    int64_t live;

    assert_int_equal(work_see_assignment(f, assignment).state, SOV_ASSIGNMENT_COMPLETED);
    assert_int_equal(work_see_assignment(f, assignment).receipt, 1);
    assert_int_equal(work_see_sow(f, sow).receipt, 1);
    FIXTURE_REFUSED(f, "master", "wrong_state", &done,
                    sov_assignment_cancel(&commit, assignment, "x", &done, &err));
    assert_true(sov_assignment_count_live(f->ledger, "operator", &live, &outer));
    assert_int_equal(live, 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, work_setup, work_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(an_assignment_binds_actor_round_and_prompt),
        cmocka_unit_test(a_prompt_digest_covers_all_that_is_asked),
        T(the_worker_must_be_the_right_one),
        T(only_what_is_ready_is_assigned),
        T(a_workspace_is_said_or_follows_from_who_works),
        T(who_verified_does_not_work),
        T(separation_is_asked_within_a_term),
        T(the_four_sets_are_read_from_the_term),
        T(a_robot_may_have_to_represent_somebody),
        T(cancelling_returns_the_sow_and_lets_the_claim_go),
        T(a_finished_round_cannot_be_cancelled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
