#include "projections/sheet.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "projections/escape.h"

enum { OWN_MAX = 512 };

void sov_sheet_init(struct sov_sheet *sheet, const struct sov_ledger *ledger,
                    struct sov_arena *arena, const char *up)
{
    *sheet = (struct sov_sheet){ .ledger = ledger, .arena = arena, .up = up };
    sov_buf_init(&sheet->markdown, SOV_SHEET_MAX);
    sov_buf_init(&sheet->canonical, SOV_SHEET_MAX);
    sov_page_init(&sheet->page, &sheet->markdown);
    sov_writer_init(&sheet->facts, &sheet->canonical);
}

void sov_sheet_release(struct sov_sheet *sheet)
{
    sov_page_release(&sheet->page);
    sov_buf_release(&sheet->markdown);
    sov_buf_release(&sheet->canonical);
}

void sov_sheet_last_line(struct sov_sheet *sheet)
{
    char hex[SOV_HEX_HASH + 1];
    struct sov_hash above;

    sov_page_paragraph(&sheet->page);
    above = sov_sha256(sov_buf_bytes(&sheet->markdown));
    sov_hex(sov_hash_bytes(&above), hex);
    sov_part_printf(sheet, "Last event: %lld · renderer %d", (long long)sheet->last, SOV_RENDERER);
    sov_part_printf(sheet, " · sha256:%.12s", hex);
}

/* ---- parts ---- */

void sov_part_text(struct sov_sheet *sheet, const char *text)
{
    if (text) sov_page_text(&sheet->page, sov_bytes_text(text));
}

static bool is_plain(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,-";
    size_t size = strlen(text);

    if (!size || size > SOV_INLINE_MAX || strspn(text, plain) != size) return false;
    if (strstr(text, "  ") || strstr(text, "--") || text[size - 1] == ' ') return false;
    return strchr(letters, *text) && !sov_escape_is_catchy(sov_bytes_text(text));
}

void sov_part_plain(struct sov_sheet *sheet, const char *text)
{
    if (text && is_plain(text))
        sov_page_own(&sheet->page, text);
    else
        sov_part_text(sheet, text);
}

void sov_part_code(struct sov_sheet *sheet, const char *text)
{
    if (text) sov_page_code(&sheet->page, sov_bytes_text(text));
}

void sov_part_printf(struct sov_sheet *sheet, const char *fmt, ...)
{
    char own[OWN_MAX];
    va_list args;
    int size;

    va_start(args, fmt);
    size = vsnprintf(own, sizeof own, fmt, args);
    va_end(args);
    assert(size >= 0 && (size_t)size < sizeof own);
    sov_page_own(&sheet->page, own);
}

void sov_part_digest(struct sov_sheet *sheet, const struct sov_hash *digest)
{
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(digest), hex);
    sov_part_code(sheet, hex);
}

void sov_part_ref(struct sov_sheet *sheet, enum sov_stream_kind kind, int64_t n)
{
    struct sov_view view = { .n = n };
    struct sov_stream stream;
    const char *id;

    if (!n) return;
    stream = sov_stream_numbered(kind, n);
    id = sov_stream_id(&stream, sheet->arena);
    if (kind == SOV_STREAM_OUTCOME)
        view.kind = SOV_VIEW_OUTCOME;
    else if (kind == SOV_STREAM_SOW)
        view.kind = SOV_VIEW_SOW;
    else if (kind == SOV_STREAM_RULING)
        view.kind = SOV_VIEW_RULING;
    else if (kind == SOV_STREAM_APPROVAL)
        view.kind = SOV_VIEW_APPROVAL;
    else {
        sov_page_id(&sheet->page, sov_bytes_text(id));
        return;
    }
    sov_page_link(&sheet->page, sov_bytes_text(id),
                  sov_arena_printf(sheet->arena, "%s%s", sheet->up,
                                   sov_view_path(&view, false, sheet->arena)));
}

