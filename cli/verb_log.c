#include <stdlib.h>

#include "base/merkle.h"
#include "base/text.h"
#include "cli/log_base.h"

enum { TERMINAL_LAST = 50, LANES_MAX = 64 };

struct filter {
    bool has_type, has_ref, octets, graph, summing;
    int64_t base; /* size that the revision had published */
    struct sov_log_summary summary;
    enum sov_event_type type;
    struct sov_bytes by;
    struct sov_ref ref;
    int64_t first, last_n;
    const char *lanes[LANES_MAX];
    size_t lane_count;
};

/* --base: only what that revision had not published. */
static bool base_read(struct sov_call *call, struct filter *filter, struct sov_error *err)
{
    const char *revision = sov_value_of(call, SOV_FLAG_BASE);

    if (filter->summing && !revision)
        return sov_fail(err, SOV_USAGE, "usage", "--format md goes with --base");
    if (!revision) return true;
    if (!sov_log_base(call, revision, &filter->base, err)) return false;
    if (filter->first <= filter->base) filter->first = filter->base + 1;
    return true;
}

static bool filter_read(struct sov_call *call, struct filter *filter, struct sov_error *err)
{
    const char *type = sov_value_of(call, SOV_FLAG_TYPE), *by = sov_value_of(call, SOV_FLAG_BY);
    const char *format = sov_value_of(call, SOV_FLAG_FORMAT);
    int64_t otherwise = 0;

    if (call->out->terminal && !call->out->json) otherwise = TERMINAL_LAST;
    filter->has_type = type != NULL;
    if (type && !sov_event_type_find(sov_bytes_text(type), &filter->type))
        return sov_fail(err, SOV_USAGE, "bad_value", "%s is no type of event", type);
    if (by) filter->by = sov_bytes_text(by);
    if (!sov_int_of(call, SOV_FLAG_SINCE, 0, INT64_MAX, 0, &filter->first, err) ||
        !sov_int_of(call, SOV_FLAG_LAST, 1, INT64_MAX, otherwise, &filter->last_n, err))
        return false;
    filter->first++;
    filter->octets = format && strcmp(format, "jsonl") == 0;
    filter->summing = format && strcmp(format, "md") == 0;
    if (!base_read(call, filter, err)) return false;
    filter->graph = sov_given(call, SOV_FLAG_GRAPH);
    filter->has_ref = call->word_count > 0;
    return !filter->has_ref || sov_ref_find(call, call->words[0], &filter->ref, err);
}

static bool matches(const struct filter *filter, const struct sov_event *event)
{
    if (filter->has_type && event->type != filter->type) return false;
    if (filter->by.data && !sov_bytes_equal(event->actor, filter->by)) return false;
    if (!filter->has_ref) return true;
    if (filter->ref.seq) return event->seq == filter->ref.seq;
    return event->stream.kind == filter->ref.stream.kind &&
           event->stream.n == filter->ref.stream.n &&
           (event->stream.n || sov_bytes_equal(event->stream.name, filter->ref.stream.name));
}

/* The column of an actor: its place in the order in which they come. */
static size_t lane(struct sov_call *call, struct filter *filter, struct sov_bytes actor)
{
    for (size_t i = 0; i < filter->lane_count; i++)
        if (sov_bytes_is(actor, filter->lanes[i])) return i;
    if (filter->lane_count == LANES_MAX) return LANES_MAX - 1;
    filter->lanes[filter->lane_count] = sov_arena_text(call->arena, actor);
    return filter->lane_count++;
}

static void graph(struct sov_call *call, struct filter *filter, const struct sov_event *event)
{
    const char *bar = call->out->ascii ? "| " : "\xe2\x94\x82 ";
    const char *dot = call->out->ascii ? "* " : "\xe2\x97\x8f ";
    size_t at = lane(call, filter, event->actor);

    for (size_t i = 0; i < filter->lane_count; i++)
        sov_out_part(call->out, i == at ? SOV_CYAN : SOV_FAINT, "%s", i == at ? dot : bar);
    sov_out_part(call->out, SOV_PLAIN, "%lld %.*s %s %s", (long long)event->seq,
                 (int)event->actor.size, (const char *)event->actor.data,
                 sov_event_row(event->type)->type, sov_stream_called(&event->stream, call->arena));
    sov_out_end(call->out);
}

