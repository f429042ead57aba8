#ifndef SOV_TESTS_CHILD_ACTS_H
#define SOV_TESTS_CHILD_ACTS_H
/*
 * A bench for tests of child processes: the test program starts itself again, with the name of an
 * act as its first argument, so that no other program has to be there.
 */
#include "tests/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/child.h"
#include "base/keeper.h"

/* ---- the other side: this program, started again with the name of an act ---- */

static void say(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, text, size);

        if (n <= 0) _exit(99);
        text += n;
        size -= (size_t)n;
    }
}

static void say_text(const char *text)
{
    say(1, text, strlen(text));
}

static int act_environment(void)
{
    for (char **at = environ; *at; at++) {
        say_text(*at);
        say_text("\n");
    }
    return 0;
}

/* Descriptors, session, mask, umask, limits: one line each. */
static int act_state(void)
{
    char text[200];
    struct dirent *entry;
    struct rlimit core, files, size;
    sigset_t mask;
    unsigned blocked = 0, ignored = 0;
    DIR *folder = opendir("/proc/self/fd");

    while (folder && (entry = readdir(folder)))
        if (entry->d_name[0] != '.' && strtol(entry->d_name, NULL, 10) != dirfd(folder)) {
            say_text(entry->d_name);
            say_text(" ");
        }
    sigprocmask(SIG_BLOCK, NULL, &mask);
    for (int s = 1; s < 32; s++) {
        struct sigaction now;

        blocked += sigismember(&mask, s) == 1;
        ignored += sigaction(s, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
    }
    getrlimit(RLIMIT_CORE, &core);
    getrlimit(RLIMIT_NOFILE, &files);
    getrlimit(RLIMIT_FSIZE, &size);
    snprintf(text, sizeof text, "leader %d blocked %u ignored %u umask %o core %d files %d size %d",
             getsid(0) == getpid() && getpgrp() == getpid(), blocked, ignored, umask(0),
             (int)core.rlim_max, files.rlim_max <= 4096, size.rlim_max <= 1 << 30);
    say_text(text);
    return 0;
}

static int act_copy(void)
{
    char octets[4096];
    ssize_t n;

    while ((n = read(0, octets, sizeof octets)) > 0) say(1, octets, (size_t)n);
    return n == 0 ? 0 : 98;
}

static _Noreturn int act_flood(void)
{
    char octets[4096];

    memset(octets, 'x', sizeof octets);
    for (;;) say(1, octets, sizeof octets);
}

enum { MIB = 1 << 20 };

static int act_errors_first(void)
{
    static char octets[10 * MIB];

    memset(octets, 'm', sizeof octets);
    memset(octets, 'h', MIB);
    memset(octets + 9 * MIB, 't', MIB);
    say(2, octets, sizeof octets);
    say_text("done");
    return 0;
}

static int act_escape(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() != 0) _exit(0);
        for (int fd = 0; fd < 3; fd++) close(fd);
        sleep(60);
        _exit(0);
    }
    (void)wait(NULL); /* now it has escaped */
    return 0;
}

static int act_holder(void)
{
    if (fork() == 0) {
        sleep(60);
        _exit(0);
    }
    say_text("done");
    return 0;
}

static int act_deaf_holder(void)
{
    signal(SIGTERM, SIG_IGN);
    return act_holder();
}

static _Noreturn int act_deaf(void)
{
    signal(SIGTERM, SIG_IGN);
    say_text("deaf");
    for (;;) sleep(60);
}

static _Noreturn int act_chatty(void)
{
    signal(SIGTERM, SIG_IGN);
    for (;;) {
        say_text("x");
        poll(NULL, 0, 20);
    }
}

static int act_polite(void)
{
    sigset_t set;
    int number;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    say_text("up ");
    sigwait(&set, &number);
    say_text("down");
    return 7;
}

static int act_crash(void)
{
    return raise(SIGUSR1);
}

static const struct {
    const char *name;
    int (*run)(void);
} acts[] = {
    { "environment", act_environment },
    { "state", act_state },
    { "copy", act_copy },
    { "flood", act_flood },
    { "errors_first", act_errors_first },
    { "escape", act_escape },
    { "holder", act_holder },
    { "deaf_holder", act_deaf_holder },
    { "deaf", act_deaf },
    { "chatty", act_chatty },
    { "polite", act_polite },
    { "crash", act_crash },
};

static int act(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (strcmp(acts[i].name, argv[1]) == 0) return acts[i].run();
    if (strcmp(argv[1], "exit") == 0) return (int)strtol(argv[2], NULL, 10);
    for (int i = 0; i < argc; i++) {
        say_text(argv[i]);
        say_text("|");
    }
    return 0;
}

/* ---- this side ---- */

struct bench {
    struct sov_arena arena;
    struct sov_folder folder;
    struct sov_buf out, errs;
    struct sov_child_plan plan;
    struct sov_child_result result;
    struct sov_error err;
    char place[64];
};

static void start_over(struct bench *b)
{
    sov_buf_clear(&b->out);
    sov_buf_clear(&b->errs);
    memset(&b->result, 0x5a, sizeof b->result);
}

static const char *const nothing[] = { NULL };

static int bench_open(void **state)
{
    struct bench *b = sov_alloc(sizeof *b);

    *state = b;
    snprintf(b->place, sizeof b->place,
             "/tmp/sov-test-child-XX"
             "XX"
             "XX");
    if (!mkdtemp(b->place)) return -1;
    sov_arena_init(&b->arena, 1 << 20);
    sov_buf_init(&b->out, 16 * MIB);
    sov_buf_init(&b->errs, 4 * MIB);
    b->folder.fd = open(b->place, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
    b->folder.open = true;
    b->plan = (struct sov_child_plan){
        .folder = &b->folder,
        .environment = nothing,
        .wall_ms = 60000,
        .stdout_max = 16 * MIB,
        .stderr_keep = MIB,
    };
    start_over(b);
    return sov_child_resolve("/proc/self/exe", NULL, &b->arena, &b->plan.path, &b->plan.digest,
                             &b->err)
               ? 0
               : -1;
}

static int bench_close(void **state)
{
    struct bench *b = *state;
    siginfo_t info;
    bool alone = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;

    (void)unlinkat(b->folder.fd, "script", 0);
    close(b->folder.fd);
    sov_buf_release(&b->out);
    sov_buf_release(&b->errs);
    sov_arena_release(&b->arena);
    alone = rmdir(b->place) == 0 && alone;
    sov_free(b);
    return alone ? 0 : -1;
}

static bool run_act(struct bench *b, const char *name, const struct sov_child_sink *sink)
{
    const char *argv[] = { "act", name, NULL };
    bool ran;

    start_over(b);
    b->plan.argv = argv;
    ran = sov_child_run(&b->plan, sink, &b->out, &b->errs, &b->result, &b->err);
    b->plan.argv = NULL;
    return ran;
}

#define assert_octets(buf, text)                                                                   \
    do {                                                                                           \
        if (!sov_bytes_is(sov_buf_bytes(buf), text))                                               \
            fail_msg("got %.*s", (int)(buf)->size, (const char *)(buf)->data);                     \
    } while (0)

/* Nothing of a run may wait for the clock: far above all graces, far below the sleeps of the acts.
 */
enum { SOON_MS = 20000 };

static void assert_end(const struct bench *b, enum sov_child_end end, int code, int number)
{
    assert_int_equal(b->result.ended_by, end);
    assert_int_equal(b->result.exit_code, code);
    assert_int_equal(b->result.signal, number);
    assert_int_equal(b->result.survivors, 0);
    assert_true(b->result.duration_ms < SOON_MS);
}
#endif
