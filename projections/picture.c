#include "projections/picture.h"

#include <assert.h>

static struct sov_link *add(struct sov_chain *chain, enum sov_stream_kind kind, int64_t n,
                            const char *says, int64_t seq)
{
    struct sov_link *link = &chain->at[chain->count++];

    assert(chain->count <= SOV_CHAIN_MAX);
    *link = (struct sov_link){ .kind = kind, .n = n, .says = says, .seq = seq };
    return link;
}

static void add_by(struct sov_chain *chain, enum sov_stream_kind kind, int64_t n, const char *says,
                   int64_t seq, const char *by, const char *how)
{
    struct sov_link *link = add(chain, kind, n, says, seq);

    link->by = by;
    link->how = how;
}

static const char *count_of(const struct sov_batch *batch, struct sov_arena *arena)
{
    return sov_arena_printf(arena, "%zu of %zu hold", batch->holds, batch->evidence.count);
}

/* The signal, the outcome and the SOW itself. */
static void add_need(const struct sov_work *work, struct sov_arena *arena, struct sov_chain *chain)
{
    if (work->has_signal)
        add(chain, SOV_STREAM_SIGNAL, work->signal.n,
            sov_arena_printf(arena, "%s, %s", work->signal.kind, work->signal.source),
            work->signal.seq);
    add(chain, SOV_STREAM_OUTCOME, work->sow.outcome, "", 0);
    add_by(chain, SOV_STREAM_SOW, work->sow.n, sov_policy_sow_name(work->sow.state), work->sow.seq,
           work->sow.author, work->author_kind);
}

static void add_judgement(const struct sov_work *work, struct sov_arena *arena,
                          struct sov_chain *chain, const struct sov_receipt *receipt)
{
    const struct sov_opinion *opinion = NULL;
    const struct sov_batch *batch = NULL;

    for (size_t i = 0; i < work->batches.count; i++)
        if (work->batches.at[i].row.receipt == receipt->n) batch = &work->batches.at[i];
    if (!batch) return;
    add_by(chain, SOV_STREAM_VERIFICATION, batch->row.n, count_of(batch, arena), batch->row.seq,
           batch->row.actor, batch->kind);
    for (size_t i = 0; i < work->opinion_count; i++)
        if (work->opinions[i].row.verification == batch->row.n) opinion = &work->opinions[i];
    if (opinion)
        add_by(chain, SOV_STREAM_REVIEW, opinion->row.n, opinion->row.decision, opinion->row.seq,
               opinion->row.reviewer, opinion->kind);
}

static void add_work(const struct sov_work *work, struct sov_arena *arena, struct sov_chain *chain)
{
    const struct sov_try *a = sov_work_newest_try(work);
    const struct sov_receipt *receipt;

    add_need(work, arena, chain);
    if (!a) return;
    add_by(chain, SOV_STREAM_ASSIGNMENT, a->row.n, sov_policy_assignment_name(a->row.state),
           a->row.seq, a->row.actor, a->kind);
    if (!a->receipts.count) return;
    receipt = &a->receipts.at[a->receipts.count - 1];
    if (a->effects.count) {
        const struct sov_effect *effect = &a->effects.at[a->effects.count - 1];

        add(chain, SOV_STREAM_EFFECT, effect->n,
            sov_arena_printf(arena, "%s %lld", effect->kind, (long long)effect->quantity),
            effect->seq);
    }
    add(chain, SOV_STREAM_RECEIPT, receipt->n,
        receipt->category ? receipt->category : sov_policy_receipt_word(receipt->status),
        receipt->seq);
    add_judgement(work, arena, chain, receipt);
}

void sov_work_chain(const struct sov_work *work, const struct sov_standing *standing,
                    struct sov_arena *arena, struct sov_chain *chain_out)
{
    struct sov_chain chain = { .open = standing->link };

    add_work(work, arena, &chain);
    *chain_out = chain;
}

/* The SOW that a shut gate is about, else the newest that counts, else the newest. */
static const struct sov_work *choose(const struct sov_story *story,
                                     const struct sov_gates_seen *gates)
{
    const struct sov_work *chosen = NULL;

    for (size_t i = 0; i < story->work_count; i++)
        if (!chosen || sov_policy_sow_counts(story->works[i].sow.state)) chosen = &story->works[i];
    for (size_t i = 0; gates->first && i < story->work_count; i++)
        if (story->works[i].sow.n == gates->first->sow) chosen = &story->works[i];
    return chosen;
}

