/* The report for an auditor: from a fold of the log as it was signed, not from tables beside it. */
#include "cli/export.h"
#include "projections/projections.h"

enum { REF_MAX = 1024 };

struct reporting {
    struct sov_exporting *e;
    struct sov_writing writing;
    struct sov_buf note;
    struct sov_ledger *folded;
};

static void reporting_end(struct reporting *r)
{
    sov_writing_end(&r->writing);
    sov_buf_release(&r->note);
    sov_ledger_end(&r->folded);
}

static bool give(void *context, struct sov_bytes octets, struct sov_error *err)
{
    struct reporting *r = context;

    return sov_call_goes_on(err) && sov_writing_add(&r->writing, octets, err);
}

/* The pages that an event changed, but the two that speak of the whole folder. An outcome changes
 * with each of its SOWs: what is of a SOW is asked for, not all the others. */
static bool pages_of_event(struct sov_exporting *e, const struct sov_ledger *ledger, int64_t seq,
                           struct sov_views *views_out, struct sov_error *err)
{
    struct sov_arena *arena = e->call->arena;
    struct sov_views touched;
    struct sov_event event;
    bool of_sow = false;
    struct sov_view *kept;
    size_t count = 0;

    if (!sov_log_event(ledger, seq, arena, &event, err) ||
        !sov_view_touched(ledger, &event, arena, &touched, err))
        return false;
    kept = sov_arena_array(arena, touched.count + 1, sizeof *kept);
    for (size_t i = 0; i < touched.count; i++) of_sow |= touched.at[i].kind == SOV_VIEW_SOW;
    for (size_t i = 0; i < touched.count; i++) {
        enum sov_view_kind kind = touched.at[i].kind;

        if (kind == SOV_VIEW_README || kind == SOV_VIEW_ATTRIBUTES) continue;
        if (kind != SOV_VIEW_OUTCOME || !of_sow) kept[count++] = touched.at[i];
    }
    *views_out = (struct sov_views){ kept, count };
    return true;
}

/* Its own page, or those on which its first event is told. */
static bool pages_of_stream(struct sov_exporting *e, const struct sov_ledger *ledger,
                            struct sov_views *views_out, struct sov_error *err)
{
    struct sov_arena *arena = e->call->arena;
    const struct sov_stream *stream = &e->ref.stream;
    struct sov_view *view = sov_arena_take(arena, sizeof *view);
    bool found = stream->kind == SOV_STREAM_ACTOR;
    const int64_t *seqs;
    size_t count;

    /* An actor may be called what a page is called. */
    if (found)
        *view = (struct sov_view){ .kind = SOV_VIEW_ACTOR, .id = sov_stream_called(stream, arena) };
    else if (stream->n &&
             !sov_view_find(ledger, sov_stream_called(stream, arena), arena, view, &found, err))
        return false;
    if (found) {
        *views_out = (struct sov_views){ view, 1 };
        return true;
    }
    return sov_stream_history(ledger, stream, arena, &seqs, &count, err) &&
           pages_of_event(e, ledger, seqs[0], views_out, err);
}

/* As a word that finds it again, whatever else has its name. */
static const char *asked_for(struct sov_exporting *e)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf text = { 0 };
    struct sov_arena *arena = e->call->arena;

    if (e->ref.seq) return sov_arena_printf(arena, "%lld", (long long)e->ref.seq);
    if (e->ref.stream.n) return sov_stream_called(&e->ref.stream, arena);
    sov_buf_init(&text, REF_MAX);
    sov_stream_write(&e->ref.stream, &text);
    return sov_arena_text(arena, sov_buf_bytes(&text));
}

static bool choose(struct sov_exporting *e, const struct sov_ledger *ledger,
                   struct sov_html_request *request, struct sov_error *err)
{
    if (!e->has_ref) return true;
    request->about = asked_for(e);
    if (!(e->ref.seq ? pages_of_event(e, ledger, e->ref.seq, &request->of, err)
                     : pages_of_stream(e, ledger, &request->of, err)))
        return false;
    if (request->of.count) return true;
    return sov_fail(err, SOV_USAGE, "usage", "--format html: %s stands on no page",
                    e->call->words[0]);
}

bool sov_export_html(struct sov_exporting *e, struct sov_error *err)
{
    SOV_CLEANUP(reporting_end) struct reporting r = { .e = e };
    struct sov_html_request request = { .give = give, .context = &r };
    int64_t size = (int64_t)e->checkpoint.size, pages;
    struct sov_hash root;

    sov_buf_init(&r.note, SOV_NOTE_SIZE_MAX);
    if (!sov_ledger_fold_to(e->call->ledger, size, &r.folded, err)) return false;
    sov_ledger_known_head(r.folded, &size, &root);
    if (!sov_export_root_is(e, (uint64_t)size, &root, err) || !choose(e, r.folded, &request, err) ||
        !sov_checkpoint_note(e->call->ledger, size, &r.note, err))
        return false;
    request.note = sov_buf_bytes(&r.note);
    if (!sov_writing_begin(&r.writing, e->file, 0644, err) ||
        !sov_view_html(r.folded, &request, &pages, err) || !sov_writing_finish(&r.writing, err))
        return false;
    sov_add_null(e->data, "checkpoint");
    sov_add_int(e->data, "events", size);
    sov_add_int(e->data, "pages", pages);
    return true;
}
