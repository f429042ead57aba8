/* Which names must lie among the views, told from the ledger. */
#include <stdlib.h>

#include "projections/tree.h"

static int by_octets(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct sov_hash));
}

static bool add_blobs(struct sov_census *census, const struct sov_ledger *ledger,
                      const struct sov_view *view, struct sov_arena *arena, struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena reading = { 0 };
    struct sov_quoted quoted;

    sov_arena_init(&reading, 64 << 20);
    if (!sov_view_quoted(ledger, view, &reading, &quoted, err)) return false;
    if (census->blob_count + quoted.count > census->blob_room) {
        struct sov_hash *more;

        census->blob_room = (census->blob_room + quoted.count) * 2;
        more = sov_arena_array(arena, census->blob_room, sizeof *more);
        if (census->blob_count) memcpy(more, census->blobs, census->blob_count * sizeof *more);
        census->blobs = more;
    }
    for (size_t i = 0; i < quoted.count; i++) census->blobs[census->blob_count++] = quoted.at[i];
    return true;
}

bool sov_census_take(struct sov_census *census, const struct sov_ledger *ledger,
                     struct sov_arena *arena, struct sov_error *err)
{
    struct sov_view_walk walk;
    struct sov_view view;
    bool found;

    *census = (struct sov_census){ .blob_count = 0 };
    if (!sov_view_walk_begin(&walk, ledger, arena, err)) return false;
    census->actors = walk.actors;
    for (;;) {
        if (!sov_view_walk_next(&walk, &view, &found, err)) return false;
        if (!found) break;
        if (view.n) census->counted[view.kind] = view.n;
        if (!add_blobs(census, ledger, &view, arena, err)) return false;
    }
    if (census->blob_count)
        qsort(census->blobs, census->blob_count, sizeof *census->blobs, by_octets);
    return true;
}

/* "SOW-7.md" or "SOW-7.json", and 7 is one of them. */
static bool is_numbered(const struct sov_census *census, enum sov_view_kind kind,
                        const char *prefix, const char *name)
{
    size_t head = strlen(prefix);
    const char *dot = strrchr(name, '.');
    int64_t n;

    if (strncmp(name, prefix, head) != 0 || !dot || dot < name + head) return false;
    n = sov_tree_number(sov_bytes(name + head, (size_t)(dot - name) - head));
    return n > 0 && n <= census->counted[kind];
}

static bool is_actor(const struct sov_census *census, const char *name)
{
    size_t size = (size_t)(strrchr(name, '.') - name);

    for (size_t i = 0; i < census->actors.count; i++)
        if (strlen(census->actors.at[i].id) == size &&
            memcmp(census->actors.at[i].id, name, size) == 0)
            return true;
    return false;
}

static bool is_blob(const struct sov_census *census, const char *name)
{
    struct sov_hash digest;

    return census->blob_count &&
           sov_unhex(sov_bytes_text(name), digest.octets, sizeof digest.octets) &&
           bsearch(&digest, census->blobs, census->blob_count, sizeof digest, by_octets);
}

static bool is_root(const char *name)
{
    static const char *const files[] = { "README.md", "README.json", "policy.md", "policy.json",
                                         ".gitattributes" };

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(name, files[i]) == 0) return true;
    for (size_t i = 1; sov_tree_folder(i); i++)
        if (strcmp(name, sov_tree_folder(i)) == 0) return true;
    return false;
}

bool sov_census_has(const struct sov_census *census, size_t folder, const char *name)
{
    const char *dot = strrchr(name, '.');
    const char *in = sov_tree_folder(folder);

    if (!*in) return is_root(name);
    if (strcmp(in, "blobs") == 0) return is_blob(census, name);
    if (!dot || (strcmp(dot, ".md") != 0 && strcmp(dot, ".json") != 0)) return false;
    if (strcmp(in, "outcomes") == 0) return is_numbered(census, SOV_VIEW_OUTCOME, "OUT-", name);
    if (strcmp(in, "sows") == 0) return is_numbered(census, SOV_VIEW_SOW, "SOW-", name);
    if (strcmp(in, "rulings") == 0) return is_numbered(census, SOV_VIEW_RULING, "RUL-", name);
    if (strcmp(in, "approvals") == 0) return is_numbered(census, SOV_VIEW_APPROVAL, "APR-", name);
    return is_actor(census, name);
}
