#include "cli/run_pages.h"

#include <string.h>

#include "base/file.h"
#include "projections/projections.h"

enum { DEPTH_MAX = 8, FILE_MAX = 64 << 20, NAMES_MAX = 1 << 20 };
static const char root[] = "governance";

struct gathered {
    struct sov_arena *arena;
    const struct sov_folder *top;
    const char **differing;
    size_t differing_count, differing_room;
    struct sov_boundary_page *pages;
    size_t count, room;
};

static void *grown(struct sov_arena *arena, void *rows, size_t count, size_t *room, size_t size)
{
    void *more;

    if (count < *room) return rows;
    *room = *room ? *room * 2 : 64;
    more = sov_arena_array(arena, *room, size);
    if (count) memcpy(more, rows, count * size);
    return more;
}

static void differs(void *context, const struct sov_difference *difference)
{
    struct gathered *g = context;

    g->differing =
        grown(g->arena, g->differing, g->differing_count, &g->differing_room, sizeof *g->differing);
    g->differing[g->differing_count++] = sov_arena_text(g->arena, sov_bytes_text(difference->path));
}

static bool is_as_rendered(const struct gathered *g, const char *path)
{
    for (size_t i = 0; i < g->differing_count; i++)
        if (strcmp(g->differing[i], path) == 0) return false;
    return true;
}

static bool page_add(struct gathered *g, const char *path, struct sov_error *err)
{
    struct sov_arena_mark mark;
    struct sov_bytes content;
    struct sov_hash digest;

    if (!is_as_rendered(g, path)) return true;
    mark = sov_arena_mark(g->arena);
    if (!sov_file_read(g->top, path, FILE_MAX, g->arena, &content, err)) return false;
    digest = sov_sha256(content);
    sov_arena_rewind(g->arena, mark);
    g->pages = grown(g->arena, g->pages, g->count, &g->room, sizeof *g->pages);
    g->pages[g->count++] = (struct sov_boundary_page){ .path = path, .digest = digest };
    return true;
}

static bool walk(struct gathered *g, const char *folder, int depth, struct sov_error *err)
{
    struct sov_listing names;

    if (depth > DEPTH_MAX) return true;
    if (!sov_folder_names(g->top, folder, NAMES_MAX, g->arena, &names, err)) return false;
    for (size_t i = 0; i < names.count; i++) {
        const char *path = sov_arena_printf(g->arena, "%s/%s", folder, names.name[i]);
        struct sov_file_facts facts;

        if (!sov_file_facts(g->top, path, &facts, err)) return false;
        if (facts.type == SOV_FILE_FOLDER && !walk(g, path, depth + 1, err)) return false;
        if (facts.type == SOV_FILE_REGULAR && !page_add(g, path, err)) return false;
    }
    return true;
}

bool sov_run_pages_list(void *self, struct sov_arena *arena,
                        const struct sov_boundary_page **pages_out, size_t *count_out,
                        struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_call *call = self;
    struct gathered g = { .arena = arena, .top = &top };
    struct sov_publication state;
    struct sov_compared compared;

    *pages_out = NULL;
    *count_out = 0;
    if (!sov_folder_open(&top, call->found.base, err) ||
        !sov_publication_state(call->ledger, &top, arena, &state, err))
        return false;
    if (!state.there) return true;
    if (!sov_tree_compare(call->ledger, &top, state.size, differs, &g, &compared, err) ||
        !walk(&g, root, 1, err))
        return false;
    *pages_out = g.pages;
    *count_out = g.count;
    return true;
}
