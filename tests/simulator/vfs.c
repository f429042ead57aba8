/* SQLite's files on the disk of the world, with the five locks of a rollback journal. */
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulator/world.h"

struct vfs_file {
    sqlite3_file base;
    struct disk_node *node;
    const struct process *owner;
    int level;
    bool database, unsynced_name;
    struct disk_node *parent;
    struct vfs_file *next; /* of all that are open */
};
struct vfs_all {
    struct vfs_file *open;
    int error; /* errno of the last failure */
};

static struct vfs_all *all(void)
{
    static struct vfs_all them; /* SQLite gives a method no handle to hang it on before xOpen */

    return &them;
}

static int failed(int error, int code)
{
    all()->error = error;
    return error == ENOSPC ? SQLITE_FULL : code;
}

static struct vfs_file *of(sqlite3_file *file)
{
    return (struct vfs_file *)(void *)file;
}

/* ---- a file ---- */

static void locks_release(struct vfs_file *file)
{
    struct disk_lock *lock = world_lock(file->node, file->owner);

    if (file->level >= SQLITE_LOCK_SHARED && lock->shared) lock->shared--;
    if (lock->reserved == file) lock->reserved = NULL;
    if (lock->pending == file) lock->pending = NULL;
    if (lock->exclusive == file) lock->exclusive = NULL;
    file->level = SQLITE_LOCK_NONE;
}

static void unlink_file(struct vfs_file *file)
{
    struct vfs_file **at = &all()->open;

    while (*at && *at != file) at = &(*at)->next;
    if (*at) *at = file->next;
}

static int file_close(sqlite3_file *base)
{
    struct vfs_file *file = of(base);

    if (!file->node) return SQLITE_OK;
    locks_release(file);
    unlink_file(file);
    file->node = NULL;
    return SQLITE_OK;
}

static int file_read(sqlite3_file *base, void *octets, int size, sqlite3_int64 offset)
{
    int error = world_call(CALL_READ);
    size_t got;

    if (error) return failed(error, SQLITE_IOERR_READ);
    got = disk_read(of(base)->node, (size_t)offset, octets, (size_t)size);
    if (got == (size_t)size) return SQLITE_OK;
    memset((char *)octets + got, 0, (size_t)size - got);
    return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *base, const void *octets, int size, sqlite3_int64 offset)
{
    struct vfs_file *file = of(base);
    int error = world_call(CALL_WRITE);

    if (error == EINTR) { /* the disk took a part of it, and then no more */
        disk_write(file->node, (size_t)offset, octets, (size_t)size / 2, the_world()->now_ns);
        return failed(EIO, SQLITE_IOERR_WRITE);
    }
    if (error) return failed(error, SQLITE_IOERR_WRITE);
    disk_write(file->node, (size_t)offset, octets, (size_t)size, the_world()->now_ns);
    return SQLITE_OK;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size)
{
    int error = world_call(CALL_WRITE);

    if (error) return failed(error == EINTR ? EIO : error, SQLITE_IOERR_TRUNCATE);
    disk_resize(of(base)->node, (size_t)size, the_world()->now_ns);
    return SQLITE_OK;
}

static int file_sync(sqlite3_file *base, int flags)
{
    struct vfs_file *file = of(base);
    int error = world_call(CALL_SYNC);

    (void)flags;
    if (error) return failed(error, SQLITE_IOERR_FSYNC);
    disk_sync(file->node);
    if (file->unsynced_name) disk_sync_names(&the_world()->disk, file->parent);
    file->unsynced_name = false;
    return SQLITE_OK;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size_out)
{
    int error = world_call(CALL_LOOK);

    if (error) return failed(error, SQLITE_IOERR_FSTAT);
    *size_out = (sqlite3_int64)of(base)->node->content.size;
    return SQLITE_OK;
}

static int shared_lock(struct disk_lock *lock)
{
    if ((lock->pending || lock->exclusive)) return SQLITE_BUSY;
    lock->shared++;
    return SQLITE_OK;
}

static int file_lock(sqlite3_file *base, int level)
{
    struct vfs_file *file = of(base);
    struct disk_lock *lock = world_lock(file->node, file->owner);

    if (level <= file->level) return SQLITE_OK;
    (void)world_call(CALL_LOCK);
    if (level == SQLITE_LOCK_SHARED) {
        if (shared_lock(lock) != SQLITE_OK) return SQLITE_BUSY;
    } else if (level == SQLITE_LOCK_RESERVED) {
        if ((lock->reserved || lock->pending || lock->exclusive)) return SQLITE_BUSY;
        lock->reserved = file;
    } else {
        if (((lock->pending && lock->pending != file) ||
             (lock->reserved && lock->reserved != file)))
            return SQLITE_BUSY;
        lock->pending = file;
        if (lock->shared > 1) {
            file->level = SQLITE_LOCK_PENDING;
            return SQLITE_BUSY;
        }
        lock->exclusive = file;
    }
    file->level = level;
    return SQLITE_OK;
}

static int file_unlock(sqlite3_file *base, int level)
{
    struct vfs_file *file = of(base);
    struct disk_lock *lock = world_lock(file->node, file->owner);
    bool wrote = file->level == SQLITE_LOCK_EXCLUSIVE;

    if (level >= file->level) return SQLITE_OK;
    if (lock->reserved == file) lock->reserved = NULL;
    if (lock->pending == file) lock->pending = NULL;
    if (lock->exclusive == file) lock->exclusive = NULL;
    if (level == SQLITE_LOCK_NONE && lock->shared) lock->shared--;
    file->level = level;
    if (wrote) oracle_looked_at(the_world()->running);
    if (file->owner) (void)world_call(CALL_LOCK);
    return SQLITE_OK;
}

