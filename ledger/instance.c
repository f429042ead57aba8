#include "ledger/instance.h"

#include <assert.h>
#include <string.h>

#include "ledger/claim_kind.h"
#include "ledger/instance.sql.h"
#include "ledger/row.h"

static struct sov_bytes said(const char *text)
{
    return sov_bytes_text(text ? text : "");
}

static struct sov_stream stream_of(int64_t n)
{
    return sov_stream_numbered(SOV_STREAM_INSTANCE, n);
}

bool sov_instance_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                       struct sov_instance *instance_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_instance row;
    bool found, ok;

    if (!sov_stmt_open(&stmt, ledger->state, instance_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *found_out = found;
    if (!found) return true;
    row = (struct sov_instance){ .n = sov_column_int(&stmt, 0),
                                 .label = sov_row_text(&stmt, 1, arena),
                                 .actor = sov_row_text(&stmt, 2, arena),
                                 .seq = sov_column_int(&stmt, 4) };
    ok = sov_policy_instance_state(sov_row_text(&stmt, 3, arena), &row.state);
    assert(ok);
    (void)ok;
    *instance_out = row;
    return true;
}

static bool get(struct sov_commit *commit, int64_t n, struct sov_instance *instance_out,
                struct sov_error *err)
{
    bool found;

    if (!sov_instance_find(commit->ledger, n, &commit->arena, instance_out, &found, err))
        return false;
    return found || sov_refuse_absent(err, SOV_STREAM_INSTANCE, n);
}

/* ---- fold ---- */

static bool set(struct sov_fold *fold, const struct sov_event *event, enum sov_instance_state to,
                struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, instance_set_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(sov_policy_instance_name(to)));
    sov_bind_int(&stmt, 2, event->stream.n);
    return sov_stmt_run(&stmt, err);
}

/* The arrow from where its own stream has left it, and the newest claim on it. */
static bool step(struct sov_fold *fold, const struct sov_event *event, enum sov_instance_by by,
                 enum sov_instance_state to, struct sov_claim_row *claim_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    enum sov_instance_state from = SOV_INSTANCE_NONE;
    bool found, own = true;

    if (!sov_claim_row(fold, event, claim_out, err) ||
        !sov_stmt_open(&stmt, fold->db, instance_row_sql, err))
        return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) {
        own = by != SOV_INSTANCE_BY_CLAIMED ||
              sov_bytes_equal(sov_column_text(&stmt, 1), event->actor);
        if (!sov_policy_instance_state(sov_row_text(&stmt, 0, fold->arena), &from))
            return sov_fold_fail(err, event, "an instance in no known state");
    }
    if (!own) return sov_fold_fail(err, event, "an instance is claimed by who registered it");
    if (sov_policy_instance_arrow(from, by, to)) return true;
    return sov_fold_fail(err, event, "no arrow leads from %s to %s by %s",
                         sov_policy_instance_name(from), sov_policy_instance_name(to),
                         sov_event_row(event->type)->type);
}

