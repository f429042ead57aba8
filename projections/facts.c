/* Facts as people diff them: canonical octets, spread over lines. */
#include "base/text.h"
#include "projections/sheet.h"

/* A text stays as it is spelled, but for what a reader would not see: that is escaped. */
static size_t text_print(struct sov_bytes octets, size_t at, struct sov_buf *out)
{
    sov_buf_add_byte(out, octets.data[at++]);
    while (octets.data[at] != '"') {
        uint32_t point = octets.data[at];
        size_t size = 1;

        if (point == '\\')
            size = 2;
        else if (point >= 0x80)
            size = sov_text_decode(octets, at, &point);
        if (point >= 0x10000 && sov_text_is_active(point))
            sov_buf_printf(out, "\\u%04x\\u%04x", 0xd7c0 + (point >> 10), 0xdc00 + (point & 0x3ff));
        else if (point >= 0x7f && sov_text_is_active(point))
            sov_buf_printf(out, "\\u%04x", point);
        else
            sov_buf_add(out, sov_bytes(octets.data + at, size));
        at += size;
    }
    sov_buf_add_byte(out, '"');
    return at + 1;
}

static void line(unsigned depth, struct sov_buf *out)
{
    sov_buf_add_byte(out, '\n');
    for (unsigned i = 0; i < depth; i++) sov_buf_add_text(out, "  ");
}

void sov_facts_print(struct sov_bytes canonical, struct sov_buf *out)
{
    unsigned depth = 0;

    for (size_t at = 0; at < canonical.size;) {
        uint8_t c = canonical.data[at];
        bool empty = at + 1 < canonical.size &&
                     (canonical.data[at + 1] == '}' || canonical.data[at + 1] == ']');

        if (c == '"') {
            at = text_print(canonical, at, out);
            continue;
        }
        if (c == '}' || c == ']') line(--depth, out);
        sov_buf_add_byte(out, c);
        at++;
        if (c == ',') line(depth, out);
        if (c == ':') sov_buf_add_byte(out, ' ');
        if (c != '{' && c != '[') continue;
        if (empty)
            sov_buf_add_byte(out, canonical.data[at++]);
        else
            line(++depth, out);
    }
    sov_buf_add_byte(out, '\n');
}
