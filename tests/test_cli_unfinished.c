/*
 * Behind a commit the disk fails: what is said names the seq, for it stands. The call of the C
 * library is this program's own; armed, no file takes its name any more.
 */
#include "tests/unit.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "tests/remove.h"

/* Of the whole process, as the call is. */
static bool armed;

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    int (*next)(int, const char *, int, const char *) =
        (int (*)(int, const char *, int, const char *))(uintptr_t)dlsym(RTLD_NEXT, "renameat");

    if (!armed) return next(from_folder, from, to_folder, to);
    errno = EIO;
    return -1;
}

/* In a child, with what it says to standard error. */
static int sov(const char *root, const char *words, char *said, size_t size)
{
    char text[200], path[96], *argv[16], *save = NULL;
    int argc = 0, status, err;
    struct sov_seams seams = { .clock = sov_clock_system(), .random = sov_random_system() };
    ssize_t got;
    pid_t pid;

    snprintf(text, sizeof text, "sov -C %s/repo %s", root, words);
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
        argv[argc++] = word;
    argv[argc] = NULL;
    snprintf(path, sizeof path, "%s/err", root);
    err = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(err >= 0);
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        int out = open("/dev/null", O_WRONLY);

        if (out < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(99);
        setenv("HOME", root, 1);
        unsetenv("XDG_DATA_HOME");
        status = sov_cli(argc, argv, &seams);
        fflush(NULL);
        _exit(status);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    got = pread(err, said, size - 1, 0);
    close(err);
    assert_true(got >= 0);
    said[got] = '\0';
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void what_fails_behind_a_commit_names_its_seq(void **state)
{
    char root[] = "/tmp/sov-test-unfinished-XXXXXX", path[64], said[4096], *code;

    (void)state;
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/repo", root);
    assert_int_equal(mkdir(path, 0700), 0);
    armed = true;
    assert_int_equal(sov(root, "init --name Kept", said, sizeof said), 7);
    armed = false;
    if (!strstr(said, "seq 12 is committed, what follows is not")) fail_msg("%s", said);
    code = strchr(said, '[');
    assert_non_null(code);
    assert_non_null(strchr(code, ']'));
    *strchr(code++, ']') = '\0';
    assert_string_equal(code, "unfinished");
    /* It stands, and what was left out is done by who does that. */
    if (sov(root, "init --name Kept", said, sizeof said) != 0) fail_msg("%s", said);
    if (sov(root, "project", said, sizeof said) != 0) fail_msg("%s", said);
    if (sov(root, "verify --no-anchor --projections", said, sizeof said) != 0) fail_msg("%s", said);
    remove_tree(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fails_behind_a_commit_names_its_seq),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