void sov_part_actor(struct sov_sheet *sheet, const char *id, const char *kind)
{
    struct sov_view view = { .kind = SOV_VIEW_ACTOR, .id = id };

    if (!id) return;
    if (sov_is(id, "host")) {
        sov_page_own(&sheet->page, "host");
        return;
    }
    sov_page_link(&sheet->page, sov_bytes_text(id),
                  sov_arena_printf(sheet->arena, "%s%s", sheet->up,
                                   sov_view_path(&view, false, sheet->arena)));
    if (kind) sov_part_printf(sheet, ", %s", kind);
}

bool sov_sheet_kind(const struct sov_ledger *ledger, const char *id, struct sov_arena *arena,
                    const char **kind_out, struct sov_error *err)
{
    struct sov_actor actor;
    bool found;

    if (sov_is(id, "host")) {
        *kind_out = "host";
        return true;
    }
    if (!sov_actor_find(ledger, id, arena, &actor, &found, err)) return false;
    if (!found)
        return sov_fail(err, SOV_INTEGRITY, "event_invalid", "%s acted but was never registered",
                        id);
    *kind_out = actor.kind;
    return true;
}

/* ---- blocks ---- */

void sov_sheet_heading(struct sov_sheet *sheet, unsigned level, const char *own)
{
    sov_page_heading(&sheet->page, level);
    sov_page_own(&sheet->page, own);
}

void sov_sheet_table(struct sov_sheet *sheet, const char *const *titles)
{
    unsigned columns = 0;

    while (titles[columns]) columns++;
    sov_page_table(&sheet->page, columns);
    sov_page_row(&sheet->page);
    for (unsigned i = 0; i < columns; i++) sov_cell_own(sheet, titles[i]);
}

void sov_cell_own(struct sov_sheet *sheet, const char *own)
{
    sov_page_cell(&sheet->page);
    if (own) sov_page_own(&sheet->page, own);
}

void sov_cell_text(struct sov_sheet *sheet, const char *text)
{
    sov_page_cell(&sheet->page);
    sov_part_text(sheet, text);
}

void sov_cell_code(struct sov_sheet *sheet, const char *text)
{
    sov_page_cell(&sheet->page);
    sov_part_code(sheet, text);
}

void sov_cell_number(struct sov_sheet *sheet, int64_t n)
{
    sov_page_cell(&sheet->page);
    sov_page_number(&sheet->page, n);
}

void sov_cell_ref(struct sov_sheet *sheet, enum sov_stream_kind kind, int64_t n)
{
    sov_page_cell(&sheet->page);
    sov_part_ref(sheet, kind, n);
}

void sov_cell_here(struct sov_sheet *sheet, enum sov_stream_kind kind, int64_t n)
{
    sov_page_cell(&sheet->page);
    if (sheet->page.paper) sov_paper_here(sheet->page.paper, kind, n);
    sov_part_ref(sheet, kind, n);
}

void sov_cell_actor(struct sov_sheet *sheet, const char *id, const char *kind)
{
    sov_page_cell(&sheet->page);
    sov_part_actor(sheet, id, kind);
}

void sov_cell_digest(struct sov_sheet *sheet, const struct sov_hash *digest)
{
    sov_page_cell(&sheet->page);
    sov_part_digest(sheet, digest);
}

void sov_sheet_said(struct sov_sheet *sheet, const char *who, const char *text)
{
    if (text && *text) sov_page_said(&sheet->page, sov_bytes_text(who), sov_bytes_text(text));
}

/* ---- facts ---- */

void sov_fact_id(struct sov_writer *w, const char *key, enum sov_stream_kind kind, int64_t n)
{
    char id[40];

    if (!n) return;
    snprintf(id, sizeof id, "%s-%lld", sov_stream_prefix(kind), (long long)n);
    sov_put_text(w, key, id);
}

void sov_fact_text(struct sov_writer *w, const char *key, const char *text)
{
    if (text) sov_put_text(w, key, text);
}

void sov_fact_hash(struct sov_writer *w, const char *key, const struct sov_hash *hash)
{
    sov_put_hex(w, key, sov_hash_bytes(hash));
}
