#include "tests/power/names.h"

#include <string.h>

#include "base/alloc.h"

void *names_more(void *at, size_t count, size_t *room, size_t size)
{
    if (count < *room) return at;
    *room = *room ? 2 * *room : 16;
    return sov_alloc_grow(at, *room * size);
}

static size_t place_of(const struct names *names, const char *path, bool *there_out)
{
    size_t low = 0, high = names->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(names->at[middle].path, path);

        if (order == 0) {
            *there_out = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *there_out = false;
    return low;
}

struct name *names_find(const struct names *names, const char *path)
{
    bool there;
    size_t at = place_of(names, path, &there);

    return there ? &names->at[at] : NULL;
}

void names_put(struct names *names, const char *path, struct body *body)
{
    bool there;
    size_t at = place_of(names, path, &there);

    if (!there) {
        names->at = names_more(names->at, names->count, &names->room, sizeof *names->at);
        memmove(names->at + at + 1, names->at + at, (names->count - at) * sizeof *names->at);
        names->at[at].path = sov_alloc_text(path);
        names->count++;
    }
    names->at[at].body = body;
}

void names_drop(struct names *names, const char *path)
{
    bool there;
    size_t at = place_of(names, path, &there);

    if (!there) return;
    sov_free(names->at[at].path);
    names->count--;
    memmove(names->at + at, names->at + at + 1, (names->count - at) * sizeof *names->at);
}

void names_release(struct names *names)
{
    for (size_t i = 0; i < names->count; i++) sov_free(names->at[i].path);
    sov_free(names->at);
}

void names_copy(struct names *to, const struct names *from)
{
    *to = (struct names){ .count = from->count, .room = from->count + 1 };
    to->at = sov_alloc_array(to->room, sizeof *to->at);
    for (size_t i = 0; i < from->count; i++)
        to->at[i] = (struct name){ sov_alloc_text(from->at[i].path), from->at[i].body };
}

void names_narrow(struct names *names, bool (*keeps)(void *self, const char *path), void *self)
{
    size_t left = 0;

    for (size_t i = 0; i < names->count; i++) {
        if (keeps(self, names->at[i].path))
            names->at[left++] = names->at[i];
        else
            sov_free(names->at[i].path);
    }
    names->count = left;
}
