#include "base/env.h"
#include "base/file.h"
#include "cli/report.h"

static bool options_of(struct sov_call *call, struct sov_verify_options *options,
                       struct sov_hash *id, struct sov_error *err)
{
    const char *asked = sov_value_of(call, SOV_FLAG_LEDGER_ID);

    if (!asked) asked = sov_env("SOV_LEDGER_ID");
    if (asked && !sov_unhex(sov_bytes_text(asked), id->octets, sizeof id->octets))
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no ledger id of 64 hex digits", asked);
    if (asked) options->ledger_id = id;
    if (sov_given(call, SOV_FLAG_FRESH) && !sov_given(call, SOV_FLAG_PROJECTIONS))
        return sov_fail(err, SOV_USAGE, "usage", "--fresh goes with --projections");
    return true;
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

static bool pin(struct sov_call *call, const struct sov_report *report, struct sov_error *err)
{
    struct sov_pin pin = { .ledger_id = report->ledger_id,
                           .root = report->root,
                           .size = report->size };

    if (!sov_given(call, SOV_FLAG_PIN) || report->exit != SOV_OK || !report->known) return true;
    return sov_pin_move(call->found.pins, &pin, err);
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
                                          .published = sov_given(call, SOV_FLAG_PUBLISHED) };
    struct sov_node *data = sov_node_object(call->arena);
    struct sov_report report = { 0 };
    struct sov_hash id;

    if (!options_of(call, &options, &id, err) || !notes_of(call, &options, err)) return false;
    if (call->found.there && !options.published && !sov_call_place_fits(call, err)) return false;
    if (!sov_folder_open(&tree, call->found.tree, err)) return false;
    options.clone = &tree;
    options.repository = call->found.tree;
    if (sov_given(call, SOV_FLAG_PROJECTIONS)) options.tree = &tree;
    if (!sov_report_make(call, &options, &report, err)) return false;
    sov_report_print(call, &report);
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
      "[--projections] [--fresh] [--published] [--ledger-id HEX] [--checkpoint FILE]... "
      "[--no-anchor] [--pin] [--signatures]",
      "derive everything again from the bytes, and compare",
      "verdict:s exit:i mode:s size:i root:s published_size:i identity:s? anchors:a "
      "unanchored_tail:i steps:a first_bad_seq:i? findings:a",
      "1 DRIFT or UNANCHORED\n3 ABSENT\n6 TAMPER SCHEMA ROLLBACK FORK STATE CORRUPT\n"
      "7 a step could not run",
      "sov verify --no-anchor\nsov verify --projections --ledger-id HEX", NULL },
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
    "A step that could not run never counts as passed, and nothing outside "
    "that\n"
    "vouches for the ledger is not success unless --no-anchor says so.",
    forms,
    1,
    SOV_GROUP_JUDGE
};

const struct sov_verb *sov_verb_verify(void)
{
    return &verb;
}
