/* Asking for an approval: the exact arguments, the rate, one that is pending already. */
#include "ledger/approval.h"
#include "ledger/approval.sql.h"
#include "ledger/log.h"
#include "ledger/row.h"

static const struct sov_scan_rules args_rules = { SOV_APPROVAL_ARGS_MAX, 16, false };

static struct sov_bytes said(const char *text)
{
    return sov_bytes_text(text ? text : "");
}

/* ---- the arguments ---- */

bool sov_approval_effect_args(int64_t assignment, const char *kind, int64_t quantity,
                              const char *subject, struct sov_arena *arena,
                              struct sov_bytes *args_out, struct sov_error *err)
{
    SOV_CLEANUP(sov_buf_release) struct sov_buf out = { 0 };
    struct sov_writer w;

    sov_buf_init(&out, 4096);
    sov_writer_init(&w, &out);
    sov_write_object(&w);
    sov_put_number(&w, "assignment", SOV_STREAM_ASSIGNMENT, assignment);
    sov_put_text(&w, "kind", kind);
    sov_put_int(&w, "quantity", quantity);
    sov_put_text(&w, "subject", subject);
    sov_write_end(&w);
    if (!sov_buf_whole(&out, "the arguments", err)) return false;
    *args_out = sov_arena_bytes(arena, sov_buf_bytes(&out));
    return true;
}

/* An effect's: exactly those that the host will ask about, on the assignment that is the resource.
 * Others would be granted and never fit. */
static bool effect_args_fit(struct sov_commit *commit, const struct sov_stream *resource,
                            struct sov_bytes args, struct sov_error *err)
{
    struct sov_value all = sov_value(args), kind = sov_value_get(all, "kind"),
                     quantity = sov_value_get(all, "quantity"),
                     subject = sov_value_get(all, "subject");
    struct sov_bytes due = { NULL, 0 };

    if (resource->kind == SOV_STREAM_ASSIGNMENT && sov_value_there(kind) &&
        sov_value_there(quantity) && sov_value_there(subject) &&
        sov_value_kind(kind) == SOV_JSON_TEXT && sov_value_kind(quantity) == SOV_JSON_INT &&
        sov_value_kind(subject) == SOV_JSON_TEXT && sov_value_text_size(kind) <= 64 &&
        sov_value_text_size(subject) <= SOV_TEXT_SUBJECT &&
        !sov_approval_effect_args(
            resource->n, sov_arena_text(&commit->arena, sov_value_bytes(kind, &commit->arena)),
            sov_value_int(quantity),
            sov_arena_text(&commit->arena, sov_value_bytes(subject, &commit->arena)),
            &commit->arena, &due, err))
        return false;
    if (due.data && sov_bytes_equal(due, args)) return true;
    return sov_fail(err, SOV_USAGE, "bad_value",
                    "an %s is on an assignment, over exactly {assignment, kind, quantity, subject}",
                    SOV_APPROVAL_EFFECT);
}

/* ---- request ---- */

static bool resource_of(const struct sov_approval_request *request, struct sov_arena *arena,
                        struct sov_stream *stream_out, const char **text_out, struct sov_error *err)
{
    struct sov_stream stream;

    if (!sov_stream_parse_id(said(request->resource), &stream) &&
        !sov_stream_parse(said(request->resource), &stream))
        return sov_fail(err, SOV_USAGE, "bad_value",
                        "a resource is a stream: ASG-3, or assignment/ASG-3");
    *stream_out = stream;
    *text_out = sov_arena_printf(arena, "%s/%s", sov_stream_word(stream.kind),
                                 sov_stream_id(&stream, arena));
    return true;
}

static bool request_payload(struct sov_commit *commit, const struct sov_approval_request *request,
                            const char *resource, const struct sov_blob_ref *args,
                            int64_t expires_ms, struct sov_bytes *data_out, struct sov_error *err)
{
    struct sov_hash digest = sov_sha256(request->args);
    struct sov_writer w = sov_commit_writer(commit);
    char expires[SOV_INSTANT_TEXT + 1];

    sov_instant_format((struct sov_instant){ expires_ms }, expires);
    sov_write_object(&w);
    sov_put_text(&w, "action", request->action ? request->action : "");
    sov_blob_ref_put(&w, "args", args);
    sov_put_hex(&w, "args_digest", sov_hash_bytes(&digest));
    sov_put_text(&w, "expires_at", expires);
    sov_put_int(&w, "persons", commit->policy->approval_persons);
    sov_put_hex(&w, "policy", sov_hash_bytes(&commit->policy->digest));
    sov_put_int(&w, "quorum", commit->policy->approval_quorum);
    sov_put_text(&w, "resource", resource);
    sov_write_end(&w);
    return sov_commit_payload(commit, data_out, err);
}

