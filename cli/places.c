#include "cli/places.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/file.h"

enum { GIT_FILE_MAX = 4096 };

static const char *parent(struct sov_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash || !path[1]) return NULL;
    if (slash == path) return "/";
    return sov_arena_text(arena, sov_bytes(path, (size_t)(slash - path)));
}

static const char *beneath(struct sov_arena *arena, const char *folder, const char *name)
{
    return sov_arena_printf(arena, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
}

/* What lies under a name in a folder; an unreadable folder holds nothing. */
static enum sov_file_type type_of(const char *folder, const char *name, uint64_t *device_out)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder held = { 0 };
    struct sov_file_facts facts = { 0 }, own = { 0 };
    struct sov_error ignored = { 0 };

    if (!sov_folder_open(&held, folder, &ignored)) return SOV_FILE_ABSENT;
    if (!sov_folder_facts(&held, &own, &ignored)) return SOV_FILE_ABSENT;
    if (device_out) *device_out = own.device;
    if (!sov_file_facts(&held, name, &facts, &ignored)) return SOV_FILE_ABSENT;
    return facts.type;
}

/* The nearest folder from `from` upward that holds `name`, on the same file system; or NULL. */
static const char *upward(struct sov_arena *arena, const char *from, const char *name,
                          enum sov_file_type *type_out)
{
    uint64_t first = 0, device = 0;

    type_of(from, name, &first);
    for (const char *at = from; at; at = parent(arena, at)) {
        enum sov_file_type type = type_of(at, name, &device);

        if (device != first) return NULL;
        if (type == SOV_FILE_ABSENT) continue;
        *type_out = type;
        return at;
    }
    return NULL;
}

/* The first line of a small file, or NULL. */
static const char *line_of(struct sov_arena *arena, const char *folder, const char *name)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder held = { 0 };
    struct sov_error ignored = { 0 };
    struct sov_bytes text;
    size_t size = 0;

    if (!sov_folder_open(&held, folder, &ignored) ||
        !sov_file_read(&held, name, GIT_FILE_MAX, arena, &text, &ignored))
        return NULL;
    while (size < text.size && text.data[size] != '\n' && text.data[size]) size++;
    return sov_arena_text(arena, sov_bytes(text.data, size));
}

static const char *absolute(struct sov_arena *arena, const char *from, const char *path)
{
    struct sov_error ignored = { 0 };
    const char *real;

    if (*path != '/') path = beneath(arena, from, path);
    return sov_path_absolute(path, arena, &real, &ignored) ? real : NULL;
}

/* The common checkout of a linked worktree whose top holds a .git file; NULL if it is none. */
static const char *common_checkout(struct sov_arena *arena, const char *top)
{
    static const char mark[] = "gitdir: ";
    const char *line = line_of(arena, top, ".git"), *git, *common, *slash;

    if (!line || strncmp(line, mark, sizeof mark - 1) != 0) return NULL;
    git = absolute(arena, top, line + sizeof mark - 1);
    line = git ? line_of(arena, git, "commondir") : NULL;
    common = line ? absolute(arena, git, line) : NULL;
    slash = common ? strrchr(common, '/') : NULL;
    return slash && strcmp(slash, "/.git") == 0 ? parent(arena, common) : NULL;
}

static const char *user_folder(struct sov_arena *arena, const char *variable, const char *otherwise,
                               const char *rest)
{
    const char *set = sov_env(variable), *user = sov_env("HOME");

    if (set && *set == '/') return sov_arena_printf(arena, "%s/%s", set, rest);
    return sov_arena_printf(arena, "%s/%s/%s", user ? user : "", otherwise, rest);
}

static bool base_of(struct sov_arena *arena, const char *here, const char *top, bool linked,
                    struct sov_found *found, struct sov_error *err)
{
    const char *set = sov_env("SOV_DIR"), *main = linked ? common_checkout(arena, top) : NULL;
    enum sov_file_type type = SOV_FILE_ABSENT;

    if (set) {
        if (!sov_path_absolute(set, arena, &found->base, err)) return false;
        found->looked = sov_arena_printf(arena, "%s (SOV_DIR)", found->base);
        found->there = type_of(found->base, ".sovereign", NULL) != SOV_FILE_ABSENT;
        return true;
    }
    if (main) {
        found->base = main;
        found->looked = sov_arena_printf(arena, "%s, the common checkout", main);
        found->there = type_of(main, ".sovereign", NULL) != SOV_FILE_ABSENT;
        return true;
    }
    found->base = upward(arena, here, ".sovereign", &type);
    found->there = found->base != NULL;
    found->looked = sov_arena_printf(arena, "%s and the folders above it", here);
    if (!found->base) found->base = top ? top : here;
    return true;
}

bool sov_places_find(struct sov_arena *arena, struct sov_found *found_out, struct sov_error *err)
{
    struct sov_found found = { 0 };
    enum sov_file_type git = SOV_FILE_ABSENT;
    const char *here, *top;

    if (!sov_path_absolute(".", arena, &here, err)) return false;
    top = upward(arena, here, ".git", &git);
    if (!base_of(arena, here, top, git == SOV_FILE_REGULAR, &found, err)) return false;
    found.home = beneath(arena, found.base, ".sovereign");
    found.tree = top ? top : found.base;
    found.keys = user_folder(arena, "XDG_DATA_HOME", ".local/share", "sov/keys");
    found.pins = user_folder(arena, "XDG_STATE_HOME", ".local/state", "sov/pins");
    found.config = user_folder(arena, "XDG_CONFIG_HOME", ".config", "sov");
    if (!sov_env("HOME") && (*found.keys != '/' || strncmp(found.keys, "/.local", 7) == 0))
        return sov_fail(err, SOV_USAGE, "input_required", "neither HOME nor XDG_DATA_HOME is set");
    *found_out = found;
    return true;
}

bool sov_places_trust(const struct sov_found *found, struct sov_arena *arena,
                      const char **system_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    struct sov_file_facts facts;
    char system[32];
    bool local, trusted = false;

    if (!sov_folder_open(&home, found->home, err) || !sov_folder_facts(&home, &facts, err))
        return false;
    if (facts.uid != geteuid()) {
        if (!sov_config_trusts(found, found->base, arena, &trusted, err)) return false;
        if (!trusted)
            return sov_fail(err, SOV_DENIED, "foreign_owner", "%s belongs to uid %u", found->home,
                            (unsigned)facts.uid);
    }
    if (!sov_folder_system(&home, system, &local, err)) return false;
    *system_out = local ? NULL : sov_arena_printf(arena, "%s", system);
    return true;
}
