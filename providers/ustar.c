#include "providers/ustar.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/reading.h"

enum { BLOCK = 512, NAME_ROOM = 100, PREFIX_ROOM = 155, DEPTH_MAX = 64, NAMES_MAX = 1 << 20 };
enum { CHUNK = 1 << 16 };
static const size_t arena_most = (size_t)256 << 20;

/* Offsets of the header's fields. */
enum {
    MODE_AT = 100,
    UID_AT = 108,
    GID_AT = 116,
    SIZE_AT = 124,
    MTIME_AT = 136,
    SUM_AT = 148,
    TYPE_AT = 156,
    LINK_AT = 157,
    MAGIC_AT = 257,
    PREFIX_AT = 345
};

struct tar {
    struct sov_buf *out;
    struct sov_arena arena;
};

static bool unfit(const char *path, const char *why, struct sov_error *err)
{
    return sov_fail(err, SOV_DENIED, "file_unsafe", "%s %s", path, why);
}

/* The path as prefix and name, cut at a slash where both fit. */
static bool path_put(char *header, const char *path, struct sov_error *err)
{
    size_t size = strlen(path);

    if (size <= NAME_ROOM) {
        memcpy(header, path, size);
        return true;
    }
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        size_t before = (size_t)(slash - path), behind = size - before - 1;

        if (before > PREFIX_ROOM || behind > NAME_ROOM || !before || !behind) continue;
        memcpy(header + PREFIX_AT, path, before);
        memcpy(header, slash + 1, behind);
        return true;
    }
    return unfit(path, "has a name that is too long for an archive", err);
}

static void octal_put(char *at, int digits, uint64_t n)
{
    for (int i = digits - 1; i >= 0; i--, n >>= 3) at[i] = (char)('0' + (n & 7));
    at[digits] = '\0';
}

static bool header_add(struct tar *t, const char *path, const struct sov_file_facts *facts,
                       char type, struct sov_bytes link, struct sov_error *err)
{
    char header[BLOCK] = { 0 };
    unsigned sum = 0;

    if (link.size > NAME_ROOM) return unfit(path, "points too far for an archive", err);
    if (!path_put(header, path, err)) return false;
    octal_put(header + MODE_AT, 7, facts->mode);
    octal_put(header + UID_AT, 7, 0);
    octal_put(header + GID_AT, 7, 0);
    octal_put(header + SIZE_AT, 11, type == '0' ? facts->size : 0);
    octal_put(header + MTIME_AT, 11, 0);
    header[TYPE_AT] = type;
    if (link.size) memcpy(header + LINK_AT, link.data, link.size);
    memcpy(header + MAGIC_AT, "ustar\00000", 8);
    memset(header + SUM_AT, ' ', 8);
    for (size_t i = 0; i < sizeof header; i++) sum += (unsigned char)header[i];
    octal_put(header + SUM_AT, 6, sum);
    sov_buf_add(t->out, sov_bytes(header, sizeof header));
    return sov_buf_whole(t->out, "the archive", err);
}

static bool content_add(struct tar *t, const struct sov_folder *folder, const char *name,
                        const char *path, struct sov_error *err)
{
    SOV_CLEANUP(sov_reading_close) struct sov_reading reading = { 0 };
    static const uint8_t zero[BLOCK];
    struct sov_file_facts facts;
    uint8_t octets[CHUNK];
    uint64_t read = 0;
    size_t got;

    if (!sov_reading_open(&reading, folder, name, &facts, err)) return false;
    if (facts.type != SOV_FILE_REGULAR) return unfit(path, "changed while it was read", err);
    if (!header_add(t, path, &facts, '0', sov_bytes("", 0), err)) return false;
    do {
        if (!sov_reading_next(&reading, octets, sizeof octets, &got, err)) return false;
        sov_buf_add(t->out, sov_bytes(octets, got));
        read += got;
    } while (got == sizeof octets && !t->out->cut);
    if (!sov_buf_whole(t->out, "the archive", err)) return false;
    if (read != facts.size) return unfit(path, "changed while it was read", err);
    if (read % BLOCK) sov_buf_add(t->out, sov_bytes(zero, (size_t)(BLOCK - read % BLOCK)));
    return sov_buf_whole(t->out, "the archive", err);
}

static bool folder_add(struct tar *t, const struct sov_folder *folder, const char *prefix,
                       int depth, struct sov_error *err);

static bool entry_add(struct tar *t, const struct sov_folder *folder, const char *name,
                      const char *path, int depth, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder inner = { 0 };
    struct sov_file_facts facts;
    struct sov_bytes target = sov_bytes("", 0);

    if (!sov_file_facts(folder, name, &facts, err)) return false;
    switch (facts.type) {
    case SOV_FILE_REGULAR:
        return content_add(t, folder, name, path, err);
    case SOV_FILE_LINK:
        return sov_link_read(folder, name, &t->arena, &target, err) &&
               header_add(t, path, &facts, '2', target, err);
    case SOV_FILE_FOLDER:
        return sov_folder_beneath(&inner, folder, name, err) &&
               header_add(t, sov_arena_printf(&t->arena, "%s/", path), &facts, '5', target, err) &&
               folder_add(t, &inner, sov_arena_printf(&t->arena, "%s/", path), depth + 1, err);
    case SOV_FILE_OTHER:
        return header_add(t, path, &facts, '6', target, err);
    case SOV_FILE_ABSENT:
        break;
    }
    return unfit(path, "went away while it was looked at", err);
}

static bool folder_add(struct tar *t, const struct sov_folder *folder, const char *prefix,
                       int depth, struct sov_error *err)
{
    struct sov_arena_mark mark = sov_arena_mark(&t->arena);
    struct sov_listing names;
    bool ok;

    if (depth > DEPTH_MAX) return unfit(prefix, "is too deep", err);
    ok = sov_folder_names(folder, "", NAMES_MAX, &t->arena, &names, err);
    for (size_t i = 0; ok && i < names.count; i++)
        ok = entry_add(t, folder, names.name[i],
                       sov_arena_printf(&t->arena, "%s%s", prefix, names.name[i]), depth, err);
    sov_arena_rewind(&t->arena, mark);
    return ok;
}

bool sov_ustar_write(const struct sov_folder *folder, struct sov_buf *out, struct sov_error *err)
{
    static const uint8_t zero[2 * BLOCK];
    struct tar t = { .out = out };
    bool ok;

    assert(folder && folder->open && out && err);
    sov_arena_init(&t.arena, arena_most);
    ok = folder_add(&t, folder, "", 0, err);
    sov_arena_release(&t.arena);
    if (!ok) return false;
    sov_buf_add(out, sov_bytes(zero, sizeof zero));
    return sov_buf_whole(out, "the archive", err);
}
