#ifndef SOV_BASE_CHILD_H
#define SOV_BASE_CHILD_H
/*
 * One child process tree, from an argv vector to the last swept grandchild.
 * Owns: fork and exec, pipes, deadlines, ending the tree. The calling process is made a child
 * subreaper, so whatever the leader leaves behind becomes ours and is swept.
 * Not here: what the octets mean (providers/), where it may write.
 *
 * The child gets: argv as given (no shell, ever); exactly `environment`; descriptors 0 (a sealed
 * memfd of `input`), 1 and 2 (pipes), all others closed; a new session; default, unblocked signals;
 * umask 077; the working folder by fchdir; limits CORE=0, NOFILE=4096, FSIZE=1 GiB, CPU four times
 * the wall time. It gets KILL if the host dies.
 *
 * The calling process may have no other children: all that it has are taken for the tree's.
 */
#include "base/buf.h"
#include "base/file.h"
#include "base/seams.h"

struct sov_child_plan {
    const char *const *argv;         /* NULL-ended; argv[0] is shown to the child as it is */
    const char *path;                /* what is executed: as resolved by sov_child_resolve */
    struct sov_hash digest;          /* of the executable as resolved; compared again before exec */
    const char *const *environment;  /* "NAME=value", NULL-ended, nothing is inherited */
    const struct sov_folder *folder; /* working folder */
    struct sov_bytes input;
    int64_t wall_ms, idle_ms; /* monotonic; idle: without one octet on either pipe, 0: any time */
    size_t stdout_max;        /* more ends the tree */
    size_t stderr_keep;       /* first and last so many are kept, the middle counted and dropped */
    int64_t grace_ms;         /* from TERM to KILL; 0: SOV_CHILD_GRACE_MS */
};
enum { SOV_CHILD_GRACE_MS = 5000, SOV_CHILD_DRAIN_MS = 1000, SOV_CHILD_SWEEP_MS = 2000 };
enum sov_child_end {
    SOV_END_SELF,
    SOV_END_TIMEOUT,
    SOV_END_IDLE,
    SOV_END_OUTPUT,
    SOV_END_MALFORMED,
    SOV_END_SIGNAL,
    SOV_END_SPAWN
};
struct sov_child_result {
    enum sov_child_end ended_by;
    int exit_code;      /* -1 if it ended by a signal or never started */
    int signal;         /* 0 if it exited */
    int spawn_errno;    /* SOV_END_SPAWN only */
    unsigned swept;     /* descendants that outlived the leader and were ended */
    unsigned survivors; /* that could not be ended within 2 s */
    uint64_t stderr_dropped;
    int64_t duration_ms;
};
/* Called with each chunk of standard output as it comes; false ends the tree (SOV_END_MALFORMED).
 */
struct sov_child_sink {
    void *self;
    bool (*take)(void *self, struct sov_bytes chunk);
    /* Called at least every `tick_ms` while it runs (renewal); false ends the tree
     * (SOV_END_SIGNAL). */
    bool (*tick)(void *self);
    int64_t tick_ms;
};
/* Runs to the end: stdout and stderr whole (as kept) are left in the two buffers, which come empty
 * and with room for stdout_max and twice stderr_keep. False only if the tree could not be set up at
 * all (io_error); a failed exec is a result, and so is a program that is another one than was
 * resolved (ESTALE). A watched signal ends the tree (SOV_END_SIGNAL) and stays to be seen. The sink
 * and each of its functions may be NULL. */
SOV_MUST_USE bool sov_child_run(const struct sov_child_plan *plan,
                                const struct sov_child_sink *sink, struct sov_buf *stdout_buf,
                                struct sov_buf *stderr_buf, struct sov_child_result *result_out,
                                struct sov_error *err);
/* Finds a program: a path with '/' as it is, else in PATH /usr/local/bin:/usr/bin:/bin and
 * `folders`. Opens it, refuses what is no regular executable file, hashes it. The path is absolute.
 * Fails no_such_file (3), file_unsafe (4: a folder, not executable), too_large (2), io_error (7).
 */
SOV_MUST_USE bool sov_child_resolve(const char *name, const char *const *folders,
                                    struct sov_arena *arena, const char **path_out,
                                    struct sov_hash *digest_out, struct sov_error *err);
/* Who this process is: pid and start time in clock ticks since boot (/proc/self/stat). */
struct sov_process_id {
    int64_t pid, start;
};
SOV_MUST_USE bool sov_process_self(struct sov_process_id *id_out, struct sov_error *err);
/* Whoever has this pid now, ended ones left out; false if nobody has. */
bool sov_process_of(int64_t pid, struct sov_process_id *id_out);
/* True if a process of this pid and start time is there now. */
bool sov_process_is_alive(struct sov_process_id id);
/* True only if it is certain that there is none: no such pid, or another start time. What may not
 * be looked at is not gone. */
bool sov_process_is_gone(struct sov_process_id id);
/* INT and TERM are held back instead of ending the process at once (blocked, then asked of the
 * kernel as pending: no handler, no global); asked by long work and by runs. */
void sov_signals_watch(void);
int sov_signals_seen(void); /* 0, SIGINT or SIGTERM */
#endif
