/* The fortified inlines of these calls would be second definitions of them. */
#undef _FORTIFY_SOURCE
#include "tests/power/record.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

static const size_t room_size = (size_t)1 << 30; /* of addresses; memory comes as it is used */

struct entry {
    _Atomic size_t size; /* of all of it, rounded up; 0: nothing more */
    enum op_kind kind;
    uint64_t offset;
    size_t path, target, octets; /* sizes of what follows, the strings with their NUL */
};
struct record_room {
    _Atomic size_t used;
    _Alignas(16) uint8_t octets[];
};

/* ---- the record, as the child writes it ---- */

/* Of the whole process, as the calls are. NULL: nothing is recorded. */
static struct record_room *recording;
static const char *recorded_root;

static size_t rounded(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

static void note(enum op_kind kind, const char *path, const char *target, uint64_t offset,
                 struct sov_bytes octets)
{
    struct entry head = { .kind = kind, .offset = offset, .octets = octets.size };
    size_t size, at;
    uint8_t *to;

    head.path = strlen(path) + 1;
    head.target = strlen(target) + 1;
    size = rounded(sizeof head) + rounded(head.path + head.target + octets.size);
    at = atomic_fetch_add(&recording->used, size);
    if (at + size > room_size - 4096) _exit(120); /* seen by whoever waits for us */
    to = recording->octets + at;
    memcpy(to, &head, sizeof head);
    to += rounded(sizeof head);
    memcpy(to, path, head.path);
    memcpy(to + head.path, target, head.target);
    if (octets.size) memcpy(to + head.path + head.target, octets.data, octets.size);
    atomic_store(&((struct entry *)(recording->octets + at))->size, size);
}

/* The path beneath the place; NULL: it lies elsewhere, or has no name any more. */
static const char *beneath(const char *path)
{
    static const char gone[] = " (deleted)";
    size_t size = strlen(recorded_root), length = strlen(path);

    if (length >= sizeof gone && strcmp(path + length - sizeof gone + 1, gone) == 0) return NULL;
    return strncmp(path, recorded_root, size) == 0 && path[size] == '/' ? path + size + 1 : NULL;
}

static const char *path_of(int fd, char text[PATH_MAX])
{
    char name[64];
    ssize_t size;

    if (fd == AT_FDCWD)
        snprintf(name, sizeof name, "/proc/self/cwd");
    else
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    size = readlink(name, text, PATH_MAX - 1);
    if (size < 0) return NULL;
    text[size] = 0;
    return beneath(text);
}

static const char *path_at(int folder, const char *path, char text[PATH_MAX])
{
    size_t size;

    if (path[0] == '/') return beneath(path);
    if (!path_of(folder, text)) return NULL;
    size = strlen(text);
    snprintf(text + size, PATH_MAX - size, "/%s", path);
    return beneath(text);
}

static void note_fd(enum op_kind kind, int fd, uint64_t offset, const void *data, size_t size)
{
    char text[PATH_MAX];
    int error = errno;
    const char *path = recording ? path_of(fd, text) : NULL;

    if (path) note(kind, path, "", offset, sov_bytes(data, size));
    errno = error;
}

/* ---- the calls, each the C library's own with a word about it ---- */

#define NEXT(name, type) ((type)(uintptr_t)dlsym(RTLD_NEXT, name))

static bool is_there(int folder, const char *path)
{
    int error = errno;
    bool there = faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;

    errno = error;
    return there;
}

static void note_open(int fd, int folder, const char *path, uint64_t flags, bool was_there)
{
    char text[PATH_MAX];
    int error = errno;
    const char *at = recording && fd >= 0 ? path_at(folder, path, text) : NULL;

    if (at && (flags & O_CREAT) && !was_there)
        note(OP_CREATE, at, "", 0, sov_bytes(NULL, 0));
    else if (at && (flags & O_TRUNC))
        note(OP_RESIZE, at, "", 0, sov_bytes(NULL, 0));
    errno = error;
}

static int open_as(const char *name, int folder, const char *path, int flags, mode_t mode)
{
    bool there = recording && (flags & O_CREAT) && is_there(folder, path);
    int fd = NEXT(name, int (*)(int, const char *, int, ...))(folder, path, flags, mode);

    note_open(fd, folder, path, (unsigned)flags, there);
    return fd;
}

#define OPENS(name, as, folder, ...)                                                               \
    int name(__VA_ARGS__, ...)                                                                     \
    {                                                                                              \
        mode_t mode = 0;                                                                           \
        va_list more;                                                                              \
                                                                                                   \
        va_start(more, flags);                                                                     \
        if (flags & O_CREAT) mode = va_arg(more, mode_t);                                          \
        va_end(more);                                                                              \
        return open_as(as, folder, path, flags, mode);                                             \
    }
OPENS(open, "openat", AT_FDCWD, const char *path, int flags)
OPENS(open64, "openat64", AT_FDCWD, const char *path, int flags)
OPENS(openat, "openat", folder, int folder, const char *path, int flags)
OPENS(openat64, "openat64", folder, int folder, const char *path, int flags)

int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
    return open_as("openat", AT_FDCWD, path, flags, 0);
}

