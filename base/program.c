#include "base/program.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"

/* A Node executable with its snapshot has about 200 MiB. */
#define PROGRAM_MAX (UINT64_C(1) << 30)

enum { PROC_PATH = 40, READ_SIZE = 64 * 1024, PATH_MAX_SIZE = 4096 };

static bool refuse(struct sov_error *err, const char *path, int error)
{
    if (error == ENOENT || error == ENOTDIR)
        return sov_fail(err, SOV_ABSENT, "no_such_file", "there is no program %s", path);
    if (error == EACCES || error == EPERM || error == ELOOP)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s: %s", path, strerror(error));
    return sov_fail(err, SOV_UNABLE, "io_error", "%s: %s", path, strerror(error));
}

static bool file_check(struct sov_program *program, const char *path, const char *again,
                       struct sov_error *err)
{
    struct stat st;

    if (fstat(program->fd, &st) != 0) return refuse(err, path, errno);
    if (!S_ISREG(st.st_mode))
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is not a regular file", path);
    if (faccessat(AT_FDCWD, again, X_OK, AT_EACCESS) != 0)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is not executable", path);
    if ((uint64_t)st.st_size > PROGRAM_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "%s is larger than a program may be", path);
    program->device = st.st_dev;
    program->inode = st.st_ino;
    return true;
}

static bool file_hash(struct sov_program *program, int fd, const char *path, struct sov_error *err)
{
    struct sov_sha256 sha;
    uint8_t octets[READ_SIZE];
    uint64_t total = 0;
    ssize_t n;

    sov_sha256_begin(&sha);
    while ((n = read(fd, octets, sizeof octets)) != 0) {
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return refuse(err, path, errno);
        if (total == 0) program->is_script = n >= 2 && octets[0] == '#' && octets[1] == '!';
        total += (uint64_t)n;
        if (total > PROGRAM_MAX)
            return sov_fail(err, SOV_USAGE, "too_large", "%s grows while it is read", path);
        sov_sha256_add(&sha, sov_bytes(octets, (size_t)n));
    }
    program->digest = sov_sha256_end(&sha);
    return true;
}

bool sov_program_open(struct sov_program *program, const char *path, struct sov_error *err)
{
    SOV_CLEANUP(sov_program_close) struct sov_program made = { 0 };
    char again[PROC_PATH];
    bool hashed;
    int fd;

    assert(program && path && err);
    fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return refuse(err, path, errno);
    /* The child moves its pipes to 0, 1 and 2: a descriptor there would be lost. */
    made.fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (made.fd < 0) {
        int error = errno;

        (void)close(fd);
        return refuse(err, path, error);
    }
    made.open = true;
    (void)close(fd);
    (void)snprintf(again, sizeof again, "/proc/self/fd/%d", made.fd);
    if (!file_check(&made, path, again, err)) return false;
    /* Not by the path: what is hashed has to be what is held. */
    fd = open(again, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return refuse(err, path, errno);
    hashed = file_hash(&made, fd, path, err);
    (void)close(fd);
    if (!hashed) return false;
    *program = made;
    made.open = false;
    return true;
}

void sov_program_close(struct sov_program *program)
{
    if (program->open) (void)close(program->fd);
    program->open = false;
}

bool sov_program_is_at(const struct sov_program *program, const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && st.st_dev == program->device && st.st_ino == program->inode;
}

static bool program_try(const char *path, struct sov_arena *arena, const char **path_out,
                        struct sov_hash *digest_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_program_close) struct sov_program program = { 0 };

    if (!sov_program_open(&program, path, err)) return false;
    *path_out = sov_arena_text(arena, sov_bytes_text(path));
    *digest_out = program.digest;
    return true;
}

/* The first folder that has the name decides, so a later one cannot stand in for a broken one. */
static bool program_look_up(const char *name, const char *const *folders, struct sov_arena *arena,
                            const char **path_out, struct sov_hash *digest_out,
                            struct sov_error *err)
{
    static const char *const fixed[] = { "/usr/local/bin", "/usr/bin", "/bin", NULL };
    const char *const *lists[] = { fixed, folders };

    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (const char *const *at = lists[l]; at && *at; at++) {
            char path[PATH_MAX_SIZE];
            struct stat st;
            int n = snprintf(path, sizeof path, "%s/%s", *at, name);

            if (n < 0 || (size_t)n >= sizeof path || **at != '/') continue;
            if (stat(path, &st) == 0) return program_try(path, arena, path_out, digest_out, err);
        }
    return sov_fail(err, SOV_ABSENT, "no_such_file", "there is no program %s on the path", name);
}

bool sov_child_resolve(const char *name, const char *const *folders, struct sov_arena *arena,
                       const char **path_out, struct sov_hash *digest_out, struct sov_error *err)
{
    char folder[PATH_MAX_SIZE], path[2 * PATH_MAX_SIZE];

    assert(name && arena && path_out && digest_out && err);
    if (*name == '\0' || strlen(name) >= PATH_MAX_SIZE)
        return sov_fail(err, SOV_ABSENT, "no_such_file", "there is no program of this name");
    if (!strchr(name, '/')) return program_look_up(name, folders, arena, path_out, digest_out, err);
    if (*name == '/') return program_try(name, arena, path_out, digest_out, err);
    /* A script is executed by path from another working folder. */
    if (!getcwd(folder, sizeof folder))
        return sov_fail(err, SOV_UNABLE, "io_error", "working folder: %s", strerror(errno));
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return program_try(path, arena, path_out, digest_out, err);
}
