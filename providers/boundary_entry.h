#ifndef SOV_PROVIDERS_BOUNDARY_ENTRY_H
#define SOV_PROVIDERS_BOUNDARY_ENTRY_H
/* What boundary_walk.c collects and boundary.c compares. */
#include "providers/boundary.h"

struct sov_boundary_entry {
    const char *path;
    struct sov_file_facts facts;
    struct sov_bytes target; /* of a link */
    struct sov_hash hash;    /* of a regular file */
    bool young;              /* written so lately that a write after it may have the same times */
};
struct sov_boundary {
    struct sov_arena arena;
    struct sov_boundary_entry *entries; /* by path, byte order */
    size_t count, room;
    uint64_t bytes;
    bool computed, unread;
    char fault[512];
};
#endif
