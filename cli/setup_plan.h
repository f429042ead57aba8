#ifndef SOV_CLI_SETUP_PLAN_H
#define SOV_CLI_SETUP_PLAN_H
/*
 * What setup would change, file by file: looked at first, shown, and done only if all of it can be.
 * Owns: the state of each file and of the one key in git's configuration. Not here: the texts
 * (setup.h), asking (verb_setup.c).
 */
#include "cli/setup.h"
#include "cli/verb.h"

enum { SOV_SETUP_ITEMS_MAX = 2 };

struct sov_setup_item {
    const char *shown;  /* "governance/.." as the user sees it */
    const char *folder; /* what it lies beneath, absolute; NULL: a value in git's configuration */
    const char *path;
    unsigned mode;
    struct sov_setup_text text;
    const char *left; /* NULL: a file of others is refused, else it is left alone, and this said */
    bool unused;      /* git does not look there: the same */
    struct sov_bytes before;
    struct sov_setup_result result;
};
struct sov_setup_plan {
    struct sov_setup_item items[SOV_SETUP_ITEMS_MAX];
    size_t count;
};
/* Reads and judges one item and adds it. Errors of sov_setup_judge name the file; file_unsafe (4):
 * a link or no regular file; setup_foreign (5): a file that sov did not write. */
SOV_MUST_USE bool sov_setup_plan_add(struct sov_call *call, struct sov_setup_plan *plan,
                                     const struct sov_setup_item *item, bool removing,
                                     struct sov_error *err);
/* The merge driver and the hook. */
SOV_MUST_USE bool sov_setup_plan_git(struct sov_call *call, struct sov_setup_plan *plan,
                                     bool removing, struct sov_error *err);
/* Anything that would be written? */
bool sov_setup_plan_acts(const struct sov_setup_plan *plan);
/* Does it. What was read and is another now: moved (5), before anything is written. */
SOV_MUST_USE bool sov_setup_plan_do(struct sov_call *call, const struct sov_setup_plan *plan,
                                    struct sov_error *err);
/* The two items of git, for printing alone: nothing is looked at. */
void sov_setup_plan_git_texts(struct sov_setup_plan *plan);
#endif
