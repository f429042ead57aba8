/*
 * One seed: simulate --seed N [--minutes M] [--without A,B] [--trace FILE] [--events FILE]
 * [--said FILE] [--tree FOLDER]: what was called, the log, what sov lists, what is published.
 * --apart yes|together|old|blind: M rounds of two machines (apart.h).
 * The last line says what happened, and how to do it again. Exit 0: everything held; 1: it did not.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulator/apart.h"
#include "tests/simulator/asked.h"
#include "tests/simulator/load.h"
#include "tests/simulator/putback.h"
#include "tests/simulator/watch.h"

#define SECOND INT64_C(1000000000)
#define GRID (20 * SECOND)

enum { LONG = 120 }; /* minutes: more faults, and whole verifies each hour only */

struct run {
    uint64_t seed;
    int64_t minutes, next_look_ns;
    bool late; /* old files are kept at each second look */
    const char *without, *trace, *events, *said, *tree;
    uint64_t commands, refused, unable, killed, looks;
};

static void actor_next(struct actor *actor)
{
    struct world *world = the_world();
    int64_t mean = actor->every_s * SECOND;

    actor->next_ns = world->now_ns + chance_between(&world->load, mean / 4, mean * 7 / 4);
    /* Most begin together with others: else nobody would meet anybody. */
    if (chance_below(&world->load, 4)) actor->next_ns += GRID - actor->next_ns % GRID;
}

/* Somebody who heard no answer asks again, while the first is still at it. */
static void twin_start(struct run *run, const struct actor *actor)
{
    size_t count;
    struct actor *twin = load_actors(&count) + count;

    if (twin->process || actor->reads || !*actor->id || chance_below(&the_world()->load, 8)) return;
    words_copy(&twin->last, &actor->last);
    twin->process = process_new(twin, twin->last.at, twin->last.input);
    twin->process->agent = actor->process->agent;
    asked_began(twin->process);
    run->commands++;
    world_log("%s of %s %d", twin->name, actor->name, (int)twin->process->pid);
}

static void actor_start(struct run *run, struct actor *actor)
{
    struct words *words = calloc(1, sizeof *words);

    if (!words) abort();
    if (load_words(actor, words)) {
        words_copy(&actor->last, words);
        actor->again = false;
        actor->process = process_new(actor, actor->last.at, actor->last.input);
        actor->process->agent = chance_next(&the_world()->load);
        asked_began(actor->process);
        twin_start(run, actor);
        run->commands++;
        world_log("%s %d: %s %s %s", actor->name, (int)actor->process->pid, words->at[1],
                  words->count > 2 ? words->at[2] : "", words->count > 3 ? words->at[3] : "");
    }
    actor_next(actor);
    free(words);
}

/* I4 and I9: a refusal changes nothing, and nobody has touched a file here. */
static void refusal_check(const struct process *process)
{
    static const char *const several[] = { "run",   "report",  "supervise",
                                           "pulse", "rebuild", "recover" };

    if (process->exit == 6)
        world_fail("I9: %s %s says %s", process->argv[1], process->argv[2],
                   process->text[2] ? process->text[2] : "");
    if (process->exit < 2 || process->exit > 7 || !process->committed) return;
    if (process->exit == 7 && process->text[2] &&
        (strstr(process->text[2], "[commit_unknown]") || strstr(process->text[2], "[unfinished]")))
        return;
    for (size_t i = 0; i < sizeof several / sizeof *several; i++)
        if (strcmp(process->argv[1], several[i]) == 0) return;
    world_fail("I4: %s %s ends with %d and committed %lld events: %s", process->argv[1],
               process->argv[2], process->exit, (long long)process->committed,
               process->text[2] ? process->text[2] : "");
}

/* It answered, or it died: what its actor knows of it now. */
static void actor_over(struct run *run, struct process *process)
{
    struct actor *actor = process->actor;
    bool dead = process->exit < 0;

    if (!dead) oracle_ended(process);
    if (dead && !the_world()->crash_due) watch_files();
    if (process->exit == 0) watch_told(process);
    refusal_check(process);
    run->killed += dead;
    run->refused += process->exit >= 2 && process->exit <= 6;
    run->unable += process->exit == 7;
    world_log("%s %d: exit %d, %u calls, %lld events", actor->name, (int)process->pid,
              process->exit, process->calls, (long long)process->committed);
    if (process->exit >= 2 && process->text[2]) world_log("%s", process->text[2]);
    actor->process = NULL;
    actor->again = (dead || process->exit == 7) && chance_one_in(&the_world()->load, 2);
    process_free(process);
}

