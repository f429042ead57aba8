/* Everything that the log says about one outcome in its present term. */
#include "projections/sheet.h"
#include "projections/work.h"

enum { TERMS_BEFORE = 12 }; /* further back is in the log */

static bool read_works(const struct sov_ledger *ledger, struct sov_arena *arena,
                       struct sov_story *story, struct sov_error *err)
{
    struct sov_work *works;
    struct sov_sows rows;

    if (!story->row.term) return true;
    if (!sov_sow_list(ledger, story->row.n, story->row.term, arena, &rows, err)) return false;
    works = sov_arena_array(arena, rows.count + 1, sizeof *works);
    for (size_t i = 0; i < rows.count; i++) {
        if (!sov_work_read(ledger, rows.at[i].n, arena, &works[i], err)) return false;
        story->last = sov_later(story->last, works[i].last);
    }
    story->works = works;
    story->work_count = rows.count;
    return true;
}

/* Those of SOWs stand with their SOWs. */
static bool read_batches(const struct sov_ledger *ledger, struct sov_arena *arena,
                         struct sov_story *story, struct sov_error *err)
{
    struct sov_verifications all;
    struct sov_verification *rows;
    size_t count = 0;

    if (!story->row.term) return true;
    if (!sov_verification_list(ledger, story->row.n, story->row.term, arena, &all, err))
        return false;
    rows = sov_arena_array(arena, all.count + 1, sizeof *rows);
    for (size_t i = 0; i < all.count; i++)
        if (!sov_is(all.at[i].scope, SOV_SCOPE_SOW)) rows[count++] = all.at[i];
    all = (struct sov_verifications){ rows, count };
    if (!sov_batches_read(ledger, &all, arena, &story->batches, &story->last, err)) return false;
    for (size_t i = 0; i < story->batches.count; i++) {
        const struct sov_batch *batch = &story->batches.at[i];

        if (sov_is(batch->row.scope, SOV_SCOPE_OUTCOME)) {
            story->current = batch;
            story->rechecked = NULL;
        } else
            story->rechecked = batch;
    }
    return true;
}

static bool read_signatures(const struct sov_ledger *ledger, struct sov_arena *arena,
                            struct sov_story *story, struct sov_error *err)
{
    struct sov_signature_seen *seen;
    struct sov_acceptances rows;

    if (!story->row.term) return true;
    if (!sov_acceptance_list(ledger, story->row.n, story->row.term, arena, &rows, err))
        return false;
    seen = sov_arena_array(arena, rows.count + 1, sizeof *seen);
    for (size_t i = 0; i < rows.count; i++) {
        seen[i].row = rows.at[i];
        if (!sov_sheet_kind(ledger, rows.at[i].signer, arena, &seen[i].kind, err)) return false;
        story->last = sov_later(story->last, rows.at[i].seq);
    }
    story->signatures = seen;
    story->signature_count = rows.count;
    return true;
}

static bool read_before(const struct sov_ledger *ledger, struct sov_arena *arena,
                        struct sov_story *story, struct sov_error *err)
{
    struct sov_acceptance *before = sov_arena_array(arena, TERMS_BEFORE, sizeof *before);

    for (int64_t term = story->row.term - 1; term > 0 && term >= story->row.term - TERMS_BEFORE;
         term--) {
        struct sov_acceptances rows;

        if (!sov_acceptance_list(ledger, story->row.n, term, arena, &rows, err)) return false;
        if (rows.count) before[story->before_count++] = rows.at[rows.count - 1];
    }
    story->before = before;
    return true;
}

static bool read_rulings(const struct sov_ledger *ledger, struct sov_arena *arena,
                         struct sov_story *story, struct sov_error *err)
{
    const char *stream = sov_arena_printf(arena, "outcome/OUT-%lld", (long long)story->row.n);

    if (!sov_ruling_list(ledger, stream, arena, &story->rulings, err)) return false;
    for (size_t i = 0; i < story->rulings.count; i++) {
        const struct sov_ruling *ruling = &story->rulings.at[i];

        story->last = sov_later(story->last, sov_later(ruling->seq, ruling->revoked_seq));
        story->held |= !ruling->revoked_seq && sov_is(ruling->effect, SOV_RULING_HOLD);
    }
    return true;
}

bool sov_story_read(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                    struct sov_story *story_out, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_numbered(SOV_STREAM_OUTCOME, n);
    struct sov_story story = { 0 };

    if (!sov_outcome_get(ledger, n, arena, &story.row, err) ||
        !sov_stream_last(ledger, SOV_STREAM_OUTCOME, n, arena, &story.last, err) ||
        !sov_sheet_kind(ledger, story.row.owner, arena, &story.owner_kind, err) ||
        !sov_checks_read(story.row.checks, arena, &story.checks, err) ||
        !read_works(ledger, arena, &story, err) || !read_batches(ledger, arena, &story, err) ||
        !read_signatures(ledger, arena, &story, err) || !read_before(ledger, arena, &story, err) ||
        !read_rulings(ledger, arena, &story, err) ||
        !sov_remarks_read(ledger, &stream, story.row.term_seq, arena, &story.remarks, err))
        return false;
    *story_out = story;
    return true;
}
