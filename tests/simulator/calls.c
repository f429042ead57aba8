/*
 * The calls of the C library by which the program reaches the system, led to the disk of the world.
 * The linker puts them in the place of the real ones (--wrap), so that what runs here is the
 * program as it is, base/file.c included: its order of write, fsync, rename and fsync is on trial.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/simulator/calls.h"
#include "tests/simulator/world.h"

int said(int error)
{
    if (!error) return 0;
    errno = error;
    return -1;
}

/* ---- descriptors ---- */

struct descriptor *held(int fd)
{
    struct descriptor *d =
        fd >= SIM_FD && fd < SIM_FD + SIM_FDS ? the_world()->descriptors + (fd - SIM_FD) : NULL;

    return d && d->open ? d : NULL;
}

static int hand_out(struct disk_node *node)
{
    struct world *world = the_world();

    for (int i = 0; i < SIM_FDS; i++)
        if (!world->descriptors[i].open) {
            world->descriptors[i] =
                (struct descriptor){ .open = true, .node = node, .owner = world->running };
            return SIM_FD + i;
        }
    return said(EMFILE);
}

static void descriptor_end(struct descriptor *d)
{
    struct disk_lock *lock = world_lock(d->node, d->owner);

    if (lock->flock == d) lock->flock = NULL;
    if (lock->turn == d) lock->turn = NULL;
    if (lock->name == d->owner) lock->name = NULL;
    *d = (struct descriptor){ 0 };
}

void calls_drop(const struct process *process)
{
    struct world *world = the_world();

    for (size_t i = 0; i < SIM_FDS; i++)
        if (world->descriptors[i].open && (!process || world->descriptors[i].owner == process))
            descriptor_end(world->descriptors + i);
}

/* Where a relative path begins. */
struct disk_node *from_of(int fd)
{
    struct descriptor *d = held(fd);

    if (fd != AT_FDCWD) return d ? d->node : NULL;
    return the_world()->running ? the_world()->running->folder : the_world()->disk.root;
}

int open_at(int folder, const char *path, int flags, unsigned mode)
{
    struct world *world = the_world();
    struct disk_node *from = from_of(folder), *parent, *node;
    const char *name;
    int error = world_call(flags & O_CREAT ? CALL_MAKE : CALL_LOOK);

    if (error) return said(error == EINTR ? EIO : error);
    if (!from) return said(EBADF);
    error = disk_parent(&world->disk, from, path, &parent, &name);
    if (error) return said(error);
    node = *name && strcmp(name, ".") != 0 ? disk_child(parent, name) : parent;
    if (node && flags & O_CREAT && flags & O_EXCL) return said(EEXIST);
    if (!node && !(flags & O_CREAT)) return said(ENOENT);
    if (!node) node = disk_make(&world->disk, parent, name, false, mode, world->now_ns);
    if (flags & O_DIRECTORY && !node->folder) return said(ENOTDIR);
    if (node->database)
        world_fail("the ledger file %s is opened by another call than SQLite's", name);
    return hand_out(node);
}

int __wrap_open(const char *path, int flags, ...)
{
    return open_at(AT_FDCWD, path, flags, 0600);
}

int __wrap___open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0600);
}

int __wrap_openat(int folder, const char *path, int flags, ...)
{
    return open_at(folder, path, flags, 0600);
}

/* openat2 alone comes this way. */
long __wrap_syscall(long number, ...)
{
    va_list rest;
    int folder;
    const char *path;
    const uint64_t *how;

    if (number != SYS_openat2) return said(ENOSYS);
    va_start(rest, number);
    folder = va_arg(rest, int);
    path = va_arg(rest, const char *);
    how = va_arg(rest, const uint64_t *);
    va_end(rest);
    return open_at(folder, path, (int)how[0], (unsigned)how[1]);
}

int __wrap_close(int fd)
{
    struct descriptor *d = held(fd);

    if (!d) return said(EBADF);
    descriptor_end(d);
    return 0;
}

