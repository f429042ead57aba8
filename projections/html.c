/* The report for an auditor: every page in one HTML file, and at its end how to check it. */
#include "base/dsse.h"
#include "projections/pages.h"

enum { SECTION_MAX = 64 << 20, KEPT_MAX = 256 << 20, ROWS_MAX = 1000, PEM_MAX = 4096 };

struct binding {
    const struct sov_ledger *ledger;
    const struct sov_html_request *request;
    struct sov_arena kept; /* what lives as long as the report */
    struct sov_buf out;
    struct sov_paper paper;
    struct sov_anchors pages; /* of a part of the record: what is in it */
    struct sov_identity identity;
    char id[SOV_HEX_HASH + 1];
};

static void binding_end(struct binding *b)
{
    sov_paper_release(&b->paper);
    sov_buf_release(&b->out);
    sov_arena_release(&b->kept);
}

static const char policy_of_content[] =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
static const char css[] =
    "\n"
    ":root{color-scheme:light dark}\n"
    "body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1rem}\n"
    "section{border-top:1px solid;margin-top:3rem}\n"
    "section:first-child{border-top:0;margin-top:0}\n"
    "h1,h2,h3,h4{line-height:1.2}\n"
    "table{border-collapse:collapse;display:block;overflow-x:auto}\n"
    "th,td{border:1px solid;padding:.2rem .5rem;text-align:left;vertical-align:top}\n"
    "code,pre{font:.9em/1.4 ui-monospace,monospace}\n"
    "code{overflow-wrap:anywhere}\n"
    "pre{border:1px solid;overflow-x:auto;padding:.5rem}\n"
    "pre.said{border-style:dashed}\n"
    "@media print{\n"
    "@page{margin:2cm}\n"
    "body{font-size:10pt;max-width:none;padding:0}\n"
    "section{border:0;break-before:page;margin:0}\n"
    "section:first-child{break-before:auto}\n"
    "table{display:table;width:100%}\n"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere}\n"
    "tr,pre{break-inside:avoid}\n"
    "h2,h3,h4{break-after:avoid}\n"
    "thead{display:table-header-group}\n"
    "}\n";

/* ---- the frame ---- */

static bool flush(struct binding *b, struct sov_error *err)
{
    if (!sov_buf_whole(&b->out, "a section of the report", err) ||
        !b->request->give(b->request->context, sov_buf_bytes(&b->out), err))
        return false;
    sov_buf_clear(&b->out);
    return true;
}

static void meta(struct sov_html *html, const char *name, const char *value, const char *content)
{
    sov_html_break(html);
    sov_html_open(html, "meta");
    sov_html_attribute(html, name, value);
    if (content) sov_html_attribute(html, "content", content);
    sov_html_close(html);
}

/* The rules for content come first: before them nothing could be loaded. */
static void head(struct binding *b)
{
    struct sov_html *html = &b->paper.html;

    sov_html_open(html, "html");
    sov_html_attribute(html, "lang", "en");
    sov_html_break(html);
    sov_html_open(html, "head");
    meta(html, "http-equiv", "Content-Security-Policy", policy_of_content);
    meta(html, "charset", "utf-8", NULL);
    sov_html_break(html);
    sov_html_open(html, "title");
    if (b->request->about) {
        sov_html_text(html, sov_bytes_text(b->request->about));
        sov_html_text(html, sov_bytes_text(" in the record of "));
    } else
        sov_html_text(html, sov_bytes_text("The record of "));
    sov_html_text(html, sov_bytes_text(b->identity.name));
    sov_html_close(html);
    sov_html_break(html);
    sov_html_style(html, css);
    sov_html_break(html);
    sov_html_close(html);
    sov_html_break(html);
    sov_html_open(html, "body");
    sov_html_break(html);
    sov_html_open(html, "main");
    b->paper.base = html->depth;
}

static void foot(struct binding *b)
{
    sov_html_close_to(&b->paper.html, 0);
    sov_html_break(&b->paper.html);
}

