/* The organization stream: its fold, and allowing a file system. The founding is in found.c. */
#include "ledger/organization.h"

#include <assert.h>

#include "ledger/log.h"
#include "ledger/organization.sql.h"
#include "ledger/restore.h"

static bool allowed(struct sov_fold *fold, const struct sov_event *event, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, fold->db, filesystem_insert_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_data_text(event, "kind", fold->arena));
    sov_bind_text(&stmt, 2, sov_data_text(event, "reason", fold->arena));
    sov_bind_int(&stmt, 3, event->seq);
    return sov_stmt_run(&stmt, err);
}

/* What verify holds against the tree; here, that it can be true at all. */
static bool restored(const struct sov_event *event, struct sov_error *err)
{
    int64_t size = sov_data_int(event, "from_size"), first = sov_data_int(event, "lost_first");
    int64_t last = sov_data_int(event, "lost_last");
    bool lost = sov_value_there(sov_data(event, "lost_first"));

    if (size < 1 || size >= event->seq)
        return sov_fold_fail(err, event, "nothing of size %lld came back before it",
                             (long long)size);
    if (lost != sov_value_there(sov_data(event, "lost_last")) ||
        (lost && (first != size + 1 || last < first)))
        return sov_fold_fail(err, event, "no range of events behind %lld was lost",
                             (long long)size);
    return true;
}

bool sov_organization_fold(struct sov_fold *fold, const struct sov_event *event,
                           struct sov_error *err)
{
    if (!sov_bytes_is(event->stream.name, "self"))
        return sov_fold_fail(err, event, "there is one organization, self");
    /* Who the organization is needs no table: event 1 is the root of trust and is read itself. */
    if (event->type == SOV_EVENT_ORGANIZATION_FOUNDED)
        return event->seq == 1 || sov_fold_fail(err, event, "only event 1 founds a ledger");
    if (event->type == SOV_EVENT_FILESYSTEM_ALLOWED) return allowed(fold, event, err);
    if (event->type == SOV_EVENT_LEDGER_RESTORED) return restored(event, err);
    assert(event->type == SOV_EVENT_CLOCK_REGRESSED);
    return true;
}

bool sov_filesystem_is_allowed(const struct sov_ledger *ledger, const char *kind, bool *allowed_out,
                               struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };

    if (!sov_stmt_open(&stmt, ledger->state, filesystem_find_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(kind));
    return sov_stmt_row(&stmt, allowed_out, err);
}

bool sov_filesystem_allow(struct sov_commit *commit, const char *kind, const char *reason,
                          struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_FILESYSTEM_ALLOWED };
    struct sov_writer w = sov_commit_writer(commit);
    bool again, known;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err)) return false;
    addition.stream = sov_stream_named(SOV_STREAM_ORGANIZATION, sov_bytes_text("self"));
    sov_write_object(&w);
    sov_put_text(&w, "kind", kind);
    sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    if (!sov_commit_payload(commit, &addition.data, err)) return false;
    if (!sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                        err))
        return false;
    if (again) return true;
    if (!sov_commit_expect(commit, NULL, err)) return false;
    if (!sov_filesystem_is_allowed(commit->ledger, kind, &known, err)) return false;
    if (known)
        return sov_fail(err, SOV_CONFLICT, "exists", "the file system %s is allowed already", kind);
    return sov_commit_lead(commit, &addition, done_out, err);
}

bool sov_restore_record(struct sov_commit *commit, const struct sov_restored *restored,
                        const char *reason, struct sov_done *done_out, struct sov_error *err)
{
    struct sov_addition addition = { .type = SOV_EVENT_LEDGER_RESTORED };
    struct sov_writer w = sov_commit_writer(commit);
    bool again;

    if (!sov_policy_reason(sov_bytes_text(reason ? reason : ""), err)) return false;
    addition.stream = sov_stream_named(SOV_STREAM_ORGANIZATION, sov_bytes_text("self"));
    sov_write_object(&w);
    sov_put_hex(&w, "from_root", sov_hash_bytes(&restored->root));
    sov_put_int(&w, "from_size", restored->size);
    if (restored->lost_last) {
        sov_put_int(&w, "lost_first", restored->lost_first);
        sov_put_int(&w, "lost_last", restored->lost_last);
    }
    sov_put_text(&w, "reason", reason);
    sov_write_end(&w);
    return sov_commit_payload(commit, &addition.data, err) &&
           sov_commit_ask(commit, addition.type, &addition.stream, addition.data, done_out, &again,
                          err) &&
           sov_commit_expect(commit, NULL, err) &&
           sov_commit_lead(commit, &addition, done_out, err);
}
