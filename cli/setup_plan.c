#include "cli/setup_plan.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/git.h"

#define DRIVER_KEY "merge.sov.driver"
#define DRIVER "sov merge-driver %O %A %B %P"

static const char *const hook_line = "sov verify --projections --staged";

/* The error of a judgement says what is wrong; here it is said of what. */
static bool about(const struct sov_setup_item *item, struct sov_error *err)
{
    char what[sizeof err->what];

    snprintf(what, sizeof what, "%s", err->what);
    sov_error_set(err, err->exit, err->code, "%s: %s", item->shown, what);
    sov_error_ref(err, item->text.name);
    return false;
}

/* ---- looking ---- */

/* .data NULL if it is not there; what is there is a regular file of its own. */
static bool look(struct sov_call *call, const struct sov_setup_item *item,
                 struct sov_bytes *before_out, unsigned *mode_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    struct sov_bytes before = { 0 };
    struct sov_file_facts facts;

    if (!sov_folder_open(&folder, item->folder, err) ||
        !sov_file_facts(&folder, item->path, &facts, err))
        return false;
    if (facts.type == SOV_FILE_ABSENT) {
        *before_out = before;
        return true;
    }
    if (facts.type != SOV_FILE_REGULAR || facts.links != 1)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is no regular file of its own",
                        item->shown);
    if (!sov_file_read(&folder, item->path, SOV_SETUP_SIZE_MAX, call->arena, &before, err))
        return false;
    *before_out = before.size ? before : sov_bytes("", 0);
    *mode_out = facts.mode & 0777;
    return true;
}

static bool judge(struct sov_call *call, struct sov_setup_item *item, bool removing,
                  struct sov_error *err)
{
    if (!look(call, item, &item->before, &item->mode, err)) return false;
    if (item->unused && !removing) {
        item->result = (struct sov_setup_result){ SOV_SETUP_FOREIGN, item->before };
        return true;
    }
    if (!sov_setup_judge(&item->text, item->before, removing, call->arena, &item->result, err))
        return about(item, err);
    if (item->result.change == SOV_SETUP_FOREIGN && !item->left) {
        sov_error_set(err, SOV_CONFLICT, "setup_foreign",
                      item->text.fits ? "%s is there, and a job cannot be added to it by a program"
                                      : "%s is there, and sov did not write it",
                      item->shown);
        sov_error_ref(err, item->text.name);
        return false;
    }
    return true;
}

bool sov_setup_plan_add(struct sov_call *call, struct sov_setup_plan *plan,
                        const struct sov_setup_item *item, bool removing, struct sov_error *err)
{
    struct sov_setup_item judged = *item;

    if (!judge(call, &judged, removing, err)) return false;
    plan->items[plan->count++] = judged;
    return true;
}

/* ---- git ---- */

/* As git writes it, so that the difference shows what will be there. */
static const char driver_lines[] = "[merge \"sov\"]\n\tdriver = " DRIVER "\n";

static const struct sov_setup_item driver_item = {
    .shown = ".git/config", .text = { .name = "git", .body = driver_lines }
};
static const struct sov_setup_item hook_item = { .shown = ".git/hooks/pre-commit",
                                                 .path = "hooks/pre-commit",
                                                 .mode = 0755,
                                                 .text = { .name = "git", .head = "#!/bin/sh\n" } };

void sov_setup_plan_git_texts(struct sov_setup_plan *plan)
{
    plan->items[0] = driver_item;
    plan->items[1] = hook_item;
    plan->items[1].text.body = sov_setup_hook();
    plan->count = 2;
}

/* Whatever else has that key is somebody's edit. */
static bool driver_judge(struct sov_call *call, struct sov_setup_item *item, bool removing,
                         struct sov_error *err)
{
    struct sov_git_answer answer;
    struct sov_git_values values = { NULL, 0 };
    bool ours;

    if (!sov_git_config(call->found.tree, DRIVER_KEY, call->arena, &values, &answer, err))
        return false;
    if (answer.state == SOV_GIT_NONE)
        return sov_fail(err, SOV_UNABLE, "io_error", "git cannot be asked: %s", answer.why);
    ours = values.count == 1 && strcmp(values.at[0], DRIVER) == 0;
    if (values.count && !ours) {
        sov_error_set(err, SOV_CONFLICT, "setup_edited", "%s: " DRIVER_KEY " is %s", item->shown,
                      values.at[0]);
        sov_error_ref(err, item->text.name);
        return false;
    }
    item->before = sov_bytes_text(ours ? driver_lines : "");
    item->result.after = sov_bytes_text(removing ? "" : driver_lines);
    item->result.change = ours == !removing ? SOV_SETUP_SAME : SOV_SETUP_WRITE;
    return true;
}

