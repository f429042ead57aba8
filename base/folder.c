/* Folders: opened, made, listed, and what kind of file system holds them. */
#include "base/file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file_open.h"
#include "base/shelf_inside.h"

bool sov_folder_open(struct sov_folder *folder, const char *path, struct sov_error *err)
{
    int fd;

    assert(folder && !folder->open && path);
    fd = sov_open_named(path, O_RDONLY | O_DIRECTORY);
    if (fd < 0) return sov_file_fail(path, -fd, err);
    *folder = (struct sov_folder){ .fd = fd, .open = true };
    return true;
}

bool sov_folder_beneath(struct sov_folder *folder, const struct sov_folder *parent,
                        const char *path, struct sov_error *err)
{
    int fd;

    assert(folder && !folder->open && parent->open);
    if (!sov_path_check(path, err)) return false;
    if (parent->shelf) return sov_shelf_beneath(folder, parent, path, err);
    fd = sov_open_beneath(parent->fd, path, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) return sov_file_fail(path, -fd, err);
    *folder = (struct sov_folder){ .fd = fd, .open = true };
    return true;
}

void sov_folder_close(struct sov_folder *folder)
{
    if (folder->open && folder->fd >= 0) (void)close(folder->fd);
    *folder = (struct sov_folder){ .fd = -1 };
}

bool sov_folder_holds(const char *folder, const char *name, enum sov_file_type *type_out,
                      uint64_t *device_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_fd_end) int fd = sov_open_named(folder, O_PATH | O_DIRECTORY);
    struct stat own, facts;
    int number = 0;

    if (fd < 0)
        number = -fd;
    else if (fstat(fd, &own) != 0)
        return sov_file_fail(folder, errno, err);
    else if (fstatat(fd, name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
        number = errno;
    if (number && number != ENOENT && number != ENOTDIR && number != EACCES)
        return sov_file_fail(folder, number, err);
    *type_out = number ? SOV_FILE_ABSENT : sov_file_type_of(facts.st_mode);
    if (fd >= 0) *device_out = own.st_dev;
    return true;
}

/* One new folder with this mode, and its name on disk. Its descriptor or a negative errno. */
static int make_one(int parent, const char *name, unsigned mode)
{
    mode_t mask = umask(0); /* or a mask could take away our own right to open it */
    int made = mkdirat(parent, name, 0700) == 0 ? 0 : errno, fd;

    (void)umask(mask);
    if (made) return -made;
    fd = sov_open_beneath(parent, name, O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) return fd;
    if (fchmod(fd, mode) == 0 && fsync(fd) == 0 && (fsync(parent) == 0 || errno == EINVAL))
        return fd;
    made = errno;
    (void)close(fd);
    return -made;
}

bool sov_folder_make(const struct sov_folder *parent, const char *path, unsigned mode,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_fd_end) int at = -1;
    char name[NAME_MAX + 1];
    const char *rest = path;

    assert(parent->open);
    if (!sov_path_check(path, err)) return false;
    for (;;) {
        size_t size = strcspn(rest, "/");
        int above = at < 0 ? parent->fd : at, fd;

        if (size >= sizeof name) return sov_file_fail(path, ENAMETOOLONG, err);
        memcpy(name, rest, size);
        name[size] = 0;
        fd = sov_open_beneath(above, name, O_RDONLY | O_DIRECTORY, 0);
        if (fd == -ENOENT) fd = make_one(above, name, mode);
        if (fd == -EEXIST) fd = sov_open_beneath(above, name, O_RDONLY | O_DIRECTORY, 0);
        if (fd < 0) return sov_file_fail(path, -fd, err);
        sov_fd_end(&at);
        at = fd;
        if (!rest[size]) return true;
        rest += size + 1;
    }
}

bool sov_folder_make_new(const struct sov_folder *parent, const char *path, unsigned mode,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_fd_end) int above = -1;
    SOV_CLEANUP(sov_fd_end) int made = -1;
    const char *name;

    if (!sov_path_check(path, err)) return false;
    above = sov_open_parent(parent, path, &name);
    if (above < 0) return sov_file_fail(path, -above, err);
    made = make_one(above, name, mode);
    return made < 0 ? sov_file_fail(path, -made, err) : true;
}

/* ---- listing ---- */

