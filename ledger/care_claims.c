/* Live claims of every kind, by fence: the overdue ones expire. */
#include "ledger/care.h"
#include "policy/policy.h"

static enum sov_claim_verdict judge(const struct sov_policy *policy, const struct sov_claim *claim,
                                    const struct sov_now *now, int64_t newest_at_ms,
                                    const char **ground_out)
{
    struct sov_claim_facts facts = { claim->at_ms, claim->ttl_s, claim->who.boot_ms,
                                     claim->who.machine, claim->who.boot };

    return sov_policy_claim(policy, &facts, now, newest_at_ms, ground_out);
}

static bool find(const struct sov_pass *pass, struct sov_care_items *items_out,
                 struct sov_error *err)
{
    struct sov_claims live;
    struct sov_care_item *items;
    size_t count = 0;

    if (!sov_claim_list(pass->ledger, 0, true, pass->arena, &live, err)) return false;
    items = sov_arena_array(pass->arena, live.count + 1, sizeof *items);
    for (size_t i = 0; i < live.count; i++) {
        const char *ground;

        if (judge(pass->policy, &live.at[i], &pass->now, pass->newest_at_ms, &ground) ==
            SOV_CLAIM_OVERDUE)
            items[count++] = (struct sov_care_item){ live.at[i].resource, live.at[i].fence };
    }
    *items_out = (struct sov_care_items){ items, count };
    return true;
}

static bool act(struct sov_commit *commit, const struct sov_pass *pass,
                const struct sov_care_item *item, struct sov_supervise_act *act_out,
                bool *acted_out, struct sov_error *err)
{
    struct sov_who who = sov_who_now(commit, pass->options->pid, pass->options->start);
    struct sov_expired expired;
    struct sov_claim claim;
    const char *ground;
    struct sov_done done;
    bool found;

    *acted_out = false;
    if (!sov_claim_find_on(commit->ledger, &item->what, item->fence, pass->arena, &claim, &found,
                           err))
        return false;
    /* Renewed, finished or ended by another pass meanwhile. */
    if (!found || !claim.live ||
        judge(commit->policy, &claim, &commit->now, commit->now.wall.ms + commit->behind_ms,
              &ground) != SOV_CLAIM_OVERDUE)
        return true;
    if (!sov_claim_expire(commit, &claim, ground, &who, &expired, &done, err)) return false;
    *act_out = (struct sov_supervise_act){
        .act = "claim.expired",
        .state = expired.state,
        .what = item->what,
        .fence = item->fence,
        .holder = claim.holder,
        .since_ms = claim.at_ms,
        .ground = ground,
        .receipt = expired.receipt,
        .seq = done.seq,
    };
    *acted_out = true;
    return true;
}

static const struct sov_care claims = { find, act };

const struct sov_care *sov_care_claims(void)
{
    return &claims;
}
