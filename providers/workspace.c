#include "providers/workspace.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/reading.h"
#include "base/removal.h"
#include "base/text.h"

enum { FOLDER_MODE = 0700, INPUT_MODE = 0400, DELIVERED_MODE = 0600 };
enum { OTHERS_WRITE = 0022, SET_ID = 06000 };

static const char store[] = ".sovereign", runs[] = ".sovereign/runs";

void sov_workspace_name(char name_out[SOV_WORKSPACE_NAME], const char *assignment, int64_t fence)
{
    int n = snprintf(name_out, SOV_WORKSPACE_NAME, "%s.%lld", assignment, (long long)fence);

    assert(n > 0 && n < SOV_WORKSPACE_NAME && fence > 0);
    assert(sov_text_is_name(sov_bytes_text(name_out)));
}

/* What stands in the way is a refusal; a full or broken disk stays what it is. */
static bool refuse(struct sov_error *err)
{
    struct sov_error why = *err;

    if (why.exit == SOV_UNABLE) return false;
    return sov_fail(err, SOV_DENIED, "workspace_refusal", "%s", why.what);
}

static bool folder_is_ours(const struct sov_folder *folder, const char *name,
                           const struct sov_file_facts *above, struct sov_error *err)
{
    struct sov_file_facts facts;

    if (!sov_folder_facts(folder, &facts, err)) return false;
    if (facts.uid != geteuid())
        return sov_fail(err, SOV_DENIED, "workspace_refusal", "%s belongs to another user", name);
    if (facts.mode & OTHERS_WRITE)
        return sov_fail(err, SOV_DENIED, "workspace_refusal", "others may write to %s", name);
    if (facts.device != above->device)
        return sov_fail(err, SOV_DENIED, "workspace_refusal", "%s is on another file system", name);
    return true;
}

/* An absent folder is well: `sov_workspace_make` makes runs/. */
static bool folder_check(const struct sov_folder *top, const char *name,
                         const struct sov_file_facts *above, struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    struct sov_file_facts facts;

    if (!sov_file_facts(top, name, &facts, err)) return refuse(err);
    if (facts.type == SOV_FILE_ABSENT) return true;
    if (!sov_folder_beneath(&folder, top, name, err)) return refuse(err);
    return folder_is_ours(&folder, name, above, err);
}

bool sov_workspace_check(const struct sov_folder *top, struct sov_error *err)
{
    struct sov_file_facts facts;

    assert(top && top->open && err);
    return sov_folder_facts(top, &facts, err) && folder_check(top, store, &facts, err) &&
           folder_check(top, runs, &facts, err);
}

static bool root_note(struct sov_workspace *w, struct sov_error *err)
{
    struct sov_file_facts facts;

    if (!sov_folder_facts(&w->root, &facts, err)) return false;
    w->device = facts.device;
    w->inode = facts.inode;
    return true;
}

static bool folders_open(struct sov_workspace *w, struct sov_error *err)
{
    return sov_folder_beneath(&w->host, &w->root, "host", err) &&
           sov_folder_beneath(&w->ws, &w->root, "ws", err) &&
           sov_folder_beneath(&w->in, &w->ws, "in", err) &&
           sov_folder_beneath(&w->out, &w->ws, "out", err) && root_note(w, err);
}

static bool folders_make(struct sov_workspace *w, const struct sov_folder *top, const char *name,
                         struct sov_error *err)
{
    static const char *const inside[] = { "host", "ws", "ws/in", "ws/out", "ws/home", "ws/tmp" };
    SOV_CLEANUP(sov_folder_close) struct sov_folder parent = { 0 };

    if (!sov_folder_make(top, runs, FOLDER_MODE, err) || !sov_workspace_check(top, err) ||
        !sov_folder_beneath(&parent, top, runs, err) ||
        !sov_folder_make_new(&parent, name, FOLDER_MODE, err) ||
        !sov_folder_beneath(&w->root, &parent, name, err) || !root_note(w, err))
        return false;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        if (!sov_folder_make_new(&w->root, inside[i], FOLDER_MODE, err)) return false;
    return folders_open(w, err);
}

