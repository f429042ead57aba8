#ifndef SOV_PROJECTIONS_PAGES_H
#define SOV_PROJECTIONS_PAGES_H
/* One function a kind of view, in its own file: page and facts into a fresh sheet, `last` set. */
#include "projections/sheet.h"
#include "projections/verdict.h"

#define SOV_PAGE(name)                                                                             \
    SOV_MUST_USE bool sov_##name##_write(struct sov_sheet *sheet, const struct sov_view *view,     \
                                         struct sov_error *err)
SOV_PAGE(readme);
SOV_PAGE(policy);
SOV_PAGE(actor);
SOV_PAGE(outcome);
SOV_PAGE(sow);
SOV_PAGE(ruling);
SOV_PAGE(approval);
#undef SOV_PAGE

/* The page of a view as a section on paper; as Markdown it was judged like any. */
SOV_MUST_USE bool sov_view_print(const struct sov_ledger *ledger, const struct sov_view *view,
                                 struct sov_paper *paper, struct sov_error *err);

/* The facts of the two large ones stand in files of their own. */
void sov_sow_facts(struct sov_sheet *sheet, const struct sov_work *work,
                   const struct sov_standing *standing);
void sov_outcome_facts(struct sov_sheet *sheet, const struct sov_story *story,
                       const struct sov_gates_seen *gates, const struct sov_standing *standing);
/* Shared lists of facts. */
void sov_keys_fact(struct sov_writer *w, const struct sov_actor_keys *keys);
void sov_batches_fact(struct sov_writer *w, const char *key, const struct sov_batches *batches);
void sov_rulings_fact(struct sov_writer *w, const struct sov_ruling *rulings, size_t count);
void sov_remarks_fact(struct sov_writer *w, const struct sov_remarks *remarks);
void sov_last_event_fact(struct sov_sheet *sheet);

/* Shared sections of pages; nothing if there is nothing to show. */
void sov_batches_section(struct sov_sheet *sheet, const char *title,
                         const struct sov_batches *batches);
void sov_rulings_section(struct sov_sheet *sheet, const struct sov_ruling *rulings, size_t count);
void sov_remarks_section(struct sov_sheet *sheet, const struct sov_remarks *remarks);
/* "holds", or with a sign "fails" and the code. */
void sov_cell_result(struct sov_sheet *sheet, bool holds, const char *code);
#endif
