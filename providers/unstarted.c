/* Folders of attempts that ended before a run had started: nothing ran in them, so they are ours as
 * a temporary file is, and go without an event. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/removal.h"
#include "providers/providers.h"
#include "providers/workspace.h"

enum { FOLDERS_MAX = 1 << 20 };
static const char runs[] = ".sovereign/runs";

struct pass {
    struct sov_ledger *ledger;
    const struct sov_reclaim_options *options;
    struct sov_arena *arena;
    struct sov_folder top;
    const char *path; /* of runs/, absolute and without links */
    struct sov_now now;
    int64_t grace_ms;
};

/* "ASG-12.88", and in no other spelling. */
static bool name_parse(const char *name, struct sov_arena *arena, struct sov_stream *of_out,
                       int64_t *fence_out)
{
    const char *dot = strchr(name, '.');
    char again[SOV_WORKSPACE_NAME];
    const char *id;

    if (!dot || strlen(name) >= sizeof again) return false;
    *fence_out = strtoll(dot + 1, NULL, 10);
    if (*fence_out < 1) return false;
    id = sov_arena_printf(arena, "%.*s", (int)(dot - name), name);
    if (!sov_stream_parse(sov_bytes_text(sov_arena_printf(arena, "assignment/%s", id)), of_out))
        return false;
    sov_workspace_name(again, id, *fence_out);
    return strcmp(again, name) == 0;
}

/* Its claim is over, longer than the grace, and nothing had started under it; *who_out: who claimed
 * it, if anybody did. */
static bool is_over(const struct pass *p, int64_t assignment, int64_t fence,
                    struct sov_who *who_out, bool *over_out, struct sov_error *err)
{
    struct sov_claim claim;
    struct sov_event end;
    bool found;

    *over_out = false;
    if (!sov_claim_find(p->ledger, assignment, fence, p->arena, &claim, &found, err)) return false;
    if (!found || claim.live || claim.started) return true;
    *who_out = claim.who;
    if (!sov_log_event(p->ledger, claim.end_seq, p->arena, &end, err)) return false;
    /* A clock behind the log says nothing, as in reclaim.c. */
    *over_out = p->now.wall.ms < end.at.ms || p->now.wall.ms - end.at.ms > p->grace_ms;
    return true;
}

/* What somebody put where a result would be is his, whoever he is. */
static bool is_empty_of_results(const struct pass *p, const char *name)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder out = { 0 };
    const char *path = sov_arena_printf(p->arena, "%s/%s", runs, name);
    struct sov_file_facts facts;
    struct sov_listing names;
    struct sov_error err = { 0 };

    if (!sov_file_facts(&p->top, path, &facts, &err) || facts.type != SOV_FILE_FOLDER) return false;
    path = sov_arena_printf(p->arena, "%s/ws/out", path);
    if (!sov_file_facts(&p->top, path, &facts, &err)) return false;
    if (facts.type == SOV_FILE_ABSENT) return true;
    return facts.type == SOV_FILE_FOLDER && sov_folder_beneath(&out, &p->top, path, &err) &&
           sov_folder_names(&out, "", FOLDERS_MAX, p->arena, &names, &err) && !names.count;
}

static bool one(struct pass *p, const char *name, struct sov_reclaim_act *act, bool *acted_out,
                struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder parent = { 0 };
    struct sov_stream of;
    struct sov_who who = { 0 };
    bool over, used;

    *acted_out = false;
    if (!name_parse(name, p->arena, &of, &act->fence)) return true;
    act->act = "folder.removed";
    act->id = sov_stream_id(&of, p->arena);
    if (!is_over(p, of.n, act->fence, &who, &over, err)) return false;
    if (!over) return true;
    if (!sov_workspace_is_used(sov_arena_printf(p->arena, "%s/%s", p->path, name), &who, &p->now,
                               &used, err))
        return false;
    if (used || !is_empty_of_results(p, name)) return true;
    *acted_out = p->options->dry || (sov_folder_beneath(&parent, &p->top, runs, err) &&
                                     sov_folder_remove(&parent, name, err));
    return *acted_out;
}

static bool pass_open(struct pass *p, struct sov_listing *names_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    const struct sov_clock *clock = &p->options->seams->clock;
    const struct sov_policy *policy;
    struct sov_file_facts facts;
    const char *top;

    *names_out = (struct sov_listing){ 0 };
    if (!clock->read(clock->self, &p->now, err) ||
        !sov_policy_at(p->ledger, 0, p->arena, &policy, err) ||
        !sov_folder_open(&p->top, p->options->top, err) ||
        !sov_path_absolute(p->options->top, p->arena, &top, err) ||
        !sov_file_facts(&p->top, runs, &facts, err))
        return false;
    p->path = sov_arena_printf(p->arena, "%s/%s", top, runs);
    p->grace_ms = policy->ttl_grace * 1000;
    if (facts.type == SOV_FILE_ABSENT) return true;
    return sov_workspace_check(&p->top, err) && sov_folder_beneath(&folder, &p->top, runs, err) &&
           sov_folder_names(&folder, "", FOLDERS_MAX, p->arena, names_out, err);
}

bool sov_workspaces_tidy(struct sov_ledger *ledger, const struct sov_reclaim_options *options,
                         struct sov_arena *arena, struct sov_reclaimed *tidied_out,
                         struct sov_error *err)
{
    struct pass p = { .ledger = ledger, .options = options, .arena = arena };
    struct sov_reclaim_act *acts, *faults;
    struct sov_reclaimed out = { 0 };
    struct sov_listing names;
    bool ok;

    assert(options->top && options->seams);
    ok = pass_open(&p, &names, err);
    acts = sov_arena_array(arena, names.count + 1, sizeof *acts);
    faults = sov_arena_array(arena, names.count + 1, sizeof *faults);
    for (size_t i = 0; ok && i < names.count && (int64_t)out.act_count < options->limit; i++) {
        struct sov_reclaim_act act = { 0 };
        struct sov_error why = { 0 };
        bool acted;

        if (!one(&p, names.name[i], &act, &acted, &why)) {
            struct sov_error *kept = sov_arena_take(arena, sizeof *kept);

            *kept = why;
            act.error = kept;
            faults[out.fault_count++] = act;
        } else if (acted) {
            acts[out.act_count++] = act;
        }
    }
    sov_folder_close(&p.top);
    out.acts = acts;
    out.faults = faults;
    if (ok) *tidied_out = out;
    return ok;
}