int __wrap_fcntl(int fd, int what, ...)
{
    struct descriptor *d = held(fd);
    struct process *process = the_world()->running;
    struct disk_lock *lock;
    struct flock *octet;
    va_list rest;

    if (!d) return what == F_GETFD && fd >= 0 && fd <= 2 ? 0 : said(EBADF);
    if (what == F_DUPFD_CLOEXEC) return hand_out(d->node);
    if (what != F_OFD_SETLK && what != F_SETLK && what != F_GETLK) return 0;
    va_start(rest, what);
    octet = va_arg(rest, struct flock *);
    va_end(rest);
    (void)world_call(CALL_LOCK);
    lock = world_lock(d->node, d->owner);
    if (what == F_GETLK) {
        octet->l_type = lock->name && lock->name != process ? F_WRLCK : F_UNLCK;
        octet->l_pid = lock->name_pid;
        return 0;
    }
    if (what == F_SETLK) {
        if (octet->l_type == F_WRLCK && lock->name && lock->name != process) return said(EAGAIN);
        lock->name = octet->l_type == F_WRLCK ? process : NULL;
        lock->name_pid = process->pid;
        return 0;
    }
    if (octet->l_type == F_UNLCK) {
        if (lock->turn == d) lock->turn = NULL;
        return 0;
    }
    if (lock->turn && lock->turn != d) return said(EAGAIN);
    lock->turn = d;
    return 0;
}

int __wrap_flock(int fd, int what)
{
    struct descriptor *d = held(fd);
    struct disk_lock *lock;

    if (!d) return said(EBADF);
    (void)world_call(CALL_LOCK);
    lock = world_lock(d->node, d->owner);
    if (what & LOCK_UN) {
        if (lock->flock == d) lock->flock = NULL;
        return 0;
    }
    if (lock->flock && lock->flock != d) return said(EWOULDBLOCK);
    lock->flock = d;
    return 0;
}

/* ---- reading and writing ---- */

static ssize_t input_read(struct process *process, void *octets, size_t size)
{
    size_t left = process->input ? strlen(process->input) - process->input_at : 0;

    if (size > left) size = left;
    if (size) memcpy(octets, process->input + process->input_at, size);
    process->input_at += size;
    return (ssize_t)size;
}

ssize_t __wrap_read(int fd, void *octets, size_t size)
{
    struct descriptor *d = held(fd);
    int error;

    if (fd == 0) return input_read(the_world()->running, octets, size);
    if (!d) return said(EBADF);
    error = world_call(CALL_READ);
    if (error) return said(error);
    if (d->node->folder) return said(EISDIR);
    size = disk_read(d->node, d->offset, octets, size);
    d->offset += size;
    return (ssize_t)size;
}

static ssize_t words_write(struct process *process, int fd, const void *octets, size_t size)
{
    char *grown = realloc(process->text[fd], process->size[fd] + size + 1);

    if (!grown) abort();
    memcpy(grown + process->size[fd], octets, size);
    process->text[fd] = grown;
    process->size[fd] += size;
    grown[process->size[fd]] = 0;
    return (ssize_t)size;
}

ssize_t __wrap_write(int fd, const void *octets, size_t size)
{
    struct world *world = the_world();
    struct descriptor *d = held(fd);
    int error = world_call(fd > 2 ? CALL_WRITE : CALL_OTHER);

    if (fd == 1 || fd == 2) return words_write(world->running, fd, octets, size);
    if (!d) return said(EBADF);
    if (error == EINTR && size > 1)
        size /= 2;
    else if (error)
        return said(error);
    disk_write(d->node, d->offset, octets, size, world->now_ns);
    d->offset += size;
    return (ssize_t)size;
}

int __wrap_fsync(int fd)
{
    struct descriptor *d = held(fd);
    int error = world_call(CALL_SYNC);

    if (!d) return said(EBADF);
    if (error) return said(error);
    if (d->node->folder)
        disk_sync_names(&the_world()->disk, d->node);
    else
        disk_sync(d->node);
    return 0;
}

int __wrap_fchmod(int fd, mode_t mode)
{
    struct descriptor *d = held(fd);

    if (!d) return said(EBADF);
    (void)world_call(CALL_OTHER);
    d->node->mode = mode;
    return 0;
}
