/* rulings/RUL-2: what an authority decided, on what, and whether it still counts. */
#include "projections/pages.h"

static void facts(struct sov_sheet *sheet, const struct sov_ruling *ruling,
                  const struct sov_remarks *remarks)
{
    struct sov_writer *w = &sheet->facts;

    sov_write_object(w);
    sov_put_text(w, "applies_to", ruling->applies_to);
    sov_put_text(w, "by", ruling->ruler);
    sov_put_text(w, "decision", ruling->decision);
    sov_put_text(w, "effect", ruling->effect);
    sov_fact_id(w, "id", SOV_STREAM_RULING, ruling->n);
    sov_put_text(w, "key", ruling->by.key);
    sov_last_event_fact(sheet);
    sov_put_text(w, "question", ruling->question);
    sov_put_text(w, "rationale", ruling->rationale);
    sov_remarks_fact(w, remarks);
    sov_fact_id(w, "receipt", SOV_STREAM_RECEIPT, ruling->receipt);
    sov_put_int(w, "renderer", SOV_RENDERER);
    sov_fact_text(w, "revoked_by", ruling->revoked_by);
    if (ruling->revoked_seq) sov_put_int(w, "revoked_seq", ruling->revoked_seq);
    sov_put_text(w, "schema", "sov.view.ruling.v1");
    sov_put_int(w, "seq", ruling->seq);
    sov_fact_hash(w, "statement", &ruling->by.statement);
    sov_write_end(w);
}

static void applies_to(struct sov_sheet *sheet, const char *stream)
{
    struct sov_stream to;

    sov_page_cell(&sheet->page);
    if (sov_stream_parse(sov_bytes_text(stream), &to) && to.n)
        sov_part_ref(sheet, to.kind, to.n);
    else
        sov_part_code(sheet, stream);
}

static void section(struct sov_sheet *sheet, const char *title, const struct sov_ruling *ruling,
                    const char *text)
{
    sov_sheet_heading(sheet, 2, title);
    sov_sheet_said(sheet, ruling->ruler, text);
}

bool sov_ruling_write(struct sov_sheet *sheet, const struct sov_view *view, struct sov_error *err)
{
    static const char *const titles[] = { "applies to", "effect", "receipt", "by",
                                          "key",        "event",  NULL };
    struct sov_stream stream = sov_stream_numbered(SOV_STREAM_RULING, view->n);
    struct sov_remarks remarks;
    struct sov_ruling ruling;
    bool found;

    if (!sov_ruling_find(sheet->ledger, view->n, sheet->arena, &ruling, &found, err)) return false;
    if (!found)
        return sov_fail(err, SOV_ABSENT, "no_such_id", "there is no RUL-%lld", (long long)view->n);
    if (!sov_remarks_read(sheet->ledger, &stream, 0, sheet->arena, &remarks, err)) return false;
    sheet->last = sov_later(ruling.seq, ruling.revoked_seq);
    sov_page_heading(&sheet->page, 1);
    sov_part_printf(sheet, "RUL-%lld", (long long)ruling.n);
    sov_page_paragraph(&sheet->page);
    sov_page_strong(&sheet->page, ruling.revoked_seq ? "REVOKED" : "DECIDED");
    sov_page_own(&sheet->page, ruling.revoked_seq ? " · ✘ it counts no more · by " : " · by ");
    sov_part_actor(sheet, ruling.revoked_seq ? ruling.revoked_by : ruling.ruler, NULL);
    sov_sheet_table(sheet, titles);
    sov_page_row(&sheet->page);
    applies_to(sheet, ruling.applies_to);
    sov_cell_text(sheet, ruling.effect);
    sov_cell_ref(sheet, SOV_STREAM_RECEIPT, ruling.receipt);
    sov_cell_actor(sheet, ruling.ruler, NULL);
    sov_cell_code(sheet, ruling.by.key);
    sov_cell_number(sheet, ruling.seq);
    section(sheet, "Question", &ruling, ruling.question);
    section(sheet, "Decision", &ruling, ruling.decision);
    section(sheet, "Rationale", &ruling, ruling.rationale);
    if (remarks.count) sov_sheet_heading(sheet, 2, "What was said");
    sov_remarks_section(sheet, &remarks);
    facts(sheet, &ruling, &remarks);
    return true;
}
