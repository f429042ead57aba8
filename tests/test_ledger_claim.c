/* Claims: one fence at a time, and what a dead one may not do; each refusal in its order. */
#include "tests/ledger_work.h"

#include <sqlite3.h>

static void a_claim_gives_a_fence_and_starts_the_sow(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f)), assignment = work_assign(f, sow, "operator");
    int64_t head = fixture_head(f), fence = work_claim(f, assignment, "operator");
    struct sov_error outer = { 0 };
    struct sov_claim claim;
    bool found;

    work_assert_events(f, head + 1, "claim.acquired sow.started");
    assert_int_equal(fence, head + 1);
    assert_true(sov_claim_find(f->ledger, assignment, 0, &f->arena, &claim, &found, &outer));
    assert_true(found && claim.live);
    assert_int_equal(claim.fence, fence);
    assert_int_equal(claim.assignment, assignment);
    assert_int_equal(claim.attempt, 1);
    assert_int_equal(claim.ttl_s, 900);
    assert_string_equal(claim.holder, "operator");
    assert_string_equal(claim.who.machine, work_who().machine);
    assert_int_equal(claim.who.pid, 7);
    assert_int_equal(claim.at_ms, f->now.wall.ms);
    assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_RUNNING);
    assert_int_equal(work_see_assignment(f, assignment).state, SOV_ASSIGNMENT_RUNNING);
    assert_int_equal(work_see_assignment(f, assignment).fence, fence);
}

static void a_claim_is_refused_in_order(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), sow = work_sow(f, n), a = work_assign(f, sow, "operator"), b;
    struct sov_who who = work_who();
    struct sov_done done;
    int64_t fence = 0;

    work_actor(f, "builder", "robot", "operator", NULL);
    FIXTURE_DO(f, "master", &done, sov_outcome_block(&commit, n, "wait", &done, &err));
    FIXTURE_REFUSED(f, "builder", "outcome_not_open", &done,
                    sov_claim_acquire(&commit, a, 0, &who, &fence, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_outcome_unblock(&commit, n, "go on", &done, &err));
    FIXTURE_REFUSED(f, "builder", "not_addressed", &done,
                    sov_claim_acquire(&commit, a, 0, &who, &fence, &done, &err));
    FIXTURE_REFUSED(f, "operator", "bad_value", &done,
                    sov_claim_acquire(&commit, a, 14401, &who, &fence, &done, &err));
    FIXTURE_REFUSED(f, "operator", "bad_value", &done,
                    sov_claim_acquire(&commit, a, -1, &who, &fence, &done, &err));
    assert_int_equal(fence, 0);
    work_claim(f, a, "operator");
    FIXTURE_REFUSED(f, "builder", "not_addressed", &done,
                    sov_claim_acquire(&commit, a, 0, &who, &fence, &done, &err));
    FIXTURE_REFUSED(f, "operator", "claim_held", &done,
                    sov_claim_acquire(&commit, a, 0, &who, &fence, &done, &err));
    b = work_assign(f, work_sow(f, n), "operator");
    FIXTURE_REFUSED(f, "operator", "actor_busy", &done,
                    sov_claim_acquire(&commit, b, 0, &who, &fence, &done, &err));
    FIXTURE_DO(f, "master", &done, sov_assignment_cancel(&commit, a, "x", &done, &err));
    FIXTURE_REFUSED(f, "operator", "wrong_state", &done,
                    sov_claim_acquire(&commit, a, 0, &who, &fence, &done, &err));
    work_claim(f, b, "operator");
}

static void attempts_come_to_an_end(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f)), assignment = work_assign(f, sow, "operator");
    struct sov_who who = work_who();
    struct sov_done done;
    int64_t fence, before = 0;

    for (int i = 0; i < 3; i++) {
        fence = work_claim(f, assignment, "operator");
        assert_true(fence > before);
        before = fence;
        assert_int_equal(work_see_assignment(f, assignment).attempts, i + 1);
        FIXTURE_DO(f, "operator", &done,
                   sov_claim_release(&commit, assignment, fence, "x", &done, &err));
        assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_ASSIGNED);
    }
    FIXTURE_REFUSED(f, "operator", "attempts_exhausted", &done,
                    sov_claim_acquire(&commit, assignment, 99999, &who, &fence, &done, &err));
    fixture_assert_refold_equal(f);
}

