#include "base/child.h"
#include "base/file.h"
#include "base/line_file.h"
#include "cli/report.h"
#include "projections/projections.h"

enum { NAMES_MAX = 1 << 20 };

struct source {
    struct sov_call *call;
    struct sov_import_source import;
    struct sov_line_file lines;
    struct sov_ledger *clone;     /* of a folder with a published log; NULL: a file */
    struct sov_log_cursor cursor; /* over it */
};

static void source_end(struct source *s)
{
    sov_log_end(&s->cursor);
    sov_line_file_close(&s->lines);
    sov_ledger_end(&s->clone);
}

/* ---- a file of octets ---- */

static bool next_line(void *self, struct sov_bytes *octets_out, bool *found_out,
                      struct sov_error *err)
{
    struct source *s = self;

    return sov_call_goes_on(err) && sov_line_file_next(&s->lines, octets_out, found_out, err);
}

/* Those that were named, or the one that an export has put beside the file. */
static bool notes_of(struct source *s, const char *path, struct sov_error *err)
{
    struct sov_call *call = s->call;
    const char *const *files, *beside = sov_arena_printf(call->arena, "%s.checkpoint", path);
    size_t count = sov_values_of(call, SOV_FLAG_CHECKPOINT, &files);
    struct sov_bytes *notes = sov_arena_array(call->arena, count + 1, sizeof *notes);

    if (!count && strcmp(path, "-") == 0)
        return sov_fail(err, SOV_USAGE, "usage", "what vouches for it? give --checkpoint FILE");
    if (!count) {
        files = &beside;
        count = 1;
    }
    for (size_t i = 0; i < count; i++)
        if (!sov_file_of(call, files[i], SOV_NOTE_SIZE_MAX, &notes[i], err)) return false;
    s->import.notes = notes;
    s->import.note_count = count;
    return true;
}

static bool open_file(struct source *s, const char *path, struct sov_error *err)
{
    s->import.next = next_line;
    return notes_of(s, path, err) && sov_line_file_open(&s->lines, path, SOV_EVENT_SIZE_MAX, err);
}

/* ---- a folder with a published log ---- */

static bool next_event(void *self, struct sov_bytes *octets_out, bool *found_out,
                       struct sov_error *err)
{
    struct source *s = self;
    struct sov_stored row;

    if (!sov_call_goes_on(err) || !sov_log_next(&s->cursor, &row, found_out, err)) return false;
    if (*found_out) *octets_out = row.octets;
    return true;
}

/* Every checkpoint that was published; each is read and judged again where it is taken in. */
static bool folder_notes(struct source *s, const struct sov_folder *top, struct sov_error *err)
{
    struct sov_arena *arena = s->call->arena;
    struct sov_listing names;
    struct sov_bytes *notes;

    if (!sov_folder_names(top, SOV_GOVERNANCE "/checkpoints", NAMES_MAX, arena, &names, err))
        return false;
    notes = sov_arena_array(arena, names.count + 1, sizeof *notes);
    for (size_t i = 0; i < names.count; i++)
        if (!sov_file_read(top,
                           sov_arena_printf(arena, SOV_GOVERNANCE "/checkpoints/%s", names.name[i]),
                           SOV_NOTE_SIZE_MAX, arena, &notes[i], err))
            return false;
    s->import.notes = notes;
    s->import.note_count = names.count;
    return true;
}

static bool folder_blobs(struct source *s, const struct sov_folder *top, struct sov_error *err)
{
    struct sov_arena *arena = s->call->arena;
    struct sov_file_facts facts;
    struct sov_listing names;
    struct sov_bytes *blobs;

    if (!sov_file_facts(top, SOV_GOVERNANCE "/blobs", &facts, err)) return false;
    if (facts.type == SOV_FILE_ABSENT) return true;
    if (!sov_folder_names(top, SOV_GOVERNANCE "/blobs", NAMES_MAX, arena, &names, err))
        return false;
    blobs = sov_arena_array(arena, names.count + 1, sizeof *blobs);
    for (size_t i = 0; i < names.count; i++) {
        struct sov_hash named, digest;

        if (!sov_file_read(top, sov_arena_printf(arena, SOV_GOVERNANCE "/blobs/%s", names.name[i]),
                           SOV_QUOTED_MAX, arena, &blobs[i], err))
            return false;
        digest = sov_sha256(blobs[i]);
        if (!sov_unhex(sov_bytes_text(names.name[i]), named.octets, SOV_HASH_SIZE) ||
            !sov_hash_equal(&named, &digest))
            return sov_fail(err, SOV_INTEGRITY, "blob_mismatch", "%s is not what its name says",
                            names.name[i]);
    }
    s->import.blobs = blobs;
    s->import.blob_count = names.count;
    return true;
}

static bool open_folder(struct source *s, const char *path, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder top = { 0 };
    struct sov_clone clone;

    if (sov_given(s->call, SOV_FLAG_CHECKPOINT))
        return sov_fail(err, SOV_USAGE, "usage", "a published log brings its checkpoints");
    if (!sov_folder_open(&top, path, err) ||
        !sov_clone_open(&top, s->call->seams, s->call->found.keys, NULL, NULL, &s->clone, &clone,
                        err) ||
        !folder_notes(s, &top, err) || !folder_blobs(s, &top, err))
        return false;
    sov_log_begin(&s->cursor, s->clone, 1, clone.size);
    s->import.next = next_event;
    return true;
}

