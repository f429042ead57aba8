/* The whole ledger file, copied while others write, and judged before it gets its name. */
#include "base/file.h"
#include "base/staging.h"
#include "cli/export.h"
#include "cli/report.h"

#define FILE_NAME "organization.db" /* as a home holds it */
#define NOTE_NAME "checkpoint"

/* As anybody would judge it who is handed the copy: what others wrote since is not in it. */
static bool judge(struct sov_exporting *e, const char *home, struct sov_report *report_out,
                  struct sov_error *err)
{
    struct sov_call *call = e->call;
    struct sov_places places = { home, call->found.keys };
    struct sov_verify_options options = { .places = &places,
                                          .seams = call->seams,
                                          .wait_ms = call->wait_ms,
                                          .pins = call->found.pins,
                                          .no_anchor = true };

    return sov_report_make(call, &options, report_out, err);
}

static bool note_put(struct sov_exporting *e, struct sov_staging *staging, int64_t size,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder home = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };

    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    return sov_checkpoint_note(e->call->ledger, size, &note, err) &&
           sov_folder_open(&home, staging->path, err) &&
           sov_file_create(&home, NOTE_NAME, 0644, sov_buf_bytes(&note), err);
}

static bool names_are_free(struct sov_exporting *e, struct sov_staging *staging,
                           const char *note_name, struct sov_error *err)
{
    struct sov_file_facts facts[2];

    if (!sov_file_facts(&staging->above, staging->name, &facts[0], err) ||
        !sov_file_facts(&staging->above, note_name, &facts[1], err))
        return false;
    if (facts[0].type == SOV_FILE_ABSENT && facts[1].type == SOV_FILE_ABSENT) return true;
    sov_error_set(err, SOV_CONFLICT, "exists", "%s is there already",
                  facts[0].type == SOV_FILE_ABSENT ? sov_export_note_path(e) : e->file);
    sov_error_ref(err, e->file);
    return false;
}

bool sov_export_ledger(struct sov_exporting *e, struct sov_error *err)
{
    SOV_CLEANUP(sov_staging_end) struct sov_staging staging = { 0 };
    struct sov_arena *arena = e->call->arena;
    struct sov_report report = { 0 };
    const char *note_name;

    if (!sov_staging_begin(&staging, e->file, arena, err)) return false;
    note_name = sov_arena_printf(arena, "%s.checkpoint", staging.name);
    if (!names_are_free(e, &staging, note_name, err) ||
        !sov_ledger_backup(e->call->ledger, staging.path, err) ||
        !judge(e, staging.path, &report, err))
        return false;
    if (report.exit != SOV_OK) {
        sov_report_print(e->call, &report);
        e->call->answer = report.exit;
        return true;
    }
    if (!note_put(e, &staging, report.size, err) ||
        !sov_staging_give(&staging, NOTE_NAME, note_name, arena, err) ||
        !sov_staging_give(&staging, FILE_NAME, staging.name, arena, err))
        return false;
    e->checkpoint.size = (uint64_t)report.size;
    e->checkpoint.root = report.root;
    sov_add_text(e->data, "checkpoint", sov_export_note_path(e));
    sov_add_int(e->data, "events", report.size);
    return true;
}
