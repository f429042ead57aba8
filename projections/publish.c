/* Publication: segments, blobs, views, then the checkpoint, which makes it one. */
#include "projections/tree.h"

enum {
    FEW = 64,    /* views that are rendered at once, in one moment of the ledger */
    MANY = 8192, /* more of them, and all are rendered */
    PAGES_MAX = 1 << 30
};

struct work {
    const struct sov_ledger *ledger; /* as handed in */
    const struct sov_ledger *at;     /* the one to render from, at `size` */
    struct sov_tree *tree;
    struct sov_put *put;
    int64_t size;
    bool restores;
    bool whole; /* every view; else those of `views` */
    struct sov_views views;
    struct sov_arena *pages; /* what is rendered */
};

/* ---- may it be done at all? ---- */

static bool is_prefix(const struct sov_ledger *ledger, const struct sov_tree *tree, int64_t head,
                      struct sov_error *err)
{
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    bool found;

    if (!tree->there) return true;
    if (tree->size > head)
        return sov_fail(err, SOV_INTEGRITY, "rollback",
                        "%lld events are published, this ledger has %lld", (long long)tree->size,
                        (long long)head);
    if (!sov_checkpoint_at(ledger, tree->size, &checkpoint, &signature, &found, err)) return false;
    if (!found || checkpoint.size != (uint64_t)tree->size ||
        !sov_hash_equal(&checkpoint.root, &tree->root))
        return sov_fail(err, SOV_INTEGRITY, "fork",
                        "the published root of size %lld is not this ledger's",
                        (long long)tree->size);
    return true;
}

/* A segment that was left by a crash holds events of this ledger, or somebody else's. */
static bool nothing_ahead(const struct sov_tree *tree, int64_t head, struct sov_error *err)
{
    for (size_t i = 0; i < tree->segment_count; i++)
        if (tree->segments[i].last > head)
            return sov_fail(err, SOV_INTEGRITY, "rollback",
                            "%s/%s holds events that this ledger has not", SOV_GOVERNANCE,
                            tree->segments[i].path);
    return true;
}

static bool is_vouched(const struct sov_ledger *ledger, int64_t size, struct sov_error *err)
{
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    bool found;

    if (!sov_checkpoint_at(ledger, size, &checkpoint, &signature, &found, err)) return false;
    if (!found || checkpoint.size != (uint64_t)size)
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch", "there is no checkpoint of size %lld",
                        (long long)size);
    return sov_checkpoint_vouched(ledger, &checkpoint, &signature, err);
}

/* ---- which views ---- */

static bool is_among(const struct sov_view *views, size_t count, const struct sov_view *view)
{
    for (size_t i = 0; i < count; i++)
        if (views[i].kind == view->kind && views[i].n == view->n &&
            (!view->id || strcmp(view->id, views[i].id) == 0))
            return true;
    return false;
}

/* Adds what one event touches; false in *fits_out if these are too many to be kept apart. */
static bool add_touched(struct work *work, struct sov_stored row, struct sov_view *views,
                        bool *fits_out, struct sov_error *err)
{
    struct sov_arena_mark mark = sov_arena_mark(work->pages);
    size_t before = work->views.count;
    struct sov_views touched;
    struct sov_event event;

    row.octets = sov_arena_bytes(work->pages, row.octets);
    if (!sov_stored_decode(&row, &event, err) ||
        !sov_view_touched(work->ledger, &event, work->pages, &touched, err))
        return false;
    for (size_t i = 0; i < touched.count; i++) {
        if (is_among(views, work->views.count, &touched.at[i])) continue;
        *fits_out = work->views.count < MANY;
        if (!*fits_out) return true;
        views[work->views.count++] = touched.at[i];
    }
    if (work->views.count == before) sov_arena_rewind(work->pages, mark);
    return true;
}

/* The views that the new events touch; all of them if these are too many. */
static bool choose(struct work *work, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_view *touched = sov_arena_array(work->pages, MANY, sizeof *touched);
    bool fits = true;

    work->views = (struct sov_views){ touched, 0 };
    sov_log_begin(&cursor, work->ledger, work->tree->size + 1, work->size);
    while (fits) {
        struct sov_stored row;
        bool found;

        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) break;
        if (!add_touched(work, row, touched, &fits, err)) return false;
    }
    work->whole = !fits;
    return true;
}

/* ---- what does not belong ---- */

static bool remove_leftovers(struct work *work, struct sov_error *err)
{
    for (size_t i = 0; i < work->tree->leftover_count; i++)
        if (!sov_put_remove(work->put, work->tree->leftovers[i], err)) return false;
    return true;
}

