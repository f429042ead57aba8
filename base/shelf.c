#include "base/shelf_inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void sov_shelf_add(struct sov_shelf *shelf, const struct sov_shelf_file *file)
{
    if (shelf->count == shelf->room) {
        size_t room = shelf->room ? 2 * shelf->room : 64;
        struct sov_shelf_file *more = sov_arena_array(shelf->arena, room, sizeof *more);

        if (shelf->count) memcpy(more, shelf->at, shelf->count * sizeof *more);
        shelf->at = more;
        shelf->room = room;
    }
    shelf->at[shelf->count] = *file;
    shelf->at[shelf->count].order = shelf->count;
    shelf->at[shelf->count].path = sov_arena_text(shelf->arena, sov_bytes_text(file->path));
    if (file->content.size)
        shelf->at[shelf->count].content = sov_arena_bytes(shelf->arena, file->content);
    shelf->count++;
}

static int by_path(const void *a, const void *b)
{
    const struct sov_shelf_file *x = a, *y = b;

    int order = strcmp(x->path, y->path);

    return order ? order : (x->order > y->order) - (x->order < y->order);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void sov_shelf_open(struct sov_shelf *shelf, struct sov_folder *folder_out)
{
    size_t kept = 0;

    if (shelf->count) qsort(shelf->at, shelf->count, sizeof *shelf->at, by_path);
    for (size_t i = 0; i < shelf->count; i++)
        if (!kept || strcmp(shelf->at[kept - 1].path, shelf->at[i].path) != 0)
            shelf->at[kept++] = shelf->at[i];
    shelf->count = kept;
    *folder_out = (struct sov_folder){ .fd = -1, .open = true, .shelf = shelf, .within = "" };
}

/* The path from the top of the shelf. */
static const char *from_top(const struct sov_folder *folder, const char *path)
{
    if (!*folder->within) return path;
    if (!*path) return folder->within;
    return sov_arena_printf(folder->shelf->arena, "%s/%s", folder->within, path);
}

/* The first file whose path is at least `path`. */
static size_t lower(const struct sov_shelf *shelf, const char *path)
{
    size_t low = 0, high = shelf->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(shelf->at[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct sov_shelf_file *find(const struct sov_folder *folder, const char *path)
{
    const struct sov_shelf *shelf = folder->shelf;
    const char *whole = from_top(folder, path);
    size_t at = lower(shelf, whole);

    return at < shelf->count && strcmp(shelf->at[at].path, whole) == 0 ? &shelf->at[at] : NULL;
}

/* "sows/" begins the paths in the folder sows; the top holds everything. */
static const char *prefix_of(const struct sov_folder *folder, const char *path)
{
    const char *whole = from_top(folder, path);

    return *whole ? sov_arena_printf(folder->shelf->arena, "%s/", whole) : "";
}

static bool begins(const char *path, const char *prefix)
{
    return strncmp(path, prefix, strlen(prefix)) == 0;
}

static bool is_folder(const struct sov_folder *folder, const char *path)
{
    const char *prefix = prefix_of(folder, path);
    size_t at = lower(folder->shelf, prefix);

    return at < folder->shelf->count && begins(folder->shelf->at[at].path, prefix);
}

void sov_shelf_facts(const struct sov_folder *folder, const char *path,
                     struct sov_file_facts *facts_out)
{
    const struct sov_shelf_file *file = find(folder, path);

    *facts_out = (struct sov_file_facts){ .type = SOV_FILE_ABSENT };
    if (file)
        *facts_out = (struct sov_file_facts){
            .type = file->type, .mode = file->mode, .size = file->content.size, .links = 1
        };
    else if (is_folder(folder, path))
        *facts_out = (struct sov_file_facts){ .type = SOV_FILE_FOLDER, .mode = 0755 };
}

bool sov_shelf_read(const struct sov_folder *folder, const char *path, size_t size_max,
                    struct sov_bytes *bytes_out, struct sov_error *err)
{
    const struct sov_shelf_file *file = find(folder, path);

    if (!file && !is_folder(folder, path))
        return sov_fail(err, SOV_ABSENT, "no_such_file", "no file %s", path);
    if (!file || file->type != SOV_FILE_REGULAR)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is not a regular file", path);
    if (file->heavy || file->content.size > size_max)
        return sov_fail(err, SOV_USAGE, "too_large", "%s has more than %zu bytes", path, size_max);
    *bytes_out = file->content.data ? file->content : sov_bytes("", 0);
    return true;
}

bool sov_shelf_beneath(struct sov_folder *folder, const struct sov_folder *parent, const char *path,
                       struct sov_error *err)
{
    if (!is_folder(parent, path))
        return sov_fail(err, SOV_ABSENT, "no_such_file", "no file %s", path);
    *folder = *parent;
    folder->within = sov_arena_text(parent->shelf->arena, sov_bytes_text(from_top(parent, path)));
    return true;
}

bool sov_shelf_names(const struct sov_folder *folder, const char *path, size_t count_max,
                     struct sov_arena *arena, struct sov_listing *names_out, struct sov_error *err)
{
    const struct sov_shelf *shelf = folder->shelf;
    const char *prefix = prefix_of(folder, path);
    size_t first = lower(shelf, prefix), last = first, count = 0;
    const char **list;

    while (last < shelf->count && begins(shelf->at[last].path, prefix)) last++;
    if (last == first && *path)
        return sov_fail(err, SOV_ABSENT, "no_such_file", "no file %s", path);
    list = sov_arena_array(arena, last - first + 1, sizeof *list);
    for (size_t i = first; i < last; i++) {
        const char *rest = shelf->at[i].path + strlen(prefix);
        struct sov_bytes name = sov_bytes(rest, strcspn(rest, "/"));

        if (count && sov_bytes_is(name, list[count - 1])) continue;
        if (count == count_max)
            return sov_fail(err, SOV_USAGE, "too_large", "%s holds more than %zu names",
                            *path ? path : "the folder", count_max);
        list[count++] = sov_arena_text(arena, name);
    }
    /* "sows.md" lies before "sows/SOW-1.md", the name sows before sows.md. */
    if (count) qsort(list, count, sizeof *list, by_name);
    *names_out = (struct sov_listing){ list, count };
    return true;
}