static void a_renewal_moves_the_deadline_and_no_more(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f)), assignment = work_assign(f, sow, "operator");
    int64_t fence = work_claim(f, assignment, "operator");
    struct sov_who who = work_who();
    struct sov_error outer = { 0 };
    struct sov_claim claim;
    struct sov_done done;
    bool found;

    fixture_tick(f, 300000);
    who.boot_ms += 300000;
    who.pid = 8;
    FIXTURE_REFUSED(f, "operator", "bad_value", &done,
                    sov_claim_renew(&commit, assignment, fence, 20000, &who, &done, &err));
    FIXTURE_DO(f, "operator", &done,
               sov_claim_renew(&commit, assignment, fence, 600, &who, &done, &err));
    assert_true(sov_claim_find(f->ledger, assignment, fence, &f->arena, &claim, &found, &outer));
    assert_int_equal(claim.at_ms, f->now.wall.ms);
    assert_int_equal(claim.ttl_s, 600);
    assert_int_equal(claim.who.boot_ms, who.boot_ms);
    assert_int_equal(claim.who.pid, 8);
    assert_int_equal(claim.attempt, 1);
    work_start(f, assignment, fence, "operator");
    FIXTURE_DO(f, "operator", &done,
               sov_claim_renew(&commit, assignment, fence, 600, &who, &done, &err));
    fixture_assert_refold_equal(f);
}

static void a_fence_that_is_not_live_does_nothing(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f)), assignment = work_assign(f, sow, "operator");
    int64_t dead = work_claim(f, assignment, "operator"), live, fences[4];
    struct sov_who who = work_who();
    struct sov_done done;

    FIXTURE_DO(f, "operator", &done,
               sov_claim_release(&commit, assignment, dead, "x", &done, &err));
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_claim_renew(&commit, assignment, dead, 60, &who, &done, &err));
    live = work_claim(f, assignment, "operator");
    fences[0] = dead;
    fences[1] = live + 1;
    fences[2] = -1;
    fences[3] = 0;
    for (size_t i = 0; i < 4; i++) {
        FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                        sov_claim_renew(&commit, assignment, fences[i], 60, &who, &done, &err));
        FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                        sov_claim_release(&commit, assignment, fences[i], "x", &done, &err));
    }
}

/* The wall under the operations: without any of their questions. */
static void the_file_itself_refuses_a_dead_fence(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f)), assignment = work_assign(f, sow, "operator");
    int64_t fence = work_claim(f, assignment, "operator");
    struct sov_addition addition = {
        .type = SOV_EVENT_CLAIM_RELEASED,
        .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, assignment),
        .data = sov_bytes_text("{\"reason\":\"x\"}"),
    };
    struct sov_done done;

    addition.fence = fence - 1;
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_commit_lead(&commit, &addition, &done, &err));
    addition.fence = fence;
    FIXTURE_REFUSED(f, "operator", "stale_fence", &done,
                    sov_commit_lead(&commit, &addition, &done, &err) &&
                        sov_commit_lead(&commit, &addition, &done, &err));
}

static void only_the_holder_acts_under_its_fence(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f)), assignment = work_assign(f, sow, "operator");
    int64_t fence = work_claim(f, assignment, "operator");
    struct sov_who who = work_who();
    struct sov_done done;

    work_actor(f, "builder", "robot", "operator", NULL);
    FIXTURE_REFUSED(f, "builder", "not_addressed", &done,
                    sov_claim_renew(&commit, assignment, fence, 60, &who, &done, &err));
    FIXTURE_REFUSED(f, "builder", "not_addressed", &done,
                    sov_claim_release(&commit, assignment, fence, "x", &done, &err));
}

