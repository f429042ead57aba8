/* Recording signals: the operation, and the consequence of an effect or a change. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "ledger/log.h"
#include "ledger/row.h"
#include "ledger/signal.h"
#include "ledger/signal.sql.h"

enum { DEDUPE_MAX = 200, MEDIA_TYPE_MAX = 128, OBSERVED_MAX = 40 };

static bool id_fits(const char *what, const char *id, struct sov_error *err)
{
    if (id && sov_text_is_id(sov_bytes_text(id))) return true;
    return sov_fail(err, SOV_USAGE, "bad_value", "the %s is a-z, then a-z 0-9 . _ -, at most 63",
                    what);
}

static bool media_type_fits(const char *type, struct sov_error *err)
{
    size_t slash = 0, size = strlen(type);

    if (size > MEDIA_TYPE_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "the media type is over %d bytes",
                        MEDIA_TYPE_MAX);
    for (size_t i = 0; i < size; i++) {
        if (type[i] < ' ' || type[i] > '~')
            return sov_fail(err, SOV_USAGE, "bad_value", "the media type is not visible ASCII");
        if (type[i] == '/' && !slash) slash = i;
    }
    if (!slash || slash + 1 == size)
        return sov_fail(err, SOV_USAGE, "bad_value", "a media type is TYPE/SUBTYPE");
    return true;
}

/* The ids under which the host itself emits: nobody from outside may be there first. */
static bool dedupe_fits(const char *key, struct sov_error *err)
{
    struct sov_bytes text = sov_bytes_text(key);

    if (!sov_policy_text("the dedupe key", text, DEDUPE_MAX, err)) return false;
    if (sov_id_number(text, SOV_STREAM_CHANGE) || sov_id_number(text, SOV_STREAM_EFFECT))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "dedupe keys like CHG-1 and EFF-1 are the ledger's own");
    return true;
}

/* C1: what the registry's row cannot say. */
static bool well_formed(const struct sov_signal_request *request, struct sov_error *err)
{
    struct sov_instant at;

    assert(request->severity < SOV_SEVERITY_COUNT);
    if (!id_fits("kind", request->kind, err) || !id_fits("source", request->source, err) ||
        !sov_policy_text("the subject", sov_bytes_text(request->subject ? request->subject : ""),
                         SOV_TEXT_SUBJECT, err))
        return false;
    if (request->dedupe_key && !dedupe_fits(request->dedupe_key, err)) return false;
    if (request->observed_at) {
        struct sov_bytes said = sov_bytes_text(request->observed_at);

        if (said.size > OBSERVED_MAX)
            return sov_fail(err, SOV_USAGE, "too_large", "the observed time is over %d bytes",
                            OBSERVED_MAX);
        if (!sov_instant_parse_foreign(said, &at, err)) return false;
    }
    if (request->payload.size > SOV_SIGNAL_PAYLOAD_MAX)
        return sov_fail(err, SOV_USAGE, "too_large", "a payload is at most 25 MiB");
    return !request->media_type || media_type_fits(request->media_type, err);
}

/* payload NULL: none. */
static bool payload(struct sov_commit *commit, const struct sov_signal_request *request,
                    const struct sov_blob_ref *ref, struct sov_bytes *data_out,
                    struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    if (request->dedupe_key) sov_put_text(&w, "dedupe_key", request->dedupe_key);
    sov_put_text(&w, "kind", request->kind);
    if (request->observed_at) sov_put_text(&w, "observed_at", request->observed_at);
    if (ref) sov_blob_ref_put(&w, "payload", ref);
    sov_put_text(&w, "severity", sov_policy_severity_word(request->severity));
    sov_put_text(&w, "source", request->source);
    sov_put_text(&w, "subject", request->subject);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

/* ---- the same signal again ---- */

/* The seq of the signal under this source, kind and dedupe key; 0: none. */
static bool under_key(struct sov_commit *commit, const struct sov_signal_request *request,
                      int64_t *seq_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, commit->ledger->state, signal_under_key_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(request->source));
    sov_bind_text(&stmt, 2, sov_bytes_text(request->kind));
    sov_bind_text(&stmt, 3, sov_bytes_text(request->dedupe_key));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *seq_out = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

static bool under_idempotency(struct sov_commit *commit, int64_t *seq_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, commit->ledger->state, signal_under_idempotency_sql, err))
        return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(commit->act.actor ? commit->act.actor : "host"));
    sov_bind_text(&stmt, 2, sov_bytes_text(commit->act.key));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    *seq_out = found ? sov_column_int(&stmt, 0) : 0;
    return true;
}

/* A salted payload has another digest each time. So that a repeat can be told from another request,
 * the content of the earlier one is compared; of an erased one nothing but the size is left. */
