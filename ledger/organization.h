#ifndef SOV_LEDGER_ORGANIZATION_H
#define SOV_LEDGER_ORGANIZATION_H
/* The founding of a ledger, and what its organization stream holds besides. */
#include "ledger/commit.h"

struct sov_places;
struct sov_restored;

struct sov_founding {
    const char *name;
    const char *filesystem, *filesystem_reason; /* allowed by an operator; NULL: none */
    struct sov_bytes policy; /* canonical, adopted behind the default one; .data NULL: none */
    bool dry;
};
struct sov_founded {
    bool noop; /* a ledger was there */
    struct sov_hash ledger_id;
    int64_t size;
    const struct sov_appended *events; /* in the arena handed in, ascending */
    size_t count;
};
/* Makes home, keys and ledger, all or nothing: the file gets its name after the founding commit.
 * Five actors with a key each, the default policy (model.md 4). */
SOV_MUST_USE bool sov_organization_found(const struct sov_places *places,
                                         const struct sov_founding *founding,
                                         const struct sov_seams *seams, struct sov_arena *arena,
                                         struct sov_founded *founded_out, struct sov_error *err);
/* An operator allows this kind of file system. */
SOV_MUST_USE bool sov_filesystem_allow(struct sov_commit *commit, const char *kind,
                                       const char *reason, struct sov_done *done_out,
                                       struct sov_error *err);
SOV_MUST_USE bool sov_filesystem_is_allowed(const struct sov_ledger *ledger, const char *kind,
                                            bool *allowed_out, struct sov_error *err);
/* That this log was made again from a source of that size (restore.h). */
SOV_MUST_USE bool sov_restore_record(struct sov_commit *commit, const struct sov_restored *restored,
                                     const char *reason, struct sov_done *done_out,
                                     struct sov_error *err);
#endif
