#include "projections/tree.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const folders[SOV_TREE_FOLDERS] = { "",        "outcomes", "sows",
                                                       "actors",  "rulings",  "approvals",
                                                       "blobs",   "log",      "checkpoints",
                                                       "cosigned" };
enum { LOG = 7, CHECKPOINTS = 8, COSIGNED = 9 };

const char *sov_tree_folder(size_t n)
{
    return n < SOV_TREE_FOLDERS ? folders[n] : NULL;
}

bool sov_tree_is_log(size_t n)
{
    return n >= LOG;
}

int64_t sov_tree_number(struct sov_bytes text)
{
    int64_t n = 0;

    if (!text.size || text.size > 16 || text.data[0] == '0') return 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') return 0;
        n = n * 10 + (text.data[i] - '0');
    }
    return n;
}

/* "1-44.jsonl" */
static bool segment_parse(const char *name, struct sov_segment *segment)
{
    static const char end[] = ".jsonl";
    size_t size = strlen(name), tail = sizeof end - 1;
    const char *dash = strchr(name, '-');

    if (!dash || size <= tail || memcmp(name + size - tail, end, tail) != 0) return false;
    segment->first = sov_tree_number(sov_bytes(name, (size_t)(dash - name)));
    segment->last = sov_tree_number(sov_bytes(
        dash + 1,
        size - tail < (size_t)(dash + 1 - name) ? 0 : (size_t)(name + size - tail - (dash + 1))));
    return segment->first > 0 && segment->last >= segment->first;
}

