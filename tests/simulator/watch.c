#include "tests/simulator/watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char governance[] = "/home/repo/governance";
static const char *const kept_whole[] = { governance, "/home/user/.local/share/sov/keys",
                                          "/home/user/.local/state/sov/pins" };

struct watched {
    int64_t checkpoint; /* newest that somebody was told of */
    size_t keys;
};

static struct watched *told(void)
{
    static struct watched them; /* of the one world */

    return &them;
}

static struct disk_node *node_at(const char *path)
{
    const struct disk *disk = &the_world()->disk;
    struct disk_node *node;

    return disk_find(disk, disk->root, path, &node) == 0 ? node : NULL;
}

static size_t files_in(const struct disk_node *node)
{
    size_t count = 0;

    if (!node) return 0;
    for (size_t i = 0; i < node->names.count; i++)
        count += node->names.at[i].node->folder ? files_in(node->names.at[i].node)
                                                : node->names.at[i].node->content.size > 0;
    return count;
}

int64_t watch_newest(void)
{
    const struct disk_node *node = node_at("/home/repo/governance/checkpoints");
    int64_t newest = 0;

    for (size_t i = 0; node && i < node->names.count; i++)
        if (strtoll(node->names.at[i].text, NULL, 10) > newest)
            newest = strtoll(node->names.at[i].text, NULL, 10);
    return newest;
}

void watch_told(const struct process *process)
{
    if (strcmp(process->argv[1], "project") == 0) told()->checkpoint = watch_newest();
    if (strcmp(process->argv[1], "key") == 0) told()->keys = files_in(node_at(kept_whole[1]));
}

static void whole(const struct disk_node *node, const char *path)
{
    char name[512];

    for (size_t i = 0; node && i < node->names.count; i++) {
        const struct disk_node *at = node->names.at[i].node;

        (void)snprintf(name, sizeof name, "%s/%s", path, node->names.at[i].text);
        if (at->folder)
            whole(at, name);
        else if (at->whole && at->whole != disk_digest(at))
            world_fail("I8: %s is neither the old nor the new file", name);
    }
}

static bool is_behind(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);

    return size > end_size && strcmp(text + size - end_size, end) == 0;
}

static void segment_check(int64_t checkpoint)
{
    const struct disk_node *node = node_at("/home/repo/governance/log");
    char end[48];

    (void)snprintf(end, sizeof end, "-%lld.jsonl", (long long)checkpoint);
    for (size_t i = 0; node && i < node->names.count; i++)
        if (is_behind(node->names.at[i].text, end)) return;
    world_fail("I8: checkpoint %lld is published, and its events are not", (long long)checkpoint);
}

void watch_files(void)
{
    int64_t newest = watch_newest();

    for (size_t i = 0; i < sizeof kept_whole / sizeof *kept_whole; i++)
        whole(node_at(kept_whole[i]), kept_whole[i]);
    if (newest) segment_check(newest);
    if (newest < told()->checkpoint)
        world_fail("I8: somebody was told of checkpoint %lld, and published is %lld",
                   (long long)told()->checkpoint, (long long)newest);
    if (files_in(node_at(kept_whole[1])) < told()->keys)
        world_fail("I1: a key is gone that somebody was told of");
}

static bool copy(const struct disk_node *node, const char *to)
{
    char name[1024];

    if (mkdir(to, 0755) != 0) return false;
    for (size_t i = 0; node && i < node->names.count; i++) {
        const struct disk_node *at = node->names.at[i].node;
        FILE *file;

        (void)snprintf(name, sizeof name, "%s/%s", to, node->names.at[i].text);
        if (at->folder) {
            if (!copy(at, name)) return false;
            continue;
        }
        file = fopen(name, "w");
        if (!file ||
            (at->content.size && fwrite(at->content.octets, at->content.size, 1, file) != 1) ||
            fclose(file) != 0)
            return false;
    }
    return true;
}

bool watch_copy(const char *to)
{
    char name[1024];

    (void)snprintf(name, sizeof name, "%s/governance", to);
    return mkdir(to, 0755) == 0 && copy(node_at(governance), name);
}
