#include "policy/tables.h"

#include <assert.h>

#define BY(event) (UINT32_C(1) << SOV_DELIVERY_BY_##event)
#define S(name) SOV_DELIVERY_##name

/*
 * [from][to] = the events that may lead there. An empty cell is a refusal. claim.expired stays in
 * CLAIMED: the delivery.failed behind it says where it goes. What had been started is UNKNOWN.
 */
static const uint32_t arrow[SOV_DELIVERY_STATE_COUNT][SOV_DELIVERY_STATE_COUNT] = {
    [S(NONE)] = { [S(QUEUED)] = BY(QUEUED) },
    [S(QUEUED)] = { [S(CLAIMED)] = BY(CLAIMED) },
    [S(CLAIMED)] = { [S(CLAIMED)] = BY(EXPIRED),
                     [S(STARTED)] = BY(STARTED),
                     [S(QUEUED)] = BY(FAILED),
                     [S(DEAD)] = BY(FAILED) },
    [S(STARTED)] = { [S(DELIVERED)] = BY(SUCCEEDED),
                     [S(QUEUED)] = BY(FAILED),
                     [S(DEAD)] = BY(FAILED),
                     [S(UNKNOWN)] = BY(EXPIRED) },
    [S(DEAD)] = { [S(DELIVERED)] = BY(RESOLVED), [S(QUEUED)] = BY(RESOLVED) },
    [S(UNKNOWN)] = { [S(DELIVERED)] = BY(RESOLVED), [S(QUEUED)] = BY(RESOLVED) },
};

static const char *const states[] = {
#define X(name) #name,
    SOV_DELIVERY_STATES(X)
#undef X
};
static const char *const events[] = {
#define X(name, type) type,
    SOV_DELIVERY_EVENTS(X)
#undef X
};
static const struct sov_lifecycle table = {
    "delivery", states, events, SOV_DELIVERY_STATE_COUNT, SOV_DELIVERY_BY_COUNT, &arrow[0][0],
};

const struct sov_lifecycle *sov_delivery_table(void)
{
    return &table;
}

bool sov_policy_delivery_arrow(enum sov_delivery_state from, enum sov_delivery_by by,
                               enum sov_delivery_state to)
{
    return sov_lifecycle_allows(&table, from, by, to);
}

const char *sov_policy_delivery_name(enum sov_delivery_state state)
{
    assert(state < SOV_DELIVERY_STATE_COUNT);
    return states[state];
}

bool sov_policy_delivery_state(const char *name, enum sov_delivery_state *state_out)
{
    unsigned n = sov_lifecycle_state(&table, name);

    if (n) *state_out = (enum sov_delivery_state)n;
    return n != 0;
}