static int by_first(const void *a, const void *b)
{
    const struct sov_segment *x = a, *y = b;

    if (x->first != y->first) return (x->first > y->first) - (x->first < y->first);
    return (x->last > y->last) - (x->last < y->last);
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

bool sov_tree_names(const struct sov_tree *tree, size_t folder, struct sov_arena *arena,
                    struct sov_listing *names_out, struct sov_error *err)
{
    struct sov_file_facts facts;

    *names_out = (struct sov_listing){ .count = 0 };
    if (!tree->top.open) return true;
    if (*folders[folder]) {
        if (!sov_file_facts(&tree->top, folders[folder], &facts, err)) return false;
        if (facts.type == SOV_FILE_ABSENT) return true;
        if (facts.type != SOV_FILE_FOLDER)
            return sov_fail(err, SOV_DENIED, "file_unsafe", "%s/%s is no folder", SOV_GOVERNANCE,
                            folders[folder]);
    }
    return sov_folder_names(&tree->top, folders[folder], SOV_TREE_NAMES_MAX, arena, names_out, err);
}

const char *sov_tree_path(size_t folder, const char *name, struct sov_arena *arena)
{
    return *folders[folder] ? sov_arena_printf(arena, "%s/%s", folders[folder], name) : name;
}

static void add_leftovers(struct sov_tree *tree, size_t folder, const struct sov_listing *names,
                          struct sov_arena *arena)
{
    size_t more = 0;
    const char **all;

    for (size_t i = 0; i < names->count; i++) more += sov_file_is_leftover(names->name[i]);
    if (!more) return;
    all = sov_arena_array(arena, tree->leftover_count + more, sizeof *all);
    for (size_t i = 0; i < tree->leftover_count; i++) all[i] = tree->leftovers[i];
    for (size_t i = 0; i < names->count; i++)
        if (sov_file_is_leftover(names->name[i]))
            all[tree->leftover_count++] = sov_tree_path(folder, names->name[i], arena);
    tree->leftovers = all;
}

static bool read_log(struct sov_tree *tree, struct sov_arena *arena, struct sov_error *err)
{
    struct sov_listing log, notes;
    struct sov_segment *segments;
    int64_t *sizes;

    if (!sov_tree_names(tree, LOG, arena, &log, err) ||
        !sov_tree_names(tree, CHECKPOINTS, arena, &notes, err))
        return false;
    segments = sov_arena_array(arena, log.count + 1, sizeof *segments);
    sizes = sov_arena_array(arena, notes.count + 1, sizeof *sizes);
    tree->strange = sov_arena_array(arena, log.count + notes.count + 1, sizeof *tree->strange);
    for (size_t i = 0; i < log.count; i++) {
        struct sov_segment *segment = &segments[tree->segment_count];

        if (sov_file_is_leftover(log.name[i])) continue;
        if (segment_parse(log.name[i], segment)) {
            segment->path = sov_tree_path(LOG, log.name[i], arena);
            tree->segment_count++;
        } else
            tree->strange[tree->strange_count++] = sov_tree_path(LOG, log.name[i], arena);
    }
    for (size_t i = 0; i < notes.count; i++) {
        int64_t size = sov_tree_number(sov_bytes_text(notes.name[i]));

        if (sov_file_is_leftover(notes.name[i])) continue;
        if (size)
            sizes[tree->checkpoint_count++] = size;
        else
            tree->strange[tree->strange_count++] = sov_tree_path(CHECKPOINTS, notes.name[i], arena);
    }
    qsort(segments, tree->segment_count, sizeof *segments, by_first);
    qsort(sizes, tree->checkpoint_count, sizeof *sizes, by_number);
    tree->segments = segments;
    tree->checkpoints = sizes;
    add_leftovers(tree, LOG, &log, arena);
    add_leftovers(tree, CHECKPOINTS, &notes, arena);
    return true;
}

/* What `sov witness take` wrote: checkpoints again, with the lines of witnesses beneath. */
static bool read_cosigned(struct sov_tree *tree, struct sov_arena *arena, struct sov_error *err)
{
    struct sov_listing names;
    const char **paths;

    if (!sov_tree_names(tree, COSIGNED, arena, &names, err)) return false;
    paths = sov_arena_array(arena, names.count + 1, sizeof *paths);
    for (size_t i = 0; i < names.count; i++)
        if (!sov_file_is_leftover(names.name[i]))
            paths[tree->cosigned_count++] = sov_tree_path(COSIGNED, names.name[i], arena);
    tree->cosigned = paths;
    add_leftovers(tree, COSIGNED, &names, arena);
    return true;
}

static bool read_newest(struct sov_tree *tree, const struct sov_ledger *ledger,
                        struct sov_arena *arena, struct sov_error *err)
{
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    char why[sizeof err->what];
    struct sov_bytes note;
    const char *path;

    if (!tree->checkpoint_count) return true;
    tree->size = tree->checkpoints[tree->checkpoint_count - 1];
    path = sov_arena_printf(arena, "%s/%lld", folders[CHECKPOINTS], (long long)tree->size);
    if (!sov_file_read(&tree->top, path, SOV_NOTE_SIZE_MAX, arena, &note, err)) return false;
    if (!sov_checkpoint_read(ledger, note, &checkpoint, &signature, err)) {
        snprintf(why, sizeof why, "%s", err->what);
        sov_error_set(err, err->exit, err->code, "%s/%s: %s", SOV_GOVERNANCE, path, why);
        return false;
    }
    if (checkpoint.size != (uint64_t)tree->size)
        return sov_fail(err, SOV_INTEGRITY, "checkpoint_invalid", "%s/%s is one of size %llu",
                        SOV_GOVERNANCE, path, (unsigned long long)checkpoint.size);
    tree->root = checkpoint.root;
    tree->there = true;
    return true;
}

bool sov_tree_list(struct sov_tree *tree, const struct sov_folder *top, bool everywhere,
                   struct sov_arena *arena, struct sov_error *err)
{
    struct sov_file_facts facts;

    *tree = (struct sov_tree){ .size = 0 };
    if (!sov_file_facts(top, SOV_GOVERNANCE, &facts, err)) return false;
    if (facts.type == SOV_FILE_ABSENT) return true;
    if (facts.type != SOV_FILE_FOLDER)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is no folder", SOV_GOVERNANCE);
    if (!sov_folder_beneath(&tree->top, top, SOV_GOVERNANCE, err)) return false;
    for (size_t i = 0; i < LOG; i++) {
        struct sov_listing names;

        if (everywhere) {
            if (!sov_tree_names(tree, i, arena, &names, err)) return false;
            add_leftovers(tree, i, &names, arena);
            continue;
        }
        if (!*folders[i]) continue;
        if (!sov_file_facts(&tree->top, folders[i], &facts, err)) return false;
        if (facts.type != SOV_FILE_ABSENT && facts.type != SOV_FILE_FOLDER)
            return sov_fail(err, SOV_DENIED, "file_unsafe", "%s/%s is no folder", SOV_GOVERNANCE,
                            folders[i]);
    }
    return read_log(tree, arena, err) && read_cosigned(tree, arena, err);
}

bool sov_tree_open(struct sov_tree *tree, const struct sov_ledger *ledger,
                   const struct sov_folder *top, bool everywhere, struct sov_arena *arena,
                   struct sov_error *err)
{
    return sov_tree_list(tree, top, everywhere, arena, err) &&
           read_newest(tree, ledger, arena, err);
}

void sov_tree_close(struct sov_tree *tree)
{
    sov_folder_close(&tree->top);
}

bool sov_tree_interrupted(const struct sov_tree *tree)
{
    bool beyond = false;

    for (size_t i = 0; i < tree->segment_count; i++) beyond |= tree->segments[i].last > tree->size;
    return beyond || tree->leftover_count;
}

static bool is_folder_of_ours(const char *name)
{
    for (size_t i = 1; sov_tree_folder(i); i++)
        if (strcmp(name, folders[i]) == 0) return true;
    return false;
}

bool sov_tree_files(const struct sov_folder *top, struct sov_arena *arena,
                    struct sov_files *files_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_tree_close) struct sov_tree tree = { 0 };
    struct sov_listing names[SOV_TREE_FOLDERS];
    const char **path;
    size_t count = 0;

    if (!sov_tree_list(&tree, top, false, arena, err)) return false;
    for (size_t i = 0; sov_tree_folder(i); i++) {
        if (!sov_tree_names(&tree, i, arena, &names[i], err)) return false;
        count += names[i].count;
    }
    path = sov_arena_array(arena, count + 1, sizeof *path);
    count = 0;
    for (size_t i = 0; sov_tree_folder(i); i++)
        for (size_t n = 0; n < names[i].count; n++)
            if (i || !is_folder_of_ours(names[i].name[n]))
                path[count++] = sov_arena_printf(arena, "%s/%s", SOV_GOVERNANCE,
                                                 sov_tree_path(i, names[i].name[n], arena));
    *files_out = (struct sov_files){ path, count, tree.segments, tree.segment_count };
    return true;
}

