#include "base/child.h"
#include "cli/publish.h"
#include "cli/verb.h"
#include "providers/providers.h"

static void claim_say(struct sov_call *call, const struct sov_supervise_act *act)
{
    char since[SOV_INSTANT_TEXT + 1];

    const char *what = act->seq ? "expired" : "would expire";

    if (strcmp(act->act, "claim.expired") != 0) what = act->seq ? "in doubt" : "would be in doubt";
    sov_instant_format((struct sov_instant){ act->since_ms }, since);
    sov_out_part(call->out, SOV_PLAIN, " %s, fence %lld held by %s since %s", what,
                 (long long)act->fence, act->holder, since);
    if (act->receipt) sov_out_part(call->out, SOV_PLAIN, ", RCP-%lld", (long long)act->receipt);
}

static void put(struct sov_call *call, struct sov_node *rows, const struct sov_supervise_act *act)
{
    struct sov_node *row = sov_add_object(rows, NULL);

    sov_add_text(row, "act", act->act);
    sov_add_text(row, "id", act->id);
    sov_add_text(row, "effect", act->seq ? "created" : "would");
    sov_add_int(row, "fence", act->fence);
    sov_add_text(row, "holder", act->holder);
    sov_add_text(row, "ground", act->ground);
    sov_add_text(row, "state", act->state);
    sov_add_id(row, "receipt", "RCP", act->receipt);
    sov_add_int(row, "seq", act->seq);
    sov_out_part(call->out, SOV_CYAN, "%s", act->id);
    if (act->fence)
        claim_say(call, act);
    else
        sov_out_part(call->out, SOV_PLAIN, act->seq ? " is %s" : " would be %s", act->state);
    if (act->seq) sov_out_part(call->out, SOV_PLAIN, " (seq %lld)", (long long)act->seq);
    sov_out_end(call->out);
}

/* A lost run may have left processes: its host is gone, and nobody else ends them. */
static void end_survivors(struct sov_call *call, const struct sov_supervise_act *act)
{
    unsigned ended;

    if (!act->seq || !act->receipt) return;
    ended = sov_run_survivors_end(call->found.base, act->what.n, act->fence);
    if (ended)
        sov_out_warn(call->out, "%s, fence %lld: %u processes that it left were ended", act->id,
                     (long long)act->fence, ended);
}

static void say(struct sov_call *call, struct sov_node *rows, const struct sov_supervised *done)
{
    for (size_t i = 0; i < done->act_count; i++) {
        put(call, rows, &done->acts[i]);
        end_survivors(call, &done->acts[i]);
        if (done->acts[i].newest) call->out->committed = done->acts[i].newest->seq;
    }
    for (size_t i = 0; i < done->fault_count; i++) {
        sov_out_warn(call->out, "%s, fence %lld, stays: %s [%s]", done->faults[i].id,
                     (long long)done->faults[i].fence, done->faults[i].error.what,
                     done->faults[i].error.code);
        sov_call_fault(call, &done->faults[i].error);
    }
}

static void folder_say(struct sov_call *call, struct sov_node *rows,
                       const struct sov_reclaim_act *act)
{
    struct sov_node *row = sov_add_object(rows, NULL);
    const char *what = strcmp(act->act, "workspace.archived") == 0    ? "archived"
                       : strcmp(act->act, "workspace.reclaimed") == 0 ? "removed"
                                                                      : "left: ";

    sov_add_text(row, "act", act->act);
    sov_add_text(row, "id", act->id);
    sov_add_text(row, "effect", act->seq ? "created" : "would");
    sov_add_int(row, "fence", act->fence);
    sov_add_text(row, "state", act->why);
    sov_add_int(row, "seq", act->seq);
    sov_out_part(call->out, SOV_CYAN, "%s", act->id);
    sov_out_part(call->out, SOV_PLAIN, " workspace of fence %lld %s%s%s", (long long)act->fence,
                 act->seq ? "" : "would be ", what, act->why ? act->why : "");
    if (act->seq) sov_out_part(call->out, SOV_PLAIN, " (seq %lld)", (long long)act->seq);
    sov_out_end(call->out);
}

static void folders_say(struct sov_call *call, struct sov_node *rows,
                        const struct sov_reclaimed *done)
{
    for (size_t i = 0; i < done->act_count; i++) {
        folder_say(call, rows, &done->acts[i]);
        if (done->acts[i].seq) call->out->committed = done->acts[i].seq;
    }
    for (size_t i = 0; i < done->fault_count; i++) {
        const struct sov_error *error = done->faults[i].error;

        sov_out_warn(call->out, "%s, workspace of fence %lld, stays: %s [%s]", done->faults[i].id,
                     (long long)done->faults[i].fence, error->what, error->code);
        sov_call_fault(call, error);
    }
}