/* Segments that no checkpoint covers, unless they are what was written now. */
static bool remove_unpublished(struct work *work, struct sov_error *err)
{
    for (size_t i = 0; i < work->tree->segment_count; i++) {
        const struct sov_segment *segment = &work->tree->segments[i];

        if (segment->last <= work->tree->size ||
            sov_paths_have(&work->put->segments, segment->path))
            continue;
        if (!sov_put_remove(work->put, segment->path, err)) return false;
    }
    return true;
}

/* Files and links among the views that no view is; a folder is left to whoever made it. */
static bool remove_strangers(struct work *work, const struct sov_census *census,
                             struct sov_error *err)
{
    for (size_t i = 0; sov_tree_folder(i) && !sov_tree_is_log(i); i++) {
        struct sov_listing names;

        if (!sov_tree_names(work->tree, i, work->pages, &names, err)) return false;
        for (size_t n = 0; n < names.count; n++)
            if (!sov_census_has(census, i, names.name[n]) &&
                !sov_put_remove(work->put, sov_tree_path(i, names.name[n], work->pages), err))
                return false;
    }
    return true;
}

/* ---- blobs, pages ---- */

static bool put_blobs(struct work *work, const struct sov_view *view, struct sov_arena *arena,
                      struct sov_error *err)
{
    struct sov_quoted quoted;

    if (!sov_view_quoted(work->at, view, arena, &quoted, err)) return false;
    for (size_t i = 0; i < quoted.erased_count; i++)
        if (!sov_put_remove(work->put, sov_blob_path(&quoted.erased[i], arena), err)) return false;
    for (size_t i = 0; i < quoted.count; i++) {
        struct sov_blob blob;
        bool found;

        if (!sov_blob_find(work->ledger, &quoted.at[i], arena, &blob, &found, err)) return false;
        if (!found || blob.erased || blob.confidential) continue;
        if (!sov_put_file(work->put, sov_blob_path(&quoted.at[i], arena), blob.content, err))
            return false;
    }
    return true;
}

static bool put_views(struct work *work, const struct sov_view *view, struct sov_arena *arena,
                      struct sov_error *err)
{
    struct sov_documents documents;

    if (!sov_view_render(work->at, view, arena, &documents, err)) return false;
    for (size_t i = 0; i < documents.count; i++)
        if (!sov_put_file(work->put, documents.at[i].path, documents.at[i].bytes, err))
            return false;
    return true;
}

/* The next view that is to be rendered: of all, or of those that were touched. */
static bool next_view(struct work *work, struct sov_view_walk *walk, size_t n,
                      struct sov_view *view_out, bool *found_out, struct sov_error *err)
{
    if (work->whole) return sov_view_walk_next(walk, view_out, found_out, err);
    *found_out = n < work->views.count;
    if (*found_out) *view_out = work->views.at[n];
    return true;
}

static bool put_each(struct work *work,
                     bool (*put)(struct work *, const struct sov_view *, struct sov_arena *,
                                 struct sov_error *),
                     struct sov_error *err)
{
    struct sov_arena_mark mark;
    struct sov_view_walk walk;
    struct sov_view view;
    bool found;

    if (!sov_view_walk_begin(&walk, work->at, work->pages, err)) return false;
    mark = sov_arena_mark(work->pages);
    for (size_t n = 0;; n++, sov_arena_rewind(work->pages, mark)) {
        if (!next_view(work, &walk, n, &view, &found, err)) return false;
        if (!found) return true;
        if (!put(work, &view, work->pages, err)) return false;
    }
}

/* Few pages are rendered in one moment of the ledger, and written after it was let go. */
static bool put_few(struct work *work, struct sov_txn *moment, struct sov_error *err)
{
    struct sov_documents *pages =
        sov_arena_array(work->pages, work->views.count + 1, sizeof *pages);

    for (size_t i = 0; i < work->views.count; i++)
        if (!sov_view_render(work->at, &work->views.at[i], work->pages, &pages[i], err))
            return false;
    sov_txn_end(moment);
    if (!sov_segments_put(work->ledger, work->tree->size + 1, work->size, work->put, err))
        return false;
    for (size_t i = 0; i < work->views.count; i++)
        if (!put_blobs(work, &work->views.at[i], work->pages, err)) return false;
    for (size_t i = 0; i < work->views.count; i++)
        for (size_t d = 0; d < pages[i].count; d++)
            if (!sov_put_file(work->put, pages[i].at[d].path, pages[i].at[d].bytes, err))
                return false;
    return true;
}

