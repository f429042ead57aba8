#include "base/staging.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/place.h"
#include "base/removal.h"

enum { NAMES_MAX = 1000 };

static bool make(struct sov_staging *staging, struct sov_arena *arena, struct sov_error *err)
{
    for (unsigned n = 0; n < NAMES_MAX; n++) {
        const char *name = sov_arena_printf(arena, SOV_FILE_LEFTOVER "%ld-%u", (long)getpid(), n);

        if (sov_folder_make_new(&staging->above, name, 0700, err)) {
            staging->temporary = name;
            return true;
        }
        if (err->exit != SOV_CONFLICT) return false;
    }
    return sov_fail(err, SOV_UNABLE, "io_error", "too many temporary folders are left beside %s",
                    staging->name);
}

bool sov_staging_begin(struct sov_staging *staging, const char *path, struct sov_arena *arena,
                       struct sov_error *err)
{
    const char *above;

    assert(!staging->above.open);
    if (!sov_folder_above(&staging->above, path, &staging->name, err)) return false;
    above = staging->name == path
                ? "."
                : sov_arena_printf(arena, "%.*s", (int)(staging->name - path), path);
    if (!sov_path_absolute(above, arena, &above, err) || !make(staging, arena, err)) return false;
    staging->path =
        sov_arena_printf(arena, "%s/%s", strcmp(above, "/") == 0 ? "" : above, staging->temporary);
    return true;
}

bool sov_staging_give(struct sov_staging *staging, const char *from, const char *to,
                      struct sov_arena *arena, struct sov_error *err)
{
    const char *what =
        from ? sov_arena_printf(arena, "%s/%s", staging->temporary, from) : staging->temporary;

    if (!sov_file_move(&staging->above, what, to, err)) return false;
    if (!from) staging->temporary = NULL;
    return true;
}

void sov_staging_end(struct sov_staging *staging)
{
    struct sov_error ignored = { 0 };

    if (staging->above.open && staging->temporary)
        (void)!sov_folder_remove(&staging->above, staging->temporary, &ignored);
    sov_folder_close(&staging->above);
}
