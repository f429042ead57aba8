/* The repository's own configuration file, by its name alone: nothing that it includes is read, and
 * git starts nothing for it. */
#include <string.h>

#include "base/git_run.h"

enum { VALUES_MAX = 1 << 20 };

static const char *first_value(struct sov_git *git)
{
    struct sov_bytes out = sov_buf_bytes(&git->out);

    if (!git->ended || !out.size) return NULL;
    return sov_arena_text(git->arena,
                          sov_bytes(out.data, strnlen((const char *)out.data, out.size)));
}

/* The folder that all working trees share; NULL: the answer is given. */
static bool common(struct sov_git *git, const char *top, const char **folder_out,
                   struct sov_error *err)
{
    static const char *const words[] = { "rev-parse", "--git-common-dir", NULL };
    struct sov_bytes line;
    const char *path;

    *folder_out = NULL;
    if (!sov_git_ask(git, words, sov_bytes(NULL, 0), SOV_GIT_LIST_MAX, err)) return false;
    line = sov_buf_bytes(&git->out);
    if (!git->ended || line.size < 2 || line.data[line.size - 1] != '\n' ||
        memchr(line.data, 0, line.size)) {
        sov_git_none(git, sov_arena_printf(git->arena, "git refuses: %s", sov_git_said(git)));
        return true;
    }
    path = sov_arena_text(git->arena, sov_bytes(line.data, line.size - 1));
    if (*path != '/') path = sov_arena_printf(git->arena, "%s/%s", top, path);
    return sov_path_absolute(path, git->arena, folder_out, err);
}

/* A regular file of the folder, so that nobody writes elsewhere through it. */
static bool file_of(struct sov_git *git, const char *folder, const char **path_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder held = { 0 };
    struct sov_file_facts facts;

    if (!sov_folder_open(&held, folder, err) || !sov_file_facts(&held, "config", &facts, err))
        return false;
    if (facts.type != SOV_FILE_REGULAR || facts.links != 1)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s/config is no regular file of its own",
                        folder);
    *path_out = sov_arena_printf(git->arena, "%s/config", folder);
    return true;
}

static bool ask_file(struct sov_git *git, const char *file, const char *act, const char *key,
                     const char *value, struct sov_error *err)
{
    const char *const words[] = { "config", "--file", file, "-z", act, key, value, NULL };

    return sov_git_ask(git, words, sov_bytes(NULL, 0), VALUES_MAX, err);
}

/* ---- what is shared ---- */

static bool hooks_path(struct sov_git *git, const char *file, const char **path_out,
                       struct sov_error *err)
{
    static const char key[] = "core.hooksPath";

    if (!ask_file(git, file, "--get", key, NULL, err)) return false;
    *path_out = first_value(git);
    if (*path_out) return true;
    if (!sov_git_ask_user(git, "--global", key, err)) return false;
    *path_out = first_value(git);
    if (*path_out) return true;
    if (!sov_git_ask_user(git, "--system", key, err)) return false;
    *path_out = first_value(git);
    return true;
}

static bool shared(struct sov_git *git, const char *top, struct sov_git_shared *shared_out,
                   struct sov_error *err)
{
    struct sov_git_shared found = { NULL, NULL };
    const char *file;

    if (!common(git, top, &found.folder, err)) return false;
    if (!found.folder) return true;
    if (!file_of(git, found.folder, &file, err) || !hooks_path(git, file, &found.hooks_path, err))
        return false;
    *shared_out = found;
    return true;
}

bool sov_git_shared(const char *top, struct sov_arena *arena, struct sov_git_shared *shared_out,
                    struct sov_git_answer *answer_out, struct sov_error *err)
{
    struct sov_git git = { 0 };
    bool goes_on, ok;

    *answer_out = (struct sov_git_answer){ SOV_GIT_NONE, "" };
    ok = sov_git_begin(&git, top, arena, answer_out, &goes_on, err) &&
         (!goes_on || shared(&git, top, shared_out, err));
    sov_git_end(&git);
    return ok;
}

/* ---- one key ---- */

static bool values_of(struct sov_git *git, const char *file, const char *key,
                      struct sov_git_values *values_out, struct sov_error *err)
{
    struct sov_bytes rest;
    struct sov_git_values values = { NULL, 0 };

    if (!ask_file(git, file, "--get-all", key, NULL, err)) return false;
    rest = sov_buf_bytes(&git->out);
    values.at = sov_arena_array(git->arena, rest.size + 1, sizeof *values.at);
    while (git->ended && rest.size) {
        size_t size = strnlen((const char *)rest.data, rest.size);

        values.at[values.count++] = sov_arena_text(git->arena, sov_bytes(rest.data, size));
        size += size < rest.size;
        rest = sov_bytes(rest.data + size, rest.size - size);
    }
    *values_out = values;
    return true;
}

static bool config(struct sov_git *git, const char *top, const char *key,
                   struct sov_git_values *values_out, struct sov_error *err)
{
    const char *folder, *file;

    if (!common(git, top, &folder, err)) return false;
    return !folder ||
           (file_of(git, folder, &file, err) && values_of(git, file, key, values_out, err));
}

bool sov_git_config(const char *top, const char *key, struct sov_arena *arena,
                    struct sov_git_values *values_out, struct sov_git_answer *answer_out,
                    struct sov_error *err)
{
    struct sov_git git = { 0 };
    bool goes_on, ok;

    *answer_out = (struct sov_git_answer){ SOV_GIT_NONE, "" };
    ok = sov_git_begin(&git, top, arena, answer_out, &goes_on, err) &&
         (!goes_on || config(&git, top, key, values_out, err));
    sov_git_end(&git);
    return ok;
}

static bool set(struct sov_git *git, const char *top, const char *key, const char *value,
                struct sov_error *err)
{
    struct sov_git_values now = { NULL, 0 };
    const char *folder, *file;

    if (!common(git, top, &folder, err)) return false;
    if (!folder) return true;
    if (!file_of(git, folder, &file, err) ||
        !ask_file(git, file, value ? "--replace-all" : "--unset", key, value, err))
        return false;
    if (!git->ended)
        return sov_fail(err, SOV_UNABLE, "io_error", "git did not write %s: %s", file,
                        sov_git_said(git));
    if (!values_of(git, file, key, &now, err)) return false;
    if (now.count != (value ? 1 : 0) || (value && strcmp(now.at[0], value) != 0))
        return sov_fail(err, SOV_UNABLE, "io_error", "%s does not hold what git was told", file);
    return true;
}

bool sov_git_config_set(const char *top, const char *key, const char *value,
                        struct sov_arena *arena, struct sov_error *err)
{
    struct sov_git_answer answer = { SOV_GIT_NONE, "" };
    struct sov_git git = { 0 };
    bool goes_on, ok;

    ok = sov_git_begin(&git, top, arena, &answer, &goes_on, err) &&
         (!goes_on || set(&git, top, key, value, err));
    sov_git_end(&git);
    if (!ok) return false;
    if (answer.state == SOV_GIT_NONE)
        return sov_fail(err, SOV_UNABLE, "io_error", "%s", answer.why);
    return true;
}
