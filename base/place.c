#include "base/place.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_open.h"

enum { PATH_SIZE = 4096 };

bool sov_folder_make_named(const char *path, unsigned mode, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    char prefix[PATH_SIZE];
    size_t size = strlen(path);

    while (size && path[size - 1] == '/') size--;
    if (!size || size >= sizeof prefix)
        return sov_fail(err, SOV_USAGE, "bad_value", "a folder needs a path of 1 to %d bytes",
                        PATH_SIZE - 1);
    /* The longest part that is there; what is missing is made beneath it. */
    for (size_t at = size;;) {
        memcpy(prefix, path, at);
        prefix[at] = 0;
        if (sov_folder_open(&folder, at ? prefix : *path == '/' ? "/" : ".", err)) {
            const char *rest = path + at + (path[at] == '/');

            snprintf(prefix, sizeof prefix, "%.*s", (int)(path + size - rest), rest);
            return at == size || sov_folder_make(&folder, prefix, mode, err);
        }
        if (err->exit != SOV_ABSENT || !at) return false;
        do at--;
        while (at && path[at] != '/');
    }
}

bool sov_folder_above(struct sov_folder *folder, const char *path, const char **name_out,
                      struct sov_error *err)
{
    const char *slash = strrchr(path, '/');
    char above[PATH_SIZE] = ".";

    if (slash) {
        size_t size = slash == path ? 1 : (size_t)(slash - path);

        if (size >= sizeof above) return sov_file_fail(path, ENAMETOOLONG, err);
        memcpy(above, path, size);
        above[size] = 0;
    }
    *name_out = slash ? slash + 1 : path;
    return sov_folder_open(folder, above, err);
}

bool sov_secret_mode_named(const char *path, unsigned *mode_out, struct sov_error *err)
{
    struct stat st;

    if (stat(path, &st) != 0) return sov_file_fail(path, errno, err);
    if (!S_ISREG(st.st_mode))
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is no regular file", path);
    *mode_out = st.st_mode & 07777;
    return true;
}

bool sov_file_mode_named(const char *path, unsigned *mode_out, struct sov_error *err)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return sov_fail(err, SOV_ABSENT, "no_such_file", "%s: %s", path, strerrorname_np(errno));
    *mode_out = st.st_mode & 07777;
    return true;
}

bool sov_file_move(const struct sov_folder *folder, const char *from, const char *to,
                   struct sov_error *err)
{
    if (renameat2(folder->fd, from, folder->fd, to, RENAME_NOREPLACE) != 0) {
        if (errno == EEXIST) return sov_fail(err, SOV_CONFLICT, "exists", "%s is there", to);
        return sov_fail(err, SOV_UNABLE, "io_error", "%s cannot get the name %s: %s", from, to,
                        strerrorname_np(errno));
    }
    if (fsync(folder->fd) != 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "fsync of a folder: %s",
                        strerrorname_np(errno));
    return true;
}

bool sov_file_set_mode(const struct sov_folder *folder, const char *path, unsigned mode,
                       struct sov_error *err)
{
    return fchmodat(folder->fd, path, mode, 0) == 0 || sov_file_fail(path, errno, err);
}
