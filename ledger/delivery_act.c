/* The operations on deliveries. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "ledger/actor.h"
#include "ledger/claim_kind.h"
#include "ledger/delivery.h"
#include "ledger/row.h"
#include "ledger/session.h"

enum { KEY_MAX = 200 };

static struct sov_bytes said(const char *text)
{
    return sov_bytes_text(text ? text : "");
}

static struct sov_stream stream_of(int64_t n)
{
    return sov_stream_numbered(SOV_STREAM_DELIVERY, n);
}

static bool get(struct sov_commit *commit, int64_t n, struct sov_delivery *delivery_out,
                struct sov_error *err)
{
    bool found;

    if (!sov_delivery_find(commit->ledger, n, &commit->arena, delivery_out, &found, err))
        return false;
    return found || sov_refuse_absent(err, SOV_STREAM_DELIVERY, n);
}

static bool refuse_step(const struct sov_delivery *delivery, const char *why, struct sov_error *err)
{
    return sov_refuse_state(err, SOV_STREAM_DELIVERY, delivery->n,
                            sov_policy_delivery_name(delivery->state), why);
}

/* ---- queue ---- */

static bool queue_payload(struct sov_commit *commit, const struct sov_delivery_request *request,
                          const struct sov_blob_ref *content, const char *key,
                          struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "channel", request->channel ? request->channel : "");
    sov_blob_ref_put(&w, "content", content);
    sov_put_int(&w, "max_attempts", commit->policy->limits_delivery_attempts);
    sov_put_text(&w, "receiver_key", key);
    if (request->session) sov_put_number(&w, "session", SOV_STREAM_SESSION, request->session);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static bool session_is_there(struct sov_commit *commit, int64_t n, struct sov_error *err)
{
    struct sov_session session;
    bool found;

    if (!n) return true;
    if (!sov_session_find(commit->ledger, n, &commit->arena, &session, &found, err)) return false;
    return found || sov_refuse_absent(err, SOV_STREAM_SESSION, n);
}

