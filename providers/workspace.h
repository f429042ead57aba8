#ifndef SOV_PROVIDERS_WORKSPACE_H
#define SOV_PROVIDERS_WORKSPACE_H
/*
 * The folder of one run, and what may come back out of it (providers.md 6.1, 6.2).
 * Owns: .sovereign/runs/ASG-12.88/ with host/ and ws/{in,out,home,tmp}, the inputs, the import of
 * deliverables. Not here: what changed elsewhere (boundary.h), reclaim, what a report says.
 *
 * All names are made from ids. The folders stay held open, so whatever is put in their place under
 * the same name later is not what is written to or imported from. workspace_refusal (4): something
 * is there already, a link is on the way, another owner, another file system.
 */
#include "base/file.h"
#include "ledger/ledger.h"
#include "policy/policy.h"

struct sov_workspace {
    struct sov_folder root, host, ws, in, out;
    uint64_t device, inode; /* of the root: recorded in run.started, compared ever after */
};
/* The name of a run and of its folder: "ASG-12.88". */
enum { SOV_WORKSPACE_NAME = 64 };
void sov_workspace_name(char name_out[SOV_WORKSPACE_NAME], const char *assignment, int64_t fence);

/* Reads only: no link from the top of the tree to runs/, all ours, on one device. */
SOV_MUST_USE bool sov_workspace_check(const struct sov_folder *top, struct sov_error *err);
/* All folders new, 0700. A failure takes away what it had made. */
SOV_MUST_USE bool sov_workspace_make(struct sov_workspace *workspace, const struct sov_folder *top,
                                     const char *assignment, int64_t fence, struct sov_error *err);
/* Closes one that was just made and in which nothing has started, and takes it away, if it is what
 * stands under that name; what cannot be removed is left for `sov supervise`. */
void sov_workspace_unmake(struct sov_workspace *workspace, const struct sov_folder *top,
                          const char *assignment, int64_t fence);
/* The one that was made before, if device and inode are still those. */
SOV_MUST_USE bool sov_workspace_open(struct sov_workspace *workspace, const struct sov_folder *top,
                                     const char *assignment, int64_t fence, uint64_t device,
                                     uint64_t inode, struct sov_error *err);
/* Whether a process is in it (base/removal.h), its absolute path given. `who` is of its claim: a
 * process that cannot be looked at counts unless it started before that, or under another boot. */
SOV_MUST_USE bool sov_workspace_is_used(const char *path, const struct sov_who *who,
                                        const struct sov_now *now, bool *used_out,
                                        struct sov_error *err);
void sov_workspace_close(struct sov_workspace *workspace); /* for SOV_CLEANUP */
/* A new file ws/in/PATH, 0400; folders on the way are made. The path is a safe one (asserted). */
SOV_MUST_USE bool sov_workspace_input(const struct sov_workspace *workspace, const char *path,
                                      struct sov_bytes content, struct sov_error *err);
/* A new file ws/out/PATH, 0600, for adapters whose answer carries the files themselves. Fails
 * invalid_report for an unsafe path, invalid_deliverable if it is there already. */
SOV_MUST_USE bool sov_workspace_deliver(const struct sov_workspace *workspace, const char *path,
                                        struct sov_bytes content, struct sov_error *err);

/* One import: the limits of all files together. */
struct sov_import {
    const struct sov_workspace *workspace;
    size_t files_max;
    uint64_t file_max, total_max;
    size_t files; /* taken so far */
    uint64_t total;
};
enum { SOV_IMPORT_FILES = 64, SOV_IMPORT_FILE = 64 << 20, SOV_IMPORT_TOTAL = 256 << 20 };
void sov_import_begin(struct sov_import *import, const struct sov_workspace *workspace);

struct sov_imported {
    struct sov_bytes content; /* in the arena, which has room for total_max */
    struct sov_hash digest;   /* of exactly these octets: one reading gave both */
};
/* The file ws/out/PATH; only after the sweep, when nothing of the run can write any more. Regular,
 * one link, our uid, the root's device, no set-id bit, within the limits, still the same when it
 * was read; nothing else is ever read. Fails with a category as code, class SOV_NO: invalid_report
 * (the path, before any open), missing_deliverable, invalid_deliverable. */
SOV_MUST_USE bool sov_import_file(struct sov_import *import, const char *path,
                                  struct sov_arena *arena, struct sov_imported *deliverable_out,
                                  struct sov_error *err);
#endif
