#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file_open.h"
#include "base/place.h"
#include "base/shelf_inside.h"

#ifndef SYS_openat2
#define SYS_openat2 437 /* the same on every architecture that Debian has */
#endif

enum {
    /* linux/openat2.h, which older headers lack */
    NO_MAGICLINKS = 0x02,
    NO_SYMLINKS = 0x04,
    BENEATH = 0x08,
    NEW_FILE = O_WRONLY | O_CREAT | O_EXCL,
    TRIES_MAX = 8,          /* of EAGAIN: something was renamed at the same time */
    TEMPORARIES_MAX = 1000, /* names that crashes may have left */
    CHUNK = 16 * 1024
};

/* ---- descriptors ---- */

void sov_fd_end(int *fd)
{
    if (*fd >= 0) (void)close(*fd);
}

bool sov_path_check(const char *path, struct sov_error *err)
{
    const char *rest = path;

    assert(path && err);
    for (;;) {
        size_t size = strcspn(rest, "/");

        if (size == 0 || (size == 1 && rest[0] == '.') ||
            (size == 2 && strncmp(rest, "..", 2) == 0))
            return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is no plain path beneath a folder",
                            path);
        if (!rest[size]) return true;
        rest += size + 1;
    }
}

bool sov_file_fail(const char *path, int number, struct sov_error *err)
{
    switch (number) {
    case ENOENT:
        return sov_fail(err, SOV_ABSENT, "no_such_file", "no file %s", path);
    case EEXIST:
        return sov_fail(err, SOV_CONFLICT, "exists", "%s is there already", path);
    case ELOOP:
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is a link or lies behind one", path);
    case ENOTDIR:
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is no folder or lies beneath a file",
                        path);
    case EISDIR:
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is a folder", path);
    case EXDEV:
    case ENXIO:
    case ENAMETOOLONG:
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s: %s", path, strerror(number));
    case ENOSPC:
    case EDQUOT:
    case EFBIG: /* a limit of the process is no room either */
        return sov_fail(err, SOV_UNABLE, "disk_full", "%s: %s", path, strerror(number));
    default: /* the system's codes: whatever else it says, it did not do it */
        return sov_fail(err, SOV_UNABLE, "io_error", "%s: %s", path, strerror(number));
    }
}

int sov_open_named(const char *path, int flags)
{
    int fd;

    do fd = open(path, flags | O_CLOEXEC | O_NOCTTY);
    while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

/* One segment on the way: a folder, not a link to one. */
static int step_down(int folder, const char *name)
{
    struct stat facts;
    int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), number;

    if (fd < 0) return -errno;
    number = fstat(fd, &facts) != 0 ? errno : 0;
    if (!number && S_ISDIR(facts.st_mode)) return fd;
    (void)close(fd);
    if (number) return -number;
    return S_ISLNK(facts.st_mode) ? -ELOOP : -ENOTDIR;
}

