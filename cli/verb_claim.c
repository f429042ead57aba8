#include "cli/claimed.h"
#include "cli/self_options.h"

static void fence_put(struct sov_deed *w, int64_t fence, int64_t until_ms)
{
    char until[SOV_INSTANT_TEXT + 1];

    sov_instant_format((struct sov_instant){ until_ms }, until);
    sov_add_int(w->data, "fence", fence);
    sov_add_text(w->data, "until", until);
}

static bool claim(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, ttl, fence;
    struct sov_claim live;
    struct sov_instant end;
    struct sov_who who;
    bool found;
    char until[SOV_INSTANT_TEXT + 1];

    if (!sov_number_at(call, 0, SOV_STREAM_ASSIGNMENT, &n, err) ||
        !sov_int_of(call, SOV_FLAG_TTL, 1, INT32_MAX, 0, &ttl, err) ||
        !sov_deed_begin(&w, call, err) || !sov_claimed_who(&w, &who, err) ||
        !sov_claim_acquire(&w.commit, n, ttl, &who, &fence, &w.done, err) ||
        !sov_claim_find(call->ledger, n, fence, call->arena, &live, &found, err) ||
        !sov_deed_finish(&w, err))
        return false;
    end = sov_instant_after((struct sov_instant){ live.at_ms }, live.ttl_s);
    fence_put(&w, fence, end.ms);
    sov_instant_format(end, until);
    return sov_deed_say(
        &w, sov_arena_printf(call->arena, "claimed, fence %lld, until %s", (long long)fence, until),
        sov_arena_printf(call->arena, "sov claim renew %%s --fence %lld", (long long)fence));
}

static bool renew(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, ttl, fence;
    struct sov_who who;

    return sov_claimed_under(call, SOV_STREAM_ASSIGNMENT, &n, &fence, err) &&
           sov_int_of(call, SOV_FLAG_TTL, 1, INT32_MAX, 0, &ttl, err) &&
           sov_deed_begin(&w, call, err) && sov_claimed_who(&w, &who, err) &&
           sov_claim_renew(&w.commit, n, fence, ttl, &who, &w.done, err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "renewed", NULL);
}

static void seqs_put(struct sov_call *call, struct sov_node *data,
                     const struct sov_self_started *started)
{
    struct sov_node *seqs = sov_add_list(data, "seqs");

    if (started->seq) sov_add_int(seqs, NULL, started->seq);
    if (started->effect == SOV_CREATED) call->out->committed = started->seq;
}

/* Where to work is what the program came for: alone on its line, also with -q. */
static void start_say(struct sov_call *call, const struct sov_self_started *started)
{
    struct sov_out *out = call->out;

    if (!out->quiet) {
        sov_out_part(out, SOV_CYAN, "%s", call->words[0]);
        sov_out_part(out, SOV_PLAIN, " %s",
                     started->effect == SOV_WOULD  ? "would be started"
                     : started->effect == SOV_NOOP ? "already started"
                                                   : "started");
        if (started->seq) sov_out_part(out, SOV_PLAIN, " (seq %lld)", (long long)started->seq);
        sov_out_end(out);
    }
    if (started->folder && started->effect != SOV_WOULD) sov_out_line(out, "%s", started->folder);
}

static bool start(struct sov_call *call, struct sov_error *err)
{
    struct sov_node *data = sov_node_object(call->arena);
    struct sov_self_options options;
    struct sov_self_started started;
    const char *next;

    if (!sov_self_options_of(call, &options, err) || !sov_call_write(call, err) ||
        !sov_call_actor(call, &options.actor, err) || !sov_call_goes_on(err) ||
        !sov_self_start(call->ledger, &options, call->arena, &started, err))
        return false;
    next = sov_arena_printf(call->arena, "sov report %s --fence %lld FILE", call->words[0],
                            (long long)options.fence);
    sov_add_text(data, "id", call->words[0]);
    sov_add_text(data, "effect", sov_effect_text(started.effect));
    seqs_put(call, data, &started);
    sov_add_text(data, "next", next);
    sov_add_int(data, "fence", options.fence);
    sov_add_text(data, "workspace", started.folder);
    start_say(call, &started);
    sov_out_data(call->out, data);
    if (started.effect == SOV_CREATED) sov_out_next(call->out, next);
    return sov_call_head(call, err);
}

static bool release(struct sov_call *call, struct sov_error *err)
{
    SOV_CLEANUP(sov_deed_end) struct sov_deed w = { 0 };
    int64_t n, fence;

    return sov_claimed_under(call, SOV_STREAM_ASSIGNMENT, &n, &fence, err) &&
           sov_deed_begin(&w, call, err) &&
           sov_claim_release(&w.commit, n, fence, sov_value_of(call, SOV_FLAG_REASON), &w.done,
                             err) &&
           sov_deed_finish(&w, err) && sov_deed_say(&w, "released", "sov claim %s");
}

static const struct sov_form forms[] = {
    { "", claim, SOV_WRITES, 1, 1, "ASG [--ttl S] [--pid N]",
      "the exclusive, expiring right to act on it", SOV_WRITE_FIELDS " fence:i until:s",
      "4 not addressed\n5 claim held, busy, wrong state", "sov claim ASG-1 --actor operator",
      NULL },
    { "renew", renew, SOV_WRITES, 1, 1, "ASG --fence N [--ttl S] [--pid N]", "it lives on",
      SOV_WRITE_FIELDS, "5 stale fence", "sov claim renew ASG-1 --fence 27", NULL },
    { "start", start, SOV_WRITES, 1, 1, "ASG --fence N",
      "begin: its workspace is made and printed, with in/ and out/",
      SOV_WRITE_FIELDS " fence:i workspace:s?",
      "4 no workspace can be made\n5 stale fence, already started",
      "sov claim start ASG-1 --fence 27", NULL },
    { "release", release, SOV_WRITES, 1, 1, "ASG --fence N --reason TEXT",
      "give it back before a run has started", SOV_WRITE_FIELDS, "5 stale fence, already started",
      "sov claim release ASG-1 --fence 27 --reason \"not today\"", NULL },
};
static const struct sov_verb verb = {
    "claim",
    "hold an assignment",
    "A claim's fence is the seq of the event that made it. Nothing is written under an old fence.\n"
    "`sov run` claims by itself; this is for one that drives itself: claim, start, work in the "
    "folder\n"
    "that start prints, renew in time, `sov report`. With --pid (often $$) the claim ends as soon "
    "as\n"
    "that process is seen to be gone, not only when its time is over.",
    forms,
    4,
    SOV_GROUP_WORK
};

const struct sov_verb *sov_verb_claim(void)
{
    return &verb;
}
