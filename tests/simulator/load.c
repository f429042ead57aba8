#include "tests/simulator/load.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool load_words(struct actor *actor, struct words *words)
{
    bool writes = *actor->id != 0 && !actor->reads;

    if (actor->again) {
        words_copy(words, &actor->last);
        return true;
    }
    *words = (struct words){ 0 };
    say(words, "sov");
    if (!actor->choose(actor, words)) return false;
    for (size_t i = 1; i < words->count; i++) /* those of a program come last */
        if (strcmp(words->at[i], "--") == 0) {
            const char *program = words->at[i + 1];

            words->count = i;
            say_all(words, "--actor");
            say(words, "%s", actor->id);
            if (writes && draw(3)) {
                say(words, "--idempotency-key");
                say(words, "%s-%llu", actor->name, (unsigned long long)++actor->keys);
            }
            say_all(words, "--json --");
            say(words, "%s", program);
            return true;
        }
    if (*actor->id) {
        say(words, "--actor");
        say(words, "%s", actor->id);
    }
    if (writes && draw(3)) {
        say(words, "--idempotency-key");
        say(words, "%s-%llu", actor->name, (unsigned long long)++actor->keys);
    }
    if (strcmp(words->at[1], "rebuild") != 0 && strcmp(words->at[1], "recover") != 0)
        say(words, "--json");
    return true;
}

/* ---- the founding ---- */

void load_said(FILE *to)
{
    static const char *const kinds[] = { "outcomes", "sows",      "assignments", "approvals",
                                         "messages", "instances", "sessions",    "deliveries" };

    for (size_t i = 0; i <= sizeof kinds / sizeof *kinds; i++) {
        const char *const list[] = { "sov", "account", "list", NULL };
        const char *const show[] = { "sov", "show", i ? kinds[i - 1] : NULL, NULL };
        struct process *process = process_new(NULL, i ? show : list, NULL);

        if (process_alone(process) != 0)
            world_fail("%s cannot be shown: %s", i ? kinds[i - 1] : "accounts",
                       process->text[2] ? process->text[2] : "");
        (void)fprintf(to, "= %s\n%s", i ? kinds[i - 1] : "accounts",
                      process->text[1] ? process->text[1] : "");
        process_free(process);
    }
}

int load_do(const char *actor, ...)
{
    struct words *words = calloc(1, sizeof *words);
    struct process *process;
    const char *word;
    va_list args;
    int exit;

    if (!words) abort();
    say(words, "sov");
    va_start(args, actor);
    while ((word = va_arg(args, const char *))) say(words, "%s", word);
    va_end(args);
    if (*actor) {
        say(words, "--actor");
        say(words, "%s", actor);
    }
    process = process_new(NULL, words->at, NULL);
    exit = process_alone(process);
    world_log("%s %s: %d %s", words->at[1], words->at[2] ? words->at[2] : "", exit,
              exit && process->text[2] ? process->text[2] : "");
    oracle_ended(process);
    process_free(process);
    free(words);
    return exit;
}

static struct disk_node *folder(const char *path)
{
    struct world *world = the_world();
    struct disk_node *parent, *node;
    const char *name;

    if (disk_parent(&world->disk, world->disk.root, path, &parent, &name) != 0) abort();
    node = disk_make(&world->disk, parent, name, true, 0755, 0);
    disk_sync_names(&world->disk, parent);
    return node;
}

static void node_copy(const struct disk_node *from, struct disk_node *to)
{
    struct world *world = the_world();

    for (size_t i = 0; i < from->names.count; i++) {
        const struct disk_node *at = from->names.at[i].node;
        struct disk_node *node =
            disk_make(&world->disk, to, from->names.at[i].text, at->folder, at->mode, at->mtime_ns);

        if (at->folder) {
            node_copy(at, node);
            continue;
        }
        disk_write(node, 0, at->content.octets, at->content.size, at->mtime_ns);
        disk_sync(node);
    }
    disk_sync_names(&world->disk, to);
}

