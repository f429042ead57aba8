/* One governed write: the commit around it, its answer in one line, its events. */
#include <stdio.h>

#include "base/env.h"
#include "cli/verb.h"

const char *sov_effect_text(enum sov_effect_word effect)
{
    switch (effect) {
    case SOV_CREATED:
        return "created";
    case SOV_NOOP:
        return "noop";
    case SOV_WOULD:
        return "would";
    }
    return "";
}

static bool act_of(struct sov_call *call, struct sov_act *act_out, struct sov_error *err)
{
    struct sov_act act = { .dry = sov_given(call, SOV_FLAG_DRY_RUN) };

    act.key = sov_value_of(call, SOV_FLAG_IDEMPOTENCY_KEY);
    if (!act.key) act.key = sov_env("SOV_IDEMPOTENCY_KEY");
    if (!sov_int_of(call, SOV_FLAG_EXPECT_SEQ, 0, INT64_MAX, -1, &act.expect_seq, err) ||
        !sov_int_of(call, SOV_FLAG_EXPECT_VERSION, 0, INT64_MAX, -1, &act.expect_version, err))
        return false;
    if (!(call->form->needs & SOV_AS_HOST) && !sov_call_actor(call, &act.actor, err)) return false;
    *act_out = act;
    return true;
}

bool sov_deed_begin(struct sov_deed *w, struct sov_call *call, struct sov_error *err)
{
    struct sov_act act;

    w->call = call;
    w->data = sov_node_object(call->arena);
    return sov_call_write(call, err) && act_of(call, &act, err) &&
           sov_commit_begin(&w->commit, call->ledger, &act, err);
}

/* The head of this commit: by now others may have written theirs. */
static void envelope(struct sov_deed *w)
{
    struct sov_out *out = w->call->out;
    struct sov_identity identity;

    sov_ledger_identity(w->call->ledger, &identity);
    out->has_ledger = true;
    out->ledger_id = identity.id;
    sov_ledger_known_head(w->call->ledger, &out->seq, &out->root);
}

bool sov_deed_finish(struct sov_deed *w, struct sov_error *err)
{
    int64_t before = w->commit.head;

    if (!sov_call_goes_on(err)) return false;
    w->events = sov_commit_events(&w->commit, w->call->arena, &w->event_count);
    if (!sov_commit_finish(&w->commit, &w->head, err)) return false;
    sov_commit_end(&w->commit);
    if (w->head > before) w->call->out->committed = w->head;
    envelope(w);
    return true;
}

void sov_deed_end(struct sov_deed *w)
{
    sov_commit_end(&w->commit);
}

static const char *suggestion(struct sov_deed *w, const char *next)
{
    const char *mark = next ? strstr(next, "%s") : NULL;

    if (!mark) return next;
    return sov_arena_printf(w->call->arena, "%.*s%s%s", (int)(mark - next), next, w->done.id,
                            mark + 2);
}

void sov_deed_events(struct sov_deed *w)
{
    struct sov_out *out = w->call->out;

    if (w->done.effect != SOV_WOULD && !out->verbose) return;
    for (size_t i = 0; i < w->event_count; i++) {
        const char *type = sov_event_row(w->events[i].type)->type;

        if (w->done.effect == SOV_WOULD)
            sov_out_line(out, "  %s  %s", type, w->events[i].id);
        else
            sov_out_verbose(out, "  %lld  %s  %s", (long long)w->events[i].seq, type,
                            w->events[i].id);
    }
}

static void data_put(struct sov_deed *w, const char *next)
{
    struct sov_node *data = sov_node_object(w->call->arena), *seqs;

    sov_add_text(data, "id", w->done.id);
    sov_add_text(data, "effect", sov_effect_text(w->done.effect));
    seqs = sov_add_list(data, "seqs");
    if (w->done.effect == SOV_NOOP) sov_add_int(seqs, NULL, w->done.seq);
    for (size_t i = 0; i < w->event_count && w->done.effect == SOV_CREATED; i++)
        sov_add_int(seqs, NULL, w->events[i].seq);
    sov_add_text(data, "next", next);
    /* What the verb added stands behind what every write has. */
    data->last->next = w->data->first;
    if (w->data->last) data->last = w->data->last;
    sov_out_data(w->call->out, data);
}

bool sov_deed_say(struct sov_deed *w, const char *what, const char *next)
{
    struct sov_out *out = w->call->out;

    next = suggestion(w, next);
    if (out->quiet) {
        sov_out_line(out, "%s", w->done.id);
    } else if (w->done.effect == SOV_CREATED) {
        sov_out_part(out, SOV_CYAN, "%s", w->done.id);
        sov_out_part(out, SOV_PLAIN, " %s (seq %lld)", what, (long long)w->done.seq);
        sov_out_end(out);
    } else if (w->done.effect == SOV_NOOP) {
        sov_out_line(out, "%s already %s (seq %lld), nothing written", w->done.id, what,
                     (long long)w->done.seq);
    } else {
        sov_out_line(out, "%s would be %s", w->done.id, what);
    }
    sov_deed_events(w);
    data_put(w, next);
    if (w->done.effect == SOV_CREATED) sov_out_next(out, next);
    return true;
}
