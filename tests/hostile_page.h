#ifndef SOV_TESTS_HOSTILE_PAGE_H
#define SOV_TESTS_HOSTILE_PAGE_H
/*
 * One text from outside in every place that a page has for it, and what must then hold of the
 * page: shared by the tests of the writer and its fuzz target. Needs no test framework.
 */
#include "base/text.h"
#include "projections/writer.h"

static inline void hostile_parts(struct sov_page *page, struct sov_bytes text)
{
    sov_page_text(page, text);
    sov_page_code(page, text);
    sov_page_text(page, text);
    sov_page_own(page, ",");
    sov_page_id(page, text);
    sov_page_own(page, "·");
    sov_page_text(page, text);
    sov_page_number(page, -7);
    sov_page_code(page, text);
    sov_page_strong(page, "held");
    sov_page_text(page, text);
    sov_page_link(page, sov_bytes_text("SOW-7"), "../sows/SOW-7.md");
}

static inline void hostile_page(struct sov_page *page, struct sov_bytes text)
{
    sov_page_heading(page, 1);
    sov_page_own(page, "SOW-7: ");
    sov_page_text(page, text);
    sov_page_heading(page, 6);
    hostile_parts(page, text);
    sov_page_paragraph(page);
    sov_page_strong(page, "REVIEW");
    hostile_parts(page, text);
    sov_page_paragraph(page);
    sov_page_id(page, text);
    for (unsigned depth = 1; depth <= 3; depth++) {
        sov_page_item(page, depth);
        hostile_parts(page, text);
    }
    sov_page_item(page, 1);
    sov_page_text(page, text);
    sov_page_item(page, 1);
    sov_page_code(page, text);
    sov_page_table(page, 3);
    for (unsigned row = 0; row < 3; row++) {
        sov_page_row(page);
        sov_page_cell(page);
        hostile_parts(page, text);
        sov_page_cell(page);
        sov_page_text(page, text);
        sov_page_cell(page);
        sov_page_code(page, text);
    }
    sov_page_fence(page, "mermaid");
    sov_page_line(page);
    sov_page_own(page, "flowchart LR");
    sov_page_line(page);
    sov_page_own(page, "  n1[");
    sov_page_label(page, text);
    sov_page_own(page, "]");
    sov_page_said(page, text, text);
    sov_page_said(page, sov_bytes_text("builder-3"), text);
    sov_page_paragraph(page);
    sov_page_own(page, "Last event: ");
    sov_page_number(page, 128);
}

static inline bool hostile_has(struct sov_bytes text, const char *needle)
{
    return text.size && memmem(text.data, text.size, needle, strlen(needle));
}

/* The line without its code spans, and without what a backslash or an entity disarms; false if a
 * run of backticks stays open. */
static inline bool hostile_strip(struct sov_bytes line, struct sov_buf *out)
{
    for (size_t i = 0; i < line.size; i++) {
        size_t ticks = 0, run = 0;

        if (line.data[i] == '\\') {
            i++;
            continue;
        }
        if (line.data[i] == '&' && line.size - i >= 6 && memcmp(line.data + i, "&#124;", 6) == 0) {
            i += 5;
            continue;
        }
        while (i < line.size && line.data[i] == '`') i++, ticks++;
        if (ticks == 0) {
            sov_buf_add_byte(out, line.data[i]);
            continue;
        }
        for (; i < line.size; i++) {
            run = line.data[i] == '`' ? run + 1 : 0;
            if (run == ticks && (i + 1 == line.size || line.data[i + 1] != '`')) break;
        }
        if (run != ticks) return false;
    }
    return true;
}

static inline bool hostile_begins(struct sov_bytes line, const char *const *beginnings)
{
    for (; *beginnings; beginnings++)
        if (line.size >= strlen(*beginnings) &&
            memcmp(line.data, *beginnings, strlen(*beginnings)) == 0)
            return true;
    return false;
}

/* NULL if the page of hostile_page is harmless, else what is wrong with it. */
static inline const char *hostile_finding(struct sov_bytes page)
{
    static const char *const begins[] = { "# SOW-7: ", "###### ", "**REVIEW**", "- ",   "  - ",
                                          "    - ",    "| ",      "Said by ",   "Last", NULL };
    static const char *const gone[] = { "@", "://", "[[", "#1", "www.", "<" };
    size_t fence = 0, paragraph_id = 0;

    if (hostile_has(page, "##[") || hostile_has(page, "##vso[")) return "a log command";
    if (!sov_text_is_utf8(page)) return "broken UTF-8";
    for (size_t from = 0, to; from < page.size; from = to + 1) {
        SOV_CLEANUP(sov_buf_release) struct sov_buf plain = { 0 };
        struct sov_bytes line;
        size_t ticks = 0;

        for (to = from; to < page.size && page.data[to] != '\n';) to++;
        line = sov_bytes(page.data + from, to - from);
        while (ticks < line.size && line.data[ticks] == '`') ticks++;
        if (fence && ticks == fence && ticks == line.size) {
            fence = 0;
            continue;
        }
        if (!fence && ticks >= 3 && !memchr(line.data + ticks, '`', line.size - ticks)) {
            fence = ticks;
            continue;
        }
        if (fence) {
            if (!hostile_begins(line,
                                (const char *const[]){ "| ", "flowchart LR", "  n1[\"", NULL }))
                return "a line of a fence begins with foreign text";
            continue;
        }
        if (line.size == 0) continue;
        if (!hostile_begins(line, begins)) {
            /* The one paragraph that begins with an id: plain, or in our code span. */
            uint8_t c = line.data[0];
            bool ours = c == '`' || c == '&' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');

            if (!ours || paragraph_id++) return "a line begins with foreign text";
        }
        sov_buf_init(&plain, page.size + 1);
        if (!hostile_strip(line, &plain)) return "a code span stays open";
        for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
            if (hostile_has(sov_buf_bytes(&plain), gone[i])) return gone[i];
    }
    return fence ? "a fence stays open" : NULL;
}
#endif
