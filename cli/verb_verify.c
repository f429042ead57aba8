#include "base/env.h"
#include "base/file.h"
#include "base/git.h"
#include "base/shelf.h"
#include "cli/formats.h"
#include "cli/report.h"

enum { FORMATTED_MAX = 256 << 20, SUMMARY_MAX = 1000000, FILE_MODE = 0644, STAGED_MAX = 64 << 20 };

static bool options_of(struct sov_call *call, struct sov_verify_options *options,
                       struct sov_hash *id, struct sov_error *err)
{
    static const enum sov_flag whole[] = { SOV_FLAG_PROJECTIONS, SOV_FLAG_STAGED,
                                           SOV_FLAG_PUBLISHED,   SOV_FLAG_CHECKPOINT,
                                           SOV_FLAG_NO_ANCHOR,   SOV_FLAG_SIGNATURES,
                                           SOV_FLAG_WITNESSES };
    const char *asked = sov_value_of(call, SOV_FLAG_LEDGER_ID);

    if (!asked) asked = sov_env("SOV_LEDGER_ID");
    if (asked && !sov_unhex(sov_bytes_text(asked), id->octets, sizeof id->octets))
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no ledger id of 64 hex digits", asked);
    if (asked) options->ledger_id = id;
    if (sov_given(call, SOV_FLAG_FRESH) && !sov_given(call, SOV_FLAG_PROJECTIONS))
        return sov_fail(err, SOV_USAGE, "usage", "--fresh goes with --projections");
    for (size_t i = 0; options->from_pin && i < sizeof whole / sizeof *whole; i++)
        if (sov_given(call, whole[i]))
            return sov_fail(err, SOV_USAGE, "usage",
                            "--from-pin looks at the newest events of the ledger file alone: of "
                            "the other flags only --ledger-id and --pin go with it");
    return true;
}

static bool witnesses_of(struct sov_call *call, struct sov_verify_options *options,
                         struct sov_error *err)
{
    const char *file = sov_value_of(call, SOV_FLAG_WITNESSES);
    struct sov_trust *trust;
    struct sov_bytes text;

    if (!file) return true;
    trust = sov_arena_array(call->arena, 1, sizeof *trust);
    options->witnesses = trust;
    return sov_file_of(call, file, SOV_TRUST_SIZE_MAX, &text, err) &&
           sov_trust_read(text, trust, err);
}

static bool notes_of(struct sov_call *call, struct sov_verify_options *options,
                     struct sov_error *err)
{
    const char *const *files;
    size_t count = sov_values_of(call, SOV_FLAG_CHECKPOINT, &files);
    struct sov_known_note *notes = sov_arena_array(call->arena, count + 1, sizeof *notes);

    for (size_t i = 0; i < count; i++) {
        notes[i].name = files[i];
        if (!sov_file_of(call, files[i], SOV_NOTE_SIZE_MAX, &notes[i].octets, err)) return false;
    }
    options->notes = notes;
    options->note_count = count;
    return true;
}

/* ---- other formats ---- */

struct wanted {
    enum sov_format format;
    const char *file; /* NULL: standard output */
};
struct wanteds {
    struct wanted *at;
    size_t count;
    bool github; /* standard output is for a workflow: the summary is written, too */
};

/* Asked before anything is looked at, so that a wrong word costs no verification. */
static bool wanteds_of(struct sov_call *call, struct wanteds *wanteds, struct sov_error *err)
{
    const char *const *reports, *format = sov_value_of(call, SOV_FLAG_FORMAT);
    size_t count = sov_values_of(call, SOV_FLAG_REPORT, &reports);
    const char *actions = sov_env("GITHUB_ACTIONS");

    wanteds->at = sov_arena_array(call->arena, count + 1, sizeof *wanteds->at);
    if (!format && !call->out->json && actions && strcmp(actions, "true") == 0) format = "github";
    if (format && sov_format_find(format, strlen(format), &wanteds->at[0].format)) {
        wanteds->github = wanteds->at[0].format == SOV_FORMAT_GITHUB;
        wanteds->count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        struct wanted *wanted = &wanteds->at[wanteds->count++];
        const char *file = strchr(reports[i], '=');

        if (!file || !file[1] ||
            !sov_format_find(reports[i], (size_t)(file - reports[i]), &wanted->format))
            return sov_fail(err, SOV_USAGE, "bad_value",
                            "--report %s is no FORMAT=FILE of github, sarif, junit, gitlab or "
                            "rdjsonl",
                            reports[i]);
        wanted->file = file + 1;
    }
    return true;
}

