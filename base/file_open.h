#ifndef SOV_BASE_FILE_OPEN_H
#define SOV_BASE_FILE_OPEN_H
/*
 * What file.c shares with folder.c and lock.c, and with nobody else: descriptors opened beneath a
 * folder. Functions named _open_ return a descriptor or a negative errno; their paths were checked.
 */
#include "base/file.h"

#include <sys/types.h>

/* Close-on-exec and without following any link. */
int sov_open_beneath(int folder, const char *path, int flags, unsigned mode);
/* A new file of ours beside the one that it will replace, and its name; one that a failing disk may
 * have left is gone. */
int sov_open_temporary(int folder, char name[SOV_TEMPORARY_SIZE]);
/* A new file in the folder itself that never gets a name. */
int sov_open_nameless(int folder);
/* As sov_open_beneath, for a kernel without openat2. */
int sov_open_by_steps(int folder, const char *path, int flags, unsigned mode);
/* The folder that holds the last segment; *name_out points to that segment. */
int sov_open_parent(const struct sov_folder *folder, const char *path, const char **name_out);
/* An ordinary path: links are followed. */
int sov_open_named(const char *path, int flags);

enum sov_file_type sov_file_type_of(unsigned mode); /* of st_mode */

/* One segment after another, none empty, "." or "..": else file_unsafe. */
SOV_MUST_USE bool sov_path_check(const char *path, struct sov_error *err);
/* The failure that this errno means for this path. Always false. */
bool sov_file_fail(const char *path, int number, struct sov_error *err);
SOV_MUST_USE bool sov_sync_folder(int fd, const char *path, struct sov_error *err);
SOV_MUST_USE bool sov_write_whole(int fd, struct sov_bytes content, int *number_out);
void sov_fd_end(int *fd); /* for SOV_CLEANUP; a negative one is fine */
#endif
