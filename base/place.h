#ifndef SOV_BASE_PLACE_H
#define SOV_BASE_PLACE_H
/*
 * The few acts on places that a caller names by a whole path (the key folder, say), and a file's
 * new name. What lies beneath a folder that is held open is file.h's.
 */
#include "base/file.h"

/* mkdir of every missing segment with this mode; links on the existing part of the way are fine. */
SOV_MUST_USE bool sov_folder_make_named(const char *path, unsigned mode, struct sov_error *err);
/* The folder that holds what a path names, or would; *name_out is the path's last segment. */
SOV_MUST_USE bool sov_folder_above(struct sov_folder *folder, const char *path,
                                   const char **name_out, struct sov_error *err);
/* Permission bits of what the path leads to; no_such_file (3). */
SOV_MUST_USE bool sov_file_mode_named(const char *path, unsigned *mode_out, struct sov_error *err);
/* The same of what is to hold a secret: file_unsafe (4) if it is no regular file. Opening a FIFO
 * waits for whoever writes it, and nothing ends that. */
SOV_MUST_USE bool sov_secret_mode_named(const char *path, unsigned *mode_out,
                                        struct sov_error *err);
/* Another name in the same folder, never over an existing one (exists, 5); fsync of the folder. */
SOV_MUST_USE bool sov_file_move(const struct sov_folder *folder, const char *from, const char *to,
                                struct sov_error *err);
/* For a file that another hand made (SQLite's) in a folder of ours alone: it is not opened. */
SOV_MUST_USE bool sov_file_set_mode(const struct sov_folder *folder, const char *path,
                                    unsigned mode, struct sov_error *err);
#endif
