/* The published log of a tree, read once into a ledger in memory. Each line is taken as it stands:
 * whether it is a true event is for the judge to say. */
#include <stdlib.h>

#include "projections/tree.h"

enum { SEGMENT_READ_MAX = 64 << 20, READ_ARENA_MAX = 1 << 30, SHOWN_MAX = 300, BLOBS = 5 };

struct load {
    const struct sov_tree *tree;
    struct sov_ledger *copy;
    struct sov_clone clone;
    void (*each)(void *context, const struct sov_flaw *);
    void *context;
    struct sov_error first;  /* flaw, if nobody is told of each; exit SOV_OK: none */
    struct sov_arena *arena; /* rewound after each file */
    bool folds;              /* no event has failed to fold yet */
    const char *crlf;        /* the file whose line ends were said to be changed */
};

const char *sov_flaw_word(enum sov_flaw_kind kind)
{
    static const char *const words[] = {
#define X(name, word) word,
        SOV_FLAWS(X)
#undef X
    };

    return words[kind];
}

static void flaw(struct load *load, struct sov_flaw flaw)
{
    struct sov_arena_mark mark = sov_arena_mark(load->arena);

    if (flaw.expected.size > SHOWN_MAX) flaw.expected.size = SHOWN_MAX;
    if (flaw.found.size > SHOWN_MAX) flaw.found.size = SHOWN_MAX;
    flaw.path = sov_arena_printf(load->arena, "%s/%s", SOV_GOVERNANCE, flaw.path);
    if (load->each)
        load->each(load->context, &flaw);
    else if (load->first.exit == SOV_OK)
        sov_error_set(&load->first, SOV_INTEGRITY,
                      flaw.kind == SOV_FLAW_FORK || flaw.kind == SOV_FLAW_FOREIGN ? "fork"
                      : flaw.kind == SOV_FLAW_CHECKPOINT ? "checkpoint_invalid"
                                                         : "event_invalid",
                      "%s:%lld: %s", flaw.path, (long long)(flaw.line ? flaw.line : 1), flaw.what);
    sov_arena_rewind(load->arena, mark);
}

/* A checkout that changes line ends does it for whole files: said once for each. */
static void endings(struct load *load, const char *path, int64_t line)
{
    if (load->crlf == path) return;
    load->crlf = path;
    flaw(load, (struct sov_flaw){ .kind = SOV_FLAW_ENDINGS,
                                  .path = path,
                                  .line = line,
                                  .what = "has lines that end in CR LF: a checkout changed them" });
}

/* What cannot be read as a file is a flaw of the tree; what cannot be read at all is an error. */
static bool read_file(struct load *load, const char *path, size_t size_max,
                      struct sov_bytes *bytes_out, struct sov_error *err)
{
    struct sov_error why = { 0 };

    *bytes_out = sov_bytes(NULL, 0);
    if (sov_file_read(&load->tree->top, path, size_max, load->arena, bytes_out, &why)) return true;
    if (why.exit == SOV_UNABLE) {
        *err = why;
        return false;
    }
    *bytes_out = sov_bytes(NULL, 0);
    flaw(load, (struct sov_flaw){ .kind = SOV_FLAW_UNSAFE, .path = path, .what = why.what });
    return true;
}

/* ---- segments ---- */

struct line {
    const struct sov_segment *segment;
    int64_t n, seq; /* of the file, from 1; of the event that must stand there */
    struct sov_bytes octets;
};

static void bad_line(struct load *load, enum sov_flaw_kind kind, const struct line *line,
                     const char *what, struct sov_bytes expected)
{
    flaw(load, (struct sov_flaw){ .kind = kind,
                                  .path = line->segment->path,
                                  .line = line->n,
                                  .seq = line->seq,
                                  .what = what,
                                  .expected = expected,
                                  .found = line->octets });
}

/* An event that an earlier segment brought already: the same octets, or two histories. */
static bool compare_again(struct load *load, const struct line *line, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_stored row;
    bool found;

    sov_log_begin(&cursor, load->copy, line->seq, line->seq);
    if (!sov_log_next(&cursor, &row, &found, err)) return false;
    if (found && !sov_bytes_equal(row.octets, line->octets))
        bad_line(load, SOV_FLAW_FORK, line, "two segments hold other octets for the same event",
                 row.octets);
    return true;
}