/* ---- the contents ---- */

static const char *anchor_of(const struct sov_view *view, struct sov_arena *arena)
{
    return sov_paper_anchor(sov_view_path(view, false, arena), arena);
}

struct entry {
    const char *is, *state; /* `state` is our own word, `is` from anybody */
};

static bool entry_of_work(const struct sov_sheet *sheet, const struct sov_view *view,
                          struct entry *entry, struct sov_error *err)
{
    struct sov_outcome outcome;
    struct sov_sow sow;

    if (view->kind == SOV_VIEW_OUTCOME) {
        if (!sov_outcome_get(sheet->ledger, view->n, sheet->arena, &outcome, err)) return false;
        *entry = (struct entry){ outcome.title, sov_policy_outcome_name(outcome.state) };
        return true;
    }
    if (!sov_sow_get(sheet->ledger, view->n, sheet->arena, &sow, err)) return false;
    *entry = (struct entry){ sow.title, sov_policy_sow_name(sow.state) };
    return true;
}

static bool entry_of(const struct sov_sheet *sheet, const struct sov_view *view,
                     struct entry *entry, struct sov_error *err)
{
    struct sov_approval approval;
    struct sov_ruling ruling;
    struct sov_actor actor;
    bool found;

    *entry = (struct entry){ "", "" };
    if (view->kind == SOV_VIEW_OUTCOME || view->kind == SOV_VIEW_SOW)
        return entry_of_work(sheet, view, entry, err);
    if (view->kind == SOV_VIEW_ACTOR) {
        if (!sov_actor_find(sheet->ledger, view->id, sheet->arena, &actor, &found, err))
            return false;
        if (found) *entry = (struct entry){ actor.kind, actor.status };
    } else if (view->kind == SOV_VIEW_RULING) {
        if (!sov_ruling_find(sheet->ledger, view->n, sheet->arena, &ruling, &found, err))
            return false;
        if (found)
            *entry = (struct entry){ ruling.effect, ruling.revoked_seq ? "revoked" : "in force" };
    } else if (view->kind == SOV_VIEW_APPROVAL) {
        if (!sov_approval_get(sheet->ledger, view->n, sheet->arena, &approval, err)) return false;
        *entry = (struct entry){ approval.action, sov_policy_approval_name(approval.facts.state) };
    }
    return true;
}

static bool put_entry(struct sov_sheet *sheet, const struct sov_view *view, struct sov_error *err)
{
    static const char *const words[SOV_VIEW_KIND_COUNT] = {
        [SOV_VIEW_POLICY] = "policy",   [SOV_VIEW_ACTOR] = "actor",
        [SOV_VIEW_OUTCOME] = "outcome", [SOV_VIEW_SOW] = "statement of work",
        [SOV_VIEW_RULING] = "ruling",   [SOV_VIEW_APPROVAL] = "approval",
    };
    const char *path = sov_view_path(view, false, sheet->arena);
    const char *name = anchor_of(view, sheet->arena);
    struct entry entry;

    if (!entry_of(sheet, view, &entry, err)) return false;
    sov_page_row(&sheet->page);
    sov_page_cell(&sheet->page);
    sov_page_link(&sheet->page, sov_bytes_text(view->id ? view->id : name), path);
    sov_cell_own(sheet, words[view->kind]);
    sov_cell_text(sheet, entry.is);
    sov_cell_text(sheet, entry.state);
    return true;
}

/* ---- which pages ---- */

/* Everything but the two that speak of the folder governance/ itself. */
static bool next_page(const struct binding *b, struct sov_view_walk *walk, struct sov_view *view,
                      bool *found, struct sov_error *err)
{
    for (;;) {
        struct sov_arena_mark mark = sov_arena_mark(walk->arena);
        bool wanted;

        if (!sov_view_walk_next(walk, view, found, err)) return false;
        if (!*found) return true;
        if (view->kind == SOV_VIEW_README || view->kind == SOV_VIEW_ATTRIBUTES) continue;
        wanted = !b->request->of.count || sov_anchors_has(&b->pages, anchor_of(view, walk->arena));
        sov_arena_rewind(walk->arena, mark);
        if (wanted) return true;
    }
}

