#include "tests/simulator/putback.h"

#include <stdlib.h>
#include <string.h>

#include "tests/simulator/load.h"
#include "tests/simulator/watch.h"

enum { FILES = 2048 };

struct kept_file {
    char path[256]; /* absolute */
    uint8_t *octets;
    size_t size;
};
struct kept_files {
    struct kept_file at[FILES];
    size_t count;
    int64_t head;
};

static const char ledger[] = "/home/repo/.sovereign/organization.db";
static const char governance[] = "/home/repo/governance";

/* Static, for they are too large for a stack: what was kept, and what stands meanwhile. */
static struct kept_files *kept(void)
{
    static struct kept_files files;

    return &files;
}

static struct kept_files *aside(void)
{
    static struct kept_files files;

    return &files;
}

static struct disk_node *node_at(const char *path)
{
    const struct disk *disk = &the_world()->disk;
    struct disk_node *node;

    return disk_find(disk, disk->root, path, &node) == 0 ? node : NULL;
}

static void forget(struct kept_files *files)
{
    for (size_t i = 0; i < files->count; i++) free(files->at[i].octets);
    files->count = 0;
}

static void keep(struct kept_files *files, const char *path)
{
    const struct disk_node *node = node_at(path);
    struct kept_file *file;
    char name[512];

    if (!node) return;
    for (size_t i = 0; node->folder && i < node->names.count; i++) {
        (void)snprintf(name, sizeof name, "%s/%s", path, node->names.at[i].text);
        keep(files, name);
    }
    if (node->folder) return;
    if (files->count == FILES || strlen(path) >= sizeof file->path) abort();
    file = files->at + files->count++;
    memcpy(file->path, path, strlen(path) + 1);
    file->size = node->content.size;
    file->octets = malloc(file->size + 1);
    if (!file->octets) abort();
    (void)disk_read(node, 0, file->octets, file->size);
}

/* Under a number of its own, as whoever copies makes it; the ledger in place, for it is open. */
static void put(const struct kept_file *file)
{
    struct world *world = the_world();
    struct disk_node *parent, *node = node_at(file->path);
    const char *name;

    if (disk_parent(&world->disk, world->disk.root, file->path, &parent, &name) != 0) return;
    if (node && !node->database) (void)disk_remove(&world->disk, parent, name, world->now_ns);
    if (!node || !node->database)
        node = disk_make(&world->disk, parent, name, false, 0644, world->now_ns);
    disk_resize(node, file->size, world->now_ns);
    disk_write(node, 0, file->octets, file->size, world->now_ns);
    disk_sync(node);
    disk_sync_names(&world->disk, parent);
}

static const struct kept_file *find(const struct kept_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->at[i].path, path) == 0) return files->at + i;
    return NULL;
}

static bool are_equal(const struct kept_file *a, const struct kept_file *b)
{
    return b && a->size == b->size && memcmp(a->octets, b->octets, a->size) == 0;
}

/* sov with these words, by itself: it must end so, and say this. */
static void must_say(const char *what, int exit, const char *word, const char *verb,
                     const char *option)
{
    const char *const argv[] = { "sov", verb, option, NULL };
    struct process *process = process_new(NULL, argv, NULL);
    int got = process_alone(process);
    bool said = !word;

    for (size_t n = 1; n <= 2; n++)
        said = said || (process->text[n] && strstr(process->text[n], word));
    if (got != exit || !said)
        world_fail("%s is put back: %s ends with %d (%d and %s due): %s%s", what, verb, got, exit,
                   word ? word : "no word", process->text[1] ? process->text[1] : "",
                   process->text[2] ? process->text[2] : "");
    process_free(process);
}

void putback_keep(void)
{
    forget(kept());
    keep(kept(), ledger);
    keep(kept(), governance);
    kept()->head = oracle_head();
}

bool putback_is_behind(void)
{
    return kept()->count && watch_newest() > kept()->head;
}

void putback_ledger(void)
{
    struct world *world = the_world();
    size_t same = 0;

    if (load_do("", "recover", NULL) != 0) world_fail("I12: recover before an old file");
    forget(aside());
    keep(aside(), ledger);
    keep(aside(), governance);
    oracle_close();
    world->strangers = true; /* what is appended now is of no log that is followed */
    put(find(kept(), ledger));
    if (draw(2)) (void)load_do("operator", "heartbeat", "till-1", NULL);
    must_say("an old ledger", 6, NULL, "project", NULL);
    must_say("an old ledger", 6, NULL, "verify", NULL);
    for (size_t i = 0; i < aside()->count; i++) {
        const struct disk_node *node = node_at(aside()->at[i].path);

        same += i == 0 ||
                (node && node->content.size == aside()->at[i].size &&
                 memcmp(node->content.octets, aside()->at[i].octets, aside()->at[i].size) == 0);
    }
    if (same != aside()->count) world_fail("an old ledger is put back, and pages were written");
    put(find(aside(), ledger));
    world->strangers = false;
}

/* One that is another now. */
static const struct kept_file *page_draw(void)
{
    const struct kept_file *drawn = NULL;
    uint64_t seen = 0;

    for (size_t i = 0; i < kept()->count; i++) {
        const struct kept_file *file = kept()->at + i, *now = find(aside(), file->path);

        if (strstr(file->path, "/log/") || strstr(file->path, "/checkpoints/") ||
            strstr(file->path, "/blobs/") || strcmp(file->path, ledger) == 0 || !now ||
            are_equal(file, now))
            continue;
        if (draw(++seen) == 0) drawn = file;
    }
    return drawn;
}

void putback_pages(bool whole)
{
    const struct kept_file *page;

    if (load_do("", "project", NULL) != 0) world_fail("I8: project before old pages");
    forget(aside());
    keep(aside(), governance);
    page = whole ? NULL : page_draw();
    for (size_t i = 0; !page && i < aside()->count; i++) {
        struct disk_node *parent;
        const char *name;

        if (find(kept(), aside()->at[i].path)) continue;
        if (disk_parent(&the_world()->disk, the_world()->disk.root, aside()->at[i].path, &parent,
                        &name) == 0)
            (void)disk_remove(&the_world()->disk, parent, name, the_world()->now_ns);
    }
    for (size_t i = 0; i < kept()->count; i++)
        if (page ? page == kept()->at + i : strcmp(kept()->at[i].path, ledger) != 0)
            put(kept()->at + i);
    if (page)
        must_say(page->path, 1, "DRIFT", "verify", "--projections");
    else
        must_say("an old governance/", 0, "not published", "verify", "--projections");
    must_say("old pages", 0, NULL, "project", NULL);
    must_say("old pages", 0, NULL, "verify", "--projections");
}
