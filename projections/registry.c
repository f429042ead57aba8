/* Which views there are, where each lies, and which event touches which. */
#include <assert.h>

#include "base/text.h"
#include "projections/projections.h"

static const struct {
    const char *folder, *word;
    enum sov_stream_kind stream; /* of a numbered one */
} rows[SOV_VIEW_KIND_COUNT] = {
    [SOV_VIEW_README] = { "", "README", SOV_STREAM_ORGANIZATION },
    [SOV_VIEW_ATTRIBUTES] = { "", ".gitattributes", SOV_STREAM_ORGANIZATION },
    [SOV_VIEW_POLICY] = { "", "policy", SOV_STREAM_POLICY },
    [SOV_VIEW_ACTOR] = { "actors/", NULL, SOV_STREAM_ACTOR },
    [SOV_VIEW_OUTCOME] = { "outcomes/", "OUT-", SOV_STREAM_OUTCOME },
    [SOV_VIEW_SOW] = { "sows/", "SOW-", SOV_STREAM_SOW },
    [SOV_VIEW_RULING] = { "rulings/", "RUL-", SOV_STREAM_RULING },
    [SOV_VIEW_APPROVAL] = { "approvals/", "APR-", SOV_STREAM_APPROVAL },
};

const char *sov_view_path(const struct sov_view *view, bool json, struct sov_arena *arena)
{
    const char *end = json ? ".json" : ".md";

    if (view->kind == SOV_VIEW_ATTRIBUTES) return rows[view->kind].word;
    if (view->kind == SOV_VIEW_ACTOR)
        return sov_arena_printf(arena, "%s%s%s", rows[view->kind].folder, view->id, end);
    if (!view->n)
        return sov_arena_printf(arena, "%s%s%s", rows[view->kind].folder, rows[view->kind].word,
                                end);
    return sov_arena_printf(arena, "%s%s%lld%s", rows[view->kind].folder, rows[view->kind].word,
                            (long long)view->n, end);
}

/* ---- is it there? ---- */

static bool is_there(const struct sov_ledger *ledger, enum sov_view_kind kind, int64_t n,
                     struct sov_arena *arena, bool *found_out, struct sov_error *err)
{
    struct sov_arena_mark mark = sov_arena_mark(arena);
    struct sov_outcome outcome;
    struct sov_approval approval;
    struct sov_ruling ruling;
    struct sov_sow sow;
    bool ok;

    if (kind == SOV_VIEW_OUTCOME)
        ok = sov_outcome_find(ledger, n, arena, &outcome, found_out, err);
    else if (kind == SOV_VIEW_SOW)
        ok = sov_sow_find(ledger, n, arena, &sow, found_out, err);
    else if (kind == SOV_VIEW_RULING)
        ok = sov_ruling_find(ledger, n, arena, &ruling, found_out, err);
    else
        ok = sov_approval_find(ledger, n, arena, &approval, found_out, err);
    sov_arena_rewind(arena, mark);
    return ok;
}

bool sov_view_find(const struct sov_ledger *ledger, const char *id, struct sov_arena *arena,
                   struct sov_view *view_out, bool *found_out, struct sov_error *err)
{
    struct sov_bytes text = sov_bytes_text(id);
    struct sov_view view = { .kind = SOV_VIEW_README };
    struct sov_actor actor;
    bool found = true;

    if (strcmp(id, "policy") == 0)
        view.kind = SOV_VIEW_POLICY;
    else if (strcmp(id, "readme") != 0) {
        for (view.kind = SOV_VIEW_OUTCOME; view.kind < SOV_VIEW_KIND_COUNT; view.kind++)
            if ((view.n = sov_id_number(text, rows[view.kind].stream))) break;
        if (!view.n) {
            view.kind = SOV_VIEW_ACTOR;
            view.id = sov_arena_printf(arena, "%s", id);
        }
        if (view.n && !is_there(ledger, view.kind, view.n, arena, &found, err)) return false;
        if (!view.n && !sov_actor_find(ledger, id, arena, &actor, &found, err)) return false;
    }
    if (found) *view_out = view;
    *found_out = found;
    return true;
}

/* ---- all of them ---- */

bool sov_view_walk_begin(struct sov_view_walk *walk, const struct sov_ledger *ledger,
                         struct sov_arena *arena, struct sov_error *err)
{
    *walk = (struct sov_view_walk){ .ledger = ledger, .arena = arena };
    return sov_actor_list(ledger, arena, &walk->actors, err);
}

/* Numbers of an entity are counted from 1 without a gap, so the first that is missing ends it. */
static bool next_number(struct sov_view_walk *walk, bool *found_out, struct sov_error *err)
{
    return is_there(walk->ledger, walk->kind, walk->n + 1, walk->arena, found_out, err);
}

