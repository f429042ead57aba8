#include "providers/lines.h"

#include <assert.h>

#include "base/scan.h"
#include "base/text.h"

void sov_lines_init(struct sov_lines *lines, enum sov_lines_mode mode, size_t line_max, void *self,
                    bool (*take)(void *self, struct sov_bytes object, enum sov_line_kind *kind_out,
                                 struct sov_error *err))
{
    assert(lines && take && line_max > 0 && line_max <= SOV_LINES_LINE_MAX);
    *lines = (struct sov_lines){
        .mode = mode, .line_max = line_max, .at = 1, .self = self, .take = take
    };
    sov_buf_init(&lines->carry, line_max);
}

void sov_lines_release(struct sov_lines *lines)
{
    sov_buf_release(&lines->carry);
}

static bool is_strict(const struct sov_lines *lines)
{
    return lines->mode == SOV_LINES_STRICT;
}

static bool malformed(struct sov_lines *lines, const char *why, struct sov_error *err)
{
    lines->broken = true;
    return sov_lines_fail(err, "line %llu %s", (unsigned long long)lines->at, why);
}

static bool noise_take(struct sov_lines *lines, struct sov_bytes line, struct sov_error *err)
{
    static const uint8_t mark[] = { 0xef, 0xbb, 0xbf };

    if (is_strict(lines)) return malformed(lines, "is no JSON object", err);
    if (line.size >= sizeof mark && memcmp(line.data, mark, sizeof mark) == 0)
        return malformed(lines, "begins with a byte order mark", err);
    if (memchr(line.data, 0, line.size)) return malformed(lines, "has a NUL", err);
    if (!sov_text_is_utf8(line)) return malformed(lines, "is no UTF-8", err);
    if (++lines->counts.noise > SOV_LINES_NOISE_MAX)
        return malformed(lines, "is one too many that are no JSON object", err);
    if (lines->terminal) lines->counts.after_terminal++;
    return true;
}

static bool object_take(struct sov_lines *lines, struct sov_bytes line, struct sov_error *err)
{
    struct sov_scan_rules rules = { lines->line_max, SOV_LINES_DEPTH, !is_strict(lines) };
    enum sov_line_kind kind = SOV_LINE_KNOWN;
    struct sov_error why = { 0 };

    if (!sov_scan(line, &rules, &why)) {
        lines->broken = true;
        return sov_lines_fail(err, "line %llu: %s", (unsigned long long)lines->at, why.what);
    }
    lines->counts.lines++;
    if (!lines->take(lines->self, line, &kind, err)) {
        lines->broken = true;
        return false;
    }
    if (kind == SOV_LINE_TERMINAL) {
        if (lines->terminal) return malformed(lines, "is a second terminal event", err);
        lines->terminal = true;
        return true;
    }
    if (kind == SOV_LINE_UNKNOWN) {
        if (is_strict(lines)) return malformed(lines, "is of no known type", err);
        lines->counts.unknown++;
    }
    if (lines->terminal) lines->counts.after_terminal++;
    return true;
}

/* Without its line feed. */
static bool line_take(struct sov_lines *lines, struct sov_bytes line, struct sov_error *err)
{
    bool ok;

    if (line.size > 0 && line.data[line.size - 1] == '\r') line.size--;
    if (line.size == 0)
        ok = !is_strict(lines) || malformed(lines, "is empty", err);
    else if (line.data[0] == '{')
        ok = object_take(lines, line, err);
    else
        ok = noise_take(lines, line, err);
    lines->at++;
    return ok;
}

/* Up to the line feed, or all there is; the limit holds before anything is kept. */
static bool part_take(struct sov_lines *lines, struct sov_bytes part, bool ends,
                      struct sov_error *err)
{
    bool ok;

    if (part.size > lines->line_max - lines->carry.size)
        return malformed(lines, "is too long", err);
    if (ends && lines->carry.size == 0) return line_take(lines, part, err);
    sov_buf_add(&lines->carry, part);
    if (!ends) return true;
    ok = line_take(lines, sov_buf_bytes(&lines->carry), err);
    sov_buf_clear(&lines->carry);
    return ok;
}

bool sov_lines_feed(struct sov_lines *lines, struct sov_bytes chunk, struct sov_error *err)
{
    assert(lines && lines->take && err);
    while (!lines->broken && chunk.size > 0) {
        const uint8_t *feed = memchr(chunk.data, '\n', chunk.size);
        size_t size = feed ? (size_t)(feed - chunk.data) : chunk.size;

        if (!part_take(lines, sov_bytes(chunk.data, size), feed != NULL, err)) return false;
        if (feed) size++;
        chunk = sov_bytes(chunk.data + size, chunk.size - size);
    }
    return !lines->broken || malformed(lines, "comes after the stream was given up", err);
}

bool sov_lines_finish(struct sov_lines *lines, bool exited_zero, struct sov_error *err)
{
    assert(lines && lines->take && err);
    if (lines->broken) return malformed(lines, "comes after the stream was given up", err);
    if (lines->carry.size == 0) return true;
    if (is_strict(lines) || exited_zero) return malformed(lines, "is not finished", err);
    lines->counts.partial_line = true;
    sov_buf_clear(&lines->carry);
    return true;
}
