#include "policy/document.h"

#include <assert.h>
#include <string.h>

static const char *const words[SOV_AUTHORITY_COUNT] = {
#define X(name, word) word,
    SOV_AUTHORITIES(X)
#undef X
};

const char *sov_authority_word(enum sov_authority authority)
{
    assert(authority < SOV_AUTHORITY_COUNT);
    return words[authority];
}

bool sov_authority_find(struct sov_bytes word, enum sov_authority *authority_out)
{
    for (enum sov_authority a = 0; a < SOV_AUTHORITY_COUNT; a++) {
        if (!sov_bytes_is(word, words[a])) continue;
        *authority_out = a;
        return true;
    }
    return false;
}

const struct sov_role *sov_policy_role(const struct sov_policy *policy, const char *role)
{
    for (size_t i = 0; i < policy->role_count; i++)
        if (strcmp(policy->roles[i].id, role) == 0) return &policy->roles[i];
    return NULL;
}

bool sov_policy_may(const struct sov_policy *policy, const char *role, enum sov_authority authority)
{
    const struct sov_role *row = sov_policy_role(policy, role);

    assert(authority < SOV_AUTHORITY_COUNT);
    return row && row->may & UINT32_C(1) << authority;
}

bool sov_policy_authorise(const struct sov_policy *policy, const char *actor, const char *role,
                          enum sov_authority authority, struct sov_error *err)
{
    if (sov_policy_may(policy, role, authority)) return true;
    sov_error_set(err, SOV_DENIED, "not_authorised", "%s, whose role is %s, lacks %s", actor, role,
                  sov_authority_word(authority));
    sov_error_ref(err, actor);
    return false;
}

static bool is_named(const char *const *robots, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(robots[i], id) == 0) return true;
    return false;
}

bool sov_policy_may_sign(const struct sov_policy *policy, const char *id, enum sov_actor_kind kind)
{
    return kind == SOV_PERSON ||
           is_named(policy->acceptance_robots, policy->acceptance_robot_count, id);
}

bool sov_policy_may_vote(const struct sov_policy *policy, const char *id, enum sov_actor_kind kind)
{
    return kind == SOV_PERSON ||
           is_named(policy->approval_robots, policy->approval_robot_count, id);
}

static bool each_role_has_a_row(const struct sov_policy *policy, const char *const *roles,
                                size_t count, struct sov_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (sov_policy_role(policy, roles[i])) continue;
        sov_error_set(err, SOV_USAGE, "policy_orphans_role",
                      "no row for the role %s, which is in use", roles[i]);
        sov_error_ref(err, roles[i]);
        return false;
    }
    return true;
}

bool sov_policy_governs(const struct sov_policy *policy, const struct sov_roster_row *active,
                        size_t active_count, const char *const *roles_in_use, size_t role_count,
                        struct sov_error *err)
{
    int64_t administers = 0, signers = 0, persons = 0;

    if (!each_role_has_a_row(policy, roles_in_use, role_count, err)) return false;
    for (size_t i = 0; i < active_count; i++) {
        const struct sov_roster_row *row = &active[i];
        bool person = row->kind == SOV_PERSON;

        administers += person && sov_policy_may(policy, row->role, SOV_MAY_ADMINISTER);
        if (!sov_policy_may(policy, row->role, SOV_MAY_ACCEPT) ||
            !sov_policy_may_sign(policy, row->id, row->kind))
            continue;
        signers++;
        persons += person;
    }
    if (!administers)
        return sov_fail(err, SOV_USAGE, "policy_locks_out",
                        "no active person would keep administer");
    if (signers < policy->acceptance_signers || persons < policy->acceptance_persons)
        return sov_fail(
            err, SOV_USAGE, "policy_locks_out",
            "%lld active actors, %lld of them persons, could sign an acceptance; it asks "
            "for %lld and %lld",
            (long long)signers, (long long)persons, (long long)policy->acceptance_signers,
            (long long)policy->acceptance_persons);
    return true;
}
