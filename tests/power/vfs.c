#include "tests/power/vfs.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

struct vfs_handle {
    sqlite3_file base;
    struct image *image;
};

/* Of the whole process, as SQLite's list of file systems is. */
static struct vfs_files *used;

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

struct image *vfs_find(struct vfs_files *files, const char *name)
{
    for (size_t i = 0; i < VFS_FILES; i++)
        if (files->file[i].name[0] && strcmp(files->file[i].name, name) == 0)
            return &files->file[i].image;
    return NULL;
}

struct image *vfs_make(struct vfs_files *files, const char *name)
{
    for (size_t i = 0; i < VFS_FILES; i++) {
        if (files->file[i].name[0]) continue;
        snprintf(files->file[i].name, sizeof files->file[i].name, "%s", name);
        return &files->file[i].image;
    }
    abort();
}

static void remove_file(struct vfs_file *file)
{
    image_release(&file->image);
    file->name[0] = 0;
}

void vfs_release(struct vfs_files *files)
{
    for (size_t i = 0; i < VFS_FILES; i++) remove_file(&files->file[i]);
}

/* ---- a file ---- */

static struct image *image_of(sqlite3_file *file)
{
    return ((struct vfs_handle *)file)->image;
}

static int file_close(sqlite3_file *file)
{
    (void)file;
    return SQLITE_OK;
}

static int file_read(sqlite3_file *file, void *to, int size, sqlite3_int64 at)
{
    size_t got = image_read(image_of(file), (uint64_t)at, to, (size_t)size);

    return got == (size_t)size ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *file, const void *from, int size, sqlite3_int64 at)
{
    image_write(image_of(file), (uint64_t)at, sov_bytes(from, (size_t)size));
    return SQLITE_OK;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    image_resize(image_of(file), (uint64_t)size);
    return SQLITE_OK;
}

static int file_flags(sqlite3_file *file, int flags)
{
    (void)file;
    (void)flags;
    return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size_out)
{
    *size_out = (sqlite3_int64)image_of(file)->size;
    return SQLITE_OK;
}

static int file_reserved(sqlite3_file *file, int *held_out)
{
    (void)file;
    *held_out = 0;
    return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int what, void *arg)
{
    (void)file;
    (void)what;
    (void)arg;
    return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *file)
{
    (void)file;
    return 4096;
}

static int file_traits(sqlite3_file *file)
{
    (void)file;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

/* ---- the file system ---- */

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    static const sqlite3_io_methods methods = {
        .iVersion = 1,
        .xClose = file_close,
        .xRead = file_read,
        .xWrite = file_write,
        .xTruncate = file_truncate,
        .xSync = file_flags,
        .xFileSize = file_size,
        .xLock = file_flags,
        .xUnlock = file_flags,
        .xCheckReservedLock = file_reserved,
        .xFileControl = file_control,
        .xSectorSize = file_sector,
        .xDeviceCharacteristics = file_traits,
    };
    struct vfs_handle *handle = (struct vfs_handle *)file;

    (void)vfs;
    handle->base.pMethods = NULL;
    handle->image = vfs_find(used, last_part(name));
    if (!handle->image && !(flags & SQLITE_OPEN_CREATE)) return SQLITE_CANTOPEN;
    if (!handle->image) handle->image = vfs_make(used, last_part(name));
    handle->base.pMethods = &methods;
    if (out) *out = flags;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    (void)sync;
    for (size_t i = 0; i < VFS_FILES; i++)
        if (strcmp(used->file[i].name, last_part(name)) == 0) {
            remove_file(&used->file[i]);
            return SQLITE_OK;
        }
    return SQLITE_IOERR_DELETE_NOENT;
}

/* As SQLite's own has it: an empty file is none. */
static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *there_out)
{
    const struct image *image = vfs_find(used, last_part(name));

    (void)vfs;
    *there_out = image && (flags != SQLITE_ACCESS_EXISTS || image->size > 0);
    return SQLITE_OK;
}

static int vfs_full(sqlite3_vfs *vfs, const char *name, int room, char *full_out)
{
    (void)vfs;
    return snprintf(full_out, (size_t)room, "%s", name) < room ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int vfs_chance(sqlite3_vfs *vfs, int size, char *octets_out)
{
    (void)vfs;
    memset(octets_out, 7, (size_t)size);
    return size;
}

static int vfs_sleep(sqlite3_vfs *vfs, int us)
{
    (void)vfs;
    return us;
}

static int vfs_time(sqlite3_vfs *vfs, sqlite3_int64 *now_out)
{
    (void)vfs;
    *now_out = 0;
    return SQLITE_OK;
}

static int vfs_error(sqlite3_vfs *vfs, int room, char *text_out)
{
    (void)vfs;
    (void)room;
    (void)text_out;
    return 0;
}

void vfs_use(struct vfs_files *files)
{
    static sqlite3_vfs vfs = {
        .iVersion = 2,
        .szOsFile = sizeof(struct vfs_handle),
        .mxPathname = 1024,
        .zName = POWER_VFS,
        .xOpen = vfs_open,
        .xDelete = vfs_delete,
        .xAccess = vfs_access,
        .xFullPathname = vfs_full,
        .xRandomness = vfs_chance,
        .xSleep = vfs_sleep,
        .xGetLastError = vfs_error,
        .xCurrentTimeInt64 = vfs_time,
    };

    used = files;
    if (sqlite3_vfs_find(POWER_VFS)) return;
    if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) abort();
}
