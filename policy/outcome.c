#include "policy/tables.h"

#include <assert.h>

#define BY(event) (UINT32_C(1) << SOV_OUTCOME_BY_##event)
#define S(name) SOV_OUTCOME_##name

/* [from][to] = the events that may lead there. An empty cell is a refusal. */
static const uint32_t arrow[SOV_OUTCOME_STATE_COUNT][SOV_OUTCOME_STATE_COUNT] = {
    [S(NONE)] = { [S(PROPOSED)] = BY(DEFINED) },
    [S(PROPOSED)] = { [S(PROPOSED)] = BY(REVISED),
                      [S(ACTIVE)] = BY(ACTIVATED),
                      [S(CANCELLED)] = BY(CANCELLED) },
    [S(ACTIVE)] = { [S(ACTIVE)] = BY(REVISED),
                    [S(VERIFYING)] = BY(VERIFYING),
                    [S(BLOCKED)] = BY(BLOCKED),
                    [S(FAILED)] = BY(FAILED),
                    [S(CANCELLED)] = BY(CANCELLED) },
    [S(VERIFYING)] = { [S(ACTIVE)] = BY(RESUMED),
                       [S(ACCEPTED)] = BY(ACCEPTED),
                       [S(BLOCKED)] = BY(BLOCKED),
                       [S(FAILED)] = BY(FAILED),
                       [S(CANCELLED)] = BY(CANCELLED) },
    [S(ACCEPTED)] = { [S(VIOLATED)] = BY(VIOLATED), [S(ACTIVE)] = BY(REOPENED) },
    [S(VIOLATED)] = { [S(ACTIVE)] = BY(REOPENED),
                      [S(BLOCKED)] = BY(BLOCKED),
                      [S(FAILED)] = BY(FAILED),
                      [S(CANCELLED)] = BY(CANCELLED) },
    [S(BLOCKED)] = { [S(BLOCKED)] = BY(REVISED),
                     [S(ACTIVE)] = BY(UNBLOCKED),
                     [S(VIOLATED)] = BY(UNBLOCKED),
                     [S(FAILED)] = BY(FAILED),
                     [S(CANCELLED)] = BY(CANCELLED) },
};

static const char *const states[] = {
#define X(name) #name,
    SOV_OUTCOME_STATES(X)
#undef X
};
static const char *const events[] = {
#define X(name, type) type,
    SOV_OUTCOME_EVENTS(X)
#undef X
};
static const struct sov_lifecycle table = {
    "outcome", states, events, SOV_OUTCOME_STATE_COUNT, SOV_OUTCOME_BY_COUNT, &arrow[0][0],
};

const struct sov_lifecycle *sov_outcome_table(void)
{
    return &table;
}

bool sov_policy_outcome_arrow(enum sov_outcome_state from, enum sov_outcome_by by,
                              enum sov_outcome_state to)
{
    return sov_lifecycle_allows(&table, from, by, to);
}

const char *sov_policy_outcome_name(enum sov_outcome_state state)
{
    assert(state < SOV_OUTCOME_STATE_COUNT);
    return states[state];
}

bool sov_policy_outcome_state(const char *name, enum sov_outcome_state *state_out)
{
    unsigned n = sov_lifecycle_state(&table, name);

    if (n) *state_out = (enum sov_outcome_state)n;
    return n != 0;
}

bool sov_policy_outcome_is_open(enum sov_outcome_state state)
{
    return state == SOV_OUTCOME_ACTIVE || state == SOV_OUTCOME_VERIFYING;
}
