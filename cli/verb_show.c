#include <stdio.h>
#include <string.h>

#include "base/merkle.h"
#include "cli/record.h"
#include "projections/projections.h"

/* ---- one event ---- */

static bool event(struct sov_call *call, int64_t seq, struct sov_error *err)
{
    struct sov_node *node;
    struct sov_event at;

    if (!sov_log_event(call->ledger, seq, call->arena, &at, err)) return false;
    node = sov_event_node(&at, call->arena);
    sov_add_bytes(node, "octets", at.octets);
    sov_out_members(call->out, node);
    sov_out_data(call->out, node);
    return true;
}

/* ---- one entity ---- */

static bool history(struct sov_call *call, const struct sov_stream *stream, struct sov_node *node,
                    struct sov_error *err)
{
    struct sov_node *list = sov_add_list(node, "history");
    const int64_t *seqs;
    size_t count;

    if (!sov_stream_history(call->ledger, stream, call->arena, &seqs, &count, err)) return false;
    for (size_t i = 0; i < count; i++) {
        struct sov_node *row = sov_add_object(list, NULL);
        char text[SOV_INSTANT_TEXT + 1];
        struct sov_event at;

        if (!sov_log_named(call->ledger, seqs[i], SOV_EVENT_TYPE_COUNT, call->arena, &at, err))
            return false;
        sov_instant_format(at.at, text);
        sov_add_int(row, "seq", at.seq);
        sov_add_text(row, "at", text);
        sov_add_bytes(row, "actor", at.actor);
        sov_add_text(row, "type", sov_event_row(at.type)->type);
        sov_add_text(row, "words", sov_event_words(&at, call->arena));
    }
    return true;
}

static bool entity(struct sov_call *call, const struct sov_stream *stream, struct sov_error *err)
{
    const struct sov_node *fields, *state;
    struct sov_out *out = call->out;
    struct sov_node *node;

    if (!sov_entity_node(call, stream, &node, err) || !history(call, stream, node, err))
        return false;
    fields = sov_node_get(node, "fields");
    state = sov_node_get(node, "state");
    sov_out_part(out, SOV_STRONG, "%s", sov_stream_called(stream, call->arena));
    sov_out_part(out, SOV_PLAIN, "  %s%s%.*s", sov_stream_word(stream->kind),
                 state->text.size ? "  " : "", (int)state->text.size,
                 state->text.size ? (const char *)state->text.data : "");
    sov_out_end(out);
    sov_out_members(out, fields);
    sov_out_line(out, "history");
    for (const struct sov_node *row = sov_node_get(node, "history")->first; row; row = row->next)
        sov_out_line(out, "  %6lld  %.*s  %.*s  %.*s  %.*s", (long long)sov_node_get(row, "seq")->n,
                     SOV_INSTANT_TEXT, (const char *)sov_node_get(row, "at")->text.data,
                     (int)sov_node_get(row, "actor")->text.size,
                     (const char *)sov_node_get(row, "actor")->text.data,
                     (int)sov_node_get(row, "type")->text.size,
                     (const char *)sov_node_get(row, "type")->text.data,
                     (int)sov_node_get(row, "words")->text.size,
                     (const char *)sov_node_get(row, "words")->text.data);
    sov_out_data(out, node);
    return true;
}

/* ---- all of a kind ---- */

/* What a row of a list says besides id and state: the first of these that it has. */
static const char *gist(const struct sov_node *fields, struct sov_arena *arena)
{
    static const char *const telling[] = { "title",   "question", "action", "resource", "label",
                                           "purpose", "channel",  "kind",   "subject",  "sow",
                                           "check",   "role",     "actor",  "status",   "name",
                                           "unit",    "adapter",  "reason", "facts",    "outcome" };
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    unsigned shown = 0;

    sov_buf_init(&out, 8192);
    for (size_t i = 0; i < sizeof telling / sizeof *telling && shown < 3; i++) {
        const struct sov_node *field = sov_node_get(fields, telling[i]);

        if (!field || field->kind == SOV_NODE_NULL) continue;
        if (shown++) sov_buf_add_text(&out, ", ");
        if (field->kind == SOV_NODE_TEXT)
            sov_buf_add(&out, field->text);
        else
            sov_node_json(field, &out);
    }
    return sov_arena_text(arena, sov_buf_bytes(&out));
}

static bool list(struct sov_call *call, enum sov_stream_kind kind, struct sov_error *err)
{
    const char *wanted = sov_value_of(call, SOV_FLAG_STATE);
    struct sov_node *rows = sov_node_list(call->arena);
    struct sov_streams streams;

    if (!sov_stream_list(call->ledger, kind, call->arena, &streams, err)) return false;
    for (size_t i = 0; i < streams.count; i++) {
        const struct sov_node *state;
        struct sov_node *node;

        if (!sov_entity_node(call, &streams.at[i], &node, err)) return false;
        state = sov_node_get(node, "state");
        if (wanted && !(state->text.data && sov_bytes_is(state->text, wanted))) continue;
        sov_add_text(node, "gist", gist(sov_node_get(node, "fields"), call->arena));
        node->key = NULL;
        if (rows->last)
            rows->last->next = node;
        else
            rows->first = node;
        rows->last = node;
    }
    sov_out_table(call->out, rows, "id state last_seq gist");
    sov_out_data(call->out, rows);
    return true;
}

