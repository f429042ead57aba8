/* The facts of sows/SOW-7.json, keys in byte order. */
#include "projections/pages.h"

static void texts(struct sov_writer *w, const char *key, const char *const *at, size_t count)
{
    sov_put_list(w, key);
    for (size_t i = 0; i < count; i++) sov_write_text(w, sov_bytes_text(at[i]));
    sov_write_end(w);
}

static void ids(struct sov_writer *w, const char *key, enum sov_stream_kind kind, const int64_t *at,
                size_t count, struct sov_arena *arena)
{
    sov_put_list(w, key);
    for (size_t i = 0; i < count; i++) {
        struct sov_stream stream = sov_stream_numbered(kind, at[i]);

        sov_write_text(w, sov_bytes_text(sov_stream_id(&stream, arena)));
    }
    sov_write_end(w);
}

static void deliverables(struct sov_writer *w, const struct sov_work *work,
                         const struct sov_receipt *receipt)
{
    sov_put_list(w, "deliverables");
    for (size_t i = 0; i < receipt->deliverable_count; i++) {
        sov_write_object(w);
        sov_fact_hash(w, "digest", &receipt->deliverables[i].digest);
        sov_put_bool(w, "erased", sov_work_is_erased(work, &receipt->deliverables[i].digest));
        sov_put_text(w, "path", receipt->deliverables[i].path);
        sov_put_int(w, "size", receipt->deliverables[i].size);
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void receipt_fact(struct sov_sheet *sheet, const struct sov_work *work,
                         const struct sov_receipt *receipt)
{
    struct sov_writer *w = &sheet->facts;

    sov_write_object(w);
    sov_fact_text(w, "adapter", receipt->adapter);
    sov_put_int(w, "attempt", receipt->attempt);
    sov_put_object(w, "boundary");
    sov_put_bool(w, "computed", receipt->boundary.computed);
    sov_put_bool(w, "scoped", receipt->boundary.scoped);
    sov_put_bool(w, "violated", receipt->boundary.violated);
    sov_write_end(w);
    sov_fact_text(w, "category", receipt->category);
    deliverables(w, work, receipt);
    ids(w, "effects", SOV_STREAM_EFFECT, receipt->effects, receipt->effect_count, sheet->arena);
    sov_put_bool(w, "effects_unknown", receipt->effects_unknown);
    sov_put_int(w, "fence", receipt->fence);
    sov_fact_hash(w, "hash", &receipt->hash);
    sov_fact_id(w, "id", SOV_STREAM_RECEIPT, receipt->n);
    sov_put_text(w, "message", receipt->message);
    sov_fact_text(w, "model", receipt->model);
    sov_fact_text(w, "provider", receipt->provider);
    if (receipt->has_report) sov_fact_hash(w, "report_digest", &receipt->report_digest);
    sov_put_int(w, "seq", receipt->seq);
    sov_put_text(w, "status", sov_policy_receipt_word(receipt->status));
    sov_put_raw(w, "usage", receipt->usage);
    sov_write_end(w);
}

static void effect_fact(struct sov_writer *w, const struct sov_effect *effect)
{
    sov_write_object(w);
    sov_fact_id(w, "approval", SOV_STREAM_APPROVAL, effect->approval);
    sov_fact_id(w, "id", SOV_STREAM_EFFECT, effect->n);
    sov_put_text(w, "kind", effect->kind);
    sov_put_list(w, "postings");
    for (size_t i = 0; i < effect->posting_count; i++) {
        sov_write_object(w);
        sov_put_text(w, "account", effect->postings[i].account);
        sov_put_int(w, "delta", effect->postings[i].delta);
        sov_write_end(w);
    }
    sov_write_end(w);
    sov_put_int(w, "quantity", effect->quantity);
    sov_put_int(w, "seq", effect->seq);
    sov_put_text(w, "subject", effect->subject);
    sov_write_end(w);
}

static void refused_fact(struct sov_writer *w, const struct sov_refuseds *list)
{
    sov_put_list(w, "refused");
    for (size_t i = 0; i < list->count; i++) {
        sov_write_object(w);
        sov_put_text(w, "code", list->at[i].code);
        sov_put_text(w, "kind", list->at[i].kind);
        if (list->at[i].has_quantity) sov_put_int(w, "quantity", list->at[i].quantity);
        sov_put_int(w, "seq", list->at[i].seq);
        sov_put_text(w, "subject", list->at[i].subject);
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void late_fact(struct sov_writer *w, const struct sov_stales *list)
{
    sov_put_list(w, "late");
    for (size_t i = 0; i < list->count; i++) {
        sov_write_object(w);
        sov_put_int(w, "fence", list->at[i].fence);
        sov_put_int(w, "seq", list->at[i].seq);
        sov_put_text(w, "why", list->at[i].why);
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void try_fact(struct sov_sheet *sheet, const struct sov_work *work, const struct sov_try *a)
{
    struct sov_writer *w = &sheet->facts;

    sov_write_object(w);
    sov_put_text(w, "actor", a->row.actor);
    sov_put_text(w, "actor_kind", a->kind);
    sov_put_int(w, "attempts", a->row.attempts);
    sov_put_text(w, "author", a->row.author);
    sov_put_list(w, "effects");
    for (size_t i = 0; i < a->effects.count; i++) effect_fact(w, &a->effects.at[i]);
    sov_write_end(w);
    if (a->row.fence) sov_put_int(w, "fence", a->row.fence);
    sov_fact_id(w, "id", SOV_STREAM_ASSIGNMENT, a->row.n);
    late_fact(w, &a->stales);
    sov_fact_text(w, "on_behalf", a->row.on_behalf);
    sov_fact_hash(w, "prompt_digest", &a->row.prompt_digest);
    sov_put_list(w, "receipts");
    for (size_t i = 0; i < a->receipts.count; i++) receipt_fact(sheet, work, &a->receipts.at[i]);
    sov_write_end(w);
    refused_fact(w, &a->refused);
    sov_put_int(w, "round", a->row.round);
    sov_put_int(w, "seq", a->row.seq);
    sov_put_text(w, "state", sov_policy_assignment_name(a->row.state));
    sov_write_end(w);
}

static void review_fact(struct sov_writer *w, const struct sov_opinion *opinion)
{
    const struct sov_review *review = &opinion->row;

    sov_write_object(w);
    sov_fact_hash(w, "aggregate_digest", &review->aggregate_digest);
    sov_put_int(w, "basis", review->basis);
    sov_put_text(w, "decision", review->decision);
    sov_fact_hash(w, "hash", &review->hash);
    sov_fact_id(w, "id", SOV_STREAM_REVIEW, review->n);
    sov_put_text(w, "key", review->by.key);
    sov_put_text(w, "rationale", review->rationale);
    sov_fact_id(w, "receipt", SOV_STREAM_RECEIPT, review->receipt);
    sov_put_text(w, "reviewer", review->reviewer);
    sov_put_text(w, "reviewer_kind", opinion->kind);
    sov_put_int(w, "seq", review->seq);
    sov_fact_id(w, "verification", SOV_STREAM_VERIFICATION, review->verification);
    sov_write_end(w);
}

static void origin_fact(struct sov_writer *w, const struct sov_work *work)
{
    sov_put_object(w, "origin");
    sov_put_text(w, "by", work->sow.origin);
    if (work->sow.origin_seq) sov_put_int(w, "seq", work->sow.origin_seq);
    if (work->has_signal) sov_fact_id(w, "signal", SOV_STREAM_SIGNAL, work->signal.n);
    sov_write_end(w);
}

void sov_sow_facts(struct sov_sheet *sheet, const struct sov_work *work,
                   const struct sov_standing *standing)
{
    const struct sov_sow *sow = &work->sow;
    struct sov_writer *w = &sheet->facts;

    sov_write_object(w);
    sov_put_list(w, "assignments");
    for (size_t i = 0; i < work->try_count; i++) try_fact(sheet, work, &work->tries[i]);
    sov_write_end(w);
    sov_put_text(w, "author", sow->author);
    sov_put_text(w, "author_kind", work->author_kind);
    texts(w, "deliverables", sow->deliverables, sow->deliverable_count);
    sov_put_text(w, "done_when", sow->done_when);
    sov_fact_text(w, "effect", sow->effect);
    sov_put_bool(w, "effect_required", sow->effect_required);
    sov_fact_id(w, "id", SOV_STREAM_SOW, sow->n);
    if (sow->inspection) sov_put_raw(w, "inspection", sov_bytes_text(sow->inspection));
    sov_last_event_fact(sheet);
    texts(w, "non_goals", sow->non_goals, sow->non_goal_count);
    sov_fact_text(w, "on_behalf", sow->on_behalf);
    origin_fact(w, work);
    sov_fact_id(w, "outcome", SOV_STREAM_OUTCOME, sow->outcome);
    sov_remarks_fact(w, &work->remarks);
    sov_put_int(w, "renderer", SOV_RENDERER);
    sov_put_list(w, "reviews");
    for (size_t i = 0; i < work->opinion_count; i++) review_fact(w, &work->opinions[i]);
    sov_write_end(w);
    sov_put_text(w, "role", sow->role);
    sov_rulings_fact(w, work->rulings, work->ruling_count);
    sov_put_text(w, "schema", "sov.view.sow.v1");
    sov_put_text(w, "scope", sow->scope);
    sov_put_int(w, "seq", sow->seq);
    sov_put_text(w, "state", sov_policy_sow_name(sow->state));
    sov_fact_id(w, "successor", SOV_STREAM_SOW, sow->successor);
    sov_put_int(w, "term", sow->term);
    sov_put_text(w, "title", sow->title);
    sov_standing_fact(w, standing);
    sov_batches_fact(w, "verifications", &work->batches);
    sov_write_end(w);
}
