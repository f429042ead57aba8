#include "tests/traced/tracer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>

#include "tests/traced/place.h"

enum { CALLS_MAX = 1024, PATIENCE_MS = 2000 };

static const struct call calls[] = {
#define ROW(name, kind) { #name, SYS_##name, kind },
    ROW(read, ON_FD) ROW(write, ON_FD) ROW(close, ON_FD) ROW(fstat, ON_FD) ROW(lseek, ON_FD)
        ROW(mmap, BARE) ROW(mprotect, BARE) ROW(munmap, BARE) ROW(brk, BARE) ROW(pread64, ON_FD)
            ROW(pwrite64, ON_FD) ROW(readv, ON_FD) ROW(writev, ON_FD) ROW(fcntl, ON_FD)
                ROW(flock, ON_FD) ROW(fsync, ON_FD) ROW(fdatasync, ON_FD) ROW(ftruncate, ON_FD) ROW(
                    fallocate, ON_FD) ROW(fchmod, ON_FD) ROW(fchown, ON_FD) ROW(fstatfs, ON_FD)
                    ROW(getdents64, ON_FD) ROW(ioctl, ON_FD) ROW(openat, AT) ROW(openat2, AT)
                        ROW(mkdirat, AT) ROW(unlinkat, AT) ROW(newfstatat, AT) ROW(statx, AT) ROW(
                            fchmodat, AT) ROW(readlinkat, AT) ROW(faccessat, AT) ROW(utimensat, AT)
                            ROW(renameat, TARGET) ROW(renameat2, TARGET) ROW(linkat, TARGET) ROW(
                                chdir, ALONE) ROW(statfs, ALONE) ROW(getcwd, BARE) ROW(getpid, BARE)
                                ROW(geteuid, BARE) ROW(getuid, BARE) ROW(getrandom, BARE) ROW(
                                    clone, BARE) ROW(clone3, BARE) ROW(execve, BARE)
                                    ROW(wait4, BARE) ROW(pipe2, BARE) ROW(dup3, BARE)
                                        ROW(socketpair, BARE) ROW(kill, BARE) ROW(prctl, BARE) ROW(
                                            rt_sigaction, BARE) ROW(ppoll, BARE)
                                            ROW(exit_group, BARE) ROW(prlimit64, BARE)
                                                ROW(rt_sigprocmask, BARE) ROW(clock_nanosleep, BARE)
#ifdef SYS_unlink
                                                    ROW(unlink, ALONE) ROW(open, ALONE)
                                                        ROW(access, ALONE) ROW(rename, ALONE)
                                                            ROW(mkdir, ALONE) ROW(rmdir, ALONE)
                                                                ROW(readlink, ALONE) ROW(poll, BARE)
                                                                    ROW(vfork, BARE) ROW(fork, BARE)
                                                                        ROW(arch_prctl, BARE)
                                                                            ROW(pipe, BARE)
#endif
#undef ROW
};

const struct call *call_of(unsigned number)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == number) return &calls[i];
    return NULL;
}

unsigned call_number(const char *name)
{
    static const char other[] = "call_";

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0) return calls[i].number;
    errno = EINVAL;
    if (strncmp(name, other, sizeof other - 1) != 0) die(name);
    return (unsigned)strtoul(name + sizeof other - 1, NULL, 10);
}

/* ---- which file a call is about ---- */

static void peek(pid_t pid, uint64_t from, void *to, size_t size)
{
    struct iovec ours = { to, size }, theirs = { (void *)(uintptr_t)from, size };

    memset(to, 0, size);
    if (!from) return;
    /* A string at the end of a page: what can be read is enough. */
    while (process_vm_readv(pid, &ours, 1, &theirs, 1, 0) < 0 && theirs.iov_len > 64)
        theirs.iov_len /= 2;
}

static void link_of(pid_t pid, uint64_t number, char *path_out)
{
    char name[64];
    ssize_t size;

    if ((int)number == AT_FDCWD)
        snprintf(name, sizeof name, "/proc/%d/cwd", (int)pid);
    else
        snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)pid, (int)number);
    size = readlink(name, path_out, PATH_SIZE - 1);
    path_out[size < 0 ? 0 : size] = 0;
}

static void file_of(pid_t pid, const struct call *call, const __u64 *args, char *path_out)
{
    char place[PATH_SIZE] = "", name[256] = "";
    size_t at = call && call->kind == TARGET ? 2 : 0;

    if (call && call->kind != BARE && call->kind != ALONE) link_of(pid, args[at], place);
    if (call && (call->kind == AT || call->kind == TARGET))
        peek(pid, args[at + 1], name, sizeof name - 1);
    if (call && call->kind == ALONE) peek(pid, args[0], name, sizeof name - 1);
    if (name[0] == '/' || !place[0])
        snprintf(path_out, PATH_SIZE, "%s", name[0] ? name : "-");
    else
        snprintf(path_out, 2 * PATH_SIZE, "%s%s%s", place, name[0] ? "/" : "", name);
}

static bool counts(pid_t pid, const struct call *call, const __u64 *args)
{
    static const char *const others[] = { "/proc", "/lib/", "/lib64/", "/usr/lib/", "/etc/ld.so" };
    char path[2 * PATH_SIZE];

    file_of(pid, call, args, path);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(path, others[i], strlen(others[i])) == 0) return false;
    return true;
}

/* ---- one run of the command ---- */

static int output(const char *place, const char *name)
{
    char path[PATH_SIZE];
    int file;

    snprintf(path, sizeof path, "%s/%s", place, name);
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) die(path);
    return file;
}

static bool stop_at(unsigned number)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof steps / sizeof *steps, steps };

    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

