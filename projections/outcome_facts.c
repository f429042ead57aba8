/* The facts of outcomes/OUT-3.json, keys in byte order. */
#include "projections/pages.h"

static void acceptances(struct sov_writer *w, const struct sov_story *story)
{
    sov_put_list(w, "acceptances");
    for (size_t i = 0; i < story->signature_count; i++) {
        const struct sov_acceptance *row = &story->signatures[i].row;

        sov_write_object(w);
        sov_put_int(w, "basis", row->basis);
        sov_fact_hash(w, "case_digest", &row->case_digest);
        sov_fact_id(w, "id", SOV_STREAM_ACCEPTANCE, row->n);
        sov_put_text(w, "key", row->by.key);
        sov_put_raw(w, "observations", row->observations);
        sov_fact_text(w, "reason", row->reason);
        sov_put_int(w, "seq", row->seq);
        sov_put_text(w, "signer", row->signer);
        sov_put_text(w, "signer_kind", story->signatures[i].kind);
        sov_put_raw(w, "signers", row->signers);
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void before(struct sov_writer *w, const struct sov_story *story)
{
    sov_put_list(w, "before");
    for (size_t i = 0; i < story->before_count; i++) {
        sov_write_object(w);
        sov_fact_id(w, "acceptance", SOV_STREAM_ACCEPTANCE, story->before[i].n);
        sov_put_int(w, "seq", story->before[i].seq);
        sov_put_text(w, "signer", story->before[i].signer);
        sov_put_int(w, "term", story->before[i].term);
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void gates(struct sov_writer *w, const struct sov_gates_seen *list)
{
    static const char *const words[] = { "asked", "met", "open", "idle" };

    sov_put_list(w, "gates");
    for (size_t i = 0; i < SOV_ACCEPTANCE_GATES; i++) {
        const struct sov_gate_seen *gate = &list->at[i];

        sov_write_object(w);
        sov_put_text(w, "by", gate->by);
        sov_fact_text(w, "code", gate->code);
        sov_fact_text(w, "detail", gate->detail);
        sov_put_int(w, "gate", gate->gate->number);
        sov_fact_id(w, "sow", SOV_STREAM_SOW, gate->sow);
        sov_put_text(w, "state", words[gate->state]);
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void sows(struct sov_writer *w, const struct sov_story *story)
{
    sov_put_list(w, "sows");
    for (size_t i = 0; i < story->work_count; i++) {
        const struct sov_work *work = &story->works[i];
        const struct sov_try *a = sov_work_newest_try(work);
        const struct sov_receipt *receipt = sov_work_newest_receipt(work);

        sov_write_object(w);
        sov_put_text(w, "author", work->sow.author);
        sov_put_text(w, "author_kind", work->author_kind);
        sov_fact_id(w, "id", SOV_STREAM_SOW, work->sow.n);
        if (receipt) sov_fact_id(w, "receipt", SOV_STREAM_RECEIPT, receipt->n);
        sov_put_text(w, "state", sov_policy_sow_name(work->sow.state));
        sov_put_text(w, "title", work->sow.title);
        if (a) {
            sov_put_text(w, "worker", a->row.actor);
            sov_put_text(w, "worker_kind", a->kind);
        }
        sov_write_end(w);
    }
    sov_write_end(w);
}

void sov_outcome_facts(struct sov_sheet *sheet, const struct sov_story *story,
                       const struct sov_gates_seen *list, const struct sov_standing *standing)
{
    const struct sov_outcome *row = &story->row;
    struct sov_writer *w = &sheet->facts;

    sov_write_object(w);
    acceptances(w, story);
    before(w, story);
    sov_put_raw(w, "checks", row->checks);
    sov_fact_hash(w, "definition_digest", &row->definition_digest);
    sov_put_text(w, "desired_state", row->desired_state);
    gates(w, list);
    sov_fact_id(w, "id", SOV_STREAM_OUTCOME, row->n);
    sov_last_event_fact(sheet);
    sov_put_text(w, "owner", row->owner);
    sov_put_text(w, "owner_kind", story->owner_kind);
    sov_remarks_fact(w, &story->remarks);
    sov_put_int(w, "renderer", SOV_RENDERER);
    sov_rulings_fact(w, story->rulings.at, story->rulings.count);
    sov_put_text(w, "schema", "sov.view.outcome.v1");
    sov_put_int(w, "seq", row->seq);
    sows(w, story);
    sov_put_text(w, "state", sov_policy_outcome_name(row->state));
    sov_fact_text(w, "subject", row->subject);
    sov_fact_id(w, "successor", SOV_STREAM_OUTCOME, row->successor);
    sov_put_int(w, "term", row->term);
    sov_put_text(w, "title", row->title);
    sov_standing_fact(w, standing);
    sov_batches_fact(w, "verifications", &story->batches);
    sov_write_end(w);
}
