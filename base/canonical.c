#include "base/canonical.h"

#include <assert.h>

#include "base/amount.h"
#include "base/scan.h"
#include "base/scan_char.h"

/* ---- the spelling of a text ---- */

static void add_escape(struct sov_buf *out, uint8_t c)
{
    static const char digits[] = "0123456789abcdef";
    static const char letters[0x20] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'
    };
    uint8_t escape[6] = { '\\', c, '0', '0' };
    size_t size = 2;

    assert(c);
    if (c < 0x20 && letters[c]) {
        escape[1] = (uint8_t)letters[c];
    } else if (c < 0x20) {
        escape[1] = 'u';
        escape[4] = (uint8_t)digits[c >> 4];
        escape[5] = (uint8_t)digits[c & 15];
        size = sizeof escape;
    }
    sov_buf_add(out, sov_bytes(escape, size));
}

void sov_canonical_text(struct sov_buf *out, struct sov_bytes text)
{
    const uint8_t *at = text.data, *run = at, *end;

    sov_buf_add_byte(out, '"');
    if (text.size) {
        for (end = at + text.size; at < end;) {
            size_t size = sov_scan_utf8(at, end);

            assert(size);
            if (*at < 0x20 || *at == '"' || *at == '\\') {
                sov_buf_add(out, sov_bytes(run, (size_t)(at - run)));
                add_escape(out, *at);
                run = at + 1;
            }
            at += size;
        }
        sov_buf_add(out, sov_bytes(run, (size_t)(at - run)));
    }
    sov_buf_add_byte(out, '"');
}

/* ---- the writer ---- */

void sov_writer_init(struct sov_writer *w, struct sov_buf *out)
{
    assert(w && out);
    *w = (struct sov_writer){ .out = out, .first = { true }, .list = { true } };
}

/* Level 0 is a list of one value, of which only the end is asserted: first turns false. */
bool sov_writer_done(const struct sov_writer *w)
{
    return w->depth == 0 && !w->first[0];
}

static bool is_key(struct sov_bytes key)
{
    for (size_t i = 0; i < key.size; i++)
        if (key.data[i] < 0x20 || key.data[i] > 0x7e || key.data[i] == '"' || key.data[i] == '\\')
            return false;
    return true;
}

/* What was dropped for want of room cannot be looked at. */
static void assert_order(const struct sov_writer *w, struct sov_bytes key)
{
    unsigned d = w->depth;

    if (w->first[d] || w->out->cut) return;
    assert(sov_bytes_compare(sov_bytes(w->out->data + w->key_at[d], w->key_size[d]), key) < 0);
}

void sov_write_key(struct sov_writer *w, const char *key)
{
    struct sov_bytes octets = sov_bytes_text(key);
    unsigned d = w->depth;

    assert(d && !w->list[d] && !w->keyed && is_key(octets));
    assert_order(w, octets);
    if (!w->first[d]) sov_buf_add_byte(w->out, ',');
    sov_buf_add_byte(w->out, '"');
    w->first[d] = false;
    w->key_at[d] = w->out->size;
    w->key_size[d] = octets.size;
    sov_buf_add(w->out, octets);
    sov_buf_add_text(w->out, "\":");
    w->keyed = true;
}

/* Before each value: its comma, and whether one may stand here. */
static void begin_value(struct sov_writer *w)
{
    unsigned d = w->depth;

    if (!w->list[d]) {
        assert(w->keyed);
        w->keyed = false;
        return;
    }
    assert(d || w->first[0]);
    if (!w->first[d]) sov_buf_add_byte(w->out, ',');
    w->first[d] = false;
}

static void begin_scope(struct sov_writer *w, bool list)
{
    begin_value(w);
    assert(w->depth < SOV_WRITER_DEPTH);
    w->depth++;
    w->list[w->depth] = list;
    w->first[w->depth] = true;
    sov_buf_add_byte(w->out, list ? '[' : '{');
}

void sov_write_object(struct sov_writer *w)
{
    begin_scope(w, false);
}

void sov_write_list(struct sov_writer *w)
{
    begin_scope(w, true);
}

void sov_write_end(struct sov_writer *w)
{
    assert(w->depth && !w->keyed);
    sov_buf_add_byte(w->out, w->list[w->depth] ? ']' : '}');
    w->depth--;
}

void sov_write_text(struct sov_writer *w, struct sov_bytes text)
{
    begin_value(w);
    sov_canonical_text(w->out, text);
}

void sov_write_int(struct sov_writer *w, int64_t n)
{
    assert(sov_amount_fits(n));
    begin_value(w);
    sov_buf_add_int(w->out, n);
}

void sov_write_bool(struct sov_writer *w, bool yes)
{
    begin_value(w);
    sov_buf_add_text(w->out, yes ? "true" : "false");
}

void sov_write_null(struct sov_writer *w)
{
    begin_value(w);
    sov_buf_add_text(w->out, "null");
}

void sov_write_hex(struct sov_writer *w, struct sov_bytes octets)
{
    static const char digits[] = "0123456789abcdef";

    begin_value(w);
    sov_buf_add_byte(w->out, '"');
    for (size_t i = 0; i < octets.size; i++) {
        const char pair[2] = { digits[octets.data[i] >> 4], digits[octets.data[i] & 15] };

        sov_buf_add(w->out, sov_bytes(pair, sizeof pair));
    }
    sov_buf_add_byte(w->out, '"');
}

void sov_write_raw(struct sov_writer *w, struct sov_bytes canonical)
{
    const struct sov_scan_rules rules = { SIZE_MAX, SOV_WRITER_DEPTH - w->depth, false };
    struct sov_error err;
    bool is_canonical = sov_scan_canonical(canonical, &rules, &err);

    assert(is_canonical);
    begin_value(w);
    sov_buf_add(w->out, canonical);
}

/* ---- key and value ---- */

void sov_put_text(struct sov_writer *w, const char *key, const char *text)
{
    sov_put_bytes(w, key, sov_bytes_text(text));
}

void sov_put_bytes(struct sov_writer *w, const char *key, struct sov_bytes text)
{
    sov_write_key(w, key);
    sov_write_text(w, text);
}

void sov_put_int(struct sov_writer *w, const char *key, int64_t n)
{
    sov_write_key(w, key);
    sov_write_int(w, n);
}

void sov_put_bool(struct sov_writer *w, const char *key, bool yes)
{
    sov_write_key(w, key);
    sov_write_bool(w, yes);
}

void sov_put_hex(struct sov_writer *w, const char *key, struct sov_bytes octets)
{
    sov_write_key(w, key);
    sov_write_hex(w, octets);
}

void sov_put_raw(struct sov_writer *w, const char *key, struct sov_bytes canonical)
{
    sov_write_key(w, key);
    sov_write_raw(w, canonical);
}

void sov_put_object(struct sov_writer *w, const char *key)
{
    sov_write_key(w, key);
    sov_write_object(w);
}

void sov_put_list(struct sov_writer *w, const char *key)
{
    sov_write_key(w, key);
    sov_write_list(w);
}