static int file_reserved(sqlite3_file *base, int *reserved_out)
{
    const struct disk_lock *lock = world_lock(of(base)->node, of(base)->owner);

    *reserved_out = (lock->reserved || lock->pending || lock->exclusive);
    return SQLITE_OK;
}

static int file_control(sqlite3_file *base, int what, void *with)
{
    if (what == SQLITE_FCNTL_LOCKSTATE) *(int *)with = of(base)->level;
    if (what == SQLITE_FCNTL_LAST_ERRNO) *(int *)with = all()->error;
    return what == SQLITE_FCNTL_LOCKSTATE || what == SQLITE_FCNTL_LAST_ERRNO ? SQLITE_OK
                                                                             : SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *base)
{
    (void)base;
    return 512;
}

static int file_traits(sqlite3_file *base)
{
    (void)base;
    return 0; /* nothing is promised: no atomic write, no order, no safe append */
}

static const sqlite3_io_methods methods = {
    1,         file_close,  file_read,     file_write,   file_truncate, file_sync,   file_size,
    file_lock, file_unlock, file_reserved, file_control, file_sector,   file_traits, NULL,
    NULL,      NULL,        NULL,          NULL,         NULL,
};

/* ---- the file system ---- */

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *got)
{
    struct world *world = the_world();
    struct vfs_file *file = of(base);
    struct disk_node *parent, *node;
    const char *last;
    int error = world_call(flags & SQLITE_OPEN_CREATE ? CALL_MAKE : CALL_LOOK);

    (void)vfs;
    *file = (struct vfs_file){ 0 };
    if (!error)
        error = name ? disk_parent(&world->disk, world->disk.root, name, &parent, &last) : EIO;
    if (error) return failed(error, SQLITE_CANTOPEN);
    node = disk_child(parent, last);
    if (node && flags & SQLITE_OPEN_EXCLUSIVE) return failed(EEXIST, SQLITE_CANTOPEN);
    if (!node && !(flags & SQLITE_OPEN_CREATE)) return failed(ENOENT, SQLITE_CANTOPEN);
    if (!node) {
        node = disk_make(&world->disk, parent, last, false, 0644, world->now_ns);
        file->unsynced_name = (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) != 0;
    }
    if (flags & SQLITE_OPEN_MAIN_DB) node->database = true;
    file->node = node;
    file->parent = parent;
    file->owner = world->running;
    file->database = flags & SQLITE_OPEN_MAIN_DB;
    file->next = all()->open;
    all()->open = file;
    file->base.pMethods = &methods;
    if (got) *got = flags;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync_folder)
{
    struct world *world = the_world();
    struct disk_node *parent;
    const char *last;
    int error = world_call(CALL_MAKE);

    (void)vfs;
    if (!error) error = disk_parent(&world->disk, world->disk.root, name, &parent, &last);
    if (!error) error = disk_remove(&world->disk, parent, last, world->now_ns);
    if (error == ENOENT) return SQLITE_IOERR_DELETE_NOENT;
    if (error) return failed(error, SQLITE_IOERR_DELETE);
    if (sync_folder) disk_sync_names(&world->disk, parent);
    return SQLITE_OK;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *there_out)
{
    struct world *world = the_world();
    struct disk_node *node;
    int error = world_call(CALL_LOOK);

    (void)vfs;
    if (error) return failed(error, SQLITE_IOERR_ACCESS);
    error = disk_find(&world->disk, world->disk.root, name, &node);
    *there_out = !error && (flags != SQLITE_ACCESS_EXISTS || node->content.size > 0);
    return SQLITE_OK;
}

static int vfs_path(sqlite3_vfs *vfs, const char *name, int room, char *out)
{
    struct world *world = the_world();
    const char *from = world->running ? world->running->cwd : "/";

    (void)vfs;
    return disk_path(from, name, out, (size_t)room) ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int vfs_random(sqlite3_vfs *vfs, int size, char *octets)
{
    (void)vfs;
    chance_fill(&the_world()->octets, (uint8_t *)octets, (size_t)size);
    return size;
}

static int vfs_sleep(sqlite3_vfs *vfs, int us)
{
    (void)vfs;
    world_sleep((int64_t)us * 1000);
    return us;
}

static int vfs_time(sqlite3_vfs *vfs, sqlite3_int64 *ms_out)
{
    (void)vfs;
    *ms_out = INT64_C(210866760000000) +
              world_wall_ns(the_world()->running) / 1000000; /* of the Julian day */
    return SQLITE_OK;
}

static int vfs_day(sqlite3_vfs *vfs, double *day_out)
{
    sqlite3_int64 ms;

    (void)vfs_time(vfs, &ms);
    *day_out = (double)ms / 86400000.0;
    return SQLITE_OK;
}

static int vfs_error(sqlite3_vfs *vfs, int size, char *text)
{
    (void)vfs;
    (void)size;
    (void)text;
    return all()->error;
}

void vfs_register(void)
{
    static sqlite3_vfs vfs; /* the library keeps it for as long as it lives */

    vfs = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = sizeof(struct vfs_file),
        .mxPathname = 512,
        .zName = "simulated",
        .xOpen = vfs_open,
        .xDelete = vfs_delete,
        .xAccess = vfs_access,
        .xFullPathname = vfs_path,
        .xRandomness = vfs_random,
        .xSleep = vfs_sleep,
        .xCurrentTime = vfs_day,
        .xGetLastError = vfs_error,
        .xCurrentTimeInt64 = vfs_time,
    };
    if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK) abort();
}

void vfs_drop(const struct process *process)
{
    for (struct vfs_file *file = all()->open, *next; file; file = next) {
        next = file->next;
        if (process && file->owner != process) continue;
        locks_release(file);
        unlink_file(file);
    }
}
