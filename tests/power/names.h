#ifndef SOV_TESTS_POWER_NAMES_H
#define SOV_TESTS_POWER_NAMES_H
/* Which paths there are, in their order, and what lies there. */
#include <stdbool.h>
#include <stddef.h>

struct body;
struct name {
    char *path;
    struct body *body; /* a file, borrowed; NULL: a folder */
};
struct names {
    struct name *at;
    size_t count, room;
};
struct name *names_find(const struct names *names, const char *path); /* NULL: none */
void names_put(struct names *names, const char *path, struct body *body);
void names_drop(struct names *names, const char *path);
void names_copy(struct names *to, const struct names *from);
/* Those that `keeps` says no to are gone. */
void names_narrow(struct names *names, bool (*keeps)(void *self, const char *path), void *self);
void names_release(struct names *names);
/* Room in an array for one more. */
void *names_more(void *at, size_t count, size_t *room, size_t size);
#endif
