/* Linked into build/starved/sov alone, with --wrap: the program has no switch for any of this. */
#include "tests/starved/starved.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/traced/tracer.h"

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__real_sodium_malloc(size_t size);
void __real_sodium_free(void *block);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);
void *__wrap_sodium_malloc(size_t size);
void __wrap_sodium_free(void *block);

static struct starved *shared; /* NULL: nothing is counted */
static sqlite3_mem_methods below;

static unsigned way_here(void)
{
    void *callers[64];
    int count = backtrace(callers, sizeof callers / sizeof *callers);
    uint64_t sum = UINT64_C(14695981039346656037);

    for (int i = 0; i < count; i++)
        sum = (sum ^ (uint64_t)(uintptr_t)callers[i]) * UINT64_C(1099511628211);
    return (unsigned)(sum ^ sum >> 32);
}

static bool is_gone(enum starved_of kind)
{
    unsigned met, n;

    if (!shared) return false;
    met = ++shared->met[kind];
    if (shared->traced && met < STARVED_WAYS) shared->way[kind][met] = way_here();
    n = shared->n[kind];
    if (!n || met < n || (!shared->ever && met > n)) return false;
    shared->fired++;
    errno = ENOMEM;
    return true;
}

static void *counted(enum starved_of kind, void *block)
{
    if (shared && block) shared->live[kind]++;
    return block;
}

static void dropped(enum starved_of kind, const void *block)
{
    if (shared && block) shared->live[kind]--;
}

static void *lib_take(int size)
{
    return is_gone(STARVED_LIB) ? NULL : counted(STARVED_LIB, below.xMalloc(size));
}

static void *lib_grow(void *block, int size)
{
    return is_gone(STARVED_LIB) ? NULL : below.xRealloc(block, size);
}

static void lib_drop(void *block)
{
    dropped(STARVED_LIB, block);
    below.xFree(block);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_gone(STARVED_OWN) ? NULL : counted(STARVED_OWN, __real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    void *grown = is_gone(STARVED_OWN) ? NULL : __real_realloc(block, size);

    return block ? grown : counted(STARVED_OWN, grown);
}

void __wrap_free(void *block)
{
    dropped(STARVED_OWN, block);
    __real_free(block);
}

void *__wrap_sodium_malloc(size_t size)
{
    return is_gone(STARVED_OWN) ? NULL : counted(STARVED_OWN, __real_sodium_malloc(size));
}

void __wrap_sodium_free(void *block)
{
    dropped(STARVED_OWN, block);
    __real_sodium_free(block);
}

static void on_limit(int signal)
{
    (void)signal; /* the write fails EFBIG, as where the signal is ignored */
    if (shared) shared->fired++;
}

static void in_child(void)
{
    shared = NULL;
}

static void limit_room(void)
{
    struct sigaction act = { .sa_handler = on_limit, .sa_flags = SA_RESTART };
    struct rlimit room;

    if (!shared->limited) return;
    if (sigaction(SIGXFSZ, &act, NULL) || getrlimit(RLIMIT_FSIZE, &room)) abort();
    room.rlim_cur = shared->limit;
    if (setrlimit(RLIMIT_FSIZE, &room)) abort();
}

/* Returns in each child, never in the process that makes them. */
static void serve(void)
{
    const char *here = getenv("PWD"); /* a new folder under the same name, each time */
    struct starved_end end;
    char go;

    if (!here || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) abort();
    while (read(STARVED_GO, &go, 1) == 1) {
        pid_t pid = fork();

        if (pid < 0) abort();
        if (pid == 0) {
            if (chdir(here) || close(STARVED_GO) || close(STARVED_ENDED)) abort();
            return;
        }
        shared->pid = pid;
        if (waitpid(pid, &end.status, 0) != pid) abort();
        end.late = traced_outlived();
        if (write(STARVED_ENDED, &end, sizeof end) != sizeof end) abort();
    }
    _exit(0);
}

static struct starved *map_of(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *map;

    if (fd < 0) abort();
    map = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED || close(fd)) abort();
    return map;
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("SOV_TEST_STARVED");
    sqlite3_mem_methods ours;

    if (!path) return;
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &below) != SQLITE_OK) abort();
    ours = below;
    ours.xMalloc = lib_take;
    ours.xRealloc = lib_grow;
    ours.xFree = lib_drop;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &ours) != SQLITE_OK) abort();
    shared = map_of(path);
    if (unsetenv("SOV_TEST_STARVED")) abort();
    serve();
    limit_room();
    if (pthread_atfork(NULL, NULL, in_child)) abort();
}
