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
#include <unistd.h>

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

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("SOV_TEST_STARVED");
    struct sigaction act = { .sa_handler = on_limit, .sa_flags = SA_RESTART };
    sqlite3_mem_methods ours;
    void *map;
    int fd;

    if (!path) return;
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) abort();
    map = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED || close(fd) || unsetenv("SOV_TEST_STARVED") ||
        sqlite3_config(SQLITE_CONFIG_GETMALLOC, &below) != SQLITE_OK)
        abort();
    ours = below;
    ours.xMalloc = lib_take;
    ours.xRealloc = lib_grow;
    ours.xFree = lib_drop;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &ours) != SQLITE_OK ||
        pthread_atfork(NULL, NULL, in_child) || sigaction(SIGXFSZ, &act, NULL))
        abort();
    shared = map;
}
