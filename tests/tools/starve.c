/*
 * Runs a command again and again, each time in a fresh copy of a place (traced/place.h), short of
 * memory or of room, and tells apart what it leaves and what it says.
 *   starve ways FROM PLACE COUNTERS -- COMMAND...    each allocation: KIND N WAY; those of one way
 *                                                 have the same callers, up to main
 *   starve run FROM PLACE KEPT COUNTERS -- COMMAND...    reads lines KIND N HOW; each is repeated
 *                                                 with LEFT FIRED RESULT STATE WORDS behind it
 * The command is started once, and makes a child of itself each time (tests/starved/starved.h).
 * KIND is lib or own, the allocator of which the Nth call fails (tests/starved/starved.h), or size:
 * no file may be written beyond N octets. HOW is once or ever. `sov` is the one of build/starved,
 * by PATH. FIRED counts what was refused. LEFT is 0 when, at its end, no more of either allocator's
 * memory is held than at the end of the command undisturbed; else what is held beyond that. RESULT,
 * STATE, WORDS and what is kept of them are those of inject.c.
 * What is said goes through a pipe, since it needs no room.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/starved/starved.h"
#include "tests/traced/place.h"

enum { SECONDS = 60, PIPE_ROOM = 1024 * 1024 };

struct point {
    char kind[8], how[8];
    unsigned n;
};

static struct starved *counters_at(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void *map;

    if (fd < 0 || ftruncate(fd, sizeof(struct starved))) die(path);
    map = mmap(NULL, sizeof(struct starved), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) die(path);
    close(fd);
    return map;
}

/* The command, which waits to be told to go. */
struct server {
    struct starved *shared;
    const char *place;
    pid_t pid;
    int go, ended, out, err;
};

static void become(const char *place, const char *counters, const int *ends, char **command)
{
    const struct rlimit no_core = { 0, 0 };
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    char here[PATH_SIZE], path[2 * PATH_SIZE];

    if (!getcwd(here, sizeof here) || dup2(none, 0) < 0 || setrlimit(RLIMIT_CORE, &no_core))
        _exit(126);
    for (int i = 0; i < 4; i++)
        if (dup2(ends[2 * i], ends[2 * i + 1]) < 0) _exit(126);
    snprintf(path, sizeof path, "%s/%s", here, counters);
    if (setenv("SOV_TEST_STARVED", path, 1)) _exit(126);
    snprintf(path, sizeof path, "%s/%s/home", here, place);
    if (setenv("HOME", path, 1)) _exit(126);
    snprintf(path, sizeof path, "%s/%s/repo", here, place);
    if (chdir(path) || setenv("PWD", path, 1)) _exit(126);
    execvp(command[0], command);
    _exit(127);
}

/* What a command says fits into its pipe, and is taken from there when it has ended. */
static void pipe_for(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) || fcntl(ends[1], F_SETPIPE_SZ, PIPE_ROOM) < 0 ||
        fcntl(ends[0], F_SETFL, O_NONBLOCK))
        die("pipe");
}

static struct server serve(const char *place, const char *counters, char **command)
{
    struct server self = { .shared = counters_at(counters), .place = place };
    int go[2], ended[2], out[2], err[2];

    pipe_for(out);
    pipe_for(err);
    if (pipe2(go, O_CLOEXEC) || pipe2(ended, O_CLOEXEC)) die("pipe");
    self.pid = fork();
    if (self.pid < 0) die("fork");
    if (self.pid == 0) {
        const int ends[] = { out[1], 1, err[1], 2, go[0], STARVED_GO, ended[1], STARVED_ENDED };

        become(place, counters, ends, command);
    }
    close(go[0]);
    close(ended[1]);
    self.go = go[1];
    self.ended = ended[0];
    self.out = out[0];
    self.err = err[0];
    return self;
}

static void take_down(const char *place, const char *name, int from)
{
    char path[PATH_SIZE], octets[65536];
    ssize_t size;
    int fd;

    snprintf(path, sizeof path, "%s/%s", place, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) die(path);
    while ((size = read(from, octets, sizeof octets)) > 0)
        if (write(fd, octets, (size_t)size) != size) die(path);
    close(fd);
}

static struct starved_end run_once(const struct server *server)
{
    struct pollfd wait = { .fd = server->ended, .events = POLLIN };
    struct starved_end end;

