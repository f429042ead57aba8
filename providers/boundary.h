#ifndef SOV_PROVIDERS_BOUNDARY_H
#define SOV_PROVIDERS_BOUNDARY_H
/*
 * What changed in the user's repository while a run went on (providers.md 6.3).
 * Owns: the snapshot, the difference of two, the report blob. Not here: who did it (nobody can
 * say), what it means for a receipt (policy/).
 *
 * Scope `repository_without_runs_and_ledger`: all beneath the top of the working tree, but not
 * .sovereign/, and of .git/ only config, hooks and info. An entry is path, type, permission bits,
 * size, link target and SHA-256; times are no part of it. What was undone before the second
 * snapshot is not seen. Whatever cannot be looked at makes the whole not computed: never a pass.
 */
#include "base/buf.h"
#include "base/crypto.h"
#include "base/file.h"

struct sov_boundary;

struct sov_boundary_limits {
    size_t entries_max;
    uint64_t bytes_max; /* of all regular files together */
};
static const struct sov_boundary_limits sov_boundary_usual = { 200000, UINT64_C(2) << 30 };

/* Never fails: what goes wrong makes a snapshot that is not computed. With `before` files are read
 * again only if size, inode, mode, mtime or ctime moved, or if they were too young then for the
 * clock of the file system to tell: now_ms is the wall clock. */
struct sov_boundary *sov_boundary_take(const struct sov_folder *top, int64_t now_ms,
                                       const struct sov_boundary *before,
                                       const struct sov_boundary_limits *limits);
void sov_boundary_close(struct sov_boundary *boundary); /* NULL is fine */
void sov_boundary_end(struct sov_boundary **boundary);  /* for SOV_CLEANUP */
/* NULL if it was computed, else why it was not. */
const char *sov_boundary_fault(const struct sov_boundary *boundary);
/* It was not because something could not be read, rather than by a limit. */
bool sov_boundary_is_unread(const struct sov_boundary *boundary);
/* Over all entries, in order: for run.started. */
struct sov_hash sov_boundary_digest(const struct sov_boundary *boundary);
/* The octets of that digest, for a run that ends in another process (boundary_kept.c). */
void sov_boundary_keep(const struct sov_boundary *boundary, struct sov_buf *out);
/* The snapshot again: not computed unless they are exactly those of the digest. Never NULL; a
 * snapshot taken with it as `before` reads every file again. */
struct sov_boundary *sov_boundary_read(struct sov_bytes kept, const struct sov_hash *digest);

/* A page that this ledger published between the two snapshots: it does not count if it is exactly
 * that; nor does a folder that is new and holds it. */
struct sov_boundary_page {
    const char *path;
    bool removed; /* else `digest` is that of the rendered bytes */
    struct sov_hash digest;
};
struct sov_boundary_facts {
    bool computed, violated;
    size_t changed, added, removed;
};
/* The report, canonical JSON {added,bytes,changed,computed,entries,removed,scope,violated}, lists
 * of paths in byte order (one that is no UTF-8 in its visible form). `entries` and `bytes` are
 * those of the later snapshot. `after` NULL: there is none. A report that does not fit into `out`
 * says that it was not computed, but whether it was violated. */
void sov_boundary_report(const struct sov_boundary *before, const struct sov_boundary *after,
                         const struct sov_boundary_page *pages, size_t page_count,
                         struct sov_buf *out, struct sov_boundary_facts *facts_out);
#endif
