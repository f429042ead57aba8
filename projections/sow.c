/* sows/SOW-7: one bounded unit of work, who did it, what was seen, who decided. */
#include "projections/pages.h"
#include "projections/picture.h"

static void order(struct sov_sheet *sheet, const struct sov_sow *sow, const char *author_kind)
{
    static const char *const titles[] = { "outcome", "term",   "role", "effect",
                                          "made by", "origin", NULL };

    sov_sheet_heading(sheet, 2, "Order");
    sov_sheet_table(sheet, titles);
    sov_page_row(&sheet->page);
    sov_cell_ref(sheet, SOV_STREAM_OUTCOME, sow->outcome);
    sov_cell_number(sheet, sow->term);
    sov_page_cell(&sheet->page);
    sov_part_plain(sheet, sow->role);
    sov_cell_text(sheet, sow->effect);
    if (sow->effect) sov_page_own(&sheet->page, sow->effect_required ? ", required" : ", optional");
    sov_cell_actor(sheet, sow->author, author_kind);
    if (sow->on_behalf) {
        sov_page_own(&sheet->page, " for ");
        sov_part_actor(sheet, sow->on_behalf, NULL);
    }
    sov_cell_text(sheet, sow->origin);
    if (sow->origin_seq) sov_part_printf(sheet, ", event %lld", (long long)sow->origin_seq);
    sov_sheet_heading(sheet, 3, "Scope");
    sov_sheet_said(sheet, sow->author, sow->scope);
    sov_sheet_heading(sheet, 3, "Done when");
    sov_sheet_said(sheet, sow->author, sow->done_when);
    if (sow->non_goal_count) sov_sheet_heading(sheet, 3, "Not a goal");
    for (size_t i = 0; i < sow->non_goal_count; i++)
        sov_sheet_said(sheet, sow->author, sow->non_goals[i]);
}

/* ---- deliverables ---- */

static bool is_delivered(const struct sov_work *work, const char *path)
{
    for (size_t i = 0; work->receipt && i < work->receipt->deliverable_count; i++)
        if (sov_is(work->receipt->deliverables[i].path, path)) return true;
    return false;
}

static void content(struct sov_sheet *sheet, const struct sov_work *work,
                    const struct sov_deliverable *deliverable)
{
    char hex[SOV_HEX_HASH + 1];

    sov_page_cell(&sheet->page);
    if (sov_work_is_erased(work, &deliverable->digest)) {
        sov_page_own(&sheet->page, "erased");
        return;
    }
    if (deliverable->size > SOV_QUOTED_MAX) return;
    sov_hex(sov_hash_bytes(&deliverable->digest), hex);
    sov_page_link(&sheet->page, sov_bytes_text("content"),
                  sov_arena_printf(sheet->arena, "%sblobs/%s", sheet->up, hex));
}

static void delivered(struct sov_sheet *sheet, const struct sov_work *work)
{
    static const char *const titles[] = { "path", "receipt", "size", "digest", "content", NULL };

    if (work->sow.deliverable_count) {
        sov_sheet_heading(sheet, 2, "Deliverables");
        for (size_t i = 0; i < work->sow.deliverable_count; i++) {
            sov_page_item(&sheet->page, 1);
            sov_part_code(sheet, work->sow.deliverables[i]);
            sov_page_own(&sheet->page,
                         is_delivered(work, work->sow.deliverables[i]) ? " delivered" : " open");
        }
    }
    for (size_t t = 0, rows = 0; t < work->try_count; t++) {
        for (size_t r = 0; r < work->tries[t].receipts.count; r++) {
            const struct sov_receipt *receipt = &work->tries[t].receipts.at[r];

            for (size_t i = 0; i < receipt->deliverable_count; i++) {
                if (!rows++) {
                    sov_sheet_heading(sheet, 2, "Delivered");
                    sov_sheet_table(sheet, titles);
                }
                sov_page_row(&sheet->page);
                sov_cell_code(sheet, receipt->deliverables[i].path);
                sov_cell_ref(sheet, SOV_STREAM_RECEIPT, receipt->n);
                sov_cell_number(sheet, receipt->deliverables[i].size);
                sov_cell_digest(sheet, &receipt->deliverables[i].digest);
                content(sheet, work, &receipt->deliverables[i]);
            }
        }
    }
}

/* ---- assignments and what came of them ---- */

