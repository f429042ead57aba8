/* Blobs: each is what its digest says, or was erased by an event; and what events name is there. */
#include <string.h>

#include "base/alloc.h"
#include "verify/blobs.sql.h"
#include "verify/judge.h"

enum { BLOB_SLICE = 256, GONE_SHOWN = 8 };

static void bad_blob(struct sov_judge *judge, const char *kind, int64_t n, const char *why)
{
    struct sov_blobs *blobs = &judge->blobs;

    if (!blobs->bad) blobs->bad = sov_alloc_array(SOV_FINDINGS_MAX, sizeof *blobs->bad);
    if (blobs->bad_count < SOV_FINDINGS_MAX) blobs->bad[blobs->bad_count++] = n;
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
    int64_t last = 0, count = 0, before;

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
            if (sov_column_int(&stmt, 0) != last + 1) {
                bad_blob(judge, "blob_gap", last + 1, "is missing");
                bad_blob(judge, "blob_gap", sov_column_int(&stmt, 0), "stands behind a gap");
            }
            last = sov_column_int(&stmt, 0);
            count++;
            if (!judge_blob(judge, &stmt, err)) return false;
        }
    } while (last != before);
    judge->report->steps[SOV_STEP_CHAIN].checked += count;
    judge->blobs.last = count;
    judge->blobs.named = sov_alloc((size_t)(count / 8 + 1));
    return true;
}

void sov_blobs_release(struct sov_blobs *blobs)
{
    sov_free(blobs->bad);
    sov_free(blobs->named);
    sov_free(blobs->gone);
    *blobs = (struct sov_blobs){ 0 };
}

/* ---- what events name ---- */

static bool is_bad(const struct sov_blobs *blobs, int64_t n)
{
    for (size_t i = 0; i < blobs->bad_count; i++)
        if (blobs->bad[i] == n) return true;
    return false;
}

/* The event that brought a blob said what kind it is of; a deliverable is a stream of octets. */
static bool is_of_its_kind(struct sov_blobs *blobs, int64_t n, struct sov_value ref,
                           struct sov_bytes kind, struct sov_arena *arena)
{
    struct sov_value said = sov_value_get(ref, "media_type");
    uint8_t *octet, bit;

    if (n < 1 || n > blobs->last) return true; /* it came since, or its number is a finding */
    octet = &blobs->named[n / 8];
    bit = (uint8_t)(1u << n % 8);
    if (*octet & bit) return true;
    *octet |= bit;
    return sov_value_there(said) ? sov_bytes_equal(sov_value_bytes(said, arena), kind)
                                 : sov_bytes_is(kind, "application/octet-stream");
}

static void bad_ref(struct sov_judge *judge, const char *kind, int64_t seq, const char *why)
{
    sov_report_event(judge->report, SOV_STEP_CHAIN, SOV_CLASS_TAMPER, kind, seq,
                     "a blob that event %lld names is not %s", (long long)seq, why);
}

static void gone(struct sov_judge *judge, int64_t seq, const struct sov_hash *digest)
{
    if (!judge->blobs.gone) judge->blobs.gone = sov_alloc(sizeof *judge->blobs.gone);
    if (judge->blobs.gone->count == SOV_FINDINGS_MAX) {
        judge->blobs.gone->beyond++;
        judge->blobs.gone->beyond_seq = seq;
        return;
    }
    judge->blobs.gone->at[judge->blobs.gone->count].seq = seq;
    judge->blobs.gone->at[judge->blobs.gone->count++].digest = *digest;
}

/* What a restore could not bring back is named by its record, and by each look at it; anything else
 * was taken away. */
void sov_blobs_end(struct sov_judge *judge)
{
    struct sov_gone *missing = judge->blobs.gone;
    int64_t lost = 0, restore = 0;

    for (int64_t i = 0; missing && i < missing->count; i++) {
        int64_t seq = missing->at[i].seq, by = sov_restored_before(judge, seq);
        char hex[SOV_HEX_HASH + 1];

        if (!by) {
            bad_ref(judge, "blob_missing", seq, "there in its size");
            continue;
        }
        restore = by;
        sov_hex(sov_hash_bytes(&missing->at[i].digest), hex);
        if (lost++ < GONE_SHOWN)
            sov_report_note(judge->report,
                            "content that event %lld names did not come back with the restore of "
                            "event %lld: %s",
                            (long long)seq, (long long)by, hex);
    }
    if (missing && missing->beyond && !sov_restored_before(judge, missing->beyond_seq))
        bad_ref(judge, "blob_missing", missing->beyond_seq, "there in its size");
    else if (missing)
        lost += missing->beyond;
    if (lost > GONE_SHOWN)
        sov_report_note(judge->report,
                        "with the restore of event %lld %lld contents did not come "
                        "back in all",
                        (long long)restore, (long long)lost);
}

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
    if (!found && (judge->published || sov_ledger_is_mirror(judge->ledger))) {
        judge->blobs_elsewhere++;
        return true;
    }
    if (!found) {
        gone(judge, seq, &digest);
        return true;
    }
    if (sov_column_int(&stmt, 1) != sov_value_int(sov_value_get(ref, "size"))) {
        bad_ref(judge, "blob_missing", seq, "there in its size");
        return true;
    }
    if (is_bad(&judge->blobs, sov_column_int(&stmt, 0)))
        bad_ref(judge, "blob_digest", seq, "what its row says");
    if (!is_of_its_kind(&judge->blobs, sov_column_int(&stmt, 0), ref, sov_column_text(&stmt, 2),
                        &judge->scratch))
        bad_ref(judge, "blob_media_type", seq, "of the kind that it says");
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
