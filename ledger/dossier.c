#include "ledger/dossier.h"

#include <string.h>

#include "ledger/ledger.h"
#include "ledger/row.h"

struct filing {
    const struct sov_ledger *ledger;
    struct sov_arena *arena;
    uint8_t *in; /* a flag for each seq up to `last` */
    int64_t last;
    struct sov_receipt *receipts;
    size_t receipt_count;
};

static void file_seq(struct filing *f, int64_t seq)
{
    if (seq > 0 && seq <= f->last) f->in[seq] = 1;
}

/* ---- what one signer's judgement read ---- */

static bool file_receipt(struct filing *f, int64_t n, struct sov_error *err)
{
    for (size_t i = 0; i < f->receipt_count; i++)
        if (f->receipts[i].n == n) return true;
    f->receipts = sov_rows_room(f->arena, f->receipts, f->receipt_count, sizeof *f->receipts);
    return sov_receipt_get(f->ledger, n, f->arena, &f->receipts[f->receipt_count++], err);
}

static bool file_evidence(struct filing *f, int64_t verification, struct sov_error *err)
{
    struct sov_evidences list;

    if (!sov_evidence_list(f->ledger, verification, f->arena, &list, err)) return false;
    for (size_t i = 0; i < list.count; i++) file_seq(f, list.at[i].seq);
    return true;
}

static bool file_stream(struct filing *f, const struct sov_ledger *then,
                        const struct sov_read *read, struct sov_error *err)
{
    struct sov_stream stream;
    const int64_t *seqs;
    size_t count;

    file_seq(f, read->seq);
    if (!sov_stream_parse(sov_bytes_text(read->stream), &stream))
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "%s is no stream", read->stream);
    if (stream.kind == SOV_STREAM_ACCOUNT) return true;
    if (!sov_stream_history(then, &stream, f->arena, &seqs, &count, err)) return false;
    for (size_t i = 0; i < count; i++) file_seq(f, seqs[i]);
    if (stream.kind == SOV_STREAM_VERIFICATION) return file_evidence(f, stream.n, err);
    return stream.kind != SOV_STREAM_RECEIPT || file_receipt(f, stream.n, err);
}

static bool file_signature(struct filing *f, const struct sov_acceptance *acceptance,
                           struct sov_error *err)
{
    SOV_CLEANUP(sov_ledger_end) struct sov_ledger *then = NULL;
    struct sov_reads reads;

    if (!sov_ledger_fold_to(f->ledger, acceptance->basis, &then, err) ||
        !sov_reads_of(then, acceptance->outcome, acceptance->signer, f->arena, &reads, err))
        return false;
    if (!sov_hash_equal(&reads.digest, &acceptance->reads_digest))
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                        "ACC-%lld names other streams than the log gives at its basis",
                        (long long)acceptance->n);
    file_seq(f, acceptance->seq);
    for (size_t i = 0; i < reads.count; i++)
        if (reads.at[i].sv && !file_stream(f, then, &reads.at[i], err)) return false;
    return true;
}

/* ---- the whole ---- */

/* All signatures of the case up to this one. */
static bool signatures(struct filing *f, const struct sov_acceptance *asked,
                       struct sov_dossier *dossier, struct sov_error *err)
{
    struct sov_acceptances list;
    struct sov_acceptance *kept;

    if (!sov_acceptance_list(f->ledger, asked->outcome, asked->term, f->arena, &list, err))
        return false;
    kept = sov_arena_array(f->arena, list.count + 1, sizeof *kept);
    for (size_t i = 0; i < list.count; i++)
        if (list.at[i].n <= asked->n &&
            sov_hash_equal(&list.at[i].case_digest, &asked->case_digest))
            kept[dossier->signature_count++] = list.at[i];
    dossier->signatures = kept;
    return true;
}

