#include "policy/lifecycle.h"

#include "policy/tables.h"

#include <assert.h>
#include <string.h>

const struct sov_lifecycle *sov_policy_lifecycle(unsigned n)
{
    static const struct sov_lifecycle *(*const tables[SOV_LIFECYCLE_COUNT])(
        void) = { sov_outcome_table, sov_sow_table,      sov_assignment_table, sov_approval_table,
                  sov_message_table, sov_instance_table, sov_session_table,    sov_delivery_table };

    assert(n < SOV_LIFECYCLE_COUNT);
    return tables[n]();
}

bool sov_lifecycle_allows(const struct sov_lifecycle *table, unsigned from, unsigned by,
                          unsigned to)
{
    assert(from < table->state_count && by < table->event_count && to < table->state_count);
    return table->arrows[from * table->state_count + to] & UINT32_C(1) << by;
}

bool sov_lifecycle_is_terminal(const struct sov_lifecycle *table, unsigned state)
{
    assert(state < table->state_count);
    for (unsigned to = 0; to < table->state_count; to++)
        if (table->arrows[state * table->state_count + to]) return false;
    return true;
}

unsigned sov_lifecycle_state(const struct sov_lifecycle *table, const char *name)
{
    for (unsigned n = 1; n < table->state_count; n++)
        if (strcmp(table->states[n], name) == 0) return n;
    return 0;
}