bool sov_view_walk_next(struct sov_view_walk *walk, struct sov_view *view_out, bool *found_out,
                        struct sov_error *err)
{
    for (; walk->kind < SOV_VIEW_KIND_COUNT; walk->kind++, walk->n = 0) {
        struct sov_view view = { .kind = walk->kind };
        bool found = walk->n == 0;

        if (walk->kind == SOV_VIEW_ACTOR) {
            found = (size_t)walk->n < walk->actors.count;
            if (found) view.id = walk->actors.at[walk->n].id;
        } else if (walk->kind > SOV_VIEW_ACTOR) {
            if (!next_number(walk, &found, err)) return false;
            view.n = walk->n + 1;
        }
        if (!found) continue;
        walk->n++;
        *view_out = view;
        *found_out = true;
        return true;
    }
    *found_out = false;
    return true;
}

/* ---- which event touches which ---- */

struct touch {
    const struct sov_ledger *ledger;
    struct sov_arena *arena;
    struct sov_view *at;
    size_t count, room;
};

static void add(struct touch *touch, struct sov_view view)
{
    for (size_t i = 0; i < touch->count; i++)
        if (touch->at[i].kind == view.kind && touch->at[i].n == view.n &&
            (!view.id || strcmp(view.id, touch->at[i].id) == 0))
            return;
    if (touch->count == touch->room) {
        struct sov_view *more;

        touch->room = touch->room ? touch->room * 2 : 8;
        more = sov_arena_array(touch->arena, touch->room, sizeof *more);
        if (touch->count) memcpy(more, touch->at, touch->count * sizeof *more);
        touch->at = more;
    }
    touch->at[touch->count++] = view;
}

static void add_numbered(struct touch *touch, enum sov_view_kind kind, int64_t n)
{
    if (n) add(touch, (struct sov_view){ .kind = kind, .n = n });
}

/* A SOW's page, and its outcome's while that shows the SOW's term. */
static bool add_sow(struct touch *touch, int64_t n, struct sov_error *err)
{
    struct sov_outcome outcome;
    struct sov_sow sow;

    if (!n) return true;
    if (!sov_sow_get(touch->ledger, n, touch->arena, &sow, err) ||
        !sov_outcome_get(touch->ledger, sow.outcome, touch->arena, &outcome, err))
        return false;
    add_numbered(touch, SOV_VIEW_SOW, n);
    if (sow.term == outcome.term) add_numbered(touch, SOV_VIEW_OUTCOME, outcome.n);
    return true;
}

static bool add_assignment(struct touch *touch, int64_t n, struct sov_error *err)
{
    struct sov_assignment assignment;

    return sov_assignment_get(touch->ledger, n, touch->arena, &assignment, err) &&
           add_sow(touch, assignment.sow, err);
}

static bool add_receipt(struct touch *touch, int64_t n, struct sov_error *err)
{
    struct sov_receipt receipt;

    return sov_receipt_get(touch->ledger, n, touch->arena, &receipt, err) &&
           add_assignment(touch, receipt.assignment, err);
}

static bool add_verification(struct touch *touch, int64_t n, struct sov_error *err)
{
    struct sov_verification row;
    bool found;

    if (!sov_verification_find(touch->ledger, n, touch->arena, &row, &found, err)) return false;
    if (!found) return true;
    if (row.sow) return add_sow(touch, row.sow, err);
    add_numbered(touch, SOV_VIEW_OUTCOME, row.outcome);
    return true;
}

static bool add_ruling(struct touch *touch, int64_t n, struct sov_error *err)
{
    struct sov_stream applies_to;
    struct sov_ruling ruling;
    bool found;

    if (!sov_ruling_find(touch->ledger, n, touch->arena, &ruling, &found, err)) return false;
    if (!found) return true;
    add_numbered(touch, SOV_VIEW_RULING, n);
    if (ruling.receipt && !add_receipt(touch, ruling.receipt, err)) return false;
    if (!sov_stream_parse(sov_bytes_text(ruling.applies_to), &applies_to)) return true;
    if (applies_to.kind == SOV_STREAM_OUTCOME) add_numbered(touch, SOV_VIEW_OUTCOME, applies_to.n);
    return applies_to.kind != SOV_STREAM_SOW || add_sow(touch, applies_to.n, err);
}

static bool add_key(struct touch *touch, const struct sov_event *event, struct sov_error *err)
{
    const char *id = sov_arena_text(touch->arena, event->stream.name);
    struct sov_actor_key key;
    bool found;

    if (!sov_key_find(touch->ledger, id, touch->arena, &key, &found, err)) return false;
    add(touch, (struct sov_view){ .kind = SOV_VIEW_README });
    if (found) add(touch, (struct sov_view){ .kind = SOV_VIEW_ACTOR, .id = key.actor });
    return true;
}

