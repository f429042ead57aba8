#include "tests/power/files.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool is_ledger_file(const char *path)
{
    static const char name[] = "organization.db";

    return strncmp(name_of(path), name, sizeof name - 1) == 0;
}

/* Nobody's yet; or in the folder of a run, which a crash makes an unknown one: nothing of it is
 * believed, and nothing goes on in it. */
static bool is_nobodys(const char *path)
{
    static const char start[] = ".sov-tmp-";

    return strstr(path, start) || strstr(path, "/.sovereign/runs/");
}

/* ---- what is whole ---- */

static void learn(struct files *files, const char *path, struct sov_fingerprint print)
{
    if (files->count == files->room) {
        files->room = files->room ? 2 * files->room : 128;
        files->whole = sov_alloc_grow(files->whole, files->room * sizeof *files->whole);
    }
    files->whole[files->count++] = (struct whole){ path, print };
}

void files_learn(struct files *files, const struct record *record, struct disk *before,
                 struct disk *done)
{
    struct sov_fingerprint print;

    *files = (struct files){ .record = record };
    disk_now(before, &files->before);
    for (size_t i = 0; i < files->before.count; i++)
        learn(files, files->before.file[i].path, files->before.file[i].print);
    for (size_t i = 0; i < record->count; i++) {
        const struct op *op = &record->op[i];
        const char *path = op->kind == OP_RENAME ? op->target : op->path;

        disk_do(done, op);
        if ((op->kind == OP_RENAME || op->kind == OP_SYNC) && disk_file(done, path, &print))
            learn(files, path, print);
    }
    disk_now(done, &files->after);
    for (size_t i = 0; i < files->after.count; i++)
        learn(files, files->after.file[i].path, files->after.file[i].print);
}

void files_release(struct files *files)
{
    left_release(&files->before);
    left_release(&files->after);
    sov_free(files->whole);
    *files = (struct files){ 0 };
}

static bool is_whole(const struct files *files, const struct left_file *file)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->whole[i].path, file->path) == 0 &&
            sov_fingerprint_equal(files->whole[i].print, file->print))
            return true;
    return false;
}

/* Renamed into its place, so that it is whole or not there. */
static bool is_moved(const struct files *files, const char *path)
{
    for (size_t i = 0; i < files->record->count; i++)
        if (files->record->op[i].kind == OP_RENAME &&
            strcmp(files->record->op[i].target, path) == 0)
            return true;
    return false;
}

static bool was_removed(const struct files *files, const char *path, size_t done)
{
    for (size_t i = 0; i < done; i++) {
        const struct op *op = &files->record->op[i];

        if ((op->kind == OP_UNLINK || op->kind == OP_RENAME) && strcmp(op->path, path) == 0)
            return true;
    }
    return false;
}

/* ---- a state ---- */

static bool fail(const char *path, const char *how, char *why_out, size_t room)
{
    snprintf(why_out, room, "%.100s %s", path, how);
    return false;
}

/* The size that a pin or a checkpoint speaks of; 0: it is neither. */
static int64_t size_told(const struct left_file *file)
{
    char text[8192] = ""; /* a pin holds event 1 and hashes besides */
    const char *at;

    (void)image_read(&file->image, 0, text, sizeof text - 1);
    if (strstr(file->path, "/pins/") && (at = strstr(text, "\"size\":")))
        return atoll(at + sizeof "\"size\":" - 1);
    if (strstr(file->path, "/checkpoints/") && (at = strchr(text, '\n'))) return atoll(at + 1);
    return 0;
}

static bool judge_file(const struct files *files, const struct left_file *file,
                       const struct moment *moment, char *why_out, size_t room)
{
    if (is_nobodys(file->path)) return true;
    if (!is_whole(files, file)) {
        if (left_find(&files->before, file->path) || is_moved(files, file->path))
            return fail(file->path, "is torn: neither the old nor the new one", why_out, room);
        if (moment->told || moment->most > moment->first)
            return fail(file->path, "is torn, and a commit may know of it", why_out, room);
        (void)fail(file->path, "is not finished", why_out, room);
        return true;
    }
    if (size_told(file) > moment->least)
        return fail(file->path, "is ahead of the ledger", why_out, room);
    return true;
}

static bool judge_told(const struct files *files, const struct left *left, char *why_out,
                       size_t room)
{
    for (size_t i = 0; i < files->after.count; i++) {
        const struct left_file *now = &files->after.file[i], *file = left_find(left, now->path);

        if (is_nobodys(now->path) || now->image.size == 0) continue; /* a lock is made again */
        if (!file || !sov_fingerprint_equal(file->print, now->print))
            return fail(now->path, "was acknowledged and is lost", why_out, room);
    }
    return true;
}

bool files_judge(const struct files *files, const struct left *left, const struct moment *moment,
                 char *why_out, size_t room)
{
    *why_out = 0;
    for (size_t i = 0; i < left->count; i++)
        if (!judge_file(files, &left->file[i], moment, why_out, room)) return false;
    for (size_t i = 0; i < files->before.count; i++) {
        const char *path = files->before.file[i].path;

        if (!is_nobodys(path) && !left_find(left, path) && !was_removed(files, path, moment->done))
            return fail(path, "is gone", why_out, room);
    }
    return !moment->told || judge_told(files, left, why_out, room);
}
