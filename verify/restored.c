/* A restore that was recorded: what came back is the log up to there, and what it says was lost is
 * told apart from what somebody took away. */
#include <string.h>

#include "base/alloc.h"
#include "verify/judge.h"

static void bad(struct sov_judge *judge, const struct sov_event *event)
{
    sov_report_event(judge->report, SOV_STEP_TREE, SOV_CLASS_TAMPER, "restored", event->seq,
                     "event %lld does not say what came back: the events before it have another "
                     "size or root",
                     (long long)event->seq);
}

static void keep(struct sov_judge *judge, const struct sov_event *event)
{
    struct sov_restores *restores = &judge->restores;

    if (restores->count == restores->room) {
        size_t room = restores->room ? restores->room * 2 : 8;
        struct sov_restore_seen *more = sov_arena_array(judge->report->arena, room, sizeof *more);

        if (restores->count) memcpy(more, restores->at, restores->count * sizeof *more);
        restores->at = more;
        restores->room = room;
    }
    restores->at[restores->count++] =
        (struct sov_restore_seen){ event->seq, sov_data_int(event, "from_size"),
                                   sov_data_int(event, "lost_last") };
}

/* Called while the range is that of the events before. A commit that finds its clock behind says so
 * first, and only then what it is about. */
void sov_restored_event(struct sov_judge *judge, const struct sov_event *event)
{
    struct sov_restores *restores = &judge->restores;
    int64_t size = sov_data_int(event, "from_size");
    struct sov_hash root, said;

    if (event->type != SOV_EVENT_CLOCK_REGRESSED && event->type != SOV_EVENT_LEDGER_RESTORED)
        return;
    root = sov_range_root(&judge->range);
    if (event->type == SOV_EVENT_CLOCK_REGRESSED) {
        restores->regressed_seq = event->seq;
        restores->before_regressed = root;
        return;
    }
    if (size == event->seq - 2 && restores->regressed_seq == event->seq - 1) {
        root = restores->before_regressed;
        size++;
    }
    if (size != event->seq - 1 ||
        !sov_unhex(sov_value_plain(sov_data(event, "from_root")), said.octets, SOV_HASH_SIZE) ||
        !sov_hash_equal(&said, &root))
        bad(judge, event);
    keep(judge, event);
}

int64_t sov_restored_lost(const struct sov_judge *judge, int64_t size)
{
    for (size_t i = 0; i < judge->restores.count; i++)
        if (judge->restores.at[i].lost_last == size) return judge->restores.at[i].seq;
    return 0;
}

int64_t sov_restored_before(const struct sov_judge *judge, int64_t seq)
{
    for (size_t i = judge->restores.count; i-- > 0;)
        if (seq <= judge->restores.at[i].from_size) return judge->restores.at[i].seq;
    return 0;
}
