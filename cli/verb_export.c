#include "cli/export.h"

static const struct {
    const char *word;
    bool (*run)(struct sov_exporting *, struct sov_error *);
    bool needs_file, takes_ref;
} kinds[] = {
    { "jsonl", sov_export_events, false, true },  { "cloudevents", sov_export_events, false, true },
    { "intoto", sov_export_bundle, true, true },  { "html", sov_export_html, true, true },
    { "ledger", sov_export_ledger, true, false },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *sov_export_note_path(const struct sov_exporting *e)
{
    return sov_arena_printf(e->call->arena, "%s.checkpoint", e->file);
}

/* Nothing is handed out under a head that nobody signed. */
static bool head_of(struct sov_exporting *e, struct sov_error *err)
{
    struct sov_ledger *ledger = e->call->ledger;
    struct sov_signature signature;
    int64_t head;
    bool found;

    if (!sov_checkpoint_at(ledger, 0, &e->checkpoint, &signature, &found, err) ||
        !sov_ledger_head(ledger, &head, err))
        return false;
    if (!found || e->checkpoint.size != (uint64_t)head)
        return sov_fail(err, SOV_INTEGRITY, "head_mismatch",
                        "%lld events, and no checkpoint of that size", (long long)head);
    return sov_checkpoint_vouched(ledger, &e->checkpoint, &signature, err);
}

static void say(struct sov_exporting *e)
{
    struct sov_call *call = e->call;
    int64_t events = sov_node_get(e->data, "events")->n;
    const struct sov_node *pages = sov_node_get(e->data, "pages");

    sov_add_int(e->data, "size", (int64_t)e->checkpoint.size);
    sov_add_hex(e->data, "root", sov_hash_bytes(&e->checkpoint.root));
    if (e->file && !call->out->quiet && pages)
        sov_out_line(call->out, "exported %lld page%s of %lld events to %s", (long long)pages->n,
                     pages->n == 1 ? "" : "s", (long long)events, e->file);
    else if (e->file && !call->out->quiet)
        sov_out_line(call->out, "exported %lld event%s of %llu to %s", (long long)events,
                     events == 1 ? "" : "s", (unsigned long long)e->checkpoint.size, e->file);
    sov_out_data(call->out, e->data);
}

static bool fits(struct sov_exporting *e, size_t kind, struct sov_error *err)
{
    const struct sov_call *call = e->call;

    if (call->word_count && !kinds[kind].takes_ref)
        return sov_fail(err, SOV_USAGE, "usage", "--format %s is of the whole ledger: no REF",
                        e->format);
    if (sov_given(call, SOV_FLAG_SIGN_KEY) && kinds[kind].run != sov_export_bundle)
        return sov_fail(err, SOV_USAGE, "usage", "--sign-key goes with --format intoto");
    if (sov_given(call, SOV_FLAG_SINCE) && kinds[kind].run != sov_export_events)
        return sov_fail(err, SOV_USAGE, "usage", "--since goes with jsonl and cloudevents");
    if (e->file || (!kinds[kind].needs_file && !call->out->json)) return true;
    return sov_fail(err, SOV_USAGE, "usage", "%s needs -o FILE",
                    kinds[kind].needs_file ? sov_arena_printf(call->arena, "--format %s", e->format)
                                           : "--json");
}

static bool export(struct sov_call *call, struct sov_error *err)
{
    struct sov_exporting e = { .call = call, .data = sov_node_object(call->arena) };
    size_t kind = 0;

    e.format = sov_value_of(call, SOV_FLAG_FORMAT);
    e.file = sov_value_of(call, SOV_FLAG_OUTPUT);
    if (e.file && strcmp(e.file, "-") == 0) e.file = NULL;
    while (kind < KINDS && strcmp(kinds[kind].word, e.format) != 0) kind++;
    if (kind == KINDS)
        return sov_fail(err, SOV_USAGE, "usage", "export has no format %s", e.format);
    if (!fits(&e, kind, err) || !sov_call_read(call, err) || !head_of(&e, err)) return false;
    e.has_ref = call->word_count > 0;
    if (e.has_ref && !sov_ref_find(call, call->words[0], &e.ref, err)) return false;
    /* What follows is long work: nobody waits for it. */
    sov_call_release(call);
    sov_add_text(e.data, "format", e.format);
    sov_add_text(e.data, "file", e.file);
    if (!kinds[kind].run(&e, err)) return false;
    if (call->answer == SOV_OK) say(&e);
    return true;
}

static const struct sov_form forms[] = {
    { .name = "",
      .run = export,
      .needs = SOV_CLONES | SOV_FILED | SOV_SIGNS | SOV_OUTSIDE_RUN,
      .most = 1,
      .takes = "[REF] --format FORMAT [-o FILE] [--since SEQ]",
      .does = "hand the record out, in a form that others can check",
      .fields = "format:s file:s? checkpoint:s? events:i pages:i? size:i root:s",
      .exits = "4 the key is not one of this ledger\n5 the file is there already\n6 what would be "
               "handed out is not what was signed",
      .examples = "sov export --format jsonl -o log.jsonl\n"
                  "sov export SOW-7 --format cloudevents | sov signal --from cloudevents "
                  "--payload -\n"
                  "sov export ACC-1 --format intoto -o acceptance\n"
                  "sov export --format html -o report.html\n"
                  "sov export --format ledger -o backup.db",
      .formats = "jsonl cloudevents intoto html ledger" },
};
static const struct sov_verb verb = {
    "export",
    "hand the record out",
    "jsonl        the octets of the events, one a line, as they were signed; with -o FILE the\n"
    "             checkpoint lies beside it, as FILE.checkpoint: sov import takes both\n"
    "cloudevents  a CloudEvents 1.0 batch; the data of each is the event, octet for octet\n"
    "intoto       of an acceptance, or of the one that an outcome rests on: a folder with the "
    "events\n"
    "             that its signers read and what led to them, a proof of each, the checkpoint, "
    "the\n"
    "             keys, a Statement in a DSSE envelope and a Sigstore bundle, signed with the "
    "ledger\n"
    "             key or with --sign-key, and a README whose commands check all of it without sov\n"
    "html         a report for an auditor: every view in one file, with no script and nothing to\n"
    "             fetch, an anchor for each page and for what is told on one, and at its end the\n"
    "             checkpoint and the commands that check it; rendered from a fold of the log, so\n"
    "             equal logs give equal octets. Of a REF: the pages of the outcome or SOW that it\n"
    "             belongs to and what those link to\n"
    "ledger       a backup: the file copied online through SQLite, verified, of mode 0600, with\n"
    "             its checkpoint; never over an existing file. Copying the live file is no backup\n"
    "\n"
    "REF: only what is of one entity, or of one event. Every event is hashed on the way, and the\n"
    "signed root compared, before a file gets its name.",
    forms,
    1,
    SOV_GROUP_JUDGE
};

const struct sov_verb *sov_verb_export(void)
{
    return &verb;
}