struct traced traced_start(const char *place, char **command, bool fast, unsigned number)
{
    char here[PATH_SIZE] = "", path[2 * PATH_SIZE];
    int out = output(place, "out"), err = output(place, "err"), status;
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    pid_t pid = fork();

    if (pid < 0) die("fork");
    if (place[0] != '/' && !getcwd(here, sizeof here)) die(place);
    if (pid == 0) {
        if (dup2(none, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
        snprintf(path, sizeof path, "%s/%s/home", here, place);
        if (setenv("HOME", path, 1)) _exit(126);
        snprintf(path, sizeof path, "%s/%s/repo", here, place);
        if (chdir(path) || setenv("PWD", path, 1)) _exit(126);
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || (fast && !stop_at(number))) _exit(125);
        execvp(command[0], command);
        _exit(127);
    }
    close(none);
    close(out);
    close(err);
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status)) die("the command cannot be traced");
    if (ptrace(PTRACE_SETOPTIONS, pid, NULL,
               PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP))
        die("ptrace");
    return (struct traced){ .pid = pid, .number = number, .fast = fast };
}

/* On to the next stop; false when the command has ended or the alarm came. */
static bool go_on(struct traced *self, int how)
{
    int signal = 0, status;

    for (;;) {
        if (ptrace(how, self->pid, NULL, signal)) die("ptrace");
        if (waitpid(self->pid, &status, 0) != self->pid) {
            if (errno != EINTR) die("waitpid");
            traced_kill(self);
            return false;
        }
        self->status = status;
        if (!WIFSTOPPED(status)) return false;
        /* A stop at a call and an event are no signals, nor is the trap of an execve. */
        if (WSTOPSIG(status) == (SIGTRAP | 0x80) || status >> 16 == PTRACE_EVENT_SECCOMP)
            return true;
        signal = status >> 16 || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    }
}

bool traced_next(struct traced *self, struct ptrace_syscall_info *info_out)
{
    while (go_on(self, self->fast ? PTRACE_CONT : PTRACE_SYSCALL)) {
        if (ptrace(PTRACE_GET_SYSCALL_INFO, self->pid, sizeof *info_out, info_out) < 0)
            die("ptrace");
        /* Number and arguments stand at the same place in both. */
        if (info_out->op == PTRACE_SYSCALL_INFO_EXIT) continue;
        if (counts(self->pid, call_of((unsigned)info_out->entry.nr), info_out->entry.args))
            return true;
    }
    return false;
}

bool traced_reach(struct traced *self, unsigned number, struct ptrace_syscall_info *info_out)
{
    while (traced_next(self, info_out))
        if (info_out->entry.nr == number) return true;
    return false;
}

bool traced_leave(struct traced *self)
{
    return go_on(self, PTRACE_SYSCALL);
}

void traced_kill(struct traced *self)
{
    if (kill(self->pid, SIGKILL) || waitpid(self->pid, &self->status, 0) != self->pid) die("kill");
}

static int64_t now_ms(void)
{
    struct timespec t = { 0 };

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool traced_outlived(void)
{
    const struct timespec moment = { .tv_nsec = 1000000 };
    int64_t until = now_ms() + PATIENCE_MS;
    bool late = false;
    char path[64];
    long pid;

    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    for (;;) {
        pid_t ended = waitpid(-1, NULL, WNOHANG);

        if (ended < 0) return late;
        if (ended > 0) continue;
        if (now_ms() > until) {
            FILE *list = fopen(path, "r");

            late = true;
            while (list && fscanf(list, "%ld", &pid) == 1) kill((pid_t)pid, SIGKILL);
            if (list) fclose(list);
        }
        nanosleep(&moment, NULL);
    }
}

/* ---- what a command does ---- */

static void describe(pid_t pid, const struct call *call, const __u64 *args)
{
    char path[2 * PATH_SIZE];
    struct open_how how = { 0 };

    file_of(pid, call, args, path);
    printf(" %s", path);
    if (!call) return;
    if (call->number == SYS_fcntl)
        printf(" %s", args[1] == F_SETLK || args[1] == F_SETLKW || args[1] == F_OFD_SETLK ||
                              args[1] == F_OFD_SETLKW
                          ? "lock"
                          : "ask");
    if (call->number == SYS_flock) printf(" %s", args[1] & LOCK_UN ? "unlock" : "lock");
    if (call->number == SYS_pwrite64)
        printf(" %llu+%llu", (unsigned long long)args[3], (unsigned long long)args[2]);
    if (call->number == SYS_openat) how.flags = args[2];
    if (call->number == SYS_openat2) peek(pid, args[2], &how, sizeof how);
    if (call->number == SYS_openat || call->number == SYS_openat2)
        printf(" %s", how.flags & (O_CREAT | O_TRUNC)   ? "create"
                      : how.flags & (O_WRONLY | O_RDWR) ? "write"
                                                        : "read");
}

int trace(const char *place, char **command)
{
    unsigned met[CALLS_MAX] = { 0 };
    struct ptrace_syscall_info info;
    struct traced run = traced_start(place, command, false, 0);

    while (traced_next(&run, &info)) {
        const struct call *call = call_of((unsigned)info.entry.nr);
        unsigned n = info.entry.nr < CALLS_MAX ? ++met[info.entry.nr] : 0;

        if (call)
            printf("%s %u", call->name, n);
        else
            printf("call_%u %u", (unsigned)info.entry.nr, n);
        describe(run.pid, call, info.entry.args);
        putchar('\n');
    }
    if (traced_outlived()) return 3;
    return WIFEXITED(run.status) ? WEXITSTATUS(run.status) : 128 + WTERMSIG(run.status);
}
