/* outcomes/OUT-3: a desired condition, what is still open for it, who accepted it. */
#include "projections/pages.h"
#include "projections/picture.h"

static void desire(struct sov_sheet *sheet, const struct sov_story *story)
{
    static const char *const titles[] = { "subject",     "owner",      "term",
                                          "since event", "definition", NULL };
    const struct sov_outcome *row = &story->row;

    sov_sheet_heading(sheet, 2, "Desired state");
    sov_sheet_said(sheet, row->owner, row->desired_state);
    sov_sheet_table(sheet, titles);
    sov_page_row(&sheet->page);
    sov_cell_text(sheet, row->subject);
    sov_cell_actor(sheet, row->owner, story->owner_kind);
    sov_cell_number(sheet, row->term);
    sov_cell_number(sheet, row->term ? row->term_seq : row->seq);
    sov_cell_digest(sheet, &row->definition_digest);
    if (!row->successor) return;
    sov_page_paragraph(&sheet->page);
    sov_page_own(&sheet->page, "Its successor is ");
    sov_part_ref(sheet, SOV_STREAM_OUTCOME, row->successor);
}

static const struct sov_evidence *seen(const struct sov_batch *batch, const char *check)
{
    for (size_t i = 0; batch && i < batch->evidence.count; i++)
        if (sov_is(batch->evidence.at[i].check, check)) return &batch->evidence.at[i];
    return NULL;
}

/* Each declared check, and what it saw last at outcome level. */
static void checks(struct sov_sheet *sheet, const struct sov_story *story)
{
    static const char *const titles[] = { "check",    "kind",  "declared", "last result",
                                          "evidence", "event", NULL };
    const struct sov_batch *newest = story->rechecked ? story->rechecked : story->current;

    sov_sheet_heading(sheet, 2, "Checks");
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < story->checks.count; i++) {
        const struct sov_check *check = &story->checks.at[i];
        const struct sov_evidence *evidence = seen(newest, check->id);

        sov_page_row(&sheet->page);
        sov_page_cell(&sheet->page);
        sov_part_plain(sheet, check->id);
        sov_cell_own(sheet, sov_check_word(check->kind));
        sov_page_cell(&sheet->page);
        sov_page_code(&sheet->page, check->spec);
        if (!evidence) {
            for (unsigned cell = 0; cell < 3; cell++)
                sov_cell_own(sheet, cell ? NULL : "not looked at in this term");
            continue;
        }
        sov_cell_result(sheet, evidence->success, evidence->code);
        sov_cell_ref(sheet, SOV_STREAM_EVIDENCE, evidence->n);
        sov_cell_number(sheet, evidence->seq);
    }
}

/* An outcome that was accepted, or is closed, is asked no more. */
static void gates(struct sov_sheet *sheet, const struct sov_story *story,
                  const struct sov_gates_seen *list)
{
    static const char *const titles[] = { "gate", "what must hold", "state", "by", NULL };
    static const char *const words[] = { [SOV_GATE_ASKED] = "asked at acceptance",
                                         [SOV_GATE_MET] = "met",
                                         [SOV_GATE_IDLE] = "nothing to ask" };
    enum sov_outcome_state state = story->row.state;

    if (state != SOV_OUTCOME_ACTIVE && state != SOV_OUTCOME_VERIFYING &&
        state != SOV_OUTCOME_BLOCKED && state != SOV_OUTCOME_VIOLATED)
        return;
    sov_sheet_heading(sheet, 2, "Gates");
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < SOV_ACCEPTANCE_GATES; i++) {
        const struct sov_gate_seen *gate = &list->at[i];

        sov_page_row(&sheet->page);
        sov_cell_number(sheet, gate->gate->number);
        sov_cell_own(sheet, gate->gate->title);
        if (gate->state != SOV_GATE_OPEN) {
            sov_cell_own(sheet, words[gate->state]);
            sov_cell_own(sheet, gate->by);
            continue;
        }
        sov_cell_own(sheet, "✘ open ");
        sov_part_code(sheet, gate->code);
        sov_page_cell(&sheet->page);
        if (gate->sow) {
            sov_part_ref(sheet, SOV_STREAM_SOW, gate->sow);
            sov_page_own(&sheet->page, " ");
        }
        sov_part_plain(sheet, gate->detail);
    }
}

static const struct sov_opinion *newest_opinion(const struct sov_work *work)
{
    const struct sov_opinion *newest = NULL;

    for (size_t i = 0; i < work->opinion_count; i++)
        if (work->current && work->opinions[i].row.verification == work->current->row.n)
            newest = &work->opinions[i];
    return newest;
}

