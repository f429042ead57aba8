/* claim.* events into state_claim; what they do to the thing claimed is its kind's to say. */
#include <assert.h>

#include "ledger/claim_fold.sql.h"
#include "ledger/claim_kind.h"
#include "ledger/row.h"

/* ttl_s, at and who of an acquisition or renewal, from parameter `first` on. */
static bool life_bind(struct sov_stmt *stmt, int first, const struct sov_event *event,
                      struct sov_who *who, struct sov_fold *fold, struct sov_error *err)
{
    if (!sov_who_read(sov_data(event, "who"), fold->arena, who))
        return sov_fold_fail(err, event, "a claim of no program");
    sov_bind_int(stmt, first, sov_data_int(event, "ttl_s"));
    sov_bind_int(stmt, first + 1, event->at.ms);
    sov_bind_text(stmt, first + 2, sov_bytes_text(who->machine));
    sov_bind_text(stmt, first + 3, sov_bytes_text(who->boot));
    sov_bind_int(stmt, first + 4, who->boot_ms);
    sov_bind_int(stmt, first + 5, who->pid);
    sov_bind_int(stmt, first + 6, who->start);
    return true;
}

bool sov_claim_row(struct sov_fold *fold, const struct sov_event *event,
                   struct sov_claim_row *row_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_claim_row row = { 0 };
    char resource[SOV_RESOURCE_SIZE];

    sov_stream_resource(&event->stream, resource);
    if (!sov_stmt_open(&stmt, fold->db, claim_newest_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(resource));
    if (!sov_stmt_row(&stmt, &row.there, err)) return false;
    if (row.there) {
        row.fence = sov_column_int(&stmt, 0);
        row.live = sov_column_int(&stmt, 1) != 0;
        row.started = sov_column_int(&stmt, 2);
        row.finished = sov_column_int(&stmt, 3);
    }
    *row_out = row;
    return true;
}

bool sov_claim_row_under(const struct sov_event *event, const struct sov_claim_row *row,
                         struct sov_error *err)
{
    if (event->fence && row->live && event->fence == row->fence) return true;
    return sov_fold_fail(err, event, "%lld is not the live fence of %s-%lld",
                         (long long)event->fence, sov_stream_prefix(event->stream.kind),
                         (long long)event->stream.n);
}

bool sov_claim_row_add(struct sov_fold *fold, const struct sov_event *event, int64_t attempt,
                       struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    char resource[SOV_RESOURCE_SIZE];
    struct sov_who who;

    sov_stream_resource(&event->stream, resource);
    if (!sov_stmt_open(&stmt, fold->db, claim_insert_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(resource));
    sov_bind_int(&stmt, 2, event->seq);
    sov_bind_text(&stmt, 3, event->actor);
    sov_bind_int(&stmt, 4, attempt);
    return life_bind(&stmt, 5, event, &who, fold, err) && sov_stmt_run(&stmt, err);
}

/* The statement's claim is the one of the event's fence, or there is none such. */
static bool met_one(struct sov_stmt *stmt, const struct sov_event *event, struct sov_error *err)
{
    if (!sov_stmt_run(stmt, err)) return false;
    if (sov_stmt_changes(stmt) == 1) return true;
    return sov_fold_fail(err, event, "there is no claim of fence %lld", (long long)event->fence);
}

bool sov_claim_row_renew(struct sov_fold *fold, const struct sov_event *event,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    char resource[SOV_RESOURCE_SIZE];
    struct sov_who who;

    sov_stream_resource(&event->stream, resource);
    if (!sov_stmt_open(&stmt, fold->db, claim_renew_sql, err)) return false;
    if (!life_bind(&stmt, 1, event, &who, fold, err)) return false;
    sov_bind_text(&stmt, 8, sov_bytes_text(resource));
    sov_bind_int(&stmt, 9, event->fence);
    return met_one(&stmt, event, err);
}

bool sov_claim_row_end(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    char resource[SOV_RESOURCE_SIZE];

    sov_stream_resource(&event->stream, resource);
    if (!sov_stmt_open(&stmt, fold->db, claim_end_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->seq);
    sov_bind_text(&stmt, 2, sov_bytes_text(resource));
    sov_bind_int(&stmt, 3, event->fence);
    return met_one(&stmt, event, err);
}

/* It moves nothing but the claim: no kind has a part in it. */
static bool doubted(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    char resource[SOV_RESOURCE_SIZE];
    struct sov_who who;

    if (!sov_who_read(sov_data(event, "who"), fold->arena, &who))
        return sov_fold_fail(err, event, "a doubt of no program");
    sov_stream_resource(&event->stream, resource);
    if (!sov_stmt_open(&stmt, fold->db, claim_doubt_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(who.machine));
    sov_bind_text(&stmt, 2, sov_bytes_text(who.boot));
    sov_bind_int(&stmt, 3, who.boot_ms);
    sov_bind_text(&stmt, 4, sov_bytes_text(resource));
    if (!sov_stmt_run(&stmt, err)) return false;
    if (sov_stmt_changes(&stmt) == 1) return true;
    return sov_fold_fail(err, event, "no claim is live");
}

bool sov_claim_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    if (event->type == SOV_EVENT_CLAIM_ANOMALOUS) return doubted(fold, event, err);
#define CLAIMABLE(stream_kind, entity, authority)                                                  \
    if (event->stream.kind == SOV_STREAM_##stream_kind)                                            \
        return sov_##entity##_claim_fold(fold, event, err);
#include "ledger/event_types.def"
#undef CLAIMABLE
    assert(false);
    return false;
}
