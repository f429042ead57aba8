/* A lock file: one writer after the other, in turn, and a name for whoever is in the way. */
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_open.h"
#include "base/pause.h"

/* Between two looks, by those in the queue and by the one who is next. */
enum { TURN_US = 4000, NEXT_US = 1000 };

/* Which octet of the file is locked for what; the file itself stays empty. */
enum { TURN_AT, NAME_AT };

/* Another process may make it between our two looks, hence a third. */
static int open_or_create(int folder, const char *name)
{
    for (;;) {
        int fd = sov_open_beneath(folder, name, O_RDWR | O_NONBLOCK, 0);

        if (fd != -ENOENT) return fd;
        fd = sov_open_beneath(folder, name, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd >= 0 && fchmod(fd, 0600) != 0) {
            int number = errno;

            (void)close(fd);
            return -number;
        }
        if (fd != -EEXIST) return fd;
    }
}

/*
 * The kernel knows who holds a record lock and tells others: so the holder has one on an octet
 * that nobody waits for, and nothing is written into the file for it. It does not outlive its
 * process, and nobody else can have it while the flock is held.
 */
static void name_set(int fd, short type)
{
    struct flock octet = { .l_type = type, .l_whence = SEEK_SET, .l_start = NAME_AT, .l_len = 1 };

    (void)fcntl(fd, F_SETLK, &octet); /* without it the lock holds, and its holder has no name */
}

static bool fail_held(int fd, const char *name, const struct sov_pause *pause,
                      struct sov_error *err)
{
    struct flock octet = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = NAME_AT, .l_len = 1
    };

    if (sov_pause_stopped(pause, err)) return false;
    if (fcntl(fd, F_GETLK, &octet) != 0 || octet.l_type == F_UNLCK || octet.l_pid <= 0)
        return sov_fail(err, SOV_UNABLE, "busy", "%s is held by another process", name);
    return sov_fail(err, SOV_UNABLE, "busy", "%s is held by process %ld", name, (long)octet.l_pid);
}

/*
 * Whoever releases the lock and wants it again would find it free long before those who look for
 * it now and then. So there is a line, of one: the next holder is he who has the turn, and all
 * others wait for the turn. It is a lock of the open file, apart from flock(2) and gone with it.
 */
static int turn(int fd, short type)
{
    struct flock octet = { .l_type = type, .l_whence = SEEK_SET, .l_start = TURN_AT, .l_len = 1 };

    return fcntl(fd, F_OFD_SETLK, &octet);
}

static bool wait_for_turn(int fd, const char *name, struct sov_pause *pause, struct sov_error *err)
{
    sov_pause_steady(pause, TURN_US);
    while (turn(fd, F_WRLCK) != 0) {
        if (errno != EAGAIN && errno != EACCES && errno != EINTR)
            return sov_file_fail(name, errno, err);
        if (!sov_pause_once(pause)) return fail_held(fd, name, pause, err);
    }
    return true;
}

bool sov_lock_take(struct sov_lock *lock, const struct sov_folder *folder, const char *name,
                   int64_t wait_ms, struct sov_error *err)
{
    SOV_CLEANUP(sov_fd_end) int fd = -1;
    struct sov_pause pause;
    struct stat facts;

    assert(lock && !lock->held && folder->open);
    if (!sov_path_check(name, err)) return false;
    fd = open_or_create(folder->fd, name);
    if (fd < 0) return sov_file_fail(name, -fd, err);
    if (fstat(fd, &facts) != 0) return sov_file_fail(name, errno, err);
    if (!S_ISREG(facts.st_mode) || facts.st_nlink != 1)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is no regular file with one name",
                        name);
    sov_pause_init(&pause, wait_ms);
    if (!wait_for_turn(fd, name, &pause, err)) return false;
    sov_pause_steady(&pause, NEXT_US);
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) return sov_file_fail(name, errno, err);
        if (!sov_pause_once(&pause)) return fail_held(fd, name, &pause, err);
    }
    if (turn(fd, F_UNLCK) != 0) return sov_file_fail(name, errno, err);
    name_set(fd, F_WRLCK);
    *lock = (struct sov_lock){ .fd = fd, .held = true };
    fd = -1;
    return true;
}

void sov_lock_release(struct sov_lock *lock)
{
    if (!lock->held) return;
    name_set(lock->fd, F_UNLCK); /* before: whoever is next gives his */
    /* By word too: a child that was just forked may hold a copy of the descriptor. */
    (void)flock(lock->fd, LOCK_UN);
    (void)close(lock->fd);
    *lock = (struct sov_lock){ .fd = -1 };
}
