#include "base/git_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/env.h"

enum { ERRORS_KEEP = 2048, WALL_MS = 60000, ARGS_MAX = 16 };

/* Whatever the configuration names that git would start, and what would make it look elsewhere. */
static const char *const overruled[] = {
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.commitGraph=false",
    "core.sshCommand=false",
    "core.gitProxy=false",
    "core.askPass=false",
    "core.pager=cat",
    "core.editor=false",
    "credential.helper=",
    "diff.external=",
    "gpg.program=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
    "core.attributesFile=/dev/null",
    "advice.graftFileDeprecated=false",
};

/* Nothing of the caller's, but the home that ~ in safe.directory means. */
static const char *const *environment(struct sov_git *git, bool own)
{
    static const char *const fixed[] = {
        "PATH=/usr/bin:/bin",      "LC_ALL=C",
        "GIT_TERMINAL_PROMPT=0",   "GIT_OPTIONAL_LOCKS=0",
        "GIT_NO_LAZY_FETCH=1",     "GIT_NO_REPLACE_OBJECTS=1",
        "GIT_ALLOW_PROTOCOL=none", "GIT_GRAFT_FILE=/dev/null",
        "GIT_ATTR_NOSYSTEM=1",     "GIT_ASKPASS=false",
        "SSH_ASKPASS=false",       "GIT_SSH_COMMAND=false",
        "GIT_LITERAL_PATHSPECS=1",
    };
    static const char *const closed[] = { "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
                                          "GIT_CONFIG_SYSTEM=/dev/null" };
    enum { FIXED = sizeof fixed / sizeof *fixed, CLOSED = sizeof closed / sizeof *closed };
    const char **all = sov_arena_array(git->arena, FIXED + CLOSED + 3, sizeof *all);
    const char *home = sov_env("HOME"), *config = sov_env("XDG_CONFIG_HOME");
    size_t count = 0;

    for (size_t i = 0; i < FIXED; i++) all[count++] = fixed[i];
    for (size_t i = 0; !own && i < CLOSED; i++) all[count++] = closed[i];
    if (home) all[count++] = sov_arena_printf(git->arena, "HOME=%s", home);
    if (own && config) all[count++] = sov_arena_printf(git->arena, "XDG_CONFIG_HOME=%s", config);
    return all;
}

/* The first line of what git said, for people. */
const char *sov_git_said(struct sov_git *git)
{
    struct sov_bytes text = sov_buf_bytes(&git->errors);
    const uint8_t *feed = text.size ? memchr(text.data, '\n', text.size) : NULL;

    if (feed) text.size = (size_t)(feed - text.data);
    if (text.size > 200) text.size = 200;
    return text.size ? sov_arena_text(git->arena, text) : "it said nothing";
}

void sov_git_none(struct sov_git *git, const char *why)
{
    git->answer->state = SOV_GIT_NONE;
    git->answer->why = why;
}

static bool start(struct sov_git *git, const struct sov_folder *folder, const char *const *argv,
                  const char *const *variables, struct sov_bytes input, size_t out_max,
                  struct sov_error *err)
{
    struct sov_child_result result;
    struct sov_child_plan plan = {
        .argv = argv,
        .path = git->path,
        .digest = git->digest,
        .environment = variables,
        .folder = folder,
        .input = input,
        .wall_ms = WALL_MS,
        .stdout_max = out_max,
        .stderr_keep = ERRORS_KEEP,
    };

    sov_buf_release(&git->out);
    sov_buf_release(&git->errors);
    sov_buf_init(&git->out, out_max);
    sov_buf_init(&git->errors, 2 * ERRORS_KEEP);
    if (!sov_child_run(&plan, NULL, &git->out, &git->errors, &result, err)) return false;
    git->ended = result.ended_by == SOV_END_SELF && result.exit_code == 0;
    return true;
}

/* One plumbing command in the tree. */
bool sov_git_ask(struct sov_git *git, const char *const *words, struct sov_bytes input,
                 size_t out_max, struct sov_error *err)
{
    const size_t settings = sizeof overruled / sizeof *overruled;
    const char **argv =
        sov_arena_array(git->arena, 2 * (settings + git->safe_count) + ARGS_MAX, sizeof *argv);
    size_t count = 0;

    argv[count++] = "git";
    argv[count++] = "--no-pager";
    for (size_t i = 0; i < settings; i++) {
        argv[count++] = "-c";
        argv[count++] = overruled[i];
    }
    for (size_t i = 0; i < git->safe_count; i++) {
        argv[count++] = "-c";
        argv[count++] = git->safe[i];
    }
    for (size_t i = 0; words[i]; i++) argv[count++] = words[i];
    return start(git, &git->top, argv, environment(git, false), input, out_max, err);
}

