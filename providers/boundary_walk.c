#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/reading.h"
#include "providers/boundary_entry.h"

enum {
    DEPTH_MAX = 200, /* a descriptor each */
    TEXT_MAX = 64 << 20,
    CHUNK_SIZE = 64 * 1024,
    NAME_ROOM = 512 /* more than a name takes in an arena */
};
/* The kernel stamps with the time of its last tick, some file systems with whole seconds. */
#define YOUNG_NS (INT64_C(2) * 1000 * 1000 * 1000)

struct walk {
    struct sov_boundary *b;
    const struct sov_boundary *before;
    const struct sov_boundary_limits *limits;
    struct sov_arena names;
    size_t listed, text;
    int64_t young_ns;
};

/* What cannot be read now may be read the next time. */
static bool unread(struct sov_error *err, const char *path, const char *why)
{
    return sov_fail(err, SOV_UNABLE, "io_error", "%s %s", path, why);
}

/* A rule: it is refused until the tree is another one. */
static bool beyond(struct sov_error *err, const char *path, const char *why)
{
    return sov_fail(err, SOV_DENIED, "workspace_refusal", "%s %s", path, why);
}

/* ---- one entry ---- */

static int by_path(const void *a, const void *b)
{
    const struct sov_boundary_entry *left = a, *right = b;

    return strcmp(left->path, right->path);
}

static bool is_same(const struct sov_boundary_entry *then, const struct sov_file_facts *now)
{
    const struct sov_file_facts *was = &then->facts;

    return !then->young && was->type == SOV_FILE_REGULAR && was->size == now->size &&
           was->device == now->device && was->inode == now->inode && was->mode == now->mode &&
           was->mtime_ns == now->mtime_ns && was->ctime_ns == now->ctime_ns;
}

static const struct sov_boundary_entry *entry_before(const struct walk *w, const char *path)
{
    struct sov_boundary_entry key = { .path = path };

    if (!w->before || !w->before->computed || w->before->count == 0) return NULL;
    return bsearch(&key, w->before->entries, w->before->count, sizeof key, by_path);
}

static bool bytes_count(struct walk *w, uint64_t size, const char *path, struct sov_error *err)
{
    if (size > w->limits->bytes_max - w->b->bytes)
        return beyond(err, path, "is more than a snapshot may read");
    w->b->bytes += size;
    return true;
}

/* The size that counts is what was read: it may grow meanwhile, and then the times tell. */
static bool file_hash(struct walk *w, struct sov_reading *reading, struct sov_boundary_entry *entry,
                      struct sov_error *err)
{
    struct sov_sha256 sha;
    uint8_t octets[CHUNK_SIZE];
    size_t got;

    sov_sha256_begin(&sha);
    do {
        if (!sov_reading_next(reading, octets, sizeof octets, &got, err) ||
            !bytes_count(w, got, entry->path, err))
            return false;
        sov_sha256_add(&sha, sov_bytes(octets, got));
    } while (got == sizeof octets);
    entry->hash = sov_sha256_end(&sha);
    return true;
}

static bool file_look(struct walk *w, const struct sov_folder *folder, const char *name,
                      struct sov_boundary_entry *entry, struct sov_error *err)
{
    SOV_CLEANUP(sov_reading_close) struct sov_reading reading = { 0 };
    const struct sov_boundary_entry *then = entry_before(w, entry->path);

    if (then && is_same(then, &entry->facts)) {
        entry->hash = then->hash;
        return bytes_count(w, entry->facts.size, entry->path, err);
    }
    if (!sov_reading_open(&reading, folder, name, &entry->facts, err))
        return unread(err, entry->path, "cannot be read");
    if (entry->facts.type != SOV_FILE_REGULAR)
        return unread(err, entry->path, "changed while it was looked at");
    if (entry->facts.size > w->limits->bytes_max - w->b->bytes)
        return beyond(err, entry->path, "is more than a snapshot may read");
    return file_hash(w, &reading, entry, err);
}

static bool text_count(struct walk *w, size_t size, struct sov_error *err)
{
    if (size > TEXT_MAX - w->text) return beyond(err, "the tree", "has names that are too long");
    w->text += size;
    return true;
}

static bool link_look(struct walk *w, const struct sov_folder *folder, const char *name,
                      struct sov_boundary_entry *entry, struct sov_error *err)
{
    if (!sov_link_read(folder, name, &w->b->arena, &entry->target, err))
        return unread(err, entry->path, "changed while it was looked at");
    return text_count(w, entry->target.size, err);
}

static bool entry_look(struct walk *w, const struct sov_folder *folder, const char *name,
                       struct sov_boundary_entry *entry, struct sov_error *err)
{
    switch (entry->facts.type) {
    case SOV_FILE_REGULAR:
        if (!file_look(w, folder, name, entry, err)) return false;
        break;
    case SOV_FILE_LINK:
        if (!link_look(w, folder, name, entry, err)) return false;
        break;
    case SOV_FILE_ABSENT:
    case SOV_FILE_FOLDER:
    case SOV_FILE_OTHER:
        break;
    }
    entry->young = entry->facts.mtime_ns >= w->young_ns || entry->facts.ctime_ns >= w->young_ns;
    return true;
}

