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

/* The nearest folder from `from` upward that holds `name`, on the same file system; or NULL. */
static bool upward(struct sov_arena *arena, const char *from, const char *name, const char **at_out,
                   enum sov_file_type *type_out, struct sov_error *err)
{
    uint64_t first = 0, device = 0;
    enum sov_file_type type;

    *at_out = NULL;
    if (!sov_folder_holds(from, name, &type, &first, err)) return false;
    for (const char *at = from; at; at = parent(arena, at)) {
        if (!sov_folder_holds(at, name, &type, &device, err)) return false;
        if (device != first) return true;
        if (type == SOV_FILE_ABSENT) continue;
        *type_out = type;
        *at_out = at;
        return true;
    }
    return true;
}

/* What is not there, or not what it should be, is none; what could not be read is an error. */
static bool is_none(const struct sov_error *err)
{
    return err->exit != SOV_UNABLE;
}

/* The first line of a small file, or NULL. */
static bool line_of(struct sov_arena *arena, const char *folder, const char *name,
                    const char **line_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder held = { 0 };
    struct sov_bytes text;
    size_t size = 0;

    *line_out = NULL;
    if (!sov_folder_open(&held, folder, err) ||
        !sov_file_read(&held, name, GIT_FILE_MAX, arena, &text, err))
        return is_none(err);
    while (size < text.size && text.data[size] != '\n' && text.data[size]) size++;
    *line_out = sov_arena_text(arena, sov_bytes(text.data, size));
    return true;
}

static bool absolute(struct sov_arena *arena, const char *from, const char *path,
                     const char **real_out, struct sov_error *err)
{
    *real_out = NULL;
    if (*path != '/') path = beneath(arena, from, path);
    return sov_path_absolute(path, arena, real_out, err) || is_none(err);
}

/* The common checkout of a linked worktree whose top holds a .git file; NULL if it is none. */
static bool common_checkout(struct sov_arena *arena, const char *top, const char **main_out,
                            struct sov_error *err)
{
    static const char mark[] = "gitdir: ";
    const char *line, *git, *common = NULL, *slash;

    *main_out = NULL;
    if (!line_of(arena, top, ".git", &line, err)) return false;
    if (!line || strncmp(line, mark, sizeof mark - 1) != 0) return true;
    if (!absolute(arena, top, line + sizeof mark - 1, &git, err)) return false;
    if (!git) return true;
    if (!line_of(arena, git, "commondir", &line, err)) return false;
    if (line && !absolute(arena, git, line, &common, err)) return false;
    slash = common ? strrchr(common, '/') : NULL;
    if (slash && strcmp(slash, "/.git") == 0) *main_out = parent(arena, common);
    return true;
}

/* Is there a ledger's folder right here? */
static bool look(struct sov_found *found, struct sov_error *err)
{
    enum sov_file_type type;
    uint64_t device;

    if (!sov_folder_holds(found->base, ".sovereign", &type, &device, err)) return false;
    found->there = type != SOV_FILE_ABSENT;
    return true;
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
    const char *set = sov_env("SOV_DIR"), *main = NULL;
    enum sov_file_type type;

    if (set) {
        if (!sov_path_absolute(set, arena, &found->base, err)) return false;
        found->looked = sov_arena_printf(arena, "%s (SOV_DIR)", found->base);
        return look(found, err);
    }
    if (linked && !common_checkout(arena, top, &main, err)) return false;
    if (main) {
        found->base = main;
        found->looked = sov_arena_printf(arena, "%s, the common checkout", main);
        return look(found, err);
    }
    if (!upward(arena, here, ".sovereign", &found->base, &type, err)) return false;
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
    if (!upward(arena, here, ".git", &top, &git, err) ||
        !base_of(arena, here, top, git == SOV_FILE_REGULAR, &found, err))
        return false;
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

static bool lies_in(const char *folder, const char *within, struct sov_arena *arena)
{
    struct sov_error absent = { 0 };
    const char *whole;
    size_t size;

    if (!sov_path_absolute(within, arena, &whole, &absent)) return false; /* it is not there */
    size = strlen(whole);
    return strncmp(folder, whole, size) == 0 && (!folder[size] || folder[size] == '/');
}

bool sov_places_output(const struct sov_found *found, const char *file, struct sov_arena *arena,
                       struct sov_error *err)
{
    const char *slash = strrchr(file, '/'), *folder;
    const char *parent = !slash ? "." : sov_arena_printf(arena, "%.*s/", (int)(slash - file), file);
    const char *kept[] = { found->keys, found->pins,
                           sov_arena_printf(arena, "%s/governance", found->tree), found->home };
    struct sov_error absent = { 0 };

    if (!sov_path_absolute(parent, arena, &folder, &absent))
        return true;
    if (lies_in(folder, sov_arena_printf(arena, "%s/runs", found->home), arena)) return true;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (lies_in(folder, kept[i], arena))
            return sov_fail(err, SOV_DENIED, "file_unsafe", "%s lies among what sov keeps itself",
                            file);
    return true;
}
