#include "base/note.h"

#include <assert.h>

#include "base/text.h"

static const char dash[] = "\xe2\x80\x94 "; /* U+2014 and a space begin a signature line */
enum { ID_SIZE = 4, SIGNED_SIZE = ID_SIZE + SOV_SIGNATURE_SIZE };

/* Besides the space and the control characters. */
static bool is_space(uint32_t point)
{
    return point == 0x85 || point == 0xa0 || point == 0x1680 ||
           (point >= 0x2000 && point <= 0x200a) || point == 0x2028 || point == 0x2029 ||
           point == 0x202f || point == 0x205f || point == 0x3000;
}

/* Of anyone's key: the standard sets no length. */
static bool is_name(struct sov_bytes name)
{
    uint32_t point;

    for (size_t at = 0, step; at < name.size; at += step) {
        step = sov_text_decode(name, at, &point);
        if (!step || point <= 0x20 || point == '+' || is_space(point)) return false;
    }
    return name.size > 0;
}

bool sov_note_is_key_name(struct sov_bytes name)
{
    return name.size <= SOV_KEY_NAME_MAX && is_name(name);
}

/* One whole line, since the note's own line ends are checked already. */
static bool is_origin(struct sov_bytes origin)
{
    for (size_t i = 0; i < origin.size; i++)
        if (origin.data[i] < 0x20) return false;
    return origin.size > 0 && origin.size <= SOV_KEY_NAME_MAX && sov_text_is_utf8(origin);
}

static void key_id(const struct sov_note_key *key, uint8_t id_out[ID_SIZE])
{
    const struct sov_bytes parts[] = { sov_bytes_text(key->name), sov_bytes("\n\x01", 2),
                                       sov_bytes(key->key.octets, sizeof key->key.octets) };
    struct sov_hash hash = sov_sha256_parts(parts, 3);

    memcpy(id_out, hash.octets, ID_SIZE);
}

uint32_t sov_note_key_id(const struct sov_note_key *key)
{
    uint8_t id[ID_SIZE];

    key_id(key, id);
    return (uint32_t)id[0] << 24 | (uint32_t)id[1] << 16 | (uint32_t)id[2] << 8 | id[3];
}

void sov_checkpoint_text(const struct sov_checkpoint *checkpoint, struct sov_buf *out)
{
    assert(is_origin(sov_bytes_text(checkpoint->origin)) && checkpoint->size <= INT64_MAX);
    sov_buf_add_text(out, checkpoint->origin);
    sov_buf_add_byte(out, '\n');
    sov_buf_add_int(out, (int64_t)checkpoint->size);
    sov_buf_add_byte(out, '\n');
    sov_base64(sov_hash_bytes(&checkpoint->root), out);
    sov_buf_add_byte(out, '\n');
}

void sov_note_write(const struct sov_checkpoint *checkpoint, const struct sov_note_key *key,
                    const struct sov_signature *signature, struct sov_buf *out)
{
    uint8_t octets[SIGNED_SIZE];

    assert(sov_note_is_key_name(sov_bytes_text(key->name)));
    key_id(key, octets);
    memcpy(octets + ID_SIZE, signature->octets, SOV_SIGNATURE_SIZE);
    sov_checkpoint_text(checkpoint, out);
    sov_buf_add_byte(out, '\n');
    sov_buf_add_text(out, dash);
    sov_buf_add_text(out, key->name);
    sov_buf_add_byte(out, ' ');
    sov_base64(sov_bytes(octets, sizeof octets), out);
    sov_buf_add_byte(out, '\n');
}

static bool invalid(struct sov_error *err, const char *why)
{
    return sov_fail(err, SOV_INTEGRITY, "checkpoint_invalid", "checkpoint: %s", why);
}

/* Cuts the part before the first `end` off the front. False if there is none. */
static bool cut(struct sov_bytes *rest, uint8_t end, struct sov_bytes *part_out)
{
    const uint8_t *found = rest->size ? memchr(rest->data, end, rest->size) : NULL;
    size_t size;

    if (!found) return false;
    size = (size_t)(found - rest->data);
    *part_out = sov_bytes(rest->data, size);
    *rest = sov_bytes(found + 1, rest->size - size - 1);
    return true;
}

/* Apart at the last blank line: what is signed, and the lines that sign it. */
bool sov_note_split(struct sov_bytes note, struct sov_bytes *text_out, struct sov_bytes *lines_out,
                    struct sov_error *err)
{
    size_t at = note.size;

    if (note.size > SOV_NOTE_SIZE_MAX) return invalid(err, "longer than any that we write");
    if (note.size == 0 || note.data[note.size - 1] != '\n')
        return invalid(err, "does not end in a line feed");
    for (size_t i = 0; i < note.size; i++)
        if (note.data[i] < 0x20 && note.data[i] != '\n')
            return invalid(err, "has a control character");
    if (!sov_text_is_utf8(note)) return invalid(err, "is no UTF-8");
    while (at >= 2 && (note.data[at - 1] != '\n' || note.data[at - 2] != '\n')) at--;
    if (at < 2) return invalid(err, "has no blank line");
    if (at == note.size) return invalid(err, "has no signature");
    *text_out = sov_bytes(note.data, at - 1);
    *lines_out = sov_bytes(note.data + at, note.size - at);
    return true;
}

