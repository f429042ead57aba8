/* The git history as a witness: whoever holds a commit holds its checkpoints. An older root must be
 * a prefix of this log, and none may be larger than it. */
#include "base/git.h"

#include <stdio.h>
#include <string.h>

#include "verify/judge.h"

#define CHECKPOINTS SOV_GOVERNANCE "/checkpoints"

/* A file that is no checkpoint of this ledger's key says nothing of it, whoever committed it. */
static bool take(void *self, const struct sov_git_file *file)
{
    struct sov_judge *judge = self;
    struct sov_known known = { .kind = "git", .name = "the git history" };
    struct sov_checkpoint checkpoint;
    struct sov_signature signature;
    struct sov_error why = { 0 };

    if (!sov_checkpoint_read(judge->ledger, file->content, &checkpoint, &signature, &why)) {
        if (strcmp(why.code, "fork") == 0)
            judge->history.foreign++;
        else
            judge->history.strange++;
        return true;
    }
    known.size = (int64_t)checkpoint.size;
    known.root = checkpoint.root;
    sov_known_add(judge, &known);
    judge->history.count++;
    if (known.size > judge->history.newest) judge->history.newest = known.size;
    return true;
}

bool sov_history_gather(struct sov_judge *judge, struct sov_error *err)
{
    const struct sov_git_sink sink = { judge, take };
    struct sov_git_answer answer;

    if (!judge->options->repository) return true;
    judge->history.asked = true;
    if (!sov_git_history(judge->options->repository, CHECKPOINTS, SOV_NOTE_SIZE_MAX, &sink,
                         judge->report->arena, &answer, err))
        return false;
    judge->history.whole = answer.state == SOV_GIT_WHOLE;
    if (answer.state == SOV_GIT_NONE) judge->history.why = answer.why;
    if (answer.state == SOV_GIT_SHALLOW)
        judge->history.why = "a shallow clone has no history; check out with fetch-depth: 0";
    if (judge->history.whole && !judge->history.count)
        judge->history.why = "no checkpoint of this ledger was ever committed";
    return true;
}

static void bad(struct sov_judge *judge, int64_t size, enum sov_class class, int64_t seq,
                const char *message)
{
    char path[80];
    struct sov_finding found = {
        .class = class, .kind = "history", .seq = seq, .path = path, .message = message
    };

    snprintf(path, sizeof path, CHECKPOINTS "/%lld", (long long)size);
    sov_report_add(judge->report, SOV_STEP_ANCHORS, &found);
}

/* Of many the first that differs is told, and the newest of those ahead: the others follow. */
void sov_history_judge(struct sov_judge *judge, const struct sov_known *known)
{
    struct sov_history *history = &judge->history;
    bool is_ahead = known->size > (judge->published ? judge->clone.size : judge->head);
    bool is_forked = known->reached && !sov_hash_equal(&known->seen, &known->root);

    history->ahead += is_ahead;
    history->forked += is_forked;
    history->bad = history->bad || is_forked || !known->reached;
    if (is_forked && history->forked == 1)
        bad(judge, known->size, SOV_CLASS_FORK, known->size,
            "a checkpoint in the git history is no prefix of this log");
    if (is_ahead && known->size == history->newest)
        bad(judge, known->size, SOV_CLASS_ROLLBACK, judge->head + 1,
            judge->published ? "the git history knows a larger published log than this one"
                             : "the git history knows a larger log than this one");
}

/* A checkpoint of another ledger can be signed by nobody known here: with the ledger id asked for
 * or pinned it is no matter; without, it may be the ledger that should be here. */
static void judge_foreign(struct sov_judge *judge)
{
    struct sov_report *report = judge->report;
    struct sov_finding found = { .class = SOV_CLASS_FORK,
                                 .kind = "history",
                                 .path = CHECKPOINTS,
                                 .message = "the git history holds checkpoints of another ledger; "
                                            "if this one is right, say so with --ledger-id" };

    if (!judge->history.foreign) return;
    if (report->identity)
        sov_report_note(report, "git: %lld checkpoints of other ledgers in the history",
                        (long long)judge->history.foreign);
    else
        sov_report_add(report, SOV_STEP_ANCHORS, &found);
}

void sov_history_close(struct sov_judge *judge, bool *anchored_out)
{
    struct sov_history *history = &judge->history;
    struct sov_report *report = judge->report;
    const struct sov_known *newest = NULL;

    if (!history->asked) return;
    judge_foreign(judge);
    if (history->strange)
        sov_report_note(report, "git: %lld files in the history are no checkpoints of this ledger",
                        (long long)history->strange);
    for (size_t i = 0; i < judge->known_count; i++)
        if (strcmp(judge->known[i].kind, "git") == 0) newest = &judge->known[i];
    if (history->forked > 1 || history->ahead > 1)
        sov_report_note(report,
                        "git: %lld checkpoints in the history are no prefix of this log, %lld are "
                        "ahead of it",
                        (long long)history->forked, (long long)history->ahead);
    if (newest && report->anchor_count < SOV_ANCHORS_MAX)
        report->anchors[report->anchor_count++] = (struct sov_anchor){
            "git", newest->size, newest->root,
            history->bad
                ? "not all are prefixes of this log"
                : sov_arena_printf(report->arena, "%lld checkpoint%s, %s of this log",
                                   (long long)history->count, history->count == 1 ? "" : "s",
                                   history->count == 1 ? "a prefix" : "all prefixes")
        };
    if (history->why && (!*anchored_out || newest))
        sov_report_note(report, "git is no anchor: %s", history->why);
    if (!newest || !history->whole || history->bad) return;
    if (judge->head - newest->size < report->unanchored_tail || !*anchored_out)
        report->unanchored_tail = judge->head - newest->size;
    *anchored_out = true;
}