/* Appended to what other steps of the job wrote there. */
static bool summary_write(const struct sov_formatting *f, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    const char *path = sov_env("GITHUB_STEP_SUMMARY");
    struct sov_error why = { 0 };
    struct sov_bytes before;

    if (!path) return true;
    sov_buf_init(&text, SUMMARY_MAX);
    if (sov_file_read_named(path, SUMMARY_MAX, f->arena, &before, &why))
        sov_buf_add(&text, before);
    else if (why.exit != SOV_ABSENT)
        return true; /* it is full, or nothing of ours */
    sov_format_summary(f, SUMMARY_MAX, &text);
    return sov_file_replace_named(path, FILE_MODE, sov_buf_bytes(&text), err);
}

static bool formats_write(struct sov_call *call, const struct wanteds *wanteds,
                          const struct sov_report *report, const struct sov_folder *tree,
                          struct sov_error *err)
{
    struct sov_formatting f = { .report = report, .arena = call->arena };
    struct sov_error ignored = { 0 };

    if (!wanteds->count) return true;
    if (!sov_tree_files(tree, call->arena, &f.files, &ignored))
        f.files = (struct sov_files){ .count = 0 }; /* what is wrong there was found */
    for (size_t i = 0; i < wanteds->count; i++) {
        const struct wanted *wanted = &wanteds->at[i];
        SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };

        sov_buf_init(&text, FORMATTED_MAX);
        sov_format_write(wanted->format, &f, &text);
        if (!sov_buf_whole(&text, "the report", err)) return false;
        if (!wanted->file)
            sov_out_octets(call->out, sov_buf_bytes(&text));
        else if (!sov_file_replace_named(wanted->file, FILE_MODE, sov_buf_bytes(&text), err))
            return false;
    }
    return !wanteds->github || summary_write(&f, err);
}

static bool pin(struct sov_call *call, const struct sov_report *report, struct sov_error *err)
{
    if (report->exit != SOV_OK || !report->pin.size) return true;
    return sov_pin_move(call->found.pins, &report->pin, err);
}

/* ---- the index ---- */

static bool stage(void *self, const struct sov_git_file *file)
{
    bool regular = file->mode == 0100644 || file->mode == 0100755;
    struct sov_shelf_file kept = { .path = file->path,
                                   .type = file->merging           ? SOV_FILE_OTHER
                                           : regular               ? SOV_FILE_REGULAR
                                           : file->mode == 0120000 ? SOV_FILE_LINK
                                                                   : SOV_FILE_OTHER,
                                   .mode = file->mode & 0777,
                                   .heavy = !file->content.data,
                                   .content = file->content };

    sov_shelf_add(self, &kept);
    return true;
}

/* The tree that is judged: that of the working folder, or the one that a commit would record. */
static bool tree_open(struct sov_call *call, struct sov_shelf *shelf, struct sov_folder *tree,
                      struct sov_error *err)
{
    const struct sov_git_sink sink = { shelf, stage };
    struct sov_git_answer answer;

    if (!sov_given(call, SOV_FLAG_STAGED)) return sov_folder_open(tree, call->found.tree, err);
    shelf->arena = call->arena;
    if (!sov_git_index(call->found.tree, SOV_GOVERNANCE, STAGED_MAX, &sink, call->arena, &answer,
                       err))
        return false;
    if (answer.state == SOV_GIT_NONE)
        return sov_fail(err, SOV_UNABLE, "io_error", "git's index cannot be read: %s", answer.why);
    sov_shelf_open(shelf, tree);
    return true;
}