bool sov_publication_state(const struct sov_ledger *ledger, const struct sov_folder *top,
                           struct sov_arena *arena, struct sov_publication *publication_out,
                           struct sov_error *err)
{
    SOV_CLEANUP(sov_tree_close) struct sov_tree tree = { 0 };

    if (!sov_tree_open(&tree, ledger, top, true, arena, err)) return false;
    *publication_out = (struct sov_publication){
        .there = tree.there,
        .size = tree.size,
        .root = tree.root,
        .interrupted = sov_tree_interrupted(&tree),
    };
    return true;
}

/* ---- what views point to ---- */

const char *sov_blob_path(const struct sov_hash *digest, struct sov_arena *arena)
{
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(digest), hex);
    return sov_arena_printf(arena, "blobs/%s", hex);
}

static bool add_quoted(const struct sov_ledger *ledger, const struct sov_hash *digest,
                       struct sov_hash *kept, struct sov_hash *erased, struct sov_quoted *quoted,
                       struct sov_error *err)
{
    int64_t seq;

    for (size_t i = 0; i < quoted->count; i++)
        if (sov_hash_equal(&kept[i], digest)) return true;
    if (!sov_blob_erased(ledger, digest, &seq, err)) return false;
    if (seq)
        erased[quoted->erased_count++] = *digest;
    else
        kept[quoted->count++] = *digest;
    return true;
}

bool sov_view_quoted(const struct sov_ledger *ledger, const struct sov_view *view,
                     struct sov_arena *arena, struct sov_quoted *quoted_out, struct sov_error *err)
{
    struct sov_quoted quoted = { .count = 0 };
    struct sov_assignments assignments;
    struct sov_receipts *receipts;
    struct sov_hash *kept, *erased;
    size_t room = 0;

    *quoted_out = quoted;
    if (view->kind != SOV_VIEW_SOW) return true;
    if (!sov_assignment_list(ledger, view->n, arena, &assignments, err)) return false;
    receipts = sov_arena_array(arena, assignments.count + 1, sizeof *receipts);
    for (size_t a = 0; a < assignments.count; a++) {
        if (!sov_receipt_list(ledger, assignments.at[a].n, arena, &receipts[a], err)) return false;
        for (size_t r = 0; r < receipts[a].count; r++) room += receipts[a].at[r].deliverable_count;
    }
    kept = sov_arena_array(arena, room + 1, sizeof *kept);
    erased = sov_arena_array(arena, room + 1, sizeof *erased);
    for (size_t a = 0; a < assignments.count; a++)
        for (size_t r = 0; r < receipts[a].count; r++)
            for (size_t d = 0; d < receipts[a].at[r].deliverable_count; d++) {
                const struct sov_deliverable *row = &receipts[a].at[r].deliverables[d];

                if (row->size > SOV_QUOTED_MAX) continue;
                if (!add_quoted(ledger, &row->digest, kept, erased, &quoted, err)) return false;
            }
    quoted.at = kept;
    quoted.erased = erased;
    *quoted_out = quoted;
    return true;
}
