/* Live claims of every kind, by fence: the overdue ones expire, those that no clock can judge are
 * doubted. */
#include <string.h>

#include "ledger/care.h"

static enum sov_claim_verdict judge(const struct sov_pass *pass, const struct sov_policy *policy,
                                    const struct sov_claim *claim, const struct sov_now *now,
                                    int64_t newest_at_ms, const char **ground_out)
{
    const struct sov_presence *presence = &pass->options->presence;
    bool gone = false;

    /* A pid means something on the machine and the boot that gave it, and nowhere else. */
    if (presence->is_gone && claim->who.pid > 0 && strcmp(claim->who.boot, now->boot) == 0 &&
        strcmp(claim->who.machine, now->machine) == 0)
        gone = presence->is_gone(presence->self, claim->who.pid, claim->who.start);
    return sov_claim_judge(policy, claim, gone, now, newest_at_ms, ground_out);
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

        if (judge(pass, pass->policy, &live.at[i], &pass->now, pass->newest_at_ms, &ground) !=
            SOV_CLAIM_LIVE)
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
    struct sov_supervise_act act = { .act = "claim.expired",
                                     .what = item->what,
                                     .fence = item->fence };
    struct sov_expired expired = { .state = "in doubt" };
    enum sov_claim_verdict verdict;
    struct sov_claim claim;
    struct sov_done done;
    bool found;

    *acted_out = false;
    if (!sov_claim_find_on(commit->ledger, &item->what, item->fence, pass->arena, &claim, &found,
                           err))
        return false;
    /* Renewed, finished or ended by another pass meanwhile. */
    if (!found || !claim.live) return true;
    verdict = judge(pass, commit->policy, &claim, &commit->now,
                    commit->now.wall.ms + commit->behind_ms, &act.ground);
    if (verdict == SOV_CLAIM_LIVE) return true;
    if (verdict == SOV_CLAIM_ANOMALOUS) act.act = "claim.anomalous";
    if (verdict == SOV_CLAIM_ANOMALOUS
            ? !sov_claim_doubt(commit, &claim, &who, &done, err)
            : !sov_claim_expire(commit, &claim, act.ground, &who, &expired, &done, err))
        return false;
    act.state = expired.state;
    act.holder = claim.holder;
    act.since_ms = claim.at_ms;
    act.receipt = expired.receipt;
    act.seq = done.seq;
    *act_out = act;
    *acted_out = true;
    return true;
}

static const struct sov_care claims = { find, act };

const struct sov_care *sov_care_claims(void)
{
    return &claims;
}
