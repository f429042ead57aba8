#include "tests/simulator/world.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/cli.h"

enum { STACK = 2 << 20, STACKS = 64, TURN_IN = 12 };
#define MS INT64_C(1000000)
#define SECOND (1000 * MS)
#define WALL_BASE_MS INT64_C(1893456000000) /* 2030-01-01 */

struct world *the_world(void)
{
    static struct world world; /* the C library's calls, which we stand for, have no handle */

    return &world;
}

void world_log(const char *fmt, ...)
{
    struct world *world = the_world();
    va_list args;

    if (!world->trace) return;
    (void)fprintf(world->trace, "%lld.%06lld ", (long long)(world->now_ns / SECOND),
                  (long long)(world->now_ns % SECOND / 1000));
    va_start(args, fmt);
    (void)vfprintf(world->trace, fmt, args);
    va_end(args);
    (void)fputc('\n', world->trace);
}

void world_fail(const char *fmt, ...)
{
    struct world *world = the_world();
    va_list args;

    if (!world->failed) {
        printf("# seed %llu step %llu at %lld s: ", (unsigned long long)world->seed,
               (unsigned long long)world->steps, (long long)(world->now_ns / SECOND));
        va_start(args, fmt);
        (void)vprintf(fmt, args);
        va_end(args);
        (void)putchar('\n');
        if (world->running)
            for (int i = 0; i < world->running->argc; i++)
                printf("%s%s", i ? " " : "#   in ", world->running->argv[i]);
        if (world->running) (void)putchar('\n');
    }
    world->failed = true;
}

/* ---- clock and chance, as the program is given them ---- */

static struct machine *machine_of(const struct process *process)
{
    return the_world()->machines + (process ? process->machine : 0);
}

int64_t world_wall_ns(const struct process *process)
{
    return WALL_BASE_MS * MS + the_world()->now_ns + the_world()->wall_ns +
           machine_of(process)->ahead_ns;
}

int64_t world_age_ns(void)
{
    return the_world()->now_ns - the_world()->skipped_ns;
}

void world_skip(int64_t ns)
{
    struct world *world = the_world();

    world->now_ns += ns;
    world->skipped_ns += ns;
}

static bool clock_read(void *self, struct sov_now *now_out, struct sov_error *err)
{
    struct world *world = self;
    const struct process *process = world->running;
    const struct machine *machine = machine_of(process);
    unsigned n = process ? process->machine : 0;

    (void)err;
    (void)world_call(CALL_OTHER);
    *now_out =
        (struct sov_now){ .wall.ms = world_wall_ns(process) / MS,
                          .boot_ms = (world->now_ns - machine->boot_ns[machine->boots - 1]) / MS };
    (void)snprintf(now_out->boot, sizeof now_out->boot, "00000000-0000-4000-8%03u-%012u", n,
                   machine->boots);
    (void)snprintf(now_out->machine, sizeof now_out->machine, "%032u", n + 1);
    return true;
}

static bool random_fill(void *self, uint8_t *octets, size_t size, struct sov_error *err)
{
    struct world *world = self;

    (void)err;
    chance_fill(&world->octets, octets, size);
    return true;
}

static void priorities_draw(struct world *world)
{
    for (size_t i = 0; i < SIM_PROCESSES; i++) world->priority[i] = chance_next(&world->turns);
}

/* One seed in three has a second machine; its clock is mostly within what a policy bears. */
static void machines_draw(struct world *world)
{
    static const int64_t ahead_s[] = { 0, 10, -10, 120, -120, 290, -290, 3600, -3600 };

    chance_seed(&world->places, world->seed, 5);
    world->machine_count = chance_one_in(&world->places, 3) ? 2 : 1;
    for (size_t i = 0; i < SIM_MACHINES; i++)
        world->machines[i] = (struct machine){ .boots = 1, .pids = 100 };
    world->machines[1].ahead_ns =
        ahead_s[chance_below(&world->places, sizeof ahead_s / sizeof *ahead_s)] * SECOND;
}

struct disk_lock *world_lock(struct disk_node *node, const struct process *process)
{
    return node->locks + (the_world()->apart && process ? process->machine : 0);
}

void machine_boot(struct machine *machine)
{
    if (machine->boots == SIM_BOOTS) abort();
    machine->boot_ns[machine->boots++] = the_world()->now_ns;
}

void world_begin(struct world *world, uint64_t seed)
{
    *world = (struct world){ .seed = seed };
    chance_seed(&world->turns, seed, 1);
    chance_seed(&world->load, seed, 2);
    chance_seed(&world->octets, seed, 3);
    machines_draw(world);
    world->by_priority = chance_one_in(&world->turns, 2);
    for (size_t i = 0; i < sizeof world->change_points / sizeof *world->change_points; i++)
        world->change_points[i] = chance_below(&world->turns, 400000);
    priorities_draw(world);
    world->seams = (struct sov_seams){ { world, clock_read }, { world, random_fill }, "simulated" };
    disk_init(&world->disk);
}

/* ---- processes ---- */

static void *stack_take(void)
{
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (stack == MAP_FAILED) abort();
    return stack;
}

