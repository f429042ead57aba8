#ifndef SOV_BASE_COSIGN_H
#define SOV_BASE_COSIGN_H
/*
 * Cosignatures of checkpoints (c2sp.org/tlog-cosignature, Ed25519), what is sent to a witness to
 * get one (c2sp.org/tlog-witness, add-checkpoint), and keys as text (c2sp.org/signed-note, vkey).
 *   what a witness signs: "cosignature/v1" LF "time " T LF, and the text of the note
 *   its line in the note: "— " name " " base64(keyid4 | u64 T | signature)
 *   a request: "old " N LF, a line of base64 a hash of the consistency proof, LF, the note
 * Not here: who is believed (trust.h), what a witness remembers (ledger/witness.h).
 */
#include "base/merkle.h"
#include "base/note.h"

enum { SOV_COSIGN_HASHES = 63, SOV_COSIGN_REQUEST_MAX = 16384 };
/* The algorithm is part of what a key is: its id and its text name it. */
enum sov_key_use { SOV_KEY_SIGNS = 1, SOV_KEY_COSIGNS = 4 };

void sov_vkey_write(const struct sov_note_key *key, enum sov_key_use use, struct sov_buf *out);
/* False if it is no key of that use, or its id is not that of name and key. */
bool sov_vkey_read(struct sov_bytes text, enum sov_key_use use, struct sov_note_key *key_out);

void sov_cosign_message(struct sov_bytes text, int64_t time_s, struct sov_buf *out);
void sov_cosign_line(const struct sov_note_key *key, int64_t time_s,
                     const struct sov_signature *signature, struct sov_buf *out);
enum sov_cosigned { SOV_COSIGNED_NOT, SOV_COSIGNED, SOV_COSIGNED_FALSELY };
/* Whether a line of the note is this witness's: falsely if one in its name does not hold, or the
 * note is none. *time_out and *line_out (the whole line, borrowed) only if it is. */
enum sov_cosigned sov_cosign_find(struct sov_bytes note, const struct sov_note_key *key,
                                  int64_t *time_out, struct sov_bytes *line_out);

struct sov_cosign_request {
    uint64_t old;
    struct sov_hash hashes[SOV_COSIGN_HASHES];
    size_t count;
    struct sov_bytes note; /* borrowed, not parsed */
};
void sov_cosign_request_write(const struct sov_cosign_request *request, struct sov_buf *out);
bool sov_cosign_request_read(struct sov_bytes text, struct sov_cosign_request *request_out);
#endif