void sov_workspace_unmake(struct sov_workspace *workspace, const struct sov_folder *top,
                          const char *assignment, int64_t fence)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder parent = { 0 };
    SOV_CLEANUP(sov_folder_close) struct sov_folder there = { 0 };
    struct sov_file_facts facts;
    struct sov_error err = { 0 };
    char name[SOV_WORKSPACE_NAME];
    bool removed;

    assert(workspace && top && top->open && assignment);
    sov_workspace_name(name, assignment, fence);
    removed = workspace->inode && sov_folder_beneath(&parent, top, runs, &err) &&
              sov_folder_beneath(&there, &parent, name, &err) &&
              sov_folder_facts(&there, &facts, &err) && facts.device == workspace->device &&
              facts.inode == workspace->inode && sov_folder_remove(&parent, name, &err);
    (void)removed;
    sov_workspace_close(workspace);
}

bool sov_workspace_make(struct sov_workspace *workspace, const struct sov_folder *top,
                        const char *assignment, int64_t fence, struct sov_error *err)
{
    SOV_CLEANUP(sov_workspace_close) struct sov_workspace made = { 0 };
    char name[SOV_WORKSPACE_NAME];

    assert(workspace && top && top->open && assignment && err);
    sov_workspace_name(name, assignment, fence);
    if (!folders_make(&made, top, name, err)) {
        sov_workspace_unmake(&made, top, assignment, fence);
        return refuse(err);
    }
    *workspace = made;
    made = (struct sov_workspace){ 0 };
    return true;
}

bool sov_workspace_open(struct sov_workspace *workspace, const struct sov_folder *top,
                        const char *assignment, int64_t fence, uint64_t device, uint64_t inode,
                        struct sov_error *err)
{
    SOV_CLEANUP(sov_workspace_close) struct sov_workspace made = { 0 };
    char name[SOV_WORKSPACE_NAME], path[sizeof runs + 1 + SOV_WORKSPACE_NAME];

    assert(workspace && top && top->open && assignment && err);
    sov_workspace_name(name, assignment, fence);
    (void)snprintf(path, sizeof path, "%s/%s", runs, name);
    if (!sov_workspace_check(top, err)) return false;
    if (!sov_folder_beneath(&made.root, top, path, err) || !folders_open(&made, err))
        return refuse(err);
    if (made.device != device || made.inode != inode)
        return sov_fail(err, SOV_DENIED, "workspace_refusal",
                        "%s is not the folder that was made for this run", name);
    *workspace = made;
    made = (struct sov_workspace){ 0 };
    return true;
}

bool sov_workspace_is_used(const char *path, const struct sov_who *who, const struct sov_now *now,
                           bool *used_out, struct sov_error *err)
{
    int64_t since = strcmp(who->boot, now->boot) == 0 ? who->start : INT64_MAX, pid;

    return sov_folder_is_used(path, since, used_out, &pid, err);
}

void sov_workspace_close(struct sov_workspace *workspace)
{
    sov_folder_close(&workspace->root);
    sov_folder_close(&workspace->host);
    sov_folder_close(&workspace->ws);
    sov_folder_close(&workspace->in);
    sov_folder_close(&workspace->out);
}

static bool file_put(const struct sov_folder *folder, const char *path, unsigned mode,
                     struct sov_bytes content, struct sov_error *err)
{
    const char *slash = strrchr(path, '/');

    if (slash) {
        char above[1025];

        (void)snprintf(above, sizeof above, "%.*s", (int)(slash - path), path);
        if (!sov_folder_make(folder, above, FOLDER_MODE, err)) return false;
    }
    return sov_file_create(folder, path, mode, content, err);
}

bool sov_workspace_input(const struct sov_workspace *workspace, const char *path,
                         struct sov_bytes content, struct sov_error *err)
{
    assert(workspace && workspace->in.open && path && err);
    assert(sov_text_is_safe_path(sov_bytes_text(path)));
    return file_put(&workspace->in, path, INPUT_MODE, content, err) || refuse(err);
}

