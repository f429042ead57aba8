#include "projections/compare.h"

#include "base/reading.h"

/* A view has at most 32 MiB, so a file that was cut at more differs. */
enum { SHOWN_MAX = 300, FOUND_MAX = 48 << 20, COMPARE_ARENA_MAX = 1 << 30, VIEWS_AT_ONCE = 32 };

const char *sov_difference_word(enum sov_difference_kind kind)
{
    static const char *const words[] = {
        "differs", "missing", "extra", "link", "mode", "renderer"
    };

    return words[kind];
}

void sov_differ_at(struct sov_comparison *c, struct sov_difference difference)
{
    difference.path = sov_arena_printf(c->arena, "%s/%s", SOV_GOVERNANCE, difference.path);
    if (difference.expected.size > SHOWN_MAX) difference.expected.size = SHOWN_MAX;
    if (difference.found.size > SHOWN_MAX) difference.found.size = SHOWN_MAX;
    c->each(c->context, &difference);
}

void sov_differ(struct sov_comparison *c, enum sov_difference_kind kind, enum sov_part part,
                const char *path)
{
    sov_differ_at(c, (struct sov_difference){ .kind = kind, .part = part, .path = path });
}

static void wrong_mode(struct sov_comparison *c, enum sov_part part, const char *path,
                       unsigned mode)
{
    sov_differ_at(c, (struct sov_difference){
                         .kind = SOV_WRONG_MODE,
                         .part = part,
                         .path = path,
                         .expected = sov_bytes_text("0644"),
                         .found = sov_bytes_text(sov_arena_printf(c->arena, "%04o", mode)),
                     });
}

static bool read_some(struct sov_comparison *c, const char *path, size_t size_max,
                      struct sov_bytes *bytes_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_reading_close) struct sov_reading reading = { 0 };
    struct sov_file_facts facts;
    uint8_t *octets;
    size_t size, room;

    if (!sov_reading_open(&reading, &c->tree->top, path, &facts, err)) return false;
    room = facts.size < size_max ? (size_t)facts.size : size_max;
    octets = sov_arena_take(c->arena, room + 1);
    if (!sov_reading_next(&reading, octets, room, &size, err)) return false;
    *bytes_out = sov_bytes(octets, size);
    return true;
}

bool sov_compare_facts(struct sov_comparison *c, enum sov_part part, const char *path,
                       bool *readable_out, struct sov_error *err)
{
    struct sov_file_facts facts = { .type = SOV_FILE_ABSENT };

    *readable_out = false;
    if (!sov_file_facts(&c->tree->top, path, &facts, err)) return false;
    if (facts.type == SOV_FILE_ABSENT)
        sov_differ(c, SOV_MISSING, part, path);
    else if (facts.type == SOV_FILE_LINK || (facts.type == SOV_FILE_REGULAR && facts.links != 1))
        sov_differ(c, SOV_LINKED, part, path);
    else if (facts.type != SOV_FILE_REGULAR)
        sov_differ(c, SOV_DIFFERS, part, path);
    else {
        if (facts.mode & SOV_MODE_WRONG) wrong_mode(c, part, path, facts.mode);
        *readable_out = true;
    }
    return true;
}

bool sov_compare_read(struct sov_comparison *c, enum sov_part part, const char *path,
                      size_t size_max, struct sov_bytes *bytes_out, struct sov_error *err)
{
    bool readable;

    *bytes_out = sov_bytes(NULL, 0);
    return sov_compare_facts(c, part, path, &readable, err) &&
           (!readable || read_some(c, path, size_max, bytes_out, err));
}

/* ---- one file ---- */

struct sov_bytes sov_line_at(struct sov_bytes text, size_t at)
{
    size_t end = at;

    if (at >= text.size) return sov_bytes(NULL, 0);
    while (end < text.size && text.data[end] != '\n') end++;
    return sov_bytes(text.data + at, end - at);
}

/* `found` is `expected` with a CR before each line feed. */
bool sov_equal_but_endings(struct sov_bytes expected, struct sov_bytes found)
{
    size_t at = 0;

    if (found.size <= expected.size) return false;
    for (size_t i = 0; i < expected.size; i++) {
        if (expected.data[i] == '\n' && (at == found.size || found.data[at++] != '\r'))
            return false;
        if (at == found.size || found.data[at++] != expected.data[i]) return false;
    }
    return at == found.size;
}