/* ---- the verb ---- */

static bool open_source(struct source *s, struct sov_error *err)
{
    const char *path = s->call->words[0];
    struct sov_file_facts facts = { 0 };
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    struct sov_error ignored = { 0 };

    s->import.self = s;
    if (strcmp(path, "-") != 0 && sov_folder_open(&folder, path, &ignored) &&
        sov_file_facts(&folder, SOV_GOVERNANCE "/checkpoints", &facts, &ignored) &&
        facts.type == SOV_FILE_FOLDER)
        return open_folder(s, path, err);
    return open_file(s, path, err);
}

static void put(struct sov_call *call, const struct sov_import_result *imported, bool dry,
                struct sov_node *data)
{
    sov_add_text(data, "effect", !imported->events ? "noop" : dry ? "would" : "created");
    sov_add_int(data, "before", imported->before);
    sov_add_int(data, "events", imported->events);
    if (call->out->quiet) return;
    if (!imported->events)
        sov_out_line(call->out, "nothing new, size %lld", (long long)imported->size);
    else
        sov_out_line(call->out, "%s %lld event%s, %lld to %lld", dry ? "would import" : "imported",
                     (long long)imported->events, imported->events == 1 ? "" : "s",
                     (long long)imported->before + 1, (long long)imported->size);
}

/* Of a dry run: nothing is there to be judged. */
static void put_unjudged(struct sov_node *data)
{
    static const char *const keys[] = { "verdict",  "exit",          "mode",
                                        "size",     "root",          "published_size",
                                        "identity", "anchors",       "unanchored_tail",
                                        "steps",    "first_bad_seq", "findings" };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) sov_add_null(data, keys[i]);
}

/* What was signed was taken in; whether it is also right is judged at once. */
static bool judge(struct sov_call *call, struct sov_node *data, struct sov_error *err)
{
    struct sov_places places = { call->found.home, call->found.keys };
    struct sov_verify_options options = { .places = &places,
                                          .seams = call->seams,
                                          .wait_ms = call->wait_ms,
                                          .pins = call->found.pins,
                                          .no_anchor = true };
    struct sov_report report = { 0 };

    if (!sov_report_make(call, &options, &report, err)) return false;
    sov_report_print(call, &report);
    sov_report_put(&report, data);
    call->answer = report.exit;
    call->out->has_ledger = report.known;
    call->out->ledger_id = report.ledger_id;
    call->out->root = report.root;
    call->out->seq = report.size;
    return true;
}

static bool import(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(source_end) struct source s = { .call = call };
    struct sov_places places = { call->found.home, call->found.keys };
    struct sov_node *data = sov_node_object(call->arena);
    bool dry = sov_given(call, SOV_FLAG_DRY_RUN);
    struct sov_import_result imported;

    if (!call->found.there)
        return sov_fail(err, SOV_ABSENT, "no_ledger", "there is no mirror in %s",
                        call->found.looked);
    if (!sov_call_place_fits(call, err) || !open_source(&s, err)) return false;
    sov_signals_watch();
    if (!sov_import(&places, call->seams, call->wait_ms, dry, &s.import, &imported, err))
        return false;
    if (imported.events && !dry) call->out->committed = imported.size;
    put(call, &imported, dry, data);
    if (dry) put_unjudged(data);
    if (!dry && !judge(call, data, err)) return false;
    sov_out_data(call->out, data);
    return true;
}

static const struct sov_form forms[] = {
    { .name = "",
      .run = import,
      .needs = SOV_DRY | SOV_OUTSIDE_RUN,
      .least = 1,
      .most = 1,
      .takes = "FILE [--checkpoint FILE]...",
      .does = "take a continuation of the same ledger into a mirror, octet for octet",
      .fields = "effect:s before:i events:i verdict:s? exit:i? mode:s? size:i? root:s? "
                "published_size:i? identity:s? anchors:a? unanchored_tail:i? steps:a? "
                "first_bad_seq:i? findings:a?",
      .exits = "4 this is no mirror\n5 it does not go on where the mirror ends\n"
               "6 another ledger, another history, not signed, or what verify says",
      .examples = "sov init --mirror LEDGER-ID\nsov import log.jsonl\nsov import ../clone\n"
                  "sov import - --checkpoint governance/checkpoints/44 < log.jsonl" },
};
static const struct sov_verb verb = {
    "import",
    "take in what was written elsewhere",
    "FILE holds octets, one event a line, as sov export --format jsonl writes them; the "
    "checkpoint\n"
    "of the last one is named, or lies beside it as FILE.checkpoint. A folder that holds "
    "governance/\n"
    "is read as a published log. All of it is taken in, or nothing: the same ledger, no gap, the\n"
    "same octets where both have an event, the root signed by the ledger key. Then the mirror is\n"
    "verified. Content that was not published stays elsewhere.",
    forms,
    1,
    SOV_GROUP_CARE
};

const struct sov_verb *sov_verb_import(void)
{
    return &verb;
}
