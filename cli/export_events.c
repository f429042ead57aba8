/* Events as they were written, one a line, or as CloudEvents; each against the signed root. */
#include <stdio.h>

#include "base/amount.h"
#include "base/file.h"
#include "cli/export.h"

enum { CLOUD_EVENT_MAX = 4 * SOV_EVENT_SIZE_MAX };

struct passing {
    struct sov_exporting *e;
    struct sov_sink sink;
    const int64_t *seqs; /* NULL: all from `since` + 1 on */
    size_t count, at;
    int64_t since, given;
    bool cloud;
    char source[32 + SOV_HEX_HASH];
    struct sov_buf line;
};

static void passing_end(struct passing *p)
{
    sov_writing_end(&p->sink.writing);
    sov_buf_release(&p->line);
}

static bool give(struct sov_sink *sink, struct sov_bytes octets, struct sov_error *err)
{
    if (sink->file) return sov_writing_add(&sink->writing, octets, err);
    sov_out_octets(sink->out, octets);
    return true;
}

/* ---- CloudEvents 1.0, JSON batch format ---- */

static void causes(struct sov_buf *out, const struct sov_event *event)
{
    struct sov_value cause;
    size_t at = 0;

    while (sov_value_there(event->cause) && sov_value_item(event->cause, &at, &cause))
        sov_buf_printf(out, "%s%lld", out->size ? " " : "", (long long)sov_value_int(cause));
}

static void member(struct passing *p, const char *key, struct sov_bytes text)
{
    sov_buf_printf(&p->line, ",\"%s\":", key);
    sov_node_json_text(text, &p->line);
}

/* The attributes repeat what the data says, for routers: the data is the event, octet for octet. */
static bool cloud_event(struct passing *p, struct sov_bytes octets, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    struct sov_hash hash = sov_leaf_hash(octets);
    char hex[SOV_HEX_HASH + 1], at[SOV_INSTANT_TEXT + 1];
    struct sov_event event;

    if (!sov_event_decode(octets, &event, err)) return false;
    sov_hex(sov_hash_bytes(&hash), hex);
    sov_instant_format(event.at, at);
    sov_buf_init(&text, CLOUD_EVENT_MAX);
    sov_buf_printf(&p->line, "%s{\"specversion\":\"1.0\",\"id\":\"%lld\",\"source\":\"%s\"",
                   p->given ? ",\n" : "", (long long)event.seq, p->source);
    sov_buf_printf(&p->line, ",\"type\":\"sov.%s\"", sov_event_row(event.type)->type);
    sov_stream_write(&event.stream, &text);
    member(p, "subject", sov_buf_bytes(&text));
    sov_buf_printf(&p->line, ",\"time\":\"%s\",\"datacontenttype\":\"application/json\"", at);
    sov_buf_printf(&p->line, ",\"sequence\":\"%016lld\"", (long long)event.seq);
    member(p, "sovactor", event.actor);
    sov_buf_clear(&text);
    causes(&text, &event);
    if (text.size) member(p, "sovcause", sov_buf_bytes(&text));
    if (event.fence) sov_buf_printf(&p->line, ",\"sovfence\":\"%lld\"", (long long)event.fence);
    sov_buf_printf(&p->line, ",\"sovhash\":\"%s\",\"data\":", hex);
    sov_buf_add(&p->line, octets);
    sov_buf_add_byte(&p->line, '}');
    return sov_buf_whole(&p->line, "a cloud event", err);
}

/* ---- one pass over the log ---- */

static bool is_wanted(struct passing *p, int64_t seq)
{
    if (!p->seqs) return seq > p->since;
    if (p->at == p->count || p->seqs[p->at] != seq) return false;
    p->at++;
    return true;
}

static bool pass_on(struct passing *p, struct sov_bytes octets, struct sov_error *err)
{
    sov_buf_clear(&p->line);
    if (p->cloud) {
        if (!cloud_event(p, octets, err)) return false;
    } else {
        sov_buf_add(&p->line, octets);
        sov_buf_add_byte(&p->line, '\n');
    }
    p->given++;
    return give(&p->sink, sov_buf_bytes(&p->line), err);
}