static bool take_line(struct load *load, const struct line *line, struct sov_error *err)
{
    struct sov_error why;

    if (line->octets.size < 2 || line->octets.size > SOV_EVENT_SIZE_MAX) {
        bad_line(load, SOV_FLAW_LINE, line, "no event has so few or so many octets",
                 sov_bytes(NULL, 0));
        return true;
    }
    if (line->seq <= load->clone.events) return compare_again(load, line, err);
    if (line->seq > load->clone.events + 1) return true; /* a gap: it is said at the end */
    if (!sov_copy_event(load->copy, line->octets, &why, err)) return false;
    load->clone.events++;
    if (why.exit == SOV_OK || !load->folds) return true;
    load->folds = false;
    bad_line(load, SOV_FLAW_FOLD, line, why.what, sov_bytes(NULL, 0));
    return true;
}

/* The next line of the file; false at the end. A cut one has no line feed. */
static bool next_line(struct sov_bytes *rest, struct sov_bytes *line_out, bool *whole_out)
{
    const uint8_t *feed;

    if (!rest->size) return false;
    feed = memchr(rest->data, '\n', rest->size);
    *whole_out = feed != NULL;
    *line_out = sov_bytes(rest->data, feed ? (size_t)(feed - rest->data) : rest->size);
    *rest = sov_bytes(rest->data + line_out->size + (feed ? 1 : 0),
                      rest->size - line_out->size - (feed ? 1 : 0));
    return true;
}

static bool take_segment(struct load *load, const struct sov_segment *segment,
                         struct sov_error *err)
{
    struct line line = { .segment = segment, .seq = segment->first - 1 };
    struct sov_bytes rest;
    bool whole;

    if (!read_file(load, segment->path, SEGMENT_READ_MAX, &rest, err)) return false;
    if (!rest.data) return true;
    load->clone.segments++;
    while (next_line(&rest, &line.octets, &whole)) {
        line.n++;
        line.seq++;
        if (line.octets.size && line.octets.data[line.octets.size - 1] == '\r') {
            endings(load, segment->path, line.n);
            line.octets.size--;
        }
        if (line.seq > segment->last || !whole) {
            bad_line(load, SOV_FLAW_LINE, &line,
                     whole ? "there are more lines than the file's name says"
                           : "the last line has no line feed",
                     sov_bytes(NULL, 0));
            if (line.seq > segment->last) return true;
        }
        if (!take_line(load, &line, err)) return false;
    }
    if (line.seq < segment->last) {
        line.n++;
        line.seq++;
        line.octets = sov_bytes(NULL, 0);
        bad_line(load, SOV_FLAW_LINE, &line, "there are fewer lines than the file's name says",
                 sov_bytes(NULL, 0));
    }
    return true;
}

static bool take_segments(struct load *load, struct sov_error *err)
{
    for (size_t i = 0; i < load->tree->segment_count; i++) {
        const struct sov_segment *segment = &load->tree->segments[i];
        struct sov_arena_mark mark = sov_arena_mark(load->arena);

        if (segment->last > load->clone.size) { /* no checkpoint vouches for it */
            if (segment->last > load->clone.beyond) load->clone.beyond = segment->last;
            continue;
        }
        if (!take_segment(load, segment, err)) return false;
        sov_arena_rewind(load->arena, mark);
    }
    if (load->clone.events == load->clone.size) return true;
    flaw(load, (struct sov_flaw){ .kind = SOV_FLAW_GAP,
                                  .path = "log",
                                  .seq = load->clone.events + 1,
                                  .what = "an event is in no segment; what follows was not read" });
    return true;
}

/* ---- checkpoints, blobs ---- */

/* Its lines as they were before a checkout ended them in CR LF; no note has a CR of its own. */
static struct sov_bytes without_cr(struct load *load, const char *path, struct sov_bytes note)
{
    uint8_t *octets;
    size_t size = 0;

    if (!note.size || !memchr(note.data, '\r', note.size)) return note;
    octets = sov_arena_take(load->arena, note.size);
    for (size_t i = 0; i < note.size; i++)
        if (note.data[i] != '\r' || i + 1 == note.size || note.data[i + 1] != '\n')
            octets[size++] = note.data[i];
    endings(load, path, 1);
    return sov_bytes(octets, size);
}

static void bad_checkpoint(struct load *load, enum sov_flaw_kind kind, const char *path,
                           const char *what)
{
    flaw(load, (struct sov_flaw){ .kind = kind, .path = path, .line = 1, .what = what });
}

