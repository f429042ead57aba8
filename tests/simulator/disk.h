#ifndef SOV_SIMULATOR_DISK_H
#define SOV_SIMULATOR_DISK_H
/*
 * A disk in memory, and what of it is left when the machine crashes: of the data that was written
 * since the last sync of its file any subset of 512-octet sectors, of the names that were made,
 * moved or removed since the last sync of a folder the first few. Owns: nodes, names, content,
 * locks. Not here: descriptors and errors (calls.c), SQLite (vfs.c).
 */
#include <sys/types.h>

#include "tests/simulator/chance.h"

struct disk_node;
struct disk_name {
    char *text;
    struct disk_node *node;
};
struct disk_names {
    struct disk_name *at; /* byte order */
    size_t count, room;
};
struct disk_write { /* not synced yet */
    struct disk_write *next;
    bool is_size; /* the file was cut or grown to `offset` */
    size_t offset, size;
    uint8_t *octets;
};
struct disk_content {
    uint8_t *octets;
    size_t size, room;
};
/* Machines that do not see the locks of each other have one of these each. */
enum { DISK_HOLDERS = 2 };
struct disk_lock { /* a holder is a description, a process or a file of SQLite */
    const void *flock, *turn, *name;
    const void *reserved, *pending, *exclusive;
    unsigned shared;
    pid_t name_pid;
};
struct disk_node {
    uint64_t number;
    bool folder, database;
    unsigned mode, links;
    int64_t mtime_ns;
    struct disk_names names, kept_names; /* of a folder; kept: those on the platter */
    struct disk_content content, kept;   /* of a file */
    uint64_t whole; /* digest of what it held when it was given its name; 0: made in place */
    struct disk_write *first, *last;
    struct disk_lock locks[DISK_HOLDERS];
    struct disk_node *older; /* all nodes of the disk */
};
struct disk_change { /* of names, in the order they were made; a rename has two */
    struct disk_node *folder[2];
    char *text[2];
    struct disk_node *node[2]; /* NULL: the name is gone */
};
struct disk {
    struct disk_node *root, *newest;
    struct disk_change *changes;
    size_t change_count, change_room, change_kept;
    uint64_t numbers;
};

void disk_init(struct disk *disk);
/* Absolute, with "." and ".." taken out; false if it does not fit. */
bool disk_path(const char *from, const char *path, char *out, size_t room);
/* 0 or an errno. `path` is relative to `from` unless it begins with '/'. */
int disk_find(const struct disk *disk, struct disk_node *from, const char *path,
              struct disk_node **node_out);
/* The folder of the last segment, which need not be there. */
int disk_parent(const struct disk *disk, struct disk_node *from, const char *path,
                struct disk_node **parent_out, const char **name_out);
struct disk_node *disk_child(const struct disk_node *folder, const char *name);
struct disk_node *disk_make(struct disk *disk, struct disk_node *parent, const char *name,
                            bool folder, unsigned mode, int64_t now_ns);
int disk_remove(struct disk *disk, struct disk_node *parent, const char *name, int64_t now_ns);
int disk_rename(struct disk *disk, struct disk_node *from, const char *name, struct disk_node *to,
                const char *as, int64_t now_ns);
size_t disk_read(const struct disk_node *node, size_t offset, void *octets, size_t size);
void disk_write(struct disk_node *node, size_t offset, const void *octets, size_t size,
                int64_t now_ns);
void disk_resize(struct disk_node *node, size_t size, int64_t now_ns);
uint64_t disk_digest(const struct disk_node *node); /* never 0 */
void disk_sync(struct disk_node *node);
void disk_sync_names(struct disk *disk, const struct disk_node *folder);
/* The power fails: what was not synced is drawn, all locks are gone. */
void disk_crash(struct disk *disk, struct chance *chance);
#endif
