/*
 * Makes a system call of a command fail, again and again, each time in a fresh copy of a place
 * (traced/place.h), and tells apart what it leaves and what it says.
 *   inject trace PLACE -- COMMAND...            each call: its name, how many-th, its file, detail
 *   inject slow FROM PLACE KEPT -- COMMAND...   reads lines NAME N HOW FAULT; each is repeated
 *                                               with FIRED RESULT STATE WORDS behind it
 *   inject fast FROM PLACE KEPT -- COMMAND...   the same for a command that starts no other
 * HOW is once, ever (that call and each later one of the name) or late (it is done, and then said
 * to have failed). FAULT is an errno by its name, or short: half of what was to be read or written.
 * A close is always late: the descriptor is gone, whatever it says. Nothing is interrupted for
 * ever, so that ends after some times; and an ever that began elsewhere spares out and err.
 * FIRED counts what was done. RESULT is exit:N, signal:N, hang when a minute was not enough, or
 * survivors when a descendant outlives the command by two seconds. The first time that a STATE or
 * WORDS are met they are kept as KEPT/STATE, and as KEPT/WORDS.out and .err.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/traced/place.h"
#include "tests/traced/tracer.h"

enum { SECONDS = 60, INTERRUPTIONS = 20, FIRED_MAX = 20000, SHORT = -1 };

struct fault {
    char call[64], how[8], name[16];
    unsigned number, n, fired;
    int error; /* an errno, or SHORT */
};

static int error_of(const char *name)
{
    static const struct {
        const char *name;
        int number;
    } known[] = {
#define ROW(name) { #name, name },
        ROW(EIO) ROW(ENOSPC) ROW(EDQUOT) ROW(EINTR) ROW(EAGAIN) ROW(ENOMEM) ROW(EROFS) ROW(EMFILE)
            ROW(ESTALE) ROW(EACCES) ROW(EFBIG) ROW(ENOENT)
#undef ROW
                { "short", SHORT },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) return known[i].number;
    errno = EINVAL;
    die(name);
    return 0;
}

/* ---- what only this machine's registers can do ---- */

#ifdef __x86_64__
static void change(pid_t pid, int error, bool skipped)
{
    struct user_regs_struct all;

    if (ptrace(PTRACE_GETREGS, pid, NULL, &all)) die("registers");
    if (error == SHORT) {
        all.rdx -= all.rdx / 2;
    } else {
        all.rax = (unsigned long long)-(long long)error;
        if (skipped) all.orig_rax = (unsigned long long)-1;
    }
    if (ptrace(PTRACE_SETREGS, pid, NULL, &all)) die("registers");
}
static const bool known_machine = true;
#else
static void change(pid_t pid, int error, bool skipped)
{
    (void)pid, (void)error, (void)skipped;
}
static const bool known_machine = false;
#endif

/* ---- one run ---- */

static bool is_said(const struct traced *run, const struct ptrace_syscall_info *info)
{
    const struct call *call = call_of((unsigned)info->entry.nr);

    (void)run;
    return call && call->kind == ON_FD && (info->entry.args[0] == 1 || info->entry.args[0] == 2);
}

/* False when the command has ended of it. */
static bool fire(struct traced *run, struct fault *fault, const struct ptrace_syscall_info *info)
{
    if (fault->error == SHORT && info->entry.args[2] < 2) return true;
    fault->fired++;
    if (fault->error != SHORT && (info->entry.nr == SYS_close || strcmp(fault->how, "late") == 0)) {
        if (!traced_leave(run)) return false;
        change(run->pid, fault->error, false);
    } else {
        change(run->pid, fault->error, true);
    }
    return true;
}

static bool is_over(const struct fault *fault)
{
    return fault->fired && (strcmp(fault->how, "ever") != 0 ||
                            (fault->error == EINTR && fault->fired >= INTERRUPTIONS));
}

static int run_once(const char *place, struct fault *fault, char **command, bool fast)
{
    struct traced run = traced_start(place, command, fast, fault->number);
    struct ptrace_syscall_info info;
    bool with_words = false;

    (void)alarm(SECONDS);
    for (unsigned met = 0; traced_reach(&run, fault->number, &info);) {
        if (++met < fault->n || is_over(fault)) continue;
        if (met == fault->n) with_words = is_said(&run, &info);
        if (is_said(&run, &info) && !with_words) continue;
        if (!fire(&run, fault, &info)) break;
        if (fault->fired > FIRED_MAX) {
            traced_kill(&run);
            break;
        }
    }
    (void)alarm(0);
    return run.status;
}

static void say(const struct fault *fault, int status, bool late)
{
    printf("%s %u %s %s %u ", fault->call, fault->n, fault->how, fault->name, fault->fired);
    if (late)
        printf("survivors");
    else if (WIFEXITED(status))
        printf("exit:%d", WEXITSTATUS(status));
    else if (WTERMSIG(status) == SIGKILL) /* by us alone */
        printf("hang");
    else
        printf("signal:%d", WTERMSIG(status));
}

static void keep_word(const char *place, const char *name, const char *kept, const char *words)
{
    char from[PATH_SIZE], to[PATH_SIZE];

    snprintf(from, sizeof from, "%s/%s", place, name);
    snprintf(to, sizeof to, "%s/%s.%s", kept, words, name);
    if (access(to, F_OK) && link(from, to)) die(to);
}

static void keep(const char *place, const char *kept, const char *words, const char *state)
{
    char path[PATH_SIZE];

    keep_word(place, "out", kept, words);
    keep_word(place, "err", kept, words);
    snprintf(path, sizeof path, "%s/%s", kept, state);
    if (access(path, F_OK) && rename(place, path)) die(path);
}

static int injections(const char *from, const char *place, const char *kept, char **command,
                      bool fast)
{
    char state[SOV_HEX_HASH + 1], words[17];
    struct notes *notes = notes_new();
    struct fault fault = { .n = 0 };
    int got;

    while ((got = scanf("%63s %u %7s %15s", fault.call, &fault.n, fault.how, fault.name)) == 4) {
        int status;
        bool late;

        fault.number = call_number(fault.call);
        fault.error = error_of(fault.name);
        fault.fired = 0;
        place_renew(from, place, notes);
        status = run_once(place, &fault, command, fast);
        late = traced_outlived();
        place_state(place, false, notes, state);
        place_words(place, words);
        say(&fault, status, late);
        printf(" %s %s\n", state, words);
        keep(place, kept, words, state);
    }
    notes_free(notes);
    return points_end(got);
}

static void on_alarm(int signal)
{
    (void)signal; /* it only ends a wait */
}

int main(int argc, char **argv)
{
    struct sigaction act = { .sa_handler = on_alarm };

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) || sigaction(SIGALRM, &act, NULL)) die("prctl");
    if (!known_machine) {
        fputs("inject: it knows no registers but those of x86-64\n", stderr);
        return 2;
    }
    if (argc > 4 && strcmp(argv[1], "trace") == 0) return trace(argv[2], argv + 4);
    if (argc > 6 && (strcmp(argv[1], "slow") == 0 || strcmp(argv[1], "fast") == 0))
        return injections(argv[2], argv[3], argv[4], argv + 6, argv[1][0] == 'f');
    fputs("inject trace|slow|fast, see its head\n", stderr);
    return 2;
}
