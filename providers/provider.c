/* Which provider does it, and whether this host has it (providers.md 1). */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "providers/attempt.h"

enum { ARGV_MAX = 64, ARG_MAX_BYTES = 1000, ARGV_TOTAL = 16384 };

static bool unavailable(const char *name, const char *why, struct sov_error *err)
{
    sov_error_set(err, SOV_UNABLE, "provider_unavailable", "the provider %s %s", name, why);
    sov_error_ref(err, name);
    return false;
}

static bool registration(struct sov_attempt *a, const char *name, struct sov_error *err)
{
    bool found;

    if (strcmp(name, "human") == 0 || strcmp(name, "builtin") == 0)
        return unavailable(name, "is never started", err);
    if (!sov_provider_find(a->ledger, name, a->arena, &a->provider, &found, err)) return false;
    if (!found) return unavailable(name, "is not registered", err);
    if (a->provider.retired) return unavailable(name, "is retired", err);
    a->registered = true;
    return true;
}

/* What is recorded must be text, and fit. */
static bool argv_fits(const struct sov_texts *argv, struct sov_error *err)
{
    size_t total = 0;

    for (size_t i = 0; i < argv->count; i++) {
        size_t size = strlen(argv->at[i]);

        total += size;
        if (!sov_text_is_utf8(sov_bytes(argv->at[i], size)))
            return sov_fail(err, SOV_USAGE, "bad_value", "argument %zu is no UTF-8", i);
        if (i >= ARGV_MAX || size > ARG_MAX_BYTES || total > ARGV_TOTAL)
            return sov_fail(err, SOV_USAGE, "too_large",
                            "at most %d arguments of %d bytes, %d together", ARGV_MAX,
                            ARG_MAX_BYTES, ARGV_TOTAL);
    }
    return true;
}

/* A program named behind "--" takes the place of the registered one. */
static bool given(struct sov_attempt *a, struct sov_error *err)
{
    const char *const *argv = a->options->argv;
    struct sov_texts texts = { argv, 0 };

    if (!argv) return true;
    while (argv[texts.count]) texts.count++;
    if (!texts.count || !*argv[0])
        return sov_fail(err, SOV_USAGE, "bad_value", "no program is named");
    if (strcmp(a->provider.adapter, "command") != 0)
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "a program is given, and the provider %s is no command", a->provider.name);
    a->provider.argv = texts;
    return true;
}

static bool script_load(struct sov_attempt *a, struct sov_error *err)
{
    struct sov_blob blob;
    bool found;

    if (!a->provider.has_script) return true;
    if (!sov_blob_find(a->ledger, &a->provider.script.digest, a->arena, &blob, &found, err))
        return false;
    if (!found || blob.erased) return unavailable(a->provider.name, "has lost its script", err);
    a->script = blob.content;
    return sov_run_count(a->ledger, a->provider.name, a->provider.seq, &a->turn, err);
}

bool sov_attempt_provider(struct sov_attempt *a, struct sov_error *err)
{
    const struct sov_probe_io io = { sov_child_resolve, a->arena };

    if (a->options->argv && !a->options->provider)
        a->provider = (struct sov_provider){ .name = "command", .adapter = "command" };
    else if (!registration(a, a->options->provider ? a->options->provider : a->actor.provider, err))
        return false;
    if (!given(a, err) || !argv_fits(&a->provider.argv, err)) return false;
    a->adapter = sov_adapter_find(a->provider.adapter);
    if (!a->adapter)
        return unavailable(a->provider.name, "needs an adapter that is not built", err);
    if (!a->adapter->probe(&a->provider, &io, &a->caps, err)) {
        sov_error_ref(err, a->provider.name);
        return false;
    }
    a->local = a->caps.proof[SOV_CAN_IS_LOCAL] == SOV_PROOF_PROVEN;
    return script_load(a, err);
}
