/* Signed, then something moved, then appended: refused, for every stream that a case reads. */
#include "tests/judgement_fixture.h"

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#include "ledger/log.h"

/* A case with a stream of each kind in it, signed by alice, whom boss answers for. */
struct moving {
    struct judging j;
    int64_t outcome, sow, receipt;
    struct judging_signing signing;
};

static int setup(void **state)
{
    struct moving *m = calloc(1, sizeof *m);
    struct judging *j = &m->j;

    judging_open(j);
    judging_actor(j, "boss", "person", "principal", NULL);
    judging_actor(j, "alice", "person", "principal", "boss");
    m->outcome = judging_outcome(j, "SKU-TEA");
    m->sow = judging_sow(j, m->outcome, "replenishment", NULL);
    m->receipt = judging_run(j, judging_assign(j, m->sow, "operator"), "operator",
                             &(struct judging_run){ .quantity = 6, .violated = true });
    judging_rule(j, "principal", "waive_boundary", "RCP-1", m->receipt, NULL);
    judging_verify(j, "verifier", m->sow, 0, false, NULL);
    judging_review(j, "sparring", m->sow, SOV_REVIEW_ACCEPTED, NULL);
    judging_verify(j, "verifier", 0, m->outcome, false, NULL);
    judging_sign(j, "alice", m->outcome, &m->signing);
    m->signing.prepared.request.observations = &m->signing.seen;
    assert_int_equal(m->signing.prepared.verdict.count, 0);
    *state = m;
    return 0;
}

static int teardown(void **state)
{
    struct moving *m = *state;

    judging_close(&m->j);
    free(m);
    return 0;
}

static bool is_read(struct moving *m, const char *stream)
{
    struct sov_reads reads;
    struct sov_error err = { 0 };

    assert_true(sov_reads_of(m->j.f.ledger, m->outcome, "alice", &m->j.f.arena, &reads, &err));
    for (size_t i = 0; i < reads.count; i++)
        if (strcmp(reads.at[i].stream, stream) == 0) return true;
    return false;
}

static void every_kind_of_stream_is_read(void **state)
{
    static const char *const streams[] = {
        "outcome/OUT-1",  "sow/SOW-1",      "assignment/ASG-1",   "receipt/RCP-1",
        "effect/EFF-1",   "review/REV-1",   "verification/VER-1", "verification/VER-2",
        "ruling/RUL-1",   "policy/self",    "subject/SKU-TEA",    "account/inventory/SKU-TEA",
        "actor/operator", "actor/verifier", "actor/sparring",     "actor/alice",
        "actor/boss",
    };
    static const char *const holders[] = { "operator", "verifier", "sparring", "alice" };
    struct moving *m = *state;
    struct sov_actor_keys keys;
    struct sov_error err = { 0 };

    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (!is_read(m, streams[i])) fail_msg("%s is not read", streams[i]);
    for (size_t i = 0; i < sizeof holders / sizeof *holders; i++) {
        assert_true(sov_key_list(m->j.f.ledger, holders[i], &m->j.f.arena, &keys, &err));
        assert_true(is_read(m, sov_arena_printf(&m->j.f.arena, "key/%s", keys.at[0].id)));
    }
    assert_false(is_read(m, "actor/master"));
    assert_false(is_read(m, "account/cash"));
}

static void what_is_not_read_may_move(void **state)
{
    struct moving *m = *state;
    bool accepted = false;

    judging_work(&m->j, judging_outcome(&m->j, NULL));
    FIXTURE_DO(&m->j.f, "principal", m->j.done,
               sov_account_open(&commit, "other", "unit", 0, &m->j.done, &err));
    judging_append(&m->j, "alice", &m->signing, &accepted, NULL);
    assert_true(accepted);
}

/* ---- one stream after another ---- */

