#include "tests/power/disk.h"

#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "tests/power/names.h"

/* A file, whatever its name is now. */
struct body {
    struct image kept; /* as of its last sync */
    const struct op **late;
    size_t late_count, late_room;
};
struct disk {
    bool (*takes)(void *self, const char *path);
    void *self;
    struct names now, kept;
    struct body **body;
    size_t body_count, body_room;
    struct act { /* on a name, not settled */
        enum op_kind kind;
        char *path, *target;
        struct body *body;
    } * act;
    size_t act_count, act_room;
};

static void die(const char *what)
{
    perror(what);
    abort();
}

/* ---- what is there at the beginning ---- */

static struct body *body_new(struct disk *disk)
{
    struct body *body = sov_alloc(sizeof *body);

    disk->body = names_more(disk->body, disk->body_count, &disk->body_room, sizeof *disk->body);
    disk->body[disk->body_count++] = body;
    return body;
}

static void load(struct image *image, const char *path)
{
    static uint8_t chunk[1 << 16];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint64_t at = 0;
    ssize_t got;

    if (fd < 0) die(path);
    while ((got = read(fd, chunk, sizeof chunk)) > 0) {
        image_write(image, at, sov_bytes(chunk, (size_t)got));
        at += (size_t)got;
    }
    if (got < 0) die(path);
    close(fd);
}

struct disk *disk_new(const char *root, bool (*takes)(void *self, const char *path), void *self)
{
    char *const roots[] = { (char *)(uintptr_t)root, NULL };
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    struct disk *disk = sov_alloc(sizeof *disk);

    if (!walk) die(root);
    disk->takes = takes;
    disk->self = self;
    for (FTSENT *at = fts_read(walk); at; at = fts_read(walk)) {
        const char *path = at->fts_path + strlen(root) + (at->fts_level > 0);
        struct body *body = NULL;

        if (at->fts_info != FTS_F && at->fts_info != FTS_D) continue;
        if (!takes(self, path)) continue;
        if (at->fts_info == FTS_F) {
            body = body_new(disk);
            load(&body->kept, at->fts_accpath);
        }
        names_put(&disk->now, path, body);
        names_put(&disk->kept, path, body);
    }
    fts_close(walk);
    return disk;
}

static void act_release(struct act *act)
{
    sov_free(act->path);
    sov_free(act->target);
}

void disk_close(struct disk *disk)
{
    for (size_t i = 0; i < disk->body_count; i++) {
        image_release(&disk->body[i]->kept);
        sov_free(disk->body[i]->late);
        sov_free(disk->body[i]);
    }
    for (size_t i = 0; i < disk->act_count; i++) act_release(&disk->act[i]);
    names_release(&disk->now);
    names_release(&disk->kept);
    sov_free(disk->body);
    sov_free(disk->act);
    sov_free(disk);
}

/* ---- what is done ---- */

/* A name that moves to another folder is there when that one says so. */
static const char *place_name(const struct act *act)
{
    return act->kind == OP_RENAME ? act->target : act->path;
}

static bool in_folder(const struct act *act, const char *folder)
{
    const char *path = place_name(act), *slash = strrchr(path, '/');
    size_t size = slash ? (size_t)(slash - path) : 0;

    return strlen(folder) == size && strncmp(path, folder, size) == 0;
}

static void apply(struct names *names, const struct act *act)
{
    if (act->kind == OP_UNLINK) {
        names_drop(names, act->path);
        return;
    }
    if (act->kind == OP_RENAME) {
        names_drop(names, act->path);
        names_put(names, act->target, act->body);
        return;
    }
    names_put(names, act->path, act->body);
}

static void write_one(struct image *image, const struct op *op)
{
    if (op->kind == OP_RESIZE)
        image_resize(image, op->offset);
    else
        image_write(image, op->offset, op->octets);
}

static void do_name(struct disk *disk, const struct op *op)
{
    struct name *name = names_find(&disk->now, op->path);
    struct act act = { .kind = op->kind };

    if (op->kind == OP_RENAME && name && !name->body) {
        fprintf(stderr, "a folder is renamed, which this model does not know: %s\n", op->path);
        abort();
    }
    act.body = op->kind == OP_CREATE ? body_new(disk) : name ? name->body : NULL;
    act.path = sov_alloc_text(op->path);
    act.target = sov_alloc_text(op->target);
    apply(&disk->now, &act);
    disk->act = names_more(disk->act, disk->act_count, &disk->act_room, sizeof *disk->act);
    disk->act[disk->act_count++] = act;
}

