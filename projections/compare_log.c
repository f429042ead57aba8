/* The published log against the ledger's: segments octet for octet, checkpoints as they were
 * signed. */
#include "base/reading.h"
#include "projections/compare.h"

static void line_differs(struct sov_comparison *c, const struct sov_segment *segment, int64_t seq,
                         struct sov_bytes expected, struct sov_bytes found)
{
    const uint8_t *feed = found.size ? memchr(found.data, '\n', found.size) : NULL;
    bool endings = expected.size && found.size == expected.size + 1 &&
                   found.data[expected.size] == '\r' &&
                   memcmp(found.data, expected.data, expected.size) == 0;

    if (feed) found.size = (size_t)(feed - found.data);
    sov_differ_at(c, (struct sov_difference){ .kind = SOV_DIFFERS,
                                              .part = SOV_PART_SEGMENT,
                                              .path = segment->path,
                                              .line = seq - segment->first + 1,
                                              .seq = seq,
                                              .expected = expected,
                                              .found = found,
                                              .endings = endings });
}

/* Events of the segment's range, one by one; *same_out false once one differs. */
static bool compare_lines(struct sov_comparison *c, const struct sov_segment *segment,
                          struct sov_reading *reading, bool *same_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_arena_mark mark = sov_arena_mark(c->arena);

    *same_out = true;
    sov_log_begin(&cursor, c->at, segment->first, segment->last);
    for (;; sov_arena_rewind(c->arena, mark)) {
        struct sov_stored row;
        uint8_t *line;
        size_t size;
        bool found;

        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) return true;
        line = sov_arena_take(c->arena, row.octets.size + 1);
        if (!sov_reading_next(reading, line, row.octets.size + 1, &size, err)) return false;
        if (size == row.octets.size + 1 && line[size - 1] == '\n' &&
            memcmp(line, row.octets.data, row.octets.size) == 0)
            continue;
        line_differs(c, segment, row.seq, row.octets, sov_bytes(line, size));
        *same_out = false;
        return true;
    }
}

static bool compare_segment(struct sov_comparison *c, const struct sov_segment *segment,
                            struct sov_error *err)
{
    SOV_CLEANUP(sov_reading_close) struct sov_reading reading = { 0 };
    struct sov_file_facts facts;
    bool readable, same;
    uint8_t more[1];
    size_t size;

    if (segment->last > c->size) {
        sov_differ(c, SOV_EXTRA, SOV_PART_SEGMENT, segment->path);
        return true;
    }
    c->compared.segments++;
    if (!sov_compare_facts(c, SOV_PART_SEGMENT, segment->path, &readable, err)) return false;
    if (!readable || c->own) return true;
    if (!sov_reading_open(&reading, &c->tree->top, segment->path, &facts, err) ||
        !compare_lines(c, segment, &reading, &same, err))
        return false;
    if (!same) return true;
    if (!sov_reading_next(&reading, more, sizeof more, &size, err)) return false;
    if (size) line_differs(c, segment, segment->last + 1, sov_bytes(NULL, 0), sov_bytes(more, 1));
    return true;
}

/* Every event up to the size is in some segment. */
static void find_gaps(struct sov_comparison *c)
{
    int64_t covered = 0;

    for (size_t i = 0; i <= c->tree->segment_count; i++) {
        const struct sov_segment *segment =
            i < c->tree->segment_count ? &c->tree->segments[i] : NULL;
        int64_t first = segment && segment->last <= c->size ? segment->first : c->size + 1;

        if (segment && segment->last > c->size) continue;
        if (first > covered + 1)
            sov_differ(c, SOV_MISSING, SOV_PART_SEGMENT,
                       sov_arena_printf(c->arena, "log/%lld-%lld.jsonl", (long long)covered + 1,
                                        (long long)first - 1));
        if (segment && segment->last > covered) covered = segment->last;
    }
}

