#include "ledger/receipt.h"

#include <assert.h>
#include <string.h>

#include "ledger/log.h"
#include "ledger/receipt.sql.h"
#include "ledger/row.h"

static const char scoped_word[] = "repository_without_runs_and_ledger";

/* ---- reads ---- */

static void provider_read(struct sov_value provider, struct sov_arena *arena,
                          struct sov_receipt *receipt)
{
    struct sov_value model = sov_value_get(provider, "model");

    receipt->provider =
        sov_arena_text(arena, sov_value_bytes(sov_value_get(provider, "name"), arena));
    receipt->adapter =
        sov_arena_text(arena, sov_value_bytes(sov_value_get(provider, "adapter"), arena));
    receipt->adapter_version = sov_value_int(sov_value_get(provider, "version"));
    if (sov_value_there(model))
        receipt->model = sov_arena_text(arena, sov_value_bytes(model, arena));
}

static void deliverables_read(struct sov_value list, struct sov_arena *arena,
                              struct sov_receipt *receipt)
{
    struct sov_deliverable *rows = sov_arena_array(arena, sov_value_count(list) + 1, sizeof *rows);
    struct sov_value item;
    size_t at = 0, count = 0;

    while (sov_value_item(list, &at, &item)) {
        struct sov_deliverable *row = &rows[count++];
        struct sov_bytes digest = sov_value_plain(sov_value_get(item, "digest"));
        bool hex = sov_unhex(digest, row->digest.octets, SOV_HASH_SIZE);

        assert(hex);
        (void)hex;
        row->path = sov_arena_text(arena, sov_value_bytes(sov_value_get(item, "path"), arena));
        row->size = sov_value_int(sov_value_get(item, "size"));
    }
    receipt->deliverables = rows;
    receipt->deliverable_count = count;
}

static void effects_read(struct sov_value list, struct sov_arena *arena,
                         struct sov_receipt *receipt)
{
    int64_t *rows = sov_arena_array(arena, sov_value_count(list) + 1, sizeof *rows);
    struct sov_value item;
    size_t at = 0, count = 0;

    while (sov_value_item(list, &at, &item))
        rows[count++] = sov_id_number(sov_value_plain(item), SOV_STREAM_EFFECT);
    receipt->effects = rows;
    receipt->effect_count = count;
}

static void boundary_read(struct sov_value boundary, struct sov_arena *arena,
                          struct sov_boundary *boundary_out)
{
    struct sov_value report = sov_value_get(boundary, "report");

    *boundary_out = (struct sov_boundary){
        .scoped = sov_bytes_is(sov_value_plain(sov_value_get(boundary, "scope")), scoped_word),
        .computed = sov_value_bool(sov_value_get(boundary, "computed")),
        .violated = sov_value_bool(sov_value_get(boundary, "violated")),
    };
    if (sov_value_there(report)) {
        bool read = sov_blob_ref_read(report, arena, &boundary_out->report);

        assert(read);
        (void)read;
    }
}

static void row_read(const struct sov_stmt *stmt, struct sov_arena *arena,
                     struct sov_receipt *receipt_out)
{
    struct sov_receipt receipt = {
        .n = sov_column_int(stmt, 0),
        .assignment = sov_column_int(stmt, 1),
        .attempt = sov_column_int(stmt, 2),
        .fence = sov_column_int(stmt, 3),
        .category = sov_row_text(stmt, 5, arena),
        .message = sov_row_text(stmt, 6, arena),
        .usage = sov_row_bytes(stmt, 9, arena),
        .effects_unknown = sov_column_int(stmt, 12) != 0,
        .hash = sov_row_hash(stmt, 14),
        .seq = sov_column_int(stmt, 15),
    };
    struct sov_bytes provider = sov_row_bytes(stmt, 8, arena);
    bool known = sov_policy_receipt_status(sov_row_text(stmt, 4, arena), &receipt.status);

    assert(known);
    (void)known;
    receipt.has_report = !sov_column_is_null(stmt, 7);
    if (receipt.has_report) receipt.report_digest = sov_row_hash(stmt, 7);
    if (provider.data) provider_read(sov_value(provider), arena, &receipt);
    deliverables_read(sov_value(sov_row_bytes(stmt, 10, arena)), arena, &receipt);
    effects_read(sov_value(sov_row_bytes(stmt, 11, arena)), arena, &receipt);
    boundary_read(sov_value(sov_row_bytes(stmt, 13, arena)), arena, &receipt.boundary);
    *receipt_out = receipt;
}