/* ---- what comes back ---- */

static bool category(struct sov_error *err, enum sov_run_category which, const char *path,
                     const char *why)
{
    return sov_fail(err, SOV_NO, sov_policy_category_word(which), "%s %s", path, why);
}

static bool path_check(const char *path, struct sov_error *err)
{
    if (sov_text_is_safe_path(sov_bytes_text(path))) return true;
    return category(err, SOV_RUN_INVALID_REPORT, path, "is no safe relative path");
}

bool sov_workspace_deliver(const struct sov_workspace *workspace, const char *path,
                           struct sov_bytes content, struct sov_error *err)
{
    assert(workspace && workspace->out.open && path && err);
    if (!path_check(path, err)) return false;
    if (file_put(&workspace->out, path, DELIVERED_MODE, content, err)) return true;
    if (err->exit == SOV_UNABLE) return false;
    return category(err, SOV_RUN_INVALID_DELIVERABLE, path, "cannot be made: its place is taken");
}

void sov_import_begin(struct sov_import *import, const struct sov_workspace *workspace)
{
    assert(import && workspace && workspace->out.open);
    *import = (struct sov_import){
        .workspace = workspace,
        .files_max = SOV_IMPORT_FILES,
        .file_max = SOV_IMPORT_FILE,
        .total_max = SOV_IMPORT_TOTAL,
    };
}

/* NULL, or why it is not taken. */
static const char *import_judge(const struct sov_import *import, const struct sov_file_facts *facts)
{
    if (facts->type != SOV_FILE_REGULAR) return "is not a regular file";
    if (facts->links != 1) return "has more than one name, or none";
    if (facts->uid != geteuid()) return "belongs to another user";
    if (facts->device != import->workspace->device) return "is on another file system";
    if (facts->mode & SET_ID) return "has a set-id bit";
    if (import->files >= import->files_max) return "is one file too many";
    if (facts->size > import->file_max) return "is too large";
    if (facts->size > import->total_max - import->total) return "is too large with those before";
    return NULL;
}

/* One octet more than was promised is asked for: a file that grows shows itself. */
static bool import_read(struct sov_reading *reading, const struct sov_file_facts *before,
                        uint8_t *octets, bool *same_out, struct sov_error *err)
{
    struct sov_file_facts after;
    size_t got;

    if (!sov_reading_next(reading, octets, (size_t)before->size + 1, &got, err) ||
        !sov_reading_facts(reading, &after, err))
        return false;
    *same_out = got == before->size && after.size == before->size &&
                after.mtime_ns == before->mtime_ns && after.ctime_ns == before->ctime_ns;
    return true;
}

bool sov_import_file(struct sov_import *import, const char *path, struct sov_arena *arena,
                     struct sov_imported *deliverable_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_reading_close) struct sov_reading reading = { 0 };
    struct sov_file_facts facts;
    struct sov_error why = { 0 };
    const char *fault;
    uint8_t *octets;
    bool same;

    assert(import && path && arena && deliverable_out && err);
    if (!path_check(path, err)) return false;
    if (!sov_reading_open(&reading, &import->workspace->out, path, &facts, &why)) {
        if (why.exit == SOV_ABSENT)
            return category(err, SOV_RUN_MISSING_DELIVERABLE, path, "is not there");
        return category(err, SOV_RUN_INVALID_DELIVERABLE, path, "cannot be opened as a plain file");
    }
    fault = import_judge(import, &facts);
    if (fault) return category(err, SOV_RUN_INVALID_DELIVERABLE, path, fault);
    octets = sov_arena_take(arena, (size_t)facts.size + 1);
    if (!import_read(&reading, &facts, octets, &same, &why))
        return category(err, SOV_RUN_INVALID_DELIVERABLE, path, "cannot be read");
    if (!same) return category(err, SOV_RUN_INVALID_DELIVERABLE, path, "changed while it was read");
    import->files++;
    import->total += facts.size;
    deliverable_out->content = sov_bytes(octets, (size_t)facts.size);
    deliverable_out->digest = sov_sha256(deliverable_out->content);
    return true;
}
