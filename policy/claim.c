#include "policy/policy.h"

#include <assert.h>
#include <string.h>

/* Milliseconds after `start` that `seconds` end, without overflow: these come from the log. */
static int64_t after(int64_t start_ms, int64_t seconds)
{
    int64_t span, end;

    if (__builtin_mul_overflow(seconds, 1000, &span) ||
        __builtin_add_overflow(start_ms, span, &end))
        return INT64_MAX;
    return end;
}

static enum sov_claim_verdict overdue_if(bool over)
{
    return over ? SOV_CLAIM_OVERDUE : SOV_CLAIM_LIVE;
}

/* On the boot of the claim one clock counts for both; a process that is gone needs none. */
static enum sov_claim_verdict on_its_boot(const struct sov_policy *policy,
                                          const struct sov_claim_facts *claim,
                                          const struct sov_now *now, const char **ground_out)
{
    *ground_out = "boot_clock";
    if (now->boot_ms > after(after(claim->boot_ms, claim->ttl_s), policy->ttl_grace))
        return SOV_CLAIM_OVERDUE;
    /* Another machine id on one kernel: a container, where the same number is another process. */
    if (!claim->gone || strcmp(claim->machine, now->machine) != 0) return SOV_CLAIM_LIVE;
    *ground_out = "process_gone";
    return SOV_CLAIM_OVERDUE;
}

/* Since its time was found absurd, the judge's own boot clock counts; who judges on a third machine
 * knows nothing. */
static enum sov_claim_verdict doubted(const struct sov_policy *policy,
                                      const struct sov_claim_facts *claim,
                                      const struct sov_now *now)
{
    int64_t until = after(after(claim->doubt.boot_ms, claim->ttl_s), policy->ttl_max_skew);

    if (strcmp(claim->doubt.boot, now->boot) == 0) return overdue_if(now->boot_ms > until);
    return overdue_if(strcmp(claim->doubt.machine, now->machine) == 0);
}

enum sov_claim_verdict sov_policy_claim(const struct sov_policy *policy,
                                        const struct sov_claim_facts *claim,
                                        const struct sov_now *now, int64_t newest_at_ms,
                                        const char **ground_out)
{
    int64_t deadline = after(claim->at_ms, claim->ttl_s), horizon;

    assert(policy && claim->machine && claim->boot && now && ground_out);
    if (strcmp(claim->boot, now->boot) == 0) return on_its_boot(policy, claim, now, ground_out);
    if (strcmp(claim->machine, now->machine) == 0) {
        *ground_out = "other_boot";
        return overdue_if(now->boot_ms > after(0, policy->ttl_grace));
    }
    *ground_out = "anomalous";
    if (claim->doubt.machine) return doubted(policy, claim, now);
    horizon = after(after(now->wall.ms, policy->ttl_max), policy->ttl_max_skew);
    if (deadline > horizon || newest_at_ms > horizon) return SOV_CLAIM_ANOMALOUS;
    *ground_out = "wall_clock";
    /* A wall clock behind the log has been set back: it may not take anything from anyone. */
    return overdue_if(now->wall.ms >= newest_at_ms &&
                      now->wall.ms > after(deadline, policy->ttl_max_skew));
}

bool sov_policy_ttl(const struct sov_policy *policy, int64_t ttl_s, struct sov_error *err)
{
    if (ttl_s >= 1 && ttl_s <= policy->ttl_max) return true;
    return sov_fail(err, SOV_USAGE, "bad_value", "ttl %lld s is not within 1 to %lld s",
                    (long long)ttl_s, (long long)policy->ttl_max);
}

const char *sov_policy_heartbeat(const struct sov_policy *policy, int64_t beat_ms, int64_t now_ms)
{
    if (beat_ms == 0) return "NO_BEATS";
    if (beat_ms > after(now_ms, policy->ttl_max_skew)) return "STALE";
    return now_ms > after(beat_ms, policy->ttl_heartbeat_stale) ? "STALE" : "ALIVE";
}
