#ifndef SOV_BASE_SHELF_H
#define SOV_BASE_SHELF_H
/*
 * A folder that lies in memory: what somebody else than the file system says it holds, git's index
 * for one. It is looked at through struct sov_folder like any other (facts, names, reads); nothing
 * can be written into it. Owns: filling it. Not here: where the files come from.
 */
#include "base/file.h"

struct sov_shelf_file {
    const char *path; /* as sov_path_check wants it, or it can only be listed */
    enum sov_file_type type;
    unsigned mode;
    bool heavy; /* too large to be kept: every read of it is too_large */
    struct sov_bytes content;
    size_t order; /* set by sov_shelf_add */
};
/* In the arena of whoever filled it; by path in byte order. */
struct sov_shelf {
    struct sov_shelf_file *at;
    size_t count, room;
    struct sov_arena *arena;
};
/* Paths and contents are copied. The same path again: the first stays. */
void sov_shelf_add(struct sov_shelf *shelf, const struct sov_shelf_file *file);
/* No more comes; the folder is open, and closed like any other. Its shelf is borrowed. */
void sov_shelf_open(struct sov_shelf *shelf, struct sov_folder *folder_out);
#endif
