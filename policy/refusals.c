#include "policy/policy.h"

#include <string.h>

static const struct sov_refusal refusals[] = {
#define X(code, exit, why, inspect, next) { code, exit, why, inspect, next },
#include "policy/refusals.def"
#undef X
};
enum { REFUSAL_COUNT = sizeof refusals / sizeof *refusals };

const struct sov_refusal *sov_refusal_find(const char *code)
{
    for (size_t i = 0; i < REFUSAL_COUNT; i++)
        if (strcmp(refusals[i].code, code) == 0) return &refusals[i];
    return NULL;
}

const struct sov_refusal *sov_refusal_at(size_t n)
{
    return n < REFUSAL_COUNT ? &refusals[n] : NULL;
}
