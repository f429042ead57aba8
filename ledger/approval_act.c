/* What becomes of an approval: voted on, revoked, expired, consumed. */
#include <assert.h>

#include "ledger/actor.h"
#include "ledger/approval.h"
#include "ledger/log.h"
#include "ledger/row.h"

enum { STATEMENT_MAX = 16384 };

static struct sov_bytes said(const char *text)
{
    return sov_bytes_text(text ? text : "");
}

/* ---- votes ---- */

static const char *vote_word(bool grants)
{
    return grants ? "grant" : "deny";
}

bool sov_approval_statement(const struct sov_ledger *ledger, int64_t n, bool grants,
                            const char *reason, struct sov_arena *arena,
                            struct sov_bytes *statement_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_approval approval;
    struct sov_identity identity;
    struct sov_writer w;

    if (!sov_policy_reason(said(reason), err) ||
        !sov_approval_get(ledger, n, arena, &approval, err))
        return false;
    sov_ledger_identity(ledger, &identity);
    sov_buf_init(&out, STATEMENT_MAX);
    sov_writer_init(&w, &out);
    sov_write_object(&w);
    sov_put_number(&w, "approval", SOV_STREAM_APPROVAL, n);
    sov_put_hex(&w, "args_digest", sov_hash_bytes(&approval.facts.args));
    sov_put_hex(&w, "ledger", sov_hash_bytes(&identity.id));
    sov_put_hex(&w, "policy", sov_hash_bytes(&approval.facts.policy));
    sov_put_text(&w, "reason", reason);
    sov_put_hex(&w, "request_hash", sov_hash_bytes(&approval.hash));
    sov_put_text(&w, "vote", vote_word(grants));
    sov_write_end(&w);
    if (!sov_buf_whole(&out, "the statement", err)) return false;
    *statement_out = sov_arena_bytes(arena, sov_buf_bytes(&out));
    return true;
}

static bool vote_payload(struct sov_commit *commit, bool grants, const char *reason,
                         const struct sov_signed_by *by, struct sov_bytes *data_out,
                         struct sov_error *err)
{
    static const struct sov_signed_by nobody = { .key = "none" };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    sov_write_key(&w, "sig");
    sov_signed_put(&w, by ? by : &nobody);
    sov_put_text(&w, "vote", vote_word(grants));
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* granted or denied, naming whose votes bear it. */
static bool follow_decided(struct sov_commit *commit, int64_t n, bool grants,
                           const struct sov_people *voters, struct sov_error *err)
{
    struct sov_addition addition = {
        .type = grants ? SOV_EVENT_APPROVAL_GRANTED : SOV_EVENT_APPROVAL_DENIED,
        .stream = sov_stream_numbered(SOV_STREAM_APPROVAL, n),
    };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_list(&w, "voters");
    for (size_t i = 0; i < voters->count; i++) sov_write_text(&w, sov_bytes_text(voters->at[i].id));
    sov_write_end(&w);
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}

static bool conclude(struct sov_commit *commit, const struct sov_approval *approval, bool grants,
                     const struct sov_person_facts *voter, enum sov_approval_state *state_out,
                     struct sov_error *err)
{
    struct sov_people granted = { voter, 1 };

    *state_out = grants ? SOV_APPROVAL_PENDING : SOV_APPROVAL_DENIED;
    if (!grants) return follow_decided(commit, approval->n, false, &granted, err);
    if (!sov_approval_voters(commit->ledger, approval->n, true, &commit->arena, &granted, err))
        return false;
    if (!sov_policy_approval_completes(approval->quorum, approval->persons, &granted)) return true;
    *state_out = SOV_APPROVAL_GRANTED;
    return follow_decided(commit, approval->n, true, &granted, err);
}

static bool may_vote(struct sov_commit *commit, const struct sov_approval *approval,
                     struct sov_person_facts *voter_out, struct sov_error *err)
{
    struct sov_arena *arena = &commit->arena;
    struct sov_person_facts requester;
    struct sov_people voters;

    if (!sov_policy_approval_arrow(approval->facts.state, SOV_APPROVAL_BY_VOTED,
                                   SOV_APPROVAL_PENDING))
        return sov_refuse_state(err, SOV_STREAM_APPROVAL, approval->n,
                                sov_policy_approval_name(approval->facts.state), "");
    if (!sov_actor_person(commit->ledger, commit->act.actor, arena, voter_out, err) ||
        !sov_actor_person(commit->ledger, approval->requester, arena, &requester, err) ||
        !sov_approval_voters(commit->ledger, approval->n, false, arena, &voters, err))
        return false;
    if (sov_policy_approval_vote(commit->policy, voter_out, &requester, &voters,
                                 approval->facts.expires_ms, commit->at.ms, err))
        return true;
    return sov_refuse_about(err, SOV_STREAM_APPROVAL, approval->n);
}

bool sov_approval_decide(struct sov_commit *commit, int64_t n, bool grants, const char *reason,
                         const struct sov_signed_by *by, enum sov_approval_state *state_out,
                         struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_APPROVAL_VOTED,
                                 .stream = sov_stream_numbered(SOV_STREAM_APPROVAL, n) };
    struct sov_person_facts voter;
    struct sov_approval approval;
    struct sov_bytes statement;
    bool again;

