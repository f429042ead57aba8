/* What an acceptance asks of one SOW: gates 15 to 28. */
#include "base/text.h"
#include "ledger/actor.h"
#include "ledger/blob.h"
#include "ledger/case.h"
#include "ledger/claim.h"
#include "ledger/effect.h"
#include "ledger/log.h"
#include "ledger/review.h"
#include "ledger/ruling.h"

enum { BLOB_ARENA_MAX = 320 << 20 }; /* one blob has at most 256 MiB */

/* The receipt is that of this execution: its assignment, its attempt, its fence. */
static bool is_bound(const struct sov_case_look *look, const struct sov_case_work *work,
                     bool *bound_out, struct sov_error *err)
{
    struct sov_claim claim;
    bool found;

    if (!sov_claim_find(look->ledger, work->execution.n, work->receipt.fence, look->arena, &claim,
                        &found, err))
        return false;
    *bound_out =
        work->receipt.fence > 0 && found && work->receipt.assignment == work->execution.n &&
        work->receipt.attempt == claim.attempt && work->receipt.attempt == work->execution.attempts;
    return true;
}

static bool read_receipt(const struct sov_case_look *look, struct sov_case_work *work,
                         struct sov_case_sow *facts, struct sov_error *err)
{
    int64_t waiver = 0;
    bool found;

    if (!work->execution.receipt) return true;
    if (!sov_receipt_find(look->ledger, work->execution.receipt, look->arena, &work->receipt,
                          &found, err))
        return false;
    if (!found) return true;
    if (work->receipt.boundary.violated &&
        !sov_ruling_in_force(look->ledger, SOV_RULING_WAIVE, NULL, work->receipt.n, &waiver, err))
        return false;
    facts->has_receipt = true;
    facts->receipt_completed = work->receipt.status == SOV_RECEIPT_COMPLETED;
    facts->boundary_kept = !work->receipt.boundary.violated || waiver;
    return is_bound(look, work, &facts->receipt_bound, err);
}

/* ---- deliverables ---- */

enum lies { LIES_THERE, LIES_GONE, LIES_OTHERWISE };

/* The blob of one deliverable, read whole: it is there, and still has the digest it is kept by. */
static bool blob_lies(const struct sov_case_look *look, const struct sov_deliverable *deliverable,
                      enum lies *lies_out, struct sov_error *err)
{
    struct sov_error why = { 0 };
    struct sov_arena arena = { 0 };
    struct sov_blob blob;
    bool found, ok;

    sov_arena_init(&arena, BLOB_ARENA_MAX);
    ok = sov_blob_find(look->ledger, &deliverable->digest, &arena, &blob, &found, &why);
    if (ok)
        *lies_out =
            !found || blob.erased ? LIES_GONE
            : blob.ref.size != deliverable->size || (int64_t)blob.content.size != deliverable->size
                ? LIES_OTHERWISE
                : LIES_THERE;
    else if (strcmp(why.code, "blob_mismatch") == 0) {
        *lies_out = LIES_OTHERWISE;
        ok = true;
    } else
        *err = why;
    sov_arena_release(&arena);
    return ok;
}

static bool seen_changed(const struct sov_case_look *look, int64_t receipt, const char *path)
{
    for (size_t i = 0; i < look->request->change_count; i++)
        if (look->request->changes[i].receipt == receipt &&
            strcmp(look->request->changes[i].path, path) == 0)
            return true;
    return false;
}

static void name(struct sov_names *names, const char **room, const char *path)
{
    room[names->count++] = path;
    names->at = room;
}

static bool read_deliverables(const struct sov_case_look *look, const struct sov_case_work *work,
                              struct sov_case_sow *facts, struct sov_error *err)
{
    const char **room = sov_arena_array(look->arena, work->sow.deliverable_count * 3, sizeof *room);
    const char **unsafe = room, **missing = room + work->sow.deliverable_count,
               **changed = missing + work->sow.deliverable_count;

    for (size_t i = 0; i < work->sow.deliverable_count; i++) {
        const char *path = work->sow.deliverables[i];
        const struct sov_deliverable *bound = NULL;
        enum lies lies = LIES_GONE;

        for (size_t k = 0; k < work->receipt.deliverable_count && !bound; k++)
            if (strcmp(work->receipt.deliverables[k].path, path) == 0)
                bound = &work->receipt.deliverables[k];
        if (!sov_text_is_safe_path(sov_bytes_text(path))) name(&facts->paths_unsafe, unsafe, path);
        if (bound && !blob_lies(look, bound, &lies, err)) return false;
        if (lies == LIES_GONE) name(&facts->paths_missing, missing, path);
        if (lies == LIES_OTHERWISE || (bound && seen_changed(look, work->receipt.n, path)))
            name(&facts->paths_changed, changed, path);
    }
    return true;
}