/* Many pages are rendered one by one from a fold of their own, so that no writer waits. */
static bool put_folded(struct work *work, struct sov_error *err)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *folded = NULL;
    struct sov_census census;

    if (!sov_ledger_fold_to(work->ledger, work->size, &folded, err)) return false;
    work->at = folded;
    if (!sov_segments_put(work->ledger, work->tree->size + 1, work->size, work->put, err))
        return false;
    if (!put_each(work, put_blobs, err) || !put_each(work, put_views, err)) return false;
    return !work->restores || (sov_census_take(&census, folded, work->pages, err) &&
                               remove_strangers(work, &census, err));
}

static bool put_checkpoint(struct work *work, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };

    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    return sov_checkpoint_note(work->ledger, work->size, &note, err) &&
           sov_put_file(work->put,
                        sov_arena_printf(work->pages, "checkpoints/%lld", (long long)work->size),
                        sov_buf_bytes(&note), err);
}

/* ---- the whole act ---- */

/* What is to be done, and whether it may be: nothing is touched here. */
static bool prepare(struct work *work, int64_t head, struct sov_error *err)
{
    if (!is_prefix(work->ledger, work->tree, head, err)) return false;
    if (work->restores && !work->tree->there)
        return sov_fail(err, SOV_ABSENT, "absent", "nothing is published that could be restored");
    if (!nothing_ahead(work->tree, head, err)) return false;
    work->size = work->restores ? work->tree->size : head;
    work->whole = !work->tree->there || work->size == work->tree->size;
    return is_vouched(work->ledger, work->size, err) && (work->whole || choose(work, err));
}

static bool act(struct work *work, struct sov_txn *moment, struct sov_error *err)
{
    bool few = !work->whole && work->views.count <= FEW;

    if (!few) sov_txn_end(moment);
    if (!(few ? put_few(work, moment, err) : put_folded(work, err))) return false;
    if (!remove_leftovers(work, err)) return false;
    if (work->restores || work->size == work->tree->size) return true;
    return remove_unpublished(work, err) && put_checkpoint(work, err);
}

/* Left-over files may lie anywhere once something was interrupted; looking for them everywhere
 * costs a listing of all files, which a publication of a few events does without. */
static bool open_tree(struct work *work, const struct sov_folder *top, int64_t head,
                      struct sov_error *err)
{
    if (!sov_tree_open(work->tree, work->ledger, top, false, work->pages, err)) return false;
    if (!work->restores && head > work->tree->size && !sov_tree_interrupted(work->tree))
        return true;
    sov_tree_close(work->tree);
    return sov_tree_open(work->tree, work->ledger, top, true, work->pages, err);
}

static bool publish(struct work *work, const struct sov_folder *top,
                    const struct sov_publish_options *options, struct sov_error *err)
{
    SOV_CLEANUP(sov_txn_end) struct sov_txn moment = { 0 };
    int64_t head;

    if (!sov_ledger_hold(work->ledger, &moment, err) ||
        !sov_ledger_head(work->ledger, &head, err) || !open_tree(work, top, head, err) ||
        !prepare(work, head, err))
        return false;
    return sov_put_begin(work->put, top, options->dry, work->put->arena, err) &&
           act(work, &moment, err);
}

bool sov_publish(const struct sov_ledger *ledger, const struct sov_folder *top,
                 const struct sov_publish_options *options, struct sov_arena *arena,
                 struct sov_published *published_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_lock_release) struct sov_lock lock = { 0 };
    SOV_CLEANUP(sov_tree_close) struct sov_tree tree = { 0 };
    SOV_CLEANUP(sov_put_end) struct sov_put put = { .arena = arena };
    SOV_CLEANUP(sov_arena_release) struct sov_arena pages = { 0 };
    struct work work = { .ledger = ledger,
                         .at = ledger,
                         .tree = &tree,
                         .put = &put,
                         .pages = &pages,
                         .restores = options->what == SOV_PUBLISH_RESTORE };
    const struct sov_folder *home;

    sov_arena_init(&pages, PAGES_MAX);
    if (!options->dry && sov_ledger_place(ledger, &home) &&
        !sov_lock_take(&lock, home, "publication.lock", options->wait_ms, err))
        return false;
    if (!publish(&work, top, options, err)) return false;
    *published_out = (struct sov_published){
        .size = work.size,
        .before = tree.size,
        .events = work.size - tree.size,
        .written = put.written.at,
        .written_count = put.written.count,
        .removed = put.removed.at,
        .removed_count = put.removed.count,
    };
    return true;
}