    if (write(server->go, "", 1) != 1) die("go");
    if (poll(&wait, 1, SECONDS * 1000) == 0 && server->shared->pid > 0)
        kill(server->shared->pid, SIGKILL);
    if (read(server->ended, &end, sizeof end) != sizeof end) die("the command serves no more");
    take_down(server->place, "out", server->out);
    take_down(server->place, "err", server->err);
    return end;
}

static void dismiss(const struct server *server)
{
    int status;

    close(server->go);
    if (waitpid(server->pid, &status, 0) != server->pid || status) die("the command served badly");
}

static void begin(struct starved *shared, const struct point *point)
{
    memset(shared, 0, offsetof(struct starved, way));
    if (strcmp(point->kind, "lib") == 0) shared->n[STARVED_LIB] = point->n;
    if (strcmp(point->kind, "own") == 0) shared->n[STARVED_OWN] = point->n;
    shared->ever = strcmp(point->how, "ever") == 0;
    shared->limited = strcmp(point->kind, "size") == 0;
    shared->limit = point->n;
}

static void keep(const char *place, const char *kept, const char *words, const char *state)
{
    static const char *const said[] = { "out", "err" };
    char from[PATH_SIZE], to[PATH_SIZE];

    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        snprintf(from, sizeof from, "%s/%s", place, said[i]);
        snprintf(to, sizeof to, "%s/%s.%s", kept, words, said[i]);
        if (access(to, F_OK) && link(from, to)) die(to);
    }
    snprintf(to, sizeof to, "%s/%s", kept, state);
    if (access(to, F_OK) && rename(place, to)) die(to);
}

static void say_result(int status, bool late)
{
    if (late)
        printf("survivors");
    else if (WIFEXITED(status))
        printf("exit:%d", WEXITSTATUS(status));
    else if (WTERMSIG(status) == SIGKILL) /* by us alone */
        printf("hang");
    else
        printf("signal:%d", WTERMSIG(status));
}

static int left(const struct starved *shared, const int *clean, int status)
{
    int more = 0;

    if (!WIFEXITED(status)) return 0; /* the kernel takes it all */
    for (int kind = 0; kind < STARVED_KINDS; kind++)
        if (shared->live[kind] > clean[kind]) more += shared->live[kind] - clean[kind];
    return more;
}

static int run(char **argv)
{
    const char *from = argv[0], *place = argv[1], *kept = argv[2];
    char state[SOV_HEX_HASH + 1], words[17];
    struct notes *notes = notes_new();
    struct point point = { "none", "once", 0 };
    struct server server;
    int clean[STARVED_KINDS], got;

    place_renew(from, place, notes);
    server = serve(place, argv[3], argv + 5);
    begin(server.shared, &point);
    (void)run_once(&server);
    memcpy(clean, server.shared->live, sizeof clean);
    while ((got = scanf("%7s %u %7s", point.kind, &point.n, point.how)) == 3) {
        struct starved_end end;

        place_renew(from, place, notes);
        begin(server.shared, &point);
        end = run_once(&server);
        place_state(place, false, notes, state);
        place_words(place, words);
        printf("%s %u %s %d %u ", point.kind, point.n, point.how,
               left(server.shared, clean, end.status), server.shared->fired);
        say_result(end.status, end.late);
        printf(" %s %s\n", state, words);
        keep(place, kept, words, state);
    }
    dismiss(&server);
    notes_free(notes);
    return points_end(got);
}

static int ways(char **argv)
{
    static const char *const kinds[] = { "lib", "own" };
    const struct point none = { "none", "once", 0 };
    struct notes *notes = notes_new();
    struct server server;

    place_renew(argv[0], argv[1], notes);
    server = serve(argv[1], argv[2], argv + 4);
    begin(server.shared, &none);
    server.shared->traced = 1;
    (void)run_once(&server);
    for (int kind = 0; kind < STARVED_KINDS; kind++)
        for (unsigned n = 1; n <= server.shared->met[kind] && n < STARVED_WAYS; n++)
            printf("%s %u %u\n", kinds[kind], n, server.shared->way[kind][n]);
    dismiss(&server);
    notes_free(notes);
    return 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 7 && strcmp(argv[1], "run") == 0) return run(argv + 2);
    if (argc > 6 && strcmp(argv[1], "ways") == 0) return ways(argv + 2);
    fputs("starve ways|run, see its head\n", stderr);
    return 2;
}
