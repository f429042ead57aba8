/* The operations on claims: acquire, renew, release, expire. */
#include <assert.h>

#include "ledger/assignment.h"
#include "ledger/claim_kind.h"
#include "ledger/log.h"
#include "ledger/outcome.h"
#include "ledger/row.h"
#include "ledger/sow.h"

bool sov_claim_life(struct sov_commit *commit, const struct sov_claim_life *life,
                    struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    if (life->attempt) sov_put_int(&w, "attempt", life->attempt);
    if (life->instance_fence) sov_put_int(&w, "instance_fence", life->instance_fence);
    sov_put_int(&w, "ttl_s", life->ttl_s);
    sov_who_put(&w, "who", life->who);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* ---- acquire ---- */

/* In the order of model.md 4: the answer to a second claim tells more than wrong_state. */
static bool claimable(struct sov_commit *commit, const struct sov_assignment *assignment,
                      int64_t ttl_s, struct sov_error *err)
{
    struct sov_outcome outcome;
    int64_t live;

    if (!sov_outcome_get(commit->ledger, assignment->outcome, &commit->arena, &outcome, err) ||
        !sov_outcome_open(&outcome, err))
        return false;
    if (strcmp(commit->act.actor, assignment->actor) != 0) {
        sov_error_set(err, SOV_DENIED, "not_addressed", "ASG-%lld is for %s",
                      (long long)assignment->n, assignment->actor);
        return sov_refuse_about(err, SOV_STREAM_ASSIGNMENT, assignment->n);
    }
    if (assignment->state == SOV_ASSIGNMENT_RUNNING) {
        sov_error_set(err, SOV_CONFLICT, "claim_held", "ASG-%lld is claimed, fence %lld",
                      (long long)assignment->n, (long long)assignment->fence);
        return sov_refuse_about(err, SOV_STREAM_ASSIGNMENT, assignment->n);
    }
    if (!sov_policy_assignment_arrow(assignment->state, SOV_ASSIGNMENT_BY_CLAIMED,
                                     SOV_ASSIGNMENT_RUNNING))
        return sov_refuse_state(err, SOV_STREAM_ASSIGNMENT, assignment->n,
                                sov_policy_assignment_name(assignment->state), "");
    if (!sov_claim_count_live(commit->ledger, assignment->actor, &live, err)) return false;
    if (live >= commit->policy->limits_live_attempts_per_actor)
        return sov_fail(err, SOV_CONFLICT, "actor_busy", "%s holds %lld live claims",
                        assignment->actor, (long long)live);
    if (assignment->attempts >= commit->policy->limits_attempts_per_assignment) {
        sov_error_set(err, SOV_DENIED, "attempts_exhausted", "ASG-%lld has had %lld attempts",
                      (long long)assignment->n, (long long)assignment->attempts);
        return sov_refuse_about(err, SOV_STREAM_ASSIGNMENT, assignment->n);
    }
    return sov_policy_ttl(commit->policy, ttl_s, err);
}

bool sov_claim_acquire(struct sov_commit *commit, int64_t assignment, int64_t ttl_s,
                       const struct sov_who *who, int64_t *fence_out, struct sov_done *done_out,
                       struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_CLAIM_ACQUIRED,
                                     .stream =
                                         sov_stream_numbered(SOV_STREAM_ASSIGNMENT, assignment) };
    struct sov_claim_life life = { .attempt = 1, .ttl_s = ttl_s, .who = who };
    struct sov_assignment work;
    bool again;

    if (!ttl_s) life.ttl_s = commit->policy->ttl_attempt;
    if (!sov_claim_life(commit, &life, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) {
        *fence_out = done_out->seq;
        return true;
    }
    if (!sov_assignment_get(commit->ledger, assignment, &commit->arena, &work, err) ||
        !sov_commit_expect(commit, &addition.stream, err) ||
        !claimable(commit, &work, life.ttl_s, err))
        return false;
    addition.cause[0] = work.seq;
    life.attempt = work.attempts + 1;
    if (!sov_claim_life(commit, &life, &addition.data, err) ||
        !sov_commit_lead(commit, &addition, done_out, err))
        return false;
    *fence_out = commit->lead;
    return sov_sow_follow_started(commit, work.sow, assignment, work.attempts + 1, err);
}

/* ---- renew, release ---- */

/* The fence is part of the request: under another one it is another request. */
bool sov_claim_repeated(struct sov_commit *commit, const struct sov_done *done, int64_t fence,
                        struct sov_error *err)
{
    struct sov_event before;

    if (!sov_log_event(commit->ledger, done->seq, &commit->arena, &before, err)) return false;
    if (before.fence == fence) return true;
    return sov_fail(err, SOV_CONFLICT, "key_reused",
                    "the idempotency key %s was used under fence %lld", commit->act.key,
                    (long long)before.fence);
}

/* C5, C6, the fence, which is asked before the arrow, and the arrow. */
static bool holds(struct sov_commit *commit, const struct sov_addition *addition,
                  enum sov_assignment_by by, enum sov_assignment_state to,
                  struct sov_assignment *work_out, struct sov_claim *claim_out,
                  struct sov_error *err)
{
    if (!sov_assignment_get(commit->ledger, addition->stream.n, &commit->arena, work_out, err) ||
        !sov_commit_expect(commit, &addition->stream, err) ||
        !sov_claim_held(commit, addition->stream.n, addition->fence, claim_out, err))
        return false;
    if (!sov_policy_assignment_arrow(work_out->state, by, to))
        return sov_refuse_state(err, SOV_STREAM_ASSIGNMENT, work_out->n,
                                sov_policy_assignment_name(work_out->state), "");
    return true;
}

bool sov_claim_renew_on(struct sov_commit *commit, const struct sov_stream *resource, int64_t fence,
                        int64_t ttl_s, int64_t ttl_usual, const struct sov_who *who,
                        struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_CLAIM_RENEWED,
                                     .fence = fence,
                                     .stream = *resource };
    struct sov_claim_life life = { .ttl_s = ttl_s ? ttl_s : ttl_usual, .who = who };
    struct sov_claim claim;
    bool again;

    if (!sov_claim_life(commit, &life, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, resource, addition.data, done_out, &again, err))
        return false;
    if (again) return sov_claim_repeated(commit, done_out, fence, err);
    addition.cause[0] = fence;
    return sov_commit_expect(commit, resource, err) &&
           sov_claim_held_on(commit, resource, fence, &claim, err) &&
           sov_policy_ttl(commit->policy, life.ttl_s, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_claim_renew(struct sov_commit *commit, int64_t assignment, int64_t fence, int64_t ttl_s,
                     const struct sov_who *who, struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_CLAIM_RENEWED,
                                     .fence = fence,
                                     .stream =
                                         sov_stream_numbered(SOV_STREAM_ASSIGNMENT, assignment) };
    struct sov_claim_life life = { .ttl_s = ttl_s, .who = who };
    struct sov_assignment work;
    struct sov_claim claim;
    bool again;

    if (!ttl_s) life.ttl_s = commit->policy->ttl_attempt;
    if (!sov_claim_life(commit, &life, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return sov_claim_repeated(commit, done_out, fence, err);
    addition.cause[0] = fence;
    return holds(commit, &addition, SOV_ASSIGNMENT_BY_RENEWED, SOV_ASSIGNMENT_RUNNING, &work,
                 &claim, err) &&
           sov_policy_ttl(commit->policy, life.ttl_s, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_claim_release(struct sov_commit *commit, int64_t assignment, int64_t fence,
                       const char *reason, struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_CLAIM_RELEASED,
                                     .fence = fence,
                                     .stream =
                                         sov_stream_numbered(SOV_STREAM_ASSIGNMENT, assignment) };
    struct sov_assignment work;
    struct sov_claim claim;
    struct sov_writer w;
    bool again;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err)) return false;
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return sov_claim_repeated(commit, done_out, fence, err);
    if (!holds(commit, &addition, SOV_ASSIGNMENT_BY_RELEASED, SOV_ASSIGNMENT_CREATED, &work, &claim,
               err))
        return false;
    if (claim.started) {
        sov_error_set(err, SOV_CONFLICT, "already_started", "the run of ASG-%lld has started",
                      (long long)assignment);
        return sov_refuse_about(err, SOV_STREAM_ASSIGNMENT, assignment);
    }
    addition.cause[0] = fence;
    return sov_commit_lead(commit, &addition, done_out, err) &&
           sov_sow_follow_returned(commit, work.sow, assignment, SOV_SOW_ASSIGNED, "claim.released",
                                   err);
}

/* ---- expire ---- */

enum sov_claim_verdict sov_claim_judge(const struct sov_policy *policy,
                                       const struct sov_claim *claim, bool gone,
                                       const struct sov_now *now, int64_t newest_at_ms,
                                       const char **ground_out)
{
    struct sov_claim_facts facts = {
        .at_ms = claim->at_ms,
        .ttl_s = claim->ttl_s,
        .boot_ms = claim->who.boot_ms,
        .machine = claim->who.machine,
        .boot = claim->who.boot,
        .gone = gone && claim->who.pid > 0,
    };

    if (claim->doubted) {
        facts.doubt.machine = claim->doubt.machine;
        facts.doubt.boot = claim->doubt.boot;
        facts.doubt.boot_ms = claim->doubt.boot_ms;
    }
    return sov_policy_claim(policy, &facts, now, newest_at_ms, ground_out);
}

bool sov_claim_doubt(struct sov_commit *commit, const struct sov_claim *claim,
                     const struct sov_who *judge, struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_CLAIM_ANOMALOUS,
                                     .cause = { claim->fence },
                                     .stream = claim->resource };
    struct sov_writer w = sov_commit_writer(commit);
    char deadline[SOV_INSTANT_TEXT + 1];
    struct sov_claim live;
    bool again;

    assert(!commit->act.actor);
    sov_instant_format(sov_instant_after((struct sov_instant){ claim->at_ms }, claim->ttl_s),
                       deadline);
    sov_write_object(&w);
    sov_put_text(&w, "deadline", deadline);
    sov_who_put(&w, "who", judge);
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                          err) &&
           sov_claim_held_on(commit, &claim->resource, claim->fence, &live, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

static bool follow_expired(struct sov_commit *commit, const struct sov_claim *claim,
                           struct sov_expired *expired_out, struct sov_error *err)
{
#define CLAIMABLE(stream, entity, authority)                                                       \
    if (claim->resource.kind == SOV_STREAM_##stream)                                               \
        return sov_##entity##_claim_expired(commit, claim, expired_out, err);
#include "ledger/event_types.def"
#undef CLAIMABLE
    assert(false);
    return false;
}

bool sov_claim_expire(struct sov_commit *commit, const struct sov_claim *claim, const char *ground,
                      const struct sov_who *judge, struct sov_expired *expired_out,
                      struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_CLAIM_EXPIRED,
                                     .fence = claim->fence,
                                     .cause = { claim->fence },
                                     .stream = claim->resource };
    struct sov_writer w = sov_commit_writer(commit);
    struct sov_claim live;
    bool again;

    assert(!commit->act.actor);
    sov_write_object(&w);
    sov_put_text(&w, "ground", ground);
    sov_who_put(&w, "who", judge);
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                          err) &&
           sov_claim_held_on(commit, &claim->resource, claim->fence, &live, err) &&
           sov_commit_lead(commit, &addition, done_out, err) &&
           follow_expired(commit, &live, expired_out, err);
}
