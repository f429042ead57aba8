#ifndef SOV_BASE_ARENA_H
#define SOV_BASE_ARENA_H
/*
 * The memory of one command: everything is freed at once. Pointers stay valid until
 * sov_arena_release. Input is measured before it is put here; crossing the limit is a caller's bug
 * and ends the process.
 */
#include "base/bytes.h"
#include "base/error.h"

struct sov_arena {
    struct sov_arena_block *newest;
    size_t used, size_max;
};
/* A place to go back to: everything taken after the mark is freed by sov_arena_rewind. */
struct sov_arena_mark {
    struct sov_arena_block *newest;
    size_t taken, used;
};

void sov_arena_init(struct sov_arena *arena, size_t size_max);
void sov_arena_release(struct sov_arena *arena);
struct sov_arena_mark sov_arena_mark(const struct sov_arena *arena);
void sov_arena_rewind(struct sov_arena *arena, struct sov_arena_mark mark);

void *sov_arena_take(struct sov_arena *arena, size_t size);                /* zeroed, aligned */
void *sov_arena_array(struct sov_arena *arena, size_t count, size_t size); /* zeroed, aligned */
struct sov_bytes sov_arena_bytes(struct sov_arena *arena, struct sov_bytes bytes);
char *sov_arena_text(struct sov_arena *arena, struct sov_bytes text); /* NUL-ended copy */
char *sov_arena_printf(struct sov_arena *arena, const char *fmt, ...) SOV_PRINTF(2, 3);
#endif