static void print(struct sov_call *call, struct filter *filter, const struct sov_event *event)
{
    struct sov_out *out = call->out;
    char at[SOV_INSTANT_TEXT + 1];

    if (filter->summing) {
        sov_log_summary_add(&filter->summary, event, call->arena);
        return;
    }
    if (filter->octets) {
        sov_out_octets(out, event->octets);
        sov_out_octets(out, sov_bytes_text("\n"));
        return;
    }
    if (out->json) {
        sov_out_item(out, sov_event_node(event, call->arena));
        return;
    }
    if (filter->graph) {
        graph(call, filter, event);
        return;
    }
    sov_instant_format(event->at, at);
    sov_out_part(out, SOV_CYAN, "%6lld", (long long)event->seq);
    sov_out_part(out, SOV_FAINT, "  %s", at);
    sov_out_part(out, SOV_PLAIN, "  %-10.*s  %-22s  %s", (int)event->actor.size,
                 (const char *)event->actor.data, sov_event_row(event->type)->type,
                 sov_stream_called(&event->stream, call->arena));
    sov_out_part(out, SOV_FAINT, "  %s", sov_event_words(event, call->arena));
    sov_out_end(out);
}

/* How many events match from `first` on: those before the newest N are passed over. */
static bool walk(struct sov_call *call, struct filter *filter, int64_t skip, int64_t *count_out,
                 struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    int64_t count = 0;
    bool found;

    sov_log_begin(&cursor, call->ledger, filter->first, call->out->seq);
    for (;;) {
        struct sov_arena_mark mark = sov_arena_mark(call->arena);
        struct sov_stored row;
        struct sov_event event;
        size_t lanes = filter->lane_count;

        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) break;
        if (!sov_stored_decode(&row, &event, err)) return false;
        if (!matches(filter, &event)) continue;
        if (!count_out && count >= skip) print(call, filter, &event);
        count++;
        if (lanes == filter->lane_count) sov_arena_rewind(call->arena, mark);
    }
    if (count_out) *count_out = count;
    return true;
}

static bool log_run(struct sov_call *call, struct sov_error *err)
{
    struct filter filter = { 0 };
    int64_t count = 0;
    bool ok;

    if (!filter_read(call, &filter, err)) return false;
    if (filter.last_n && !walk(call, &filter, 0, &count, err)) return false;
    if (call->out->json) sov_out_data(call->out, sov_node_list(call->arena));
    sov_buf_init(&filter.summary.rows, SOV_LOG_SUMMARY_MAX);
    ok = walk(call, &filter, count > filter.last_n && filter.last_n ? count - filter.last_n : 0,
              NULL, err);
    if (ok && filter.summing)
        sov_log_summary_print(call, &filter.summary, sov_value_of(call, SOV_FLAG_BASE),
                              filter.base);
    sov_buf_release(&filter.summary.rows);
    return ok;
}

static const struct sov_form forms[] = {
    { .name = "",
      .run = log_run,
      .needs = SOV_READS | SOV_CLONES | SOV_PAGED,
      .most = 1,
      .takes = "[REF] [--type T] [--by ACTOR] [--since SEQ] [--last N] [--graph] "
               "[--base REV]",
      .does = "list events, ascending by seq; a terminal shows the last 50",
      .fields =
          "seq:i at:s actor:s type:s id:s stream:s sv:i cause:a fence:i? key:s? data:o hash:s",
      .exits = "5 the base is ahead of this log\n6 the base is another history",
      .examples = "sov log --last 5\nsov log SOW-1\nsov log --format jsonl --since 100\n"
                  "sov log --base origin/main --format md",
      .formats = "jsonl md" },
};
static const struct sov_verb verb = {
    "log",
    "what happened, event by event",
    "REF is an id (SOW-1), a stream (actor/alice), a seq or a hash. --format jsonl prints the\n"
    "octets of each event as they are stored and hashed, one a line. --base REV leaves out what "
    "the\n"
    "tree of that git revision had published; with --format md that is the summary of a merge.",
    forms,
    1,
    SOV_GROUP_START
};

const struct sov_verb *sov_verb_log(void)
{
    return &verb;
}
