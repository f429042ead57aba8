#ifndef SOV_BASE_ENV_H
#define SOV_BASE_ENV_H
/* The one reader of the environment. */

/* NULL if unset or empty. Borrowed until the process ends: nothing here ever changes the
 * environment. */
const char *sov_env(const char *name);
#endif
