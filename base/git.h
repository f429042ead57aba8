#ifndef SOV_BASE_GIT_H
#define SOV_BASE_GIT_H
/*
 * git, asked about a repository that nobody vouches for. Owns: how it is started, so that nothing
 * in the repository makes it run a program, fetch, or believe a replaced object; the questions
 * that are asked of it, and one key of its own configuration file. Not here: what the answers
 * mean.
 *
 * Fixed arguments, plumbing alone, an environment of its own, no configuration but the
 * repository's, and of that everything which names a program is overruled. Output and time are
 * bounded. Whether the folder's owner is trusted is git's own question (safe.directory): the user's
 * and the system's answers count, the repository's never.
 */
#include "base/arena.h"
#include "base/file.h"

enum sov_git_state {
    SOV_GIT_WHOLE,   /* all of it was seen */
    SOV_GIT_SHALLOW, /* a shallow clone: what is there was seen */
    SOV_GIT_NONE     /* nothing was seen; `why` says the reason */
};
struct sov_git_answer {
    enum sov_git_state state;
    const char *why; /* in the arena; what git itself said is hostile text */
};
/* One file. Borrowed for the call. */
struct sov_git_file {
    const char *path; /* of the history: one of the names it had */
    unsigned mode;    /* of the index: 0100644, 0100755, 0120000, 0160000 */
    bool merging;     /* of the index: unmerged, so no content is right */
    struct sov_bytes content;
};
/* False stops: the answer is NONE then. */
struct sov_git_sink {
    void *self;
    bool (*take)(void *self, const struct sov_git_file *file);
};
/* Every content that a file beneath `path` ever had in the history of HEAD, each once, in no
 * order that means anything; larger ones than size_max are left out. `top` is the working tree, by
 * its absolute path. Fails only if no child can be set up at all. */
SOV_MUST_USE bool sov_git_history(const char *top, const char *path, size_t size_max,
                                  const struct sov_git_sink *sink, struct sov_arena *arena,
                                  struct sov_git_answer *answer_out, struct sov_error *err);
/* Every file beneath `path` as it stands in the index, in byte order; one that is larger than
 * size_max is given without content (.data NULL). */
SOV_MUST_USE bool sov_git_index(const char *top, const char *path, size_t size_max,
                                const struct sov_git_sink *sink, struct sov_arena *arena,
                                struct sov_git_answer *answer_out, struct sov_error *err);
/* Every file beneath `path` in the tree of a revision, as the user names one; never an option. NONE
 * if git knows none of that name. */
SOV_MUST_USE bool sov_git_tree(const char *top, const char *revision, const char *path,
                               size_t size_max, const struct sov_git_sink *sink,
                               struct sov_arena *arena, struct sov_git_answer *answer_out,
                               struct sov_error *err);

/* What all working trees of the repository share. */
struct sov_git_shared {
    const char *folder;     /* absolute: holds config and hooks/ */
    const char *hooks_path; /* core.hooksPath of the repository, the user or the system, or NULL */
};
/* NONE: *shared_out is untouched. */
SOV_MUST_USE bool sov_git_shared(const char *top, struct sov_arena *arena,
                                 struct sov_git_shared *shared_out,
                                 struct sov_git_answer *answer_out, struct sov_error *err);
/* All values of a key in the repository's own file, in order, whatever includes or other files say.
 */
struct sov_git_values {
    const char **at;
    size_t count;
};
SOV_MUST_USE bool sov_git_config(const char *top, const char *key, struct sov_arena *arena,
                                 struct sov_git_values *values_out,
                                 struct sov_git_answer *answer_out, struct sov_error *err);
/* Sets the one value of that key there, by git itself, which holds its lock; NULL takes it out.
 * `config` must be a regular file: file_unsafe (4) changes nothing. io_error (7) if git refuses. */
SOV_MUST_USE bool sov_git_config_set(const char *top, const char *key, const char *value,
                                     struct sov_arena *arena, struct sov_error *err);
#endif