/* Every line must hold together, whoever signed it. */
static bool signature_line(struct sov_bytes line, struct sov_bytes *name_out, uint8_t *octets,
                           size_t room, size_t *size_out, struct sov_error *err)
{
    size_t prefix = sizeof dash - 1;

    if (line.size < prefix || memcmp(line.data, dash, prefix) != 0)
        return invalid(err, "has a line after the blank one that is no signature");
    line = sov_bytes(line.data + prefix, line.size - prefix);
    if (!cut(&line, ' ', name_out) || !is_name(*name_out))
        return invalid(err, "has a signature without a key name");
    if (!sov_unbase64(line, octets, room, size_out) || *size_out <= ID_SIZE)
        return invalid(err, "has a signature that is no base64");
    return true;
}

bool sov_note_line(struct sov_bytes *lines, struct sov_note_line *line_out, struct sov_error *err)
{
    struct sov_bytes line;

    if (!cut(lines, '\n', &line)) return invalid(err, "does not end in a line feed");
    return signature_line(line, &line_out->name, line_out->octets, sizeof line_out->octets,
                          &line_out->size, err);
}

static bool signature_find(struct sov_bytes text, struct sov_bytes lines,
                           const struct sov_note_key *key, struct sov_signature *signature_out,
                           struct sov_error *err)
{
    uint8_t id[ID_SIZE], octets[SOV_NOTE_SIZE_MAX];
    struct sov_signature signature, found;
    struct sov_bytes line, name;
    bool is_found = false;
    size_t size;

    key_id(key, id);
    while (cut(&lines, '\n', &line)) {
        if (!signature_line(line, &name, octets, sizeof octets, &size, err)) return false;
        if (!sov_bytes_is(name, key->name) || memcmp(octets, id, ID_SIZE) != 0) continue;
        /* One false line in our name condemns the note, as the standard advises. */
        if (size != SIGNED_SIZE)
            return sov_fail(err, SOV_INTEGRITY, "bad_signature",
                            "checkpoint: the signature of %s has %zu octets", key->name, size);
        memcpy(signature.octets, octets + ID_SIZE, SOV_SIGNATURE_SIZE);
        if (!sov_signature_holds(&key->key, text, &signature))
            return sov_fail(err, SOV_INTEGRITY, "bad_signature",
                            "checkpoint: the signature of %s does not hold", key->name);
        if (!is_found) found = signature;
        is_found = true;
    }
    if (!is_found)
        return sov_fail(err, SOV_INTEGRITY, "bad_signature", "checkpoint: %s did not sign it",
                        key->name);
    *signature_out = found;
    return true;
}

bool sov_note_decimal(struct sov_bytes text, uint64_t *n_out)
{
    uint64_t n = 0;

    if (text.size == 0 || text.size > 19 || (text.size > 1 && text.data[0] == '0')) return false;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') return false;
        n = n * 10 + (uint64_t)(text.data[i] - '0');
    }
    if (n > INT64_MAX) return false;
    *n_out = n;
    return true;
}

static bool checkpoint_parse(struct sov_bytes text, struct sov_checkpoint *checkpoint_out,
                             struct sov_error *err)
{
    struct sov_checkpoint checkpoint = { 0 };
    struct sov_bytes line;
    size_t size;

    if (!cut(&text, '\n', &line) || !is_origin(line)) return invalid(err, "has no origin");
    memcpy(checkpoint.origin, line.data, line.size);
    if (!cut(&text, '\n', &line) || !sov_note_decimal(line, &checkpoint.size))
        return invalid(err, "has no size in plain decimal");
    if (!cut(&text, '\n', &line) ||
        !sov_unbase64(line, checkpoint.root.octets, sizeof checkpoint.root.octets, &size) ||
        size != sizeof checkpoint.root.octets)
        return invalid(err, "has no root of 32 octets in base64");
    if (text.size) return invalid(err, "has more than three lines");
    *checkpoint_out = checkpoint;
    return true;
}

bool sov_note_read(struct sov_bytes note, const struct sov_note_key *key,
                   struct sov_checkpoint *checkpoint_out, struct sov_signature *signature_out,
                   struct sov_error *err)
{
    struct sov_bytes text, lines;
    struct sov_signature signature;

    assert(sov_note_is_key_name(sov_bytes_text(key->name)));
    /* Verify before parse: nobody's text but the key's reaches the parser. */
    if (!sov_note_split(note, &text, &lines, err) ||
        !signature_find(text, lines, key, &signature, err) ||
        !checkpoint_parse(text, checkpoint_out, err))
        return false;
    *signature_out = signature;
    return true;
}