static void settle_folder(struct disk *disk, const char *folder)
{
    size_t left = 0;

    for (size_t i = 0; i < disk->act_count; i++) {
        struct act *act = &disk->act[i];

        if (in_folder(act, folder)) {
            apply(&disk->kept, act);
            act_release(act);
        } else {
            disk->act[left++] = *act;
        }
    }
    disk->act_count = left;
}

static bool is_name_act(enum op_kind kind)
{
    return kind == OP_CREATE || kind == OP_FOLDER || kind == OP_UNLINK || kind == OP_RENAME;
}

void disk_do(struct disk *disk, const struct op *op)
{
    struct name *name;

    if (op->kind == OP_SAY) return;
    if (op->kind == OP_SYNC_FOLDER) {
        settle_folder(disk, op->path);
        return;
    }
    if (!disk->takes(disk->self, op->kind == OP_RENAME ? op->target : op->path)) return;
    if (is_name_act(op->kind)) {
        do_name(disk, op);
        return;
    }
    name = names_find(&disk->now, op->path);
    if (!name || !name->body) return; /* a file that has no name any more */
    if (op->kind == OP_SYNC) {
        for (size_t i = 0; i < name->body->late_count; i++)
            write_one(&name->body->kept, name->body->late[i]);
        name->body->late_count = 0;
        return;
    }
    name->body->late =
        names_more(name->body->late, name->body->late_count, &name->body->late_room, sizeof op);
    name->body->late[name->body->late_count++] = op;
}

bool disk_settles(const struct disk *disk, const struct op *op)
{
    const struct name *name;

    if (op->kind == OP_SYNC) {
        name = names_find(&disk->now, op->path);
        return name && name->body && name->body->late_count;
    }
    if (op->kind == OP_SYNC_FOLDER)
        for (size_t i = 0; i < disk->act_count; i++)
            if (in_folder(&disk->act[i], op->path)) return true;
    return false;
}

bool disk_is_settled(const struct disk *disk)
{
    struct unsettled late = disk_unsettled(disk);

    return late.writes == 0 && late.names == 0;
}

bool disk_file(const struct disk *disk, const char *path, struct sov_fingerprint *print_out)
{
    const struct name *name = names_find(&disk->now, path);
    struct image image;

    if (!name || !name->body) return false;
    image_copy(&image, &name->body->kept);
    for (size_t i = 0; i < name->body->late_count; i++) write_one(&image, name->body->late[i]);
    *print_out = image_print(&image);
    image_release(&image);
    return true;
}

void disk_narrow(struct disk *disk, bool (*keeps)(void *self, const char *path), void *self)
{
    names_narrow(&disk->now, keeps, self);
    names_narrow(&disk->kept, keeps, self);
}

/* ---- what a crash leaves ---- */

/* The part of a write from here to the end of its sector. */
static size_t part_size(const struct op *op, size_t done)
{
    size_t part = SECTOR - (size_t)((op->offset + done) % SECTOR), rest = op->octets.size - done;

    return part < rest ? part : rest;
}

static size_t parts_of(const struct op *op)
{
    if (op->kind == OP_RESIZE) return 1;
    return (size_t)((op->offset % SECTOR + op->octets.size + SECTOR - 1) / SECTOR);
}

struct unsettled disk_unsettled(const struct disk *disk)
{
    struct unsettled late = { .names = disk->act_count };

    for (size_t i = 0; i < disk->body_count; i++) {
        late.writes += disk->body[i]->late_count;
        for (size_t j = 0; j < disk->body[i]->late_count; j++)
            late.parts += parts_of(disk->body[i]->late[j]);
    }
    return late;
}

