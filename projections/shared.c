/* Sections and facts that the pages of SOWs and outcomes share. */
#include "projections/pages.h"

void sov_cell_result(struct sov_sheet *sheet, bool holds, const char *code)
{
    sov_cell_own(sheet, holds ? "holds" : "✘ fails");
    if (!code) return;
    sov_page_own(&sheet->page, " ");
    sov_part_code(sheet, code);
}

void sov_batches_section(struct sov_sheet *sheet, const char *title,
                         const struct sov_batches *batches)
{
    static const char *const titles[] = { "verification", "by",       "check", "kind",
                                          "result",       "evidence", "event", NULL };

    if (!batches->count) return;
    sov_sheet_heading(sheet, 2, title);
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < batches->count; i++) {
        const struct sov_batch *batch = &batches->at[i];

        for (size_t e = 0; e < batch->evidence.count; e++) {
            const struct sov_evidence *evidence = &batch->evidence.at[e];

            sov_page_row(&sheet->page);
            sov_cell_here(sheet, SOV_STREAM_VERIFICATION, batch->row.n);
            sov_cell_actor(sheet, batch->row.actor, batch->kind);
            sov_page_cell(&sheet->page);
            sov_part_plain(sheet, evidence->check);
            sov_page_cell(&sheet->page);
            sov_part_plain(sheet, evidence->kind);
            sov_cell_result(sheet, evidence->success, evidence->code);
            sov_cell_here(sheet, SOV_STREAM_EVIDENCE, evidence->n);
            sov_cell_number(sheet, evidence->seq);
        }
    }
}

void sov_rulings_section(struct sov_sheet *sheet, const struct sov_ruling *rulings, size_t count)
{
    static const char *const titles[] = { "ruling", "effect", "receipt", "by",
                                          "state",  "event",  NULL };

    if (!count) return;
    sov_sheet_heading(sheet, 2, "Rulings");
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < count; i++) {
        sov_page_row(&sheet->page);
        sov_cell_ref(sheet, SOV_STREAM_RULING, rulings[i].n);
        sov_cell_text(sheet, rulings[i].effect);
        sov_cell_ref(sheet, SOV_STREAM_RECEIPT, rulings[i].receipt);
        sov_cell_actor(sheet, rulings[i].ruler, NULL);
        sov_cell_own(sheet, rulings[i].revoked_seq ? "revoked" : "in force");
        sov_cell_number(sheet, sov_later(rulings[i].seq, rulings[i].revoked_seq));
    }
}

/* ---- facts ---- */

void sov_last_event_fact(struct sov_sheet *sheet)
{
    sov_put_int(&sheet->facts, "last_event", sheet->last);
}

static void evidence_fact(struct sov_writer *w, const struct sov_evidences *list)
{
    sov_put_list(w, "evidence");
    for (size_t i = 0; i < list->count; i++) {
        const struct sov_evidence *evidence = &list->at[i];

        sov_write_object(w);
        sov_put_text(w, "check", evidence->check);
        sov_fact_text(w, "code", evidence->code);
        sov_fact_id(w, "id", SOV_STREAM_EVIDENCE, evidence->n);
        sov_put_text(w, "kind", evidence->kind);
        sov_fact_hash(w, "observation_digest", &evidence->observation_digest);
        if (evidence->observed.data)
            sov_put_raw(w, "observed", evidence->observed);
        else
            sov_fact_hash(w, "observed_blob", &evidence->observed_blob);
        sov_put_int(w, "seq", evidence->seq);
        sov_put_bool(w, "success", evidence->success);
        sov_write_end(w);
    }
    sov_write_end(w);
}

void sov_batches_fact(struct sov_writer *w, const char *key, const struct sov_batches *batches)
{
    sov_put_list(w, key);
    for (size_t i = 0; i < batches->count; i++) {
        const struct sov_verification *row = &batches->at[i].row;

        sov_write_object(w);
        sov_put_text(w, "actor", row->actor);
        sov_put_text(w, "actor_kind", batches->at[i].kind);
        sov_fact_hash(w, "aggregate_digest", &row->aggregate_digest);
        sov_put_int(w, "basis", row->basis);
        sov_fact_hash(w, "definition_digest", &row->definition_digest);
        evidence_fact(w, &batches->at[i].evidence);
        sov_fact_id(w, "id", SOV_STREAM_VERIFICATION, row->n);
        sov_put_bool(w, "passed", row->passed);
        sov_fact_id(w, "receipt", SOV_STREAM_RECEIPT, row->receipt);
        sov_put_text(w, "scope", row->scope);
        sov_put_int(w, "seq", row->seq);
        sov_write_end(w);
    }
    sov_write_end(w);
}

void sov_rulings_fact(struct sov_writer *w, const struct sov_ruling *rulings, size_t count)
{
    sov_put_list(w, "rulings");
    for (size_t i = 0; i < count; i++) {
        sov_write_object(w);
        sov_put_text(w, "by", rulings[i].ruler);
        sov_put_text(w, "effect", rulings[i].effect);
        sov_fact_id(w, "id", SOV_STREAM_RULING, rulings[i].n);
        sov_fact_id(w, "receipt", SOV_STREAM_RECEIPT, rulings[i].receipt);
        if (rulings[i].revoked_seq) sov_put_int(w, "revoked_seq", rulings[i].revoked_seq);
        sov_put_int(w, "seq", rulings[i].seq);
        sov_write_end(w);
    }
    sov_write_end(w);
}
