#ifndef SOV_BASE_CANONICAL_H
#define SOV_BASE_CANONICAL_H
/*
 * Writes canonical JSON (RFC 8785 without floats) into a buffer. Keys must come in byte order and
 * unique, texts must be valid UTF-8, integers in range, and scopes balanced: each is a caller's bug
 * and asserted, so that what was written needs no second look. Our own keys are ASCII, for which
 * byte order is RFC 8785's order; keys from outside go through json.h, which sorts by UTF-16 units.
 */
#include "base/buf.h"

enum { SOV_WRITER_DEPTH = 16 };

struct sov_writer {
    struct sov_buf *out;
    unsigned depth;
    bool list[SOV_WRITER_DEPTH + 1], first[SOV_WRITER_DEPTH + 1], keyed;
    size_t key_at[SOV_WRITER_DEPTH + 1], /* last key in out, to assert order */
        key_size[SOV_WRITER_DEPTH + 1];
};

/* The one spelling of a text, quotes included; valid UTF-8 without NUL is asserted. */
void sov_canonical_text(struct sov_buf *out, struct sov_bytes text);

void sov_writer_init(struct sov_writer *w, struct sov_buf *out);
bool sov_writer_done(const struct sov_writer *w); /* one whole value was written */

void sov_write_key(struct sov_writer *w, const char *key); /* visible ASCII without " and \ */
void sov_write_object(struct sov_writer *w);
void sov_write_list(struct sov_writer *w);
void sov_write_end(struct sov_writer *w); /* of the newest object or list */
void sov_write_text(struct sov_writer *w, struct sov_bytes text);
void sov_write_int(struct sov_writer *w, int64_t n);
void sov_write_bool(struct sov_writer *w, bool yes);
void sov_write_null(struct sov_writer *w);
void sov_write_hex(struct sov_writer *w, struct sov_bytes octets); /* lower case */
void sov_write_raw(struct sov_writer *w,
                   struct sov_bytes canonical); /* a value, already canonical */

/* Key and value in one: the usual way. */
void sov_put_text(struct sov_writer *w, const char *key, const char *text);
void sov_put_bytes(struct sov_writer *w, const char *key, struct sov_bytes text);
void sov_put_int(struct sov_writer *w, const char *key, int64_t n);
void sov_put_bool(struct sov_writer *w, const char *key, bool yes);
void sov_put_hex(struct sov_writer *w, const char *key, struct sov_bytes octets);
void sov_put_raw(struct sov_writer *w, const char *key, struct sov_bytes canonical);
void sov_put_object(struct sov_writer *w, const char *key);
void sov_put_list(struct sov_writer *w, const char *key);
#endif
