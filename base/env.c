#include "base/env.h"

#include <assert.h>
#include <stdlib.h>

const char *sov_env(const char *name)
{
    const char *value;

    assert(name && *name);
    /* Secure: a set-id or capability-bearing program must not be led by its caller's variables. */
    value = secure_getenv(name);
    return value && *value ? value : NULL;
}
