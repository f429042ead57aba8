#include "tests/simulator/apart.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulator/load.h"

enum { MARKS = 4096 };

struct apart {
    bool marks[MARKS];    /* acknowledged to its machine, and pinned there behind that */
    unsigned said[MARKS]; /* acknowledged, on machine n - 1 */
    int next;
    bool noticed;
    char how[64];
    unsigned written, refused, looks, lost;
};

static struct process *start(unsigned machine, const struct words *words)
{
    static struct actor nobody[SIM_MACHINES] = { { .name = "one" }, { .name = "other" } };
    struct process *process = process_new(nobody + machine, words->at, words->input);

    process->machine = machine;
    process->pid = ++the_world()->machines[machine].pids;
    return process;
}

/* What its last words name, if they say that the file or the log is not what it was. */
static void notice(struct apart *apart, const struct process *process)
{
    static const char *const words[] = { "FORK",     "ROLLBACK", "TAMPER", "CORRUPT",
                                         "SCHEMA",   "STATE",    "DRIFT",  "fork",
                                         "rollback", "corrupt",  "[" };

    if (process->exit != 6) return;
    apart->noticed = true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (size_t n = 1; n <= 2; n++) {
            const char *at = process->text[n] ? strstr(process->text[n], words[i]) : NULL;

            if (!at) continue;
            (void)snprintf(apart->how, sizeof apart->how, "%.*s",
                           (int)strcspn(at + (*at == '['), " ],\"\n"), at + (*at == '['));
            return;
        }
}

static int mark_words(struct apart *apart, struct words *words)
{
    *words = (struct words){ 0 };
    say(words, "sov");
    switch (draw(3)) {
    case 0:
        say_all(words, "mail send op2 --subject");
        say(words, "mark-%d-", apart->next);
        break;
    case 1:
        say_all(words, "subject declare");
        say(words, "mark-%d-", apart->next);
        say_all(words, "--fact price=10");
        break;
    default: /* the numbers that are left */
        say_all(words, "signal inventory.changed --source sale --subject SKU-TEA --dedupe-key");
        say(words, "mark-%d-", apart->next);
        break;
    }
    say_all(words, "--wait 1 --actor principal");
    return apart->next++;
}

/* Both at once, until both have ended. */
static void both_run(struct process *const *two)
{
    struct world *world = the_world();

    while (two[0]->state != PROCESS_ENDED || two[1]->state != PROCESS_ENDED) {
        struct process *process = world_next();

        if (process)
            process_go_on(process);
        else
            world->now_ns = world_first_timer();
    }
}

static void round_write(struct apart *apart)
{
    struct words *words = calloc(SIM_MACHINES, sizeof *words);
    struct process *two[SIM_MACHINES];
    int mark[SIM_MACHINES];

    if (!words) abort();
    for (unsigned n = 0; n < SIM_MACHINES; n++) {
        mark[n] = mark_words(apart, words + n);
        two[n] = start(n, words + n);
    }
    both_run(two);
    for (unsigned n = 0; n < SIM_MACHINES; n++) {
        world_log("machine %u, mark %d: exit %d %s", n, mark[n], two[n]->exit,
                  two[n]->text[2] ? two[n]->text[2] : "");
        apart->said[mark[n]] = two[n]->exit == 0 ? n + 1 : 0;
        apart->written += two[n]->exit == 0;
        apart->refused += two[n]->exit != 0;
        notice(apart, two[n]);
        process_kill(two[n]);
        process_free(two[n]);
    }
    free(words);
}

/* ---- what is in the file, by plain SQL ---- */

static char *everything(void)
{
    char *all = calloc(1, 1);
    sqlite3 *lib = NULL;
    sqlite3_stmt *stmt = NULL;
    size_t size = 0;

    the_world()->calm++;
    if (sqlite3_open_v2("/home/repo/.sovereign/organization.db", &lib, SQLITE_OPEN_READWRITE,
                        "simulated") == SQLITE_OK &&
        sqlite3_prepare_v2(lib, "SELECT CAST(octets AS TEXT) FROM event ORDER BY seq", -1, &stmt,
                           NULL) == SQLITE_OK)
        while (sqlite3_step(stmt) == SQLITE_ROW) {
            const char *octets = (const char *)sqlite3_column_text(stmt, 0);
            size_t more = octets ? strlen(octets) : 0;

            all = realloc(all, size + more + 1);
            if (!all) abort();
            if (more) memcpy(all + size, octets, more);
            all[size += more] = 0;
        }
    (void)sqlite3_finalize(stmt);
    (void)sqlite3_close(lib);
    the_world()->calm--;
    return all;
}

