#include "base/removal.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"

enum { DEPTH_MAX = 64, NAMES_MAX = 1 << 20 };
static const size_t names_room = (size_t)256 << 20;

/* ---- removal ---- */

struct removal {
    uint64_t device;
    struct sov_arena arena; /* names of the folders on the way */
};

static bool fail(const char *name, int number, struct sov_error *err)
{
    return sov_fail(err, SOV_UNABLE, "io_error", "%s cannot be removed: %s", name,
                    strerror(number));
}

static bool empty(struct removal *r, const struct sov_folder *parent, const char *name, int depth,
                  struct sov_error *err);

static bool one(struct removal *r, const struct sov_folder *folder, const char *name, int depth,
                struct sov_error *err)
{
    struct stat st;

    if (fstatat(folder->fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || fail(name, errno, err);
    if (!S_ISDIR(st.st_mode))
        return unlinkat(folder->fd, name, 0) == 0 || errno == ENOENT || fail(name, errno, err);
    if ((uint64_t)st.st_dev != r->device || depth >= DEPTH_MAX)
        return sov_fail(err, SOV_DENIED, "file_unsafe", "%s is %s", name,
                        depth >= DEPTH_MAX ? "too deep" : "on another file system");
    return empty(r, folder, name, depth, err) && (unlinkat(folder->fd, name, AT_REMOVEDIR) == 0 ||
                                                  errno == ENOENT || fail(name, errno, err));
}

static bool empty(struct removal *r, const struct sov_folder *parent, const char *name, int depth,
                  struct sov_error *err)
{
    SOV_CLEANUP(sov_folder_close) struct sov_folder folder = { 0 };
    struct sov_arena_mark mark = sov_arena_mark(&r->arena);
    struct sov_listing names;
    bool ok = sov_folder_beneath(&folder, parent, name, err) &&
              sov_folder_names(&folder, "", NAMES_MAX, &r->arena, &names, err);

    for (size_t i = 0; ok && i < names.count; i++)
        ok = one(r, &folder, names.name[i], depth + 1, err);
    sov_arena_rewind(&r->arena, mark);
    return ok;
}

bool sov_folder_remove(const struct sov_folder *parent, const char *name, struct sov_error *err)
{
    struct removal r = { 0 };
    struct sov_file_facts facts;
    bool ok;

    assert(parent && parent->open && name && !strchr(name, '/') && err);
    if (!sov_folder_facts(parent, &facts, err)) return false;
    r.device = facts.device;
    sov_arena_init(&r.arena, names_room);
    ok = one(&r, parent, name, 0, err);
    sov_arena_release(&r.arena);
    if (ok && fsync(parent->fd) != 0) return fail(name, errno, err);
    return ok;
}

/* ---- who is in it ---- */

static bool is_inside(const char *target, const char *path)
{
    size_t size = strlen(path);

    return strncmp(target, path, size) == 0 && (target[size] == '/' || target[size] == '\0');
}

/* 1 it points into the folder, 0 it does not, -1 it cannot be read. */
static int link_points(const char *link, const char *path)
{
    char target[PATH_MAX + 1];
    ssize_t size = readlink(link, target, PATH_MAX);

    if (size < 0) return errno == ENOENT || errno == ESRCH ? 0 : -1;
    target[size] = '\0';
    return is_inside(target, path);
}

/* The most that any of its links says: 1 before -1 before 0. */
static int process_points(const char *pid, const char *path)
{
    static const char *const links[] = { "cwd", "root", "exe" };
    char name[64 + NAME_MAX];
    int worst = 0;
    DIR *files;

    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        int points;

        (void)snprintf(name, sizeof name, "/proc/%.20s/%s", pid, links[i]);
        points = link_points(name, path);
        if (points > 0) return 1;
        if (points < 0) worst = -1;
    }
    (void)snprintf(name, sizeof name, "/proc/%.20s/fd", pid);
    files = opendir(name);
    if (!files) return errno == ENOENT || errno == ESRCH ? worst : -1;
    for (struct dirent *entry; (entry = readdir(files));) {
        if (entry->d_name[0] == '.') continue;
        (void)snprintf(name, sizeof name, "/proc/%.20s/fd/%s", pid, entry->d_name);
        if (link_points(name, path) <= 0) continue;
        worst = 1;
        break;
    }
    (void)closedir(files);
    return worst;
}

/* Ours, and no kernel thread, which has no executable and nothing open here. One that ended has
 * nothing open either, though until it is reaped its descriptors cannot be listed. */
static bool counts_unseen(const char *pid, int64_t since)
{
    struct sov_process_id id;
    char name[64];
    struct stat st;

    (void)snprintf(name, sizeof name, "/proc/%.20s", pid);
    return stat(name, &st) == 0 && st.st_uid == geteuid() && st.st_uid != 0 &&
           sov_process_of(strtoll(pid, NULL, 10), &id) && id.start >= since;
}

bool sov_folder_is_used(const char *path, int64_t since, bool *used_out, int64_t *who_out,
                        struct sov_error *err)
{
    DIR *proc = opendir("/proc");
    bool used = false;
    int64_t who = 0;

    assert(path && path[0] == '/' && used_out && who_out && err);
    if (!proc) return sov_fail(err, SOV_UNABLE, "io_error", "/proc cannot be read");
    for (struct dirent *entry; !used && (entry = readdir(proc));) {
        int points;

        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
        points = process_points(entry->d_name, path);
        used = points > 0 || (points < 0 && counts_unseen(entry->d_name, since));
        if (used) who = strtoll(entry->d_name, NULL, 10);
    }
    (void)closedir(proc);
    *used_out = used;
    *who_out = who;
    return true;
}
