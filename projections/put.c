/* Files of a publication: only what is not there already is written, and everything is recorded. */
#include "projections/tree.h"

void sov_paths_add(struct sov_paths *paths, const char *path, struct sov_arena *arena)
{
    if (paths->count == paths->room) {
        const char **more;

        paths->room = paths->room ? paths->room * 2 : 16;
        more = sov_arena_array(arena, paths->room, sizeof *more);
        for (size_t i = 0; i < paths->count; i++) more[i] = paths->at[i];
        paths->at = more;
    }
    paths->at[paths->count++] = path;
}

bool sov_paths_have(const struct sov_paths *paths, const char *path)
{
    for (size_t i = 0; i < paths->count; i++)
        if (strcmp(paths->at[i], path) == 0) return true;
    return false;
}

bool sov_put_begin(struct sov_put *put, const struct sov_folder *top, bool dry,
                   struct sov_arena *arena, struct sov_error *err)
{
    struct sov_file_facts facts;

    *put = (struct sov_put){ .top = top, .dry = dry, .arena = arena };
    if (!sov_file_facts(top, SOV_GOVERNANCE, &facts, err)) return false;
    if (facts.type == SOV_FILE_ABSENT) {
        if (dry) return true;
        if (!sov_folder_make(top, SOV_GOVERNANCE, SOV_FOLDER_MODE, err)) return false;
    }
    return sov_folder_beneath(&put->governance, top, SOV_GOVERNANCE, err);
}

void sov_put_end(struct sov_put *put)
{
    sov_folder_close(&put->governance);
}

static bool is_same(struct sov_put *put, const char *path, struct sov_bytes bytes, bool *same_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    struct sov_file_facts facts;
    struct sov_bytes found;

    *same_out = false;
    if (!put->governance.open) return true;
    if (!sov_file_facts(&put->governance, path, &facts, err)) return false;
    if (facts.type == SOV_FILE_FOLDER)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s/%s is a folder", SOV_GOVERNANCE, path);
    if (facts.type != SOV_FILE_REGULAR || facts.mode & SOV_MODE_WRONG || facts.links != 1 ||
        facts.size != bytes.size)
        return true;
    sov_arena_init(&arena, bytes.size + (1 << 16));
    if (!sov_file_read(&put->governance, path, bytes.size, &arena, &found, err)) return false;
    *same_out = sov_bytes_equal(found, bytes);
    return true;
}

/* The folder of a path, made once. */
static bool make_folder(struct sov_put *put, const char *path, struct sov_error *err)
{
    const char *slash = strchr(path, '/');

    if (!slash) return true;
    for (size_t i = 1; sov_tree_folder(i); i++) {
        const char *folder = sov_tree_folder(i);

        if (strlen(folder) != (size_t)(slash - path) || memcmp(folder, path, strlen(folder)) != 0 ||
            put->made & 1u << i)
            continue;
        if (!sov_folder_make(&put->governance, folder, SOV_FOLDER_MODE, err)) return false;
        put->made |= 1u << i;
    }
    return true;
}

bool sov_put_file(struct sov_put *put, const char *path, struct sov_bytes bytes,
                  struct sov_error *err)
{
    bool same;

    if (!is_same(put, path, bytes, &same, err)) return false;
    if (same) return true;
    sov_paths_add(&put->written, sov_arena_printf(put->arena, "%s/%s", SOV_GOVERNANCE, path),
                  put->arena);
    if (put->dry) return true;
    return make_folder(put, path, err) &&
           sov_file_replace(&put->governance, path, SOV_FILE_MODE, bytes, err);
}

bool sov_put_remove(struct sov_put *put, const char *path, struct sov_error *err)
{
    struct sov_file_facts facts;

    if (!put->governance.open) return true;
    if (!sov_file_facts(&put->governance, path, &facts, err)) return false;
    if (facts.type == SOV_FILE_ABSENT || facts.type == SOV_FILE_FOLDER) return true;
    sov_paths_add(&put->removed, sov_arena_printf(put->arena, "%s/%s", SOV_GOVERNANCE, path),
                  put->arena);
    return put->dry || sov_file_remove(&put->governance, path, err);
}