bool sov_delivery_queue(struct sov_commit *commit, const struct sov_delivery_request *request,
                        struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_DELIVERY_QUEUED };
    struct sov_blob_ref content = { sov_blob_digest(sov_bytes(NULL, 0), request->content),
                                    (int64_t)request->content.size, request->media_type };
    const char *key = request->receiver_key;
    bool again;

    if (key && !sov_policy_text("the receiver's key", said(key), KEY_MAX, err)) return false;
    if (request->content.size > SOV_DELIVERY_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "the content has %zu bytes, at most %d",
                        request->content.size, SOV_DELIVERY_MAX);
    if (!queue_payload(commit, request, &content, key ? key : "DLV-1", &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, NULL, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!session_is_there(commit, request->session, err) || !sov_commit_expect(commit, NULL, err) ||
        !sov_blob_put(commit, request->content, request->media_type, false, &content, err) ||
        !sov_commit_next(commit, SOV_STREAM_DELIVERY, &lead.stream, err))
        return false;
    if (!key) key = sov_stream_id(&lead.stream, &commit->arena);
    return queue_payload(commit, request, &content, key, &lead.data, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

/* ---- claim ---- */

static bool claimable(struct sov_commit *commit, const struct sov_delivery *delivery, int64_t ttl_s,
                      struct sov_error *err)
{
    char after[SOV_INSTANT_TEXT + 1];

    if (delivery->state == SOV_DELIVERY_CLAIMED || delivery->state == SOV_DELIVERY_STARTED) {
        sov_error_set(err, SOV_CONFLICT, "claim_held", "DLV-%lld is claimed",
                      (long long)delivery->n);
        return sov_refuse_about(err, SOV_STREAM_DELIVERY, delivery->n);
    }
    if (!sov_policy_delivery_arrow(delivery->state, SOV_DELIVERY_BY_CLAIMED, SOV_DELIVERY_CLAIMED))
        return refuse_step(delivery, "", err);
    if (commit->at.ms < delivery->after_ms) {
        sov_instant_format((struct sov_instant){ delivery->after_ms }, after);
        return refuse_step(delivery, sov_arena_printf(&commit->arena, "not before %s", after), err);
    }
    return sov_policy_ttl(commit->policy, ttl_s, err);
}

bool sov_delivery_claim(struct sov_commit *commit, int64_t n, int64_t ttl_s,
                        const struct sov_who *who, int64_t *fence_out, struct sov_done *done_out,
                        struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_CLAIM_ACQUIRED, .stream = stream_of(n) };
    struct sov_claim_life life = { .ttl_s = ttl_s ? ttl_s : commit->policy->ttl_delivery,
                                   .who = who };
    struct sov_delivery delivery;
    bool again;

    if (!sov_claim_life(commit, &life, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) {
        *fence_out = done_out->seq;
        return true;
    }
    if (!get(commit, n, &delivery, err) || !sov_commit_expect(commit, &lead.stream, err) ||
        !claimable(commit, &delivery, life.ttl_s, err))
        return false;
    lead.cause[0] = delivery.seq;
    if (!sov_commit_lead(commit, &lead, done_out, err)) return false;
    *fence_out = commit->lead;
    return true;
}

/* ---- under the claim ---- */

/* C5, C6, the fence, and the arrow. */
static bool holds(struct sov_commit *commit, const struct sov_addition *lead,
                  enum sov_delivery_by by, enum sov_delivery_state to,
                  struct sov_delivery *delivery_out, struct sov_error *err)
{
    struct sov_claim claim;

    if (!get(commit, lead->stream.n, delivery_out, err) ||
        !sov_commit_expect(commit, &lead->stream, err) ||
        !sov_claim_held_on(commit, &lead->stream, lead->fence, &claim, err))
        return false;
    return sov_policy_delivery_arrow(delivery_out->state, by, to) ||
           refuse_step(delivery_out, "", err);
}

static bool start_payload(struct sov_commit *commit, int64_t attempt, struct sov_bytes *data_out,
                          struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_int(&w, "attempt", attempt);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_delivery_start(struct sov_commit *commit, int64_t n, int64_t fence,
                        struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_DELIVERY_STARTED,
                                 .stream = stream_of(n),
                                 .fence = fence,
                                 .cause = { fence } };
    struct sov_delivery delivery;
    bool again;

    if (!start_payload(commit, 1, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return sov_claim_repeated(commit, done_out, fence, err);
    return holds(commit, &lead, SOV_DELIVERY_BY_STARTED, SOV_DELIVERY_STARTED, &delivery, err) &&
           start_payload(commit, delivery.attempts + 1, &lead.data, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

bool sov_delivery_succeed(struct sov_commit *commit, int64_t n, int64_t fence,
                          const char *receiver_ref, struct sov_done *done_out,
                          struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_DELIVERY_SUCCEEDED,
                                 .stream = stream_of(n),
                                 .fence = fence,
                                 .cause = { fence } };
    struct sov_delivery delivery;
    bool again;

    if (receiver_ref && !sov_policy_text("the receiver's word", said(receiver_ref), KEY_MAX, err))
        return false;
    if (!sov_commit_payload_text(commit, "receiver_ref", receiver_ref, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return sov_claim_repeated(commit, done_out, fence, err);
    return holds(commit, &lead, SOV_DELIVERY_BY_SUCCEEDED, SOV_DELIVERY_DELIVERED, &delivery,
                 err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

/* ---- failures ---- */

int64_t sov_delivery_backoff(const struct sov_policy *policy, int64_t attempts)
{
    int64_t wait_s = policy->limits_delivery_backoff;

    for (int64_t i = 1; i < attempts && wait_s < policy->limits_delivery_backoff_max; i++)
        wait_s *= 2;
    return wait_s < policy->limits_delivery_backoff_max ? wait_s
                                                        : policy->limits_delivery_backoff_max;
}

static bool failed_payload(struct sov_commit *commit, const struct sov_delivery *delivery,
                           const char *error, enum sov_delivery_state *next_out,
                           struct sov_bytes *data_out, struct sov_error *err)
{
    int64_t attempts = delivery->attempts + 1;
    enum sov_delivery_state next =
        attempts >= delivery->max_attempts ? SOV_DELIVERY_DEAD : SOV_DELIVERY_QUEUED;
    struct sov_writer w = sov_commit_writer(commit);
    char after[SOV_INSTANT_TEXT + 1];

    sov_instant_format(
        sov_instant_after(commit->at, sov_delivery_backoff(commit->policy, attempts)), after);
    sov_write_object(&w);
    sov_put_int(&w, "attempts", attempts);
    sov_put_text(&w, "error", error);
    sov_put_text(&w, "next", sov_policy_delivery_name(next));
    if (next == SOV_DELIVERY_QUEUED) sov_put_text(&w, "process_after", after);
    sov_write_end(&w);
    *next_out = next;
    return sov_commit_payload(commit, data_out, err);
}

bool sov_delivery_fail(struct sov_commit *commit, int64_t n, int64_t fence, const char *error,
                       enum sov_delivery_state *state_out, struct sov_done *done_out,
                       struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_DELIVERY_FAILED,
                                 .stream = stream_of(n),
                                 .fence = fence,
                                 .cause = { fence } };
    struct sov_delivery delivery = { .max_attempts = 2 };
    bool again;

    if (!sov_policy_reason(said(error), err) ||
        !failed_payload(commit, &delivery, error, state_out, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) {
        if (!sov_claim_repeated(commit, done_out, fence, err) || !get(commit, n, &delivery, err))
            return false;
        *state_out = delivery.state;
        return true;
    }
    return holds(commit, &lead, SOV_DELIVERY_BY_FAILED, SOV_DELIVERY_QUEUED, &delivery, err) &&
           failed_payload(commit, &delivery, error, state_out, &lead.data, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

/* Before the start it counts as a failure; behind it nobody knows, and nothing more is said. */
bool sov_delivery_claim_expired(struct sov_commit *commit, const struct sov_claim *claim,
                                struct sov_expired *expired_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_DELIVERY_FAILED, .stream = claim->resource };
    enum sov_delivery_state next = SOV_DELIVERY_UNKNOWN;
    struct sov_delivery delivery;

    if (!get(commit, claim->resource.n, &delivery, err)) return false;
    if (delivery.state != SOV_DELIVERY_UNKNOWN &&
        (!failed_payload(commit, &delivery, "the claim expired", &next, &addition.data, err) ||
         !sov_commit_follow(commit, &addition, NULL, err)))
        return false;
    *expired_out = (struct sov_expired){ .state = sov_policy_delivery_name(next) };
    return true;
}

/* ---- resolve ---- */

static bool is_person(struct sov_commit *commit, struct sov_error *err)
{
    struct sov_person_facts person;

    if (!sov_actor_person(commit->ledger, commit->act.actor, &commit->arena, &person, err))
        return false;
    if (person.kind == SOV_PERSON) return true;
    sov_error_set(err, SOV_DENIED, "person_required", "%s is no person", person.id);
    sov_error_ref(err, person.id);
    return false;
}

static bool resolve_payload(struct sov_commit *commit, bool delivered, const char *reason,
                            struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "found", delivered ? "delivered" : "not_delivered");
    sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_delivery_resolve(struct sov_commit *commit, int64_t n, bool delivered, const char *reason,
                          struct sov_done *done_out, struct sov_error *err)
{
    enum sov_delivery_state to = delivered ? SOV_DELIVERY_DELIVERED : SOV_DELIVERY_QUEUED;
    struct sov_addition lead = { .type = SOV_EVENT_DELIVERY_RESOLVED, .stream = stream_of(n) };
    struct sov_delivery delivery;
    bool again;

    if (!sov_policy_reason(said(reason), err) ||
        !resolve_payload(commit, delivered, reason, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!is_person(commit, err) || !get(commit, n, &delivery, err) ||
        !sov_commit_expect(commit, &lead.stream, err))
        return false;
    if (!sov_policy_delivery_arrow(delivery.state, SOV_DELIVERY_BY_RESOLVED, to))
        return refuse_step(&delivery, "", err);
    lead.cause[0] = delivery.seq;
    return sov_commit_lead(commit, &lead, done_out, err);
}
