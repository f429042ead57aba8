#include "policy/approval.h"

#include "policy/tables.h"

#include <assert.h>
#include <string.h>

#define BY(event) (UINT32_C(1) << SOV_APPROVAL_BY_##event)
#define S(name) SOV_APPROVAL_##name

/* [from][to] = the events that may lead there. An empty cell is a refusal. */
static const uint32_t arrow[SOV_APPROVAL_STATE_COUNT][SOV_APPROVAL_STATE_COUNT] = {
    [S(NONE)] = { [S(PENDING)] = BY(REQUESTED) },
    [S(PENDING)] = { [S(PENDING)] = BY(VOTED),
                     [S(GRANTED)] = BY(GRANTED),
                     [S(DENIED)] = BY(DENIED),
                     [S(EXPIRED)] = BY(EXPIRED),
                     [S(REVOKED)] = BY(REVOKED) },
    [S(GRANTED)] = { [S(EXPIRED)] = BY(EXPIRED),
                     [S(REVOKED)] = BY(REVOKED),
                     [S(CONSUMED)] = BY(CONSUMED) },
};

static const char *const states[] = {
#define X(name) #name,
    SOV_APPROVAL_STATES(X)
#undef X
};
static const char *const events[] = {
#define X(name, type) type,
    SOV_APPROVAL_EVENTS(X)
#undef X
};
static const struct sov_lifecycle table = {
    "approval", states, events, SOV_APPROVAL_STATE_COUNT, SOV_APPROVAL_BY_COUNT, &arrow[0][0],
};

const struct sov_lifecycle *sov_approval_table(void)
{
    return &table;
}

bool sov_policy_approval_arrow(enum sov_approval_state from, enum sov_approval_by by,
                               enum sov_approval_state to)
{
    return sov_lifecycle_allows(&table, from, by, to);
}

const char *sov_policy_approval_name(enum sov_approval_state state)
{
    assert(state < SOV_APPROVAL_STATE_COUNT);
    return states[state];
}

bool sov_policy_approval_state(const char *name, enum sov_approval_state *state_out)
{
    unsigned n = sov_lifecycle_state(&table, name);

    if (n) *state_out = (enum sov_approval_state)n;
    return n != 0;
}

/* ---- votes ---- */

bool sov_policy_approval_life(const struct sov_policy *policy, int64_t life_ms,
                              struct sov_error *err)
{
    int64_t most = policy->ttl_approval > policy->ttl_max ? policy->ttl_approval : policy->ttl_max;

    if (life_ms >= 1000 && life_ms <= most * 1000) return true;
    return sov_fail(err, SOV_USAGE, "bad_value",
                    "an approval lives 1 to %lld s from the request on, not %lld s",
                    (long long)most, (long long)(life_ms / 1000));
}

static bool expired(int64_t expires_ms, int64_t at_ms, struct sov_error *err)
{
    if (at_ms < expires_ms) return false;
    sov_error_set(err, SOV_DENIED, "approval_expired", "its time was over %lld ms before",
                  (long long)(at_ms - expires_ms));
    return true;
}

bool sov_policy_approval_vote(const struct sov_policy *policy, const struct sov_person_facts *voter,
                              const struct sov_person_facts *requester,
                              const struct sov_people *voters, int64_t expires_ms, int64_t at_ms,
                              struct sov_error *err)
{
    enum sov_same same;

    if (!sov_policy_may_vote(policy, voter->id, voter->kind)) {
        sov_error_set(err, SOV_DENIED, "person_required",
                      "%s is no person, and approval.robots does not name it", voter->id);
        sov_error_ref(err, voter->id);
        return false;
    }
    same = sov_policy_same(voter, requester);
    if (same) {
        sov_error_set(err, SOV_DENIED, "self_approve", "%s is the same as the requester %s by %s",
                      voter->id, requester->id, sov_policy_same_word(same));
        sov_error_ref(err, voter->id);
        return false;
    }
    for (size_t i = 0; i < voters->count; i++) {
        same = sov_policy_same(voter, &voters->at[i]);
        if (!same) continue;
        sov_error_set(err, SOV_CONFLICT, "already_voted",
                      "%s is the same as %s, who has voted, by %s", voter->id, voters->at[i].id,
                      sov_policy_same_word(same));
        sov_error_ref(err, voter->id);
        return false;
    }
    return !expired(expires_ms, at_ms, err);
}

bool sov_policy_approval_completes(int64_t quorum, int64_t persons,
                                   const struct sov_people *granted)
{
    struct sov_quorum quorum_seen = sov_policy_count(granted);

    return (int64_t)quorum_seen.counted >= quorum && (int64_t)quorum_seen.persons >= persons;
}

/* ---- the act ---- */

static bool is_equal(const struct sov_hash *a, const struct sov_hash *b)
{
    return memcmp(a->octets, b->octets, sizeof a->octets) == 0;
}

bool sov_policy_approval_allows(const struct sov_approval_facts *approval,
                                const struct sov_hash *args, int64_t at_ms,
                                const struct sov_hash *policy, struct sov_error *err)
{
    if (!is_equal(&approval->args, args))
        return sov_fail(err, SOV_DENIED, "approval_mismatch",
                        "what is approved has other arguments than the act");
    if (expired(approval->expires_ms, at_ms, err)) return false;
    if (!is_equal(&approval->policy, policy))
        return sov_fail(err, SOV_DENIED, "approval_policy_changed",
                        "another policy was adopted since it was requested");
    if (approval->state == SOV_APPROVAL_CONSUMED)
        return sov_fail(err, SOV_DENIED, "approval_used", "it has allowed an act before");
    if (approval->state != SOV_APPROVAL_GRANTED)
        return sov_fail(err, SOV_DENIED, "approval_missing", "the one that was requested is %s",
                        sov_policy_approval_name(approval->state));
    return true;
}

bool sov_policy_approval_choose(const struct sov_approval_facts *approvals, size_t count,
                                const struct sov_hash *args, int64_t at_ms,
                                const struct sov_hash *policy, size_t *chosen_out,
                                struct sov_error *err)
{
    size_t nearest = count;

    for (size_t i = 0; i < count; i++) {
        struct sov_error ignored = { 0 };

        if (sov_policy_approval_allows(&approvals[i], args, at_ms, policy, &ignored)) {
            *chosen_out = i;
            return true;
        }
        if (nearest == count || is_equal(&approvals[i].args, args) ||
            !is_equal(&approvals[nearest].args, args))
            nearest = i;
    }
    if (nearest == count)
        return sov_fail(err, SOV_DENIED, "approval_missing", "no approval was requested");
    return sov_policy_approval_allows(&approvals[nearest], args, at_ms, policy, err);
}
