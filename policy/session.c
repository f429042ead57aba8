#include "policy/tables.h"

#include <assert.h>

#define BY(event) (UINT32_C(1) << SOV_SESSION_BY_##event)
#define S(name) SOV_SESSION_##name

/* [from][to] = the events that may lead there. An empty cell is a refusal. */
static const uint32_t arrow[SOV_SESSION_STATE_COUNT][SOV_SESSION_STATE_COUNT] = {
    [S(NONE)] = { [S(OPEN)] = BY(OPENED) },
    [S(OPEN)] = { [S(CLAIMED)] = BY(CLAIMED) },
    [S(CLAIMED)] = { [S(CLAIMED)] = BY(RENEWED),
                     [S(OPEN)] = BY(EXPIRED),
                     [S(COMPLETED)] = BY(CLOSED),
                     [S(ABANDONED)] = BY(CLOSED) },
};

static const char *const states[] = {
#define X(name) #name,
    SOV_SESSION_STATES(X)
#undef X
};
static const char *const events[] = {
#define X(name, type) type,
    SOV_SESSION_EVENTS(X)
#undef X
};
static const struct sov_lifecycle table = {
    "session", states, events, SOV_SESSION_STATE_COUNT, SOV_SESSION_BY_COUNT, &arrow[0][0],
};

const struct sov_lifecycle *sov_session_table(void)
{
    return &table;
}

bool sov_policy_session_arrow(enum sov_session_state from, enum sov_session_by by,
                              enum sov_session_state to)
{
    return sov_lifecycle_allows(&table, from, by, to);
}

const char *sov_policy_session_name(enum sov_session_state state)
{
    assert(state < SOV_SESSION_STATE_COUNT);
    return states[state];
}

bool sov_policy_session_state(const char *name, enum sov_session_state *state_out)
{
    unsigned n = sov_lifecycle_state(&table, name);

    if (n) *state_out = (enum sov_session_state)n;
    return n != 0;
}
