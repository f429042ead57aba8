#ifndef SOV_PROJECTIONS_VERDICT_H
#define SOV_PROJECTIONS_VERDICT_H
/*
 * The third line of a page: where a thing stands, what is wrong with it, what is open, what to do
 * next. Owns: these words. Not here: whether the next act will be allowed (policy/).
 */
#include "projections/gates.h"
#include "projections/sheet.h"

enum { SOV_MARKS_MAX = 8 };
struct sov_mark { /* something wrong: a sign, words of ours, and what came from outside */
    const char *words, *detail; /* detail may be NULL */
};
struct sov_standing {
    const char *state;
    struct sov_mark marks[SOV_MARKS_MAX];
    size_t mark_count;
    const char *open; /* ids and words; NULL: nothing is open */
    const char *code; /* of the gate that is open; NULL: none */
    const char *next; /* a command; NULL: none */
    const char *link; /* the open link of the picture, short and ours; NULL: none */
};
void sov_work_standing(const struct sov_work *work, struct sov_arena *arena,
                       struct sov_standing *standing_out);
SOV_MUST_USE bool sov_story_standing(const struct sov_ledger *ledger, const struct sov_story *story,
                                     const struct sov_gates_seen *gates, struct sov_arena *arena,
                                     struct sov_standing *standing_out, struct sov_error *err);
/* The paragraph, and the object "verdict" of the facts. */
void sov_standing_line(struct sov_sheet *sheet, const struct sov_standing *standing);
void sov_standing_fact(struct sov_writer *w, const struct sov_standing *standing);
/* The newest that its page's chain shows: the newest assignment's. */
const struct sov_try *sov_work_newest_try(const struct sov_work *work);
#endif