/* What a page links to, told from the page itself: printed, and thrown away. */
static bool look(struct binding *b, const struct sov_view *view, struct sov_anchors *seen,
                 struct sov_error *err)
{
    SOV_CLEANUP(sov_paper_release) struct sov_paper paper = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

    sov_buf_init(&out, SECTION_MAX);
    sov_paper_init(&paper, &out, &b->kept);
    paper.seen = seen;
    sov_paper_section(&paper, "page");
    return sov_view_print(b->ledger, view, &paper, err);
}

static bool is_actor(const char *anchor)
{
    return strncmp(anchor, "actor-", 6) == 0;
}

/* The page of an outcome shows its present term; an acceptance of an older one stands on these. */
static bool add_sows(struct binding *b, int64_t outcome, struct sov_error *err)
{
    struct sov_outcome row;
    struct sov_sows sows;

    if (!sov_outcome_get(b->ledger, outcome, &b->kept, &row, err)) return false;
    for (int64_t term = 1; term <= row.term; term++) {
        if (!sov_sow_list(b->ledger, outcome, term, &b->kept, &sows, err)) return false;
        for (size_t i = 0; i < sows.count; i++) {
            struct sov_view view = { .kind = SOV_VIEW_SOW, .n = sows.at[i].n };

            sov_anchors_add(&b->pages, anchor_of(&view, &b->kept), &b->kept);
        }
    }
    return true;
}

/* The pages asked for and all that they link to; of those, in turn, the actors. */
static bool gather(struct binding *b, struct sov_error *err)
{
    const struct sov_views *of = &b->request->of;
    struct sov_anchors actors = { 0 };
    size_t near;

    for (size_t i = 0; i < of->count; i++) {
        sov_anchors_add(&b->pages, anchor_of(&of->at[i], &b->kept), &b->kept);
        if (!look(b, &of->at[i], &b->pages, err)) return false;
        if (of->at[i].kind == SOV_VIEW_OUTCOME && !add_sows(b, of->at[i].n, err)) return false;
    }
    near = b->pages.count;
    for (size_t i = 0; i < near; i++) {
        struct sov_view view;
        bool found;

        if (is_actor(b->pages.at[i])) continue;
        if (!sov_view_find(b->ledger, b->pages.at[i], &b->kept, &view, &found, err)) return false;
        if (found && !look(b, &view, &actors, err)) return false;
    }
    for (size_t i = 0; i < actors.count; i++)
        if (is_actor(actors.at[i])) sov_anchors_add(&b->pages, actors.at[i], &b->kept);
    return true;
}

/* ---- before the pages ---- */

static bool about(struct binding *b, struct sov_sheet *sheet, struct sov_error *err)
{
    char fingerprint[SOV_FINGERPRINT_TEXT + 1];
    int64_t size;

    if (!sov_ledger_head(b->ledger, &size, err)) return false;
    sov_key_fingerprint(&b->identity.key, fingerprint);
    sov_page_heading(&sheet->page, 1);
    if (b->request->about) {
        sov_part_text(sheet, b->request->about);
        sov_page_own(&sheet->page, " in the record of ");
    } else
        sov_page_own(&sheet->page, "The record of ");
    sov_part_text(sheet, b->identity.name);
    sov_page_paragraph(&sheet->page);
    sov_page_strong(&sheet->page, "LEDGER");
    sov_page_own(&sheet->page, " ");
    sov_part_code(sheet, b->id);
    sov_page_own(&sheet->page, " · key ");
    sov_part_code(sheet, fingerprint);
    sov_part_printf(sheet, " · events 1 to %lld", (long long)size);
    sov_page_paragraph(&sheet->page);
    sov_page_own(&sheet->page, "Rendered from the events alone. It says what they say and proves "
                               "nothing: what does is at the end, under ");
    sov_page_link(&sheet->page, sov_bytes_text("checkpoint"), "#checkpoint");
    sov_page_own(&sheet->page, ". Words of others stand in a frame, with who said them, and "
                               "nobody has verified them. The last line of a page has 12 digits "
                               "of the SHA-256 of what is above it in the published view.");
    return true;
}

