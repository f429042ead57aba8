#include "base/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 16, COMMAND_MAX = 256 };

static bool split(const char *command, char copy[COMMAND_MAX], char *argv[WORDS])
{
    size_t size = strlen(command), count = 0;

    if (size >= COMMAND_MAX) return false;
    memcpy(copy, command, size + 1);
    for (char *at = copy; *at && count < WORDS - 1;) {
        while (*at == ' ') *at++ = 0;
        if (*at) argv[count++] = at;
        while (*at && *at != ' ') at++;
    }
    argv[count] = NULL;
    return count > 0;
}

static void feed(int fd, struct sov_bytes text)
{
    while (text.size) {
        ssize_t n = write(fd, text.data, text.size);

        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return; /* it was left before the end */
        text.data += n;
        text.size -= (size_t)n;
    }
}

static bool start(char *const argv[], const int ends[2], pid_t *pid_out)
{
    posix_spawn_file_actions_t actions;
    bool ok;

    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    ok = posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO) == 0 &&
         posix_spawnp(pid_out, argv[0], &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return ok;
}

bool sov_pager_show(const char *command, struct sov_bytes text)
{
    char copy[COMMAND_MAX], *argv[WORDS];
    int ends[2], status;
    pid_t pid;
    bool ok;

    if (!split(command, copy, argv) || pipe2(ends, O_CLOEXEC) != 0) return false;
    ok = start(argv, ends, &pid);
    close(ends[0]);
    if (ok) {
        signal(SIGPIPE, SIG_IGN);
        feed(ends[1], text);
    }
    close(ends[1]);
    while (ok && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return ok;
}
