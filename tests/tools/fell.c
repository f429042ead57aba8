/*
 * Kills a command at the entry of a system call, again and again, each time in a fresh copy of a
 * place, and tells apart the states that it leaves. A place is a folder with repo/ (where the
 * command runs) and home/ (its HOME); what the command says is kept in out and err beside them.
 *   fell trace PLACE -- COMMAND...            each call: its name, how many-th, its file, detail;
 *                                             those under /proc are not counted
 *   fell kill FROM PLACE KEPT -- COMMAND...   reads lines NAME N; each: NAME N RESULT STATE
 *   fell fast FROM PLACE KEPT -- COMMAND...   the same for a command that starts no other
 *   fell state PLACE                          the digest of a place, as in STATE
 * RESULT is killed, exit:N, signal:N, or survivors when a descendant outlives the command by two
 * seconds. The first time that a STATE is met its place is kept as KEPT/STATE. Two kills that left
 * the same octets, modes and names are one state: apart from what chance and the process gave,
 * which are the number in a temporary file's name, the nonce of a journal of SQLite, the checksums
 * that follow from it, all of a journal whose head says that it is over, and who held a lock last.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/ptrace.h>
#include <linux/seccomp.h>

#include "base/crypto.h"

enum { CALLS_MAX = 1024, PATH_SIZE = 4096, PATIENCE_MS = 2000, TRIES = 3 };

/* What the arguments of a call name: a descriptor, a path under one, a path, a target to be. */
enum kind { BARE, ON_FD, AT, ALONE, TARGET };
static const struct call {
    const char *name;
    unsigned number;
    enum kind kind;
} calls[] = {
#define ROW(name, kind) { #name, SYS_##name, kind },
    ROW(read, ON_FD)         ROW(write, ON_FD)       ROW(close, ON_FD)      ROW(fstat, ON_FD)
    ROW(lseek, ON_FD)        ROW(mmap, BARE)         ROW(mprotect, BARE)    ROW(munmap, BARE)
    ROW(brk, BARE)           ROW(pread64, ON_FD)     ROW(pwrite64, ON_FD)   ROW(readv, ON_FD)
    ROW(writev, ON_FD)       ROW(fcntl, ON_FD)       ROW(flock, ON_FD)      ROW(fsync, ON_FD)
    ROW(fdatasync, ON_FD)    ROW(ftruncate, ON_FD)   ROW(fallocate, ON_FD)  ROW(fchmod, ON_FD)
    ROW(fchown, ON_FD)       ROW(fstatfs, ON_FD)     ROW(getdents64, ON_FD) ROW(ioctl, ON_FD)
    ROW(openat, AT)          ROW(openat2, AT)        ROW(mkdirat, AT)       ROW(unlinkat, AT)
    ROW(newfstatat, AT)      ROW(statx, AT)          ROW(fchmodat, AT)      ROW(readlinkat, AT)
    ROW(faccessat, AT)       ROW(utimensat, AT)      ROW(renameat, TARGET)  ROW(renameat2, TARGET)
    ROW(linkat, TARGET)      ROW(chdir, ALONE)       ROW(statfs, ALONE)     ROW(getcwd, BARE)
    ROW(getpid, BARE)        ROW(geteuid, BARE)      ROW(getuid, BARE)      ROW(getrandom, BARE)
    ROW(clone, BARE)         ROW(clone3, BARE)       ROW(execve, BARE)      ROW(wait4, BARE)
    ROW(pipe2, BARE)         ROW(dup3, BARE)         ROW(socketpair, BARE)  ROW(kill, BARE)
    ROW(prctl, BARE)         ROW(rt_sigaction, BARE) ROW(ppoll, BARE)       ROW(exit_group, BARE)
    ROW(prlimit64, BARE)     ROW(rt_sigprocmask, BARE) ROW(clock_nanosleep, BARE)
#ifdef SYS_unlink
    ROW(unlink, ALONE)       ROW(open, ALONE)        ROW(access, ALONE)     ROW(rename, ALONE)
    ROW(mkdir, ALONE)        ROW(rmdir, ALONE)       ROW(readlink, ALONE)   ROW(poll, BARE)
    ROW(vfork, BARE)         ROW(fork, BARE)         ROW(arch_prctl, BARE)  ROW(pipe, BARE)
#endif
#undef ROW
};

