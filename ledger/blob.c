/* Blobs: kept by digest, found again, erased by an event and nothing else. */
#include "ledger/blob.h"

#include <assert.h>
#include <string.h>

#include "ledger/blob.sql.h"
#include "ledger/log.h"

enum { BLOB_SIZE_MAX = 256 << 20, SALT_SIZE = 32 };
static const char salted[] = "sov.blob.v1\n";

struct sov_hash sov_blob_digest(struct sov_bytes salt, struct sov_bytes content)
{
    struct sov_bytes part[] = { sov_bytes(salted, sizeof salted - 1), salt, content };

    return salt.data ? sov_sha256_parts(part, 3) : sov_sha256(content);
}

static bool there(struct sov_db *db, const struct sov_hash *digest, bool *there_out,
                  struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, db, blob_find_sql, err)) return false;
    sov_bind_blob(&stmt, 1, sov_hash_bytes(digest));
    return sov_stmt_row(&stmt, there_out, err);
}

static bool next(struct sov_db *db, int64_t *n_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, db, blob_next_sql, err)) return false;
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *n_out = sov_column_int(&stmt, 0);
    return true;
}

static bool store(struct sov_db *db, int64_t n, const struct sov_hash *digest,
                  struct sov_bytes salt, struct sov_bytes content, const char *media_type,
                  struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, db, blob_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    sov_bind_blob(&stmt, 2, sov_hash_bytes(digest));
    sov_bind_blob(&stmt, 3, salt);
    sov_bind_int(&stmt, 4, (int64_t)content.size);
    sov_bind_text(&stmt, 5, sov_bytes_text(media_type));
    sov_bind_blob(&stmt, 6, content.data ? content : sov_bytes("", 0));
    return sov_stmt_run(&stmt, err);
}

bool sov_blob_put(struct sov_commit *commit, struct sov_bytes content, const char *media_type,
                  bool confidential, struct sov_blob_ref *ref_out, struct sov_error *err)
{
    struct sov_db *db = commit->ledger->db;
    struct sov_bytes salt = { NULL, 0 };
    uint8_t octets[SALT_SIZE];
    struct sov_blob_ref ref = { .size = (int64_t)content.size };
    bool known;
    int64_t n;

    if (content.size > BLOB_SIZE_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "a blob is over %d bytes", BLOB_SIZE_MAX);
    if (confidential) {
        struct sov_random random = commit->ledger->seams.random;

        if (!random.fill(random.self, octets, sizeof octets, err)) return false;
        salt = sov_bytes(octets, sizeof octets);
    }
    ref.digest = sov_blob_digest(salt, content);
    ref.media_type = sov_arena_text(&commit->arena, sov_bytes_text(media_type));
    if (!there(db, &ref.digest, &known, err)) return false;
    if (!known &&
        (!next(db, &n, err) || !store(db, n, &ref.digest, salt, content, media_type, err)))
        return false;
    *ref_out = ref;
    return true;
}

void sov_blob_ref_put(struct sov_writer *w, const char *key, const struct sov_blob_ref *ref)
{
    if (key) sov_write_key(w, key);
    sov_write_object(w);
    sov_put_hex(w, "digest", sov_hash_bytes(&ref->digest));
    sov_put_text(w, "media_type", ref->media_type);
    sov_put_int(w, "size", ref->size);
    sov_write_end(w);
}

bool sov_blob_ref_read(struct sov_value value, struct sov_arena *arena,
                       struct sov_blob_ref *ref_out)
{
    struct sov_bytes media_type = sov_value_bytes(sov_value_get(value, "media_type"), arena);

    if (!sov_unhex(sov_value_plain(sov_value_get(value, "digest")), ref_out->digest.octets,
                   SOV_HASH_SIZE))
        return false;
    ref_out->size = sov_value_int(sov_value_get(value, "size"));
    ref_out->media_type = sov_arena_text(arena, media_type);
    return true;
}

