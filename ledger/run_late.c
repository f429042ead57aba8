#include "ledger/run_late.h"

#include <assert.h>
#include <string.h>

#include "ledger/log.h"
#include "ledger/row.h"

bool sov_run_report_keep(struct sov_commit *commit, struct sov_bytes report,
                         struct sov_blob_ref *ref_out, struct sov_error *err)
{
    return sov_blob_put(commit, report, "application/json", true, ref_out, err);
}

bool sov_run_repeat(struct sov_commit *commit, const struct sov_run_finish *finish,
                    const struct sov_claim *claim, struct sov_done *done_out,
                    struct sov_run_end *end_out, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, finish->assignment);
    struct sov_receipt receipt;
    struct sov_hash digest = { { 0 } };
    bool found;

    if (!sov_receipt_of(commit->ledger, finish->assignment, finish->fence, &commit->arena, &receipt,
                        &found, err))
        return false;
    if (!found)
        return sov_fail(err, SOV_INTEGRITY, "event_invalid",
                        "the run of fence %lld has ended without a receipt",
                        (long long)finish->fence);
    if (finish->has_report) digest = sov_sha256(finish->report);
    if (finish->has_report != receipt.has_report ||
        (receipt.has_report && !sov_hash_equal(&digest, &receipt.report_digest))) {
        sov_error_set(err, SOV_CONFLICT, "report_conflict",
                      "the run of fence %lld was finished with another report",
                      (long long)finish->fence);
        return sov_refuse_about(err, SOV_STREAM_RECEIPT, receipt.n);
    }
    *end_out = (struct sov_run_end){
        .receipt = receipt.n,
        .status = receipt.status,
        .category = receipt.category,
        .message = receipt.message,
        .effect_count = receipt.effect_count,
    };
    assert(receipt.effect_count <= sizeof end_out->effects / sizeof *end_out->effects);
    if (receipt.effect_count)
        memcpy(end_out->effects, receipt.effects, receipt.effect_count * sizeof *receipt.effects);
    sov_done_noop(&stream, claim->finished, done_out);
    return true;
}

/* Was this very report handed in late before? Salted digests cannot be compared, octets can. */
static bool is_known(struct sov_commit *commit, const struct sov_run_finish *finish,
                     int64_t *seq_out, struct sov_error *err)
{
    struct sov_stales stales;

    *seq_out = 0;
    if (!sov_stale_list(commit->ledger, finish->assignment, &commit->arena, &stales, err))
        return false;
    for (size_t i = 0; i < stales.count && !*seq_out; i++) {
        const struct sov_stale *row = &stales.at[i];
        struct sov_blob blob;
        bool found;

        if (row->fence != finish->fence) continue;
        if (!row->report.media_type || !finish->has_report) {
            if (!row->report.media_type && !finish->has_report) *seq_out = row->seq;
            continue;
        }
        if (row->report.size != (int64_t)finish->report.size) continue;
        if (!sov_blob_find(commit->ledger, &row->report.digest, &commit->arena, &blob, &found, err))
            return false;
        if (found && !blob.erased && sov_bytes_equal(blob.content, finish->report))
            *seq_out = row->seq;
    }
    return true;
}

static bool why_ended(struct sov_commit *commit, const struct sov_claim *claim,
                      const char **why_out, struct sov_error *err)
{
    struct sov_event event;

    *why_out = "no_claim";
    if (!claim) return true;
    if (!sov_log_named(commit->ledger, claim->end_seq, SOV_EVENT_TYPE_COUNT, &commit->arena, &event,
                       err))
        return false;
    *why_out = sov_event_row(event.type)->type;
    return true;
}

bool sov_run_late(struct sov_commit *commit, const struct sov_run_finish *finish,
                  const struct sov_assignment *assignment, const struct sov_claim *claim,
                  struct sov_done *done_out, struct sov_run_end *end_out, struct sov_error *err)
{
    struct sov_addition addition = {
        .type = SOV_EVENT_RESULT_STALE,
        .stream = sov_stream_numbered(SOV_STREAM_ASSIGNMENT, finish->assignment),
    };
    struct sov_blob_ref report;
    struct sov_writer w;
    const char *why;
    int64_t known;

    if (!is_known(commit, finish, &known, err)) return false;
    if (known) {
        sov_done_noop(&addition.stream, known, done_out);
        *end_out = (struct sov_run_end){ .lost = true, .message = "" };
        return true;
    }
    if (!why_ended(commit, claim, &why, err)) return false;
    if (finish->has_report && !sov_run_report_keep(commit, finish->report, &report, err))
        return false;
    w = sov_commit_writer(commit);
    sov_write_object(&w);
    if (assignment->fence) sov_put_int(&w, "live_fence", assignment->fence);
    sov_put_int(&w, "presented_fence", finish->fence);
    if (finish->has_report) sov_blob_ref_put(&w, "report", &report);
    sov_put_text(&w, "why", why);
    sov_write_end(&w);
    if (claim) addition.cause[0] = claim->started ? claim->started : claim->fence;
    if (!sov_commit_payload(commit, &addition.data, err) ||
        !sov_commit_lead(commit, &addition, done_out, err))
        return false;
    *end_out = (struct sov_run_end){ .lost = true, .message = "" };
    return true;
}