/* openat2 has no name in the C library. */
long syscall(long number, ...)
{
    long a[6], got;
    const struct open_how *how;
    bool there = false, opens;
    va_list more;

    va_start(more, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(more, long);
    va_end(more);
    opens = recording && number == SYS_openat2;
    how = (const struct open_how *)a[2];
    if (opens && (how->flags & O_CREAT)) there = is_there((int)a[0], (const char *)a[1]);
    got = NEXT("syscall", long (*)(long, ...))(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (opens) note_open((int)got, (int)a[0], (const char *)a[1], how->flags, there);
    return got;
}

ssize_t write(int fd, const void *data, size_t size)
{
    off_t at = recording && fd > 2 ? lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t done = NEXT("write", ssize_t(*)(int, const void *, size_t))(fd, data, size);

    if (recording && done > 0 && fd == STDOUT_FILENO)
        note(OP_SAY, "", "", 0, sov_bytes(data, (size_t)done));
    else if (done > 0 && fd > 2 && at >= 0)
        note_fd(OP_WRITE, fd, (uint64_t)at, data, (size_t)done);
    return done;
}

/* The C library does not come by here when it prints for itself. */
SOV_PRINTF(2, 0) static int print(int fd, const char *format, va_list args)
{
    char text[4096];
    int size = vsnprintf(text, sizeof text, format, args);

    return size < (int)sizeof text ? (int)write(fd, text, (size_t)size) : -1;
}

int dprintf(int fd, const char *format, ...)
{
    va_list args;
    int size;

    va_start(args, format);
    size = print(fd, format, args);
    va_end(args);
    return size;
}

int __dprintf_chk(int fd, int flag, const char *format, ...) SOV_PRINTF(3, 4);
int __dprintf_chk(int fd, int flag, const char *format, ...)
{
    va_list args;
    int size;

    (void)flag;
    va_start(args, format);
    size = print(fd, format, args);
    va_end(args);
    return size;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    ssize_t done = NEXT("pwrite", ssize_t(*)(int, const void *, size_t, off_t))(fd, data, size, at);

    if (done > 0) note_fd(OP_WRITE, fd, (uint64_t)at, data, (size_t)done);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    return pwrite(fd, data, size, at);
}

int ftruncate(int fd, off_t size)
{
    int done = NEXT("ftruncate", int (*)(int, off_t))(fd, size);

    if (done == 0) note_fd(OP_RESIZE, fd, (uint64_t)size, NULL, 0);
    return done;
}

int ftruncate64(int fd, off64_t size)
{
    return ftruncate(fd, size);
}

static int synced(const char *name, int fd)
{
    int done = NEXT(name, int (*)(int))(fd);
    struct stat facts;

    if (done == 0 && recording && fstat(fd, &facts) == 0)
        note_fd(S_ISDIR(facts.st_mode) ? OP_SYNC_FOLDER : OP_SYNC, fd, 0, NULL, 0);
    return done;
}

int fsync(int fd)
{
    return synced("fsync", fd);
}

int fdatasync(int fd)
{
    return synced("fdatasync", fd);
}

static void note_name(enum op_kind kind, int folder, const char *path)
{
    char text[PATH_MAX];
    int error = errno;
    const char *at = recording ? path_at(folder, path, text) : NULL;

    if (at) note(kind, at, "", 0, sov_bytes(NULL, 0));
    errno = error;
}

int unlinkat(int folder, const char *path, int flags)
{
    int done = NEXT("unlinkat", int (*)(int, const char *, int))(folder, path, flags);

    if (done == 0) note_name(OP_UNLINK, folder, path);
    return done;
}

int unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
    int done = NEXT("mkdirat", int (*)(int, const char *, mode_t))(folder, path, mode);

    if (done == 0) note_name(OP_FOLDER, folder, path);
    return done;
}

int mkdir(const char *path, mode_t mode)
{
    return mkdirat(AT_FDCWD, path, mode);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    char from_text[PATH_MAX], to_text[PATH_MAX];
    int done = NEXT("renameat2", int (*)(int, const char *, int, const char *, unsigned))(
        from_folder, from, to_folder, to, flags);
    int error = errno;
    const char *from_at, *to_at;

    if (done == 0 && recording) {
        from_at = path_at(from_folder, from, from_text);
        to_at = path_at(to_folder, to, to_text);
        if (from_at && to_at) note(OP_RENAME, from_at, to_at, 0, sov_bytes(NULL, 0));
    }
    errno = error;
    return done;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    return renameat2(from_folder, from, to_folder, to, 0);
}

int rename(const char *from, const char *to)
{
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* ---- the child, and what its parent reads ---- */

static bool enter(const char *root)
{
    char path[PATH_MAX];
    static const char *const said[] = { "/dev/null", "out", "err" };

    if (chdir(root)) return false;
    for (int fd = 0; fd < 3; fd++) {
        int got = open(said[fd], fd ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY, 0600);

        if (got < 0 || dup2(got, fd) < 0 || close(got)) return false;
    }
    snprintf(path, sizeof path, "%s/home", root);
    if (setenv("HOME", path, 1)) return false;
    snprintf(path, sizeof path, "%s/repo", root);
    return !setenv("PWD", path, 1) && !chdir(path);
}

static bool read_back(struct record *record)
{
    size_t used = atomic_load(&record->room->used), room = 0;

    for (size_t at = 0; at < used;) {
        const struct entry *head = (const struct entry *)(record->room->octets + at);
        const uint8_t *from = record->room->octets + at + rounded(sizeof *head);
        size_t size = atomic_load(&head->size);

        if (size == 0) return false; /* somebody died while he wrote it down */
        if (record->count == room) {
            room = room ? 2 * room : 1024;
            record->op = sov_alloc_grow(record->op, room * sizeof *record->op);
        }
        record->op[record->count++] = (struct op){
            .kind = head->kind,
            .path = (const char *)from,
            .target = (const char *)from + head->path,
            .offset = head->offset,
            .octets = sov_bytes(from + head->path + head->target, head->octets),
        };
        at += size;
    }
    return true;
}

int record_run(struct record *record, const char *root, int (*act)(void *self), void *self)
{
    int status;
    pid_t pid;

    *record = (struct record){ .root = root };
    record->room = mmap(NULL, room_size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (record->room == MAP_FAILED) abort();
    pid = fork();
    if (pid < 0) abort();
    if (pid == 0) {
        if (!enter(root)) _exit(121);
        recorded_root = root;
        recording = record->room;
        status = act(self);
        recording = NULL;
        _exit(status);
    }
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || !read_back(record)) return -1;
    return WEXITSTATUS(status);
}

void record_release(struct record *record)
{
    if (record->room) munmap(record->room, room_size);
    sov_free(record->op);
    *record = (struct record){ 0 };
}
