#ifndef SOV_BASE_PLACE_H
#define SOV_BASE_PLACE_H
/*
 * The few acts on places that a caller names by a whole path (the key folder, say), and a file's
 * new name. What lies beneath a folder that is held open is file.h's.
 */
#include "base/file.h"

/* mkdir of every missing segment with this mode; links on the existing part of the way are fine. */
SOV_MUST_USE bool sov_folder_make_named(const char *path, unsigned mode, struct sov_error *err);
/* Permission bits of what the path leads to; no_such_file (3). */
SOV_MUST_USE bool sov_file_mode_named(const char *path, unsigned *mode_out, struct sov_error *err);
/* Another name in the same folder, never over an existing one (exists, 5); fsync of the folder. */
SOV_MUST_USE bool sov_file_move(const struct sov_folder *folder, const char *from, const char *to,
                                struct sov_error *err);
#endif
