/* A view as files: written, closed with its last line, judged. */
#include <stdlib.h>

#include "projections/pages.h"

static bool (*const writers[SOV_VIEW_KIND_COUNT])(struct sov_sheet *, const struct sov_view *,
                                                  struct sov_error *) = {
    [SOV_VIEW_README] = sov_readme_write,     [SOV_VIEW_POLICY] = sov_policy_write,
    [SOV_VIEW_ACTOR] = sov_actor_write,       [SOV_VIEW_OUTCOME] = sov_outcome_write,
    [SOV_VIEW_SOW] = sov_sow_write,           [SOV_VIEW_RULING] = sov_ruling_write,
    [SOV_VIEW_APPROVAL] = sov_approval_write,
};

/* The same in every ledger of this renderer. A clone must not turn line ends, or a view would not
 * be what was rendered; segments and checkpoints are never merged line by line. */
static const char attributes[] = "* -text -filter -ident merge=sov\n"
                                 "*.json linguist-generated gitlab-generated\n"
                                 "log/** linguist-generated gitlab-generated -merge\n"
                                 "checkpoints/** linguist-generated gitlab-generated -merge\n";

static struct sov_document document(const char *path, struct sov_bytes bytes, int64_t last)
{
    return (struct sov_document){ path, bytes, sov_fingerprint(bytes), last };
}

static const char *up_from(const struct sov_view *view)
{
    return view->kind == SOV_VIEW_README || view->kind == SOV_VIEW_POLICY ? "" : "../";
}

static bool write_page(struct sov_sheet *sheet, const struct sov_view *view, struct sov_error *err)
{
    if (!writers[view->kind](sheet, view, err)) return false;
    sov_sheet_last_line(sheet);
    return sov_page_judge(&sheet->page, err);
}

static bool render_page(const struct sov_ledger *ledger, const struct sov_view *view,
                        struct sov_arena *reading, struct sov_arena *arena,
                        struct sov_document *documents_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf facts = { 0 };
    SOV_CLEANUP(sov_sheet_release) struct sov_sheet sheet = { 0 };

    sov_sheet_init(&sheet, ledger, reading, up_from(view));
    sov_buf_init(&facts, SOV_SHEET_MAX);
    if (!write_page(&sheet, view, err) || !sov_buf_whole(&sheet.canonical, "a view", err))
        return false;
    sov_facts_print(sov_buf_bytes(&sheet.canonical), &facts);
    if (!sov_buf_whole(&facts, "a view", err)) return false;
    documents_out[0] = document(sov_view_path(view, false, arena),
                                sov_arena_bytes(arena, sov_buf_bytes(&sheet.markdown)), sheet.last);
    documents_out[1] = document(sov_view_path(view, true, arena),
                                sov_arena_bytes(arena, sov_buf_bytes(&facts)), sheet.last);
    return true;
}

enum { READING_MAX = 256 << 20 };

bool sov_view_render(const struct sov_ledger *ledger, const struct sov_view *view,
                     struct sov_arena *arena, struct sov_documents *documents_out,
                     struct sov_error *err)
{
    struct sov_document *documents = sov_arena_array(arena, 2, sizeof *documents);
    struct sov_arena reading = { 0 };
    bool ok;

    if (view->kind == SOV_VIEW_ATTRIBUTES) {
        documents[0] = document(sov_view_path(view, false, arena), sov_bytes_text(attributes), 0);
        *documents_out = (struct sov_documents){ documents, 1 };
        return true;
    }
    sov_arena_init(&reading, READING_MAX);
    ok = render_page(ledger, view, &reading, arena, documents, err);
    sov_arena_release(&reading);
    if (ok) *documents_out = (struct sov_documents){ documents, 2 };
    return ok;
}

bool sov_view_print(const struct sov_ledger *ledger, const struct sov_view *view,
                    struct sov_paper *paper, struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena reading = { 0 };
    SOV_CLEANUP(sov_sheet_release) struct sov_sheet sheet = { 0 };

    sov_arena_init(&reading, READING_MAX);
    sov_sheet_init(&sheet, ledger, &reading, up_from(view));
    sheet.page.paper = paper;
    return write_page(&sheet, view, err);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct sov_document *)a)->path, ((const struct sov_document *)b)->path);
}

bool sov_tree_render(const struct sov_ledger *ledger, struct sov_arena *arena,
                     struct sov_documents *documents_out, struct sov_error *err)
{
    struct sov_document *all = NULL;
    size_t count = 0, room = 0;
    struct sov_view_walk walk;
    struct sov_view view;
    bool found;

    if (!sov_view_walk_begin(&walk, ledger, arena, err)) return false;
    for (;;) {
        struct sov_documents some;

        if (!sov_view_walk_next(&walk, &view, &found, err)) return false;
        if (!found) break;
        if (!sov_view_render(ledger, &view, arena, &some, err)) return false;
        if (count + some.count > room) {
            struct sov_document *more;

            room = room ? room * 2 : 64;
            more = sov_arena_array(arena, room, sizeof *more);
            if (count) memcpy(more, all, count * sizeof *more);
            all = more;
        }
        for (size_t i = 0; i < some.count; i++) all[count++] = some.at[i];
    }
    qsort(all, count, sizeof *all, by_path);
    *documents_out = (struct sov_documents){ all, count };
    return true;
}