bool sov_blob_find(const struct sov_ledger *ledger, const struct sov_hash *digest,
                   struct sov_arena *arena, struct sov_blob *blob_out, bool *found_out,
                   struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_blob blob = { .ref.digest = *digest };
    struct sov_hash found_digest;
    bool found;

    if (!sov_stmt_open(&stmt, ledger->db, blob_find_sql, err)) return false;
    sov_bind_blob(&stmt, 1, sov_hash_bytes(digest));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) {
        blob.ref.size = sov_column_int(&stmt, 2);
        blob.ref.media_type = sov_arena_text(arena, sov_column_text(&stmt, 3));
        blob.confidential = !sov_column_is_null(&stmt, 1);
        blob.erased = sov_column_is_null(&stmt, 4);
        if (!blob.erased) {
            blob.content = sov_arena_bytes(arena, sov_column_blob(&stmt, 4));
            found_digest = sov_blob_digest(sov_column_blob(&stmt, 1), blob.content);
            if (!sov_hash_equal(&found_digest, digest))
                return sov_fail(err, SOV_INTEGRITY, "blob_mismatch",
                                "a blob is not what its digest says");
        }
        *blob_out = blob;
    }
    *found_out = found;
    return true;
}

bool sov_blob_erased(const struct sov_ledger *ledger, const struct sov_hash *digest,
                     int64_t *seq_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, erasure_find_sql, err)) return false;
    sov_bind_blob(&stmt, 1, sov_hash_bytes(digest));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *seq_out = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

bool sov_blob_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash digest;

    assert(event->type == SOV_EVENT_BLOB_ERASED);
    if (event->sv != 1 || !sov_unhex(event->stream.name, digest.octets, SOV_HASH_SIZE))
        return sov_fold_fail(err, event, "a blob is erased once, by its digest");
    if (!sov_stmt_open(&stmt, fold->db, erasure_insert_sql, err)) return false;
    sov_bind_blob(&stmt, 1, sov_hash_bytes(&digest));
    sov_bind_int(&stmt, 2, event->seq);
    return sov_stmt_run(&stmt, err);
}

static bool null_out(struct sov_db *db, const struct sov_hash *digest, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, db, blob_null_sql, err)) return false;
    sov_bind_blob(&stmt, 1, sov_hash_bytes(digest));
    return sov_stmt_run(&stmt, err);
}

bool sov_blob_erase(struct sov_commit *commit, const struct sov_hash *digest, const char *reason,
                    struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_BLOB_ERASED };
    struct sov_writer w = sov_commit_writer(commit);
    char hex[SOV_HEX_HASH + 1];
    struct sov_blob blob;
    bool again, found;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err)) return false;
    sov_hex(sov_hash_bytes(digest), hex);
    addition.stream = sov_stream_named(SOV_STREAM_BLOB, sov_bytes_text(hex));
    sov_write_object(&w);
    sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &addition.data, err)) return false;
    if (!sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!sov_blob_find(commit->ledger, digest, &commit->arena, &blob, &found, err)) return false;
    if (!found || blob.erased) {
        sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no content of the blob %s", hex);
        sov_error_ref(err, hex);
        return false;
    }
    if (!sov_commit_expect(commit, &addition.stream, err)) return false;
    return sov_commit_lead(commit, &addition, done_out, err) &&
           null_out(commit->ledger->db, digest, err);
}

bool sov_blob_take(struct sov_ledger *ledger, struct sov_bytes content, struct sov_error *err)
{
    struct sov_hash digest = sov_sha256(content);
    int64_t n, erased;
    bool known;

    if (!there(ledger->db, &digest, &known, err) || !sov_blob_erased(ledger, &digest, &erased, err))
        return false;
    if (known || erased) return true;
    return next(ledger->db, &n, err) && store(ledger->db, n, &digest, sov_bytes(NULL, 0), content,
                                              "application/octet-stream", err);
}

bool sov_blob_follow_erased(struct sov_db *db, const struct sov_event *event, struct sov_error *err)
{
    struct sov_hash digest;

    assert(event->type == SOV_EVENT_BLOB_ERASED);
    return sov_unhex(event->stream.name, digest.octets, SOV_HASH_SIZE) &&
           null_out(db, &digest, err);
}