void load_copy(const char *from, const char *to)
{
    const struct disk *disk = &the_world()->disk;
    struct disk_node *node;

    if (disk_find(disk, disk->root, from, &node) != 0) abort();
    node_copy(node, folder(to));
}

/* A file of the source onto the disk, with one text in it replaced by others. */
static void file_copy(struct disk_node *to, const char *name, const char *from,
                      const char *const *replace)
{
    static char text[1 << 16]; /* too large for a stack, of use here alone */
    FILE *file = fopen(from, "r");
    struct disk_node *node;
    size_t size, done = 0;

    if (!file) {
        printf("# %s cannot be read: the simulator runs in the root of the source\n", from);
        exit(2);
    }
    size = fread(text, 1, sizeof text - 1, file);
    text[size] = 0;
    (void)fclose(file);
    node = disk_make(&the_world()->disk, to, name, false, 0644, 0);
    for (; replace && *replace; replace += 2) {
        const char *at = strstr(text + done, replace[0]);

        if (!at) abort();
        disk_write(node, node->content.size, text + done, (size_t)(at - text) - done, 0);
        disk_write(node, node->content.size, replace[1], strlen(replace[1]), 0);
        done = (size_t)(at - text) + strlen(replace[0]);
    }
    disk_write(node, node->content.size, text + done, size - done, 0);
    disk_sync(node);
    disk_sync_names(&the_world()->disk, to);
}

static void files_lay_out(void)
{
    static const char *const law[] = { "\"attempt\": 900", "\"attempt\": 240", "\"grace\": 5",
                                       "\"grace\": 60", NULL };
    static const char *const other[] = { "\"attempt\": 900",
                                         "\"attempt\": 240",
                                         "\"grace\": 5",
                                         "\"grace\": 60",
                                         "\"priority\": 10",
                                         "\"priority\": 20",
                                         NULL };
    struct disk_node *repo;

    (void)folder("/home");
    (void)folder("/home/user");
    repo = folder("/home/repo");
    file_copy(repo, "law-1.json", "fixtures/store/policy.json", law);
    file_copy(repo, "law-2.json", "fixtures/store/policy.json", other);
    file_copy(repo, "stock-available.json", "fixtures/store/checks/stock-available.json", NULL);
    file_copy(repo, "restock-posted.json", "fixtures/store/checks/restock-posted.json", NULL);
    file_copy(repo, "restock-present.json", "fixtures/store/checks/restock-present.json", NULL);
}

static void must(int exit)
{
    if (exit != 0) world_fail("the store cannot be founded: exit %d", exit);
}

void load_found(void)
{
    static const char *const robots[] = { "op2", "op3", "op4" };

    files_lay_out();
    must(load_do("", "init", "--name", "The store", "--policy", "law-1.json", NULL));
    must(load_do("principal", "subject", "declare", "SKU-TEA", "--fact", "unit_cost=120", "--fact",
                 "price=400", "--fact", "reorder_point=3", NULL));
    must(load_do("principal", "account", "open", "inventory/SKU-TEA", "--unit", "unit", "--opening",
                 "40", NULL));
    must(load_do("principal", "account", "open", "reserved/SKU-TEA", "--unit", "unit", NULL));
    must(load_do("principal", "account", "open", "cash", "--unit", "cent", "--opening", "1000000",
                 NULL));
    must(load_do("principal", "outcome", "new", "Tea is in stock", "--desired", "Enough.",
                 "--subject", "SKU-TEA", "--check", "@stock-available.json", "--check",
                 "@restock-posted.json", "--check", "@restock-present.json", NULL));
    must(load_do("master", "outcome", "activate", "OUT-1", NULL));
    for (size_t i = 0; i < 3; i++)
        must(load_do("principal", "actor", "add", robots[i], "--role", "operator", "--kind",
                     "robot", "--provider", "scripted", NULL));
}