bool sov_receipt_find(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                      struct sov_receipt *receipt_out, bool *found_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, receipt_find_sql, err)) return false;
    sov_bind_int(&stmt, 1, n);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, receipt_out);
    *found_out = found;
    return true;
}

bool sov_receipt_get(const struct sov_ledger *ledger, int64_t n, struct sov_arena *arena,
                     struct sov_receipt *receipt_out, struct sov_error *err)
{
    bool found;

    if (!sov_receipt_find(ledger, n, arena, receipt_out, &found, err)) return false;
    return found || sov_refuse_absent(err, SOV_STREAM_RECEIPT, n);
}

static bool rows_read(struct sov_stmt *stmt, struct sov_arena *arena,
                      struct sov_receipts *receipts_out, struct sov_error *err)
{
    struct sov_receipt *rows = NULL;
    size_t count = 0;
    bool found;

    for (;;) {
        if (!sov_stmt_row(stmt, &found, err)) return false;
        if (!found) break;
        rows = sov_rows_room(arena, rows, count, sizeof *rows);
        row_read(stmt, arena, &rows[count++]);
    }
    *receipts_out = (struct sov_receipts){ rows, count };
    return true;
}

bool sov_receipt_list(const struct sov_ledger *ledger, int64_t assignment, struct sov_arena *arena,
                      struct sov_receipts *receipts_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state,
                       assignment ? receipt_list_assignment_sql : receipt_list_sql, err))
        return false;
    if (assignment) sov_bind_int(&stmt, 1, assignment);
    return rows_read(&stmt, arena, receipts_out, err);
}

bool sov_receipt_holding(const struct sov_ledger *ledger, const struct sov_hash *digest,
                         struct sov_arena *arena, struct sov_receipts *receipts_out,
                         struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    char member[SOV_HEX_HASH + 16] = "\"digest\":\"";

    sov_hex(sov_hash_bytes(digest), member + strlen(member));
    if (!sov_stmt_open(&stmt, ledger->state, receipt_list_holding_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(member));
    return rows_read(&stmt, arena, receipts_out, err);
}

bool sov_receipt_of(const struct sov_ledger *ledger, int64_t assignment, int64_t fence,
                    struct sov_arena *arena, struct sov_receipt *receipt_out, bool *found_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (!sov_stmt_open(&stmt, ledger->state, receipt_of_sql, err)) return false;
    sov_bind_int(&stmt, 1, assignment);
    sov_bind_int(&stmt, 2, fence);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) row_read(&stmt, arena, receipt_out);
    *found_out = found;
    return true;
}

/* ---- fold ---- */

static bool is_first(struct sov_fold *fold, const struct sov_event *event, int64_t assignment,
                     struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    bool found;

    if (event->sv != 1) return sov_fold_fail(err, event, "a receipt is recorded once");
    if (!sov_stmt_open(&stmt, fold->db, receipt_twice_sql, err)) return false;
    sov_bind_int(&stmt, 1, assignment);
    sov_bind_int(&stmt, 2, sov_data_int(event, "attempt"));
    sov_bind_int(&stmt, 3, sov_data_int(event, "claim"));
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (found) return sov_fold_fail(err, event, "a second receipt of one attempt");
    return true;
}

static void bind_digest(struct sov_fold *fold, const struct sov_event *event, struct sov_stmt *stmt,
                        int n)
{
    struct sov_bytes hex = sov_data_text(event, "report_digest", fold->arena);
    uint8_t *octets = sov_arena_take(fold->arena, SOV_HASH_SIZE);

    if (hex.data && sov_unhex(hex, octets, SOV_HASH_SIZE))
        sov_bind_blob(stmt, n, sov_bytes(octets, SOV_HASH_SIZE));
    else
        sov_bind_null(stmt, n);
}

bool sov_receipt_fold(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    int64_t assignment = sov_data_number(event, "assignment", SOV_STREAM_ASSIGNMENT);
    struct sov_value boundary = sov_data(event, "boundary");
    struct sov_hash hash = sov_leaf_hash(event->octets);

    if (!is_first(fold, event, assignment, err)) return false;
    if (!sov_stmt_open(&stmt, fold->db, receipt_insert_sql, err)) return false;
    sov_bind_int(&stmt, 1, event->stream.n);
    sov_bind_int(&stmt, 2, assignment);
    sov_bind_int(&stmt, 3, sov_data_int(event, "attempt"));
    sov_bind_int(&stmt, 4, sov_data_int(event, "claim"));
    sov_bind_text(&stmt, 5, sov_data_text(event, "status", fold->arena));
    sov_bind_text(&stmt, 6, sov_data_text(event, "category", fold->arena));
    sov_bind_text(&stmt, 7, sov_data_text(event, "message", fold->arena));
    bind_digest(fold, event, &stmt, 8);
    sov_bind_text(&stmt, 9, sov_data(event, "provider").octets);
    sov_bind_text(&stmt, 10, sov_data(event, "usage").octets);
    sov_bind_text(&stmt, 11, sov_data(event, "deliverables").octets);
    sov_bind_text(&stmt, 12, sov_data(event, "effects").octets);
    sov_bind_int(&stmt, 13, sov_data_bool(event, "effects_unknown"));
    sov_bind_text(&stmt, 14, boundary.octets);
    sov_bind_int(&stmt, 15, sov_value_bool(sov_value_get(boundary, "violated")));
    sov_bind_blob(&stmt, 16, sov_hash_bytes(&hash));
    sov_bind_int(&stmt, 17, event->seq);
    return sov_stmt_run(&stmt, err);
}

