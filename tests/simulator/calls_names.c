/* The calls that name things on the disk, and those that ask what the process is. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "tests/simulator/calls.h"
#include "tests/simulator/world.h"

enum { BASE_S = 1893456000 }; /* 2030-01-01: of the times of files */

/* ---- names ---- */

int __wrap_mkdirat(int folder, const char *path, mode_t mode)
{
    struct world *world = the_world();
    struct disk_node *from = from_of(folder), *parent;
    const char *name;
    int error = world_call(CALL_MAKE);

    if (!error) error = from ? disk_parent(&world->disk, from, path, &parent, &name) : EBADF;
    if (error) return said(error == EINTR ? EIO : error);
    if (!*name || disk_child(parent, name)) return said(EEXIST);
    disk_make(&world->disk, parent, name, true, mode, world->now_ns);
    return 0;
}

int __wrap_unlinkat(int folder, const char *path, int flags)
{
    struct world *world = the_world();
    struct disk_node *from = from_of(folder), *parent, *node;
    const char *name;
    int error = world_call(CALL_OTHER);

    if (!error) error = from ? disk_parent(&world->disk, from, path, &parent, &name) : EBADF;
    if (error) return said(error);
    node = disk_child(parent, name);
    if (node && node->folder != ((flags & AT_REMOVEDIR) != 0))
        return said(node->folder ? EISDIR : ENOTDIR);
    return said(disk_remove(&world->disk, parent, name, world->now_ns));
}

int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    struct world *world = the_world();
    struct disk_node *a = from_of(from_folder), *b = from_of(to_folder), *parent, *target;
    const char *name, *as;
    int error = world_call(CALL_OTHER);

    if (!error) error = a && b ? 0 : EBADF;
    if (!error) error = disk_parent(&world->disk, a, from, &parent, &name);
    if (!error) error = disk_parent(&world->disk, b, to, &target, &as);
    if (!error) error = disk_rename(&world->disk, parent, name, target, as, world->now_ns);
    return said(error);
}

int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags)
{
    struct disk_node *node;

    if (flags && disk_find(&the_world()->disk, from_of(to_folder), to, &node) == 0)
        return said(EEXIST);
    return __wrap_renameat(from_folder, from, to_folder, to);
}

/* ---- facts ---- */

static void facts_of(const struct disk_node *node, struct stat *facts)
{
    *facts = (struct stat){ 0 };
    facts->st_dev = 1;
    facts->st_ino = node->number;
    facts->st_mode = (node->folder ? S_IFDIR : S_IFREG) | node->mode;
    facts->st_nlink = node->links;
    facts->st_uid = geteuid();
    facts->st_size = (off_t)node->content.size;
    facts->st_mtim.tv_sec = BASE_S + node->mtime_ns / 1000000000;
    facts->st_mtim.tv_nsec = node->mtime_ns % 1000000000;
    facts->st_ctim = facts->st_mtim;
}

static int facts_at(int folder, const char *path, struct stat *facts)
{
    struct disk_node *from = from_of(folder), *node;
    int error = world_call(CALL_LOOK);

    if (!error) error = from ? disk_find(&the_world()->disk, from, path, &node) : EBADF;
    if (!error) facts_of(node, facts);
    return said(error);
}

int __wrap_fstatat(int folder, const char *path, struct stat *facts, int flags)
{
    (void)flags;
    return facts_at(folder, path, facts);
}

int __wrap_stat(const char *path, struct stat *facts)
{
    return facts_at(AT_FDCWD, path, facts);
}

int __wrap_lstat(const char *path, struct stat *facts)
{
    return facts_at(AT_FDCWD, path, facts);
}

int __wrap_fstat(int fd, struct stat *facts)
{
    struct descriptor *d = held(fd);

    if (!d) return said(EBADF);
    facts_of(d->node, facts);
    return 0;
}

int __wrap_fstatfs(int fd, struct statfs *facts)
{
    (void)fd;
    *facts = (struct statfs){ .f_type = 0xef53 };
    return 0;
}

int __wrap_statvfs(const char *path, struct statvfs *facts)
{
    (void)path;
    *facts = (struct statvfs){ .f_frsize = 4096, .f_bavail = 1 << 20, .f_favail = 1 << 20 };
    return 0;
}

/* ---- folders ---- */

struct listing {
    int fd;
    size_t at;
    struct dirent entry;
};

DIR *__wrap_fdopendir(int fd)
{
    struct listing *listing = held(fd) ? calloc(1, sizeof *listing) : NULL;

    if (listing) listing->fd = fd;
    return (DIR *)(void *)listing;
}

struct dirent *__wrap_readdir(DIR *dir)
{
    struct listing *listing = (struct listing *)(void *)dir;
    const struct disk_names *names = &held(listing->fd)->node->names;

    if (listing->at >= names->count) return NULL;
    (void)snprintf(listing->entry.d_name, sizeof listing->entry.d_name, "%s",
                   names->at[listing->at++].text);
    return &listing->entry;
}

int __wrap_closedir(DIR *dir)
{
    struct listing *listing = (struct listing *)(void *)dir;

    (void)__wrap_close(listing->fd);
    free(listing);
    return 0;
}

DIR *__wrap_opendir(const char *path)
{
    int fd = open_at(AT_FDCWD, path, O_DIRECTORY, 0);

    return fd < 0 ? NULL : __wrap_fdopendir(fd);
}

/* ---- the process ---- */

char *__wrap___realpath_chk(const char *path, char *out, size_t room)
{
    struct process *process = the_world()->running;
    struct disk_node *node;
    int error = disk_path(process ? process->cwd : "/", path, out, room < 4096 ? room : 4096)
                    ? 0
                    : ENAMETOOLONG;

    if (!error) error = disk_find(&the_world()->disk, the_world()->disk.root, out, &node);
    errno = error;
    return error ? NULL : out;
}

char *__wrap_realpath(const char *path, char *out)
{
    return __wrap___realpath_chk(path, out, 4096);
}

int __wrap_chdir(const char *path)
{
    struct process *process = the_world()->running;
    char cwd[256];
    struct disk_node *node;
    int error = disk_path(process->cwd, path, cwd, sizeof cwd) ? 0 : ENAMETOOLONG;

    if (!error) error = disk_find(&the_world()->disk, the_world()->disk.root, cwd, &node);
    if (error) return said(error);
    memcpy(process->cwd, cwd, sizeof cwd);
    process->folder = node;
    return 0;
}

pid_t __wrap_getpid(void)
{
    return the_world()->running ? the_world()->running->pid : 1;
}

mode_t __wrap_umask(mode_t mask)
{
    (void)mask;
    return 022;
}

int __wrap_isatty(int fd)
{
    (void)fd;
    return 0;
}

int __wrap_nanosleep(const struct timespec *length, struct timespec *rest)
{
    (void)rest;
    world_sleep((int64_t)length->tv_sec * 1000000000 + length->tv_nsec);
    return 0;
}

int __wrap_clock_gettime(clockid_t id, struct timespec *time_out)
{
    int64_t ns = the_world()->now_ns;

    (void)id; /* the monotonic one: the others come through the seam */
    time_out->tv_sec = ns / 1000000000;
    time_out->tv_nsec = ns % 1000000000;
    return 0;
}
