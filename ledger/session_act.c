/* The operations on sessions, each callback under two fences and two times. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "ledger/actor.h"
#include "ledger/claim_kind.h"
#include "ledger/instance.h"
#include "ledger/row.h"
#include "ledger/session.h"

static struct sov_bytes said(const char *text)
{
    return sov_bytes_text(text ? text : "");
}

static struct sov_stream stream_of(int64_t n)
{
    return sov_stream_numbered(SOV_STREAM_SESSION, n);
}

/* C5; a closed one answers so, before any fence is asked. */
static bool get(struct sov_commit *commit, int64_t n, struct sov_session *session_out,
                struct sov_error *err)
{
    bool found;

    if (!sov_session_find(commit->ledger, n, &commit->arena, session_out, &found, err))
        return false;
    if (!found) return sov_refuse_absent(err, SOV_STREAM_SESSION, n);
    return true;
}

static bool is_open(const struct sov_session *session, struct sov_error *err)
{
    if (session->state != SOV_SESSION_COMPLETED && session->state != SOV_SESSION_ABANDONED)
        return true;
    sov_error_set(err, SOV_CONFLICT, "session_closed", "SES-%lld is %s", (long long)session->n,
                  sov_policy_session_name(session->state));
    return sov_refuse_about(err, SOV_STREAM_SESSION, session->n);
}

/* ---- two fences, two times ---- */

static bool in_time(const struct sov_claim *claim, int64_t at_ms, struct sov_error *err)
{
    if ((at_ms - claim->at_ms) / 1000 < claim->ttl_s) return true;
    sov_error_set(err, SOV_CONFLICT, "claim_overdue",
                  "the time of %s-%lld is over: %lld s from its last sign of life",
                  sov_stream_prefix(claim->resource.kind), (long long)claim->resource.n,
                  (long long)claim->ttl_s);
    return sov_refuse_about(err, claim->resource.kind, claim->resource.n);
}

bool sov_session_instance(const struct sov_ledger *ledger, int64_t instance_fence,
                          const char *actor, int64_t at_ms, struct sov_arena *arena,
                          int64_t *instance_out, struct sov_error *err)
{
    struct sov_claim claim;
    bool found;

    if (!sov_claim_live(ledger, instance_fence, arena, &claim, &found, err)) return false;
    if (!found || claim.resource.kind != SOV_STREAM_INSTANCE || strcmp(claim.holder, actor) != 0)
        return sov_fail(err, SOV_CONFLICT, "instance_fence",
                        "%lld is not the live fence of an instance of %s",
                        (long long)instance_fence, actor);
    if (!in_time(&claim, at_ms, err)) return false;
    *instance_out = claim.resource.n;
    return true;
}

bool sov_session_goes_on(const struct sov_ledger *ledger, const struct sov_session *session,
                         int64_t fence, int64_t at_ms, struct sov_arena *arena,
                         struct sov_error *err)
{
    struct sov_stream stream = stream_of(session->n);
    struct sov_claim claim;
    int64_t instance;
    bool found;

    if (!sov_claim_find_on(ledger, &stream, 0, arena, &claim, &found, err)) return false;
    if (!found || claim.fence != fence) {
        sov_error_set(err, SOV_CONFLICT, "stale_fence", "%lld is not the live fence of SES-%lld",
                      (long long)fence, (long long)session->n);
        return sov_refuse_about(err, SOV_STREAM_SESSION, session->n);
    }
    return sov_session_instance(ledger, session->instance_fence, claim.holder, at_ms, arena,
                                &instance, err) &&
           in_time(&claim, at_ms, err);
}

/* A callback: C5, C6, the fence and its holder, the instance, the times. */
static bool calls_back(struct sov_commit *commit, const struct sov_addition *lead,
                       struct sov_error *err)
{
    struct sov_session session;
    struct sov_claim claim;

    return get(commit, lead->stream.n, &session, err) && is_open(&session, err) &&
           sov_commit_expect(commit, &lead->stream, err) &&
           sov_claim_held_on(commit, &lead->stream, lead->fence, &claim, err) &&
           sov_session_goes_on(commit->ledger, &session, lead->fence, commit->at.ms, &commit->arena,
                               err);
}

/* ---- operations ---- */