void sov_story_chain(const struct sov_story *story, const struct sov_gates_seen *gates,
                     const struct sov_standing *standing, struct sov_arena *arena,
                     struct sov_chain *chain_out)
{
    const struct sov_batch *newest = story->rechecked ? story->rechecked : story->current;
    const struct sov_work *work = choose(story, gates);
    struct sov_chain chain = { .open = standing->link };

    if (work)
        add_work(work, arena, &chain);
    else
        add(&chain, SOV_STREAM_OUTCOME, story->row.n, "", 0);
    if (story->current)
        add_by(&chain, SOV_STREAM_VERIFICATION, story->current->row.n,
               count_of(story->current, arena), story->current->row.seq, story->current->row.actor,
               story->current->kind);
    if (story->signature_count) {
        const struct sov_signature_seen *seen = &story->signatures[story->signature_count - 1];

        add_by(&chain, SOV_STREAM_ACCEPTANCE, seen->row.n, "signed", seen->row.seq,
               seen->row.signer, seen->kind);
    }
    if (newest && newest == story->rechecked)
        add_by(&chain, SOV_STREAM_VERIFICATION, newest->row.n, count_of(newest, arena),
               newest->row.seq, newest->row.actor, newest->kind);
    *chain_out = chain;
}

/* ---- drawn ---- */

static const char *label(const struct sov_link *link, struct sov_arena *arena)
{
    struct sov_stream stream = sov_stream_numbered(link->kind, link->n);
    const char *id = sov_stream_id(&stream, arena);
    const char *text = *link->says ? sov_arena_printf(arena, "%s %s", id, link->says) : id;

    if (!link->by) return text;
    return link->how && !sov_is(link->how, link->by)
               ? sov_arena_printf(arena, "%s by %s, %s", text, link->by, link->how)
               : sov_arena_printf(arena, "%s by %s", text, link->by);
}

static void node(struct sov_sheet *sheet, size_t n, const char *text)
{
    sov_part_printf(sheet, "n%zu[", n);
    sov_page_label(&sheet->page, sov_bytes_text(text));
    sov_page_own(&sheet->page, "]");
}

static void draw(struct sov_sheet *sheet, const char *about, const struct sov_chain *chain)
{
    sov_page_fence(&sheet->page, "mermaid");
    sov_page_line(&sheet->page);
    sov_page_own(&sheet->page, "flowchart LR");
    sov_page_line(&sheet->page);
    sov_part_printf(sheet, "  accTitle: Why %s stands where it does", about);
    sov_page_line(&sheet->page);
    sov_page_own(&sheet->page, "  accDescr: From what began it to the first open link");
    for (size_t i = 0; i < chain->count; i++) {
        sov_page_line(&sheet->page);
        if (i)
            sov_part_printf(sheet, "  n%zu --> ", i);
        else
            sov_page_own(&sheet->page, "  ");
        node(sheet, i + 1, label(&chain->at[i], sheet->arena));
    }
    if (!chain->open) return;
    sov_page_line(&sheet->page);
    sov_part_printf(sheet, "  n%zu -.-> ", chain->count);
    node(sheet, chain->count + 1, chain->open);
}

void sov_chain_draw(struct sov_sheet *sheet, const char *about, const struct sov_chain *chain)
{
    static const char *const titles[] = { "step", "what", "by", "event", NULL };
    size_t before;

    sov_page_end(&sheet->page);
    before = sheet->markdown.size;
    draw(sheet, about, chain);
    sov_page_end(&sheet->page);
    assert(sheet->markdown.cut || sheet->markdown.size - before <= SOV_PICTURE_MAX);
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < chain->count; i++) {
        const struct sov_link *link = &chain->at[i];

        sov_page_row(&sheet->page);
        sov_cell_ref(sheet, link->kind, link->n);
        sov_page_cell(&sheet->page);
        sov_part_plain(sheet, link->says);
        sov_cell_actor(sheet, link->by, link->how);
        if (link->seq)
            sov_cell_number(sheet, link->seq);
        else
            sov_cell_own(sheet, NULL);
    }
    if (!chain->open) return;
    sov_page_row(&sheet->page);
    sov_cell_own(sheet, "open");
    sov_cell_own(sheet, chain->open);
    sov_cell_own(sheet, NULL);
    sov_cell_own(sheet, NULL);
}