static bool compare_checkpoint(struct sov_comparison *c, int64_t size, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    const char *path = sov_arena_printf(c->arena, "checkpoints/%lld", (long long)size);
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_bytes found;
    bool known;

    if (size > c->size) {
        sov_differ(c, SOV_EXTRA, SOV_PART_CHECKPOINT, path);
        return true;
    }
    c->compared.checkpoints++;
    if (!sov_compare_read(c, SOV_PART_CHECKPOINT, path, SOV_NOTE_SIZE_MAX, &found, err))
        return false;
    if (!found.data || c->own) return true;
    if (!sov_checkpoint_at(c->ledger, size, &checkpoint, &signature, &known, err)) return false;
    if (!known || checkpoint.size != (uint64_t)size) {
        sov_differ_at(c, (struct sov_difference){ .kind = SOV_DIFFERS,
                                                  .part = SOV_PART_CHECKPOINT,
                                                  .path = path,
                                                  .line = 1,
                                                  .found = sov_line_at(found, 0) });
        return true;
    }
    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    if (!sov_checkpoint_note(c->ledger, size, &note, err)) return false;
    sov_compare_bytes(c, SOV_PART_CHECKPOINT, path, sov_buf_bytes(&note), found);
    return true;
}

/* The checkpoint as it was signed, and beneath it lines that could be a witness's: who they are is
 * for whoever knows some (verify/witnesses.c). */
static bool compare_cosigned(struct sov_comparison *c, const char *path, struct sov_error *err)
{
    int64_t size = sov_tree_number(sov_bytes_text(path + sizeof "cosigned/" - 1));
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_bytes found, text, lines;
    struct sov_note_line line;
    struct sov_error why = { 0 };
    bool known = false, sound, other = false;

    if (!size || size > c->size) {
        sov_differ(c, SOV_EXTRA, SOV_PART_CHECKPOINT, path);
        return true;
    }
    if (!sov_compare_read(c, SOV_PART_CHECKPOINT, path, SOV_NOTE_SIZE_MAX, &found, err))
        return false;
    if (!found.data) return true;
    sound = sov_checkpoint_read(c->ledger, found, &checkpoint, &signature, &why) &&
            checkpoint.size == (uint64_t)size && sov_note_split(found, &text, &lines, &why);
    while (sound && lines.size) sound = sov_note_line(&lines, &line, &why);
    if (sound && !c->own) {
        struct sov_checkpoint ours;

        if (!sov_checkpoint_at(c->ledger, size, &ours, &signature, &known, err)) return false;
        other =
            !known || ours.size != checkpoint.size || !sov_hash_equal(&ours.root, &checkpoint.root);
    }
    if (!sound || other)
        sov_differ_at(c,
                      (struct sov_difference){ .kind = SOV_DIFFERS,
                                               .part = other ? SOV_PART_CHECKPOINT : SOV_PART_VIEW,
                                               .path = path,
                                               .line = 1,
                                               .found = sov_line_at(found, 0) });
    return true;
}

bool sov_compare_log(struct sov_comparison *c, struct sov_error *err)
{
    struct sov_arena_mark mark = sov_arena_mark(c->arena);
    bool newest = false;

    for (size_t i = 0; i < c->tree->strange_count; i++)
        sov_differ(c, SOV_EXTRA,
                   strncmp(c->tree->strange[i], "log/", 4) == 0 ? SOV_PART_SEGMENT
                                                                : SOV_PART_CHECKPOINT,
                   c->tree->strange[i]);
    for (size_t i = 0; i < c->tree->leftover_count; i++)
        sov_differ(c, SOV_EXTRA, SOV_PART_SEGMENT, c->tree->leftovers[i]);
    if (!c->own) find_gaps(c);
    for (size_t i = 0; i < c->tree->segment_count; i++, sov_arena_rewind(c->arena, mark))
        if (!compare_segment(c, &c->tree->segments[i], err)) return false;
    for (size_t i = 0; i < c->tree->checkpoint_count; i++, sov_arena_rewind(c->arena, mark)) {
        newest |= c->tree->checkpoints[i] == c->size;
        if (!compare_checkpoint(c, c->tree->checkpoints[i], err)) return false;
    }
    for (size_t i = 0; i < c->tree->cosigned_count; i++, sov_arena_rewind(c->arena, mark))
        if (!compare_cosigned(c, c->tree->cosigned[i], err)) return false;
    if (!newest)
        sov_differ(c, SOV_MISSING, SOV_PART_CHECKPOINT,
                   sov_arena_printf(c->arena, "checkpoints/%lld", (long long)c->size));
    return true;
}
