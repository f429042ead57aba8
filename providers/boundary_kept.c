/* A snapshot as octets: what its digest is over, kept beside a run that ends in another process. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "providers/boundary_entry.h"

static const size_t text_most = (size_t)1 << 30;
enum { HEAD_MAX = 64 };

/* Each part ends in a NUL or has its length before it: no two trees read the same. */
static size_t head_of(const struct sov_boundary_entry *e, char head[HEAD_MAX])
{
    bool is_file = e->facts.type == SOV_FILE_REGULAR;
    int n = snprintf(head, HEAD_MAX, "%d %o %llu %zu", (int)e->facts.type, e->facts.mode,
                     (unsigned long long)(is_file ? e->facts.size : 0), e->target.size);

    assert(n > 0 && n < HEAD_MAX);
    return (size_t)n + 1;
}

struct sov_hash sov_boundary_digest(const struct sov_boundary *boundary)
{
    struct sov_sha256 sha;

    assert(boundary);
    sov_sha256_begin(&sha);
    for (size_t i = 0; i < boundary->count; i++) {
        const struct sov_boundary_entry *e = &boundary->entries[i];
        char head[HEAD_MAX];
        size_t size = head_of(e, head);

        sov_sha256_add(&sha, sov_bytes(e->path, strlen(e->path) + 1));
        sov_sha256_add(&sha, sov_bytes(head, size));
        sov_sha256_add(&sha, e->target);
        sov_sha256_add(&sha, sov_hash_bytes(&e->hash));
    }
    return sov_sha256_end(&sha);
}

void sov_boundary_keep(const struct sov_boundary *boundary, struct sov_buf *out)
{
    for (size_t i = 0; i < boundary->count; i++) {
        const struct sov_boundary_entry *e = &boundary->entries[i];
        char head[HEAD_MAX];
        size_t size = head_of(e, head);

        sov_buf_add(out, sov_bytes(e->path, strlen(e->path) + 1));
        sov_buf_add(out, sov_bytes(head, size));
        sov_buf_add(out, e->target);
        sov_buf_add(out, sov_hash_bytes(&e->hash));
    }
}

/* ---- and back ---- */

/* The text up to the next NUL, which stays behind it; false if there is none. */
static bool text_take(struct sov_bytes *rest, struct sov_bytes *text_out)
{
    const uint8_t *end = rest->size ? memchr(rest->data, 0, rest->size) : NULL;
    size_t size;

    if (!end) return false;
    size = (size_t)(end - rest->data);
    *text_out = sov_bytes(rest->data, size);
    *rest = sov_bytes(rest->data + size + 1, rest->size - size - 1);
    return true;
}

static bool entry_take(struct sov_bytes *rest, struct sov_arena *arena,
                       struct sov_boundary_entry *e)
{
    struct sov_bytes path, head;
    unsigned long long size, target;
    unsigned type, mode;

    if (!text_take(rest, &path) || !text_take(rest, &head) || head.size >= HEAD_MAX) return false;
    if (sscanf((const char *)head.data, "%u %o %llu %llu", &type, &mode, &size, &target) != 4 ||
        type > SOV_FILE_OTHER || target > rest->size || rest->size - target < sizeof e->hash.octets)
        return false;
    e->path = sov_arena_text(arena, path);
    e->facts.type = (enum sov_file_type)type;
    e->facts.mode = mode;
    e->facts.size = size;
    e->target = sov_arena_bytes(arena, sov_bytes(rest->data, (size_t)target));
    memcpy(e->hash.octets, rest->data + target, sizeof e->hash.octets);
    *rest = sov_bytes(rest->data + target + sizeof e->hash.octets,
                      rest->size - (size_t)target - sizeof e->hash.octets);
    /* Whoever could write the file could not choose what it says, but the times of the files now:
     * everything is read again. */
    e->young = true;
    return true;
}

struct sov_boundary *sov_boundary_read(struct sov_bytes kept, const struct sov_hash *digest)
{
    struct sov_boundary *b = sov_alloc(sizeof *b);
    struct sov_hash found = sov_sha256(kept);

    sov_arena_init(&b->arena, text_most);
    b->computed = sov_hash_equal(&found, digest);
    while (b->computed && kept.size) {
        if (b->count == b->room) {
            b->room = b->room ? 2 * b->room : 256;
            b->entries = sov_alloc_grow(b->entries, b->room * sizeof *b->entries);
        }
        b->entries[b->count] = (struct sov_boundary_entry){ 0 };
        b->computed = entry_take(&kept, &b->arena, &b->entries[b->count]);
        if (!b->computed) break;
        if (b->entries[b->count].facts.type == SOV_FILE_REGULAR)
            b->bytes += b->entries[b->count].facts.size;
        b->count++;
    }
    if (!b->computed) {
        b->count = 0;
        (void)snprintf(b->fault, sizeof b->fault,
                       "the snapshot kept from before the run is not what the log says");
    }
    return b;
}