/* The event that one of these completed. */
static bool accepted(struct filing *f, struct sov_dossier *dossier, struct sov_error *err)
{
    struct sov_stream stream = sov_stream_numbered(SOV_STREAM_OUTCOME, dossier->outcome.n);
    const int64_t *seqs;
    size_t count;

    if (!sov_stream_history(f->ledger, &stream, f->arena, &seqs, &count, err)) return false;
    for (size_t i = 0; i < count; i++) {
        struct sov_event event;

        if (seqs[i] < dossier->signatures[0].seq) continue;
        if (!sov_log_event(f->ledger, seqs[i], f->arena, &event, err)) return false;
        if (event.type != SOV_EVENT_OUTCOME_ACCEPTED) continue;
        for (size_t s = 0; s < dossier->signature_count; s++)
            if (sov_data_number(&event, "acceptance", SOV_STREAM_ACCEPTANCE) ==
                dossier->signatures[s].n)
                dossier->accepted_seq = event.seq;
    }
    file_seq(f, dossier->accepted_seq);
    return true;
}

/* Whose key it was that signed: of who adopted a policy the judgement itself reads no key. */
static bool file_key(struct filing *f, const struct sov_event *event, struct sov_arena *arena,
                     struct sov_error *err)
{
    struct sov_value sig = sov_data(event, "sig");
    struct sov_actor_key key;
    struct sov_signed_by by;
    bool found;

    if (!sov_value_there(sig) || !sov_signed_read(sig, &by)) return true;
    if (!sov_key_find(f->ledger, by.key, arena, &key, &found, err)) return false;
    if (found) file_seq(f, key.from_seq);
    return true;
}

/* What led to them: a cause lies before its effect, and a key before its use, so one pass back
 * finds them all. */
static bool file_causes(struct filing *f, struct sov_dossier *dossier, struct sov_error *err)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena one = { 0 };
    struct sov_arena_mark mark;

    sov_arena_init(&one, 1 << 20);
    mark = sov_arena_mark(&one);
    for (int64_t seq = f->last; seq > 0; seq--, sov_arena_rewind(&one, mark)) {
        struct sov_event event;
        struct sov_value cause;
        size_t at = 0;

        if (!f->in[seq]) continue;
        if (++dossier->count > SOV_DOSSIER_MAX)
            return sov_fail(err, SOV_USAGE, "too_large", "the case is of more than %d events",
                            SOV_DOSSIER_MAX);
        if (!sov_log_event(f->ledger, seq, &one, &event, err)) return false;
        while (sov_value_there(event.cause) && sov_value_item(event.cause, &at, &cause))
            file_seq(f, sov_value_int(cause));
        if (!file_key(f, &event, &one, err)) return false;
    }
    return true;
}

static void list(struct filing *f, struct sov_dossier *dossier)
{
    int64_t *seqs = sov_arena_array(f->arena, dossier->count + 1, sizeof *seqs);
    size_t count = 0;

    for (int64_t seq = 1; seq <= f->last; seq++)
        if (f->in[seq]) seqs[count++] = seq;
    dossier->seqs = seqs;
    dossier->receipts = f->receipts;
    dossier->receipt_count = f->receipt_count;
}

bool sov_dossier_of(const struct sov_ledger *ledger, int64_t acceptance, struct sov_arena *arena,
                    struct sov_dossier *dossier_out, struct sov_error *err)
{
    struct filing f = { .ledger = ledger, .arena = arena };
    struct sov_dossier dossier = { 0 };
    struct sov_acceptance asked;
    bool found;

    if (!sov_acceptance_find(ledger, acceptance, arena, &asked, &found, err)) return false;
    if (!found)
        return sov_fail(err, SOV_ABSENT, "no_such_id", "there is no ACC-%lld",
                        (long long)acceptance);
    dossier.term = asked.term;
    if (!sov_ledger_head(ledger, &f.last, err) ||
        !sov_outcome_get(ledger, asked.outcome, arena, &dossier.outcome, err) ||
        !signatures(&f, &asked, &dossier, err))
        return false;
    f.in = sov_arena_array(arena, (size_t)f.last + 1, 1);
    memset(f.in, 0, (size_t)f.last + 1);
    file_seq(&f, 1);
    for (size_t i = 0; i < dossier.signature_count; i++)
        if (!file_signature(&f, &dossier.signatures[i], err)) return false;
    if (!accepted(&f, &dossier, err) || !file_causes(&f, &dossier, err)) return false;
    list(&f, &dossier);
    *dossier_out = dossier;
    return true;
}