static void account(struct moving *m)
{
    struct sov_change_request sale = {
        .kind = "sale", .subject = "SKU-TEA", .source = "shop", .quantity = 1
    };

    FIXTURE_DO(&m->j.f, "operator", m->j.done, sov_change_record(&commit, &sale, &m->j.done, &err));
}
static void subject(struct moving *m)
{
    static const struct sov_fact fact = { "reorder_point", 4 };

    FIXTURE_DO(&m->j.f, "principal", m->j.done,
               sov_subject_revise(&commit, "SKU-TEA", &fact, 1, "more", &m->j.done, &err));
}
static void policy(struct moving *m)
{
    judging_policy(&m->j, "\"defer\":300", "\"defer\":301");
}
static void revise(struct moving *m, const char *id)
{
    struct sov_actor_request request = { .id = id, .provider = "other", .reason = "moves" };

    FIXTURE_DO(&m->j.f, "principal", m->j.done,
               sov_actor_revise(&commit, &request, &m->j.done, &err));
}
static void performer(struct moving *m)
{
    revise(m, "operator");
}
static void who_answers(struct moving *m)
{
    revise(m, "boss");
}
static void key(struct moving *m)
{
    FIXTURE_DO(&m->j.f, "sparring", m->j.done,
               sov_key_rotate(&commit, "sparring", "routine", NULL, &m->j.done, &err));
}
static void ruling_on_outcome(struct moving *m)
{
    judging_rule(&m->j, "principal", NULL, "OUT-1", 0, NULL);
}
static void ruling_on_sow(struct moving *m)
{
    judging_rule(&m->j, "principal", NULL, "SOW-1", 0, NULL);
}
static void ruling_on_review(struct moving *m)
{
    judging_rule(&m->j, "principal", NULL, "REV-1", 0, NULL);
}
/* A waiver counts wherever it is said to apply. */
static void waiver(struct moving *m)
{
    judging_rule(&m->j, "principal", "waive_boundary", "CHG-1", m->receipt, "no_such_id");
    judging_rule(&m->j, "principal", "waive_boundary", "RUL-1", m->receipt, NULL);
}
static void verification(struct moving *m)
{
    judging_verify(&m->j, "verifier", 0, m->outcome, false, NULL);
}
/* The events of an assignment that carry no arrow. */
static void assignment(struct moving *m)
{
    struct sov_addition stale = {
        .type = SOV_EVENT_RESULT_STALE,
        .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, 1),
        .data = sov_bytes_text("{\"presented_fence\":1,\"why\":\"no_claim\"}"),
    };

    FIXTURE_DO(&m->j.f, "operator", m->j.done, sov_commit_lead(&commit, &stale, &m->j.done, &err));
}
static void outcome(struct moving *m)
{
    FIXTURE_DO(&m->j.f, "master", m->j.done,
               sov_outcome_block(&commit, m->outcome, "wait", &m->j.done, &err));
    FIXTURE_DO(&m->j.f, "master", m->j.done,
               sov_outcome_unblock(&commit, m->outcome, "go on", &m->j.done, &err));
    judging_verify(&m->j, "verifier", 0, m->outcome, false, NULL);
}
static void another_sow(struct moving *m)
{
    int64_t sow = judging_sow(&m->j, m->outcome, NULL, NULL);

    FIXTURE_DO(&m->j.f, "master", m->j.done,
               sov_sow_withdraw(&commit, sow, "not needed", &m->j.done, &err));
    judging_verify(&m->j, "verifier", 0, m->outcome, false, NULL);
}
/* Sow, review and their next verification: everything is well again, but it is another case. */
static void sow(struct moving *m)
{
    judging_verify(&m->j, "verifier", m->sow, 0, false, NULL);
    judging_review(&m->j, "sparring", m->sow, SOV_REVIEW_ACCEPTED, NULL);
}
static void another_execution(struct moving *m)
{
    int64_t more = judging_sow(&m->j, m->outcome, NULL, NULL);

    judging_run(&m->j, judging_assign(&m->j, more, "operator"), "operator",
                &(struct judging_run){ .failed = true });
    FIXTURE_DO(&m->j.f, "master", m->j.done,
               sov_sow_withdraw(&commit, more, "not needed", &m->j.done, &err));
    judging_verify(&m->j, "verifier", 0, m->outcome, false, NULL);
}

static void moved(void **state, void (*move)(struct moving *m))
{
    struct moving *m = *state;
    bool accepted = false;

    move(m);
    judging_append(&m->j, "alice", &m->signing, NULL, "moved");
    /* Looked at again it is as good as before: nothing but the move was in the way. */
    judging_accept(&m->j, "alice", m->outcome, &accepted, NULL);
    assert_true(accepted);
}

#define MOVED(name)                                                                                \
    static void moved_##name(void **state)                                                         \
    {                                                                                              \
        moved(state, name);                                                                        \
    }
MOVED(account)
MOVED(subject)
MOVED(policy)
MOVED(performer)
MOVED(who_answers)
MOVED(key)
MOVED(ruling_on_outcome)
MOVED(ruling_on_sow)
MOVED(ruling_on_review)
MOVED(waiver)
MOVED(verification)
MOVED(assignment)
MOVED(outcome)
MOVED(sow)
MOVED(another_sow)
MOVED(another_execution)

/* The same for a batch of checks: what moved while they ran is named, and nothing is recorded. */
static void checks_that_ran_while_something_moved_are_not_recorded(void **state)
{
    static void (*const moves[])(struct moving *) = { account, subject,       policy,    performer,
                                                      key,     ruling_on_sow, assignment };
    struct moving *m = *state;
    struct sov_verification_request request = { .outcome = m->outcome };
    struct sov_verification_prepared prepared;
    struct sov_observations seen;
    struct sov_error why = { 0 };

    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        seen = judging_see(&m->j, m->outcome);
        assert_true(sov_verification_prepare(m->j.f.ledger, "verifier", &request, &seen,
                                             &m->j.f.arena, &prepared, &why));
        moves[i](m);
        FIXTURE_REFUSED(&m->j.f, "verifier", "moved", m->j.done,
                        sov_verification_record(&commit, &prepared, &m->j.done, &err));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_kind_of_stream_is_read),
        TEST(what_is_not_read_may_move),
        TEST(moved_account),
        TEST(moved_subject),
        TEST(moved_policy),
        TEST(moved_performer),
        TEST(moved_who_answers),
        TEST(moved_key),
        TEST(moved_ruling_on_outcome),
        TEST(moved_ruling_on_sow),
        TEST(moved_ruling_on_review),
        TEST(moved_waiver),
        TEST(moved_verification),
        TEST(moved_assignment),
        TEST(moved_outcome),
        TEST(moved_sow),
        TEST(moved_another_sow),
        TEST(moved_another_execution),
        TEST(checks_that_ran_while_something_moved_are_not_recorded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
