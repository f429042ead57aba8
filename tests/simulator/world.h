#ifndef SOV_SIMULATOR_WORLD_H
#define SOV_SIMULATOR_WORLD_H
/*
 * The world of one seed: a disk, a clock, processes that are fibers of this thread, and the faults
 * that are due. Every call of the system that the program makes ends here (calls.c, vfs.c,
 * host.c); each is a place where another process may go on. Owns: time, whose turn it is, what a
 * fault does. Not here: who starts what (load.c), what must hold (oracle.c).
 */
#include <stdio.h>
#include <ucontext.h>

#include "base/seams.h"
#include "tests/simulator/disk.h"

#define FAULTS(X)                                                                                  \
    X(KILL, "kill")             /* one process dies at its next call */                            \
    X(CRASH, "crash")           /* the machine dies: what was not synced is drawn */               \
    X(REBOOT, "reboot")         /* the same, and an hour passes */                                 \
    X(EIO_, "eio")              /* a file call fails */                                            \
    X(ENOSPC_, "enospc")        /* a call that makes files longer fails, for some calls */         \
    X(SHORT, "short")           /* a write takes a part */                                         \
    X(STEP, "step")             /* the wall clock jumps */                                         \
    X(SUSPEND, "suspend")       /* all sleep for minutes */                                        \
    X(STOP, "stop")             /* one actor sleeps in the middle of a process */                  \
    X(HOSTILE, "hostile")       /* the next words of an actor hold what no page may show */        \
    X(OLD_LEDGER, "old-ledger") /* somebody puts the file back as it once stood */                 \
    X(OLD_PAGES, "old-pages")   /* the same with governance/, or with one page */
enum fault_kind {
#define X(name, word) FAULT_##name,
    FAULTS(X)
#undef X
        FAULT_KINDS
};
struct fault {
    enum fault_kind kind;
    int64_t at_ns;   /* from the beginning on */
    uint64_t chance; /* whatever else it must draw */
    unsigned calls;  /* that it lets pass once its time has come */
    bool removed, fired;
};

enum { SIM_MACHINES = 2, SIM_BOOTS = 64 };
/* Two that have the disk in common, each with clocks, boots and process numbers of its own. */
struct machine {
    int64_t ahead_ns;           /* of the other's wall clock */
    int64_t boot_ns[SIM_BOOTS]; /* when each of its boots began */
    unsigned boots;             /* the newest is the last of them */
    pid_t pids;
};

enum { SIM_FD = 1000, SIM_FDS = 512, SIM_PROCESSES = 64, SIM_FAULTS = 64, SIM_ARGS = 64 };

enum process_state { PROCESS_READY, PROCESS_ASLEEP, PROCESS_ENDED };
struct actor;
struct process {
    pid_t pid; /* unique on its machine */
    unsigned machine;
    enum process_state state;
    struct actor *actor; /* whose it is; NULL: the harness's own */
    int64_t wake_ns, born_ns;
    bool doomed; /* dies at its next call */
    bool dead;   /* the fence that it was given was live no more when it was born */
    unsigned calls;
    int argc, exit;
    char *argv[SIM_ARGS + 1];
    const char *input; /* standard input */
    size_t input_at;
    struct disk_node *folder; /* working folder, and its path */
    char cwd[256];
    char *text[3]; /* what it wrote on 1 and 2 */
    size_t size[3];
    int64_t committed, first_seq, last_seq; /* events that it committed */
    uint64_t agent;                         /* what its child does when it starts one */
    ucontext_t context;
    void *stack;
};
struct descriptor {
    bool open;
    struct disk_node *node;
    size_t offset;
    const struct process *owner;
};

struct world {
    uint64_t seed, steps, switches;
    struct chance turns, load, octets; /* scheduling; commands; what the program draws */
    struct chance places;              /* which machine a process is on */
    struct disk disk;
    int64_t now_ns, wall_ns; /* since the beginning; what the wall clock is ahead of it */
    int64_t skipped_ns;      /* while everything stood still */
    struct machine machines[SIM_MACHINES];
    unsigned machine_count, crashes;
    struct process *processes[SIM_PROCESSES];
    size_t process_count;
    struct process *running;
    ucontext_t loop;
    struct descriptor descriptors[SIM_FDS];
    uint64_t change_points[5];
    uint64_t priority[SIM_PROCESSES];
    bool by_priority;
    unsigned calm; /* neither faults nor turns */
    struct fault faults[SIM_FAULTS];
    size_t fault_count;
    int64_t full_until_ns;           /* no room is left */
    bool apart;                      /* each machine sees its own locks alone */
    bool strangers;                  /* each has a home of its own, and no reader follows the log */
    bool crash_due, stepped, failed; /* stepped: a wall clock was set */
    int64_t crash_pause_ns;
    FILE *trace;
    struct sov_seams seams;
};
/* There is one: the C library's calls have no handle of ours. */
struct world *the_world(void);

struct disk_lock *world_lock(struct disk_node *node, const struct process *process);
void world_begin(struct world *world, uint64_t seed);
void machine_boot(struct machine *machine); /* it begins anew, now */
/* A fault of this kind whose time has come and that has not fired: it fires now. */
struct fault *world_fault(enum fault_kind kind);
const char *fault_word(enum fault_kind kind);
/* One call of the system: time passes, a fault may fire, another process may go on. 0, or the errno
 * that it fails with. */
enum call_kind { CALL_LOOK, CALL_READ, CALL_WRITE, CALL_MAKE, CALL_SYNC, CALL_LOCK, CALL_OTHER };
int world_call(enum call_kind kind);
void world_sleep(int64_t ns);
void world_skip(int64_t ns);                          /* everything stands still */
void world_turn(struct world *world);                 /* maybe another process goes on */
void process_wait(struct process *process);           /* back to the loop, until it goes on */
int64_t world_wall_ns(const struct process *process); /* of its machine; NULL: of the first */
int64_t world_age_ns(void); /* without what was skipped: faults and the end of a run count by it */

/* A process that will run sov with these words; they are copied. */
struct process *process_new(struct actor *actor, const char *const *argv, const char *input);
/* Runs until it ends, or until something else is to be done. */
void process_go_on(struct process *process);
void process_kill(struct process *process); /* its locks and descriptors go with it */
void process_free(struct process *process);
/* By itself and undisturbed, to its end; the exit status. Its words stay in the process. */
int process_alone(struct process *process);
/* Of those that are ready, the one whose turn it is; NULL: all sleep or none is there. */
struct process *world_next(void);
int64_t world_first_timer(void); /* INT64_MAX: none */
/* What the calls left to be done outside of any process: the end of one, of all. */
void world_settle(void);
void world_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* An oracle's verdict: said with the seed and the step, and the run is over. */
void world_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* vfs.c */
void vfs_register(void);
void vfs_drop(const struct process *process); /* NULL: of all */
/* calls.c */
void calls_drop(const struct process *process);
/* oracle.c: the database has just come out of a write. */
void oracle_looked_at(struct process *process);
#endif
