#include "projections/gates.h"

#include "base/text.h"
#include "projections/sheet.h"

struct look {
    const struct sov_story *story;
    struct sov_arena *arena;
    struct sov_gate_seen *seen;
};

static void shut(const struct look *look, const char *code, const char *detail)
{
    if (look->seen->state == SOV_GATE_OPEN) return;
    look->seen->state = SOV_GATE_OPEN;
    look->seen->code = code;
    look->seen->detail = detail;
}

static void cite(const struct look *look, enum sov_stream_kind kind, int64_t n)
{
    const char *before = look->seen->by;

    if (n)
        look->seen->by = sov_arena_printf(look->arena, "%s%s%s-%lld", before, *before ? ", " : "",
                                          sov_stream_prefix(kind), (long long)n);
}

/* ---- of the outcome ---- */

static void state_is_open(const struct look *look)
{
    enum sov_outcome_state state = look->story->row.state;

    if (state == SOV_OUTCOME_ACCEPTED)
        shut(look, "already_accepted", "it is ACCEPTED");
    else if (!sov_policy_outcome_is_open(state))
        shut(look, "wrong_state",
             sov_arena_printf(look->arena, "it is %s", sov_policy_outcome_name(state)));
}

static void nothing_holds(const struct look *look)
{
    if (look->story->held) shut(look, "ruling_hold", "a ruling holds the outcome");
    for (size_t i = 0; i < look->story->work_count; i++)
        if (look->story->works[i].held)
            shut(look, "ruling_hold",
                 sov_arena_printf(look->arena, "a ruling holds SOW-%lld",
                                  (long long)look->story->works[i].sow.n));
}

static void has_work(const struct look *look)
{
    for (size_t i = 0; i < look->story->work_count; i++)
        if (sov_policy_sow_counts(look->story->works[i].sow.state))
            cite(look, SOV_STREAM_SOW, look->story->works[i].sow.n);
    if (!*look->seen->by) shut(look, "sow_missing", "no SOW of the term counts");
}

static void has_checks(const struct look *look)
{
    if (!look->story->checks.count) shut(look, "checks_missing", "it declares none");
}

static void is_verified(const struct look *look)
{
    const struct sov_batch *current = look->story->current;

    if (!current)
        shut(look, "outcome_not_verified", "the term has no verification of the outcome");
    else if (!current->row.passed)
        shut(look, "outcome_not_verified",
             sov_arena_printf(look->arena, "VER-%lld did not pass", (long long)current->row.n));
    else if (look->story->row.state != SOV_OUTCOME_VERIFYING)
        shut(look, "outcome_not_verified",
             sov_arena_printf(look->arena, "it is %s",
                              sov_policy_outcome_name(look->story->row.state)));
    else
        cite(look, SOV_STREAM_VERIFICATION, current->row.n);
}

static void is_recent(const struct look *look)
{
    const struct sov_batch *current = look->story->current;

    for (size_t w = 0; current && w < look->story->work_count; w++) {
        const struct sov_work *work = &look->story->works[w];

        for (size_t t = 0; t < work->try_count; t++) {
            const struct sov_try *a = &work->tries[t];

            for (size_t i = 0; i < a->receipts.count; i++)
                if (a->receipts.at[i].seq > current->row.seq)
                    shut(look, "verification_too_old",
                         sov_arena_printf(look->arena, "RCP-%lld is newer than VER-%lld",
                                          (long long)a->receipts.at[i].n,
                                          (long long)current->row.n));
            for (size_t i = 0; i < a->effects.count; i++)
                if (a->effects.at[i].seq > current->row.seq)
                    shut(look, "verification_too_old",
                         sov_arena_printf(look->arena, "EFF-%lld is newer than VER-%lld",
                                          (long long)a->effects.at[i].n,
                                          (long long)current->row.n));
        }
    }
    if (current) cite(look, SOV_STREAM_VERIFICATION, current->row.n);
}

static const struct sov_evidence *evidence_of(const struct sov_batch *batch, const char *check)
{
    for (size_t i = 0; batch && i < batch->evidence.count; i++)
        if (sov_is(batch->evidence.at[i].check, check)) return &batch->evidence.at[i];
    return NULL;
}

static void has_evidence(const struct look *look)
{
    for (size_t i = 0; i < look->story->checks.count; i++) {
        const char *check = look->story->checks.at[i].id;
        const struct sov_evidence *evidence = evidence_of(look->story->current, check);

        if (!evidence)
            shut(look, "evidence_missing", sov_arena_printf(look->arena, "%s has none", check));
        else if (!evidence->success)
            shut(look, "evidence_failing",
                 sov_arena_printf(look->arena, "%s fails in EVD-%lld", check,
                                  (long long)evidence->n));
        else
            cite(look, SOV_STREAM_EVIDENCE, evidence->n);
    }
}

