#include "policy/tables.h"

#include <assert.h>

#define BY(event) (UINT32_C(1) << SOV_MESSAGE_BY_##event)
#define S(name) SOV_MESSAGE_##name

/*
 * [from][to] = the events that may lead there. An empty cell is a refusal. claim.expired stays in
 * CLAIMED: the message.failed behind it says where it goes.
 */
static const uint32_t arrow[SOV_MESSAGE_STATE_COUNT][SOV_MESSAGE_STATE_COUNT] = {
    [S(NONE)] = { [S(NEW)] = BY(SENT) },
    [S(NEW)] = { [S(CLAIMED)] = BY(CLAIMED) },
    [S(CLAIMED)] = { [S(CLAIMED)] = BY(EXPIRED),
                     [S(NEW)] = BY(RELEASED) | BY(FAILED),
                     [S(DONE)] = BY(DONE),
                     [S(DEAD)] = BY(FAILED) },
    [S(DEAD)] = { [S(NEW)] = BY(REQUEUED) },
};

static const char *const states[] = {
#define X(name) #name,
    SOV_MESSAGE_STATES(X)
#undef X
};
static const char *const events[] = {
#define X(name, type) type,
    SOV_MESSAGE_EVENTS(X)
#undef X
};
static const struct sov_lifecycle table = {
    "message", states, events, SOV_MESSAGE_STATE_COUNT, SOV_MESSAGE_BY_COUNT, &arrow[0][0],
};

const struct sov_lifecycle *sov_message_table(void)
{
    return &table;
}

bool sov_policy_message_arrow(enum sov_message_state from, enum sov_message_by by,
                              enum sov_message_state to)
{
    return sov_lifecycle_allows(&table, from, by, to);
}

const char *sov_policy_message_name(enum sov_message_state state)
{
    assert(state < SOV_MESSAGE_STATE_COUNT);
    return states[state];
}

bool sov_policy_message_state(const char *name, enum sov_message_state *state_out)
{
    unsigned n = sov_lifecycle_state(&table, name);

    if (n) *state_out = (enum sov_message_state)n;
    return n != 0;
}
