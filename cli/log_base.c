#include "cli/log_base.h"

#include "base/git.h"
#include "base/note.h"
#include "projections/projections.h"

#define CHECKPOINTS SOV_GOVERNANCE "/checkpoints"

struct newest {
    struct sov_call *call;
    struct sov_checkpoint checkpoint;
    int64_t foreign;
};

static bool take(void *self, const struct sov_git_file *file)
{
    struct newest *newest = self;
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_error ignored = { 0 };

    if (!sov_checkpoint_read(newest->call->ledger, file->content, &checkpoint, &signature,
                             &ignored))
        newest->foreign++; /* another ledger's, or nobody's */
    else if (checkpoint.size > newest->checkpoint.size)
        newest->checkpoint = checkpoint;
    return true;
}

/* A checkpoint is made with each commit, so one of a prefix is known here. */
static bool is_prefix(struct sov_call *call, const struct sov_checkpoint *known, bool *is_out,
                      struct sov_error *err)
{
    struct sov_checkpoint ours = { .size = 0 };
    struct sov_signature signature;
    bool found = false;

    if (!sov_checkpoint_at(call->ledger, (int64_t)known->size, &ours, &signature, &found, err))
        return false;
    *is_out = found && ours.size == known->size && sov_hash_equal(&ours.root, &known->root);
    return true;
}

bool sov_log_base(struct sov_call *call, const char *revision, int64_t *size_out,
                  struct sov_error *err)
{
    struct newest newest = { .call = call };
    const struct sov_git_sink sink = { &newest, take };
    struct sov_git_answer answer;
    bool prefix = true;

    if (!sov_git_tree(call->found.tree, revision, CHECKPOINTS, SOV_NOTE_SIZE_MAX, &sink,
                      call->arena, &answer, err))
        return false;
    if (answer.state == SOV_GIT_NONE)
        return sov_fail(err, SOV_ABSENT, "no_such_id", "%s", answer.why);
    if (newest.checkpoint.size > (uint64_t)call->out->seq)
        return sov_fail(err, SOV_CONFLICT, "moved", "%s published %llu events, this log has %lld",
                        revision, (unsigned long long)newest.checkpoint.size,
                        (long long)call->out->seq);
    if (newest.checkpoint.size && !is_prefix(call, &newest.checkpoint, &prefix, err)) return false;
    if (!prefix)
        return sov_fail(err, SOV_INTEGRITY, "fork",
                        "what %s published at %llu is no prefix of this log", revision,
                        (unsigned long long)newest.checkpoint.size);
    if (!newest.checkpoint.size && newest.foreign)
        return sov_fail(err, SOV_INTEGRITY, "fork", "%s published another ledger", revision);
    *size_out = (int64_t)newest.checkpoint.size;
    return true;
}

/* ---- the summary ---- */

void sov_log_summary_add(struct sov_log_summary *summary, const struct sov_event *event,
                         struct sov_arena *arena)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf row = { 0 };

    sov_buf_init(&row, 16384);
    sov_buf_printf(&row, "| %lld | ", (long long)event->seq);
    sov_view_inline(event->actor, &row);
    sov_buf_printf(&row, " | %s | ", sov_event_row(event->type)->type);
    sov_view_inline(sov_bytes_text(sov_stream_called(&event->stream, arena)), &row);
    sov_buf_add_text(&row, " | ");
    sov_view_inline(sov_bytes_text(sov_event_words(event, arena)), &row);
    sov_buf_add_text(&row, " |\n");
    summary->count++;
    if (summary->rows.size + row.size > SOV_LOG_SUMMARY_MAX || row.cut)
        summary->left_out++;
    else
        sov_buf_add(&summary->rows, sov_buf_bytes(&row));
}

void sov_log_summary_print(struct sov_call *call, const struct sov_log_summary *summary,
                           const char *revision, int64_t base)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    char id[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&call->out->ledger_id), id);
    sov_buf_init(&text, 2 * SOV_LOG_SUMMARY_MAX);
    sov_buf_printf(&text, "### sov: %lld event%s since ", (long long)summary->count,
                   summary->count == 1 ? "" : "s");
    sov_view_inline(sov_bytes_text(revision), &text);
    sov_buf_printf(&text, "\n\nLedger `%.8s`, size %lld; published there: %lld. ", id,
                   (long long)call->out->seq, (long long)base);
    sov_buf_add_text(&text, "Whether it is true says `sov verify --projections`.\n");
    if (summary->rows.size) {
        sov_buf_add_text(&text, "\n| seq | actor | event | of | said |\n|---|---|---|---|---|\n");
        sov_buf_add(&text, sov_buf_bytes(&summary->rows));
    }
    if (summary->left_out)
        sov_buf_printf(&text, "\n%lld more: `sov log --base` has all.\n",
                       (long long)summary->left_out);
    sov_out_octets(call->out, sov_buf_bytes(&text));
}