static void assignments(struct sov_sheet *sheet, const struct sov_work *work)
{
    static const char *const titles[] = { "assignment", "round",   "worker", "state",
                                          "attempts",   "made by", "event",  NULL };

    if (!work->try_count) return;
    sov_sheet_heading(sheet, 2, "Assignments");
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < work->try_count; i++) {
        const struct sov_try *a = &work->tries[i];

        sov_page_row(&sheet->page);
        sov_cell_here(sheet, SOV_STREAM_ASSIGNMENT, a->row.n);
        sov_cell_number(sheet, a->row.round);
        sov_cell_actor(sheet, a->row.actor, a->kind);
        sov_cell_own(sheet, sov_policy_assignment_name(a->row.state));
        if (a->row.fence) sov_part_printf(sheet, ", fence %lld", (long long)a->row.fence);
        sov_cell_number(sheet, a->row.attempts);
        sov_cell_actor(sheet, a->row.author, NULL);
        sov_cell_number(sheet, a->row.seq);
    }
}

static void provider(struct sov_sheet *sheet, const struct sov_receipt *receipt)
{
    sov_cell_text(sheet, receipt->provider);
    if (receipt->adapter && !sov_is(receipt->adapter, receipt->provider)) {
        sov_page_own(&sheet->page, " through ");
        sov_part_text(sheet, receipt->adapter);
    }
    if (!receipt->model) return;
    sov_page_own(&sheet->page, ", model ");
    sov_part_code(sheet, receipt->model);
}

static void boundary(struct sov_sheet *sheet, const struct sov_work *work,
                     const struct sov_receipt *receipt)
{
    const char *words = "kept";

    if (!receipt->boundary.scoped)
        words = "none";
    else if (!receipt->boundary.computed)
        words = "✘ unchecked";
    else if (receipt->boundary.violated)
        words = "✘ violated";
    sov_cell_own(sheet, words);
    for (size_t i = 0; receipt->boundary.violated && i < work->ruling_count; i++) {
        const struct sov_ruling *ruling = &work->rulings[i];

        if (ruling->revoked_seq || ruling->receipt != receipt->n) continue;
        sov_page_own(&sheet->page, ", waived by ");
        sov_part_ref(sheet, SOV_STREAM_RULING, ruling->n);
    }
}

static void receipts(struct sov_sheet *sheet, const struct sov_work *work)
{
    static const char *const titles[] = { "receipt", "attempt",  "verdict", "provider",
                                          "effects", "boundary", "event",   NULL };

    for (size_t t = 0, rows = 0; t < work->try_count; t++) {
        for (size_t r = 0; r < work->tries[t].receipts.count; r++) {
            const struct sov_receipt *receipt = &work->tries[t].receipts.at[r];

            if (!rows++) {
                sov_sheet_heading(sheet, 2, "Receipts");
                sov_sheet_table(sheet, titles);
            }
            sov_page_row(&sheet->page);
            sov_cell_here(sheet, SOV_STREAM_RECEIPT, receipt->n);
            sov_page_cell(&sheet->page);
            sov_part_printf(sheet, "ASG-%lld, %lld, fence %lld", (long long)receipt->assignment,
                            (long long)receipt->attempt, (long long)receipt->fence);
            sov_cell_own(sheet, receipt->status == SOV_RECEIPT_FAILED ? "✘ " : NULL);
            sov_part_text(sheet, sov_policy_receipt_word(receipt->status));
            if (receipt->category) {
                sov_page_own(&sheet->page, ", ");
                sov_part_code(sheet, receipt->category);
            }
            provider(sheet, receipt);
            sov_page_cell(&sheet->page);
            for (size_t i = 0; i < receipt->effect_count; i++)
                sov_part_ref(sheet, SOV_STREAM_EFFECT, receipt->effects[i]);
            if (receipt->effects_unknown) sov_page_own(&sheet->page, "✘ unknown");
            boundary(sheet, work, receipt);
            sov_cell_number(sheet, receipt->seq);
        }
    }
}

static void effects(struct sov_sheet *sheet, const struct sov_work *work)
{
    static const char *const titles[] = { "effect", "kind",     "subject", "quantity",
                                          "state",  "postings", "event",   NULL };

    for (size_t t = 0, rows = 0; t < work->try_count; t++) {
        const struct sov_try *a = &work->tries[t];

        if ((a->effects.count || a->refused.count) && !rows++) {
            sov_sheet_heading(sheet, 2, "Effects");
            sov_sheet_table(sheet, titles);
        }
        for (size_t i = 0; i < a->effects.count; i++) {
            const struct sov_effect *effect = &a->effects.at[i];

            sov_page_row(&sheet->page);
            sov_cell_here(sheet, SOV_STREAM_EFFECT, effect->n);
            if (effect->approval) sov_page_own(&sheet->page, ", allowed by ");
            sov_part_ref(sheet, SOV_STREAM_APPROVAL, effect->approval);
            sov_cell_text(sheet, effect->kind);
            sov_cell_text(sheet, effect->subject);
            sov_cell_number(sheet, effect->quantity);
            sov_cell_own(sheet, "committed");
            sov_page_cell(&sheet->page);
            for (size_t p = 0; p < effect->posting_count; p++) {
                if (p) sov_page_own(&sheet->page, ", ");
                sov_part_code(sheet, effect->postings[p].account);
                sov_page_own(&sheet->page, " ");
                sov_page_number(&sheet->page, effect->postings[p].delta);
            }
            sov_cell_number(sheet, effect->seq);
        }
        for (size_t i = 0; i < a->refused.count; i++) {
            const struct sov_refused *refused = &a->refused.at[i];

            sov_page_row(&sheet->page);
            sov_cell_own(sheet, "proposed");
            sov_cell_text(sheet, refused->kind);
            sov_cell_text(sheet, refused->subject);
            sov_page_cell(&sheet->page);
            if (refused->has_quantity) sov_page_number(&sheet->page, refused->quantity);
            sov_cell_own(sheet, "✘ refused ");
            sov_part_code(sheet, refused->code);
            sov_cell_own(sheet, NULL);
            sov_cell_number(sheet, refused->seq);
        }
    }
}

