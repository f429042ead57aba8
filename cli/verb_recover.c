#include "cli/publish.h"
#include "cli/report.h"

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
    return true;
}

static bool recover(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *data = sov_node_object(call->arena);
    bool allowing = sov_given(call, SOV_FLAG_ALLOW_FILESYSTEM);

    if (allowing != sov_given(call, SOV_FLAG_REASON))
        return sov_fail(err, SOV_USAGE, allowing ? "reason_missing" : "usage",
                        "--allow-filesystem and --reason go together");
    /* Opening for writing rolls an interrupted write back. */
    if (allowing ? !sov_call_write_anywhere(call, err) : !sov_call_write(call, err)) return false;
    return allow(call, data, err) &&
           sov_publication_finish(call, sov_given(call, SOV_FLAG_DRY_RUN),
                                  sov_add_list(data, "files"), err) &&
           judge(call, data, err);
}

static const struct sov_form forms[] = {
    { "", recover, SOV_WRITES | SOV_OUTSIDE_RUN, 0, 0, "[--allow-filesystem TYPE --reason TEXT]",
      "roll an interrupted write back, complete a publication, verify",
      "allowed:s? files:a verdict:s exit:i mode:s size:i root:s published_size:i identity:s? "
      "anchors:a unanchored_tail:i steps:a first_bad_seq:i? findings:a",
      "4 not authorised\n6 what verify says", "sov recover", NULL },
};
static const struct sov_verb verb = {
    "recover",
    "after a crash: roll back, complete, verify",
    "--allow-filesystem records that an operator trusts this kind of file system.",
    forms,
    1,
    SOV_GROUP_CARE
};

const struct sov_verb *sov_verb_recover(void)
{
    return &verb;
}
