/*
 * Hostile octets in every place of a page: the outline stays the one that was meant and no active
 * form is left; on paper, too, there are no other elements than without them. The same octets as a
 * whole page of somebody else: the judge reads it to the end.
 *   clang -fsanitize=fuzzer,address,undefined with libprojections.a and libbase.a
 */
#include <stdlib.h>

#include "base/markdown.h"
#include "tests/hostile_html.h"
#include "tests/hostile_page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

/* The page that the octets are in everywhere, as HTML; `skeleton` gets its elements. */
static void print(struct sov_bytes text, struct sov_buf *skeleton)
{
    SOV_CLEANUP(sov_arena_release) struct sov_arena arena = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf markdown = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    SOV_CLEANUP(sov_paper_release) struct sov_paper paper = { 0 };
    SOV_CLEANUP(sov_page_release) struct sov_page page = { 0 };

    sov_arena_init(&arena, 1u << 20);
    sov_buf_init(&markdown, 16u << 20);
    sov_buf_init(&out, 64u << 20);
    sov_buf_init(skeleton, 1u << 20);
    sov_paper_init(&paper, &out, &arena);
    sov_page_init(&page, &markdown);
    page.paper = &paper;
    sov_paper_section(&paper, "page");
    hostile_page(&page, text);
    sov_page_end(&page);
    sov_html_close_to(&paper.html, 0);
    require(!html_finding(sov_buf_bytes(&out), skeleton));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf plain = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf skeleton = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf outline = { 0 };
    SOV_CLEANUP(sov_page_release) struct sov_page page = { 0 };
    struct sov_error err;

    sov_buf_init(&out, 16u << 20);
    sov_page_init(&page, &out);
    hostile_page(&page, sov_bytes(data, size));
    require(sov_page_judge(&page, &err));
    require(!hostile_finding(sov_buf_bytes(&out)));
    print(sov_bytes(data, size), &skeleton);
    print(sov_bytes_text("plain"), &plain);
    require(sov_bytes_equal(sov_buf_bytes(&skeleton), sov_buf_bytes(&plain)));
    sov_buf_init(&outline, 64u << 20);
    require(sov_markdown_outline(sov_bytes(data, size), &outline, &err));
    return 0;
}
