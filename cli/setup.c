/* A block of ours in a file of others: found by its markers, put, renewed and taken out. */
#include "cli/setup.h"

#include <string.h>

#include "base/buf.h"
#include "base/crypto.h"
#include "base/text.h"

enum { DIGEST_HEX = 32 };

static const char *digest_of(struct sov_bytes body, struct sov_arena *arena)
{
    struct sov_hash hash = sov_sha256(body);
    char hex[SOV_HEX_HASH + 1];

    sov_hex(sov_hash_bytes(&hash), hex);
    return sov_arena_printf(arena, "%.*s", DIGEST_HEX, hex);
}

static const char *opening(const char *name, struct sov_bytes body, struct sov_arena *arena)
{
    return sov_arena_printf(arena, "# >>> sov setup %s, sha256:%s >>>\n", name,
                            digest_of(body, arena));
}

const char *sov_setup_block(const struct sov_setup_text *text, struct sov_arena *arena)
{
    return sov_arena_printf(arena, "%s%s# <<< sov setup %s <<<\n",
                            opening(text->name, sov_bytes_text(text->body), arena), text->body,
                            text->name);
}

/* ---- where it is ---- */

struct span {
    size_t begin, body, end, after; /* offsets of the markers and of what stands behind each */
    size_t begins, ends;            /* how many of them */
};

static bool starts(struct sov_bytes line, const char *with)
{
    size_t size = strlen(with);

    return line.size >= size && memcmp(line.data, with, size) == 0;
}

/* The line at an offset, without its end; *next_out: the offset of the next one. */
static struct sov_bytes line_at(struct sov_bytes text, size_t at, size_t *next_out)
{
    const uint8_t *feed = memchr(text.data + at, '\n', text.size - at);
    size_t size = feed ? (size_t)(feed - text.data) - at : text.size - at;

    *next_out = at + size + (feed ? 1 : 0);
    return sov_bytes(text.data + at, size);
}

/* Whatever begins like a marker is one: a damaged one must not pass for prose. */
static struct span find(struct sov_bytes text, const char *name, struct sov_arena *arena)
{
    const char *begin = sov_arena_printf(arena, "# >>> sov setup %s", name);
    const char *end = sov_arena_printf(arena, "# <<< sov setup %s", name);
    struct span span = { 0 };
    size_t next;

    for (size_t at = 0; at < text.size; at = next) {
        struct sov_bytes line = line_at(text, at, &next);

        if (starts(line, begin)) {
            span.begins++;
            span.begin = at;
            span.body = next;
        } else if (starts(line, end)) {
            span.ends++;
            span.end = at;
            span.after = next;
        }
    }
    return span;
}

/* One pair, in order, each spelt as it was written, and the digest is that of what is between. */
static bool is_whole(struct sov_bytes text, const struct span *span, const char *name,
                     struct sov_arena *arena)
{
    const char *end = sov_arena_printf(arena, "# <<< sov setup %s <<<\n", name), *begin;
    struct sov_bytes last;

    if (span->begins != 1 || span->ends != 1 || span->end < span->body) return false;
    begin = opening(name, sov_bytes(text.data + span->body, span->end - span->body), arena);
    last = sov_bytes(text.data + span->end, span->after - span->end);
    if (span->body - span->begin != strlen(begin) ||
        memcmp(text.data + span->begin, begin, strlen(begin)) != 0)
        return false;
    /* At the very end of a file that had no line end there is none either. */
    return starts(sov_bytes_text(end), sov_arena_text(arena, last)) && last.size >= strlen(end) - 1;
}

/* ---- what becomes of the file ---- */

static struct sov_bytes joined(struct sov_bytes a, const char *b, struct sov_bytes c,
                               struct sov_arena *arena)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };

    sov_buf_init(&out, 2 * SOV_SETUP_SIZE_MAX);
    sov_buf_add(&out, a);
    sov_buf_add_text(&out, b);
    sov_buf_add(&out, c);
    return sov_arena_bytes(arena, sov_buf_bytes(&out));
}

static struct sov_bytes nothing(void)
{
    return sov_bytes("", 0);
}

/* A file without a line end keeps none, so that taking the block out gives its octets back. */
static void add(const struct sov_setup_text *text, struct sov_bytes before, struct sov_arena *arena,
                struct sov_setup_result *result)
{
    const char *block = sov_setup_block(text, arena);

    result->change = SOV_SETUP_WRITE;
    if (before.data[before.size - 1] == '\n')
        result->after = joined(before, block, nothing(), arena);
    else
        result->after = joined(before, "\n", sov_bytes(block, strlen(block) - 1), arena);
}

static void take_out(const struct sov_setup_text *text, struct sov_bytes before,
                     const struct span *span, struct sov_arena *arena,
                     struct sov_setup_result *result)
{
    bool bare = span->after == before.size && before.data[before.size - 1] != '\n';
    size_t kept = span->begin - (bare && span->begin ? 1 : 0);

    result->after = joined(sov_bytes(before.data, kept), "",
                           sov_bytes(before.data + span->after, before.size - span->after), arena);
    result->change = sov_bytes_is(result->after, text->head) ? SOV_SETUP_REMOVE : SOV_SETUP_WRITE;
}

static void renew(const struct sov_setup_text *text, struct sov_bytes before,
                  const struct span *span, struct sov_arena *arena, struct sov_setup_result *result)
{
    struct sov_bytes body = sov_bytes(before.data + span->body, span->end - span->body);

    if (sov_bytes_is(body, text->body)) return;
    result->change = SOV_SETUP_WRITE;
    result->after = joined(joined(sov_bytes(before.data, span->begin),
                                  opening(text->name, sov_bytes_text(text->body), arena),
                                  sov_bytes_text(text->body), arena),
                           "", sov_bytes(before.data + span->end, before.size - span->end), arena);
}

static bool is_plain(struct sov_bytes text, struct sov_error *err)
{
    if (memmem(text.data, text.size, "\r\n", 2))
        return sov_fail(err, SOV_USAGE, "bad_text", "its lines end in CR LF");
    if (!sov_text_is_utf8(text) || memchr(text.data, 0, text.size))
        return sov_fail(err, SOV_USAGE, "bad_text", "it is no UTF-8 text");
    return true;
}

bool sov_setup_judge(const struct sov_setup_text *text, struct sov_bytes before, bool removing,
                     struct sov_arena *arena, struct sov_setup_result *result_out,
                     struct sov_error *err)
{
    struct sov_setup_result result = { SOV_SETUP_SAME, before };
    struct span span;

    if (!before.data) {
        if (!removing)
            result =
                (struct sov_setup_result){ SOV_SETUP_CREATE,
                                           joined(sov_bytes_text(text->head),
                                                  sov_setup_block(text, arena), nothing(), arena) };
        *result_out = result;
        return true;
    }
    span = find(before, text->name, arena);
    if (!span.begins && !span.ends) {
        bool may = !removing && text->fits;

        if (may && before.size && !is_plain(before, err)) return false;
        if (may && before.size && text->fits(before))
            add(text, before, arena, &result);
        else if (!removing)
            result.change = SOV_SETUP_FOREIGN;
    } else {
        if (!is_plain(before, err)) return false;
        if (!is_whole(before, &span, text->name, arena))
            return sov_fail(err, SOV_CONFLICT, "setup_edited",
                            "what stands between its markers was edited");
        if (removing)
            take_out(text, before, &span, arena, &result);
        else
            renew(text, before, &span, arena, &result);
    }
    *result_out = result;
    return true;
}