static bool verify(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder tree = { 0 };
    struct sov_places places = { call->found.home, call->found.keys };
    struct sov_verify_options options = { .places = &places,
                                          .seams = call->seams,
                                          .wait_ms = call->wait_ms,
                                          .pins = call->found.pins,
                                          .no_anchor = sov_given(call, SOV_FLAG_NO_ANCHOR),
                                          .all_signatures = sov_given(call, SOV_FLAG_SIGNATURES),
                                          .fresh = sov_given(call, SOV_FLAG_FRESH),
                                          .from_pin = sov_given(call, SOV_FLAG_FROM_PIN),
                                          .makes_pin = sov_given(call, SOV_FLAG_PIN),
                                          .published = sov_given(call, SOV_FLAG_PUBLISHED) };
    struct sov_node *data = sov_node_object(call->arena);
    struct sov_report report = { 0 };
    struct wanteds wanteds = { 0 };
    struct sov_shelf shelf = { 0 };
    struct sov_hash id;

    if (!options_of(call, &options, &id, err) || !notes_of(call, &options, err) ||
        !witnesses_of(call, &options, err) || !wanteds_of(call, &wanteds, err))
        return false;
    if (call->found.there && !options.published && !sov_call_place_fits(call, err)) return false;
    if (!tree_open(call, &shelf, &tree, err)) return false;
    if (!options.from_pin) options.clone = &tree;
    options.repository = call->found.tree;
    if (sov_given(call, SOV_FLAG_PROJECTIONS)) options.tree = &tree;
    if (!sov_report_make(call, &options, &report, err)) return false;
    if (sov_given(call, SOV_FLAG_STAGED))
        sov_report_note(&report, "what is staged was judged, not the working tree");
    if (!wanteds.count || wanteds.at[0].file) sov_report_print(call, &report);
    if (!formats_write(call, &wanteds, &report, &tree, err)) return false;
    sov_report_put(&report, data);
    sov_out_data(call->out, data);
    call->answer = report.exit;
    if (report.known) {
        call->out->has_ledger = true;
        call->out->ledger_id = report.ledger_id;
        call->out->root = report.root;
        call->out->seq = report.size;
    }
    return pin(call, &report, err);
}

static const struct sov_form forms[] = {
    { "", verify, 0, 0, 0,
      "[--projections] [--fresh] [--staged] [--published] [--ledger-id HEX] [--checkpoint FILE]... "
      "[--witnesses FILE] [--no-anchor] [--pin] [--from-pin] [--signatures] [--report "
      "FORMAT=FILE]...",
      "derive everything again from the bytes, and compare",
      "verdict:s exit:i mode:s size:i root:s published_size:i identity:s? anchors:a "
      "unanchored_tail:i steps:a first_bad_seq:i? findings:a",
      "1 DRIFT or UNANCHORED\n3 ABSENT\n6 TAMPER SCHEMA ROLLBACK FORK STATE CORRUPT\n"
      "7 a step could not run",
      "sov verify --no-anchor\nsov verify --projections --ledger-id HEX\n"
      "sov verify --projections --staged\nsov verify --from-pin\n"
      "sov verify --witnesses FILE\n"
      "sov verify --projections --report junit=sov.xml --report gitlab=sov.json",
      "github sarif junit gitlab rdjsonl" },
};
static const struct sov_verb verb = {
    "verify",
    "is the record what was written?",
    "Place, file, schema, every event, signature and checkpoint, every derived table; with\n"
    "--projections every file under governance/. Where there is no ledger file, or with "
    "--published,\n"
    "the same is derived from the published log: governance/log and its checkpoints are read into "
    "memory,\n"
    "nothing is written. Every checkpoint in the git history of HEAD is an anchor; a shallow clone "
    "is none.\n"
    "--from-pin reads only the events behind the pin: with its compact range they must give the\n"
    "newest signed root. What the file holds before it, and what rests on that, is not judged: it "
    "is\n"
    "for every minute, the whole for every night.\n"
    "A step that could not run never counts as passed, and nothing outside "
    "that\n"
    "vouches for the ledger is not success unless --no-anchor says so. In a GitHub workflow the "
    "format is\n"
    "github unless another is asked for, and the findings go into the job's summary.",
    forms,
    1,
    SOV_GROUP_JUDGE
};

const struct sov_verb *sov_verb_verify(void)
{
    return &verb;
}