static void the_fence_is_part_of_a_repeated_request(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f)), assignment = work_assign(f, sow, "operator");
    int64_t first = work_claim(f, assignment, "operator"), second;
    struct sov_done done;

    FIXTURE_DO(
        f, "operator", &done,
        (commit.act.key = "k", sov_claim_release(&commit, assignment, first, "x", &done, &err)));
    second = work_claim(f, assignment, "operator");
    FIXTURE_REFUSED(
        f, "operator", "key_reused", &done,
        (commit.act.key = "k", sov_claim_release(&commit, assignment, second, "x", &done, &err)));
    FIXTURE_DO(
        f, "operator", &done,
        (commit.act.key = "k", sov_claim_release(&commit, assignment, first, "x", &done, &err)));
    assert_int_equal(done.effect, SOV_NOOP);
}

static void a_start_is_not_repeated_under_another_fence(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f)), assignment = work_assign(f, sow, "operator");
    struct sov_run_start start = work_started(assignment, work_claim(f, assignment, "operator"));
    struct sov_done done;

    FIXTURE_DO(f, "operator", &done,
               (commit.act.key = "k", sov_run_start(&commit, &start, &done, &err)));
    FIXTURE_DO(f, "operator", &done,
               (commit.act.key = "k", sov_run_start(&commit, &start, &done, &err)));
    assert_int_equal(done.effect, SOV_NOOP);
    start.fence++;
    FIXTURE_REFUSED(f, "operator", "key_reused", &done,
                    (commit.act.key = "k", sov_run_start(&commit, &start, &done, &err)));
}

static void a_started_run_is_not_released(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f)), assignment = work_assign(f, sow, "operator");
    int64_t fence = work_claim(f, assignment, "operator");
    struct sov_done done;

    FIXTURE_REFUSED(f, "operator", "reason_missing", &done,
                    sov_claim_release(&commit, assignment, fence, "", &done, &err));
    work_start(f, assignment, fence, "operator");
    FIXTURE_REFUSED(f, "operator", "already_started", &done,
                    sov_claim_release(&commit, assignment, fence, "x", &done, &err));
}

static struct sov_claim live_claim(struct fixture *f, int64_t assignment)
{
    struct sov_error outer = { 0 };
    struct sov_claim claim;
    bool found;

    assert_true(sov_claim_find(f->ledger, assignment, 0, &f->arena, &claim, &found, &outer));
    assert_true(found);
    return claim;
}

static void an_expired_claim_frees_what_had_not_started(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f)), assignment = work_assign(f, sow, "operator");
    struct sov_who who = work_who();
    struct sov_claim claim;
    struct sov_expired expired;
    struct sov_done done;
    int64_t head;

    work_claim(f, assignment, "operator");
    claim = live_claim(f, assignment);
    head = fixture_head(f);
    FIXTURE_DO(f, NULL, &done,
               sov_claim_expire(&commit, &claim, "boot_clock", &who, &expired, &done, &err));
    work_assert_events(f, head + 1, "claim.expired sow.returned");
    assert_int_equal(work_see_assignment(f, assignment).state, SOV_ASSIGNMENT_CREATED);
    assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_ASSIGNED);
    FIXTURE_REFUSED(f, NULL, "stale_fence", &done,
                    sov_claim_expire(&commit, &claim, "boot_clock", &who, &expired, &done, &err));
    work_claim(f, assignment, "operator");
    fixture_assert_refold_equal(f);
}

