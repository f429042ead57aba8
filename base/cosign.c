#include "base/cosign.h"

#include <assert.h>

static const char dash[] = "\xe2\x80\x94 ";
enum { ID_SIZE = 4, TIME_SIZE = 8, LINE_OCTETS = ID_SIZE + TIME_SIZE + SOV_SIGNATURE_SIZE };

static void key_id(const struct sov_note_key *key, enum sov_key_use use, uint8_t id_out[ID_SIZE])
{
    const uint8_t algorithm = (uint8_t)use;
    const struct sov_bytes parts[] = { sov_bytes_text(key->name), sov_bytes("\n", 1),
                                       sov_bytes(&algorithm, 1),
                                       sov_bytes(key->key.octets, sizeof key->key.octets) };
    struct sov_hash hash = sov_sha256_parts(parts, 4);

    memcpy(id_out, hash.octets, ID_SIZE);
}

/* ---- keys as text ---- */

void sov_vkey_write(const struct sov_note_key *key, enum sov_key_use use, struct sov_buf *out)
{
    uint8_t id[ID_SIZE], octets[1 + SOV_PUBLIC_KEY_SIZE];
    char hex[2 * ID_SIZE + 1];

    key_id(key, use, id);
    sov_hex(sov_bytes(id, sizeof id), hex);
    octets[0] = (uint8_t)use;
    memcpy(octets + 1, key->key.octets, SOV_PUBLIC_KEY_SIZE);
    sov_buf_add_text(out, key->name);
    sov_buf_add_byte(out, '+');
    sov_buf_add_text(out, hex);
    sov_buf_add_byte(out, '+');
    sov_base64(sov_bytes(octets, sizeof octets), out);
}

bool sov_vkey_read(struct sov_bytes text, enum sov_key_use use, struct sov_note_key *key_out)
{
    uint8_t id[ID_SIZE], due[ID_SIZE], octets[1 + SOV_PUBLIC_KEY_SIZE];
    const uint8_t *plus = text.size ? memchr(text.data, '+', text.size) : NULL;
    struct sov_note_key key = { 0 };
    struct sov_bytes name, rest;
    size_t size;

    if (!plus) return false;
    name = sov_bytes(text.data, (size_t)(plus - text.data));
    rest = sov_bytes(plus + 1, text.size - name.size - 1);
    if (!sov_note_is_key_name(name) || rest.size < 2 * ID_SIZE + 1 || rest.data[2 * ID_SIZE] != '+')
        return false;
    if (!sov_unhex(sov_bytes(rest.data, (size_t)2 * ID_SIZE), id, sizeof id) ||
        !sov_unbase64(sov_bytes(rest.data + 2 * ID_SIZE + 1, rest.size - 2 * ID_SIZE - 1), octets,
                      sizeof octets, &size) ||
        size != sizeof octets || octets[0] != (uint8_t)use)
        return false;
    memcpy(key.name, name.data, name.size);
    memcpy(key.key.octets, octets + 1, SOV_PUBLIC_KEY_SIZE);
    key_id(&key, use, due);
    if (memcmp(id, due, ID_SIZE) != 0) return false;
    *key_out = key;
    return true;
}

/* ---- cosignatures ---- */

void sov_cosign_message(struct sov_bytes text, int64_t time_s, struct sov_buf *out)
{
    assert(time_s >= 0);
    sov_buf_add_text(out, "cosignature/v1\ntime ");
    sov_buf_add_int(out, time_s);
    sov_buf_add_byte(out, '\n');
    sov_buf_add(out, text);
}

void sov_cosign_line(const struct sov_note_key *key, int64_t time_s,
                     const struct sov_signature *signature, struct sov_buf *out)
{
    uint8_t octets[LINE_OCTETS];

    assert(sov_note_is_key_name(sov_bytes_text(key->name)) && time_s >= 0);
    key_id(key, SOV_KEY_COSIGNS, octets);
    for (int i = 0; i < TIME_SIZE; i++)
        octets[ID_SIZE + i] = (uint8_t)((uint64_t)time_s >> (8 * (TIME_SIZE - 1 - i)));
    memcpy(octets + ID_SIZE + TIME_SIZE, signature->octets, SOV_SIGNATURE_SIZE);
    sov_buf_add_text(out, dash);
    sov_buf_add_text(out, key->name);
    sov_buf_add_byte(out, ' ');
    sov_base64(sov_bytes(octets, sizeof octets), out);
    sov_buf_add_byte(out, '\n');
}

