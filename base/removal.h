#ifndef SOV_BASE_REMOVAL_H
#define SOV_BASE_REMOVAL_H
/*
 * Removing a whole folder, and whether anybody still is in it. Owns: the one recursive removal.
 * No link is followed and no other file system entered: what is met there stops it.
 */
#include "base/file.h"

/* The folder `name` of `parent` with all that is in it; a missing one is fine. What was removed
 * before a failure stays removed. Fails file_unsafe (4) for another file system or a depth over
 * 64, io_error (7). */
SOV_MUST_USE bool sov_folder_remove(const struct sov_folder *parent, const char *name,
                                    struct sov_error *err);
/* Whether a process has its working folder, root, executable or an open file in this folder (an
 * absolute path without links). One of our own user that cannot be looked at (ssh-agent, the
 * session's PAM helper) counts if it runs and did not start before `since`, in clock ticks since
 * boot as struct sov_process_id has them. *who_out: its pid. Reads /proc. */
SOV_MUST_USE bool sov_folder_is_used(const char *path, int64_t since, bool *used_out,
                                     int64_t *who_out, struct sov_error *err);
#endif