static bool digest_before(struct sov_commit *commit, const struct sov_signal_request *request,
                          struct sov_hash *digest_out, struct sov_error *err)
{
    struct sov_blob_ref before;
    struct sov_event event;
    struct sov_blob blob;
    int64_t seq = 0;
    bool found;

    if (commit->act.key && !under_idempotency(commit, &seq, err)) return false;
    if (!seq && request->dedupe_key && !under_key(commit, request, &seq, err)) return false;
    if (!seq) return true;
    if (!sov_log_named(commit->ledger, seq, SOV_EVENT_TYPE_COUNT, &commit->arena, &event, err))
        return false;
    if (event.type != SOV_EVENT_SIGNAL_RECORDED || !sov_value_there(sov_data(&event, "payload")) ||
        !sov_blob_ref_read(sov_data(&event, "payload"), &commit->arena, &before) ||
        before.size != (int64_t)request->payload.size)
        return true;
    if (!sov_blob_find(commit->ledger, &before.digest, &commit->arena, &blob, &found, err))
        return false;
    if (found && blob.confidential == request->confidential &&
        (blob.erased || sov_bytes_equal(blob.content, request->payload)))
        *digest_out = before.digest;
    return true;
}

/* The answer to a repeat: a noop, or key_reused. */
static bool repeated(struct sov_commit *commit, int64_t seq, struct sov_bytes data,
                     struct sov_done *done_out, struct sov_error *err)
{
    struct sov_event before;

    if (!sov_log_named(commit->ledger, seq, SOV_EVENT_SIGNAL_RECORDED, &commit->arena, &before,
                       err))
        return false;
    if (!sov_event_asked_equal(SOV_EVENT_SIGNAL_RECORDED, before.data, sov_value(data))) {
        const char *id = sov_stream_id(&before.stream, &commit->arena);

        sov_error_set(err, SOV_CONFLICT, "key_reused",
                      "the dedupe key of %s was used for another signal", id);
        sov_error_ref(err, id);
        return false;
    }
    sov_done_noop(&before.stream, seq, done_out);
    return true;
}

/* C5: a subject that looks like an id of this ledger is one. */
static bool subject_there(struct sov_commit *commit, const char *subject, struct sov_error *err)
{
    struct sov_stream stream;
    int64_t sv, seq;

    if (!sov_stream_parse_id(sov_bytes_text(subject), &stream)) return true;
    if (!sov_stream_newest(commit->ledger->state, &stream, &sv, &seq, err)) return false;
    return sv ? true : sov_refuse_absent(err, stream.kind, stream.n);
}

bool sov_signal_record(struct sov_commit *commit, const struct sov_signal_request *request,
                       struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SIGNAL_RECORDED };
    struct sov_signal_request asked = *request;
    struct sov_blob_ref ref = { .size = (int64_t)request->payload.size };
    bool with = request->payload.data != NULL, again;
    int64_t before = 0;

    if (!asked.dedupe_key) asked.dedupe_key = commit->act.key;
    if (with && !asked.media_type) asked.media_type = "application/octet-stream";
    if (!well_formed(&asked, err)) return false;
    if (with) {
        ref.media_type = asked.media_type;
        if (!asked.confidential) ref.digest = sov_sha256(asked.payload);
        if (asked.confidential && !digest_before(commit, &asked, &ref.digest, err)) return false;
    }
    if (!payload(commit, &asked, with ? &ref : NULL, &addition.data, err) ||
        !sov_commit_ask(commit, addition.type, NULL, addition.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!subject_there(commit, asked.subject, err) || !sov_commit_expect(commit, NULL, err))
        return false;
    if (asked.dedupe_key && !under_key(commit, &asked, &before, err)) return false;
    if (before) return repeated(commit, before, addition.data, done_out, err);
    if (with &&
        !sov_blob_put(commit, asked.payload, asked.media_type, asked.confidential, &ref, err))
        return false;
    if (asked.confidential && with && !payload(commit, &asked, &ref, &addition.data, err))
        return false;
    return sov_commit_next(commit, SOV_STREAM_SIGNAL, &addition.stream, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_signal_emit(struct sov_commit *commit, const char *kind, const char *source,
                     const char *subject, enum sov_severity severity, const char *dedupe_key,
                     int64_t cause, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_SIGNAL_RECORDED, .cause = { cause } };
    struct sov_signal_request request = { .kind = kind,
                                          .source = source,
                                          .subject = subject,
                                          .severity = severity,
                                          .dedupe_key = dedupe_key };

    return payload(commit, &request, NULL, &addition.data, err) &&
           sov_commit_next(commit, SOV_STREAM_SIGNAL, &addition.stream, err) &&
           sov_commit_follow(commit, &addition, NULL, err);
}