/* The SOWs whose receipts bind what was erased. */
static bool add_blob(struct touch *touch, const struct sov_event *event, struct sov_error *err)
{
    struct sov_receipts receipts;
    struct sov_hash digest;

    if (!sov_unhex(event->stream.name, digest.octets, SOV_HASH_SIZE)) return true;
    if (!sov_receipt_holding(touch->ledger, &digest, touch->arena, &receipts, err)) return false;
    for (size_t i = 0; i < receipts.count; i++)
        if (!add_assignment(touch, receipts.at[i].assignment, err)) return false;
    return true;
}

/* What an execution brought: it stands on the page of its SOW. */
static bool touch_work(struct touch *touch, const struct sov_event *event, struct sov_error *err)
{
    if (event->stream.kind == SOV_STREAM_EFFECT)
        return add_assignment(touch, sov_data_number(event, "assignment", SOV_STREAM_ASSIGNMENT),
                              err);
    if (event->stream.kind == SOV_STREAM_RECEIPT) return add_receipt(touch, event->stream.n, err);
    return event->type == SOV_EVENT_CLAIM_RENEWED || add_assignment(touch, event->stream.n, err);
}

static bool touch_event(struct touch *touch, const struct sov_event *event, struct sov_error *err)
{
    switch (event->stream.kind) {
    case SOV_STREAM_ORGANIZATION:
        if (event->type != SOV_EVENT_ORGANIZATION_FOUNDED) return true;
        add(touch, (struct sov_view){ .kind = SOV_VIEW_README });
        add(touch, (struct sov_view){ .kind = SOV_VIEW_ATTRIBUTES });
        return true;
    case SOV_STREAM_POLICY:
        add(touch, (struct sov_view){ .kind = SOV_VIEW_POLICY });
        return true;
    case SOV_STREAM_KEY:
        return add_key(touch, event, err);
    case SOV_STREAM_ACTOR:
        add(touch, (struct sov_view){ .kind = SOV_VIEW_ACTOR,
                                      .id = sov_arena_text(touch->arena, event->stream.name) });
        return true;
    case SOV_STREAM_BLOB:
        return add_blob(touch, event, err);
    case SOV_STREAM_OUTCOME:
        add_numbered(touch, SOV_VIEW_OUTCOME, event->stream.n);
        return true;
    case SOV_STREAM_SOW:
        return add_sow(touch, event->stream.n, err);
    case SOV_STREAM_ASSIGNMENT:
    case SOV_STREAM_EFFECT:
    case SOV_STREAM_RECEIPT:
        return touch_work(touch, event, err);
    case SOV_STREAM_VERIFICATION:
        return add_verification(touch, event->stream.n, err);
    case SOV_STREAM_EVIDENCE:
        return add_verification(
            touch, sov_data_number(event, "verification", SOV_STREAM_VERIFICATION), err);
    case SOV_STREAM_REVIEW:
        return add_sow(touch, sov_data_number(event, "sow", SOV_STREAM_SOW), err);
    case SOV_STREAM_ACCEPTANCE:
        add_numbered(touch, SOV_VIEW_OUTCOME,
                     sov_data_number(event, "outcome", SOV_STREAM_OUTCOME));
        return true;
    case SOV_STREAM_RULING:
        return add_ruling(touch, event->stream.n, err);
    case SOV_STREAM_APPROVAL:
        add_numbered(touch, SOV_VIEW_APPROVAL, event->stream.n);
        return true;
    case SOV_STREAM_PROVIDER:
    case SOV_STREAM_SUBJECT:
    case SOV_STREAM_ACCOUNT:
    case SOV_STREAM_CHANGE:
    case SOV_STREAM_SIGNAL:
    case SOV_STREAM_HEARTBEAT:
    case SOV_STREAM_MESSAGE:
    case SOV_STREAM_INSTANCE:
    case SOV_STREAM_SESSION:
    case SOV_STREAM_DELIVERY:
    case SOV_STREAM_COUNT:
        return true; /* in the log only */
    }
    return true;
}

bool sov_view_touched(const struct sov_ledger *ledger, const struct sov_event *event,
                      struct sov_arena *arena, struct sov_views *views_out, struct sov_error *err)
{
    struct touch touch = { .ledger = ledger, .arena = arena };

    if (!touch_event(&touch, event, err)) return false;
    *views_out = (struct sov_views){ touch.at, touch.count };
    return true;
}