static bool kinds(struct sov_call *call)
{
    struct sov_node *rows = sov_node_list(call->arena);

    for (enum sov_stream_kind kind = 0; kind < SOV_STREAM_COUNT; kind++) {
        struct sov_node *row = sov_add_object(rows, NULL);

        sov_add_text(row, "id", sov_stream_word(kind));
        sov_add_text(row, "kind", "kind");
    }
    sov_out_table(call->out, rows, "id");
    sov_out_data(call->out, rows);
    return true;
}

/* ---- other formats ---- */

/* The page as it is published, byte for byte. */
static bool page(struct sov_call *call, const char *id, struct sov_error *err)
{
    struct sov_documents documents;
    struct sov_view view;
    bool found;

    if (!sov_view_find(call->ledger, id, call->arena, &view, &found, err)) return false;
    if (!found) return sov_fail(err, SOV_USAGE, "bad_value", "%s has no page of its own", id);
    if (!sov_view_render(call->ledger, &view, call->arena, &documents, err)) return false;
    if (documents.count) sov_out_octets(call->out, documents.at[0].bytes);
    return true;
}

/* Lines for a commit message: the acceptance, the receipts that it rests on, the robots that
 * worked. */
static bool trailers(struct sov_call *call, const struct sov_ref *ref, struct sov_error *err)
{
    struct sov_acceptance acceptance;
    struct sov_assignment assignment;
    struct sov_receipt receipt;
    struct sov_sows sows;
    bool found = false;

    if (ref->seq || ref->stream.kind != SOV_STREAM_ACCEPTANCE)
        return sov_fail(err, SOV_USAGE, "bad_value", "trailers are of an acceptance, like ACC-1");
    if (!sov_acceptance_find(call->ledger, ref->stream.n, call->arena, &acceptance, &found, err) ||
        !sov_sow_list(call->ledger, acceptance.outcome, acceptance.term, call->arena, &sows, err))
        return false;
    sov_out_line(call->out, "Sov-Acceptance: ACC-%lld OUT-%lld %s", (long long)acceptance.n,
                 (long long)acceptance.outcome, acceptance.signer);
    for (size_t i = 0; i < sows.count; i++) {
        struct sov_actor actor;
        char hash[SOV_HEX_HASH + 1];

        if (sows.at[i].state != SOV_SOW_ACCEPTED || !sows.at[i].receipt) continue;
        if (!sov_receipt_get(call->ledger, sows.at[i].receipt, call->arena, &receipt, err) ||
            !sov_assignment_get(call->ledger, receipt.assignment, call->arena, &assignment, err) ||
            !sov_actor_find(call->ledger, assignment.actor, call->arena, &actor, &found, err))
            return false;
        sov_hex(sov_hash_bytes(&receipt.hash), hash);
        sov_out_line(call->out, "Sov-Receipt: RCP-%lld %s", (long long)receipt.n, hash);
        if (found && strcmp(actor.kind, "person") != 0)
            sov_out_line(call->out, "Assisted-by: %s%s%s", actor.id, receipt.provider ? " " : "",
                         receipt.provider ? receipt.provider : "");
    }
    return true;
}

static bool show(struct sov_call *call, struct sov_error *err)
{
    const char *format = sov_value_of(call, SOV_FLAG_FORMAT);
    bool other = format && strcmp(format, "text") != 0;
    enum sov_stream_kind kind;
    struct sov_ref ref;

    if (other && !call->word_count)
        return sov_fail(err, SOV_USAGE, "usage", "--format %s goes with a REF", format);
    if (other && strcmp(format, "md") == 0) return page(call, call->words[0], err);
    if (other) return sov_ref_find(call, call->words[0], &ref, err) && trailers(call, &ref, err);
    if (!call->word_count) return kinds(call);
    if (sov_kind_find(call->words[0], &kind)) return list(call, kind, err);
    if (sov_given(call, SOV_FLAG_STATE))
        return sov_fail(err, SOV_USAGE, "usage", "--state goes with a kind, like sows");
    if (!sov_ref_find(call, call->words[0], &ref, err)) return false;
    return ref.seq ? event(call, ref.seq, err) : entity(call, &ref.stream, err);
}

static const struct sov_form forms[] = {
    { .name = "",
      .run = show,
      .needs = SOV_READS | SOV_CLONES | SOV_PAGED,
      .most = 1,
      .takes = "[REF|KIND] [--state S]",
      .does = "one entity or event with its history, or all of a kind",
      .fields = "id:s kind:s state:s? version:i seq:i last_seq:i fields:o history:a gist:s at:s "
                "actor:s type:s stream:s sv:i cause:a fence:i? key:s? data:o hash:s octets:s",
      .exits = "",
      .examples = "sov show OUT-1\nsov show sows --state REVIEW\nsov show OUT-1 --format md",
      .formats = "md trailers" },
};
static const struct sov_verb verb = {
    "show",
    "an entity, an event, or all of a kind",
    "REF is an id (SOW-1), a stream (actor/alice), a seq or a hash; KIND is a word like outcomes,\n"
    "sows, assignments, signals, accounts. Without either the kinds are listed. The fields are "
    "the\n"
    "newest values that the entity's own events give.",
    forms,
    1,
    SOV_GROUP_START
};

const struct sov_verb *sov_verb_show(void)
{
    return &verb;
}
