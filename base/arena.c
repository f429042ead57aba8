#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct sov_arena_block {
    struct sov_arena_block *older;
    size_t taken, size;
    alignas(max_align_t) unsigned char data[];
};

/* Small at first, for a small command: all of a block is cleared before any of it is used. */
enum {
    BLOCK_FIRST = 4096 - sizeof(struct sov_arena_block) - 2 * sizeof(size_t),
    BLOCK_SIZE = 64 * 1024 - sizeof(struct sov_arena_block)
};

void sov_arena_init(struct sov_arena *arena, size_t size_max)
{
    assert(arena && size_max);
    *arena = (struct sov_arena){ .size_max = size_max };
}

void sov_arena_release(struct sov_arena *arena)
{
    sov_arena_rewind(arena, (struct sov_arena_mark){ 0 });
}

struct sov_arena_mark sov_arena_mark(const struct sov_arena *arena)
{
    return (struct sov_arena_mark){ arena->newest, arena->newest ? arena->newest->taken : 0,
                                    arena->used };
}

void sov_arena_rewind(struct sov_arena *arena, struct sov_arena_mark mark)
{
    while (arena->newest != mark.newest) {
        struct sov_arena_block *older = arena->newest->older;

        sov_free(arena->newest);
        arena->newest = older;
    }
    if (arena->newest) {
        memset(arena->newest->data + mark.taken, 0, arena->newest->taken - mark.taken);
        arena->newest->taken = mark.taken;
    }
    arena->used = mark.used;
}

void *sov_arena_take(struct sov_arena *arena, size_t size)
{
    size_t room = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    struct sov_arena_block *block = arena->newest;

    assert(arena->size_max && size <= arena->size_max);
    if (arena->used + room > arena->size_max) abort();
    if (!block || block->size - block->taken < room) {
        size_t want = block ? 2 * block->size : BLOCK_FIRST;

        if (want > BLOCK_SIZE) want = BLOCK_SIZE;
        if (want < room) want = room;
        block = sov_alloc(sizeof *block + want);
        block->older = arena->newest;
        block->size = want;
        arena->newest = block;
    }
    arena->used += room;
    block->taken += room;
    return block->data + block->taken - room;
}

void *sov_arena_array(struct sov_arena *arena, size_t count, size_t size)
{
    size_t total;

    if (__builtin_mul_overflow(count, size, &total)) abort();
    return sov_arena_take(arena, total ? total : 1);
}

struct sov_bytes sov_arena_bytes(struct sov_arena *arena, struct sov_bytes bytes)
{
    uint8_t *copy = sov_arena_take(arena, bytes.size + 1);

    if (bytes.size) memcpy(copy, bytes.data, bytes.size);
    return sov_bytes(copy, bytes.size);
}

char *sov_arena_text(struct sov_arena *arena, struct sov_bytes text)
{
    char *copy = sov_arena_take(arena, text.size + 1);

    if (text.size) memcpy(copy, text.data, text.size);
    return copy;
}

char *sov_arena_printf(struct sov_arena *arena, const char *fmt, ...)
{
    va_list args, again;
    int size;
    char *text;

    va_start(args, fmt);
    va_copy(again, args);
    size = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (size < 0) abort();
    text = sov_arena_take(arena, (size_t)size + 1);
    vsnprintf(text, (size_t)size + 1, fmt, again);
    va_end(again);
    return text;
}
