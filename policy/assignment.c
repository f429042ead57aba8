#include "policy/tables.h"

#include <assert.h>

#define BY(event) (UINT32_C(1) << SOV_ASSIGNMENT_BY_##event)
#define S(name) SOV_ASSIGNMENT_##name

/*
 * [from][to] = the events that may lead there. An empty cell is a refusal. claim.expired stays in
 * RUNNING when a run had started: the assignment.failed behind it is the one terminal write.
 */
static const uint32_t arrow[SOV_ASSIGNMENT_STATE_COUNT][SOV_ASSIGNMENT_STATE_COUNT] = {
    [S(NONE)] = { [S(CREATED)] = BY(CREATED) },
    [S(CREATED)] = { [S(RUNNING)] = BY(CLAIMED), [S(CANCELLED)] = BY(CANCELLED) },
    [S(RUNNING)] = { [S(RUNNING)] = BY(RENEWED) | BY(STARTED) | BY(FINISHED) | BY(EXPIRED),
                     [S(CREATED)] = BY(RELEASED) | BY(EXPIRED),
                     [S(COMPLETED)] = BY(COMPLETED),
                     [S(BLOCKED)] = BY(BLOCKED),
                     [S(FAILED)] = BY(FAILED),
                     [S(CANCELLED)] = BY(CANCELLED) },
};

static const char *const states[] = {
#define X(name) #name,
    SOV_ASSIGNMENT_STATES(X)
#undef X
};
static const char *const events[] = {
#define X(name, type) type,
    SOV_ASSIGNMENT_EVENTS(X)
#undef X
};
static const struct sov_lifecycle table = {
    "assignment", states, events, SOV_ASSIGNMENT_STATE_COUNT, SOV_ASSIGNMENT_BY_COUNT, &arrow[0][0],
};

const struct sov_lifecycle *sov_assignment_table(void)
{
    return &table;
}

bool sov_policy_assignment_arrow(enum sov_assignment_state from, enum sov_assignment_by by,
                                 enum sov_assignment_state to)
{
    return sov_lifecycle_allows(&table, from, by, to);
}

const char *sov_policy_assignment_name(enum sov_assignment_state state)
{
    assert(state < SOV_ASSIGNMENT_STATE_COUNT);
    return states[state];
}

bool sov_policy_assignment_state(const char *name, enum sov_assignment_state *state_out)
{
    unsigned n = sov_lifecycle_state(&table, name);

    if (n) *state_out = (enum sov_assignment_state)n;
    return n != 0;
}

bool sov_policy_assignment_is_live(enum sov_assignment_state state)
{
    return state == SOV_ASSIGNMENT_CREATED || state == SOV_ASSIGNMENT_RUNNING;
}
