#ifndef SOV_BASE_WRITING_H
#define SOV_BASE_WRITING_H
/*
 * One file written piece by piece, for what is too large to be held whole: a temporary file beside
 * the name that it gets at the end, by fsync and rename. Owns: that descriptor. Not here: content
 * that fits into memory (file.h has sov_file_replace_named).
 */
#include "base/buf.h"
#include "base/file.h"

struct sov_writing {
    struct sov_folder folder;
    const char *path, *name; /* the caller's, borrowed; its last segment */
    char temporary[SOV_TEMPORARY_SIZE];
    struct sov_buf gathered;
    unsigned mode;
    int fd;
    bool open;
};
/* A path of the caller's own; what is there must be a regular file: file_unsafe. */
SOV_MUST_USE bool sov_writing_begin(struct sov_writing *writing, const char *path, unsigned mode,
                                    struct sov_error *err);
SOV_MUST_USE bool sov_writing_add(struct sov_writing *writing, struct sov_bytes octets,
                                  struct sov_error *err);
/* It is on the disk, and has its name. */
SOV_MUST_USE bool sov_writing_finish(struct sov_writing *writing, struct sov_error *err);
void sov_writing_end(struct sov_writing *writing); /* for SOV_CLEANUP: unfinished, it is removed */
#endif
