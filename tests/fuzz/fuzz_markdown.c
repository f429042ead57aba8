/*
 * Hostile octets in every place of a page: the outline stays the one that was meant and no active
 * form is left. The same octets as a whole page of somebody else: the judge reads it to the end.
 *   clang -fsanitize=fuzzer,address,undefined with libprojections.a and libbase.a
 */
#include <stdlib.h>

#include "base/markdown.h"
#include "tests/hostile_page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf outline = { 0 };
    SOV_CLEANUP(sov_page_release) struct sov_page page = { 0 };
    struct sov_error err;

    sov_buf_init(&out, 16u << 20);
    sov_page_init(&page, &out);
    hostile_page(&page, sov_bytes(data, size));
    require(sov_page_judge(&page, &err));
    require(!hostile_finding(sov_buf_bytes(&out)));
    sov_buf_init(&outline, 64u << 20);
    require(sov_markdown_outline(sov_bytes(data, size), &outline, &err));
    return 0;
}