/* By the name that the user knows, if it is the checkout's own. */
static const char *shown_as(struct sov_call *call, const struct sov_git_shared *shared,
                            const char *name)
{
    const char *usual = sov_arena_printf(call->arena, "%s/.git", call->found.tree);

    if (strcmp(usual, shared->folder) == 0) return sov_arena_printf(call->arena, ".git/%s", name);
    return sov_arena_printf(call->arena, "%s/%s", shared->folder, name);
}

bool sov_setup_plan_git(struct sov_call *call, struct sov_setup_plan *plan, bool removing,
                        struct sov_error *err)
{
    struct sov_setup_item *driver = &plan->items[0], *hook = &plan->items[1];
    struct sov_git_shared shared = { NULL, NULL };
    struct sov_git_answer answer;

    sov_setup_plan_git_texts(plan);
    if (!sov_git_shared(call->found.tree, call->arena, &shared, &answer, err)) return false;
    if (answer.state == SOV_GIT_NONE)
        return sov_fail(err, SOV_UNABLE, "io_error", "git cannot be asked: %s", answer.why);
    driver->shown = shown_as(call, &shared, "config");
    hook->shown = shown_as(call, &shared, hook->path);
    hook->folder = shared.folder;
    hook->unused = shared.hooks_path != NULL;
    hook->left =
        hook->unused
            ? sov_arena_printf(call->arena,
                               "core.hooksPath is %s, so git does not look at %s; "
                               "add to the hook that it runs: %s",
                               shared.hooks_path, hook->shown, hook_line)
            : sov_arena_printf(call->arena, "%s is there already and is left alone; add to it: %s",
                               hook->shown, hook_line);
    return driver_judge(call, driver, removing, err) && judge(call, hook, removing, err);
}

/* ---- doing ---- */

static bool acts(const struct sov_setup_item *item)
{
    return item->result.change != SOV_SETUP_SAME && item->result.change != SOV_SETUP_FOREIGN;
}

bool sov_setup_plan_acts(const struct sov_setup_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        if (acts(&plan->items[i])) return true;
    return false;
}

static bool is_as_read(struct sov_call *call, const struct sov_setup_item *item,
                       struct sov_error *err)
{
    struct sov_bytes now;
    unsigned mode;

    if (!item->folder) return true; /* git holds its lock, and looks again */
    if (!look(call, item, &now, &mode, err)) return false;
    if (!now.data == !item->before.data && (!now.data || sov_bytes_equal(now, item->before)))
        return true;
    return sov_fail(err, SOV_CONFLICT, "moved", "%s has changed since it was shown", item->shown);
}

static bool put(const struct sov_setup_item *item, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    const char *slash = strrchr(item->path, '/');
    char parent[256];

    if (!sov_folder_open(&folder, item->folder, err)) return false;
    if (item->result.change == SOV_SETUP_REMOVE) return sov_file_remove(&folder, item->path, err);
    if (item->result.change == SOV_SETUP_WRITE)
        return sov_file_replace(&folder, item->path, item->mode, item->result.after, err);
    if (slash) {
        snprintf(parent, sizeof parent, "%.*s", (int)(slash - item->path), item->path);
        if (!sov_folder_make(&folder, parent, 0755, err)) return false;
    }
    return sov_file_create(&folder, item->path, item->mode, item->result.after, err);
}

bool sov_setup_plan_do(struct sov_call *call, const struct sov_setup_plan *plan,
                       struct sov_error *err)
{
    for (size_t i = 0; i < plan->count; i++)
        if (acts(&plan->items[i]) && !is_as_read(call, &plan->items[i], err)) return false;
    for (size_t i = 0; i < plan->count; i++) {
        const struct sov_setup_item *item = &plan->items[i];

        if (!acts(item)) continue;
        if (item->folder
                ? !put(item, err)
                : !sov_git_config_set(call->found.tree, DRIVER_KEY,
                                      item->result.after.size ? DRIVER : NULL, call->arena, err))
            return false;
    }
    return true;
}
