/* Approvals, asked for or granted, whose time is over: recorded as EXPIRED. */
#include "ledger/approval.h"
#include "ledger/care.h"

static bool find(const struct sov_pass *pass, struct sov_care_items *items_out,
                 struct sov_error *err)
{
    int64_t at_ms = pass->now.wall.ms;
    struct sov_approvals over;
    struct sov_care_item *items;

    if (at_ms < pass->newest_at_ms) at_ms = pass->newest_at_ms; /* as the event would be dated */
    if (!sov_approval_over(pass->ledger, at_ms, pass->arena, &over, err)) return false;
    items = sov_arena_array(pass->arena, over.count + 1, sizeof *items);
    for (size_t i = 0; i < over.count; i++)
        items[i].what = sov_stream_numbered(SOV_STREAM_APPROVAL, over.at[i].n);
    *items_out = (struct sov_care_items){ items, over.count };
    return true;
}

static bool act(struct sov_commit *commit, const struct sov_pass *pass,
                const struct sov_care_item *item, struct sov_supervise_act *act_out,
                bool *acted_out, struct sov_error *err)
{
    struct sov_approval approval;
    struct sov_done done;

    *acted_out = false;
    if (!sov_approval_get(commit->ledger, item->what.n, pass->arena, &approval, err)) return false;
    /* Used, denied or revoked meanwhile. */
    if (!sov_policy_approval_arrow(approval.facts.state, SOV_APPROVAL_BY_EXPIRED,
                                   SOV_APPROVAL_EXPIRED) ||
        commit->at.ms < approval.facts.expires_ms)
        return true;
    if (!sov_approval_expire(commit, item->what.n, &done, err)) return false;
    *act_out = (struct sov_supervise_act){
        .act = "approval.expired",
        .state = sov_policy_approval_name(SOV_APPROVAL_EXPIRED),
        .what = item->what,
        .holder = approval.requester,
        .since_ms = approval.facts.expires_ms,
        .seq = done.seq,
    };
    *acted_out = true;
    return true;
}

static const struct sov_care approvals = { find, act };

const struct sov_care *sov_care_approvals(void)
{
    return &approvals;
}
