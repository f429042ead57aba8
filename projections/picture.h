#ifndef SOV_PROJECTIONS_PICTURE_H
#define SOV_PROJECTIONS_PICTURE_H
/*
 * The causal chain of a page: a mermaid picture, then the same as a table with links. Ids of nodes
 * are fixed, labels hold nothing but ids, kinds and counts, and are escaped all the same.
 */
#include "projections/verdict.h"

enum { SOV_CHAIN_MAX = 12, SOV_PICTURE_MAX = 1900 };

struct sov_link {
    enum sov_stream_kind kind;
    int64_t n;
    const char *says;     /* beside the id, as it is: escaped where it is printed */
    const char *by, *how; /* an actor and its kind; NULL: none */
    int64_t seq;          /* 0: none */
};
struct sov_chain {
    struct sov_link at[SOV_CHAIN_MAX];
    size_t count;
    const char *open; /* the open link at its end; NULL: none */
};
void sov_work_chain(const struct sov_work *work, const struct sov_standing *standing,
                    struct sov_arena *arena, struct sov_chain *chain_out);
void sov_story_chain(const struct sov_story *story, const struct sov_gates_seen *gates,
                     const struct sov_standing *standing, struct sov_arena *arena,
                     struct sov_chain *chain_out);
/* `about` is the page's id. */
void sov_chain_draw(struct sov_sheet *sheet, const char *about, const struct sov_chain *chain);
#endif
