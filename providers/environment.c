/* The environment of a run, made from nothing, and the credentials in it (providers.md 1, R3 R4).
 */
#include <assert.h>
#include <string.h>

#include "base/env.h"
#include "base/place.h"
#include "providers/attempt.h"

enum { CREDENTIAL_MAX = 64 * 1024, OTHERS = 0077 };
static const char path_value[] = "/usr/local/bin:/usr/bin:/bin";

/* ---- credentials ---- */

static bool is_name(const char *name)
{
    size_t size = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

    return size && size < 128 && !name[size] && !(name[0] >= '0' && name[0] <= '9');
}

/* One line feed at the end is the editor's, not the secret's. */
static void keep(struct sov_attempt *a, struct sov_credential *c, const char *name,
                 struct sov_bytes value)
{
    if (value.size && value.data[value.size - 1] == '\n') value.size--;
    c->name = name;
    c->value = sov_arena_text(a->arena, value);
    c->size = value.size;
}

static bool from_file(struct sov_attempt *a, const char *folder, const char *name,
                      bool others_may_not, struct sov_credential *c, bool *found_out,
                      struct sov_error *err)
{
    const char *path = sov_arena_printf(a->arena, "%s/%s", folder, name);
    struct sov_error why = { 0 };
    struct sov_bytes value;
    unsigned mode;

    *found_out = false;
    if (!sov_file_mode_named(path, &mode, &why)) {
        if (strcmp(why.code, "no_such_file") == 0) return true;
        *err = why;
        return false;
    }
    if (others_may_not && (mode & OTHERS))
        return sov_fail(err, SOV_UNABLE, "provider_unavailable",
                        "the file of the credential %s is open to others", name);
    if (!sov_file_read_named(path, CREDENTIAL_MAX, a->arena, &value, err)) return false;
    keep(a, c, name, value);
    sov_wipe((void *)(uintptr_t)value.data, value.size);
    *found_out = true;
    return true;
}

static bool find(struct sov_attempt *a, const char *name, struct sov_credential *c,
                 struct sov_error *err)
{
    const char *folder = sov_env("CREDENTIALS_DIRECTORY"), *value;
    bool found = false;

    if (!is_name(name))
        return sov_fail(err, SOV_UNABLE, "provider_unavailable", "%s is no name of a credential",
                        name);
    if (folder && !from_file(a, folder, name, false, c, &found, err)) return false;
    if (!found && a->options->credentials &&
        !from_file(a, a->options->credentials, name, true, c, &found, err))
        return false;
    if (!found && (value = sov_env(name)) != NULL) {
        keep(a, c, name, sov_bytes_text(value));
        found = true;
    }
    if (!found || !c->size || memchr(c->value, 0, c->size))
        return sov_fail(err, SOV_UNABLE, "provider_unavailable", "the credential %s is not there",
                        name);
    return true;
}

bool sov_attempt_credentials(struct sov_attempt *a, struct sov_error *err)
{
    const struct sov_texts *names = &a->provider.credentials;

    a->credentials = sov_arena_array(a->arena, names->count + 1, sizeof *a->credentials);
    for (size_t i = 0; i < names->count; i++) {
        if (!find(a, names->at[i], &a->credentials[i], err)) return false;
        a->credential_count++;
    }
    return true;
}

void sov_attempt_seen(const struct sov_attempt *a, struct sov_bytes octets, bool *seen)
{
    for (size_t i = 0; i < a->credential_count; i++)
        if (!seen[i] && octets.size)
            seen[i] = memmem(octets.data, octets.size, a->credentials[i].value,
                             a->credentials[i].size) != NULL;
}

void sov_attempt_forget(struct sov_attempt *a)
{
    for (size_t i = 0; i < a->credential_count; i++) {
        struct sov_credential *c = &a->credentials[i];

        for (size_t k = 0; a->environment && k < a->names.count; k++)
            if (strcmp(a->names.at[k], c->name) == 0)
                sov_wipe((void *)(uintptr_t)a->environment[k], strlen(a->environment[k]));
        sov_wipe(c->value, c->size);
    }
}

/* ---- environment ---- */

static void add(struct sov_attempt *a, const char **names, const char *name, const char *value)
{
    size_t n = a->names.count;

    /* What the host sets, and a credential, no registered name replaces. */
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return;
    names[n] = name;
    a->environment[n] = sov_arena_printf(a->arena, "%s=%s", name, value);
    a->names.count++;
}

static void add_constant(struct sov_attempt *a, const char **names, const char *text)
{
    const char *equals = strchr(text, '=');

    assert(equals);
    add(a, names, sov_arena_text(a->arena, sov_bytes(text, (size_t)(equals - text))), equals + 1);
}

void sov_attempt_environment(struct sov_attempt *a)
{
    static const char *const fixed[] = {
        "LANG=C.UTF-8",
        "TZ=UTC",
        "TERM=dumb",
        "NO_COLOR=1",
        "GIT_CONFIG_NOSYSTEM=1",
        "GIT_CONFIG_GLOBAL=/dev/null",
        "GIT_TERMINAL_PROMPT=0",
    };
    size_t room = 32 + a->plan.constants.count + a->provider.env.count + a->credential_count;
    const char **names = sov_arena_array(a->arena, room, sizeof *names);
    char folder[SOV_WORKSPACE_NAME];
    const char *ws, *value;

    sov_workspace_name(folder, a->id, a->fence);
    ws = sov_arena_printf(a->arena, "%s/.sovereign/runs/%s/ws", a->options->top, folder);
    a->environment = sov_arena_array(a->arena, room + 1, sizeof *a->environment);
    a->names = (struct sov_texts){ names, 0 };
    add(a, names, "PATH", path_value);
    add(a, names, "HOME", sov_arena_printf(a->arena, "%s/home", ws));
    add(a, names, "TMPDIR", sov_arena_printf(a->arena, "%s/tmp", ws));
    add(a, names, "SOV_OUT", sov_arena_printf(a->arena, "%s/out", ws));
    add(a, names, "SOV_ASSIGNMENT", a->id);
    add(a, names, "SOV_FENCE", sov_arena_printf(a->arena, "%lld", (long long)a->fence));
    add(a, names, "GIT_CEILING_DIRECTORIES",
        sov_arena_printf(a->arena, "%s/.sovereign/runs", a->options->top));
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) add_constant(a, names, fixed[i]);
    for (size_t i = 0; i < a->plan.constants.count; i++)
        add_constant(a, names, a->plan.constants.at[i]);
    for (size_t i = 0; i < a->credential_count; i++)
        add(a, names, a->credentials[i].name, a->credentials[i].value);
    for (size_t i = 0; i < a->provider.env.count; i++)
        if (is_name(a->provider.env.at[i]) && (value = sov_env(a->provider.env.at[i])) != NULL)
            add(a, names, a->provider.env.at[i], value);
}