static void reap(struct run *run)
{
    struct world *world = the_world();
    size_t count;
    struct actor *actors = load_actors(&count);

    for (size_t i = 0; i < world->process_count; i++)
        if (world->processes[i]->doomed) process_kill(world->processes[i--]);
    for (size_t i = 0; i <= count; i++) { /* the last is the twin */
        struct process *process = actors[i].process;

        if (!process || process->state != PROCESS_ENDED) continue;
        process_kill(process); /* whatever it left open goes with it, as at any exit */
        actor_over(run, process);
    }
}

/* ---- what is looked at now and then ---- */

static bool is_quiet(void)
{
    const struct world *world = the_world();

    for (size_t i = 0; i < world->process_count; i++)
        if (world->processes[i]->state == PROCESS_READY) return false;
    for (const struct disk_node *node = world->disk.newest; node; node = node->older)
        if (node->locks->flock || node->locks->turn || node->locks->reserved ||
            node->locks->pending || node->locks->exclusive || node->locks->shared)
            return false;
    return true;
}

static void look(struct run *run)
{
    int exit;

    run->looks++;
    watch_files();
    exit = load_do("", "recover", NULL);
    if (exit != 0) world_fail("I12: recover ends with %d", exit);
    exit = load_do("", "project", NULL);
    if (exit != 0) world_fail("I8: project ends with %d", exit);
    exit = load_do("", "verify", "--projections", NULL);
    if (exit != 0) world_fail("I9: verify ends with %d", exit);
    oracle_whole(false);
    if (!run->late) putback_keep();
    run->late = !run->late;
}

/* While nobody is at the files. */
static bool put_back(void)
{
    const struct fault *fault = NULL;

    if (world_fault(FAULT_OLD_LEDGER)) {
        putback_ledger();
        return true;
    }
    fault = world_fault(FAULT_OLD_PAGES);
    if (fault) putback_pages(fault->chance & 1);
    return fault != NULL;
}

static void crashed(struct run *run)
{
    int exit;

    oracle_close();
    world_settle();
    watch_files();
    reap(run);
    exit = load_do("", "recover", NULL);
    if (exit != 0) world_fail("I12: recover after a crash ends with %d", exit);
    oracle_whole(true);
}

/* ---- the run ---- */

static void faults_plan(struct run *run)
{
    static const enum fault_kind kinds[] = { FAULT_KILL,    FAULT_CRASH,      FAULT_REBOOT,
                                             FAULT_EIO_,    FAULT_ENOSPC_,    FAULT_SHORT,
                                             FAULT_STEP,    FAULT_SUSPEND,    FAULT_STOP,
                                             FAULT_HOSTILE, FAULT_OLD_LEDGER, FAULT_OLD_PAGES };
    struct world *world = the_world();
    struct chance chance;
    uint64_t enabled;

    chance_seed(&chance, run->seed, 4);
    enabled = chance_next(&chance) | chance_next(&chance);
    world->fault_count = chance_below(&chance, run->minutes > LONG ? SIM_FAULTS : 25);
    for (size_t i = 0; i < world->fault_count; i++) {
        struct fault *fault = world->faults + i;

        do fault->kind = kinds[chance_below(&chance, sizeof kinds / sizeof *kinds)];
        while (!(enabled >> fault->kind & 1) && enabled & ((1U << FAULT_KINDS) - 1));
        fault->at_ns = chance_between(&chance, 60, run->minutes * 54) * SECOND;
        fault->calls = (unsigned)chance_below(&chance, 900);
        fault->chance = chance_next(&chance);
    }
    for (const char *at = run->without; at && *at; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strtoul(at, NULL, 10) < world->fault_count)
            world->faults[strtoul(at, NULL, 10)].removed = true;
    }
}

/* One step: a process goes on, or one is born, or time passes. */
static void step(struct run *run, struct actor *actors, size_t count)
{
    struct world *world = the_world();
    struct process *process;
    int64_t first;

    for (size_t i = 0; i < count; i++)
        if (!actors[i].process && actors[i].next_ns <= world->now_ns) actor_start(run, actors + i);
    process = world_next();
    if (process) {
        process_go_on(process);
        if (world->crash_due)
            crashed(run);
        else
            reap(run);
        return;
    }
    if (world->now_ns >= run->next_look_ns && is_quiet()) {
        look(run);
        run->next_look_ns = world->now_ns + (run->minutes > LONG ? 3600 : 900) * SECOND;
        return;
    }
    if (putback_is_behind() && is_quiet() && put_back()) return;
    first = world_first_timer();
    for (size_t i = 0; i < count; i++)
        if (!actors[i].process && actors[i].next_ns < first) first = actors[i].next_ns;
    if (first > world->now_ns) world->now_ns = first;
}

