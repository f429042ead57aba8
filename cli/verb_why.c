#include "cli/checks.h"
#include "cli/gates.h"
#include "cli/record.h"
#include "policy/policy.h"

enum { WALK_MAX = 100000 };

/* Events found so far, each once, with how far they are from where the walk began. */
struct walk {
    struct sov_call *call;
    int64_t *seq, *depth;
    size_t count, room;
    int64_t depth_max;
};

static void add(struct walk *walk, int64_t seq, int64_t depth)
{
    for (size_t i = 0; i < walk->count; i++)
        if (walk->seq[i] == seq) return;
    if (walk->count == walk->room) return;
    walk->seq[walk->count] = seq;
    walk->depth[walk->count++] = depth;
}

static bool has(const struct walk *walk, int64_t seq, int64_t *depth_out)
{
    for (size_t i = 0; i < walk->count; i++) {
        if (walk->seq[i] != seq) continue;
        *depth_out = walk->depth[i];
        return true;
    }
    return false;
}

static bool backward(struct walk *walk, struct sov_error *err)
{
    for (size_t i = 0; i < walk->count; i++) {
        struct sov_event event;
        struct sov_value cause;
        size_t at = 0;

        if (walk->depth[i] >= walk->depth_max) continue;
        if (!sov_log_named(walk->call->ledger, walk->seq[i], SOV_EVENT_TYPE_COUNT,
                           walk->call->arena, &event, err))
            return false;
        if (!sov_value_there(event.cause)) continue;
        while (sov_value_item(event.cause, &at, &cause))
            add(walk, sov_value_int(cause), walk->depth[i] + 1);
    }
    return true;
}

/* Causes lie before their effects, so one pass finds them all. */
static bool forward(struct walk *walk, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };

    sov_log_begin(&cursor, walk->call->ledger, walk->seq[0] + 1, walk->call->out->seq);
    for (;;) {
        struct sov_stored row;
        struct sov_event event;
        struct sov_value cause;
        int64_t depth;
        size_t at = 0;
        bool found;

        if (!sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) return true;
        if (!sov_stored_decode(&row, &event, err)) return false;
        if (!sov_value_there(event.cause)) continue;
        while (sov_value_item(event.cause, &at, &cause))
            if (has(walk, sov_value_int(cause), &depth) && depth < walk->depth_max)
                add(walk, event.seq, depth + 1);
    }
}

static bool begin(struct walk *walk, const struct sov_ref *ref, struct sov_error *err)
{
    const int64_t *seqs;
    size_t count;

    walk->room = WALK_MAX;
    walk->seq = sov_arena_array(walk->call->arena, WALK_MAX, sizeof *walk->seq);
    walk->depth = sov_arena_array(walk->call->arena, WALK_MAX, sizeof *walk->depth);
    if (ref->seq) {
        add(walk, ref->seq, 0);
        return true;
    }
    if (!sov_stream_history(walk->call->ledger, &ref->stream, walk->call->arena, &seqs, &count,
                            err))
        return false;
    if (sov_given(walk->call, SOV_FLAG_EFFECTS)) {
        for (size_t i = 0; i < count; i++) add(walk, seqs[i], 0);
    } else {
        add(walk, seqs[count - 1], 0); /* why it stands where it does */
        add(walk, seqs[0], 0);         /* and why it is there at all */
    }
    return true;
}

static void sort(struct walk *walk)
{
    for (size_t i = 1; i < walk->count; i++)
        for (size_t j = i; j && walk->seq[j - 1] > walk->seq[j]; j--) {
            int64_t seq = walk->seq[j], depth = walk->depth[j];

            walk->seq[j] = walk->seq[j - 1];
            walk->depth[j] = walk->depth[j - 1];
            walk->seq[j - 1] = seq;
            walk->depth[j - 1] = depth;
        }
}

static const char *kind_of(struct sov_call *call, struct sov_bytes id, struct sov_error *err)
{
    struct sov_actor actor;
    bool found;

    if (sov_bytes_is(id, "host")) return "host";
    if (!sov_actor_find(call->ledger, sov_arena_text(call->arena, id), call->arena, &actor, &found,
                        err) ||
        !found)
        return "unknown";
    return actor.kind;
}

static bool row_put(struct walk *walk, size_t i, struct sov_node *rows, struct sov_error *err)
{
    struct sov_call *call = walk->call;
    struct sov_node *row = sov_add_object(rows, NULL);
    struct sov_event event;
    const char *kind;

    if (!sov_log_named(call->ledger, walk->seq[i], SOV_EVENT_TYPE_COUNT, call->arena, &event, err))
        return false;
    kind = kind_of(call, event.actor, err);
    sov_add_int(row, "seq", event.seq);
    sov_add_bytes(row, "actor", event.actor);
    sov_add_text(row, "actor_kind", kind);
    sov_add_text(row, "type", sov_event_row(event.type)->type);
    sov_add_text(row, "id", sov_stream_called(&event.stream, call->arena));
    sov_add_text(row, "words", sov_event_words(&event, call->arena));
    sov_add_int(row, "depth", walk->depth[i]);
    if (sov_value_there(event.cause))
        sov_add_value(row, "cause", event.cause);
    else
        sov_add_list(row, "cause");
    sov_out_part(call->out, SOV_CYAN, "%6lld", (long long)event.seq);
    sov_out_part(call->out, SOV_PLAIN, "  %-10.*s %-8s %-22s %s", (int)event.actor.size,
                 (const char *)event.actor.data, kind, sov_event_row(event.type)->type,
                 sov_stream_called(&event.stream, call->arena));
    sov_out_part(call->out, SOV_FAINT, "  %s", sov_event_words(&event, call->arena));
    sov_out_end(call->out);
    return true;
}