/* Every event is hashed, whichever are wanted: what is handed out is what was signed. */
bool sov_export_root_is(const struct sov_exporting *e, uint64_t size, const struct sov_hash *root,
                        struct sov_error *err)
{
    if (size == e->checkpoint.size && sov_hash_equal(root, &e->checkpoint.root)) return true;
    return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                    "the events do not give the root of the checkpoint of size %llu",
                    (unsigned long long)e->checkpoint.size);
}

bool sov_export_pass(struct sov_exporting *e,
                     bool (*each)(void *context, const struct sov_stored *row,
                                  struct sov_error *err),
                     void *context, struct sov_error *err)
{
    SOV_CLEANUP(sov_log_end) struct sov_log_cursor cursor = { 0 };
    struct sov_range range = { 0 };
    struct sov_hash root;

    sov_log_begin(&cursor, e->call->ledger, 1, (int64_t)e->checkpoint.size);
    for (;;) {
        struct sov_stored row;
        struct sov_hash leaf;
        bool found;

        if (!sov_call_goes_on(err) || !sov_log_next(&cursor, &row, &found, err)) return false;
        if (!found) break;
        leaf = sov_leaf_hash(row.octets);
        sov_range_append(&range, &leaf);
        if (!each(context, &row, err)) return false;
    }
    root = sov_range_root(&range);
    return sov_export_root_is(e, range.size, &root, err);
}

static bool pass_wanted(void *context, const struct sov_stored *row, struct sov_error *err)
{
    struct passing *p = context;

    return !is_wanted(p, row->seq) || pass_on(p, row->octets, err);
}

static bool pass_document(struct passing *p, struct sov_error *err)
{
    if (p->cloud && !give(&p->sink, sov_bytes_text("[\n"), err)) return false;
    if (!sov_export_pass(p->e, pass_wanted, p, err)) return false;
    return !p->cloud || give(&p->sink, sov_bytes_text(p->given ? "\n]\n" : "]\n"), err);
}

/* ---- what is asked, and what is said ---- */

static bool choose(struct passing *p, struct sov_error *err)
{
    struct sov_exporting *e = p->e;
    int64_t *one;

    if (!sov_int_of(e->call, SOV_FLAG_SINCE, 0, SOV_INT_MAX, 0, &p->since, err)) return false;
    if (!e->has_ref) return true;
    if (sov_given(e->call, SOV_FLAG_SINCE))
        return sov_fail(err, SOV_USAGE, "usage", "--since goes with the whole log, not with a REF");
    if (!e->ref.seq)
        return sov_stream_history(e->call->ledger, &e->ref.stream, e->call->arena, &p->seqs,
                                  &p->count, err);
    one = sov_arena_array(e->call->arena, 1, sizeof *one);
    *one = e->ref.seq;
    p->seqs = one;
    p->count = 1;
    return true;
}

/* Before the events: whoever finds those finds what vouches for them. */
static bool note_put(struct passing *p, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf note = { 0 };
    struct sov_exporting *e = p->e;

    if (p->cloud || p->seqs || !e->file) {
        sov_add_null(e->data, "checkpoint");
        return true;
    }
    sov_buf_init(&note, SOV_NOTE_SIZE_MAX);
    sov_add_text(e->data, "checkpoint", sov_export_note_path(e));
    return sov_checkpoint_note(e->call->ledger, (int64_t)e->checkpoint.size, &note, err) &&
           sov_file_replace_named(sov_export_note_path(e), 0644, sov_buf_bytes(&note), err);
}

bool sov_export_events(struct sov_exporting *e, struct sov_error *err)
{
    SOV_CLEANUP(passing_end)
    struct passing p = { .e = e, .sink = { .out = e->call->out, .file = e->file } };
    struct sov_identity identity;
    char hex[SOV_HEX_HASH + 1];

    sov_buf_init(&p.line, CLOUD_EVENT_MAX);
    p.cloud = strcmp(e->format, "cloudevents") == 0;
    sov_ledger_identity(e->call->ledger, &identity);
    sov_hex(sov_hash_bytes(&identity.id), hex);
    snprintf(p.source, sizeof p.source, "urn:sov:ledger:%s", hex);
    if (!choose(&p, err) || (e->file && !sov_writing_begin(&p.sink.writing, e->file, 0644, err)) ||
        !pass_document(&p, err) || !note_put(&p, err) ||
        (e->file && !sov_writing_finish(&p.sink.writing, err)))
        return false;
    sov_add_int(e->data, "events", p.given);
    return true;
}
