#ifndef SOV_BASE_NOTE_H
#define SOV_BASE_NOTE_H
/*
 * C2SP signed notes (c2sp.org/signed-note) with Ed25519 signatures, and the checkpoint text
 * (c2sp.org/tlog-checkpoint) that stands in them. A signature is verified before the text is
 * parsed. origin LF size LF base64(root) LF [LF] "— " keyname " " base64(keyid4 | signature) LF
 */
#include "base/buf.h"
#include "base/crypto.h"

enum { SOV_NOTE_SIZE_MAX = 4096, SOV_KEY_NAME_MAX = 200 };

/* What may sign: name (no space, no plus, valid UTF-8, 1..200 bytes) and key. */
struct sov_note_key {
    char name[SOV_KEY_NAME_MAX + 1];
    struct sov_public_key key;
};
struct sov_checkpoint {
    char origin[SOV_KEY_NAME_MAX + 1];
    uint64_t size;
    struct sov_hash root;
};

/* True for what may stand as a key's name (of an organization's own words, say). */
bool sov_note_is_key_name(struct sov_bytes name);
/* First 4 octets of SHA-256(name LF 0x01 key), big endian. */
uint32_t sov_note_key_id(const struct sov_note_key *key);
/* The three lines that are signed, each LF-ended. */
void sov_checkpoint_text(const struct sov_checkpoint *checkpoint, struct sov_buf *out);
/* Text, blank line and one signature line. */
void sov_note_write(const struct sov_checkpoint *checkpoint, const struct sov_note_key *key,
                    const struct sov_signature *signature, struct sov_buf *out);
/* Fails checkpoint_invalid (6) if malformed, bad_signature (6) if no line has this key's id and
 * name, or one that has does not verify; then parses strictly (canonical decimal size, padded
 * base64 of 32 octets, no more lines). Lines of unknown keys are ignored, as the standard asks. */
SOV_MUST_USE bool sov_note_read(struct sov_bytes note, const struct sov_note_key *key,
                                struct sov_checkpoint *checkpoint_out,
                                struct sov_signature *signature_out, struct sov_error *err);

/* For those who look at other lines than one key's (base/cosign.h). What is signed, and the lines
 * that sign it: checkpoint_invalid (6). */
SOV_MUST_USE bool sov_note_split(struct sov_bytes note, struct sov_bytes *text_out,
                                 struct sov_bytes *lines_out, struct sov_error *err);
struct sov_note_line {
    struct sov_bytes name;
    uint8_t octets[SOV_NOTE_SIZE_MAX]; /* key id and signature */
    size_t size;
};
/* Cuts the first line off, which must be whole: checkpoint_invalid (6). */
SOV_MUST_USE bool sov_note_line(struct sov_bytes *lines, struct sov_note_line *line_out,
                                struct sov_error *err);
/* "0", or digits without a leading zero, up to 2^63 - 1. */
bool sov_note_decimal(struct sov_bytes text, uint64_t *n_out);
#endif