/* What a crash left of ours: beside the pins, and where nothing had started. */
static bool tidy(struct sov_call *call, struct sov_reclaim_options *folders, struct sov_node *rows,
                 struct sov_error *err)
{
    struct sov_reclaimed tidied;
    size_t removed;

    if (!sov_pin_tidy(call->found.pins, folders->dry, &removed, err)) return false;
    if (removed) {
        struct sov_node *row = sov_add_object(rows, NULL);

        sov_add_text(row, "act", folders->dry ? "would be removed" : "removed");
        sov_add_text(row, "path", call->found.pins);
        sov_out_line(call->out, "%zu left-over files beside the pins %s", removed,
                     folders->dry ? "would be removed" : "removed");
    }
    if (!sov_workspaces_tidy(call->ledger, folders, call->arena, &tidied, err)) return false;
    for (size_t i = 0; i < tidied.act_count; i++) {
        struct sov_node *row = sov_add_object(rows, NULL);

        sov_add_text(row, "act", tidied.acts[i].act);
        sov_add_text(row, "id", tidied.acts[i].id);
        sov_add_text(row, "effect", folders->dry ? "would" : "created");
        sov_add_int(row, "fence", tidied.acts[i].fence);
        sov_out_line(call->out, "%s folder of fence %lld, in which nothing ran, %s",
                     tidied.acts[i].id, (long long)tidied.acts[i].fence,
                     folders->dry ? "would be removed" : "removed");
    }
    folders->limit -= (int64_t)tidied.act_count;
    tidied.act_count = 0;
    folders_say(call, rows, &tidied);
    return true;
}

/* What is left of the limit goes to the folders of runs that have ended. */
static bool reclaim(struct sov_call *call, const struct sov_supervise_options *options,
                    struct sov_supervised *done, struct sov_node *rows, struct sov_error *err)
{
    struct sov_reclaim_options folders = { .top = call->found.base,
                                           .dry = options->dry,
                                           .seams = call->seams };
    const struct sov_policy *policy;
    struct sov_reclaimed reclaimed;

    if (!sov_policy_at(call->ledger, 0, call->arena, &policy, err)) return false;
    folders.limit = (options->limit ? options->limit : policy->limits_supervise_acts) -
                    (int64_t)done->act_count;
    if (!tidy(call, &folders, rows, err) ||
        !sov_workspaces_reclaim(call->ledger, &folders, call->arena, &reclaimed, err))
        return false;
    folders_say(call, rows, &reclaimed);
    done->waiting += reclaimed.waiting;
    return true;
}

static bool is_gone(void *self, int64_t pid, int64_t start)
{
    (void)self;
    return sov_process_is_gone((struct sov_process_id){ pid, start });
}

static bool supervise(struct sov_call *call, struct sov_error *err)
{
    struct sov_supervise_options options = { .dry = sov_given(call, SOV_FLAG_DRY_RUN),
                                             .presence = { NULL, is_gone } };
    struct sov_node *rows = sov_node_list(call->arena);
    struct sov_supervised done = { 0 };
    struct sov_process_id self;

    if (!sov_int_of(call, SOV_FLAG_LIMIT, 1, 100000, 0, &options.limit, err) ||
        !sov_process_self(&self, err))
        return false;
    options.pid = self.pid;
    options.start = self.start;
    if (!sov_call_write(call, err) ||
        !sov_supervise(call->ledger, &options, call->arena, &done, err))
        return false;
    say(call, rows, &done);
    if (!sov_publication_finish(call, options.dry, rows, err) ||
        !reclaim(call, &options, &done, rows, err))
        return false;
    if (done.waiting) sov_out_line(call->out, "%lld more waiting", (long long)done.waiting);
    if (rows->first && sov_given(call, SOV_FLAG_EXIT_CODE)) call->answer = SOV_NO;
    sov_out_data(call->out, rows);
    return sov_call_faults(call, err) && sov_call_head(call, err);
}

static const struct sov_form forms[] = {
    { "", supervise, SOV_DRY | SOV_AS_HOST, 0, 0, "[--limit N] [--exit-code]",
      "one bounded pass as host: ends overdue claims and approvals, finishes an interrupted "
      "publication, removes what a crash left of ours, archives or removes workspaces of ended "
      "runs",
      "act:s id:s? effect:s fence:i holder:s? ground:s? state:s? receipt:s? seq:i path:s",
      "1 it acted, with --exit-code\n6 the head is wrong\n7 the system refused; what was said "
      "before that stands",
      "sov supervise", NULL },
};
static const struct sov_verb verb = {
    "supervise",
    "end what was lost, finish what was interrupted",
    "Silent unless it acted. It never creates work, guesses success, runs a provider or renews\n"
    "anything. Two passes at once, or a second one, add nothing twice. Run it from cron.",
    forms,
    1,
    SOV_GROUP_CARE
};

const struct sov_verb *sov_verb_supervise(void)
{
    return &verb;
}
