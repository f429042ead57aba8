#ifndef SOV_BASE_ALLOC_H
#define SOV_BASE_ALLOC_H
/*
 * Heap memory, zeroed, or the end of the process: a rollback by the journal is the only sound
 * answer to exhausted memory in the middle of a decision, so no caller has a branch for it.
 */
#include <stddef.h>

void *sov_alloc(size_t size);                     /* zeroed; size 0 is a caller's bug */
void *sov_alloc_array(size_t count, size_t size); /* zeroed; overflow aborts */
void *sov_alloc_grow(void *block, size_t size);   /* realloc; new bytes are not zeroed */
char *sov_alloc_text(const char *text);
void sov_free(void *block); /* NULL is fine */
#endif
