/* What goes wrong, and when: each call of the system passes here. */
#include <errno.h>
#include <stdlib.h>

#include "tests/simulator/world.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

const char *fault_word(enum fault_kind kind)
{
    static const char *const words[] = {
#define X(name, word) word,
        FAULTS(X)
#undef X
    };

    return words[kind];
}

static bool is_due(const struct fault *fault)
{
    return !fault->removed && !fault->fired && fault->at_ns <= world_age_ns();
}

static void fire(struct world *world, struct fault *fault)
{
    fault->fired = true;
    world_log("fault %d %s", (int)(fault - world->faults), fault_word(fault->kind));
}

struct fault *world_fault(enum fault_kind kind)
{
    struct world *world = the_world();

    for (size_t i = 0; i < world->fault_count; i++)
        if (world->faults[i].kind == kind && is_due(world->faults + i)) {
            fire(world, world->faults + i);
            return world->faults + i;
        }
    return NULL;
}

static bool is_concerned(const struct fault *fault, enum call_kind kind)
{
    bool changes = kind == CALL_WRITE || kind == CALL_SYNC || kind == CALL_MAKE;

    switch (fault->kind) {
    case FAULT_KILL:
    case FAULT_CRASH:
    case FAULT_REBOOT:
    case FAULT_STOP:
        return fault->chance & 1 ? changes : true;
    case FAULT_EIO_:
        return changes || (fault->chance & 1 && (kind == CALL_READ || kind == CALL_LOOK));
    case FAULT_ENOSPC_:
    case FAULT_SHORT:
        return kind == CALL_WRITE;
    case FAULT_STEP:
    case FAULT_SUSPEND:
        return true;
    case FAULT_HOSTILE:
    case FAULT_OLD_LEDGER:
    case FAULT_OLD_PAGES:
    case FAULT_KINDS:
        return false; /* the load and the loop ask for them */
    }
    return false;
}

static int64_t step_of(uint64_t chance)
{
    static const int64_t steps[] = { 1, 60, 3600, 86400, 365 * 86400 };
    int64_t ns = steps[chance / 4 % 5] * SECOND;

    return chance & 2 ? -ns : ns;
}

/* 0, or the errno that the call gets. */
static int strike(struct world *world, struct fault *fault)
{
    struct process *process = world->running;

    fire(world, fault);
    switch (fault->kind) {
    case FAULT_KILL:
        process->doomed = true;
        process_wait(process);
        abort(); /* nobody comes back from there */
    case FAULT_CRASH:
    case FAULT_REBOOT:
        if (process->machine) { /* the disk is the other one's, and goes on */
            for (size_t i = 0; i < world->process_count; i++)
                if (world->processes[i]->machine == process->machine)
                    world->processes[i]->doomed = true;
            machine_boot(world->machines + process->machine);
            process_wait(process);
            abort();
        }
        world->crash_due = true;
        world->crash_pause_ns = fault->kind == FAULT_CRASH ? 40 * SECOND : 3600 * SECOND;
        process_wait(process);
        abort();
    case FAULT_STOP:
        world_sleep((int64_t)(300 + fault->chance / 2 % 900) * SECOND);
        return 0;
    case FAULT_EIO_:
        return EIO;
    case FAULT_ENOSPC_:
        world->full_until_ns = world->now_ns + 5 * SECOND;
        return ENOSPC;
    case FAULT_SHORT:
        return EINTR;
    case FAULT_STEP:
        world->wall_ns += step_of(fault->chance);
        world->stepped = true;
        return 0;
    case FAULT_SUSPEND:
        world_skip((int64_t)(60 + fault->chance % 1800) * SECOND);
        return 0;
    case FAULT_HOSTILE:
    case FAULT_OLD_LEDGER:
    case FAULT_OLD_PAGES:
    case FAULT_KINDS:
        return 0;
    }
    return 0;
}

int world_call(enum call_kind kind)
{
    struct world *world = the_world();
    int error = 0;

    if (!world->running || world->calm) return 0;
    world->steps++;
    world->running->calls++;
    world->now_ns += kind == CALL_SYNC ? 2 * MS : MS / 100;
    for (size_t i = 0; i < world->fault_count && !error; i++) {
        struct fault *fault = world->faults + i;

        if (!is_due(fault) || !is_concerned(fault, kind)) continue;
        if (fault->calls > 0)
            fault->calls--;
        else
            error = strike(world, fault);
    }
    if (!error && world->full_until_ns > world->now_ns && (kind == CALL_WRITE || kind == CALL_MAKE))
        error = ENOSPC;
    world_turn(world);
    return error;
}

void world_settle(void)
{
    struct world *world = the_world();
    struct chance chance;

    if (!world->crash_due) return;
    world->crash_due = false;
    chance_seed(&chance, world->seed, 1000 + ++world->crashes);
    vfs_drop(NULL);
    calls_drop(NULL);
    while (world->process_count) process_kill(world->processes[world->process_count - 1]);
    disk_crash(&world->disk, &chance);
    world_skip(world->crash_pause_ns);
    for (size_t i = 0; i < world->machine_count; i++) machine_boot(world->machines + i);
}
