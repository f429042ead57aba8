/* The operations on messages. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "ledger/actor.h"
#include "ledger/assignment.h"
#include "ledger/claim_kind.h"
#include "ledger/message.h"
#include "ledger/row.h"
#include "ledger/sow.h"

static struct sov_bytes said(const char *text)
{
    return sov_bytes_text(text ? text : "");
}

static struct sov_stream stream_of(int64_t n)
{
    return sov_stream_numbered(SOV_STREAM_MESSAGE, n);
}

/* ---- send ---- */

/* "outcome/OUT-3" of "OUT-3" or itself; NULL stays NULL. */
static bool about_of(const struct sov_message_request *request, struct sov_arena *arena,
                     struct sov_stream *stream_out, const char **text_out, struct sov_error *err)
{
    struct sov_stream stream;

    *text_out = NULL;
    if (!request->about) return true;
    if (!sov_stream_parse_id(sov_bytes_text(request->about), &stream) &&
        !sov_stream_parse(sov_bytes_text(request->about), &stream))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "a message is about a stream: OUT-3, or outcome/OUT-3");
    *stream_out = stream;
    *text_out = sov_arena_printf(arena, "%s/%s", sov_stream_word(stream.kind),
                                 sov_stream_id(&stream, arena));
    return true;
}

static bool sent_payload(struct sov_commit *commit, const struct sov_message_request *request,
                         const char *about, const struct sov_blob_ref *body,
                         struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    if (about) sov_put_text(&w, "about", about);
    if (request->body.data && !body->media_type) sov_put_bytes(&w, "body", request->body);
    if (body->media_type) sov_blob_ref_put(&w, "body_ref", body);
    if (request->reply_to) sov_put_number(&w, "reply_to", SOV_STREAM_MESSAGE, request->reply_to);
    sov_put_text(&w, "subject", request->subject);
    sov_put_text(&w, "to", request->to);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static bool well_formed(const struct sov_message_request *request, struct sov_error *err)
{
    struct sov_bytes to = said(request->to);

    if (strncmp(request->to ? request->to : "", "role/", 5) == 0)
        to = sov_bytes_text(request->to + 5);
    if (!sov_text_is_id(to))
        return sov_fail(err, SOV_USAGE, "bad_value", "a message is to an actor, or to role/ROLE");
    if (!sov_policy_text("the subject", said(request->subject), SOV_TEXT_TITLE, err)) return false;
    return !request->body.data ||
           sov_policy_text("the body", request->body, SOV_MESSAGE_BODY_MAX, err);
}

/* C5: whom it is to, what it is about, what it answers. */
static bool all_there(struct sov_commit *commit, const struct sov_message_request *request,
                      const struct sov_stream *about, struct sov_error *err)
{
    struct sov_message before;
    struct sov_actor actor;
    int64_t sv = 1, seq;
    bool found;

    if (strncmp(request->to, "role/", 5) == 0) {
        if (!sov_policy_role(commit->policy, request->to + 5))
            return sov_fail(err, SOV_USAGE, "role_unknown", "the policy has no role %s",
                            request->to + 5);
    } else {
        if (!sov_actor_find(commit->ledger, request->to, &commit->arena, &actor, &found, err))
            return false;
        if (!found)
            return sov_fail(err, SOV_ABSENT, "no_such_id", "there is no actor %s", request->to);
    }
    if (about && !sov_stream_newest(commit->ledger->state, about, &sv, &seq, err)) return false;
    if (!sv)
        return sov_fail(err, SOV_ABSENT, "no_such_id", "there is no %s %s",
                        sov_stream_word(about->kind), sov_stream_id(about, &commit->arena));
    return !request->reply_to ||
           sov_message_get(commit->ledger, request->reply_to, &commit->arena, &before, err);
}

bool sov_message_send(struct sov_commit *commit, const struct sov_message_request *request,
                      struct sov_done *done_out, struct sov_error *err)
{
    static const char plain[] = "text/plain";
    struct sov_addition lead = { .type = SOV_EVENT_MESSAGE_SENT };
    struct sov_blob_ref body = { .media_type = NULL };
    struct sov_stream about;
    const char *text;
    bool again;

    if (!well_formed(request, err) || !about_of(request, &commit->arena, &about, &text, err))
        return false;
    if (request->body.size > SOV_TEXT_MESSAGE)
        body = (struct sov_blob_ref){ sov_blob_digest(sov_bytes(NULL, 0), request->body),
                                      (int64_t)request->body.size, plain };
    if (!sent_payload(commit, request, text, &body, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, NULL, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    return all_there(commit, request, text ? &about : NULL, err) &&
           sov_commit_expect(commit, NULL, err) &&
           (!body.media_type || sov_blob_put(commit, request->body, plain, false, &body, err)) &&
           sov_commit_next(commit, SOV_STREAM_MESSAGE, &lead.stream, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

bool sov_message_follow_review(struct sov_commit *commit, int64_t review, int64_t sow,
                               const char *decision, struct sov_bytes rationale,
                               struct sov_error *err)
{
    struct sov_arena *arena = &commit->arena;
    struct sov_addition addition = { .type = SOV_EVENT_MESSAGE_SENT };
    struct sov_message_request request = { .body = rationale };
    struct sov_blob_ref none = { .media_type = NULL };
    struct sov_assignment work;
    struct sov_sow row;

    if (!sov_sow_get(commit->ledger, sow, arena, &row, err) ||
        !sov_assignment_get(commit->ledger, row.assignment, arena, &work, err))
        return false;
    assert(rationale.size <= SOV_TEXT_MESSAGE); /* a rationale is shorter */
    request.to = work.actor;
    request.subject = sov_arena_printf(arena, "REV-%lld says %s of SOW-%lld", (long long)review,
                                       decision, (long long)sow);
    return sent_payload(commit, &request, sov_arena_printf(arena, "sow/SOW-%lld", (long long)sow),
                        &none, &addition.data, err) &&
           sov_commit_next(commit, SOV_STREAM_MESSAGE, &addition.stream, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}

/* ---- claim ---- */

static bool refuse_step(const struct sov_message *message, struct sov_error *err)
{
    return sov_refuse_state(err, SOV_STREAM_MESSAGE, message->n,
                            sov_policy_message_name(message->state), "");
}

static bool claimable(struct sov_commit *commit, const struct sov_message *message, int64_t ttl_s,
                      struct sov_error *err)
{
    if (!sov_message_is_for(message, commit->act.actor, commit->asker_role)) {
        sov_error_set(err, SOV_DENIED, "not_addressed", "MSG-%lld is for %s", (long long)message->n,
                      message->to);
        return sov_refuse_about(err, SOV_STREAM_MESSAGE, message->n);
    }
    if (message->state == SOV_MESSAGE_CLAIMED) {
        sov_error_set(err, SOV_CONFLICT, "claim_held", "MSG-%lld is claimed",
                      (long long)message->n);
        return sov_refuse_about(err, SOV_STREAM_MESSAGE, message->n);
    }
    if (!sov_policy_message_arrow(message->state, SOV_MESSAGE_BY_CLAIMED, SOV_MESSAGE_CLAIMED))
        return refuse_step(message, err);
    return sov_policy_ttl(commit->policy, ttl_s, err);
}

bool sov_message_claim(struct sov_commit *commit, int64_t n, int64_t ttl_s,
                       const struct sov_who *who, int64_t *fence_out, struct sov_done *done_out,
                       struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_CLAIM_ACQUIRED, .stream = stream_of(n) };
    struct sov_claim_life life = { .ttl_s = ttl_s ? ttl_s : commit->policy->ttl_message,
                                   .who = who };
    struct sov_message message;
    bool again;

    if (!sov_claim_life(commit, &life, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) {
        *fence_out = done_out->seq;
        return true;
    }
    if (!sov_message_get(commit->ledger, n, &commit->arena, &message, err) ||
        !sov_commit_expect(commit, &lead.stream, err) ||
        !claimable(commit, &message, life.ttl_s, err))
        return false;
    lead.cause[0] = message.seq;
    if (!sov_commit_lead(commit, &lead, done_out, err)) return false;
    *fence_out = commit->lead;
    return true;
}

/* ---- under the claim ---- */

/* C5, C6, the fence, and the arrow. */
static bool holds(struct sov_commit *commit, const struct sov_addition *lead,
                  enum sov_message_by by, enum sov_message_state to,
                  struct sov_message *message_out, struct sov_error *err)
{
    struct sov_claim claim;

    if (!sov_message_get(commit->ledger, lead->stream.n, &commit->arena, message_out, err) ||
        !sov_commit_expect(commit, &lead->stream, err) ||
        !sov_claim_held_on(commit, &lead->stream, lead->fence, &claim, err))
        return false;
    return sov_policy_message_arrow(message_out->state, by, to) || refuse_step(message_out, err);
}

bool sov_message_release(struct sov_commit *commit, int64_t n, int64_t fence, const char *reason,
                         struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition lead = {
        .type = SOV_EVENT_CLAIM_RELEASED, .stream = stream_of(n), .fence = fence, .cause = { fence }
    };
    struct sov_message message;
    bool again;

    if (!sov_policy_reason(said(reason), err) ||
        !sov_commit_payload_text(commit, "reason", reason, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return sov_claim_repeated(commit, done_out, fence, err);
    return holds(commit, &lead, SOV_MESSAGE_BY_RELEASED, SOV_MESSAGE_NEW, &message, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

bool sov_message_done(struct sov_commit *commit, int64_t n, int64_t fence, const char *result,
                      struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition lead = {
        .type = SOV_EVENT_MESSAGE_DONE, .stream = stream_of(n), .fence = fence, .cause = { fence }
    };
    struct sov_message message;
    bool again;

    if (result && !sov_policy_text("the result", said(result), SOV_TEXT_REASON, err)) return false;
    if (!sov_commit_payload_text(commit, "result", result, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return sov_claim_repeated(commit, done_out, fence, err);
    return holds(commit, &lead, SOV_MESSAGE_BY_DONE, SOV_MESSAGE_DONE, &message, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

/* One more failure: back to the mailbox, or out of it at the limit. */
static enum sov_message_state next_state(const struct sov_commit *commit, int64_t retries)
{
    return retries >= commit->policy->limits_message_retries ? SOV_MESSAGE_DEAD : SOV_MESSAGE_NEW;
}

static bool failed_payload(struct sov_commit *commit, enum sov_message_state next,
                           const char *reason, int64_t retries, struct sov_bytes *data_out,
                           struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "next", sov_policy_message_name(next));
    sov_put_text(&w, "reason", reason);
    sov_put_int(&w, "retries", retries);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_message_fail(struct sov_commit *commit, int64_t n, int64_t fence, const char *reason,
                      enum sov_message_state *state_out, struct sov_done *done_out,
                      struct sov_error *err)
{
    struct sov_addition lead = {
        .type = SOV_EVENT_MESSAGE_FAILED, .stream = stream_of(n), .fence = fence, .cause = { fence }
    };
    struct sov_message message;
    bool again;

    if (!sov_policy_reason(said(reason), err) ||
        !failed_payload(commit, SOV_MESSAGE_NEW, reason, 1, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) {
        if (!sov_claim_repeated(commit, done_out, fence, err) ||
            !sov_message_get(commit->ledger, n, &commit->arena, &message, err))
            return false;
        *state_out = message.state;
        return true;
    }
    if (!holds(commit, &lead, SOV_MESSAGE_BY_FAILED, SOV_MESSAGE_NEW, &message, err)) return false;
    *state_out = next_state(commit, message.retries + 1);
    return failed_payload(commit, *state_out, reason, message.retries + 1, &lead.data, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

bool sov_message_claim_expired(struct sov_commit *commit, const struct sov_claim *claim,
                               struct sov_expired *expired_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_MESSAGE_FAILED, .stream = claim->resource };
    struct sov_message message;
    enum sov_message_state next;

    if (!sov_message_get(commit->ledger, claim->resource.n, &commit->arena, &message, err))
        return false;
    next = next_state(commit, message.retries + 1);
    if (!failed_payload(commit, next, "the claim expired", message.retries + 1, &addition.data,
                        err) ||
        !sov_commit_follow(commit, &addition, NULL, err))
        return false;
    *expired_out = (struct sov_expired){ .state = sov_policy_message_name(next) };
    return true;
}

/* ---- requeue ---- */

bool sov_message_requeue(struct sov_commit *commit, int64_t n, const char *reason,
                         struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_MESSAGE_REQUEUED, .stream = stream_of(n) };
    struct sov_message message;
    bool again;

    if (!sov_policy_reason(said(reason), err) ||
        !sov_commit_payload_text(commit, "reason", reason, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!sov_message_get(commit->ledger, n, &commit->arena, &message, err)) return false;
    if (strcmp(message.from, commit->act.actor) != 0 &&
        !sov_commit_authorise(commit, SOV_MAY_PLAN, err))
        return false;
    if (!sov_commit_expect(commit, &lead.stream, err)) return false;
    if (!sov_policy_message_arrow(message.state, SOV_MESSAGE_BY_REQUEUED, SOV_MESSAGE_NEW))
        return refuse_step(&message, err);
    lead.cause[0] = message.seq;
    return sov_commit_lead(commit, &lead, done_out, err);
}