static void die(const char *what)
{
    fprintf(stderr, "fell: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* ---- trees ---- */

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* A path of the tree below another root. */
static void elsewhere(const FTSENT *at, size_t skip, const char *root, char *path_out)
{
    if (snprintf(path_out, PATH_SIZE, "%s%s", root, at->fts_path + skip) >= PATH_SIZE)
        die("a path is too long");
}

/* Copies are dated: what still has that date, number and name is as it was copied. */
enum { DATED = 1, NOTES = 4096 };
struct notes {
    struct note {
        ino_t number;
        char path[200];
        bool hashed;
        struct sov_hash hash;
    } at[NOTES];
};

static struct note *note_of(struct notes *notes, const struct stat *facts)
{
    return notes ? &notes->at[facts->st_ino % NOTES] : NULL;
}

static void note_copy(struct notes *notes, int file, const char *path)
{
    const struct timespec dates[2] = { { .tv_sec = DATED }, { .tv_sec = DATED } };
    struct stat facts;
    struct note *note;

    if (futimens(file, dates) || fstat(file, &facts)) die(path);
    note = note_of(notes, &facts);
    *note = (struct note){ .number = facts.st_ino };
    snprintf(note->path, sizeof note->path, "%s", strlen(path) < sizeof note->path ? path : "");
}

/* The note of a file that nobody touched since it was copied, or NULL. */
static struct note *untouched(struct notes *notes, const struct stat *facts, const char *path)
{
    struct note *note = note_of(notes, facts);

    return note && facts->st_mtim.tv_sec == DATED && note->number == facts->st_ino &&
                   strcmp(note->path, path) == 0
               ? note
               : NULL;
}

static void copy_file(const FTSENT *at, const char *to, struct notes *notes, const char *path)
{
    int in = open(at->fts_accpath, O_RDONLY | O_CLOEXEC), out;
    const size_t most = 1u << 30;
    ssize_t n = 1;

    if (in < 0) die(at->fts_path);
    out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out < 0) die(to);
    while (n > 0) n = copy_file_range(in, NULL, out, NULL, most, 0);
    if (n < 0 || fchmod(out, at->fts_statp->st_mode & 07777)) die(to);
    note_copy(notes, out, path);
    close(in);
    close(out);
}

/* Adds to `to` what is missing there. */
static void copy_tree(const char *from, const char *to, struct notes *notes)
{
    char *const roots[] = { (char *)from, NULL };
    char path[PATH_SIZE], target[PATH_SIZE];
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    ssize_t size;

    for (FTSENT *at = walk ? fts_read(walk) : NULL; at; at = fts_read(walk)) {
        elsewhere(at, strlen(from), to, path);
        if (at->fts_info == FTS_D && mkdir(path, 0700) && errno != EEXIST) die(path);
        if (at->fts_info == FTS_DP && chmod(path, at->fts_statp->st_mode & 07777)) die(path);
        if (at->fts_info == FTS_F && access(path, F_OK))
            copy_file(at, path, notes, at->fts_path + strlen(from));
        if (at->fts_info != FTS_SL) continue;
        size = readlink(at->fts_accpath, target, sizeof target - 1);
        if (size < 0) die(at->fts_path);
        target[size] = 0;
        if (symlink(target, path)) die(path);
    }
    if (!walk || errno) die(from);
    fts_close(walk);
}

/* Removes from `place` all that is not as it was copied. */
static void remove_touched(const char *from, const char *place, struct notes *notes)
{
    char *const roots[] = { (char *)place, NULL };
    char path[PATH_SIZE];
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    struct stat facts;

    for (FTSENT *at = walk ? fts_read(walk) : NULL; at; at = fts_read(walk)) {
        elsewhere(at, strlen(place), from, path);
        if (at->fts_info == FTS_D) {
            (void)chmod(at->fts_accpath, 0700);
        } else if (at->fts_info == FTS_DP) {
            if (lstat(path, &facts) && rmdir(at->fts_accpath)) die(at->fts_path);
        } else if (at->fts_info != FTS_F || lstat(path, &facts) ||
                   facts.st_mode != at->fts_statp->st_mode ||
                   !untouched(notes, at->fts_statp, at->fts_path + strlen(place))) {
            if (unlink(at->fts_accpath)) die(at->fts_path);
        }
    }
    if (!walk) die(place);
    fts_close(walk);
}

/* A journal of SQLite: a sector with the nonce, then records of a number, a page and a checksum. */
enum { SECTOR = 512, NONCE = 12, CHECKSUM = 4, RECORD = 4 + 4096 + CHECKSUM };

static void forget_nonce(char *octets, size_t *size)
{
    static const char over[NONCE] = { 0 };

    if (*size < NONCE || memcmp(octets, over, NONCE) == 0) *size = 0;
    if (*size >= NONCE + CHECKSUM) memset(octets + NONCE, 0, CHECKSUM);
    for (size_t end = SECTOR + RECORD; end <= *size; end += RECORD)
        memset(octets + end - CHECKSUM, 0, CHECKSUM);
}

static void forget_chance(const char *name, char *octets, size_t *size)
{
    static const char journal[] = "-journal";
    size_t length = strlen(name), end = sizeof journal - 1;

    if (length > end && strcmp(name + length - end, journal) == 0) forget_nonce(octets, size);
}

static struct sov_hash hash_file(const FTSENT *at)
{
    struct sov_hash hash;
    size_t size = (size_t)at->fts_statp->st_size;
    char *octets = calloc(1, size + 1);
    int file = open(at->fts_accpath, O_RDONLY | O_CLOEXEC);

    if (file < 0 || !octets || read(file, octets, size + 1) != (ssize_t)size) die(at->fts_path);
    forget_chance(at->fts_name, octets, &size);
    hash = sov_sha256(sov_bytes(octets, size));
    free(octets);
    close(file);
    return hash;
}

static void add_file(struct sov_sha256 *sum, const FTSENT *at, struct notes *notes,
                     const char *path)
{
    struct note *note = untouched(notes, at->fts_statp, path);
    struct sov_hash hash = note && note->hashed ? note->hash : hash_file(at);

    sov_sha256_add(sum, sov_hash_bytes(&hash));
    if (!note) return;
    note->hash = hash;
    note->hashed = true;
}

/* The name without the number of the process that made it. */
static void add_name(struct sov_sha256 *sum, const char *name)
{
    static const char temporary[] = ".sov-tmp-";
    const char *found = strstr(name, temporary);
    size_t head = found ? (size_t)(found - name) + sizeof temporary - 1 : strlen(name);
    const char *tail = name + head;

    if (found) tail += strspn(tail, "0123456789");
    sov_sha256_add(sum, sov_bytes(name, head));
    sov_sha256_add(sum, sov_bytes(tail, strlen(tail) + 1));
}

static void state_of(const char *place, struct notes *notes, char text_out[SOV_HEX_HASH + 1])
{
    char *const roots[] = { (char *)place, NULL };
    char target[PATH_SIZE], facts[64];
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    struct sov_sha256 sum;
    struct sov_hash hash;
    ssize_t size;
    int n;

    sov_sha256_begin(&sum);
    for (FTSENT *at = walk ? fts_read(walk) : NULL; at; at = fts_read(walk)) {
        if (at->fts_info == FTS_DP) continue;
        add_name(&sum, at->fts_path + strlen(place));
        n = snprintf(facts, sizeof facts, "%o", at->fts_statp->st_mode);
        sov_sha256_add(&sum, sov_bytes(facts, (size_t)n + 1));
        if (at->fts_info == FTS_F) add_file(&sum, at, notes, at->fts_path + strlen(place));
        if (at->fts_info != FTS_SL) continue;
        size = readlink(at->fts_accpath, target, sizeof target);
        if (size < 0) die(at->fts_path);
        sov_sha256_add(&sum, sov_bytes(target, (size_t)size));
    }
    if (!walk || errno) die(place);
    fts_close(walk);
    hash = sov_sha256_end(&sum);
    sov_hex(sov_hash_bytes(&hash), text_out);
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

/* Stops at one call only; who is not traced may not make it, so this is for a lone process. */
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

/* The child stands before its first system call when this returns. */
static pid_t start(const char *place, char **command, const unsigned *only)
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
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || (only && !stop_at(*only))) _exit(125);
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
    return pid;
}