static bool take_checkpoint(struct load *load, int64_t size, struct sov_error *err)
{
    const char *path = sov_arena_printf(load->arena, "checkpoints/%lld", (long long)size);
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_error why = { 0 };
    struct sov_bytes note;

    if (!read_file(load, path, SOV_NOTE_SIZE_MAX, &note, err)) return false;
    if (!note.data) return true;
    load->clone.checkpoints++;
    note = without_cr(load, path, note);
    if (!sov_checkpoint_read(load->copy, note, &checkpoint, &signature, &why)) {
        bad_checkpoint(load, strcmp(why.code, "fork") == 0 ? SOV_FLAW_FOREIGN : SOV_FLAW_CHECKPOINT,
                       path, why.what);
        return true;
    }
    if (checkpoint.size != (uint64_t)size) {
        bad_checkpoint(load, SOV_FLAW_CHECKPOINT, path, "is of another size than its name says");
        return true;
    }
    if (size == load->clone.size) load->clone.vouched = true;
    return sov_copy_checkpoint(load->copy, &checkpoint, &signature, err);
}

static bool take_blob(struct load *load, const char *name, struct sov_error *err)
{
    struct sov_error ignored = { 0 };
    struct sov_hash digest, hash;
    struct sov_bytes content;

    if (!sov_unhex(sov_bytes_text(name), digest.octets, sizeof digest.octets)) return true;
    if (!sov_file_read(&load->tree->top, sov_tree_path(BLOBS, name, load->arena), SOV_QUOTED_MAX,
                       load->arena, &content, &ignored))
        return true; /* the comparison names it */
    hash = sov_sha256(content);
    if (!sov_hash_equal(&hash, &digest)) return true;
    load->clone.blobs++;
    return sov_copy_blob(load->copy, &digest, content, err);
}

static bool take_rest(struct load *load, struct sov_error *err)
{
    struct sov_arena_mark mark = sov_arena_mark(load->arena);
    struct sov_listing names;

    for (size_t i = 0; i < load->tree->checkpoint_count; i++, sov_arena_rewind(load->arena, mark))
        if (!take_checkpoint(load, load->tree->checkpoints[i], err)) return false;
    if (!sov_tree_names(load->tree, BLOBS, load->arena, &names, err)) return false;
    mark = sov_arena_mark(load->arena);
    for (size_t i = 0; i < names.count; i++, sov_arena_rewind(load->arena, mark))
        if (!take_blob(load, names.name[i], err)) return false;
    return true;
}

/* ---- the whole ---- */

static bool load_all(struct load *load, struct sov_error *err)
{
    if (!load->tree->checkpoint_count)
        return sov_fail(err, SOV_ABSENT, "absent", "nothing is published here");
    load->clone.size = load->tree->checkpoints[load->tree->checkpoint_count - 1];
    if (!take_segments(load, err)) return false;
    if (!load->clone.events)
        return sov_fail(err, SOV_INTEGRITY, "event_invalid",
                        "there is no event 1 in %s/log: nothing founds a ledger", SOV_GOVERNANCE);
    if (!take_rest(load, err) || !sov_copy_end(load->copy, err)) return false;
    if (load->each) return true;
    if (load->first.exit == SOV_OK) return sov_copy_is_whole(load->copy, err);
    *err = load->first;
    return false;
}

bool sov_clone_open(const struct sov_folder *top, const struct sov_seams *seams, const char *keys,
                    void (*each)(void *context, const struct sov_flaw *), void *context,
                    struct sov_ledger **ledger_out, struct sov_clone *clone_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena names = { 0 }, arena = { 0 };
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *copy = NULL;
    SOV_CLEANUP(sov_tree_close) struct sov_tree tree = { 0 };
    struct load load = {
        .tree = &tree, .each = each, .context = context, .arena = &arena, .folds = true
    };

    sov_arena_init(&names, READ_ARENA_MAX);
    sov_arena_init(&arena, READ_ARENA_MAX);
    if (!sov_tree_list(&tree, top, false, &names, err) || !sov_copy_begin(seams, keys, &copy, err))
        return false;
    load.copy = copy;
    if (!load_all(&load, err)) return false;
    *ledger_out = copy;
    *clone_out = load.clone;
    copy = NULL;
    return true;
}
