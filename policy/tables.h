#ifndef SOV_POLICY_TABLES_H
#define SOV_POLICY_TABLES_H
/* Private: one table a file, gathered by lifecycle.c. */
#include "policy/lifecycle.h"

const struct sov_lifecycle *sov_outcome_table(void);
const struct sov_lifecycle *sov_sow_table(void);
const struct sov_lifecycle *sov_assignment_table(void);
const struct sov_lifecycle *sov_approval_table(void);
const struct sov_lifecycle *sov_message_table(void);
const struct sov_lifecycle *sov_instance_table(void);
const struct sov_lifecycle *sov_session_table(void);
const struct sov_lifecycle *sov_delivery_table(void);
/* The number of that state; 0 (NONE) if there is none. */
unsigned sov_lifecycle_state(const struct sov_lifecycle *table, const char *name);
#endif
