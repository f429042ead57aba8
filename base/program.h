#ifndef SOV_BASE_PROGRAM_H
#define SOV_BASE_PROGRAM_H
/*
 * An executable file, opened once: what was looked at, hashed and executed is one inode.
 * Owns: the look-up along the fixed path, the descriptor that is executed.
 * Not here: starting it (keeper.h).
 */
#include "base/crypto.h"
#include "base/error.h"

struct sov_program {
    int fd; /* O_PATH, close-on-exec, above 2 */
    bool open;
    bool is_script; /* begins with "#!": its interpreter opens it again by path */
    uint64_t device, inode;
    struct sov_hash digest;
};
/* Fails no_such_file (3), file_unsafe (4: not a regular file, not executable for us, not readable),
 * too_large (2), io_error (7). */
SOV_MUST_USE bool sov_program_open(struct sov_program *program, const char *path,
                                   struct sov_error *err);
void sov_program_close(struct sov_program *program); /* for SOV_CLEANUP */
/* The path still leads to the file that is open. Safe after fork. */
bool sov_program_is_at(const struct sov_program *program, const char *path);
#endif
