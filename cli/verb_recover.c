#include "cli/publish.h"
#include "cli/recover.h"

/* Whatever the place: an operator may allow it, as an event. */
static bool allow(struct sov_call *call, struct sov_node *data, struct sov_error *err)
{
    SOV_CLEANUP(sov_commit_end) struct sov_commit commit = { 0 };
    struct sov_act act = { .expect_seq = -1,
                           .expect_version = -1,
                           .dry = sov_given(call, SOV_FLAG_DRY_RUN) };
    const char *kind = sov_value_of(call, SOV_FLAG_ALLOW_FILESYSTEM);
    const char *reason = sov_value_of(call, SOV_FLAG_REASON);
    struct sov_done done;
    int64_t seq;

    if (!kind) {
        sov_add_null(data, "allowed");
        return true;
    }
    if (!sov_call_actor(call, &act.actor, err) ||
        !sov_commit_begin(&commit, call->ledger, &act, err) ||
        !sov_filesystem_allow(&commit, kind, reason, &done, err) ||
        !sov_commit_finish(&commit, &seq, err))
        return false;
    if (!act.dry) call->out->committed = seq;
    sov_out_line(call->out, "%s %s (seq %lld)", kind, act.dry ? "would be allowed" : "allowed",
                 (long long)done.seq);
    sov_add_text(data, "allowed", kind);
    return true;
}

static bool judge(struct sov_call *call, struct sov_node *data, struct sov_error *err)
{
    struct sov_places places = { call->found.home, call->found.keys };
    struct sov_verify_options options = { .places = &places,
                                          .seams = call->seams,
                                          .wait_ms = call->wait_ms,
                                          .pins = call->found.pins,
                                          .no_anchor = true };
    struct sov_report report = { 0 };

    sov_ledger_end(&call->ledger);
    if (!sov_report_make(call, &options, &report, err)) return false;
    sov_report_print(call, &report);
    sov_report_put(&report, data);
    call->answer = report.exit;
    call->out->has_ledger = report.known;
    call->out->ledger_id = report.ledger_id;
    call->out->root = report.root;
    call->out->seq = report.size;
    sov_out_data(call->out, data);
    return true;
}

/* Of one that was not asked for, and of one that found its source wanting: nulls. */
static void restored_put(const struct sov_recovery *recovery, struct sov_node *data)
{
    const struct sov_restored *restored = &recovery->restored;
    struct sov_node *row;

    if (!recovery->made) {
        sov_add_null(data, "restored");
        return;
    }
    row = sov_add_object(data, "restored");
    sov_add_int(row, "seq", restored->seq);
    sov_add_int(row, "from_size", restored->size);
    sov_add_hex(row, "from_root", sov_hash_bytes(&restored->root));
    if (restored->lost_last) {
        sov_add_int(row, "lost_first", restored->lost_first);
        sov_add_int(row, "lost_last", restored->lost_last);
    }
    if (restored->kept) sov_add_text(row, "kept", restored->kept);
}

/* Behind it the ledger is judged as after any other recovery; of a dry run only its source is. */
static bool from(struct sov_call *call, struct sov_node *data, struct sov_error *err)
{
    struct sov_recovery recovery = { 0 };

    if (sov_given(call, SOV_FLAG_ALLOW_FILESYSTEM))
        return sov_fail(err, SOV_USAGE, "usage",
                        "--from and --allow-filesystem do not go together");
    if (!sov_given(call, SOV_FLAG_REASON))
        return sov_fail(err, SOV_USAGE, "reason_missing", "--from needs --reason");
    if (!sov_recover_from(call, &recovery, err)) return false;
    sov_add_null(data, "allowed");
    restored_put(&recovery, data);
    sov_add_list(data, "files");
    if (recovery.made && !sov_given(call, SOV_FLAG_DRY_RUN)) return judge(call, data, err);
    sov_report_print(call, &recovery.source);
    sov_report_put(&recovery.source, data);
    call->answer = recovery.source.exit;
    sov_out_data(call->out, data);
    return true;
}

static bool recover(struct sov_call *call, struct sov_error *err)
{
    struct sov_places places = { call->found.home, call->found.keys };
    struct sov_node *data = sov_node_object(call->arena);
    bool allowing = sov_given(call, SOV_FLAG_ALLOW_FILESYSTEM);
    bool dry = sov_given(call, SOV_FLAG_DRY_RUN);
    const struct sov_recovery none = { 0 };
    size_t removed;

    if (sov_given(call, SOV_FLAG_FROM)) return from(call, data, err);
    if (sov_given(call, SOV_FLAG_CONFIRM))
        return sov_fail(err, SOV_USAGE, "usage", "--confirm goes with --from");
    if (allowing != sov_given(call, SOV_FLAG_REASON))
        return sov_fail(err, SOV_USAGE, allowing ? "reason_missing" : "usage",
                        "--allow-filesystem and --reason go together");
    /* Opening for writing rolls an interrupted write back. */
    if (allowing ? !sov_call_write_anywhere(call, err) : !sov_call_write(call, err)) return false;
    if (!allow(call, data, err)) return false;
    restored_put(&none, data);
    return sov_publication_finish(call, dry, sov_add_list(data, "files"), err) &&
           sov_restore_tidy(&places, dry, &removed, err) && judge(call, data, err);
}

static const struct sov_form forms[] = {
    { "", recover, SOV_WRITES | SOV_OUTSIDE_RUN, 0, 0,
      "[--allow-filesystem TYPE --reason TEXT] [--from BACKUP|published --reason TEXT "
      "[--confirm NAME]]",
      "roll an interrupted write back, complete a publication, verify; or make a lost ledger again",
      "allowed:s? restored:o? files:a verdict:s exit:i mode:s size:i root:s published_size:i "
      "identity:s? anchors:a unanchored_tail:i steps:a first_bad_seq:i? findings:a",
      "4 not authorised, or not confirmed\n5 a ledger is there that can be read\n"
      "6 what verify says, of the ledger or of the source",
      "sov recover\nsov recover --from backup.db --reason \"the disk died\" --confirm=NAME\n"
      "sov recover --from published --reason \"the disk died\" -n",
      NULL },
};
static const struct sov_verb verb = {
    "recover",
    "after a crash or a loss: roll back, complete, verify, restore",
    "--allow-filesystem records that an operator trusts this kind of file system.\n"
    "--from makes a ledger again whose file is gone or CORRUPT: from BACKUP, which sov export\n"
    "--format ledger wrote, or from the published log of the working tree. The source is judged\n"
    "whole before anything is written, the ledger key must be at hand, and NAME is the\n"
    "organization's. A damaged file is kept beside the new one. What the pin knows and the source\n"
    "does not is named as lost, in ledger.restored, which is the first new event; the pin stays.\n"
    "Content that was not published does not come back from the published log.",
    forms,
    1,
    SOV_GROUP_CARE
};

const struct sov_verb *sov_verb_recover(void)
{
    return &verb;
}
