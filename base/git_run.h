#ifndef SOV_BASE_GIT_RUN_H
#define SOV_BASE_GIT_RUN_H
/* One repository while it is asked. Private to git.c, which starts git, git_objects.c and
 * git_config.c. */
#include "base/buf.h"
#include "base/git.h"

enum {
    SOV_GIT_LIST_MAX = 64 << 20,     /* of a list of objects */
    SOV_GIT_CONTENT_MAX = 256 << 20, /* of all their contents */
    SOV_GIT_SAFE_MAX = 64            /* folders that the user calls safe */
};

struct sov_git {
    struct sov_folder top;
    const char *path; /* of the program */
    struct sov_hash digest;
    struct sov_arena *arena;
    struct sov_buf out, errors;
    const char *safe[SOV_GIT_SAFE_MAX]; /* "safe.directory=..." */
    size_t safe_count;
    bool ended; /* by itself, with status 0 */
    struct sov_git_answer *answer;
};
/* *goes_on_out false: the answer is given already, there is nothing to ask. */
SOV_MUST_USE bool sov_git_begin(struct sov_git *git, const char *top, struct sov_arena *arena,
                                struct sov_git_answer *answer, bool *goes_on_out,
                                struct sov_error *err);
void sov_git_end(struct sov_git *git); /* for SOV_CLEANUP */
/* One plumbing command in the tree; `ended`, `out` and `errors` hold what came of it. */
SOV_MUST_USE bool sov_git_ask(struct sov_git *git, const char *const *words, struct sov_bytes input,
                              size_t out_max, struct sov_error *err);
/* All values of a key of the user (--global) or the system (--system), each NUL-ended in `out`:
 * read outside of any repository. */
SOV_MUST_USE bool sov_git_ask_user(struct sov_git *git, const char *where, const char *key,
                                   struct sov_error *err);
void sov_git_none(struct sov_git *git, const char *why);
const char *sov_git_said(struct sov_git *git); /* its first line on standard error */
#endif
