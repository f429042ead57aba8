#include "base/keeper.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/seams.h"

enum { STAT_SIZE = 1024, OPEN_FILES = 4096, SWEEP_STEP_MS = 5 };
#define FILE_SIZE (INT64_C(1) << 30)

/* ---- what /proc/PID/stat says ---- */

struct process {
    int64_t pid, parent, group, start;
    bool ended; /* waits to be reaped */
};

/* "pid (name) state ppid pgrp ... starttime": the name may hold anything, also ") R 1". */
static bool process_parse(char *text, struct process *process_out)
{
    struct process p = { 0 };
    char *at = strrchr(text, ')'), *end;

    if (!at || at[1] != ' ' || at[2] == '\0') return false;
    p.pid = strtoll(text, NULL, 10);
    p.ended = at[2] == 'Z' || at[2] == 'X';
    at += 3;
    for (int field = 4; field <= 22; field++, at = end) {
        int64_t n = strtoll(at, &end, 10);

        if (end == at) return false;
        if (field == 4) p.parent = n;
        if (field == 5) p.group = n;
        if (field == 22) p.start = n;
    }
    *process_out = p;
    return true;
}

static bool process_read(const char *name, struct process *process_out)
{
    char path[64], text[STAT_SIZE];
    ssize_t n;
    int fd;

    (void)snprintf(path, sizeof path, "/proc/%.20s/stat", name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    n = read(fd, text, sizeof text - 1);
    (void)close(fd);
    if (n <= 0) return false;
    text[n] = '\0';
    return process_parse(text, process_out);
}

/* Steps through all processes that are seen; those that vanish meanwhile are left out. */
static bool process_next(DIR *proc, struct process *process_out)
{
    struct dirent *entry;

    while ((entry = readdir(proc)))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            process_read(entry->d_name, process_out))
            return true;
    return false;
}

bool sov_process_self(struct sov_process_id *id_out, struct sov_error *err)
{
    struct process p;

    assert(id_out && err);
    if (!process_read("self", &p))
        return sov_fail(err, SOV_UNABLE, "io_error", "/proc/self/stat cannot be read");
    *id_out = (struct sov_process_id){ p.pid, p.start };
    return true;
}

bool sov_process_of(int64_t pid, struct sov_process_id *id_out)
{
    struct process p;
    char name[24];

    assert(id_out);
    if (pid <= 0) return false;
    (void)snprintf(name, sizeof name, "%lld", (long long)pid);
    if (!process_read(name, &p) || p.ended) return false;
    *id_out = (struct sov_process_id){ p.pid, p.start };
    return true;
}

bool sov_process_is_alive(struct sov_process_id id)
{
    struct sov_process_id now;

    return sov_process_of(id.pid, &now) && now.start == id.start;
}

bool sov_process_is_gone(struct sov_process_id id)
{
    struct process p;
    char name[24];
    bool gone;
    int fd;

    if (id.pid <= 0 || id.pid > INT32_MAX) return false;
    fd = pidfd_open((pid_t)id.pid, 0);
    if (fd < 0) return errno == ESRCH;
    (void)snprintf(name, sizeof name, "%lld", (long long)id.pid);
    /* What /proc hides from this user is there, and is not gone. */
    gone = process_read(name, &p) && (p.ended || p.start != id.start);
    (void)close(fd);
    return gone;
}

bool sov_process_end(struct sov_process_id id)
{
    bool sent;
    int fd;

    if (id.pid <= 0 || id.pid > INT32_MAX) return false;
    fd = pidfd_open((pid_t)id.pid, 0);
    if (fd < 0) return false;
    /* Looked at after it is held: from here on the number cannot come to mean another. */
    sent = sov_process_is_alive(id) && pidfd_send_signal(fd, SIGKILL, NULL, 0) == 0;
    (void)close(fd);
    return sent;
}

/* ---- the parent's side ---- */

bool sov_keeper_adopt(struct sov_error *err)
{
    struct sigaction plain = { .sa_handler = SIG_DFL };
    siginfo_t info;

    assert(err);
    /* An inherited SIG_IGN would let the kernel reap them, and the exit status would be lost. */
    if (sigaction(SIGCHLD, &plain, NULL) != 0 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
        return sov_fail(err, SOV_UNABLE, "io_error", "cannot adopt processes: %s", strerror(errno));
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD)
        return sov_fail(err, SOV_UNABLE, "io_error",
                        "this process has children already, which a sweep would end");
    return true;
}

void sov_keeper_signal(pid_t leader, int number)
{
    assert(leader > 1);
    (void)kill(-leader, number);
}

bool sov_keeper_group_runs(pid_t leader)
{
    struct process p;
    bool runs = false;
    DIR *proc = opendir("/proc");

    while (proc && !runs && process_next(proc, &p)) runs = p.group == leader && !p.ended;
    if (proc) (void)closedir(proc);
    return runs;
}

unsigned sov_keeper_reap(pid_t leader)
{
    struct process p;
    unsigned reaped = 0;
    DIR *proc = opendir("/proc");

    while (proc && process_next(proc, &p)) {
        siginfo_t info = { 0 };

        if (p.parent != getpid() || p.pid == leader || !p.ended) continue;
        if (waitid(P_PID, (id_t)p.pid, &info, WEXITED | WNOHANG) == 0 && info.si_pid) reaped++;
    }
    if (proc) (void)closedir(proc);
    return reaped;
}