bool sov_instance_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_claim_row claim;

    if (event->type == SOV_EVENT_INSTANCE_RETIRED)
        return step(fold, event, SOV_INSTANCE_BY_RETIRED, SOV_INSTANCE_RETIRED, &claim, err) &&
               sov_claim_row_under(event, &claim, err) && sov_claim_row_end(fold, event, err) &&
               set(fold, event, SOV_INSTANCE_RETIRED, err);
    if (!step(fold, event, SOV_INSTANCE_BY_REGISTERED, SOV_INSTANCE_REGISTERED, &claim, err))
        return false;
    if (!sov_stmt_open(&stmt, fold->db, instance_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_text(&stmt, 2, sov_data_text(event, "label", fold->arena));
    sov_bind_text(&stmt, 3, event->actor);
    sov_bind_text(&stmt, 4, sov_bytes_text(sov_policy_instance_name(SOV_INSTANCE_REGISTERED)));
    sov_bind_int(&stmt, 5, event->seq);
    return sov_stmt_run(&stmt, err);
}

bool sov_instance_claim_fold(struct sov_fold *fold, const struct sov_event *event,
                             struct sov_error *err)
{
    struct sov_claim_row claim;

    if (event->type == SOV_EVENT_CLAIM_ACQUIRED)
        return step(fold, event, SOV_INSTANCE_BY_CLAIMED, SOV_INSTANCE_CLAIMED, &claim, err) &&
               sov_claim_row_add(fold, event, 0, err) &&
               set(fold, event, SOV_INSTANCE_CLAIMED, err);
    if (event->type == SOV_EVENT_CLAIM_RENEWED)
        return step(fold, event, SOV_INSTANCE_BY_RENEWED, SOV_INSTANCE_CLAIMED, &claim, err) &&
               sov_claim_row_under(event, &claim, err) && sov_claim_row_renew(fold, event, err);
    if (event->type != SOV_EVENT_CLAIM_EXPIRED)
        return sov_fold_fail(err, event, "the claim on an instance is not released");
    return step(fold, event, SOV_INSTANCE_BY_EXPIRED, SOV_INSTANCE_REGISTERED, &claim, err) &&
           sov_claim_row_under(event, &claim, err) && sov_claim_row_end(fold, event, err) &&
           set(fold, event, SOV_INSTANCE_REGISTERED, err);
}

/* ---- operations ---- */

bool sov_instance_register(struct sov_commit *commit, const char *label, struct sov_done *done_out,
                           struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_INSTANCE_REGISTERED };
    bool again;

    if (!sov_policy_text("the label", said(label), SOV_TEXT_TITLE, err) ||
        !sov_commit_payload_text(commit, "label", label, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, NULL, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    return sov_commit_expect(commit, NULL, err) &&
           sov_commit_next(commit, SOV_STREAM_INSTANCE, &lead.stream, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

static bool claimable(struct sov_commit *commit, const struct sov_instance *instance, int64_t ttl_s,
                      struct sov_error *err)
{
    if (strcmp(commit->act.actor, instance->actor) != 0) {
        sov_error_set(err, SOV_DENIED, "not_addressed", "INS-%lld was registered by %s",
                      (long long)instance->n, instance->actor);
        return sov_refuse_about(err, SOV_STREAM_INSTANCE, instance->n);
    }
    if (instance->state == SOV_INSTANCE_CLAIMED) {
        sov_error_set(err, SOV_CONFLICT, "claim_held", "INS-%lld is claimed",
                      (long long)instance->n);
        return sov_refuse_about(err, SOV_STREAM_INSTANCE, instance->n);
    }
    if (!sov_policy_instance_arrow(instance->state, SOV_INSTANCE_BY_CLAIMED, SOV_INSTANCE_CLAIMED))
        return sov_refuse_state(err, SOV_STREAM_INSTANCE, instance->n,
                                sov_policy_instance_name(instance->state), "");
    return sov_policy_ttl(commit->policy, ttl_s, err);
}

bool sov_instance_claim(struct sov_commit *commit, int64_t n, int64_t ttl_s,
                        const struct sov_who *who, int64_t *fence_out, struct sov_done *done_out,
                        struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_CLAIM_ACQUIRED, .stream = stream_of(n) };
    struct sov_claim_life life = { .ttl_s = ttl_s ? ttl_s : commit->policy->ttl_instance,
                                   .who = who };
    struct sov_instance instance;
    bool again;

    if (!sov_claim_life(commit, &life, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) {
        *fence_out = done_out->seq;
        return true;
    }
    if (!get(commit, n, &instance, err) || !sov_commit_expect(commit, &lead.stream, err) ||
        !claimable(commit, &instance, life.ttl_s, err))
        return false;
    lead.cause[0] = instance.seq;
    if (!sov_commit_lead(commit, &lead, done_out, err)) return false;
    *fence_out = commit->lead;
    return true;
}

bool sov_instance_renew(struct sov_commit *commit, int64_t n, int64_t fence, int64_t ttl_s,
                        const struct sov_who *who, struct sov_done *done_out, struct sov_error *err)
{
    struct sov_stream stream = stream_of(n);

    return sov_claim_renew_on(commit, &stream, fence, ttl_s, commit->policy->ttl_instance, who,
                              done_out, err);
}

bool sov_instance_retire(struct sov_commit *commit, int64_t n, int64_t fence, const char *reason,
                         struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_INSTANCE_RETIRED,
                                 .stream = stream_of(n),
                                 .fence = fence,
                                 .cause = { fence } };
    struct sov_instance instance;
    struct sov_claim claim;
    bool again;

    if (!sov_policy_reason(said(reason), err) ||
        !sov_commit_payload_text(commit, "reason", reason, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return sov_claim_repeated(commit, done_out, fence, err);
    return get(commit, n, &instance, err) && sov_commit_expect(commit, &lead.stream, err) &&
           sov_claim_held_on(commit, &lead.stream, fence, &claim, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}

bool sov_instance_claim_expired(struct sov_commit *commit, const struct sov_claim *claim,
                                struct sov_expired *expired_out, struct sov_error *err)
{
    (void)commit;
    (void)claim;
    (void)err;
    *expired_out =
        (struct sov_expired){ .state = sov_policy_instance_name(SOV_INSTANCE_REGISTERED) };
    return true;
}
