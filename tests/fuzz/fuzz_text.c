/*
 * The visible form of hostile octets, with each of its flags: well-formed, without an active
 * character, at most four marks in a run, and its own visible form. Ids, paths and instants are
 * read on the way.
 *   clang -fsanitize=fuzzer,address,undefined with libbase.a
 */
#include <stdlib.h>

#include "base/text.h"
#include "base/time.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static void in_safe_grammar(struct sov_bytes text, unsigned flags)
{
    uint32_t point;

    for (size_t at = 0, size, marks = 0; at < text.size; at += size) {
        size = sov_text_decode(text, at, &point);
        require(size > 0);
        require(!sov_text_is_active(point) ||
                ((flags & SOV_VISIBLE_BLOCK) && (point == '\n' || point == '\t')));
        marks = sov_text_is_combining(point) ? marks + 1 : 0;
        require(marks <= 4);
    }
}

static void visible(struct sov_bytes text, unsigned flags)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf once = { 0 };
    SOV_CLEANUP(sov_buf_release) struct sov_buf twice = { 0 };

    /* The longest form of one octet is 10: 0xFF between two marks of three octets. */
    sov_buf_init(&once, 16 * text.size + 1);
    sov_buf_init(&twice, 16 * text.size + 1);
    sov_text_visible(text, flags, &once);
    require(!once.cut);
    in_safe_grammar(sov_buf_bytes(&once), flags);
    sov_text_visible(sov_buf_bytes(&once), flags, &twice);
    require(sov_bytes_equal(sov_buf_bytes(&once), sov_buf_bytes(&twice)));
}

/* What passes as a path or an id is already visible, and an instant comes back as it was. */
static void accepted(struct sov_bytes text)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    char back[SOV_INSTANT_TEXT + 1];
    struct sov_instant at;
    struct sov_error err;

    sov_buf_init(&out, 16 * text.size + 1);
    sov_text_visible(text, 0, &out);
    if (sov_text_is_id(text)) require(sov_text_is_name(text) && sov_text_is_account(text));
    if (sov_text_is_account(text)) require(sov_bytes_equal(text, sov_buf_bytes(&out)));
    if (sov_text_is_safe_path(text)) in_safe_grammar(text, 0);
    if (sov_instant_parse_foreign(text, &at, &err)) sov_instant_format(at, back);
    if (sov_instant_parse(text, &at, &err)) {
        sov_instant_format(at, back);
        require(sov_bytes_is(text, back));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (unsigned flags = 0; flags < 4; flags++) visible(sov_bytes(data, size), flags);
    accepted(sov_bytes(data, size));
    return 0;
}