/* KILL to each child that runs; how many were seen. */
static unsigned children_end(void)
{
    struct process p;
    unsigned seen = 0;
    DIR *proc = opendir("/proc");

    while (proc && process_next(proc, &p)) {
        int fd;

        if (p.parent != getpid() || p.ended) continue;
        seen++;
        fd = pidfd_open((pid_t)p.pid, 0);
        if (fd < 0) continue;
        (void)pidfd_send_signal(fd, SIGKILL, NULL, 0);
        (void)close(fd);
    }
    if (proc) (void)closedir(proc);
    return seen;
}

void sov_keeper_sweep(int64_t limit_ms, unsigned *swept_out, unsigned *survivors_out)
{
    int64_t until = sov_monotonic_ms() + limit_ms;
    unsigned swept = 0, seen;

    assert(swept_out && survivors_out);
    for (;;) {
        siginfo_t info = { 0 };

        seen = children_end();
        while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG) == 0 && info.si_pid) {
            swept++;
            info.si_pid = 0;
        }
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD) {
            seen = 0;
            break;
        }
        if (sov_monotonic_ms() >= until) {
            seen = children_end();
            /* Children that /proc does not show are still children. */
            if (seen == 0) seen = 1;
            break;
        }
        (void)poll(NULL, 0, SWEEP_STEP_MS);
    }
    *swept_out += swept;
    *survivors_out = seen;
}

/* ---- signals ---- */

static const int watched[] = { SIGINT, SIGTERM };
enum { WATCHED_COUNT = sizeof watched / sizeof *watched };

void sov_signals_watch(void)
{
    sigset_t set;

    (void)sigemptyset(&set);
    for (size_t i = 0; i < WATCHED_COUNT; i++) {
        struct sigaction now;

        /* Who started us with it ignored (nohup, a shell's background job) wants it ignored: a
         * blocked signal would be kept as pending even so. */
        if (sigaction(watched[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            (void)sigaddset(&set, watched[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
}

int sov_signals_seen(void)
{
    sigset_t set;

    if (sigpending(&set) != 0) return 0;
    for (size_t i = 0; i < WATCHED_COUNT; i++)
        if (sigismember(&set, watched[i]) == 1) return watched[i];
    return 0;
}

int sov_signals_descriptor(void)
{
    sigset_t set;

    (void)sigemptyset(&set);
    for (size_t i = 0; i < WATCHED_COUNT; i++) (void)sigaddset(&set, watched[i]);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* ---- the child's side ---- */

static bool limit_set(int which, int64_t n)
{
    struct rlimit limit;

    if (getrlimit((__rlimit_resource_t)which, &limit) != 0) return false;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > (rlim_t)n) limit.rlim_max = (rlim_t)n;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit((__rlimit_resource_t)which, &limit) == 0;
}

static bool descriptors_close(void)
{
    int first = STDERR_FILENO + 1;

    if (close_range((unsigned)first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return true;
    if (errno != ENOSYS && errno != EINVAL) return false;
    for (int64_t fd = first, end = sysconf(_SC_OPEN_MAX); fd < end; fd++)
        (void)fcntl((int)fd, F_SETFD, FD_CLOEXEC); /* not open: nothing to close */
    return true;
}

static bool signals_default(void)
{
    struct sigaction plain = { .sa_handler = SIG_DFL };
    sigset_t none;

    for (int number = 1; number < _NSIG; number++)
        (void)sigaction(number, &plain, NULL); /* KILL, STOP and the library's own refuse */
    return sigemptyset(&none) == 0 && sigprocmask(SIG_SETMASK, &none, NULL) == 0;
}

static bool child_prepare(const struct sov_keeper_start *start)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return false;
    if (getppid() != start->parent) {
        errno = ESRCH; /* it ended before the line above could hold */
        return false;
    }
    (void)umask(077);
    return fchdir(start->folder) == 0 && setsid() >= 0 &&
           dup2(start->input, STDIN_FILENO) == STDIN_FILENO &&
           dup2(start->output, STDOUT_FILENO) == STDOUT_FILENO &&
           dup2(start->error, STDERR_FILENO) == STDERR_FILENO && descriptors_close() &&
           limit_set(RLIMIT_CORE, 0) && limit_set(RLIMIT_NOFILE, OPEN_FILES) &&
           limit_set(RLIMIT_FSIZE, FILE_SIZE) && limit_set(RLIMIT_CPU, start->cpu_s) &&
           signals_default();
}

_Noreturn void sov_keeper_exec(const struct sov_keeper_start *start)
{
    /* exec does not write to what these lead to; the library's types are older than const. */
    char *const *argv = (char *const *)(uintptr_t)start->argv;
    char *const *environment = (char *const *)(uintptr_t)start->environment;
    int error;

    if (child_prepare(start)) {
        if (!start->program->is_script)
            (void)execveat(start->program->fd, "", argv, environment, AT_EMPTY_PATH);
        else if (sov_program_is_at(start->program, start->path))
            (void)execve(start->path, argv, environment);
        else
            errno = ESTALE;
    }
    error = errno;
    while (write(start->status, &error, sizeof error) < 0 && errno == EINTR) continue;
    _exit(127);
}