void process_wait(struct process *process)
{
    int error = errno;

    (void)swapcontext(&process->context, &the_world()->loop);
    errno = error;
}

static void process_main(void)
{
    struct process *process = the_world()->running;

    process->exit = sov_cli(process->argc, process->argv, &the_world()->seams);
    process->state = PROCESS_ENDED;
    (void)setcontext(&the_world()->loop);
}

struct process *process_new(struct actor *actor, const char *const *argv, const char *input)
{
    struct world *world = the_world();
    struct process *process = calloc(1, sizeof *process);

    if (!process || world->process_count == SIM_PROCESSES) abort();
    if (actor) process->machine = (unsigned)chance_below(&world->places, world->machine_count);
    process->pid = ++world->machines[process->machine].pids;
    process->actor = actor;
    process->born_ns = world->now_ns;
    process->input = input;
    for (; argv[process->argc] && process->argc < SIM_ARGS; process->argc++)
        process->argv[process->argc] = strdup(argv[process->argc]);
    (void)snprintf(process->cwd, sizeof process->cwd, "/home/repo");
    if (disk_find(&world->disk, world->disk.root, process->cwd, &process->folder) != 0)
        process->folder = world->disk.root;
    process->stack = stack_take();
    if (getcontext(&process->context) != 0) abort();
    process->context.uc_stack.ss_sp = process->stack;
    process->context.uc_stack.ss_size = STACK;
    makecontext(&process->context, process_main, 0);
    world->processes[world->process_count++] = process;
    return process;
}

void process_go_on(struct process *process)
{
    struct world *world = the_world();
    struct process *outer = world->running;
    ucontext_t loop = world->loop;

    world->running = process;
    world->switches++;
    if (swapcontext(&world->loop, &process->context) != 0) abort();
    world->running = outer;
    world->loop = loop;
}

static void process_leave_world(struct process *process)
{
    struct world *world = the_world();
    size_t at = 0;

    while (at < world->process_count && world->processes[at] != process) at++;
    if (at == world->process_count) return;
    world->process_count--;
    memmove(world->processes + at, world->processes + at + 1,
            (world->process_count - at) * sizeof *world->processes);
}

void process_kill(struct process *process)
{
    vfs_drop(process);
    calls_drop(process);
    if (process->state != PROCESS_ENDED) process->exit = -1;
    process->state = PROCESS_ENDED;
    process_leave_world(process);
}

void process_free(struct process *process)
{
    process_leave_world(process);
    (void)munmap(process->stack, STACK);
    for (int i = 0; i < process->argc; i++) free(process->argv[i]);
    for (size_t i = 0; i < 3; i++) free(process->text[i]);
    free(process);
}

int process_alone(struct process *process)
{
    struct world *world = the_world();

    world->calm++;
    while (process->state != PROCESS_ENDED) process_go_on(process);
    world->calm--;
    calls_drop(process);
    process_leave_world(process);
    return process->exit;
}

/* ---- whose turn it is ---- */

static uint64_t priority_of(const struct world *world, const struct process *process)
{
    return world->priority[(size_t)process->pid % SIM_PROCESSES];
}

struct process *world_next(void)
{
    struct world *world = the_world();
    struct process *best = NULL;
    size_t ready = 0;

    for (size_t i = 0; i < world->process_count; i++) {
        struct process *process = world->processes[i];

        if (process->state == PROCESS_ASLEEP && process->wake_ns <= world->now_ns)
            process->state = PROCESS_READY;
        if (process->state != PROCESS_READY) continue;
        ready++;
        if (world->by_priority ? !best || priority_of(world, process) > priority_of(world, best)
                               : chance_below(&world->turns, ready) == 0)
            best = process;
    }
    return best;
}

int64_t world_first_timer(void)
{
    struct world *world = the_world();
    int64_t first = INT64_MAX;

    for (size_t i = 0; i < world->process_count; i++)
        if (world->processes[i]->state == PROCESS_ASLEEP && world->processes[i]->wake_ns < first)
            first = world->processes[i]->wake_ns;
    return first;
}

void world_turn(struct world *world)
{
    bool turn;

    if (world->by_priority) {
        turn = false;
        for (size_t i = 0; i < sizeof world->change_points / sizeof *world->change_points; i++)
            if (world->steps == world->change_points[i]) {
                priorities_draw(world);
                turn = true;
            }
        /* Those who woke up or were born in the meantime may be before us. */
        turn = turn || chance_one_in(&world->turns, (uint64_t)TURN_IN * 4);
    } else {
        turn = chance_one_in(&world->turns, TURN_IN);
    }
    if (turn && world->process_count > 1) process_wait(world->running);
}

void world_sleep(int64_t ns)
{
    struct world *world = the_world();
    struct process *process = world->running;

    if (!process || world->calm) {
        world->now_ns += ns;
        return;
    }
    process->wake_ns = world->now_ns + ns;
    process->state = PROCESS_ASLEEP;
    process_wait(process);
    (void)world_call(CALL_OTHER); /* it may have been killed or stopped meanwhile */
}
