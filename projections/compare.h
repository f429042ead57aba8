#ifndef SOV_PROJECTIONS_COMPARE_H
#define SOV_PROJECTIONS_COMPARE_H
/* One comparison of a tree with a ledger: views in compare.c, the published log in compare_log.c.
 */
#include "projections/tree.h"

struct sov_comparison {
    const struct sov_ledger *ledger; /* as handed in: checkpoints, blobs */
    const struct sov_ledger *at;     /* at the published size: views, events */
    const struct sov_tree *tree;
    int64_t size;
    bool own; /* the ledger was made of this very tree's log: its content says nothing more */
    void (*each)(void *context, const struct sov_difference *);
    void *context;
    struct sov_compared compared;
    struct sov_arena *arena; /* rewound after each file */
};
/* `path` is beneath governance/. */
void sov_differ(struct sov_comparison *c, enum sov_difference_kind kind, enum sov_part part,
                const char *path);
/* Whether a regular file is there that can be read; what is wrong with it was reported. */
SOV_MUST_USE bool sov_compare_facts(struct sov_comparison *c, enum sov_part part, const char *path,
                                    bool *readable_out, struct sov_error *err);
/* Its first octets, into the arena; .data NULL: not readable. */
SOV_MUST_USE bool sov_compare_read(struct sov_comparison *c, enum sov_part part, const char *path,
                                   size_t size_max, struct sov_bytes *bytes_out,
                                   struct sov_error *err);
void sov_differ_at(struct sov_comparison *c, struct sov_difference difference);
/* The rest of the line that begins there. */
struct sov_bytes sov_line_at(struct sov_bytes text, size_t at);
/* They differ only in that each line of `found` ends in CR LF. */
bool sov_equal_but_endings(struct sov_bytes expected, struct sov_bytes found);
/* The first line that differs, if one does. */
void sov_compare_bytes(struct sov_comparison *c, enum sov_part part, const char *path,
                       struct sov_bytes expected, struct sov_bytes found);
SOV_MUST_USE bool sov_compare_log(struct sov_comparison *c, struct sov_error *err);
#endif