int sov_open_by_steps(int folder, const char *path, int flags, unsigned mode)
{
    char name[NAME_MAX + 1];
    int at = folder, fd;
    const char *slash;

    while ((slash = strchr(path, '/'))) {
        size_t size = (size_t)(slash - path);

        fd = -ENAMETOOLONG;
        if (size < sizeof name) {
            memcpy(name, path, size);
            name[size] = 0;
            fd = step_down(at, name);
        }
        if (at != folder) (void)close(at);
        if (fd < 0) return fd;
        at = fd;
        path = slash + 1;
    }
    fd = openat(at, path, flags | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0) {
        struct stat facts;

        fd = -errno;
        if (fd == -ENOTDIR && fstatat(at, path, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISLNK(facts.st_mode))
            fd = -ELOOP;
    }
    if (at != folder) (void)close(at);
    return fd;
}

int sov_open_beneath(int folder, const char *path, int flags, unsigned mode)
{
    const struct {
        uint64_t flags, mode, resolve;
    } how = {
        /* no O_NOFOLLOW: beside O_DIRECTORY it would call a link "no folder" */
        (unsigned)(flags | O_CLOEXEC),
        flags & O_CREAT ? mode : 0,
        BENEATH | NO_SYMLINKS | NO_MAGICLINKS,
    };

    for (int tries = 0; tries < TRIES_MAX; tries++) {
        long fd = syscall(SYS_openat2, folder, path, &how, sizeof how);

        if (fd >= 0) return (int)fd;
        /* EPERM: what some sandboxes say about a call they do not know */
        if (errno == ENOSYS || errno == EPERM) return sov_open_by_steps(folder, path, flags, mode);
        if (errno != EAGAIN && errno != EINTR) break;
    }
    return -errno;
}

int sov_open_parent(const struct sov_folder *folder, const char *path, const char **name_out)
{
    const char *slash = strrchr(path, '/');
    char above[PATH_MAX];
    int fd;

    assert(folder->open);
    *name_out = slash ? slash + 1 : path;
    if (!slash) {
        fd = fcntl(folder->fd, F_DUPFD_CLOEXEC, 0);
        return fd < 0 ? -errno : fd;
    }
    if ((size_t)(slash - path) >= sizeof above) return -ENAMETOOLONG;
    memcpy(above, path, (size_t)(slash - path));
    above[slash - path] = 0;
    return sov_open_beneath(folder->fd, above, O_RDONLY | O_DIRECTORY, 0);
}

bool sov_sync_folder(int fd, const char *path, struct sov_error *err)
{
    /* EINVAL: a file system whose folders are never behind */
    return fsync(fd) == 0 || errno == EINVAL ? true : sov_file_fail(path, errno, err);
}

/* ---- facts ---- */

enum sov_file_type sov_file_type_of(unsigned mode)
{
    return S_ISREG(mode)   ? SOV_FILE_REGULAR
           : S_ISDIR(mode) ? SOV_FILE_FOLDER
           : S_ISLNK(mode) ? SOV_FILE_LINK
                           : SOV_FILE_OTHER;
}

static void facts_of(const struct stat *from, struct sov_file_facts *facts_out)
{
    static const int64_t second = 1000 * 1000 * 1000;

    *facts_out = (struct sov_file_facts){
        .type = sov_file_type_of(from->st_mode),
        .mode = from->st_mode & 07777,
        .size = (uint64_t)from->st_size,
        .links = from->st_nlink,
        .device = from->st_dev,
        .inode = from->st_ino,
        .uid = from->st_uid,
        .mtime_ns = from->st_mtim.tv_sec * second + from->st_mtim.tv_nsec,
        .ctime_ns = from->st_ctim.tv_sec * second + from->st_ctim.tv_nsec,
    };
}

bool sov_file_facts(const struct sov_folder *folder, const char *path,
                    struct sov_file_facts *facts_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_fd_end) int parent = -1;
    const char *name;
    struct stat facts;
    int number = 0;

    if (!sov_path_check(path, err)) return false;
    if (folder->shelf) {
        sov_shelf_facts(folder, path, facts_out);
        return true;
    }
    parent = sov_open_parent(folder, path, &name);
    if (parent < 0)
        number = -parent;
    else if (fstatat(parent, name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
        number = errno;
    if (number == ENOENT || number == ENOTDIR)
        *facts_out = (struct sov_file_facts){ .type = SOV_FILE_ABSENT };
    else if (number)
        return sov_file_fail(path, number, err);
    else
        facts_of(&facts, facts_out);
    return true;
}

bool sov_folder_facts(const struct sov_folder *folder, struct sov_file_facts *facts_out,
                      struct sov_error *err)
{
    struct stat facts;

    assert(folder->open);
    if (fstat(folder->fd, &facts) != 0) return sov_file_fail("the folder", errno, err);
    facts_of(&facts, facts_out);
    return true;
}

/* ---- reading ---- */

/* Up to size octets; fewer only at the end. -1: errno says why. */
static ssize_t read_up_to(int fd, uint8_t *data, size_t size)
{
    size_t done = 0;

    while (done < size) {
        ssize_t n = read(fd, data + done, size - done);

        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

static bool fail_too_large(const char *path, size_t size_max, struct sov_error *err)
{
    return sov_fail(err, SOV_USAGE, "too_large", "%s has more than %zu bytes", path, size_max);
}

bool sov_file_read(const struct sov_folder *folder, const char *path, size_t size_max,
                   struct sov_arena *arena, struct sov_bytes *bytes_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_fd_end) int fd = -1;
    struct stat facts;
    uint8_t *data;
    ssize_t got;

    assert(folder->open && arena && bytes_out);
    if (!sov_path_check(path, err)) return false;
    if (folder->shelf) return sov_shelf_read(folder, path, size_max, bytes_out, err);
    fd = sov_open_beneath(folder->fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (fd < 0) return sov_file_fail(path, -fd, err);
    if (fstat(fd, &facts) != 0) return sov_file_fail(path, errno, err);
    if (!S_ISREG(facts.st_mode))
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is not a regular file", path);
    /* None at all is well: it was replaced after we opened it, and is whole. */
    if (facts.st_nlink > 1)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s has more than one name", path);
    if ((uint64_t)facts.st_size > size_max) return fail_too_large(path, size_max, err);
    data = sov_arena_take(arena, (size_t)facts.st_size + 1);
    got = read_up_to(fd, data, (size_t)facts.st_size + 1);
    if (got < 0) return sov_file_fail(path, errno, err);
    if (got != facts.st_size)
        return sov_fail(err, SOV_UNABLE, "io_error", "%s changed while it was read", path);
    *bytes_out = sov_bytes(data, (size_t)got);
    return true;
}

/* Straight into the arena: of what may be a secret there is one copy, which its reader wipes. */
static bool read_small(int fd, const char *path, size_t size_max, struct sov_arena *arena,
                       struct sov_bytes *bytes_out, struct sov_error *err)
{
    uint8_t *data = sov_arena_take(arena, size_max + 1);
    ssize_t got = read_up_to(fd, data, size_max + 1);

    if (got < 0) return sov_file_fail(path, errno, err);
    if ((size_t)got > size_max) return fail_too_large(path, size_max, err);
    *bytes_out = sov_bytes(data, (size_t)got);
    return true;
}

bool sov_file_read_named(const char *path, size_t size_max, struct sov_arena *arena,
                         struct sov_bytes *bytes_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_fd_end) int opened = -1;
    SOV_CLEANUP(sov_buf_release) struct sov_buf all = { 0 };
    uint8_t chunk[CHUNK];
    int fd = STDIN_FILENO;
    ssize_t got;

    assert(path && arena && bytes_out && size_max);
    if (strcmp(path, "-") != 0) fd = opened = sov_open_named(path, O_RDONLY);
    if (fd < 0) return sov_file_fail(path, -fd, err);
    if (size_max <= CHUNK) return read_small(fd, path, size_max, arena, bytes_out, err);
    sov_buf_init(&all, size_max);
    do {
        got = read_up_to(fd, chunk, sizeof chunk);
        if (got < 0) return sov_file_fail(path, errno, err);
        sov_buf_add(&all, sov_bytes(chunk, (size_t)got));
        if (all.cut) return fail_too_large(path, size_max, err);
    } while (got == sizeof chunk);
    *bytes_out = sov_arena_bytes(arena, sov_buf_bytes(&all));
    return true;
}

/* ---- writing ---- */

bool sov_write_whole(int fd, struct sov_bytes content, int *number_out)
{
    size_t done = 0;

    while (done < content.size) {
        ssize_t n = write(fd, content.data + done, content.size - done);

        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            *number_out = n < 0 ? errno : EIO;
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

/* A file that is ours alone so far: content, mode, disk. 0 or the errno. */
static int fill(int fd, unsigned mode, struct sov_bytes content)
{
    int number;

    if (!sov_write_whole(fd, content, &number)) return number;
    return fchmod(fd, mode) != 0 || fsync(fd) != 0 ? errno : 0;
}

/* The new file that fd is open on, whole and on disk, or none. 0 or the errno. */
static int make_file(int parent, int fd, const char *name, unsigned mode, struct sov_bytes content)
{
    int number;

    if (fd < 0) return -fd;
    number = fill(fd, mode, content);
    if (close(fd) != 0 && errno != EINTR && !number) number = errno;
    if (number) (void)unlinkat(parent, name, 0);
    return number;
}

bool sov_file_create(const struct sov_folder *folder, const char *path, unsigned mode,
                     struct sov_bytes content, struct sov_error *err)
{
    SOV_CLEANUP(sov_fd_end) int parent = -1;
    const char *name;
    int number;

    if (!sov_path_check(path, err)) return false;
    parent = sov_open_parent(folder, path, &name);
    number = parent < 0 ? -parent
                        : make_file(parent, sov_open_beneath(parent, name, NEW_FILE, 0600), name,
                                    mode, content);
    if (number) return sov_file_fail(path, number, err);
    return sov_sync_folder(parent, path, err);
}

/* What a kill or a loss of power left of this content: no octet of it is another one, but some are
 * not there yet, or zeros where a file grew before its content came. */
static bool is_cut_off(const struct sov_folder *folder, const char *path, struct sov_bytes content)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_error ignored;
    struct sov_bytes there;

    sov_arena_init(&arena, content.size + 4096);
    if (!sov_file_read(folder, path, content.size, &arena, &there, &ignored)) return false;
    for (size_t i = 0; i < there.size; i++)
        if (there.data[i] && there.data[i] != content.data[i]) return false;
    return !sov_bytes_equal(there, content);
}

bool sov_file_provide(const struct sov_folder *folder, const char *path, unsigned mode,
                      struct sov_bytes content, bool *made_out, struct sov_error *err)
{
    struct sov_file_facts facts;
    bool rest, make;

    if (!sov_file_facts(folder, path, &facts, err)) return false;
    rest = facts.type == SOV_FILE_REGULAR && is_cut_off(folder, path, content);
    make = facts.type == SOV_FILE_ABSENT || rest;
    if (make && ((rest && !sov_file_remove(folder, path, err)) ||
                 !sov_file_create(folder, path, mode, content, err)))
        return false;
    *made_out = make;
    return true;
}

static const char leftover[] = SOV_FILE_LEFTOVER;

int sov_open_temporary(int folder, char name[SOV_TEMPORARY_SIZE])
{
    int fd = -EEXIST;

    for (unsigned n = 0; fd == -EEXIST && n < TEMPORARIES_MAX; n++) {
        snprintf(name, SOV_TEMPORARY_SIZE, "%s%ld-%u", leftover, (long)getpid(), n);
        fd = sov_open_beneath(folder, name, NEW_FILE, 0600);
    }
    /* It may have been made before the disk failed; the name is ours. */
    if (fd == -EIO) (void)unlinkat(folder, name, 0);
    return fd == -EEXIST ? -EIO : fd;
}

int sov_open_nameless(int folder)
{
    int fd;

    do fd = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

static int replace_in(int parent, const char *name, unsigned mode, struct sov_bytes content)
{
    char temporary[SOV_TEMPORARY_SIZE];
    int fd = sov_open_temporary(parent, temporary);
    int number = make_file(parent, fd, temporary, mode, content);

    if (number) return number;
    /* If this fails there is no second way: writing in place could leave half of it. */
    if (renameat(parent, temporary, parent, name) == 0) return 0;
    number = errno;
    (void)unlinkat(parent, temporary, 0);
    if (number == EXDEV) return EIO; /* within one folder: no path of ours is at fault */
    return number == ENOTEMPTY || number == EEXIST ? EISDIR : number;
}

bool sov_file_replace(const struct sov_folder *folder, const char *path, unsigned mode,
                      struct sov_bytes content, struct sov_error *err)
{
    SOV_CLEANUP(sov_fd_end) int parent = -1;
    const char *name;
    int number;

    if (!sov_path_check(path, err)) return false;
    parent = sov_open_parent(folder, path, &name);
    number = parent < 0 ? -parent : replace_in(parent, name, mode, content);
    if (number) return sov_file_fail(path, number, err);
    return sov_sync_folder(parent, path, err);
}

bool sov_file_replace_named(const char *path, unsigned mode, struct sov_bytes content,
                            struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    struct sov_file_facts facts;
    const char *name;

    if (!sov_folder_above(&folder, path, &name, err) || !sov_file_facts(&folder, name, &facts, err))
        return false;
    /* A device or a pipe would be lost, not written to. */
    if (facts.type != SOV_FILE_ABSENT && facts.type != SOV_FILE_REGULAR)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is not a regular file", path);
    return sov_file_replace(&folder, name, mode, content, err);
}

bool sov_file_remove(const struct sov_folder *folder, const char *path, struct sov_error *err)
{
    SOV_CLEANUP(sov_fd_end) int parent = -1;
    const char *name;
    int number = 0;

    if (!sov_path_check(path, err)) return false;
    parent = sov_open_parent(folder, path, &name);
    if (parent < 0)
        number = -parent;
    else if (unlinkat(parent, name, 0) != 0)
        number = errno;
    if (number == ENOENT) return true;
    if (number) return sov_file_fail(path, number, err);
    return sov_sync_folder(parent, path, err);
}

bool sov_file_is_leftover(const char *name)
{
    static const char digits[] = "0123456789";
    size_t pid, n;

    if (strncmp(name, leftover, sizeof leftover - 1) != 0) return false;
    name += sizeof leftover - 1;
    pid = strspn(name, digits);
    if (pid == 0 || name[pid] != '-') return false;
    n = strspn(name + pid + 1, digits);
    return n > 0 && !name[pid + 1 + n];
}
