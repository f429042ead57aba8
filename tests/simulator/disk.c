#include "tests/simulator/disk.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 512 };

static void *grown(void *data, size_t size)
{
    void *got = realloc(data, size);

    if (!got) abort();
    return got;
}

static char *copied(const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(grown(NULL, size), text, size);
}

/* ---- names ---- */

static size_t place_of(const struct disk_names *names, const char *text, bool *there_out)
{
    size_t low = 0, high = names->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(names->at[middle].text, text);

        if (order == 0) {
            *there_out = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *there_out = false;
    return low;
}

/* NULL takes the name away. */
static void name_set(struct disk_names *names, const char *text, struct disk_node *node)
{
    bool there;
    size_t at = place_of(names, text, &there);

    if (there && node) {
        names->at[at].node = node;
        return;
    }
    if (there) {
        free(names->at[at].text);
        names->count--;
        memmove(names->at + at, names->at + at + 1, (names->count - at) * sizeof *names->at);
        return;
    }
    if (!node) return;
    if (names->count == names->room)
        names->at = grown(names->at, (names->room = 2 * names->room + 8) * sizeof *names->at);
    memmove(names->at + at + 1, names->at + at, (names->count - at) * sizeof *names->at);
    names->at[at] = (struct disk_name){ copied(text), node };
    names->count++;
}

struct disk_node *disk_child(const struct disk_node *folder, const char *name)
{
    bool there;
    size_t at = place_of(&folder->names, name, &there);

    return there ? folder->names.at[at].node : NULL;
}

static struct disk_change *change_add(struct disk *disk)
{
    struct disk_change *change;

    if (disk->change_count == disk->change_room)
        disk->changes = grown(disk->changes, (disk->change_room = 2 * disk->change_room + 64) *
                                                 sizeof *disk->changes);
    change = disk->changes + disk->change_count++;
    *change = (struct disk_change){ 0 };
    return change;
}

static void change_set(struct disk_change *change, size_t n, struct disk_node *folder,
                       const char *name, struct disk_node *node, int64_t now_ns)
{
    change->folder[n] = folder;
    change->text[n] = copied(name);
    change->node[n] = node;
    name_set(&folder->names, name, node);
    folder->mtime_ns = now_ns;
}

/* Everything up to this many changes is on the platter. */
static void keep_names(struct disk *disk, size_t count)
{
    for (; disk->change_kept < count; disk->change_kept++) {
        struct disk_change *change = disk->changes + disk->change_kept;

        for (size_t n = 0; n < 2; n++)
            if (change->folder[n])
                name_set(&change->folder[n]->kept_names, change->text[n], change->node[n]);
    }
}

void disk_sync_names(struct disk *disk, const struct disk_node *folder)
{
    size_t count = disk->change_count;

    while (count > disk->change_kept && disk->changes[count - 1].folder[0] != folder &&
           disk->changes[count - 1].folder[1] != folder)
        count--;
    keep_names(disk, count);
}

/* ---- paths ---- */

bool disk_path(const char *from, const char *path, char *out, size_t room)
{
    size_t size = 0;

    for (int part = *path == '/'; part < 2; part++) {
        const char *at = part ? path : from;

        while (*at) {
            size_t step = strcspn(at, "/");

            if (step == 2 && strncmp(at, "..", 2) == 0) {
                while (size && out[--size] != '/') continue;
            } else if (step && !(step == 1 && *at == '.')) {
                if (size + step + 2 > room) return false;
                out[size++] = '/';
                memcpy(out + size, at, step);
                size += step;
            }
            at += step + (at[step] == '/');
        }
    }
    if (!size) out[size++] = '/';
    out[size] = 0;
    return true;
}

static int step(const struct disk_node *at, const char *name, struct disk_node **node_out)
{
    if (!at->folder) return ENOTDIR;
    *node_out = disk_child(at, name);
    return *node_out ? 0 : ENOENT;
}

int disk_parent(const struct disk *disk, struct disk_node *from, const char *path,
                struct disk_node **parent_out, const char **name_out)
{
    struct disk_node *at = *path == '/' ? disk->root : from;
    char name[256];

    for (;;) {
        size_t size;
        int error;

        while (*path == '/') path++;
        size = strcspn(path, "/");
        if (!path[size]) break;
        if (size >= sizeof name) return ENAMETOOLONG;
        memcpy(name, path, size);
        name[size] = 0;
        path += size;
        if (strcmp(name, ".") == 0) continue;
        error = step(at, name, &at);
        if (error) return error;
    }
    if (!at->folder) return ENOTDIR;
    *parent_out = at;
    *name_out = path;
    return 0;
}

int disk_find(const struct disk *disk, struct disk_node *from, const char *path,
              struct disk_node **node_out)
{
    struct disk_node *parent;
    const char *name;
    int error = disk_parent(disk, from, path, &parent, &name);

    if (error) return error;
    if (!*name || strcmp(name, ".") == 0) {
        *node_out = parent;
        return 0;
    }
    return step(parent, name, node_out);
}

/* ---- nodes ---- */

uint64_t disk_digest(const struct disk_node *node)
{
    uint64_t digest = 1469598103934665603U;

    for (size_t i = 0; i < node->content.size; i++)
        digest = (digest ^ node->content.octets[i]) * 1099511628211U;
    return digest | 1;
}

static struct disk_node *node_new(struct disk *disk, bool folder, unsigned mode, int64_t now_ns)
{
    struct disk_node *node = grown(NULL, sizeof *node);

    *node = (struct disk_node){
        .number = ++disk->numbers,
        .folder = folder,
        .mode = mode,
        .links = 1,
        .mtime_ns = now_ns,
        .older = disk->newest,
    };
    disk->newest = node;
    return node;
}

void disk_init(struct disk *disk)
{
    *disk = (struct disk){ 0 };
    disk->root = node_new(disk, true, 0755, 0);
}

struct disk_node *disk_make(struct disk *disk, struct disk_node *parent, const char *name,
                            bool folder, unsigned mode, int64_t now_ns)
{
    struct disk_node *node = node_new(disk, folder, mode, now_ns);

    change_set(change_add(disk), 0, parent, name, node, now_ns);
    return node;
}

int disk_remove(struct disk *disk, struct disk_node *parent, const char *name, int64_t now_ns)
{
    struct disk_node *node = disk_child(parent, name);

    if (!node) return ENOENT;
    if (node->folder && node->names.count) return ENOTEMPTY;
    node->links--;
    change_set(change_add(disk), 0, parent, name, NULL, now_ns);
    return 0;
}

int disk_rename(struct disk *disk, struct disk_node *from, const char *name, struct disk_node *to,
                const char *as, int64_t now_ns)
{
    struct disk_node *node = disk_child(from, name), *there = disk_child(to, as);
    struct disk_change *change;

    if (!node) return ENOENT;
    if (there == node) return 0;
    if (there && there->folder && !node->folder) return EISDIR;
    if (there && !there->folder && node->folder) return ENOTDIR;
    if (there && there->folder && there->names.count) return ENOTEMPTY;
    if (there) there->links--;
    if (!node->folder) node->whole = disk_digest(node);
    change = change_add(disk);
    change_set(change, 0, to, as, node, now_ns);
    change_set(change, 1, from, name, NULL, now_ns);
    return 0;
}

/* ---- content ---- */

static void content_size(struct disk_content *content, size_t size)
{
    if (size > content->room)
        content->octets = grown(content->octets, content->room = size + size / 2 + SECTOR);
    if (size > content->size) memset(content->octets + content->size, 0, size - content->size);
    content->size = size;
}

static void content_put(struct disk_content *content, size_t offset, const uint8_t *octets,
                        size_t size)
{
    if (!size) return;
    if (offset + size > content->size) content_size(content, offset + size);
    memcpy(content->octets + offset, octets, size);
}

size_t disk_read(const struct disk_node *node, size_t offset, void *octets, size_t size)
{
    size_t there = node->content.size;

    if (offset >= there) return 0;
    if (size > there - offset) size = there - offset;
    memcpy(octets, node->content.octets + offset, size);
    return size;
}

static void later(struct disk_node *node, bool is_size, size_t offset, const void *octets,
                  size_t size)
{
    struct disk_write *write = grown(NULL, sizeof *write);

    *write = (struct disk_write){ .is_size = is_size, .offset = offset, .size = size };
    if (size) write->octets = memcpy(grown(NULL, size), octets, size);
    if (node->last)
        node->last->next = write;
    else
        node->first = write;
    node->last = write;
}

void disk_write(struct disk_node *node, size_t offset, const void *octets, size_t size,
                int64_t now_ns)
{
    content_put(&node->content, offset, octets, size);
    later(node, false, offset, octets, size);
    node->mtime_ns = now_ns;
}

void disk_resize(struct disk_node *node, size_t size, int64_t now_ns)
{
    if (size == node->content.size) return;
    content_size(&node->content, size);
    later(node, true, size, NULL, 0);
    node->mtime_ns = now_ns;
}

static void writes_end(struct disk_node *node)
{
    while (node->first) {
        struct disk_write *write = node->first;

        node->first = write->next;
        free(write->octets);
        free(write);
    }
    node->last = NULL;
}

void disk_sync(struct disk_node *node)
{
    for (const struct disk_write *write = node->first; write; write = write->next)
        if (write->is_size)
            content_size(&node->kept, write->offset);
        else
            content_put(&node->kept, write->offset, write->octets, write->size);
    writes_end(node);
}

/* ---- the power fails ---- */

static void tear(struct disk_node *node, struct chance *chance)
{
    bool all = chance_one_in(chance, 3);

    for (const struct disk_write *write = node->first; write; write = write->next) {
        if (write->is_size) {
            if (all || chance_one_in(chance, 2)) content_size(&node->kept, write->offset);
            continue;
        }
        for (size_t at = 0; at < write->size;) {
            size_t part = SECTOR - (write->offset + at) % SECTOR;

            if (part > write->size - at) part = write->size - at;
            if (all || chance_one_in(chance, 2))
                content_put(&node->kept, write->offset + at, write->octets + at, part);
            at += part;
        }
    }
    writes_end(node);
    content_size(&node->content, 0);
    content_put(&node->content, 0, node->kept.octets, node->kept.size);
}

static void names_copy(struct disk_names *to, const struct disk_names *from)
{
    for (size_t i = 0; i < to->count; i++) free(to->at[i].text);
    to->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        name_set(to, from->at[i].text, from->at[i].node);
        from->at[i].node->links++;
    }
}

void disk_crash(struct disk *disk, struct chance *chance)
{
    keep_names(disk, disk->change_count -
                         chance_below(chance, disk->change_count - disk->change_kept + 1));
    for (size_t i = disk->change_kept; i < disk->change_count; i++)
        for (size_t n = 0; n < 2; n++) free(disk->changes[i].text[n]);
    disk->change_count = disk->change_kept;
    for (struct disk_node *node = disk->newest; node; node = node->older) {
        memset(node->locks, 0, sizeof node->locks);
        node->links = 0;
        if (!node->folder) tear(node, chance);
    }
    disk->root->links = 1;
    for (struct disk_node *node = disk->newest; node; node = node->older)
        if (node->folder) names_copy(&node->names, &node->kept_names);
}
