#ifndef SOV_BASE_KEEPER_H
#define SOV_BASE_KEEPER_H
/*
 * Keeping a process tree: adopting what it orphans, starting its leader, signalling and sweeping
 * it. Owns: the child's side between fork and exec, the subreaper, every signal that is sent. Not
 * here: pipes, deadlines and when a tree is ended (child.h), which program (program.h).
 *
 * A number is signalled only while it cannot have been given to another process: a group while its
 * leader is unreaped, a child because nobody else reaps it, any other through a pidfd whose start
 * time was compared after it was opened.
 */
#include <sys/types.h>

#include "base/child.h"
#include "base/program.h"

/* Makes the calling process a subreaper with the default SIGCHLD. Fails io_error if it has children
 * already: the sweep could not tell them from those of the tree. */
SOV_MUST_USE bool sov_keeper_adopt(struct sov_error *err);

struct sov_keeper_start {
    const struct sov_program *program;
    const char *path;
    const char *const *argv, *const *environment;
    int folder, input, output, error; /* descriptors; the last three become 0, 1 and 2 */
    int status;                       /* close-on-exec: gets an int, the errno of what failed */
    int64_t cpu_s;
    pid_t parent;
};
/* The child's side: never returns. Only calls that are safe after fork. */
_Noreturn void sov_keeper_exec(const struct sov_keeper_start *start);

/* To the whole group of a leader that was not reaped yet. */
void sov_keeper_signal(pid_t leader, int number);
/* A process of the group runs: one that ended and was not reaped does not count. */
bool sov_keeper_group_runs(pid_t leader);
/* Reaps every ended child except the leader; how many. */
unsigned sov_keeper_reap(pid_t leader);
/* KILL to every child until there is none, at most limit_ms. To *swept_out is added how many ended,
 * *survivors_out is how many did not. */
void sov_keeper_sweep(int64_t limit_ms, unsigned *swept_out, unsigned *survivors_out);

/* KILL, if exactly this process is there; true if it was sent. */
bool sov_process_end(struct sov_process_id id);

/* Readable while a watched signal is pending (for poll: it is never read); -1 on failure. */
int sov_signals_descriptor(void);
#endif