static void entry_keep(struct sov_boundary *b, const struct sov_boundary_entry *entry)
{
    if (b->count == b->room) {
        b->room = b->room ? 2 * b->room : 1024;
        b->entries = sov_alloc_grow(b->entries, b->room * sizeof *b->entries);
    }
    b->entries[b->count++] = *entry;
}

/* ---- the tree ---- */

static bool walk_folder(struct walk *w, const struct sov_folder *folder, const char *prefix,
                        unsigned depth, struct sov_error *err);

/* *entered_out: a folder, open. An entry that is gone meanwhile is none. */
static bool walk_entry(struct walk *w, const struct sov_folder *folder, const char *prefix,
                       const char *name, struct sov_folder *entered, const char **path_out,
                       struct sov_error *err)
{
    struct sov_boundary_entry entry = { 0 };

    if (!text_count(w, strlen(prefix) + strlen(name) + 2, err)) return false;
    entry.path = *path_out =
        sov_arena_printf(&w->b->arena, "%s%s%s", prefix, *prefix ? "/" : "", name);
    if (!sov_file_facts(folder, name, &entry.facts, err))
        return unread(err, entry.path, "cannot be looked at");
    if (entry.facts.type == SOV_FILE_ABSENT) return true;
    if (w->b->count >= w->limits->entries_max)
        return beyond(err, entry.path, "is one entry more than a snapshot may have");
    if (!entry_look(w, folder, name, &entry, err)) return false;
    entry_keep(w->b, &entry);
    if (entry.facts.type != SOV_FILE_FOLDER) return true;
    if (!sov_folder_beneath(entered, folder, name, err))
        return unread(err, entry.path, "cannot be entered");
    return true;
}

static bool walk_into(struct walk *w, const struct sov_folder *folder, const char *prefix,
                      const char *name, unsigned depth, struct sov_error *err)
{
    static const char *const of_git[] = { "config", "hooks", "info" };
    SOV_CLEANUP(sov_folder_close) struct sov_folder entered = { 0 };
    const char *path;

    if (!walk_entry(w, folder, prefix, name, &entered, &path, err)) return false;
    if (!entered.open) return true;
    if (strcmp(path, ".git") != 0) return walk_folder(w, &entered, path, depth + 1, err);
    for (size_t i = 0; i < sizeof of_git / sizeof *of_git; i++)
        if (!walk_into(w, &entered, path, of_git[i], depth + 1, err)) return false;
    return true;
}

static bool walk_folder(struct walk *w, const struct sov_folder *folder, const char *prefix,
                        unsigned depth, struct sov_error *err)
{
    struct sov_arena_mark mark = sov_arena_mark(&w->names);
    const char *where = *prefix ? prefix : "the tree";
    struct sov_listing names;
    bool ok = true;

    if (depth > DEPTH_MAX) return beyond(err, prefix, "is too deep");
    if (!sov_folder_names(folder, "", w->limits->entries_max - w->listed + 1, &w->names, &names,
                          err))
        return err->exit == SOV_USAGE ? beyond(err, where, "has too many names")
                                      : unread(err, where, "cannot be listed");
    w->listed += names.count;
    if (w->listed > w->limits->entries_max + 1) /* .sovereign is no entry */
        return beyond(err, where, "has too many names");
    for (size_t i = 0; ok && i < names.count; i++) {
        if (!*prefix && strcmp(names.name[i], ".sovereign") == 0) continue;
        ok = walk_into(w, folder, prefix, names.name[i], depth, err);
    }
    sov_arena_rewind(&w->names, mark);
    return ok;
}

struct sov_boundary *sov_boundary_take(const struct sov_folder *top, int64_t now_ms,
                                       const struct sov_boundary *before,
                                       const struct sov_boundary_limits *limits)
{
    struct sov_boundary *b = sov_alloc(sizeof *b);
    struct walk w = { .b = b, .before = before, .limits = limits };
    struct sov_error err = { 0 };

    assert(top && top->open && limits);
    w.young_ns = now_ms * 1000 * 1000 - YOUNG_NS;
    /* Names and targets are counted before they are put there; the rest is for their alignment. */
    sov_arena_init(&b->arena, TEXT_MAX + limits->entries_max * NAME_ROOM);
    sov_arena_init(&w.names, (limits->entries_max + 2) * NAME_ROOM + TEXT_MAX);
    b->computed = walk_folder(&w, top, "", 0, &err);
    if (!b->computed) {
        b->unread = err.exit == SOV_UNABLE;
        (void)snprintf(b->fault, sizeof b->fault, "%s", err.what);
    }
    if (b->count) qsort(b->entries, b->count, sizeof *b->entries, by_path);
    sov_arena_release(&w.names);
    return b;
}

void sov_boundary_close(struct sov_boundary *boundary)
{
    if (!boundary) return;
    sov_arena_release(&boundary->arena);
    sov_free(boundary->entries);
    sov_free(boundary);
}

void sov_boundary_end(struct sov_boundary **boundary)
{
    sov_boundary_close(*boundary);
}