static bool open_payload(struct sov_commit *commit, const char *actor, const char *purpose,
                         struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "actor", actor ? actor : "");
    sov_put_text(&w, "purpose", purpose);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_session_open(struct sov_commit *commit, const char *actor, const char *purpose,
                      struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_SESSION_OPENED };
    struct sov_actor whose;
    bool again, found;

    if (!sov_policy_text("the purpose", said(purpose), SOV_TEXT_REASON, err) ||
        !open_payload(commit, actor, purpose, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, NULL, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!sov_actor_find(commit->ledger, actor, &commit->arena, &whose, &found, err)) return false;
    if (!found) return sov_fail(err, SOV_ABSENT, "no_such_id", "there is no actor %s", actor);
    return sov_commit_expect(commit, NULL, err) &&
           sov_commit_next(commit, SOV_STREAM_SESSION, &lead.stream, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

static bool claimable(struct sov_commit *commit, const struct sov_session *session,
                      const struct sov_session_claim *asked, int64_t ttl_s, struct sov_error *err)
{
    int64_t instance;

    if (strcmp(commit->act.actor, session->actor) != 0) {
        sov_error_set(err, SOV_DENIED, "not_addressed", "SES-%lld is of %s", (long long)session->n,
                      session->actor);
        return sov_refuse_about(err, SOV_STREAM_SESSION, session->n);
    }
    if (!is_open(session, err)) return false;
    if (!sov_session_instance(commit->ledger, asked->instance_fence, commit->act.actor,
                              commit->at.ms, &commit->arena, &instance, err))
        return false;
    if (instance != asked->instance) {
        sov_error_set(err, SOV_CONFLICT, "instance_fence", "%lld is not the live fence of INS-%lld",
                      (long long)asked->instance_fence, (long long)asked->instance);
        return sov_refuse_about(err, SOV_STREAM_INSTANCE, asked->instance);
    }
    if (session->state == SOV_SESSION_CLAIMED) {
        sov_error_set(err, SOV_CONFLICT, "claim_held", "SES-%lld is claimed",
                      (long long)session->n);
        return sov_refuse_about(err, SOV_STREAM_SESSION, session->n);
    }
    return sov_policy_ttl(commit->policy, ttl_s, err);
}

bool sov_session_claim(struct sov_commit *commit, const struct sov_session_claim *asked,
                       int64_t *fence_out, int64_t *incarnation_out, struct sov_done *done_out,
                       struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_CLAIM_ACQUIRED,
                                 .stream = stream_of(asked->session) };
    struct sov_claim_life life = { .instance_fence = asked->instance_fence,
                                   .ttl_s =
                                       asked->ttl_s ? asked->ttl_s : commit->policy->ttl_session,
                                   .who = asked->who };
    struct sov_session session;
    bool again;

    if (!sov_claim_life(commit, &life, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err) ||
        !get(commit, asked->session, &session, err))
        return false;
    if (again) {
        *fence_out = done_out->seq;
        *incarnation_out = session.incarnation;
        return true;
    }
    if (!sov_commit_expect(commit, &lead.stream, err) ||
        !claimable(commit, &session, asked, life.ttl_s, err))
        return false;
    lead.cause[0] = session.seq;
    lead.cause[1] = asked->instance_fence;
    if (!sov_commit_lead(commit, &lead, done_out, err)) return false;
    *fence_out = commit->lead;
    *incarnation_out = session.incarnation + 1;
    return true;
}

bool sov_session_renew(struct sov_commit *commit, int64_t n, int64_t fence, int64_t ttl_s,
                       const struct sov_who *who, struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition lead = {
        .type = SOV_EVENT_CLAIM_RENEWED, .stream = stream_of(n), .fence = fence, .cause = { fence }
    };
    struct sov_claim_life life = { .ttl_s = ttl_s ? ttl_s : commit->policy->ttl_session,
                                   .who = who };
    bool again;

    if (!sov_claim_life(commit, &life, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return sov_claim_repeated(commit, done_out, fence, err);
    return calls_back(commit, &lead, err) && sov_policy_ttl(commit->policy, life.ttl_s, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

static bool close_payload(struct sov_commit *commit, const struct sov_session_close *asked,
                          const struct sov_blob_ref *result, struct sov_bytes *data_out,
                          struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    if (asked->reason) sov_put_text(&w, "reason", asked->reason);
    if (result->media_type) sov_blob_ref_put(&w, "result", result);
    sov_put_text(&w, "status", asked->abandoned ? "abandoned" : "completed");
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_session_close(struct sov_commit *commit, const struct sov_session_close *asked,
                       struct sov_done *done_out, struct sov_error *err)
{
    static const char octets[] = "application/octet-stream";
    struct sov_addition lead = { .type = SOV_EVENT_SESSION_CLOSED,
                                 .stream = stream_of(asked->session),
                                 .fence = asked->fence,
                                 .cause = { asked->fence } };
    struct sov_blob_ref result = { .media_type = NULL };
    bool again;

    if (asked->reason && !sov_policy_reason(said(asked->reason), err)) return false;
    if (asked->result.data)
        result = (struct sov_blob_ref){ sov_blob_digest(sov_bytes(NULL, 0), asked->result),
                                        (int64_t)asked->result.size, octets };
    if (!close_payload(commit, asked, &result, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return sov_claim_repeated(commit, done_out, asked->fence, err);
    return calls_back(commit, &lead, err) &&
           (!result.media_type ||
            sov_blob_put(commit, asked->result, octets, false, &result, err)) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

bool sov_session_claim_expired(struct sov_commit *commit, const struct sov_claim *claim,
                               struct sov_expired *expired_out, struct sov_error *err)
{
    (void)commit;
    (void)claim;
    (void)err;
    *expired_out = (struct sov_expired){ .state = sov_policy_session_name(SOV_SESSION_OPEN) };
    return true;
}