static int by_bytes(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;

    return strcmp(*left, *right);
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static void dir_end(DIR **dir)
{
    if (*dir) (void)closedir(*dir);
}

static void list_end(const char ***list)
{
    sov_free(*list);
}

bool sov_folder_names(const struct sov_folder *folder, const char *path, size_t count_max,
                      struct sov_arena *arena, struct sov_listing *names_out, struct sov_error *err)
{
    SOV_CLEANUP(dir_end) DIR *dir = NULL;
    SOV_CLEANUP(list_end) const char **list = NULL;
    const struct dirent *entry;
    size_t count = 0, room = 0;
    int fd;

    assert(folder->open && path && arena && names_out);
    if (*path && !sov_path_check(path, err)) return false;
    if (folder->shelf) return sov_shelf_names(folder, path, count_max, arena, names_out, err);
    /* Opened anew even if it is the folder itself: an offset of its own. */
    fd = sov_open_beneath(folder->fd, *path ? path : ".", O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0) return sov_file_fail(path, -fd, err);
    dir = fdopendir(fd);
    if (!dir) {
        int number = errno;

        (void)close(fd);
        return sov_file_fail(path, number, err);
    }
    while (errno = 0, (entry = readdir(dir))) {
        if (is_dots(entry->d_name)) continue;
        if (count == count_max)
            return sov_fail(err, SOV_USAGE, "too_large", "%s holds more than %zu names",
                            *path ? path : "the folder", count_max);
        if (count == room)
            list = sov_alloc_grow(list, (room = room ? 2 * room : 64) * sizeof *list);
        list[count++] = sov_arena_text(arena, sov_bytes_text(entry->d_name));
    }
    if (errno) return sov_file_fail(path, errno, err);
    names_out->name = sov_arena_array(arena, count, sizeof *list);
    if (count) {
        memcpy(names_out->name, list, count * sizeof *list);
        qsort(names_out->name, count, sizeof *list, by_bytes);
    }
    names_out->count = count;
    return true;
}

/* ---- where it is ---- */

bool sov_folder_system(const struct sov_folder *folder, char name_out[32], bool *is_local_out,
                       struct sov_error *err)
{
    static const struct {
        uint32_t magic;
        const char *name;
        bool is_local;
    } known[] = {
        { 0x0000ef53, "ext4", true },    { 0x58465342, "xfs", true },
        { 0x9123683e, "btrfs", true },   { 0xf2f52010, "f2fs", true },
        { 0x2fc12fc1, "zfs", true },     { 0xca451a4e, "bcachefs", true },
        { 0x3153464a, "jfs", true },     { 0x01021994, "tmpfs", true },
        { 0x858458f6, "ramfs", true },   { 0x794c7630, "overlay", true },
        { 0x00006969, "nfs", false },    { 0xff534d42, "cifs", false },
        { 0xfe534d42, "smb2", false },   { 0x0000517b, "smb", false },
        { 0x65735546, "fuse", false },   { 0x01021997, "9p", false },
        { 0x00c36400, "ceph", false },   { 0x5346414f, "afs", false },
        { 0x01161970, "gfs2", false },   { 0x7461636f, "ocfs2", false },
        { 0x47504653, "gpfs", false },   { 0x0bd00bd0, "lustre", false },
        { 0x786f4256, "vboxsf", false }, { 0x00004d44, "vfat", false },
        { 0x2011bab0, "exfat", false },  { 0x7366746e, "ntfs3", false },
    };
    struct statfs facts;
    uint32_t magic;

    assert(folder->open);
    if (fstatfs(folder->fd, &facts) != 0) return sov_file_fail("the folder", errno, err);
    magic = (uint32_t)facts.f_type;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].magic == magic) {
            snprintf(name_out, 32, "%s", known[i].name);
            *is_local_out = known[i].is_local;
            return true;
        }
    snprintf(name_out, 32, "0x%x", magic);
    *is_local_out = false;
    return true;
}

bool sov_path_absolute(const char *path, struct sov_arena *arena, const char **path_out,
                       struct sov_error *err)
{
    char real[PATH_MAX];

    if (!realpath(path, real)) return sov_file_fail(path, errno, err);
    *path_out = sov_arena_text(arena, sov_bytes_text(real));
    return true;
}

bool sov_folder_has_room(const struct sov_folder *folder, struct sov_error *err)
{
    int fd, number;

    assert(folder && folder->open && !folder->shelf && err);
    fd = sov_open_nameless(folder->fd);
    number = fd < 0 ? -fd : 0;
    sov_fd_end(&fd);
    if (!number || number == EOPNOTSUPP || number == EISDIR || number == ENOENT) return true;
    return sov_file_fail(".", number, err);
}