static bool faults_left(const struct world *world)
{
    for (size_t i = 0; i < world->fault_count; i++)
        if (!world->faults[i].fired && !world->faults[i].removed) return true;
    return false;
}

static void run_all(struct run *run)
{
    struct world *world = the_world();
    size_t count;
    struct actor *actors = load_actors(&count);
    int64_t end;

    load_found();
    putback_keep();
    faults_plan(run);
    for (size_t i = 0; i < count; i++) actor_next(actors + i);
    run->next_look_ns = world->now_ns + 900 * SECOND;
    end = run->minutes * 60 * SECOND;
    while (world_age_ns() < end && !world->failed) step(run, actors, count);
    /* Some let calls pass before they fire. */
    while (faults_left(world) && world_age_ns() < end + 900 * SECOND && !world->failed)
        step(run, actors, count);
}

/* All faults are over, and nobody but the passes goes on: what is live must end. */
static void settle(struct run *run)
{
    struct world *world = the_world();
    size_t count;
    struct actor *actors = load_actors(&count);
    int64_t end = world_age_ns() + 4800 * SECOND;

    for (size_t i = 0; i < world->fault_count; i++) world->faults[i].removed = true;
    world->full_until_ns = 0;
    for (size_t i = 2; i < count; i++) actors[i].next_ns = INT64_MAX;
    while (world_age_ns() < end && !world->failed) step(run, actors, count);
    if (world->failed) return;
    if (oracle_live_claims())
        world_fail("%u claims are live %d minutes after the last fault", oracle_live_claims(), 80);
    if (load_do("operator", "signal", "inventory.changed", "--source", "sale", "--subject",
                "SKU-TEA", "--severity", "warning", NULL) != 0 ||
        load_do("", "pulse", NULL) != 0)
        world_fail("the last signal cannot be recorded and decided on");
    oracle_decided();
    look(run);
}

static void finish(const struct run *run)
{
    const struct world *world = the_world();
    size_t fired = 0;

    for (size_t i = 0; i < world->fault_count; i++) {
        fired += world->faults[i].fired;
        if (world->failed && world->faults[i].fired)
            printf("# fault %zu %s at %lld s\n", i, fault_word(world->faults[i].kind),
                   (long long)(world->faults[i].at_ns / SECOND));
    }
    printf("%s seed %" PRIu64 " events %lld commands %" PRIu64 " refused %" PRIu64
           " unable %" PRIu64 " killed %" PRIu64 " looks %" PRIu64 " steps %" PRIu64
           " switches %" PRIu64 " faults %zu/%zu digest %016" PRIx64 "\n",
           world->failed ? "failed" : "held", run->seed, (long long)oracle_head(), run->commands,
           run->refused, run->unable, run->killed, run->looks, world->steps, world->switches, fired,
           world->fault_count, oracle_digest() ^ world->steps);
}

static const char *option(int argc, char **argv, const char *name)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0) return argv[i + 1];
    return NULL;
}

int main(int argc, char **argv)
{
    const char *seed = option(argc, argv, "--seed"), *minutes = option(argc, argv, "--minutes");
    const char *apart = option(argc, argv, "--apart");
    struct run run = { .seed = seed ? strtoull(seed, NULL, 10) : 1,
                       .minutes = minutes ? strtoll(minutes, NULL, 10) : 60,
                       .without = option(argc, argv, "--without"),
                       .trace = option(argc, argv, "--trace"),
                       .events = option(argc, argv, "--events"),
                       .said = option(argc, argv, "--said"),
                       .tree = option(argc, argv, "--tree") };
    struct world *world = the_world();
    FILE *out;

    world_begin(world, run.seed);
    if (run.trace) world->trace = fopen(run.trace, "w");
    vfs_register();
    oracle_begin();
    if (apart) {
        bool blind = strcmp(apart, "blind") == 0, old = blind || strcmp(apart, "old") == 0;

        apart_run(&(struct apart_plan){ .rounds = run.minutes,
                                        .together = old || strcmp(apart, "together") == 0,
                                        .old = old,
                                        .blind = blind });
        return world->failed;
    }
    run_all(&run);
    if (!world->failed) settle(&run);
    if (run.said && !world->failed && (out = fopen(run.said, "w"))) {
        load_said(out);
        (void)fclose(out);
    }
    if (run.tree && !world->failed && !watch_copy(run.tree)) world_fail("%s", run.tree);
    if (run.events && (out = fopen(run.events, "w"))) {
        oracle_print(out);
        (void)fclose(out);
    }
    finish(&run);
    return world->failed;
}