static bool is_there(struct sov_commit *commit, const struct sov_stream *stream,
                     struct sov_error *err)
{
    int64_t sv, seq;

    if (!sov_stream_newest(commit->ledger->state, stream, &sv, &seq, err)) return false;
    if (sv) return true;
    sov_error_set(err, SOV_ABSENT, "no_such_id", "there is no %s %s", sov_stream_word(stream->kind),
                  sov_stream_id(stream, &commit->arena));
    sov_error_ref(err, sov_stream_id(stream, &commit->arena));
    return false;
}

/* The same still PENDING, in time: *done_out has it. */
static bool pending(struct sov_commit *commit, const struct sov_approval_request *request,
                    const char *resource, struct sov_done *done_out, bool *pending_out,
                    struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    struct sov_hash digest = sov_sha256(request->args);
    struct sov_stream stream;

    if (!sov_stmt_open(&stmt, commit->ledger->state, approval_pending_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(commit->act.actor));
    sov_bind_text(&stmt, 2, sov_bytes_text(request->action));
    sov_bind_text(&stmt, 3, sov_bytes_text(resource));
    sov_bind_blob(&stmt, 4, sov_hash_bytes(&digest));
    sov_bind_int(&stmt, 5, commit->at.ms);
    if (!sov_stmt_row(&stmt, pending_out, err)) return false;
    if (!*pending_out) return true;
    stream = sov_stream_numbered(SOV_STREAM_APPROVAL, sov_column_int(&stmt, 0));
    sov_done_noop(&stream, sov_column_int(&stmt, 1), done_out);
    return true;
}

static bool rate_allows(struct sov_commit *commit, struct sov_error *err)
{
    SOV_CLEANUP(sov_stmt_close) struct sov_stmt stmt = { 0 };
    int64_t most = commit->policy->limits_approvals_per_minute;
    bool found;

    if (!sov_stmt_open(&stmt, commit->ledger->state, approval_recent_sql, err)) return false;
    sov_bind_text(&stmt, 1, sov_bytes_text(commit->act.actor));
    sov_bind_int(&stmt, 2, commit->at.ms - 60000);
    if (!sov_stmt_row(&stmt, &found, err)) return false;
    if (!found || sov_column_int(&stmt, 0) < most) return true;
    return sov_fail(err, SOV_DENIED, "too_many_requests",
                    "%s has asked for %lld approvals within a minute", commit->act.actor,
                    (long long)most);
}

bool sov_approval_ask(struct sov_commit *commit, const struct sov_approval_request *request,
                      struct sov_done *done_out, struct sov_error *err)
{
    static const char json[] = "application/json";
    struct sov_addition lead = { .type = SOV_EVENT_APPROVAL_REQUESTED };
    struct sov_blob_ref args = { .media_type = json, .size = (int64_t)request->args.size };
    int64_t expires_ms = request->expires_ms
                             ? request->expires_ms
                             : sov_instant_after(commit->at, commit->policy->ttl_approval).ms;
    struct sov_stream resource;
    const char *text;
    bool again, before;

    if (!sov_scan_canonical(request->args, &args_rules, err) ||
        !resource_of(request, &commit->arena, &resource, &text, err))
        return false;
    if (sov_value_kind(sov_value(request->args)) != SOV_JSON_OBJECT)
        return sov_fail(err, SOV_USAGE, "bad_value", "the arguments are no object");
    if (request->action && strcmp(request->action, SOV_APPROVAL_EFFECT) == 0 &&
        !effect_args_fit(commit, &resource, request->args, err))
        return false;
    if (!request_payload(commit, request, text, &args, expires_ms, &lead.data, err) ||
        !sov_commit_ask(commit, lead.type, NULL, lead.data, done_out, &again, err))
        return false;
    if (again) return true;
    if (!is_there(commit, &resource, err) || !sov_commit_expect(commit, NULL, err) ||
        !sov_policy_approval_life(commit->policy, expires_ms - commit->at.ms, err) ||
        !pending(commit, request, text, done_out, &before, err))
        return false;
    if (before) return true;
    return rate_allows(commit, err) &&
           sov_blob_put(commit, request->args, json, false, &args, err) &&
           request_payload(commit, request, text, &args, expires_ms, &lead.data, err) &&
           sov_commit_next(commit, SOV_STREAM_APPROVAL, &lead.stream, err) &&
           sov_commit_lead(commit, &lead, done_out, err);
}