static int64_t renderer_of(struct sov_bytes page)
{
    static const char mark[] = " renderer ", last[] = "Last event: ";
    size_t from = page.size > SHOWN_MAX ? page.size - SHOWN_MAX : 0;
    const uint8_t *line = NULL, *at;
    size_t rest, digits = 0;

    for (size_t i = from; i + sizeof last - 1 <= page.size; i++)
        if (memcmp(page.data + i, last, sizeof last - 1) == 0) line = page.data + i;
    if (!line) return 0;
    rest = (size_t)(page.data + page.size - line);
    at = memmem(line, rest, mark, sizeof mark - 1);
    if (!at) return 0;
    at += sizeof mark - 1;
    rest = (size_t)(page.data + page.size - at);
    while (digits < rest && at[digits] >= '0' && at[digits] <= '9') digits++;
    return sov_tree_number(sov_bytes(at, digits));
}

void sov_compare_bytes(struct sov_comparison *c, enum sov_part part, const char *path,
                       struct sov_bytes expected, struct sov_bytes found)
{
    struct sov_difference difference = { .part = part, .path = path, .line = 1 };
    size_t common = expected.size < found.size ? expected.size : found.size, at = 0, begin = 0;
    int64_t renderer;

    if (sov_bytes_equal(expected, found)) return;
    difference.endings = sov_equal_but_endings(expected, found);
    while (at < common && expected.data[at] == found.data[at]) {
        if (expected.data[at++] != '\n') continue;
        difference.line++;
        begin = at;
    }
    renderer = part == SOV_PART_VIEW ? renderer_of(found) : 0;
    if (renderer && renderer != SOV_RENDERER) difference.kind = SOV_OTHER_RENDERER;
    difference.expected = sov_line_at(expected, begin);
    difference.found = sov_line_at(found, begin);
    sov_differ_at(c, difference);
}

/* ---- views ---- */

static bool compare_view(struct sov_comparison *c, const struct sov_view *view,
                         struct sov_error *err)
{
    struct sov_documents documents;

    if (!sov_view_render(c->at, view, c->arena, &documents, err)) return false;
    for (size_t i = 0; i < documents.count; i++) {
        const struct sov_document *expected = &documents.at[i];
        struct sov_bytes found;

        c->compared.views++;
        if (!sov_compare_read(c, SOV_PART_VIEW, expected->path, FOUND_MAX, &found, err))
            return false;
        if (found.data) sov_compare_bytes(c, SOV_PART_VIEW, expected->path, expected->bytes, found);
    }
    return true;
}

/* A blob is named by its digest, so it is judged by itself. One that the ledger has no more, since
 * it was erased after the published size, cannot be missed. */
static bool compare_blob(struct sov_comparison *c, const struct sov_hash *digest,
                         struct sov_error *err)
{
    const char *path = sov_blob_path(digest, c->arena);
    struct sov_file_facts facts = { .type = SOV_FILE_ABSENT };
    struct sov_bytes found;
    struct sov_hash hash;
    struct sov_blob blob;
    bool known;

    if (!sov_file_facts(&c->tree->top, path, &facts, err)) return false;
    if (facts.type == SOV_FILE_ABSENT) {
        if (!sov_blob_find(c->ledger, digest, c->arena, &blob, &known, err)) return false;
        if (!known || blob.erased || blob.confidential) return true;
    }
    c->compared.blobs++;
    if (!sov_compare_read(c, SOV_PART_BLOB, path, SOV_QUOTED_MAX + 1, &found, err)) return false;
    if (!found.data) return true;
    hash = sov_sha256(found);
    if (!sov_hash_equal(&hash, digest)) sov_differ(c, SOV_DIFFERS, SOV_PART_BLOB, path);
    return true;
}

/* A page reads some events of the file: a few pages at a time share the locks, and a writer waits
 * no longer than for those. */
static bool compare_some(struct sov_comparison *c, struct sov_view_walk *walk, bool *more_out,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_txn_end) struct sov_txn moment = { 0 };
    struct sov_arena_mark mark = sov_arena_mark(c->arena);
    const struct sov_folder *home;
    struct sov_view view;

    if (sov_ledger_place(c->ledger, &home) && !sov_ledger_hold(c->ledger, &moment, err))
        return false;
    for (int i = 0; i < VIEWS_AT_ONCE; i++, sov_arena_rewind(c->arena, mark)) {
        if (!sov_view_walk_next(walk, &view, more_out, err)) return false;
        if (!*more_out) return true;
        if (!compare_view(c, &view, err)) return false;
    }
    return true;
}

static bool compare_views(struct sov_comparison *c, struct sov_error *err)
{
    struct sov_view_walk walk;
    bool more = true;

    if (!sov_view_walk_begin(&walk, c->at, c->arena, err)) return false;
    while (more)
        if (!compare_some(c, &walk, &more, err)) return false;
    return true;
}

