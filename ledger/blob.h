#ifndef SOV_LEDGER_BLOB_H
#define SOV_LEDGER_BLOB_H
/*
 * Large, foreign or confidential octets, by digest (log.md 1). Confidential ones are stored under a
 * random salt, and their digest is SHA-256("sov.blob.v1\n" | salt | content).
 */
#include "base/crypto.h"
#include "ledger/commit.h"

struct sov_blob_ref {
    struct sov_hash digest;
    int64_t size;
    const char *media_type;
};
struct sov_blob {
    struct sov_blob_ref ref;
    bool confidential, erased;
    struct sov_bytes content; /* .data NULL if erased */
};
/* `salt` .data NULL: a public one. */
struct sov_hash sov_blob_digest(struct sov_bytes salt, struct sov_bytes content);
/* Puts octets into the commit; the same public octets twice are one blob. At most 256 MiB. */
SOV_MUST_USE bool sov_blob_put(struct sov_commit *commit, struct sov_bytes content,
                               const char *media_type, bool confidential,
                               struct sov_blob_ref *ref_out, struct sov_error *err);
/* The object of a payload: {"digest":..,"media_type":..,"size":..}. */
void sov_blob_ref_put(struct sov_writer *w, const char *key, const struct sov_blob_ref *ref);
SOV_MUST_USE bool sov_blob_ref_read(struct sov_value value, struct sov_arena *arena,
                                    struct sov_blob_ref *ref_out);
/* In the arena; its digest is compared: blob_mismatch (6). *found_out. */
SOV_MUST_USE bool sov_blob_find(const struct sov_ledger *ledger, const struct sov_hash *digest,
                                struct sov_arena *arena, struct sov_blob *blob_out, bool *found_out,
                                struct sov_error *err);
/* Whether this state says that it was erased: *seq_out, 0 if not. */
SOV_MUST_USE bool sov_blob_erased(const struct sov_ledger *ledger, const struct sov_hash *digest,
                                  int64_t *seq_out, struct sov_error *err);
SOV_MUST_USE bool sov_blob_erase(struct sov_commit *commit, const struct sov_hash *digest,
                                 const char *reason, struct sov_done *done_out,
                                 struct sov_error *err);

/* ---- of what was decided elsewhere (mirror.h) ---- */
/* Public content, unless it is there or was erased. */
SOV_MUST_USE bool sov_blob_take(struct sov_ledger *ledger, struct sov_bytes content,
                                struct sov_error *err);
/* Behind the fold of blob.erased: the content, if it is there, goes. */
SOV_MUST_USE bool sov_blob_follow_erased(struct sov_db *db, const struct sov_event *event,
                                         struct sov_error *err);
#endif