/* ---- whose folder it is ---- */

bool sov_git_ask_user(struct sov_git *git, const char *where, const char *key,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder root = { 0 };
    const char *argv[] = { "git", "config", where, "--includes", "-z", "--get-all", key, NULL };

    return sov_folder_open(&root, "/", err) && start(git, &root, argv, environment(git, true),
                                                     sov_bytes(NULL, 0), SOV_GIT_LIST_MAX, err);
}

/* What the user, or the system, calls safe. */
static bool safe_of(struct sov_git *git, const char *where, struct sov_error *err)
{
    struct sov_bytes rest;

    if (!sov_git_ask_user(git, where, "safe.directory", err)) return false;
    rest = sov_buf_bytes(&git->out);
    while (git->ended && rest.size && git->safe_count < SOV_GIT_SAFE_MAX) {
        size_t size = strnlen((const char *)rest.data, rest.size);

        git->safe[git->safe_count++] =
            sov_arena_printf(git->arena, "safe.directory=%.*s", (int)size, (const char *)rest.data);
        size += size < rest.size;
        rest = sov_bytes(rest.data + size, rest.size - size);
    }
    return true;
}

static bool refuses_owner(const struct sov_git *git)
{
    return git->errors.size &&
           memmem(git->errors.data, git->errors.size, "dubious ownership", 17) != NULL;
}

static bool called_safe(struct sov_git *git, struct sov_error *err)
{
    return safe_of(git, "--system", err) && safe_of(git, "--global", err);
}

/* Whether there is a repository that git will look at; *goes_on_out false: the answer is given. */
static bool look(struct sov_git *git, bool *goes_on_out, struct sov_error *err)
{
    static const char *const words[] = { "rev-parse", "--is-shallow-repository", "--show-prefix",
                                         NULL };
    struct sov_file_facts facts;
    bool shallow;

    *goes_on_out = false;
    if (!sov_file_facts(&git->top, ".git", &facts, err)) return false;
    if (facts.type == SOV_FILE_ABSENT) {
        sov_git_none(git, "there is no git repository here");
        return true;
    }
    if (!sov_git_ask(git, words, sov_bytes(NULL, 0), SOV_GIT_LIST_MAX, err)) return false;
    if (!git->ended && refuses_owner(git) &&
        (!called_safe(git, err) ||
         !sov_git_ask(git, words, sov_bytes(NULL, 0), SOV_GIT_LIST_MAX, err)))
        return false;
    if (!git->ended) {
        sov_git_none(git, sov_arena_printf(git->arena, "git refuses: %s", sov_git_said(git)));
        return true;
    }
    shallow = sov_bytes_is(sov_buf_bytes(&git->out), "true\n\n");
    /* A .git that is none lets git go up, to a repository that names the files otherwise. */
    if (!shallow && !sov_bytes_is(sov_buf_bytes(&git->out), "false\n\n")) {
        sov_git_none(git, "the git repository does not begin here");
        return true;
    }
    git->answer->state = shallow ? SOV_GIT_SHALLOW : SOV_GIT_WHOLE;
    *goes_on_out = true;
    return true;
}

bool sov_git_begin(struct sov_git *git, const char *top, struct sov_arena *arena,
                   struct sov_git_answer *answer, bool *goes_on_out, struct sov_error *err)
{
    static const char *const no_folders[] = { NULL };
    struct sov_error why = { 0 };

    git->arena = arena;
    git->answer = answer;
    *goes_on_out = false;
    if (!sov_folder_open(&git->top, top, err)) return false;
    if (!sov_child_resolve("git", no_folders, arena, &git->path, &git->digest, &why)) {
        sov_git_none(git, "there is no git program here");
        return true;
    }
    return look(git, goes_on_out, err);
}

void sov_git_end(struct sov_git *git)
{
    sov_folder_close(&git->top);
    sov_buf_release(&git->out);
    sov_buf_release(&git->errors);
}