static bool is_in(const char *all, int mark)
{
    char name[32];

    (void)snprintf(name, sizeof name, "mark-%d-", mark);
    return all && strstr(all, name) != NULL;
}

static int alone(struct apart *apart, unsigned machine, const char *const *argv)
{
    struct words *words = calloc(1, sizeof *words);
    struct process *process;
    int exit;

    if (!words) abort();
    say(words, "sov");
    for (; *argv; argv++) say(words, "%s", *argv);
    process = start(machine, words);
    exit = process_alone(process);
    notice(apart, process);
    world_log("machine %u: %s ends with %d %s%s", machine, words->at[1], exit,
              process->text[1] ? process->text[1] : "", process->text[2] ? process->text[2] : "");
    process_free(process);
    free(words);
    return exit;
}

/* Each looks, and pins what it saw: what is there then must not be lost any more. */
static void round_look(struct apart *apart, bool blind)
{
    static const char *const by_pin[] = { "verify", "--pin", NULL }, *const by_file[] = {
        "verify", "--no-anchor", NULL
    };
    char *all;

    for (unsigned n = 0; n < SIM_MACHINES && !apart->noticed; n++) {
        if (alone(apart, n, blind ? by_file : by_pin) != 0) return;
    }
    apart->looks++;
    all = everything();
    for (int mark = 0; mark < apart->next; mark++) {
        if (!apart->said[mark]) continue;
        if (is_in(all, mark))
            apart->marks[mark] = true;
        else if (apart->marks[mark] && !apart->noticed)
            world_fail("S13: mark %d was there, pinned by both, and is gone; nobody said a word",
                       mark);
        else
            apart->lost++, apart->said[mark] = 0;
    }
    free(all);
}

/* ---- an old file is put back ---- */

static struct disk_node *ledger_file(void)
{
    const struct disk *disk = &the_world()->disk;
    struct disk_node *node;

    if (disk_find(disk, disk->root, "/home/repo/.sovereign/organization.db", &node) != 0) abort();
    return node;
}

static void file_keep(struct disk_content *kept)
{
    const struct disk_node *node = ledger_file();

    free(kept->octets);
    *kept = (struct disk_content){ malloc(node->content.size), node->content.size, 0 };
    if (!kept->octets || disk_read(node, 0, kept->octets, kept->size) != kept->size) abort();
}

static void file_put_back(const struct disk_content *kept)
{
    struct disk_node *node = ledger_file();

    disk_resize(node, kept->size, the_world()->now_ns);
    disk_write(node, 0, kept->octets, kept->size, the_world()->now_ns);
    disk_sync(node);
}

static void rounds_run(struct apart *apart, const struct apart_plan *plan)
{
    struct disk_content kept = { 0 };

    for (int64_t i = 0; i < plan->rounds && !apart->noticed && !the_world()->failed; i++) {
        if (plan->old && i == plan->rounds / 2) file_keep(&kept);
        if (plan->old && i == plan->rounds / 2 + 2) file_put_back(&kept);
        round_write(apart);
        if (!apart->noticed) round_look(apart, plan->blind);
    }
    free(kept.octets);
}

void apart_run(const struct apart_plan *plan)
{
    struct world *world = the_world();
    struct apart *apart = calloc(1, sizeof *apart);

    if (!apart) abort();
    load_found();
    world->strangers = true;
    load_copy("/home/user", "/home/other");
    world->machine_count = SIM_MACHINES;
    world->machines[1].ahead_ns = 0;
    world->apart = !plan->together;
    world->by_priority = false;
    rounds_run(apart, plan);
    if (plan->together && !plan->old && !world->failed &&
        (apart->noticed || apart->lost || apart->refused))
        world_fail("S13: they see each other, and %u are lost, %u refused, %s", apart->lost,
                   apart->refused, apart->how);
    if (plan->old && !apart->noticed && !world->failed)
        world_fail("an old file was put back, and nobody said a word");
    printf("%s seed %llu written %u refused %u lost %u looks %u noticed %s\n",
           world->failed ? "failed" : "held", (unsigned long long)world->seed, apart->written,
           apart->refused, apart->lost, apart->looks, apart->noticed ? apart->how : "nothing");
    free(apart);
}
