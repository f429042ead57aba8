/* The adapters of this build, by hand, and the words of the port. */
#include <assert.h>
#include <string.h>

#include "providers/adapters.h"

const struct sov_adapter *sov_adapter_at(size_t n)
{
    static const struct sov_adapter *(*const rows[])(void) = { sov_adapter_command,
                                                               sov_adapter_scripted };

    return n < sizeof rows / sizeof *rows ? rows[n]() : NULL;
}

const struct sov_adapter *sov_adapter_find(const char *name)
{
    const struct sov_adapter *row;

    for (size_t i = 0; (row = sov_adapter_at(i)) != NULL; i++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

const char *sov_capability_word(enum sov_capability capability)
{
    static const char *const words[SOV_CAPABILITY_COUNT] = {
#define X(name, word) word,
        SOV_CAPABILITIES(X)
#undef X
    };

    assert(capability < SOV_CAPABILITY_COUNT);
    return words[capability];
}

const char *sov_proof_word(enum sov_proof proof)
{
    switch (proof) {
    case SOV_PROOF_PROVEN:
        return "PROVEN";
    case SOV_PROOF_ABSENT:
        return "ABSENT";
    case SOV_PROOF_UNKNOWN:
        break;
    }
    return "UNKNOWN";
}

bool sov_provider_probe(const struct sov_provider *provider, struct sov_arena *arena,
                        struct sov_capabilities *caps_out, struct sov_error *err)
{
    const struct sov_adapter *adapter = sov_adapter_find(provider->adapter);
    const struct sov_probe_io io = { sov_child_resolve, arena };

    if (adapter) return adapter->probe(provider, &io, caps_out, err);
    return sov_fail(err, SOV_UNABLE, "provider_unavailable", "this build has no adapter %s",
                    provider->adapter);
}

/* The level that every run has here: environment, descriptors, process group, limits. */
bool sov_sandbox_require(const char *asked, struct sov_error *err)
{
    const char *rest;

    if (!asked) return true;
    if (asked[0] != 'L' || asked[1] < '0' || asked[1] > '3')
        return sov_fail(err, SOV_USAGE, "bad_value", "a sandbox level is L0, L1, L2 or L3");
    rest = asked + 2;
    if (*rest && strcmp(rest, ",network") != 0)
        return sov_fail(err, SOV_USAGE, "bad_value", "behind a sandbox level stands ,network");
    if (asked[1] != '0' || *rest)
        return sov_fail(err, SOV_DENIED, "sandbox_refusal", "%s is asked for, L0 is proven here",
                        asked);
    return true;
}
