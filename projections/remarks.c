/* Reasons that were given: of the newest events of a stream, oldest first. */
#include "projections/work.h"

#include "projections/pages.h"

enum { REMARKS_MAX = 64 };

static bool read_one(const struct sov_ledger *ledger, int64_t seq, struct sov_arena *arena,
                     struct sov_remarks *remarks, struct sov_error *err)
{
    struct sov_value inspection;
    struct sov_event event;
    struct sov_bytes reason;
    struct sov_remark *row;

    if (!sov_log_named(ledger, seq, SOV_EVENT_TYPE_COUNT, arena, &event, err)) return false;
    reason = sov_data_text(&event, "reason", arena);
    if (!reason.data) return true;
    row = &remarks->at[remarks->count++];
    *row = (struct sov_remark){ .seq = seq,
                                .type = sov_event_row(event.type)->type,
                                .actor = sov_arena_text(arena, event.actor),
                                .text = sov_arena_text(arena, reason) };
    inspection = sov_data(&event, "inspection");
    if (!sov_value_there(inspection)) return true;
    row->found = sov_arena_text(arena, sov_value_bytes(sov_value_get(inspection, "found"), arena));
    row->inspection =
        sov_arena_text(arena, sov_value_bytes(sov_value_get(inspection, "text"), arena));
    return true;
}

bool sov_remarks_read(const struct sov_ledger *ledger, const struct sov_stream *stream,
                      int64_t from_seq, struct sov_arena *arena, struct sov_remarks *remarks_out,
                      struct sov_error *err)
{
    struct sov_remarks remarks = { 0 };
    const int64_t *seqs;
    size_t count, first;

    if (!sov_stream_history(ledger, stream, arena, &seqs, &count, err)) return false;
    first = count > REMARKS_MAX ? count - REMARKS_MAX : 0;
    remarks.at = sov_arena_array(arena, count - first + 1, sizeof *remarks.at);
    for (size_t i = first; i < count; i++)
        if (seqs[i] >= from_seq && !read_one(ledger, seqs[i], arena, &remarks, err)) return false;
    *remarks_out = remarks;
    return true;
}

void sov_remarks_section(struct sov_sheet *sheet, const struct sov_remarks *remarks)
{
    for (size_t i = 0; i < remarks->count; i++) {
        const struct sov_remark *row = &remarks->at[i];

        sov_page_paragraph(&sheet->page);
        sov_part_printf(sheet, "Event %lld, ", (long long)row->seq);
        sov_part_code(sheet, row->type);
        if (row->found) {
            sov_page_own(&sheet->page, ", inspected and found ");
            sov_part_code(sheet, row->found);
        }
        sov_page_own(&sheet->page, ":");
        sov_sheet_said(sheet, row->actor, row->text);
        sov_sheet_said(sheet, row->actor, row->inspection);
    }
}

void sov_remarks_fact(struct sov_writer *w, const struct sov_remarks *remarks)
{
    sov_put_list(w, "reasons");
    for (size_t i = 0; i < remarks->count; i++) {
        sov_write_object(w);
        sov_put_text(w, "actor", remarks->at[i].actor);
        sov_put_text(w, "reason", remarks->at[i].text);
        sov_put_int(w, "seq", remarks->at[i].seq);
        sov_put_text(w, "type", remarks->at[i].type);
        sov_write_end(w);
    }
    sov_write_end(w);
}
