#include "base/alloc.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *got(void *block)
{
    if (!block) abort();
    return block;
}

void *sov_alloc(size_t size)
{
    assert(size);
    return got(calloc(1, size));
}

void *sov_alloc_array(size_t count, size_t size)
{
    assert(size);
    return got(calloc(count ? count : 1, size));
}

void *sov_alloc_grow(void *block, size_t size)
{
    assert(size);
    return got(realloc(block, size));
}

char *sov_alloc_text(const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(sov_alloc(size), text, size);
}

void sov_free(void *block)
{
    free(block);
}