static bool compare_blobs(struct sov_comparison *c, const struct sov_census *census,
                          struct sov_error *err)
{
    for (size_t i = 0; i < census->blob_count; i++) {
        struct sov_arena_mark mark = sov_arena_mark(c->arena);

        if (i && sov_hash_equal(&census->blobs[i], &census->blobs[i - 1])) continue;
        if (!compare_blob(c, &census->blobs[i], err)) return false;
        sov_arena_rewind(c->arena, mark);
    }
    return true;
}

/* ---- what does not belong ---- */

static bool compare_names(struct sov_comparison *c, const struct sov_census *census,
                          struct sov_error *err)
{
    for (size_t i = 0; sov_tree_folder(i) && !sov_tree_is_log(i); i++) {
        struct sov_arena_mark mark = sov_arena_mark(c->arena);
        struct sov_listing names;

        if (!sov_tree_names(c->tree, i, c->arena, &names, err)) return false;
        for (size_t n = 0; n < names.count; n++)
            if (!sov_census_has(census, i, names.name[n]))
                sov_differ(c, SOV_EXTRA,
                           strcmp(sov_tree_folder(i), "blobs") == 0 ? SOV_PART_BLOB : SOV_PART_VIEW,
                           sov_tree_path(i, names.name[n], c->arena));
        sov_arena_rewind(c->arena, mark);
    }
    return true;
}

/* A folder that is a link, or no folder, hides whatever should be in it: that is the finding. */
static bool folders_hold(struct sov_comparison *c, const struct sov_folder *top, bool *hold_out,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder governance = { 0 };
    struct sov_file_facts facts;

    *hold_out = true;
    if (!sov_file_facts(top, SOV_GOVERNANCE, &facts, err)) return false;
    if (facts.type == SOV_FILE_ABSENT)
        return sov_fail(err, SOV_ABSENT, "absent", "there is no %s here", SOV_GOVERNANCE);
    if (facts.type != SOV_FILE_FOLDER) {
        *hold_out = false;
        c->each(c->context, &(struct sov_difference){ .kind = SOV_LINKED, .path = SOV_GOVERNANCE });
        return true;
    }
    if (!sov_folder_beneath(&governance, top, SOV_GOVERNANCE, err)) return false;
    for (size_t i = 1; sov_tree_folder(i); i++) {
        if (!sov_file_facts(&governance, sov_tree_folder(i), &facts, err)) return false;
        if (facts.type == SOV_FILE_ABSENT || facts.type == SOV_FILE_FOLDER) continue;
        *hold_out = false;
        sov_differ(c, facts.type == SOV_FILE_LINK ? SOV_LINKED : SOV_DIFFERS,
                   sov_tree_is_log(i) ? SOV_PART_SEGMENT : SOV_PART_VIEW, sov_tree_folder(i));
    }
    return true;
}

static bool compare(struct sov_comparison *c, struct sov_error *err)
{
    struct sov_census census;

    return sov_census_take(&census, c->at, c->arena, err) && compare_views(c, err) &&
           compare_blobs(c, &census, err) && compare_names(c, &census, err) &&
           sov_compare_log(c, err);
}

/* The ledger itself goes on while it is compared, so it is folded to the size; a handle that was
 * folded already is taken as it is. */
static bool at_size(const struct sov_ledger *ledger, int64_t size, struct sov_ledger **folded_out,
                    struct sov_error *err)
{
    const struct sov_folder *home;
    int64_t head;

    if (!sov_ledger_head(ledger, &head, err)) return false;
    if (size < 1 || size > head)
        return sov_fail(err, SOV_INTEGRITY, "rollback",
                        "%lld events are published, this ledger has %lld", (long long)size,
                        (long long)head);
    if (!sov_ledger_place(ledger, &home) && head == size) return true;
    return sov_ledger_fold_to(ledger, size, folded_out, err);
}

bool sov_tree_compare(const struct sov_ledger *ledger, const struct sov_folder *top, int64_t size,
                      void (*each)(void *context, const struct sov_difference *), void *context,
                      struct sov_compared *compared_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 }, names = { 0 };
    SOV_CLEANUP(sov_tree_close) struct sov_tree tree = { 0 };
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *folded = NULL;
    struct sov_comparison c = { .ledger = ledger,
                                .tree = &tree,
                                .size = size,
                                .own = sov_ledger_is_copy(ledger),
                                .each = each,
                                .context = context,
                                .arena = &arena };
    bool hold;

    sov_arena_init(&arena, COMPARE_ARENA_MAX);
    sov_arena_init(&names, COMPARE_ARENA_MAX);
    if (!folders_hold(&c, top, &hold, err)) return false;
    if (hold) {
        if (!sov_tree_list(&tree, top, false, &names, err) || !at_size(ledger, size, &folded, err))
            return false;
        c.at = folded ? folded : ledger;
        if (!compare(&c, err)) return false;
    }
    *compared_out = c.compared;
    return true;
}