static void sows(struct sov_sheet *sheet, const struct sov_story *story)
{
    static const char *const titles[] = { "SOW",    "title",   "state",    "made by",
                                          "worker", "receipt", "reviewer", NULL };

    if (!story->work_count) return;
    sov_sheet_heading(sheet, 2, "Statements of work");
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < story->work_count; i++) {
        const struct sov_work *work = &story->works[i];
        const struct sov_try *a = sov_work_newest_try(work);
        const struct sov_receipt *receipt = sov_work_newest_receipt(work);
        const struct sov_opinion *opinion = newest_opinion(work);

        sov_page_row(&sheet->page);
        sov_cell_ref(sheet, SOV_STREAM_SOW, work->sow.n);
        sov_cell_text(sheet, work->sow.title);
        sov_cell_own(sheet, sov_policy_sow_name(work->sow.state));
        sov_cell_actor(sheet, work->sow.author, work->author_kind);
        sov_cell_actor(sheet, a ? a->row.actor : NULL, a ? a->kind : NULL);
        sov_cell_ref(sheet, SOV_STREAM_RECEIPT, receipt ? receipt->n : 0);
        if (receipt) {
            sov_page_own(&sheet->page, " ");
            sov_part_text(sheet, sov_policy_receipt_word(receipt->status));
        }
        sov_cell_actor(sheet, opinion ? opinion->row.reviewer : NULL,
                       opinion ? opinion->kind : NULL);
    }
}

static void acceptance(struct sov_sheet *sheet, const struct sov_story *story)
{
    static const char *const titles[] = { "acceptance", "signed by", "key", "case",
                                          "basis",      "event",     NULL };

    if (story->signature_count) {
        sov_sheet_heading(sheet, 2, "Acceptance");
        sov_sheet_table(sheet, titles);
    }
    for (size_t i = 0; i < story->signature_count; i++) {
        const struct sov_acceptance *row = &story->signatures[i].row;

        sov_page_row(&sheet->page);
        sov_cell_here(sheet, SOV_STREAM_ACCEPTANCE, row->n);
        sov_cell_actor(sheet, row->signer, story->signatures[i].kind);
        sov_cell_code(sheet, row->by.key);
        sov_cell_digest(sheet, &row->case_digest);
        sov_cell_number(sheet, row->basis);
        sov_cell_number(sheet, row->seq);
    }
    for (size_t i = 0; i < story->signature_count; i++)
        sov_sheet_said(sheet, story->signatures[i].row.signer, story->signatures[i].row.reason);
}

static void before(struct sov_sheet *sheet, const struct sov_story *story)
{
    static const char *const titles[] = { "term", "acceptance", "signed by", "event", NULL };

    if (!story->before_count) return;
    sov_sheet_heading(sheet, 2, "Terms before");
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < story->before_count; i++) {
        sov_page_row(&sheet->page);
        sov_cell_number(sheet, story->before[i].term);
        sov_cell_here(sheet, SOV_STREAM_ACCEPTANCE, story->before[i].n);
        sov_cell_actor(sheet, story->before[i].signer, NULL);
        sov_cell_number(sheet, story->before[i].seq);
    }
}

bool sov_outcome_write(struct sov_sheet *sheet, const struct sov_view *view, struct sov_error *err)
{
    struct sov_standing standing;
    struct sov_gates_seen list;
    struct sov_chain chain;
    struct sov_story story;
    const char *id = sov_arena_printf(sheet->arena, "OUT-%lld", (long long)view->n);

    if (!sov_story_read(sheet->ledger, view->n, sheet->arena, &story, err)) return false;
    sheet->last = story.last;
    sov_gates_see(&story, sheet->arena, &list);
    if (!sov_story_standing(sheet->ledger, &story, &list, sheet->arena, &standing, err))
        return false;
    sov_story_chain(&story, &list, &standing, sheet->arena, &chain);
    sov_page_heading(&sheet->page, 1);
    sov_part_printf(sheet, "%s: ", id);
    sov_part_text(sheet, story.row.title);
    sov_standing_line(sheet, &standing);
    sov_chain_draw(sheet, id, &chain);
    desire(sheet, &story);
    checks(sheet, &story);
    gates(sheet, &story, &list);
    sows(sheet, &story);
    sov_batches_section(sheet, "Evidence of this term", &story.batches);
    acceptance(sheet, &story);
    before(sheet, &story);
    sov_rulings_section(sheet, story.rulings.at, story.rulings.count);
    if (story.remarks.count) sov_sheet_heading(sheet, 2, "What was said");
    sov_remarks_section(sheet, &story.remarks);
    sov_outcome_facts(sheet, &story, &list, &standing);
    return true;
}
