#ifndef SOV_PROVIDERS_ADAPTERS_H
#define SOV_PROVIDERS_ADAPTERS_H
/* The rows of registry.c. Private to this folder. */
#include "providers/providers.h"

/* A registered or given argv; standard output is one report and white space. */
const struct sov_adapter *sov_adapter_command(void);
/* Turns of a script, in process. */
const struct sov_adapter *sov_adapter_scripted(void);
#endif
