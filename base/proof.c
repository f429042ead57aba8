#include "base/proof.h"

#include <assert.h>

static const char inclusion[] = "c2sp.org/tlog-proof@v1";
static const char consistency[] = "sov.consistency-proof@v1";
static const char extra_is[] = "extra ", index_is[] = "index ";

/* ---- written ---- */

static void base64_line(struct sov_bytes octets, struct sov_buf *out)
{
    sov_base64(octets, out);
    sov_buf_add_byte(out, '\n');
}

void sov_proof_write(const struct sov_tree_proof *proof, struct sov_buf *out)
{
    bool between = proof->kind == SOV_PROOF_CONSISTENCY;

    assert(proof->count <= SOV_PROOF_HASHES && proof->extra.size <= SOV_PROOF_EXTRA_MAX);
    sov_buf_add_text(out, between ? consistency : inclusion);
    sov_buf_add_byte(out, '\n');
    if (proof->extra.data) {
        sov_buf_add_text(out, extra_is);
        base64_line(proof->extra, out);
    }
    if (!between) {
        sov_buf_add_text(out, index_is);
        sov_buf_add_int(out, (int64_t)proof->index);
        sov_buf_add_byte(out, '\n');
    }
    for (size_t i = 0; i < proof->count; i++) base64_line(sov_hash_bytes(&proof->hashes[i]), out);
    sov_buf_add_byte(out, '\n');
    if (between) {
        sov_buf_add(out, proof->old_note);
        sov_buf_add_byte(out, '\n');
    }
    sov_buf_add(out, proof->note);
}

/* ---- read ---- */

static bool invalid(struct sov_error *err, const char *why)
{
    return sov_fail(err, SOV_INTEGRITY, "proof_invalid", "proof: %s", why);
}

/* Cuts a line off the front, its line feed left out. */
static bool line_cut(struct sov_bytes *rest, struct sov_bytes *line_out)
{
    const uint8_t *end = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;
    size_t size;

    if (!end) return false;
    size = (size_t)(end - rest->data);
    *line_out = sov_bytes(rest->data, size);
    *rest = sov_bytes(end + 1, rest->size - size - 1);
    return true;
}

static bool begins(struct sov_bytes line, const char *word, struct sov_bytes *behind_out)
{
    size_t size = strlen(word);

    if (line.size < size || memcmp(line.data, word, size) != 0) return false;
    *behind_out = sov_bytes(line.data + size, line.size - size);
    return true;
}

static bool decimal(struct sov_bytes text, uint64_t *n_out)
{
    uint64_t n = 0;

    if (text.size == 0 || text.size > 18 || (text.size > 1 && text.data[0] == '0')) return false;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') return false;
        n = n * 10 + (uint64_t)(text.data[i] - '0');
    }
    *n_out = n;
    return true;
}

static bool extra_read(struct sov_bytes text, struct sov_arena *arena, struct sov_bytes *extra_out,
                       struct sov_error *err)
{
    uint8_t *octets;
    size_t size, room = text.size / 4 * 3 + 3;

    if (room > SOV_PROOF_EXTRA_MAX + 3) return invalid(err, "has more extra data than any of ours");
    octets = sov_arena_array(arena, room, 1);
    if (!sov_unbase64(text, octets, room, &size) || size == 0)
        return invalid(err, "has extra data that is no base64");
    *extra_out = sov_bytes(octets, size);
    return true;
}

/* Up to the empty line. */
static bool hashes_read(struct sov_bytes *rest, struct sov_tree_proof *proof, struct sov_error *err)
{
    struct sov_bytes line;
    size_t size;

    for (;;) {
        if (!line_cut(rest, &line)) return invalid(err, "ends before its checkpoint");
        if (line.size == 0) return true;
        if (proof->count == SOV_PROOF_HASHES) return invalid(err, "has more hashes than any tree");
        if (!sov_unbase64(line, proof->hashes[proof->count].octets, SOV_HASH_SIZE, &size) ||
            size != SOV_HASH_SIZE)
            return invalid(err, "has a line that is no hash of 32 octets in base64");
        proof->count++;
    }
}

/* A note has one empty line inside; the second one ends it. */
static bool older_cut(struct sov_bytes *rest, struct sov_bytes *note_out, struct sov_error *err)
{
    const uint8_t *first = rest->data;
    struct sov_bytes line;
    unsigned empty = 0;

    do {
        if (!line_cut(rest, &line)) return invalid(err, "has one checkpoint, not two");
        if (line.size == 0) empty++;
    } while (empty < 2);
    *note_out = sov_bytes(first, (size_t)(line.data - first));
    return true;
}

bool sov_proof_read(struct sov_bytes text, struct sov_arena *arena,
                    struct sov_tree_proof *proof_out, struct sov_error *err)
{
    struct sov_tree_proof proof = { .kind = SOV_PROOF_INCLUSION };
    struct sov_bytes rest = text, line, value;

    if (text.size > SOV_PROOF_SIZE_MAX) return invalid(err, "is longer than any that we write");
    if (!line_cut(&rest, &line)) return invalid(err, "has no first line");
    if (sov_bytes_is(line, consistency))
        proof.kind = SOV_PROOF_CONSISTENCY;
    else if (!sov_bytes_is(line, inclusion))
        return invalid(err, "does not begin as one");
    value = rest;
    if (line_cut(&value, &line) && begins(line, extra_is, &line)) {
        if (!extra_read(line, arena, &proof.extra, err)) return false;
        rest = value;
    }
    if (proof.kind == SOV_PROOF_INCLUSION &&
        (!line_cut(&rest, &line) || !begins(line, index_is, &value) ||
         !decimal(value, &proof.index)))
        return invalid(err, "has no index in plain decimal");
    if (!hashes_read(&rest, &proof, err)) return false;
    if (proof.kind == SOV_PROOF_CONSISTENCY && !older_cut(&rest, &proof.old_note, err))
        return false;
    if (rest.size == 0) return invalid(err, "has no checkpoint");
    proof.note = rest;
    *proof_out = proof;
    return true;
}
