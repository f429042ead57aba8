#include "policy/tables.h"

#include <assert.h>

#define BY(event) (UINT32_C(1) << SOV_SOW_BY_##event)
#define S(name) SOV_SOW_##name
/* Any state but these two may be given up for good. */
#define GIVEN_UP [S(WITHDRAWN)] = BY(WITHDRAWN), [S(SUPERSEDED)] = BY(SUPERSEDED)

/* [from][to] = the events that may lead there. An empty cell is a refusal. */
static const uint32_t arrow[SOV_SOW_STATE_COUNT][SOV_SOW_STATE_COUNT] = {
    [S(NONE)] = { [S(DRAFT)] = BY(CREATED) },
    [S(DRAFT)] = { [S(DRAFT)] = BY(REVISED), [S(READY)] = BY(READIED), GIVEN_UP },
    [S(READY)] = { [S(ASSIGNED)] = BY(ASSIGNED), GIVEN_UP },
    [S(ASSIGNED)] = { [S(RUNNING)] = BY(STARTED), [S(READY)] = BY(RETURNED), GIVEN_UP },
    [S(RUNNING)] = { [S(READY)] = BY(RETURNED),
                     [S(ASSIGNED)] = BY(RETURNED),
                     [S(REVIEW)] = BY(SUBMITTED),
                     [S(BLOCKED)] = BY(BLOCKED),
                     [S(FAILED)] = BY(FAILED),
                     GIVEN_UP },
    [S(REVIEW)] = { [S(ACCEPTED)] = BY(ACCEPTED),
                    [S(CHANGES_REQUESTED)] = BY(CHANGES_REQUESTED),
                    [S(FAILED)] = BY(FAILED),
                    GIVEN_UP },
    [S(CHANGES_REQUESTED)] = { [S(ASSIGNED)] = BY(ASSIGNED), GIVEN_UP },
    [S(ACCEPTED)] = { [S(REVIEW)] = BY(REVERIFIED), GIVEN_UP },
    [S(BLOCKED)] = { [S(READY)] = BY(RETRIED), GIVEN_UP },
    [S(FAILED)] = { [S(READY)] = BY(RETRIED), GIVEN_UP },
};

static const char *const states[] = {
#define X(name) #name,
    SOV_SOW_STATES(X)
#undef X
};
static const char *const events[] = {
#define X(name, type) type,
    SOV_SOW_EVENTS(X)
#undef X
};
static const struct sov_lifecycle table = {
    "sow", states, events, SOV_SOW_STATE_COUNT, SOV_SOW_BY_COUNT, &arrow[0][0],
};

const struct sov_lifecycle *sov_sow_table(void)
{
    return &table;
}

bool sov_policy_sow_arrow(enum sov_sow_state from, enum sov_sow_by by, enum sov_sow_state to)
{
    return sov_lifecycle_allows(&table, from, by, to);
}

const char *sov_policy_sow_name(enum sov_sow_state state)
{
    assert(state < SOV_SOW_STATE_COUNT);
    return states[state];
}

bool sov_policy_sow_state(const char *name, enum sov_sow_state *state_out)
{
    unsigned n = sov_lifecycle_state(&table, name);

    if (n) *state_out = (enum sov_sow_state)n;
    return n != 0;
}

bool sov_policy_sow_is_live(enum sov_sow_state state)
{
    return state != SOV_SOW_NONE && state != SOV_SOW_ACCEPTED && sov_policy_sow_counts(state);
}

bool sov_policy_sow_counts(enum sov_sow_state state)
{
    return state != SOV_SOW_NONE && state != SOV_SOW_WITHDRAWN && state != SOV_SOW_SUPERSEDED;
}