/* A table of so many rows at a time. */
static bool contents_part(struct binding *b, struct sov_view_walk *walk, bool first, bool *more,
                          struct sov_error *err)
{
    static const char *const titles[] = { "page", "of", "what", "state", NULL };
    SOV_CLEANUP(sov_sheet_release) struct sov_sheet sheet = { 0 };
    SOV_CLEANUP(sov_arena_release) struct sov_arena reading = { 0 };
    struct sov_view view;
    size_t rows = 0;

    sov_arena_init(&reading, KEPT_MAX);
    sov_sheet_init(&sheet, b->ledger, &reading, "");
    sheet.page.paper = &b->paper;
    if (first) {
        if (!about(b, &sheet, err)) return false;
        sov_sheet_heading(&sheet, 2, "Contents");
    }
    for (*more = true; *more && rows < ROWS_MAX; rows++) {
        if (!next_page(b, walk, &view, more, err)) return false;
        if (!*more) break;
        if (!rows) sov_sheet_table(&sheet, titles);
        if (!put_entry(&sheet, &view, err)) return false;
    }
    return sov_page_judge(&sheet.page, err) && flush(b, err);
}

static bool contents(struct binding *b, struct sov_error *err)
{
    struct sov_arena_mark mark = sov_arena_mark(&b->kept);
    struct sov_view_walk walk;
    bool more = true;

    sov_paper_section(&b->paper, "contents");
    if (!sov_view_walk_begin(&walk, b->ledger, &b->kept, err)) return false;
    for (bool first = true; more; first = false)
        if (!contents_part(b, &walk, first, &more, err)) return false;
    sov_arena_rewind(&b->kept, mark);
    return true;
}

/* ---- the pages ---- */

static bool pages(struct binding *b, int64_t *count, struct sov_error *err)
{
    struct sov_view_walk walk;
    struct sov_view view;

    b->paper.shift = 1;
    if (!sov_view_walk_begin(&walk, b->ledger, &b->kept, err)) return false;
    for (bool found;; ++*count) {
        struct sov_arena_mark mark = sov_arena_mark(&b->kept);

        if (!next_page(b, &walk, &view, &found, err)) return false;
        if (!found) return true;
        sov_paper_section(&b->paper, anchor_of(&view, &b->kept));
        if (!sov_view_print(b->ledger, &view, &b->paper, err) || !flush(b, err)) return false;
        sov_arena_rewind(&b->kept, mark);
    }
}

/* ---- behind the pages ---- */

static void lines(struct sov_sheet *sheet, const char *text)
{
    while (*text) {
        size_t size = strcspn(text, "\n");

        sov_page_line(&sheet->page);
        sov_part_printf(sheet, "%.*s", (int)size, text);
        text += size + (text[size] == '\n');
    }
}