static void is_own(const struct look *look)
{
    const struct sov_batch *current = look->story->current;

    if (!current) return;
    if (!sov_hash_equal(&current->row.definition_digest, &look->story->row.definition_digest))
        shut(look, "evidence_foreign",
             sov_arena_printf(look->arena, "the definition has changed since VER-%lld",
                              (long long)current->row.n));
    cite(look, SOV_STREAM_VERIFICATION, current->row.n);
}

static void adds_up(const struct look *look)
{
    const struct sov_batch *current = look->story->current;
    struct sov_hash aggregate;

    if (!current) return;
    aggregate = sov_aggregate_digest(&current->row, &current->evidence);
    if (!sov_hash_equal(&aggregate, &current->row.aggregate_digest))
        shut(look, "aggregate_mismatch", "its evidence gives another one");
    cite(look, SOV_STREAM_VERIFICATION, current->row.n);
}

/* ---- of each SOW that counts ---- */

static void is_accepted(const struct look *look, const struct sov_work *work)
{
    if (work->sow.state != SOV_SOW_ACCEPTED)
        shut(look, "sow_open",
             sov_arena_printf(look->arena, "is %s", sov_policy_sow_name(work->sow.state)));
    cite(look, SOV_STREAM_SOW, work->sow.n);
}

static void is_executed(const struct look *look, const struct sov_work *work)
{
    if (!work->execution)
        shut(look, "execution_missing", "has no COMPLETED assignment");
    else
        cite(look, SOV_STREAM_ASSIGNMENT, work->execution->row.n);
}

static void has_receipt(const struct look *look, const struct sov_work *work)
{
    bool bound = false;

    if (!work->execution) return;
    for (size_t i = 0; work->receipt && i < work->execution->claims.count; i++) {
        const struct sov_claim *claim = &work->execution->claims.at[i];

        bound |= claim->fence == work->receipt->fence && claim->attempt == work->receipt->attempt &&
                 claim->attempt == work->execution->row.attempts;
    }
    if (!work->receipt)
        shut(look, "receipt_missing", "has no receipt of its execution");
    else if (!bound)
        shut(look, "receipt_unbound", "has a receipt that is not its execution's");
    else
        cite(look, SOV_STREAM_RECEIPT, work->receipt->n);
}

static void is_completed(const struct look *look, const struct sov_work *work)
{
    if (!work->receipt) return;
    if (work->receipt->status != SOV_RECEIPT_COMPLETED)
        shut(look, "receipt_not_completed", "has a receipt that is not completed");
    cite(look, SOV_STREAM_RECEIPT, work->receipt->n);
}

static void paths_are_safe(const struct look *look, const struct sov_work *work)
{
    for (size_t i = 0; i < work->sow.deliverable_count; i++)
        if (!sov_text_is_safe_path(sov_bytes_text(work->sow.deliverables[i])))
            shut(look, "deliverable_unsafe",
                 sov_arena_printf(look->arena, "declares %s", work->sow.deliverables[i]));
    if (work->sow.deliverable_count) cite(look, SOV_STREAM_SOW, work->sow.n);
}

static void all_delivered(const struct look *look, const struct sov_work *work)
{
    for (size_t i = 0; i < work->sow.deliverable_count; i++) {
        bool there = false;

        for (size_t k = 0; work->receipt && k < work->receipt->deliverable_count; k++)
            there |= sov_is(work->receipt->deliverables[k].path, work->sow.deliverables[i]) &&
                     !sov_work_is_erased(work, &work->receipt->deliverables[k].digest);
        if (!there)
            shut(look, "deliverable_missing",
                 sov_arena_printf(look->arena, "lacks %s", work->sow.deliverables[i]));
    }
    if (work->receipt && work->sow.deliverable_count)
        cite(look, SOV_STREAM_RECEIPT, work->receipt->n);
}

static void has_effect(const struct look *look, const struct sov_work *work)
{
    bool there = !work->sow.effect || !work->sow.effect_required;

    for (size_t i = 0; work->execution && i < work->execution->effects.count; i++) {
        const struct sov_effect *effect = &work->execution->effects.at[i];

        if (!work->sow.effect || !sov_is(effect->kind, work->sow.effect)) continue;
        there = true;
        cite(look, SOV_STREAM_EFFECT, effect->n);
    }
    if (!there) shut(look, "effect_missing", "has no required effect of its execution");
}

static void boundary_kept(const struct look *look, const struct sov_work *work)
{
    if (!work->receipt) return;
    if (work->receipt->boundary.violated && !work->waived)
        shut(look, "boundary_violated", "violated its boundary, and no ruling waives it");
    cite(look, SOV_STREAM_RECEIPT, work->receipt->n);
}

