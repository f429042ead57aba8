#include "policy/tables.h"

#include <assert.h>

#define BY(event) (UINT32_C(1) << SOV_INSTANCE_BY_##event)
#define S(name) SOV_INSTANCE_##name

/* [from][to] = the events that may lead there. An empty cell is a refusal. */
static const uint32_t arrow[SOV_INSTANCE_STATE_COUNT][SOV_INSTANCE_STATE_COUNT] = {
    [S(NONE)] = { [S(REGISTERED)] = BY(REGISTERED) },
    [S(REGISTERED)] = { [S(CLAIMED)] = BY(CLAIMED) },
    [S(CLAIMED)] = { [S(CLAIMED)] = BY(RENEWED),
                     [S(REGISTERED)] = BY(EXPIRED),
                     [S(RETIRED)] = BY(RETIRED) },
};

static const char *const states[] = {
#define X(name) #name,
    SOV_INSTANCE_STATES(X)
#undef X
};
static const char *const events[] = {
#define X(name, type) type,
    SOV_INSTANCE_EVENTS(X)
#undef X
};
static const struct sov_lifecycle table = {
    "instance", states, events, SOV_INSTANCE_STATE_COUNT, SOV_INSTANCE_BY_COUNT, &arrow[0][0],
};

const struct sov_lifecycle *sov_instance_table(void)
{
    return &table;
}

bool sov_policy_instance_arrow(enum sov_instance_state from, enum sov_instance_by by,
                               enum sov_instance_state to)
{
    return sov_lifecycle_allows(&table, from, by, to);
}

const char *sov_policy_instance_name(enum sov_instance_state state)
{
    assert(state < SOV_INSTANCE_STATE_COUNT);
    return states[state];
}

bool sov_policy_instance_state(const char *name, enum sov_instance_state *state_out)
{
    unsigned n = sov_lifecycle_state(&table, name);

    if (n) *state_out = (enum sov_instance_state)n;
    return n != 0;
}
