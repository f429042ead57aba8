#ifndef SOV_TESTS_POWER_VFS_H
#define SOV_TESTS_POWER_VFS_H
/*
 * A file system for SQLite in memory, to open what a crash has left. Files are told apart by the
 * last part of their names alone. It says of itself what SQLite's own says: sectors that a torn
 * write does not reach beyond. Nobody else is there, so its locks do nothing.
 */
#include "tests/power/image.h"

#define POWER_VFS "power"
enum { VFS_FILES = 4 };

struct vfs_files {
    struct vfs_file {
        char name[64]; /* "": none */
        struct image image;
    } file[VFS_FILES];
};
/* Registers it; what is opened lies in `files` from now on. */
void vfs_use(struct vfs_files *files);
struct image *vfs_find(struct vfs_files *files, const char *name);
struct image *vfs_make(struct vfs_files *files, const char *name);
void vfs_release(struct vfs_files *files);
#endif