/* True at the entry of a call, with its number and arguments; false when the command has ended. */
static bool next_call(pid_t pid, int *status_out, struct ptrace_syscall_info *info_out)
{
    int signal = 0, status;

    for (;;) {
        if (ptrace(PTRACE_SYSCALL, pid, NULL, signal)) die("ptrace");
        if (waitpid(pid, &status, 0) != pid) die("waitpid");
        if (!WIFSTOPPED(status)) {
            *status_out = status;
            return false;
        }
        signal = WSTOPSIG(status) == (SIGTRAP | 0x80) ? 0 : WSTOPSIG(status);
        if (signal == SIGTRAP) signal = 0; /* execve */
        if (WSTOPSIG(status) != (SIGTRAP | 0x80)) continue;
        if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof *info_out, info_out) < 0) die("ptrace");
        if (info_out->op == PTRACE_SYSCALL_INFO_ENTRY) return true;
    }
}

static int64_t now_ms(void)
{
    struct timespec t = { 0 };

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Orphans come to us. Who is still there when patience ends is killed, and that is said. */
static bool outlived(void)
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

/* ---- the two tasks ---- */

static const struct call *called(uint64_t number)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == number) return &calls[i];
    return NULL;
}

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

/* How often the processes of the machine are looked at depends on who is there: not counted. */
static bool counts(pid_t pid, const struct call *call, const __u64 *args)
{
    char path[2 * PATH_SIZE];

    file_of(pid, call, args, path);
    return strncmp(path, "/proc", 5) != 0;
}

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

