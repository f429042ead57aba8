/*
 * Kills a command at the entry of a system call, again and again, each time in a fresh copy of a
 * place (traced/place.h), and tells apart the states that it leaves.
 *   fell trace PLACE -- COMMAND...            each call: its name, how many-th, its file, detail
 *   fell kill FROM PLACE KEPT -- COMMAND...   reads lines NAME N; each: NAME N RESULT STATE
 *   fell fast FROM PLACE KEPT -- COMMAND...   the same for a command that starts no other
 *   fell state PLACE                          the digest of a place, as in STATE
 * RESULT is killed, exit:N, signal:N, or survivors when a descendant outlives the command by two
 * seconds. The first time that a STATE is met its place is kept as KEPT/STATE.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/traced/place.h"
#include "tests/traced/tracer.h"

enum { TRIES = 3 };

static bool killed(int status)
{
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static int kill_once(const char *place, unsigned number, unsigned n, char **command, bool fast)
{
    struct traced run = traced_start(place, command, fast, number);
    struct ptrace_syscall_info info;

    while (n > 0 && traced_reach(&run, number, &info)) n--;
    if (n == 0) traced_kill(&run);
    return run.status;
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
    struct notes *notes = notes_new();
    bool late = false;
    unsigned n;
    int got;

    while ((got = scanf("%63s %u", name, &n)) == 2) {
        int status = 0;

        /* One that waits for another process does not make the same calls each time. */
        for (int i = 0; i < TRIES && !late && !killed(status); i++) {
            place_renew(from, place, notes);
            status = kill_once(place, call_number(name), n, command, fast);
            late = traced_outlived();
        }
        place_state(place, true, notes, state);
        say(name, n, status, late, state);
        late = false;
        snprintf(path, sizeof path, "%s/%s", kept, state);
        if (access(path, F_OK) && rename(place, path)) die(path);
    }
    notes_free(notes);
    return points_end(got);
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
    place_state(argv[2], true, NULL, text);
    puts(text);
    return 0;
}