/* ---- the consequence ---- */

static void put_boundary(struct sov_writer *w, const struct sov_boundary *boundary)
{
    sov_put_object(w, "boundary");
    sov_put_bool(w, "computed", boundary->computed);
    if (boundary->report.media_type) sov_blob_ref_put(w, "report", &boundary->report);
    sov_put_text(w, "scope", boundary->scoped ? scoped_word : "none");
    sov_put_bool(w, "violated", boundary->violated);
    sov_write_end(w);
}

static void put_deliverables(struct sov_writer *w, const struct sov_receipt *draft)
{
    sov_put_list(w, "deliverables");
    for (size_t i = 0; i < draft->deliverable_count; i++) {
        const struct sov_deliverable *row = &draft->deliverables[i];

        sov_write_object(w);
        sov_put_hex(w, "digest", sov_hash_bytes(&row->digest));
        sov_put_text(w, "path", row->path);
        sov_put_int(w, "size", row->size);
        sov_write_end(w);
    }
    sov_write_end(w);
}

static void put_id(struct sov_writer *w, enum sov_stream_kind kind, int64_t n,
                   struct sov_arena *arena)
{
    struct sov_stream stream = sov_stream_numbered(kind, n);

    sov_write_text(w, sov_bytes_text(sov_stream_id(&stream, arena)));
}

static void put_provider(struct sov_writer *w, const struct sov_receipt *draft)
{
    if (!draft->provider) return;
    sov_put_object(w, "provider");
    sov_put_text(w, "adapter", draft->adapter);
    if (draft->model) sov_put_text(w, "model", draft->model);
    sov_put_text(w, "name", draft->provider);
    sov_put_int(w, "version", draft->adapter_version);
    sov_write_end(w);
}

static bool payload(struct sov_commit *commit, const struct sov_receipt *draft,
                    struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_writer w = sov_commit_writer(commit);

    sov_write_object(&w);
    sov_write_key(&w, "assignment");
    put_id(&w, SOV_STREAM_ASSIGNMENT, draft->assignment, &commit->arena);
    sov_put_int(&w, "attempt", draft->attempt);
    put_boundary(&w, &draft->boundary);
    if (draft->category) sov_put_text(&w, "category", draft->category);
    sov_put_int(&w, "claim", draft->fence);
    put_deliverables(&w, draft);
    sov_put_list(&w, "effects");
    for (size_t i = 0; i < draft->effect_count; i++)
        put_id(&w, SOV_STREAM_EFFECT, draft->effects[i], &commit->arena);
    sov_write_end(&w);
    sov_put_bool(&w, "effects_unknown", draft->effects_unknown);
    sov_put_text(&w, "message", draft->message);
    put_provider(&w, draft);
    if (draft->has_report) sov_put_hex(&w, "report_digest", sov_hash_bytes(&draft->report_digest));
    sov_put_text(&w, "status", sov_policy_receipt_word(draft->status));
    sov_put_raw(&w, "usage", draft->usage.size ? draft->usage : sov_bytes_text("{}"));
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

bool sov_receipt_follow(struct sov_commit *commit, const struct sov_receipt *draft, bool fenced,
                        int64_t *n_out, int64_t *seq_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_RECEIPT_RECORDED,
                                     .fence = fenced ? draft->fence : 0 };

    assert((draft->status == SOV_RECEIPT_FAILED) == (draft->category != NULL));
    if (!payload(commit, draft, &addition.data, err)) return false;
    if (!sov_commit_next(commit, SOV_STREAM_RECEIPT, &addition.stream, err)) return false;
    if (!sov_commit_follow(commit, &addition, seq_out, err)) return false;
    *n_out = addition.stream.n;
    return true;
}
