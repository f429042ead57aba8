/* Blobs: each is what its digest says, or was erased by an event; and what events name is there. */
#include <string.h>

#include "verify/blobs.sql.h"
#include "verify/judge.h"

enum { BLOB_SLICE = 256 };

static void bad_blob(struct sov_judge *judge, const char *kind, int64_t n, const char *why)
{
    sov_report_event(judge->report, SOV_STEP_CHAIN, SOV_CLASS_TAMPER, kind, 0, "blob %lld %s",
                     (long long)n, why);
}

static bool is_erased(struct sov_judge *judge, struct sov_bytes digest, bool *erased_out,
                      struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, sov_ledger_tables(judge->ledger), erasure_there_sql, err))
        return false;
    sov_bind_blob(&stmt, 1, digest);
    return sov_stmt_row(&stmt, erased_out, err);
}

static bool judge_blob(struct sov_judge *judge, struct sov_stmt *stmt, struct sov_error *err)
{
    struct sov_bytes digest = sov_column_blob(stmt, 1), content = sov_column_blob(stmt, 4);
    int64_t n = sov_column_int(stmt, 0);
    struct sov_hash hash;
    bool erased;

    if (!is_erased(judge, digest, &erased, err)) return false;
    if (sov_column_is_null(stmt, 4)) {
        if (!erased) bad_blob(judge, "blob_erased", n, "lost its content without an event");
        return true;
    }
    if (erased) bad_blob(judge, "blob_erased", n, "was erased and has content");
    hash = sov_blob_digest(sov_column_blob(stmt, 2), content);
    if (!sov_bytes_equal(digest, sov_hash_bytes(&hash)) ||
        (int64_t)content.size != sov_column_int(stmt, 3))
        bad_blob(judge, "blob_digest", n, "is not what its digest and size say");
    return true;
}

bool sov_judge_blobs(struct sov_judge *judge, struct sov_error *err)
{
    int64_t last = 0, before;

    do {
        SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
        bool found;

        before = last;
        if (!sov_stmt_open(&stmt, sov_ledger_file(judge->ledger), blob_rows_sql, err)) return false;
        sov_bind_int(&stmt, 1, last);
        sov_bind_int(&stmt, 2, BLOB_SLICE);
        for (;;) {
            if (!sov_stmt_row(&stmt, &found, err)) return false;
            if (!found) break;
            if (sov_column_int(&stmt, 0) != last + 1)
                bad_blob(judge, "blob_gap", last + 1, "is missing");
            last = sov_column_int(&stmt, 0);
            if (!judge_blob(judge, &stmt, err)) return false;
        }
    } while (last != before);
    judge->report->steps[SOV_STEP_CHAIN].checked += last;
    return true;
}

/* ---- what events name ---- */

static bool named(struct sov_judge *judge, int64_t seq, struct sov_value ref, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash digest;
    bool found;

    if (!sov_unhex(sov_value_plain(sov_value_get(ref, "digest")), digest.octets, SOV_HASH_SIZE))
        return true;
    if (!sov_stmt_open(&stmt, sov_ledger_file(judge->ledger), blob_there_sql, err)) return false;
    sov_bind_blob(&stmt, 1, sov_hash_bytes(&digest));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found && judge->published) {
        judge->blobs_elsewhere++;
        return true;
    }
    if (!found || sov_column_int(&stmt, 0) != sov_value_int(sov_value_get(ref, "size")))
        sov_report_event(judge->report, SOV_STEP_CHAIN, SOV_CLASS_TAMPER, "blob_missing", seq,
                         "a blob that event %lld names is not there in its size", (long long)seq);
    return true;
}

static bool is_ref(const char *shape)
{
    return strcmp(shape, "ref") == 0 || strcmp(shape, "deliverable") == 0;
}

static bool object_refs(struct sov_judge *judge, int64_t seq, const struct sov_shape *shape,
                        struct sov_value object, struct sov_error *err)
{
    for (size_t i = 0; i < shape->count; i++) {
        const struct sov_field *field = &shape->fields[i];
        struct sov_value value, item;
        size_t at = 0;

        if (field->kind != SOV_FIELD_SHAPED && field->kind != SOV_FIELD_LIST) continue;
        value = sov_value_get(object, field->name);
        if (!sov_value_there(value)) continue;
        if (field->kind == SOV_FIELD_SHAPED) {
            if (is_ref(field->words)
                    ? !named(judge, seq, value, err)
                    : !object_refs(judge, seq, sov_shape_find(field->words), value, err))
                return false;
            continue;
        }
        if (!is_ref(field->words)) continue;
        while (sov_value_item(value, &at, &item))
            if (!named(judge, seq, item, err)) return false;
    }
    return true;
}

static bool names_blobs(const struct sov_shape *shape)
{
    for (size_t i = 0; i < shape->count; i++) {
        const struct sov_field *field = &shape->fields[i];

        if (field->kind != SOV_FIELD_SHAPED && field->kind != SOV_FIELD_LIST) continue;
        if (is_ref(field->words) || names_blobs(sov_shape_find(field->words))) return true;
    }
    return false;
}

void sov_blobs_prepare(struct sov_judge *judge)
{
    for (enum sov_event_type type = 0; type < SOV_EVENT_TYPE_COUNT; type++)
        judge->names_blobs[type] = names_blobs(&sov_event_row(type)->data);
}

bool sov_blobs_event(struct sov_judge *judge, const struct sov_event *event, struct sov_error *err)
{
    if (!judge->names_blobs[event->type]) return true;
    return object_refs(judge, event->seq, &sov_event_row(event->type)->data, event->data, err);
}
