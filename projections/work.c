#include "projections/work.h"

#include "projections/sheet.h"

bool sov_stream_last(const struct sov_ledger *ledger, enum sov_stream_kind kind, int64_t n,
                     struct sov_arena *arena, int64_t *seq_out, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_numbered(kind, n);
    const int64_t *seqs;
    size_t count;

    if (!sov_stream_history(ledger, &stream, arena, &seqs, &count, err)) return false;
    while (count-- > 0) {
        struct sov_event event;

        *seq_out = seqs[count];
        if (kind != SOV_STREAM_ASSIGNMENT) return true;
        if (!sov_log_named(ledger, seqs[count], SOV_EVENT_TYPE_COUNT, arena, &event, err))
            return false;
        if (event.type != SOV_EVENT_CLAIM_RENEWED) return true;
    }
    return true;
}

bool sov_batches_read(const struct sov_ledger *ledger, const struct sov_verifications *rows,
                      struct sov_arena *arena, struct sov_batches *batches_out, int64_t *last,
                      struct sov_error *err)
{
    struct sov_batch *batches = sov_arena_array(arena, rows->count + 1, sizeof *batches);

    for (size_t i = 0; i < rows->count; i++) {
        struct sov_batch *batch = &batches[i];

        batch->row = rows->at[i];
        if (!sov_sheet_kind(ledger, batch->row.actor, arena, &batch->kind, err)) return false;
        if (!sov_evidence_list(ledger, batch->row.n, arena, &batch->evidence, err)) return false;
        *last = sov_later(*last, batch->row.seq);
        for (size_t e = 0; e < batch->evidence.count; e++) {
            batch->holds += batch->evidence.at[e].success;
            *last = sov_later(*last, batch->evidence.at[e].seq);
        }
    }
    *batches_out = (struct sov_batches){ batches, rows->count };
    return true;
}

/* ---- the parts of a SOW ---- */

static bool read_try(const struct sov_ledger *ledger, const struct sov_assignment *row,
                     struct sov_arena *arena, struct sov_try *try_out, int64_t *last,
                     struct sov_error *err)
{
    int64_t seq = 0;

    try_out->row = *row;
    if (!sov_stream_last(ledger, SOV_STREAM_ASSIGNMENT, row->n, arena, &seq, err)) return false;
    if (!sov_sheet_kind(ledger, row->actor, arena, &try_out->kind, err) ||
        !sov_claim_list(ledger, row->n, false, arena, &try_out->claims, err) ||
        !sov_receipt_list(ledger, row->n, arena, &try_out->receipts, err) ||
        !sov_effect_list(ledger, row->n, arena, &try_out->effects, err) ||
        !sov_refused_list(ledger, row->n, arena, &try_out->refused, err) ||
        !sov_stale_list(ledger, row->n, arena, &try_out->stales, err))
        return false;
    *last = sov_later(*last, seq);
    for (size_t i = 0; i < try_out->receipts.count; i++)
        *last = sov_later(*last, try_out->receipts.at[i].seq);
    for (size_t i = 0; i < try_out->effects.count; i++)
        *last = sov_later(*last, try_out->effects.at[i].seq);
    return true;
}

static bool read_tries(const struct sov_ledger *ledger, struct sov_arena *arena,
                       struct sov_work *work, struct sov_error *err)
{
    struct sov_assignments rows;
    struct sov_try *tries;

    if (!sov_assignment_list(ledger, work->sow.n, arena, &rows, err)) return false;
    tries = sov_arena_array(arena, rows.count + 1, sizeof *tries);
    for (size_t i = 0; i < rows.count; i++) {
        if (!read_try(ledger, &rows.at[i], arena, &tries[i], &work->last, err)) return false;
        if (rows.at[i].state == SOV_ASSIGNMENT_COMPLETED) work->execution = &tries[i];
    }
    work->tries = tries;
    work->try_count = rows.count;
    for (size_t i = 0; work->execution && i < work->execution->receipts.count; i++)
        if (work->execution->receipts.at[i].n == work->execution->row.receipt)
            work->receipt = &work->execution->receipts.at[i];
    return true;
}

static bool read_opinions(const struct sov_ledger *ledger, struct sov_arena *arena,
                          struct sov_work *work, struct sov_error *err)
{
    struct sov_opinion *opinions;
    struct sov_reviews rows;

    if (!sov_review_list(ledger, work->sow.n, arena, &rows, err)) return false;
    opinions = sov_arena_array(arena, rows.count + 1, sizeof *opinions);
    for (size_t i = 0; i < rows.count; i++) {
        opinions[i].row = rows.at[i];
        if (!sov_sheet_kind(ledger, rows.at[i].reviewer, arena, &opinions[i].kind, err))
            return false;
        work->last = sov_later(work->last, rows.at[i].seq);
    }
    work->opinions = opinions;
    work->opinion_count = rows.count;
    return true;
}

/* ---- rulings: each once, by number ---- */

static void add_rulings(struct sov_work *work, struct sov_ruling *rows,
                        const struct sov_rulings *more)
{
    for (size_t i = 0; i < more->count; i++) {
        const struct sov_ruling *ruling = &more->at[i];
        size_t at = work->ruling_count;
        bool known = false;

        for (size_t k = 0; k < work->ruling_count; k++) known |= rows[k].n == ruling->n;
        if (known) continue;
        for (; at > 0 && rows[at - 1].n > ruling->n; at--) rows[at] = rows[at - 1];
        rows[at] = *ruling;
        work->ruling_count++;
        work->last = sov_later(work->last, sov_later(ruling->seq, ruling->revoked_seq));
        if (ruling->revoked_seq) continue;
        if (sov_is(ruling->effect, SOV_RULING_HOLD) && !ruling->receipt) work->held = true;
        if (sov_is(ruling->effect, SOV_RULING_WAIVE) && work->receipt &&
            ruling->receipt == work->receipt->n)
            work->waived = true;
    }
}

