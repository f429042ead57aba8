/* What a killed host left running: found by what only the run's own processes have. */
#include <stdlib.h>
#include <string.h>

#include "base/keeper.h"
#include "providers/providers.h"
#include "providers/workspace.h"

enum { PROCESSES_MAX = 1 << 22, ENVIRON_MAX = 4 << 20, MARKS = 3 };
static const size_t arena_most = (size_t)256 << 20;

/* "NAME=value" as one of the entries, each ended by a NUL. */
static bool has_entry(struct sov_bytes environment, const char *entry)
{
    size_t size = strlen(entry) + 1;

    for (size_t at = 0; at < environment.size;) {
        const uint8_t *from = environment.data + at;
        const uint8_t *end = memchr(from, 0, environment.size - at);
        size_t here = end ? (size_t)(end - from) + 1 : environment.size - at;

        if (here == size && memcmp(from, entry, size) == 0) return true;
        at += here;
    }
    return false;
}

static bool is_marked(const char *name, const char *const *marks, struct sov_arena *arena)
{
    const char *path = sov_arena_printf(arena, "/proc/%s/environ", name);
    struct sov_bytes environment;
    struct sov_error err = { 0 };

    /* Another user's cannot be read, and is none of ours. */
    if (!sov_file_read_named(path, ENVIRON_MAX, arena, &environment, &err)) return false;
    for (size_t i = 0; i < MARKS; i++)
        if (!has_entry(environment, marks[i])) return false;
    return true;
}

/* Whom this call has ended. A process that was told to end may still be seen for a while. */
struct ended {
    struct sov_process_id *id;
    size_t count;
};

static bool is_ended(const struct ended *ended, const struct sov_process_id *id)
{
    for (size_t i = 0; i < ended->count; i++)
        if (ended->id[i].pid == id->pid && ended->id[i].start == id->start) return true;
    return false;
}

/* Whether there was one more. */
static bool end_marked(const struct sov_listing *names, const char *const *marks,
                       struct ended *ended, struct sov_arena *arena)
{
    size_t before = ended->count;

    for (size_t i = 0; i < names->count; i++) {
        struct sov_arena_mark mark = sov_arena_mark(arena);
        struct sov_process_id id;

        /* The start time is taken before the marks are read: if the number is given to another
         * process in between, the start differs and nothing is sent. */
        if (names->name[i][0] >= '1' && names->name[i][0] <= '9' &&
            sov_process_of(strtoll(names->name[i], NULL, 10), &id) && !is_ended(ended, &id) &&
            is_marked(names->name[i], marks, arena) && sov_process_end(id))
            ended->id[ended->count++] = id;
        sov_arena_rewind(arena, mark);
    }
    return ended->count > before;
}

unsigned sov_run_survivors_end(const char *top, int64_t assignment, int64_t fence)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder proc = { 0 };
    struct sov_listing names;
    struct sov_error err = { 0 };
    struct sov_arena arena;
    struct ended ended = { 0 };
    const char *marks[MARKS];
    char folder[SOV_WORKSPACE_NAME];
    bool again = true;

    sov_arena_init(&arena, arena_most);
    marks[0] = sov_arena_printf(&arena, "SOV_ASSIGNMENT=ASG-%lld", (long long)assignment);
    marks[1] = sov_arena_printf(&arena, "SOV_FENCE=%lld", (long long)fence);
    sov_workspace_name(folder, strchr(marks[0], '=') + 1, fence);
    marks[2] = sov_arena_printf(&arena, "SOV_OUT=%s/.sovereign/runs/%s/ws/out", top, folder);
    /* What forks while it is looked for is found the next time. */
    for (int i = 0; i < 8 && again; i++) {
        again = false;
        if (sov_folder_open(&proc, "/proc", &err) &&
            sov_folder_names(&proc, "", PROCESSES_MAX, &arena, &names, &err)) {
            struct sov_process_id *ids =
                sov_arena_array(&arena, ended.count + names.count, sizeof *ids);

            if (ended.count) memcpy(ids, ended.id, ended.count * sizeof *ids);
            ended.id = ids;
            again = end_marked(&names, marks, &ended, &arena);
        }
        sov_folder_close(&proc);
    }
    sov_arena_release(&arena);
    return (unsigned)ended.count;
}
