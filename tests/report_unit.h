#ifndef SOV_TESTS_REPORT_UNIT_H
#define SOV_TESTS_REPORT_UNIT_H
/* The report of a ledger as one text; includes cmocka through unit.h before it. */
#include "projections/projections.h"
#include "tests/hostile_html.h"

enum { REPORT_MAX = 64 << 20 };

static inline bool report_give(void *context, struct sov_bytes octets, struct sov_error *err)
{
    struct sov_buf *all = context;

    sov_buf_add(all, octets);
    return sov_buf_whole(all, "a report", err);
}

/* `id` NULL: all of it. Read by the strict reader, too. */
static inline const char *report_of(const struct sov_ledger *ledger, const char *id,
                                    struct sov_arena *arena)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf all = { 0 }, note = { 0 }, skeleton = { 0 };
    struct sov_html_request request = { .about = id, .give = report_give, .context = &all };
    struct sov_error err = { 0 };
    const char *finding;
    struct sov_view view;
    int64_t head, pages;
    bool found = true;

    sov_buf_init(&all, REPORT_MAX);
    sov_buf_init(&note, REPORT_MAX);
    sov_buf_init(&skeleton, REPORT_MAX);
    if (!sov_ledger_head(ledger, &head, &err) || !sov_checkpoint_note(ledger, head, &note, &err) ||
        (id && !sov_view_find(ledger, id, arena, &view, &found, &err)) || !found)
        fail_msg("%s", err.what);
    request.note = sov_buf_bytes(&note);
    if (id) request.of = (struct sov_views){ &view, 1 };
    if (!sov_view_html(ledger, &request, &pages, &err)) fail_msg("%s: %s", err.code, err.what);
    finding = html_finding(sov_buf_bytes(&all), &skeleton);
    if (finding) fail_msg("%s", finding);
    return sov_arena_text(arena, sov_buf_bytes(&all));
}
#endif