static void without_sov(struct binding *b, struct sov_sheet *sheet, const char *note)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf pem = { 0 };

    sov_buf_init(&pem, PEM_MAX);
    sov_key_pem(&b->identity.key, &pem);
    sov_sheet_heading(sheet, 2, "Check it without sov");
    sov_page_paragraph(&sheet->page);
    sov_page_own(
        &sheet->page,
        "That the ledger key signed this size and this root; then, in the folder that "
        "holds the published record, that event 1 has the hash that the ledger is known by, and "
        "names that key. Compare the ledger with what you know from elsewhere.");
    sov_page_fence(&sheet->page, "sh");
    lines(sheet, "t=$(mktemp -d)\ncat >\"$t/checkpoint\" <<'END'");
    lines(sheet, note);
    lines(sheet, "END\ncat >\"$t/ledger.pem\" <<'END'");
    lines(sheet, sov_arena_text(sheet->arena, sov_buf_bytes(&pem)));
    lines(sheet, "END\n"
                 "sed '/^$/,$d' \"$t/checkpoint\" >\"$t/text\"\n"
                 "sed -n '$s/.* //p' \"$t/checkpoint\" | base64 -d | tail -c 64 >\"$t/signature\"\n"
                 "openssl pkeyutl -verify -pubin -inkey \"$t/ledger.pem\" -rawin -in \"$t/text\" "
                 "-sigfile \"$t/signature\"");
    sov_page_fence(&sheet->page, "sh");
    lines(sheet, "head -qn 1 governance/log/1-*.jsonl | head -n 1 | tr -d '\\n' >\"$t/event-1\"\n"
                 "(cd \"$t\" && sha256sum event-1)\n"
                 "key=$(openssl pkey -pubin -in \"$t/ledger.pem\" -outform DER | tail -c 32 | "
                 "od -An -v -tx1 | tr -d ' \\n')\n"
                 "grep -q \"\\\"public_key\\\":\\\"$key\\\"\" \"$t/event-1\" && "
                 "echo event 1 names that key");
}

static void with_sov(struct binding *b, struct sov_sheet *sheet)
{
    const char *of = b->request->about;

    sov_sheet_heading(sheet, 2, "Check it with sov");
    sov_page_paragraph(&sheet->page);
    sov_page_own(&sheet->page,
                 "Where the ledger is, or in a clone of what it published: that all of it is as it "
                 "was signed and grew from this checkpoint. While it has the same size, the same "
                 "report comes out again, octet for octet.");
    sov_page_fence(&sheet->page, "sh");
    sov_page_line(&sheet->page);
    sov_part_printf(sheet, "sov verify --ledger-id %s --checkpoint \"$t/checkpoint\"", b->id);
    sov_page_line(&sheet->page);
    sov_page_own(&sheet->page, "sov export");
    if (of) sov_part_printf(sheet, " %s", of);
    sov_page_own(&sheet->page, " --format html -o \"$t/again.html\"");
}

static bool ending(struct binding *b, struct sov_error *err)
{
    SOV_CLEANUP(sov_sheet_release) struct sov_sheet sheet = { 0 };
    const char *note = sov_arena_text(&b->kept, b->request->note);

    sov_sheet_init(&sheet, b->ledger, &b->kept, "");
    sheet.page.paper = &b->paper;
    b->paper.shift = 1;
    sov_paper_section(&b->paper, "checkpoint");
    sov_sheet_heading(&sheet, 1, "Checkpoint");
    sov_page_paragraph(&sheet.page);
    sov_page_own(&sheet.page, "A signed note: origin, number of events, root of the RFC 6962 tree "
                              "over them, and the signature of the ledger key.");
    sov_page_fence(&sheet.page, "text");
    lines(&sheet, note);
    without_sov(b, &sheet, note);
    with_sov(b, &sheet);
    if (!sov_page_judge(&sheet.page, err)) return false;
    foot(b);
    return flush(b, err);
}

bool sov_view_html(const struct sov_ledger *ledger, const struct sov_html_request *request,
                   int64_t *pages_out, struct sov_error *err)
{
    SOV_CLEANUP(binding_end) struct binding b = { .ledger = ledger, .request = request };
    int64_t count = 0;

    sov_arena_init(&b.kept, KEPT_MAX);
    sov_buf_init(&b.out, SECTION_MAX);
    sov_paper_init(&b.paper, &b.out, &b.kept);
    sov_ledger_identity(ledger, &b.identity);
    sov_hex(sov_hash_bytes(&b.identity.id), b.id);
    if (request->of.count) {
        if (!gather(&b, err)) return false;
        b.paper.pages = &b.pages;
    }
    head(&b);
    if (!contents(&b, err) || !pages(&b, &count, err) || !ending(&b, err)) return false;
    *pages_out = count;
    return true;
}