static void late(struct sov_sheet *sheet, const struct sov_work *work)
{
    for (size_t t = 0, rows = 0; t < work->try_count; t++) {
        for (size_t i = 0; i < work->tries[t].stales.count; i++) {
            const struct sov_stale *stale = &work->tries[t].stales.at[i];

            if (!rows++) sov_sheet_heading(sheet, 2, "Results that came too late");
            sov_page_item(&sheet->page, 1);
            sov_part_printf(sheet, "event %lld: for ASG-%lld under fence %lld, ",
                            (long long)stale->seq, (long long)stale->assignment,
                            (long long)stale->fence);
            sov_part_code(sheet, stale->why);
        }
    }
}

static void reviews(struct sov_sheet *sheet, const struct sov_work *work)
{
    static const char *const titles[] = { "review", "by",    "decision", "verification",
                                          "key",    "event", NULL };

    if (!work->opinion_count) return;
    sov_sheet_heading(sheet, 2, "Reviews");
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < work->opinion_count; i++) {
        const struct sov_review *review = &work->opinions[i].row;

        sov_page_row(&sheet->page);
        sov_cell_here(sheet, SOV_STREAM_REVIEW, review->n);
        sov_cell_actor(sheet, review->reviewer, work->opinions[i].kind);
        sov_cell_own(sheet, sov_is(review->decision, "accepted") ? NULL : "✘ ");
        sov_part_text(sheet, review->decision);
        sov_cell_ref(sheet, SOV_STREAM_VERIFICATION, review->verification);
        sov_cell_code(sheet, review->by.key);
        sov_cell_number(sheet, review->seq);
    }
    for (size_t i = 0; i < work->opinion_count; i++)
        sov_sheet_said(sheet, work->opinions[i].row.reviewer, work->opinions[i].row.rationale);
}

/* What actors said: data, and nothing follows from it. */
static void said(struct sov_sheet *sheet, const struct sov_work *work)
{
    bool any = false;

    for (size_t t = 0; t < work->try_count; t++)
        for (size_t r = 0; r < work->tries[t].receipts.count; r++)
            any |= *work->tries[t].receipts.at[r].message != 0;
    if (!any && !work->remarks.count) return;
    sov_sheet_heading(sheet, 2, "What was said");
    sov_remarks_section(sheet, &work->remarks);
    for (size_t t = 0; t < work->try_count; t++)
        for (size_t r = 0; r < work->tries[t].receipts.count; r++)
            sov_sheet_said(sheet, work->tries[t].row.actor, work->tries[t].receipts.at[r].message);
}

bool sov_sow_write(struct sov_sheet *sheet, const struct sov_view *view, struct sov_error *err)
{
    struct sov_standing standing;
    struct sov_chain chain;
    struct sov_work work;
    const char *id = sov_arena_printf(sheet->arena, "SOW-%lld", (long long)view->n);

    if (!sov_work_read(sheet->ledger, view->n, sheet->arena, &work, err)) return false;
    sheet->last = work.last;
    sov_work_standing(&work, sheet->arena, &standing);
    sov_work_chain(&work, &standing, sheet->arena, &chain);
    sov_page_heading(&sheet->page, 1);
    sov_part_printf(sheet, "%s: ", id);
    sov_part_text(sheet, work.sow.title);
    sov_standing_line(sheet, &standing);
    sov_chain_draw(sheet, id, &chain);
    order(sheet, &work.sow, work.author_kind);
    delivered(sheet, &work);
    assignments(sheet, &work);
    receipts(sheet, &work);
    effects(sheet, &work);
    late(sheet, &work);
    sov_batches_section(sheet, "Checks and evidence", &work.batches);
    reviews(sheet, &work);
    sov_rulings_section(sheet, work.rulings, work.ruling_count);
    said(sheet, &work);
    sov_sow_facts(sheet, &work, &standing);
    return true;
}
