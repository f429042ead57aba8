/*
 * What holds for every operation on outcomes, SOWs, assignments and claims: who may, what is
 * expected, that a rehearsal leaves nothing, that a repeat is the same answer, and that a key is
 * used for one request. model.md 4, C1 to C6.
 */
#include "tests/ledger_work.h"

struct ids {
    int64_t outcome, sow, other, assignment, fence;
    struct sov_who who;
};

#define RUN(name)                                                                                  \
    static bool name(struct sov_commit *commit, const struct ids *ids, struct sov_done *done,      \
                     struct sov_error *err)
RUN(define)
{
    struct sov_outcome_request request = work_definition("SKU-TEA");

    (void)ids;
    return sov_outcome_define(commit, &request, done, err);
}
RUN(revise)
{
    struct sov_outcome_request request = work_definition(NULL);

    request.title = "Tea, always";
    request.reason = "clearer";
    return sov_outcome_revise(commit, ids->outcome, &request, done, err);
}
RUN(activate)
{
    return sov_outcome_activate(commit, ids->outcome, done, err);
}
RUN(block)
{
    return sov_outcome_block(commit, ids->outcome, "no supplier", done, err);
}
RUN(unblock)
{
    return sov_outcome_unblock(commit, ids->outcome, "one found", done, err);
}
RUN(reopen)
{
    return sov_outcome_reopen(commit, ids->outcome, "it is gone", done, err);
}
RUN(give_up)
{
    return sov_outcome_fail(commit, ids->outcome, "cannot be", 0, done, err);
}
RUN(cancel)
{
    return sov_outcome_cancel(commit, ids->outcome, "not wanted", 0, done, err);
}
RUN(create)
{
    struct sov_sow_request request = work_scope(ids->outcome);

    return sov_sow_create(commit, &request, done, err);
}
RUN(rescope)
{
    struct sov_sow_request request = work_scope(0);

    request.scope = "Order more tea";
    request.reason = "more is needed";
    return sov_sow_revise(commit, ids->sow, &request, done, err);
}
RUN(ready)
{
    return sov_sow_ready(commit, ids->sow, done, err);
}
RUN(retry)
{
    static const struct sov_inspection inspection = { "did_not_happen", "the shelf is empty" };

    return sov_sow_retry(commit, ids->sow, "again", &inspection, done, err);
}
RUN(withdraw)
{
    return sov_sow_withdraw(commit, ids->sow, "not needed", done, err);
}
RUN(supersede)
{
    return sov_sow_supersede(commit, ids->sow, ids->other, "a better one", done, err);
}
RUN(assign)
{
    struct sov_assignment_request request = { ids->sow, "operator", "keep" };

    return sov_assignment_create(commit, &request, done, err);
}
RUN(recall)
{
    return sov_assignment_cancel(commit, ids->assignment, "another", done, err);
}
RUN(acquire)
{
    int64_t fence;

    return sov_claim_acquire(commit, ids->assignment, 60, &ids->who, &fence, done, err);
}
RUN(renew)
{
    return sov_claim_renew(commit, ids->assignment, ids->fence, 60, &ids->who, done, err);
}
RUN(release)
{
    return sov_claim_release(commit, ids->assignment, ids->fence, "busy", done, err);
}

enum start {
    NOTHING,
    PROPOSED,
    ACTIVE,
    BLOCKED,
    VIOLATED,
    DRAFT,
    READY,
    FAILED,
    ASSIGNED,
    CLAIMED
};

static const struct op {
    const char *name, *actor;
    enum start start;
    const char *id; /* what the operation acts on */
    bool (*run)(struct sov_commit *, const struct ids *, struct sov_done *, struct sov_error *);
} ops[] = {
    { "define", "chair", NOTHING, "OUT-1", define },
    { "revise", "chair", ACTIVE, "OUT-1", revise },
    { "activate", "planner", PROPOSED, "OUT-1", activate },
    { "block", "planner", ACTIVE, "OUT-1", block },
    { "unblock", "planner", BLOCKED, "OUT-1", unblock },
    { "reopen", "planner", VIOLATED, "OUT-1", reopen },
    { "fail", "chair", CLAIMED, "OUT-1", give_up },
    { "cancel", "chair", DRAFT, "OUT-1", cancel },
    { "create", "planner", ACTIVE, "SOW-1", create },
    { "rescope", "planner", DRAFT, "SOW-1", rescope },
    { "ready", "planner", DRAFT, "SOW-1", ready },
    { "retry", "planner", FAILED, "SOW-1", retry },
    { "withdraw", "planner", CLAIMED, "SOW-1", withdraw },
    { "supersede", "planner", DRAFT, "SOW-1", supersede },
    { "assign", "planner", READY, "ASG-1", assign },
    { "recall", "planner", CLAIMED, "ASG-1", recall },
    { "acquire", "operator", ASSIGNED, "ASG-1", acquire },
    { "renew", "operator", CLAIMED, "ASG-1", renew },
    { "release", "operator", CLAIMED, "ASG-1", release },
};

static void reach(struct fixture *f, enum start start, struct ids *ids)
{
    struct sov_done done;

    *ids = (struct ids){ .who = work_who() };
    work_actor(f, "chair", "person", "principal", NULL);
    work_actor(f, "planner", "robot", "master", NULL);
    if (start == NOTHING) return;
    if (start == PROPOSED) {
        ids->outcome = work_define(f, NULL);
        return;
    }
    ids->outcome = work_outcome(f);
    if (start == BLOCKED)
        FIXTURE_DO(f, "master", &done, sov_outcome_block(&commit, 1, "wait", &done, &err));
    if (start == VIOLATED) work_force(f, ids->outcome, SOV_OUTCOME_VIOLATED);
    if (start < DRAFT) return;
    ids->sow = start == DRAFT ? work_draft(f, ids->outcome) : work_sow(f, ids->outcome);
    ids->other = work_draft(f, ids->outcome);
    if (start == FAILED) work_round(f, ids->sow, SOV_ASSIGNMENT_FAILED);
    if (start < ASSIGNED) return;
    ids->assignment = work_assign(f, ids->sow, "operator");
    if (start == CLAIMED) ids->fence = work_claim(f, ids->assignment, "operator");
}

