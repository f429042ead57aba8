/* The recomputed root against every stored one; the newest against the ledger key. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "verify/batch.sql.h"
#include "verify/judge.h"

static bool signature_holds(struct sov_judge *judge, int64_t size, const struct sov_hash *root,
                            struct sov_bytes octets, struct sov_error *err)
{
    struct sov_checkpoint checkpoint = { .size = (uint64_t)size, .root = *root };
    struct sov_signature signature;
    struct sov_identity identity;

    sov_ledger_identity(judge->ledger, &identity);
    snprintf(checkpoint.origin, sizeof checkpoint.origin, "%s", identity.origin);
    judge->report->steps[SOV_STEP_SIGNATURES].checked++;
    if (octets.size == SOV_SIGNATURE_SIZE) {
        memcpy(signature.octets, octets.data, SOV_SIGNATURE_SIZE);
        if (sov_checkpoint_vouched(judge->ledger, &checkpoint, &signature, err)) return true;
    }
    sov_report_event(judge->report, SOV_STEP_SIGNATURES, SOV_CLASS_TAMPER, "checkpoint_signature",
                     size, "the checkpoint of size %lld is not signed by the ledger key",
                     (long long)size);
    return true;
}

void sov_tree_prepare(struct sov_judge *judge)
{
    struct sov_note_key key = { 0 };
    struct sov_identity identity;

    sov_ledger_identity(judge->ledger, &identity);
    snprintf(key.name, sizeof key.name, "%s", identity.origin);
    key.key = identity.key;
    judge->key_id = sov_note_key_id(&key);
}

bool sov_judge_tree(struct sov_judge *judge, int64_t seq, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash root;
    struct sov_bytes stored;
    bool found;

    sov_anchors_event(judge, seq);
    if (judge->batch.last != seq) return true; /* no checkpoint of this size */
    if (!sov_stmt_open(&stmt, sov_ledger_file(judge->ledger), checkpoint_of_sql, err)) return false;
    sov_bind_int(&stmt, 1, seq);
    if (!sov_stmt_row(&stmt, &found, err) || !found) return found;
    judge->report->steps[SOV_STEP_CHECKPOINTS].checked++;
    root = sov_range_root(&judge->range);
    stored = sov_column_blob(&stmt, 0);
    if (sov_column_int(&stmt, 1) != judge->key_id)
        sov_report_event(judge->report, SOV_STEP_CHECKPOINTS, SOV_CLASS_TAMPER, "checkpoint_key",
                         seq, "the checkpoint of size %lld names another key", (long long)seq);
    if (!sov_bytes_equal(stored, sov_hash_bytes(&root))) {
        if (!judge->chain_broken)
            sov_report_event(judge->report, SOV_STEP_TREE, SOV_CLASS_TAMPER, "root",
                             judge->wrong > judge->good_size ? judge->wrong : judge->good_size + 1,
                             "events %lld to %lld do not give the root of the checkpoint of size "
                             "%lld",
                             (long long)judge->good_size + 1, (long long)seq, (long long)seq);
        judge->chain_broken = true;
        return true;
    }
    if (!judge->chain_broken) judge->good_size = seq;
    if (!judge->options->all_signatures && seq != judge->head) return true;
    return signature_holds(judge, seq, &root, sov_column_blob(&stmt, 2), err);
}

/* After the last event: the newest checkpoint is of this very size. */
bool sov_judge_head(struct sov_judge *judge, struct sov_error *err)
{
    SOV_CLEANUP(sov_txn_end) struct sov_txn txn = { 0 };
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_report *report = judge->report;
    int64_t head; /* now: a writer may have gone on since the pass began */
    bool found;

    if (!sov_ledger_hold(judge->ledger, &txn, err) || !sov_ledger_head(judge->ledger, &head, err) ||
        !sov_stmt_open(&stmt, sov_ledger_file(judge->ledger), checkpoint_last_sql, err))
        return false;
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (judge->batch.last < judge->head)
        sov_report_event(report, SOV_STEP_CHECKPOINTS, SOV_CLASS_TAMPER, "head", judge->head,
                         "the newest events, up to %lld, stand under no checkpoint",
                         (long long)judge->head);
    if (sov_column_int(&stmt, 0) > head)
        sov_report_event(report, SOV_STEP_CHECKPOINTS, SOV_CLASS_TAMPER, "cut", head + 1,
                         "a checkpoint of size %lld is there, events only up to %lld",
                         (long long)sov_column_int(&stmt, 0), (long long)head);
    report->size = judge->head;
    report->root = sov_range_root(&judge->range);
    sov_report_ran(report, SOV_STEP_TREE, judge->head - judge->since);
    sov_report_ran(report, SOV_STEP_CHECKPOINTS, 0);
    return true;
}
