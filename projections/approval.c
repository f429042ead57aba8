/* approvals/APR-2: what exactly was asked for, until when, who voted how, and what used it. */
#include "projections/pages.h"

static void votes_fact(struct sov_writer *w, const struct sov_approval_votes *votes)
{
    sov_put_list(w, "votes");
    for (size_t i = 0; i < votes->count; i++) {
        const struct sov_approval_vote *vote = &votes->at[i];

        sov_write_object(w);
        sov_put_text(w, "by", vote->voter);
        sov_put_text(w, "key", vote->by.key);
        sov_put_text(w, "reason", vote->reason);
        sov_put_int(w, "seq", vote->seq);
        sov_fact_hash(w, "statement", &vote->by.statement);
        sov_put_text(w, "vote", vote->grants ? "grant" : "deny");
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void facts(struct sov_sheet *sheet, const struct sov_approval *approval,
                  const struct sov_approval_votes *votes, const struct sov_remarks *remarks)
{
    struct sov_writer *w = &sheet->facts;
    char expires[SOV_INSTANT_TEXT + 1];

    sov_instant_format((struct sov_instant){ approval->facts.expires_ms }, expires);
    sov_write_object(w);
    sov_put_text(w, "action", approval->action);
    sov_fact_hash(w, "args_digest", &approval->facts.args);
    sov_put_int(w, "args_size", approval->args.size);
    sov_put_text(w, "by", approval->requester);
    sov_put_text(w, "expires_at", expires);
    sov_fact_id(w, "id", SOV_STREAM_APPROVAL, approval->n);
    sov_last_event_fact(sheet);
    sov_put_int(w, "persons", approval->persons);
    sov_fact_hash(w, "policy", &approval->facts.policy);
    sov_put_int(w, "quorum", approval->quorum);
    sov_remarks_fact(w, remarks);
    sov_put_int(w, "renderer", SOV_RENDERER);
    sov_put_text(w, "resource", approval->resource);
    sov_put_text(w, "schema", "sov.view.approval.v1");
    sov_put_int(w, "seq", approval->seq);
    sov_put_text(w, "state", sov_policy_approval_name(approval->facts.state));
    sov_fact_text(w, "used_by", approval->used_by);
    votes_fact(w, votes);
    sov_write_end(w);
}

static void stream_cell(struct sov_sheet *sheet, const char *text)
{
    struct sov_stream stream;

    sov_page_cell(&sheet->page);
    if (!text) return;
    if (sov_stream_parse(sov_bytes_text(text), &stream) && stream.n)
        sov_part_ref(sheet, stream.kind, stream.n);
    else
        sov_part_code(sheet, text);
}

static size_t grants_of(const struct sov_approval_votes *votes)
{
    size_t count = 0;

    for (size_t i = 0; i < votes->count; i++) count += votes->at[i].grants;
    return count;
}

/* What it allows, or why it allows nothing; a time that is over shows once it was recorded. */
static void verdict(struct sov_sheet *sheet, const struct sov_approval *approval,
                    const struct sov_approval_votes *votes)
{
    static const char *const says[SOV_APPROVAL_STATE_COUNT] = {
        [SOV_APPROVAL_GRANTED] = " · it allows this act once",
        [SOV_APPROVAL_DENIED] = " · ✘ it allows nothing",
        [SOV_APPROVAL_EXPIRED] = " · ✘ its time was over, which is a no",
        [SOV_APPROVAL_REVOKED] = " · ✘ it allows nothing any more",
        [SOV_APPROVAL_CONSUMED] = " · it has allowed one act",
    };

    sov_page_paragraph(&sheet->page);
    sov_page_strong(&sheet->page, sov_policy_approval_name(approval->facts.state));
    if (says[approval->facts.state]) {
        sov_page_own(&sheet->page, says[approval->facts.state]);
        return;
    }
    sov_part_printf(sheet,
                    " · %zu of %lld votes, persons among them %lld · next: ", grants_of(votes),
                    (long long)approval->quorum, (long long)approval->persons);
    sov_part_code(sheet,
                  sov_arena_printf(sheet->arena, "sov approve APR-%lld --grant --reason TEXT",
                                   (long long)approval->n));
}

static void request(struct sov_sheet *sheet, const struct sov_approval *approval)
{
    static const char *const titles[] = { "action",  "resource", "asked by", "until", "quorum",
                                          "persons", "used by",  "event",    NULL };
    static const char *const digests[] = { "of", "digest", NULL };
    char expires[SOV_INSTANT_TEXT + 1];

    sov_instant_format((struct sov_instant){ approval->facts.expires_ms }, expires);
    sov_sheet_table(sheet, titles);
    sov_page_row(&sheet->page);
    sov_cell_text(sheet, approval->action);
    stream_cell(sheet, approval->resource);
    sov_cell_actor(sheet, approval->requester, NULL);
    sov_cell_code(sheet, expires);
    sov_cell_number(sheet, approval->quorum);
    sov_cell_number(sheet, approval->persons);
    stream_cell(sheet, approval->used_by);
    sov_cell_number(sheet, approval->seq);
    sov_sheet_table(sheet, digests);
    sov_page_row(&sheet->page);
    sov_cell_own(sheet, "the exact arguments");
    sov_cell_digest(sheet, &approval->facts.args);
    sov_page_row(&sheet->page);
    sov_cell_own(sheet, "the policy then");
    sov_cell_digest(sheet, &approval->facts.policy);
}

static void votes_section(struct sov_sheet *sheet, const struct sov_approval_votes *votes)
{
    static const char *const titles[] = { "vote", "by", "key", "event", NULL };

    if (!votes->count) return;
    sov_sheet_heading(sheet, 2, "Votes");
    sov_sheet_table(sheet, titles);
    for (size_t i = 0; i < votes->count; i++) {
        sov_page_row(&sheet->page);
        sov_cell_own(sheet, votes->at[i].grants ? "grant" : "✘ deny");
        sov_cell_actor(sheet, votes->at[i].voter, NULL);
        sov_cell_code(sheet, votes->at[i].by.key);
        sov_cell_number(sheet, votes->at[i].seq);
    }
}

bool sov_approval_write(struct sov_sheet *sheet, const struct sov_view *view, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_numbered(SOV_STREAM_APPROVAL, view->n);
    struct sov_approval_votes votes;
    struct sov_approval approval;
    struct sov_remarks remarks;

    if (!sov_approval_get(sheet->ledger, view->n, sheet->arena, &approval, err) ||
        !sov_approval_votes(sheet->ledger, view->n, sheet->arena, &votes, err) ||
        !sov_remarks_read(sheet->ledger, &stream, 0, sheet->arena, &remarks, err))
        return false;
    sheet->last = approval.last_seq;
    sov_page_heading(&sheet->page, 1);
    sov_part_printf(sheet, "APR-%lld", (long long)approval.n);
    verdict(sheet, &approval, &votes);
    request(sheet, &approval);
    votes_section(sheet, &votes);
    if (remarks.count) sov_sheet_heading(sheet, 2, "What was said");
    sov_remarks_section(sheet, &remarks);
    facts(sheet, &approval, &votes, &remarks);
    return true;
}