static void mermaid(struct sov_call *call, const struct sov_node *rows)
{
    sov_out_line(call->out, "flowchart LR");
    for (const struct sov_node *row = rows->first; row; row = row->next) {
        struct sov_bytes type = sov_node_get(row, "type")->text, id = sov_node_get(row, "id")->text;

        sov_out_line(call->out, "  n%lld[\"%.*s %.*s\"]", (long long)sov_node_get(row, "seq")->n,
                     (int)id.size, (const char *)id.data, (int)type.size, (const char *)type.data);
    }
    for (const struct sov_node *row = rows->first; row; row = row->next)
        for (const struct sov_node *cause = sov_node_get(row, "cause")->first; cause;
             cause = cause->next)
            sov_out_line(call->out, "  n%lld --> n%lld", (long long)cause->n,
                         (long long)sov_node_get(row, "seq")->n);
}

static bool chain(struct sov_call *call, const struct sov_ref *ref, struct sov_error *err)
{
    const char *format = sov_value_of(call, SOV_FLAG_FORMAT);
    bool picture = format && strcmp(format, "mermaid") == 0, was_json = call->out->json;
    struct sov_node *rows = sov_node_list(call->arena);
    struct walk walk = { .call = call };

    if (!sov_int_of(call, SOV_FLAG_DEPTH, 0, 1000, 1000, &walk.depth_max, err) ||
        !begin(&walk, ref, err) ||
        !(sov_given(call, SOV_FLAG_EFFECTS) ? forward(&walk, err) : backward(&walk, err)))
        return false;
    sort(&walk);
    if (picture) call->out->json = true; /* the rows are drawn, not printed */
    for (size_t i = 0; i < walk.count; i++)
        if (!row_put(&walk, i, rows, err)) return false;
    call->out->json = was_json;
    if (picture) mermaid(call, rows);
    sov_out_data(call->out, rows);
    return true;
}

/* ---- gates ---- */

static bool outcome_gates(struct sov_call *call, int64_t n, struct sov_error *err)
{
    struct sov_acceptance_request request = { .outcome = n };
    struct sov_acceptance_prepared prepared;
    struct sov_observations seen;
    struct sov_node *list;
    size_t count;
    const struct sov_gate *gates = sov_policy_acceptance_gates(&count);

    if (!sov_look(call, n, &seen, err)) return false;
    request.observations = &seen;
    if (!sov_acceptance_prepare(call->ledger, sov_value_of(call, SOV_FLAG_ACTOR), &request,
                                call->arena, &prepared, err))
        return false;
    list = sov_gates_node(call, gates, count, &prepared.verdict);
    sov_gates_print(call, list, call->out->quiet);
    sov_out_data(call->out, list);
    return true;
}

static bool sow_gates(struct sov_call *call, int64_t n, struct sov_error *err)
{
    struct sov_review_request request = { .sow = n,
                                          .decision = SOV_REVIEW_ACCEPTED,
                                          .rationale = "asked" };
    struct sov_review_prepared prepared;
    const char *actor;
    struct sov_node *list;
    size_t count;
    const struct sov_gate *gates = sov_policy_review_gates(&count);

    /* A review's gates are asked of a reviewer. */
    if (!sov_call_actor(call, &actor, err) ||
        !sov_review_prepare(call->ledger, actor, &request, call->arena, &prepared, err))
        return false;
    list = sov_gates_node(call, gates, count, &prepared.verdict);
    sov_gates_print(call, list, call->out->quiet);
    sov_out_data(call->out, list);
    return true;
}

static bool why(struct sov_call *call, struct sov_error *err)
{
    struct sov_ref ref;

    if (!sov_ref_find(call, call->words[0], &ref, err)) return false;
    if (!sov_given(call, SOV_FLAG_GATES)) return chain(call, &ref, err);
    if (!ref.seq && ref.stream.kind == SOV_STREAM_OUTCOME)
        return outcome_gates(call, ref.stream.n, err);
    if (!ref.seq && ref.stream.kind == SOV_STREAM_SOW) return sow_gates(call, ref.stream.n, err);
    return sov_fail(err, SOV_USAGE, "bad_value", "%s has no gates: an outcome or a SOW has",
                    call->words[0]);
}

static const struct sov_form forms[] = {
    { "", why, SOV_READS | SOV_CLONES | SOV_PAGED, 1, 1, "REF [--effects] [--depth N] [--gates]",
      "walk back to what began it, an event a line",
      "seq:i actor:s actor_kind:s type:s id:s words:s depth:i cause:a gate:i holds:b title:s "
      "open:a",
      "", "sov why SOW-1\nsov why SIG-1 --effects\nsov why OUT-1 --gates", "mermaid" },
};
static const struct sov_verb verb = {
    "why",
    "what led to it, or what it led to",
    "Each event cites what caused it. --gates prints the gate table of an outcome's acceptance or "
    "a\n"
    "SOW's review, as of now; of an outcome with --actor also what is asked of that actor.",
    forms,
    1,
    SOV_GROUP_START
};

const struct sov_verb *sov_verb_why(void)
{
    return &verb;
}
