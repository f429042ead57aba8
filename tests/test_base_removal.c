/* Who is in a folder (base/removal.h), seen by an ordinary user: nothing is hidden from root. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/removal.h"
#include "tests/remove.h"
#include "tests/unit.h"

enum { NOBODY = 65534 };
static char folder[] = "/tmp/sov-removal-XXXXXX";

static int folder_make(void **state)
{
    (void)state;
    return mkdtemp(folder) && chmod(folder, 0755) == 0 ? 0 : -1;
}

static int folder_remove(void **state)
{
    (void)state;
    remove_tree(folder);
    return 0;
}

/* What is looked at: a process that waits, in the folder or not, hidden or not. */
static pid_t started(bool inside, bool hidden)
{
    int ready[2];
    char octet;
    pid_t pid;

    if (pipe(ready) != 0) _exit(10);
    pid = fork();
    if (pid < 0) _exit(11);
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (chdir(inside ? folder : "/") != 0 || prctl(PR_SET_DUMPABLE, !hidden) != 0) _exit(12);
        if (write(ready[1], "x", 1) != 1) _exit(13);
        for (;;) (void)pause();
    }
    if (read(ready[0], &octet, 1) != 1) _exit(14);
    (void)close(ready[0]);
    (void)close(ready[1]);
    return pid;
}

/* Its pid, 0 if the folder is unused, -1 for a failure. */
static int64_t user_of(int64_t since)
{
    struct sov_error err = { 0 };
    int64_t who = 0;
    bool used;

    if (!sov_folder_is_used(folder, since, &used, &who, &err)) return -1;
    return used ? who : 0;
}

/* Runs one look as a user who is not root; which line of it was wrong, 0 if none. */
static int as_user(int (*look)(int64_t now))
{
    struct sov_error err = { 0 };
    struct sov_process_id self;
    int status;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) _exit(1);
        if (prctl(PR_SET_DUMPABLE, 1) != 0 || !sov_process_self(&self, &err)) _exit(2);
        _exit(look(self.start));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void end(pid_t pid)
{
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, NULL, 0);
}

static int look_at_one_inside(int64_t now)
{
    pid_t pid = started(true, false);
    int64_t who = user_of(INT64_MAX);

    (void)now;
    end(pid);
    if (who != pid) return 3;
    return user_of(INT64_MAX) == 0 ? 0 : 4;
}

static void who_is_inside_counts_whenever_it_started(void **state)
{
    (void)state;
    assert_int_equal(as_user(look_at_one_inside), 0);
}

static int look_at_one_hidden(int64_t now)
{
    pid_t pid = started(false, true);
    struct sov_process_id id;
    int64_t who;
    bool there = sov_process_of(pid, &id);
    char path[64];

    (void)snprintf(path, sizeof path, "/proc/%d/cwd", (int)pid);
    if (access(path, F_OK) == 0 || errno != EACCES) return 5;
    who = user_of(now);
    if (!there || who != pid) return 6;
    if (user_of(id.start) != pid) return 7;
    if (user_of(id.start + 1) != 0) return 8;
    end(pid);
    return user_of(now) == 0 ? 0 : 9;
}

static void one_that_cannot_be_looked_at_counts_unless_it_started_before(void **state)
{
    (void)state;
    assert_int_equal(as_user(look_at_one_hidden), 0);
}

static int look_at_one_ended(int64_t now)
{
    pid_t pid = started(true, false);
    siginfo_t info;
    int64_t who;

    (void)kill(pid, SIGKILL);
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0) return 20;
    who = user_of(now);
    end(pid);
    return who == 0 ? 0 : 21;
}

static void one_that_ended_and_was_not_reaped_is_in_no_folder(void **state)
{
    (void)state;
    assert_int_equal(as_user(look_at_one_ended), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_inside_counts_whenever_it_started),
        cmocka_unit_test(one_that_cannot_be_looked_at_counts_unless_it_started_before),
        cmocka_unit_test(one_that_ended_and_was_not_reaped_is_in_no_folder),
    };

    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