static bool read_rulings(const struct sov_ledger *ledger, struct sov_arena *arena,
                         struct sov_work *work, struct sov_error *err)
{
    size_t lists = 1, count = 0, at = 1;
    struct sov_rulings *list;
    struct sov_ruling *rows;

    for (size_t t = 0; t < work->try_count; t++) lists += work->tries[t].receipts.count;
    list = sov_arena_array(arena, lists, sizeof *list);
    if (!sov_ruling_list(ledger, sov_arena_printf(arena, "sow/SOW-%lld", (long long)work->sow.n),
                         arena, &list[0], err))
        return false;
    for (size_t t = 0; t < work->try_count; t++)
        for (size_t r = 0; r < work->tries[t].receipts.count; r++)
            if (!sov_ruling_of_receipt(ledger, work->tries[t].receipts.at[r].n, arena, &list[at++],
                                       err))
                return false;
    for (size_t i = 0; i < lists; i++) count += list[i].count;
    rows = sov_arena_array(arena, count + 1, sizeof *rows);
    for (size_t i = 0; i < lists; i++) add_rulings(work, rows, &list[i]);
    work->rulings = rows;
    return true;
}

/* ---- content that is gone ---- */

static bool read_erased(const struct sov_ledger *ledger, struct sov_arena *arena,
                        struct sov_work *work, struct sov_error *err)
{
    struct sov_hash *erased;
    size_t room = 0;

    for (size_t t = 0; t < work->try_count; t++)
        for (size_t r = 0; r < work->tries[t].receipts.count; r++)
            room += work->tries[t].receipts.at[r].deliverable_count;
    erased = sov_arena_array(arena, room + 1, sizeof *erased);
    for (size_t t = 0; t < work->try_count; t++) {
        for (size_t r = 0; r < work->tries[t].receipts.count; r++) {
            const struct sov_receipt *receipt = &work->tries[t].receipts.at[r];

            for (size_t d = 0; d < receipt->deliverable_count; d++) {
                int64_t seq;

                if (!sov_blob_erased(ledger, &receipt->deliverables[d].digest, &seq, err))
                    return false;
                if (!seq) continue;
                erased[work->erased_count++] = receipt->deliverables[d].digest;
                work->last = sov_later(work->last, seq);
            }
        }
    }
    work->erased = erased;
    return true;
}

bool sov_work_is_erased(const struct sov_work *work, const struct sov_hash *digest)
{
    for (size_t i = 0; i < work->erased_count; i++)
        if (sov_hash_equal(&work->erased[i], digest)) return true;
    return false;
}

static bool read_origin(const struct sov_ledger *ledger, struct sov_arena *arena,
                        struct sov_work *work, struct sov_error *err)
{
    struct sov_event wake;

    if (!work->sow.origin_seq) return true;
    if (!sov_log_named(ledger, work->sow.origin_seq, SOV_EVENT_WAKE_DECIDED, arena, &wake, err))
        return false;
    work->has_signal = true;
    return sov_signal_get(ledger, wake.stream.n, arena, &work->signal, err);
}

bool sov_work_read(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                   struct sov_work *work_out, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_numbered(SOV_STREAM_SOW, n);
    struct sov_work work = { 0 };
    struct sov_verifications rows;

    if (!sov_sow_get(ledger, n, arena, &work.sow, err) ||
        !sov_stream_last(ledger, SOV_STREAM_SOW, n, arena, &work.last, err) ||
        !sov_sheet_kind(ledger, work.sow.author, arena, &work.author_kind, err) ||
        !read_origin(ledger, arena, &work, err) || !read_tries(ledger, arena, &work, err) ||
        !sov_verification_of_sow(ledger, n, arena, &rows, err) ||
        !sov_batches_read(ledger, &rows, arena, &work.batches, &work.last, err) ||
        !read_opinions(ledger, arena, &work, err) || !read_rulings(ledger, arena, &work, err) ||
        !read_erased(ledger, arena, &work, err) ||
        !sov_remarks_read(ledger, &stream, 0, arena, &work.remarks, err))
        return false;
    for (size_t i = 0; work.receipt && i < work.batches.count; i++)
        if (work.batches.at[i].row.receipt == work.receipt->n) work.current = &work.batches.at[i];
    *work_out = work;
    return true;
}

const struct sov_receipt *sov_work_newest_receipt(const struct sov_work *work)
{
    const struct sov_receipt *newest = NULL;

    for (size_t t = 0; t < work->try_count; t++)
        for (size_t r = 0; r < work->tries[t].receipts.count; r++)
            if (!newest || work->tries[t].receipts.at[r].n > newest->n)
                newest = &work->tries[t].receipts.at[r];
    return newest;
}

size_t sov_work_opinions(const struct sov_work *work, const char *decision)
{
    size_t count = 0;

    for (size_t i = 0; work->current && i < work->opinion_count; i++)
        count += work->opinions[i].row.verification == work->current->row.n &&
                 sov_is(work->opinions[i].row.decision, decision);
    return count;
}