/* ---- effects ---- */

static bool read_effects(const struct sov_case_look *look, struct sov_case_work *work,
                         struct sov_case_sow *facts, struct sov_error *err)
{
    struct sov_effects effects;
    const char **wrong;
    int64_t *numbers;

    if (!sov_effect_list(look->ledger, work->execution.n, look->arena, &effects, err)) return false;
    numbers = sov_arena_array(look->arena, effects.count, sizeof *numbers);
    wrong = sov_arena_array(look->arena, effects.count, sizeof *wrong);
    for (size_t i = 0; i < effects.count; i++) {
        const struct sov_effect *effect = &effects.at[i];
        bool holds;

        numbers[i] = effect->n;
        if (work->sow.effect && strcmp(effect->kind, work->sow.effect) == 0)
            facts->effect_committed = true;
        if (!sov_effect_corroborated(look->ledger, effect, look->arena, &holds, err)) return false;
        if (!holds)
            name(&facts->effects_wrong, wrong,
                 sov_judged_name(SOV_STREAM_EFFECT, effect->n, look->arena));
    }
    work->effects = numbers;
    work->effect_count = effects.count;
    return true;
}

/* ---- verification and reviews ---- */

static bool read_review(const struct sov_case_look *look, const struct sov_review *review,
                        struct sov_case_review *facts, struct sov_error *err)
{
    struct sov_error why = { 0 };

    facts->id = sov_judged_name(SOV_STREAM_REVIEW, review->n, look->arena);
    if (!sov_policy_decision(review->decision, &facts->decision) ||
        !sov_actor_person(look->ledger, review->reviewer, look->arena, &facts->reviewer, err))
        return false;
    facts->valid = sov_review_check(look->ledger, review, look->arena, &why);
    if (facts->valid || strcmp(why.code, "review_invalid") == 0) return true;
    *err = why;
    return false;
}

static bool read_reviews(const struct sov_case_look *look, struct sov_case_work *work,
                         struct sov_case_sow *facts, struct sov_error *err)
{
    struct sov_case_review *reviews;
    struct sov_reviews list;
    struct sov_hash *hashes;

    if (!sov_review_list(look->ledger, work->sow.n, look->arena, &list, err)) return false;
    reviews = sov_arena_array(look->arena, list.count, sizeof *reviews);
    hashes = sov_arena_array(look->arena, list.count, sizeof *hashes);
    for (size_t i = 0; i < list.count; i++) {
        if (list.at[i].verification != work->judged.verification.n) continue;
        if (!read_review(look, &list.at[i], &reviews[facts->review_count], err)) return false;
        if (reviews[facts->review_count++].decision == SOV_REVIEW_ACCEPTED)
            hashes[work->review_count++] = list.at[i].hash;
    }
    facts->reviews = reviews;
    work->reviews = hashes;
    return true;
}

static bool read_verification(const struct sov_case_look *look, struct sov_case_work *work,
                              struct sov_case_sow *facts, struct sov_error *err)
{
    struct sov_verification verification;
    bool found;

    if (!sov_verification_current(look->ledger, work->sow.n, look->arena, &verification, &found,
                                  err))
        return false;
    if (!found) return true;
    if (!sov_judged_verification(look->ledger, &verification, look->arena, &work->judged, err))
        return false;
    facts->has_verification = true;
    facts->definition_same =
        sov_hash_equal(&verification.definition_digest, &look->outcome.definition_digest);
    /* Under another definition other checks were declared: that is a gate of its own. */
    facts->verification_passed =
        work->judged.passed && work->judged.aggregate_same &&
        (!facts->definition_same || sov_judged_is_whole(&work->judged, look->outcome.checks));
    return read_reviews(look, work, facts, err);
}

bool sov_case_read_sow(const struct sov_case_look *look, struct sov_case_work *work,
                       struct sov_case_sow *facts, struct sov_error *err)
{
    bool found;

    *facts = (struct sov_case_sow){
        .id = sov_judged_name(SOV_STREAM_SOW, work->sow.n, look->arena),
        .state = work->sow.state,
        .effect_required = work->sow.effect && work->sow.effect_required,
    };
    if (!sov_judged_execution(look->ledger, work->sow.n, look->arena, &work->execution, &found,
                              err))
        return false;
    if (!found) {
        work->execution = (struct sov_assignment){ 0 };
        return read_deliverables(look, work, facts, err);
    }
    facts->has_execution = true;
    return read_receipt(look, work, facts, err) && read_deliverables(look, work, facts, err) &&
           read_effects(look, work, facts, err) && read_verification(look, work, facts, err);
}