/* Runs `op` with this act; the code of the refusal, or NULL. */
static const char *attempt(struct fixture *f, const struct op *op, const struct ids *ids,
                           const struct sov_act *act, struct sov_done *done)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_error err = { 0 };
    int64_t seq;

    if (!sov_commit_begin(&commit, f->ledger, act, &err)) fail_msg("%s", err.what);
    if (!op->run(&commit, ids, done, &err)) return err.code;
    if (!sov_commit_finish(&commit, &seq, &err)) fail_msg("%s", err.what);
    return NULL;
}

/* The caller compares digests, around a row of refusals. */
static void refused(struct fixture *f, const struct op *op, const struct ids *ids,
                    const struct sov_act *act, const char *code)
{
    struct sov_done done;
    const char *got = attempt(f, op, ids, act, &done);

    if (!got || strcmp(got, code) != 0)
        fail_msg("%s by %s: %s, not %s", op->name, act->actor, got ? got : "done", code);
}

static void suspend(struct fixture *f, const char *id, enum sov_actor_change change)
{
    struct sov_done done;

    FIXTURE_DO(f, "principal", &done, sov_actor_change(&commit, id, change, "x", &done, &err));
}

static void authority_and_expectations(struct fixture *f, const struct op *op,
                                       const struct ids *ids)
{
    struct sov_act act = fixture_act("verifier");
    struct sov_hash before, after;

    suspend(f, op->actor, SOV_ACTOR_SUSPEND);
    act.actor = op->actor;
    refused(f, op, ids, &act, "actor_inactive");
    suspend(f, op->actor, SOV_ACTOR_RESUME);
    before = fixture_digest(f);
    act.actor = "verifier";
    refused(f, op, ids, &act, "not_authorised");
    act.actor = "ghost";
    refused(f, op, ids, &act, "no_such_id");
    act.actor = op->actor;
    act.expect_version = 77;
    refused(f, op, ids, &act, "moved");
    act.expect_version = -1;
    act.expect_seq = fixture_head(f) - 1;
    refused(f, op, ids, &act, "moved");
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

static void a_rehearsal_leaves_nothing(struct fixture *f, const struct op *op,
                                       const struct ids *ids)
{
    struct sov_act act = fixture_act(op->actor);
    struct sov_hash before = fixture_digest(f), after;
    struct sov_done done = { 0 };
    const char *code;

    act.dry = true;
    act.expect_seq = fixture_head(f);
    code = attempt(f, op, ids, &act, &done);
    if (code) fail_msg("%s would be refused: %s", op->name, code);
    assert_int_equal(done.effect, SOV_WOULD);
    assert_int_equal(done.seq, 0);
    assert_string_equal(done.id, op->id);
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

static void a_repeat_is_the_same_answer(struct fixture *f, const struct op *op,
                                        const struct ids *ids)
{
    struct sov_act act = fixture_act(op->actor);
    const struct op *other = op->run == block ? &ops[4] : &ops[3];
    struct sov_done first = { 0 }, second = { 0 };
    struct ids elsewhere = *ids;
    struct sov_hash before, after;
    const char *code;

    act.key = "turn-7";
    code = attempt(f, op, ids, &act, &first);
    if (code) fail_msg("%s was refused: %s", op->name, code);
    assert_int_equal(first.effect, SOV_CREATED);
    assert_string_equal(first.id, op->id);
    fixture_tick(f, 1000);
    before = fixture_digest(f);
    code = attempt(f, op, ids, &act, &second);
    if (code) fail_msg("%s again was refused: %s", op->name, code);
    assert_int_equal(second.effect, SOV_NOOP);
    assert_int_equal(second.seq, first.seq);
    assert_string_equal(second.id, first.id);
    elsewhere.outcome = 99;
    refused(f, other, &elsewhere, &act, "key_reused");
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

static void every_operation_asks_what_all_ask(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct fixture f;
        struct ids ids;

        fixture_open(&f);
        reach(&f, ops[i].start, &ids);
        authority_and_expectations(&f, &ops[i], &ids);
        a_rehearsal_leaves_nothing(&f, &ops[i], &ids);
        a_repeat_is_the_same_answer(&f, &ops[i], &ids);
        fixture_assert_refold_equal(&f);
        fixture_close(&f);
    }
}

static void what_is_named_must_be_there(void **state)
{
    struct fixture *f = *state;
    struct ids ids = { 99, 99, 98, 99, 5, work_who() };
    struct sov_hash before, after;

    work_actor(f, "chair", "person", "principal", NULL);
    work_actor(f, "planner", "robot", "master", NULL);
    before = fixture_digest(f);
    for (size_t i = 1; i < sizeof ops / sizeof *ops; i++) {
        struct sov_act act = fixture_act(ops[i].actor);

        refused(f, &ops[i], &ids, &act, "no_such_id");
    }
    after = fixture_digest(f);
    assert_memory_equal(&before, &after, sizeof before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_asks_what_all_ask),
        cmocka_unit_test_setup_teardown(what_is_named_must_be_there, work_setup, work_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
