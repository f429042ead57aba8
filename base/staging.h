#ifndef SOV_BASE_STAGING_H
#define SOV_BASE_STAGING_H
/*
 * A folder of ours alone beside a name of the caller's: what is made in it is judged there, and
 * gets its name when it is whole. Owns: that folder, and its removal. Not here: what is put in.
 */
#include "base/arena.h"
#include "base/file.h"

struct sov_staging {
    struct sov_folder above;
    const char *name;      /* the last segment of the caller's path, borrowed */
    const char *temporary; /* the folder's own; NULL until it is made */
    const char *path;      /* its real path, in the arena */
};
/* Beside `path`; of mode 0700. */
SOV_MUST_USE bool sov_staging_begin(struct sov_staging *staging, const char *path,
                                    struct sov_arena *arena, struct sov_error *err);
/* What lies in it as `from` (NULL: the folder itself) becomes `to`, beside it; never over what is
 * there: exists (5). */
SOV_MUST_USE bool sov_staging_give(struct sov_staging *staging, const char *from, const char *to,
                                   struct sov_arena *arena, struct sov_error *err);
void sov_staging_end(struct sov_staging *staging); /* for SOV_CLEANUP: what is left is removed */
#endif