static int trace(const char *place, char **command)
{
    unsigned met[CALLS_MAX] = { 0 };
    struct ptrace_syscall_info info;
    int status;
    pid_t pid = start(place, command, NULL);

    while (next_call(pid, &status, &info)) {
        const struct call *call = called(info.entry.nr);
        unsigned n;

        if (!counts(pid, call, info.entry.args)) continue;
        n = info.entry.nr < CALLS_MAX ? ++met[info.entry.nr] : 0;
        if (call)
            printf("%s %u", call->name, n);
        else
            printf("call_%u %u", (unsigned)info.entry.nr, n);
        describe(pid, call, info.entry.args);
        putchar('\n');
    }
    if (outlived()) return 3;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static unsigned number_of(const char *name)
{
    static const char other[] = "call_";

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0) return calls[i].number;
    errno = EINVAL;
    if (strncmp(name, other, sizeof other - 1) != 0) die(name);
    return (unsigned)strtoul(name + sizeof other - 1, NULL, 10);
}

/* To the entry of the nth call of that number; false when the command has ended before. */
static bool reach(pid_t pid, unsigned number, unsigned n, int *status_out)
{
    struct ptrace_syscall_info info;
    unsigned met = 0;

    while (next_call(pid, status_out, &info))
        if (info.entry.nr == number && counts(pid, called(number), info.entry.args) && ++met == n)
            return true;
    return false;
}

static bool reach_fast(pid_t pid, unsigned number, unsigned n, int *status_out)
{
    struct ptrace_syscall_info info;
    int signal = 0, status;
    unsigned met = 0;

    for (;;) {
        if (ptrace(PTRACE_CONT, pid, NULL, signal)) die("ptrace");
        if (waitpid(pid, &status, 0) != pid) die("waitpid");
        if (!WIFSTOPPED(status)) {
            *status_out = status;
            return false;
        }
        /* An event is no signal, nor is the trap of an execve. */
        signal = status >> 16 || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
        if (status >> 16 != PTRACE_EVENT_SECCOMP) continue;
        if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) < 0) die("ptrace");
        if (counts(pid, called(number), info.seccomp.args) && ++met == n) return true;
    }
}

static bool killed(int status)
{
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static int kill_once(const char *place, unsigned number, unsigned n, char **command, bool fast)
{
    pid_t pid = start(place, command, fast ? &number : NULL);
    int status;

    if ((fast ? reach_fast(pid, number, n, &status) : reach(pid, number, n, &status)) &&
        (kill(pid, SIGKILL) || waitpid(pid, &status, 0) != pid))
        die("kill");
    return status;
}

static void say(const char *name, unsigned n, int status, bool late, const char *state)
{
    printf("%s %u ", name, n);
    if (late)
        printf("survivors");
    else if (killed(status))
        printf("killed");
    else if (WIFEXITED(status))
        printf("exit:%d", WEXITSTATUS(status));
    else
        printf("signal:%d", WTERMSIG(status));
    printf(" %s\n", state);
}

static int kills(const char *from, const char *place, const char *kept, char **command, bool fast)
{
    char name[64], state[SOV_HEX_HASH + 1], path[PATH_SIZE];
    struct notes *notes = calloc(1, sizeof *notes);
    bool late = false;
    unsigned n;

    if (!notes) die(place);
    while (scanf("%63s %u", name, &n) == 2) {
        int status = 0;

        /* One that waits for another process does not make the same calls each time. */
        for (int i = 0; i < TRIES && !late && !killed(status); i++) {
            if (access(place, F_OK) == 0) remove_touched(from, place, notes);
            copy_tree(from, place, notes);
            status = kill_once(place, number_of(name), n, command, fast);
            late = outlived();
        }
        state_of(place, notes, state);
        say(name, n, status, late, state);
        late = false;
        snprintf(path, sizeof path, "%s/%s", kept, state);
        if (access(path, F_OK) && rename(place, path)) die(path);
    }
    free(notes);
    return 0;
}

int main(int argc, char **argv)
{
    char text[SOV_HEX_HASH + 1];

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) die("prctl");
    if (argc > 4 && strcmp(argv[1], "trace") == 0) return trace(argv[2], argv + 4);
    if (argc > 6 && (strcmp(argv[1], "kill") == 0 || strcmp(argv[1], "fast") == 0))
        return kills(argv[2], argv[3], argv[4], argv + 6, argv[1][0] == 'f');
    if (argc != 3 || strcmp(argv[1], "state") != 0) {
        fputs("fell trace|kill|fast|state, see its head\n", stderr);
        return 2;
    }
    state_of(argv[2], NULL, text);
    puts(text);
    return 0;
}