static void work_verified(const struct look *look, const struct sov_work *work)
{
    if (!work->current)
        shut(look, "verification_missing", "has no verification of its execution");
    else if (!work->current->row.passed)
        shut(look, "verification_failed", "has a verification that did not pass");
    else
        cite(look, SOV_STREAM_VERIFICATION, work->current->row.n);
}

static void same_definition(const struct look *look, const struct sov_work *work)
{
    if (!work->current) return;
    if (!sov_hash_equal(&work->current->row.definition_digest, &look->story->row.definition_digest))
        shut(look, "definition_changed", "was verified under another definition");
    cite(look, SOV_STREAM_VERIFICATION, work->current->row.n);
}

/* How many policy asks for is told by the SOW itself: it is ACCEPTED behind the last of them. */
static void is_reviewed(const struct look *look, const struct sov_work *work)
{
    for (size_t i = 0; work->current && i < work->opinion_count; i++)
        if (work->opinions[i].row.verification == work->current->row.n &&
            sov_is(work->opinions[i].row.decision, "accepted"))
            cite(look, SOV_STREAM_REVIEW, work->opinions[i].row.n);
    if (!work->current || !sov_work_opinions(work, "accepted"))
        shut(look, "review_missing", "has no accepting review of its current verification");
    else if (work->sow.state != SOV_SOW_ACCEPTED)
        shut(look, "review_missing",
             sov_arena_printf(look->arena, "is %s: more reviews are due",
                              sov_policy_sow_name(work->sow.state)));
}

static void is_undisputed(const struct look *look, const struct sov_work *work)
{
    for (size_t i = 0; work->current && i < work->opinion_count; i++) {
        const struct sov_review *review = &work->opinions[i].row;

        if (review->verification != work->current->row.n) continue;
        if (!sov_is(review->decision, "accepted"))
            shut(look, "review_dissent",
                 sov_arena_printf(look->arena, "has REV-%lld, which says %s", (long long)review->n,
                                  review->decision));
        else
            cite(look, SOV_STREAM_REVIEW, review->n);
    }
}

/* ---- all of them ---- */

/* From here on a gate that is met is met by something. */
enum { BY_SOMETHING = 15 };

static const struct row {
    int number;
    void (*whole)(const struct look *look);
    void (*each)(const struct look *look, const struct sov_work *work);
} rows[] = {
    { 6, state_is_open, NULL },  { 7, nothing_holds, NULL },    { 11, has_work, NULL },
    { 12, NULL, is_accepted },   { 13, has_checks, NULL },      { 15, NULL, is_executed },
    { 16, NULL, has_receipt },   { 17, NULL, is_completed },    { 18, NULL, paths_are_safe },
    { 19, NULL, all_delivered }, { 21, NULL, has_effect },      { 23, NULL, boundary_kept },
    { 24, NULL, work_verified }, { 25, NULL, same_definition }, { 26, NULL, is_reviewed },
    { 27, NULL, is_undisputed }, { 29, is_verified, NULL },     { 30, is_recent, NULL },
    { 31, has_evidence, NULL },  { 32, is_own, NULL },          { 34, adds_up, NULL },
};

static void see_each(const struct look *look, const struct row *row)
{
    for (size_t i = 0; i < look->story->work_count; i++) {
        const struct sov_work *work = &look->story->works[i];
        bool was_open = look->seen->state == SOV_GATE_OPEN;

        if (!sov_policy_sow_counts(work->sow.state)) continue;
        row->each(look, work);
        if (!was_open && look->seen->state == SOV_GATE_OPEN) look->seen->sow = work->sow.n;
    }
}

void sov_gates_see(const struct sov_story *story, struct sov_arena *arena,
                   struct sov_gates_seen *gates_out)
{
    struct look look = { .story = story, .arena = arena };
    size_t count;
    const struct sov_gate *gates = sov_policy_acceptance_gates(&count);

    *gates_out = (struct sov_gates_seen){ .open = 0 };
    for (size_t i = 0; i < count && i < SOV_ACCEPTANCE_GATES; i++) {
        look.seen = &gates_out->at[i];
        *look.seen = (struct sov_gate_seen){ .gate = &gates[i], .by = "" };
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            if (rows[r].number != gates[i].number) continue;
            look.seen->state = SOV_GATE_MET;
            if (rows[r].whole)
                rows[r].whole(&look);
            else
                see_each(&look, &rows[r]);
        }
        if (look.seen->state == SOV_GATE_MET && !*look.seen->by && gates[i].number >= BY_SOMETHING)
            look.seen->state = SOV_GATE_IDLE;
        if (look.seen->state != SOV_GATE_OPEN) continue;
        gates_out->open++;
        if (!gates_out->first) gates_out->first = look.seen;
    }
}