static void an_expired_claim_of_a_started_run_is_lost(void **state)
{
    struct fixture *f = *state;
    int64_t sow = work_sow(f, work_outcome(f)), assignment = work_assign(f, sow, "operator");
    struct sov_who who = work_who();
    struct sov_claim claim;
    struct sov_expired expired;
    struct sov_done done;
    int64_t head;

    work_start(f, assignment, work_claim(f, assignment, "operator"), "operator");
    claim = live_claim(f, assignment);
    head = fixture_head(f);
    FIXTURE_DO(f, NULL, &done,
               sov_claim_expire(&commit, &claim, "other_boot", &who, &expired, &done, &err));
    assert_string_equal(expired.state, "FAILED");
    assert_int_equal(expired.receipt, 1);
    work_assert_events(f, head + 1, "claim.expired receipt.recorded sow.failed assignment.failed");
    assert_int_equal(work_see_assignment(f, assignment).state, SOV_ASSIGNMENT_FAILED);
    assert_int_equal(work_see_sow(f, sow).state, SOV_SOW_FAILED);
    FIXTURE_REFUSED(f, "master", "unknown_outcome", &done,
                    sov_sow_retry(&commit, sow, "again", NULL, &done, &err));
    fixture_assert_refold_equal(f);
}

/* No event leads there: only somebody who edited the derived row. */
static void a_live_fence_does_nothing_where_the_state_has_no_arrow(void **state)
{
    struct fixture *f = *state;
    int64_t a = work_assign(f, work_sow(f, work_outcome(f)), "operator");
    int64_t fence = work_claim(f, a, "operator");
    struct sov_who who = work_who();
    struct sov_done done;
    char path[160];
    sqlite3 *db;

    snprintf(path, sizeof path, "%s/organization.db", f->home);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "UPDATE state_assignment SET state = 'CREATED'", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    FIXTURE_REFUSED(f, "operator", "wrong_state", &done,
                    sov_claim_renew(&commit, a, fence, 0, &who, &done, &err));
    FIXTURE_REFUSED(f, "operator", "wrong_state", &done,
                    sov_claim_release(&commit, a, fence, "x", &done, &err));
}

static void claims_are_listed_by_fence(void **state)
{
    struct fixture *f = *state;
    int64_t n = work_outcome(f), a = work_assign(f, work_sow(f, n), "operator"), b, fence;
    struct sov_error outer = { 0 };
    struct sov_claims list;
    struct sov_done done;
    int64_t live;

    work_actor(f, "builder", "robot", "operator", NULL);
    b = work_assign(f, work_sow(f, n), "builder");
    fence = work_claim(f, a, "operator");
    FIXTURE_DO(f, "operator", &done, sov_claim_release(&commit, a, fence, "x", &done, &err));
    work_claim(f, b, "builder");
    work_claim(f, a, "operator");
    assert_true(sov_claim_list(f->ledger, 0, false, &f->arena, &list, &outer));
    assert_int_equal(list.count, 3);
    assert_true(list.at[0].fence < list.at[1].fence && list.at[1].fence < list.at[2].fence);
    assert_int_equal(list.at[0].end_seq, done.seq);
    assert_true(sov_claim_list(f->ledger, 0, true, &f->arena, &list, &outer));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.at[0].assignment, b);
    assert_true(sov_claim_list(f->ledger, a, false, &f->arena, &list, &outer));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.at[1].attempt, 2);
    assert_true(sov_claim_count_live(f->ledger, "operator", &live, &outer));
    assert_int_equal(live, 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, work_setup, work_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_claim_gives_a_fence_and_starts_the_sow),
        T(a_claim_is_refused_in_order),
        T(attempts_come_to_an_end),
        T(a_renewal_moves_the_deadline_and_no_more),
        T(a_fence_that_is_not_live_does_nothing),
        T(the_file_itself_refuses_a_dead_fence),
        T(only_the_holder_acts_under_its_fence),
        T(the_fence_is_part_of_a_repeated_request),
        T(a_start_is_not_repeated_under_another_fence),
        T(a_started_run_is_not_released),
        T(an_expired_claim_frees_what_had_not_started),
        T(an_expired_claim_of_a_started_run_is_lost),
        T(a_live_fence_does_nothing_where_the_state_has_no_arrow),
        T(claims_are_listed_by_fence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