    if (!sov_policy_reason(said(reason), err) ||
        !vote_payload(commit, grants, reason, by, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err) ||
        !sov_approval_get(commit->ledger, n, &commit->arena, &approval, err))
        return false;
    *state_out = approval.facts.state;
    if (again) return true;
    if (!sov_commit_expect(commit, &lead.stream, err) || !may_vote(commit, &approval, &voter, err))
        return false;
    if (!by) return sov_fail(err, SOV_INTEGRITY, "bad_signature", "the vote is not signed");
    lead.cause[0] = approval.seq;
    return sov_approval_statement(commit->ledger, n, grants, reason, &commit->arena, &statement,
                                  err) &&
           sov_statement_check(commit->ledger, commit->act.actor, SOV_APPROVAL_TAG, statement, by,
                               0, err) &&
           sov_commit_lead(commit, &lead, done_out, err) &&
           conclude(commit, &approval, grants, &voter, state_out, err);
}

/* ---- revoked, expired, consumed ---- */

static bool ends(const struct sov_approval *approval, enum sov_approval_by by,
                 enum sov_approval_state to, struct sov_error *err)
{
    if (sov_policy_approval_arrow(approval->facts.state, by, to)) return true;
    return sov_refuse_state(err, SOV_STREAM_APPROVAL, approval->n,
                            sov_policy_approval_name(approval->facts.state), "");
}

/* Who may vote may also take it back, and so may who asked, while he may ask. */
static bool may_revoke(struct sov_commit *commit, const char *requester, struct sov_error *err)
{
    bool own = requester && strcmp(requester, commit->act.actor) == 0;

    if ((own || !requester) && sov_policy_may(commit->policy, commit->asker_role, SOV_MAY_REQUEST))
        return true;
    return sov_commit_authorise(commit, SOV_MAY_APPROVE, err);
}

bool sov_approval_revoke(struct sov_commit *commit, int64_t n, const char *reason,
                         struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_APPROVAL_REVOKED,
                                 .stream = sov_stream_numbered(SOV_STREAM_APPROVAL, n) };
    struct sov_approval approval;
    struct sov_writer w;
    bool again;

    if (!sov_policy_reason(said(reason), err)) return false;
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!may_revoke(commit, NULL, err) ||
        !sov_approval_get(commit->ledger, n, &commit->arena, &approval, err) ||
        !may_revoke(commit, approval.requester, err) ||
        !sov_commit_expect(commit, &lead.stream, err) ||
        !ends(&approval, SOV_APPROVAL_BY_REVOKED, SOV_APPROVAL_REVOKED, err))
        return false;
    lead.cause[0] = approval.seq;
    return sov_commit_lead(commit, &lead, done_out, err);
}

bool sov_approval_expire(struct sov_commit *commit, int64_t n, struct sov_done *done_out,
                         struct sov_error *err)
{
    struct sov_addition lead = { .type = SOV_EVENT_APPROVAL_EXPIRED,
                                 .stream = sov_stream_numbered(SOV_STREAM_APPROVAL, n) };
    struct sov_approval approval;
    bool again;

    assert(!commit->act.actor);
    if (!sov_commit_ask(commit, lead.type, &lead.stream, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!sov_approval_get(commit->ledger, n, &commit->arena, &approval, err) ||
        !ends(&approval, SOV_APPROVAL_BY_EXPIRED, SOV_APPROVAL_EXPIRED, err))
        return false;
    if (commit->at.ms < approval.facts.expires_ms)
        return sov_refuse_state(err, SOV_STREAM_APPROVAL, n,
                                sov_policy_approval_name(approval.facts.state),
                                "its time is not over");
    lead.cause[0] = approval.seq;
    return sov_commit_lead(commit, &lead, done_out, err);
}

bool sov_approval_follow_consumed(struct sov_commit *commit, int64_t n,
                                  const struct sov_stream *used_by, int64_t cause,
                                  struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_APPROVAL_CONSUMED,
                                     .stream = sov_stream_numbered(SOV_STREAM_APPROVAL, n),
                                     .cause = { cause } };
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_put_text(&w, "used_by",
                 sov_arena_printf(&commit->arena, "%s/%s", sov_stream_word(used_by->kind),
                                  sov_stream_id(used_by, &commit->arena)));
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}