static uint64_t draw(uint64_t from, uint64_t n)
{
    from = (from + n) * UINT64_C(0x9e3779b97f4a7c15) + n;
    from = (from ^ from >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    from = (from ^ from >> 27) * UINT64_C(0x94d049bb133111eb);
    return from ^ from >> 31;
}

/* Is this part there: the `part`th of all, of the `nth` write? */
static bool is_there(const struct pick *pick, size_t nth, size_t part)
{
    switch (pick->kind) {
    case PICK_FIRST:
        return part < pick->n;
    case PICK_BUT_ONE:
        return nth != pick->n;
    case PICK_ONE:
        return nth == pick->n;
    case PICK_BITS:
        return pick->n >> part & 1;
    case PICK_PARTS:
        return draw(pick->n, part) % 256 < pick->odds;
    case PICK_TORN:
        if (draw(pick->n, nth) % 256 % 8 == 0) return draw(~pick->n, part) % 2;
        return draw(pick->n, nth) / 256 % 256 < pick->odds;
    case PICK_WRITES:
        return draw(pick->n, nth) % 256 < pick->odds;
    }
    abort();
}

/* The length comes with any part that needs it, and now and then without all of them. */
static void write_parts(struct image *image, const struct op *op, const struct pick *pick,
                        size_t nth, size_t part)
{
    uint64_t end = op->offset + op->octets.size;

    for (size_t done = 0, size; done < op->octets.size; done += size, part++) {
        size = part_size(op, done);
        if (is_there(pick, nth, part))
            image_write(image, op->offset + done, sov_bytes(op->octets.data + done, size));
    }
    if (end > image->size && pick->kind != PICK_FIRST && draw(pick->n, nth + 77) % 2)
        image_resize(image, end);
}

/* Of the acts in one folder, in order, so many are there. */
static size_t acts_kept(const struct disk *disk, const struct pick *pick, const char *folder)
{
    size_t count = 0;

    for (size_t i = 0; i < disk->act_count; i++) count += in_folder(&disk->act[i], folder);
    if (!pick->names) return count;
    return (size_t)(draw(pick->names, sov_fingerprint(sov_bytes_text(folder)).low) % (count + 1));
}

static void names_left(const struct disk *disk, const struct pick *pick, struct names *names_out)
{
    names_copy(names_out, &disk->kept);
    for (size_t i = 0; i < disk->act_count; i++) {
        const char *path = place_name(&disk->act[i]), *slash = strrchr(path, '/');
        char folder[512];
        size_t before = 0;

        snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 0, path);
        for (size_t j = 0; j < i; j++) before += in_folder(&disk->act[j], folder);
        if (before < acts_kept(disk, pick, folder)) apply(names_out, &disk->act[i]);
    }
}

/* A name whose folder is not there is none. A folder that was not made here is. */
static bool is_reachable(const struct disk *disk, const struct names *names, const char *path)
{
    char above[512];
    char *slash;

    snprintf(above, sizeof above, "%s", path);
    while ((slash = strrchr(above, '/'))) {
        *slash = 0;
        if (names_find(&disk->now, above) && !names_find(names, above)) return false;
    }
    return true;
}

static void crash(struct disk *disk, const struct names *names, const struct pick *pick,
                  struct left *left_out)
{
    struct left left = { .file = sov_alloc_array(names->count + 1, sizeof *left.file) };
    size_t *first_part = sov_alloc_array(disk->body_count + 1, sizeof *first_part);
    size_t *first_write = sov_alloc_array(disk->body_count + 1, sizeof *first_write);

    for (size_t i = 0; i < disk->body_count; i++) {
        first_write[i + 1] = first_write[i] + disk->body[i]->late_count;
        first_part[i + 1] = first_part[i];
        for (size_t j = 0; j < disk->body[i]->late_count; j++)
            first_part[i + 1] += parts_of(disk->body[i]->late[j]);
    }
    for (size_t i = 0; i < names->count; i++) {
        struct left_file file = { .path = names->at[i].path };
        struct body *body = names->at[i].body;
        size_t b = 0, part;

        if (!body || !is_reachable(disk, names, file.path)) continue;
        while (disk->body[b] != body) b++;
        part = first_part[b];
        image_copy(&file.image, &body->kept);
        for (size_t j = 0; j < body->late_count; j++) {
            const struct op *op = body->late[j];

            if (op->kind == OP_WRITE)
                write_parts(&file.image, op, pick, first_write[b] + j, part);
            else if (is_there(pick, first_write[b] + j, part))
                image_resize(&file.image, op->offset);
            part += parts_of(op);
        }
        file.print = image_print(&file.image);
        file.path = sov_alloc_text(file.path);
        print_add(&left.print, sov_fingerprint(sov_bytes_text(file.path)).low, file.print);
        left.file[left.count++] = file;
    }
    sov_free(first_part);
    sov_free(first_write);
    *left_out = left;
}

void disk_crash(struct disk *disk, const struct pick *pick, struct left *left_out)
{
    struct names names;

    names_left(disk, pick, &names);
    crash(disk, &names, pick, left_out);
    names_release(&names);
}

void disk_now(struct disk *disk, struct left *left_out)
{
    const struct pick all = { .kind = PICK_FIRST, .n = UINT64_MAX };

    crash(disk, &disk->now, &all, left_out);
}

void left_release(struct left *left)
{
    for (size_t i = 0; i < left->count; i++) {
        sov_free((void *)(uintptr_t)left->file[i].path);
        image_release(&left->file[i].image);
    }
    sov_free(left->file);
    *left = (struct left){ 0 };
}

const struct left_file *left_find(const struct left *left, const char *path)
{
    for (size_t i = 0; i < left->count; i++)
        if (strcmp(left->file[i].path, path) == 0) return &left->file[i];
    return NULL;
}