static bool holds(struct sov_bytes text, const struct sov_note_line *line,
                  const struct sov_note_key *key, int64_t *time_out)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf message = { 0 };
    struct sov_signature signature;
    uint64_t time_s = 0;

    if (line->size != LINE_OCTETS) return false;
    for (int i = 0; i < TIME_SIZE; i++) time_s = time_s << 8 | line->octets[ID_SIZE + i];
    if (time_s > INT64_MAX) return false;
    memcpy(signature.octets, line->octets + ID_SIZE + TIME_SIZE, SOV_SIGNATURE_SIZE);
    sov_buf_init(&message, SOV_NOTE_SIZE_MAX + 64);
    sov_cosign_message(text, (int64_t)time_s, &message);
    if (!sov_signature_holds(&key->key, sov_buf_bytes(&message), &signature)) return false;
    *time_out = (int64_t)time_s;
    return true;
}

enum sov_cosigned sov_cosign_find(struct sov_bytes note, const struct sov_note_key *key,
                                  int64_t *time_out, struct sov_bytes *line_out)
{
    enum sov_cosigned answer = SOV_COSIGNED_NOT;
    struct sov_bytes text, lines;
    struct sov_note_line line;
    struct sov_error ignored;
    uint8_t id[ID_SIZE];

    key_id(key, SOV_KEY_COSIGNS, id);
    if (!sov_note_split(note, &text, &lines, &ignored)) return SOV_COSIGNED_FALSELY;
    while (lines.size) {
        struct sov_bytes before = lines;
        int64_t time_s;

        if (!sov_note_line(&lines, &line, &ignored)) return SOV_COSIGNED_FALSELY;
        if (!sov_bytes_is(line.name, key->name) || memcmp(line.octets, id, ID_SIZE) != 0) continue;
        if (!holds(text, &line, key, &time_s)) return SOV_COSIGNED_FALSELY;
        if (answer == SOV_COSIGNED && time_s <= *time_out) continue;
        answer = SOV_COSIGNED; /* of several the newest */
        *time_out = time_s;
        *line_out = sov_bytes(before.data, before.size - lines.size);
    }
    return answer;
}

/* ---- requests ---- */

void sov_cosign_request_write(const struct sov_cosign_request *request, struct sov_buf *out)
{
    assert(request->old <= INT64_MAX && request->count <= SOV_COSIGN_HASHES);
    sov_buf_add_text(out, "old ");
    sov_buf_add_int(out, (int64_t)request->old);
    sov_buf_add_byte(out, '\n');
    for (size_t i = 0; i < request->count; i++) {
        sov_base64(sov_hash_bytes(&request->hashes[i]), out);
        sov_buf_add_byte(out, '\n');
    }
    sov_buf_add_byte(out, '\n');
    sov_buf_add(out, request->note);
}

static bool line_cut(struct sov_bytes *rest, struct sov_bytes *line_out)
{
    const uint8_t *end = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;

    if (!end) return false;
    *line_out = sov_bytes(rest->data, (size_t)(end - rest->data));
    *rest = sov_bytes(end + 1, rest->size - line_out->size - 1);
    return true;
}

bool sov_cosign_request_read(struct sov_bytes text, struct sov_cosign_request *request_out)
{
    struct sov_cosign_request request = { 0 };
    struct sov_bytes line;

    if (text.size > SOV_COSIGN_REQUEST_MAX || !line_cut(&text, &line)) return false;
    if (line.size < 5 || memcmp(line.data, "old ", 4) != 0) return false;
    if (!sov_note_decimal(sov_bytes(line.data + 4, line.size - 4), &request.old)) return false;
    for (;;) {
        size_t size;

        if (!line_cut(&text, &line)) return false;
        if (!line.size) break;
        if (request.count == SOV_COSIGN_HASHES ||
            !sov_unbase64(line, request.hashes[request.count].octets, SOV_HASH_SIZE, &size) ||
            size != SOV_HASH_SIZE)
            return false;
        request.count++;
    }
    request.note = text;
    *request_out = request;
    return true;
}
